// expect: ricci: truth values are not subtracted
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<bool, 1> a{true, false}, b{true, true};
#ifdef RICCI_FIXED
    return static_cast<int>(sum(a - 1).item()) + static_cast<int>(ricci::count_nonzero(a != b).item());
#else
    return static_cast<int>(sum(a - b).item());
#endif
}

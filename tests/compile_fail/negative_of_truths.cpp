// expect: ricci: truth values have no negative
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<bool, 1> a{true, false};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::evaluate(!a).size());
#else
    return static_cast<int>(ricci::evaluate(-a).size());
#endif
}

// expect only: ricci: a number in braces would be cut: integers take no real ones
#include <ricci/fixed.hpp>

int main() {
#ifdef RICCI_FIXED
    const ricci::fixed_tensor<double, 2> a{1.5, 2};
#else
    const ricci::fixed_tensor<int, 2> a{1.5, 2};
#endif
    return static_cast<int>(a(0));
}

// expect: ricci: more indices than the array has axes
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
    const ricci::tensor<bool, 2> mask{{true, false}, {false, true}};
#ifdef RICCI_FIXED
    return static_cast<int>(x(mask).size());
#else
    return static_cast<int>(x(mask, ricci::tensor<int, 1>{0}).size());
#endif
}

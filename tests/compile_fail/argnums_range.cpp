// expect: ricci: argnums names an argument that was not given
#include <ricci/ricci.hpp>

int main() {
    const auto f = [](auto a) { return sum(a); };
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad(f, ricci::argnums<0>)(x).size());
#else
    return static_cast<int>(ricci::grad(f, ricci::argnums<1>)(x).size());
#endif
}

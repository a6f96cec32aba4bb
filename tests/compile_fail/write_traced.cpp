// expect: ricci: a value under grad, jvp or vmap cannot be written into a plain tensor
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad([&](auto a) { return sum(a * a); })(x).size());
#else
    return static_cast<int>(ricci::grad([&](auto a) { x(0, ricci::all) = a(0, ricci::all); return sum(a * a); })(x).size());
#endif
}

// expect: map takes a generic function, which registers and duals go through, too: write sin\(x\)
#include <cmath>

#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1.0, 2.0};
#ifdef RICCI_FIXED
    const ricci::tensor<double, 1> y = ricci::map([](auto v) { return sin(v); }, x);
    return static_cast<int>(y.size());
#else
    ricci::map(std::sin, x);
    return 0;
#endif
}

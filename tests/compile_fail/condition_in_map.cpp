// expect: ricci: a condition in a map's function is another one for each lane: where\(a > 0, b, c\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, -2};
    const auto f = [](auto a) {
#ifdef RICCI_FIXED
        return ricci::where(a > 0, a * a, -a);
#else
        return a > 0 ? a * a : -a;
#endif
    };
    const ricci::tensor<double, 1> y = ricci::map(f, x);
    return static_cast<int>(y.size());
}

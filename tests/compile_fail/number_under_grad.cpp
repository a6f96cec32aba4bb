// expect: ricci: a value under grad or jvp does not become a number
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(ricci::grad([](auto v) {
#ifdef RICCI_FIXED
                                auto s = ricci::lift(0.0, v);
                                s = s + v(0) * v(0);
                                if (s > 1) s = 2 * s;
#else
                                double s = 0;
                                s += v(0) * v(0);
#endif
                                return s * v(1);
                            })(x)
                                .size());
}

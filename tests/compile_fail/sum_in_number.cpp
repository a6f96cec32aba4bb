// expect: ricci: the function of a derivative returns a plain number, which depends on no argument: keep values as auto
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(ricci::grad([](auto v) {
#ifdef RICCI_FIXED
                                auto s = ricci::lift(0.0, v);
#else
                                auto s = 0.0;
#endif
                                for (int i = 0; i < 2; ++i) s += v(i);
                                return s;
                            })(x)
                                .size());
}

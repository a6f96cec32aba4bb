// expect: ricci: x\(...\) = e under a transform needs a name x to write to, that is not constant
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(ricci::grad([](auto v) {
#ifdef RICCI_FIXED
                                auto w = ricci::evaluate(v * 2);
#else
                                const auto w = ricci::evaluate(v * 2);
#endif
                                w(0) = w(1);
                                return sum(w);
                            })(x)
                                .size());
}

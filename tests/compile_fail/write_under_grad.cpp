// expect: ricci: x\(...\) = e does not write into a value under a transform
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    return static_cast<int>(ricci::grad([](auto v) {
                                auto w = ricci::evaluate(v * 2);
#ifdef RICCI_FIXED
                                w = ricci::index_put(w, ricci::tuple(0), w(1));
#else
                                w(0) = w(1);
#endif
                                return sum(w);
                            })(x)
                                .size());
}

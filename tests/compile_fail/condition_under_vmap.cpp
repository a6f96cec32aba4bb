// expect: ricci: under vmap a value is one for each member, and no number or condition: use where
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
    return static_cast<int>(ricci::vmap([](auto v) {
#ifdef RICCI_FIXED
                                return where(sum(v) > 0, 2 * v, 3 * v);
#else
                                if (sum(v) > 0) return 2 * v;
                                return 3 * v;
#endif
                            })(x)
                                .size());
}

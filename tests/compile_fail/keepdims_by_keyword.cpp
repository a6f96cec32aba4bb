// expect: ricci: reduced axes are kept by `keepdims`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = evaluate(ricci::mean(x, 0, ricci::keepdims) + ricci::sum(x, 0, {}) + ricci::stddev(x, 0, {}, 1));
#else
    const auto y = ricci::mean(x, 0, {.keepdims = true});
#endif
    return static_cast<int>(y.size());
}

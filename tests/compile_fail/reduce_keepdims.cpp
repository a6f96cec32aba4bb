// expect: ricci: reduced axes are kept by `keepdims`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(sum(x, {0, 1}, ricci::keepdims).size());
#else
    return static_cast<int>(sum(x, {0, 1}, true).size());
#endif
}

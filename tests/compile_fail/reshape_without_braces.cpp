// expect: ricci: a shape stands in braces: reshape\(x, \{3, 4\}\)
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    auto y = reshape(x, {4});
    return static_cast<int>(x.size() + y.size());
#else
    auto y = reshape(x, 4);
    return static_cast<int>(x.size() + y.size());
#endif
}

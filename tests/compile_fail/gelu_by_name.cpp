// expect: ricci: gelu's approximation by tanh has a name of its own: gelu_tanh
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::gelu_tanh(x);
#else
    const auto y = ricci::gelu(x, "tanh");
#endif
    return static_cast<int>(y.size());
}

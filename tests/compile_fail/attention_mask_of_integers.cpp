// expect: ricci: a mask of attention is of truth values
#include <ricci/ricci.hpp>

using namespace ricci;

int main() {
    const tensor<double, 2> x{{1, 2}, {3, 4}};
    const tensor<int, 2> k{{1, 0}, {1, 1}};
#ifdef RICCI_FIXED
    const auto y = scaled_dot_product_attention(x, x, x, k != 0);
#else
    const auto y = scaled_dot_product_attention(x, x, x, k);
#endif
    return static_cast<int>(y.size() + k.size()) == 0;
}

// expect: ricci: the function that matmul is given makes an element-wise map of the product
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(softmax(matmul(x, x), 1).size());
#else
    return static_cast<int>(matmul(x, x, [](auto xx) { return softmax(xx, 1); }).size());
#endif
}

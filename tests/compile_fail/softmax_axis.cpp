// expect: ricci: softmax is along an axis, softmax.x, -1.
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(softmax(x, -1).size());
#else
    return static_cast<int>(softmax(x).size());
#endif
}

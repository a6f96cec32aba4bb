// expect only: ricci: reduced axes are kept by `keepdims`
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{2, 1}, {1, 3}};
#ifdef RICCI_FIXED
    return static_cast<int>(argmax(x, 0, ricci::keepdims).size());
#else
    return static_cast<int>(argmax(x, 0, true).size());
#endif
}

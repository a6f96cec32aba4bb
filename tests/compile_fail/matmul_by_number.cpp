// expect: ricci: matmul multiplies arrays
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>((x * 2.0).size());
#else
    return static_cast<int>(matmul(x, 2.0).size());
#endif
}

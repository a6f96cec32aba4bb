// expect: ricci: ones takes a shape
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ones_like(x).size());
#else
    return static_cast<int>(ricci::ones(x).size());
#endif
}

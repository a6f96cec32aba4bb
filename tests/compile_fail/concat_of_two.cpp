// expect: ricci: the arrays to join stand in braces
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::concat({x, x}).size());
#else
    return static_cast<int>(concat(x, x).size());
#endif
}

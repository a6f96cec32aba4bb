// expect: ricci: indices stand in parentheses
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(x(0, 1));
#else
    return static_cast<int>(x[0][1]);
#endif
}

// expect: no matching function for call to|sin
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::sin(x).size());
#else
    return static_cast<int>(ricci::sin("x").size());
#endif
}

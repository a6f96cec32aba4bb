// expect: ricci: an axis is an integer
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(cumsum(x, 0).size());
#else
    return static_cast<int>(cumsum(x, 0.5).size());
#endif
}

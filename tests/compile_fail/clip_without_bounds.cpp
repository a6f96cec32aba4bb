// expect: ricci: clip is told the bounds
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    return static_cast<int>(clip(x, 0).size());
#else
    return static_cast<int>(clip(x).size());
#endif
}

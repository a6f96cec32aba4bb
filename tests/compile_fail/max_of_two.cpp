// expect: ricci: max reduces over axes
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 1> x{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(maximum(x, 0.5).size());
#else
    return static_cast<int>(max(x, 0.5).size());
#endif
}

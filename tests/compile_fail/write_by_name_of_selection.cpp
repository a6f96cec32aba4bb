// expect only: ricci: what x\(i\) selects is written as x\(i\) = e, not by a name
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
    const ricci::tensor<int, 1> i{0, 2};
#ifdef RICCI_FIXED
    x(i) = 0;
#else
    auto selected = x(i);
    selected = 0;
#endif
    return static_cast<int>(x.size());
}

// expect: ricci: indices of a fixed_tensor give a copy, which is not assigned to: use m.set
#include <ricci/fixed.hpp>

int main() {
    ricci::fixed_tensor<double, 2, 3> m;
    const ricci::fixed_tensor<double, 3> row{1, 2, 3};
#ifdef RICCI_FIXED
    m.set(row, 0, ricci::all);
#else
    m(0, ricci::all) = row;
#endif
    return static_cast<int>(m(0, 2));
}

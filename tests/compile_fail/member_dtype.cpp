// expect only: ricci: the type of the elements is decltype\(x\)::value_type
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    const auto y = x;
#else
    const auto y = x.dtype();
#endif
    return static_cast<int>(y.size());
}

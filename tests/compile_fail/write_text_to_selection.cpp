// expect only: ricci: arrays hold numbers, no text
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2, 3};
#ifdef RICCI_FIXED
    x(x > 1) = 5;
#else
    x(x > 1) = "5";
#endif
    return static_cast<int>(x.size());
}

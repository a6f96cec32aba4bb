// expect only: ricci: nothing can be written into .*, nor into a tensor<const T>
#include <ricci/ricci.hpp>

int main() {
    ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
    const ricci::tensor<const double, 2> y = x;
#ifdef RICCI_FIXED
    x(0, 0) = y(1, 1);
#else
    y(0, 0) = 1.0;
#endif
}

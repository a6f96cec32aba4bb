// expect only: ricci: numpy\.std is stddev\(x\) here
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 2> x{{1, 2}, {3, 4}};
#ifdef RICCI_FIXED
    const auto y = ricci::stddev(x, 0);
#else
    const auto y = ricci::std(x, 0);
#endif
    return static_cast<int>(y.size());
}

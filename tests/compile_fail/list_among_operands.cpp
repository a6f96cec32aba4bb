// expect: ricci: a vector or span becomes an array by from_span\(v\), which copies, or borrow\(v\), which views it
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<double, 1> x{1, 2};
    const std::vector<double> v{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(where(x > 1.0, ricci::borrow(v), 0).size());
#else
    return static_cast<int>(where(x > 1.0, v, 0).size());
#endif
}

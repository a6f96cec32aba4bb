// expect: ricci: a vector or span becomes an array by from_span\(v\), which copies, or borrow\(v\), which views it
#include <ricci/ricci.hpp>

int main() {
    const std::vector<double> v{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(sum(ricci::borrow(v), 0).item());
#else
    return static_cast<int>(ricci::sum(v, 0).item());
#endif
}

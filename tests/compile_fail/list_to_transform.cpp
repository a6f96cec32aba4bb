// expect: ricci: a vector or span becomes an array by from_span\(v\), which copies, or borrow\(v\), which views it
#include <ricci/ricci.hpp>

int main() {
    const std::vector<double> v{1, 2};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::fft::fft(ricci::borrow(v)).size());
#else
    return static_cast<int>(ricci::fft::fft(v).size());
#endif
}

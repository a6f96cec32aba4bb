// expect: ricci: a real function of a complex number has no complex derivative
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    const double z = 1;
#else
    const std::complex<double> z = 1;
#endif
    return ricci::derivative([](auto a) { return abs(a); }, z).second == 1.0;
}

// expect: ricci: grad takes functions with a real result
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<std::complex<double>, 1> z{{1, 2}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::grad([](auto a) { return abs(sum(a * a)); })(z).size());
#else
    return static_cast<int>(ricci::grad([](auto a) { return sum(a * a); })(z).size());
#endif
}

// expect: ricci: Jacobian matrices are those of real functions
#include <ricci/ricci.hpp>

int main() {
#ifdef RICCI_FIXED
    const ricci::tensor<double, 1> z{1, 2};
#else
    const ricci::tensor<std::complex<double>, 1> z{1, 2};
#endif
    return static_cast<int>(ricci::jacfwd([](auto a) { return a * a; })(z).size());
}

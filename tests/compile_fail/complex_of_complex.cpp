// expect: ricci: the parts of a complex number are real
#include <ricci/ricci.hpp>

int main() {
    const ricci::tensor<std::complex<double>, 1> z{{1, 2}};
#ifdef RICCI_FIXED
    return static_cast<int>(ricci::evaluate(ricci::complex(real(z), 1.0)).size());
#else
    return static_cast<int>(ricci::evaluate(ricci::complex(z, 1.0)).size());
#endif
}

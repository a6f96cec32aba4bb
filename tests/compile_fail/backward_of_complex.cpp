// expect: ricci: backward starts from a real scalar
#include <ricci/ricci.hpp>

int main() {
    const ricci::variable<std::complex<double>, 1> z = ricci::tensor<std::complex<double>, 1>{{1, 2}};
#ifdef RICCI_FIXED
    ricci::backward(abs(sum(z * z)));
#else
    ricci::backward(sum(z * z));
#endif
}

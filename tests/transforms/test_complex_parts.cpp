// Complex derivatives against PyTorch: what takes numbers apart and puts them together.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: conj, real, imag") {
    check("conj", [](auto z) { return conj(z) * z * w0; }, golden::complex_conj);
    check("real", [](auto z) { return real(z) * w0; }, golden::complex_real);
    check("imag", [](auto z) { return imag(z * z); }, golden::complex_imag);
}
TEST_CASE("complex: abs, angle") {
    check("abs", [](auto z) { return abs(z * w0); }, golden::complex_abs);
    check("angle", [](auto z) { return angle(z * w0); }, golden::complex_angle);
}

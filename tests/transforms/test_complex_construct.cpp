// Complex derivatives against PyTorch: construction, conversion, selection.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: complex, polar") {
    check("parts", [](auto z) { return ricci::complex(imag(z * w0), abs(z)); }, golden::complex_parts);
    check("polar", [](auto z) { return polar(abs(z), imag(z * z)); }, golden::complex_polar);
}
TEST_CASE("complex: where, astype") {
    check("where", [](auto z) { return where(real(z) > 0, z * z, conj(z) * w0); }, golden::complex_where);
    check("cast", [](auto z) { return astype<complex128>(real(z)) * z; }, golden::complex_cast);
}

// Complex derivatives against PyTorch: inverse and hyperbolic functions, which are computed number by number.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: inverse and hyperbolic functions") {
    check("inverse", [](auto z) { return asin(z) + w0 * acos(z * w0) + z * atan(z); }, golden::complex_inverse);
    check(
        "inverse_hyperbolic", [](auto z) { return asinh(z) + w0 * acosh(z * w0) + z * atanh(z); },
        golden::complex_inverse_hyperbolic);
    check("hyperbolic", [](auto z) { return sinh(z) + w0 * cosh(z) + z * tan(z); }, golden::complex_hyperbolic);
}

// Complex derivatives against PyTorch: logarithms and exponentials of other bases, sign.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: other logarithms and exponentials, sign") {
    check("logarithms", [](auto z) { return log2(z) + w0 * log10(z) + z * log1p(z); }, golden::complex_logarithms);
    check("exponentials", [](auto z) { return exp2(z) + w0 * expm1(z); }, golden::complex_exponentials);
    check("sign", [](auto z) { return sign(z * w0) * w0; }, golden::complex_sign);
}

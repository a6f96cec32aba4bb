// Complex derivatives against PyTorch: analytic functions.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: exp, log, sqrt") {
    check("exp", [](auto z) { return exp(z * w0); }, golden::complex_exp);
    check("log", [](auto z) { return log(z * w0); }, golden::complex_log);
    check("sqrt", [](auto z) { return sqrt(z); }, golden::complex_sqrt);
}
TEST_CASE("complex: what is computed number by number") {
    check("inverse", [](auto z) { return asin(z) + w0 * acos(z * w0) + z * atan(z); }, golden::complex_inverse);
    check(
        "inverse_hyperbolic", [](auto z) { return asinh(z) + w0 * acosh(z * w0) + z * atanh(z); },
        golden::complex_inverse_hyperbolic);
    check("hyperbolic", [](auto z) { return sinh(z) + w0 * cosh(z) + z * tan(z); }, golden::complex_hyperbolic);
    check("logarithms", [](auto z) { return log2(z) + w0 * log10(z) + z * log1p(z); }, golden::complex_logarithms);
    check("exponentials", [](auto z) { return exp2(z) + w0 * expm1(z); }, golden::complex_exponentials);
    check("sign", [](auto z) { return sign(z * w0) * w0; }, golden::complex_sign);
}
TEST_CASE("complex: sin, cos, tanh") {
    check("sin", [](auto z) { return sin(z); }, golden::complex_sin);
    check("cos", [](auto z) { return cos(z); }, golden::complex_cos);
    check("tanh", [](auto z) { return tanh(z); }, golden::complex_tanh);
}

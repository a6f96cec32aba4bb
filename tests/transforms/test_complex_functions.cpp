// Complex derivatives against PyTorch: analytic functions.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: exp, log, sqrt") {
    check("exp", [](auto z) { return exp(z * w0); }, golden::complex_exp);
    check("log", [](auto z) { return log(z * w0); }, golden::complex_log);
    check("sqrt", [](auto z) { return sqrt(z); }, golden::complex_sqrt);
}
TEST_CASE("complex: sin, cos, tanh") {
    check("sin", [](auto z) { return sin(z); }, golden::complex_sin);
    check("cos", [](auto z) { return cos(z); }, golden::complex_cos);
    check("tanh", [](auto z) { return tanh(z); }, golden::complex_tanh);
}

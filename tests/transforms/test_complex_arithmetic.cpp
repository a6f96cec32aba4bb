// Complex derivatives against PyTorch: arithmetic and powers, mixed with real arrays.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: sums, products, quotients") {
    check("add_multiply", [](auto z) { return z * w0 + r0; }, golden::complex_add_multiply);
    check("divide", [](auto z) { return w0 / z; }, golden::complex_divide);
    check("real_times", [](auto z) { return r0 * z * z; }, golden::complex_real_times);
    check("square", [](auto z) { return square(z) * w0; }, golden::complex_square);
}
TEST_CASE("complex: powers") {
    check("pow", [](auto z) { return pow(z, w0); }, golden::complex_pow);
    check("pow_of", [](auto z) { return pow(w0, z); }, golden::complex_pow_of);
}

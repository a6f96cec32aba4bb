// Complex derivatives against PyTorch: reductions.
#include "complex.hpp"

using namespace complex_numbers;

TEST_CASE("complex: sum, mean, prod") {
    check_first("sum", [](auto z) { return sum(z * w0) * z; }, golden::complex_sum);
    check("mean", [](auto z) { return mean(z * z) * w0; }, golden::complex_mean);
    check_first("prod", [](auto z) { return prod(z) * w0; }, golden::complex_prod);
}
TEST_CASE("complex: var, stddev are real") {
    check("var", [](auto z) { return var(z * z) * r0; }, golden::complex_var);
    check_first("stddev", [](auto z) { return stddev(z * w0, dropdims_t{}, 1) * w0; }, golden::complex_stddev);
}

// Fits data sets of NIST's StRD collection (nonlinear regression) from both starting points and compares with the
// certified values: nist_fit FILE.dat..., or nist_fit alone for the one that is typed in. Exit status 1 when a fit has
// fewer than 8 digits and double precision would allow them, 2 for a file that cannot be used.
#include <cstdio>

#include "nist/agreement.hpp"
#include "nist/misra1a.hpp"
#include "nist/problem.hpp"

namespace {

constexpr double wanted_digits = 8;

void print(const nist::fit& found, const nist::agreement& digits) {
    std::printf("        estimate            digits   standard deviation   digits\n");
    for (std::size_t j = 0; j < found.parameters.size(); ++j)
        std::printf("  b%zu  %19.11e  %5.1f   %19.11e  %5.1f\n", j + 1, found.parameters[j], digits.parameters[j],
                    found.deviation[j], digits.deviations[j]);
    std::printf("  residual sum of squares %.11e, %.1f digits\n", found.residual_sum_of_squares, digits.sum_of_squares);
}

/// Says how good the fit is; false when it is worse than it had to be.
bool judge(const nist::fit& found, const nist::agreement& digits, const nist::dataset& set) {
    if (digits.worst_deviation < wanted_digits && digits.attainable_deviation < wanted_digits)
        std::printf(
            "  (the residuals, of size %.0e, are near the rounding errors of the observations: about %.0f digits of "
            "the "
            "deviations can be had in double precision)\n",
            found.residual_deviation, std::max(digits.attainable_deviation, 0.0));
    if (digits.worst_parameter >= wanted_digits) {
        std::printf("  at least %.1f digits on every parameter\n", digits.worst_parameter);
        return true;
    }
    if (digits.attainable_parameter < wanted_digits && digits.worst_parameter >= digits.attainable_parameter - 1) {
        std::printf(
            "  only %.1f digits: rounding each residual to double precision alone costs all but %.1f digits, so badly "
            "do the data determine the parameters\n",
            digits.worst_parameter, digits.attainable_parameter);
        return true;
    }
    const bool elsewhere = found.residual_sum_of_squares > set.residual_sum_of_squares * 1.001;
    std::printf("  FAILED: only %.1f digits of the %.0f wanted%s\n", digits.worst_parameter, wanted_digits,
                elsewhere ? "; the fit stopped where the sum of squares is larger than the certified one" : "");
    return false;
}

bool fit(const nist::dataset& set) {
    const nist::linearizer linearize = nist::linearize(set);
    std::printf("%s: %zu observations, %zu parameters\n", set.name.c_str(), set.observations, set.parameters);
    bool good = true;
    for (std::size_t s = 0; s < set.start.size(); ++s) {
        const nist::fit found = nist::levenberg_marquardt(linearize, set.y, set.start[s]);
        std::printf("start %zu:", s + 1);
        for (double b : set.start[s]) std::printf(" %g", b);
        std::printf(" (%zu evaluations)\n", found.evaluations);
        const nist::agreement digits = nist::compare(found, set);
        print(found, digits);
        good = judge(found, digits, set) && good;
    }
    return good;
}

}  // namespace

int main(int count, char** arguments) try {
    bool good = true;
    if (count < 2) good = fit(nist::misra1a());
    for (int i = 1; i < count; ++i) good = fit(nist::read_dataset(arguments[i])) && good;
    return good ? 0 : 1;
} catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 2;
}

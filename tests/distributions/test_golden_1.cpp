// Distributions beside torch's and SciPy's, part 1 of 3.
#include "distributions.hpp"

namespace distribution_tests {
using namespace distribution_checks;
using distribution_checks::gamma, distribution_checks::normal, distribution_checks::uniform;

TEST_CASE("distributions: values and slopes of torch.distributions and SciPy, part 1") {
    RICCI_DISTRIBUTION_CASES_1(RICCI_DISTRIBUTION_CHECK);
}

}  // namespace distribution_tests

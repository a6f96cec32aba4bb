// uniform, normal, exponential, gamma, beta, truncated_normal in float follow SciPy's distributions.
#include "random_continuous.hpp"

TEST_CASE("random: samples in float follow SciPy's distributions") { samples::check_continuous<float>(); }

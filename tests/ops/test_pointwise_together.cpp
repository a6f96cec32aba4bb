// Ops whose rows are pointwise, a sample of them through the engine: a mask in the rule, an op with a state, a long
// kernel.
#include "table/table.hpp"

TEST_CASE("ops together: value, gradient and second order by create_graph") {
    table::check_together([](const auto& x) { return ricci::lgamma(x) + ricci::relu(x - 0.5) * ricci::sigmoid(3 * x); });
}

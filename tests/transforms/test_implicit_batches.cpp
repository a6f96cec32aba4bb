// Roots of equations under vmap: the solver, which no transform can follow, is called for each member.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

// Newton's iteration, with branches and numbers that no transform could follow
const auto root_of = custom_root([](auto x, auto a) { return x * x - a; },
                                 [](auto a) {
                                     double x = 1;
                                     while (std::fabs(x * x - a.item()) > 1e-15 * a.item())
                                         x = 0.5 * (x + a.item() / x);
                                     return x;
                                 });
const tensor<double, 1> a0{0.25, 2, 9};

}  // namespace

TEST_CASE("custom_root: batches call the solver for each member") {
    check_close(vmap(root_of)(a0), sqrt(a0));
    check_close(vmap(grad(root_of))(a0), 0.5 / sqrt(a0));
    check_close(grad([](auto a) { return sum(vmap(root_of)(a)); })(a0), 0.5 / sqrt(a0));
    check_close(vmap(vmap(root_of))(reshape(a0, {1, 3})), reshape(sqrt(a0), {1, 3}));
}

// solve, solve_triangular, inv, tensorsolve and tensorinv.
#include "linalg.hpp"

using namespace linear;

TEST_CASE("linalg: derivatives of solve") {
    check_derivatives([](const auto& a, const auto& b) { return linalg::solve(a, b); }, some<double>(shape{3, 3}, 1),
                      some<double>(shape{3, 2}, 2));
    check_derivatives([](const auto& a, const auto& b) { return linalg::solve(a, b); },
                      some<complex_double>(shape{2, 2}, 1), some<complex_double>(shape{2, 1}, 2));
}

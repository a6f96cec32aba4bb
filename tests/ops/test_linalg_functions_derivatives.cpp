// Derivatives and batches of sqrtm, logm and the solvers of Sylvester's equation.
#include <ricci/scientific.hpp>

#include "linalg.hpp"

using namespace linear;

namespace {

/// All functions of one real or complex matrix without eigenvalues near the negative axis.
template <class T>
auto functions_of(const tensor<T, 2>& q) {
    return [q](const auto& x) {
        return joined<T>(linalg::sqrtm(x), linalg::logm(x), linalg::solve_discrete_lyapunov(x * real_t<T>(0.2), q));
    };
}
template <class T>
tensor<T, 2> matrix() {
    return evaluate(some<T>(shape<2>{3, 3}, 5) * real_t<T>(0.4) + T(2) * eye<real_t<T>>(3));
}

}  // namespace

TEST_CASE("linalg: derivatives of matrix functions") {
    check_derivatives(functions_of(some<double>(shape<2>{3, 3}, 6)), matrix<double>());
}
TEST_CASE("linalg: derivatives of matrix functions of complex matrices") {
    const auto f = functions_of(some<complex_double>(shape<2>{3, 3}, 6));
    CHECK(gradcheck(f, std::make_tuple(matrix<complex_double>())));
}
TEST_CASE("linalg: derivatives of Sylvester's solution in all three") {
    const auto f = [](const auto& a, const auto& b, const auto& q) { return linalg::solve_sylvester(a, b, q); };
    check_derivatives(f, matrix<double>(), evaluate(some<double>(shape<2>{2, 2}, 7) + 3 * eye(2)),
                      some<double>(shape<2>{3, 2}, 8));
}
TEST_CASE("linalg: batches of matrix functions") {
    const auto base = matrix<double>();
    const auto stacked = stack(std::make_tuple(base, evaluate(base + 0.1), evaluate(2 * base)));
    check_batches(functions_of(some<double>(shape<2>{3, 3}, 6)), stacked);
}
TEST_CASE("linalg: batches of Sylvester's equations, one matrix shared") {
    const auto a = matrix<double>();
    const auto b = stack(std::make_tuple(a, evaluate(2 * a)));
    const auto f = [](const auto& x, const auto& y) { return linalg::solve_sylvester(x, y, x); };
    const auto x = vmap(f, in_axes(none, 0))(a, b);
    CHECK(largest(evaluate(index(x, 1) - linalg::solve_sylvester(a, evaluate(2 * a), a))) < 1e-14);
}

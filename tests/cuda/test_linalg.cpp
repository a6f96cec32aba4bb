// Linear algebra on the second device, with derivatives and batches, against the CPU's.
#include <ricci/grad/variable.hpp>

#include "agree.hpp"

namespace {

template <class A>
auto gram(const A& a) {
    return rc::evaluate(rc::matmul(a, rc::matrix_transpose(a)) + rc::eye<double>(4, 4, 0, rc::device_t<A>{}));
}

}  // namespace

TEST_CASE("cuda: systems and factors") {
    const auto a = random_tensor({2, 4, 4});
    const auto b = random_tensor({2, 4, 3}, 2);
    const auto tall = random_tensor({6, 3}, 3);
    agree([](auto x, auto y) { return rc::linalg::solve(x, y); }, a, b);
    agree([](auto x, auto y) { return rc::linalg::solve_triangular(x, y, true); }, a, b);
    agree([](auto x) { return rc::linalg::inv(x); }, a);
    agree([](auto x) { return rc::linalg::det(x); }, a);
    agree([](auto x) { return rc::linalg::slogdet(x).sign; }, a);
    agree([](auto x) { return rc::linalg::cholesky(gram(x)); }, a);
    agree([](auto x) { return rc::linalg::lu(x).P; }, a);
    agree([](auto x) { return rc::linalg::lu(x).U; }, a);
    agree([](auto x) { return rc::linalg::qr(x).R; }, tall);
    agree([](auto x) { return rc::linalg::eigvalsh(gram(x)); }, a);
    agree([](auto x) { return rc::linalg::svdvals(x); }, tall);
    agree([](auto x) { return rc::linalg::pinv(x); }, tall);
    agree([](auto x) { return rc::linalg::matrix_exp(x * 0.1); }, a);
    agree([](auto x) { return rc::linalg::matrix_power(x, -2); }, a);
    agree([](auto x) { return rc::linalg::vander(x); }, random_tensor({2, 4}));
    agree([](auto x, auto y) { return rc::polyfit(x, y, 2); }, random_tensor({9}), random_tensor({9}, 2));
    CHECK_THROWS_AS(rc::linalg::inv(rc::zeros<float>({2, 2}, rc::cuda)), rc::linalg_error);
}

TEST_CASE("cuda: derivatives of linear algebra") {
    const auto a = random_tensor({4, 4});
    const auto b = random_tensor({3, 4}, 2);
    const auto f = [](auto x, auto y) { return rc::sum(rc::square(rc::linalg::solve(x, y))); };
    agree(rc::grad(f), a, rc::evaluate(b(0)));
    agree([&](auto x, auto y) { return rc::vmap(rc::grad(f), rc::in_axes(rc::none, 0))(x, y); }, a, b);
    agree(rc::grad([](auto x) { return rc::linalg::slogdet(x).logabsdet + rc::linalg::det(x); }), a);
    agree(
        [](auto x) {
            rc::variable<double, 2, typename decltype(x)::device_type> v = x;
            rc::backward(rc::sum(rc::square(rc::linalg::cholesky(gram(v)))));
            return v.grad();
        },
        a);
    agree([](auto x, auto d) { return std::get<1>(rc::jvp([](auto y) { return rc::linalg::svdvals(y); }, x, d)); }, a,
          random_tensor({4, 4}, 3));
}

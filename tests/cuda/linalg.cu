// Linear algebra by cuSOLVER, where it is linked.
#include "agree.hpp"

#if defined(RICCI_USE_CUSOLVER)
TEST_CASE("cuda: linear algebra by cuSOLVER") {
    const auto x = random_tensor({3, 5, 5});
    const auto y = rc::evaluate(rc::matmul(x, rc::matrix_transpose(x)) + rc::eye<double>(5) * 10.0);
    const auto z = rc::evaluate(rc::complex(y, (x - rc::matrix_transpose(x)) * 0.1));  // Hermitian
    agree([](auto a) { return rc::linalg::inv(a); }, z);
    agree([](auto a) { return rc::linalg::solve(a, a(rc::all, rc::all, rc::slice(0, 2))); }, y);
    agree([](auto a) { return rc::linalg::det(a); }, y);
    agree([](auto a) { return rc::linalg::slogdet(a).logabsdet; }, y);
    agree([](auto a) { return rc::vmap([](const auto& m) { return rc::linalg::slogdet(m); })(a).logabsdet; }, y);
    agree([](auto a) { return rc::linalg::cholesky(a); }, z);
    agree([](auto a) { return rc::linalg::eigvalsh(a); }, z);
    agree([](auto a) { return rc::linalg::svdvals(a); }, y);
    agree([](auto a) { return rc::linalg::pinv(a(rc::all, rc::all, rc::slice(0, 3))); }, y);
    agree([](auto a) { return rc::linalg::pinv(a(rc::all, rc::slice(0, 3))); }, y);
    agree(
        [](auto a) {
            const auto [q, r] = rc::linalg::qr(a(rc::all, rc::all, rc::slice(0, 3)));
            return rc::matmul(q, r);
        },
        y);
    agree(
        [](auto a) {
            const auto [p, l, u] = rc::linalg::lu(a);
            return rc::matmul(p, rc::matmul(l, u));
        },
        y);
    agree(rc::grad([](auto a) { return rc::sum(rc::linalg::solve(a, a(rc::all, 0))); }),
          rc::evaluate(random_tensor({5, 5}) + rc::eye<double>(5) * 10.0));
    CHECK_THROWS_AS(rc::linalg::inv(rc::zeros<float>({2, 2}, rc::cuda)), rc::linalg_error);
}
#endif

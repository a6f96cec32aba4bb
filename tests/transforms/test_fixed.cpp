// Fixed tensors of duals, and as arguments of the transforms.
#include <doctest/doctest.h>

#include <ricci/fixed.hpp>

using namespace ricci;

using vec3 = fixed_tensor<double, 3>;
using mat23 = fixed_tensor<double, 2, 3>;

TEST_CASE("fixed: duals as elements") {
    using D = dual<double>;
    // y = sum((A x)^2) + det(B), along one direction of A, x and B at a time
    const auto f = [](const auto& A, const auto& x, const auto& B) {
        return sum(square(matmul(A, x))) + linalg::det(B) + norm(x) * sum(linalg::solve(B, x)) +
               sum(linalg::cholesky(matmul(B, matrix_transpose(B)))) + max(x) + sum(sin(x) * 2 / x);
    };
    const mat23 A{{1, 2, 3}, {4, 5, 6}};
    const vec3 x{0.3, -0.2, 0.7};
    const fixed_tensor<double, 3, 3> B{{4, 1, 2}, {0, 5, 3}, {2, 3, 6}};
    const auto along_direction = [&](double h) {
        mat23 a = A;
        vec3 p = x;
        auto b = B;
        a(0, 1) += h;
        p(2) += 2 * h;
        b(1, 0) -= h;
        return f(a, p, b).item();
    };
    fixed_tensor<D, 2, 3> a = A;
    fixed_tensor<D, 3> p = x;
    fixed_tensor<D, 3, 3> b = B;
    a(0, 1).tangent = 1;
    p(2).tangent = 2;
    b(1, 0).tangent = -1;
    const D y = f(a, p, b).item();
    CHECK(y.value == doctest::Approx(f(A, x, B).item()).epsilon(1e-14));
    const double h = 1e-4;  // central differences: errors of h^2 and eps / h
    CHECK(y.tangent == doctest::Approx((along_direction(h) - along_direction(-h)) / (2 * h)).epsilon(1e-7));
    // beside plain elements
    CHECK(matmul(A, p)(1).tangent == 12);
    CHECK((A * p)(0, 2).tangent == 6);
    CHECK((p * D(1, 1))(0).tangent == 0.3);
}

TEST_CASE("fixed: gradients have the arguments' form") {
    const mat23 A{{1, 2, 3}, {4, 5, 6}};
    const vec3 x{0.3, -0.2, 0.7};
    const auto f = [](auto a, auto v) { return sum(square(matmul(a, v))); };
    const auto g = grad(f)(A, x);
    static_assert(std::is_same_v<decltype(g), const mat23>);
    CHECK(allclose(g, 2.0 * outer(matmul(A, x), x), 1e-14, 0));
    const auto [y, both] = value_and_grad(f, argnums<0, 1>)(A, x);
    CHECK(y.item() == doctest::Approx(f(A, x).item()).epsilon(1e-15));
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(std::get<1>(both))>, vec3>);
    CHECK(allclose(std::get<1>(both), 2.0 * matmul(matmul(A, x), A), 1e-14, 0));
    // what is not differentiated stays fixed inside, captured or given
    const auto h = grad([&](auto v, auto a) {
        static_assert(is_fixed_v<decltype(a)> && !is_fixed_v<decltype(v)>);
        return sum(sin(matmul(a, v)) * matmul(A, x));
    })(x, A);
    static_assert(std::is_same_v<decltype(h), const vec3>);
    CHECK(allclose(h, matmul(cos(matmul(A, x)) * matmul(A, x), A), 1e-14, 0));
}

TEST_CASE("fixed: vjp, jvp, Jacobians and Hessians") {
    const mat23 A{{1, 2, 3}, {4, 5, 6}};
    const vec3 x{0.3, -0.2, 0.7}, v{1, 0, -2};
    const fixed_tensor<double, 2> c{1, -1};
    const auto f = [&](auto p) { return matmul(A, p * p); };
    const auto J = A * (2 * x);
    const auto [y, pull] = vjp(f, x);
    static_assert(std::is_same_v<decltype(pull(c)), vec3>);
    CHECK(allclose(pull(c), matmul(c, J), 1e-14, 0));
    const auto [z, z_dot] = jvp(f, x, v);
    CHECK(allclose(z, matmul(A, x * x), 1e-14, 0));
    CHECK(allclose(z_dot, matmul(J, v), 1e-14, 0));
    CHECK(allclose(jacfwd(f)(x), J, 1e-14, 0));
    CHECK(allclose(jacrev(f)(x), J, 1e-14, 0));
    const auto cubes = [](auto p) { return sum(p * p * p); };
    const fixed_tensor<double, 3, 3> H = hessian(cubes)(x);
    CHECK(allclose(H, 6 * x * fixed_tensor<double, 3, 3>::eye(), 1e-14, 0));
}

TEST_CASE("fixed: vmap shares them") {
    const mat23 A{{1, 2, 3}, {4, 5, 6}};
    const tensor<double, 2> X{{1, 2, 3}, {-1, 0, 1}};
    const auto f = [](auto a, auto x) { return matmul(a, x); };
    CHECK(array_equal(vmap(f, in_axes(none, 0))(A, X), matmul(X, matrix_transpose(A))));
    const auto loss = [&](auto a, auto x) { return sum(square(f(a, x))); };
    const auto each = vmap(grad(loss), in_axes(none, 0))(A, X);
    CHECK(allclose(each(1), grad(loss)(A, vec3{-1, 0, 1}), 1e-14, 0));
}

TEST_CASE("fixed: traces of duals") {
    using D = dual<double>;
    const auto m = fixed_tensor<D, 3, 3>::generate(
        [](index_t k) { return D{static_cast<double>(k + 1), static_cast<double>(10 * k)}; });
    CHECK(trace(m).item().value == 15);
    CHECK(trace(m, 1).item().value == 8);
    CHECK(trace(m, 1).item().tangent == 60);
    CHECK(linalg::trace(m, -1).item().value == 12);
    CHECK(trace(m, 1, 1, 0).item().value == 12);
    CHECK(trace(m, 3).item().value == 0);
}
TEST_CASE("fixed: determinants of singular matrices have derivatives") {
    using D = dual<double>;
    using H = dual<D>;
    fixed_tensor<D, 5, 5> a = fixed_tensor<double, 5, 5>::eye();
    for (const index_t k : {4, 0, 2}) {
        auto b = a;
        b(k, k) = D{0, 3};
        CHECK(linalg::det(b).item().value == 0);
        CHECK(linalg::det(b).item().tangent == 3);
        b((k + 1) % 5, (k + 1) % 5) = D{0, 1};  // of rank 3: of the second order
        CHECK(linalg::det(b).item().tangent == 0);
    }
    // a dense matrix of rank 4, along a direction: the derivative is the sum of cofactors by its elements, by
    // differences
    const auto dense = [](index_t k) { return static_cast<double>((k * k * 7 + 3 * k) % 11) - 4; };
    auto p = fixed_tensor<double, 5, 5>::generate(dense);
    for (index_t j = 0; j < 5; ++j) p(3, j) = p(0, j) + 2 * p(1, j) - p(2, j);
    const auto along = fixed_tensor<double, 5, 5>::generate([&](index_t k) { return dense(k + 5); });
    const auto q = fixed_tensor<D, 5, 5>::generate([&](index_t k) { return D{p.data()[k], along.data()[k]}; });
    const double h = 1e-4;
    const double slope = (linalg::det(p + h * along).item() - linalg::det(p - h * along).item()) / (2 * h);
    CHECK(std::abs(slope) > 1);
    CHECK(linalg::det(q).item().tangent == doctest::Approx(slope).epsilon(1e-6));
    // second order at rank 3: d^2/ds dt of det(diag(1, 1, 1, .) with [[s, t], [2 t, s + 5 t]]) = 5
    fixed_tensor<H, 5, 5> c = fixed_tensor<double, 5, 5>::eye();
    c(3, 3) = H{D{0, 1}, D{0, 0}};
    c(3, 4) = H{D{0, 0}, D{1, 0}};
    c(4, 3) = H{D{0, 0}, D{2, 0}};
    c(4, 4) = H{D{0, 1}, D{5, 0}};
    CHECK(linalg::det(c).item().value.value == 0);
    CHECK(linalg::det(c).item().value.tangent == 0);
    CHECK(linalg::det(c).item().tangent.tangent == 5);
    // closed formulas, and where they would lose digits
    fixed_tensor<D, 3, 3> s = fixed_tensor<double, 3, 3>::eye();
    s(1, 1) = D{0, 1};
    CHECK(linalg::det(s).item().tangent == 1);
    s(0, 0) = D{1e200, 0};
    s(2, 2) = D{1e-200, 0};
    CHECK(linalg::det(s).item().tangent == doctest::Approx(1).epsilon(1e-15));
    s(1, 1) = D{1e200, 1};
    CHECK(linalg::det(s).item().value == doctest::Approx(1e200).epsilon(1e-15));
    CHECK(linalg::det(s).item().tangent == doctest::Approx(1).epsilon(1e-15));
}

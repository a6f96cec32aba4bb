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

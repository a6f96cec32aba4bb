// Derivatives of products that have a factor in common, each of whose adjoints is added to what the others left.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

/// A matrix, its transpose and blocks of it, times vectors and matrices.
const auto steps = [](auto a) {
    const index_t n = a.shape(0);
    const slice upper(0, n - 1), lower(1, n), odd(1, n, 2);
    auto u = lift(spread({n}, 3), a);
    for (int i = 0; i < 3; ++i) {
        const auto v = evaluate(tanh(matmul(a.T(), u)));
        u = matmul(a, v) / 2 + v;
    }
    const auto block = matmul(a(upper), a(all, lower)), turned = matmul(a(lower, upper).T(), a(upper, lower));
    const auto outer = matmul(a(odd, all).T(), a(odd, all)), back = matmul(flip(a, 0), flip(a, 1));
    return sum(u) + sum(sin(block)) + sum(square(turned)) + sum(outer * back) + sum(matmul(u, a) * a(0));
};

}  // namespace

TEST_CASE("derivatives: one matrix in several products") {
    check_orders(steps, spread({4, 4}, 1));
    check_reverse_twice(steps, spread({3, 3}, 2));
    CHECK(gradcheck(steps, std::tuple(tensor<double, 2>(spread({19, 19}, 5) / 4))));
}
TEST_CASE("derivatives: stacks of matrices in several products") {
    const auto f = [](auto a) {
        const auto first = matmul(a, matrix_transpose(a)), second = matmul(sin(first), a(slice(none, none, -1)));
        return sum(square(matmul(second, a(all, all, slice(0, 1))))) + sum(matmul(a(0), a(1)));
    };
    check_orders(f, spread({2, 3, 3}, 1));
    CHECK(gradcheck(f, std::tuple(spread({2, 5, 5}, 2))));
}
TEST_CASE("derivatives: one complex matrix in several products") {
    const auto f = [](auto re, auto im) {
        const auto a = evaluate(complex(re, im));
        auto u = lift(evaluate(complex(spread({3}, 3), spread({3}, 4))), a);
        for (int i = 0; i < 2; ++i) u = matmul(a, matmul(a.T(), u));
        return sum(square(abs(u))) + sum(real(matmul(a, a)));
    };
    CHECK(gradcheck(f, std::tuple(spread({3, 3}, 1), spread({3, 3}, 2))));
}
TEST_CASE("derivatives: products of a variable that others hold, and whose graph stays") {
    const auto value = spread({4, 4}, 1);
    const auto expected = grad(steps)(value);
    variable<double, 2> a(value);
    const auto loss = steps(a);
    const auto first = autograd::grad(loss, a, {.retain_graph = true});
    const auto kept = first.clone();
    check_close(first, expected);
    check_close(autograd::grad(loss, a), expected);
    check_close(first, kept);
    const auto again = grad([](auto x) { return sum(square(grad(steps)(x))); })(value);
    variable<double, 2> b(value);
    const auto slope = autograd::grad(steps(b), b, {.create_graph = true});
    backward(sum(square(slope)));
    check_close(b.grad(), again);
}
TEST_CASE("derivatives: products in a loop of single precision") {
    const auto f = [](auto w) {
        auto h = lift(astype<float>(spread({20}, 1)), w);
        for (int i = 0; i < 5; ++i) h = tanh(matmul(w, h));
        return sum(h * h);
    };
    const tensor<float, 2> w = astype<float>(spread({20, 20}, 2) / 4);
    const auto exact = grad([](auto v) {
        auto h = lift(spread({20}, 1), v);
        for (int i = 0; i < 5; ++i) h = tanh(matmul(v, h));
        return sum(h * h);
    })(tensor<double, 2>(astype<double>(w)));
    CHECK(double(max(abs(grad(f)(w) - exact))) < 1e-5 * double(max(abs(exact))));
}

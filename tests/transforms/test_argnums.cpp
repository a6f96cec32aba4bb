// argnums, has_aux, and functions of several arguments.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto a0 = spread({3});
const auto b0 = spread({3}, 4);
const auto m0 = spread({2, 3}, 9);
const auto weighted = [](auto a, auto b) { return sum(a * a * b); };

}  // namespace

TEST_CASE("argnums: which arguments a gradient is taken with respect to") {
    check_close(grad(weighted)(a0, b0), 2 * a0 * b0);
    check_close(grad(weighted, argnums<1>)(a0, b0), a0 * a0);
    const auto [da, db] = grad(weighted, argnums<0, 1>)(a0, b0);
    check_close(da, 2 * a0 * b0);
    check_close(db, a0 * a0);
    const auto [first, second] = grad(weighted, argnums<1, 0>)(a0, b0);
    check_close(first, a0 * a0);
    check_close(second, 2 * a0 * b0);
    const auto [value, gradient] = value_and_grad(weighted, argnums<0, 1>)(a0, b0);
    check_close(value, sum(a0 * a0 * b0));
    check_close(std::get<1>(gradient), a0 * a0);
}
TEST_CASE("argnums: counted from the last argument, as in JAX") {
    check_close(grad(weighted, argnums<-1>)(a0, b0), a0 * a0);
    const auto [db, da] = grad(weighted, argnums<-1, 0>)(a0, b0);
    check_close(da, 2 * a0 * b0);
    check_close(db, a0 * a0);
    const auto of_pair = [](auto pair, auto b) { return sum(std::get<0>(pair) * std::get<1>(pair) * b); };
    check_close(std::get<1>(value_and_grad(of_pair, argnums<-1>)(ricci::tuple(a0, a0), b0)), a0 * a0);
    check_close(jacrev(weighted, argnums<-1>)(a0, b0), a0 * a0);
    check_close(jacfwd(weighted, argnums<-2>)(a0, b0), 2 * a0 * b0);
    check_close(hessian(weighted, argnums<-2>)(a0, b0), 2 * diag(b0));
    const auto blocks = hessian(weighted, argnums<-2, -1>)(a0, b0);
    check_close(std::get<1>(std::get<0>(blocks)), 2 * diag(a0));
    const auto product = [](auto a, auto b) { return a * a * b; };
    check_close(hessian(product, argnums<-1>)(a0, b0), zeros<double>({3, 3, 3}));
}
TEST_CASE("argnums: an argument that the value does not depend on") {
    const auto [da, db] = grad([](auto a, auto) { return sum(a); }, argnums<0, 1>)(a0, b0);
    check_close(da, ones<double>({3}));
    check_close(db, zeros<double>({3}));
    check_close(grad([](auto a, auto) { return sum(a); }, argnums<1>)(a0, b0), zeros<double>({3}));
}
TEST_CASE("has_aux: handed on, not differentiated") {
    auto f = [](auto a, auto b) {
        const auto residual = evaluate(a * b - 1);
        return ricci::tuple(sum(residual * residual), residual);
    };
    const auto [gradient, aux] = grad(f, has_aux)(a0, b0);
    check_close(gradient, 2 * (a0 * b0 - 1) * b0);
    check_close(aux, a0 * b0 - 1);
    const auto [both, slopes] = value_and_grad(f, argnums<0, 1>, has_aux)(a0, b0);
    check_close(std::get<0>(both), sum(square(a0 * b0 - 1)));
    check_close(std::get<1>(both), a0 * b0 - 1);
    check_close(std::get<1>(slopes), 2 * (a0 * b0 - 1) * a0);
}
TEST_CASE("Jacobians and Hessians of functions of several arguments") {
    auto f = [](auto m, auto a) { return matmul(m, a * a); };
    const auto expected = evaluate(2 * m0 * a0);
    check_close(jacfwd(f, argnums<1>)(m0, a0), expected);
    check_close(jacrev(f, argnums<1>)(m0, a0), expected);
    const auto [by_m, by_a] = jacrev(f, argnums<0, 1>)(m0, a0);
    check_close(by_a, expected);
    check_close(by_m(0, 0), a0 * a0);
    check_close(by_m(0, 1), 0 * a0);
    check_close(jacfwd(f)(m0, a0), by_m);
    check_close(hessian(weighted)(a0, b0), 2 * eye<double>(3) * b0);
    check_close(hessian(weighted, argnums<1>)(a0, b0), zeros<double>({3, 3}));
}
TEST_CASE("Hessian blocks of several arguments") {
    const auto f = [](auto a, auto scale, auto b) { return scale * sum(a * a * b); };
    const auto [of_b, of_a] = hessian(f, argnums<2, 0>)(a0, 3.0, b0);
    check_close(std::get<0>(of_b), zeros<double>({3, 3}));
    check_close(std::get<1>(of_b), 6 * diag(a0));
    check_close(std::get<0>(of_a), 6 * diag(a0));
    check_close(std::get<1>(of_a), 6 * diag(b0));
    const auto trace_of = [f](auto a, auto b) {
        const auto blocks = hessian(f, argnums<0, 2>)(a, 3.0, b);
        return trace(std::get<0>(std::get<0>(blocks)) + std::get<1>(std::get<0>(blocks)));
    };
    check_close(grad(trace_of)(a0, b0), 6 * ones<double>({3}));
}
TEST_CASE("hvp: of several arguments the Hessian in all of them") {
    const auto f = [](auto a, auto b) { return sum(a * a * a * b + exp(a * b)); };
    const auto c0 = spread({3}, 2), d0 = spread({3}, 11);
    const auto [of_a, of_b] = hvp(f, std::tuple(a0, b0), std::tuple(c0, d0));
    const auto [row_a, row_b] = hessian(f, argnums<0, 1>)(a0, b0);
    check_close(of_a, matmul(std::get<0>(row_a), c0) + matmul(std::get<1>(row_a), d0));
    check_close(of_b, matmul(std::get<0>(row_b), c0) + matmul(std::get<1>(row_b), d0));
    const auto of_pair = [f](auto pair) { return f(std::get<0>(pair), std::get<1>(pair)); };
    const auto of_one = hvp(of_pair, std::make_tuple(ricci::tuple(a0, b0)), std::make_tuple(ricci::tuple(c0, d0)));
    check_close(std::get<0>(of_one), of_a);
    check_close(std::get<1>(of_one), of_b);
}
TEST_CASE("argnums: inside of other transforms") {
    const auto rows = spread({4, 3}, 7);
    const auto [da, db] = vmap(grad(weighted, argnums<0, 1>), in_axes(0, none))(rows, b0);
    check_close(da, 2 * rows * b0);
    check_close(db, rows * rows);
    auto slope = [](auto a, auto b) { return sum(grad(weighted, argnums<1>)(a, b)); };
    check_close(grad(slope)(a0, b0), 2 * a0);
}
TEST_CASE("numbers that a transform does not act on reach the function as they are") {
    const auto f = [](auto x, auto k, auto yes, auto c) {
        static_assert(std::is_same_v<decltype(k), int> && std::is_same_v<decltype(yes), bool> &&
                      std::is_same_v<decltype(c), double>);
        return sum(x(slice(0, k))) * x(k / 2) * (yes ? c : 0);
    };
    const tensor<float, 1> x{1, 2, 3, 4, 5};
    const auto check = [](const auto& y, const auto& expected) {
        static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(y)>::value_type, float>);
        CHECK(array_equal(y, expected));
    };
    check(grad(f)(x, 3, true, 0.5), tensor<float, 1>{1, 4, 1, 0, 0});
    const auto [value, slope] = value_and_grad(f)(x, 3, true, 0.5);
    check(value, tensor<float, 0>(6));
    check(slope, tensor<float, 1>{1, 4, 1, 0, 0});
    const tensor<float, 2> second{
        {0, 0.5F, 0, 0, 0}, {0.5F, 1, 0.5F, 0, 0}, {0, 0.5F, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}};
    check(hessian(f)(x, 3, true, 0.5), second);
    check(jacfwd(grad(f))(x, 3, true, 0.5), second);
    check(vmap(f, in_axes(0, none, none, none))(stack({x, x}), 3, true, 0.5), tensor<float, 1>{6, 6});
    check(vmap(grad(f), in_axes(0, none, none, none), {.chunk_size = 1})(stack({x, x}), 3, true, 0.5),
          stack({slope, slope}));
    const auto part = [](auto y, auto k) {
        static_assert(std::is_same_v<decltype(k), long>);
        return ricci::tuple(y(slice(0, k)) * 2.0, y(k));
    };
    const auto [forward, aux] = jacfwd(part, has_aux)(x, 2L);
    check(forward, 2 * eye<float>(2, 5));
    check(aux, tensor<float, 0>(3));
    check(std::get<0>(jacrev(part, has_aux)(x, 2L)), 2 * eye<float>(2, 5));
    check(std::get<0>(hessian([](auto y, auto k) { return ricci::tuple(y(k) * y(k), y); }, has_aux)(x, 4))(4),
          tensor<float, 1>{0, 0, 0, 0, 2});
    // in structures, too, and beside several arguments that it acts on
    const auto g = [](auto y, auto settings, auto z) {
        static_assert(std::is_same_v<std::tuple_element_t<1, decltype(settings)>, int>);
        return sum(y(std::get<1>(settings)) * std::get<0>(settings) * z);
    };
    const auto [of_y, of_z] = grad(g, argnums<0, -1>)(x, ricci::tuple(x, 1), 3.0F);
    check(of_y, tensor<float, 1>{0, 45, 0, 0, 0});
    check(of_z, tensor<float, 0>(30));
    check(vmap(g, in_axes(none, ricci::tuple(none, none), 0))(x, ricci::tuple(x, 1), x), 30 * x);
    check(grad([](auto y) {
              return checkpoint(
                  [](auto k, auto v) {
                      static_assert(std::is_same_v<decltype(k), int>);
                      return v(k) * v(k);
                  },
                  2, y);
          })(x),
          tensor<float, 1>{0, 0, 6, 0, 0});
    // a number that it acts on is an array
    check_close(grad([](auto t, auto k) { return t * t * k; })(3, 2), tensor<double, 0>(12));
}

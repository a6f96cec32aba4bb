// Derivatives of einsum and of the other products in all their arguments.
#include "derivatives.hpp"

using namespace derivative_checks;

TEST_CASE("derivatives: einsum of two operands") {
    check_first_order([](auto a, auto b) { return einsum<"bij,jkb->ki">(a, b); }, spread({2, 3, 4}, 1),
                      spread({4, 2, 2}, 2));
    check_first_order([](auto a, auto b) { return einsum<"ii,...ij->j...">(a, b); }, spread({3, 3}, 1),
                      spread({2, 3, 2}, 2));
}
TEST_CASE("derivatives: einsum of three operands, of which not all vary") {
    const auto b = spread({3, 4}, 2);
    const auto f = [b](auto a, auto c) { return einsum<"ij,jk,kl->il">(a, b, c); };
    CHECK(gradcheck(f, std::tuple(spread({2, 3}, 1), spread({4, 2}, 3))));
    const auto g = [b](auto a) {
        return einsum<"ij,jk,ki->">(a, b, matmul(matrix_transpose(b), sin(matrix_transpose(a))));
    };
    check_orders(g, spread({2, 3}, 1));
    check_reverse_twice(g, spread({2, 3}, 1));
}
TEST_CASE("derivatives: einsum of many operands, of which one varies") {
    const auto v = spread({3}, 2);
    const auto f = [v](auto a) { return einsum<"i,i,ij,j,j->">(v, v, a, v, v); };
    const auto a = spread({3, 3});
    check_close(grad(f)(a), outer(v * v, v * v));
}
TEST_CASE("derivatives: einsum of a chain, of third order") {
    const auto a = spread({3, 3});
    const auto cube = [a](auto t) { return einsum<"ij,jk,kl->">(t * a, t * a, t * a); };
    const double sum_of_cube = sum(matmul(matmul(a, a), a)).item();
    CHECK(grad(grad(grad(cube)))(0.7).item() == doctest::Approx(6 * sum_of_cube).epsilon(1e-13));
}
TEST_CASE("derivatives: tensordot, vecdot, vdot, outer") {
    check_first_order([](auto a, auto b) { return tensordot(a, b, {0, 2}, {1, 0}); }, spread({2, 3, 4}, 1),
                      spread({4, 2}, 2));
    check_first_order([](auto a, auto b) { return vecdot(a, b, -2) * vdot(a, a); }, spread({3, 1}, 1),
                      spread({3, 2}, 2));
    check_first_order([](auto a, auto b) { return outer(a, b); }, spread({2}, 1), spread({3}, 2));
}

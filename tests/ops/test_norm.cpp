// norm: NumPy's results, derivatives, PyTorch's at 0 among them, batches.
#include "reduced.hpp"

using namespace reduced;

TEST_CASE("norm: NumPy's results") {
    const auto x = numbers();
    const auto z = complex(x, flip(x, 0));
    RICCI_NORM_CASES(RICCI_CHECK_REDUCED);
    CHECK(norm(tensor<int, 1>{3, 4}).item() == 5);
    CHECK(norm(zeros<double>({0})).item() == 0);
    CHECK(std::isnan(norm(tensor<double, 1>{1, NAN}).item()));
}
TEST_CASE("norm: derivatives, 0 where the norm is 0 as PyTorch has it") {
    const tensor<double, 1> x{3, -4, 0}, zero{0, 0, 0}, v{1, 2, 0};
    const auto f = [](auto u) { return norm(u, 0); };
    check_same(grad(f)(x), x / 5.0);
    check_same(grad(f)(zero), zero);
    check_same(hvp(f, zero, v), zero);
    check_same(hvp([](auto u) { return norm(u, 0, {}, 3); }, zero, v), zero);
    const auto distance = [](auto u) { return sum(cdist(expand_dims(u, 0), zeros({1, 3}))); };
    check_same(hvp(distance, zero, v), zero);
    CHECK(std::isnan(grad(f)(tensor{1.0, NAN}).at(0)));
    check_same(hvp(f, x, v), (v - x * (-5.0 / 25)) / 5.0);  // (1 - x x^T / n^2) / n
}
TEST_CASE("norm: under vmap") {
    const auto x = reshape(numbers(), {12, 5});
    check_same(vmap([](auto v) { return norm(v); })(x), norm(x, 1));
}

// Errors name the function that was called, not the one beneath that noticed.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <string>

using namespace ricci;

namespace {
const tensor<double, 1> a{1, 2, 3}, b{1, 2};
const char* const unequal =
    "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0: shapes (3,) and (2,)";

// Of a program: names that the library refuses in its own.
double solve(const tensor<double, 1>& x, const tensor<double, 1>& y) { return sum(x) + sum(y); }
template <class X>
double unique(const X& x) {
    return sum(x);
}
// and such as the library has for itself
template <class X>
int as_tuple(const X&) {
    return 1;
}
template <class M>
constexpr bool is_matrix_of_eigen = requires(const M& m) {
    m.rows();
    m.cols();
};
static_assert(!is_matrix_of_eigen<tensor<double, 2>>);
}  // namespace

TEST_CASE("names of what was called: a function of one's own, where NumPy's name is refused") {
    CHECK(solve(2 * a, b) == 15);
    CHECK(unique(2 * a) == 12);
    CHECK(unique(a) == 6);
    CHECK(as_tuple(a) == 1);
    CHECK(as_tuple(sin(a)) == 1);
}
TEST_CASE("names of what was called: cumsum and its kin") {
    CHECK_THROWS_WITH_AS(cumulative_sum(a, 1), "[cumulative_sum] axis 1 is out of range for rank 1", index_error);
    CHECK_THROWS_WITH_AS(cumsum(a, 1), "[cumsum] axis 1 is out of range for rank 1", index_error);
    CHECK_THROWS_WITH_AS(cumprod(a, -2), "[cumprod] axis -2 is out of range for rank 1", index_error);
    CHECK_THROWS_WITH_AS(nancumsum(a, 1), "[nancumsum] axis 1 is out of range for rank 1", index_error);
}
TEST_CASE("names of what was called: linear algebra") {
    CHECK_THROWS_WITH_AS(linalg::matrix_power(ones<double>({2, 2}), -1),
                         "[matrix_power] the matrix is singular: U(1, 1) is 0", linalg_error);
    CHECK_THROWS_WITH_AS(
        linalg::cross(ones<double>({2, 3}), ones<double>({3, 3})),
        "[cross] The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension "
        "0: shapes (2,) and (3,)",
        shape_error);
}
TEST_CASE("names of what was called: losses") {
    const auto text = [](const char* who) { return "[" + std::string(who) + "] " + unequal; };
    CHECK_THROWS_WITH_AS(mse_loss(a, b), text("mse_loss").c_str(), shape_error);
    CHECK_THROWS_WITH_AS(l1_loss<reduction::none>(a, b), text("l1_loss").c_str(), shape_error);
    CHECK_THROWS_WITH_AS(smooth_l1_loss(a, b), text("smooth_l1_loss").c_str(), shape_error);
    CHECK_THROWS_WITH_AS(huber_loss(a, b), text("huber_loss").c_str(), shape_error);
    CHECK_THROWS_WITH_AS(binary_cross_entropy(a, b), text("binary_cross_entropy").c_str(), shape_error);
    CHECK_THROWS_AS(triplet_margin_loss(a, b, a), shape_error);
}
TEST_CASE("names of what was called: random order") {
    CHECK_THROWS_WITH_AS(random::shuffle(a, 1), "[shuffle] axis 1 is out of range for rank 1", index_error);
    CHECK_THROWS_WITH_AS(random::permutation(a, 1), "[permutation] axis 1 is out of range for rank 1", index_error);
}
TEST_CASE("names of what was called: fixed points") {
    const auto twice = [](const auto& t) { return evaluate(2.0 * t); };
    const auto of_sum = custom_fixed_point([](auto x, auto t) { return sum(x) + t(slice(0, 1)); }, twice);
    CHECK_THROWS_WITH_AS(jacrev(of_sum)(a), "[custom_fixed_point] the step's shape (1,) is not the solution's (3,)",
                         shape_error);
    const auto any = custom_fixed_point([](auto x, auto t) { return x + 0 * t; }, twice);
    CHECK_THROWS_WITH_AS(jacrev(any)(a),
                         "[custom_fixed_point] the Jacobian of the residual, 3 x 3, is singular at the solution",
                         value_error);
    const auto before = set_vmap_fallback(vmap_fallback::error);
    CHECK_THROWS_WITH_AS(vmap(any)(a),
                         "[vmap] the solver of custom_fixed_point has no batching rule and would be called 3 times; "
                         "set_vmap_fallback(vmap_fallback::note) allows that",
                         value_error);
    set_vmap_fallback(before);
}

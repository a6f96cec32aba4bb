// Errors name the function that was called, not the one beneath that noticed.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <string>

using namespace ricci;

namespace {
const tensor<double, 1> a{1, 2, 3}, b{1, 2};
const char* const unequal =
    "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0: shapes (3,) and (2,)";
}  // namespace

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

// Results with names, those of linear algebra, as results of functions under transforms.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace named_results {

const tensor<double, 2> a0{{2, 1, 0.5}, {1, 3, -1}, {0.5, -1, 5}};
const tensor<double, 2> other{{1, 0.25, 0}, {0.25, -2, 0.5}, {0, 0.5, 1}};
const auto two = stack(std::tuple(a0, other));
const auto factored = [](const auto& a) { return linalg::eigh(a); };
const auto determinant = [](const auto& a) { return linalg::slogdet(a); };

}  // namespace named_results
using namespace named_results;

TEST_CASE("named results: vmap, jvp, jacrev and tree_map give the struct back") {
    check_close(vmap(factored)(two).eigenvalues, linalg::eigvalsh(two));
    const auto [y, t] = jvp(determinant, a0, other);
    check_close(y.logabsdet, log(linalg::det(a0)));
    check_close(t.logabsdet, sum(linalg::inv(a0) * matrix_transpose(other)));
    check_close(jacrev(determinant)(a0).logabsdet, matrix_transpose(linalg::inv(a0)));
    const auto doubled = tree_map([](const auto& part) { return 2 * part; }, determinant(a0));
    check_close(doubled.logabsdet, 2 * y.logabsdet);
}
TEST_CASE("named results: a checkpoint gives the tuple") {
    check_close(grad([](const auto& a) { return std::get<1>(checkpoint(determinant, a)); })(a0),
                matrix_transpose(linalg::inv(a0)));
}
TEST_CASE("named results: they are read as tuples") {
    auto y = linalg::slogdet(a0);
    y = linalg::slogdet(other);
    y.logabsdet = exp(y.logabsdet);
    tensor<double, 0> sign, logarithm;
    std::tie(sign, logarithm) = y;
    const auto constant = y;
    const std::tuple<tensor<double, 0>, tensor<double, 0>> copies = constant;
    CHECK(std::get<0>(copies).item() == -1);
    const std::tuple<tensor<std::int64_t, 1>, tensor<double, 1>> counted = histogram(arange(3.0), 1);
    CHECK(std::get<0>(counted).item() == 3);
    CHECK(sign.item() == -1);
    const auto [s, determinant_size] = y;
    for (const double d : {std::get<1>(y).item(), logarithm.item(), determinant_size.item()})
        CHECK(d == doctest::Approx(-linalg::det(other).item()));
    for (const double d : std::get<0>(linalg::eigh(a0))) CHECK(d > 0);
    std::tie(sign, logarithm) = linalg::slogdet(a0);
    CHECK(sign.item() == 1);
}

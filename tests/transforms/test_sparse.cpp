// Sparse Jacobians: patterns found and given, colours, values against dense Jacobians and closed forms.
#include "patterns.hpp"

using namespace derivative_checks;

namespace {

const auto x0 = spread({10});

}  // namespace

TEST_CASE("sparse_jacobian: three diagonals take three colours") {
    auto f = [](auto x) { return x(slice(0, -2)) * x(slice(1, -1)) - square(x(slice(2, none))); };
    const auto jacobian = sparse_jacobian(f);
    const auto j = jacobian(x0);
    check_pattern(jacobian.pattern(x0), band(8, 10, 0, 2));
    CHECK(jacobian.colors(x0) == 3);
    CHECK(j.shape() == shape{8, 10});
    CHECK(j.nnz() == 24);
    check_close(j.to_dense(), jacfwd(f)(x0));
    // row i: x[i+1], x[i], -2 x[i+2]
    CHECK(j.row_offsets.at(3) == 9);
    CHECK(j.columns.at(9) == 3);
    CHECK(j.values.at(9) == x0.at(4));
    CHECK(j.values.at(10) == x0.at(3));
    CHECK(j.values.at(11) == -2 * x0.at(5));
}
TEST_CASE("sparse_jacobian: a gradient's, square; rows and columns that are empty") {
    auto chain = [](auto x) { return sum(square(square(x))) + sum(x(slice(0, -1)) * x(slice(1, none))); };
    const auto jacobian = sparse_jacobian(grad(chain));
    check_pattern(jacobian.pattern(x0), band(10, 10, -1, 1));
    CHECK(jacobian.colors(x0) == 3);
    check_close(jacobian(x0).to_dense(),
                evaluate(eye<double>(10) * 12 * square(x0) + eye<double>(10, 10, 1) + eye<double>(10, 10, -1)));

    const auto inner = sparse_jacobian(grad([](auto x) { return sum(exp(x(slice(2, 5)))); }));
    const auto j = inner(x0);
    CHECK(j.nnz() == 3);
    CHECK(inner.colors(x0) == 1);
    check_close(j.to_dense(),
                evaluate(eye<double>(10) * where(arange<double>(10) >= 2 && arange<double>(10) < 5, exp(x0), 0.0)));
}
TEST_CASE("sparse_jacobian: a dense column beside a diagonal, by columns; two dense rows, by rows") {
    auto arrow = [](auto x) { return x(0) * square(x); };
    const auto columns = sparse_jacobian(arrow);
    CHECK(columns.colors(x0) == 2);
    check_close(columns(x0).to_dense(), jacfwd(arrow)(x0));

    auto two = [](auto x) { return sum(sin(reshape(x, {2, 5})), 1); };
    const auto rows = sparse_jacobian(two);
    CHECK(rows.colors(x0) == 1);
    CHECK(column_coloring(rows.pattern(x0)).count == 5);
    CHECK(rows(x0).nnz() == 10);
    check_close(rows(x0).to_dense(), jacfwd(two)(x0));
}

// Diagonals, Kronecker and element-wise products of sparse matrices, against the dense ones.
#include <doctest/doctest.h>
#include <ricci/grad/gradcheck.hpp>
#include <ricci/ops/grid.hpp>
#include <ricci/ops/sparse_create.hpp>
#include <ricci/ops/sparse_structure.hpp>
#include <ricci/ops/sparse_sum.hpp>
#include <ricci/vmap/vmap.hpp>

#include "../reference.hpp"

using namespace ricci;
using reference::message;

namespace {

const tensor<double, 2> a_dense{{1, 0, 2, 0}, {0, 0, 3, 4}, {5, 6, 0, 0}}, b_dense{{0, 7}, {8, 9}, {0, 0}};

}  // namespace

TEST_CASE("sparse diagonals: all of them, entries at one place added") {
    const auto a = to_sparse_csr(a_dense);
    for (index_t k = -4; k <= 5; ++k) CHECK(array_equal(diagonal(a, k), diagonal(a_dense, k)));
    const csr_matrix<double> twice{{0, 2, 3}, {1, 1, 0}, {1.0, 2.0, 4.0}, {2, 2}};
    CHECK(array_equal(diagonal(twice, 1), tensor{3.0}));
    CHECK(array_equal(diagonal(twice), tensor{0.0, 0.0}));
}
TEST_CASE("sparse Kronecker products: values, and the pattern's order") {
    const auto a = to_sparse_csr(a_dense), b = to_sparse_csr(b_dense);
    const auto c = kron(a, b);
    CHECK(c.nnz() == a.nnz() * b.nnz());
    CHECK(array_equal(c.to_dense(), kron(a_dense, b_dense)));
    CHECK(array_equal(kron(b, a).to_dense(), kron(b_dense, a_dense)));
    for (index_t i = 0; i < c.extents[0]; ++i)
        for (index_t k = c.row_offsets.at(i) + 1; k < c.row_offsets.at(i + 1); ++k)
            CHECK(c.columns.at(k - 1) < c.columns.at(k));
    // the five-point Laplacian of a grid, as a sum of two
    const auto line = sparse_diags(ricci::tuple(-2.0, 1.0, 1.0), {0, 1, -1}, {4, 4}), one = sparse_eye(4);
    const auto laplacian = kron(line, one) + kron(one, line);
    CHECK(array_equal(diagonal(laplacian), full<double>({16}, -4)));
    CHECK(double(sum(laplacian)) == -16);  // one for each side of the grid that an element is at
}
TEST_CASE("sparse diagonals and Kronecker products: derivatives, and maps over the values") {
    const auto a = to_sparse_csr(a_dense), b = to_sparse_csr(b_dense);
    const auto f = [a, b](auto v, auto w) {
        const auto c = kron(a.with_values(v), b.with_values(w));
        return evaluate(square(c.values) * sum(diagonal(c, 1)) + sum(diagonal(a.with_values(v * v))));
    };
    CHECK(gradcheck(f, ricci::tuple(a.values, b.values)));
    CHECK(gradgradcheck(f, ricci::tuple(a.values, b.values)));
    const auto many = stack({a.values, evaluate(2.0 * a.values)});
    const auto y = vmap(f, in_axes(0, ricci::none))(many, b.values);
    for (index_t i = 0; i < 2; ++i) CHECK(allclose(y(i), f(evaluate(many(i)), b.values)));
}
TEST_CASE("sparse element-wise products: by sparse matrices") {
    const auto a = to_sparse_csr(a_dense);
    const auto b = to_sparse_csr(tensor<float, 2>{{2, 3, 4, 0}, {1, 0, 0, 5}, {0, 0, 6, 7}});
    const auto c = multiply(a, b);
    CHECK(std::is_same_v<decltype(c), const csr_matrix<double>>);
    CHECK(c.nnz() == 3);
    CHECK(array_equal(c.to_dense(), a_dense * b.to_dense()));
    CHECK(array_equal(multiply(a, a).to_dense(), square(a_dense)));
    CHECK(multiply(a, to_sparse_csr(zeros({3, 4}))).nnz() == 0);
    const csr_matrix<double> twice{{0, 2, 3}, {1, 1, 0}, {1.0, 2.0, 4.0}, {2, 2}};
    CHECK(array_equal(multiply(twice, twice).to_dense(), tensor{{0.0, 9.0}, {16.0, 0.0}}));
    CHECK(
        multiply(csr_matrix<double>{{0, 0}, zeros<std::int64_t>({0}), zeros({0}), {1, 3}}, to_sparse_csr(ones({1, 3})))
            .nnz() == 0);
    CHECK(message<shape_error>([&] { multiply(a, to_sparse_csr(b_dense)); }) ==
          "[multiply] sparse matrices of shapes (3, 4) and (3, 2) differ");
    const auto f = [=](auto v, auto w) { return multiply(a.with_values(v), b.with_values(w)).values; };
    const auto at = ricci::tuple(a.values, astype<double>(b.values));
    CHECK(gradcheck(f, at));
    CHECK(gradgradcheck(f, at));
    const auto y = evaluate(vmap([=](auto v) { return f(v, b.values); })(stack(ricci::tuple(a.values, 2 * a.values))));
    CHECK(array_equal(y(1), 2 * c.values));
}
TEST_CASE("sparse element-wise products: by arrays that broadcast") {
    const auto a = to_sparse_csr(a_dense);
    const tensor<double, 1> row{1, 2, 0, -1}, column{3, 4, 5};
    CHECK(array_equal(multiply(a, row).to_dense(), a_dense * row));
    CHECK(array_equal(multiply(column(all, newaxis), a).to_dense(), column(all, newaxis) * a_dense));
    CHECK(array_equal(multiply(a, a_dense + 1).to_dense(), a_dense * (a_dense + 1)));
    CHECK(multiply(a, row).nnz() == a.nnz());
    CHECK_THROWS_AS(multiply(a, column), shape_error);
    CHECK(gradcheck([=](auto v, auto x) { return multiply(a.with_values(v), x * x).values; },
                    ricci::tuple(a.values, row)));
}

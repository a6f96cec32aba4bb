// Parts of sparse matrices, against those of the dense ones.
#include <doctest/doctest.h>
#include <ricci/grad/gradcheck.hpp>
#include <ricci/ops/sparse_create.hpp>
#include <ricci/ops/sparse_index.hpp>
#include <ricci/vmap/vmap.hpp>

#include "../reference.hpp"

using namespace ricci;
using reference::message;

namespace {

const tensor<double, 2> dense{{1, 0, 2, 0}, {0, 0, 3, 4}, {5, 6, 0, 0}};
const auto sparse = to_sparse_csr(dense);
// columns that do not ascend, and two entries at (0, 1)
const csr_matrix<double> untidy{{0, 3, 4}, {2, 1, 1, 0}, {1.0, 2.0, 3.0, 4.0}, {2, 3}};

}  // namespace

TEST_CASE("parts of sparse matrices: rows, columns, blocks, elements") {
    const tensor<int, 1> rows{2, 0, -2, 2}, columns{3, -4, 1, 1, 2};
    CHECK(array_equal(sparse(rows).to_dense(), dense(rows)));
    CHECK(array_equal(sparse(rows, all).to_dense(), dense(rows)));
    CHECK(array_equal(sparse(all, columns).to_dense(), dense(all, columns)));
    CHECK(array_equal(sparse(rows, slice(1, 3)).to_dense(), dense(rows, slice(1, 3))));
    CHECK(array_equal(sparse(rows, all)(all, columns).to_dense(), evaluate(dense(rows))(all, columns)));
    CHECK(array_equal(sparse(slice(none, none, -1), slice(3, none, -2)).to_dense(),
                      dense(slice(none, none, -1), slice(3, none, -2))));
    CHECK(sparse(slice(1, 1), all).shape() == shape<2>{0, 4});
    CHECK(sparse(all, tensor<int, 1>{}).nnz() == 0);
    for (index_t i = -3; i < 3; ++i)
        for (index_t j = -4; j < 4; ++j) CHECK(sparse(i, j).item() == dense(i, j).item());
    const auto part = sparse(rows, all)(all, columns);  // in order, as sums of sparse matrices want them
    for (index_t i = 0; i < part.extents[0]; ++i)
        for (index_t k = part.row_offsets.at(i) + 1; k < part.row_offsets.at(i + 1); ++k)
            CHECK(part.columns.at(k - 1) < part.columns.at(k));
    CHECK(array_equal(untidy(all, slice(none, none, -1)).to_dense(), untidy.to_dense()(all, slice(none, none, -1))));
    CHECK(untidy(0, 1).item() == 5);
}
TEST_CASE("parts of sparse matrices: derivatives and maps in the values") {
    const auto f = [](auto v) {
        const auto a = sparse.with_values(v * v);
        return evaluate(sum(sin(a(tensor{2, 2, 0}, slice(0, 3)).to_dense())) + a(1, 2) * a(2, 0) + a(0, 1));
    };
    CHECK(gradcheck(f, ricci::tuple(sparse.values)));
    CHECK(gradgradcheck(f, ricci::tuple(sparse.values)));
    const auto many = stack({sparse.values, evaluate(2.0 * sparse.values)});
    const auto y = vmap(f)(many);
    for (index_t i = 0; i < 2; ++i) CHECK(allclose(y(i), f(evaluate(many(i)))));
}
TEST_CASE("parts of sparse matrices: errors") {
    CHECK(message<index_error>([] { sparse(tensor{0, 3}); }) ==
          "[csr_matrix] index 3 is out of bounds for axis 0 with size 3");
    CHECK(message<index_error>([] { sparse(all, tensor{-5}); }) ==
          "[csr_matrix] index -5 is out of bounds for axis 1 with size 4");
    CHECK(message<index_error>([] { sparse(0, 4); }) == "[csr_matrix] index 4 is out of bounds for axis 1 with size 4");
}

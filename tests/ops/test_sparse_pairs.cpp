// Products of two sparse matrices: against dense ones, derivatives in the values of both, batches, and what they
// refuse.
#include "../reference.hpp"
#include "scattered.hpp"

using namespace mapped;
using reference::message;
using scattered_entries::scattered;

TEST_CASE("sparse times sparse: the dense matrices' product, its entries in order, zeros that cancel included") {
    const auto a = scattered(5, 6, 1), b = scattered(6, 4, 2);
    const auto c = matmul(a, b);
    CHECK(c.shape() == shape{5, 4});
    check_close(c.to_dense(), matmul(a.to_dense(), b.to_dense()));
    for (index_t i = 0; i < 5; ++i)
        for (index_t k = c.row_offsets.at(i) + 1; k < c.row_offsets.at(i + 1); ++k)
            CHECK(c.columns.at(k - 1) < c.columns.at(k));
    check_close(matmul(c, matmul(b.transpose(), a.transpose())).to_dense(),
                matmul(c.to_dense(), matrix_transpose(c.to_dense())));
    const auto i = tensor<std::int64_t, 1>{0, 0}, j = tensor<std::int64_t, 1>{0, 1}, o = tensor<std::int64_t, 1>{0, 2};
    const csr_matrix<int> row{o, j, tensor<int, 1>{1, 1}, {1, 2}};
    const csr_matrix<int> column{tensor<std::int64_t, 1>{0, 1, 2}, i, tensor<int, 1>{3, -3}, {2, 1}};
    const auto zero = matmul(row, column);
    CHECK(zero.nnz() == 1);
    CHECK(zero.values.at(0) == 0);
    static_assert(std::is_same_v<decltype(matmul(row, a).values)::value_type, double>);
    const csr_matrix<double> empty{zeros<std::int64_t>({4}), zeros<std::int64_t>({0}), zeros<double>({0}), {3, 5}};
    CHECK(matmul(empty, a).nnz() == 0);
    // few of many columns
    const csr_matrix<int> wide{tensor<std::int64_t, 1>{0, 2, 4},
                               tensor<std::int64_t, 1>{64, 5999, 5, 64},
                               tensor<int, 1>{1, 2, 3, 4},
                               {2, 6000}};
    const auto both = matmul(row, wide);
    CHECK(reference::values(both.columns) == std::vector<std::int64_t>{5, 64, 5999});
    CHECK(reference::values(both.values) == std::vector<int>{3, 5, 2});
}

TEST_CASE("sparse times sparse: derivatives in the values, and maps over them") {
    const auto a = scattered(4, 5, 0), b = scattered(5, 4, 1);
    const auto f = [a, b](auto v, auto w) { return matmul(a.with_values(v), b.with_values(w)).values; };
    const std::tuple at(a.values, b.values);
    CHECK(gradcheck(f, at));
    CHECK(gradgradcheck(f, at));
    const auto many = spread({3, a.nnz()});
    const auto y = evaluate(vmap(f, in_axes(0, ricci::none))(many, b.values));
    for (index_t i = 0; i < 3; ++i) check_close(y(i), f(evaluate(many(i)), b.values));
}

TEST_CASE("sparse times sparse: shapes that do not fit") {
    const auto a = scattered(4, 5, 0);
    CHECK(message<shape_error>([&] { matmul(a, a); }) ==
          "[matmul] the sparse matrix (4, 5) does not fit the sparse matrix (4, 5): 5 != 4");
}

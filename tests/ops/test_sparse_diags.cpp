// sparse_diags, sparse_eye, to_sparse_coo and to_sparse_csr: SciPy's results, derivatives in the values, errors.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include "../reference.hpp"

using namespace ricci;

TEST_CASE("sparse: matrices of diagonals, as scipy.sparse.diags_array") {
    const tensor<double, 1> main{1, 2, 3}, above{4, 5};
    const tensor<int, 1> below{6, 7};
    const auto a = sparse_diags(std::make_tuple(main, above, below), {0, 1, -1}, {3, 3});
    static_assert(std::is_same_v<decltype(a.values)::value_type, double>);
    CHECK(a.nnz() == 7);
    CHECK(array_equal(a.to_dense(), tensor<double, 2>{{1, 4, 0}, {6, 2, 5}, {0, 7, 3}}));
    const auto b = sparse_diags(std::make_tuple(above, main), {-2, 1}, {4, 4});
    CHECK(array_equal(b.to_dense(), tensor<double, 2>{{0, 1, 0, 0}, {0, 0, 2, 0}, {4, 0, 0, 3}, {0, 5, 0, 0}}));
    const auto wide = sparse_diags(std::make_tuple(above, above), {3, 3}, {2, 5});  // twice at one place
    CHECK(array_equal(wide.to_dense(), tensor<double, 2>{{0, 0, 0, 8, 0}, {0, 0, 0, 0, 10}}));
    const auto square = sparse_diags(std::make_tuple(1.0, above), {0, -1});  // as large as the array's diagonal says
    CHECK(array_equal(square.to_dense(), tensor<double, 2>{{1, 0, 0}, {4, 1, 0}, {0, 5, 1}}));
    const tensor<double, 2> lower{{0, 0, 0}, {4, 0, 0}, {0, 5, 0}};  // scipy's diags_array([4, 5], offsets=-1)
    CHECK(array_equal(sparse_diags(above, -1).to_dense(), lower));
    CHECK(array_equal(sparse_diags(main + 1).to_dense(), diag(main + 1)));
    CHECK(array_equal(sparse_diags(std::make_tuple(main)).to_dense(), diag(main)));
    CHECK(array_equal(sparse_eye(3).to_dense(), eye<double>(3)));
    CHECK(array_equal(sparse_eye<float>(2, 4, 1).to_dense(), tensor<float, 2>{{0, 1, 0, 0}, {0, 0, 1, 0}}));
    CHECK(array_equal(sparse_eye(3, 2, -1).to_dense(), tensor<double, 2>{{0, 0}, {1, 0}, {0, 1}}));
    CHECK(sparse_eye(2, 2, 5).nnz() == 0);
    CHECK(sparse_eye(0).nnz() == 0);
}
TEST_CASE("sparse: numbers all along their diagonals") {
    const auto a =
        sparse_diags(ricci::tuple(-2.0, 1.0, 1.0), {0, 1, -1}, {4, 3});  // scipy's diags_array([-2, 1, 1], ...)
    CHECK(array_equal(a.to_dense(), tensor<double, 2>{{-2, 1, 0}, {1, -2, 1}, {0, 1, -2}, {0, 0, 1}}));
    const auto b = sparse_diags(ricci::tuple(2, tensor<float, 1>{1, 3}, 0.5), {0, 1, -1}, {3, 3});
    static_assert(std::is_same_v<decltype(b.values)::value_type, float>);
    CHECK(array_equal(b.to_dense(), tensor<float, 2>{{2, 1, 0}, {0.5, 2, 3}, {0, 0.5, 2}}));
    CHECK(sparse_diags(ricci::tuple(1), {9}, {2, 2}).nnz() == 0);
    const tensor<double, 1> x{1, -1, 2};
    const auto f = [&](auto c) { return sum(square(matmul(sparse_diags(ricci::tuple(c, 1.0), {0, 1}, {3, 3}), x))); };
    CHECK(grad(f)(3.0).item() == 2 * (1 * (3 - 1) - 1 * (-3 + 2) + 2 * 6));
}
TEST_CASE("sparse: diagonals differentiate") {
    const tensor<double, 1> main{1, 2, 3}, above{4, 5}, x{1, -1, 2};
    const auto f = [&](auto d) {
        return sum(square(matmul(sparse_diags(std::make_tuple(d, above), {0, 1}, {3, 3}), x)));
    };
    const auto g = [&](auto d) {
        const auto next = concat({x(slice(1, none)), zeros<double>({1})}), with = concat({above, zeros<double>({1})});
        return sum(square(d * x + with * next));
    };
    CHECK(allclose(grad(f)(main), grad(g)(main)));
}
TEST_CASE("sparse: diagonals of other lengths are refused") {
    const auto make = [] { return sparse_diags(std::make_tuple(ones<double>({3})), {1}, {3, 3}); };
    CHECK_THROWS_WITH_AS(make(),
                         "[sparse_diags] the diagonal at offset 1 of a matrix of shape (3, 3) has 2 elements, not 3",
                         shape_error);
}
TEST_CASE("sparse: matrices of dense ones, as scipy.sparse.csr_array") {
    const tensor<double, 2> x{{0, 2, 0, -1}, {0, 0, 0, 0}, {5, 0, std::nan(""), 0}};
    const auto a = to_sparse_csr(x);
    CHECK(array_equal(a.row_offsets, tensor<std::int64_t, 1>{0, 2, 2, 4}));
    CHECK(array_equal(a.columns, tensor<std::int64_t, 1>{1, 3, 0, 2}));
    CHECK(a.values.at(2) == 5);
    CHECK(a.shape() == x.shape());
    const auto b = to_sparse_coo(matrix_transpose(x) * 2);
    CHECK(array_equal(b.rows, tensor<std::int64_t, 1>{0, 1, 2, 3}));
    CHECK(array_equal(b.columns, tensor<std::int64_t, 1>{2, 0, 2, 0}));
    CHECK(b.values.at(3) == -2);
    for (const index_t n : {0, 1, 7}) {
        const auto dense =
            evaluate(where(rand<double>({n, 5}, generator(3)) < 0.3, randn<double>({n, 5}, generator(4)), 0));
        CHECK(array_equal(to_sparse_csr(dense).to_dense(), dense));
        CHECK(array_equal(to_sparse_coo(dense).to_dense(), dense));
    }
    CHECK(to_sparse_csr(zeros<float>({2, 0})).nnz() == 0);
}
TEST_CASE("sparse: of dense ones what is not zero has a gradient") {
    const tensor<double, 2> x{{0, 2}, {3, 0}};
    const tensor<double, 1> v{5, 7};
    const auto f = [&](auto m) { return sum(square(matmul(to_sparse_csr(m), v))); };
    CHECK(allclose(grad(f)(x), tensor<double, 2>{{0, 196}, {150, 0}}));
    const auto both = evaluate(stack(ricci::tuple(x, 2 * x)));
    CHECK_THROWS_AS(vmap(f)(both), value_error);
}

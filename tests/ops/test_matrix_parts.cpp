// tril, triu, diagonal, diag, trace, pad, unfold, zeros_like, ones_like, full_like, empty_like, meshgrid and kron
// against NumPy; under grad and vmap; errors.
#include "rearrange.hpp"

using namespace ricci;

TEST_CASE("parts of matrices: NumPy's results, in every memory layout") {
    rearrange::in_every_layout([](const auto& x, const auto& m, const auto& v, const auto& one, const auto&) {
        RICCI_MATRIX_CASES(RICCI_CHECK_CALL);
    });
    CHECK(empty_like<float>(zeros<int>({2, 3})).shape() == shape{2, 3});
    CHECK(ones_like<double>(zeros<int>({2}))(1).item() == 1.0);
}

TEST_CASE("parts of matrices: triangles from any diagonal on, the most extreme numbers among these") {
    constexpr index_t least = std::numeric_limits<index_t>::min(), most = std::numeric_limits<index_t>::max();
    const auto x = ones<int>({3, 4});
    for (const index_t k : {least, index_t(-4), index_t(-2), index_t(0), index_t(3), index_t(4), most}) {
        const tensor<int, 2> lower = tril(x, k), upper = triu(x, k);
        for (index_t i = 0; i < 3; ++i)
            for (index_t j = 0; j < 4; ++j) {
                CHECK(lower.at(i, j) == (j - i <= k));
                CHECK(upper.at(i, j) == (j - i >= k));
            }
    }
}

TEST_CASE("parts of matrices: a diagonal is a view") {
    tensor<double, 2> x = zeros<double>({3, 4});
    diagonal(x, 1)(all) = tensor<double, 1>{1, 2, 3};
    diagonal(matrix_transpose(x), 1)(slice(0, 1)) = 4;
    CHECK(allclose(x, tensor<double, 2>{{0, 1, 0, 0}, {4, 0, 2, 0}, {0, 0, 0, 3}}));
}

TEST_CASE("parts of matrices: derivatives and batches") {
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    const tensor<double, 1> v{2, 3};
    CHECK(
        allclose(grad([&](auto a) { return sum(square(diagonal(a))); })(x), tensor<double, 2>{{2, 0, 0}, {0, 10, 0}}));
    CHECK(allclose(grad([](auto a) { return sum(square(diag(a, 1))); })(v), 2 * v));
    CHECK(allclose(hessian([](auto a) { return sum(square(diag(a))); })(v), 2 * eye<double>(2)));
    CHECK(allclose(grad([](auto a) { return sum(a * tril(a)); })(x), 2 * tril(x)));
    CHECK(allclose(grad([](auto a) { return trace(matmul(a, matrix_transpose(a))); })(x), 2 * x));
    CHECK(allclose(grad([](auto a) { return sum(pad(a, {{0, 2}, {1, 0}}, pad_mode::replicate)); })(x),
                   tensor<double, 2>{{2, 1, 1}, {6, 3, 3}}));
    CHECK(allclose(grad([](auto a) { return sum(square(pad(a, {{0, 2}, {1, 0}}, 5))); })(x), 2 * x));
    CHECK(allclose(grad([](auto a) { return sum(unfold(a, 1, 2)); })(x), tensor<double, 2>{{1, 2, 1}, {1, 2, 1}}));
    CHECK(allclose(grad([&](auto a) { return sum(kron(a, x)); })(v), 21 * ones<double>({2})));
    CHECK(allclose(vmap([](auto row) { return diag(row); })(x)(1), diag(x(1))));
    CHECK(allclose(vmap([](auto row) { return pad(row, {{1, 1}}, pad_mode::circular); })(x)(1),
                   pad(x(1), {{1, 1}}, pad_mode::circular)));
    CHECK(allclose(vmap([](auto m) { return diagonal(m); })(stack({x, x}))(1), diagonal(x)));
}

TEST_CASE("parts of matrices: errors") {
    const tensor<double, 2> x = zeros<double>({2, 1});
    CHECK_THROWS_AS(diagonal(x, 0, 1, 1), index_error);
    CHECK_THROWS_WITH_AS(pad(x, {{0, -1}, {0, 0}}), "[pad] a margin must not be negative: 0 and -1 of axis 0",
                         value_error);
    constexpr index_t most = std::numeric_limits<index_t>::max();
    CHECK_THROWS_AS(pad(ones({3}), most), value_error);
    CHECK_THROWS_WITH_AS(tri(2, -3), "[tri] negative extent in shape (2, -3)", value_error);
    CHECK_THROWS_AS(pad(ones({3}), {most - 3, index_t(1)}, pad_mode::circular), value_error);
    CHECK(array_equal(pad(tensor{1.0}, 1, pad_mode::constant, 9), tensor{9.0, 1.0, 9.0}));
    CHECK_THROWS_WITH_AS(pad(ones({3}), 1, pad_mode::reflect, 9.0),
                         "[pad] a value is for pad_mode::constant alone: the others continue the array", value_error);
    CHECK_THROWS_WITH_AS(pad(zeros<double>({2, 0}), {{0, 0}, {1, 0}}, pad_mode::reflect),
                         "[pad] axis 1 of shape (2, 0) is too short to be continued", value_error);
    const tensor<double, 2> column{{1}, {2}};  // one element is repeated, as numpy.pad has it
    CHECK(array_equal(pad(column, {{0, 0}, {1, 2}}, pad_mode::reflect), broadcast_to(column, {2, 4})));
    CHECK(array_equal(vmap([](auto row) { return pad(row, {{1, 1}}, pad_mode::reflect); })(column),
                      broadcast_to(column, {2, 3})));
    CHECK_THROWS_WITH_AS(unfold(x, 0, 3), "[unfold] windows of 3 elements, 1 apart, of axis 0 of shape (2, 1)",
                         value_error);
}

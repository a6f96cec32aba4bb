// Sparse matrices: conversions, products with arrays, their derivatives and batches, and what they refuse.
#include "../reference.hpp"
#include "../transforms/exhaustive.hpp"

using namespace mapped;
using reference::message;

namespace {

tensor<std::int64_t, 1> list(std::initializer_list<std::int64_t> values) {
    return from_span(std::span<const std::int64_t>(values.begin(), values.size())).clone();
}
/// 3 x 4, an empty row and an empty column, (0, 2) twice.
coo_matrix<double> entries() {
    return {list({2, 0, 0, 2, 0}), list({3, 2, 0, 0, 2}), tensor<double, 1>{1, 2, 3, 4, 5}, {3, 4}};
}
const tensor<double, 2> dense{{3, 0, 7, 0}, {0, 0, 0, 0}, {4, 0, 0, 1}};

}  // namespace

TEST_CASE("sparse: conversions") {
    const auto a = entries().to_csr();
    CHECK(a.nnz() == 4);
    CHECK(allclose(a.row_offsets, list({0, 2, 2, 4})));
    CHECK(allclose(a.columns, list({0, 2, 0, 3})));
    CHECK(allclose(a.values, tensor<double, 1>{3, 7, 4, 1}));
    check_close(a.to_dense(), dense);
    check_close(entries().to_dense(), dense);
    const auto t = a.transpose();
    CHECK(t.shape() == shape{4, 3});
    check_close(t.to_dense(), matrix_transpose(dense));
    check_close(t.transpose().to_dense(), dense);
    const coo_matrix<double> none{list({}), list({}), zeros<double>({0}), {2, 3}};
    check_close(matmul(none.to_csr(), ones<double>({3, 2})), zeros<double>({2, 2}));
    // the values of duplicates differentiate
    const auto g = grad([](auto v) {
        const auto e = entries();
        return sum(square(coo_matrix<double, decltype(v)>{e.rows, e.columns, v, e.extents}.to_csr().values));
    })(entries().values);
    check_close(g, tensor<double, 1>{2, 14, 6, 8, 14});
}

TEST_CASE("sparse: made of integers of any type and of expressions") {
    const auto e = entries();
    const coo_matrix a{astype<int>(e.rows), astype<std::uint8_t>(e.columns) + std::uint8_t(0), 2 * e.values, e.extents};
    static_assert(std::is_same_v<decltype(a), const coo_matrix<double>>);
    check_close(a.to_dense(), 2 * dense);
    const coo_matrix<float> f{e.rows, e.columns, e.values, {3, 4}};
    check_close(f.to_csr().to_dense(), astype<float>(dense));
    const auto rows = a.to_csr();
    const csr_matrix c{astype<int>(rows.row_offsets), astype<std::int16_t>(rows.columns), rows.values / 2,
                       rows.extents};
    static_assert(std::is_same_v<decltype(c), const csr_matrix<double>>);
    check_close(c.to_dense(), dense);
    CHECK(coo_matrix<double>().nnz() == 0);
    const auto g = grad([&](auto v) {
        return sum(matmul(coo_matrix{e.rows, e.columns, v * v, e.extents}.to_csr(), ones({4})));
    })(e.values);
    check_close(g, 2 * e.values);
}

TEST_CASE("sparse: products are those of the dense matrix") {
    const auto a = entries().to_csr();
    check_close(matmul(a, spread({4})), matmul(dense, spread({4})));
    check_close(matmul(a, spread({4, 3})), matmul(dense, spread({4, 3})));
    check_close(matmul(a, permute(spread({3, 4}), {1, 0})), matmul(dense, permute(spread({3, 4}), {1, 0})));
    check_close(matmul(a, spread({2, 4, 3})), matmul(dense, spread({2, 4, 3})));
    check_close(matmul(spread({3}), a), matmul(spread({3}), dense));
    check_close(matmul(spread({2, 3}), a), matmul(spread({2, 3}), dense));
    check_close(matmul(spread({2, 5, 3}), a), matmul(spread({2, 5, 3}), dense));
    const auto z = evaluate(ricci::complex(spread({4}), spread({4}, 3)));
    check_close(matmul(a, z), matmul(dense, z));
    for (index_t k = 1; k < 20; ++k) {  // fewer columns than a register has lanes, and more
        INFO(k, " columns");
        const auto wide = spread({4, k}), other = spread({3, k});
        check_close(matmul(a, wide), matmul(dense, wide));
        check_close(matmul(other.T(), a).T(), matmul(dense.T(), other));
    }
    static_assert(std::is_same_v<decltype(matmul(a, ones<float>({4})))::value_type, double>);
}

TEST_CASE("sparse: derivatives in the values and the array") {
    const auto a = entries().to_csr();
    const auto f = [a](auto v, auto x) { return matmul(a.with_values(v), x); };
    const std::tuple at(a.values, spread({4, 2}));
    CHECK(gradcheck(f, at));
    CHECK(gradgradcheck(f, at));
    CHECK(
        gradcheck([a](auto v, auto x) { return matmul(x, a.with_values(sin(v))); }, std::tuple(a.values, spread({3}))));
}

TEST_CASE("sparse: every way to map the values and the array") {
    const auto a = entries().to_csr();
    const auto f = [a](auto v, auto x) { return matmul(a.with_values(v), x); };
    check_every_way(f, shape<1>{4}, shape<1>{4});
    check_every_way(grad([f](auto v, auto x) { return sum(square(f(v, x))); }), shape<1>{4}, shape<2>{4, 2});
}

TEST_CASE("sparse: mistakes") {
    const auto a = entries().to_csr();
    CHECK(message<shape_error>([&] { matmul(a, ones<double>({3})); }) ==
          "[matmul] the sparse matrix (3, 4) does not fit an array of shape (3,): 4 != 3");
    CHECK(message<shape_error>([&] { matmul(ones<double>({4}), a); }) ==
          "[matmul] the transpose of (3, 4) does not fit an array of shape (4,): 3 != 4");
    CHECK(message<shape_error>([&] { a.with_values(ones<double>({3})); }) ==
          "[csr_matrix] a pattern of 4 entries does not fit values of shape (3,)");
    auto e = entries();
    e.rows = list({2, 0, 3, 2, 0});
    CHECK(message<index_error>([&] { e.to_csr(); }) ==
          "[coo_matrix] entry 2 at (3, 0) is outside of a matrix of shape (3, 4)");
    e.rows = list({0});
    CHECK_THROWS_AS(e.to_csr(), shape_error);
    auto b = a;
    b.columns = list({0, 2, 0, 4});
    CHECK(message<index_error>([&] { matmul(b, ones<double>({4})); }) ==
          "[csr_matrix] column 4 is outside of a matrix of shape (3, 4)");
    b.columns = list({0, 2, 0, -1});
    CHECK_THROWS_AS(matmul(b, ones<double>({4})), index_error);
    b = a;
    b.row_offsets = list({0, 3, 2, 4});
    CHECK_THROWS_AS(matmul(b, ones<double>({4})), value_error);
}
TEST_CASE("sparse: arrays of a pattern that are views, entries at one place, patterns that are none") {
    const auto a = entries().to_csr();
    auto b = a;
    b.row_offsets = stack(ricci::tuple(a.row_offsets, a.row_offsets + 7), 1)(all, 0);
    b.columns = stack(ricci::tuple(a.columns, a.columns + 7), 1)(all, 0);
    check_close(b.to_dense(), dense);
    check_close(b.transpose().to_dense(), matrix_transpose(dense));
    CHECK(allclose(b.rows(), list({0, 0, 2, 2})));
    b.columns = list({2, 2, 0, 3});
    check_close(matmul(b, ones<double>({4})), sum(dense, 1));
    check_close(b.to_dense(), tensor<double, 2>{{0, 0, 10, 0}, {0, 0, 0, 0}, {4, 0, 0, 1}});
    b.columns = list({0, 2, 0, 4});
    CHECK_THROWS_AS(b.transpose(), index_error);
    b = a;
    b.row_offsets = list({0, 3, 9, 4});
    CHECK_THROWS_AS(b.to_dense(), value_error);
    CHECK_THROWS_AS(b.rows(), value_error);
}

TEST_CASE("sparse: a pattern that is changed between a product and its derivative") {
    const auto check = [](const auto& product) {
        for (const bool offsets : {false, true}) {
            auto a = entries().to_csr();
            variable<double, 1> v = a.values, x = spread({4});
            const auto y = sum(square(product(a.with_values(v), x)));
            if (offsets) a.row_offsets(1) = std::int64_t(1) << 30;
            else a.columns(0) = std::int64_t(1) << 30;
            CHECK(message<gradient_error>([&] { backward(y); }) ==
                  "[backward] row offsets or columns that the derivative of a sparse product needs were changed in "
                  "place after it was recorded");
        }
    };
    check([](const auto& a, const auto& x) { return matmul(a, x); });
    check([](const auto& a, const auto& x) { return sum(x) * matmul(a, entries().to_csr().transpose()).values; });
}

// einsum against NumPy in every memory layout: many operands, extents of 1 and 0.
#include "products.hpp"

using namespace ricci;
using reference::layout;

TEST_CASE("einsum: NumPy's results for many operands, broadcast and empty ones") {
    using T = double;
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided}) {
        CAPTURE(reference::name(l));
        RICCI_PRODUCT_ARRAYS(RICCI_MAKE_ARRAY);
        RICCI_EINSUM_CASES_B(RICCI_CHECK_CALL);
    }
}

TEST_CASE("einsum: mistakes are told with both shapes") {
    using reference::message;
    const auto a = zeros<double>({2, 3});
    const auto b = zeros<double>({4, 5});
    CHECK(message<shape_error>([&] { einsum<"ij,jk->ik">(a, b); }) ==
          "[einsum] subscript j of \"ij,jk->ik\" is 3 in an operand of shape (2, 3) and 4 in one of (4, 5)");
    CHECK(message<shape_error>([&] { einsum<"ii">(a); }) ==
          "[einsum] subscript i of \"ii\" is 2 in an operand of shape (2, 3) and 3 in one of (2, 3)");
    CHECK(message<shape_error>([&] { einsum<"...,...">(a, b); }) ==
          "[einsum] subscript ... of \"...,...\" is 2 in an operand of shape (2, 3) and 4 in one of (4, 5)");
}

TEST_CASE("einsum: views, element types") {
    const auto q = zeros<float16>({3, 3});
    const auto x = zeros<double>({3, 3});
    einsum<"ii->i">(x)(all) = tensor<double, 1>{1, 2, 3};
    CHECK(einsum<"ij->ji">(x).data() == x.data());
    CHECK(einsum<"ii">(x).item() == 6);
    static_assert(std::is_same_v<decltype(einsum<"ij,jk">(q, q))::value_type, float16>);
    static_assert(std::is_same_v<decltype(einsum<"ij,jk">(q, x))::value_type, double>);
    static_assert(decltype(einsum<"...ij,jk->...ik">(x, x))::rank == 2);
    const auto n = einsum<"i,j->ij">(tensor<std::int8_t, 1>{100, 2}, tensor<std::int8_t, 1>{2, 3});
    CHECK(n.at(0, 0) == -56);
    CHECK(n.at(1, 1) == 6);
}

TEST_CASE("einsum: orders of contraction by cost") {
    using detail::einsum_order;
    // a chain of matrices of 10 x 1000, 1000 x 2, 2 x 500: from the left; turned round, from the right
    const double chain[] = {10, 1000, 2, 500};
    const einsum_order left({0b0011, 0b0110, 0b1100}, 0b1001, chain);
    REQUIRE(left.steps == 2);
    CHECK(left.step[0].first == 0);
    CHECK(left.step[0].second == 1);
    CHECK(left.step[0].summed == 0b0010);
    CHECK(left.step[1].second == 2);
    const einsum_order right({0b1100, 0b0110, 0b0011}, 0b1001, chain);
    CHECK(right.step[0].first == 1);
    CHECK(right.step[0].second == 2);
    CHECK(right.step[1].first == 0);
    CHECK(right.step[1].second == 1);
    // beyond six operands the greedy rule: of a chain of eight vectors and matrices, matrix times vector all along
    const double sizes[] = {50, 50, 50, 50, 50, 50, 50};
    const einsum_order many({1, 3, 6, 12, 24, 48, 96, 64}, 0, sizes);
    REQUIRE(many.steps == 7);
    for (int k = 0; k < many.steps; ++k) CHECK(__builtin_popcountll(many.step[k].summed) == 1);
}
TEST_CASE("einsum: many operands that are read only") {
    const double numbers[] = {1, 2, 3, 4};
    const auto a = borrow(std::span(numbers), {2, 2});
    const auto v = borrow(std::span(numbers, 2), {2});
    static_assert(std::is_same_v<decltype(a), const tensor<const double, 2>>);
    CHECK(array_equal(einsum<"ij,jk,k">(a, a, v), tensor<double, 1>{27, 59}));
    CHECK(array_equal(einsum<"ij,jk,kl">(a, a, a), matmul(a, matmul(a, a))));
    CHECK(array_equal(einsum<"ij,j">(a, v), tensor<double, 1>{5, 11}));
}

TEST_CASE("einsum: matrices of which one is repeated along a summed or leading axis") {
    // np.einsum('ij,jk->ik', [[1, 2, 3], [4, 5, 6]], [[10, 20]]) is [[6], [15]] times [[10, 20]]
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}}, row{{10, 20}};
    CHECK(array_equal(einsum<"ij,jk->ik">(x, row), tensor<double, 2>{{60, 120}, {150, 300}}));
    CHECK(array_equal(einsum<"ji,jk->ik">(row, x), tensor<double, 2>{{50, 70, 90}, {100, 140, 180}}));
    CHECK(array_equal(einsum<"ij,kj->ki">(x, tensor<double, 2>{{1}, {2}}), tensor<double, 2>{{6, 15}, {12, 30}}));
    // two summed axes, one of them of extent 1 in either operand
    const auto a = reshape(arange<double>(6), {2, 3, 1}), b = reshape(arange<double>(8), {1, 4, 2});
    CHECK(array_equal(einsum<"ijk,jkl->il">(a, b), tensor<double, 2>{{36, 48}, {144, 192}}));
    // leading axes broadcast, summed axes are empty or repeat to nothing
    const auto stack = reshape(arange<double>(12), {2, 2, 3});
    CHECK(array_equal(einsum<"bij,bjk->bik">(stack, ones<double>({1, 3, 1})),
                      tensor<double, 3>{{{3}, {12}}, {{21}, {30}}}));
    CHECK(array_equal(einsum<"ij,jk->ik">(ones<double>({2, 0}), ones<double>({1, 3})), zeros<double>({2, 3})));
    CHECK(einsum<"ij,jk->ik">(ones<double>({0, 2}), ones<double>({2, 3})).shape() == shape<2>{0, 3});
    // read only, reversed, of integers, of two types
    const auto turned = broadcast_to(tensor<double, 1>{1, 2, 3}, {2, 3})(all, slice(none, none, -1));
    CHECK(array_equal(einsum<"ij,kj->ik">(x, turned), tensor<double, 2>{{10, 10}, {28, 28}}));
    CHECK(array_equal(einsum<"ij,kj->ik">(turned, turned), tensor<double, 2>{{14, 14}, {14, 14}}));
    CHECK(array_equal(einsum<"ij,kj->ik">(tensor<int, 2>{{1, 2}}, tensor<std::int64_t, 2>{{3, 4}, {5, 6}}),
                      tensor<std::int64_t, 2>{{11, 17}}));
    CHECK(array_equal(einsum<"ij,jk->ik">(x, tensor<float, 2>{{1}, {2}, {4}}), tensor<double, 2>{{17}, {38}}));
    CHECK(array_equal(einsum<"ij,jk->ik">(astype<std::complex<double>>(x), tensor<double, 2>{{1}, {2}, {4}}),
                      tensor<std::complex<double>, 2>{{17}, {38}}));
}

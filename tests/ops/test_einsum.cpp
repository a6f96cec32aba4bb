// einsum against NumPy in every memory layout: products of two operands and of one.
#include "products.hpp"

using namespace ricci;
using reference::layout;

TEST_CASE("einsum: NumPy's results") {
    using T = double;
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided}) {
        CAPTURE(reference::name(l));
        RICCI_PRODUCT_ARRAYS(RICCI_MAKE_ARRAY);
        RICCI_EINSUM_CASES_A(RICCI_CHECK_CALL);
    }
}
TEST_CASE("einsum: the order of one call is not that of the next with other extents") {
    const auto chain = [](index_t i, index_t j, index_t k, index_t l) {
        const auto a = randn<double>({i, j}, generator(1)), b = randn<double>({j, k}, generator(2)),
                   c = randn<double>({k, l}, generator(3));
        const auto y = evaluate(einsum<"ij,jk,kl->il">(a, b, c)), z = evaluate(matmul(matmul(a, b), c));
        CHECK(y.shape() == z.shape());
        CHECK(allclose(y, z));
    };
    for (const index_t n : {1, 2, 7}) {
        chain(n, 3, 5, 2);
        chain(9, n, 1, 4);
        chain(2, 6, n, 9);
        chain(1, 1, 1, n);
        chain(1, 1, 1, 1);
    }
    chain(2, 0, 3, 4);
    const tensor<double, 0> two(2.0);
    CHECK(einsum<",,->">(two, two, two).item() == 8);
}

TEST_CASE("einsum: a chain of matrices as they lie, and as they lie for the next call") {
    const auto matrix = [](index_t m, index_t n, std::uint64_t seed) {
        return evaluate(randn<double>({m, n}, generator(seed)));
    };
    const auto check = [](const auto& a, const auto& b, const auto& c, const auto& u, const auto& v) {
        const auto y = evaluate(matmul(matmul(a, b), c));
        CHECK(allclose(einsum<"ij,jk,kl->il">(a, b, c), y));
        CHECK(allclose(einsum<"ij,jk,kl->li">(a, b, c), matrix_transpose(y)));
        CHECK(allclose(einsum<"kl,ij,jk->li">(c, a, b), matrix_transpose(y)));
        CHECK(allclose(einsum<"ij,jk,kl->">(a, b, c), sum(y)));  // an axis of one operand alone
        CHECK(allclose(einsum<"i,ij,jk,kl,l->">(u, a, b, c, v), matmul(u, matmul(y, v))));
        CHECK(allclose(einsum<"i,ij,jk,kl->l">(u, a, b, c), matmul(u, y)));
        CHECK(allclose(einsum<"i,ij,i->i">(u, a, u), square(u) * sum(a, 1)));
    };
    for (const index_t n : {1, 3, 8})
        for (int turn = 0; turn < 3; ++turn) {
            const auto a = matrix(5, n, 1), b = matrix(n, 4, 2), c = matrix(4, 6, 3);
            const auto u = evaluate(randn<double>({5}, generator(4))), v = evaluate(randn<double>({6}, generator(5)));
            check(a, b, c, u, v);
            check(matrix_transpose(matrix(n, 5, 6)), b, matrix(8, 6, 7)(slice(none, none, 2)), u,
                  evaluate(randn<double>({12}, generator(8)))(slice(none, none, -2)));
            const tensor<const double, 2> read_only = b;
            CHECK(allclose(einsum<"ij,jk,kl->il">(a, read_only, c), matmul(matmul(a, b), c)));
            const auto whole = astype<std::int64_t>(b * 10.0);
            CHECK(array_equal(einsum<"ji,jk,kl->il">(whole, whole, matrix_transpose(whole)),
                              matmul(matmul(matrix_transpose(whole), whole), matrix_transpose(whole))));
        }
    // an extent of 1 broadcasts, and is remembered as one
    const auto a = matrix(3, 1, 1), b = matrix(4, 5, 2), c = matrix(5, 2, 3);
    CHECK(allclose(einsum<"ij,jk,kl->il">(a, b, c), matmul(a, expand_dims(sum(matmul(b, c), 0), 0))));
    CHECK_THROWS_AS((einsum<"ij,jk,kl->il">(matrix(3, 2, 1), b, c)), shape_error);
    CHECK_THROWS_AS((einsum<"ij,jk,kl->il">(matrix(3, 2, 1), b, c)), shape_error);
    CHECK(allclose(einsum<"ij,jk,kl->il">(matrix(3, 4, 1), b, c), matmul(matmul(matrix(3, 4, 1), b), c)));
}

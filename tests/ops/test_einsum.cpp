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

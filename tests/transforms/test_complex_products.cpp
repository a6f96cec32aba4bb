// Complex derivatives of einsum and the other products by differences; second ones, too.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {
auto numbers(const shape<2>& extents, int seed) {
    return evaluate(ricci::complex(spread(extents, seed), spread(extents, seed + 7)));
}
}  // namespace

TEST_CASE("complex: products differentiate") {
    const auto a = numbers({2, 3}, 1), b = numbers({3, 2}, 5);
    const auto f = [](auto x, auto y) { return einsum<"ij,jk,il->kl">(x, y, x); };
    CHECK(gradcheck(f, std::tuple(a, b)));
    CHECK(gradgradcheck(f, std::tuple(a, b)));
    CHECK(gradcheck([](auto x, auto y) { return vecdot(x, matrix_transpose(y)) * vdot(x, y); }, std::tuple(a, b)));
    // a real factor has a real gradient
    CHECK(gradcheck([](auto r, auto y) { return tensordot<1>(r, y); }, std::tuple(spread({2, 3}), b)));
}

// matmul: its derivatives, and vmap over mapped and shared factors of rank 1, 2 and 3.
#include "mapped.hpp"

using namespace mapped;

namespace {

const auto product = [](auto a, auto b) { return matmul(a, b); };

/// One member of each, then both mapped, either one shared, and mapped along other axes than the first.
template <int P, int Q>
void check_all_maps(const tensor<double, P>& a, const tensor<double, Q>& b) {
    auto many = [](const auto& x, int seed) {
        constexpr int rank = std::remove_cvref_t<decltype(x)>::rank;
        shape<rank + 1> s;
        s[0] = 2;
        for (int d = 0; d < rank; ++d) s[d + 1] = x.shape()[d];
        return spread(s, seed);
    };
    check_vmap(product, in_axes(0, 0), 0, many(a, 3), many(b, 4));
    check_vmap(product, in_axes(0, none), 0, many(a, 3), b);
    check_vmap(product, in_axes(none, 0), 0, a, many(b, 4));
}

}  // namespace

TEST_CASE("matmul: against a plain loop") {
    const auto a = spread({3, 4}, 1), b = spread({4, 2}, 2);
    const auto c = matmul(a, b);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j) {
            double s = 0;
            for (int k = 0; k < 4; ++k) s += a.at(i, k) * b.at(k, j);
            CHECK(c.at(i, j) == doctest::Approx(s).epsilon(1e-14));
        }
}
TEST_CASE("vmap of matmul: matrices and vectors") {
    check_all_maps(spread({3, 4}), spread({4, 2}));
    check_all_maps(spread({3, 4}), spread({4}));
    check_all_maps(spread({4}), spread({4, 2}));
    check_all_maps(spread({4}), spread({4}));
}
TEST_CASE("vmap of matmul: stacks of matrices") {
    check_all_maps(spread({5, 3, 4}), spread({5, 4, 2}));
    check_all_maps(spread({5, 3, 4}), spread({4, 2}));
    check_all_maps(spread({3, 4}), spread({5, 4, 2}));
    check_all_maps(spread({5, 3, 4}), spread({4}));
}
TEST_CASE("vmap of matmul: other axes, and vmap twice") {
    check_vmap(product, in_axes(2, 1), -1, spread({3, 4, 2}), spread({4, 2, 5}));
    const auto a = spread({3, 4, 2}), b = spread({5, 2, 6});
    const auto all_pairs = vmap([b](auto x) { return vmap([x](auto y) { return matmul(x, y); })(b); })(a);
    REQUIRE(all_pairs.shape() == shape<4>{3, 5, 4, 6});
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 5; ++j) check_close(all_pairs(i, j), matmul(a(i), b(j)));
}

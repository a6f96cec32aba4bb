// Batches of small arrays, whose elements Jacobians keep member by member: the same as one member at a time, and
// results in the order of their axes.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include "../reference.hpp"

using namespace ricci;

namespace {

constexpr index_t members = 100;  // long enough for the order of a batch

template <class T, int R>
tensor<T, R> numbers(const shape<R>& extents) {
    auto x = tensor<T, R>::uninitialized(extents);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = T(0.3) + T((i * 37) % 61) / T(40);
    return x;
}
/// vmap(g) against g of each member; what it gives is dense.
template <class G, class X>
void check_members(const G& g, const X& x, double tolerance = 1e-12) {
    const auto all = vmap(g)(x);
    CHECK(all.shape()[0] == x.shape()[0]);
    for (const index_t m : {index_t(0), index_t(1), index_t(41), x.shape()[0] - 1}) {
        const auto one = evaluate(g(evaluate(x(m))));
        CHECK(allclose(all(m), one, tolerance, tolerance));
    }
    CHECK(all.strides()[0] != 1);
}

inline constexpr auto scaled = [](auto x) { return sin(x) * sum(x * x); };
inline constexpr auto twice_used = [](auto x) { return (exp(x) + sum(x)) / (1 + x * x); };
inline constexpr auto of_matrix = [](auto x) { return matmul(x, permute(x, {1, 0})) * sum(x, -1); };
inline constexpr auto of_parts = [](auto x) {
    const auto s = sum(x * x);
    const auto product = sum(x(slice(1, none)) * sin(x(slice(none, -1))));
    return exp(x) * product + sin(x * s) * sum(exp(x) * x) + s * s;
};
inline constexpr auto ordered = [](auto x) { return where(x > 1, cumsum(sort(x)), flip(x) * x); };

}  // namespace

TEST_CASE("batches of vectors: Jacobians in both modes") {
    const auto x = numbers<double, 2>({members, 3});
    check_members(jacfwd(scaled), x);
    check_members(jacrev(scaled), x);
    check_members(jacfwd(twice_used), x);
    check_members(jacrev(twice_used), x);
    check_members(jacfwd(ordered), x);
    check_members(jacrev(ordered), x);
}
TEST_CASE("adjoints that meet in the order of a batch, and in windows on it") {
    const auto x = numbers<double, 2>({members, 3});
    check_members(jacrev(of_parts), x);
    check_members(jacfwd(of_parts), x);
    check_members(grad([](auto v) { return sum(of_parts(v)); }), x);
    const auto cotangents = numbers<double, 2>({members, 3});
    const auto of_all = [](auto v) { return vmap(of_parts)(v); };
    const auto batch = std::get<1>(vjp(of_all, x))(cotangents);
    const auto pull = std::get<1>(vjp(of_parts, evaluate(x(7))));
    const auto one = pull(evaluate(cotangents(7)));
    CHECK(allclose(batch(7), one, 1e-12, 1e-12));
    CHECK(allclose(vmap(pull)(cotangents)(7), one, 1e-12, 1e-12));
}
TEST_CASE("batches of vectors: the closed form") {
    const auto x = numbers<double, 2>({members, 3});
    const auto forward = vmap(jacfwd(scaled))(x), reverse = vmap(jacrev(scaled))(x);
    for (index_t m = 0; m < members; ++m)
        for (index_t i = 0; i < 3; ++i)
            for (index_t j = 0; j < 3; ++j) {
                double square = 0;
                for (index_t k = 0; k < 3; ++k) square += x.at(m, k) * x.at(m, k);
                const double exact =
                    2 * std::sin(x.at(m, i)) * x.at(m, j) + (i == j ? std::cos(x.at(m, i)) * square : 0);
                CHECK(forward.at(m, i, j) == doctest::Approx(exact).epsilon(1e-12));
                CHECK(reverse.at(m, i, j) == doctest::Approx(exact).epsilon(1e-12));
            }
}
TEST_CASE("batches of matrices") {
    const auto x = numbers<double, 3>({members, 2, 3});
    check_members(jacfwd(of_matrix), x);
    check_members(jacrev(of_matrix), x);
}
TEST_CASE("batches that lie in memory in other orders, and views of them") {
    const auto x = numbers<double, 2>({3, members});
    check_members(jacfwd(scaled), permute(x, {1, 0}));
    const auto wide = numbers<double, 2>({2 * members, 6});
    check_members(jacrev(twice_used), wide(slice(none, none, 2), slice(1, none, 2)));
    const auto across = vmap(jacfwd(scaled), 1, 2)(x);  // mapped over axis 1, the batch last in the result
    const auto along = vmap(jacfwd(scaled))(evaluate(permute(x, {1, 0}).clone()));
    CHECK(allclose(permute(across, {2, 0, 1}), along, 1e-12, 1e-12));
}
TEST_CASE("batches in chunks, of any length, and empty ones") {
    const auto x = numbers<double, 2>({members, 3});
    const auto whole = vmap(jacfwd(scaled))(x);
    for (const index_t size : {index_t(1), index_t(7), index_t(64), index_t(99)})
        CHECK(allclose(vmap(jacfwd(scaled), vmap_options{.chunk_size = size})(x), whole, 1e-14, 1e-14));
    for (const index_t n : {index_t(0), index_t(1), index_t(63), index_t(65)}) {
        const auto some = numbers<double, 2>({n, 3});
        const auto y = vmap(jacrev(scaled))(some);
        CHECK(y.shape() == shape<3>{n, 3, 3});
        for (index_t m = 0; m < n; ++m) CHECK(allclose(y(m), jacrev(scaled)(evaluate(some(m))), 1e-12, 1e-12));
    }
}
TEST_CASE("batches of sixteen bits") {
    const auto x = numbers<float, 2>({members, 3});
    const auto exact = vmap(jacfwd(scaled))(x);
    const auto y = vmap(jacfwd(scaled))(evaluate(astype<float16>(x)));
    CHECK(allclose(astype<float>(y), exact, 2e-2, 2e-2));
}

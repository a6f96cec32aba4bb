// Jacobians of small maps over batches, within other transforms.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

constexpr index_t members = 80;

tensor<double, 2> points() {
    auto x = tensor<double, 2>::uninitialized({members, 3});
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = 0.2 + double((i * 29) % 53) / 40;
    return x;
}
inline constexpr auto scaled = [](auto x) { return sin(x) * sum(x * x); };
inline constexpr auto potential = [](auto x) { return sum(exp(x) * x) * sum(sin(x)); };

}  // namespace

TEST_CASE("Hessians of a batch") {
    const auto x = points();
    const auto all = vmap(hessian(potential))(x);
    for (const index_t m : {index_t(0), index_t(33), members - 1})
        CHECK(allclose(all(m), hessian(potential)(evaluate(x(m))), 1e-12, 1e-12));
}
TEST_CASE("grad of a function of a batch's Jacobians") {
    const auto x = points();
    const auto of_all = [](auto v) { return sum(square(vmap(jacfwd(scaled))(v))); };
    const auto of_one = [](auto v) { return sum(square(jacfwd(scaled)(v))); };
    const auto g = grad(of_all)(x);
    const auto r = grad([](auto v) { return sum(square(vmap(jacrev(scaled))(v))); })(x);
    for (const index_t m : {index_t(0), index_t(17), members - 1}) {
        const auto one = grad(of_one)(evaluate(x(m)));
        CHECK(allclose(g(m), one, 1e-11, 1e-11));
        CHECK(allclose(r(m), one, 1e-11, 1e-11));
    }
}
TEST_CASE("vmap of grad of a function of a Jacobian") {
    const auto x = points();
    const auto of_one = [](auto v) { return sum(square(jacfwd(scaled)(v))); };
    const auto all = vmap(grad(of_one))(x);
    for (const index_t m : {index_t(0), index_t(17), members - 1})
        CHECK(allclose(all(m), grad(of_one)(evaluate(x(m))), 1e-11, 1e-11));
}
TEST_CASE("batches of batches") {
    const auto x = reshape(points(), {8, 10, 3});
    const auto flat = vmap(jacfwd(scaled))(points());
    CHECK(allclose(vmap(vmap(jacfwd(scaled)))(x), reshape(flat, {8, 10, 3, 3}), 1e-12, 1e-12));
    const auto long_one = reshape(points(), {1, members, 3});
    CHECK(allclose(vmap(vmap(jacrev(scaled)))(long_one), reshape(flat, {1, members, 3, 3}), 1e-12, 1e-12));
    const auto outer = reshape(points(), {members, 1, 3});
    CHECK(allclose(vmap(vmap(jacrev(scaled)))(outer), reshape(flat, {members, 1, 3, 3}), 1e-12, 1e-12));
}
TEST_CASE("directions through a batch of Jacobians") {
    const auto x = points();
    const auto [y, y_dot] = jvp([](auto v) { return vmap(jacfwd(scaled))(v); }, x, ones_like(x));
    const auto [one, one_dot] = jvp(jacfwd(scaled), evaluate(x(5)), ones<double>({3}));
    CHECK(allclose(y(5), one, 1e-12, 1e-12));
    CHECK(allclose(y_dot(5), one_dot, 1e-11, 1e-11));
}

// pure_callback: functions that no transform looks into, and the loop that stands in for a batching rule.
#include <algorithm>

#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

/// The least power of two above |x|, by a loop that no transform could follow.
const auto power_above = pure_callback([](const auto& x) {
    double p = 1;
    while (p <= std::fabs(x.item())) p *= 2;
    return p;
});
/// The elements in ascending order.
const auto sorted = pure_callback([](const auto& x) {
    const auto y = x.clone();
    std::sort(y.data(), y.data() + y.size());
    return y;
});

struct fallback_scope {
    vmap_fallback before;
    explicit fallback_scope(vmap_fallback setting) : before(set_vmap_fallback(setting)) {}
    ~fallback_scope() { set_vmap_fallback(before); }
};

}  // namespace

TEST_CASE("pure_callback: plain, batched, in batches of batches, with arguments that all members share") {
    const fallback_scope quiet(vmap_fallback::silent);
    CHECK(power_above(5.0).item() == 8);
    check_close(vmap(power_above)(tensor<double, 1>{0.5, 1, -9}), tensor<double, 1>{1, 2, 16});
    const tensor<double, 2> x{{3, 1, 2}, {6, 5, 4}};
    check_close(vmap(sorted)(x), tensor<double, 2>{{1, 2, 3}, {4, 5, 6}});
    check_close(vmap(sorted, 1, 1)(x), tensor<double, 2>{{3, 1, 2}, {6, 5, 4}});
    check_close(vmap(vmap(power_above))(x), tensor<double, 2>{{4, 2, 4}, {8, 8, 8}});
    const auto scaled = pure_callback([](const auto& a, const auto& b) { return a.item() * b; });
    check_close(vmap(scaled, in_axes(0, none))(tensor<double, 1>{2, 3}, tensor<double, 1>{1, 10}),
                tensor<double, 2>{{2, 20}, {3, 30}});
    CHECK(vmap(sorted)(empty<double>({0, 3})).shape()[0] == 0);
}

TEST_CASE("pure_callback: derivatives by rules around it, in batches too") {
    const fallback_scope quiet(vmap_fallback::silent);
    // the derivative of log10, whose value comes from the C library
    const auto common_log =
        custom_jvp(pure_callback([](const auto& x) { return std::log10(x.item()); }),
                   [](const auto& primals, const auto& tangents) {
                       const auto& [x] = primals;
                       const auto& [x_dot] = tangents;
                       return ricci::tuple(pure_callback([](const auto& v) { return std::log10(v.item()); })(x),
                                           x_dot / (x * std::log(10.0)));
                   });
    const tensor<double, 1> x{0.5, 3};
    check_close(vmap(grad(common_log))(x), 1 / (x * std::log(10.0)));
    check_close(grad([&](auto v) { return sum(vmap(common_log)(v)); })(x), 1 / (x * std::log(10.0)));
    // a step function: its derivative is 0
    const auto step =
        custom_vjp([](const auto& v) { return power_above(v); },
                   [](const auto& v) { return ricci::tuple(power_above(v)); }, [](const auto& bar) { return 0 * bar; });
    const auto stepped = [&](auto v) { return v * step(v); };
    CHECK(grad(stepped)(tensor<double, 0>(5.0)).item() == 8);
    check_close(vmap(grad(stepped))(x), tensor<double, 1>{1, 4});
}

TEST_CASE("pure_callback: no derivative without a rule") {
    const char* what = "[pure_callback] a callback has no derivative: give it one by custom_vjp or custom_jvp";
    const tensor<double, 0> x(5.0);
    CHECK_THROWS_WITH_AS(grad(power_above)(x), what, gradient_error);
    CHECK_THROWS_WITH_AS(jvp(power_above, x, x), what, gradient_error);
}

TEST_CASE("ops without a batching rule: an error when that is asked for") {
    const fallback_scope strict(vmap_fallback::error);
    const tensor<double, 2> x{{3, 1, 2}, {6, 5, 4}};
    CHECK_THROWS_WITH_AS(vmap(sorted)(x),
                         "[vmap] pure_callback has no batching rule and would be called 2 times; "
                         "set_vmap_fallback(vmap_fallback::note) allows that",
                         value_error);
    check_close(sorted(x(0)), tensor<double, 1>{1, 2, 3});
}

TEST_CASE("pure_callback: members that differ in shape are refused") {
    const fallback_scope quiet(vmap_fallback::silent);
    const auto counted = pure_callback([](const auto& n) { return arange<double>(static_cast<index_t>(n.item())); });
    CHECK_THROWS_WITH_AS(vmap(counted)(tensor<double, 1>{2, 2, 3}),
                         "[vmap] pure_callback gave shape (3,) for member 2 and (2,) for the first", shape_error);
}

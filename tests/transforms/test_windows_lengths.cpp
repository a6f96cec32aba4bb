// Gradients and Hessian products through windows on an array, of all lengths about a register's and a tile's: against
// the same function of elements that are gathered, which takes no window.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

struct by_slices {
    template <class X>
    auto operator()(const X& x, index_t first, index_t count) const {
        return x(slice(first, first + count));
    }
};
struct by_positions {
    template <class X>
    auto operator()(const X& x, index_t first, index_t count) const {
        return take(x, arange<std::int64_t>(first, first + count), 0);
    }
};
/// Windows in no order, the one that is ahead of the others in the middle; a whole array and a number between them.
template <class Window>
auto energy(const Window& window, index_t n) {
    return [window, n](const auto& x, const auto& c) {
        return sum(window(x, 1, n) * window(x, 3, n) * c + x(0) * window(x, 0, n) * window(x, 2, n) * window(c, 0, n));
    };
}
void check_length(index_t n) {
    CAPTURE(n);
    const auto x = spread({n + 3}, 5), c = spread({n}, 7), v = spread({n + 3}, 2), d = spread({n}, 3);
    const auto f = energy(by_slices{}, n);
    const auto g = energy(by_positions{}, n);
    const auto [fx, fc] = grad(f, argnums<0, 1>)(x, c);
    const auto [gx, gc] = grad(g, argnums<0, 1>)(x, c);
    check_close(fx, gx);
    check_close(fc, gc);
    const auto product = [&](const auto& h) {
        return std::get<1>(jvp(grad(h, argnums<0, 1>), ricci::tuple(x, c), ricci::tuple(v, d)));
    };
    const auto [px, pc] = product(f);
    const auto [qx, qc] = product(g);
    check_close(px, qx);
    check_close(pc, qc);
}

}  // namespace

TEST_CASE("windows: about the length of registers") {
    for (index_t n = 1; n <= 40; ++n) check_length(n);
}
TEST_CASE("windows: about the length of blocks, tiles and chunks") {
    for (const index_t n : {64, 100, 127, 129, 255, 257, 511, 513, 1023, 1024, 1025, 1031, 2049, 5000, 70001})
        check_length(n);
}
TEST_CASE("windows: numbers of other types beside them, one for each element or for all") {
    for (const index_t n : {5, 16, 100, 1031}) {
        CAPTURE(n);
        const auto x = spread({n + 3}, 5), v = spread({n + 3}, 2);
        const tensor<std::int32_t, 1> whole = astype<std::int32_t>(10 * spread({n}, 4));
        const tensor<float16, 1> half = astype<float16>(spread({n}, 6));
        const tensor<std::int32_t, 0> one(3);
        const tensor<float16, 0> weight(float16(0.75f));
        const auto energy = [&](const auto& window) {
            return [&, window, n](const auto& a) {
                const auto p = window(a, 1, n) * window(a, 2, n), q = window(a, 0, n) * window(a, 3, n);
                return sum(p * whole * weight + where(one > 2, q * half, p) * p * one + q * window(a, 1, n));
            };
        };
        const auto f = energy(by_slices{});
        const auto g = energy(by_positions{});
        check_close(grad(f)(x), grad(g)(x));
        check_close(hvp(f, x, v), hvp(g, x, v));
    }
}

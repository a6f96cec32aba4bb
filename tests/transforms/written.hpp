// A function that writes to its argument, under transforms: against what it does to plain tensors, whose memory it
// writes.
#pragma once
#include "derivatives.hpp"

namespace written {

using namespace derivative_checks;

inline const auto x = spread({3, 4}, 2), t = spread({3, 4}, 7);

/// f of a copy: what it writes to its argument is nobody else's.
template <class F>
auto of_copy(const F& f) {
    return [f](auto original) {
        auto y = evaluate(1.0 * original);
        return f(y);
    };
}
/// grad, jvp and vmap of grad of a scalar function that writes, at x along t.
template <class F>
void check_written(const F& writes) {
    const auto f = of_copy(writes);
    const auto slope = difference(f, std::tuple(x), std::tuple(t));
    check_close(std::get<1>(jvp(f, x, t)), slope, difference_tolerance);
    const auto [value, gradient] = value_and_grad(f)(x);
    check_close(value, f(x));
    check_close(sum(gradient * t), slope, difference_tolerance);
    const auto other = evaluate(x + 0.5 * t);
    check_close(vmap(grad(f))(stack({x, other})), stack({gradient, grad(f)(other)}));
}

}  // namespace written

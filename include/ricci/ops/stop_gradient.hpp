// Values as constants of the derivatives in progress.
#pragma once
#include "../expr/fused.hpp"

namespace ricci {

/// The value of x as a constant of every derivative, forward and backward, in progress; batches stay batches.
template <expression E>
auto stop_gradient(const E& x) {
    if constexpr (!E::is_array) {
        return stop_gradient(evaluate(x));
    } else if constexpr (std::is_void_v<typename E::wrapper>) {
        return x;
    } else if constexpr (E::wrapper::differentiates) {
        return stop_gradient(x.inner());
    } else {
        return x.with_inner([](const auto& inner) { return stop_gradient(inner); });
    }
}

}  // namespace ricci

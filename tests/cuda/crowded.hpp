// Elements many of which are equal or special, for the tests of the second device.
#pragma once
#include "agree.hpp"

/// Few different values, so that many are equal; NaN, infinities and zeros of both signs among floats.
template <class T, int R>
auto crowded(const int (&extents)[R], std::uint64_t seed = 1) {
    const auto x = rc::evaluate(rc::astype<T>(rc::round(random_tensor<double>(extents, seed))));
    if constexpr (!std::is_integral_v<T>) {
        const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
        for (rc::index_t i = 0; i < x.size(); ++i)
            if (i % 7 == 3) x.data()[i] = i % 3 == 0 ? nan : i % 3 == 1 ? -inf : T(-0.0f);
    }
    return x;
}

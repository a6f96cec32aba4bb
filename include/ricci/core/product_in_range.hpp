// Products of pivots, which overflow or underflow only where the whole product does.
#pragma once
#include <limits>
#include <type_traits>

#include "config.hpp"
#include "shape.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The product of `count` numbers `step` apart, whose absolute values `size` gives. Where it leaves the normal numbers
/// on the way, in an order in which it does so only if it does in the end: what is larger than 1 meets the smallest of
/// the rest, what is smaller the largest. Reorders them then.
template <class T, class Size>
RICCI_HD constexpr T product_in_range(T* x, index_t step, index_t count, const Size& size) {
    using R = std::remove_cvref_t<decltype(size(*x))>;
    const auto is_normal = [&](const T& y) {
        return size(y) >= std::numeric_limits<R>::min() && size(y) <= std::numeric_limits<R>::max();
    };
    T product(1);
    bool in_range = true;
    for (index_t k = 0; k < count; ++k) {
        product = product * x[k * step];
        in_range = in_range && is_normal(product);
    }
    if (in_range) return product;
    product = T(1);
    for (index_t k = 0; k < count; ++k) {
        index_t next = k;
        for (index_t i = k + 1; i < count; ++i) {
            const R other = size(x[i * step]), best = size(x[next * step]);
            if (size(product) > 1 ? other < best : other > best) next = i;
        }
        product = product * x[next * step];
        x[next * step] = x[k * step];
    }
    return product;
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail

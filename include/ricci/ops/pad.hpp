// Arrays with a margin: pad.
#pragma once
#include "create.hpp"
#include "rearrange.hpp"

namespace ricci {

/// What pad puts around an array: one value; the elements next to the edge in mirror order, without the edge (reflect) or
/// with it (symmetric); the edge itself (replicate, NumPy's "edge"); or the other end (circular, NumPy's "wrap").
enum class pad_mode { constant, reflect, symmetric, replicate, circular, edge = replicate, wrap = circular };

/// How many elements pad adds before and after those of an axis.
struct margin {
    index_t before = 0, after = 0;
};

namespace detail {

/// Where element i of a periodic or mirrored continuation of 0 ... n - 1 comes from.
inline index_t continued(index_t i, index_t n, pad_mode mode) {
    if (mode == pad_mode::replicate) return i < 0 ? 0 : i < n ? i : n - 1;
    const index_t period = mode == pad_mode::circular ? n : mode == pad_mode::symmetric ? 2 * n : n > 1 ? 2 * n - 2 : 1;
    const index_t r = (i % period + period) % period;
    if (r < n) return r;
    return mode == pad_mode::symmetric ? period - 1 - r : period - r;
}
/// `a` with a margin along an axis.
template <class A>
auto continued_axis(const A& a, int axis, const margin& m, pad_mode mode) {
    const index_t n = a.shape()[axis];
    const auto from = tensor<std::int64_t, 1>::uninitialized({m.before + n + m.after});
    for (index_t i = 0; i < from.size(); ++i) from.data()[i] = continued(i - m.before, n, mode);
    return index_select(a, axis, from);
}
template <class A>
auto widened_axis(const A& a, int axis, const margin& m, typename A::value_type value) {
    using T = typename A::value_type;
    const auto strip = [&](index_t width) {
        shape<A::rank> extents = a.shape();
        extents[axis] = width;
        return full<T>(extents, value, device_t<A>{});
    };
    return concat(std::make_tuple(strip(m.before), a, strip(m.after)), axis);
}
template <class E, class Widen>
auto padded_axes(const E& x, const margin* margins, const Widen& widen) {
    auto a = evaluate(x);
    for (int d = 0; d < E::rank; ++d) {
        const margin& m = margins[d];
        if (m.before < 0 || m.after < 0)
            raise<value_error>({"[pad] a margin must not be negative: ", m.before, " and ", m.after, " of axis ", d});
        if (m.before + m.after > 0) a = widen(a, d, m);
    }
    return a;
}

}  // namespace detail

/// `x` with a margin of `value` around it: margins[d].before elements before those of axis d and .after after them. Throws
/// value_error for a negative margin. (numpy.pad, torch.nn.functional.pad, with the axes in their own order.)
template <expression E>
auto pad(const E& x, const margin (&margins)[E::rank], std::type_identity_t<typename E::value_type> value = {}) {
    return detail::padded_axes(x, margins, [&](const auto& a, int d, const margin& m) {
        return std::remove_cvref_t<decltype(a)>(detail::widened_axis(a, d, m, value));
    });
}
/// The same with what `mode` says; reflect needs two elements along an axis, the others one, to continue. Throws value_error
/// where there are fewer.
template <expression E>
auto pad(const E& x, const margin (&margins)[E::rank], pad_mode mode) {
    return detail::padded_axes(x, margins, [&](const auto& a, int d, const margin& m) {
        using A = std::remove_cvref_t<decltype(a)>;
        if (mode == pad_mode::constant) return A(detail::widened_axis(a, d, m, typename E::value_type{}));
        const index_t least = mode == pad_mode::reflect ? 2 : 1;
        if (a.shape()[d] < least)
            detail::raise<value_error>({"[pad] axis ", d, " of shape ", a.shape(), " is too short to be continued"});
        return A(detail::continued_axis(a, d, m, mode));
    });
}

/// The same margin on all sides: pad(x, 1), pad(x, 1, value), pad(x, 1, mode).
template <expression E, std::integral Width, class... Fill>
auto pad(const E& x, Width width, const Fill&... fill) {
    static_assert(E::rank >= 1, "ricci: pad needs an array of rank 1 or more");
    margin margins[E::rank];
    for (margin& m : margins) m = {static_cast<index_t>(width), static_cast<index_t>(width)};
    return pad(x, margins, fill...);
}

}  // namespace ricci

// Arrays with a margin: pad.
#pragma once
#include "create.hpp"
#include "rearrange.hpp"

namespace ricci {

/// What pad puts around an array: one value; the elements next to the edge in mirror order, without the edge (reflect)
/// or with it (symmetric); the edge itself (replicate, NumPy's "edge"); or the other end (circular, NumPy's "wrap").
enum class pad_mode { constant, reflect, symmetric, replicate, circular, edge = replicate, wrap = circular };

/// How many elements pad adds before and after those of an axis.
struct margin {
    index_t before = 0, after = 0;
};

namespace detail {

template <int R>
struct axis_margins {
    margin axis[R];
};
/// The margins of each axis, of as many, or of one for all.
template <int R, int N>
axis_margins<R> margins_of_axes(const margin (&margins)[N]) {
    static_assert(R >= 1, "ricci: pad needs an array of rank 1 or more");
    static_assert(N == 1 || N == R,
                  "ricci: pad takes a margin for each axis, {{0, 1}, {2, 0}}, or one for all, {{1, 2}}");
    axis_margins<R> each;
    for (int d = 0; d < R; ++d) each.axis[d] = margins[N == 1 ? 0 : d];
    return each;
}
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
template <class A, class Widen>
auto padded_axes(A a, const margin* margins, const Widen& widen) {
    for (int d = 0; d < A::rank; ++d)
        if (margins[d].before + margins[d].after > 0) a = A(widen(a, d, margins[d]));
    return a;
}

/// The shape with margins around it. Throws value_error where one is negative or too large, or
/// `least` elements are needed to continue an axis.
template <int R>
shape<R> padded_shape(const shape<R>& extents, const margin* margins, index_t least) {
    shape<R> padded;
    for (int d = 0; d < R; ++d) {
        const margin& m = margins[d];
        if (m.before < 0 || m.after < 0)
            raise<value_error>({"[pad] a margin must not be negative: ", m.before, " and ", m.after, " of axis ", d});
        constexpr index_t most = std::numeric_limits<index_t>::max();
        if (m.before > most - extents[d] || m.after > most - extents[d] - m.before)
            raise<value_error>({"[pad] margins of ", m.before, " and ", m.after, " around axis ", d, " of shape ",
                                extents, " are more than an index can count"});
        if (m.before + m.after > 0 && extents[d] < least)
            raise<value_error>({"[pad] axis ", d, " of shape ", extents, " is too short to be continued"});
        padded[d] = m.before + extents[d] + m.after;
    }
    return padded;
}
/// y, which is new, becomes `a` with margins of `value`, from axis d on.
template <class A, class Y>
void pad_into(const A& a, const Y& y, const margin* margins, const typename Y::value_type& value, int d = 0) {
    using D = device_t<Y>;
    if (d == Y::rank) return executor<D>::copy(a, y);
    const index_t before = margins[d].before, after = margins[d].after, n = a.shape()[d];
    if (before > 0) executor<D>::fill(stretch_of(y, d, 0, before), value);
    if (after > 0) executor<D>::fill(stretch_of(y, d, before + n, after), value);
    pad_into(a, stretch_of(y, d, before, n), margins, value, d + 1);
}
/// Elements first ... end - 1 of y's axis, of which `before` and more continue n others, from these.
template <class Y>
void continue_stretch(const Y& y, int axis, index_t first, index_t end, index_t before, index_t n, pad_mode mode) {
    const auto source = [&](index_t i) { return continued(i - before, n, mode); };
    for (index_t count; first < end; first += count) {  // of as many as have sources at one distance
        const index_t from = source(first), step = first + 1 < end ? source(first + 1) - from : 0;
        for (count = 1; first + count < end && source(first + count) == from + count * step;) ++count;
        auto spec = identity_view(y.shape());
        spec.start[axis] = before + from;
        spec.step[axis] = step;
        spec.extents[axis] = count;
        executor<device_t<Y>>::copy(apply_view(spec, y), stretch_of(y, axis, first, count));
    }
}
/// The same, the margins continuing what they are around: each axis where those before it have their margins already.
template <class A, class Y>
void continue_into(const A& a, const Y& y, const margin* margins, pad_mode mode) {
    const auto without_margins = [&](int from) {
        auto part = y;
        for (int d = from; d < Y::rank; ++d) part = Y(stretch_of(part, d, margins[d].before, a.shape()[d]));
        return part;
    };
    executor<device_t<Y>>::copy(a, without_margins(0));
    for (int d = 0; d < Y::rank; ++d) {
        const index_t before = margins[d].before, n = a.shape()[d];
        const auto part = without_margins(d + 1);
        continue_stretch(part, d, 0, before, before, n, mode);
        continue_stretch(part, d, before + n, y.shape()[d], before, n, mode);
    }
}
template <class A>
auto padded(const A& a, const margin* margins, const typename A::value_type& value) {
    using T = typename A::value_type;
    const auto extents = padded_shape(a.shape(), margins, 0);
    if constexpr (std::is_void_v<typename A::wrapper>) {
        const auto y = tensor<T, A::rank, device_t<A>>::uninitialized(extents);
        pad_into(a, y, margins, value);
        return y;
    } else {
        return padded_axes(a, margins,
                           [&](const A& x, int d, const margin& m) { return widened_axis(x, d, m, value); });
    }
}
template <class A>
auto padded(const A& a, const margin* margins, pad_mode mode) {
    using T = typename A::value_type;
    if (mode == pad_mode::constant) return padded(a, margins, T{});
    const auto extents = padded_shape(a.shape(), margins, 1);
    if constexpr (std::is_void_v<typename A::wrapper>) {
        const auto y = tensor<T, A::rank, device_t<A>>::uninitialized(extents);
        if (y.size() > 0) continue_into(a, y, margins, mode);
        return y;
    } else {
        return padded_axes(a, margins,
                           [&](const A& x, int d, const margin& m) { return continued_axis(x, d, m, mode); });
    }
}

}  // namespace detail

/// `x` with a margin of `value` around it: margins[d].before elements before those of axis d and .after after them.
/// Throws value_error for a negative margin and an integer that x cannot hold. One margin, {{1, 2}}, is that of each
/// axis. (numpy.pad, torch.nn.functional.pad, with the axes in their own order.)
template <expression E, int N, detail::fills<typename E::value_type> V = typename E::value_type>
auto pad(const E& x, const margin (&margins)[N], const V& value = {}) {
    return detail::padded(evaluate(x), detail::margins_of_axes<E::rank>(margins).axis,
                          detail::filling_value<typename E::value_type>(value));
}
/// The same with what `mode` says, which needs an element along an axis to continue; one alone is repeated. Throws
/// value_error where there is none.
template <expression E, int N>
auto pad(const E& x, const margin (&margins)[N], pad_mode mode) {
    return detail::padded(evaluate(x), detail::margins_of_axes<E::rank>(margins).axis, mode);
}

/// The same with the value that pad_mode::constant is for, as torch has it. Throws value_error with another mode.
template <expression E, int N, detail::fills<typename E::value_type> V>
auto pad(const E& x, const margin (&margins)[N], pad_mode mode, const V& value) {
    if (mode != pad_mode::constant)
        detail::raise<value_error>({"[pad] a value is for pad_mode::constant alone: the others continue the array"});
    return pad(x, margins, value);
}

/// The same margin on all sides, pad(x, 1), pad(x, 1, value), pad(x, 1, mode), or before and after those of each axis,
/// pad(x, {1, 2}).
template <expression E, std::integral Width, class... Fill>
auto pad(const E& x, const Width (&sides)[2], const Fill&... fill) {
    const margin each[1] = {{static_cast<index_t>(sides[0]), static_cast<index_t>(sides[1])}};
    return pad(x, each, fill...);
}
template <expression E, std::integral Width, class... Fill>
auto pad(const E& x, Width width, const Fill&... fill) {
    return pad(x, {width, width}, fill...);
}

}  // namespace ricci

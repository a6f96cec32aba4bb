// Basic indexing as NumPy has it: integers, slices of either sign, all, ellipsis and newaxis, always a view. What index
// arrays and masks select is in ops/index.
#pragma once
#include <iosfwd>

#include "fused.hpp"

namespace ricci {

/// "Not given": an open end of a slice, an argument that vmap does not map.
struct none_t {};
inline constexpr none_t none{};

/// start:stop:step of one axis, slice() all of it. Negative positions count from the end; `none` leaves an end open;
/// the step may be negative, not zero. Positions beyond the axis are clipped, as in Python.
struct slice {
    static constexpr index_t open = std::numeric_limits<index_t>::min();
    index_t start = open, stop = open, step = 1;

    constexpr slice() = default;
    template <class A, class B>
    constexpr slice(A a, B b, index_t s = 1) : start(position(a)), stop(position(b)), step(s) {}
    template <class B>
    constexpr explicit slice(B b) : stop(position(b)) {}

    /// Writes "slice(1, none, 2)".
    template <class Traits>
    friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const slice& s) {
        const auto bound = [&out](const char* before, index_t i) {
            if (i == open) out << before << "none";
            else out << before << i;
        };
        bound("slice(", s.start);
        bound(", ", s.stop);
        if (s.step != 1) bound(", ", s.step);
        return out << ')';
    }

   private:
    static constexpr index_t position(none_t) { return open; }
    template <class I>
    static constexpr index_t position(const I& i) {
        static_assert(!std::is_floating_point_v<I>, "ricci: the bounds of a slice are integers, or none");
        const auto p = detail::as_position(i);
        return p == open ? open + 1 : p;  // before all elements, too
    }
};

namespace detail {
template <class E>
struct all_reduction;
}

/// The whole axis; called, whether all elements are not zero: all(x), all(x, axis), all(x, {0, 1}, keepdims)
/// (ops/search.hpp).
struct all_t {
    template <expression E, class... Options>
    auto operator()(const E& x, const Options&... options) const {
        return detail::all_reduction<E>::over(x, options...);
    }
    template <expression E, int N, class... Options>
    auto operator()(const E& x, const int (&axes)[N], const Options&... options) const {
        return detail::all_reduction<E>::over(x, axes, options...);
    }
};
inline constexpr all_t all{};
/// As many whole axes as are left.
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};
/// A new axis of extent 1.
struct newaxis_t {};
inline constexpr newaxis_t newaxis{};

namespace detail {

template <class I>
inline constexpr bool is_integer_index = std::is_integral_v<I> && !std::is_same_v<I, bool>;
template <class I>
inline constexpr bool is_basic_index = is_integer_index<I> || std::is_same_v<I, slice> || std::is_same_v<I, all_t> ||
                                       std::is_same_v<I, ellipsis_t> || std::is_same_v<I, newaxis_t>;

/// An array of integers or truth values as an index.
template <class I>
inline constexpr bool is_index_array = false;
template <expression I>
inline constexpr bool is_index_array<I> = std::is_integral_v<typename I::value_type>;
/// Indices without arrays among them, and with some.
template <class... I>
concept basic_indices = (!is_index_array<I> && ...);
template <class... I>
concept array_indices = (is_index_array<I> || ...);
/// The place of an index array: as many whole axes as it indexes.
template <int N>
struct whole_axes {};

/// Axes that an index of type I uses up and gives.
template <class I>
inline constexpr int axes_used = std::is_same_v<I, ellipsis_t> || std::is_same_v<I, newaxis_t> ? 0 : 1;
template <class I>
inline constexpr int axes_given = is_integer_index<I> || std::is_same_v<I, ellipsis_t> ? 0 : 1;

template <int N>
inline constexpr int axes_used<whole_axes<N>> = N;
template <int N>
inline constexpr int axes_given<whole_axes<N>> = N;

[[noreturn, gnu::cold]] RICCI_NOINLINE inline void refuse_index(index_t i, int axis, index_t n) {
    raise<index_error>({"index ", i, " is out of bounds for axis ", axis, " with size ", n});
}

/// Fills a view's spec by one index after the other. All of it is inlined: what the types decide are constants then,
/// and the spec, which would be most of the time of a small expression, need not exist.
template <int In, int Out>
class index_builder {
   public:
    RICCI_INLINE index_builder(const shape<In>& extents, view_spec<In, Out>& spec) : from_(extents), spec_(spec) {}

    template <class... I>
    RICCI_INLINE void build(const I&... i) {
        constexpr int rest = In - (0 + ... + axes_used<I>);
        constexpr bool dots = (std::is_same_v<I, ellipsis_t> || ...);
        (..., take(i, rest));
        if (!dots) whole(rest);
    }

   private:
    RICCI_INLINE void axis(index_t start, index_t count, index_t step) {
        spec_.start[in_] = start;
        spec_.extents[out_] = count;
        spec_.step[out_] = step;
        spec_.source[out_++] = in_++;
    }
    RICCI_INLINE void whole(int axes) {
        for (int d = 0; d < axes; ++d) axis(0, from_[in_], 1);
    }
    template <int N>
    RICCI_INLINE void take(whole_axes<N>, int) {
        whole(N);
    }
    template <class I>
    RICCI_INLINE void take(const I& i, int rest) {
        if constexpr (std::is_same_v<I, all_t>) whole(1);
        else if constexpr (std::is_same_v<I, ellipsis_t>) whole(rest);
        else if constexpr (std::is_same_v<I, newaxis_t>) {
            spec_.extents[out_] = 1;
            spec_.step[out_] = 0;
            spec_.source[out_++] = -1;
        } else if constexpr (std::is_same_v<I, slice>) take_slice(i);
        else if constexpr (is_integer_index<I>) take_integer(as_position(i));
    }
    RICCI_INLINE void take_integer(index_t i) {
        const index_t n = from_[in_];
        if (i < -n || i >= n) [[unlikely]]
            refuse_index(i, in_, n);
        spec_.start[in_++] = i < 0 ? i + n : i;
    }
    RICCI_INLINE void take_slice(const slice& s) {
        if (s.step == 0) detail::raise<value_error>({"[slice] the step must not be zero"});
        const index_t n = from_[in_];
        const index_t low = s.step > 0 ? 0 : -1, high = s.step > 0 ? n : n - 1;
        auto clip = [&](index_t p, index_t otherwise) RICCI_INLINE_LAMBDA {
            if (p == slice::open) return otherwise;
            if (p < 0) p += n;
            return p < low ? low : p > high ? high : p;
        };
        const index_t start = clip(s.start, s.step > 0 ? low : high), stop = clip(s.stop, s.step > 0 ? high : low);
        const index_t gap = s.step > 0 ? stop - start : start - stop;
        const index_t steps = gap <= 0 ? 0 : s.step == 1 ? gap - 1 : (gap - 1) / s.step;  // of the step's sign
        const index_t count = gap > 0 ? (steps < 0 ? -steps : steps) + 1 : 0;
        axis(start, count, count > 1 ? s.step : 1);  // a huge step that is never taken must not overflow strides
    }

    const shape<In>& from_;
    view_spec<In, Out>& spec_;
    int in_ = 0, out_ = 0;
};
/// The view that basic indices select from an array.
template <int Out, int In, class... I>
RICCI_INLINE view_spec<In, Out> index_view(const shape<In>& extents, const I&... i) {
    view_spec<In, Out> spec;
    index_builder<In, Out>(extents, spec).build(i...);
    return spec;
}

template <expression E, int R>
auto expanded(const E& x, const shape<R>& extents);
/// What a view of an array to which a map's leaf broadcasts shows of the leaf.
template <int R, int Out, class A>
auto shown_of_leaf(const A& a, const shape<R>& extents, const view_spec<R, Out>& spec) {
    if constexpr (Out > 0) {
        return view_of(expanded(a, extents), spec);
    } else if constexpr (A::rank == 0) {
        return evaluate(a);
    } else {  // one element: no vertex of a graph for the array
        view_spec<A::rank, 0> at;
        for (int d = 0; d < A::rank; ++d) at.start[d] = a.shape()[d] == 1 ? 0 : spec.start[R - A::rank + d];
        return view_of(evaluate(a), at);
    }
}
/// What the view of a map shows, computed of the same view of each of its leaves.
template <int Out, class E>
auto shown_of_map(const E& e, const view_spec<E::rank, Out>& spec) {
    const auto extents = e.shape();
    const auto leaves = leaves_of(e);
    const auto op = forward_op<Out, false, Out, decltype(slot_types(leaves))>(make_tree(e), spec.extents, spec.extents);
    return unpack([&](const auto*... a) { return call1(op, shown_of_leaf(*a, extents, spec)...); }, leaves);
}

/// Whether what a view of so many axes shows of a map is computed of its leaves. Under transforms, where a view of each
/// of these is a vertex in turn, that pays for single elements.
template <int Out, class E>
constexpr bool shows_of_leaves() {
    if constexpr (E::is_array || deferred<E>) return false;
    else return all_plain<E>() || (Out == 0 && !may_come_apart<E>());
}

}  // namespace detail

/// `x(i, ...)`: integers drop their axis, slices keep it, missing indices mean whole axes. A view; of a lazy map what
/// it shows is computed, and nothing else. Throws index_error for an integer outside of its axis.
template <expression E, class... I>
    requires detail::basic_indices<I...>
RICCI_INLINE auto index(const E& x, const I&... i) {
    constexpr int used = (0 + ... + detail::axes_used<I>);
    static_assert(
        (detail::is_basic_index<I> && ...),
        "ricci: index with integers, ricci::slice, ricci::all, ricci::ellipsis, ricci::newaxis and arrays of integers "
        "or truth values");
    static_assert((0 + ... + int(std::is_same_v<I, ellipsis_t>)) <= 1, "ricci: at most one ellipsis in an index");
    static_assert(used <= E::rank, "ricci: more indices than the array has axes");
    constexpr int out = E::rank - used + (0 + ... + (std::is_same_v<I, ellipsis_t> ? 0 : detail::axes_given<I>));
    if constexpr (used > E::rank) {
        return x;
    } else if constexpr (E::is_array) {
        return detail::view_of(x, detail::index_view<out>(x.shape(), i...));
    } else if constexpr (detail::shows_of_leaves<out, E>()) {
        return detail::shown_of_map<out>(x, detail::index_view<out>(x.shape(), i...));
    } else {
        const auto a = evaluate(x);
        return detail::view_of(a, detail::index_view<out>(a.shape(), i...));
    }
}

}  // namespace ricci

// Reductions of fixed tensors, over all axes or along some that are known at compile time.
#pragma once
#include "../../cpu/combine.hpp"
#include "../norm.hpp"
#include "../reduce.hpp"
#include "map.hpp"

namespace ricci {

/// Axes of a reduction as a type, so that the shape that it leaves is known at compile time: sum(m, along<0>). Negative
/// axes count from the end.
template <int... Axis>
struct along_t {};
template <int... Axis>
inline constexpr along_t<Axis...> along{};

namespace detail {

/// What a reduction of X along the axes A (none: all) leaves, and which elements of X make each element of it.
template <class X, class Keep, int... A>
struct fixed_reduction {
    static constexpr bool whole = sizeof...(A) == 0;
    static_assert(((A >= -X::rank && A < X::rank) && ...),
                  "ricci: a reduction's axis is out of range for the fixed tensor");
    static constexpr bool reduces([[maybe_unused]] int axis) {
        return whole || (... || ((A < 0 ? A + X::rank : A) == axis));
    }
    static constexpr bool keeps = std::is_same_v<Keep, keepdims_t>;
    static constexpr int rank = keeps ? X::rank : whole ? 0 : X::rank - int(sizeof...(A));
    static constexpr auto plan = [] {
        struct {
            shape<X::rank> one;   // extents in X of what is joined into one element
            shape<X::rank> left;  // and of the results, as many axes
            shape<rank> extents;
            int reduced = 0;
        } p;
        int out = 0;
        for (int d = 0; d < X::rank; ++d) {
            const index_t n = X::shape()[d];
            p.one[d] = reduces(d) ? n : 1;
            p.left[d] = reduces(d) ? 1 : n;
            p.reduced += reduces(d);
            if (keeps || !reduces(d)) p.extents[out++] = p.left[d];
        }
        return p;
    }();
    static_assert(whole || plan.reduced == int(sizeof...(A)), "ricci: a reduction names an axis twice");
    static constexpr index_t joined = plan.one.count();
    template <class T, int... D>
    static fixed_tensor<T, plan.extents[D]...> result_with(std::integer_sequence<int, D...>);
    template <class T>
    using result = decltype(result_with<T>(std::make_integer_sequence<int, rank>{}));
    /// Where the k-th part of a grid in X stands.
    static constexpr index_t place(const shape<X::rank>& grid, index_t k) {
        const auto steps = row_major(X::shape());
        index_t at = 0;
        for (int d = X::rank - 1; d >= 0; --d) {
            at += k % grid[d] * steps[d];
            k /= grid[d];
        }
        return at;
    }
    static constexpr auto places = [] {
        struct {
            index_t first[X::count + 1] = {}, next[X::count + 1] = {};
        } p;
        for (index_t k = 0; k < plan.left.count() && X::count > 0; ++k) p.first[k] = place(plan.left, k);
        for (index_t k = 0; k < joined && X::count > 0; ++k) p.next[k] = place(plan.one, k);
        return p;
    }();
};

/// f(0), ..., f(N - 1) joined: in pairs while they are few, so that rounding errors do not pile up and nothing waits,
/// else in columns.
template <index_t N, class Join, class F>
RICCI_INLINE constexpr auto join_values(const Join& join, const F& f, index_t first = 0) {
    constexpr index_t columns = 8;
    if constexpr (N == 1) {
        return f(first);
    } else if constexpr (N <= max_unrolled) {
        return join(join_values<(N + 1) / 2>(join, f, first), join_values<N / 2>(join, f, first + (N + 1) / 2));
    } else {
        decltype(f(first)) column[columns];
        for (index_t c = 0; c < columns; ++c) column[c] = f(first + c);
        for (index_t k = columns; k + columns <= N; k += columns)
            for (index_t c = 0; c < columns; ++c) column[c] = join(column[c], f(first + k + c));
        for (index_t c = 0; c < N % columns; ++c) column[c] = join(column[c], f(first + N - N % columns + c));
        return join_values<columns>(join, [&](index_t c) RICCI_INLINE_LAMBDA { return column[c]; });
    }
}
/// The values of f over X's elements joined along the axes of a reduction, the first one with nothing, which gives
/// `none`.
template <class R, class T, class Join, class X, class F>
RICCI_INLINE constexpr auto reduce_fixed(const X& x, const T& none, const Join& join, const F& f) {
    return R::template result<T>::generate([&](index_t k) RICCI_INLINE_LAMBDA {
        if constexpr (R::joined == 0) {
            return none;
        } else {
            return join_values<R::joined>(join, [&](index_t j) RICCI_INLINE_LAMBDA {
                return static_cast<T>(f(x.data()[R::places.first[k] + R::places.next[j]]));
            });
        }
    });
}

/// The type that a reduction of elements T is computed in, and its result's: of scalars that are no elements they are
/// T.
template <class T>
struct fixed_sum_types {
    using computed = T;
    using result = T;
    using inexact = T;
};
template <element T>
struct fixed_sum_types<T> {
    using computed = compute_t<sum_type<T>>;
    using result = sum_type<T>;
    using inexact = inexact_t<T>;
};
template <class To, class S>
RICCI_INLINE constexpr auto converted_fixed(const S& x) {
    if constexpr (element<To> && element<S>) return convert_element<To>(x);
    else return static_cast<To>(x);
}

/// f of the elements, of type W, combined along the axes of a reduction.
template <class Combine, class R, class W, class X, class F>
RICCI_INLINE constexpr auto fold_fixed(const X& x, const F& f) {
    return reduce_fixed<R>(
        x, Combine::template identity<W>(),
        [](const W& a, const W& b) RICCI_INLINE_LAMBDA { return Combine::join(a, b); }, f);
}
/// The elements themselves, combined in the type W.
template <class Combine, class R, class W, class X>
RICCI_INLINE constexpr auto fold_fixed(const X& x) {
    return fold_fixed<Combine, R, W>(x, [](const auto& e) RICCI_INLINE_LAMBDA { return converted_fixed<W>(e); });
}

template <class Combine>
struct fixed_fold {
    template <class R, class X>
    RICCI_INLINE static constexpr auto over(const X& x) {
        using types = fixed_sum_types<typename X::value_type>;
        return typename R::template result<typename types::result>(fold_fixed<Combine, R, typename types::computed>(x));
    }
};
using fixed_sum = fixed_fold<combine_plus>;
using fixed_prod = fixed_fold<combine_multiply>;
struct fixed_mean {
    template <class R, class X>
    RICCI_INLINE static constexpr auto over(const X& x) {
        using T = typename fixed_sum_types<typename X::value_type>::inexact;
        using W = typename fixed_sum_types<T>::computed;
        return typename R::template result<T>(fold_fixed<combine_plus, R, W>(x) / static_cast<double>(R::joined));
    }
};
template <class Op>
struct fixed_extremum {
    template <class R, class X>
    RICCI_INLINE static constexpr auto over(const X& x) {
        using T = typename X::value_type;
        static_assert(R::joined > 0 || R::template result<T>::count == 0,
                      "ricci: max and min of an empty axis of a fixed tensor: there are no elements");
        return reduce_fixed<R>(
            x, T(0), [](const T& a, const T& b) RICCI_INLINE_LAMBDA { return static_cast<T>(evaluate_op(Op{}, a, b)); },
            [](const T& e) RICCI_INLINE_LAMBDA { return e; });
    }
};
/// The 2-norm. The root has an infinite slope at 0, which is kept out.
struct fixed_norm {
    template <class R, class X>
    RICCI_INLINE static constexpr auto over(const X& x) {
        using T = typename fixed_sum_types<typename X::value_type>::inexact;
        using W = typename fixed_sum_types<T>::computed;
        const auto total = [&] {
            if constexpr (is_complex_v<W>) {
                return fold_fixed<combine_plus, R, real_t<W>>(
                    x, [](const W& e) RICCI_INLINE_LAMBDA { return e.real() * e.real() + e.imag() * e.imag(); });
            } else {
                return fold_fixed<combine_plus, R, W>(x, [](const auto& e) RICCI_INLINE_LAMBDA {
                    const W y = converted_fixed<W>(e);
                    return y * y;
                });
            }
        }();
        if constexpr (element<W>) return typename R::template result<real_t<T>>(sqrt(total));
        else return where(total > W(0), sqrt(total), total);
    }
};

/// The reductions that fixed tensors have themselves, of a fixed tensor or, by the general functions, of any
/// expression.
template <class How, class Keep, int... A, class E, class General>
RICCI_INLINE constexpr auto reduce_along(const E& e, const General& general) {
    if constexpr (fixed_expression<E>) {
        return How::template over<fixed_reduction<E, Keep, A...>>(e);
    } else {
        const int axes[] = {A...};
        return general(e, axes);
    }
}

}  // namespace detail

/// The reductions of fixed tensors give fixed tensors, of rank 0 over all axes. Axes are given as along<0>, along<0,
/// -1>, to reductions of other expressions as well; a fixed tensor reduced over an axis that is a number counts as a
/// tensor.
#define RICCI_FIXED_REDUCTION(name, How)                                                     \
    template <fixed_expression E, keep_option Keep = dropdims_t>                             \
    RICCI_INLINE constexpr auto name(const E& x, Keep = {}) {                                \
        return detail::How::over<detail::fixed_reduction<E, Keep>>(x);                       \
    }                                                                                        \
    template <expression E, int... Axis, keep_option Keep = dropdims_t>                      \
        requires(sizeof...(Axis) > 0)                                                        \
    RICCI_INLINE constexpr auto name(const E& x, along_t<Axis...>, Keep keep = {}) {         \
        return detail::reduce_along<detail::How, Keep, Axis...>(                             \
            x, [&](const auto& e, const auto& axes) { return ricci::name(e, axes, keep); }); \
    }
namespace detail {
using fixed_max = fixed_extremum<ops::maximum>;
using fixed_min = fixed_extremum<ops::minimum>;
}  // namespace detail
RICCI_FIXED_REDUCTION(sum, fixed_sum)
RICCI_FIXED_REDUCTION(mean, fixed_mean)
RICCI_FIXED_REDUCTION(prod, fixed_prod)
RICCI_FIXED_REDUCTION(max, fixed_max)
RICCI_FIXED_REDUCTION(min, fixed_min)
RICCI_FIXED_REDUCTION(norm, fixed_norm)
#undef RICCI_FIXED_REDUCTION

/// Whether two fixed tensors have the same extents and equal elements.
template <fixed_expression A, fixed_expression B>
RICCI_INLINE constexpr bool array_equal(const A& a, const B& b) {
    if constexpr (A::rank != B::rank) {
        return false;
    } else if constexpr (A::shape() == B::shape()) {
        const auto same = a == b;
        for (const bool equal : same)
            if (!equal) return false;
        return true;
    } else {
        return false;
    }
}

}  // namespace ricci

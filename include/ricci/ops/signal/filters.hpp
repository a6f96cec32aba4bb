// Filters made of lfilter: forward and back, and in sections.
#pragma once
#include "../../cpu/filter_sections.hpp"
#include "../../expr/lift.hpp"
#include "../scan.hpp"
#include "lfilter.hpp"

namespace ricci {
namespace detail {

/// Rows with `edge` elements more at both ends: the lines turned by half a turn about their ends, so that they go on
/// smoothly.
template <class X>
auto with_odd_ends(const X& x, index_t edge) {
    const index_t n = x.shape()[1];
    const auto first = stretch_of(x, 1, 0, 1), last = stretch_of(x, 1, n - 1, 1);
    const auto before = evaluate(2 * first - flip(stretch_of(x, 1, 1, edge), 1));
    const auto behind = evaluate(2 * last - flip(stretch_of(x, 1, n - 1 - edge, edge), 1));
    return concat(std::make_tuple(before, x, behind), 1);
}
/// A filter of rows forward and back, each time begun as if the first element had been there for ever: filter(rows,
/// first column).
template <class X, class F>
auto forward_and_back(const X& rows, index_t edge, const char* who, const F& filter) {
    const index_t n = rows.shape()[1];
    if (n <= edge || edge < 0)
        raise<shape_error>({"[", who, "] lines of ", n, " elements must be longer than the ", edge,
                            " elements that are put before and behind them"});
    const auto once = [&](const auto& x) { return flip(filter(x, evaluate(stretch_of(x, 1, 0, 1))), 1); };
    return evaluate(stretch_of(once(once(with_odd_ends(rows, edge))), 1, edge, n));
}

/// Of a section's coefficients b and a, rows with a[0] = 1, the gain of a constant.
template <class B, class A>
auto section_gain(const B& b, const A& a) {
    return evaluate(sum(b, 1, keepdims) / sum(a, 1, keepdims));
}
template <class T, class S>
auto sections_of_filter(const S& sections, const char* who) {
    static_assert(S::rank == 2, "ricci: sections of a filter are rows {b0, b1, b2, a0, a1, a2}");
    const auto s = evaluate_as<T>(sections);
    if (s.shape()[1] != 6 || s.shape()[0] == 0)
        raise<shape_error>({"[", who, "] sections are rows of 6 coefficients, and not of shape ", s.shape()});
    return s;
}
/// f(section's number, b, a), rows whose a begins with 1, for one section after the other.
template <class S, class F>
void for_sections(const S& s, const F& f) {
    for (index_t i = 0; i < s.shape()[0]; ++i) {
        const auto forward = index(s, i, slice(0, 3)), back = index(s, i, slice(3, 6));
        f(i, filter_row(forward, back), filter_row(back, back));
    }
}
/// f(section's number, b, a, the state that it begins with if the `first` elements, a column, had been there for ever).
template <class S, class X, class F>
void for_section_states(const S& s, const X& first, const F& f) {
    auto start = lift(first, s);
    for_sections(s, [&](index_t i, const auto& b, const auto& a) {
        f(i, b, a, evaluate(start * signal::lfilter_zi(index(b, 0), index(a, 0))));
        start = evaluate(start * section_gain(b, a));
    });
}
/// Whether all sections have a kernel that filters in one pass: for what no transform looks at.
template <class S, class X>
constexpr bool filtered_at_once =
    std::is_void_v<typename S::wrapper> && std::is_void_v<typename X::wrapper> &&
    std::is_same_v<device_t<X>, cpu_device> &&
    (std::is_same_v<typename X::value_type, float> || std::is_same_v<typename X::value_type, double>);

/// Rows (lines, n) through one section after the other; with the lines' first elements, as if these had been there for
/// ever.
template <class S, class X, class... First>
auto through_each_section(const S& s, const X& rows, const First&... first) {
    auto y = lift(rows, s);
    const auto filter = [&](index_t, const auto& b, const auto& a, const auto&... state) {
        y = filter_lines(b, a, y, state...);
    };
    if constexpr (sizeof...(First) == 0) for_sections(s, filter);
    else (for_section_states(s, first, filter), ...);
    return y;
}
/// The same, of several sections in one pass where that can be; one alone is sooner done by lfilter's kernel.
template <class S, class X, class... First>
auto through_sections(const S& s, const X& rows, const First&... first) {
    using Y = decltype(through_each_section(s, rows, first...));
    if constexpr (filtered_at_once<S, X>) {
        using T = typename X::value_type;
        const index_t lines = rows.shape()[0], count = s.shape()[0];
        if (count == 1) return through_each_section(s, rows, first...);
        const auto sections = evaluate(s / index(s, all, slice(3, 4)));
        const auto states = tensor<T, 3>::uninitialized({sizeof...(First) > 0 ? lines : 0, count, 2});
        (for_section_states(s, first,
                            [&](index_t i, const auto&, const auto&, const auto& state) {
                                executor<cpu_device>::copy(state, index(states, all, i, all));
                            }),
         ...);
        const auto y = rows.clone();
        filter_sections<T>(sections.data(), count, rows.shape()[1])
            .run(lines, sizeof...(First) > 0 ? states.data() : nullptr, y.data());
        return Y(y);
    } else {
        return through_each_section(s, rows, first...);
    }
}

}  // namespace detail

namespace signal {

/// lfilter forward and back along an axis of x: no phase, and the square of the gain. Lines are first continued at both
/// ends by `padlen` elements, turned about their ends, and the filter begins in the state of lfilter_zi. Throws
/// shape_error for lines of padlen elements or fewer; by default it is 3 times the number of coefficients of b or a.
/// Differentiable. (scipy.signal.filtfilt.)
template <operand B, operand A, expression X>
auto filtfilt(const B& b, const A& a, const X& x, int axis = -1, detail::optional_length padlen = {}) {
    using T = detail::filter_element<X, B, A>;
    return detail::filter_along<T>(
        b, a, x, axis, "filtfilt", [&](const auto& forward, const auto& back, const auto& rows, const auto& lines) {
            const auto zi = lfilter_zi(index(forward, 0), index(back, 0));
            const index_t edge = padlen.given ? padlen.value : 3 * std::max(forward.shape()[1], back.shape()[1]);
            return lines(detail::forward_and_back(rows, edge, "filtfilt", [&](const auto& line, const auto& first) {
                return detail::filter_lines(forward, back, line, evaluate(first * zi));
            }));
        });
}

// Coefficients in braces: lfilter({0.1}, {1, -0.9}, x).
#define RICCI_LISTED_COEFFICIENTS(function)                                                                \
    template <int N, int M, expression X, class... More>                                                   \
    auto function(const double(&b)[N], const double(&a)[M], const X& x, const More&... more) {             \
        return function(detail::listed_coefficients<X>(b), detail::listed_coefficients<X>(a), x, more...); \
    }                                                                                                      \
    template <int N, operand A, expression X, class... More>                                               \
    auto function(const double(&b)[N], const A& a, const X& x, const More&... more) {                      \
        return function(detail::listed_coefficients<X>(b), a, x, more...);                                 \
    }                                                                                                      \
    template <operand B, int M, expression X, class... More>                                               \
    auto function(const B& b, const double(&a)[M], const X& x, const More&... more) {                      \
        return function(b, detail::listed_coefficients<X>(a), x, more...);                                 \
    }
RICCI_LISTED_COEFFICIENTS(lfilter)
RICCI_LISTED_COEFFICIENTS(filtfilt)
#undef RICCI_LISTED_COEFFICIENTS

/// The filter of second-order sections, rows {b0, b1, b2, a0, a1, a2} of `sections`, one after the other along an axis
/// of x: exact where the coefficients of the whole would not be. Types as lfilter's. Throws shape_error for rows that
/// are not of 6 elements. Differentiable. (scipy.signal.sosfilt.)
template <expression S, expression X>
auto sosfilt(const S& sections, const X& x, int axis = -1) {
    using T = detail::filter_element<S, X>;
    static_assert(X::rank >= 1, "ricci: filters need an array of rank 1 or more");
    const auto s = detail::sections_of_filter<T>(sections, "sosfilt");
    const int at = detail::normalize_axis(axis, X::rank, "sosfilt");
    const auto lines = detail::move_axis(detail::evaluate_as<T>(x), at, X::rank - 1);
    return detail::lines_of_rows(detail::through_sections(s, detail::rows_of_lines(lines)), lines.shape(), at);
}

/// The same forward and back, as filtfilt. `padlen` is SciPy's by default: 3 times one more than the filter's order.
/// (scipy.signal.sosfiltfilt.)
template <expression S, expression X>
auto sosfiltfilt(const S& sections, const X& x, int axis = -1, detail::optional_length padlen = {}) {
    using T = detail::filter_element<S, X>;
    const auto s = detail::sections_of_filter<T>(sections, "sosfiltfilt");
    static_assert(X::rank >= 1, "ricci: filters need an array of rank 1 or more");
    const int at = detail::normalize_axis(axis, X::rank, "sosfiltfilt");
    const auto lines = detail::move_axis(detail::evaluate_as<T>(x), at, X::rank - 1);
    index_t edge = padlen.value;
    if (!padlen.given) {
        const auto zeros_of = [&](int k) {
            return sum(detail::plain_values(evaluate(index(s, all, k) == T(0)), "sosfiltfilt",
                                            "under vmap padlen must be given"))
                .item();
        };
        edge = 3 * (2 * s.shape()[0] + 1 - static_cast<index_t>(std::min(zeros_of(2), zeros_of(5))));
    }
    const auto y = detail::forward_and_back(
        detail::rows_of_lines(lines), edge, "sosfiltfilt",
        [&](const auto& rows, const auto& first) { return detail::through_sections(s, rows, first); });
    return detail::lines_of_rows(y, lines.shape(), at);
}

}  // namespace signal
}  // namespace ricci

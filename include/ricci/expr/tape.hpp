// A function of scalars run once, with each op's partial derivatives written on a tape: what a backward sweep over a user's own
// function needs. The tape has as many entries as the function has ops, which is found when it is compiled: with everything
// inlined, the entries are registers, and the sweep is straight-line code.
#pragma once
#include <limits>

#include "op.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// A scalar whose computation goes onto a tape. `at` is its entry there: inputs come first; constants have none (-1).
template <class Tape>
struct taped {
    using scalar = typename Tape::scalar;
    scalar value{};
    Tape* tape = nullptr;
    int at = -1;

    constexpr taped() = default;
    RICCI_HD RICCI_INLINE constexpr taped(const scalar& v, Tape* t, int i) : value(v), tape(t), at(i) {}
    // Member by member, as duals are.
    RICCI_HD RICCI_INLINE constexpr taped(const taped& other) : value(other.value), tape(other.tape), at(other.at) {}
    RICCI_HD RICCI_INLINE constexpr taped& operator=(const taped& other) {
        value = other.value;
        tape = other.tape;
        at = other.at;
        return *this;
    }
    /// A constant.
    template <class N>
        requires(std::is_arithmetic_v<N>)
    RICCI_HD RICCI_INLINE constexpr taped(N n) : value(static_cast<scalar>(n)) {}
};
template <class Tape>
inline constexpr bool is_kernel_scalar_v<taped<Tape>> = true;
template <class Tape>
inline constexpr bool is_taped_v<taped<Tape>> = true;
template <class Tape>
struct detail::register_in<taped<Tape>> : detail::register_in<typename Tape::scalar> {};

namespace ops {
struct add;
struct subtract;
struct multiply;
struct divide;
struct negative;
struct positive;
struct reciprocal;
struct square;
struct sqrt;
struct rsqrt;
struct exp;
struct expm1;
struct log;
struct log1p;
struct sin;
struct cos;
struct sinh;
struct cosh;
struct tanh;
struct atan;
struct erf;
struct erfc;
struct sigmoid;
struct softplus;
}  // namespace ops

namespace detail {

template <class Op, class... Other>
inline constexpr bool is_any_of = (std::is_same_v<Op, Other> || ...);
/// Ops that a tape takes: real, of one or two arguments, and none that selects, beside whose infinite branch a sweep backward
/// would find 0 times infinity where one forward does not.
template <class Op>
inline constexpr bool is_smooth_op =
    is_any_of<Op, ops::add, ops::subtract, ops::multiply, ops::divide, ops::negative, ops::positive, ops::reciprocal,
              ops::square, ops::sqrt, ops::rsqrt, ops::exp, ops::expm1, ops::log, ops::log1p, ops::sin, ops::cos,
              ops::sinh, ops::cosh, ops::tanh, ops::atan, ops::erf, ops::erfc, ops::sigmoid, ops::softplus>;

/// In place of a tape: how many ops there are, and whether a tape takes them all.
struct tape_length {
    struct scalar {
        constexpr scalar() = default;
        template <class N>
        constexpr explicit scalar(N) {}
    };
    int ops = 0;
    bool fits = true;
};
/// The partial derivatives of each op.
template <class S, int Inputs, int Ops>
struct tape {
    using scalar = S;
    static constexpr int entries = Inputs + Ops;
    int size = Inputs;
    int from[entries][2];
    bool chained[entries] = {};  // whether the second partial derivative is one of what the first argument is given
    S partial[entries][2];

    /// Entry `at` is a / b, with the partial derivative r in a: what b is given is -a r times what a is, a product less, and
    /// less to hold until then, than by -a r^2.
    template <class A>
    RICCI_HD RICCI_INLINE constexpr void chain(int at, const A& a, const S& r) {
        if (from[at][1] < 0) return;
        chained[at] = true;
        partial[at][0] = r;
        partial[at][1] = S(-(a * r));
    }

    /// The adjoints of the inputs for the given adjoint of an entry. NaN for another function than the one that was measured.
    RICCI_HD RICCI_INLINE constexpr void sweep(int result, const S& y_bar, S (&x_bar)[Inputs]) const {
        S bar[entries];
        bool reached[entries] = {};
        if (result >= 0) {
            bar[result] = y_bar;
            reached[result] = true;
        }
        sweep_entries(bar, reached, std::make_integer_sequence<int, Ops>{});
        for (int i = 0; i < Inputs; ++i)
            x_bar[i] = size != entries ? S(std::numeric_limits<double>::quiet_NaN()) : reached[i] ? bar[i] : S(0);
    }

   private:
    template <int... I>
    RICCI_HD RICCI_INLINE constexpr void sweep_entries(S (&bar)[entries], bool (&reached)[entries],
                                                       std::integer_sequence<int, I...>) const {
        (pass_on<entries - 1 - I>(bar, reached), ...);
    }
    template <int I>
    RICCI_HD RICCI_INLINE constexpr void pass_on(S (&bar)[entries], bool (&reached)[entries]) const {
        if (I >= size || !reached[I]) return;
        const S bars[2] = {bar[I], chained[I] ? S(bar[I] * partial[I][0]) : bar[I]};
        for (int k = 0; k < 2; ++k) {
            const int to = from[I][k];
            if (to < 0) continue;
            bar[to] = reached[to] ? S(bar[to] + bars[k] * partial[I][k]) : S(bars[k] * partial[I][k]);
            reached[to] = true;
        }
    }
};

/// A taped scalar's value, and C++ numbers as they are.
template <class X>
RICCI_HD RICCI_INLINE constexpr auto taped_value(const X& x) {
    if constexpr (is_taped_v<X>) return as_number(x.value);
    else return x;
}
template <class X, class... Rest>
struct tape_of : tape_of<Rest...> {};
template <class Tape, class... Rest>
struct tape_of<taped<Tape>, Rest...> {
    using type = Tape;
};
/// The tape of the scalars that are no constants.
template <class Tape, class... X>
RICCI_HD RICCI_INLINE constexpr Tape* tape_among(const X&... x) {
    Tape* found = nullptr;
    const auto look = [&](const auto& a) {
        if constexpr (is_taped_v<std::remove_cvref_t<decltype(a)>>)
            if (a.tape) found = a.tape;
    };
    (look(x), ...);
    return found;
}

/// An op on a tape's scalars: its value, with the partial derivatives as a new entry.
template <class Tape, class Op, class Pack, class... V>
RICCI_HD RICCI_INLINE constexpr taped<Tape> record_values(Tape* to, const Op& op, const Pack& x, const V&... v) {
    using S = typename Tape::scalar;
    const traced_value<Op, V...> t(op, v...);
    const S y(t.value());
    if (!to) return {y, nullptr, -1};
    const auto bars = t.pullback(op, S(1), v...);
    const int at = to->size++;
    if (at >= Tape::entries) return {y, to, -1};
    to->from[at][0] = to->from[at][1] = -1;
    for_indices<Pack::size>([&](auto i) {
        if constexpr (is_taped_v<pack_element_t<i(), Pack>>) {
            to->from[at][i()] = get<i()>(x).at;
            to->partial[at][i()] = S(get<i()>(bars));
        }
    });
    if constexpr (std::is_same_v<Op, ops::divide>) to->chain(at, get<0>(make_pack(v...)), S(get<0>(bars)));
    return {y, to, at};
}
/// C++ numbers converted as the op does on scalars.
template <class Tape, class Op, int... I, class Pack, class... V>
RICCI_HD RICCI_INLINE constexpr auto record_numbers(Tape* to, const Op& op, std::integer_sequence<int, I...>,
                                                    const Pack& x, const V&... v) {
    using numbers = number_arguments<Op, std::integer_sequence<int, I...>, V...>;
    if constexpr (converts_numbers<Op, V...>()) return record_values(to, op, x, plain(numbers::template at<I>(v))...);
    else return record_values(to, op, x, plain(v)...);
}
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto record_op(const Op& op, const X&... x) {
    using T = typename tape_of<X...>::type;
    T* const to = tape_among<T>(x...);
    if constexpr (std::is_same_v<T, tape_length>) {
        if (to) {
            ++to->ops;
            to->fits = to->fits && is_smooth_op<Op>;
        }
        return taped<T>({}, to, -1);
    } else {
        return record_numbers(to, op, std::make_integer_sequence<int, sizeof...(X)>{}, make_pack(x...),
                              taped_value(x)...);
    }
}

/// What a function without state does with N arguments, as far as constant evaluation tells.
template <class F, int... I>
constexpr tape_length measured(std::integer_sequence<int, I...>) {
    tape_length length;
    static_cast<void>(F{}(taped<tape_length>({}, &length, I)...));
    return length;
}
template <class F, class Indices, int = (measured<F>(Indices{}), 0)>
constexpr tape_length measured_or_none(int) {
    return measured<F>(Indices{});
}
template <class F, class Indices>
constexpr tape_length measured_or_none(...) {
    return {0, false};
}
/// How many ops a tape of F takes; -1 for a function that no tape takes: one with state, with ops that none takes, or with
/// work that is not known before it runs.
template <class F, int N>
constexpr int taped_ops() {
#if defined(__CUDACC__)
    return -1;
#else
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
        return -1;
    } else {
        constexpr tape_length length = measured_or_none<F, std::make_integer_sequence<int, N>>(0);
        return length.fits && length.ops > 0 && length.ops <= 256 ? length.ops : -1;
    }
#endif
}

}  // namespace detail
}  // namespace ricci
RICCI_BOTH_SIDES_END

// A function of scalars run once, with each op's partial derivatives written on a tape: what a backward sweep over a
// user's own function needs. The tape has as many entries as the function has ops, which is found when it is compiled:
// with everything inlined, the entries are registers, and the sweep is straight-line code.
#pragma once
#include <limits>

#include "op.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// Where a tape is, and how many entries it has: apart from these, for clang finds no constants in what is indexed by
/// variables.
template <class Tape>
struct tape_end {
    Tape* tape = nullptr;
    int* size = nullptr;
};
/// A scalar whose computation goes onto a tape. `at` is its entry there: inputs come first; constants have none (-1).
template <class Tape>
struct taped {
    using scalar = typename Tape::scalar;
    scalar value{};
    tape_end<Tape> to;
    int at = -1;

    constexpr taped() = default;
    RICCI_HD RICCI_INLINE constexpr taped(const scalar& v, const tape_end<Tape>& t, int i) : value(v), to(t), at(i) {}
    // Member by member, as duals are.
    RICCI_HD RICCI_INLINE constexpr taped(const taped& other) : value(other.value), to(other.to), at(other.at) {}
    RICCI_HD RICCI_INLINE constexpr taped& operator=(const taped& other) {
        value = other.value;
        to = other.to;
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
/// Ops that a tape takes: real, of one or two arguments, and none that selects, beside whose infinite branch a sweep
/// backward would find 0 times infinity where one forward does not.
template <class Op>
inline constexpr bool is_smooth_op =
    is_any_of<Op, ops::add, ops::subtract, ops::multiply, ops::divide, ops::negative, ops::positive, ops::reciprocal,
              ops::square, ops::sqrt, ops::rsqrt, ops::exp, ops::expm1, ops::log, ops::log1p, ops::sin, ops::cos,
              ops::sinh, ops::cosh, ops::tanh, ops::atan, ops::erf, ops::erfc, ops::sigmoid, ops::softplus>;

/// What a function does, as constant evaluation finds it: in place of a tape, how many ops there are, whether a tape
/// takes them all, the entries that each takes, and what a sweep from the result backward reaches.
struct tape_plan {
    struct scalar {
        constexpr scalar() = default;
        template <class N>
        constexpr explicit scalar(N) {}
    };
    static constexpr int most_inputs = 64, most_ops = 256;
    int inputs = 0, ops = 0, result = -1;
    bool fits = true;
    short from[most_ops][2] = {};
    bool divides[most_ops] = {};
    bool reached[most_inputs + most_ops] = {};
    bool adds[most_ops][2] = {};  // whether what an op gives is added to what later ones gave

    template <class Op, class... At>
    constexpr int add(At... at) {
        const int op = ops++;
        fits = fits && is_smooth_op<Op> && op < most_ops && sizeof...(At) <= 2;
        if (!fits) return -1;
        const int all[] = {at..., -1};
        for (int k = 0; k < 2; ++k) from[op][k] = static_cast<short>(all[k < int(sizeof...(At)) ? k : sizeof...(At)]);
        divides[op] = std::is_same_v<Op, ops::divide>;
        return inputs + op;
    }
    constexpr void follow(int last) {
        result = last;
        if (!fits || result < 0) return;
        reached[result] = true;
        for (int op = ops - 1; op >= 0; --op)
            for (int k = 0; k < 2; ++k) {
                const int to = from[op][k];
                if (to < 0 || !reached[inputs + op]) continue;
                adds[op][k] = reached[to];
                reached[to] = true;
            }
    }
    /// Whether op is a / b, both on the tape, whose partial derivatives are r and, of what a is given, -a r: a product
    /// less, and less to hold until then, than -a r^2.
    constexpr bool chains(int op) const { return divides[op] && from[op][1] >= 0; }
};

/// Whether functions evaluate their arguments in the order in which constant evaluation does, which a plan has.
#if defined(__clang__)
inline constexpr bool evaluates_in_order = true;
#else
inline constexpr bool evaluates_in_order = false;
#endif
/// The partial derivatives of each op. Where they come in the order of the plan, the sweep is the plan's: clang does
/// not see through what it has stored at places that are counted. g++ does, and notes the entries as they come.
template <class S, int Inputs, int Ops, class Plan>
struct tape {
    using scalar = S;
    static constexpr int inputs = Inputs, ops = Ops, entries = Inputs + Ops;
    static constexpr bool is_planned = !std::is_void_v<Plan>;
    int from[ops][2];
    bool chained[ops] = {};
    S partial[ops][2];

    /// Op `at` takes entry `entry` as argument k; false where that is not as planned.
    RICCI_HD RICCI_INLINE constexpr bool take(int at, int k, int entry) {
        from[at][k] = entry;
        if constexpr (is_planned) return Plan::value.from[at][k] == entry;
        else return true;
    }
    /// The adjoints of the inputs for the given adjoint of an entry, after so many ops. NaN for another function than
    /// the one that was planned.
    RICCI_HD RICCI_INLINE constexpr void sweep(int size, int result, const S& y_bar, S (&x_bar)[inputs]) const {
        S bar[entries];
        bool reached[entries] = {};
        if (result >= 0) {
            bar[result] = y_bar;
            reached[result] = true;
        }
        sweep_ops(bar, reached, std::make_integer_sequence<int, ops>{});
        const bool as_planned = size == ops && is_result(result);
        for (int i = 0; i < inputs; ++i)
            x_bar[i] = !as_planned ? S(std::numeric_limits<double>::quiet_NaN()) : is_given(reached, i) ? bar[i] : S(0);
    }

   private:
    RICCI_HD RICCI_INLINE static constexpr bool is_result(int entry) {
        if constexpr (is_planned) return Plan::value.result == entry;
        else return true;
    }
    RICCI_HD RICCI_INLINE static constexpr bool is_given(const bool* reached, int input) {
        if constexpr (is_planned) return Plan::value.reached[input];
        else return reached[input];
    }
    template <int... I>
    RICCI_HD RICCI_INLINE constexpr void sweep_ops(S (&bar)[entries], bool (&reached)[entries],
                                                   std::integer_sequence<int, I...>) const {
        (pass_on<ops - 1 - I>(bar, reached), ...);
    }
    template <int Op>
    RICCI_HD RICCI_INLINE constexpr void pass_on(S (&bar)[entries], bool (&reached)[entries]) const {
        if constexpr (is_planned) {
            if constexpr (Plan::value.reached[inputs + Op]) {
                const S& y_bar = bar[inputs + Op];
                give<Op, 0>(bar, y_bar);
                give<Op, 1>(bar, Plan::value.chains(Op) ? S(y_bar * partial[Op][0]) : y_bar);
            }
        } else {
            if (!reached[inputs + Op]) return;
            const S bars[2] = {bar[inputs + Op], chained[Op] ? S(bar[inputs + Op] * partial[Op][0]) : bar[inputs + Op]};
            for (int k = 0; k < 2; ++k) {
                const int to = from[Op][k];
                if (to < 0) continue;
                bar[to] = reached[to] ? S(bar[to] + bars[k] * partial[Op][k]) : S(bars[k] * partial[Op][k]);
                reached[to] = true;
            }
        }
    }
    template <int Op, int K>
    RICCI_HD RICCI_INLINE constexpr void give(S (&bar)[entries], const S& y_bar) const {
        constexpr int to = Plan::value.from[Op][K];
        if constexpr (to < 0) return;
        else if constexpr (Plan::value.adds[Op][K]) bar[to] = S(bar[to] + y_bar * partial[Op][K]);
        else bar[to] = S(y_bar * partial[Op][K]);
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
RICCI_HD RICCI_INLINE constexpr tape_end<Tape> tape_among(const X&... x) {
    tape_end<Tape> found;
    const auto look = [&](const auto& a) {
        if constexpr (is_taped_v<std::remove_cvref_t<decltype(a)>>)
            if (a.to.tape) found = a.to;
    };
    (look(x), ...);
    return found;
}

/// An op on a tape's scalars: its value, with the partial derivatives as a new entry.
template <class Tape, class Op, class Pack, class... V>
RICCI_HD RICCI_INLINE constexpr taped<Tape> record_values(const tape_end<Tape>& end, const Op& op, const Pack& x,
                                                          const V&... v) {
    using S = typename Tape::scalar;
    const traced_value<Op, V...> t(op, v...);
    const S y(t.value());
    if (!end.tape) return {y, {}, -1};
    const auto bars = t.pullback(op, S(1), v...);
    const int at = (*end.size)++;
    if (at >= Tape::ops) return {y, end, -1};
    Tape* const to = end.tape;
    to->from[at][0] = to->from[at][1] = -1;
    for_indices<Pack::size>([&](auto i) {
        if constexpr (is_taped_v<pack_element_t<i(), Pack>>) {
            if (!to->take(at, i(), get<i()>(x).at)) *end.size = Tape::ops;
            to->partial[at][i()] = S(get<i()>(bars));
        }
    });
    if constexpr (std::is_same_v<Op, ops::divide>)
        if (to->from[at][1] >= 0) {
            to->chained[at] = true;
            to->partial[at][0] = S(get<0>(bars));
            to->partial[at][1] = S(-(get<0>(make_pack(v...)) * to->partial[at][0]));
        }
    return {y, end, Tape::inputs + at};
}
/// C++ numbers converted as the op does on scalars.
template <class Tape, class Op, int... I, class Pack, class... V>
RICCI_HD RICCI_INLINE constexpr auto record_numbers(const tape_end<Tape>& to, const Op& op,
                                                    std::integer_sequence<int, I...>, const Pack& x, const V&... v) {
    using numbers = number_arguments<Op, std::integer_sequence<int, I...>, V...>;
    if constexpr (converts_numbers<Op, V...>()) return record_values(to, op, x, plain(numbers::template at<I>(v))...);
    else return record_values(to, op, x, plain(v)...);
}
template <class Op, class... X>
RICCI_HD RICCI_INLINE constexpr auto record_op(const Op& op, const X&... x) {
    using T = typename tape_of<X...>::type;
    const tape_end<T> to = tape_among<T>(x...);
    if constexpr (std::is_same_v<T, tape_plan>) {
        const auto entry = [](const auto& a) {
            if constexpr (is_taped_v<std::remove_cvref_t<decltype(a)>>) return a.at;
            else return -1;
        };
        return taped<T>({}, to, to.tape ? to.tape->template add<Op>(entry(x)...) : -1);
    } else {
        return record_numbers(to, op, std::make_integer_sequence<int, sizeof...(X)>{}, make_pack(x...),
                              taped_value(x)...);
    }
}

/// What a function without state does with N arguments, as far as constant evaluation tells.
template <class F, int... I>
constexpr tape_plan planned(std::integer_sequence<int, I...>) {
    tape_plan plan;
    plan.inputs = sizeof...(I);
    plan.follow(F{}(taped<tape_plan>({}, {&plan}, I)...).at);
    return plan;
}
template <class F, class Indices, int = (planned<F>(Indices{}), 0)>
constexpr tape_plan planned_or_none(int) {
    return planned<F>(Indices{});
}
template <class F, class Indices>
constexpr tape_plan planned_or_none(...) {
    tape_plan none;
    none.fits = false;
    return none;
}
template <class F, int N>
struct plan_of {
    static constexpr tape_plan value = planned_or_none<F, std::make_integer_sequence<int, N>>(0);
};
/// Whether F goes onto a tape: not one with state, with ops that none takes, or with work that is not known before it
/// runs.
template <class F, int N>
constexpr bool goes_onto_tape() {
#if defined(__CUDACC__)
    return false;
#else
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F> || N > tape_plan::most_inputs)
        return false;
    else return plan_of<F, N>::value.fits && plan_of<F, N>::value.ops > 0;
#endif
}

}  // namespace detail
}  // namespace ricci
RICCI_BOTH_SIDES_END

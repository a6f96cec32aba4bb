// Which elements of a function's result depend on which elements of its argument, whatever their values: jvp with NaN
// for every tangent that is not zero, and in place of each op's rule one that only says what reaches what.
#pragma once
#include <cstdint>

#include "transforms.hpp"

RICCI_BOTH_SIDES_BEGIN  // the rules of ops are called with sets here
    namespace ricci {
    /// The inputs of a kernel that a number was computed from, as a set of bits, in place of that number. Run through a
    /// sweep it tells which output depends on which input: x + y has the adjoints (y_bar, y_bar), which do not depend
    /// on x.
    struct dependence_set {
        std::uint64_t inputs = 0;
        constexpr dependence_set() = default;
        template <class N>
            requires(std::is_arithmetic_v<N>)
        RICCI_HD constexpr dependence_set(N) {}
        /// The K-th input alone; those from the 64th on count as one.
        static constexpr dependence_set of(int k) {
            dependence_set s;
            s.inputs = std::uint64_t(1) << (k < 63 ? k : 63);
            return s;
        }
    };
    /// The same in place of a complex number, whose abs and angle have derivatives that vary.
    struct complex_dependence_set : dependence_set {
        using dependence_set::dependence_set;
        constexpr complex_dependence_set() = default;
        constexpr complex_dependence_set(const dependence_set& s) : dependence_set(s) {}
    };
    template <class T>
    using dependence_of = std::conditional_t<is_complex_v<T>, complex_dependence_set, dependence_set>;
    template <>
    inline constexpr bool is_complex_lane_v<complex_dependence_set> = true;
    template <>
    inline constexpr bool is_dependence_v<complex_dependence_set> = true;
    template <>
    inline constexpr bool is_eager_v<complex_dependence_set> = true;
    template <>
    inline constexpr bool is_kernel_scalar_v<complex_dependence_set> = true;
    template <>
    inline constexpr bool is_dependence_v<dependence_set> = true;
    template <>
    inline constexpr bool is_eager_v<dependence_set> = true;  // where and sin are called as ops, not on registers
    template <>
    inline constexpr bool is_kernel_scalar_v<dependence_set> = true;

    /// An op on sets: their union; of an op without derivative (a comparison) the empty set.
    template <class Op, class... X>
    constexpr auto joined_dependence(const Op&, const X&... x) {
        constexpr bool is_complex = std::is_same_v<Op, ops::complex> || (is_complex_scalar_v<X> || ...);
        std::conditional_t<is_complex, complex_dependence_set, dependence_set> joined;
        if constexpr (Op::differentiable) {
            const auto add = [&](const auto& s) {
                if constexpr (is_dependence_v<std::remove_cvref_t<decltype(s)>>) joined.inputs |= s.inputs;
            };
            (add(x), ...);
        }
        return joined;
    }

    namespace detail {

    /// Lanes that are sets.
    struct dependence_domain {
        template <class T>
        using lane = dependence_of<T>;
        template <class To, class, class S>
        static constexpr dependence_of<To> convert(const S& x) {
            if constexpr (is_inexact_v<To> && is_dependence_v<S>) return x;
            else return {};
        }
    };
    template <class Sweep>
    struct dependence_inputs {
        template <int K>
        constexpr auto get() const {
            return dependence_of<typename Sweep::template input_type<K>>(dependence_set::of(K));
        }
    };
    template <int N>
    struct dependence_outputs {
        std::uint64_t reached[N > 0 ? N : 1] = {};
        template <int K, class S>
        constexpr void set(const S& x) {
            add<K>(x);
        }
        template <int K, class S>
        constexpr void add(const S& x) {
            if constexpr (is_dependence_v<S>) reached[K] |= x.inputs;
        }
    };

    /// The sum of marks (0 or NaN), each broadcast to `extents` and summed to `to`; none gives zeros.
    template <class Total, int R, class Mark>
    void join_marks(Total& total, const Mark& mark, const shape<R>& extents, const shape<R>& to) {
        using T = typename Total::value_type;
        const auto wide = detail::expanded(evaluate_as<T>(mark), extents);
        total = lift(chain_of_t<Total>{}, evaluate(total + (extents == to ? wide : sum_to(wide, to))));
    }

    /// Marks of the outputs of a fused op: an output has those of the inputs that it depends on, element by element.
    template <class Active, class Sweep, int Rank, bool Reduces, int... Q, class... A, class... D, class... Y>
    auto fused_marks(const fused<Sweep, Rank, Reduces, Q...>& op, const pack<const A*...>& inputs,
                     const pack<const D*...>& marks, const pack<Y...>& y) {
        dependence_outputs<Sweep::outputs> found;
        op.sweep.template run<dependence_domain>(dependence_inputs<Sweep>{}, found);
        for (int k = 0; k < Sweep::outputs; ++k)
            if (op.merge[k] != k) found.reached[op.merge[k]] |= found.reached[k];
        const auto extents =
            unpack([](const auto*... a) { return fused<Sweep, Rank, Reduces, Q...>::iteration_shape(*a...); }, inputs);
        return generate<Sweep::outputs>([&](auto k) {
            using result = pack_element_t<k(), pack<Y...>>;
            using plain = tensor<typename result::value_type, Rank, typename result::device_type>;
            auto total = lift(chain_of_t<D...>{}, constant_array<plain>(op.padded[k()], 0));
            for_indices<sizeof...(A)>([&](auto i) {
                if constexpr (Active::at[i()])
                    if (found.reached[k()] & dependence_set::of(i()).inputs)
                        join_marks(total, *get<Active::before(i())>(marks), extents, op.padded[k()]);
            });
            if (op.merge[k()] == k()) return reshaped(total, get<k()>(op.result));
            using empty = tensor<typename result::value_type, result::rank, typename result::device_type>;
            return lift(chain_of_t<D...>{}, constant_array<empty>(get<k()>(y).shape(), 0));
        });
    }
    /// Marks of the outputs of any op: some have a rule, linear ones take them as they take tangents; of the rest
    /// nothing is known, so that every element depends on every element.
    template <class Active, class Op, class... A, class... D, class... Y>
    auto output_marks(const Op& op, const pack<const A*...>& inputs, const pack<const D*...>& marks,
                      const pack<Y...>& y) {
        if constexpr (requires { typename Op::sweep_type; }) {
            return fused_marks<Active>(op, inputs, marks, y);
        } else if constexpr (requires { op.template dependence<Active>(inputs, marks); }) {
            return op.template dependence<Active>(inputs, marks);
        } else if constexpr (Op::linear) {
            return call(op, *get<0>(marks));
        } else {
            const auto any = unpack([](const auto*... d) { return evaluate((sum(*d) + ...)); }, marks);
            return generate<sizeof...(Y)>([&](auto k) {
                using result = pack_element_t<k(), pack<Y...>>;
                return detail::expanded(evaluate_as<typename result::value_type>(any), get<k()>(y).shape());
            });
        }
    }

    /// f, marked for jvp to find what depends on what.
    template <class F>
    struct traced_dependence {
        F f;
        template <class... A>
        auto operator()(const A&... a) const {
            return f(a...);
        }
    };
    template <class F>
    struct push_rule<traced_dependence<F>> {
        template <class Active, class Op, class Inputs, class Tangents>
        static auto push(const Op& op, const Inputs& inputs, const Tangents& tangents) {
            const auto y = call_all(op, inputs);
            return concat(y, output_marks<Active>(op, inputs, tangents, y));
        }
    };

    }  // namespace detail
}  // namespace ricci
RICCI_BOTH_SIDES_END

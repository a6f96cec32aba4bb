// create_graph: the backward step of a variable's op with recorded cotangents. A fused map is replayed op by op, from a
// finite set of op types, since a fused gradient recorded as a new fused map would make types without end.
#pragma once
#include "../ops/contract.hpp"
#include "recorded.hpp"

RICCI_BOTH_SIDES_BEGIN  // the rules of ops are called with arrays here
    namespace ricci {
    /// An array as a kernel scalar: ops on it are evaluated at once, one by one.
    template <class A>
    struct eager {
        A value;
        eager() = default;
        eager(const A& a) : value(a) {}
        template <class N>
            requires(std::is_arithmetic_v<N>)
        RICCI_HD eager(N n)
            : value(detail::constant_array<A>(detail::unit_shape<A::rank>(), static_cast<typename A::value_type>(n))) {}
    };
    template <class A>
    inline constexpr bool is_eager_v<eager<A>> = true;
    template <class A>
    inline constexpr bool is_kernel_scalar_v<eager<A>> = true;
    template <class A>
    inline constexpr bool is_complex_lane_v<eager<A>> = is_complex_v<typename A::value_type>;

    namespace detail {

    /// Marks what variables record.
    struct variable_tag {
        static constexpr bool is_variable = true;
        static constexpr bool wants_value = true;
    };

    template <class X>
    const auto& eager_argument(const X& x) {
        if constexpr (is_eager_v<X>) return x.value;
        else return x;
    }
    template <class A>
    auto make_eager(const A& a) {
        return eager<A>(a);
    }

    /// `a` broadcast or summed to a shape.
    template <int Q, class A>
    auto fitted(const A& a, const shape<Q>& to) {
        constexpr int rank = A::rank > Q ? A::rank : Q;
        auto full = pad_front<rank>(a.shape());
        broadcast_into(full, to);
        if constexpr (A::rank == Q) {
            if (a.shape() == to) return a;
            if (full == a.shape()) return sum_to(a, to);
        }
        return sum_to(detail::expanded(a, full), to);
    }

    /// The type of an op's value on eager scalars, spelt out: its deduction would go in circles, since recording a
    /// value compiles its derivative, which computes with such values.
    template <class Op, class... X>
    struct eager_value {
        using node = decltype(make_map(std::declval<const Op&>(), eager_argument(std::declval<const X&>())...));
        using plain = tensor<typename node::value_type, node::rank, typename node::device_type>;
        template <class Y>
        struct is_recorded : std::bool_constant<!std::is_void_v<typename Y::wrapper>> {};
        template <class Y>
        static constexpr bool records() {
            if constexpr (is_eager_v<Y>)
                return is_recorded<std::remove_cvref_t<decltype(std::declval<Y>().value)>>::value;
            else return false;
        }
        static constexpr bool recorded_value = is_inexact_v<typename node::value_type> && (records<X>() || ...);
        using type = eager<std::conditional_t<recorded_value, recorded<plain, variable_tag>, plain>>;
    };

    /// Lanes that are arrays; numbers stay numbers.
    struct eager_domain {
        template <class A>
        static auto lane_of(const A& a) {
            return make_eager(a);
        }
        template <class U>
        using lane = U;
        template <class To, class From, class S>
        static auto convert(const S& x) {
            if constexpr (std::is_same_v<To, From>) return x;
            else if constexpr (is_eager_v<S>) return make_eager(evaluate(astype<To>(x.value)));
            else return convert_element<To>(x);
        }
    };

    }  // namespace detail

    namespace detail {

    /// An array times a number.
    template <class T, class A>
    auto multiple_of(const A& a, T factor) {
        return call1(scale_op<T, A::rank, false>(factor, a.shape()), a);
    }

    /// A sum, difference or product of two arrays, of which replays mostly consist. Its derivative is such ops again,
    /// whose kernels are there already: as a map it would have kernels of its own for that, and its replay those of
    /// that map's.
    template <class Op>
    struct arithmetic_op : opaque_op {
        static constexpr const char* name = std::is_same_v<Op, ops::add>        ? "add"
                                            : std::is_same_v<Op, ops::subtract> ? "subtract"
                                                                                : "multiply";
        template <class A, class B>
        auto value(const A& a, const B& b) const {
            return make_pack(evaluate(make_map(Op{}, a, b)));
        }
        template <class Active, bool, class A, class B, class C>
        auto pullback(const unsigned char*, const pack<const A*, const B*>& inputs, const pack<C>& bars) const {
            const A& a = *get<0>(inputs);
            const B& b = *get<1>(inputs);
            return two_adjoints<Active>([&] { return fitted(left_adjoint(b, get<0>(bars)), a.shape()); },
                                        [&] { return fitted(right_adjoint(a, get<0>(bars)), b.shape()); });
        }

       private:
        template <class B, class C>
        static auto left_adjoint(const B& b, const C& bar) {
            if constexpr (std::is_same_v<Op, ops::multiply>) return call1(arithmetic_op{}, bar, b);
            else return bar;
        }
        template <class A, class C>
        static auto right_adjoint(const A& a, const C& bar) {
            if constexpr (std::is_same_v<Op, ops::subtract>) return multiple_of(bar, typename C::value_type(-1));
            else return left_adjoint(a, bar);
        }
    };

    template <class A>
    A recorded_sum(const A& a, const A& b) {
        return call1(arithmetic_op<ops::add>{}, a, b);
    }

    /// Whether an op on eager scalars, all of the result's type and some of them recorded, is such a one.
    template <class Op, class... X>
    constexpr bool is_recorded_arithmetic() {
        using value = eager_value<Op, X...>;
        using T = typename value::node::value_type;
        const auto fits = [](auto type) {
            using Y = typename decltype(type)::type;
            if constexpr (is_eager_v<Y>) return std::is_same_v<typename decltype(Y::value)::value_type, T>;
            else return std::is_arithmetic_v<Y> || std::is_same_v<Y, T>;
        };
        constexpr int arrays = (0 + ... + int(is_eager_v<X>));
        if constexpr (!value::recorded_value ||
                      !is_any_of<Op, ops::add, ops::subtract, ops::multiply, ops::negative, ops::square>)
            return false;
        else
            return (fits(std::type_identity<X>{}) && ...) &&
                   (arrays == sizeof...(X) || std::is_same_v<Op, ops::multiply>);
    }
    /// Its value, from few types of ops: a square is a product, and minus an array a multiple of it.
    template <class Op, class X>
    auto recorded_arithmetic(const X& x) {
        if constexpr (std::is_same_v<Op, ops::square>) return call1(arithmetic_op<ops::multiply>{}, x, x);
        else return multiple_of(x, typename X::value_type(-1));
    }
    template <class Op, class A, class B>
    auto recorded_arithmetic(const A& a, const B& b) {
        if constexpr (!requires { A::rank; }) return multiple_of(b, static_cast<typename B::value_type>(a));
        else if constexpr (!requires { B::rank; }) return multiple_of(a, static_cast<typename A::value_type>(b));
        else return call1(arithmetic_op<Op>{}, a, b);
    }

    }  // namespace detail

    /// An op on eager scalars: evaluated at once.
    template <class Op, class... X>
    typename detail::eager_value<Op, X...>::type evaluate_eager(const Op& op, const X&... x) {
        if constexpr (detail::is_recorded_arithmetic<Op, X...>())
            return detail::make_eager(detail::recorded_arithmetic<Op>(detail::eager_argument(x)...));
        else return detail::make_eager(evaluate(detail::make_map(op, detail::eager_argument(x)...)));
    }

    namespace detail {

    /// The same for duals and series, whose parts are all of one type: of one rank, and recorded, constants too.
    template <int Rank, class Device>
    struct nested_eager_domain : eager_domain {
        template <class U>
        using array_of = std::conditional_t<is_inexact_v<U>, recorded<tensor<U, Rank, Device>, variable_tag>,
                                            tensor<U, Rank, Device>>;
        template <class U>
        using lane = eager<array_of<U>>;
        template <class A>
        static auto lane_of(const A& a) {
            using U = typename A::value_type;
            return lane<U>(lift(chain_of_t<array_of<U>>{}, reshaped<Rank>(a, pad_front<Rank>(a.shape()))));
        }
    };

    /// Inputs of a sweep as eager scalars.
    template <class Pack, class Domain = eager_domain>
    struct eager_inputs {
        const Pack& arrays;
        template <int K>
        auto get() const {
            return Domain::lane_of(detail::get<K>(arrays));
        }
    };
    /// Results of a sweep on eager scalars, handed on as they come: to(integral_constant<K>, array).
    template <class To>
    struct eager_outputs {
        const To& to;
        template <int K, class S>
        void set(const S& x) {
            to(std::integral_constant<int, K>{}, x);
        }
        template <int K, class S>
        void add(const S& x) {
            to(std::integral_constant<int, K>{}, x);
        }
    };

    template <class Node>
    inline constexpr bool is_leaf_node = false;
    template <int I, class T>
    inline constexpr bool is_leaf_node<slot<I, T>> = true;
    template <class T>
    inline constexpr bool is_leaf_node<constant_node<T>> = true;
    template <class To, class Child>
    inline constexpr bool is_leaf_node<cast_node<To, Child>> = is_leaf_node<Child>;
    template <class Node>
    inline constexpr bool is_single_op = false;
    template <class Op, class T, class... Child>
    inline constexpr bool is_single_op<op_node<Op, T, Child...>> = (is_leaf_node<Child> && ...);

    /// Sends a recorded cotangent to a recorded input; to one that depends on no variable, nothing.
    template <class X, class C>
    void deliver_recorded(backward_pass& pass, const X& x, const C& bar) {
        if constexpr (std::is_void_v<typename X::wrapper>) {
            return;
        } else if constexpr (std::is_same_v<X, C>) {
            accumulate_into(x.output()->recorded_cotangent, bar);
            pass.push(x.owner());
        } else if constexpr (std::is_same_v<typename X::inner_type, C>) {
            deliver_recorded(pass, x, X(bar, 0));
        } else {
            refuse_captured("transform", "variable");
        }
    }

    template <class Op, class W, class... A>
    struct replay {
        using active = activity<W::template is_active<A>()...>;

        template <class Vertex>
        static void pull(Vertex& v, backward_pass& pass, const Op& op, const pack<A...>& inputs) {
            auto bars = generate<Vertex::outputs_count>([&](auto k) { return taken_or_zero<k()>(v); });
            if constexpr (Op::linear) {
                deliver_recorded(pass, get<0>(inputs), call1(op.transpose(), get<0>(bars)));
            } else {
                const auto refs = unpack([](const auto&... a) { return make_pack(&a...); }, inputs);
                const auto adjoints = op.template pullback<active, false>(nullptr, refs, std::move(bars));
                for_active(inputs, [&](auto k, const auto& x) { deliver_recorded(pass, x, get<k()>(adjoints)); });
            }
        }
        /// The cotangent that arrived for output K, empty when none did.
        template <int K, class Vertex>
        static auto take(Vertex& v) {
            return get<K>(v.outputs).take_recorded();
        }
        /// The same, with a single zero, which broadcasts, for an output that nothing used.
        template <int K, class Vertex>
        static auto taken_or_zero(Vertex& v) {
            const auto bar = take<K>(v);
            using C = std::remove_cvref_t<decltype(*bar)>;
            return bar ? *bar : C(constant_array<typename C::inner_type>(unit_shape<C::rank>(), 0), 0);
        }
        template <class F>
        static void for_active(const pack<A...>& inputs, const F& f) {
            for_indices<sizeof...(A)>([&](auto i) {
                if constexpr (active::at[i()]) f(std::integral_constant<int, active::before(i())>{}, get<i()>(inputs));
            });
        }
    };

    template <class Sweep, int Rank, bool Reduces, int... ResultRank, class W, class... A>
    struct replay<fused<Sweep, Rank, Reduces, ResultRank...>, W, A...> {
        using op_type = fused<Sweep, Rank, Reduces, ResultRank...>;
        using tree_type = typename Sweep::tree_type;
        using base = replay<linear_op<op_type>, W, A...>;

        template <class Vertex>
        static void pull(Vertex& v, backward_pass& pass, const op_type& op, const pack<A...>& inputs) {
            const auto bars = generate<Vertex::outputs_count>([&](auto k) { return base::template take<k()>(v); });
            if constexpr (!Sweep::reverse && Sweep::order == 0 && is_leaf_node<tree_type>)
                pull_sum(pass, op, inputs, *get<0>(bars));
            else if constexpr (!Sweep::reverse && Sweep::order == 0 && !Reduces && is_single_op<tree_type>)
                pull_single(pass, op.sweep.get(), inputs, *get<0>(bars));
            else pull_replayed(pass, op, inputs, bars);
        }

       private:
        static constexpr auto eager_in = value_inputs<int(sizeof...(A)) + 1>();
        static constexpr auto eager_out = [] {
            components<base::active::count> c;
            int n = 0;
            for (int i = 0; i < int(sizeof...(A)); ++i)
                if (base::active::at[i]) c.at[n++] = {i, 0};
            return c;
        }();
        /// The reverse sweep of a tree that is a single op.
        using eager_sweep = sweep<tree_type, type_list<typename A::value_type...>, 0, true, component_list_of<eager_in>,
                                  component_list_of<eager_out>>;

        /// A plain sum: its cotangent, repeated along the reduced axes.
        template <class C>
        static void pull_sum(backward_pass& pass, const op_type& op, const pack<A...>& inputs, const C& bar) {
            const auto& x = get<0>(inputs);
            const auto wide = detail::expanded(reshaped<Rank>(bar, op.padded[0]), x.shape());
            deliver_recorded(pass, x, evaluate_as<typename std::remove_cvref_t<decltype(x)>::value_type>(wide));
        }
        /// One op: its own rule, on arrays in place of scalars.
        template <class C>
        static void pull_single(backward_pass& pass, const tree_type& tree, const pack<A...>& inputs, const C& bar) {
            const eager_inputs<pack<A...>> arrays{inputs};
            using load_type = sweep_load<eager_sweep, eager_domain, eager_inputs<pack<A...>>>;
            const load_type load{arrays};
            const trace<tree_type, load_type> t(tree, load);
            auto give = [&](auto k, const auto& x_bar) {
                base::for_active(inputs, [&](auto j, const auto& x) {
                    if constexpr (j() == k()) deliver_recorded(pass, x, fitted(x_bar.value, x.shape()));
                });
            };
            eager_outputs<decltype(give)> out{give};
            sweep_sink<eager_sweep, eager_outputs<decltype(give)>> sink{out};
            if constexpr (decltype(t)::active) t.reverse(tree, make_eager(bar), sink);
        }
        /// Anything larger: computed anew from the same inputs op by op; backward goes on through what that recorded.
        template <class Bars>
        static void pull_replayed(backward_pass& pass, const op_type& op, const pack<A...>& inputs, const Bars& bars) {
            using domain = std::conditional_t<Sweep::order == 0, eager_domain,
                                              nested_eager_domain<Rank, typename common_device<A...>::type>>;
            const eager_inputs<pack<A...>, domain> arrays{inputs};
            const auto extents = unpack([](const auto&... a) { return op_type::iteration_shape(a...); }, inputs);
            auto give = [&](auto k, const auto& y) {
                const auto& bar = merged_bar<k()>(op, bars);
                if (!bar) return;
                const auto result =
                    reshaped(fitted(detail::expanded(y.value, extents), op.padded[k()]), get<k()>(op.result));
                deliver_recorded(pass, result, *bar);
            };
            eager_outputs<decltype(give)> out{give};
            op.sweep.template run<domain>(arrays, out);
        }
        /// Outputs merged into another one share its cotangent.
        template <int K, class Bars>
        static const auto& merged_bar(const op_type& op, const Bars& bars) {
            using B = pack_element_t<K, Bars>;
            const B* found = &get<K>(bars);
            for_indices<Bars::size>([&](auto j) {
                if constexpr (std::is_same_v<pack_element_t<j(), Bars>, B>)
                    if (op.merge[K] == j()) found = &get<j()>(bars);
            });
            return *found;
        }
    };

    }  // namespace detail

}  // namespace ricci
RICCI_BOTH_SIDES_END

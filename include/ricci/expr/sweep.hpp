// A fused function of any derivative order: a tree swept forward, or forward and backward, over nested duals and
// series.
//
// With F the tree's function, y = F(x), a seed y_bar and z = (x, y_bar), every derivative that is ever asked of a fused
// map is a component, over the algebra of a nest (expr/nested.hpp), of y or of the gradient of L(z) = y_bar * F(x). The
// gradient of L is (F'(x) y_bar, F(x)); its Jacobian is symmetric, so that the pullback of a reverse sweep is the same
// sweep over one more dual, with the cotangents as tangents. Inputs and outputs are therefore named by components: a
// variable (slot 0..N-1, or N for the seed on the way in and y on the way out) and the powers of the levels'
// infinitesimals.
#pragma once
#include "tree.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci::detail {

struct component {
    int variable;
    degrees_t powers;
};

template <int M>
struct components {
    component at[M > 0 ? M : 1] = {};
    static constexpr int size = M;

    constexpr int find(int variable, degrees_t powers) const {
        for (int i = 0; i < M; ++i)
            if (at[i].variable == variable && at[i].powers == powers) return i;
        return -1;
    }
    constexpr bool mentions(int variable) const {
        for (int i = 0; i < M; ++i)
            if (at[i].variable == variable) return true;
        return false;
    }
    constexpr bool has_tangent(int variable) const {
        for (int i = 0; i < M; ++i)
            if (at[i].variable == variable && at[i].powers) return true;
        return false;
    }
};

/// Components as a type of plain numbers: it keeps symbols short, and nvcc cannot name kernels by arrays.
template <degrees_t... Code>
struct component_list {
    static constexpr components<sizeof...(Code)> value{{component{static_cast<int>(Code & 0xff), Code >> 8}...}};
};
template <auto C, int... I>
auto encode_components(std::integer_sequence<int, I...>)
    -> component_list<(static_cast<degrees_t>(C.at[I].variable) | C.at[I].powers << 8)...>;
template <auto C>
using component_list_of = decltype(encode_components<C>(std::make_integer_sequence<int, C.size>{}));

/// Which inputs of an op carry derivatives, as a type.
template <bool... Active>
struct activity {
    static constexpr bool at[sizeof...(Active) + 1] = {Active..., false};
    static constexpr int count = (0 + ... + int(Active));
    /// How many active inputs come before the i-th.
    static constexpr int before(int i) {
        int n = 0;
        for (int j = 0; j < i; ++j) n += at[j];
        return n;
    }
    /// Which input is the k-th active one.
    static constexpr int find(int k) {
        int i = 0;
        for (; k > 0 || !at[i]; ++i) k -= at[i];
        return i;
    }
};
/// The adjoints of the active ones of two inputs, which functions give.
template <class Active, class F, class G>
auto two_adjoints(const F& first, const G& second) {
    if constexpr (Active::at[0] && Active::at[1]) return make_pack(first(), second());
    else if constexpr (Active::at[0]) return make_pack(first());
    else return make_pack(second());
}
template <class Active, int... K>
auto active_among(std::integer_sequence<int, K...>) -> std::integer_sequence<int, Active::find(K)...>;
/// The indices of the active inputs, and their numbers among these: packs of both are expanded side by side.
template <class Active>
using active_order = std::make_integer_sequence<int, Active::count>;
template <class Active>
using active_indices = decltype(active_among<Active>(active_order<Active>{}));

/// Of pairs of inputs the first ones.
template <int... I>
auto firsts_among(std::integer_sequence<int, I...>) -> activity<(I % 2 == 0)...>;
template <int Pairs>
using first_of_pairs = decltype(firsts_among(std::make_integer_sequence<int, 2 * Pairs>{}));

template <class... T>
struct type_list {
    static constexpr int size = sizeof...(T);
};
template <int I, class T, class... Rest>
struct type_at : type_at<I - 1, Rest...> {};
template <class T, class... Rest>
struct type_at<0, T, Rest...> {
    using type = T;
};

template <class Sweep, class Domain, class Input>
struct sweep_load;
template <class Sweep, class Output>
struct sweep_sink;

template <int K, degrees_t Powers, bool Adds, class S, class Output>
RICCI_HD RICCI_INLINE constexpr void give_component(const S& x, Output& output) {
    if constexpr (K < 0) return;
    else if constexpr (Adds) output.template add<K>(component_of(x, Powers));
    else output.template set<K>(component_of(x, Powers));
}
template <int Variable, bool Adds, class Sweep, class S, class Output>
RICCI_HD RICCI_INLINE constexpr void give(const S& x, Output& output);

/// The static function of a fused kernel. `Slots` are the element types of the tree's slots; `Order` has the degrees of
/// the nest's levels (0: plain scalars); `In` and `Out` say which components the kernel reads and which it gives.
template <class Tree, class Slots, degrees_t Order, bool Reverse, class In, class Out>
struct sweep;
template <class Tree, class... Slot, degrees_t Order, bool Reverse, class In, class Out>
struct sweep<Tree, type_list<Slot...>, Order, Reverse, In, Out> : held<Tree> {
    using tree_type = Tree;
    using value_type = typename Tree::value_type;
    static constexpr int slots = sizeof...(Slot);
    static constexpr degrees_t order = Order;
    static constexpr bool reverse = Reverse;
    static constexpr auto in = In::value;
    static constexpr auto out = Out::value;
    static constexpr int inputs = in.size;
    static constexpr int outputs = out.size;
    /// Element type of a variable; of the seed and the value, the tree's own.
    template <int V>
    using variable_type = typename type_at<V, Slot..., value_type>::type;
    template <int K>
    using input_type = variable_type<in.at[K].variable>;
    template <int K>
    using output_type = variable_type<out.at[K].variable>;

    /// The first input that is the same array as input K where all adjoints of a kind belong to one leaf: the adjoint
    /// of an input is the output with the powers that are missing.
    template <int K>
    static constexpr int twin() {
        constexpr component x = in.at[K];
        if (has_adjoint(x))
            for (int i = 0; i < K; ++i)
                if (in.at[i].powers == x.powers && has_adjoint(in.at[i])) return i;
        return K;
    }

    /// Whether any output varies smoothly with input K. (An upper bound: the adjoint of a sum varies with none of its
    /// terms.)
    template <int K>
    static constexpr bool varies_with = in.at[K].variable == slots || varies_with_v<Tree, one_slot<in.at[K].variable>>;

    /// Evaluates on lanes: `input.get<K>()` gives the K-th input, `output.set<K>` and `output.add<K>` take results.
    template <class Domain, class Input, class Output>
    RICCI_HD RICCI_INLINE constexpr void run(const Input& input, Output& output) const {
        const sweep_load<sweep, Domain, Input> load{input};
        if constexpr (!Reverse) {
            give<slots, false, sweep>(this->get()(load), output);
        } else {
            const trace<Tree, decltype(load)> t(this->get(), load);
            sweep_sink<sweep, Output> sink{output};
            if constexpr (decltype(t)::active) t.reverse(this->get(), load.template get<slots>(), sink);
            give<slots, false, sweep>(t.value(), output);
        }
    }

   private:
    static constexpr bool has_adjoint(component x) {
        return Reverse && x.variable != slots && out.find(x.variable, Order - x.powers) >= 0;
    }
};

template <int Variable, bool Adds, class Sweep, class S, class Output, int... I>
RICCI_HD RICCI_INLINE constexpr void give_components(const S& x, Output& output, std::integer_sequence<int, I...>) {
    (give_component<Sweep::out.find(Variable, component_powers(degrees_v<S>, I)), component_powers(degrees_v<S>, I),
                    Adds>(x, output),
     ...);
}
/// Hands the components of a variable's value or adjoint to the outputs that ask for them.
template <int Variable, bool Adds, class Sweep, class S, class Output>
RICCI_HD RICCI_INLINE constexpr void give(const S& x, Output& output) {
    constexpr int count = component_count(degrees_v<S>);
    if constexpr (count == 1) give_component<Sweep::out.find(Variable, 0), 0, Adds>(x, output);
    else give_components<Variable, Adds, Sweep>(x, output, std::make_integer_sequence<int, count>{});
}

template <class Sweep, class Domain, class Input>
struct sweep_load {
    using domain = Domain;
    const Input& input;

    template <int I>
    static constexpr bool active = Sweep::out.mentions(I);

    /// A slot's value, or the seed's, with its derivatives.
    template <int V>
    RICCI_HD RICCI_INLINE constexpr auto get() const {
        using lane = typename Domain::template lane<typename Sweep::template variable_type<V>>;
        if constexpr (!Sweep::in.has_tangent(V)) {
            static_assert(Sweep::in.find(V, 0) >= 0);
            return input.template get<Sweep::in.find(V, 0)>();
        } else {
            return part<V, nest_t<lane, Sweep::order>, 0>();
        }
    }

    /// A slot or a number as the lanes' type for divisors, where they have one and, of a slot, the input does.
    template <int I, class T>
    RICCI_HD RICCI_INLINE constexpr auto divisor(const slot<I, T>&) const
        requires(Sweep::order == 0 && requires { input.template divisor<Sweep::in.find(I, 0)>(); })
    {
        return input.template divisor<Sweep::in.find(I, 0)>();
    }
    template <class T>
    RICCI_HD RICCI_INLINE constexpr auto divisor(const constant_node<T>& number) const
        requires(Sweep::order == 0 && requires { Domain::divisor(number(*this)); })
    {
        return Domain::divisor(number(*this));
    }

   private:
    /// What multiplies the given powers of infinitesimals in a variable: zero where no input does.
    template <int V, class S, degrees_t Powers>
    RICCI_HD RICCI_INLINE constexpr S part() const {
        if constexpr (is_dual_v<S>) {
            using inner = typename S::value_type;
            return S(part<V, inner, Powers>(), part<V, inner, (Powers | next_level(degrees_v<inner>))>());
        } else if constexpr (is_taylor_v<S>) {
            return series<V, S, Powers>(std::make_integer_sequence<int, S::order + 1>{});
        } else if constexpr (constexpr int k = Sweep::in.find(V, Powers); k < 0) {
            return S(0);
        } else {
            return S(input.template get<k>());
        }
    }
    template <int V, class S, degrees_t Powers, int... K>
    RICCI_HD RICCI_INLINE constexpr S series(std::integer_sequence<int, K...>) const {
        using inner = typename S::value_type;
        S t;
        ((t[K] = part<V, inner, (Powers | next_level(degrees_v<inner>, K))>()), ...);
        return t;
    }
};

template <class Sweep, class Output>
struct sweep_sink {
    Output& output;
    template <int I, class S>
    RICCI_HD RICCI_INLINE constexpr void add(const S& x_bar) {
        give<I, true, Sweep>(x_bar, output);
    }
};

// ---- deriving one sweep from another --------------------------------------------------------------------------------

template <int N>
constexpr components<N> value_inputs() {
    components<N> c;
    for (int i = 0; i < N; ++i) c.at[i] = {i, 0};
    return c;
}

/// The value sweep of a tree over slots of the given types.
template <class Slots, class Tree>
RICCI_INLINE constexpr auto value_sweep(const Tree& tree) {
    constexpr int n = Slots::size;
    return sweep<Tree, Slots, 0, false, component_list_of<value_inputs<n>()>,
                 component_list_of<components<1>{{{n, 0}}}>>{{tree}};
}

template <class Sweep, class Active>
constexpr auto pullback_inputs() {
    constexpr degrees_t next = Sweep::reverse ? next_level(Sweep::order) : 0;
    components<Sweep::inputs + Sweep::outputs> c;
    for (int i = 0; i < Sweep::inputs; ++i) c.at[i] = Sweep::in.at[i];
    for (int i = 0; i < Sweep::outputs; ++i) {
        component o = Sweep::out.at[i];
        o.powers = (Sweep::order - o.powers) | next;
        c.at[Sweep::inputs + i] = o;
    }
    return c;
}
/// With Value, the value of a forward sweep is the last output: a reduction's comes for free with its gradient.
template <class Sweep, class Active, bool Value>
constexpr auto pullback_outputs() {
    constexpr degrees_t next = Sweep::reverse ? next_level(Sweep::order) : 0;
    components<Active::count + (Value ? 1 : 0)> c;
    int n = 0;
    for (int i = 0; i < Sweep::inputs; ++i)
        if (Active::at[i]) {
            component x = Sweep::in.at[i];
            x.powers = (Sweep::order - x.powers) | next;
            c.at[n++] = x;
        }
    if (Value) c.at[n] = {Sweep::slots, 0};
    return c;
}

/// The pullback of a sweep: its inputs followed by a cotangent for each output; gives the adjoints of the active
/// inputs.
template <class Active, bool Value, class Tree, class Slots, degrees_t Order, bool Reverse, class In, class Out>
RICCI_INLINE constexpr auto pullback_sweep(const sweep<Tree, Slots, Order, Reverse, In, Out>& f) {
    using S = sweep<Tree, Slots, Order, Reverse, In, Out>;
    return sweep<Tree, Slots, (Reverse ? Order | next_level(Order) : Order), true,
                 component_list_of<pullback_inputs<S, Active>()>,
                 component_list_of<pullback_outputs<S, Active, Value>()>>{{f.get()}};
}

template <class Sweep, class Active, int Degree>
constexpr auto expansion_inputs() {
    components<Sweep::inputs + Degree * Active::count> c;
    int n = 0;
    for (int i = 0; i < Sweep::inputs; ++i) c.at[n++] = Sweep::in.at[i];
    for (int i = 0; i < Sweep::inputs; ++i)
        for (int k = 1; Active::at[i] && k <= Degree; ++k)
            c.at[n++] = {Sweep::in.at[i].variable, Sweep::in.at[i].powers | next_level(Sweep::order, k)};
    return c;
}
template <class Sweep, int Degree, int First>
constexpr auto expansion_outputs() {
    components<(Degree + 1 - First) * Sweep::outputs> c;
    for (int k = First; k <= Degree; ++k)
        for (int i = 0; i < Sweep::outputs; ++i)
            c.at[(k - First) * Sweep::outputs + i] = {Sweep::out.at[i].variable,
                                                      Sweep::out.at[i].powers | next_level(Sweep::order, k)};
    return c;
}

/// The expansion to a degree (1: the pushforward): the inputs followed by the coefficients 1, 2, ... of each active
/// one; gives the outputs, then their first coefficients, and so on; with First = 1 the coefficients alone.
template <class Active, int Degree, int First = 0, class Tree, class Slots, degrees_t Order, bool Reverse, class In,
          class Out>
RICCI_INLINE constexpr auto expansion_sweep(const sweep<Tree, Slots, Order, Reverse, In, Out>& f) {
    using S = sweep<Tree, Slots, Order, Reverse, In, Out>;
    return sweep<Tree, Slots, (Order | next_level(Order, Degree)), Reverse,
                 component_list_of<expansion_inputs<S, Active, Degree>()>,
                 component_list_of<expansion_outputs<S, Degree, First>()>>{{f.get()}};
}

template <class Active, int... I>
auto first_inputs(std::integer_sequence<int, I...>) -> activity<Active::at[I]...>;
template <class Sweep>
constexpr auto all_outputs_but_last() {
    components<Sweep::outputs - 1> c;
    for (int i = 0; i < Sweep::outputs - 1; ++i) c.at[i] = Sweep::out.at[i];
    return c;
}
/// The partial derivatives of a tree with respect to the inputs in Active, its value, and the derivatives of the
/// partial ones along all of these inputs: reads the inputs, a seed, and a tangent for each of those.
template <class Active, class Tree, class Slots, degrees_t Order, bool Reverse, class In, class Out>
RICCI_INLINE constexpr auto curvature_sweep(const sweep<Tree, Slots, Order, Reverse, In, Out>& f) {
    using S = sweep<Tree, Slots, Order, Reverse, In, Out>;
    using inputs =
        decltype(first_inputs<Active>(std::make_integer_sequence<int, S::inputs + 1>{}));  // the seed is none
    using G = decltype(expansion_sweep<inputs, 1>(pullback_sweep<Active, true>(f)));
    return sweep<Tree, Slots, G::order, true, component_list_of<G::in>, component_list_of<all_outputs_but_last<G>()>>{
        {f.get()}};
}

}  // namespace ricci::detail
RICCI_BOTH_SIDES_END

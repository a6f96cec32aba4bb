// The vertex of an op: what it keeps of its inputs, and how its cotangents reach them.
#pragma once
#include "adjoint_plan.hpp"
#include "anomaly.hpp"
#include "kept_adjoints.hpp"
#include "recorded.hpp"

namespace ricci::detail {

template <class Op>
inline constexpr bool is_strided_view_v = false;
template <int In, int Out>
inline constexpr bool is_strided_view_v<view_op<In, Out>> = true;
/// Ops whose value is a view, or a copy where none will do: there is nothing to put off.
template <class Op>
inline constexpr bool is_view_op_v = is_strided_view_v<Op>;
template <int In, int Out>
inline constexpr bool is_view_op_v<reshape_op<In, Out>> = true;

/// Whether the result varies with the K-th input: one that a map only compares gets no adjoint, as a zero would become
/// NaN where the input's own derivative is infinite. Of ops but fused ones the types of the inputs tell.
template <class Op, int K>
inline constexpr bool varies_with_input = true;
template <class Sweep, int Rank, bool Reduces, int... R, int K>
inline constexpr bool varies_with_input<fused<Sweep, Rank, Reduces, R...>, K> = Sweep::template varies_with<K>;

/// Whether an op combines numbers linearly, so that its pullback needs none of their values.
template <class Op>
inline constexpr bool combines_numbers = false;
template <class Sweep, bool Reduces, int... R>
inline constexpr bool combines_numbers<fused<Sweep, 0, Reduces, R...>> =
    !Sweep::reverse && Sweep::order == 0 && is_combination_v<typename Sweep::tree_type>;

/// The inputs that get an adjoint; where the result varies with none (of floor), each of them gets zeros.
template <class Op, class Indices, bool... Active>
struct inputs_reached;
template <class Op, int... I, bool... Active>
struct inputs_reached<Op, std::integer_sequence<int, I...>, Active...> {
    static constexpr bool any = (false || ... || (Active && varies_with_input<Op, I>));
    using type = activity<(Active && (!any || varies_with_input<Op, I>))...>;
};

/// Adds an adjoint to the cotangent of an input's value; of ops that are described, after a look for NaN, where the
/// pass has one.
template <class W, class A, class C>
void deliver_one(backward_pass& pass, graph_value<A, typename W::tag>& x, C&& adjoint, int argument = 0,
                 const op_description* op = nullptr) {
    if constexpr (W::tag::is_variable)
        if (pass.checking && op) [[unlikely]]
            refuse_nan(adjoint, argument, *op);
    if constexpr (std::is_same_v<A, C>) {
        accumulate_into(x.cotangent, std::move(adjoint));
        pass.push(x.owner);
    } else {
        refuse_captured(W::name, "transform");
    }
}

/// Of an adjoint that was added to its cotangent where it was computed.
template <class V>
void deliver_added(backward_pass& pass, V& x) {
    if (x.cotangent) pass.push(x.owner);  // else one element of another value's was added to
}
/// Of output k of a fused op's pullback: where the plan says.
template <class W, class A, class Plan, class C>
void deliver_as_planned(backward_pass& pass, const Plan& plan, int k, C&& adjoint, int argument,
                        const op_description* op) {
    auto& x = *static_cast<graph_value<A, typename W::tag>*>(plan.value(k));
    if constexpr (Plan::adds)
        if (plan.is_added(k)) return deliver_added(pass, x);
    deliver_one<W>(pass, x, std::move(adjoint), argument, op);
}

/// What a vertex of W takes from these inputs.
template <class W, class... A>
vertex_origin origin_of(level_t level, const A&... a) {
    vertex_origin from{level};
    (follow_input<W>(from, a), ...);
    return from;
}
/// Raised by every write in place to an input's value.
template <class W, class X>
std::uint32_t input_version(const X& x) {
    if constexpr (wrapped_by_v<W, X>) return x.output()->writes();
    else return version_of(x);
}
/// Fetches into the cache what a pull reads of an input's vertex or, with Values, of its elements.
template <class W, class X>
void prefetch_input(const X& x, bool values) {
    if constexpr (wrapped_by_v<W, X>) {
        if (values) x.output()->prefetch_value();
        else x.output()->prefetch();
    }
}

/// The vertex that an input belongs to; null of one that W does not record.
template <class W, class X>
vertex* input_owner(const X& x) {
    if constexpr (wrapped_by_v<W, X>) return x.owner();
    else return nullptr;
}

/// What an op gives on what the inputs of its vertex wrap, and what that has in common with other vertices.
template <class Op, class W, class... A>
struct results_below {
    using below = op_below_t<Op, std::remove_cvref_t<decltype(peel<W>(std::declval<const A&>()))>...>;
    using type = decltype(below::call(std::declval<const Op&>(), nullptr, peel<W>(std::declval<const A&>())...));
    using base = typename decltype(vertex_with_results<typename W::tag>(std::declval<const type&>()))::type;
};

/// The application of an op to arrays of which some are recorded by W. (What loops over the inputs expands their
/// indices: a lambda would be one more function in the vertex of every op.)
template <class Op, class W, int... I, class... A>
class op_vertex<Op, W, std::integer_sequence<int, I...>, A...> final : public results_below<Op, W, A...>::base {
    using base = typename results_below<Op, W, A...>::base;
    using results = typename results_below<Op, W, A...>::type;
    using below = typename results_below<Op, W, A...>::below;
    using active = typename inputs_reached<Op, std::integer_sequence<int, I...>, W::template is_active<A>()...>::type;
    static constexpr active_indices<active> each_active{};
    static constexpr active_order<active> in_order{};
    static constexpr bool lazy = Op::value_with_gradient || Op::linear;
    template <class X>
    using peeled = std::remove_cvref_t<decltype(peel<W>(std::declval<const X&>()))>;
    static constexpr bool keeps = keeps_adjoints<Op, active, peeled<A>...>();
    static constexpr bool keeps_curvature = !std::is_same_v<typename below::kept, nothing>;
    /// Whether the pullback gives the value, too, even where it is known: it costs next to nothing, another kernel to
    /// compile costs.
    static constexpr bool with_value = Op::value_with_gradient && (W::tag::wants_value || keeps);
    /// Whether the pullback asks for no values, of sums that are put off, which would take a pass each; one that gives
    /// the value does.
    static constexpr bool without_values =
        combines_numbers<Op> && !with_value && (std::is_void_v<typename peeled<A>::wrapper> && ...);
    /// What stands for those.
    struct no_stand_ins {};
    using stand_ins = std::conditional_t<without_values, pack<std::optional<peeled<A>>...>, no_stand_ins>;

    using batches = batch_extents<pack_element_t<0, results>>;
    /// Whether an input, beside results that take additions, tells as these do how far batches extend.
    template <class X>
    static constexpr bool adds_within() {
        return takes_additions<X>() && (std::is_void_v<typename X::wrapper> || batches::template agrees<X>);
    }
    /// How the adjoints of a fused op may go.
    static constexpr auto plan_of() {
        if constexpr (Op::merges) {
            constexpr bool windows = base::take_windows && (takes_windows<peeled<A>>() && ...);
            constexpr bool adds = base::take_additions && (adds_within<peeled<A>>() && ...);
            constexpr bool plain = batches::depth == 0 && (std::is_void_v<typename peeled<A>::wrapper> && ...);
            return std::type_identity<
                adjoint_plan<Op::rank, active::count, windows && (Op::rank > 0 || plain), adds>>{};
        } else {
            return std::type_identity<void>{};
        }
    }
    using plan_type = typename decltype(plan_of())::type;

    /// Whether it is the view of one element of a plain array, which fused ops of rank 0 may add to.
    static constexpr bool shows_window = [] {
        if constexpr (is_window_op_v<Op>)
            return std::is_same_v<typename pack_element_t<0, pack<A...>>::inner_type, pack_element_t<0, results>>;
        else return false;
    }();
    static constexpr bool shows_elements = [] {
        if constexpr (is_strided_view_v<Op>) {
            using X = peeled<pack_element_t<0, pack<A...>>>;
            return pack_element_t<0, results>::rank == 0 && X::rank > 0 && std::is_void_v<typename X::wrapper> &&
                   takes_additions<X>();
        } else {
            return false;
        }
    }();

    /// Whether adjoints may be added where cotangents exist, by the op itself.
    static constexpr bool adds_adjoints = [] {
        if constexpr (sizeof...(A) == 2 && (std::is_void_v<typename peeled<A>::wrapper> && ...))
            return requires(const Op& op, const peeled<A>&... a, const pack_element_t<0, results>& bar) {
                op.template add_adjoint<0>(bar, a..., bar);
            };
        else return false;
    }();

   public:
    using base::outputs;

    op_vertex(const Op& op, level_t level, const A&... a)
        : base(origin_of<W>(level, a...)), op_(op), inputs_{{{a}...}}, versions_{input_version<W>(a)..., 0} {
        if constexpr (is_view_op_v<Op>) {
            if (get<0>(inputs_).output()->is_known()) compute_alone(true);
            if constexpr (is_strided_view_v<Op>) note_copy();
        } else if constexpr (!lazy) {
            if constexpr (Op::merges) {
                if (!op.put_off) compute_alone(true);
            } else {
                compute_alone(true);  // nobody else knows of it yet
            }
        }
        if constexpr (shows_window) this->find_window = window_found;
        if constexpr (shows_elements) this->find_element = element_found;
        this->lines = static_cast<unsigned char>(std::min(sizeof(op_vertex) / 64 + 1, std::size_t(12)));
        if constexpr (Op::linear) get<0>(outputs).extents = op.result_shape();
        else if constexpr (lazy || Op::merges) this->set_extents(op.result);
        else this->take_extents();
    }
    RICCI_NOINLINE ~op_vertex() override {  // its code is in the deleting one, too, if not called from there
        if constexpr (is_strided_view_v<Op>) drop_copy();
    }
    void compute(bool keep) override {
        const spin_guard alone(this->computing);
        if (get<0>(outputs).is_known()) return;
        if (get<0>(outputs).is_released()) return vertex::compute(keep);
        this->check_not_freed();
        if (is_stale()) this->refuse_stale_value();
        compute_alone(keep);
    }
    void free(bool completes) override {
        if (this->is_held() && !get<0>(outputs).is_known() && !get<0>(outputs).is_released()) {
            if (!completes) return;
            compute(false);
        }
        if constexpr (keeps) kept_.reset();
        if constexpr (keeps_curvature) curvature_.both.reset();
        if constexpr (is_strided_view_v<Op>) drop_copy();
        const pack<A...> dropped(std::move(inputs_));
        this->freed = true;
    }
    void pull(backward_pass& pass) override {
        this->check_not_freed();
        if constexpr (W::tag::is_variable) {
            if (pass.recording) {
                if constexpr (!Op::linear) check_versions();
                return replay<Op, W, A...>::pull(*this, pass, op_, inputs_);
            }
        }
        if constexpr (Op::linear) {
            if (const auto bar = get<0>(outputs).take(pass))
                if (!add_through_view(pass, *bar)) deliver(pass, call(op_.transpose(), *bar), each_active, in_order);
        } else if constexpr (replaces_elements<Op>) {
            check_versions();
            auto adjoints = op_.template pullback<active, false>(nullptr, shapes_and_indices(), cotangents(pass));
            deliver(pass, std::move(adjoints), each_active, in_order);
        } else {
            check_versions();
            const auto bars = cotangents(pass);
            if constexpr (keeps)
                if (pull_kept(pass, get<0>(bars), each_active, in_order)) return;
            stand_ins zeros;
            const auto inner = inputs_to_pull(zeros);
            if constexpr (Op::merges) {
                plan_type plan;
                const bool known = with_value && get<0>(outputs).is_known();
                const auto wholes = place_adjoints(pass, plan, bars, each_active, in_order);
                if constexpr (keeps_curvature) find_sum(pass, plan);
                auto adjoints = op_.template pullback_through<active, with_value>(
                    plan.merged, plan.through(), plan.into(), plan.without_values(pass), wholes, inner, bars, known,
                    &curvature_);
                if constexpr (with_value)
                    if (!known) keep_value(std::move(get<active::count>(adjoints)));
                deliver_planned(pass, plan, adjoints, each_active, in_order);
            } else if constexpr (adds_adjoints) {
                (pull_adding<I>(pass, inner, get<0>(bars)), ...);
            } else {
                auto adjoints = op_.template pullback<active, with_value>(nullptr, inner, bars);
                if constexpr (with_value) keep_value(std::move(get<active::count>(adjoints)));
                deliver(pass, std::move(adjoints), each_active, in_order);
            }
        }
    }
    void prefetch_inputs(bool values) const override {
        if (!this->freed) (prefetch_input<W>(get<I>(inputs_), values), ...);
    }
    vertex* input(std::uint64_t& k) const override {
        if constexpr (W::tag::is_variable) {
            if (this->freed) return nullptr;
            vertex* const owners[] = {input_owner<W>(get<I>(inputs_))...};
            for (; k < sizeof...(I); ++k)
                if (owners[k]) return owners[k];
        }
        return nullptr;
    }

   private:
    static const void* window_found(vertex& self, backward_pass& pass, void*& viewed) {
        auto& v = static_cast<op_vertex&>(self);
        if (pass.checking || get<0>(v.outputs).is_requested() || !shows_once(v.op_.spec)) return nullptr;
        v.check_not_freed();
        if (pass.freeing) pass.push(&v);
        viewed = get<0>(v.inputs_).output();
        return &v.op_.spec;
    }
    static void* element_found(vertex& self, backward_pass& pass) {
        auto& v = static_cast<op_vertex&>(self);
        auto& x = *get<0>(v.inputs_).output();
        if (pass.checking || get<0>(v.outputs).is_requested()) return nullptr;
        v.check_not_freed();
        if (!x.cotangent)
            x.cotangent = constant_array<typename pack_element_t<0, pack<A...>>::inner_type>(x.extents, 0);
        else if (!addable(x.cotangent)) return nullptr;
        if (pass.freeing) pass.push(&v);
        pass.push(x.owner);
        return x.cotangent->data() + element_number(v.op_.spec, x.extents);  // it is dense
    }
    void compute_alone([[maybe_unused]] bool keep) {
        if constexpr (keeps) {
            const auto inner = peeled_inputs();
            if (keep && kept_.fits(op_, inner)) {
                unsigned char merged[active::count];
                merge_equal(merged, each_active);
                return get<0>(outputs).set(kept_.compute(op_, merged, inner));
            }
        }
        // Where the first input's value lies, of ops that may write there. Afterwards it may not know, being recorded
        // itself.
        [[maybe_unused]] const storage_block* first = nullptr;
        if constexpr (replaces_elements<Op>) first = known_memory(get<0>(inputs_)).block();
        auto r = below::call(op_, keep ? &curvature_ : nullptr, peel<W>(get<I>(inputs_))...);
        if constexpr (replaces_elements<Op>) take_over(first, get<0>(r));
        this->set_values(std::move(r));
    }
    /// The first input, whose memory the result may have now, will not be asked for its value again then.
    template <class Y>
    void take_over(const storage_block* first, const Y& y) {
        const auto& x = get<0>(inputs_);
        if constexpr (wrapped_by_v<W, std::remove_cvref_t<decltype(x)>>)
            if (op_.in_place && first && known_memory(y).block() == first) x.output()->release();
        op_.in_place = false;
    }
    /// Of a view whose value was copied: the viewed one is not needed here.
    void note_copy() {
        const auto& x = get<0>(inputs_);
        this->copies_part = get<0>(outputs).is_known() && !(known_memory(x) == known_memory(get<0>(outputs).value()));
        if (this->copies_part) x.owner()->add_copied_part();
    }
    void drop_copy() {
        if (std::exchange(this->copies_part, false)) get<0>(inputs_).owner()->drop_copied_part();
    }
    static consteval const op_description* described() {
        if constexpr (W::tag::is_variable) return &description_of<Op>;
        else return nullptr;
    }
    /// What came back for each output.
    auto cotangents(const backward_pass& pass) {
        if constexpr (Op::merges) return base::cotangents(pass, op_.merge);
        else return base::cotangents(pass, nullptr);
    }
    pack<const peeled<A>*...> peeled_inputs() const { return {{{&peel<W>(get<I>(inputs_))}...}}; }
    pack<const peeled<A>*...> inputs_to_pull([[maybe_unused]] stand_ins& zeros) const {
        if constexpr (without_values) return {{{value_or_zero(get<I>(inputs_), get<I>(zeros))}...}};
        else return peeled_inputs();
    }
    template <class X, class Z>
    static const Z* value_or_zero(const X& x, std::optional<Z>& zero) {
        if constexpr (wrapped_by_v<W, X>)
            if (!x.output()->is_known()) return &zero.emplace(constant_array<Z>(shape<0>{}, 0));
        return &peel<W>(x);
    }
    /// What the pullback of an op that replaces elements sees: of inputs whose values may be gone their shapes.
    auto shapes_and_indices() const { return make_pack(&shape_or_value<I>()...); }
    template <int K>
    const auto& shape_or_value() const {
        if constexpr (K < 2) return get<K>(inputs_);
        else return peel<W>(get<K>(inputs_));
    }
    /// Which active inputs are the same value: merged[k] is the first that is the k-th one.
    template <int... J>
    void merge_equal(unsigned char* merged, std::integer_sequence<int, J...>) const {
        const void* const values[] = {get<J>(inputs_).output()...};
        for (int k = 0; k < active::count; ++k)
            for (merged[k] = 0; values[merged[k]] != values[k];) ++merged[k];
    }
    /// Sends the adjoints that were computed with the value; false where there are none, or none of use.
    template <class C, int... J, int... K>
    bool pull_kept(backward_pass& pass, const C& bar, std::integer_sequence<int, J...>,
                   std::integer_sequence<int, K...>) {
        if (!get<0>(outputs).is_known() || !kept_.any()) return false;
        unsigned char merged[active::count];
        merge_equal(merged, each_active);
        auto adjoints = kept_.times(bar, op_, merged, pass.freeing || pass.consuming);
        if (!adjoints) return false;
        ((merged[K] == K ? deliver_one<W>(pass, *get<J>(inputs_).output(), std::move(get<K>(*adjoints)), J, described())
                         : void()),
         ...);
        return true;
    }
    /// Plans where adjoints go; gives the shapes that they come back in.
    template <class Plan, class Bars, int... J, int... K>
    auto place_adjoints(backward_pass& pass, Plan& plan, const Bars& bars, std::integer_sequence<int, J...>,
                        std::integer_sequence<int, K...>) const {
        const auto extents = [&] { return Op::iteration_shape(peel<W>(get<I>(inputs_))...); };
        const auto fits = [&](const auto& c) {
            if constexpr (batches::depth == 0) return true;
            batches b;
            (b.join(peel<W>(get<I>(inputs_))), ...);
            bars.apply([&](const auto&... bar) { (b.join(bar), ...); });
            return b.are_those_of(c);
        };
        // braces: one after the other
        const pack<shape<pack_element_t<J, pack<A...>>::rank>...> wholes{
            {{plan.place(K, get<J>(inputs_).output(), pass, extents, fits)}...}};
        plan.finish();
        return wholes;
    }
    /// Where the tangent of an adjoint may be added to what is there.
    template <class Plan>
    void find_sum(const backward_pass& pass, const Plan& plan) {
        using X = typename pack_element_t<active::find(0), pack<A...>>::inner_type;
        curvature_.sum = nullptr;
        if constexpr (is_pushed_v<X>) {
            const auto& bar = static_cast<graph_value<X, typename W::tag>*>(plan.value(0))->cotangent;
            if (pass.checking || !bar || !is_reusable(innermost_array(bar->tangent()))) return;
            if constexpr (std::is_same_v<decltype(&bar->tangent()), decltype(curvature_.sum)>)
                curvature_.sum = &bar->tangent();
        }
    }
    template <class Y>
    void keep_value(Y&& y) {
        const spin_guard alone(this->computing);
        if (!get<0>(outputs).is_known()) get<0>(outputs).set(std::forward<Y>(y));
    }
    template <class Adjoints, class Plan, int... J, int... K>
    void deliver_planned(backward_pass& pass, const Plan& plan, Adjoints& adjoints, std::integer_sequence<int, J...>,
                         std::integer_sequence<int, K...>) const {
        ((plan.is_apart(K) ? deliver_as_planned<W, typename pack_element_t<J, pack<A...>>::inner_type>(
                                 pass, plan, K, std::move(get<K>(adjoints)), J, described())
                           : void()),
         ...);
    }
    template <class Adjoints, int... J, int... K>
    void deliver(backward_pass& pass, Adjoints&& adjoints, std::integer_sequence<int, J...>,
                 std::integer_sequence<int, K...>) const {
        (deliver_one<W>(pass, *get<J>(inputs_).output(), std::move(get<K>(adjoints)), J, described()), ...);
    }
    /// Of a view: adds to the elements that it shows of a cotangent that exists; false where that cannot be.
    template <class C>
    bool add_through_view(backward_pass& pass, const C& bar) const {
        if constexpr (is_strided_view_v<Op> && std::is_void_v<typename C::wrapper>) {
            auto& x = *get<0>(inputs_).output();
            if (pass.checking || !addable(x.cotangent) || !shows_once(op_.spec)) return false;
            const auto part = apply_view(op_.spec, *x.cotangent);
            run_map_into(part + bar, part);
            deliver_added(pass, x);
            return true;
        } else {
            return false;
        }
    }
    /// The adjoint of input K, if it gets one, added to what its cotangent, or that of what it is a view of, holds
    /// already.
    template <int K, class Inner, class C>
    void pull_adding(backward_pass& pass, const Inner& inner, const C& bar) const {
        if constexpr (active::at[K]) {
            auto* const x = get<K>(inputs_).output();
            view_spec_of<std::remove_pointer_t<decltype(x)>> at;
            auto* const home = viewed_by(x, pass, at, [] { return true; });
            if (!pass.checking && addable(home->cotangent)) {
                const auto to = home == x ? *x->cotangent : apply_view(at, *home->cotangent);
                if (op_.template add_adjoint<K>(to, *get<0>(inner), *get<1>(inner), bar))
                    return deliver_added(pass, *home);
            }
            auto adjoints = op_.template pullback<activity<(I == K)...>, false>(nullptr, inner, make_pack(bar));
            deliver_one<W>(pass, *x, std::move(get<0>(adjoints)), K, described());
        }
    }
    /// Whether a value that is needed was written to since it was recorded.
    bool is_stale() const {
        // Of arrays that elements are replaced in and by, only the shapes.
        constexpr int needed = replaces_elements<Op> ? 2 : 0;
        std::uint32_t changes = 0;
        ((changes |= I < needed ? 0 : input_version<W>(get<I>(inputs_)) ^ versions_[I]), ...);
        if constexpr (requires { typename Op::known_to; })  // whose rules take the results, too
            unpack([&](const auto&... y) { ((changes |= y.writes()), ...); }, outputs);
        return changes != 0;
    }
    void check_versions() const {
        if (is_stale())
            detail::raise<gradient_error>({"[backward] a value that the derivative of ", Op::name,
                                           " needs was changed in place after it was recorded"});
    }

    template <bool Keeps, class... X>
    struct kept_of {
        using type = nothing;
    };
    template <class... X>
    struct kept_of<true, X...> {
        using type = kept_adjoints<Op, active, X...>;
    };

    Op op_;
    pack<A...> inputs_;
    [[no_unique_address]] typename kept_of<keeps, peeled<A>...>::type kept_;
    [[no_unique_address]] typename below::kept curvature_;
    std::uint32_t versions_[sizeof...(A) + 1];
};

}  // namespace ricci::detail

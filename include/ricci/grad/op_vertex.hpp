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

/// Whether the result varies with the K-th input: one that a map only compares gets no adjoint, as a zero would become NaN where
/// the input's own derivative is infinite. Of ops but fused ones the types of the inputs tell.
template <class Op, int K>
inline constexpr bool varies_with_input = true;
template <class Sweep, int Rank, bool Reduces, int... R, int K>
inline constexpr bool varies_with_input<fused<Sweep, Rank, Reduces, R...>, K> = Sweep::template varies_with<K>;

/// The inputs that get an adjoint; where the result varies with none (of floor), each of them gets zeros.
template <class Op, class Indices, bool... Active>
struct inputs_reached;
template <class Op, int... I, bool... Active>
struct inputs_reached<Op, std::integer_sequence<int, I...>, Active...> {
    static constexpr bool any = (false || ... || (Active && varies_with_input<Op, I>));
    using type = activity<(Active && (!any || varies_with_input<Op, I>))...>;
};

/// Adds an adjoint to the cotangent of an input's value.
template <class W, class A, class C>
void deliver_one(backward_pass& pass, graph_value<A, typename W::tag>& x, C&& adjoint) {
    if constexpr (std::is_same_v<A, C>) {
        accumulate_into(x.cotangent, std::move(adjoint));
        pass.push(x.owner);
    } else {
        refuse_captured(W::name, "transform");
    }
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

/// The application of an op to arrays of which some are recorded by W. (Loops over outputs and inputs are lambdas over each_output
/// and each_input, one function each; for_indices would be several, in the vertex of every op.)
template <class Op, class W, class... A>
class op_vertex final : public vertex {
    using results = decltype(call(std::declval<const Op&>(), peel<W>(std::declval<const A&>())...));
    using active =
        typename inputs_reached<Op, std::make_integer_sequence<int, sizeof...(A)>, W::template is_active<A>()...>::type;
    static constexpr bool lazy = Op::value_with_gradient || Op::linear;
    template <class X>
    using peeled = std::remove_cvref_t<decltype(peel<W>(std::declval<const X&>()))>;
    static constexpr bool keeps = keeps_adjoints<Op, active, peeled<A>...>();
    /// Whether the pullback gives the value, too, even where it is known: it costs next to nothing, another kernel to compile
    /// costs.
    static constexpr bool with_value = Op::value_with_gradient && (W::tag::wants_value || keeps);

    template <class>
    struct values_of;
    template <class... R>
    struct values_of<pack<R...>> {
        using type = pack<graph_value<R, typename W::tag>...>;
        static constexpr bool take_windows = (takes_windows<R>() && ...);
        static constexpr bool take_additions = (takes_additions<R>() && ...);
    };
    using batches = batch_extents<pack_element_t<0, results>>;
    /// Whether an input, beside results that take additions, tells as these do how far batches extend.
    template <class X>
    static constexpr bool adds_within() {
        return takes_additions<X>() && (std::is_void_v<typename X::wrapper> || batches::template agrees<X>);
    }
    /// How the adjoints of a fused op may go.
    static constexpr auto plan_of() {
        if constexpr (Op::merges) {
            constexpr bool windows = values_of<results>::take_windows && (takes_windows<peeled<A>>() && ...);
            constexpr bool adds = values_of<results>::take_additions && (adds_within<peeled<A>>() && ...);
            constexpr bool plain = batches::depth == 0 && (std::is_void_v<typename peeled<A>::wrapper> && ...);
            return std::type_identity<
                adjoint_plan<Op::rank, active::count, windows && (Op::rank > 0 || plain), adds>>{};
        } else {
            return std::type_identity<void>{};
        }
    }
    using plan_type = typename decltype(plan_of())::type;

    /// Whether it is the view of one element of a plain array, which fused ops of rank 0 may add to.
    static constexpr bool shows_elements = [] {
        if constexpr (is_strided_view_v<Op>) {
            using X = peeled<pack_element_t<0, pack<A...>>>;
            return pack_element_t<0, results>::rank == 0 && X::rank > 0 && std::is_void_v<typename X::wrapper> &&
                   takes_additions<X>();
        } else {
            return false;
        }
    }();

   public:
    static constexpr int outputs_count = results::size;
    static constexpr std::make_integer_sequence<int, outputs_count> each_output{};
    static constexpr std::make_integer_sequence<int, int(sizeof...(A))> each_input{};
    typename values_of<results>::type outputs;

    op_vertex(const Op& op, level_t level, const A&... a)
        : vertex(origin_of<W>(level, a...)), op_(op), inputs_{{{a}...}}, versions_{input_version<W>(a)..., 0} {
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
        if constexpr (is_window_op_v<Op> || shows_elements) may_be_window = true;
        lines = static_cast<unsigned char>(std::min(sizeof(op_vertex) / 64 + 1, std::size_t(12)));
        [&]<int... K>(std::integer_sequence<int, K...>) {
            ((get<K>(outputs).owner = this, get<K>(outputs).extents = output_shape<K>()), ...);
        }(each_output);
    }
    RICCI_NOINLINE ~op_vertex() override {  // its code is in the deleting one, too, if not called from there
        if constexpr (is_strided_view_v<Op>) drop_copy();
    }
    void compute(bool keep) override {
        const spin_guard alone(computing);
        if (get<0>(outputs).is_known()) return;
        if (get<0>(outputs).is_released()) return vertex::compute(keep);
        check_not_freed();
        check_versions("the value of ");
        compute_alone(keep);
    }
    void forget() override {
        [&]<int... K>(std::integer_sequence<int, K...>) { (get<K>(outputs).forget(), ...); }(each_output);
    }
    void free(bool completes) override {
        if (is_held() && !get<0>(outputs).is_known() && !get<0>(outputs).is_released()) {
            if (!completes) return;
            compute(false);
        }
        if constexpr (keeps) kept_.reset();
        if constexpr (is_strided_view_v<Op>) drop_copy();
        const pack<A...> dropped(std::move(inputs_));
        freed = true;
    }
    void pull(backward_pass& pass) override {
        check_not_freed();
        if constexpr (Op::linear) {
            if (const auto bar = get<0>(outputs).take(pass))
                if (!add_through_view(pass, *bar)) deliver(pass, call(op_.transpose(), *bar));
        } else if constexpr (replaces_elements<Op>) {
            check_versions("the derivative of ");
            auto adjoints = op_.template pullback<active, false>(nullptr, shapes_and_indices(), cotangents(pass));
            deliver(pass, std::move(adjoints));
        } else {
            check_versions("the derivative of ");
            const auto bars = cotangents(pass);
            if constexpr (keeps)
                if (pull_kept(pass, get<0>(bars))) return;
            const auto inner = peeled_inputs();
            if constexpr (Op::merges) {
                plan_type plan;
                const auto wholes = place_adjoints(pass, plan, bars);
                auto adjoints = op_.template pullback_through<active, with_value>(
                    plan.merged, plan.through(), plan.into(), plan.without_values(pass), wholes, inner, bars);
                keep_value(adjoints);
                deliver_planned(pass, plan, adjoints);
            } else {
                auto adjoints = op_.template pullback<active, with_value>(nullptr, inner, bars);
                keep_value(adjoints);
                deliver(pass, std::move(adjoints));
            }
        }
    }
    void prefetch_inputs(bool values) const override {
        if (freed) return;
        [&]<int... I>(std::integer_sequence<int, I...>) {
            (prefetch_input<W>(get<I>(inputs_), values), ...);
        }(each_input);
    }
    const void* find_window(backward_pass& pass, void*& viewed) override {
        if constexpr (is_window_op_v<Op>) {
            auto* const from = get<0>(inputs_).output();
            if constexpr (std::is_same_v<decltype(from->extents), decltype(get<0>(outputs).extents)> &&
                          std::is_same_v<graph_value<pack_element_t<0, results>, typename W::tag>,
                                         std::remove_pointer_t<decltype(from)>>) {
                if (pass.checking || get<0>(outputs).is_requested() || !shows_once(op_.spec)) return nullptr;
                check_not_freed();
                if (pass.freeing) pass.push(this);
                viewed = from;
                return &op_.spec;
            }
        }
        return vertex::find_window(pass, viewed);
    }
    void* find_element(backward_pass& pass) override {
        if constexpr (shows_elements) {
            auto& x = *get<0>(inputs_).output();
            if (pass.checking || get<0>(outputs).is_requested()) return nullptr;
            check_not_freed();
            if (!x.cotangent)
                x.cotangent = constant_array<typename pack_element_t<0, pack<A...>>::inner_type>(x.extents, 0);
            else if (!addable(x.cotangent)) return nullptr;
            else x.cotangent->memory().bump_version();
            if (pass.freeing) pass.push(this);
            pass.push(x.owner);
            return apply_view(op_.spec, *x.cotangent).data();
        } else {
            return vertex::find_element(pass);
        }
    }

    void pull_recorded(backward_pass& pass) override {
        if constexpr (W::tag::is_variable) {
            check_not_freed();
            if constexpr (!Op::linear) check_versions("the derivative of ");
            replay<Op, W, A...>::pull(*this, pass, op_, inputs_);
        } else {
            vertex::pull_recorded(pass);
        }
    }

   private:
    void compute_alone(bool keep) {
        if constexpr (keeps) {
            const auto inner = peeled_inputs();
            if (keep && kept_.fits(op_, inner)) {
                unsigned char merged[active::count + 1];
                merge_equal(merged);
                return get<0>(outputs).set(kept_.compute(op_, merged, inner));
            }
        }
        // Where the first input's value lies, of ops that may write there. Afterwards it may not know, being recorded itself.
        [[maybe_unused]] const storage_block* first = nullptr;
        if constexpr (replaces_elements<Op>) first = known_memory(get<0>(inputs_)).block();
        auto r = [&]<int... I>(std::integer_sequence<int, I...>) {
            return call(op_, peel<W>(get<I>(inputs_))...);
        }(each_input);
        if constexpr (replaces_elements<Op>) take_over(first, get<0>(r));
        [&]<int... K>(std::integer_sequence<int, K...>) {
            (get<K>(outputs).set(std::move(get<K>(r))), ...);
        }(each_output);
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
        copies_part = get<0>(outputs).is_known() && !(known_memory(x) == known_memory(get<0>(outputs).value()));
        if (copies_part) x.owner()->add_copied_part();
    }
    void drop_copy() {
        if (std::exchange(copies_part, false)) get<0>(inputs_).owner()->drop_copied_part();
    }
    template <int K>
    auto output_shape() const {
        if constexpr (Op::linear) return op_.result_shape();
        else if constexpr (lazy || Op::merges) return get<K>(op_.result);
        else return get<K>(outputs).value().shape();
    }
    /// What came back for each output; a single zero, which broadcasts, for an output that nothing used. Outputs merged into
    /// another one share its cotangent.
    auto cotangents(const backward_pass& pass) {
        const auto absent = [](auto type) {
            using R = typename decltype(type)::type;
            return constant_array<R>(unit_shape<R::rank>(), 0);
        };
        if constexpr (outputs_count == 1) {
            auto bar = get<0>(outputs).take(pass);
            return make_pack(bar ? std::move(*bar) : absent(std::type_identity<pack_element_t<0, results>>{}));
        } else {
            const auto taken = generate<outputs_count>([&](auto k) { return get<k()>(outputs).take(pass); });
            return generate<outputs_count>([&](auto k) {
                using R = pack_element_t<k(), results>;
                const std::optional<R>* found = &get<k()>(taken);
                if constexpr (Op::merges)
                    for_indices<outputs_count>([&](auto j) {
                        if constexpr (std::is_same_v<pack_element_t<j(), results>, R>)
                            if (op_.merge[k()] == j()) found = &get<j()>(taken);
                    });
                return *found ? **found : absent(std::type_identity<R>{});
            });
        }
    }
    auto peeled_inputs() const {
        return unpack([](const auto&... a) { return make_pack(&peel<W>(a)...); }, inputs_);
    }
    /// What the pullback of an op that replaces elements sees: of inputs whose values may be gone their shapes.
    auto shapes_and_indices() const {
        return transform_indices<sizeof...(A)>(
            [&](auto i) {
                if constexpr (i() < 2) return make_pack(&get<i()>(inputs_));
                else return make_pack(&peel<W>(get<i()>(inputs_)));
            },
            [](const auto&... p) { return concat_all(p...); });
    }
    /// Which active inputs are the same value: merged[k] is the first that is the k-th one.
    void merge_equal(unsigned char* merged) const {
        const void* values[active::count + 1];
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (active::at[i()]) {
                constexpr int k = active::before(i());
                values[k] = get<i()>(inputs_).output();
                for (merged[k] = 0; values[merged[k]] != values[k];) ++merged[k];
            }
        });
    }
    /// Sends the adjoints that were computed with the value; false where there are none, or none of use.
    template <class C>
    bool pull_kept(backward_pass& pass, const C& bar) {
        if (!get<0>(outputs).is_known() || !kept_.any()) return false;
        unsigned char merged[active::count + 1];
        merge_equal(merged);
        auto adjoints = kept_.times(bar, op_, merged, pass.freeing || pass.consuming);
        if (!adjoints) return false;
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (active::at[i()]) {
                constexpr int k = active::before(i());
                if (merged[k] == k)
                    deliver_adjoint<i()>(pass, *get<i()>(inputs_).output(), std::move(get<k>(*adjoints)));
            }
        });
        return true;
    }
    /// Plans where adjoints go; gives the shapes that they come back in.
    template <class Plan, class Bars>
    auto place_adjoints(backward_pass& pass, Plan& plan, const Bars& bars) const {
        const auto extents = [&] {
            return inputs_.apply([](const auto&... a) { return Op::iteration_shape(peel<W>(a)...); });
        };
        const auto fits = [&](const auto& c) {
            if constexpr (batches::depth == 0) return true;
            batches b;
            inputs_.apply([&](const auto&... a) { (b.join(peel<W>(a)), ...); });
            bars.apply([&](const auto&... bar) { (b.join(bar), ...); });
            return b.are_those_of(c);
        };
        const auto wholes = transform_indices<sizeof...(A)>(
            [&](auto i) {
                if constexpr (active::at[i()])
                    return make_pack(plan.place(active::before(i()), get<i()>(inputs_).output(), pass, extents, fits));
                else return pack<>{};
            },
            [](const auto&... p) { return concat_all(p...); });
        plan.finish();
        return wholes;
    }
    template <class Adjoints>
    void keep_value(Adjoints& adjoints) {
        if constexpr (with_value) {
            const spin_guard alone(computing);
            if (!get<0>(outputs).is_known()) get<0>(outputs).set(std::move(get<active::count>(adjoints)));
        }
    }
    template <class Adjoints, class Plan>
    void deliver_planned(backward_pass& pass, const Plan& plan, Adjoints& adjoints) const {
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (active::at[i()]) {
                constexpr int k = active::before(i());
                using value = graph_value<typename pack_element_t<i(), pack<A...>>::inner_type, typename W::tag>;
                if (!plan.is_apart(k)) return;
                value& x = *static_cast<value*>(plan.value(k));
                if constexpr (Plan::adds)
                    if (plan.is_added(k)) return deliver_added(pass, x);
                deliver_adjoint<i()>(pass, x, std::move(get<k>(adjoints)));
            }
        });
    }
    template <class Adjoints>
    void deliver(backward_pass& pass, Adjoints&& adjoints) const {
        for_indices<sizeof...(A)>([&](auto i) {
            if constexpr (active::at[i()])
                deliver_adjoint<i()>(pass, *get<i()>(inputs_).output(), std::move(get<active::before(i())>(adjoints)));
        });
    }
    template <int I, class V, class C>
    void deliver_adjoint(backward_pass& pass, V& value, C&& adjoint) const {
        if constexpr (W::tag::is_variable)
            if (pass.checking) [[unlikely]]
                refuse_nan(adjoint, I, describe<Op>());
        deliver_one<W>(pass, value, std::move(adjoint));
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
    template <class V>
    static void deliver_added(backward_pass& pass, V& value) {
        if (!value.cotangent) return;  // one element of another value's was added to
        innermost_array(*value.cotangent).memory().bump_version();
        pass.push(value.owner);
    }
    void check_versions(const char* what) const {
        // Of arrays that elements are replaced in and by, only the shapes.
        constexpr int needed = replaces_elements<Op> ? 2 : 0;
        std::uint32_t changes = 0;
        [&]<int... I>(std::integer_sequence<int, I...>) {
            ((changes |= I < needed ? 0 : input_version<W>(get<I>(inputs_)) ^ versions_[I]), ...);
        }(each_input);
        if (changes != 0)
            detail::raise<gradient_error>(
                {"[backward] a value that ", what, Op::name, " needs was changed in place after it was recorded"});
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
    std::uint32_t versions_[sizeof...(A) + 1];
};

}  // namespace ricci::detail

// The arrays of the graph: a vertex's outputs, the cotangents gathered for them, and what users ask to see of those.
#pragma once
#include <optional>

#include "../expr/assign.hpp"
#include "../expr/conjugate.hpp"
#include "../expr/lift.hpp"
#include "../expr/output_window.hpp"
#include "graph.hpp"
#include "hooks.hpp"

namespace ricci::detail {

/// The sum of two recorded cotangents (grad/replay.hpp).
template <class A>
A recorded_sum(const A& a, const A& b);

/// a += b, both small and dense, with no more ado; false, and nothing done, where that is not so.
template <class A>
bool add_dense(const A& a, const A& b) {
    using executor_type = executor<typename A::device_type>;
    if constexpr (requires { executor_type::add_dense(a, b); }) return executor_type::add_dense(a, b);
    else return false;
}
/// Whether an array on the CPU is one zero, expanded: what stands for adjoints of whose value nobody asks.
template <class A>
bool is_expanded_zero(const A& a) {
    if constexpr (std::is_same_v<typename A::device_type, cpu_device>) {
        if (a.size() < 2) return false;
        for (int d = 0; d < A::rank; ++d)
            if (a.strides()[d] != 0) return false;
        return *a.data() == typename A::value_type(0);
    } else {
        return false;
    }
}
/// Whether elements lie side by side along axis 0 (cpu/bind.hpp).
template <class A>
bool is_in_batch_order(const A& a) {
    using executor_type = executor<typename A::device_type>;
    if constexpr (A::rank > 1 && requires { executor_type::batch_strides(a.shape()); })
        return a.strides() == executor_type::batch_strides(a.shape());
    else return false;
}
/// a becomes a + b, in place where nobody else sees a's memory: the sum of wrapped arrays is that of their parts.
template <class A>
void add_to(A& a, const A& b) {
    const auto add = [](auto& part, const auto& other) { add_to(part, other); };
    if constexpr (std::is_void_v<typename A::wrapper>) {
        if (is_expanded_zero(b)) return;
        const bool in_place = is_reusable(a) && (a.is_contiguous() || is_in_batch_order(a));
        if constexpr (A::rank == 0 && requires { executor<typename A::device_type>::add_dense(a, b); }) {
            if (!in_place) a = A(a.item());
            add_dense(a, b);  // always done: of numbers no kernel is compiled
        } else {
            const A sum = in_place ? a : A::uninitialized(a.shape());
            if (!in_place || !add_dense(sum, b)) run_map_into(a + b, sum);
            a = sum;
        }
    } else if constexpr (requires { a.add_parts(b, add); }) {
        if constexpr (std::is_void_v<decltype(a.add_parts(b, add))>) a.add_parts(b, add);
        else if (!a.add_parts(b, add)) a = evaluate(a + b);
    } else if constexpr (variable_like<A>) {
        a = recorded_sum(a, b);
    } else {
        a = evaluate(a + b);
    }
}
template <class A>
void accumulate_into(std::optional<A>& a, std::type_identity_t<A>&& b) {
    if (a) add_to(*a, b);
    else a = std::move(b);
}
template <class A>
void accumulate_into(std::optional<A>& a, const std::type_identity_t<A>& b) {
    if (a) add_to(*a, b);
    else a = b;
}
/// The plain array in the wrappers around it.
template <class A>
const auto& innermost_array(const A& a) {
    if constexpr (std::is_void_v<typename A::wrapper>) return a;
    else return innermost_array(a.inner());
}
/// The elements of a cotangent that can be added to in place, row-major or, in batches, in batch order; null where
/// there are none, or someone else sees them.
template <class A>
RICCI_INLINE void* addable(const std::optional<A>& a) {
    if (!a) return nullptr;
    const auto& elements = innermost_array(*a);
    bool dense = elements.is_contiguous();
    if constexpr (!std::is_void_v<typename A::wrapper>) dense = dense || is_in_batch_order(elements);
    return dense && is_reusable(elements) ? static_cast<void*>(elements.data()) : nullptr;
}
template <class A>
std::optional<A> taken(std::optional<A>& a) {
    std::optional<A> value = std::move(a);
    a.reset();
    return value;
}

/// An output of a vertex: its value (perhaps put off) and the cotangent gathered for it.
template <class A>
class plain_graph_value {
   public:
    vertex* owner;
    shape<A::rank> extents;
    std::optional<A> cotangent;

    bool is_known() const { return known_.load(std::memory_order_acquire); }
    /// The value, once it is known.
    const A& value() const { return *value_; }
    void set(A a) {
        first_version_ = version_of(a);
        value_ = std::move(a);
        known_.store(true, std::memory_order_release);
    }
    /// Fetches into the cache what a pull reads here and of the vertex before it.
    void prefetch() const {
        for (int line = -1; line < 2; ++line) __builtin_prefetch(reinterpret_cast<const char*>(this) + 64 * line);
    }
    /// The same of the value, if it is known: the counts of its memory and its first elements.
    void prefetch_value() const {
        if (!is_known()) return;
        const auto& elements = innermost_array(*value_);
        if constexpr (std::is_same_v<typename A::device_type, cpu_device>) {
            __builtin_prefetch(elements.memory().block());
            for (int line = 0; line < 2; ++line)
                __builtin_prefetch(reinterpret_cast<const char*>(elements.data()) + 64 * line);
        }
    }
    /// Lets go of a value whose memory another one has taken over: nobody is left to ask for it.
    void release() {
        known_.store(false, std::memory_order_release);
        value_.reset();
        released_ = true;
    }
    bool is_released() const { return released_; }
    /// How often the value was written in place; one that is put off was not.
    std::uint32_t writes() const { return is_known() ? version_of(*value_) - first_version_ : 0; }
    void forget() { cotangent.reset(); }
    /// Whether someone wants to see the cotangent.
    static constexpr bool is_requested() { return false; }

   private:
    std::optional<A> value_;
    std::uint32_t first_version_ = 0;  // of the value's memory, when it was set
    bool released_ = false;
    std::atomic<bool> known_{false};  // threads that read one graph may find a value at the same time
};

template <class A, class Tag, bool Variable = Tag::is_variable>
class graph_value : public plain_graph_value<A> {
   public:
    /// The cotangent that was gathered.
    std::optional<A> take(const backward_pass&) { return taken(this->cotangent); }
};

template <class A, class Tag>
class graph_value<A, Tag, true> : public plain_graph_value<A> {
   public:
    std::optional<recorded<A, Tag>> recorded_cotangent;

    /// What is asked of the gradient, to add to it.
    gradient_requests<A, Tag>& requests() {
        if (!requests_) requests_ = std::make_unique<gradient_requests<A, Tag>>();
        return *requests_;
    }
    const gradient_requests<A, Tag>* find_requests() const { return requests_.get(); }
    bool is_requested() const { return requests_ != nullptr; }
    void forget() {
        this->cotangent.reset();
        recorded_cotangent.reset();
    }
    /// The cotangent that was gathered, as the hooks leave it; those who asked for it get theirs.
    std::optional<A> take(const backward_pass& pass) {
        std::optional<A> bar = taken(this->cotangent);
        if (!bar) return bar;
        const bool shown = requests_ || (pass.accumulating && this->owner->is_variable());
        conjugate(bar, shown);
        if (requests_) requests_->run_hooks(bar);
        if (requests_ && requests_->wanted) requests_->seen = bar;
        if (pass.accumulating && (this->owner->is_variable() || (requests_ && requests_->retained))) {
            auto& gradient = requests().gradient;
            if (gradient) add_to(*gradient, *bar);
            else gradient = unshared(*bar);  // it may be the caller's cotangent, or another leaf's gradient
        }
        conjugate(bar, shown && !this->owner->is_variable());
        return bar;
    }
    std::optional<recorded<A, Tag>> take_recorded() {
        auto bar = taken(recorded_cotangent);
        if (!bar || !requests_) return bar;
        conjugate(bar, true);
        requests_->run_hooks(bar);
        if (requests_->wanted) requests_->recorded_seen = bar;
        conjugate(bar, true);
        return bar;
    }

   private:
    /// Between adjoint and gradient, for those who see it.
    template <class C>
    static void conjugate(std::optional<C>& bar, bool shown) {
        if constexpr (is_complex_v<typename C::value_type>)
            if (shown) bar = conjugated(*bar);
    }

    std::unique_ptr<gradient_requests<A, Tag>> requests_;
};

/// What vertices with results of the types R have in common.
template <class Tag, class Indices, class... R>
class vertex_with;
template <class Tag, int... K, class... R>
class vertex_with<Tag, std::integer_sequence<int, K...>, R...> : public vertex {
   public:
    static constexpr int outputs_count = sizeof...(R);
    pack<graph_value<R, Tag>...> outputs;

    explicit vertex_with(const vertex_origin& from) : vertex(from) { ((get<K>(outputs).owner = this), ...); }
    void forget() override { (get<K>(outputs).forget(), ...); }
    void show(backward_pass& pass) override {
        if constexpr (Tag::is_variable) {
            if (pass.recording) (get<K>(outputs).take_recorded(), ...);
            else (get<K>(outputs).take(pass), ...);
        }
    }

   protected:
    static constexpr bool take_windows = (takes_windows<R>() && ...);
    static constexpr bool take_additions = (takes_additions<R>() && ...);

    void take_extents() { ((get<K>(outputs).extents = get<K>(outputs).value().shape()), ...); }
    void set_extents(const pack<shape<R::rank>...>& extents) { ((get<K>(outputs).extents = get<K>(extents)), ...); }
    void set_values(pack<R...>&& values) { (get<K>(outputs).set(std::move(get<K>(values))), ...); }
    /// What came back for each output; a single zero, which broadcasts, for an output that nothing used. Outputs that
    /// are merged into another one, merge[k] != k, share its cotangent.
    pack<R...> cotangents(const backward_pass& pass, const unsigned char* merge) {
        if constexpr (outputs_count == 1) {
            return {{{cotangent_or_zero(get<K>(outputs).take(pass))}...}};
        } else {
            const pack<std::optional<R>...> taken{{{get<K>(outputs).take(pass)}...}};
            const void* const all[] = {&get<K>(taken)...};
            const auto found = [&]<class C>(const std::optional<C>& own, int k) {
                constexpr bool fits[] = {std::is_same_v<R, C>...};
                const bool shared = merge && fits[merge[k]];
                return cotangent_or_zero(shared ? *static_cast<const std::optional<C>*>(all[merge[k]]) : own);
            };
            return {{{found(get<K>(taken), K)}...}};
        }
    }

   private:
    template <class C>
    static C cotangent_or_zero(std::optional<C> bar) {
        return bar ? std::move(*bar) : C(constant_array<C>(unit_shape<C::rank>(), 0));
    }
};
template <class Tag, class... R>
auto vertex_with_results(const pack<R...>&)
    -> std::type_identity<vertex_with<Tag, std::make_integer_sequence<int, sizeof...(R)>, R...>>;

}  // namespace ricci::detail

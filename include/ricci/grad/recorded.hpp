// The wrapper of reverse mode: an array that remembers how it was computed.
#pragma once
#include "../expr/traced.hpp"
#include "graph_value.hpp"
#include "kept_curvature.hpp"
#include "shared_elements.hpp"

namespace ricci {

namespace detail {

template <class Op, class W, class Indices, class... A>
class op_vertex;
template <class Op, class W, class A>
class list_vertex;
template <class A, class Tag>
class leaf_vertex;
template <class A, class Tag>
class hook_handle;
/// Whether an array is recorded, or what it wraps is.
template <class A>
constexpr bool holds_recorded() {
    if constexpr (requires(const A& a) { a.output(); }) return true;
    else if constexpr (std::is_void_v<typename A::wrapper>) return false;
    else return holds_recorded<typename A::inner_type>();
}
/// The backward step of an op whose cotangents are recorded in their turn (grad/replay.hpp).
template <class Op, class W, class... A>
struct replay;
template <class X, class C>
void deliver_recorded(backward_pass& pass, const X& x, const C& bar);

}  // namespace detail

/// The rule of grad, vjp and backward: one vertex for each op, a fused map being one op.
template <class Tag>
struct record_by {
    using tag = Tag;
    static constexpr const char* name = "grad";
    static constexpr bool differentiates = true;
    static constexpr int priority = Tag::is_variable ? 0 : 1;
    template <class Inner>
    using wrapped = recorded<Inner, Tag>;

    template <class Op, class... A>
    static auto call(const Op& op, const A&... a) {
        using W = record_by;
        if constexpr (requires { op.template saved<W>(detail::peel<W>(a)...); }) {
            if constexpr ((is_active<A>() || ...)) return call(op.template saved<W>(detail::peel<W>(a)...), a...);
            else return detail::call(op, detail::peel<W>(a)...);
        } else if constexpr (detail::replaces_elements<Op>) {
            let_go_of_element(op, a...);
            Op mine = op;
            mine.in_place = op.in_place && is_alone(a...);
            return record(mine, a...);
        } else {
            return record(op, a...);
        }
    }
    /// Whether the first of an op's arguments is no value that another vertex will ask for, or another name.
    template <class A, class... Rest>
    static bool is_alone(const A& a, const Rest&...) {
        if constexpr (detail::wrapped_by_v<record_by, A>) return a.output()->is_known() && a.owner()->is_held_by_name();
        else return true;
    }
    template <class Op, class... A>
    static auto record(const Op& op, const A&... a) {
        using W = record_by;
        const level_t level = detail::checked_level<W>(a...);
        using below = detail::op_below_t<Op, std::remove_cvref_t<decltype(detail::peel<W>(a))>...>;
        using plain = decltype(below::call(op, nullptr, detail::peel<W>(a)...));
        detail::refuse_captured_in<W>(static_cast<const plain*>(nullptr));
        if constexpr (!is_inexact_v<typename detail::pack_element_t<0, plain>::value_type> ||
                      !(is_active<A>() || ...)) {
            return below::call(op, nullptr, detail::peel<W>(a)...);
        } else if (!detail::records(level)) {  // constants that a transform lifted, or no_grad
            return constants(below::call(op, nullptr, detail::peel<W>(a)...));
        } else {
            using vertex = detail::op_vertex<Op, W, std::make_integer_sequence<int, sizeof...(A)>, A...>;
            if constexpr (shares_element<Op, A...>()) return element<vertex>(op, level, a...);
            else return handles((new vertex(op, level, a...))->outputs);
        }
    }
    /// Whether an op is a view of one element of which one vertex will do. Of variables, whose views have gradients and
    /// hooks of their own, each is another one.
    template <class Op, class A, class... Rest>
    static constexpr bool shares_element() {
        if constexpr (Tag::is_variable || !detail::is_element_view_v<Op>) return false;
        else return !detail::holds_recorded<typename A::inner_type>();
    }
    /// That view: the one that there is, unless it was written to, or may be a copy that does not see writes.
    template <class Vertex, class Op, class A>
    static auto element(const Op& op, level_t level, const A& a) {
        detail::shared_elements* const shared = detail::shared_elements::of(level);
        const index_t at = detail::element_number(op.spec, op.from);
        const auto is_current = [](const Vertex& v) {
            const auto& y = detail::get<0>(v.outputs);
            if (!y.is_known() || y.writes() != 0) return false;
            const storage& memory = detail::innermost_array(y.value()).memory();
            return !memory.may_be_superseded() && !memory.follows_writes();
        };
        if (detail::vertex* const known = shared ? shared->find(a.output(), at) : nullptr) {
            auto& v = static_cast<Vertex&>(*known);
            if (is_current(v)) return handles(v.outputs);
        }
        auto* const v = new Vertex(op, level, a);
        auto y = handles(v->outputs);
        if (shared && is_current(*v)) shared->keep(a.output(), at, v);
        return y;
    }
    /// Of an element that is about to be replaced.
    template <class Op, class A, class... Rest>
    static void let_go_of_element(const Op& op, const A& a, const Rest&...) {
        if constexpr (!Tag::is_variable && detail::wrapped_by_v<record_by, A> &&
                      requires { detail::element_number(op.spec, op.to); })
            if (detail::shared_elements* const shared = detail::shared_elements::of(a.level()))
                shared->drop(a.output(), detail::element_number(op.spec, op.to));
    }
    template <int... I, class... Y>
    static detail::pack<recorded<Y, Tag>...> constants(
        const detail::pack_base<std::integer_sequence<int, I...>, Y...>& values) {
        return {{{constant(detail::get<I>(values))}...}};
    }
    template <int... I, class... Y>
    static detail::pack<recorded<Y, Tag>...> handles(
        detail::pack_base<std::integer_sequence<int, I...>, detail::graph_value<Y, Tag>...>& outputs) {
        return {{{recorded<Y, Tag>(&detail::get<I>(outputs))}...}};
    }
    template <class Op, class A>
    static auto call_list(const Op& op, const std::vector<A>& list) {
        const level_t level = detail::checked_list_level<record_by>(list);
        std::vector<typename A::inner_type> values;
        values.reserve(list.size());
        for (const A& a : list) values.push_back(a.inner());
        auto y = detail::call_list(op, values);
        if constexpr (is_active<A>()) {
            if (!detail::records(level)) return constant(y);
            auto* v = new detail::list_vertex<Op, record_by, A>(op, level, list, y);
            return recorded<decltype(y), Tag>(&detail::get<0>(v->outputs));
        } else {
            return y;
        }
    }
    /// A value without history.
    template <class A>
    static auto constant(const A& a) {
        return recorded<A, Tag>(a, 0);
    }
    template <class A>
    static A constant_of(const shape<A::rank>& extents, typename A::value_type value) {
        return A(detail::constant_array<typename A::inner_type>(extents, value), 0);
    }
    template <class A>
    static constexpr bool is_active() {
        return detail::wrapped_by_v<record_by, A> && is_inexact_v<typename A::value_type>;
    }
};

namespace detail {
template <class A>
struct braces_of {
    using type = no_braces;
};
template <class A>
    requires(A::rank > 0 && requires { typename A::braces; })
struct braces_of<A> {
    using type = typename A::braces;
};
}  // namespace detail

/// An array under reverse-mode differentiation. `inner()` is its value.
template <detail::array A, class Tag>
class recorded : public traced<recorded<A, Tag>> {
   public:
    using inner_type = A;
    using wrapper = record_by<Tag>;
    using value_type = typename A::value_type;
    using device_type = typename A::device_type;
    static constexpr int rank = A::rank;
    static constexpr bool is_array = true;

    recorded() : recorded(A(), 0) {}
    /// A variable: a leaf of the graph, of one that is used up where it is made if handles on it are counted apart.
    recorded(const A& value, level_t level, bool counts_apart = false)
        : recorded(&detail::get<0>((new detail::leaf_vertex<A, Tag>(value, level, counts_apart))->outputs)) {}
    explicit recorded(detail::graph_value<A, Tag>* output) : output_(output) { output_->owner->retain(); }
    recorded(const recorded& other) : recorded(other.output_) {}
    recorded(recorded&& other) noexcept : output_(other.taken()) {}
    recorded& operator=(const recorded& other) & { return *this = recorded(other); }
    recorded& operator=(recorded&& other) & noexcept {
        std::swap(output_, other.output_);
        return *this;
    }
    using traced<recorded>::operator=;
    ~recorded() {
        if (output_) output_->owner->release();
    }

    /// A variable (imperative style), from its value: an array, an expression, for rank 0 a number.
    recorded(const A& value)
        requires(Tag::is_variable)
        : recorded(value, detail::variable_level) {}
    template <detail::evaluates_to<A> E>
        requires(Tag::is_variable)
    recorded(const E& value) : recorded(A(value)) {}
    /// Of an array that is only read, as broadcast_to gives, a copy.
    template <class E>
        requires(Tag::is_variable && std::is_same_v<E, tensor<const value_type, rank, typename A::device_type>>)
    recorded(const E& value) : recorded(value.clone()) {}
    template <scalar_value S>
        requires(Tag::is_variable && rank == 0)
    recorded(S value) : recorded(A(static_cast<value_type>(value))) {}
    /// From nested braces, as the tensor: `variable<double, 1> w{1, 2, 3}`.
    recorded(typename detail::braces_of<A>::type values)
        requires(Tag::is_variable && rank > 0)
        : recorded(A(values)) {}
    /// Refused: what is under a transform, which has derivatives of its own.
    template <detail::array B>
        requires(Tag::is_variable && !std::is_void_v<typename B::wrapper> &&
                 !std::is_same_v<typename B::wrapper, record_by<Tag>>)
    explicit recorded(const B&) : recorded() {
        static_assert(
            always_false<B>,
            "ricci: a variable is made of a tensor, not of a value under grad, jvp or vmap: take the derivative "
            "inside of a transform by grad(f)(x), which nests");
    }
    /// The value of a recorded expression.
    template <detail::evaluates_to<recorded> E>
    recorded(const E& e) : recorded(evaluate(e)) {}

    const A& inner() const {
        if (!output_->is_known()) owner()->compute();
        return output_->value();
    }
    level_t level() const { return owner()->level(); }
    level_t inner_level() const { return owner()->inner_level(); }
    const ricci::shape<rank>& shape() const { return output_->extents; }
    index_t shape(int axis) const { return shape()[detail::normalize_axis(axis, rank, "shape")]; }
    index_t size() const { return shape().count(); }
    static constexpr int ndim() { return rank; }
    /// The value of the only element, without its history.
    using traced<recorded>::item;
    value_type item() const { return inner().item(); }
    /// The value, as a handle on the same memory: writing through it, `w.value() -= 0.1 * w.grad()`, is not recorded.
    A value() const { return detail::shown_value(inner()); }
    /// The gradient that backward accumulated here; zeros before. Throws gradient_error for a computed value without
    /// retain_grad.
    A grad() const
        requires(Tag::is_variable)
    {
        const auto* requests = output_->find_requests();
        if (!is_leaf() && !(requests && requests->retained))
            detail::raise<gradient_error>(
                {"[grad] this value was computed, and only variables keep their gradients: call its "
                 "retain_grad() before backward"});
        return requests && requests->gradient ? *requests->gradient : detail::constant_array<A>(shape(), 0);
    }
    /// Forgets the accumulated gradient.
    void zero_grad() const
        requires(Tag::is_variable)
    {
        if (output_->find_requests()) output_->requests().gradient.reset();
    }
    /// Has backward keep the gradient of this computed value, too.
    void retain_grad() const
        requires(Tag::is_variable)
    {
        check_requires_grad("retain_grad");
        output_->requests().retained = true;
    }
    /// Has every backward pass call f with the gradient of this value, once it is complete; an array that f returns
    /// takes its place. f takes a tensor; one that returns something and is used under create_graph takes any array
    /// (`const auto&`).
    template <class F>
    detail::hook_handle<A, Tag> register_hook(F f) const
        requires(Tag::is_variable)
    {
        check_requires_grad("register_hook");
        return detail::hook_handle<A, Tag>(*output_, std::move(f));
    }
    /// The same value as a constant: nothing that is computed from it is sent back here.
    recorded detach() const
        requires(Tag::is_variable)
    {
        return recorded(inner(), 0);
    }
    /// Whether derivatives flow back from here: false for constants and for what no_grad and detach gave.
    bool requires_grad() const { return level() != 0; }
    /// The same of what is computed from it now.
    bool passes_gradient() const { return detail::records(level()); }
    /// Whether it was made, not computed.
    bool is_leaf() const { return owner()->is_variable(); }
    detail::vertex* owner() const { return output_->owner; }
    detail::graph_value<A, Tag>* output() const { return output_; }

    /// Itself; a history cannot be carried to another depth of wrappers.
    template <class F>
    auto with_inner(const F&) const {
        using B = decltype(std::declval<const F&>()(std::declval<const A&>()));
        if constexpr (std::is_same_v<A, B>) {
            return *this;
        } else {
            detail::refuse_captured("transform", wrapper::name);
            return recorded<B, Tag>();
        }
    }

   private:
    RICCI_INLINE detail::graph_value<A, Tag>* taken() noexcept {
        auto* output = std::exchange(output_, nullptr);
        RICCI_KEEP_SCALAR(output);
        return output;
    }
    void check_requires_grad(const char* what) const {
        if (!requires_grad())
            detail::raise<gradient_error>({"[", what, "] this value is a constant: it came from no_grad or detach()"});
    }

    detail::graph_value<A, Tag>* output_;  // counted through its owner
};

namespace detail {

/// Notes an input of a vertex of W.
template <class W, class X>
RICCI_INLINE void follow_input(vertex_origin& from, const X& x) {
    if constexpr (wrapped_by_v<W, X>) from.follow(*x.owner());
    else from.inner_level = from.inner_level > x.level() ? from.inner_level : x.level();
}

/// What register_hook gives: remove() takes the hook away again.
template <class A, class Tag>
class hook_handle {
   public:
    template <class F>
    hook_handle(graph_value<A, Tag>& output, F f) : output_(&output), owner_(output.owner) {
        auto& requests = output.requests();
        auto* last = &requests.hooks;
        while (*last) last = &(*last)->next;
        last->reset(new typed_hook<A, Tag, F>(std::move(f)));
        (*last)->number = number_ = ++requests.hooks_made;
    }
    void remove() const {
        auto* at = &output_->requests().hooks;
        while (*at && (*at)->number != number_) at = &(*at)->next;
        if (*at) *at = std::shared_ptr((*at)->next);
    }

   private:
    graph_value<A, Tag>* output_;
    vertex_ref owner_;
    std::uint64_t number_;
};

/// A variable of the graph: what backward delivers cotangents to.
template <class A, class Tag>
class leaf_vertex final : public vertex_with<Tag, std::integer_sequence<int, 0>, A> {
    using base = vertex_with<Tag, std::integer_sequence<int, 0>, A>;

   public:
    leaf_vertex(const A& value, level_t level, bool counts_apart)
        : base({.level = level, .inner_level = value.level(), .counts_apart = counts_apart}) {
        this->variable = true;
        auto& output = get<0>(this->outputs);
        output.extents = value.shape();
        output.set(value);
    }
    /// Under grad and vjp the cotangent stays, for the transform to take.
    void pull(backward_pass& pass) override { this->show(pass); }
};

}  // namespace detail
}  // namespace ricci

#include "list_vertex.hpp"
#include "op_vertex.hpp"

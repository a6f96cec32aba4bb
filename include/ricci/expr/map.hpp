// The lazy map: an element-wise op over its arguments, kept as a type until something consumes it.
#pragma once
#include "../core/tensor.hpp"
#include "op.hpp"

RICCI_BOTH_SIDES_BEGIN
namespace ricci {

/// A C++ number inside a map, already converted to the type that promotion gave it.
template <class T>
struct constant : expression_tag {
    using value_type = T;
    static constexpr int rank = 0;
    static constexpr bool is_array = false;
    T value;
    RICCI_HD constexpr explicit constant(T v) : value(v) {}
};

namespace detail {

template <class A>
inline constexpr bool is_constant_v = false;
template <class T>
inline constexpr bool is_constant_v<constant<T>> = true;

/// How many op nodes a map holds; 0 for arrays and numbers.
template <class A>
inline constexpr int op_count_v = 0;

/// Beyond this many ops a map's larger arguments are evaluated, so that neither types nor code grow without bound when
/// an expression is built from repeated uses of itself (h * h + h, nested).
inline constexpr int max_fused_ops = 64;

/// Whether arrays under the transform W may have a number: where it only batches derivatives, as in a Jacobian, the
/// values that conditions ask for are the same for all members.
template <class W>
inline constexpr bool has_number = std::is_void_v<W> || requires { requires W::shares_values; };
/// Refuses to make a number of an array under the transform W.
template <class W>
constexpr void check_number() {
    if constexpr (!has_number<W>) {
        static_assert(
            W::differentiates,
            "ricci: under vmap a value is one for each member, and no number or condition: use where(condition, a, b)");
        static_assert(
            !W::differentiates,
            "ricci: a value under grad or jvp does not become a number, its derivative would be lost: keep it as auto "
            "(one that a loop changes begins as lift(start, x)), use ricci's functions in place of std's, join several "
            "by stack(rc::tuple(a, b)), or take its item() where a number is meant");
    }
}

struct device_mix {};
/// Always inlined, as std::destroy_at is not, and for nvcc, which knows no destructors of members of a pack.
template <class T>
RICCI_INLINE void destroy_in_place(T& x) {
    x.~T();
}
template <class... A>
struct common_device {
    using type = void;
};
template <class A, class... Rest>
struct common_device<A, Rest...> {
    using rest = typename common_device<Rest...>::type;
    static constexpr auto pick() {
        if constexpr (!expression<A> || is_constant_v<A>) return std::type_identity<rest>{};
        else if constexpr (std::is_void_v<rest> || std::is_same_v<rest, typename A::device_type>)
            return std::type_identity<typename A::device_type>{};
        else return std::type_identity<device_mix>{};
    }
    using type = typename decltype(pick())::type;
};

/// Broadcasts a map's extents, which begin as the first array's, with those of an argument; false when they do not fit.
template <int R, class A>
RICCI_INLINE constexpr bool broadcast_argument(shape<R>& extents, bool& begun, const A& x) {
    if constexpr (!expression<A> || is_constant_v<A>) {
        return true;
    } else {
        if (begun) return try_broadcast(extents, x.shape());
        extents = pad_front<R>(x.shape());
        return begun = true;
    }
}
/// The shape of an argument in an error's text; constants have none.
template <class A>
RICCI_INLINE auto shape_of(const A& x) {
    if constexpr (!expression<A> || is_constant_v<A>) return nothing{};
    else return x.shape();
}
constexpr extents_ref extents_of(const nothing&) { return {nullptr, -1}; }
template <int R>
constexpr extents_ref extents_of(const shape<R>& s) {
    return {s.extent, R};
}
/// Takes copies, so that the arguments' own shapes can stay in registers.
template <class... Shape>
[[noreturn]] RICCI_INLINE void refuse_shapes(const Shape... shapes) {
    const extents_ref all[] = {extents_of(shapes)...};
    refuse_broadcast(all, sizeof...(Shape));
}

/// Whether derivatives flow back to an argument from what is computed of it now.
template <class A>
bool passes_gradient(const A& a) {
    if constexpr (requires { a.passes_gradient(); }) return a.passes_gradient();
    else if constexpr (requires { a.requires_grad(); }) return a.requires_grad();
    else return false;
}

}  // namespace detail

/// The map of `Op` over `Args` (arrays, maps, constants), which it owns. Its shape is the broadcast one, checked when
/// the map is built.
template <class Op, class... Args>
class map_node : public indexable<map_node<Op, Args...>> {
   public:
    using value_type = typename Op::template result<typename Args::value_type...>;
    using device_type = typename detail::common_device<Args...>::type;
    using op_type = Op;
    using arguments_type = detail::pack<Args...>;
    static constexpr int rank = [] {
        int r = 0;
        ((r = Args::rank > r ? Args::rank : r), ...);
        return r;
    }();
    static constexpr bool is_array = false;
    static_assert(!std::is_same_v<device_type, detail::device_mix>,
                  "ricci: the arguments live on different devices; move one with .to(device)");

    /// From the operands as `Store` stores them, in place: a handle is moved once for each node above it.
    template <class Store, int... I, class... A>
    RICCI_INLINE map_node(Op op, Store, std::integer_sequence<int, I...>, A&&... args)
        : op_(op), extents_(broadcast_extents(args...)), args_{{{Store::template at<I>(std::forward<A>(args))}...}} {}

    RICCI_INLINE map_node(const map_node& other) : op_(other.op_), extents_(other.extents_), args_(other.args_) {}
    RICCI_INLINE map_node(map_node&& other) noexcept
        : op_(other.op_), extents_(other.extents_), args_(std::move(other.args_)) {}
    map_node& operator=(map_node other) noexcept {
        op_ = other.op_;
        extents_ = other.extents_;
        args_ = std::move(other.args_);
        return *this;
    }
    /// Refused: the type of an expression is that of its formula, which another value does not have.
    template <class E>
        requires(!std::is_same_v<E, map_node>)
    void operator=(const E&) {
        static_assert(always_false<E>,
                      "ricci: `auto y = a * b` is an expression, which nothing can be assigned to: "
                      "`auto y = evaluate(a * b)` is an array, which y = e rebinds");
    }
    RICCI_INLINE ~map_node() { destroy_arguments(std::make_integer_sequence<int, sizeof...(Args)>{}); }

    const ricci::shape<rank>& shape() const { return extents_; }
    index_t shape(int axis) const { return extents_[detail::normalize_axis(axis, rank, "shape")]; }
    index_t size() const { return extents_.count(); }
    static constexpr int ndim() { return rank; }
    const Op& op() const { return op_; }
    const arguments_type& arguments() const { return args_; }

    /// The value of a map of rank 0.
    operator value_type() const
        requires(rank == 0)
    {
        const auto y = evaluate(*this);
        detail::check_number<typename decltype(y)::wrapper>();
        return y.item();
    }
    /// The only element.
    using indexable<map_node>::item;
    value_type item() const { return evaluate(*this).item(); }

    /// The value, in memory of its own, as the member of tensors.
    auto clone() const { return evaluate(*this); }

    /// Whether derivatives flow back from here: to a variable in it, unless no_grad is on.
    bool requires_grad() const {
        return detail::unpack([](const auto&... a) { return (detail::passes_gradient(a) || ...); }, args_);
    }

    /// Refused, what variables have: each use of an expression makes another node of the graph.
    template <class Never = Op>
    void grad() const {
        unnamed<Never>();
    }
    template <class Never = Op>
    void retain_grad() const {
        unnamed<Never>();
    }
    template <class Hook>
    void register_hook(const Hook&) const {
        unnamed<Hook>();
    }

   private:
    template <class Never>
    static void unnamed() {
        static_assert(always_false<Never>,
                      "ricci: `auto y = sin(w)` is an expression, which keeps no gradient: name its value, "
                      "`variable<double, 1> y = sin(w)` or `auto y = evaluate(sin(w))`");
    }
    template <class... A>
    RICCI_INLINE static ricci::shape<rank> broadcast_extents(const A&... args) {
        ricci::shape<rank> extents;
        bool begun = false;
        if (!(detail::broadcast_argument(extents, begun, args) && ...))
            detail::refuse_shapes(detail::shape_of(args)...);
        return extents;
    }

    template <int... I>
    RICCI_INLINE void destroy_arguments(std::integer_sequence<int, I...>) {
        (detail::destroy_in_place(detail::get<I>(args_)), ...);
    }

    [[no_unique_address]] Op op_;
    ricci::shape<rank> extents_;
    // In a union, whose members' destructors are called by ours, which is inlined: one that g++ calls, on the way of an
    // exception only, takes the node's address, and with that all handles of an expression stay in memory.
    union {
        arguments_type args_;
    };
};

namespace detail {

template <class Op, class... Args>
inline constexpr int op_count_v<map_node<Op, Args...>> = 1 + (0 + ... + op_count_v<Args>);

/// How a map of `Op` stores operands of the kinds K: numbers as constants of the type that it wants, expressions as
/// themselves, large maps evaluated, what is deferred fetched.
template <class Op, bool Evaluate, class... K>
struct argument_store {
    template <int I, class A>
    RICCI_INLINE static auto at(A&& a) {
        using E = std::remove_cvref_t<A>;
        using T = typename Op::template argument<I, K...>;
        if constexpr (!expression<E> && takes_bits_v<Op>) return constant<T>(convert_element<T>(a));
        else if constexpr (!expression<E>) return constant<T>(convert_number<T>(a));
        else if constexpr (deferred<E>) return a.fetch();
        else if constexpr (Evaluate && (op_count_v<E> > max_fused_ops / 8)) return evaluate(a);
        else return E(std::forward<A>(a));
    }
};
/// The node of `Op` over operands as `Store` stores them.
template <class Op, class Store, class Indices, class... A>
struct node_over;
template <class Op, class Store, int... I, class... A>
struct node_over<Op, Store, std::integer_sequence<int, I...>, A...> {
    using type = map_node<Op, decltype(Store::template at<I>(std::declval<A>()))...>;
};
/// Whether an argument can be a leaf beside tensors: fixed tensors of kernel scalars cannot.
template <class A>
constexpr bool stands_beside_tensors() {
    if constexpr (fixed_expression<A>) return element<value_type_t<A>>;
    else return true;
}
/// Whether an op of real numbers is asked for with complex ones.
template <class Op, class... A>
constexpr bool lacks_complex() {
    if constexpr (requires { Op::takes_complex; }) return !Op::takes_complex && (is_complex_v<number_t<A>> || ...);
    else return false;
}
/// The value of `op` over fixed tensors and numbers.
template <class Op, class... A>
RICCI_INLINE constexpr auto map_fixed(const Op& op, const A&... args);

/// Builds the lazy node of `op` over expressions and numbers. Of fixed tensors alone the value is computed at once:
/// nobody can tell, since they own their elements, and compilers keep small values in registers where nodes are copied.
template <class Op, class... A>
RICCI_INLINE constexpr auto make_map(Op op, A&&... args) {
    if constexpr (lacks_complex<Op, std::remove_cvref_t<A>...>()) {
        static_assert(
            !lacks_complex<Op, std::remove_cvref_t<A>...>(),
            "ricci: complex numbers have no order, and this function is of real ones: take real(z), imag(z) or abs(z)");
        return tensor<typename Op::template result<double>, 0>();
    } else if constexpr (((fixed_expression<A> || !expression<A>) && ...)) {
        return map_fixed(op, args...);
    } else {
        static_assert((stands_beside_tensors<A>() && ...),
                      "ricci: a fixed_tensor of scalars that are no numbers stands beside no tensor");
        constexpr bool evaluate_large = 1 + (0 + ... + op_count_v<std::remove_cvref_t<A>>) > max_fused_ops;
        using store = argument_store<Op, evaluate_large, kind_t<A>...>;
        using indices = std::make_integer_sequence<int, sizeof...(A)>;
        return typename node_over<Op, store, indices, A&&...>::type(op, store{}, indices{}, std::forward<A>(args)...);
    }
}

}  // namespace detail

/// Applies an element-wise op: lazily to expressions, at once to kernel scalars and numbers.
template <class Op, class... A>
RICCI_HD RICCI_INLINE constexpr auto map(A&&... args) {
    if constexpr ((expression<A> || ...)) return detail::make_map(Op{}, std::forward<A>(args)...);
    else return detail::evaluate_op(Op{}, args...);
}

}  // namespace ricci
RICCI_BOTH_SIDES_END

// What x(indices) of a tensor is: an expression that fetches the selected elements when they are needed, and writes
// them when it is assigned to.
#pragma once
#include "../../expr/place_operators.hpp"
#include "mask.hpp"
#include "put.hpp"

namespace ricci {
namespace detail {

/// Whether two tensors may share elements.
template <class A, class B>
bool share_memory(const A& a, const B& b) {
    if (a.size() == 0 || b.size() == 0) return false;
    const std::byte *a_low, *a_high, *b_low, *b_high;
    address_range(a, a_low, a_high);
    address_range(b, b_low, b_high);
    return a_low < b_high && b_low < a_high;
}
/// `a`, or a copy of it where it may share elements with what is written.
template <class Out, class A>
A apart_from(const Out& out, const A& a) {
    if (!share_memory(out, a)) return a;
    const auto copy = a.clone();
    return A(copy.memory(), copy.data(), copy.shape(), copy.strides());
}
/// Throws shape_error unless the right side of an assignment broadcasts to a selection.
template <int Q, int R>
void check_right_side(const shape<Q>& e, const shape<R>& selected) {
    for (int d = 0; d < Q; ++d)
        if (e[d] != 1 && e[d] != selected[R - Q + d])
            raise<shape_error>({"[assign] shape ", e, " does not broadcast to the selection's shape ", selected});
}
/// The right side of an assignment: of X's element type, evaluated, of the selection's shape, apart from what is
/// written.
template <class X, class E, int R>
auto right_side(const X& x, const E& e, const shape<R>& selected) {
    using T = typename X::value_type;
    using D = typename X::device_type;
    check_writable(x);
    check_value_stays_complex<T, E>();
    if constexpr (scalar_value<E>) {
        return expanded(tensor<T, 0, D>(convert_number<T>(e)), selected);
    } else {
        static_assert(E::rank <= R, "ricci: the right side has more dimensions than the selection it is assigned to");
        static_assert(std::is_same_v<typename E::device_type, D>, "ricci: the sides live on different devices");
        static_assert(
            all_plain<E>(),
            "ricci: a value under grad, jvp or vmap cannot be written into a plain tensor: write into one that is "
            "under the transform, too, auto y = lift(zeros, x) for one that begins as zeros");
        check_right_side(e.shape(), selected);
        return expanded(apart_from(x, evaluate_as<T>(e)), selected);
    }
}

/// Refuses what is assigned to a selection, unless it is an operand and the selection has no name.
template <class E>
constexpr void refuse_assignment() {
    constexpr bool is_operand = operand<E>;  // the concept would be explained at length
    static_assert(is_operand,
                  "ricci: arrays hold numbers, no text, and a list becomes an array by from_span(v) or tensor{1, 2}");
    static_assert(
        !is_operand,
        "ricci: what x(i) selects is written as x(i) = e, not by a name, `auto s = x(i)`; an array of its own, which "
        "s = e rebinds, is `auto s = evaluate(x(i))`");
}

/// What selections share: reading, and arithmetic in place.
template <class Derived>
class writable : public indexable<Derived>, public place_operators<Derived> {
   public:
    static constexpr bool is_array = false;
    static constexpr int ndim() { return Derived::rank; }
    index_t shape(int axis) const { return self().shape()[normalize_axis(axis, Derived::rank, "shape")]; }
    index_t size() const { return self().shape().count(); }
    using indexable<Derived>::item;
    auto item() const { return self().fetch().item(); }
    auto clone() const { return self().fetch(); }
    template <class Device>
    auto to(Device device) const {
        return self().fetch().to(device);
    }

    // Those of constants are refused.
    using indexable<Derived>::operator+=, indexable<Derived>::operator-=, indexable<Derived>::operator*=,
        indexable<Derived>::operator/=, indexable<Derived>::operator%=, indexable<Derived>::operator&=,
        indexable<Derived>::operator|=, indexable<Derived>::operator^=, indexable<Derived>::operator<<=,
        indexable<Derived>::operator>>=;
    using place_operators<Derived>::operator+=, place_operators<Derived>::operator-=,
        place_operators<Derived>::operator*=, place_operators<Derived>::operator/=,
        place_operators<Derived>::operator%=, place_operators<Derived>::operator&=,
        place_operators<Derived>::operator|=, place_operators<Derived>::operator^=,
        place_operators<Derived>::operator<<=, place_operators<Derived>::operator>>=;

   private:
    const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace detail

/// The elements of a tensor that index arrays select. They are read when an expression that holds this is built or
/// evaluated.
///
/// Assigning to the unnamed result of x(indices) writes the tensor's elements; the right side is broadcast. Where the
/// indices name an element more than once the last one stays, also of x(i) += 1, which then adds 1 once, as in NumPy;
/// x(i).add(1) adds each time. Everything is checked before anything is written, and the right side may read the same
/// memory.
template <class X, class Spec, class... I>
class selection : public detail::writable<selection<X, Spec, I...>> {
   public:
    using value_type = typename X::value_type;
    using device_type = typename X::device_type;
    static constexpr int rank = Spec::rank;
    using detail::writable<selection>::shape;

    RICCI_INLINE selection(const Spec& spec, const X& x, I... index)
        : spec_(spec), x_(x), index_{{{std::move(index)}...}}, extents_(selected()) {}
    selection(const selection&) = default;
    selection& operator=(const selection& e) && {
        write(e);
        return *this;
    }
    template <expression_or_number E>
    selection& operator=(const E& e) && {
        write(e);
        return *this;
    }
    template <class E>
    void operator=(const E&) const& {
        detail::refuse_assignment<E>();
    }
    /// Adds `e`, broadcast, to the selected elements: to those that the indices name several times as often.
    /// (numpy.add.at.)
    template <expression_or_number E>
    void add(const E& e) const {
        combine<combine_plus>(e);
    }
    /// The same of what is multiplied by them, and of the greatest and the least, NaN if there is one.
    /// (numpy.maximum.at.)
    template <expression_or_number E>
    void multiply(const E& e) const {
        combine<combine_multiply>(e);
    }
    template <expression_or_number E>
    void maximum(const E& e) const {
        static_assert(!is_complex_v<value_type>, "ricci: complex numbers have no order");
        combine<combine_maximum>(e);
    }
    template <expression_or_number E>
    void minimum(const E& e) const {
        static_assert(!is_complex_v<value_type>, "ricci: complex numbers have no order");
        combine<combine_minimum>(e);
    }

    const ricci::shape<rank>& shape() const { return extents_; }
    operator value_type() const
        requires(rank == 0)
    {
        return this->item();
    }
    /// The selected elements, copied. Throws index_error for an index outside of its axis.
    auto fetch() const {
        return detail::unpack(
            [&](const auto&... i) {
                return detail::call1(detail::gather_op<Spec>(spec_), detail::without_const(x_), i...);
            },
            index_);
    }
    /// The same into memory that nobody else sees, dense; false, and nothing done, where that is no faster.
    template <class Y>
    bool fetch_into(const Y& y) const {
        return detail::unpack(
            [&](const auto&... i) {
                return executor<device_type>::gather_over(spec_, detail::without_const(x_), y, i...);
            },
            index_);
    }

    template <class E>
    void write(const E& e) const {
        write_by([](auto&&... a) { executor<device_type>::put(a...); }, e);
    }
    template <class E, class F>
    void change(const E& e, F f) const {
        const auto changed = f(fetch(), e);
        detail::check_in_place<value_type, value_type_t<decltype(changed)>>();
        write(changed);
    }

   private:
    RICCI_INLINE ricci::shape<rank> selected() const {
        return detail::unpack([&](const auto&... i) RICCI_INLINE_LAMBDA { return spec_.selected(x_.shape(), i...); },
                              index_);
    }
    template <class Combine, class E>
    void combine(const E& e) const {
        detail::check_in_place<value_type, value_type_t<decltype(fetch() * e)>>();
        write_by([](auto&&... a) { executor<device_type>::template combine_at<Combine>(a...); }, e);
    }
    template <class How, class E>
    void write_by(const How& how, const E& e) const {
        if constexpr (std::is_const_v<typename X::element_type>) {
            detail::refuse_write<E>();
        } else {
            const auto y = detail::right_side(x_, e, extents_);
            detail::unpack([&](const auto&... i) { how(spec_, x_, y, detail::apart_from(x_, i)...); }, index_);
            x_.memory().bump_version();
        }
    }

    Spec spec_;
    X x_;
    detail::pack<I...> index_;
    ricci::shape<rank> extents_;
};

/// The elements of a tensor where a mask of its shape, a tensor or a map, is true: as selection, in one pass and
/// without indices. A map is computed whenever it is needed, like any other: how many elements there are is counted for
/// the shape.
template <class X, class M>
class mask_selection : public detail::writable<mask_selection<X, M>> {
   public:
    using value_type = typename X::value_type;
    using device_type = typename X::device_type;
    static constexpr int rank = 1;
    using detail::writable<mask_selection>::shape;

    RICCI_INLINE mask_selection(X x, M mask) : x_(std::move(x)), mask_(std::move(mask)) {}
    mask_selection(const mask_selection&) = default;
    mask_selection& operator=(const mask_selection& e) && {
        write(e);
        return *this;
    }
    template <expression_or_number E>
    mask_selection& operator=(const E& e) && {
        write(e);
        return *this;
    }
    template <class E>
    void operator=(const E&) const& {
        detail::refuse_assignment<E>();
    }
    template <expression_or_number E>
    void add(const E& e) const {
        change(e, [](const auto& x, const auto& y) { return x + y; });
    }
    template <expression_or_number E>
    void multiply(const E& e) const {
        change(e, [](const auto& x, const auto& y) { return x * y; });
    }
    template <expression_or_number E>
    void maximum(const E& e) const {
        change(e, [](const auto& x, const auto& y) { return ricci::maximum(x, y); });
    }
    template <expression_or_number E>
    void minimum(const E& e) const {
        change(e, [](const auto& x, const auto& y) { return ricci::minimum(x, y); });
    }

    const ricci::shape<1>& shape() const {
        const index_t count = executor<device_type>::count_true(evaluate(mask_));
        if (extents_[0] != count) __atomic_store_n(&extents_[0], count, __ATOMIC_RELAXED);  // threads may ask at once
        return extents_;
    }
    tensor<value_type, 1, device_type> fetch() const {
        tensor<value_type, 1, device_type> y;
        fetch_over(y);
        return y;
    }
    /// Makes `y` the selected elements, in its own memory where nobody else sees it and it has room. It may have more
    /// than it needs then: new memory is kept if it is small, or half of it or more is used.
    void fetch_over(tensor<value_type, 1, device_type>& y) const {
        if constexpr (!M::is_array) {
            if (detail::is_reusable(y) && y.memory().bytes() >= room() && y.memory().data() == y.data()) {
                const index_t count = select_into(y.data());
                if (count >= 0) {
                    value_type* const data = y.data();
                    y = tensor<value_type, 1, device_type>(std::move(y).memory(), data, {{count}}, {{1}});
                    return;
                }
            } else if (fetch_new(y)) {
                return;
            }
        }
        fetch_counted(y);
    }

    template <class E>
    void write(const E& e) const {
        if constexpr (std::is_const_v<typename X::element_type>) {
            detail::refuse_write<E>();
        } else if constexpr (scalar_value<E>) {
            detail::check_stays_complex<value_type, E>();
            ricci::write(x_, where(mask_, detail::convert_number<value_type>(e), x_));
        } else {
            const auto mask = evaluate(mask_);
            const auto y = detail::right_side(x_, e, ricci::shape<1>{{executor<device_type>::count_true(mask)}});
            if constexpr (executor<device_type>::spreads_by_masks) {
                executor<device_type>::spread(x_, detail::apart_from(x_, mask), y);
            } else {
                const auto found = detail::true_positions(mask);
                const detail::index_spec<X::rank, X::rank, 1, 0> spec{0, {}};
                detail::transform_indices<X::rank>(
                    [&](auto d) { return index(found, d()); },
                    [&](const auto&... i) { executor<device_type>::put(spec, x_, y, i...); });
            }
            x_.memory().bump_version();
        }
    }
    /// By a number in one pass over x, in place; the elements that are not selected stay to the bit.
    template <class E, class F>
    void change(const E& e, F f) const {
        if constexpr (keeps_type<E, F>()) {
            ricci::write(x_, where(mask_, f(x_, e), x_));
        } else {
            const auto changed = f(fetch(), e);
            detail::check_in_place<value_type, value_type_t<decltype(changed)>>();
            write(changed);
        }
    }

   private:
    /// Whether `f` of the elements and a number are of x's type.
    template <class E, class F>
    static constexpr bool keeps_type() {
        if constexpr (!scalar_value<E>) return false;
        else return std::is_same_v<value_type_t<std::invoke_result_t<F, const X&, const E&>>, value_type>;
    }
    std::size_t room() const { return static_cast<std::size_t>(x_.size()) * sizeof(value_type); }
    /// Into memory with room for all, which is kept if it is small, or half of it or more is used; false, and nothing
    /// done, where that is no faster than to count first.
    RICCI_NOINLINE bool fetch_new(tensor<value_type, 1, device_type>& y) const {
        constexpr std::size_t large = std::size_t(1) << 24, small = 1024;
        if (room() > large) return false;
        const auto to = tensor<value_type, 1, device_type>::uninitialized({x_.size()});
        const index_t count = select_into(to.data());
        if (count < 0) return false;
        const auto part = tensor<value_type, 1, device_type>(to.memory(), to.data(), {{count}}, {{1}});
        y = room() <= small || 2 * count >= x_.size() ? part : part.clone();
        return true;
    }
    RICCI_NOINLINE void fetch_counted(tensor<value_type, 1, device_type>& y) const {
        const auto mask = evaluate(mask_);
        const ricci::shape<1> extents{{executor<device_type>::count_true(mask)}};
        const bool fits = y.shape() == extents && y.is_contiguous() && detail::is_reusable(y);
        if (!fits) y = tensor<value_type, 1, device_type>::uninitialized(extents);
        executor<device_type>::compress(detail::without_const(x_), mask, y);
    }
    /// Once for both memories, with all of it that computes inside: the sweep stays in registers then.
    RICCI_NOINLINE index_t select_into(value_type* y) const {
        const auto leaves = detail::leaves_of(mask_);
        const auto sweep = detail::value_sweep<decltype(detail::slot_types(leaves))>(
            detail::convert_node<bool>(detail::make_tree(mask_)));
        return detail::unpack(
            [&](const auto*... a) RICCI_INLINE_LAMBDA {
                return executor<device_type>::select(sweep, detail::without_const(x_), y, *a...);
            },
            leaves);
    }

    X x_;
    M mask_;
    mutable ricci::shape<1> extents_{{-1}};  // a member, for x(mask).shape().begin()
};

namespace detail {

template <class Spec, class X, class... I>
RICCI_INLINE auto make_selection(const Spec& spec, const X& x, I&&... index) {
    if constexpr (std::is_void_v<typename X::wrapper> && (std::is_void_v<typename I::wrapper> && ...))
        return selection<X, Spec, I...>(spec, x, std::move(index)...);
    else return call1(gather_op<Spec>(spec), x, index...);
}

}  // namespace detail
}  // namespace ricci

// The wrapper of vmap: an array whose axis 0 is hidden from the function that vmap maps.
#pragma once
#include "../core/randomness.hpp"
#include "../expr/traced.hpp"
#include "../ops/shape.hpp"
#include "fallback.hpp"

namespace ricci {

template <detail::array A, class Tag>
class batched;

namespace detail {

/// A batch with its elements in the order in which kernels run over it fastest, where that is another one: worth a copy
/// of what several will read.
template <class X>
X in_batch_order(const X& x) {
    if constexpr (!requires { X::wrapper::shares_values; }) {
        return x;
    } else {
        return x.with_inner([](const auto& inner) {
            using I = std::remove_cvref_t<decltype(inner)>;
            if constexpr (!std::is_void_v<typename I::wrapper>) return in_batch_order(inner);
            else if constexpr (I::rank > 1 && requires { executor<typename I::device_type>::batch_ordered(inner); })
                return executor<typename I::device_type>::batch_ordered(inner);
            else return inner;
        });
    }
}
/// What is in that order, in the order of its axes.
template <class X>
X in_row_order(const X& x) {
    if constexpr (X::rank > 1 && requires { executor<typename X::device_type>::batch_ordered(x); })
        if (x.strides()[0] == 1 && executor<typename X::device_type>::suits_batch_order(x)) return x.clone();
    return x;
}

}  // namespace detail

/// The rule of vmap. Tag (the mapped function's type) tells nested vmaps apart.
template <class Tag>
struct batch_by {
    using tag = Tag;
    static constexpr const char* name = "vmap";
    static constexpr bool differentiates = false;
    static constexpr int priority = 3;
    static constexpr bool hands_on_windows = true;
    static constexpr bool hands_on_additions = true;
    /// The mapped function says that only derivatives differ between members.
    static constexpr bool shares_values = requires { requires Tag::shares_values; };
    template <class Inner>
    using wrapped = batched<Inner, Tag>;

    template <class Op, class... A>
    static auto call(const Op& op, const A&... a) {
        using W = batch_by;
        const level_t level = detail::checked_level<W>(a...);
        using mapped = detail::activity<detail::wrapped_by_v<W, A>...>;
        return detail::unpack(
            [&](auto&&... r) {
                return detail::make_pack(batched<std::remove_cvref_t<decltype(r)>, Tag>(std::move(r), level)...);
            },
            call_inside<mapped>(op, level, detail::peel<W>(a)...));
    }
    template <class Op, class A>
    static auto call_list(const Op& op, const std::vector<A>& list) {
        const level_t level = detail::checked_list_level<batch_by>(list);
        index_t batch = 1;
        for (const A& a : list) detail::take_batch_extent(batch, a.inner().shape()[0]);
        std::vector<typename A::inner_type> inner;
        inner.reserve(list.size());
        for (const A& a : list) inner.push_back(detail::expanded(a.inner(), detail::prefixed(batch, a.shape())));
        return rewrapped(detail::call_list(op.batched(batch), inner), level);
    }
    /// By the op's batching rule, or member by member.
    template <class Mapped, class Op, class... A>
    static auto call_inside(const Op& op, [[maybe_unused]] level_t level, const A&... a) {
        if constexpr (requires { requires Op::maps_functions; })
            return op.template call_batched<Mapped>(
                detail::mapped_frame::part_of(&detail::wrapper_identity<batch_by>, level), a...);
        else if constexpr (requires { op.template call_batched<Mapped>(a...); })
            return op.template call_batched<Mapped>(a...);
        else return detail::call_members<Mapped>(op, a...);
    }
    /// An array with the batch in front as one under this vmap.
    template <class A>
    static auto rewrapped(const A& inner, level_t level) {
        return batched<A, Tag>(inner, level);
    }
    /// The same values in every member of the batch: a batch axis of extent 1, which broadcasts.
    template <class A>
    static auto constant(const A& a) {
        auto inner = detail::unsqueeze_front(a);
        return batched<decltype(inner), Tag>(std::move(inner), 0);
    }
    template <class A>
    static A constant_of(const shape<A::rank>& extents, typename A::value_type value) {
        return A(detail::constant_array<typename A::inner_type>(detail::prefixed(1, extents), value), 0);
    }
    template <class A>
    static A unasked(const shape<A::rank>& extents) {
        return A(detail::unasked_array<typename A::inner_type>(detail::prefixed(1, extents)), 0);
    }
};

/// An array under vmap: `inner()` has the mapped axis in front, of extent 1 when all members share the values.
template <detail::array A, class Tag>
class batched : public traced<batched<A, Tag>> {
   public:
    using inner_type = A;
    using wrapper = batch_by<Tag>;
    using value_type = typename A::value_type;
    using device_type = typename A::device_type;
    static constexpr int rank = A::rank - 1;
    static constexpr bool is_array = true;

    batched() = default;
    batched(const batched&) = default;
    batched(batched&&) = default;
    batched& operator=(const batched&) & = default;
    batched& operator=(batched&&) & = default;
    using traced<batched>::operator=;
    batched(A inner, level_t level) : inner_(std::move(inner)), level_(level) {
        for (int d = 0; d < rank; ++d) extents_[d] = inner_.shape()[d + 1];
    }
    template <detail::evaluates_to<batched> E>
    batched(const E& e) : batched(evaluate(e)) {}
    const A& inner() const { return inner_; }
    level_t level() const { return level_; }
    level_t inner_level() const { return inner_.level(); }
    /// The extents that the mapped function sees.
    const ricci::shape<rank>& shape() const { return extents_; }
    index_t shape(int axis) const { return extents_[detail::normalize_axis(axis, rank, "shape")]; }
    index_t size() const { return extents_.count(); }
    static constexpr int ndim() { return rank; }
    /// Refused, as there is a value for each member, but where they share it.
    using traced<batched>::item;
    value_type item() const {
        detail::check_number<wrapper>();
        if constexpr (detail::has_number<wrapper>) return shared_item();
        else return value_type();
    }

    template <class F>
    auto with_inner(const F& f) const {
        auto inner = f(inner_);
        return batched<decltype(inner), Tag>(std::move(inner), level_);
    }
    /// Adds another array by add(part, its part); false, and nothing done, where only one of them differs between
    /// members.
    template <class Add>
    bool add_parts(const batched& other, const Add& add) {
        if (!(inner_.shape() == other.inner_.shape())) return false;
        add(inner_, other.inner_);
        level_ = std::max(level_, other.level_);
        return true;
    }

   private:
    /// The one number that all members have; throws value_error where they differ.
    value_type shared_item() const {
        const auto member = [&](index_t i) { return static_cast<value_type>(evaluate(inner_(i)).item()); };
        const index_t n = inner_.shape()[0];
        bool alike = n > 0 && inner_.size() == n;
        const value_type first = alike ? member(0) : value_type();
        for (index_t i = 1; alike && i < n; ++i) {
            const value_type other = member(i);
            alike = other == first || (other != other && first != first);
        }
        if (!alike)
            detail::raise<value_error>(
                {"[item] directions of a derivative have a value each, and no number or condition"});
        return first;
    }

    A inner_;
    level_t level_ = 0;
    ricci::shape<rank> extents_{};
};

}  // namespace ricci

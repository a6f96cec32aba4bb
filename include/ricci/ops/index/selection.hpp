// What x(indices) of a tensor is: an expression that fetches the selected elements when they are needed, and writes them when
// it is assigned to.
#pragma once
#include "../../expr/assign.hpp"
#include "../../expr/index.hpp"
#include "gather.hpp"

namespace ricci {

/// The elements of a tensor that index arrays select. They are read when an expression that holds this is built or evaluated.
///
/// Assigning to the unnamed result of x(indices) writes the tensor's elements; the right side is broadcast. Where the indices
/// name an element more than once the last one stays, also of x(i) += 1, which adds 1 once, as in NumPy; `add` adds each time.
/// Everything is checked before anything is written, and the right side may read the same memory.
template <class X, class Spec, class... I>
class selection : public indexable<selection<X, Spec, I...>> {
   public:
    using value_type = typename X::value_type;
    using device_type = typename X::device_type;
    static constexpr int rank = Spec::rank;
    static constexpr bool is_array = false;

    selection(const Spec& spec, const X& x, const I&... index)
        : spec_(spec), x_(x), index_{{{index}...}}, extents_(spec.selected(x.shape(), index...)) {}
    selection(const selection&) = default;

    const ricci::shape<rank>& shape() const { return extents_; }
    index_t shape(int axis) const { return extents_[detail::normalize_axis(axis, rank, "shape")]; }
    index_t size() const { return extents_.count(); }
    static constexpr int ndim() { return rank; }
    /// The selected elements, copied. Throws index_error for an index outside of its axis.
    auto fetch() const {
        return detail::unpack([&](const auto&... i) { return detail::call1(detail::gather_op<Spec>(spec_), x_, i...); },
                              index_);
    }
    /// The same, kept here until they are fetched again.
    const auto& fetched() const {
        return cache_ = fetch();
    }
    value_type item() const { return fetch().item(); }
    operator value_type() const
        requires(rank == 0)
    {
        return item();
    }

   private:
    Spec spec_;
    X x_;
    detail::pack<I...> index_;
    ricci::shape<rank> extents_;
    mutable tensor<value_type, rank, device_type> cache_{storage(), nullptr, {}, {}};
};

namespace detail {

template <class Spec, class X, class... I>
auto make_selection(const Spec& spec, const X& x, const I&... index) {
    if constexpr (std::is_void_v<typename X::wrapper> && (std::is_void_v<typename I::wrapper> && ...))
        return selection<X, Spec, I...>(spec, x, index...);
    else return call1(gather_op<Spec>(spec), x, index...);
}

}  // namespace detail
}  // namespace ricci

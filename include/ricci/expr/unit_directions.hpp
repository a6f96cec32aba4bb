// The unit vectors along which a Jacobian is taken: what products with them are is known, and need not be added up.
#pragma once
#include "call.hpp"

namespace ricci::detail {

template <class A, int Number>
auto fixed_array(const shape<A::rank>& extents);

/// Says, as long as it lives, of an array of directions that its rows are those unit vectors: row i the one with a 1 at
/// element first + i of n.
class unit_directions {
   public:
    unit_directions() = default;
    unit_directions(const unit_directions&) = delete;
    unit_directions& operator=(const unit_directions&) = delete;
    ~unit_directions() { latest() = outer_; }

    template <class T, int R>
    void set(const tensor<T, R>& rows, index_t first_element) {
        memory_ = rows.memory();  // held, so that nothing is written in its place
        version_ = memory_.version();
        first = first_element;
        count = rows.shape()[0];
        n = count > 0 ? rows.size() / count : 0;
    }
    /// Those that an array shows, its elements in row-major order; null where it shows others.
    template <class T, int R>
    static const unit_directions* of(const tensor<T, R>& x) {
        for (const unit_directions* u = latest(); u; u = u->outer_)
            if (u->memory_ && u->memory_.data() == static_cast<const void*>(x.data()) && R > 0 &&
                x.shape()[0] == u->count && x.size() == u->count * u->n && x.is_contiguous() &&
                u->memory_.version() == u->version_)
                return u;
        return nullptr;
    }

    index_t first = 0, count = 0, n = 0;

   private:
    static unit_directions*& latest() {
        static thread_local unit_directions* u = nullptr;
        return u;
    }
    unit_directions* const outer_ = std::exchange(latest(), this);
    storage memory_;
    std::uint32_t version_ = 0;
};

/// Whether arrays are batches of plain ones on the CPU whose members share their values, tangents aside.
template <class X>
constexpr bool shows_unit_directions() {
    if constexpr (requires { requires X::wrapper::shares_values; })
        return std::is_same_v<typename X::inner_type, tensor<typename X::value_type, X::inner_type::rank, cpu_device>>;
    else return false;
}
/// The unit vectors that all of some tangents are; null where they are not.
template <class X, class... More>
const unit_directions* common_units(const X& x, const More&... more) {
    if constexpr (!(shows_unit_directions<X>() && ... && shows_unit_directions<More>())) {
        return nullptr;
    } else {
        const unit_directions* const u = unit_directions::of(x.inner());
        return ((u == unit_directions::of(more.inner())) && ...) ? u : nullptr;
    }
}
/// The inner products of a gradient, which all members share, with the unit vectors: its elements, as a batch Y.
template <class Y, class G>
Y along_units(const G& gradient, const unit_directions& u, level_t level) {
    using inner = typename Y::inner_type;
    shape<inner::rank> extents = unit_shape<inner::rank>();
    extents[0] = u.count;
    const auto& g = gradient.inner();
    return Y(inner(g.memory(), g.data() + u.first, extents, row_major(extents)), level);
}
/// Zeros in the place of an array that was added elsewhere.
template <class Y>
Y expanded_zeros(const Y& like) {
    return Y(fixed_array<typename Y::inner_type, 0>(like.inner().shape()), like.level());
}
/// Whether bar and curvature, which all members share, are for as many elements as the unit vectors have, or bar is
/// one.
template <class B, class H>
bool are_along(const unit_directions& u, const B& bar, const H& curvature) {
    const index_t size = bar.inner().size();
    return curvature.inner().size() == u.n && (size == 1 || size == u.n) && bar.inner().is_contiguous();
}
/// For each unit vector a factor times the row that all share, if there is a factor for each and all lie side by side:
/// added to the rows, or, without Adds, as new ones. False, and nothing done, where that is not so.
template <bool Adds, class Y, class F, class G, int R>
bool outer_along_units(Y& rows, const F& factors, const G& row, const unit_directions& u, const shape<R>& extents,
                       level_t level) {
    using inner = typename Y::inner_type;
    if (factors.inner().size() != u.count || row.inner().size() != u.n) return false;
    if constexpr (!Adds) rows = Y(inner::uninitialized(prefixed(u.count, extents)), level);
    return executor<typename Y::device_type>::outer_rows(rows.inner(), factors.inner(), row.inner(), Adds);
}
/// Adds, for each unit vector, what it is times those two, to rows that are new; false, and nothing done, where these
/// do not lie row by row.
template <class Y, class H, class B>
bool add_along_units(const Y& rows, const H& curvature, const B& bar, const unit_directions& u) {
    if (!rows.inner().is_contiguous()) return false;
    auto* to = rows.inner().data() + u.first;
    const auto *h = curvature.inner().data() + u.first, *b = bar.inner().data();
    const index_t by = bar.inner().size() == 1 ? 0 : 1;
    b += by * u.first;
    for (index_t i = 0; i < u.count; ++i, to += u.n + 1) *to += h[i] * b[by * i];
    return true;
}

}  // namespace ricci::detail

// Functions of masks: masked_fill, masked_select, masked_scatter, compress.
#pragma once
#include "write.hpp"

namespace ricci {
namespace detail {

template <class M>
constexpr void require_mask() {
    static_assert(std::is_same_v<typename M::value_type, bool>,
                  "ricci: a mask holds truth values: compare with 0 first");
}

}  // namespace detail

/// `x` with `value` where the mask is true; all broadcast. One fused pass, and nothing that depends on the mask but
/// values, so that it may differ between the members of a batch. (torch.masked_fill.)
template <expression E, expression M, class V>
[[nodiscard]] auto masked_fill(const E& x, const M& mask, const V& value) {
    detail::require_mask<M>();
    using T = typename E::value_type;
    detail::check_value_stays_complex<T, V>();
    if constexpr (scalar_value<V>) return where(mask, detail::convert_number<T>(value), x);
    else return where(mask, astype<T>(value), x);
}

/// The elements of `x` where the mask is true, in row-major order; the two broadcast. Throws value_error where vmap
/// makes the mask differ between members. (torch.masked_select.)
template <expression E, expression M>
auto masked_select(const E& x, const M& mask) {
    detail::require_mask<M>();
    constexpr int R = E::rank > M::rank ? E::rank : M::rank;
    shape<R> extents = detail::unit_shape<R>();
    detail::broadcast_into(extents, x.shape());
    detail::broadcast_into(extents, mask.shape());
    return evaluate(index(detail::expanded(x, extents), detail::expanded(mask, extents)));
}

/// `x` with the elements where the mask, of its shape, is true replaced by the first ones of `values`, one after the
/// other. Throws shape_error when there are too few, value_error where vmap makes the mask differ between members.
/// (torch.masked_scatter.)
template <expression E, expression M, expression V>
[[nodiscard]] auto masked_scatter(const E& x, const M& mask, const V& values) {
    detail::require_mask<M>();
    static_assert(E::rank >= 1 && M::rank <= E::rank,
                  "ricci: masked_scatter needs an array of rank 1 or more and a mask of at most its rank");
    const auto a = evaluate(x);
    const auto found = detail::mask_positions(evaluate(detail::expanded(mask, a.shape())), "masked_scatter");
    const auto flat = reshape(values, {-1});
    const index_t n = detail::get<0>(found).shape()[0];
    if (n > flat.shape()[0])
        detail::raise<shape_error>(
            {"[masked_scatter] the mask selects ", n, " elements, and there are ", flat.shape()[0], " values"});
    return detail::unpack(
        [&](const auto&... i) {
            return detail::written<false, true>(a, 0, index(flat, slice(0, n)), "masked_scatter", false, i...);
        },
        found);
}

/// The rows of `x` along `axis` where the condition, of rank 1 and at most as long as the axis, is true. Throws
/// index_error for a true element beyond the axis and for an axis out of range, value_error where vmap makes the
/// condition differ between members. (numpy.compress.)
template <expression C, expression E>
auto compress(const C& condition, const E& x, int axis) {
    static_assert(C::rank == 1, "ricci: compress takes a condition of rank 1");
    const auto found = detail::mask_positions(detail::truth_of(condition), "compress");
    return take(x, detail::get<0>(found), axis);
}
/// Without an axis, of all elements in row-major order.
template <expression C, expression E>
auto compress(const C& condition, const E& x) {
    return compress(condition, reshape(x, {-1}), 0);
}

}  // namespace ricci

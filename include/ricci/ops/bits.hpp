// The bits of integers: joined over axes, and as truth values, packbits and unpackbits.
#pragma once
#include "pad.hpp"
#include "rearrange.hpp"
#include "reduce.hpp"
#include "stop_gradient.hpp"

namespace ricci {

/// In which order a byte's bits are counted: from its highest, or its lowest.
enum class bit_order { big, little };

namespace detail {

/// How far each of a byte's bits is from the lowest.
template <class D>
auto bit_places(bit_order order, D device) {
    const auto places = tensor<std::uint8_t, 1, cpu_device>::uninitialized({8});
    for (int i = 0; i < 8; ++i) places.data()[i] = static_cast<std::uint8_t>(order == bit_order::big ? 7 - i : i);
    return places.to(device);
}

/// Whether there are kernels for the bits of an array: on some devices, and not under transforms.
template <class A, class D = device_t<A>>
inline constexpr bool packs_bits =
    std::is_void_v<typename A::wrapper> &&
    requires(const tensor<bool, 1, D>& x, const tensor<std::uint8_t, 1, D>& y) { executor<D>::pack_bits(x, y, true); };

template <class E>
auto packed_by_sums(const E& x, int d, bit_order order) {
    const auto set = moveaxis(evaluate(astype<std::uint8_t>(x != typename E::value_type(0))), d, -1);
    shape<E::rank + 1> bytes;
    for (int i = 0; i < E::rank; ++i) bytes[i] = set.shape()[i];
    const index_t n = bytes[E::rank - 1];
    bytes[E::rank - 1] = (n + 7) / 8;
    bytes[E::rank] = 8;
    margin filled[E::rank] = {};
    filled[E::rank - 1].after = 8 * bytes[E::rank - 1] - n;
    const auto bits = reshape(pad(set, filled), bytes);
    const auto sums = sum(bits << bit_places(order, device_t<E>{}), -1);
    return evaluate(moveaxis(evaluate(astype<std::uint8_t>(sums)), -1, d));
}

/// A reduction of the bits of integers, which have no derivative.
template <class Combine, int R, int Q>
struct bits_op : combined_op<Combine, R, Q> {
    static constexpr const char* name = "bitwise_reduce";

    template <class Mapped, class A>
    auto call_batched(const A& a) const {
        const index_t b = a.shape()[0];
        return call(bits_op<Combine, R + 1, Q + 1>{{{}, prefixed(b, this->padded), prefixed(b, this->result)}}, a);
    }
};
template <class Combine, int N, class Keep, class E>
auto bits_over(const E& e, const int* axes, const char* who) {
    using T = typename E::value_type;
    static_assert(std::is_integral_v<T>, "ricci: bits are those of integers and truth values");
    if constexpr (deferred<E>) {
        return bits_over<Combine, N, Keep>(e.fetch(), axes, who);
    } else if constexpr (std::is_same_v<T, bool>) {
        return evaluate(bits_over<Combine, N, Keep>(evaluate(astype<std::uint8_t>(e)), axes, who) % 2 != 0);
    } else {
        const reduction_axes<E::rank, N, Keep> a(e.shape(), axes, who);
        if constexpr (all_plain<E>()) return combine_plain<Combine, T>(e, a);
        else return call1(bits_op<Combine, E::rank, decltype(a)::result_rank>{{{}, a.padded, a.result}}, evaluate(e));
    }
}

}  // namespace detail

/// The bits that all elements have, over all axes, one or several, as sum; all bits of no elements. Of truth values
/// whether all hold. Without derivative. (numpy.bitwise_and.reduce.)
template <expression E, keep_option Keep = dropdims_t>
auto bitwise_and_reduce(const E& x, Keep = {}) {
    return detail::bits_over<combine_bits_and, -1, Keep>(x, nullptr, "bitwise_and_reduce");
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto bitwise_and_reduce(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::bits_over<combine_bits_and, 1, Keep>(x, &number, "bitwise_and_reduce");
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto bitwise_and_reduce(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::bits_over<combine_bits_and, N, Keep>(x, axes, "bitwise_and_reduce");
}
/// The bits that any element has, as bitwise_and_reduce; none of no elements. Without derivative.
/// (numpy.bitwise_or.reduce.)
template <expression E, keep_option Keep = dropdims_t>
auto bitwise_or_reduce(const E& x, Keep = {}) {
    return detail::bits_over<combine_bits_or, -1, Keep>(x, nullptr, "bitwise_or_reduce");
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto bitwise_or_reduce(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::bits_over<combine_bits_or, 1, Keep>(x, &number, "bitwise_or_reduce");
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto bitwise_or_reduce(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::bits_over<combine_bits_or, N, Keep>(x, axes, "bitwise_or_reduce");
}
/// The bits that an odd number of elements have, as bitwise_and_reduce; none of no elements. Without derivative.
/// (numpy.bitwise_xor.reduce.)
template <expression E, keep_option Keep = dropdims_t>
auto bitwise_xor_reduce(const E& x, Keep = {}) {
    return detail::bits_over<combine_bits_xor, -1, Keep>(x, nullptr, "bitwise_xor_reduce");
}
template <expression E, std::integral Axis, keep_option Keep = dropdims_t>
auto bitwise_xor_reduce(const E& x, Axis axis, Keep = {}) {
    const int number = detail::axis_number(axis);
    return detail::bits_over<combine_bits_xor, 1, Keep>(x, &number, "bitwise_xor_reduce");
}
template <expression E, int N, keep_option Keep = dropdims_t>
auto bitwise_xor_reduce(const E& x, const int (&axes)[N], Keep = {}) {
    return detail::bits_over<combine_bits_xor, N, Keep>(x, axes, "bitwise_xor_reduce");
}

/// Whether elements are not zero, along an axis eight to a byte, the last one filled up with zeros. No derivative.
/// (numpy.packbits.)
template <expression E>
auto packbits(const E& x, int axis, bit_order order = bit_order::big) {
    static_assert(!is_inexact_v<typename E::value_type>, "ricci: packbits takes integers and truth values");
    const int d = detail::normalize_axis(axis, E::rank, "packbits");
    if constexpr (detail::packs_bits<decltype(evaluate(x))>) {
        const auto truths = moveaxis(detail::without_const(detail::evaluate_as<bool>(x)), d, -1);
        auto extents = truths.shape();
        extents[E::rank - 1] = (extents[E::rank - 1] + 7) / 8;
        const auto y = tensor<std::uint8_t, E::rank, device_t<E>>::uninitialized(extents);
        executor<device_t<E>>::pack_bits(truths, y, order == bit_order::big);
        return evaluate(moveaxis(y, -1, d));
    } else {
        return detail::packed_by_sums(x, d, order);
    }
}
/// All elements in row-major order.
template <expression E>
auto packbits(const E& x, bit_order order = bit_order::big) {
    return packbits(ravel(x), 0, order);
}
/// The bits of bytes along an axis, 0 or 1 each, the first `count` of them (a negative one: all but as many). Throws
/// value_error for more than there are. No derivative. (numpy.unpackbits.)
template <expression E>
auto unpackbits(const E& x, int axis, index_t count = std::numeric_limits<index_t>::max(),
                bit_order order = bit_order::big) {
    static_assert(std::is_same_v<typename E::value_type, std::uint8_t>, "ricci: unpackbits takes bytes, std::uint8_t");
    const int d = detail::normalize_axis(axis, E::rank, "unpackbits");
    const auto bytes = moveaxis(detail::without_const(evaluate(x)), d, -1);
    auto extents = bytes.shape();
    const index_t n = 8 * extents[E::rank - 1];
    const index_t kept = count == std::numeric_limits<index_t>::max() ? n : count < 0 ? count + n : count;
    if (kept < 0 || kept > n) detail::raise<value_error>({"[unpackbits] ", count, " of ", n, " bits"});
    if constexpr (detail::packs_bits<std::remove_cvref_t<decltype(bytes)>>) {
        extents[E::rank - 1] = kept;
        const auto y = tensor<std::uint8_t, E::rank, device_t<E>>::uninitialized(extents);
        executor<device_t<E>>::unpack_bits(bytes, y, order == bit_order::big);
        return evaluate(moveaxis(y, -1, d));
    } else {
        const auto bits =
            evaluate((expand_dims(bytes, -1) >> detail::bit_places(order, device_t<E>{})) & std::uint8_t(1));
        extents[E::rank - 1] = n;
        return evaluate(moveaxis(detail::stretch_of(reshape(bits, extents), E::rank - 1, 0, kept), -1, d));
    }
}
template <expression E>
auto unpackbits(const E& x) {
    return unpackbits(ravel(x), 0);
}

}  // namespace ricci

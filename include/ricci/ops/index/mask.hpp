// Masks as indices: where truth values are true. How many are is known at run time only, so that a batch of different
// masks is refused; under the other transforms a mask is a constant.
#pragma once
#include <tuple>

#include "../reduce.hpp"
#include "../shape.hpp"

namespace ricci {
namespace detail {

inline constexpr const char* mask_decides =
    "how many elements a mask selects depends on its values, which vmap makes differ between the members of a batch: "
    "use "
    "where, which keeps the shape";
/// The values of an array without the transforms around it. Under vmap all members must share them, for what `why`
/// says.
template <class M>
auto plain_values(const M& a, const char* who, const char* why = mask_decides) {
    if constexpr (std::is_void_v<typename M::wrapper>) {
        return a;
    } else if constexpr (M::wrapper::differentiates) {
        return plain_values(a.inner(), who, why);
    } else {
        if (a.inner().shape()[0] != 1) raise<value_error>({"[", who, "] ", why});
        return plain_values(index(a.inner(), 0), who, why);
    }
}
/// The positions at which a mask is true, one row for each of its axes.
template <class M>
auto true_positions(const M& mask) {
    static_assert(M::rank >= 1);
    using D = typename M::device_type;
    const auto& truths = without_const(mask);
    const auto found = tensor<index_t, 2, D>::uninitialized({M::rank, executor<D>::count_true(truths)});
    executor<D>::find_true(truths, found);
    return found;
}
template <class E>
auto truth_of(const E& e) {
    if constexpr (std::is_same_v<typename E::value_type, bool>) return without_const(evaluate(e));
    else return evaluate(e != typename E::value_type(0));
}
/// The rows of a mask's positions as index arrays; those of a rank of 0 are zeros, along a new axis.
template <class M>
auto mask_positions(const M& mask, const char* who) {
    const auto plain = plain_values(mask, who);
    if constexpr (M::rank == 0) {
        return mask_positions(index(plain, newaxis), who);
    } else {
        const auto found = true_positions(plain);
        return generate<M::rank>([&](auto d) { return index(found, d()); });
    }
}

}  // namespace detail

/// Where `x` is not zero: for each of its axes an array of positions, in row-major order, as a std::tuple; of rank 0 as
/// for one element. x(i, j) with these selects the elements. Throws value_error where vmap makes `x` differ between
/// members.
template <expression E>
auto nonzero(const E& x) {
    return detail::unpack([](const auto&... i) { return std::make_tuple(i...); },
                          detail::mask_positions(detail::truth_of(x), "nonzero"));
}
/// The same as one array with a row for each element found: (count, rank). (torch.nonzero.)
template <expression E>
auto argwhere(const E& x) {
    static_assert(E::rank >= 1, "ricci: argwhere needs an array of rank 1 or more");
    return matrix_transpose(detail::true_positions(detail::plain_values(detail::truth_of(x), "argwhere")));
}
/// The positions of the elements that are not zero among all in row-major order. (numpy.flatnonzero.)
template <expression E>
auto flatnonzero(const E& x) {
    return std::get<0>(nonzero(reshape(x, {-1})));
}
/// where with one argument: nonzero.
template <expression E>
auto where(const E& condition) {
    return nonzero(condition);
}

}  // namespace ricci

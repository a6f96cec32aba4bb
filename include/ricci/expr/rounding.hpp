// Results in the element types that are asked for: kernels that sum numbers of 16 bits give wider ones.
#pragma once
#include "fused.hpp"

namespace ricci::detail {

/// A sweep whose results of 16 bits are left as computed: what is summed is rounded once, at the end.
template <class Sweep>
struct wide_outputs : Sweep {
    template <int K>
    using output_type = compute_t<typename Sweep::template output_type<K>>;
};
template <class Sweep, class Indices>
inline constexpr bool gives_halves = false;
template <class Sweep, int... K>
inline constexpr bool gives_halves<Sweep, std::integer_sequence<int, K...>> =
    (is_half_v<typename Sweep::template output_type<K>> || ...);
/// The sweep that a kernel with the reduction `Combine` (or none) runs.
template <class Sweep, class Combine>
using kernel_sweep =
    std::conditional_t<!std::is_void_v<Combine> && gives_halves<Sweep, std::make_integer_sequence<int, Sweep::outputs>>,
                       wide_outputs<Sweep>, Sweep>;
template <class Combine, class Sweep>
RICCI_INLINE decltype(auto) sweep_for_kernel(const Sweep& sweep) {
    if constexpr (std::is_same_v<kernel_sweep<Sweep, Combine>, Sweep>) return static_cast<const Sweep&>(sweep);
    else return wide_outputs<Sweep>{sweep};
}

/// A plain tensor's elements in another type.
template <class T, class U, int R, class D>
auto converted_result(const tensor<U, R, D>& x) {
    using from = std::remove_const_t<U>;
    if constexpr (std::is_same_v<T, from>) {
        return x;
    } else {
        const cast_node<T, slot<0, from>> cast{};
        return get<0>(
            executor<D>::template run<void>(forward_op<R, false, R, type_list<from>>(cast, x.shape(), x.shape()), x));
    }
}
/// What a kernel gave, in the element types of the sweep that it stands for; what it did not give stays empty.
template <class Combine, class Op, class Outputs>
RICCI_INLINE auto rounded_results(const Op& op, const Outputs& outputs) {
    using Sweep = typename Op::sweep_type;
    if constexpr (std::is_same_v<kernel_sweep<Sweep, Combine>, Sweep>) {
        return outputs;
    } else {
        return generate<Sweep::outputs>([&](auto k) {
            const auto& y = get<k()>(outputs);
            using result = decltype(converted_result<typename Sweep::template output_type<k()>>(y));
            if (op.merge[k()] != k()) return result(storage(), nullptr, {}, {});
            return converted_result<typename Sweep::template output_type<k()>>(y);
        });
    }
}

}  // namespace ricci::detail

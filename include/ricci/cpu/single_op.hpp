// Fused ops over single elements: computed on one register each, with no kernel and no loop.
#pragma once
#include "lanes.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// One element of each input, in all lanes: functions give the same numbers as in a row.
template <class T>
struct single_inputs {
    const std::byte* const* at;
    template <int K>
    RICCI_INLINE auto get() const {
        return simd<T>(*reinterpret_cast<const T*>(at[K]));
    }
};

/// What loops over indices and scalar equations record: value, tangents and adjoints of a map of rank 0.
template <class Sweep>
class single_op {
    using T = lane_type_t<typename Sweep::tree_type>;

    template <int... I, int... O>
    static constexpr bool all_of_one_type(std::integer_sequence<int, I...>, std::integer_sequence<int, O...>) {
        return (std::is_same_v<typename Sweep::template input_type<I>, T> && ...) &&
               (std::is_same_v<typename Sweep::template output_type<O>, T> && ...);
    }

   public:
    /// Whether every number is one of a register's.
    static constexpr bool take = [] {
        if constexpr (!simd_supported<T>) return false;
        else
            return all_of_one_type(std::make_integer_sequence<int, Sweep::inputs>{},
                                   std::make_integer_sequence<int, Sweep::outputs>{});
    }();

    /// Outputs k with merge[k] != k, which is less, are added into that one. Of the others `into[k]` is added to where
    /// it is not null, else `written[k]` is written, unless it is null.
    static RICCI_INLINE void run(const Sweep& sweep, const unsigned char* merge, const std::byte* const* inputs,
                                 T* const* written, void* const* into) {
        step_outputs<Sweep, simd_domain<T>, merging::none> out(nullptr);
        sweep.template run<simd_domain<T>>(single_inputs<T>{inputs}, out);
        T y[Sweep::outputs];
        for_indices<Sweep::outputs>([&](auto k) { y[k()] = out.template at<k()>()[0]; });
        for (int k = Sweep::outputs - 1; k > 0; --k)
            if (merge[k] != k) y[merge[k]] += y[k];
        for (int k = 0; k < Sweep::outputs; ++k) {
            if (merge[k] != k) continue;
            if (into && into[k]) *static_cast<T*>(into[k]) += y[k];
            else if (written[k]) *written[k] = y[k];
        }
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

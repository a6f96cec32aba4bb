// Maps of few elements in rows, as windows on an array have them: the loops that one would write, where a kernel's preparations
// would take longer than they do.
#pragma once
#include "kernel.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

template <class Sweep, class T, int... K>
constexpr bool takes_only(std::integer_sequence<int, K...>) {
    return (std::is_same_v<typename Sweep::template output_type<0>, T> && ... &&
            std::is_same_v<typename Sweep::template input_type<K>, T>);
}
/// Inputs of the output's shape, dense along the last axis, into dense memory.
template <class Sweep, class T, int R>
class dense_rows {
   public:
    /// A sweep of few instructions, whose loops are worth compiling.
    static constexpr bool take = Sweep::inputs <= 8 && tree_cost_v<typename Sweep::tree_type> <= 6 &&
                                 takes_only<Sweep, T>(std::make_integer_sequence<int, Sweep::inputs>{});

    template <class O, class... X>
    RICCI_INLINE dense_rows(const Sweep& sweep, const O& out, const X&... inputs)
        : sweep_(sweep),
          extents_(out.shape()),
          stride_{inputs.strides()...},
          data_{reinterpret_cast<const std::byte*>(inputs.data())...},
          out_(out.data()) {}
    /// False, and nothing done, where it is not that.
    RICCI_NOINLINE bool run() const {
        constexpr index_t most = 1024;  // elements
        const index_t n = extents_[R - 1];
        if (extents_.count() > most || n == 1) return false;
        for (const auto& s : stride_)
            if (s[R - 1] != 1) return false;
        const dense_rows self(*this);  // a copy: what a store could change would be read anew in every row
        const std::byte* at[Sweep::inputs];
        for (int k = 0; k < Sweep::inputs; ++k) at[k] = self.data_[k];
        index_t index[R] = {};
        for (T* out = self.out_;; out += n) {
            self.row(at, out, n);
            int d = R - 2;
            for (; d >= 0; --d) {
                const bool ends = ++index[d] == self.extents_[d];
                const index_t by = ends ? 1 - self.extents_[d] : 1;
                for (int k = 0; k < Sweep::inputs; ++k) at[k] += by * self.stride_[k][d] * index_t(sizeof(T));
                if (!ends) break;
                index[d] = 0;
            }
            if (d < 0) return true;
        }
    }

   private:
    static constexpr index_t lanes = simd<T>::lanes;
    /// The first n lanes of a row that is shorter than a register.
    struct partial_registers {
        const std::byte* const* at;
        index_t n;
        template <int K>
        RICCI_INLINE auto get() const {
            return simd<T>::load_partial(reinterpret_cast<const T*>(at[K]), n);
        }
    };
    RICCI_INLINE void row(const std::byte* const* at, T* out, index_t n) const {
        if (n >= lanes) return store_registers<T>(sweep_, at, reinterpret_cast<std::byte*>(out), n);
        step_outputs<Sweep, simd_domain<T>, merging::none> results(nullptr);
        sweep_.template run<simd_domain<T>>(partial_registers{at, n}, results);
        results.template at<0>().store_partial(out, n);
    }

    const Sweep sweep_;
    const shape<R> extents_, stride_[Sweep::inputs];
    const std::byte* data_[Sweep::inputs];
    T* out_;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

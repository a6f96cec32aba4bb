// Maps of few elements in rows, as windows on an array and broadcast rows and columns have them: the loops that one
// would write, where a kernel's preparations would take longer than they do.
#pragma once
#include "kernel.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

template <class Sweep, class T, int... K>
constexpr bool takes_only(std::integer_sequence<int, K...>) {
    return (std::is_same_v<typename Sweep::template output_type<0>, T> && ... &&
            std::is_same_v<typename Sweep::template input_type<K>, T>);
}
/// Inputs that broadcast to the output, dense along the last axis or the same throughout, into dense memory.
template <class Sweep, class T, int R>
class dense_rows {
   public:
    /// A sweep of few instructions, whose loops are worth compiling.
    static constexpr bool take = Sweep::inputs <= 8 && tree_cost_v<typename Sweep::tree_type> <= 6 &&
                                 takes_only<Sweep, T>(std::make_integer_sequence<int, Sweep::inputs>{});

    /// False, and nothing done, where it is not that.
    template <class O, class... X>
    RICCI_NOINLINE static bool run(const Sweep& sweep, const O& out, const X&... inputs) {
        constexpr index_t most = 1024;  // elements
        const shape<R>& extents = out.shape();
        const index_t n = extents[R - 1];
        const index_t count = extents.count();
        if (count > most || n == 1) return false;
        if (n < lanes && ((inputs.size() != count) || ...)) return false;  // better packed
        dense_rows rows(sweep, extents);
        int k = 0;
        return (rows.place(k++, inputs) && ...) && (rows.walk(out.data()), true);
    }

   private:
    static constexpr index_t lanes = simd<T>::lanes;

    RICCI_INLINE dense_rows(const Sweep& sweep, const shape<R>& extents)
        : sweep_(sweep), extents_(extents), n_(extents[R - 1]) {}
    /// Where input k is, and its steps; false where it lies otherwise.
    template <class X>
    RICCI_INLINE bool place(int k, const X& x) {
        from_[k] = reinterpret_cast<const std::byte*>(x.data());
        for (int d = 0; d < R; ++d) {
            const int e = d - (R - X::rank);
            step_[k][d] = e < 0 || x.shape()[e] == 1 ? 0 : x.strides()[e] * index_t(sizeof(T));
        }
        mask_[k] = step_[k][R - 1] == 0 ? 0 : -1;
        return mask_[k] == 0 || step_[k][R - 1] == index_t(sizeof(T));
    }
    RICCI_INLINE void walk(T* out) {
        index_t index[R] = {};
        bool repeats = false;
        for (int k = 0; k < Sweep::inputs; ++k) repeats = repeats || mask_[k] == 0;
        for (;;) {
            walk_rows(out, repeats);
            int d = R - 3;
            for (; d >= 0; --d) {
                move(d, 1);
                if (++index[d] < extents_[d]) break;
                move(d, -extents_[d]);
                index[d] = 0;
            }
            if (d < 0) return;
        }
    }
    /// The rows along the last axis but one.
    RICCI_INLINE void walk_rows(T*& out, bool repeats) {
        // copies: members would be read anew after each store
        const std::byte* at[Sweep::inputs];
        index_t step[Sweep::inputs], mask[Sweep::inputs];
        for_indices<Sweep::inputs>([&](auto k) {
            mask[k()] = mask_[k()];
            at[k()] = mask_[k()] == 0 ? reinterpret_cast<const std::byte*>(repeated_[k()]) : from_[k()];
            step[k()] = mask_[k()] == 0 ? 0 : step_[k()][R - 2];
        });
        for (index_t r = 0; r < extents_[R - 2]; ++r, out += n_) {
            if (repeats)
                for (int k = 0; k < Sweep::inputs; ++k)
                    if (mask_[k] == 0) repeat(k, r);
            row(at, mask, out);
            for_indices<Sweep::inputs>([&](auto k) { at[k()] += step[k()]; });
        }
    }
    RICCI_INLINE void move(int axis, index_t by) {
        for (int k = 0; k < Sweep::inputs; ++k) from_[k] += by * step_[k][axis];
    }
    /// A register of an input's element that stays put along row r.
    RICCI_INLINE void repeat(int k, index_t r) {
        simd<T>(*reinterpret_cast<const T*>(from_[k] + r * step_[k][R - 2])).store(repeated_[k]);
    }
    /// A row's registers from element i on.
    struct masked_registers {
        const std::byte* const* at;
        const index_t* mask;
        index_t i;
        template <int K>
        RICCI_INLINE auto get() const {
            return simd<T>::load(reinterpret_cast<const T*>(at[K]) + (i & mask[K]));
        }
    };
    /// The first n lanes of a row that is shorter than a register.
    struct partial_registers {
        const std::byte* const* at;
        index_t n;
        template <int K>
        RICCI_INLINE auto get() const {
            return simd<T>::load_partial(reinterpret_cast<const T*>(at[K]), n);
        }
    };
    RICCI_INLINE void row(const std::byte* const* at, const index_t* mask, T* out) const {
        if (n_ == lanes) {
            step_outputs<Sweep, simd_domain<T>, merging::none> results(nullptr);
            sweep_.template run<simd_domain<T>>(dense_registers<Sweep, T>{at, 0}, results);
            return results.template at<0>().store(out);
        }
        if (n_ > lanes) {
            const auto inputs = [&](index_t i) RICCI_INLINE_LAMBDA { return masked_registers{at, mask, i}; };
            return store_registers<T>(sweep_, inputs, out, n_);
        }
        step_outputs<Sweep, simd_domain<T>, merging::none> results(nullptr);
        sweep_.template run<simd_domain<T>>(partial_registers{at, n_}, results);
        results.template at<0>().store_partial(out, n_);
    }

    const Sweep sweep_;
    const shape<R> extents_;
    const index_t n_;
    index_t step_[Sweep::inputs][R];  // in bytes
    index_t mask_[Sweep::inputs];     // 0 where an input stays put along rows
    const std::byte* from_[Sweep::inputs];
    alignas(64) T repeated_[Sweep::inputs][lanes];
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

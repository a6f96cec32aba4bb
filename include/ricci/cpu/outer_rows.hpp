// Outer products, which a Hessian's rows are sums of.
#pragma once
#include "output_block.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Row r of so many, n dense elements, becomes factor[r] times the given row, or, if it `adds`, what it is and that.
template <class T>
RICCI_NOINLINE void outer_rows(T* to, index_t rows, index_t n, const T* factor, const T* row, bool adds) {
    for (; rows > 0; --rows, to += n) {
        const T f = *factor++;
        if constexpr (simd_supported<T>)
            if (const index_t last = n - simd<T>::lanes; last >= 0) {
                const auto product = [&](index_t i) RICCI_INLINE_LAMBDA { return simd<T>(f) * simd<T>::load(row + i); };
                if (adds) {
                    add_registers(to, n, product);
                    continue;
                }
                for (index_t i = 0; i < last; i += simd<T>::lanes) product(i).store(to + i);
                product(last).store(to + last);
                continue;
            }
        for (index_t i = 0; i < n; ++i) to[i] = adds ? to[i] + f * row[i] : f * row[i];
    }
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail

// Many small matrices in registers, one in each lane: element e of all of them is one register.
#pragma once
#include "../fft/groups.hpp"
#include "matrix.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
/// Element e of `count` matrices of `elements`, side by side in memory, into the lanes of a[e], and back. Lanes that
/// are left over hold the identity of n rows. Size is `elements` where that is known.
template <int Size, class T>
RICCI_INLINE void load_lanes(const T* from, index_t count, int elements, int n, simd<T>* a) {
    using lane = simd<T>;
    constexpr int lanes = lane::lanes;
    if constexpr (Size > 0) {
        T filled[Size * lanes];
        if (count < lanes) [[unlikely]] {
            for (int i = 0; i < Size * lanes; ++i) filled[i] = i < count * Size ? from[i] : T(i % Size % (n + 1) == 0);
            from = filled;
        }
        load_group<Size>(from, a);
    } else {
        T turned[64 * lanes];
        copy_transposed<T>(count, elements, from, elements, 1, turned, lanes);
        for (int e = 0; e < elements; ++e)
            for (index_t k = count; k < lanes; ++k) turned[e * lanes + k] = T(e % (n + 1) == 0);
        for (int e = 0; e < elements; ++e) a[e] = lane::load(turned + e * lanes);
    }
}
template <int Size, class T>
RICCI_INLINE void store_lanes(const simd<T>* a, index_t count, int elements, T* to) {
    constexpr int lanes = simd<T>::lanes;
    if constexpr (Size > 0) {
        if (count == lanes) [[likely]]
            return store_group<Size>(a, to);
        T filled[Size * lanes];
        store_group<Size>(a, filled);
        std::copy(filled, filled + count * Size, to);
    } else {
        T turned[64 * lanes];
        for (int e = 0; e < elements; ++e) a[e].store(turned + e * lanes);
        copy_transposed<T>(elements, count, turned, lanes, 1, to, elements);
    }
}
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail

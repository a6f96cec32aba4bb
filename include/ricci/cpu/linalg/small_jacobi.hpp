// Eigenvalues and singular values of many small matrices by Jacobi's rotations: one matrix in each lane of the
// registers.
#pragma once
#include "small_factors.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
/// Whether Jacobi's rotations in lanes take less time than one matrix after the other, as they do for a single one of
/// few rows.
template <class T>
constexpr bool suits_jacobi_lanes(index_t count, index_t n) {
    return fits_lanes<T>(count, n) || (n >= 2 && n <= 4);
}

/// The rotations that make the elements `beside` of the symmetric (first beside; beside second) 0; the identity where
/// these need none.
template <class T>
struct rotation_lanes {
    using lane = simd<T>;
    lane c, s, t;

    RICCI_INLINE rotation_lanes(simd_mask<T> needed, lane first, lane beside, lane second) {
        const lane one(T(1)), theta = (second - first) / (beside + beside);
        const lane root = math::sqrt(math::fma(theta, theta, one));
        t = math::select(needed, math::copysign(one, theta) / (math::abs(theta) + root), lane(T(0)));
        c = one / math::sqrt(math::fma(t, t, one));
        s = t * c;
    }
    RICCI_INLINE void operator()(lane& x, lane& y) const {
        const lane kept = x;
        x = math::fma(c, kept, -(s * y));
        y = math::fma(s, kept, c * y);
    }
};
template <class T>
RICCI_INLINE void exchange_lanes(simd_mask<T> where, simd<T>& x, simd<T>& y) {
    const simd<T> kept = x;
    x = math::select(where, y, kept);
    y = math::select(where, kept, y);
}
/// Whether all elements are 0 or the largest of each matrix lies in between.
template <class T>
RICCI_INLINE bool all_between(const simd<T>* a, int count, T low, T high) {
    using lane = simd<T>;
    lane largest(T(0));
    for (int e = 0; e < count; ++e) largest = math::maximum(largest, math::abs(a[e]));
    return math::all((largest == lane(T(0))) | ((largest >= lane(low)) & (largest <= lane(high))));
}

/// a's diagonal becomes its eigenvalues in ascending order, v's columns, unless v is null, the vectors. The upper
/// triangle is read. False where the elements' squares leave the range of T, or sweeps do not suffice.
template <int N, class T>
RICCI_INLINE bool diagonalize_lanes(simd<T>* a, simd<T>* v, int size) {
    using lane = simd<T>;
    using limits = std::numeric_limits<T>;
    const int n = N ? N : size;
    const T small = std::sqrt(limits::min()) / limits::epsilon();
    if (!all_between(a, n * n, small, 1 / small)) return false;
    const lane tolerance(limits::epsilon() * limits::epsilon()), least(limits::min());
    bool rotated = true;
    for (int sweep = 0; rotated; ++sweep) {
        if (sweep == 20) return false;
        rotated = false;
        RICCI_UNROLL
        for (int p = 0; p < n; ++p) RICCI_UNROLL
        for (int q = p + 1; q < n; ++q) {
            lane &first = a[p * n + p], &second = a[q * n + q], &beside = a[p * n + q];
            // as tridiagonal_ql has it: small eigenvalues of graded matrices stay exact
            const auto needed = beside * beside > math::maximum(tolerance * math::abs(first * second), least);
            if (!math::any(needed)) continue;
            rotated = true;
            const rotation_lanes<T> rotate(needed, first, beside, second);
            first = math::fma(-rotate.t, beside, first);
            second = math::fma(rotate.t, beside, second);
            beside = math::select(needed, lane(T(0)), beside);
            RICCI_UNROLL
            for (int r = 0; r < n; ++r)
                if (r != p && r != q) rotate(a[r < p ? r * n + p : p * n + r], a[r < q ? r * n + q : q * n + r]);
            if (!v) continue;
            RICCI_UNROLL
            for (int r = 0; r < n; ++r) rotate(v[r * n + p], v[r * n + q]);
        }
    }
    RICCI_UNROLL
    for (int i = 0; i < n; ++i) RICCI_UNROLL
    for (int j = i + 1; j < n; ++j) {
        const auto where = a[j * n + j] < a[i * n + i];
        exchange_lanes<T>(where, a[i * n + i], a[j * n + j]);
        if (!v) continue;
        RICCI_UNROLL
        for (int r = 0; r < n; ++r) exchange_lanes<T>(where, v[r * n + i], v[r * n + j]);
    }
    return true;
}
template <class T>
RICCI_INLINE void fill_identity_lanes(simd<T>* v, int n) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) v[i * n + j] = simd<T>(T(i == j));
}

/// to[k * n + i] = lane k of values[i].
template <class T>
RICCI_INLINE void store_values(const simd<T>* values, index_t count, int n, T* to) {
    for (int i = 0; i < n; ++i) {
        T each[simd<T>::lanes];
        values[i].store(each);
        for (index_t k = 0; k < count; ++k) to[k * n + i] = each[k];
    }
}

/// The vectors, where they are wanted, in place of the matrices; false, and nothing written, where diagonalize_lanes
/// fails.
template <int N, class T>
RICCI_FLATTEN bool eigh_group(T* data, T* w, index_t count, int size, bool vectors) {
    const int n = N ? N : size;
    simd<T> a[N ? N * N : 64], v[N ? N * N : 64], values[N ? N : 8];
    load_lanes<N * N>(data, count, n * n, n, a);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) a[j * n + i] = a[i * n + j];
    if (vectors) fill_identity_lanes<T>(v, n);
    if (!diagonalize_lanes<N, T>(a, vectors ? v : nullptr, n)) return false;
    for (int i = 0; i < n; ++i) values[i] = a[i * n + i];
    store_values<T>(values, count, n, w);
    if (vectors) store_lanes<N * N>(v, count, n * n, data);
    return true;
}
/// The same for any number; failed(first, count) is told of groups that are left as they are.
template <int Rank, class T, class Failed>
void eigh_small(T* data, T* w, index_t count, index_t n, bool vectors, const Failed& failed) {
    decltype(&eigh_group<0, T>) group = nullptr;
    with_order<T, Rank>(n, [&](auto order) { group = eigh_group<order(), T>; });
    for_lanes<T>(count, 16 * n * n * n, [&](index_t first, index_t some) {
        if (!group(data + first * n * n, w + first * n, some, static_cast<int>(n), vectors)) failed(first, some);
    });
}

/// A = U diag(s) V^T: a's columns become U's, by rotations that make them orthogonal, v's rows, unless v is null,
/// V^T's; s descends. False of singular matrices, whose U would be incomplete, and of those whose squares leave the
/// range of T.
template <int N, class T>
RICCI_INLINE bool orthogonalize_lanes(simd<T>* a, simd<T>* v, simd<T>* s, int size) {
    using lane = simd<T>;
    using limits = std::numeric_limits<T>;
    const int n = N ? N : size;
    const T high = std::sqrt(std::sqrt(limits::max())) / 8;
    if (!all_between(a, n * n, 1 / high, high)) return false;
    const lane tolerance(limits::epsilon() * limits::epsilon() * T(n));
    const auto product = [&](int p, int q) RICCI_INLINE_LAMBDA {
        lane sum = a[p] * a[q];
        RICCI_UNROLL
        for (int i = 1; i < n; ++i) sum = math::fma(a[i * n + p], a[i * n + q], sum);
        return sum;
    };
    bool rotated = true;
    for (int sweep = 0; rotated; ++sweep) {
        if (sweep == 30) return false;
        rotated = false;
        RICCI_UNROLL
        for (int p = 0; p < n; ++p) RICCI_UNROLL
        for (int q = p + 1; q < n; ++q) {
            const lane first = product(p, p), second = product(q, q), across = product(p, q);
            const auto needed = across * across > tolerance * (first * second);
            if (!math::any(needed)) continue;
            rotated = true;
            const rotation_lanes<T> rotate(needed, first, across, second);
            RICCI_UNROLL
            for (int i = 0; i < n; ++i) rotate(a[i * n + p], a[i * n + q]);
            if (!v) continue;
            RICCI_UNROLL
            for (int i = 0; i < n; ++i) rotate(v[p * n + i], v[q * n + i]);
        }
    }
    RICCI_UNROLL
    for (int p = 0; p < n; ++p) s[p] = math::sqrt(product(p, p));
    RICCI_UNROLL
    for (int p = 0; p < n; ++p) RICCI_UNROLL
    for (int q = p + 1; q < n; ++q) {
        const auto where = s[p] < s[q];
        exchange_lanes<T>(where, s[p], s[q]);
        if (!v) continue;
        RICCI_UNROLL
        for (int i = 0; i < n; ++i) {
            exchange_lanes<T>(where, a[i * n + p], a[i * n + q]);
            exchange_lanes<T>(where, v[p * n + i], v[q * n + i]);
        }
    }
    // the squares of inner products that tell the least columns' angles must be normal numbers
    if (!math::all(s[n > 1 ? n - 2 : 0] * s[n - 1] > lane(2 * std::sqrt(limits::min()) / limits::epsilon())))
        return false;
    if (!v) return true;
    RICCI_UNROLL
    for (int p = 0; p < n; ++p) RICCI_UNROLL
    for (int i = 0; i < n; ++i) a[i * n + p] = a[i * n + p] / s[p];
    return true;
}

/// False, and nothing written, where orthogonalize_lanes fails; u is null where only s is wanted.
template <int N, class T>
RICCI_FLATTEN bool svd_group(const T* from, T* u, T* s, T* vh, index_t count, int size) {
    const int n = N ? N : size;
    if (n < 1) return false;  // never; without it GCC warns of lanes that are read and not written
    simd<T> a[N ? N * N : 64], v[N ? N * N : 64], values[N ? N : 8];
    load_lanes<N * N>(from, count, n * n, n, a);
    if (u) fill_identity_lanes<T>(v, n);
    if (!orthogonalize_lanes<N, T>(a, u ? v : nullptr, values, n)) return false;
    store_values<T>(values, count, n, s);
    if (u) {
        store_lanes<N * N>(a, count, n * n, u);
        store_lanes<N * N>(v, count, n * n, vh);
    }
    return true;
}
/// The same for any number; failed(first, count) is told of groups of which nothing was written.
template <int Rank, class T, class Failed>
void svd_small(const T* from, T* u, T* s, T* vh, index_t count, index_t n, const Failed& failed) {
    decltype(&svd_group<0, T>) group = nullptr;
    with_order<T, Rank>(n, [&](auto order) { group = svd_group<order(), T>; });
    for_lanes<T>(count, 32 * n * n * n, [&](index_t first, index_t some) {
        const index_t at = first * n * n;
        if (!group(from + at, u ? u + at : nullptr, s + first * n, u ? vh + at : nullptr, some, static_cast<int>(n)))
            failed(first, some);
    });
}
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail

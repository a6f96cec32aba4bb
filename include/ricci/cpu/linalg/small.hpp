// Inverses of many small matrices: one matrix in each lane of the registers.
#pragma once
#include "lanes.hpp"
#include "lu.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

#if defined(RICCI_HAS_SIMD)
/// Whether `count` matrices of n rows fill enough lanes to take one each; where elements stay in registers, a few do.
template <class T>
constexpr bool fits_lanes(index_t count, index_t n) {
    return n >= 1 && n <= 8 && (count >= simd<T>::lanes / 2 || (n >= 2 && n <= 4));
}

/// body(order) with n as a constant where code of its own pays, 0 elsewhere. An array of rank 2 is one matrix, which
/// takes lanes for few n: what is never called would be half of the code.
template <class T, int Rank, class Body>
RICCI_INLINE void with_order(index_t n, const Body& body) {
    constexpr bool any_order = Rank > 2 || fits_lanes<T>(1, 8);
    if (n == 2) body(std::integral_constant<int, 2>());
    else if (n == 3) body(std::integral_constant<int, 3>());
    else if (!any_order || n == 4) body(std::integral_constant<int, 4>());
    else if constexpr (any_order) body(std::integral_constant<int, 0>());
}
/// Whether determinants of n rows are sums of products, and inverses minors by them. With fused products each minor of
/// two rows is good to its last bits, whatever cancels (Kahan's), and what is left of the error is that of elimination.
/// Of four rows such sums cancel more than elimination does.
constexpr bool has_closed_form(int n) { return fused_multiply_add && (n == 2 || n == 3); }
/// a b - c d
template <class T>
RICCI_INLINE simd<T> difference_of_products(simd<T> a, simd<T> b, simd<T> c, simd<T> d) {
    const simd<T> cd = c * d, lost = math::fma(-c, d, cd);
    return math::fma(a, b, -cd) + lost;
}
/// The minor without row i and column j, with its sign.
template <class T>
RICCI_INLINE simd<T> cofactor_of_three(const simd<T>* a, int i, int j) {
    const int above = (i + 1) % 3 * 3, below = (i + 2) % 3 * 3, left = (j + 1) % 3, right = (j + 2) % 3;
    return difference_of_products(a[above + left], a[below + right], a[above + right], a[below + left]);
}
/// Gives in `regular` the lanes in which neither infinities nor numbers below the least normal one have spoilt digits.
template <int N, class T>
RICCI_INLINE simd<T> closed_determinant(const simd<T>* a, simd_mask<T>& regular) {
    using lane = simd<T>;
    [[maybe_unused]] constexpr T least = std::numeric_limits<T>::min();
    constexpr T most = std::numeric_limits<T>::max();
    if constexpr (N == 2) {
        const lane determinant = difference_of_products(a[0], a[3], a[1], a[2]);
        regular = math::abs(determinant) <= lane(most);
        return determinant;
    } else {
        const lane last = a[2] * cofactor_of_three(a, 0, 2);
        const lane determinant =
            math::fma(a[0], cofactor_of_three(a, 0, 0), math::fma(a[1], cofactor_of_three(a, 0, 1), last));
        const lane largest = math::abs(a[0]) + math::abs(a[1]) + math::abs(a[2]), size = math::abs(determinant);
        regular = (size <= lane(most)) & (lane(least) * largest <= size);
        return determinant;
    }
}
/// Inverts lanes-many matrices in place; false where a lane is not regular, singular matrices among them.
template <int N, class T>
RICCI_INLINE bool invert_closed(simd<T>* a) {
    using lane = simd<T>;
    constexpr T least = std::numeric_limits<T>::min();
    simd_mask<T> regular;
    const lane determinant = closed_determinant<N, T>(a, regular), size = math::abs(determinant);
    lane largest(T(1));
    RICCI_UNROLL
    for (int e = 0; e < N * N; ++e) largest = largest + math::abs(a[e]);
    regular = regular & (lane(least) * largest <= size) & (size <= lane(1 / least));
    if constexpr (N == 3)
        regular = regular & (largest * largest <= lane(std::numeric_limits<T>::max()));  // of cofactors
    if (!math::all(regular)) return false;
    const lane scale = lane(T(1)) / determinant;
    if constexpr (N == 2) {
        const lane first = a[0];
        a[0] = a[3] * scale, a[3] = first * scale;
        a[1] = -a[1] * scale, a[2] = -a[2] * scale;
    } else {
        lane y[9];
        RICCI_UNROLL
        for (int i = 0; i < 3; ++i) RICCI_UNROLL
        for (int j = 0; j < 3; ++j) y[j * 3 + i] = cofactor_of_three(a, i, j) * scale;
        RICCI_UNROLL
        for (int e = 0; e < 9; ++e) a[e] = y[e];
    }
    return true;
}

/// Inverts lanes-many matrices in place, element (i, j) of all in a[i * n + j], by Gauss-Jordan elimination with
/// partial pivoting; exchanges of rows are selections. Gives the lanes whose matrix is singular. N is n where that is
/// known.
template <int N, class T>
RICCI_INLINE bool invert_lanes(simd<T>* a, int size) {
    using lane = simd<T>;
    const int n = N ? N : size;
    constexpr int most = N ? N : 8;
    using mask = decltype(a[0] < a[0]);
    mask exchanged[most * most];
    bool singular = false;
    RICCI_UNROLL
    for (int k = 0; k < n; ++k) {
        RICCI_UNROLL
        for (int i = k + 1; i < n; ++i) {
            const mask larger = math::abs(a[k * n + k]) < math::abs(a[i * n + k]);
            exchanged[k * n + i] = larger;
            RICCI_UNROLL
            for (int j = 0; j < n; ++j) {
                const lane upper = a[k * n + j], lower = a[i * n + j];
                a[k * n + j] = math::select(larger, lower, upper);
                a[i * n + j] = math::select(larger, upper, lower);
            }
        }
        singular = singular || math::any(a[k * n + k] == lane(T(0)));
        const lane scale = lane(T(1)) / a[k * n + k];
        a[k * n + k] = lane(T(1));
        RICCI_UNROLL
        for (int j = 0; j < n; ++j) a[k * n + j] *= scale;
        RICCI_UNROLL
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const lane factor = -a[i * n + k];
            a[i * n + k] = lane(T(0));
            RICCI_UNROLL
            for (int j = 0; j < n; ++j) a[i * n + j] = math::fma(factor, a[k * n + j], a[i * n + j]);
        }
    }
    // (P A)^-1 = A^-1 P^-1: the exchanges once more, backwards, of columns
    RICCI_UNROLL
    for (int k = n - 1; k >= 0; --k) RICCI_UNROLL
    for (int i = n - 1; i > k; --i) RICCI_UNROLL
    for (int j = 0; j < n; ++j) {
        const lane left = a[j * n + k], right = a[j * n + i];
        a[j * n + k] = math::select(exchanged[k * n + i], right, left);
        a[j * n + i] = math::select(exchanged[k * n + i], left, right);
    }
    return singular;
}

/// Inverts `count` matrices, side by side in memory. False, and nothing written, where one is singular or has no closed
/// form.
template <int N, class T>
RICCI_FLATTEN bool invert_group(const T* from, T* to, index_t count, int size) {
    const int n = N ? N : size, elements = n * n;
    simd<T> a[N ? N * N : 64];
    load_lanes<N * N>(from, count, elements, n, a);
    if constexpr (has_closed_form(N)) {
        if (!invert_closed<N>(a)) return false;
    } else {
        if (invert_lanes<N>(a, n)) return false;
    }
    store_lanes<N * N>(a, count, elements, to);
    return true;
}
/// The same for any number; failed(first, count) is told of groups with a singular one.
template <int Rank, class T, class Failed>
void invert_small(const T* from, T* to, index_t count, int n, const Failed& failed) {
    constexpr index_t lanes = simd<T>::lanes;
    decltype(&invert_group<0, T>) group = nullptr;
    with_order<T, Rank>(n, [&](auto order) { group = invert_group<order(), T>; });
    for_blocks((count + lanes - 1) / lanes, 4 * n * n * n, [&](index_t block) {
        const index_t first = block * lanes, some = std::min(lanes, count - first);
        if (!group(from + first * n * n, to + first * n * n, some, n)) failed(first, some);
    });
}
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail

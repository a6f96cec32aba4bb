// Sorting one line of numbers of four or eight bytes with AVX-512 or AVX2: registers are parted by a pivot until what
// is left fits in few of them, and is sorted there.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "compress.hpp"
#include "sort_columns.hpp"

#if defined(__AVX2__) && !defined(RICCI_NO_SIMD) && !defined(__CUDACC__)  // nvcc loses packs of lanes
#define RICCI_HAS_REGISTER_SORT 1
#else
#define RICCI_HAS_REGISTER_SORT 0
#endif

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Whether lines of such numbers, none of them NaN, are sorted so.
template <class K>
inline constexpr bool has_register_sort = RICCI_HAS_REGISTER_SORT && (sizeof(K) == 4 || sizeof(K) == 8);

#if RICCI_HAS_REGISTER_SORT

/// m rows, a power of two from `lanes` on, as one line: element k of lane w is number w m + k. Steps of a bitonic merge
/// at distances from m on exchange lanes, all others rows.
template <class K>
struct register_block {
    using row = value_row<K>;
    static constexpr index_t lanes = row::lanes;
    static constexpr index_t most_rows = 32, most = most_rows * lanes;
    static constexpr std::make_index_sequence<static_cast<std::size_t>(lanes)> all{};
    alignas(64) row rows[most_rows];

    /// Sorts n elements, `most` or fewer, into `to`, which may be the same ones.
    void sort(const K* from, index_t n, K* to) {
        const index_t m = std::max(lanes, rows_to_sort((n + lanes - 1) / lanes));
        K* const elements = reinterpret_cast<K*>(rows);
        std::memcpy(rows, from, static_cast<std::size_t>(n) * sizeof(K));
        std::fill(elements + n, elements + m * lanes, row::last());
        sort_columns(rows, m);
        merge_lanes<1>(m);
        transpose(m, n, to);
    }

   private:
    template <index_t By, std::size_t... L>
    RICCI_INLINE static row across(const row& r, std::index_sequence<L...>) {  // lanes L ^ By
        return {__builtin_shufflevector(r.v, r.v, static_cast<int>(L ^ By)...)};
    }
    /// a in the lanes without the bit `Of`, b in the others.
    template <index_t Of, std::size_t... L>
    RICCI_INLINE static row mixed(const row& a, const row& b, std::index_sequence<L...>) {
        return {__builtin_shufflevector(a.v, b.v, static_cast<int>(L & Of ? L + lanes : L)...)};
    }
    /// Merges the runs of Apart lanes each, two and two.
    template <index_t Apart>
    void merge_lanes(index_t m) {
        if constexpr (Apart < lanes) {
            for (index_t k = 0; k < m / 2; ++k) {  // each element with its mirror image
                row a = rows[k], b = across<2 * Apart - 1>(rows[m - 1 - k], all);
                in_order(a, b);
                rows[k] = exchanged<Apart / 2>(mixed<Apart>(a, b, all));
                rows[m - 1 - k] = exchanged<Apart / 2>(across<2 * Apart - 1>(mixed<Apart>(b, a, all), all));
            }
            merge_steps(rows, m, m / 2);
            merge_lanes<2 * Apart>(m);
        }
    }
    /// The steps of a merge at distances of By lanes and less.
    template <index_t By>
    RICCI_INLINE static row exchanged(row a) {
        if constexpr (By == 0) return a;
        else {
            row b = across<By>(a, all);
            in_order(a, b);
            return exchanged<By / 2>(mixed<By>(a, b, all));
        }
    }
    /// Lanes with the bit `By` change places with those of the other row that lack it.
    template <index_t By, std::size_t... L>
    RICCI_INLINE static void turn(row& a, row& b, std::index_sequence<L...>) {
        const row low{__builtin_shufflevector(a.v, b.v, static_cast<int>(L & By ? (L ^ By) + lanes : L)...)};
        b.v = __builtin_shufflevector(a.v, b.v, static_cast<int>(L & By ? L + lanes : L ^ By)...);
        a = low;
    }
    template <index_t By>
    RICCI_INLINE static void turn_all(row* r) {
        for (index_t i = 0; i < lanes; ++i)
            if (!(i & By)) turn<By>(r[i], r[i + By], all);
        if constexpr (By > 1) turn_all<By / 2>(r);
    }
    void transpose(index_t m, index_t n, K* to) const {
        for (index_t first = 0; first < m; first += lanes) {
            row r[lanes];
            for (index_t i = 0; i < lanes; ++i) r[i] = rows[first + i];
            turn_all<lanes / 2>(r);
            for (index_t w = 0; w < lanes; ++w) {
                const index_t at = w * m + first;
                if (at + lanes <= n) std::memcpy(to + at, &r[w], sizeof(row));
                else if (at < n) std::memcpy(to + at, &r[w], static_cast<std::size_t>(n - at) * sizeof(K));
            }
        }
    }
};

/// For each mask of so many lanes the chosen ones and then the others, as parts of which a register has eight, a byte
/// each.
template <unsigned Lanes>
inline constexpr auto parted_lanes = [] {
    constexpr unsigned parts = 8 / Lanes;
    std::array<std::uint64_t, 1 << Lanes> table{};
    for (unsigned some = 0; some < table.size(); ++some)
        for (unsigned k = 0, first = 0, last = static_cast<unsigned>(std::popcount(some)); k < Lanes; ++k) {
            const unsigned to = some >> k & 1 ? first++ : last++;
            for (unsigned i = 0; i < parts; ++i) table[some] |= std::uint64_t(k * parts + i) << 8 * (to * parts + i);
        }
    return table;
}();
#if defined(__AVX512F__) && defined(__AVX512BW__)
/// A register of numbers, and how it is parted.
template <class K>
struct parted_register {
    using registers = compressor<sizeof(K)>;
    using bits = typename registers::mask;
    static constexpr index_t lanes = registers::lanes;
    __m512i v;

    explicit RICCI_INLINE parted_register(const K* x) : v(_mm512_loadu_si512(x)) {}
    /// The lanes that are less than a number or, with Same, not greater.
    template <bool Same>
    RICCI_INLINE bits before(const parted_register& pivot) const {
        constexpr int floats = Same ? _CMP_LE_OQ : _CMP_LT_OQ, integers = Same ? _MM_CMPINT_LE : _MM_CMPINT_LT;
        if constexpr (std::is_same_v<K, double>)
            return _mm512_cmp_pd_mask(_mm512_castsi512_pd(v), _mm512_castsi512_pd(pivot.v), floats);
        else if constexpr (std::is_same_v<K, float>)
            return _mm512_cmp_ps_mask(_mm512_castsi512_ps(v), _mm512_castsi512_ps(pivot.v), floats);
        else if constexpr (sizeof(K) == 8) return _mm512_cmp_epi64_mask(v, pivot.v, integers);
        else return _mm512_cmp_epi32_mask(v, pivot.v, integers);
    }
    /// The chosen lanes to where x begins, the others to where y ends; of both there is room for a register.
    RICCI_INLINE void store(bits some, K* x, K* y) const {
        if constexpr (lanes == 8) {
            const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&parted_lanes<8>[some]));
            const __m512i both =
                _mm512_maskz_permutexvar_epi64(registers::all, _mm512_maskz_cvtepu8_epi64(registers::all, order), v);
            registers::store_all(x, both);
            registers::store_all(y - lanes, both);
        } else {
            const index_t left = lanes - std::popcount(some);
            registers::store_all(x, _mm512_maskz_compress_epi32(some, v));
            registers::store(y - left, static_cast<bits>((1u << left) - 1),
                             _mm512_maskz_compress_epi32(static_cast<bits>(~some), v));
        }
    }
};
#else
template <class K>
struct parted_register {
    using bits = unsigned;
    static constexpr index_t lanes = 32 / sizeof(K);
    __m256i v;

    explicit RICCI_INLINE parted_register(const K* x) : v(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x))) {}
    template <bool Same>
    RICCI_INLINE bits before(const parted_register& pivot) const {
        constexpr int floats = Same ? _CMP_LE_OQ : _CMP_LT_OQ;
        constexpr bits all = (1u << lanes) - 1;
        if constexpr (std::is_same_v<K, double>)
            return mask_of(
                _mm256_castpd_si256(_mm256_cmp_pd(_mm256_castsi256_pd(v), _mm256_castsi256_pd(pivot.v), floats)));
        else if constexpr (std::is_same_v<K, float>)
            return mask_of(
                _mm256_castps_si256(_mm256_cmp_ps(_mm256_castsi256_ps(v), _mm256_castsi256_ps(pivot.v), floats)));
        else if constexpr (Same) return all & ~mask_of(greater(v, pivot.v));
        else return mask_of(greater(pivot.v, v));
    }
    RICCI_INLINE void store(bits some, K* x, K* y) const {
        const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&parted_lanes<lanes>[some]));
        const __m256i both = _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(order));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(x), both);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(y - lanes), both);
    }

   private:
    static RICCI_INLINE __m256i greater(__m256i a, __m256i b) {
        if constexpr (sizeof(K) == 8) return _mm256_cmpgt_epi64(a, b);
        else return _mm256_cmpgt_epi32(a, b);
    }
    static RICCI_INLINE bits mask_of(__m256i m) {
        if constexpr (sizeof(K) == 8) return static_cast<bits>(_mm256_movemask_pd(_mm256_castsi256_pd(m)));
        else return static_cast<bits>(_mm256_movemask_ps(_mm256_castsi256_ps(m)));
    }
};
#endif

template <class K>
class register_sort {
    static constexpr index_t lanes = parted_register<K>::lanes;
    register_block<K> block_;

    /// What comes before the pivot stays, side by side; the rest goes to the same places of `other`. How many stay.
    template <bool Same>
    static index_t part(K* x, K* other, index_t n, K pivot) {
        K copies[lanes];
        std::fill(copies, copies + lanes, pivot);
        const parted_register<K> by(copies);
        index_t kept = 0, i = 0;
        K* end = other + n;
        for (; i + lanes <= n; i += lanes) {
            const parted_register<K> here(x + i);
            const auto some = here.template before<Same>(by);
            const index_t count = std::popcount(some);
            here.store(some, x + kept, end);  // over what has been read
            kept += count;
            end -= lanes - count;
        }
        for (; i < n; ++i) {
            const K v = x[i];
            const bool stays = Same ? v <= pivot : v < pivot;
            if (stays) x[kept++] = v;
            else *--end = v;
        }
        return kept;
    }
    static K median(K a, K b, K c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }
    /// About the median of numbers from all over the line.
    static K pivot_of(const K* x, index_t n) {
        value_row<K> r[8];
        for (index_t i = 0; i < 8; ++i) std::memcpy(&r[i], x + (2 * i + 1) * (n / 16), sizeof r[i]);
        sort_eight(r);
        const auto& m = r[4];
        if constexpr (value_row<K>::lanes < 8) return median(m.get(0), m.get(1), m.get(2));
        else return median(median(m.get(0), m.get(1), m.get(2)), median(m.get(3), m.get(4), m.get(5)), m.get(6));
    }

   public:
    /// Sorts n elements of x, which are to come to `result`: x itself or where x was parted from. `other` is the other
    /// of both places. After too many bad pivots the line is left to `otherwise(x, other, n, result)`.
    template <class Otherwise>
    void run(K* x, K* other, index_t n, K* result, int depth, const Otherwise& otherwise) {
        while (n > register_block<K>::most) {
            if (depth-- == 0) return otherwise(x, other, n, result);
            const K pivot = pivot_of(x, n);
            index_t kept = part<false>(x, other, n, pivot);
            if (kept > 0) run(x, other, kept, result, depth, otherwise);
            else {  // the least there is: all that are equal to it are in order
                std::swap(x, other);
                kept = part<true>(x, other, n, pivot);
                std::fill(result, result + kept, pivot);
            }
            std::swap(x, other);
            x += kept, other += kept, result += kept, n -= kept;
        }
        block_.sort(x, n, result);
    }
    /// The same as far as element `place` needs it: nothing greater comes before it, and nothing less behind it.
    template <class Otherwise>
    void select(K* x, K* other, index_t n, K* result, index_t place, int depth, const Otherwise& otherwise) {
        const auto leave = [](const K* from, index_t count, K* to) {
            if (from != to) std::copy(from, from + count, to);
        };
        while (n > register_block<K>::most) {
            if (depth-- == 0) return otherwise(x, other, n, result);
            const K pivot = pivot_of(x, n);
            index_t kept = part<false>(x, other, n, pivot);
            if (place < kept) {
                leave(other + kept, n - kept, result + kept);
                n = kept;
                continue;
            }
            if (kept > 0) leave(x, kept, result);
            else {
                std::swap(x, other);
                kept = part<true>(x, other, n, pivot);
                std::fill(result, result + kept, pivot);
                if (place < kept) return leave(other + kept, n - kept, result + kept);
            }
            std::swap(x, other);
            x += kept, other += kept, result += kept, n -= kept, place -= kept;
        }
        block_.sort(x, n, result);
    }
};
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail

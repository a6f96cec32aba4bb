// Sorting one line of numbers of four or eight bytes with AVX-512: registers are parted by a pivot until what is left fits in few
// of them, and is sorted there.
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

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && !defined(RICCI_NO_SIMD) && \
    !defined(__CUDACC__)  // nvcc loses packs of lanes
#define RICCI_HAS_REGISTER_SORT 1
#else
#define RICCI_HAS_REGISTER_SORT 0
#endif

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Whether lines of such numbers, none of them NaN, are sorted so.
template <class K>
inline constexpr bool has_register_sort = RICCI_HAS_REGISTER_SORT && has_compressor<sizeof(K)>;

#if RICCI_HAS_REGISTER_SORT

/// m rows, a power of two from `lanes` on, as one line: element k of lane w is number w m + k. Steps of a bitonic merge at
/// distances from m on exchange lanes, all others rows.
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

template <class K>
class register_sort {
    using registers = compressor<sizeof(K)>;
    using bits = typename registers::mask;
    static constexpr index_t lanes = registers::lanes;
    register_block<K> block_;

    /// The lanes that are less than a number or, with Same, not greater.
    template <bool Same>
    RICCI_INLINE static bits before(const K* x, __m512i pivot) {
        constexpr int floats = Same ? _CMP_LE_OQ : _CMP_LT_OQ, integers = Same ? _MM_CMPINT_LE : _MM_CMPINT_LT;
        const __m512i v = _mm512_loadu_si512(x);
        if constexpr (std::is_same_v<K, double>)
            return _mm512_cmp_pd_mask(_mm512_castsi512_pd(v), _mm512_castsi512_pd(pivot), floats);
        else if constexpr (std::is_same_v<K, float>)
            return _mm512_cmp_ps_mask(_mm512_castsi512_ps(v), _mm512_castsi512_ps(pivot), floats);
        else if constexpr (sizeof(K) == 8) return _mm512_cmp_epi64_mask(v, pivot, integers);
        else return _mm512_cmp_epi32_mask(v, pivot, integers);
    }
    /// For each mask of eight lanes the chosen ones and then the others, a byte each.
    static constexpr auto parted_lanes = [] {
        std::array<std::uint64_t, 256> table{};
        for (unsigned some = 0; some < 256; ++some)
            for (unsigned k = 0, first = 0, last = static_cast<unsigned>(std::popcount(some)); k < 8; ++k)
                table[some] |= std::uint64_t(k) << 8 * (some >> k & 1 ? first++ : last++);
        return table;
    }();
    /// Eight numbers, the chosen ones first.
    static RICCI_INLINE __m512i parted(const K* x, bits some) {
        const __m128i order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&parted_lanes[some]));
        return _mm512_maskz_permutexvar_epi64(registers::all, _mm512_maskz_cvtepu8_epi64(registers::all, order),
                                              _mm512_loadu_si512(x));
    }
    /// What comes before the pivot stays, side by side; the rest goes to the same places of `other`. How many stay.
    template <bool Same>
    static index_t part(K* x, K* other, index_t n, K pivot) {
        K copies[lanes];
        std::fill(copies, copies + lanes, pivot);
        const __m512i by = _mm512_loadu_si512(copies);
        index_t kept = 0, i = 0;
        K* end = other + n;
        for (; i + lanes <= n; i += lanes) {
            const bits some = before<Same>(x + i, by);
            const index_t count = std::popcount(some);
            if constexpr (lanes == 8) {
                const __m512i both = parted(x + i, some);
                registers::store_all(x + kept, both);  // over what has been read
                registers::store_all(end - lanes, both);
                end -= lanes - count;
            } else {
                const __m512i rest = registers::pack_all(x + i, static_cast<bits>(~some));
                registers::store_all(x + kept, registers::pack_all(x + i, some));
                end -= lanes - count;
                registers::store(end, static_cast<bits>((1u << (lanes - count)) - 1), rest);
            }
            kept += count;
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
        return median(median(m.get(0), m.get(1), m.get(2)), median(m.get(3), m.get(4), m.get(5)), m.get(6));
    }

   public:
    /// Sorts n elements of x, which are to come to `result`: x itself or where x was parted from. `other` is the other of both
    /// places. After too many bad pivots the line is left to `otherwise(x, other, n, result)`.
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
};
#endif

}  // namespace RICCI_ISA
}  // namespace ricci::detail

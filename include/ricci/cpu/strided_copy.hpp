// Copies of elements as bytes: from one step to another, and between rows with steps and packed ones.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "../core/dtype.hpp"
#include "fill.hpp"
#include "permute_blocks.hpp"
#include "short_rows.hpp"

namespace ricci::detail {

/// Rows whose elements are `step` bytes apart, and the rows of the same elements packed; both from bytes that are named
/// for each row.
struct row_pairs {
    std::byte* strided;
    std::byte* packed;
    const index_t *strided_at, *packed_at;
    index_t rows, step;
};
/// How elements of one size are copied. Kernels name those of their operands, so that no other size is compiled.
struct item_copier {
    std::size_t size;
    /// n elements from one step (in elements) to another.
    void (*copy)(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t n);
    // What follows is for several axes, and null where a unit's kernels have one (line_copier_of).
    /// n elements of each row, from where they are strided, or back.
    void (*pack)(bool pack, const row_pairs&, index_t n);
    /// n small blocks of elements, so many bytes apart.
    void (*permute)(const block_order&, std::byte* to, index_t to_step, const std::byte* from, index_t from_step,
                    index_t n);
    /// Short rows: of so many bytes each, from one distance to another; and, side by side, of n times the same element,
    /// after which up to `repeat_slack` bytes may be written, too.
    void (*move_rows)(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t bytes,
                      index_t rows);
    void (*repeat_rows)(std::byte* to, const std::byte* from, index_t from_step, index_t n, index_t rows);
    /// Each of these rows so many times, side by side.
    void (*repeat_blocks)(std::byte* to, const std::byte* from, index_t from_step, index_t bytes, index_t times,
                          index_t rows);
};

inline namespace RICCI_ISA {

/// The lanes of a and b, numbered through, that are asked for. Not by value: vectors that the processor does not have
/// warn.
template <int... Lane, class V>
RICCI_INLINE void shuffle(const V& a, const V& b, V& to) {
#if defined(__CUDACC__)  // nvcc loses the pack
    constexpr int n = sizeof...(Lane), lanes[n] = {Lane...};
    V result;
    for (int i = 0; i < n; ++i) result[i] = lanes[i] < n ? a[lanes[i]] : b[lanes[i] - n];
    to = result;
#else
    to = __builtin_shufflevector(a, b, Lane...);
#endif
}
/// P vectors with the elements of P rows in turn, x0 y0 z0 x1 y1 ..., and a vector of each row: either from the other.
template <int P, bool Pack>
struct weave {
    /// Where lane l of the k-th result is among the lanes of all arguments.
    static constexpr int source(int k, int l, int width) {
        const int at = k * width + l;
        return Pack ? l * P + k : at % P * width + at / P;
    }
    /// The lane of the pair (arguments 0 and 1), or of (what is found so far, argument j).
    static constexpr int lane(int k, int j, int l, int width) {
        const int from = source(k, l, width);
        if (j == 1) return from < 2 * width ? from : 0;
        return from / width == j ? width + from % width : l;
    }
    template <int K, int J, class V, int... L>
    RICCI_INLINE static void find(V& found, const V* v, std::integer_sequence<int, L...> lanes) {
        shuffle<lane(K, J, L, sizeof...(L))...>(found, v[J], found);
        if constexpr (J + 1 < P) find<K, J + 1>(found, v, lanes);
    }
    template <class V, int... K, class Lanes>
    RICCI_INLINE static void run(V (&v)[P], std::integer_sequence<int, K...>, Lanes lanes) {
        V results[P];
        ((results[K] = v[0], find<K, 1>(results[K], v, lanes)), ...);
        for (int k = 0; k < P; ++k) v[k] = results[k];
    }
};

/// Every P-th of P W elements, the first of each P or the last, or W elements turned round.
template <int P, int Which, class Lanes, class V, class Indices>
RICCI_INLINE void load_every(const std::byte* from, V& to, Indices lanes) {
    V v[P];
    RICCI_UNROLL
    for (int k = 0; k < P; ++k) Lanes::load(from + k * sizeof(V), v[k]);
    to = v[0];
    weave<P, true>::template find<Which, 1>(to, v, lanes);
}
template <class Lanes, class V, int... I>
RICCI_INLINE void load_reversed(const std::byte* last, V& to, std::integer_sequence<int, I...>) {
    constexpr int width = sizeof...(I);
    V a;
    Lanes::load(last, a);
    shuffle<(width - 1 - I)...>(a, a, to);
}
/// n elements with the step P, side by side; false, and nothing done, of fewer than a vector and one. What lies between
/// them is read, nothing else: the last vector, which overlaps the one before, begins behind the element that precedes
/// it.
template <int P, class U, int... I>
RICCI_INLINE bool copy_every(std::byte* to, const std::byte* from, index_t n, std::integer_sequence<int, I...> lanes) {
    constexpr int width = sizeof...(I);
    constexpr index_t size = sizeof(U);
    using vector = lanes_of<U, width>;
    typename vector::type v;
    if (n <= width) return false;
    for (index_t i = 0; i + width < n; i += width) {
        load_every<P, 0, vector>(from + P * i * size, v, lanes);
        vector::store(v, to + i * size);
    }
    load_every<P, P - 1, vector>(from + (P * (n - width) - (P - 1)) * size, v, lanes);
    vector::store(v, to + (n - width) * size);
    return true;
}
/// The same with the step -1 or a short one.
template <class U>
RICCI_INLINE bool copy_by_vectors(std::byte* to, const std::byte* from, index_t step, index_t n) {
    constexpr int width = vector_bytes / static_cast<int>(sizeof(U));
    constexpr index_t size = sizeof(U);
    using vector = lanes_of<U, width>;
    constexpr std::make_integer_sequence<int, width> lanes{};
    if (step == 2) return copy_every<2, U>(to, from, n, lanes);
    if constexpr (size >= 4 && vector_bytes >= 32) {  // where any lanes of two vectors are one instruction, or three
        if (step == 3) return copy_every<3, U>(to, from, n, lanes);
        if (step == 4) return copy_every<4, U>(to, from, n, lanes);
    } else if constexpr (size < 4 && vector_bytes >= 32) {  // and of 16 bytes
        constexpr std::make_integer_sequence<int, 16 / size> few{};
        if (step == 3) return copy_every<3, U>(to, from, n, few);
        if (step == 4) return copy_every<4, U>(to, from, n, few);
    }
    if (step != -1 || n < width) return false;
    const auto turn = [&](index_t i) RICCI_INLINE_LAMBDA {
        typename vector::type v;
        load_reversed<vector>(from - (i + width - 1) * size, v, lanes);
        vector::store(v, to + i * size);
    };
    for (index_t i = 0; i < n - width; i += width) turn(i);
    turn(n - width);
    return true;
}

/// memcpy, but where what is written begins less than 32 bytes above what is read, modulo 4096: there `rep movsb`, by
/// which glibc copies more than 2 KiB, takes 30 times as long on Zen 3 and 4 (sourceware bug 30994). Rows shifted by an
/// element lie so.
inline void copy_many_bytes(std::byte* to, const std::byte* from, std::size_t n) {
    const auto above = (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from)) % 4096;
    std::size_t i = 0;
    if (n >= 2048 && above - 1 < 31) {
        using lanes = lanes_of<std::uint8_t, vector_bytes>;
        typename lanes::type v[4];
        for (; i + sizeof v <= n; i += sizeof v) {
            for (std::size_t k = 0; k < 4; ++k) lanes::load(from + i + k * vector_bytes, v[k]);
            for (std::size_t k = 0; k < 4; ++k) lanes::store(v[k], to + i + k * vector_bytes);
        }
    }
    std::memcpy(to + i, from + i, n - i);
}
/// The same with no call for a few vectors, which are stored one behind the other, but for the last: of a row that
/// begins with a cache line they are not split, as half of those are that memcpy counts from the end.
RICCI_INLINE void copy_bytes(std::byte* to, const std::byte* from, std::size_t n) {
    constexpr std::size_t width = vector_bytes, few = 16 * width;
    if (n < width || n > few) return copy_many_bytes(to, from, n);
    using lanes = lanes_of<std::uint8_t, vector_bytes>;
    typename lanes::type v, last;
    lanes::load(from + (n - width), last);
    for (std::size_t i = 0; i < n - width; i += width) {
        lanes::load(from + i, v);
        lanes::store(v, to + i);
    }
    lanes::store(last, to + (n - width));
}

/// One by one. Apart from what is quicker, whose calls need save no registers then.
template <class U>
RICCI_NOINLINE void copy_apart(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t n) {
    constexpr index_t size = sizeof(U);
    to_step *= size;
    from_step *= size;
    index_t i = 0;
    for (; i + 4 <= n; i += 4, to += 4 * to_step, from += 4 * from_step) {
        U v[4];
        for (int k = 0; k < 4; ++k) std::memcpy(&v[k], from + k * from_step, sizeof(U));
        for (int k = 0; k < 4; ++k) std::memcpy(to + k * to_step, &v[k], sizeof(U));
    }
    for (; i < n; ++i, to += to_step, from += from_step) std::memcpy(to, from, sizeof(U));
}
/// The elements of a small matrix, whatever their steps.
template <class U>
RICCI_NOINLINE void copy_small(std::byte* to, const index_t* to_step, const std::byte* from, const index_t* from_step,
                               const index_t* extent) {
    constexpr index_t size = sizeof(U);
    const index_t columns = extent[1], to_next = to_step[1] * size, from_next = from_step[1] * size;
    for (index_t rows = extent[0]; rows > 0; --rows, to += to_step[0] * size, from += from_step[0] * size) {
        std::byte* y = to;
        const std::byte* x = from;
        for (index_t i = 0; i < columns; ++i, y += to_next, x += from_next) std::memcpy(y, x, sizeof(U));
    }
}
template <class U>
void copy_items(std::byte* to, index_t to_step, const std::byte* from, index_t from_step, index_t n) {
    constexpr index_t size = sizeof(U);
    if (n == 0) return;  // and there may be no memory
    if (to_step == 1 && from_step == 1) {
        copy_bytes(to, from, static_cast<std::size_t>(n) * sizeof(U));
        return;
    }
    if (from_step == 0) {
        U value;
        std::memcpy(&value, from, sizeof(U));
        if (to_step == 1) return fill_row(reinterpret_cast<U*>(to), n, value);
        return fill_apart(to, to_step * size, n, value);
    }
    if constexpr (std::is_integral_v<U>)
        if (to_step == 1 && copy_by_vectors<U>(to, from, from_step, n)) return;
    copy_apart<U>(to, to_step, from, from_step, n);
}
/// The lanes of a and b in turn, those of each H lanes apart from the others: of the first half of these, and of the
/// second.
template <int H, class V, int... I>
RICCI_INLINE void interleave(const V& a, const V& b, V& low, V& high, std::integer_sequence<int, I...>) {
    constexpr int n = sizeof...(I);
    shuffle<(I / H * H + I % H / 2 + I % 2 * n)...>(a, b, low);
    shuffle<(I / H * H + (H + I % H) / 2 + I % 2 * n)...>(a, b, high);
}
/// The first halves of a and b, and the second ones.
template <class V, int... I>
RICCI_INLINE void exchange(V& a, V& b, std::integer_sequence<int, I...>) {
    constexpr int half = sizeof...(I) / 2;
    V low;
    shuffle<(I < half ? I : I + half)...>(a, b, low);
    shuffle<(I < half ? I + half : I + 2 * half)...>(a, b, b);
    a = low;
}
/// Transposes H vectors in place, every H of their lanes apart, by perfect shuffles.
template <int H, class V, class Lanes>
RICCI_INLINE void transpose_lanes(V* rows, Lanes lanes) {
    RICCI_UNROLL
    for (int done = 1; done < H; done *= 2) {
        V next[H];
        RICCI_UNROLL
        for (int i = 0; i < H / 2; ++i) interleave<H>(rows[i], rows[i + H / 2], next[2 * i], next[2 * i + 1], lanes);
        RICCI_UNROLL
        for (int i = 0; i < H; ++i) rows[i] = next[i];
    }
}
/// Transposes as many vectors as they have lanes, in place. Where vectors are two halves of 16 bytes, what stays within
/// these takes one instruction and what does not takes two: there quarters of the square change places first.
template <class V, int W>
RICCI_INLINE void transpose(V (&rows)[W]) {
    constexpr std::make_integer_sequence<int, W> lanes{};
    if constexpr (sizeof(V) == 32) {
        RICCI_UNROLL
        for (int i = 0; i < W / 2; ++i) exchange(rows[i], rows[i + W / 2], lanes);
        transpose_lanes<W / 2>(rows, lanes);
        transpose_lanes<W / 2>(rows + W / 2, lanes);
    } else {
        transpose_lanes<W>(rows, lanes);
    }
}

/// Where the rows of a block begin: of either side an array, for one code both ways, or known to be even on one of
/// them, which takes half the time where there is so little to do for a row as in small blocks.
template <int P, class Pack>
struct block_rows {
    index_t step, packed[P];
    block_rows(Pack, index_t s, const index_t* at) : step(s) {
        for (int k = 0; k < P; ++k) packed[k] = at[k];
    }
    RICCI_INLINE index_t from(int k) const { return Pack::value ? k * step : packed[k]; }
    RICCI_INLINE index_t to(int k) const { return Pack::value ? packed[k] : k * step; }
};
template <int P>
struct block_rows<P, bool> {
    index_t at[2][P];
    block_rows(bool pack, index_t step, const index_t* packed) {
        for (int k = 0; k < P; ++k) {
            at[pack][k] = packed[k];
            at[!pack][k] = k * step;
        }
    }
    RICCI_INLINE index_t from(int k) const { return at[0][k]; }
    RICCI_INLINE index_t to(int k) const { return at[1][k]; }
};
/// n elements of each of some rows that are neighbours where they are strided, one by one: what fills no registers. A
/// call, since compilers unroll it in each of the blocks otherwise.
template <class U>
RICCI_NOINLINE void copy_corner(bool pack, std::byte* strided, index_t step, std::byte* packed,
                                const index_t* packed_at, index_t rows, index_t n) {
    constexpr index_t size = sizeof(U);
    for (index_t k = 0; k < rows; ++k) {
        std::byte *s = strided + k * size, *p = packed + packed_at[k];
        if (pack) copy_apart<U>(p, 1, s, step / size, n);
        else copy_apart<U>(s, step / size, p, 1, n);
    }
}
/// n elements of P rows that are neighbours where they are strided and lie at the given bytes where they are packed:
/// packed, or unpacked, P of each row at a time, which registers turn. `pack` is a bool or a bool_constant.
template <class U, int P, class Pack>
RICCI_INLINE void turn_block(Pack pack, std::byte* strided, index_t step, std::byte* packed, const index_t* packed_at,
                             index_t n) {
    using vector = lanes_of<U, P>;
    using V = typename vector::type;
    constexpr index_t ahead = 64;  // rows: their cache lines come from far away, one by one
    const block_rows<P, Pack> rows(pack, step, packed_at);
    const bool prefetches = pack && step >= 64;
    const index_t from_by = pack ? step : sizeof(U), to_by = pack ? sizeof(U) : step;
    const std::byte* const from = pack ? strided : packed;
    std::byte* const to = pack ? packed : strided;
    const auto turn = [&](const std::byte* source, std::byte* target) RICCI_INLINE_LAMBDA {
        V v[P];
#if defined(__GNUC__) || defined(__clang__)
        if (prefetches)
            for (int k = 0; k < P; ++k) __builtin_prefetch(source + (ahead + k) * step);
#endif
        RICCI_UNROLL
        for (int k = 0; k < P; ++k) vector::load(source + rows.from(k), v[k]);
        transpose(v);
        RICCI_UNROLL
        for (int k = 0; k < P; ++k) vector::store(v[k], target + rows.to(k));
    };
    if (n >= P) {  // the last ones together with some of those before them
        for (index_t i = 0; i < n - P; i += P) turn(from + i * from_by, to + i * to_by);
        return turn(from + (n - P) * from_by, to + (n - P) * to_by);
    }
    copy_corner<U>(pack, strided, step, packed, packed_at, P, n);
}
/// The same of few rows with nothing between their elements, so that vectors hold many of a row.
template <class U, int P, bool Pack>
RICCI_INLINE void weave_block(std::byte* strided, std::byte* packed, const index_t* packed_at, index_t n) {
    constexpr int width = (P > 2 && sizeof(U) < 4 ? 16 : 32) / sizeof(U);  // of which lanes are shuffled freely
    using vector = lanes_of<U, width>;
    using V = typename vector::type;
    constexpr index_t size = sizeof(V);
    index_t row[P];
    for (int k = 0; k < P; ++k) row[k] = packed_at[k];
    index_t i = 0;
    for (; i + width <= n; i += width, strided += P * size, packed += size) {
        V v[P];
        for (int k = 0; k < P; ++k) vector::load(Pack ? strided + k * size : packed + row[k], v[k]);
        weave<P, Pack>::run(v, std::make_integer_sequence<int, P>{}, std::make_integer_sequence<int, width>{});
        for (int k = 0; k < P; ++k) vector::store(v[k], Pack ? packed + row[k] : strided + k * size);
    }
    copy_corner<U>(Pack, strided, P * sizeof(U), packed, row, P, n - i);
}
/// The rows from the given one that are neighbours where they are strided, at most `most`.
inline index_t neighbours(const row_pairs& r, index_t row, index_t most, index_t size) {
    if (most > r.rows - row) most = r.rows - row;
    index_t n = 1;
    while (n < most && r.strided_at[row + n] == r.strided_at[row] + n * size) ++n;
    return n;
}
/// Columns of a block that is turned in registers, no more of them than there are, rows of it the same.
template <class U>
inline constexpr int block_width =
    vector_bytes / static_cast<int>(sizeof(U)) < 16 ? vector_bytes / static_cast<int>(sizeof(U)) : 16;

/// The rows from the given one, of which `count` are neighbours, in blocks of P of them; gives how many that were.
template <class U, int P>
RICCI_INLINE index_t turn_neighbours(bool pack, std::byte* strided, index_t step, std::byte* packed,
                                     const index_t* packed_at, index_t n, index_t count) {
    constexpr index_t size = sizeof(U);
    if constexpr (P < 2 || P * size < 16) {
        return 0;
    } else {
        if (count < P) return turn_neighbours<U, P / 2>(pack, strided, step, packed, packed_at, n, count);
        if constexpr (P > 8) turn_block<U, P>(pack, strided, step, packed, packed_at, n);
        else if (pack) turn_block<U, P>(std::true_type(), strided, step, packed, packed_at, n);
        else turn_block<U, P>(std::false_type(), strided, step, packed, packed_at, n);
        return P;
    }
}
/// P rows with nothing between their elements.
template <class U, int P>
RICCI_INLINE void weave_rows(bool pack, std::byte* strided, std::byte* packed, const index_t* packed_at, index_t n) {
    if (pack) weave_block<U, P, true>(strided, packed, packed_at, n);
    else weave_block<U, P, false>(strided, packed, packed_at, n);
}
/// Packs n elements of each row from the given one, or unpacks them, in blocks where neighbours can be turned together.
template <class U>
void copy_stretch(bool pack, const row_pairs& r, index_t from, index_t n) {
    constexpr index_t size = sizeof(U), wide = block_width<U>;
    for (index_t row = 0, count; row < r.rows; row += count) {
        const index_t near = neighbours(r, row, wide < 3 ? 3 : 2 * wide, size);
        const index_t* const packed_at = r.packed_at + row;
        std::byte* const strided = r.strided + r.strided_at[row] + from * r.step;
        std::byte* const packed = r.packed + from * size;
        count = near;
        if constexpr ((size >= 4 || vector_bytes >= 32) && std::is_integral_v<U>)
            if (near == 3 && r.step == 3 * size) {
                weave_rows<U, 3>(pack, strided, packed, packed_at, n);
                continue;
            }
        if constexpr (std::is_integral_v<U>) {
            if (near == 2 && r.step == 2 * size) {
                weave_rows<U, 2>(pack, strided, packed, packed_at, n);
                continue;
            }
        }
        if constexpr (std::is_integral_v<U>) {
            count = turn_neighbours<U, wide>(pack, strided, r.step, packed, packed_at, n, near);
            if (count == wide && near - wide < wide && near > wide) count = near - wide;  // some of them once more
            if (count > 0) continue;
        }
        if (pack) copy_items<U>(packed + *packed_at, 1, strided, r.step / size, n);
        else copy_items<U>(strided, r.step / size, packed + *packed_at, 1, n);
        count = 1;
    }
}
/// Packs n elements of each row, or unpacks them.
template <class U>
void copy_rows(bool pack, const row_pairs& r, index_t n) {
    constexpr index_t together = 256;  // of rows that may share cache lines
    for (index_t i = 0; i < n; i += together) copy_stretch<U>(pack, r, i, n - i < together ? n - i : together);
}

/// What an element of so many bytes is copied as.
template <std::size_t Size>
constexpr auto copied_item() {
    if constexpr (Size <= 8 && std::has_single_bit(Size)) return typename signed_of_size<Size>::type{};
    else return std::array<std::byte, Size>{};
}
template <class T, class U = decltype(copied_item<sizeof(T)>())>
inline constexpr item_copier copier_of{sizeof(T),          copy_items<U>,  copy_rows<U>,          permute_blocks<U>,
                                       move_rows_of_bytes, repeat_rows<U>, repeat_blocks_of_bytes};
template <class T, class U = decltype(copied_item<sizeof(T)>())>
inline constexpr item_copier line_copier_of{sizeof(T), copy_items<U>, nullptr, nullptr, nullptr, nullptr, nullptr};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

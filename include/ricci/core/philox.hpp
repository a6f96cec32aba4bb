// Random numbers by counter: Philox4x32-10, uniforms, normals and bits that depend on (seed, index) alone, and the
// generator.
#pragma once
#include <atomic>
#include <bit>
#include <cmath>
#include <concepts>

#include "config.hpp"
#include "intrinsics.hpp"

namespace ricci {
namespace detail {

struct philox_words {
    std::uint32_t word[4];
    friend constexpr bool operator==(const philox_words&, const philox_words&) = default;
};

template <int Rounds>
RICCI_HD RICCI_INLINE constexpr void philox_rounds(std::uint32_t& c0, std::uint32_t& c1, std::uint32_t& c2,
                                                   std::uint32_t& c3, std::uint32_t k0, std::uint32_t k1) {
    const std::uint64_t p0 = std::uint64_t(0xD2511F53u) * c0, p1 = std::uint64_t(0xCD9E8D57u) * c2;
    c0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(p1);
    c2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(p0);
    if constexpr (Rounds > 1) philox_rounds<Rounds - 1>(c0, c1, c2, c3, k0 + 0x9E3779B9u, k1 + 0xBB67AE85u);
}

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011).
RICCI_HD constexpr philox_words philox(philox_words counter, std::uint32_t key0, std::uint32_t key1) {
    philox_rounds<10>(counter.word[0], counter.word[1], counter.word[2], counter.word[3], key0, key1);
    return counter;
}

/// What a stream of random bits is for. It is part of the counter, so that calls for different purposes share no bits.
enum class random_stream : std::uint32_t {
    uniform_float,
    uniform_double,
    normal_float,
    normal_double,
    bits,
    element,
    again
};

/// The four words of block `block` of the stream `kind` of `seed`, which may be one of many.
RICCI_HD constexpr philox_words philox_block(std::uint64_t seed, random_stream kind, std::uint64_t block,
                                             std::uint32_t which = 0) {
    return philox({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                    static_cast<std::uint32_t>(kind), which}},
                  static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

/// In [0, 1): 24 bits.
RICCI_HD RICCI_INLINE constexpr float unit_float(std::uint32_t w) {
    return static_cast<float>(static_cast<std::int32_t>(w >> 8)) * 0x1p-24f;
}
/// In [0, 1): 53 bits. Two conversions of 32-bit halves, which every instruction set has in vectors.
RICCI_HD RICCI_INLINE constexpr double unit_double(std::uint32_t high, std::uint32_t low) {
    return static_cast<double>(static_cast<std::int32_t>(high >> 6)) * 0x1p-26 +
           static_cast<double>(static_cast<std::int32_t>(low >> 5)) * 0x1p-53;
}

// The functions below have no branches, tables, errno or library calls, so that loops over them vectorise and host and
// device evaluate the same formulas.

/// sqrt(x) for finite x >= 0 by Newton's iteration on 1/sqrt(x); sqrt(0) = 0.
RICCI_HD RICCI_INLINE float square_root(float x) {
    float y = std::bit_cast<float>(0x5f3759dfu - (std::bit_cast<std::uint32_t>(x) >> 1));
    for (int i = 0; i < 3; ++i) y *= 1.5f - 0.5f * x * y * y;
    const float r = x * y;
    return r + 0.5f * y * (x - r * r);
}
RICCI_HD RICCI_INLINE double square_root(double x) {
    double y = std::bit_cast<double>(0x5fe6eb50c7b537a9u - (std::bit_cast<std::uint64_t>(x) >> 1));
    for (int i = 0; i < 4; ++i) y *= 1.5 - 0.5 * x * y * y;
    const double r = x * y;
    return r + 0.5 * y * (x - r * r);
}

/// -2 ln(u) for normal u in (0, 1]. Coefficients: Cephes logf; fdlibm e_log.c.
RICCI_HD RICCI_INLINE float minus_two_log(float u) {
    const std::uint32_t shifted =
        std::bit_cast<std::uint32_t>(u) - 0x3f3504f3u;  // the mantissa goes to [sqrt(1/2), sqrt(2))
    const float e = static_cast<float>(static_cast<std::int32_t>(shifted) >> 23);
    const float f = std::bit_cast<float>((shifted & 0x007fffffu) + 0x3f3504f3u) - 1.0f, z = f * f;
    float p = 7.0376836292e-2f;
    p = p * f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    return -2.0f * (f - 0.5f * z + f * z * p + e * 0.693147180559945f);
}
RICCI_HD RICCI_INLINE double minus_two_log(double u) {
    const std::uint64_t shifted = std::bit_cast<std::uint64_t>(u) - 0x3fe6a09e667f3bcdu;
    const double e = static_cast<double>(static_cast<std::int32_t>(shifted >> 32) >> 20);
    const double f = std::bit_cast<double>((shifted & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1.0;
    const double s = f / (2.0 + f), z = s * s;
    double p = 1.479819860511658591e-01;
    p = p * z + 1.531383769920937332e-01;
    p = p * z + 1.818357216161805012e-01;
    p = p * z + 2.222219843214978396e-01;
    p = p * z + 2.857142874366239149e-01;
    p = p * z + 3.999999999940941908e-01;
    p = p * z + 6.666666666666735130e-01;
    const double h = 0.5 * f * f;
    return -2.0 * (f - (h - s * (h + z * p)) + e * 0.69314718055994530942);
}

/// sin(a) and cos(a) for |a| <= pi/4. Coefficients: Cephes sinf, cosf; fdlibm k_sin.c, k_cos.c.
RICCI_HD RICCI_INLINE void small_sincos(float a, float& s, float& c) {
    const float z = a * a;
    s = a + a * z * (-1.6666654611e-1f + z * (8.3321608736e-3f + z * -1.9515295891e-4f));
    c = 1.0f - 0.5f * z + z * z * (4.166664568298827e-2f + z * (-1.388731625493765e-3f + z * 2.443315711809948e-5f));
}
RICCI_HD RICCI_INLINE void small_sincos(double a, double& s, double& c) {
    const double z = a * a;
    double p = 1.58969099521155010221e-10;
    p = p * z - 2.50507602534068634195e-08;
    p = p * z + 2.75573137070700676789e-06;
    p = p * z - 1.98412698298579493134e-04;
    p = p * z + 8.33333333332248946124e-03;
    p = p * z - 1.66666666666666324348e-01;
    s = a + a * z * p;
    double q = -1.13596475577881948265e-11;
    q = q * z + 2.08757232129817482790e-09;
    q = q * z - 2.75573143513906633035e-07;
    q = q * z + 2.48015872894767294178e-05;
    q = q * z - 1.38888888888741095749e-03;
    q = q * z + 4.16666666666666019037e-02;
    c = 1.0 - 0.5 * z + z * z * q;
}

/// Two independent standard normals (Box and Muller 1958) of two words: radius from `w`, angle from `v`, whose top two
/// bits are the quadrant, so that the angle needs no reduction. Of magnitude below 6.7.
RICCI_HD RICCI_INLINE void box_muller(std::uint32_t w, std::uint32_t v, float& first, float& second) {
    const float u = static_cast<float>(static_cast<std::int32_t>(w >> 1)) * 0x1p-31f + 0x1p-32f;
    const float t = static_cast<float>(static_cast<std::int32_t>(v << 2)) * 0x1p-32f;  // in [-1/2, 1/2]
    float s, c;
    small_sincos(t * 1.57079632679489661923f, s, c);
    const float r = square_root(minus_two_log(u));
    const std::uint32_t p = std::bit_cast<std::uint32_t>(r * c), q = std::bit_cast<std::uint32_t>(r * s);
    const std::uint32_t swap = (p ^ q) & (0u - ((v >> 30) & 1u)), flip = (v >> 31) << 31;
    first = std::bit_cast<float>(p ^ swap ^ flip);
    second = std::bit_cast<float>(q ^ swap ^ flip);
}
/// The same in double, of the block's four words. Of magnitude below 8.6.
RICCI_HD RICCI_INLINE void box_muller(std::uint32_t w0, std::uint32_t w1, std::uint32_t v0, std::uint32_t v1,
                                      double& first, double& second) {
    const double u = 1.0 - unit_double(w0, w1);
    const double t = static_cast<double>(static_cast<std::int32_t>(v0 << 2)) * 0x1p-32 +
                     static_cast<double>(static_cast<std::int32_t>(v1 >> 8)) * 0x1p-54;
    double s, c;
    small_sincos(t * 1.57079632679489661923, s, c);
    const double r = square_root(minus_two_log(u));
    const std::uint64_t p = std::bit_cast<std::uint64_t>(r * c), q = std::bit_cast<std::uint64_t>(r * s);
    const std::uint64_t swap = (p ^ q) & (std::uint64_t(0) - ((v0 >> 30) & 1u)), flip = std::uint64_t(v0 >> 31) << 63;
    first = std::bit_cast<double>(p ^ swap ^ flip);
    second = std::bit_cast<double>(q ^ swap ^ flip);
}

/// Element `i` of the stream of standard uniforms of `seed`: what fill_uniform writes for it with low 0 and high 1.
template <std::floating_point T>
RICCI_HD T uniform_at(std::uint64_t seed, std::uint64_t i) {
    if constexpr (sizeof(T) == 4)
        return unit_float(philox_block(seed, random_stream::uniform_float, i / 4).word[i % 4]);
    else {
        const philox_words w = philox_block(seed, random_stream::uniform_double, i / 2);
        return unit_double(w.word[i % 2 * 2], w.word[i % 2 * 2 + 1]);
    }
}
/// Element `i` of the stream of standard normals of `seed`: what fill_normal writes for it, to rounding.
template <std::floating_point T>
RICCI_HD T normal_at(std::uint64_t seed, std::uint64_t i) {
    T pair[2];
    if constexpr (sizeof(T) == 4) {
        const philox_words w = philox_block(seed, random_stream::normal_float, i / 4);
        const int at = static_cast<int>(i / 2 % 2) * 2;
        box_muller(w.word[at], w.word[at + 1], pair[0], pair[1]);
    } else {
        const philox_words w = philox_block(seed, random_stream::normal_double, i / 2);
        box_muller(w.word[0], w.word[1], w.word[2], w.word[3], pair[0], pair[1]);
    }
    return pair[i % 2];
}
/// Element `i` of the stream of 64 random bits of `seed`: what fill_bits writes for it.
RICCI_HD constexpr std::uint64_t bits_at(std::uint64_t seed, std::uint64_t i) {
    const philox_words w = philox_block(seed, random_stream::bits, i / 2);
    return std::uint64_t(w.word[i % 2 * 2]) << 32 | w.word[i % 2 * 2 + 1];
}

/// What an executor's `random` writes: uniforms in [0, 1), standard normals, 64 bits, or the element's index in the
/// stream (which names a stream of its own, see core/substream.hpp).
enum class random_source { uniform, normal, bits, index };

/// Element `i` of a source.
template <random_source Source, class T>
RICCI_HD T random_at(std::uint64_t seed, std::uint64_t i) {
    if constexpr (Source == random_source::uniform) return uniform_at<T>(seed, i);
    else if constexpr (Source == random_source::normal) return normal_at<T>(seed, i);
    else if constexpr (Source == random_source::bits) return bits_at(seed, i);
    else return i;
}
/// Elements 4 i to 4 i + 3 of a source, as random_at has them.
template <random_source Source, class T>
RICCI_HD RICCI_INLINE void four_random_at(std::uint64_t seed, std::uint64_t i, T (&y)[4]) {
    if constexpr (Source == random_source::normal && sizeof(T) == 4) {
        const philox_words w = philox_block(seed, random_stream::normal_float, i);
        box_muller(w.word[0], w.word[1], y[0], y[1]);
        box_muller(w.word[2], w.word[3], y[2], y[3]);
    } else if constexpr (Source == random_source::normal) {
        const philox_words w = philox_block(seed, random_stream::normal_double, 2 * i);
        const philox_words v = philox_block(seed, random_stream::normal_double, 2 * i + 1);
        box_muller(w.word[0], w.word[1], w.word[2], w.word[3], y[0], y[1]);
        box_muller(v.word[0], v.word[1], v.word[2], v.word[3], y[2], y[3]);
    } else if constexpr (Source == random_source::uniform && sizeof(T) == 4) {
        const philox_words w = philox_block(seed, random_stream::uniform_float, i);
        for (int k = 0; k < 4; ++k) y[k] = unit_float(w.word[k]);
    } else {
        for (unsigned k = 0; k < 4; ++k) y[k] = random_at<Source, T>(seed, 4 * i + k);
    }
}

inline namespace RICCI_ISA {

// A chunk is what one pass computes: `philox_width` counters, their words in structure-of-arrays form. Every element,
// also of a ragged head or tail, goes through a chunk that begins at a multiple of its size, so that its value cannot
// depend on how a range was split.
inline constexpr int philox_width = 16;
template <class T>
inline constexpr int chunk_size = philox_width * (16 / static_cast<int>(sizeof(T)));

#if defined(__SSE2__) && !defined(RICCI_NO_SIMD)
#if defined(__AVX512F__)
inline constexpr int philox_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int philox_bytes = 32;
#else
inline constexpr int philox_bytes = 16;
#endif
typedef std::uint64_t philox_register __attribute__((vector_size(philox_bytes)));
/// The products of the lanes' low halves.
RICCI_INLINE philox_register low_products(philox_register a, philox_register b) {
#if defined(__AVX512F__)
    return (philox_register)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (philox_register)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#else
    return (philox_register)_mm_mul_epu32((__m128i)a, (__m128i)b);
#endif
}
/// Words in lanes of twice their size: what is above them takes no part in products, and leaves with the last round.
RICCI_INLINE void philox_lanes(std::uint64_t seed, random_stream kind, std::uint64_t block,
                               std::uint32_t (&w)[4][philox_width]) {
    constexpr int lanes = philox_bytes / 8;
    std::uint64_t words[4][philox_width];
    for (int j = 0; j < philox_width; ++j) words[0][j] = block + static_cast<std::uint64_t>(j);
    const philox_register zero{}, by0 = zero + 0xD2511F53u, by1 = zero + 0xCD9E8D57u;
    for (int first = 0; first < philox_width; first += 2 * lanes) {  // two at a time, which wait for their products
        philox_register c[2][4], k0 = zero + (seed & 0xffffffff), k1 = zero + (seed >> 32);
        for (int r = 0; r < 2; ++r) {
            __builtin_memcpy(&c[r][0], words[0] + first + r * lanes, sizeof c[r][0]);
            c[r][1] = zero + (block >> 32);
            c[r][2] = zero + static_cast<std::uint64_t>(kind);
            c[r][3] = zero;
        }
        for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u)
            for (auto& x : c) {
                const philox_register p0 = low_products(x[0], by0), p1 = low_products(x[2], by1);
                x[0] = (p1 >> 32) ^ (x[1] ^ k0);
                x[2] = (p0 >> 32) ^ (x[3] ^ k1);
                x[1] = p1;
                x[3] = p0;
            }
        for (int r = 0; r < 2; ++r)
            for (int k = 0; k < 4; ++k) __builtin_memcpy(words[k] + first + r * lanes, &c[r][k], sizeof c[r][k]);
    }
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < philox_width; ++j) w[k][j] = static_cast<std::uint32_t>(words[k][j]);
}
#else
RICCI_INLINE void philox_lanes(std::uint64_t seed, random_stream kind, std::uint64_t block,
                               std::uint32_t (&w)[4][philox_width]) {
    const auto low = static_cast<std::uint32_t>(block), high = static_cast<std::uint32_t>(block >> 32);
    for (int j = 0; j < philox_width; ++j) {  // a multiple of `philox_width`: no carry into the high word
        std::uint32_t c0 = low + static_cast<std::uint32_t>(j), c1 = high, c2 = static_cast<std::uint32_t>(kind),
                      c3 = 0;
        philox_rounds<10>(c0, c1, c2, c3, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
        w[0][j] = c0;
        w[1][j] = c1;
        w[2][j] = c2;
        w[3][j] = c3;
    }
}
#endif

/// One chunk of uniforms in [low, low + width), of which `last` is the greatest allowed.
RICCI_NOINLINE RICCI_VECTORIZE inline void uniform_chunk(float* out, std::uint64_t seed, std::uint64_t block, float low,
                                                         float width, float last) {
    std::uint32_t w[4][philox_width];
    philox_lanes(seed, random_stream::uniform_float, block, w);
    for (int j = 0; j < philox_width; ++j)
        for (int k = 0; k < 4; ++k) {
            const float x = low + unit_float(w[k][j]) * width;
            out[4 * j + k] = x < last ? x : last;
        }
}
RICCI_NOINLINE RICCI_VECTORIZE inline void uniform_chunk(double* out, std::uint64_t seed, std::uint64_t block,
                                                         double low, double width, double last) {
    std::uint32_t w[4][philox_width];
    philox_lanes(seed, random_stream::uniform_double, block, w);
    for (int j = 0; j < philox_width; ++j)
        for (int k = 0; k < 2; ++k) {
            const double x = low + unit_double(w[2 * k][j], w[2 * k + 1][j]) * width;
            out[2 * j + k] = x < last ? x : last;
        }
}
/// One chunk of normals.
RICCI_NOINLINE RICCI_VECTORIZE inline void normal_chunk(float* out, std::uint64_t seed, std::uint64_t block, float mean,
                                                        float deviation) {
    std::uint32_t w[4][philox_width];
    float z[4][philox_width];
    philox_lanes(seed, random_stream::normal_float, block, w);
    for (int k = 0; k < 4; k += 2)
        for (int j = 0; j < philox_width; ++j) {
            float first, second;
            box_muller(w[k][j], w[k + 1][j], first, second);
            z[k][j] = mean + deviation * first;
            z[k + 1][j] = mean + deviation * second;
        }
    for (int j = 0; j < philox_width; ++j)
        for (int k = 0; k < 4; ++k) out[4 * j + k] = z[k][j];
}
RICCI_NOINLINE RICCI_VECTORIZE inline void normal_chunk(double* out, std::uint64_t seed, std::uint64_t block,
                                                        double mean, double deviation) {
    std::uint32_t w[4][philox_width];
    philox_lanes(seed, random_stream::normal_double, block, w);
    for (int j = 0; j < philox_width; ++j) {
        double first, second;
        box_muller(w[0][j], w[1][j], w[2][j], w[3][j], first, second);
        out[2 * j] = mean + deviation * first;
        out[2 * j + 1] = mean + deviation * second;
    }
}
RICCI_NOINLINE RICCI_VECTORIZE inline void bits_chunk(std::uint64_t* out, std::uint64_t seed, std::uint64_t block) {
    std::uint32_t w[4][philox_width];
    philox_lanes(seed, random_stream::bits, block, w);
    for (int j = 0; j < philox_width; ++j)
        for (int k = 0; k < 2; ++k) out[2 * j + k] = std::uint64_t(w[2 * k][j]) << 32 | w[2 * k + 1][j];
}

/// Calls `chunk(out, block)` for each chunk that elements offset ... offset + n - 1 touch; the ends go through a
/// buffer.
template <class T, class Chunk>
void fill_chunks(T* out, index_t n, std::uint64_t offset, const Chunk& chunk) {
    constexpr std::uint64_t size = static_cast<std::uint64_t>(chunk_size<T>);
    index_t skip = static_cast<index_t>(offset % size);
    for (std::uint64_t block = offset / size * philox_width; n > 0; block += philox_width) {
        if (skip == 0 && n >= chunk_size<T>) {
            chunk(out, block);
            out += chunk_size<T>;
            n -= chunk_size<T>;
            continue;
        }
        T buffer[chunk_size<T>];
        chunk(buffer, block);
        const index_t count = n < chunk_size<T> - skip ? n : chunk_size<T> - skip;
        for (index_t i = 0; i < count; ++i) out[i] = buffer[skip + i];
        out += count;
        n -= count;
        skip = 0;
    }
}

/// Writes elements offset ... offset + n - 1 of the seed's uniform stream, scaled to [low, high). Element `offset + i`
/// depends on the seed and on `offset + i` alone, so that threads may fill parts. Needs low <= high, both finite.
template <std::floating_point T>
void fill_uniform(T* out, index_t n, std::uint64_t seed, std::uint64_t offset, T low, T high) {
    const T last = low < high ? std::nextafter(high, low) : low;  // low + u * width may round up to high
    fill_chunks(out, n, offset,
                [=](T* to, std::uint64_t block) { uniform_chunk(to, seed, block, low, high - low, last); });
}
/// The same for normals of the given mean and standard deviation.
template <std::floating_point T>
void fill_normal(T* out, index_t n, std::uint64_t seed, std::uint64_t offset, T mean, T deviation) {
    fill_chunks(out, n, offset, [=](T* to, std::uint64_t block) { normal_chunk(to, seed, block, mean, deviation); });
}
/// The same for 64 random bits.
inline void fill_bits(std::uint64_t* out, index_t n, std::uint64_t seed, std::uint64_t offset) {
    fill_chunks(out, n, offset, [=](std::uint64_t* to, std::uint64_t block) { bits_chunk(to, seed, block); });
}
/// The same for any source.
template <random_source Source, class T>
void fill_source(T* out, index_t n, std::uint64_t seed, std::uint64_t offset) {
    if constexpr (Source == random_source::uniform) fill_uniform(out, n, seed, offset, T(0), T(1));
    else if constexpr (Source == random_source::normal) fill_normal(out, n, seed, offset, T(0), T(1));
    else if constexpr (Source == random_source::bits) fill_bits(out, n, seed, offset);
    else
        for (index_t i = 0; i < n; ++i) out[i] = offset + static_cast<std::uint64_t>(i);
}

}  // namespace RICCI_ISA
}  // namespace detail

/// A stream of random numbers: a seed and how many elements were drawn. The same seed and the same sequence of calls
/// give the same numbers on any number of threads. Copies draw the same numbers again. Drawing is thread-safe;
/// seeding is not.
class generator {
    std::uint64_t seed_, offset_;

   public:
    explicit generator(std::uint64_t seed, std::uint64_t offset = 0) : seed_(seed), offset_(offset) {}

    std::uint64_t seed() const { return seed_; }
    std::uint64_t offset() const { return offset_; }

    /// Reserves the next `count` elements of the stream; returns the index of the first.
    std::uint64_t advance(std::uint64_t count) {
        return std::atomic_ref<std::uint64_t>(offset_).fetch_add(count, std::memory_order_relaxed);
    }
    /// Starts over from another seed.
    void reseed(std::uint64_t seed) {
        seed_ = seed;
        offset_ = 0;
    }
};

/// The generator of calls that name none. A program that does not seed it draws the same numbers on every run.
inline generator& default_generator() {
    static generator instance(0);
    return instance;
}
/// Seeds the generator of calls that name none.
inline void manual_seed(std::uint64_t seed) { default_generator().reseed(seed); }

/// The generator that a call draws from: the one that is given, a temporary too, or else the default one.
class generator_ref {
    generator* generator_;

   public:
    generator_ref() : generator_(&default_generator()) {}
    generator_ref(generator& g) : generator_(&g) {}
    generator_ref(generator&& g) : generator_(&g) {}
    operator generator&() const { return *generator_; }
};

}  // namespace ricci

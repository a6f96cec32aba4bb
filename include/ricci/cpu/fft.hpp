// Fourier transforms of all lines of a dense array along an axis: several side by side in the lanes of registers, or
// one by one.
#pragma once
#include "fft/short_real.hpp"
#include "lines.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Whether n elements that are registers stay in the cache, and their transform needs nothing but passes.
template <class T>
bool fits_in_lanes(index_t n) {
    if (fft_lanes<T>() == 1 || n > (index_t(1) << 18) / static_cast<index_t>(sizeof(fft_pair<fft_register<T>>)))
        return false;
    const fft_radices radices(n);
    return radices.empty() || (radices.back() != 0 && radices.back() < 20);
}
/// Whether lines whose elements are `inner` apart are transformed where they are; otherwise the axis must be the last.
template <class T>
bool transforms_in_place(index_t n, index_t inner) {
    return inner == 1 || (2 * inner >= fft_lanes<T>() && fits_in_lanes<T>(n));
}
/// Whether contiguous lines go into the lanes of registers.
template <class T>
bool side_by_side(index_t n, index_t lines) {
    return 2 * lines >= fft_lanes<T>() && n <= 512 && !fft_power_plan<T>::suits_many(n) && fits_in_lanes<T>(n);
}

/// body(o, first, count) for all lines of an array, as many at a time as a register has lanes: contiguous ones from
/// the o-th on, or those beside each other from the first-th of outer index o.
template <class T, class Body>
void for_line_blocks(index_t outer, index_t inner, index_t n, const Body& body) {
    constexpr index_t lanes = fft_lanes<T>();
    if (inner == 1) {
        for_blocks((outer + lanes - 1) / lanes, 20 * n * lanes,
                   [&](index_t b) { body(b * lanes, index_t(0), std::min(lanes, outer - b * lanes)); });
    } else {
        const index_t across = (inner + lanes - 1) / lanes;
        for_blocks(outer * across, 20 * n * lanes, [&](index_t b) {
            const index_t first = b % across * lanes;
            body(b / across, first, std::min(lanes, inner - first));
        });
    }
}

/// Contiguous lines, one behind the other, into the lanes of n elements, and back; behind them there is room for the
/// rest of a block.
template <class T, class V>
void gather_lines(const std::complex<T>* x, index_t lines, index_t n, bool swapped, fft_pair<V>* to) {
    constexpr index_t lanes = fft_lanes<T>();
    for (index_t first = 0; first < n; first += lanes) {
        const index_t count = std::min(lanes, n - first);
        fft_pair<V> block[lanes];
        block[0] = {V(T(0)), V(T(0))};  // for the compiler, which does not know that there are lines
        for (index_t l = 0; l < lines; ++l) {
            const auto z = load_complex<V>(x + l * n + first, count);
            V* const part = &block[l].re;  // a choice between pairs goes through memory, in halves of registers
            part[swapped] = z.re;
            part[!swapped] = z.im;
        }
        fft_block<T>::turn(block, lines, count, to + first);
    }
}
template <class T, class V>
void scatter_lines(const fft_pair<V>* from, index_t n, bool swapped, T scale, std::complex<T>* y, index_t lines) {
    constexpr index_t lanes = fft_lanes<T>();
    const V by(scale);
    // from the last block on, whose lanes too many lie where the next line is still to come: masked stores are slow
    for (index_t first = (n - 1) / lanes * lanes; first >= 0; first -= lanes) {
        const index_t count = std::min(lanes, n - first);
        fft_pair<V> block[lanes];
        fft_block<T>::turn(from + first, count, lines, block);
        for (index_t l = 0; l < lines; ++l) {
            const index_t at = l * n + first;
            const V* const part = &block[l].re;
            store_complex(y + at, at + lanes <= lines * n ? lanes : count,
                          fft_pair<V>{part[swapped] * by, part[!swapped] * by});
        }
    }
}
/// Lines of a dense array with `n` elements each into lanes, and back: block `o` of them, or the lines from `first` on
/// of it.
template <class T, class V>
void load_lines(const std::complex<T>* x, index_t inner, index_t o, index_t first, index_t lines, index_t n,
                bool swapped, fft_pair<V>* to) {
    if (inner == 1) gather_lines(x + o * n, lines, n, swapped, to);
    else load_rows(x + o * n * inner + first, inner, lines, n, swapped, to);
}
template <class T, class V>
void store_lines(const fft_pair<V>* from, std::complex<T>* y, index_t inner, index_t o, index_t first, index_t lines,
                 index_t n, bool swapped, T scale) {
    if (inner == 1) scatter_lines(from, n, swapped, scale, y + o * n, lines);
    else
        store_rows(from, n, swapped, scale, y + o * n * inner + first, inner, lines,
                   // in a register all lines at once: lanes too many lie in rows that are still to come
                   lines == inner ? std::max(index_t(0), (n + 1) * inner - fft_lanes<T>()) / inner : 0);
}
/// Real lines of 2 m elements as complex ones of m.
template <class T, class V>
void load_real_lines(const T* x, index_t inner, index_t o, index_t first, index_t lines, index_t m, fft_pair<V>* to) {
    if (inner == 1) return gather_lines(reinterpret_cast<const std::complex<T>*>(x + o * 2 * m), lines, m, false, to);
    const T* row = x + o * 2 * m * inner + first;
    for (index_t j = 0; j < m; ++j, row += 2 * inner)
        to[j] = {load_register(row, lines, V()), load_register(row + inner, lines, V())};
}
/// The parts are swapped, as they are behind an inverse transform.
template <class T, class V>
void store_real_lines(const fft_pair<V>* from, T* y, index_t inner, index_t o, index_t first, index_t lines,
                      index_t m) {
    if (inner == 1) return scatter_lines(from, m, true, T(1), reinterpret_cast<std::complex<T>*>(y + o * 2 * m), lines);
    T* row = y + o * 2 * m * inner + first;
    for (index_t j = 0; j < m; ++j, row += 2 * inner) {
        store_register(row, lines, from[j].im);
        store_register(row + inner, lines, from[j].re);
    }
}

/// body(line, workspace) for contiguous lines one by one.
template <class T, class Body>
void for_single_lines(const fft_plan<T>& plan, index_t lines, const Body& body) {
    const index_t together = std::max(index_t(1), (index_t(1) << 12) / plan.n);
    const auto some = [&](index_t b) RICCI_NOINLINE {
        fft_workspace<T> work(plan);
        for (index_t i = b * together; i < std::min(lines, (b + 1) * together); ++i) body(i, work);
    };
    if (lines <= together) return some(0);
    for_blocks((lines + together - 1) / together, 20 * plan.n * together, some);
}

/// The transforms of contiguous lines whose lengths are powers of two or their like (fft/power_plan.hpp).
template <class T>
void transform_powers(const fft_power_plan<T>& plan, const std::complex<T>* x, std::complex<T>* y, index_t lines,
                      bool inverse, T scale) {
    if (lines == 1 && plan.work_size() == 0) return plan.run(x, y, 1, inverse, scale, nullptr);
    const index_t n = plan.n, together = std::max(index_t(2), (index_t(1) << 12) / n);
    const auto some = [&](index_t first, index_t end) RICCI_NOINLINE {
        const fft_scratch<T> work(plan.work_size());
        plan.run(x + first * n, y + first * n, end - first, inverse, scale, work.data());
    };
    if (lines <= together) return some(0, lines);
    for_blocks((lines + together - 1) / together, 20 * n * together,
               [&](index_t b) { some(b * together, std::min(lines, (b + 1) * together)); });
}

// ---- Complex lines -------------------------------------------------------------------------------------------------

/// Lines that lie beside each other: where they fill a register, from row to row without a copy.
template <class T>
void transform_columns(const std::complex<T>* x, std::complex<T>* y, const line_grid& g, bool inverse, T scale) {
    constexpr index_t lanes = fft_lanes<T>();
    const auto& stages = cached_plan<fft_stages<T>>(g.n);
    const index_t wide = lanes * std::max(index_t(1), (index_t(1) << 11) / (g.n * lanes)),
                  across = (g.inner + wide - 1) / wide;
    const T sign = inverse ? T(-1) : T(1);
    for_blocks(g.outer * across, 20 * g.n * wide, [&](index_t b) {
        const fft_scratch<fft_pair<fft_register<T>>> two(2 * g.n);
        const index_t o = b / across, end = std::min((b % across + 1) * wide, g.inner);
        for (index_t first = b % across * wide; first < end; first += lanes) {
            if (end - first < lanes || g.n == 1) {
                const index_t lines = std::min(lanes, end - first);
                load_lines(x, g.inner, o, first, lines, g.n, inverse, two.data());
                store_lines(stages.run(two.data(), two.data() + g.n), y, g.inner, o, first, lines, g.n, inverse, scale);
            } else {
                const index_t at = o * g.n * g.inner + first;
                stages.run(fft_rows_read<T>{x + at, g.inner, sign},
                           fft_rows_written<T>{y + at, g.inner, scale, sign * scale}, two.data(), two.data() + g.n);
            }
        }
    });
}
/// y = scale times the transform of x's lines; transforms_in_place(n, inner) holds.
template <class T>
void transform_lines(const std::complex<T>* x, std::complex<T>* y, const line_grid& g, bool inverse, T scale) {
    using V = fft_register<T>;
    if (g.size() == 0) return;
    if (g.inner > 1) return transform_columns(x, y, g, inverse, scale);
    if (transform_short(x, y, g.outer, g.n, inverse, scale)) return;
    if (side_by_side<T>(g.n, g.outer)) {
        const auto& stages = cached_plan<fft_stages<T>>(g.n);
        for_line_blocks<T>(g.outer, 1, g.n, [&](index_t first, index_t, index_t lines) {
            const fft_scratch<fft_pair<V>> two(2 * g.n + fft_lanes<T>());
            gather_lines(x + first * g.n, lines, g.n, inverse, two.data());
            scatter_lines(stages.run(two.data(), two.data() + g.n), g.n, inverse, scale, y + first * g.n, lines);
        });
    } else {
        const auto& plan = cached_plan<fft_plan<T>>(g.n);
        if (plan.how == fft_plan<T>::method::powers)
            return transform_powers(plan.powers, x, y, g.outer, inverse, scale);
        for_single_lines(plan, g.outer, [&](index_t i, fft_workspace<T>& work) {
            fft_line(plan, x + i * g.n, y + i * g.n, inverse, scale, work);
        });
    }
}

// ---- Real lines ----------------------------------------------------------------------------------------------------

/// Contiguous real lines as gather_lines and scatter_lines have complex ones: into the real parts of lanes, and back
/// from the imaginary ones, where they are behind an inverse transform.
template <class T, class V>
void gather_real_lines(const T* x, index_t lines, index_t n, fft_pair<V>* to) {
    constexpr index_t lanes = fft_lanes<T>();
    for (index_t first = 0; first < n; first += lanes) {
        V part[lanes];
        for (index_t l = 0; l < lanes; ++l) {
            const index_t at = l * n + first, have = at + lanes <= lines * n ? lanes : n - first;
            part[l] = l < lines ? load_register(x + at, have, V()) : V(T(0));
        }
        transpose_square(part);
        for (index_t i = 0; i < lanes; ++i) to[first + i] = {part[i], V(T(0))};
    }
}
template <class T, class V>
void scatter_real_lines(const fft_pair<V>* from, index_t n, T* y, index_t lines) {
    constexpr index_t lanes = fft_lanes<T>();
    for (index_t first = (n - 1) / lanes * lanes; first >= 0; first -= lanes) {
        const index_t count = std::min(lanes, n - first);
        V part[lanes];
        for (index_t i = 0; i < lanes; ++i) part[i] = from[first + (i < count ? i : 0)].im;
        transpose_square(part);
        for (index_t l = 0; l < lines; ++l) {
            const index_t at = l * n + first;
            store_register(y + at, at + lanes <= lines * n ? lanes : count, part[l]);
        }
    }
}

/// Of an odd length, complex lines whose imaginary parts are 0. (Two lines as the parts of one would take half the
/// time, but each would have the other's rounding errors, and its NaN.)
template <class T>
void transform_odd_real_lines(const T* x, std::complex<T>* y, index_t lines, index_t n, const fft_weights<T>& weights) {
    using V = fft_register<T>;
    const index_t kept = n / 2 + 1;
    const T inner = weights.inner, sign = weights.conjugates ? -inner : inner;
    if (side_by_side<T>(n, lines)) {
        const auto& stages = cached_plan<fft_stages<T>>(n);
        for_line_blocks<T>(lines, 1, n, [&](index_t first, index_t, index_t count) {
            const fft_scratch<fft_pair<V>> two(2 * n + fft_lanes<T>());
            gather_real_lines(x + first * n, count, n, two.data());
            fft_pair<V>* const z = stages.run(two.data(), two.data() + n);
            z[0] = {z[0].re * V(weights.edge), V(T(0))};
            for (index_t k = 1; k < kept; ++k) z[k] = {z[k].re * V(inner), z[k].im * V(sign)};
            scatter_lines(z, kept, false, T(1), y + first * kept, count);
        });
        return;
    }
    const auto& plan = cached_plan<fft_plan<T>>(n);
    for_single_lines(plan, lines, [&](index_t i, fft_workspace<T>& work) {
        const fft_scratch<std::complex<T>> buffer(n);
        std::complex<T>*const z = buffer.data(), *const to = y + i * kept;
        for (index_t j = 0; j < n; ++j) z[j] = x[i * n + j];
        fft_line(plan, z, z, false, T(1), work);
        to[0] = z[0].real() * weights.edge;
        for (index_t k = 1; k < kept; ++k) to[k] = {z[k].real() * inner, z[k].imag() * sign};
    });
}
template <class T>
void transform_odd_to_real_lines(const std::complex<T>* x, T* y, index_t lines, index_t n,
                                 const fft_weights<T>& weights) {
    using V = fft_register<T>;
    const index_t kept = n / 2 + 1;
    const T half = weights.inner / 2, sign = weights.conjugates ? -half : half;
    if (side_by_side<T>(n, lines)) {
        const auto& stages = cached_plan<fft_stages<T>>(n);
        for_line_blocks<T>(lines, 1, n, [&](index_t first, index_t, index_t count) {
            const fft_scratch<fft_pair<V>> two(2 * n + fft_lanes<T>());
            fft_pair<V>* const z = two.data();
            gather_lines(x + first * kept, count, kept, true, z);
            z[0] = {V(T(0)), z[0].im * V(weights.edge)};
            for (index_t k = 1; k < kept; ++k) {
                z[k] = {z[k].re * V(sign), z[k].im * V(half)};
                z[n - k] = {-z[k].re, z[k].im};
            }
            scatter_real_lines(stages.run(z, z + n), n, y + first * n, count);
        });
        return;
    }
    const auto& plan = cached_plan<fft_plan<T>>(n);
    for_single_lines(plan, lines, [&](index_t i, fft_workspace<T>& work) {
        const std::complex<T>* const from = x + i * kept;
        const fft_scratch<std::complex<T>> buffer(n);
        std::complex<T>* const z = buffer.data();
        z[0] = from[0].real() * weights.edge;
        for (index_t k = 1; k < kept; ++k) {
            z[k] = {from[k].real() * half, from[k].imag() * sign};
            z[n - k] = std::conj(z[k]);
        }
        fft_line(plan, z, z, true, T(1), work);
        for (index_t j = 0; j < n; ++j) y[i * n + j] = z[j].real();
    });
}

/// Lines of g.n = 2 m real numbers as complex ones of m: in_lanes(stages, two buffers of m + 1, outer index, first,
/// lines) for those that go into lanes, one_by_one(plan, line, workspace) for others.
template <class T, class Lanes, class Line>
void for_half_lines(const line_grid& g, const Lanes& in_lanes, const Line& one_by_one) {
    const index_t m = g.n / 2;
    if (g.inner > 1 || side_by_side<T>(m, g.outer)) {
        const auto& stages = cached_plan<fft_stages<T>>(m);
        for_line_blocks<T>(g.outer, g.inner, m, [&](index_t o, index_t first, index_t lines) {
            const fft_scratch<fft_pair<fft_register<T>>> two(2 * m + 2 + fft_lanes<T>());
            in_lanes(stages, two.data(), o, first, lines);
        });
    } else {
        const auto& plan = cached_plan<fft_plan<T>>(m);
        for_single_lines(plan, g.outer, [&](index_t i, fft_workspace<T>& work) { one_by_one(plan, i, work); });
    }
}
/// The first n / 2 + 1 elements of the transforms of real lines of n elements (g.n), weighted.
template <class T>
void transform_real_lines(const T* x, std::complex<T>* y, const line_grid& g, const fft_weights<T>& weights) {
    using pair = fft_pair<fft_register<T>>;
    if (g.outer * g.inner == 0) return;
    if (g.n % 2 == 1) return transform_odd_real_lines(x, y, g.outer, g.n, weights);
    const index_t m = g.n / 2;
    const auto& real = cached_plan<fft_real_plan<T>>(m);
    if (g.inner == 1 && with_short_real(real, weights, [&](const auto& by) {
            for_short_lines(g.outer, g.n, [&](index_t first, index_t count) {
                by.from_real(x + first * g.n, reinterpret_cast<T*>(y + first * (m + 1)), count);
            });
        }))
        return;
    for_half_lines<T>(
        g,
        [&](const fft_stages<T>& stages, pair* two, index_t o, index_t first, index_t lines) {
            load_real_lines(x, g.inner, o, first, lines, m, two);
            pair* const z = stages.run(two, two + m + 1);
            finish_spectrum(real, z, weights);
            store_lines(z, y, g.inner, o, first, lines, m + 1, false, T(1));
        },
        [&](const fft_plan<T>& plan, index_t i, fft_workspace<T>& work) {
            std::complex<T>* const z = y + i * (m + 1);
            fft_line(plan, reinterpret_cast<const std::complex<T>*>(x + i * g.n), z, false, T(1), work);
            finish_line(real, z, weights);
        });
}
/// Real lines of n elements (g.n) from the first n / 2 + 1 elements of their spectra, weighted: the sums of
/// weight x[k] e^(2 pi i j k / n), of which the real part is taken.
template <class T>
void transform_to_real_lines(const std::complex<T>* x, T* y, const line_grid& g, const fft_weights<T>& weights) {
    using pair = fft_pair<fft_register<T>>;
    if (g.size() == 0) return;
    if (g.n % 2 == 1) return transform_odd_to_real_lines(x, y, g.outer, g.n, weights);
    const index_t m = g.n / 2;
    const auto& real = cached_plan<fft_real_plan<T>>(m);
    if (g.inner == 1 && with_short_real(real, weights, [&](const auto& by) {
            for_short_lines(g.outer, g.n, [&](index_t first, index_t count) {
                by.to_real(reinterpret_cast<const T*>(x + first * (m + 1)), y + first * g.n, count);
            });
        }))
        return;
    for_half_lines<T>(
        g,
        [&](const fft_stages<T>& stages, pair* two, index_t o, index_t first, index_t lines) {
            load_lines(x, g.inner, o, first, lines, m + 1, false, two);
            begin_from_spectrum(real, two, weights);
            store_real_lines(stages.run(two, two + m + 1), y, g.inner, o, first, lines, m);
        },
        [&](const fft_plan<T>& plan, index_t i, fft_workspace<T>& work) {
            std::complex<T>* const z = reinterpret_cast<std::complex<T>*>(y + i * g.n);
            begin_line(real, x + i * (m + 1), z, weights);
            fft_line(plan, z, z, true, T(1), work);
        });
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail

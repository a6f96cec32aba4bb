// Convolutions of pictures and their adjoints on registers, without copies of windows. A picture is laid out once as
// lines, one for each channel, on which a window's element at all places is one stretch: its margin is there, the rows
// of windows' places are as long as the picture's, and strides are gone, as elements a stride apart lie side by side
// (planes of one phase each).
#pragma once
#include <cstring>
#include <utility>
#include <vector>

#include "../core/convolution_problem.hpp"
#include "gemm/dots.hpp"
#include "gemm/problem.hpp"
#include "simd/complex.hpp"

namespace ricci::detail {

#if defined(RICCI_HAS_SIMD)
inline namespace RICCI_ISA {

/// n elements that lie so many apart, side by side.
template <class T>
RICCI_INLINE void copy_spaced(const T* from, index_t apart, index_t n, T* to) {
    index_t i = 0;
#if !defined(__CUDACC__)  // nvcc loses the pack of a shuffle
    constexpr int lanes = simd<T>::lanes;
    constexpr std::make_index_sequence<static_cast<std::size_t>(lanes)> all;
    if (apart == 2) {
        for (; i + lanes < n; i += lanes)  // two registers reach an element beyond the last one
            every_second<0>(simd<T>::load(from + 2 * i), simd<T>::load(from + 2 * i + lanes), all).store(to + i);
        if (const index_t rest = 2 * (n - i) - 1; rest > lanes) {
            const auto second = simd<T>::load_partial(from + 2 * i + lanes, rest - lanes);
            every_second<0>(simd<T>::load(from + 2 * i), second, all).store_partial(to + i, n - i);
            return;
        }
    }
#endif
    for (; i < n; ++i) to[i] = from[i * apart];
}
/// Cells of a line beside elements of a picture: cell (a, b) beside element (y + a down, x + b across), where there is
/// one.
struct picture_plane {
    index_t height, width, y, x, down, across, rows, columns;

    /// The plane of one phase.
    static picture_plane of_phase(const convolution_axis (&axis)[2], index_t phase) {
        const index_t phases = axis[1].phases();
        return {axis[0].picture,
                axis[1].picture,
                phase / phases - axis[0].padding,
                phase % phases - axis[1].padding,
                axis[0].stride,
                axis[1].stride,
                axis[0].cells(),
                axis[1].cells()};
    }
    /// The results, behind so many rows without any.
    static picture_plane of_places(const convolution_axis (&axis)[2], index_t behind) {
        return {axis[0].places, axis[1].places, -behind, 0, 1, 1, axis[0].places + behind, axis[1].cells()};
    }
    /// The first and the end of the cells [0, n) that lie inside.
    static void inside(index_t first, index_t step, index_t extent, index_t n, index_t& from, index_t& to) {
        from = std::min(n, first < 0 ? (step - 1 - first) / step : 0);
        to = std::max(from, std::min(n, extent > first ? (extent - 1 - first) / step + 1 : 0));
    }
    template <class T>
    void gather(const T* picture, T* line) const {
        index_t top, bottom, left, right;
        inside(y, down, height, rows, top, bottom);
        inside(x, across, width, columns, left, right);
        std::fill_n(line, top * columns, T(0));
        for (index_t a = top; a < bottom; ++a) {
            T* const to = line + a * columns;
            const T* const from = picture + (y + a * down) * width + x;
            for (index_t b = 0; b < left; ++b) to[b] = T(0);
            if (across == 1) std::memcpy(to + left, from + left, static_cast<std::size_t>(right - left) * sizeof(T));
            else copy_spaced(from + left * across, across, right - left, to + left);
            for (index_t b = right; b < columns; ++b) to[b] = T(0);
        }
        std::fill_n(line + bottom * columns, (rows - bottom) * columns, T(0));
    }
    /// The rows [first, first + count), which begin at `line`.
    template <class T>
    void scatter(const T* line, index_t first, index_t count, T* picture) const {
        index_t top, bottom, left, right;
        inside(y, down, height, rows, top, bottom);
        inside(x, across, width, columns, left, right);
        for (index_t a = std::max(top, first), end = std::min(bottom, first + count); a < end; ++a) {
            const T* const from = line + (a - first) * columns;
            T* const to = picture + (y + a * down) * width + x;
            if (across == 1) std::memcpy(to + left, from + left, static_cast<std::size_t>(right - left) * sizeof(T));
            else
                for (index_t b = left; b < right; ++b) to[b * across] = from[b];
        }
    }
};

/// How many registers a tile of a single row has, and how many elements the widest one: up to so many columns are
/// rounded.
inline constexpr int single_row = 8;
template <class T>
inline constexpr index_t widest_tile = std::max<index_t>(single_row * simd<T>::lanes, gemm_blocks<T>::columns);

/// Pictures as lines: of each channel its planes, one after the other.
template <class T>
class picture_lines {
   public:
    const std::vector<picture_plane> planes;
    const index_t step;  // from line to line

    /// For so many channels of `picture` elements at a time.
    picture_lines(const std::vector<picture_plane>& p, index_t picture, index_t channels)
        : planes(p), step(step_of(p)), picture_(picture) {
        memory_ = storage::allocate(static_cast<std::size_t>(channels * step) * sizeof(T));
    }
    /// An odd number of cache lines, so that equal cells of many channels do not fall into one set of the cache, with
    /// room behind the planes for what the widest tile reads.
    static index_t step_of(const std::vector<picture_plane>& planes) {
        constexpr index_t cache_line = 64 / static_cast<index_t>(sizeof(T));
        return (((used(planes) + behind(planes)) / cache_line + 1) | 1) * cache_line;
    }
    T* line(index_t channel) const { return static_cast<T*>(memory_.data()) + channel * step; }
    void fill(const T* pictures, index_t count) const {
        parallel_pieces(count, 1 + (index_t(1) << 15) / step, [&](index_t first, index_t channels) {
            for (index_t c = first; c < first + channels; ++c) {
                T* to = line(c);
                for (const picture_plane& plane : planes) {
                    plane.gather(pictures + c * picture_, to);
                    to += plane.rows * plane.columns;
                }
                std::fill_n(to, behind(planes), T(0));
            }
        });
    }
    /// How many pictures of so many channels at once: as many as stay in the caches of the threads. No sum may depend
    /// on it.
    static index_t together(index_t batch, index_t channels, index_t elements) {
        constexpr index_t cached = (index_t(1) << 18) / static_cast<index_t>(sizeof(T));
        return std::max<index_t>(1,
                                 std::min(batch, cached * num_threads() / std::max<index_t>(1, channels * elements)));
    }

   private:
    const index_t picture_;
    storage memory_;

    static index_t used(const std::vector<picture_plane>& planes) {
        index_t cells = 0;
        for (const picture_plane& plane : planes) cells += plane.rows * plane.columns;
        return cells;
    }
    static index_t behind(const std::vector<picture_plane>& planes) { return widest_tile<T> + planes[0].columns; }
};
/// All planes of pictures.
inline std::vector<picture_plane> phase_planes(const convolution_axis (&axis)[2]) {
    std::vector<picture_plane> planes;
    for (index_t phase = 0; phase < axis[0].phases() * axis[1].phases(); ++phase)
        planes.push_back(picture_plane::of_phase(axis, phase));
    return planes;
}
/// Where on lines of all planes, `step` apart, the stretches of windows' elements begin.
inline std::vector<index_t> window_stretches(const convolution_problem& c, index_t step) {
    std::vector<index_t> stretch;
    for (index_t t = 0; t < c.taps(); ++t) stretch.push_back(c.phase_of(t) * c.plane() + c.cell_of(t));
    for (index_t i = 0; i < (c.inputs - 1) * c.taps(); ++i)
        stretch.push_back(stretch[static_cast<std::size_t>(i)] + step);
    return stretch;
}

/// C, of Vectors registers side by side: rows of A, packed as packed_tile has them, times stretches of lines.
template <int Rows, int Vectors, class T>
RICCI_NOINLINE inline void stretches_tile(index_t k, const T* a, const T* line, const index_t* stretch, T* c,
                                          index_t c_row, int rows, bool add) {
    constexpr int lanes = simd<T>::lanes;
    simd<T> sum[Rows][Vectors];
    RICCI_UNROLL
    for (int i = 0; i < Rows; ++i) {
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v) sum[i][v] = simd<T>(T(0));
    }
    for (index_t p = 0; p < k; ++p, a += Rows) {
        const T* const b = line + stretch[p];
        simd<T> right[Vectors];
        RICCI_UNROLL
        for (int v = 0; v < Vectors; ++v) {
            right[v] = simd<T>::load(b + v * lanes);
            RICCI_KEEP_VECTOR(right[v].v);
        }
        RICCI_UNROLL
        for (int i = 0; i < Rows; ++i) {
            const simd<T> left(a[i]);
            RICCI_UNROLL
            for (int v = 0; v < Vectors; ++v) sum[i][v] = math::fma(left, right[v], sum[i][v]);
        }
    }
    write_tile(sum, c, c_row, rows, Vectors * lanes, add);
}

/// A matrix times stretches of lines that begin at given places: what lies on one plane of the results.
template <class T>
class stretches_product {
    using blocks = gemm_blocks<T>;

   public:
    picture_plane plane;
    std::vector<index_t> stretch;

    stretches_product(const picture_plane& p, std::vector<index_t> s, index_t rows, index_t groups)
        : plane(p), stretch(std::move(s)), rows_(rows) {
        packed_ = storage::allocate(static_cast<std::size_t>(groups * group_step()) * sizeof(T));
    }
    index_t depth() const { return static_cast<index_t>(stretch.size()); }
    /// A's rows, each of depth() elements side by side.
    void pack(index_t group, const T* a) const { pack_rows_of(a, packed(group)); }
    /// C has `width` columns in use, and room for whole tiles.
    void multiply(index_t group, const T* line, index_t width, T* c, index_t c_row) const {
        constexpr index_t deep = 256;
        for (index_t p = 0; p < depth(); p += deep) {
            const index_t k = least(depth() - p, deep);
            const index_t* const at = stretch.data() + p;
            if (rows_ == 1) {
                for (index_t j = 0; j < width; j += single_row * simd<T>::lanes)
                    stretches_tile<1, single_row>(k, packed(group) + p, line + j, at, c + j, c_row, 1, p > 0);
                continue;
            }
            for (index_t j = 0; j < width; j += blocks::columns)
                for (index_t i = 0; i < rows_; i += blocks::rows)
                    rows_tile(k, packed(group) + i * depth(), p, line + j, at, c + i * c_row + j, c_row,
                              static_cast<int>(least(rows_ - i, blocks::rows)));
        }
    }

   private:
    index_t rows_;
    storage packed_;

    index_t group_step() const { return rows_ == 1 ? depth() : divided(rows_, blocks::rows) * blocks::rows * depth(); }
    T* packed(index_t group) const { return static_cast<T*>(packed_.data()) + group * group_step(); }
    static index_t divided(index_t n, index_t by) { return (n + by - 1) / by; }
    void pack_rows_of(const T* a, T* to) const {
        if (rows_ == 1) std::copy_n(a, depth(), to);
        else pack_rows(rows_, depth(), a, depth(), 1, to);
    }
    static void rows_tile(index_t k, const T* a, index_t p, const T* line, const index_t* at, T* c, index_t c_row,
                          int rows) {
        constexpr int vectors = blocks::vectors, height = blocks::rows;
        if (rows > 8 || height <= 4)
            stretches_tile<height, vectors>(k, a + p * height, line, at, c, c_row, rows, p > 0);
        else if (rows > 4) stretches_tile<8, vectors>(k, a + p * 8, line, at, c, c_row, rows, p > 0);
        else stretches_tile<4, vectors>(k, a + p * 4, line, at, c, c_row, rows, p > 0);
    }
};

/// `to`, of `outputs` pictures of `size` elements in each group, becomes the products with lines of `inputs` channels
/// in each.
template <class T>
void multiply_stretches(const std::vector<stretches_product<T>>& products, const std::vector<picture_plane>& planes,
                        index_t batch, index_t groups, const T* from, index_t inputs, index_t from_size, T* to,
                        index_t outputs, index_t to_size) {
    constexpr index_t few = (index_t(1) << 16) / static_cast<index_t>(sizeof(T));  // elements of C, in the cache
    constexpr index_t tile = widest_tile<T>;
    const index_t channels = groups * inputs;
    const index_t most = picture_lines<T>::together(batch, channels, from_size);
    const picture_lines<T> lines(planes, from_size, most * channels);
    struct piece {
        const stretches_product<T>* product;
        index_t row, rows;
    };
    std::vector<piece> pieces;
    for (const auto& product : products) {
        const index_t rows = product.plane.rows;
        const index_t some = std::max<index_t>(1, std::min(rows, few / (outputs * product.plane.columns)));
        const index_t count = (rows + some - 1) / some, even = (rows + count - 1) / count;
        for (index_t row = 0; row < rows; row += even) pieces.push_back({&product, row, least(even, rows - row)});
    }
    const index_t n = static_cast<index_t>(pieces.size());
    for (index_t image = 0; image < batch; image += most) {
        const index_t images = least(most, batch - image);
        lines.fill(from + image * channels * from_size, images * channels);
        parallel_pieces(images * groups * n, 1, [&](index_t first, index_t) {
            const piece& part = pieces[static_cast<std::size_t>(first % n)];
            const picture_plane& plane = part.product->plane;
            const index_t member = first / n;  // a group of a picture
            const index_t width = part.rows * plane.columns, c_row = width + tile;
            const storage memory = storage::allocate(static_cast<std::size_t>(outputs * c_row) * sizeof(T));
            T* const c = static_cast<T*>(memory.data());
            part.product->multiply(member % groups, lines.line(member * inputs) + part.row * plane.columns, width, c,
                                   c_row);
            for (index_t i = 0; i < outputs; ++i)
                plane.scatter(c + i * c_row, part.row, part.rows,
                              to + ((image * groups + member) * outputs + i) * to_size);
        });
    }
}

/// y becomes the convolution of x and w.
template <class T>
void convolve_pictures(const convolution_problem& c, const T* x, const T* w, T* y) {
    const auto planes = phase_planes(c.axis);
    std::vector<stretches_product<T>> products;
    products.emplace_back(picture_plane::of_places(c.axis, 0), window_stretches(c, picture_lines<T>::step_of(planes)),
                          c.outputs, c.groups);
    for (index_t g = 0; g < c.groups; ++g) products[0].pack(g, w + g * c.outputs * c.inputs * c.taps());
    multiply_stretches(products, planes, c.batch, c.groups, x, c.inputs, c.picture(), y, c.outputs, c.places());
}

/// The product that gives a plane of one phase, which has so many taps, from lines of y that begin `lead` cells before
/// the first place, `step` apart: y convolved with these taps.
template <class T>
stretches_product<T> phase_product(const convolution_problem& c, index_t phase, const index_t* tap, index_t taps,
                                   const T* w, index_t lead, index_t step) {
    std::vector<index_t> stretch;
    for (index_t t = 0; t < taps; ++t) stretch.push_back(lead - c.cell_of(tap[t]));
    for (index_t i = 0; i < (c.outputs - 1) * taps; ++i) stretch.push_back(stretch[static_cast<std::size_t>(i)] + step);
    stretches_product<T> product(picture_plane::of_phase(c.axis, phase), std::move(stretch), c.inputs, c.groups);
    std::vector<T> rows(static_cast<std::size_t>(c.inputs * product.depth()));
    for (index_t g = 0; g < c.groups; ++g) {
        T* to = rows.data();
        for (index_t i = 0; i < c.inputs; ++i)
            for (index_t o = 0; o < c.outputs; ++o)
                for (index_t t = 0; t < taps; ++t) *to++ = w[((g * c.outputs + o) * c.inputs + i) * c.taps() + tap[t]];
        product.pack(g, rows.data());
    }
    return product;
}
/// The products of all phases that have taps.
template <class T>
std::vector<stretches_product<T>> phase_products(const convolution_problem& c, const T* w, index_t lead, index_t step) {
    std::vector<index_t> first(static_cast<std::size_t>(c.phases() + 1)), taps(static_cast<std::size_t>(c.taps()));
    const auto at = [&](index_t phase) -> index_t& { return first[static_cast<std::size_t>(phase)]; };
    for (index_t t = 0; t < c.taps(); ++t) ++at(c.phase_of(t) + 1);
    for (index_t phase = 0; phase < c.phases(); ++phase) at(phase + 1) += at(phase);
    for (index_t t = 0; t < c.taps(); ++t) taps[static_cast<std::size_t>(at(c.phase_of(t))++)] = t;
    std::vector<stretches_product<T>> products;
    for (index_t phase = 0, begin = 0; phase < c.phases(); begin = at(phase++))  // by now at(phase) is its end
        if (at(phase) > begin)
            products.push_back(phase_product(c, phase, taps.data() + begin, at(phase) - begin, w, lead, step));
    return products;
}
/// x becomes the transpose of the convolution with w, which is finite, of y, beyond whose places its lines have zeros.
template <class T>
void convolve_transposed(const convolution_problem& c, const T* y, const T* w, T* x) {
    const index_t behind = c.axis[0].reach() / c.axis[0].stride + 1;
    std::vector<picture_plane> planes{picture_plane::of_places(c.axis, behind)};
    planes[0].rows += c.axis[0].reach() / c.axis[0].stride;
    const index_t step = picture_lines<T>::step_of(planes), lead = behind * c.axis[1].cells();
    const auto products = phase_products(c, w, lead, step);
    bool all = static_cast<index_t>(products.size()) == c.axis[0].stride * c.axis[1].stride;  // elements are written
    for (const convolution_axis& axis : c.axis) all = all && axis.cells() * axis.stride >= axis.picture + axis.padding;
    if (!all) std::fill_n(x, c.batch * c.groups * c.inputs * c.picture(), T(0));
    multiply_stretches(products, planes, c.batch, c.groups, y, c.outputs, c.places(), x, c.inputs, c.picture());
}

/// Sums of products of `rows` lines with stretches of others, over `count` pictures' lines.
template <int Rows, int Columns, class T>
RICCI_NOINLINE inline void stretches_dots(index_t count, index_t length, const T* a, index_t a_row, index_t a_next,
                                          const T* b, const index_t* stretch, index_t b_next, T* c, index_t c_row,
                                          int rows, int columns, bool add) {
    constexpr int lanes = simd<T>::lanes;
    const T *left[Rows], *right[Columns];  // beyond the last its copies: computed, not stored
    simd<T> sum[Rows * Columns];
    for (int i = 0; i < Rows; ++i) left[i] = a + (i < rows ? i : rows - 1) * a_row;
    for (int j = 0; j < Columns; ++j) right[j] = b + stretch[j < columns ? j : columns - 1];
    RICCI_UNROLL
    for (int s = 0; s < Rows * Columns; ++s) sum[s] = simd<T>(T(0));
    for (index_t n = 0; n < count; ++n) {
        for (index_t p = 0; p < length; p += lanes) {
            simd<T> y[Columns];
            RICCI_UNROLL
            for (int j = 0; j < Columns; ++j) y[j] = simd<T>::load(right[j] + n * b_next + p);
            RICCI_UNROLL
            for (int i = 0; i < Rows; ++i) {
                const simd<T> x = simd<T>::load(left[i] + n * a_next + p);
                RICCI_UNROLL
                for (int j = 0; j < Columns; ++j) sum[i * Columns + j] = math::fma(x, y[j], sum[i * Columns + j]);
            }
        }
    }
    T total[Rows * Columns];
    sum_lanes<Rows * Columns>(sum, total);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
            T& to = c[i * c_row + j];
            to = add ? to + total[i * Columns + j] : total[i * Columns + j];
        }
}

/// w becomes the adjoint of the weights: of each tap the product of x's stretches and y's lines, whose cells beyond the
/// places are zeros, which give NaN beside elements of x that the tap does not meet and that are not finite.
template <class T>
void convolve_windows(const convolution_problem& c, const T* x, const T* y, T* w) {
    constexpr int high = 4, wide = dots_most >= 4 ? 4 : 3, alone = 9;
    constexpr index_t cached = (index_t(1) << 12) / static_cast<index_t>(sizeof(T));
    const index_t inputs = c.groups * c.inputs, outputs = c.groups * c.outputs, taps = c.inputs * c.taps();
    const index_t length = c.axis[0].places * c.axis[1].cells(), together = std::max<index_t>(1, cached / length);
    const index_t fit = picture_lines<T>::together(c.batch, inputs, c.picture());
    const index_t most =
        std::min(c.batch, (fit + together - 1) / together * together);  // so that sums are of `together`
    const picture_lines<T> windows(phase_planes(c.axis), c.picture(), most * inputs);
    const picture_lines<T> results({picture_plane::of_places(c.axis, 0)}, c.places(), most * outputs);
    const std::vector<index_t> stretch = window_stretches(c, windows.step);
    if (c.batch == 0) std::fill_n(w, outputs * taps, T(0));
    for (index_t image = 0; image < c.batch; image += most) {
        const index_t images = least(most, c.batch - image), tall = (c.outputs + high - 1) / high;
        windows.fill(x + image * inputs * c.picture(), images * inputs);
        results.fill(y + image * outputs * c.places(), images * outputs);
        parallel_pieces(c.groups * tall, 1, [&](index_t chunk, index_t) {
            const index_t g = chunk / tall, row = chunk % tall * high;
            const int rows = static_cast<int>(least(c.outputs - row, high));
            for (index_t n = 0; n < images; n += together)
                for (index_t p = 0; p < length; p += cached) {
                    const T* const left = results.line(n * outputs + g * c.outputs + row) + p;
                    const T* const right = windows.line(n * inputs + g * c.inputs) + p;
                    T* const to = w + (g * c.outputs + row) * taps;
                    const auto sums = [&](auto height, auto width) {
                        for (index_t t = 0; t < taps; t += width())
                            stretches_dots<height(), width()>(
                                least(images - n, together), least(length - p, cached), left, results.step,
                                outputs * results.step, right, stretch.data() + t, inputs * windows.step, to + t, taps,
                                rows, static_cast<int>(least(taps - t, width())), image + n + p > 0);
                    };
                    if (rows == 1) sums(std::integral_constant<int, 1>(), std::integral_constant<int, alone>());
                    else sums(std::integral_constant<int, high>(), std::integral_constant<int, wide>());
                }
        });
    }
}

template <class T>
bool all_finite(const T* x, index_t n) {
    constexpr int lanes = simd<T>::lanes;
    typename simd<T>::mask finite(true);
    const auto look = [&](simd<T> v) { finite = finite & (v - v == simd<T>(T(0))); };
    index_t i = 0;
    for (; i + lanes <= n; i += lanes) look(simd<T>::load(x + i));
    if (i < n) look(simd<T>::load_partial(x + i, n - i));
    return math::all(finite);
}
/// One of pictures, weights and results, all dense, from the other two. False where c is of no use: something is not
/// finite, which zeros that these kernels have beside it would make NaN.
template <convolution_part Part, class T>
bool convolve(const convolution_problem& problem, const T* a, const T* b, T* c) {
    const index_t weights = problem.groups * problem.outputs * problem.inputs * problem.taps();
    if constexpr (Part == convolution_part::results) convolve_pictures(problem, a, b, c);
    else if constexpr (Part == convolution_part::pictures) {
        if (!all_finite(a, weights)) return false;
        convolve_transposed(problem, b, a, c);
    } else {
        convolve_windows(problem, a, b, c);
        return all_finite(c, weights);
    }
    return true;
}

}  // namespace RICCI_ISA
#endif  // RICCI_HAS_SIMD

}  // namespace ricci::detail

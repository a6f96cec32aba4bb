// The Fourier transform of one line of complex numbers.
#pragma once
#include "../thread_pool.hpp"
#include "plan.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// Memory that transforms of one plan work in, made once for many lines; for short ones it is on the stack.
template <class T>
class fft_workspace {
    using V = fft_register<T>;
    static constexpr index_t room = 16384 / static_cast<index_t>(sizeof(fft_pair<V>));
    alignas(64) unsigned char few_[room * sizeof(fft_pair<V>)];
    fft_buffer<fft_pair<V>> many_;
    fft_buffer<std::complex<T>> padded_;

   public:
    fft_pair<V>* two;     // room for two lines of registers
    fft_pair<V>* matrix;  // what is between the two steps
    std::complex<T>* padded = nullptr;
    std::unique_ptr<fft_workspace> inner;

    RICCI_NOINLINE explicit fft_workspace(const fft_plan<T>& plan) {
        using method = typename fft_plan<T>::method;
        constexpr index_t element = static_cast<index_t>(sizeof(fft_pair<V>) / sizeof(T));
        index_t line = plan.n, between = 0;
        if (plan.how == method::powers) {
            line = 0;
            between = (plan.powers.work_size() + element - 1) / element;
        } else if (plan.how == method::convolution) {
            padded_ = fft_buffer<std::complex<T>>(plan.m);
            padded = padded_.data();
            inner = std::make_unique<fft_workspace>(*plan.inner);
            line = 0;
        } else if (plan.how == method::matrix) {
            line = std::max(plan.n1, plan.n2);
            between = plan.matrix_size();
        }
        two = reinterpret_cast<fft_pair<V>*>(few_);
        if (2 * line + between > room) {
            many_ = fft_buffer<fft_pair<V>>(2 * line + between);
            two = many_.data();
        }
        matrix = two + 2 * line;
    }
    fft_workspace(const fft_workspace&) = delete;
};

/// `count` complex numbers of each of n rows, `step` apart. With `swapped` the parts are exchanged, before and after:
/// that makes the inverse transform of the forward one.
template <class V, class T>
void load_rows(const std::complex<T>* x, index_t step, index_t count, index_t n, bool swapped, fft_pair<V>* to) {
    V* part = &to->re;
    for (index_t j = 0; j < n; ++j, x += step, part += 2) {
        const auto z = load_complex<V>(x, count);
        part[swapped] = z.re;
        part[!swapped] = z.im;
    }
}
/// Of the first `whole` rows all lanes are written, also those behind the `count`: a masked store takes some processors
/// as long as ten others.
template <class V, class T>
void store_rows(const fft_pair<V>* from, index_t n, bool swapped, T scale, std::complex<T>* y, index_t step,
                index_t count, index_t whole = 0) {
    constexpr index_t lanes = fft_lanes<T>();
    const V* part = &from->re;
    const V by(scale);
    for (index_t j = 0; j < n; ++j, y += step, part += 2)
        store_complex(y, j < whole ? lanes : count, fft_pair<V>{part[swapped] * by, part[!swapped] * by});
}

/// A short line, one number in a register: code of its own for numbers would double what there is to compile.
template <class V, class T>
void load_numbers(const std::complex<T>* x, index_t n, bool swapped, fft_pair<V>* to) {
    V* part = &to->re;
    for (index_t j = 0; j < n; ++j, part += 2) {
        part[swapped] = V(x[j].real());
        part[!swapped] = V(x[j].imag());
    }
}
template <class V, class T>
void store_numbers(const fft_pair<V>* from, index_t n, bool swapped, T scale, std::complex<T>* y) {
    for (index_t j = 0; j < n; ++j) {
        const T re = first_lane(from[j].re) * scale, im = first_lane(from[j].im) * scale;
        y[j] = swapped ? std::complex<T>(im, re) : std::complex<T>(re, im);
    }
}

template <class T>
struct fft_block {
    using V = fft_register<T>;
    static constexpr int lanes = fft_lanes<T>();
    /// The transpose of a block of `rows` registers' pairs, of which the first `columns` lanes count: as many pairs are
    /// written, or more. Lanes of missing rows hold anything.
    static RICCI_INLINE void turn(const fft_pair<V>* from, index_t rows, index_t columns, fft_pair<V>* to) {
        if (rows >= lanes) [[likely]]
            return turn_whole(from, lanes, to);
        if constexpr (lanes >= 4) {
            if (rows <= half) return columns <= half ? turn_quarter(from, rows, to) : turn_half(from, rows, to);
        }
        turn_whole(from, rows, to);
    }

   private:
    static constexpr int half = lanes / 2;
    static RICCI_INLINE void turn_whole(const fft_pair<V>* from, index_t rows, fft_pair<V>* to) {
        V part[lanes];
        RICCI_UNROLL
        for (int i = 0; i < lanes; ++i) part[i] = from[i < rows ? i : 0].re;
        transpose_square(part);
        RICCI_UNROLL
        for (int i = 0; i < lanes; ++i) to[i].re = part[i];
        RICCI_UNROLL
        for (int i = 0; i < lanes; ++i) part[i] = from[i < rows ? i : 0].im;
        transpose_square(part);
        RICCI_UNROLL
        for (int i = 0; i < lanes; ++i) to[i].im = part[i];
    }
    /// At most half of the rows: real and imaginary parts are one square.
    static RICCI_INLINE void turn_half(const fft_pair<V>* from, index_t rows, fft_pair<V>* to) {
        V part[lanes];
        RICCI_UNROLL
        for (int i = 0; i < half; ++i) {
            const fft_pair<V>& row = from[i < rows ? i : 0];
            part[i] = row.re;
            part[i + half] = row.im;
        }
        transpose_square(part);
        RICCI_UNROLL
        for (int i = 0; i < lanes; ++i) to[i] = {part[i], joined_halves<true>(part[i], part[i])};
    }
    /// At most half of the rows and columns: both parts lie in one register.
    static RICCI_INLINE void turn_quarter(const fft_pair<V>* from, index_t rows, fft_pair<V>* to) {
        V part[half];
        RICCI_UNROLL
        for (int i = 0; i < half; ++i) {
            const fft_pair<V>& row = from[i < rows ? i : 0];
            part[i] = joined_halves<false>(row.re, row.im);
        }
        transpose_halves(part);
        RICCI_UNROLL
        for (int i = 0; i < half; ++i) to[i] = {part[i], joined_halves<true>(part[i], part[i])};
    }
};

/// The two steps of a line as a matrix, for groups of as many columns or rows as a register has lanes.
template <class T>
struct fft_matrix {
    using V = fft_register<T>;
    static constexpr index_t lanes = fft_lanes<T>();
    const fft_plan<T>& plan;
    const std::complex<T>* x;
    std::complex<T>* y;
    bool inverse;
    T scale;
    fft_pair<V>* matrix;

    void columns(index_t group, fft_pair<V>* two) const {
        const index_t n1 = plan.n1, n2 = plan.n2, first = group * lanes;
        load_rows(x + first, n2, std::min(lanes, n2 - first), n1, inverse, two);
        fft_pair<V>* const z = plan.columns.run(two, two + n1);
        if (plan.steps.empty()) {
            const fft_pair<V>* const root = plan.twiddles.data() + group * n1;
            for (index_t k = 0; k < n1; ++k) z[k] = times(z[k], root[k].re, root[k].im);
        } else {
            const fft_pair<V>* const root = plan.twiddles.data();
            const T* const step = plan.steps.data() + 2 * group * n1;
            for (index_t k = 0; k < n1; ++k)
                z[k] = times(times(z[k], root[k].re, root[k].im), V(step[2 * k]), V(step[2 * k + 1]));
        }
        const index_t wide = plan.groups(n2) * lanes;
        for (index_t h = 0; h * lanes < n1; ++h)
            fft_block<T>::turn(z + h * lanes, n1 - h * lanes, n2 - first, matrix + h * wide + first);
    }
    void rows(index_t group, fft_pair<V>* two) const { store_group(group, two, 0); }
    void run(fft_pair<V>* two) const {
        const index_t across = plan.groups(plan.n2), down = plan.groups(plan.n1);
        constexpr index_t worth = 1 << 16;
        if (plan.n < worth) {
            for (index_t g = 0; g < across; ++g) columns(g, two);
            // from the last group on, whose lanes too many lie where those of the first one are still to come
            for (index_t g = down - 1; g >= 0; --g) store_group(g, two, rows_within(g));
        } else {
            in_parallel<&fft_matrix::columns>(across, two);
            in_parallel<&fft_matrix::rows>(down, two);
        }
    }

   private:
    void store_group(index_t group, fft_pair<V>* two, index_t whole) const {
        const index_t n1 = plan.n1, n2 = plan.n2, first = group * lanes, wide = plan.groups(n2) * lanes;
        const fft_pair<V>* const z = plan.rows.run(matrix + group * wide, two);
        store_rows(z, n2, inverse, scale, y + first, n1, std::min(lanes, n1 - first), whole);
    }
    /// How many of the result's rows have room for whole registers of a group, their own end or not.
    index_t rows_within(index_t group) const {
        const index_t left = plan.n - (group + 1) * lanes;
        return left < 0 ? 0 : left / plan.n1 + 1;
    }
    /// The step for all groups, a few at a time; the first ones' memory is there.
    template <auto Step>
    void in_parallel(index_t count, fft_pair<V>* two) const {
        struct context {
            const fft_matrix& self;
            index_t count, together;
            fft_pair<V>* two;
        } c{*this, count, std::max(index_t(1), (index_t(1) << 15) / (plan.n / count)), two};
        parallel_for((count + c.together - 1) / c.together,
                     [](void* p, index_t chunk) {
                         const context& k = *static_cast<const context*>(p);
                         fft_buffer<fft_pair<V>> own;
                         if (chunk) own = fft_buffer<fft_pair<V>>(2 * std::max(k.self.plan.n1, k.self.plan.n2));
                         const index_t end = std::min(k.count, (chunk + 1) * k.together);
                         for (index_t g = chunk * k.together; g < end; ++g)
                             (k.self.*Step)(g, chunk ? own.data() : k.two);
                     },
                     &c);
    }
};

/// y = scale times the transform of x, n contiguous numbers each; y may be x.
template <class T>
RICCI_NOINLINE void fft_line(const fft_plan<T>& plan, const std::complex<T>* x, std::complex<T>* y, bool inverse,
                             T scale, fft_workspace<T>& work) {
    using method = typename fft_plan<T>::method;
    if (plan.how == method::powers) {
        plan.powers.run(x, y, 1, inverse, scale, reinterpret_cast<T*>(work.two));
    } else if (plan.how == method::matrix) {
        fft_matrix<T>{plan, x, y, inverse, scale, work.matrix}.run(work.two);
    } else if (plan.how == method::passes) {
        load_numbers(x, plan.n, inverse, work.two);
        store_numbers(plan.columns.run(work.two, work.two + plan.n), plan.n, inverse, scale, y);
    } else {
        std::complex<T>* const z = work.padded;
        const T sign = inverse ? T(-1) : T(1);
        const auto product = [](std::complex<T> a, T re, T im) {
            return std::complex<T>(a.real() * re - a.imag() * im, a.real() * im + a.imag() * re);
        };
        for (index_t j = 0; j < plan.n; ++j) {
            const auto& c = plan.chirp[static_cast<std::size_t>(j)];
            z[j] = product({x[j].real(), sign * x[j].imag()}, c.real(), c.imag());
        }
        std::fill(z + plan.n, z + plan.m, std::complex<T>());
        fft_line(*plan.inner, z, z, false, T(1), *work.inner);
        for (index_t k = 0; k < plan.m; ++k) {
            const auto& s = plan.spectrum[static_cast<std::size_t>(k)];
            z[k] = product(z[k], s.real(), s.imag());
        }
        fft_line(*plan.inner, z, z, true, T(1), *work.inner);
        for (index_t k = 0; k < plan.n; ++k) {
            const auto& c = plan.chirp[static_cast<std::size_t>(k)];
            const auto w = product(z[k], c.real() * scale, c.imag() * scale);
            y[k] = {w.real(), sign * w.imag()};
        }
    }
}

/// jk = (j^2 + k^2 - (k - j)^2) / 2 makes the transform a convolution with the chirp e^(i pi j^2 / n).
template <class T>
RICCI_COLD void fft_plan<T>::make_convolution() {
    inner = std::make_unique<const fft_plan>(m);
    chirp.resize(static_cast<std::size_t>(n));
    spectrum.resize(static_cast<std::size_t>(m));
    index_t square = 0;  // of j, modulo 2 n
    for (index_t j = 0; j < n; ++j) {
        const auto w = root_of_unity<T>(square, 2 * n);
        chirp[static_cast<std::size_t>(j)] = w;
        spectrum[static_cast<std::size_t>(j)] = std::conj(w);
        if (j) spectrum[static_cast<std::size_t>(m - j)] = std::conj(w);
        square = (square + 2 * j + 1) % (2 * n);
    }
    fft_workspace<T> work(*inner);
    fft_line(*inner, spectrum.data(), spectrum.data(), false, T(1) / static_cast<T>(m), work);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail

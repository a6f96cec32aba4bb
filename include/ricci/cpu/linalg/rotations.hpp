// Sweeps of plane rotations of neighbouring rows, as QR and QL iterations make them, applied many at a time.
#pragma once
#include "matrix.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A sweep of rotations of rows first and first + 1, then of first + 1 and first + 2 ..., or, descending,
/// of first and first - 1 ....
template <class R>
struct rotation_sweep {
    index_t first, count;
    bool descending;
    const R* pairs;  // c and s of each, in the order in which they are applied
};

/// `Width` registers (or, with L = R, numbers) of columns: rotations of as many sweeps that begin alike, each one row
/// behind the one before, from the begin-th on of each, so that a row is in registers while all of them are at it. How
/// many of the first sweep were applied; of the q-th, q less.
template <int Width, int Sweeps, class L, class R>
RICCI_INLINE index_t rotate_columns(const rotation_sweep<R>* sweeps, index_t begin, R* data, index_t step,
                                    index_t lanes) {
    const bool descending = sweeps[0].descending;
    const index_t onward = descending ? -step : step;
    R* const row = data + sweeps[0].first * step;
    index_t end = sweeps[0].count;
    for (int q = 1; q < Sweeps; ++q) end = std::min(end, sweeps[q].count + q);
    // The row that comes in meets the one that was carried along: (x, y) becomes (c x - s y, s x + c y), x the upper
    // one.
    L carried[Sweeps][Width], fresh[Width];
    const auto load = [&](L* to, const R* from) {
        RICCI_UNROLL
        for (int w = 0; w < Width; ++w) {
            if constexpr (std::is_same_v<L, R>) to[w] = from[w];
            else to[w] = L::load(from + w * lanes);
        }
    };
    const auto store = [&](const L* from, R* to) {
        RICCI_UNROLL
        for (int w = 0; w < Width; ++w) {
            if constexpr (std::is_same_v<L, R>) to[w] = from[w];
            else from[w].store(to + w * lanes);
        }
    };
    const auto rotate = [&](int q, index_t k) {
        const R sine = sweeps[q].pairs[2 * k + 1];
        const L c(sweeps[q].pairs[2 * k]), s(descending ? -sine : sine);
        RICCI_UNROLL
        for (int w = 0; w < Width; ++w) {
            const L x = carried[q][w], y = fresh[w];
            fresh[w] = c * x - s * y;
            carried[q][w] = s * x + c * y;
        }
    };
    load(carried[0], row + begin * onward);
    RICCI_UNROLL
    for (int k = 0; k + 1 < Sweeps; ++k) {
        load(fresh, row + (k + 1) * onward);
        RICCI_UNROLL
        for (int q = 0; q <= k; ++q) rotate(q, k - q);
        std::copy(fresh, fresh + Width, carried[k + 1]);
    }
    for (index_t k = begin + Sweeps - 1; k < end; ++k) {
        load(fresh, row + (k + 1) * onward);
        RICCI_UNROLL
        for (int q = 0; q < Sweeps; ++q) rotate(q, k - q);
        store(fresh, row + (k + 1 - Sweeps) * onward);
    }
    RICCI_UNROLL
    for (int q = 0; q < Sweeps; ++q) store(carried[q], row + (end - q) * onward);
    return end;
}

/// Rotations that wait until there are enough of them to pay for the way through the matrix: then each block of its
/// columns, which stays in the cache, takes all of them. With no rows to rotate, nothing is kept.
template <class T>
class pending_rotations {
    using R = real_t<T>;

   public:
    explicit pending_rotations(const matrix_span<T>& rows)
        : rows_(rows), pairs_(rows.rows > 0 ? most : 0, 2 * rows.rows) {}

    /// Begins a sweep of `count` rotations, the first one of row `first` and the next, or, descending, the one before.
    void begin(index_t first, index_t count, bool descending) {
        if (rows_.rows == 0) return;
        if (sweeps_ == most) apply();
        sweep_[sweeps_] = {first, count, descending, next_ = pairs_.span().row(sweeps_)};
        ++sweeps_;
    }
    /// (x, y) becomes (c x - s y, s x + c y), x the upper row of the next pair.
    void add(R c, R s) {
        if (rows_.rows == 0) return;
        *next_++ = c;
        *next_++ = s;
    }
    /// Ends the sweep before its last rotations, after `count` of them.
    void end_after(index_t count) {
        if (rows_.rows == 0) return;
        sweep_[sweeps_ - 1].count = count;
        if (count == 0) --sweeps_;
    }
    /// Applies what waits.
    void apply() {
        if (sweeps_ == 0) return;
        const index_t width = rows_.columns * static_cast<index_t>(sizeof(T) / sizeof(R)),
                      step = rows_.step * static_cast<index_t>(sizeof(T) / sizeof(R));
        R* const data = reinterpret_cast<R*>(rows_.data);  // a complex number is two real ones side by side
        parallel_pieces(width, piece, [&](index_t first, index_t count) {
            index_t j = first;
#if defined(RICCI_HAS_SIMD)
            if constexpr (simd_supported<R>) {
                using lane = simd<R>;
                for (; j + 2 * lane::lanes <= first + count; j += 2 * lane::lanes)
                    run<2, lane>(data + j, step, lane::lanes);
                for (; j + lane::lanes <= first + count; j += lane::lanes) run<1, lane>(data + j, step, lane::lanes);
            }
#endif
            for (; j < first + count; ++j) run<1, R>(data + j, step, 1);
        });
        sweeps_ = 0;
    }

   private:
    static constexpr int most = 32, together = 4;
    static constexpr index_t piece = 64;  // columns: whole registers, of each instruction set

    template <int Width, class L>
    void run(R* data, index_t step, index_t lanes) const {
        for (int k = 0; k < sweeps_; k += together) {
            index_t done = 0;
            if (begin_alike(sweep_ + k, sweeps_ - k))
                done = rotate_columns<Width, together, L, R>(sweep_ + k, 0, data, step, lanes);
            for (int q = 0; q < together && k + q < sweeps_; ++q)
                if (const index_t begin = std::max<index_t>(done - q, 0); begin < sweep_[k + q].count)
                    rotate_columns<Width, 1, L, R>(sweep_ + k + q, begin, data, step, lanes);
        }
    }
    static bool begin_alike(const rotation_sweep<R>* sweeps, int count) {
        if (count < together) return false;
        for (int q = 0; q < together; ++q)
            if (sweeps[q].first != sweeps[0].first || sweeps[q].descending != sweeps[0].descending ||
                sweeps[q].count < together)
                return false;
        return true;
    }

    matrix_span<T> rows_;
    matrix_buffer<R> pairs_;
    rotation_sweep<R> sweep_[most];
    R* next_ = nullptr;
    int sweeps_ = 0;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

// Dense arrays times others that broadcast to them, with a look at what comes out: adjoints that were computed before
// their cotangent was there (grad/kept_adjoints.hpp).
#pragma once
#include <atomic>
#include <cmath>
#include <limits>

#include "lines.hpp"

namespace ricci::detail {

/// The elements of a dense array beside those of another one that broadcasts to it: rows, along which the other one's
/// elements go along or stay.
template <int Rank>
class broadcast_rows {
   public:
    broadcast_rows(const shape<Rank>& extents, const shape<Rank>& other) {
        for (int d = Rank; d-- > 0;) {
            if (extents[d] == 1) continue;
            const bool moves = other[d] != 1;
            if (groups_ > 0 && moves_[groups_ - 1] == moves) {
                extent_[groups_ - 1] *= extents[d];
            } else {
                extent_[groups_] = extents[d];
                moves_[groups_++] = moves;
            }
        }
        if (groups_ == 0) extent_[groups_++] = 1;
    }
    index_t length() const { return extent_[0]; }
    bool moves() const { return moves_[0]; }
    index_t count() const {
        index_t rows = 1;
        for (int g = 1; g < groups_; ++g) rows *= extent_[g];
        return rows;
    }
    /// Where the other array's elements for a row begin.
    index_t beside(index_t row) const {
        index_t at = 0, step = moves_[0] ? extent_[0] : 1;
        for (int g = 1; g < groups_; ++g) {
            const bool last = g + 1 == groups_;
            if (moves_[g]) {
                at += (last ? row : row % extent_[g]) * step;
                step *= extent_[g];
            }
            if (!last) row /= extent_[g];
        }
        return at;
    }

   private:
    index_t extent_[Rank + 1] = {};  // of neighbouring axes that are as one, the innermost first
    bool moves_[Rank + 1] = {};
    int groups_ = 0;
};

inline namespace RICCI_ISA {

/// y[i] = x[i] * by[i], or by[0] unless it Moves, of n elements; whether all of these are finite.
template <bool Moves, class T>
bool scale_row(const T* x, const T* by, T* y, index_t n) {
    index_t i = 0;
    T rest = 0;  // v - v is 0, or NaN
#if defined(RICCI_HAS_SIMD)
    if constexpr (lanes_supported<T>()) {
        using lane = simd<T>;
        constexpr index_t lanes = lane::lanes;
        const lane one(by[0]);
        lane rests[2] = {lane(T(0)), lane(T(0))};
        for (; i + 2 * lanes <= n; i += 2 * lanes)
            for (int k = 0; k < 2; ++k) {
                const index_t at = i + k * lanes;
                const lane v = lane::load(x + at) * (Moves ? lane::load(by + at) : one);
                v.store(y + at);
                rests[k] = rests[k] + (v - v);
            }
        rest = reduce_add(rests[0] + rests[1]);
    }
#endif
    for (; i < n; ++i) {
        y[i] = x[i] * by[Moves ? i : 0];
        rest += y[i] - y[i];
    }
    return rest == 0;
}
/// y, dense and perhaps x itself, becomes x times what is beside it; whether all elements are finite.
template <class T, int Rank>
bool scale_rows(const T* x, const T* by, T* y, const broadcast_rows<Rank>& rows) {
    constexpr index_t piece = 1 << 14;  // long rows are what threads share
    const index_t length = rows.length(), pieces = (length + piece - 1) / piece;
    std::atomic<bool> finite{true};
    for_blocks(rows.count() * pieces, std::min(length, piece), [&](index_t block) {
        const index_t row = pieces == 1 ? block : block / pieces, first = pieces == 1 ? 0 : block % pieces * piece;
        const index_t at = row * length + first, n = std::min(piece, length - first);
        const T* beside = by + rows.beside(row);
        if (!(rows.moves() ? scale_row<true>(x + at, beside + first, y + at, n)
                           : scale_row<false>(x + at, beside, y + at, n)))
            finite.store(false, std::memory_order_relaxed);
    });
    return finite.load(std::memory_order_relaxed);
}

}  // namespace RICCI_ISA
}  // namespace ricci::detail

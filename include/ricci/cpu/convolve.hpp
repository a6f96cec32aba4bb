// Convolution by sums: of each block of results in registers, over all weights.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "gemm.hpp"
#include "lines.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// A row of results: y[k] is the sum over `taps` and j < weights of x[x_tap + k - j] w[w_tap + j].
template <class T>
struct convolved_row {
    struct tap {
        index_t x, w;
    };
    const T* x;
    const T* w;
    index_t weights;
    const std::vector<tap>& taps;
    T* y;
    index_t n;

#if defined(RICCI_HAS_SIMD)
    /// Sums over so many products are added up in a second one, so that errors of long ones stay small.
    static constexpr index_t together = 512;

    /// R registers of results from k on, the last of them at k + last; where these are few, in several sums of each, so
    /// that no addition waits for the one before.
    template <int R>
    RICCI_INLINE void registers(index_t k, index_t last, T* to) const {
        using lane = simd<T>;
        constexpr int ways = R >= 4 ? 1 : 4 / R;
        lane total[R], sum[R * ways];
        for_indices<R>([&](auto r) RICCI_INLINE_LAMBDA { total[r()] = lane(T(0)); });
        for_indices<R * ways>([&](auto s) RICCI_INLINE_LAMBDA { sum[s()] = lane(T(0)); });
        const auto collect = [&]() RICCI_INLINE_LAMBDA {
            for_indices<R * ways>([&](auto s) RICCI_INLINE_LAMBDA {
                total[s() % R] += sum[s()];
                sum[s()] = lane(T(0));
            });
        };
        index_t left = together;
        for (const tap& t : taps) {
            const T *from = x + t.x + k, *weight = w + t.w;
            const auto add = [&](index_t j, auto way) RICCI_INLINE_LAMBDA {
                const lane c(weight[j]);
                for_indices<R>([&](auto r) RICCI_INLINE_LAMBDA {
                    const index_t at = r() + 1 < R ? r() * lane::lanes : last;
                    sum[way() * R + r()] = math::fma(lane::load(from + at - j), c, sum[way() * R + r()]);
                });
            };
            for (index_t j = 0; j < weights;) {
                const index_t end = std::min(weights, j + left);
                left -= end - j;
                for (; j + ways <= end; j += ways)
                    for_indices<ways>([&](auto way) RICCI_INLINE_LAMBDA { add(j + way(), way); });
                for (; j < end; ++j) add(j, std::integral_constant<int, 0>());
                if (left > 0) continue;
                left = together;
                collect();
            }
        }
        collect();
        for_indices<R>([&](auto r)
                           RICCI_INLINE_LAMBDA { total[r()].store(to + (r() + 1 < R ? r() * lane::lanes : last)); });
    }
    /// With registers that overlap at the end; x has a register's elements where a row is shorter.
    void run() const
        requires(simd_supported<T>)
    {
        constexpr index_t lanes = simd<T>::lanes;
        if (n < lanes) {
            T results[lanes];
            registers<1>(0, 0, results);
            std::copy(results, results + n, y);
            return;
        }
        for (index_t k = 0; k < n;) {
            const index_t rest = n - k, many = (rest + lanes - 1) / lanes;
            const auto block = [&](auto r) RICCI_INLINE_LAMBDA {
                registers<r()>(k, std::min((r() - 1) * lanes, rest - lanes), y + k);
                k += r() * lanes;
            };
            if (many >= 8) block(std::integral_constant<int, 8>());
            else if (many >= 4) block(std::integral_constant<int, 4>());
            else if (many >= 2) block(std::integral_constant<int, 2>());
            else block(std::integral_constant<int, 1>());
        }
    }
#endif
    void run() const {
        using S = typename gemm_arithmetic<T>::type;
        constexpr index_t piece = 256;  // of results: their sums stay in L1
        S sum[piece];
        for (index_t k = 0; k < n; k += piece) {
            const index_t count = std::min(piece, n - k);
            std::fill(sum, sum + count, S());
            for (const tap& t : taps)
                for (index_t j = 0; j < weights; ++j) {
                    const S c = static_cast<S>(w[t.w + j]);
                    const T* const from = x + t.x + k - j;
                    for (index_t i = 0; i < count; ++i) add_product(sum[i], c, static_cast<S>(from[i]));
                }
            for (index_t i = 0; i < count; ++i) y[k + i] = static_cast<T>(sum[i]);
        }
    }
};

/// y[k] = sum over j of x[start + k - j] w[j] for all k, of dense arrays, as if zeros lay around x: a window of their
/// convolution. w should be the one of fewer elements.
template <class T, int N>
class convolution {
   public:
    convolution(const T* x, const shape<N>& n, const T* w, const shape<N>& m, T* y, const shape<N>& extents,
                const shape<N>& start)
        : x_(x), w_(w), y_(y), n_(n), m_(m), extents_(extents), start_(start) {}

    /// Where windows lie in x, they are read from there, and else, or if all is small, from a copy with zeros.
    void run(bool threads) const {
        constexpr index_t small = index_t(1) << (N == 1 ? 11 : 15);  // of lines the ends are small anyway
        shape<N> reach, none{};
        for (int d = 0; d < N; ++d) reach[d] = extents_[d] + m_[d] - 1;
        if (extents_.count() == 0) return;
        if (reach.count() <= small) return run_part(none, extents_, threads);
        for (index_t p = 0; p < power(3, N); ++p) {
            index_t rest = p;
            shape<N> first, count;
            for (int d = 0; d < N; ++d, rest /= 3) {
                const index_t begin = std::clamp<index_t>(m_[d] - 1 - start_[d], 0, extents_[d]);
                const index_t end = std::clamp<index_t>(n_[d] - start_[d], begin, extents_[d]);
                const index_t cut[] = {0, begin, end, extents_[d]};
                first[d] = cut[rest % 3];
                count[d] = cut[rest % 3 + 1] - first[d];
            }
            if (count.count() > 0) run_part(first, count, threads);
        }
    }

   private:
    static constexpr index_t power(index_t base, int exponent) {
        return exponent == 0 ? 1 : base * power(base, exponent - 1);
    }
    static shape<N> strides_of(const shape<N>& extents) {
        shape<N> strides;
        index_t step = 1;
        for (int d = N - 1; d >= 0; --d) {
            strides[d] = step;
            step *= extents[d];
        }
        return strides;
    }
    static index_t width_of(index_t n) {
#if defined(RICCI_HAS_SIMD)
        if constexpr (simd_supported<T>) return std::max<index_t>(n, simd<T>::lanes);
#endif
        return n;
    }
    void run_part(const shape<N>& first, const shape<N>& count, bool threads) const {
        shape<N> corner, size;  // of what the windows reach of x
        bool inside = true;
        for (int d = 0; d < N; ++d) {
            corner[d] = start_[d] + first[d] - (m_[d] - 1);
            size[d] = count[d] + m_[d] - 1;
            inside = inside && corner[d] >= 0 && corner[d] + size[d] <= n_[d];
        }
        const index_t length = count[N - 1];
        size[N - 1] += width_of(length) - length;
        std::unique_ptr<T[]> copy;
        shape<N> strides = strides_of(n_);
        const T* from = x_;
        if (inside && width_of(length) == length) {
            for (int d = 0; d < N; ++d) from += corner[d] * strides[d];
        } else {
            copy = reached(corner, size);
            from = copy.get();
            strides = strides_of(size);
        }
        std::vector<typename convolved_row<T>::tap> taps;
        shape<N> rows = m_;
        rows[N - 1] = 1;
        const shape<N> weight_strides = strides_of(m_), result_strides = strides_of(extents_);
        for (index_t t = 0, all = rows.count(); t < all; ++t) {
            index_t rest = t;
            typename convolved_row<T>::tap at{m_[N - 1] - 1, 0};
            for (int d = N - 2; d >= 0; --d) {
                const index_t j = rest % rows[d];
                rest /= rows[d];
                at.x += (m_[d] - 1 - j) * strides[d];
                at.w += j * weight_strides[d];
            }
            taps.push_back(at);
        }
        constexpr index_t longest = 4096;  // results that a thread computes at a time, of a row
        const index_t pieces = (length + longest - 1) / longest;
        const auto row = [&](index_t i) {
            const index_t k = i % pieces * length / pieces, end = (i % pieces + 1) * length / pieces;  // none is short
            index_t rest = i / pieces, at = k, to = k + first[N - 1];
            for (int d = N - 2; d >= 0; --d) {
                const index_t j = rest % count[d];
                rest /= count[d];
                at += j * strides[d];
                to += (first[d] + j) * result_strides[d];
            }
            convolved_row<T>{from + at, w_, m_[N - 1], taps, y_ + to, end - k}.run();
        };
        const index_t all = count.count() / length * pieces;
        if (threads) return for_blocks(all, std::min(length, longest) * (m_.count() / 8 + 1), row);
        for (index_t i = 0; i < all; ++i) row(i);
    }
    /// Elements from `corner` on, zeros where there are none.
    std::unique_ptr<T[]> reached(const shape<N>& corner, const shape<N>& size) const {
        std::unique_ptr<T[]> copy(new T[static_cast<std::size_t>(size.count())]());
        const shape<N> strides = strides_of(n_);
        const int last = N - 1;
        const index_t begin = std::max<index_t>(corner[last], 0), end = std::min(n_[last], corner[last] + size[last]);
        if (begin >= end) return copy;
        for (index_t i = 0, rows = size.count() / size[last]; i < rows; ++i) {
            index_t rest = i, from = begin;
            bool inside = true;
            for (int d = N - 2; d >= 0; --d) {
                const index_t k = corner[d] + rest % size[d];
                rest /= size[d];
                inside = inside && k >= 0 && k < n_[d];
                from += k * strides[d];
            }
            if (inside)
                std::copy(x_ + from, x_ + from + (end - begin), copy.get() + i * size[last] + begin - corner[last]);
        }
        return copy;
    }

    const T* x_;
    const T* w_;
    T* y_;
    shape<N> n_, m_, extents_, start_;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

// Medians of the windows around all elements of an array, zeros being around it.
#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "executor.hpp"
#include "line_grid.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// The elements of a window in order, of which some are replaced when it moves on. NaN stands at the end, as infinity.
template <class T>
class sorted_window {
    std::vector<T> sorted_;
    index_t nans_ = 0;
    T nan_{};

   public:
    explicit sorted_window(std::vector<T> elements) : sorted_(std::move(elements)) {
        for (T& x : sorted_) x = counted(x, 1);
        std::sort(sorted_.begin(), sorted_.end());
    }
    void replace(T out, T in) {
        out = counted(out, -1);
        in = counted(in, 1);
        T* const w = sorted_.data();
        const auto n = static_cast<index_t>(sorted_.size());
        index_t from = 0, to = 0;
        if (n <= 64) {  // comparing with all takes less time than to find out with which
            for (index_t i = 0; i < n; ++i) {
                from += w[i] < out;
                to += w[i] < in;
            }
        } else {
            from = below(w, n, out);
            to = below(w, n, in);
        }
        if (to > from) std::copy(w + from + 1, w + to--, w + from);
        else std::copy_backward(w + to, w + from, w + from + 1);
        w[to] = in;
    }
    T median() const { return nans_ > 0 ? nan_ : sorted_[sorted_.size() / 2]; }

   private:
    /// How many are less, by halving without branches.
    static index_t below(const T* w, index_t n, T x) {
        const T* a = w;
        for (index_t half = n / 2; n > 1; n -= half, half = n / 2) a += half * (a[half - 1] < x);
        return a - w + (*a < x);
    }
    T counted(T x, index_t change) {
        if constexpr (std::is_floating_point_v<T>) {
            if (x != x) {
                nans_ += change;
                nan_ = x;
                return std::numeric_limits<T>::infinity();
            }
        }
        return x;
    }
};

/// Windows of an odd number of elements along each axis. Small ones of neighbours along the last axis are worked on
/// together, lane by lane: from a few more elements than half of a window the smallest and the largest cannot be its
/// median and are forgotten, the next one takes part, and so on. Larger ones are kept in order as they move. Of a
/// window with NaN the median is NaN.
template <class T, int R>
class window_median {
    static constexpr int lanes = static_cast<int>(128 / sizeof(T) > 64 ? 64 : 128 / sizeof(T));
    static constexpr index_t most = sizeof(T) > 4 ? 9 : sizeof(T) > 2 ? 21 : 51;  // as measured
    struct block {
        T of[lanes];
    };
    shape<R> n_, wide_;
    index_t rows_ = 1;
    std::vector<index_t> window_;  // where its elements are from the first on
    std::size_t columns_;          // how many of them are left behind by a step along the last axis
    std::unique_ptr<T[]> x_;

   public:
    window_median(const tensor<T, R>& x, const shape<R>& window) : n_(x.shape()), wide_(x.shape()) {
        shape<R> before;
        for (int d = 0; d < R; ++d) {
            wide_[d] += window[d] - 1;
            before[d] = window[d] / 2;
            if (d < R - 1) rows_ *= n_[d];
        }
        x_.reset(new T[static_cast<std::size_t>(wide_.count() + lanes)]());
        const shape<R> steps = row_major(wide_);
        index_t first = 0;
        for (int d = 0; d < R; ++d) first += before[d] * steps[d];
        const tensor<T, R> inner(storage::borrow(x_.get(), static_cast<std::size_t>(wide_.count() + lanes) * sizeof(T)),
                                 x_.get() + first, n_, steps);
        executor<cpu_device>::copy(x, inner);
        columns_ = static_cast<std::size_t>(window.count() / window[R - 1]);
        for (index_t i = 0; i < window.count(); ++i) window_.push_back(place(i, window, steps));
    }
    void run(T* y) const {
        const auto k = static_cast<index_t>(window_.size());
        const index_t n = n_[R - 1], together = k > most ? 1024 + 16 * k : lanes,
                      across = (n + together - 1) / together;
        const shape<R> steps = row_major(wide_);
        for_blocks(rows_ * across, together * (k > most ? 64 : k * 8), [&](index_t i) {
            const index_t row = i / across, from = i % across * together, count = std::min<index_t>(together, n - from);
            const T* const x = x_.get() + place(row * n, n_, steps) + from;
            T* const to = y + row * n + from;
            if (k > most) by_moving(x, to, count);
            else by_forgetting(x, to, count);
        });
    }

   private:
    static index_t place(index_t i, const shape<R>& extents, const shape<R>& steps) {
        index_t at = 0;
        for (int d = R - 1; d >= 0; --d) {
            at += i % extents[d] * steps[d];
            i /= extents[d];
        }
        return at;
    }
    static void exchange(block& low, block& high) {
        for (int l = 0; l < lanes; ++l) {
            const T a = low.of[l], b = high.of[l];
            low.of[l] = b < a ? b : a;
            high.of[l] = b < a ? a : b;
        }
    }
    void by_forgetting(const T* x, T* y, index_t count) const {
        block kept[most / 2 + 3];
        T nans[lanes] = {};
        const std::size_t k = window_.size();
        std::size_t next = 0, size = 0;
        const auto take = [&] {
            const T* const from = x + window_[next++];
            block& b = kept[size++];
            for (int l = 0; l < lanes; ++l) b.of[l] = from[l];
            if constexpr (std::is_floating_point_v<T>)
                for (int l = 0; l < lanes; ++l) nans[l] = from[l] == from[l] ? nans[l] : from[l];
        };
        while (next < std::min(k, k / 2 + 2)) take();
        while (size > 1) {
            block low = kept[0],
                  high = kept[size - 1];  // apart from the others, so that compilers keep them in registers
            exchange(low, high);
            for (std::size_t i = 1; i + 1 < size; ++i) {
                exchange(low, kept[i]);
                exchange(kept[i], high);
            }
            kept[0] = kept[size - 2];
            size -= 2;
            if (next < k) take();
        }
        for (index_t l = 0; l < count; ++l) {
            y[l] = kept[0].of[l];
            if constexpr (std::is_floating_point_v<T>)
                if (nans[l] != nans[l]) y[l] = nans[l];
        }
    }
    void by_moving(const T* x, T* y, index_t count) const {
        const std::size_t k = window_.size(), along = k / columns_;  // the last axis is the innermost
        std::vector<T> first(k);
        for (std::size_t i = 0; i < k; ++i) first[i] = x[window_[i]];
        sorted_window<T> window(std::move(first));
        for (index_t l = 0; l < count; ++l) {
            if (l > 0)
                for (std::size_t c = 0; c < columns_; ++c)
                    window.replace(x[l - 1 + window_[c * along]], x[l + window_[(c + 1) * along - 1]]);
            y[l] = window.median();
        }
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

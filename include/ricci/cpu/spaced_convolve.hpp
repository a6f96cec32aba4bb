// Convolutions of lines whose elements lie apart: what filters between two rates compute.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "convolve.hpp"

namespace ricci::detail {
inline namespace RICCI_ISA {

/// y[m] = the sum of h[i] x[k] over i a + k b = start + m c, for all m < count. The h that meet an element of y lie b /
/// gcd(a, b) apart: they are laid out side by side once, for each remainder, backwards, as the x that they meet ascend.
template <class T>
class spaced_convolution {
    /// What one of y's elements is made of: a phase's h, of which the first meets x[top]; -1 where nothing meets.
    struct place {
        index_t phase, top;
    };
    index_t n_, step_, phases_, longest_, advance_;
    std::vector<T> h_;
    std::vector<place> places_;  // of the first elements of y; behind them all recur, x `advance_` further

   public:
    spaced_convolution(const T* h, index_t length, index_t n, const index_t (&apart)[3], index_t start) : n_(n) {
        const index_t a = apart[0], b = apart[1], c = apart[2], g = std::gcd(a, b);
        phases_ = b / g;  // the i of one sum differ by this, the k by a / g
        step_ = a / g;
        longest_ = (length + phases_ - 1) / phases_;
        h_.assign(static_cast<std::size_t>(phases_ * longest_), T(0));
        for (index_t i = 0; i < length; ++i) h_[static_cast<std::size_t>(at(i % phases_, i / phases_))] = h[i];
        index_t inverse = 0;
        while (inverse < phases_ && (inverse * step_ - 1) % phases_ != 0) ++inverse;
        if (phases_ == 1) inverse = 0;
        const index_t period = b / std::gcd(b, c);
        advance_ = period * c / b;
        for (index_t m = 0; m < period; ++m) {
            const index_t sum = start + m * c, wanted = sum / g;  // i step + k phases
            const index_t phase = ((wanted % phases_ + phases_) % phases_) * inverse % phases_;
            places_.push_back(sum % g == 0 ? place{phase, (wanted - phase * step_) / phases_} : place{-1, 0});
        }
    }
    void line(const T* x, T* y, index_t count) const {
        const index_t reach = (longest_ - 1) * step_;
        index_t moved = 0;
        for (index_t from = 0; from < count; from += static_cast<index_t>(places_.size()), moved += advance_) {
            const index_t some = std::min(static_cast<index_t>(places_.size()), count - from);
            for (index_t r = 0; r < some; ++r) {
                const auto [phase, base] = places_[static_cast<std::size_t>(r)];
                const index_t top = base + moved;
                if (phase < 0) y[from + r] = T(0);
                else if (top < n_ && top >= reach)
                    y[from + r] = dot(&h_[static_cast<std::size_t>(phase * longest_)], x + (top - reach), longest_);
                else y[from + r] = at_the_edge(x, phase, top);
            }
        }
    }

   private:
    /// Where some of the phase's h lie beside x: number q meets x[top - q step].
    T at_the_edge(const T* x, index_t phase, index_t top) const {
        const index_t first = top < n_ ? 0 : (top - n_) / step_ + 1;
        const index_t last = top < 0 ? -1 : std::min(longest_ - 1, top / step_);
        if (first > last) return T(0);
        return dot(&h_[static_cast<std::size_t>(at(phase, last))], x + (top - last * step_), last - first + 1);
    }
    index_t at(index_t phase, index_t q) const { return phase * longest_ + (longest_ - 1 - q); }
    T dot(const T* h, const T* x, index_t count) const {
        T sum{};
        index_t i = 0;
#if defined(RICCI_HAS_SIMD)
        if constexpr (std::is_floating_point_v<T>) {
            if (step_ == 1) {
                constexpr index_t lanes = simd<T>::lanes;
                simd<T> sums[2] = {simd<T>(T(0)), simd<T>(T(0))};
                for (; i + 2 * lanes <= count; i += 2 * lanes)
                    for (int r = 0; r < 2; ++r)
                        sums[r] =
                            math::fma(simd<T>::load(h + i + r * lanes), simd<T>::load(x + i + r * lanes), sums[r]);
                for (; i + lanes <= count; i += lanes)
                    sums[0] = math::fma(simd<T>::load(h + i), simd<T>::load(x + i), sums[0]);
                if (i < count) {
                    const index_t left = count - i;
                    sums[1] =
                        math::fma(simd<T>::load_partial(h + i, left), simd<T>::load_partial(x + i, left), sums[1]);
                }
                return reduce_add(sums[0] + sums[1]);
            }
        }
#endif
        for (; i < count; ++i) sum += h[i] * x[i * step_];
        return sum;
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

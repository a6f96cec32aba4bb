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
    index_t n_, a_, b_, c_, start_, phases_, longest_, inverse_ = 0;
    std::vector<T> h_;

   public:
    spaced_convolution(const T* h, index_t length, index_t n, const index_t (&apart)[3], index_t start)
        : n_(n), a_(apart[0]), b_(apart[1]), c_(apart[2]), start_(start) {
        const index_t g = std::gcd(a_, b_);
        phases_ = b_ / g;  // the i of one sum differ by this, the k by a / g
        longest_ = (length + phases_ - 1) / phases_;
        h_.assign(static_cast<std::size_t>(phases_ * longest_), T(0));
        for (index_t i = 0; i < length; ++i) h_[static_cast<std::size_t>(at(i % phases_, i / phases_))] = h[i];
        while (inverse_ < phases_ && (inverse_ * (a_ / g) - 1) % phases_ != 0) ++inverse_;
        if (phases_ == 1) inverse_ = 0;
    }
    void line(const T* x, T* y, index_t count) const {
        const index_t g = std::gcd(a_, b_), step = a_ / g;
        for (index_t m = 0; m < count; ++m) {
            const index_t sum = start_ + m * c_;
            y[m] = T(0);
            if (sum % g != 0) continue;
            const index_t wanted = sum / g;  // i step + k phases
            const index_t phase = ((wanted % phases_ + phases_) % phases_) * inverse_ % phases_;
            const index_t top = (wanted - phase * step) / phases_;  // the x that meets the phase's first h
            // h number q of the phase meets x[top - q step]
            const index_t first = top < n_ ? 0 : (top - n_) / step + 1;
            const index_t last = top < 0 ? -1 : std::min(longest_ - 1, top / step);
            if (first > last) continue;
            y[m] = dot(&h_[static_cast<std::size_t>(at(phase, last))], x + (top - last * step), step, last - first + 1);
        }
    }

   private:
    index_t at(index_t phase, index_t q) const { return phase * longest_ + (longest_ - 1 - q); }
    static T dot(const T* h, const T* x, index_t step, index_t count) {
        T sum{};
        index_t i = 0;
#if defined(RICCI_HAS_SIMD)
        if constexpr (std::is_floating_point_v<T>) {
            if (step == 1) {
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
        for (; i < count; ++i) sum += h[i] * x[i * step];
        return sum;
    }
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail

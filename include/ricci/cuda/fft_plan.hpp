// Fourier transforms as cuFFT wants them: lines of one length in batches with constant steps, from dense arrays.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../cpu/fft/arrays.hpp"
#include "kernel.hpp"

namespace ricci::detail {

enum class fft_kind : unsigned char { complex, from_real, to_real };

/// What a plan is for: `batch` lines of n elements, whose elements are `stride` apart and whose beginnings are
/// from_distance and to_distance apart, in elements. The real lines of a Hermitian spectrum have n elements, the
/// spectrum n / 2 + 1.
struct fft_call {
    fft_kind kind;
    bool wide;  // double
    int device;
    std::int64_t n, stride, from_distance, to_distance, batch;
    bool operator==(const fft_call&) const = default;
};
/// A plan and how many times it runs, from_step and to_step elements further each time.
struct fft_calls {
    fft_call call;
    index_t count, from_step, to_step;
};

/// How the lines along the middle axis of outer x n x inner elements are transformed. cuFFT knows one step between
/// lines: the outer or the inner ones are a batch, whichever are more, and the others calls of their own.
inline fft_calls plan_fft(fft_kind kind, bool wide, const line_grid& g) {
    const index_t half = g.n / 2 + 1;
    const index_t from = (kind == fft_kind::to_real ? half : g.n) * g.inner;
    const index_t to = (kind == fft_kind::from_real ? half : g.n) * g.inner;
    if (g.inner >= g.outer) return {{kind, wide, 0, g.n, g.inner, 1, 1, g.inner}, g.outer, from, to};
    return {{kind, wide, 0, g.n, g.inner, from, to, g.outer}, g.inner, 1, 1};
}
/// Whether the lines are better laid side by side first: many calls cost more than a copy, and cuFFT wants real
/// elements to begin where complex ones might.
inline bool wants_lines_side_by_side(const fft_calls& calls) {
    constexpr index_t most_calls = 8;
    const bool between = (calls.call.kind == fft_kind::from_real && calls.from_step % 2 != 0) ||
                         (calls.call.kind == fft_kind::to_real && calls.to_step % 2 != 0);
    return calls.count > most_calls || (calls.count > 1 && between);
}

/// Element k of a spectrum times `edge` at the ends of a Hermitian one, `inner` between them, its imaginary part times
/// `imaginary` too; at the ends that part is left out where it counts for nothing.
template <class T>
struct weigh_kernel {
    const T* x;  // real and imaginary parts
    T* y;
    divisor row, kept;  // elements side by side, and elements of a line
    index_t n;
    T edge, inner, imaginary;
    bool real_ends;

    RICCI_HD void operator()(index_t i) const {
        const index_t line = row.quotient(i);
        const index_t k = line - kept.quotient(line) * kept.value;
        const bool end = k == 0 || 2 * k == n;
        const T w = end ? edge : inner;
        y[2 * i] = x[2 * i] * w;
        y[2 * i + 1] = end && real_ends ? T(0) : x[2 * i + 1] * (w * imaginary);
    }
};
template <class T>
struct scale_kernel {
    T* x;
    T by;
    RICCI_HD void operator()(index_t i) const { x[i] *= by; }
};

/// Fourier transforms of arrays on a device by execute(call, from, to, inverse), which has no factors and may spoil
/// `from` of a transform to real lines.
template <class Execute>
struct fft_by_calls {
    Execute execute;

    template <class X, int R, class D, class T>
    tensor<std::complex<T>, R, D> complex(const tensor<X, R, D>& x, int axis, bool inverse, T scale) const {
        const auto y = along_axis<std::complex<T>>(x, axis, x.shape(), [&](const auto& a, const auto& to, int at) {
            const auto calls = plan_fft(fft_kind::complex, wide<T>, {a.shape(), at});
            if (wants_lines_side_by_side(calls)) return false;
            run(calls, a.data(), to.data(), inverse);
            if (scale != T(1)) launch(2 * to.size(), scale_kernel<T>{reinterpret_cast<T*>(to.data()), scale});
            return true;
        });
        return y;
    }
    template <class X, int R, class D, class T>
    tensor<std::complex<T>, R, D> from_real(const tensor<X, R, D>& x, int axis, bool inverse, T scale, T interior,
                                            const shape<R>& extents) const {
        return along_axis<std::complex<T>>(x, axis, extents, [&](const auto& a, const auto& to, int at) {
            const line_grid g(a.shape(), at);
            const auto calls = plan_fft(fft_kind::from_real, wide<T>, g);
            if (wants_lines_side_by_side(calls)) return false;
            if (is_aligned<T>(a.data())) run(calls, a.data(), to.data(), false);
            else run(calls, copied_on_device(a).data(), to.data(), false);
            if (scale != T(1) || interior != T(1) || inverse)
                weigh(to.data(), to.data(), g, scale, scale * interior, inverse, false);
            return true;
        });
    }
    template <class X, int R, class D, class T>
    tensor<T, R, D> to_real(const tensor<X, R, D>& x, int axis, bool inverse, T scale, T interior,
                            const shape<R>& extents) const {
        return along_axis<T>(x, axis, extents, [&](const auto& a, const auto& to, int at) {
            const line_grid g(to.shape(), at);
            const auto calls = plan_fft(fft_kind::to_real, wide<T>, g);
            if (wants_lines_side_by_side(calls)) return false;
            // also a copy that may be spoilt, without imaginary parts where they count for nothing
            const auto spectrum = tensor<std::complex<T>, R, D>::uninitialized(a.shape());
            weigh(a.data(), spectrum.data(), g, scale, scale * interior / 2, !inverse, true);
            run(calls, spectrum.data(), to.data(), true);
            return true;
        });
    }

   private:
    template <class T>
    static constexpr bool wide = sizeof(T) == 8;
    template <class T>
    static bool is_aligned(const T* x) {
        return reinterpret_cast<std::uintptr_t>(x) % (2 * sizeof(T)) == 0;
    }
    template <class A>
    static auto copied_on_device(const A& a) {
        const auto y = tensor<typename A::value_type, A::rank, typename A::device_type>::uninitialized(a.shape());
        copy_on_device(y.data(), a.data(), static_cast<std::size_t>(a.size()) * sizeof(typename A::value_type));
        return y;
    }
    template <class X, class Y>
    void run(const fft_calls& calls, const X* from, Y* to, bool inverse) const {
        for (index_t i = 0; i < calls.count; ++i)
            execute(calls.call, from + i * calls.from_step, to + i * calls.to_step, inverse);
    }
    template <class T>
    static void weigh(const std::complex<T>* x, std::complex<T>* y, const line_grid& g, T edge, T inner,
                      bool conjugates, bool real_ends) {
        const index_t kept = g.n / 2 + 1;
        launch(g.outer * kept * g.inner,
               weigh_kernel<T>{reinterpret_cast<const T*>(x), reinterpret_cast<T*>(y), divisor(g.inner), divisor(kept),
                               g.n, edge, inner, conjugates ? T(-1) : T(1), real_ends});
    }
    /// lines(a, y, axis) for dense arrays, once more with the axis as the last one if it gives false.
    template <class Y, class X, int R, class D, class Lines>
    static tensor<Y, R, D> along_axis(const tensor<X, R, D>& x, int axis, const shape<R>& extents, const Lines& lines) {
        if (!x.is_contiguous()) return along_axis<Y>(x.clone(), axis, extents, lines);
        const auto y = tensor<Y, R, D>::uninitialized(extents);
        if (y.size() == 0 || lines(x, y, axis)) return y;
        shape<R> to = extents;
        for (int d = axis; d + 1 < R; ++d) to[d] = extents[d + 1];
        to[R - 1] = extents[axis];
        return with_last_axis_at(along_axis<Y>(with_axis_last(x, axis), R - 1, to, lines), axis);
    }
};

/// Plans of a library, the last ones used, at most Most: `make(key)` makes one, and `drop(plan)` gives it back.
template <class Key, class Plan, std::size_t Most>
class recent_plans {
   public:
    template <class Make, class Drop>
    Plan get(const Key& key, const Make& make, const Drop& drop) {
        for (auto at = plans_.begin(); at != plans_.end(); ++at)
            if (at->first == key) {
                std::rotate(plans_.begin(), at, at + 1);
                return plans_.front().second;
            }
        const Plan made = make(key);
        if (plans_.size() == Most) {
            drop(plans_.back().second);
            plans_.pop_back();
        }
        plans_.insert(plans_.begin(), {key, made});
        return made;
    }
    std::size_t size() const { return plans_.size(); }

   private:
    std::vector<std::pair<Key, Plan>> plans_;
};

}  // namespace ricci::detail

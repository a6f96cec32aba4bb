// Lines at another rate: upfirdn, resample_poly, decimate.
#pragma once
#include <algorithm>
#include <numeric>

#include "../../cpu/spaced_convolve.hpp"
#include "../each_axis.hpp"
#include "filter_design.hpp"
#include "filters.hpp"

namespace ricci {
namespace detail {

/// y[m] = the sum of h[i] x[k] over i a + k b = start + m c along the last axes, for `apart` = {a, b, c} and m < count;
/// the leading axes broadcast. Its adjoints are of the same kind: with y_bar backwards in the place of the array that
/// they are of.
template <int Batch>
struct spaced_convolve_op : bilinear_op<spaced_convolve_op<Batch>> {
    static constexpr const char* name = "upfirdn";
    index_t a, b, c, start, count;

    spaced_convolve_op(index_t left, index_t right, index_t result, index_t s, index_t n)
        : a(left), b(right), c(result), start(s), count(n) {}

    template <class H, class X>
    auto value(const H& weights, const X& array) const {
        using T = typename X::value_type;
        static_assert(std::is_same_v<typename X::device_type, cpu_device>, "ricci: upfirdn runs on the CPU only");
        const auto h = dense_members<Batch>(weights);
        const auto x = dense_members<Batch>(array);
        const shape<Batch> batch = common_batch<Batch>(h, x);
        const auto y = tensor<T, Batch + 1>::uninitialized(batch_of(batch, shape<1>{count}));
        const index_t length = h.shape()[Batch], n = x.shape()[Batch];
        const auto filter = [&](index_t i) {
            return spaced_convolution<T>(h.data() + member_offset(h, batch, i), length, n, {a, b, c}, start);
        };
        if (h.size() == length) {
            const auto shared = filter(0);
            for_blocks(batch.count(), count * (length / b / 4 + 1), [&](index_t i) {
                shared.line(x.data() + member_offset(x, batch, i), y.data() + i * count, count);
            });
        } else {
            for_blocks(batch.count(), length + count * (length / b / 4 + 1), [&](index_t i) {
                filter(i).line(x.data() + member_offset(x, batch, i), y.data() + i * count, count);
            });
        }
        return make_pack(y);
    }
    template <class H, class X, class Y>
    auto left_adjoint(const H& h, const X& x, const Y& y_bar) const {
        return adjoint_of(h, a, x, b, y_bar);
    }
    template <class H, class X, class Y>
    auto right_adjoint(const H& h, const X& x, const Y& y_bar) const {
        return adjoint_of(x, b, h, a, y_bar);
    }
    auto batched() const { return spaced_convolve_op<Batch + 1>(a, b, c, start, count); }

   private:
    template <class X, class O, class Y>
    auto adjoint_of(const X& x, index_t apart, const O& other, index_t other_apart, const Y& y_bar) const {
        const index_t n = x.shape()[Batch], from = start + (count - 1) * c - (n - 1) * apart;
        const spaced_convolve_op<Batch> op(other_apart, c, apart, from, n);
        return sum_to(flip(call1(op, other, flip(y_bar, Batch)), Batch), x.shape());
    }
};

inline void require_rates(index_t n, index_t up, index_t down, const char* who) {
    if (up < 1 || down < 1) raise<value_error>({"[", who, "] the rates must be 1 or more: up ", up, ", down ", down});
    if (up > far_apart / (n + 1) || down > far_apart)
        raise<value_error>({"[", who, "] ", n, " elements at the rates up ", up, ", down ", down, " overflow"});
}
/// Elements start, start + down, ... of the convolution of h with x's lines, zeros put between these to be `up` apart:
/// `count` of them, or as many as there are.
template <class T, class H, class X>
auto at_another_rate(const H& h, const X& x, index_t up, index_t down, int axis, index_t start, index_t count,
                     const char* who) {
    static_assert(H::rank == 1, "ricci: a filter's coefficients are of rank 1: upfirdn(h, x, up, down)");
    static_assert(X::rank >= 1, "ricci: filters need an array of rank 1 or more");
    const int at = normalize_axis(axis, X::rank, who);
    require_rates(x.shape()[at], up, down, who);
    const auto weights = evaluate_as<T>(h);
    const auto lines = move_axis(evaluate_as<T>(x), at, X::rank - 1);
    const index_t n = lines.shape()[X::rank - 1];
    if (weights.size() == 0 || n == 0)
        raise<shape_error>({"[", who, "] the arrays must not be empty: h ", weights.shape(), " and x ", x.shape()});
    if (count < 0) count = ((n - 1) * up + weights.size() - 1) / down + 1;
    const spaced_convolve_op<1> op(1, up, down, start, count);
    return lines_of_rows(call1(op, reshaped(weights, shape<2>{1, weights.size()}), rows_of_lines(lines)), lines.shape(),
                         at);
}
/// Lines at `up` / `down` times their rate, filtered with h, whose middle is where it is applied.
template <class H, class X>
auto resampled_by(const H& h, const X& x, index_t up, index_t down, int axis, const char* who) {
    using T = filter_element<X, H>;
    const index_t n = x.shape()[normalize_axis(axis, X::rank, who)];
    require_rates(n, up, down, who);
    const index_t middle = (h.size() - 1) / 2;
    return at_another_rate<T>(h, x, up, down, axis, middle, (n * up + down - 1) / down, who);
}

}  // namespace detail

namespace signal {

/// Lines along an axis with `up` - 1 zeros between their elements, convolved with h, of which every `down`-th element
/// is kept: only these are computed. Types as lfilter's. Throws value_error for rates below 1, shape_error for empty
/// arrays. Bilinear. (scipy.signal.upfirdn.)
template <expression H, expression X>
auto upfirdn(const H& h, const X& x, index_t up = 1, index_t down = 1, int axis = -1) {
    return detail::at_another_rate<detail::filter_element<X, H>>(h, x, up, down, axis, 0, -1, "upfirdn");
}

/// Lines along an axis at `up` / `down` times their rate, n up / down elements, rounded up, zeros being thought of
/// outside: by upfirdn with a filter h of an odd number of elements for the rate `up`, or else with firwin's for a
/// Kaiser window of 20 times the larger of the two (their common divisor left out) and one elements. Throws as upfirdn.
/// Linear in x, and in h. (scipy.signal.resample_poly.)
template <expression X, expression H>
auto resample_poly(const X& x, index_t up, index_t down, const H& h, int axis = -1) {
    const index_t g = std::gcd(up, down), by = g > 0 ? g : 1;
    return detail::resampled_by(evaluate(h * static_cast<real_t<typename H::value_type>>(up / by)), x, up / by,
                                down / by, axis, "resample_poly");
}
template <expression X>
auto resample_poly(const X& x, index_t up, index_t down, int axis = -1) {
    using T = real_t<detail::filter_element<X>>;
    const index_t g = std::gcd(up, down), most = g > 0 ? std::max(up, down) / g : 1;
    detail::require_rates(x.shape()[detail::normalize_axis(axis, X::rank, "resample_poly")], up, down, "resample_poly");
    detail::check_extents(shape<2>{most, 20}, sizeof(T), "resample_poly");
    if (most <= 1) {  // the same rate
        return detail::unshared(detail::evaluate_as<detail::filter_element<X>>(x));
    }
    const auto h = firwin(kaiser<T>(20 * most + 1, 5), 1 / static_cast<double>(most)).to(device_t<X>{});
    return resample_poly(x, up, down, h, axis);
}

/// How decimate filters: with feedback, Chebyshev's filter of order 8, forward and back, or without, by a sum over 20 q
/// + 1 elements.
enum class decimation { iir, fir };

/// Every q-th element of lines along an axis, after a filter that takes out what is faster than their new rate can
/// show. Throws value_error for q < 1. Linear. (scipy.signal.decimate with ftype, and zero_phase=True.)
template <expression X>
auto decimate(const X& x, index_t q, int axis = -1, decimation kind = decimation::iir) {
    static_assert(X::rank >= 1, "ricci: decimate needs an array of rank 1 or more");
    using T = real_t<detail::filter_element<X>>;
    if (q < 1)
        detail::raise<value_error>({"[decimate] the number of elements of which one is kept must be 1 or more: ", q});
    detail::check_extents(shape<2>{q, 20}, sizeof(T), "decimate");
    if (kind == decimation::fir)
        return detail::resampled_by(firwin(hamming<T>(20 * q + 1), 1 / static_cast<double>(q)).to(device_t<X>{}), x, 1,
                                    q, axis, "decimate");
    const int d = detail::normalize_axis(axis, X::rank, "decimate");
    const auto sections = detail::evaluate_as<T>(cheby1_sos(8, 0.05, 0.8 / static_cast<double>(q))).to(device_t<X>{});
    const auto y = sosfiltfilt(sections, x, d);
    return detail::unshared(detail::steps_of(y, d, 0, q, (y.shape()[d] + q - 1) / q));
}

}  // namespace signal
}  // namespace ricci

// Convolution and correlation: convolve, correlate, fft_convolve.
#pragma once
#include "../contract.hpp"
#include "../elementwise/conj.hpp"
#include "../elementwise/multiply.hpp"
#include "../fft/cosine.hpp"
#include "../fft/many_axes.hpp"
#include "../rearrange.hpp"

namespace ricci {
namespace signal {

/// How much of a convolution is kept: all of it; as much as the first array has, from the middle; or where the arrays
/// overlap whole.
enum class extent_kept { full, same, valid };
inline constexpr extent_kept full = extent_kept::full, same = extent_kept::same, valid = extent_kept::valid;

/// How it is computed: by sums, by Fourier transforms, or by what takes less time.
enum class method { automatic, direct, fft };

}  // namespace signal

namespace detail {

/// Windows of `width` elements along the last axis, `hop` apart, as a new last axis; there are `count` of them.
template <class A>
auto window_spec(const A& extents, index_t count, index_t width, index_t hop) {
    constexpr int R = A::rank;
    view_spec<R, R + 1> spec;
    for (int d = 0; d < R - 1; ++d) {
        spec.source[d] = d;
        spec.step[d] = 1;
        spec.extents[d] = extents[d];
    }
    spec.source[R - 1] = spec.source[R] = R - 1;
    spec.step[R - 1] = hop;
    spec.step[R] = 1;
    spec.extents[R - 1] = count;
    spec.extents[R] = width;
    return spec;
}
/// Sums over each window of the longer line, with zeros around it.
template <class A>
A convolve_directly(const A& a, const A& v) {
    const index_t n = a.shape()[0], m = v.shape()[0];
    if (n < m) return convolve_directly(v, a);
    auto spec = identity_view(a.shape());
    spec.start[0] = m - 1;
    const shape<1> wide{n + 2 * (m - 1)};
    const auto padded = call1(unview_op<1, 1>(spec, wide), a);
    return evaluate(matmul(view_of(padded, window_spec(wide, n + m - 1, m, 1)), flip(v)));
}
/// By transforms of a length that is fast and at least that of the result.
template <class A>
A convolve_by_fft(const A& a, const A& v) {
    using T = typename A::value_type;
    constexpr int R = A::rank;
    auto extents = a.shape();
    fft_axes f{};
    f.count = R;
    for (int d = 0; d < R; ++d) {
        extents[d] = a.shape()[d] + v.shape()[d] - 1;
        f.axis[d] = d;
        const bool real_lines = d == R - 1 && !is_complex_v<T>;  // twice as fast where their length is even
        f.length[d] = real_lines ? 2 * fft::next_fast_len((extents[d] + 1) / 2) : fft::next_fast_len(extents[d]);
    }
    const int last = R - 1;
    const auto transform = [&](const A& x) {
        if constexpr (is_complex_v<T>) return complex_axes(x, f, 0, false);
        else return complex_axes(fft_from_real(x, last, f.length[last], false, f.norm), f, 1, false);
    };
    const auto product = evaluate(transform(a) * transform(v));
    const auto wide = [&] {
        if constexpr (is_complex_v<T>) return complex_axes(product, f, 0, true);
        else return fft_to_real(complex_axes(product, f, 1, true), last, f.length[last], true, f.norm);
    }();
    auto spec = identity_view(wide.shape());
    spec.extents = extents;
    return view_of(wide, spec);
}
/// The part of a full convolution of arrays of the shapes a and v that is asked for.
template <class A, int R>
A kept_part(const A& y, const shape<R>& a, const shape<R>& v, signal::extent_kept kept) {
    if (kept == signal::full) return y;
    auto spec = identity_view(y.shape());
    for (int d = 0; d < R; ++d) {
        const index_t shorter = std::min(a[d], v[d]), longer = std::max(a[d], v[d]);
        spec.extents[d] = kept == signal::same ? a[d] : longer - shorter + 1;
        spec.start[d] = (y.shape()[d] - spec.extents[d]) / 2;
    }
    return view_of(y, spec);
}
template <int R>
void check_convolved(const shape<R>& a, const shape<R>& v, signal::extent_kept kept, const char* who) {
    bool larger = false, smaller = false;
    for (int d = 0; d < R; ++d) {
        if (a[d] == 0 || v[d] == 0) raise<shape_error>({"[", who, "] the arrays must not be empty: ", a, " and ", v});
        larger = larger || a[d] > v[d];
        smaller = smaller || a[d] < v[d];
    }
    if (kept == signal::valid && larger && smaller)
        raise<shape_error>(
            {"[", who, "] valid needs one array to be no smaller than the other along each axis: ", a, " and ", v});
}
/// Both arrays as one type, with their wrappers.
template <class T, class A, class V>
auto convolved_pair(const A& a, const V& v) {
    return array_list(std::make_tuple(evaluate_as<T>(a), evaluate_as<T>(v)));
}
template <class L>
auto convolve_lines(const L& pair, signal::extent_kept kept, signal::method how) {
    using A = typename L::value_type;
    const A &a = pair[0], &v = pair[1];
    const auto full = [&] {
        if constexpr (!is_inexact_v<typename A::value_type>) {
            return convolve_directly(a, v);  // exact
        } else {
            // measured: sums take 0.1 to 0.2 ns a term, three transforms 0.4 to 0.8 ns times n log2 n and a few us
            const double n = static_cast<double>(a.shape()[0]), m = static_cast<double>(v.shape()[0]);
            const bool direct = n * m < 4 * (n + m) * std::log2(n + m) + 20000;
            if (how == signal::method::automatic ? direct : how == signal::method::direct)
                return convolve_directly(a, v);
            return convolve_by_fft(a, v);
        }
    };
    return kept_part(full(), a.shape(), v.shape(), kept);
}
template <class A, class V>
using convolved_t = compute_t<promote_t<typename A::value_type, typename V::value_type>>;

}  // namespace detail

namespace signal {

/// The convolution of two lines, y[k] the sum over j of a[j] v[k - j], in their common type (16 bits as float): all n
/// + m - 1 elements, or `same` or `valid` ones. By sums or by Fourier transforms, whose error is relative to the
/// largest elements; integers always by sums, exactly. Throws shape_error for empty lines. (scipy.signal.convolve;
/// numpy.convolve, whose `same` takes the longer line for the first.)
template <expression A, expression V>
auto convolve(const A& a, const V& v, extent_kept kept = full, method how = method::automatic) {
    static_assert(A::rank == 1 && V::rank == 1, "ricci: convolve takes arrays of rank 1; fft_convolve takes any rank");
    detail::check_convolved(a.shape(), v.shape(), kept, "convolve");
    return detail::convolve_lines(detail::convolved_pair<detail::convolved_t<A, V>>(a, v), kept, how);
}
/// The correlation of two lines: the convolution of a with the conjugate of v backwards. (scipy.signal.correlate.)
template <expression A, expression V>
auto correlate(const A& a, const V& v, extent_kept kept = full, method how = method::automatic) {
    static_assert(A::rank == 1 && V::rank == 1, "ricci: correlate takes arrays of rank 1");
    detail::check_convolved(a.shape(), v.shape(), kept, "correlate");
    using T = detail::convolved_t<A, V>;
    const auto pair = [&] {
        if constexpr (is_complex_v<T>) return detail::convolved_pair<T>(a, conj(flip(v)));
        else return detail::convolved_pair<T>(a, flip(v));
    }();
    return detail::convolve_lines(pair, kept, how);
}
/// The convolution of arrays of any rank along all axes, by Fourier transforms; integers as double. Throws shape_error
/// for empty arrays and, for `valid`, where each is larger than the other along some axis. (scipy.signal.fftconvolve.)
template <expression A, expression V>
auto fft_convolve(const A& a, const V& v, extent_kept kept = full) {
    static_assert(A::rank == V::rank && A::rank >= 1, "ricci: fft_convolve takes two arrays of the same rank");
    detail::check_convolved(a.shape(), v.shape(), kept, "fft_convolve");
    const auto pair = detail::convolved_pair<inexact_t<detail::convolved_t<A, V>>>(a, v);
    return detail::kept_part(detail::convolve_by_fft(pair[0], pair[1]), pair[0].shape(), pair[1].shape(), kept);
}

}  // namespace signal
}  // namespace ricci

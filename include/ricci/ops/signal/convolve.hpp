// Convolution and correlation: convolve, correlate, fft_convolve.
#pragma once
#include "../../cpu/convolve.hpp"
#include "../contract/bilinear.hpp"
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

/// The elements start[d] ... start[d] + extents[d] - 1 of the convolution of two arrays along their last N axes, 0
/// where it has none; the leading axes broadcast. Its adjoints are such windows again.
template <int Batch, int N>
struct convolve_op : bilinear_op<convolve_op<Batch, N>> {
    static constexpr const char* name = "convolve";
    shape<N> start, extents;

    convolve_op(const shape<N>& s, const shape<N>& e) : start(s), extents(e) {}

    template <class A, class V>
    shape<Batch + N> result_shape(const A& a, const V& v) const {
        return batch_of(common_batch<Batch>(a, v), extents);
    }
    template <class A, class V>
    auto value(const A& array, const V& weights) const {
        using T = typename A::value_type;
        static_assert(std::is_same_v<typename A::device_type, cpu_device>, "ricci: convolution runs on the CPU only");
        const auto a = dense_members<Batch>(array);
        const auto v = dense_members<Batch>(weights);
        const auto y = tensor<T, Batch + N>::uninitialized(result_shape(a, v));
        const shape<Batch> batch = common_batch<Batch>(a, v);
        const shape<N> n = convolved_axes(a), m = convolved_axes(v);
        const index_t members = batch.count(), size = extents.count();
        const auto member = [&](index_t i, bool threads) {
            const T *const x = a.data() + member_offset(a, batch, i), *const w = v.data() + member_offset(v, batch, i);
            T* const to = y.data() + i * size;
            if (m.count() <= n.count()) convolution<T, N>(x, n, w, m, to, extents, start).run(threads);
            else convolution<T, N>(w, m, x, n, to, extents, start).run(threads);
        };
        if (members == 1) member(0, true);
        else for_blocks(members, size * (std::min(m.count(), n.count()) / 8 + 1), [&](index_t i) { member(i, false); });
        return make_pack(y);
    }
    template <class A, class V, class Y>
    auto left_adjoint(const A& a, const V& v, const Y& y_bar) const {
        return adjoint_of(a, v, y_bar);
    }
    template <class A, class V, class Y>
    auto right_adjoint(const A& a, const V& v, const Y& y_bar) const {
        return adjoint_of(v, a, y_bar);
    }
    auto batched() const { return convolve_op<Batch + 1, N>(start, extents); }

   private:
    template <class A>
    static shape<N> convolved_axes(const A& a) {
        shape<N> n;
        for (int d = 0; d < N; ++d) n[d] = a.shape()[Batch + d];
        return n;
    }
    /// x_bar[i] = sum over k of y_bar[k] other[start + k - i]: a window of the convolution with `other` backwards.
    template <class X, class O, class Y>
    auto adjoint_of(const X& x, const O& other, const Y& y_bar) const {
        const shape<N> m = convolved_axes(other);
        shape<N> from;
        auto backwards = identity_view(other.shape());
        for (int d = 0; d < N; ++d) {
            from[d] = m[d] - 1 - start[d];
            backwards.start[Batch + d] = m[d] - 1;
            backwards.step[Batch + d] = -1;
        }
        const auto x_bar = call1(convolve_op<Batch, N>(from, convolved_axes(x)), y_bar, view_of(other, backwards));
        return sum_to(x_bar, x.shape());
    }
};
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
template <int R>
struct kept_window {
    shape<R> start, extents;
    kept_window(const shape<R>& a, const shape<R>& v, signal::extent_kept kept) {
        for (int d = 0; d < R; ++d) {
            const index_t shorter = std::min(a[d], v[d]), longer = std::max(a[d], v[d]), all = a[d] + v[d] - 1;
            extents[d] = kept == signal::full ? all : kept == signal::same ? a[d] : longer - shorter + 1;
            start[d] = (all - extents[d]) / 2;
        }
    }
    template <class A>
    A of(const A& full) const {
        if (full.shape() == extents) return full;
        auto spec = identity_view(full.shape());
        spec.extents = extents;
        spec.start = start;
        return view_of(full, spec);
    }
};
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
/// Whether sums take less time than transforms: of `terms` products against three transforms of `size` elements.
template <class T>
bool sums_are_faster(double terms, double size) {
    // measured in ns on one core with AVX-512, of lines and images: a product of floats 0.026, of doubles twice that,
    // of complex numbers four times; the transforms 0.26 n log2 n of floats, and 1500
    constexpr double bytes = sizeof(real_t<T>);
    constexpr bool is_complex = is_complex_v<T>;
    return terms * 0.0065 * bytes * (is_complex ? 4 : 1) <
           size * std::log2(size + 1) * 0.065 * bytes * (is_complex ? 2 : 1) + 1500;
}
template <class L>
auto convolve_pair(const L& pair, signal::extent_kept kept, signal::method how) {
    using A = typename L::value_type;
    using T = typename A::value_type;
    const A &a = pair[0], &v = pair[1];
    if constexpr (std::is_same_v<T, bool>) {  // counts, of which no more than 0 matters
        return evaluate(convolve_pair(convolved_pair<std::int32_t>(a, v), kept, how) != 0);
    } else {
        const kept_window<A::rank> window(a.shape(), v.shape(), kept);
        if constexpr (is_inexact_v<T>) {  // integers are exact
            const kept_window<A::rank> whole(a.shape(), v.shape(), signal::full);
            const double terms =
                static_cast<double>(window.extents.count()) * static_cast<double>(std::min(a.size(), v.size()));
            const bool sums = sums_are_faster<T>(terms, static_cast<double>(whole.extents.count()));
            if (how == signal::method::automatic ? !sums : how == signal::method::fft)
                return window.of(convolve_by_fft(a, v));
        }
        return A(call1(convolve_op<0, A::rank>(window.start, window.extents), a, v));
    }
}
/// Whether arrays can be convolved by their ranks, as a question, so that its answer is the only error.
template <class A, class V>
consteval bool are_convolved() {
    constexpr bool yes = A::rank == V::rank && A::rank >= 1;
    static_assert(yes, "ricci: convolve, correlate and fft_convolve take two arrays of the same rank, 1 or more");
    return yes;
}
template <class A, class V>
using convolved_t = compute_t<promote_t<typename A::value_type, typename V::value_type>>;

}  // namespace detail

namespace signal {

/// The convolution of two arrays of one rank along all axes, y[k] the sum over j of a[j] v[k - j], in their common type
/// (16 bits as float; of truth values whether there is a j for which both hold): all n + m - 1 elements along each
/// axis, or `same` or `valid` ones. By sums or by Fourier transforms, whose error is relative to the largest elements,
/// whatever takes less time unless said; integers always by sums, exactly. Throws shape_error for empty arrays and, for
/// `valid`, where each is larger than the other along some axis. Bilinear: adjoints are correlations.
/// (scipy.signal.convolve and convolve2d; numpy.convolve, whose `same` takes the longer line for the first.)
template <expression A, expression V>
auto convolve(const A& a, const V& v, extent_kept kept = full, method how = method::automatic) {
    if constexpr (detail::are_convolved<A, V>()) {
        detail::check_convolved(a.shape(), v.shape(), kept, "convolve");
        return detail::convolve_pair(detail::convolved_pair<detail::convolved_t<A, V>>(a, v), kept, how);
    }
}
/// The correlation of two arrays: the convolution of a with the conjugate of v, backwards along all axes.
/// (scipy.signal.correlate.)
template <expression A, expression V>
auto correlate(const A& a, const V& v, extent_kept kept = full, method how = method::automatic) {
    if constexpr (detail::are_convolved<A, V>()) {
        detail::check_convolved(a.shape(), v.shape(), kept, "correlate");
        using T = detail::convolved_t<A, V>;
        const auto pair = [&] {
            if constexpr (is_complex_v<T>) return detail::convolved_pair<T>(a, conj(flip(v)));
            else return detail::convolved_pair<T>(a, flip(v));
        }();
        return detail::convolve_pair(pair, kept, how);
    }
}
/// The convolution of arrays of any rank along all axes, by Fourier transforms; integers as double. Throws as convolve
/// does. (scipy.signal.fftconvolve.)
template <expression A, expression V>
auto fft_convolve(const A& a, const V& v, extent_kept kept = full) {
    if constexpr (detail::are_convolved<A, V>()) {
        detail::check_convolved(a.shape(), v.shape(), kept, "fft_convolve");
        const auto pair = detail::convolved_pair<inexact_t<detail::convolved_t<A, V>>>(a, v);
        const detail::kept_window<A::rank> window(pair[0].shape(), pair[1].shape(), kept);
        return window.of(detail::convolve_by_fft(pair[0], pair[1]));
    }
}

}  // namespace signal
}  // namespace ricci

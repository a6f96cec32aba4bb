// Cosine and sine transforms of types I to IV: dct, idct, dst, idst; lengths that transform fast.
#pragma once
#include "../../cpu/fft/vector.hpp"
#include "../elementwise/complex.hpp"
#include "../elementwise/imag.hpp"
#include "../elementwise/real.hpp"
#include "one_axis.hpp"

namespace ricci {
namespace detail {

/// Numbers of one axis, to be broadcast over an array A.
template <class A, class T>
auto along_axis(const tensor<T, 1>& x, int axis) {
    auto extents = unit_shape<A::rank>();
    extents[axis] = x.size();
    return reshaped(x.to(device_t<A>{}), extents);
}
/// scale e^(-2 pi i (first + k step) / points) for k < n, along an axis.
template <class A, class T>
auto phases(index_t n, index_t first, index_t step, index_t points, std::complex<T> scale, int axis) {
    const auto w = tensor<std::complex<T>, 1>::uninitialized({n});
    for (index_t k = 0; k < n; ++k) w.data()[k] = root_of_unity<T>(first + k * step, points) * scale;
    return along_axis<A>(w, axis);
}
/// All ones, but `first` and `last` at the ends of an axis: what makes the matrix of a transform orthogonal.
template <class A, class T>
auto end_weights(index_t n, T first, T last, int axis) {
    const auto w = tensor<T, 1>::uninitialized({n});
    for (index_t k = 0; k < n; ++k) w.data()[k] = 1;
    w.data()[n - 1] = last;
    w.data()[0] *= first;
    return along_axis<A>(w, axis);
}

/// The transforms without scale, as halves of Fourier transforms of twice the length.
template <bool Sine, class A>
auto trigonometric(const A& x, int type, int axis) {
    using T = typename A::value_type;
    using C = std::complex<T>;
    constexpr int R = A::rank;
    const index_t n = x.shape()[axis];
    const auto halves = [&](const auto& spectrum, index_t first) {  // 2 Re, or -2 Im, of the elements from `first` on
        const auto part = stretch_of(spectrum, axis, first, n);
        if constexpr (Sine) return evaluate(imag(part) * T(-2));
        else return evaluate(real(part) * T(2));
    };
    const auto filled = [&](const auto& a, index_t before) {  // with zeros in front
        auto wide = a.shape();
        wide[axis] += before;
        auto spec = identity_view(a.shape());
        spec.start[axis] = before;
        return call1(unview_op<R, R>(spec, wide), a);
    };
    if (type == 1) {
        if constexpr (Sine) return halves(fft_from_real(filled(x, 1), axis, 2 * (n + 1), false, fft::backward), 1);
        else
            return evaluate(
                stretch_of(fft_to_real(as_fft_complex(x), axis, 2 * (n - 1), true, fft::forward), axis, 0, n));
    }
    if (type == 2) {
        const auto y = fft_from_real(x, axis, 2 * n, false, fft::backward);
        return halves(evaluate(y * phases<A>(n + 1, 0, 1, 4 * n, C(1), axis)), Sine ? 1 : 0);
    }
    if (type == 3) {
        const auto turned = [&](index_t first, C by) {
            return evaluate(x * phases<A>(n, -first, -1, 4 * n, by, axis));
        };
        const auto spectrum = Sine ? filled(turned(1, C(0, -1)), 1) : turned(0, C(1));
        return evaluate(stretch_of(fft_to_real(spectrum, axis, 2 * n, true, fft::forward), axis, 0, n));
    }
    const auto z = evaluate(x * phases<A>(n, 0, 1, 4 * n, C(1), axis));
    const auto y = stretch_of(complex_fft(z, axis, 2 * n, false, fft::backward), axis, 0, n);
    return halves(evaluate(y * phases<A>(n, 1, 2, 8 * n, C(1), axis)), 0);
}
template <bool Sine, class E, class Options>
auto trigonometric_transform(const E& e, int type, const Options& o, bool inverse, const char* who) {
    want_real<E>();
    const auto a = as_fft_real(e);
    using A = std::remove_cvref_t<decltype(a)>;
    using T = typename A::value_type;
    constexpr int R = A::rank;
    const int axis = normalize_axis(o.axis, R, who);
    const index_t n = fft_length(o.n, a.shape()[axis], who);
    if (type < 1 || type > 4) raise<value_error>({"[", who, "] the type must be 1, 2, 3 or 4: ", type});
    if (!Sine && type == 1 && n < 2) raise<value_error>({"[", who, "] type 1 needs at least 2 points: ", n});
    if (inverse && (type == 2 || type == 3)) type = 5 - type;
    A x = resized_axis(a, axis, n);
    // of each type the matrix times its transpose's kind is `points` times the identity
    const index_t points = type == 1 ? 2 * (Sine ? n + 1 : n - 1) : 2 * n;
    const bool ends_in = o.norm == fft::ortho && (type == 3 || (type == 1 && !Sine));
    const bool ends_out = o.norm == fft::ortho && (type == 2 || (type == 1 && !Sine));
    const T root = static_cast<T>(1.41421356237309504880L);
    const auto ends = [&](T by) { return end_weights<A>(n, Sine ? T(1) : by, Sine || type == 1 ? by : T(1), axis); };
    if (ends_in) x = evaluate(x * ends(root));
    A y = trigonometric<Sine>(x, type, axis);
    if (ends_out) y = evaluate(y * ends(1 / root));
    const T scale = fft_scale<T>(o.norm, inverse, points);
    return scale == T(1) ? y : A(evaluate(y * scale));
}

}  // namespace detail

namespace fft {

/// The cosine transform of real lines along an axis, of type 1, 2, 3 or 4 (scipy.fft.dct's, with norm ortho made
/// orthogonal): of type 2, y[k] is 2 times the sum over j of x[j] cos(pi k (2 j + 1) / (2 n)). Lengths and errors as
/// fft's; type 1 needs 2 points.
template <expression E>
auto dct(const E& x, int type = 2, const options& o = {}) {
    return detail::trigonometric_transform<false>(x, type, o, false, "dct");
}
/// Its inverse.
template <expression E>
auto idct(const E& x, int type = 2, const options& o = {}) {
    return detail::trigonometric_transform<false>(x, type, o, true, "idct");
}
/// The sine transform: of type 2, 2 times the sums of x[j] sin(pi (k + 1) (2 j + 1) / (2 n)). (scipy.fft.dst.)
template <expression E>
auto dst(const E& x, int type = 2, const options& o = {}) {
    return detail::trigonometric_transform<true>(x, type, o, false, "dst");
}
/// Its inverse.
template <expression E>
auto idst(const E& x, int type = 2, const options& o = {}) {
    return detail::trigonometric_transform<true>(x, type, o, true, "idst");
}

/// The least length from n on that is a product of 2, 3 and 5. Throws value_error for n < 1. (scipy.fft.next_fast_len.)
inline index_t next_fast_len(index_t n) {
    detail::check_fft_length(n, "next_fast_len");
    index_t best = 1;
    while (best < n) best *= 2;
    for (index_t fives = 1; fives < best; fives *= 5)
        for (index_t odd = fives; odd < best; odd *= 3) {
            index_t length = odd;
            while (length < n) length *= 2;
            if (length < best) best = length;
        }
    return best;
}

}  // namespace fft
}  // namespace ricci

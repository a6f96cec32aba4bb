// Cosine and sine transforms of types I to IV: dct, idct, dst, idst; lengths that transform fast.
#pragma once
#include <span>
#include <vector>

#include "../../cpu/fft/vector.hpp"
#include "../create.hpp"
#include "../elementwise/complex.hpp"
#include "../elementwise/imag.hpp"
#include "../elementwise/real.hpp"
#include "../join.hpp"
#include "one_axis.hpp"

namespace ricci {
namespace detail {

/// The roots e^(-2 pi i (First + k Step) / (Circle n)) for k < n, of the lengths used last.
template <class T, int First, int Step, int Circle>
struct root_table {
    index_t n;
    std::vector<std::complex<T>> roots;  // no array, whose allocator may be gone when the next transform comes

    explicit root_table(index_t count) : n(count), roots(static_cast<std::size_t>(count)) {
        for (index_t k = 0; k < n; ++k)
            roots[static_cast<std::size_t>(k)] = root_of_unity<T>(First + k * Step, Circle * n);
    }
    index_t bytes() const { return n * index_t(sizeof(std::complex<T>)); }
};
/// The first `count` of them, along an axis.
template <int First, int Step, int Circle, class A>
auto phases(index_t n, index_t count, int axis) {
    using table = root_table<real_t<typename A::value_type>, First, Step, Circle>;
    const std::span all(cached_plan<table>(n).roots);
    return beside_axis<A::rank>(from_span(all.first(static_cast<std::size_t>(count))).to(device_t<A>{}), axis);
}
template <class A>
A reversed(const A& a, int axis) {
    const index_t n = a.shape()[axis];
    return steps_of(a, axis, n - 1, -1, n);
}
/// With a zero in front.
template <class A>
A after_zero(const A& a, int axis) {
    auto wide = a.shape();
    wide[axis] += 1;
    auto spec = identity_view(a.shape());
    spec.start[axis] = 1;
    return call1(unview_op<A::rank, A::rank>(spec, wide), a);
}
/// (re + i im) (cosine + i sine)
template <class A, class B, class W, class V>
auto times_root(const A& re, const B& im, const W& cosine, const V& sine) {
    return complex(re * cosine - im * sine, re * sine + im * cosine);
}
/// The elements of two arrays in turn, of which the second has as many as the first or one less.
template <class A>
A in_turn(const A& even, const A& odd, int axis) {
    const index_t pairs = even.shape()[axis], n = pairs + odd.shape()[axis];
    auto extents = even.shape();
    extents[axis] = 2 * pairs;
    const auto both = stack_list(std::vector<A>{even, resized_axis(odd, axis, pairs)}, axis + 1, "dct");
    return stretch_of(reshaped(both, extents), axis, 0, n);
}

/// All ones, but `first` and `last` at the ends of an axis: what makes the matrix of a transform orthogonal.
template <class A, class T>
auto end_weights(index_t n, T first, T last, int axis) {
    const auto w =
        vector_of<T, device_t<A>>(n, [&](index_t k) { return (k == 0 ? first : T(1)) * (k == n - 1 ? last : T(1)); });
    return beside_axis<A::rank>(w, axis);
}

/// The transforms of types 1 to 4 without scale. A sine transform of type 2 is the cosine transform of x with the signs
/// of every other element changed, in reverse; that of type 3 is its transpose; of type 4 it is both at once.
///
/// Type 2 by a Fourier transform of the same length (Makhoul, A fast cosine transform in one and two dimensions, IEEE
/// Transactions on Acoustics, Speech, and Signal Processing 28, 1980): of the even elements and then the odd ones from
/// the last on.
template <bool Sine, class A>
A second_trigonometric(const A& x, int axis) {
    using T = typename A::value_type;
    const index_t n = x.shape()[axis], odd = n / 2;
    A last = steps_of(x, axis, 2 * odd - 1, -2, odd);
    if constexpr (Sine) last = evaluate(-last);
    const auto folded = concat_list(std::vector<A>{steps_of(x, axis, 0, 2, n - odd), last}, axis, "dct");
    const auto spectrum = fft_from_real(folded, axis, n, false, fft::backward);
    const auto roots = phases<0, 1, 4, A>(n, n / 2 + 1, axis);
    const index_t mirrored = (n - 1) / 2;
    const A near = evaluate(real(spectrum * roots) * T(2));
    const A far =
        evaluate(imag(stretch_of(spectrum, axis, 1, mirrored) * stretch_of(roots, axis, 1, mirrored)) * T(-2));
    return Sine ? A(concat_list(std::vector<A>{far, reversed(near, axis)}, axis, "dst"))
                : A(concat_list(std::vector<A>{near, reversed(far, axis)}, axis, "dct"));
}
template <bool Sine, class A>
A third_trigonometric(const A& x, int axis) {
    const index_t n = x.shape()[axis], odd = n / 2;
    const A near = Sine ? steps_of(x, axis, n - 1, -1, n / 2 + 1) : steps_of(x, axis, 0, 1, n / 2 + 1);
    const A far = Sine ? steps_of(x, axis, 0, 1, n / 2) : steps_of(x, axis, n - 1, -1, n / 2);
    const auto roots = phases<0, 1, 4, A>(n, n / 2 + 1, axis);
    const auto spectrum = evaluate(times_root(near, -after_zero(far, axis), real(roots), -imag(roots)));
    const A folded = fft_to_real(spectrum, axis, n, true, fft::forward);
    A last = steps_of(folded, axis, n - 1, -1, odd);
    if constexpr (Sine) last = evaluate(-last);
    return in_turn(steps_of(folded, axis, 0, 1, n - odd), last, axis);
}
/// Type 4 of an even length by a complex Fourier transform of half of it, of an odd one by one of twice the length.
template <bool Sine, class A>
A fourth_trigonometric(const A& x, int axis) {
    using T = typename A::value_type;
    const index_t n = x.shape()[axis], half = n / 2;
    if (n % 2 != 0) {
        const auto spectrum =
            complex_fft(evaluate(x * phases<0, 1, 4, A>(n, n, axis)), axis, 2 * n, false, fft::backward);
        const auto turned = stretch_of(spectrum, axis, 0, n) * phases<1, 2, 8, A>(n, n, axis);
        if constexpr (Sine) return evaluate(imag(turned) * T(-2));
        else return evaluate(real(turned) * T(2));
    }
    const A up = steps_of(x, axis, 0, 2, half), down = steps_of(x, axis, n - 1, -2, half);
    const auto roots = phases<1, 4, 16, A>(half, half, axis);
    const auto folded = evaluate(times_root(Sine ? down : up, Sine ? up : down, real(roots), imag(roots)));
    const auto spectrum = complex_fft(folded, axis, half, false, fft::backward);
    const auto turned = spectrum * phases<0, 1, 4, A>(half, half, axis);
    const A even = evaluate(real(turned) * T(2)), odd = evaluate(imag(turned) * T(Sine ? 2 : -2));
    return in_turn(even, reversed(odd, axis), axis);
}
template <bool Sine, class A>
A trigonometric(const A& x, int type, int axis) {
    using T = typename A::value_type;
    if (type == 2) return second_trigonometric<Sine>(x, axis);
    if (type == 3) return third_trigonometric<Sine>(x, axis);
    if (type == 4) return fourth_trigonometric<Sine>(x, axis);
    const index_t n = x.shape()[axis];
    if constexpr (Sine) {
        const auto spectrum = fft_from_real(after_zero(x, axis), axis, 2 * (n + 1), false, fft::backward);
        return evaluate(imag(stretch_of(spectrum, axis, 1, n)) * T(-2));
    } else {
        return stretch_of(fft_to_real(as_fft_complex(x), axis, 2 * (n - 1), true, fft::forward), axis, 0, n);
    }
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

// Options one after the other, as SciPy has them behind the type; or in braces, without a type, of type 2.
#define RICCI_FFT_OPTIONS_BEHIND_TYPE(function)                \
    template <expression E>                                    \
    auto function(const E& x, const options& o) {              \
        return function(x, 2, o);                              \
    }                                                          \
    template <expression E, class... Options>                  \
        requires(sizeof...(Options) > 0)                       \
    auto function(const E& x, int type, const Options&... o) { \
        return function(x, type, detail::fft_options(o...));   \
    }

/// The cosine transform of real lines along an axis, of type 1, 2, 3 or 4 (scipy.fft.dct's, with norm ortho made
/// orthogonal): of type 2, y[k] is 2 times the sum over j of x[j] cos(pi k (2 j + 1) / (2 n)). Lengths and errors as
/// fft's; type 1 needs 2 points. As SciPy's, n, axis and norm may follow the type: dct(x, 2, 8, 0, ortho); options in
/// braces may do without one: dct(x, {.norm = ortho}).
template <expression E>
auto dct(const E& x, int type = 2, const options& o = {}) {
    return detail::trigonometric_transform<false>(x, type, o, false, "dct");
}
RICCI_FFT_OPTIONS_BEHIND_TYPE(dct)
/// Its inverse.
template <expression E>
auto idct(const E& x, int type = 2, const options& o = {}) {
    return detail::trigonometric_transform<false>(x, type, o, true, "idct");
}
RICCI_FFT_OPTIONS_BEHIND_TYPE(idct)
/// The sine transform: of type 2, 2 times the sums of x[j] sin(pi (k + 1) (2 j + 1) / (2 n)). (scipy.fft.dst.)
template <expression E>
auto dst(const E& x, int type = 2, const options& o = {}) {
    return detail::trigonometric_transform<true>(x, type, o, false, "dst");
}
RICCI_FFT_OPTIONS_BEHIND_TYPE(dst)
/// Its inverse.
template <expression E>
auto idst(const E& x, int type = 2, const options& o = {}) {
    return detail::trigonometric_transform<true>(x, type, o, true, "idst");
}
RICCI_FFT_OPTIONS_BEHIND_TYPE(idst)
#undef RICCI_FFT_OPTIONS_BEHIND_TYPE

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

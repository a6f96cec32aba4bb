// The Fourier transforms along one axis as ops: complex, from real and to real lines. They are linear; each has its
// transpose here.
#pragma once
#include "../../cpu/fft/library.hpp"
#include "../create.hpp"
#include "../elementwise/abs.hpp"
#include "../rearrange.hpp"
#include "../reduce.hpp"

namespace ricci {
namespace detail {

inline namespace RICCI_FFT_NAMESPACE {

/// Every element of a line depends on all of it.
template <class To, int R, class A>
auto line_marks(const A& marks, int axis, const shape<R>& extents) {
    const auto any = evaluate(sum(abs(marks), axis, keepdims));
    return evaluate_as<To>(expanded(any, extents));
}

/// scale times the sums over j of x[j] e^(-+ 2 pi i j k / n). The matrix is symmetric: the transpose is the op itself.
template <class T, int R>
struct fft_op : linear_op<fft_op<T, R>> {
    static constexpr const char* name = "fft";
    int axis;
    bool inverse;
    T scale;
    shape<R> extents;

    fft_op(int a, bool i, T s, const shape<R>& e) : axis(a), inverse(i), scale(s), extents(e) {}
    template <class X, class D>
    auto value(const tensor<X, R, D>& x) const {
        return make_pack(executor<D>::fourier(fft_library(), x, axis, inverse, scale));
    }
    shape<R> result_shape() const { return extents; }
    auto transpose() const { return *this; }
    auto batched(index_t batch) const { return fft_op<T, R + 1>(axis + 1, inverse, scale, prefixed(batch, extents)); }
    template <class Active, class A, class... M>
    auto dependence(const pack<const A*>&, const pack<const M*...>& marks) const {
        return make_pack(line_marks<std::complex<T>>(*get<0>(marks), axis, extents));
    }
};

template <class T, int R>
struct fft_to_real_op;

/// The first n / 2 + 1 elements of a real line's transform: scale times, but for element 0 and, of an even n, the
/// last, interior times the sums over j of x[j] e^(-+ 2 pi i j k / n).
template <class T, int R>
struct fft_from_real_op : linear_op<fft_from_real_op<T, R>> {
    static constexpr const char* name = "rfft";
    int axis;
    bool inverse;
    T scale, interior;
    shape<R> from;

    fft_from_real_op(int a, bool i, T s, T c, const shape<R>& f)
        : axis(a), inverse(i), scale(s), interior(c), from(f) {}
    template <class X, class D>
    auto value(const tensor<X, R, D>& x) const {
        return make_pack(
            executor<D>::fourier_from_real(fft_library(), x, axis, inverse, scale, interior, result_shape()));
    }
    shape<R> result_shape() const {
        auto s = from;
        s[axis] = from[axis] / 2 + 1;
        return s;
    }
    auto transpose() const { return fft_to_real_op<T, R>(axis, inverse, scale, interior, from); }
    auto batched(index_t batch) const {
        return fft_from_real_op<T, R + 1>(axis + 1, inverse, scale, interior, prefixed(batch, from));
    }
    template <class Active, class A, class... M>
    auto dependence(const pack<const A*>&, const pack<const M*...>& marks) const {
        return make_pack(line_marks<std::complex<T>>(*get<0>(marks), axis, result_shape()));
    }
};

/// Its transpose: the real parts of the sums over k of scale (but for the ends, scale times interior) y[k] e^(-+ 2 pi
/// i j k / n).
template <class T, int R>
struct fft_to_real_op : linear_op<fft_to_real_op<T, R>> {
    static constexpr const char* name = "irfft";
    int axis;
    bool inverse;
    T scale, interior;
    shape<R> extents;

    fft_to_real_op(int a, bool i, T s, T c, const shape<R>& e)
        : axis(a), inverse(i), scale(s), interior(c), extents(e) {}
    template <class X, class D>
    auto value(const tensor<X, R, D>& x) const {
        return make_pack(executor<D>::fourier_to_real(fft_library(), x, axis, inverse, scale, interior, extents));
    }
    shape<R> result_shape() const { return extents; }
    auto transpose() const { return fft_from_real_op<T, R>(axis, inverse, scale, interior, extents); }
    auto batched(index_t batch) const {
        return fft_to_real_op<T, R + 1>(axis + 1, inverse, scale, interior, prefixed(batch, extents));
    }
    template <class Active, class A, class... M>
    auto dependence(const pack<const A*>&, const pack<const M*...>& marks) const {
        return make_pack(line_marks<T>(*get<0>(marks), axis, extents));
    }
};

}  // namespace RICCI_FFT_NAMESPACE
}  // namespace detail
}  // namespace ricci

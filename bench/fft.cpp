// Fourier transforms. There is no hand-written row: the mark is FFTW, which plans by ESTIMATE, called directly.
#include "bench.hpp"

#if RICCI_BENCH_FFTW
#include <fftw3.h>
#endif

namespace {

using namespace bench;

template <class T>
using line = rc::tensor<std::complex<T>, 1>;

/// Input number 0 as complex numbers.
template <class T>
rc::tensor<std::complex<T>, 2> numbers(index_t lines, index_t n) {
    const auto& x = input<T>(0, 2 * lines * n);
    const auto z = rc::tensor<std::complex<T>, 2>::uninitialized({lines, n});
    std::copy(x.data(), x.data() + x.size(), reinterpret_cast<T*>(z.data()));
    return z;
}
template <class T, int R>
result parts(const rc::tensor<std::complex<T>, R>& z) {
    return {reinterpret_cast<const T*>(z.data()), 2 * z.size()};
}
/// The transform in double: the library's own, which its tests check against the definition.
template <class T, int R>
std::vector<double> expected(const rc::tensor<T, R>& z) {
    const auto y = rc::evaluate(rc::astype<std::complex<double>>(z));
    const auto* at = reinterpret_cast<const double*>(y.data());
    return {at, at + 2 * y.size()};
}

#if RICCI_BENCH_FFTW
template <class T>
struct fftw;
#define RICCI_BENCH_FFTW_API(T, p)                                                                                    \
    template <>                                                                                                       \
    struct fftw<T> {                                                                                                  \
        static auto* of(std::complex<T>* z) { return reinterpret_cast<p##_complex*>(z); }                             \
        static auto complex(int lines, int n, std::complex<T>* x, std::complex<T>* y) {                               \
            return p##_plan_many_dft(1, &n, lines, of(x), nullptr, 1, n, of(y), nullptr, 1, n, FFTW_FORWARD,          \
                                     FFTW_ESTIMATE);                                                                  \
        }                                                                                                             \
        static auto plane(int n, std::complex<T>* x, std::complex<T>* y) {                                            \
            return p##_plan_dft_2d(n, n, of(x), of(y), FFTW_FORWARD, FFTW_ESTIMATE);                                  \
        }                                                                                                             \
        static auto real(int n, T* x, std::complex<T>* y) { return p##_plan_dft_r2c_1d(n, x, of(y), FFTW_ESTIMATE); } \
        static void run(p##_plan q) { p##_execute(q); }                                                               \
    };
RICCI_BENCH_FFTW_API(float, fftwf)
RICCI_BENCH_FFTW_API(double, fftw)
#undef RICCI_BENCH_FFTW_API
#endif

template <class T>
constexpr double tolerance = sizeof(T) == 4 ? 1e-5 : 1e-13;
template <class T>
std::string named(const char* kind) {
    return std::string(kind) + (sizeof(T) == 4 ? " f32" : " f64");
}

template <class T>
void complex_lines(index_t lines, index_t n) {
    const row r(named<T>("fft"), lines == 1 ? std::to_string(n) : by(lines, n), tolerance<T>,
                [=] { return expected(rc::fft::fft(rc::astype<std::complex<double>>(numbers<T>(lines, n)))); });
    r.add("ricci", [=] {
        return [x = numbers<T>(lines, n), y = rc::tensor<std::complex<T>, 2>()]() mutable {
            y = rc::fft::fft(x);
            return parts(y);
        };
    });
#if RICCI_BENCH_FFTW
    r.add("fftw", [=] {
        const auto x = numbers<T>(lines, n), y = numbers<T>(lines, n);
        return [x, y, plan = fftw<T>::complex(static_cast<int>(lines), static_cast<int>(n), x.data(), y.data())] {
            fftw<T>::run(plan);
            return parts(y);
        };
    });
#endif
}
template <class T>
void real_line(index_t n) {
    const row r(named<T>("rfft"), n, tolerance<T>,
                [=] { return expected(rc::fft::rfft(rc::astype<double>(input<T>(0, n)))); });
    r.add("ricci", [=] {
        return [x = input<T>(0, n), y = line<T>()]() mutable {
            y = rc::fft::rfft(x);
            return parts(y);
        };
    });
#if RICCI_BENCH_FFTW
    r.add("fftw", [=] {
        const auto x = input<T>(0, n);
        const auto y = line<T>::uninitialized({n / 2 + 1});
        return [x, y, plan = fftw<T>::real(static_cast<int>(n), x.data(), y.data())] {
            fftw<T>::run(plan);
            return parts(y);
        };
    });
#endif
}
template <class T>
void plane(index_t n) {
    const row r(named<T>("fft2"), by(n, n), tolerance<T>,
                [=] { return expected(rc::fft::fft2(rc::astype<std::complex<double>>(numbers<T>(n, n)))); });
    r.add("ricci", [=] {
        return [x = numbers<T>(n, n), y = rc::tensor<std::complex<T>, 2>()]() mutable {
            y = rc::fft::fft2(x);
            return parts(y);
        };
    });
#if RICCI_BENCH_FFTW
    r.add("fftw", [=] {
        const auto x = numbers<T>(n, n), y = numbers<T>(n, n);
        return [x, y, plan = fftw<T>::plane(static_cast<int>(n), x.data(), y.data())] {
            fftw<T>::run(plan);
            return parts(y);
        };
    });
#endif
}

const bool registered = [] {
    for (const index_t n : {64, 256, 1024, 4096, 16384, 65536, 262144, 1048576}) complex_lines<float>(1, n);
    for (const index_t n : {1024, 65536, 1048576}) complex_lines<double>(1, n);
    for (const index_t n : {360, 1000, 1009, 5040, 100000}) complex_lines<float>(1, n);
    for (const index_t n : {1000, 1009}) complex_lines<double>(1, n);
    for (const index_t n : {16, 64, 1000}) complex_lines<float>(1000, n);
    for (const index_t n : {1024, 65536}) real_line<float>(n);
    real_line<double>(1024);
    plane<float>(512);
    plane<double>(512);
    return true;
}();

}  // namespace

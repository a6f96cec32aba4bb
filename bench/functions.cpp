// Single element-wise functions, float and double, beside the vector functions of glibc and xsimd's.
#include "bench.hpp"
#include "hand.hpp"
#if defined(__AVX512F__) && defined(__GLIBC__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__) && defined(__GLIBC__)
#define RICCI_BENCH_MVEC 1
#define RICCI_BENCH_MVEC_FUNCTION(name) \
    extern "C" {                        \
    __m512 _ZGVeN16v_##name##f(__m512); \
    __m512d _ZGVeN8v_##name(__m512d);   \
    }
RICCI_BENCH_MVEC_FUNCTION(exp)
RICCI_BENCH_MVEC_FUNCTION(log)
RICCI_BENCH_MVEC_FUNCTION(sin)
RICCI_BENCH_MVEC_FUNCTION(cos)
RICCI_BENCH_MVEC_FUNCTION(tan)
RICCI_BENCH_MVEC_FUNCTION(tanh)
RICCI_BENCH_MVEC_FUNCTION(erf)
RICCI_BENCH_MVEC_FUNCTION(expm1)
RICCI_BENCH_MVEC_FUNCTION(log1p)
RICCI_BENCH_MVEC_FUNCTION(atan)
RICCI_BENCH_MVEC_FUNCTION(cbrt)
extern "C" {
__m512 _ZGVeN16vv_powf(__m512, __m512);
__m512d _ZGVeN8vv_pow(__m512d, __m512d);
}
#endif

namespace {

using namespace bench;

constexpr index_t n = 4096;
template <class T>
std::string named(const char* name) {
    return std::string(name) + (sizeof(T) == 4 ? "_f32" : "_f64");
}
/// What a row's function is given: positive numbers where it needs them.
template <class T>
const rc::tensor<T, 1>& numbers(int k, bool positive) {
    static std::map<std::pair<int, bool>, rc::tensor<T, 1>> made;
    auto& x = made[{k, positive}];
    if (x.size() == 0) {
        if (positive) x = rc::exp(2 * input<T>(k, n));
        else x = 2 * input<T>(k, n);
    }
    return x;
}
/// y[i] = f(x[i]) by registers of R, whose number divides n.
template <class R, class T, class F>
[[gnu::noinline]] void by_registers(const T* x, T* y, F f) {
    constexpr index_t lanes = sizeof(R) / sizeof(T);
    for (index_t i = 0; i < n; i += lanes) {
        R v;
        std::memcpy(&v, x + i, sizeof v);
        v = f(v);
        std::memcpy(y + i, &v, sizeof v);
    }
}
template <class T, class Ricci, class Plain, class Vector, class Xsimd>
void function(const char* name, bool positive, Ricci ricci, Plain plain, [[maybe_unused]] Vector mvec, Xsimd xsimd) {
    const row r(named<T>(name), n, 1e-6, [=] {
        std::vector<double> y;
        for (index_t i = 0; i < n; ++i) y.push_back(plain(double(numbers<T>(0, positive).data()[i])));
        return y;
    });
    r.add("ricci", [=] {
        return [x = numbers<T>(0, positive), y = rc::tensor<T, 1>(), ricci]() mutable {
            y = ricci(x);
            return whole(y);
        };
    });
    const auto loop = [=](auto one) {
        return [x = numbers<T>(0, positive), y = rc::empty<T>({n}), one] {
            one(x.data(), y.data());
            return whole(y);
        };
    };
#if RICCI_BENCH_MVEC
    r.add("libmvec", [=] {
        return loop([=](const T* x, T* y) {
            if constexpr (sizeof(T) == 4) by_registers<__m512>(x, y, mvec);
            else by_registers<__m512d>(x, y, mvec);
        });
    });
#endif
    r.add("xsimd", [=] { return loop([=](const T* x, T* y) { by_registers<xsimd::batch<T>>(x, y, xsimd); }); });
}

#if RICCI_BENCH_MVEC
#define RICCI_BENCH_MVEC_OF(name)                                       \
    [](auto v) {                                                        \
        if constexpr (sizeof(v[0]) == 4) return _ZGVeN16v_##name##f(v); \
        else return _ZGVeN8v_##name(v);                                 \
    }
#define RICCI_BENCH_MVEC_POW                                                              \
    [](auto v) {                                                                          \
        if constexpr (sizeof(v[0]) == 4) return _ZGVeN16vv_powf(v, _mm512_set1_ps(1.7f)); \
        else return _ZGVeN8vv_pow(v, _mm512_set1_pd(1.7));                                \
    }
#else
#define RICCI_BENCH_MVEC_OF(name) 0
#define RICCI_BENCH_MVEC_POW 0
#endif
#define RICCI_BENCH_FUNCTION(T, name, positive)                                                            \
    function<T>(                                                                                           \
        #name, positive, [](const auto& x) { return rc::name(x); }, [](double x) { return std::name(x); }, \
        RICCI_BENCH_MVEC_OF(name), [](auto v) { return xsimd::name(v); })

template <class T>
void functions() {
    RICCI_BENCH_FUNCTION(T, exp, false);
    RICCI_BENCH_FUNCTION(T, expm1, false);
    RICCI_BENCH_FUNCTION(T, log, true);
    RICCI_BENCH_FUNCTION(T, log1p, true);
    RICCI_BENCH_FUNCTION(T, sin, false);
    RICCI_BENCH_FUNCTION(T, cos, false);
    RICCI_BENCH_FUNCTION(T, tan, false);
    RICCI_BENCH_FUNCTION(T, atan, false);
    RICCI_BENCH_FUNCTION(T, tanh, false);
    RICCI_BENCH_FUNCTION(T, erf, false);
    RICCI_BENCH_FUNCTION(T, cbrt, false);
    function<T>(
        "pow", true, [](const auto& x) { return rc::pow(x, T(1.7)); },
        [](double x) { return std::pow(x, double(T(1.7))); }, RICCI_BENCH_MVEC_POW,
        [](auto v) { return xsimd::pow(v, decltype(v)(T(1.7))); });
}

const bool registered = [] {
    functions<float>();
    functions<double>();
    return true;
}();

}  // namespace

// Fourier transforms by FFTW: RICCI_USE_FFTW (CMake: ricci::fftw). Plans are kept and shared by threads.
#pragma once
#include "arrays.hpp"
#include "library.hpp"

#if defined(RICCI_USE_FFTW)
#include <fftw3.h>

#include <mutex>
#include <string>

namespace ricci::detail {
inline namespace RICCI_FFT_NAMESPACE {

template <class T>
struct fftw_api;
#define RICCI_FFTW_API(T, p)                                                                                           \
    template <>                                                                                                        \
    struct fftw_api<T> {                                                                                               \
        using plan = p##_plan;                                                                                         \
        using dim = p##_iodim64;                                                                                       \
        static auto* of(std::complex<T>* z) { return reinterpret_cast<p##_complex*>(z); }                              \
        static plan make(const dim* n, int m, const dim* many, std::complex<T>* x, std::complex<T>* y, int sign,       \
                         unsigned f) {                                                                                 \
            return p##_plan_guru64_dft(1, n, m, many, of(x), of(y), sign, f);                                          \
        }                                                                                                              \
        static plan make(const dim* n, int m, const dim* many, T* x, std::complex<T>* y, int, unsigned f) {            \
            return p##_plan_guru64_dft_r2c(1, n, m, many, x, of(y), f);                                                \
        }                                                                                                              \
        static plan make(const dim* n, int m, const dim* many, std::complex<T>* x, T* y, int, unsigned f) {            \
            return p##_plan_guru64_dft_c2r(1, n, m, many, of(x), y, f);                                                \
        }                                                                                                              \
        static void run(plan q, std::complex<T>* x, std::complex<T>* y) { p##_execute_dft(q, of(x), of(y)); }          \
        static void run(plan q, T* x, std::complex<T>* y) { p##_execute_dft_r2c(q, x, of(y)); }                        \
        static void run(plan q, std::complex<T>* x, T* y) { p##_execute_dft_c2r(q, of(x), y); }                        \
        static void destroy(plan q) { p##_destroy_plan(q); }                                                           \
        static bool aligned(const void* q) { return p##_alignment_of(const_cast<T*>(static_cast<const T*>(q))) == 0; } \
        static char* wisdom() { return p##_export_wisdom_to_string(); }                                                \
        static bool learn(const char* text) { return p##_import_wisdom_from_string(text) != 0; }                       \
    };
RICCI_FFTW_API(double, fftw)
RICCI_FFTW_API(float, fftwf)
#undef RICCI_FFTW_API

/// FFTW's planner, of all precisions, serves one thread at a time.
inline std::mutex& fftw_planner() {
    static std::mutex& one = *new std::mutex;  // outlives whatever static destructors transform
    return one;
}
inline std::atomic<bool>& fftw_measures() {
    static std::atomic<bool> yes{false};
    return yes;
}

struct fft_planner : fft_library {
    template <class T>
    using api = fftw_api<T>;
    using lock = std::lock_guard<std::mutex>;
    static std::mutex& planner() { return fftw_planner(); }
    static std::atomic<bool>& measures() { return fftw_measures(); }
};

/// What a plan is for: `outer` times `inner` lines of n elements, and how they lie.
struct fftw_shape {
    index_t n, outer, inner;
    bool inverse, aligned, measured;
    bool operator==(const fftw_shape&) const = default;
};

/// A plan that goes when nobody uses it any more.
template <class From, class To>
class fftw_plan {
    using T = real_t<To>;
    using api = fftw_api<T>;
    typename api::plan plan_;

   public:
    const fftw_shape key;

    /// Under the planner's lock.
    explicit fftw_plan(const fftw_shape& s) : key(s) {
        const index_t half = s.n / 2 + 1;
        const index_t from = std::is_same_v<From, To> || is_complex_v<To> ? s.n : half;
        const index_t to = std::is_same_v<From, To> || is_complex_v<From> ? s.n : half;
        const typename api::dim line[] = {{s.n, s.inner, s.inner}};
        const typename api::dim many[] = {{s.outer, from * s.inner, to * s.inner}, {s.inner, 1, 1}};
        const unsigned flags =
            (s.measured ? FFTW_MEASURE : FFTW_ESTIMATE) | (s.aligned ? 0u : FFTW_UNALIGNED) | FFTW_PRESERVE_INPUT;
        // measuring writes on its arrays; estimating looks at no more than how they are aligned
        const fft_buffer<From> x(s.measured ? s.outer * from * s.inner : 1);
        const fft_buffer<To> y(s.measured ? s.outer * to * s.inner : 1);
        plan_ = api::make(line, 2, many, x.data(), y.data(), s.inverse ? FFTW_BACKWARD : FFTW_FORWARD, flags);
        if (!plan_) raise<value_error>({"[fft] FFTW has no plan for lines of ", s.n, " elements"});
    }
    fftw_plan(const fftw_plan&) = delete;
    ~fftw_plan() {
        const std::lock_guard<std::mutex> alone(fftw_planner());
        api::destroy(plan_);
    }
    void run(const From* x, To* y) const { api::run(plan_, const_cast<From*>(x), y); }
};

/// The plans used last, at most `most`.
template <class From, class To>
class fftw_plans {
    using plan = fftw_plan<From, To>;
    static constexpr std::size_t most = 64;
    spinlock lock_;
    std::vector<std::shared_ptr<const plan>> plans_;

    std::shared_ptr<const plan> find(const fftw_shape& key) {
        for (auto at = plans_.begin(); at != plans_.end(); ++at)
            if ((*at)->key == key) {
                std::rotate(plans_.begin(), at, at + 1);
                return plans_.front();
            }
        return nullptr;
    }

   public:
    static fftw_plans& instance() {
        static fftw_plans& plans = *new fftw_plans;
        return plans;
    }
    std::shared_ptr<const plan> get(const fftw_shape& key) {
        {
            const spin_guard guard(lock_);
            if (auto found = find(key)) return found;
        }
        std::shared_ptr<const plan> made, dropped;  // destroyed under the planner's lock, after this one is given back
        {
            const std::lock_guard<std::mutex> alone(fftw_planner());
            made = std::make_shared<const plan>(key);
        }
        const spin_guard guard(lock_);
        plans_.insert(plans_.begin(), made);
        if (plans_.size() > most) {
            dropped = plans_.back();
            plans_.pop_back();
        }
        return made;
    }
};

/// y is the transform of the lines of x, a few of them at a time: always the same few, so that threads change no
/// result.
template <class From, class To>
void fftw_lines(const From* x, To* y, index_t outer, index_t n, index_t inner, bool inverse) {
    using api = fftw_api<real_t<To>>;
    const index_t half = n / 2 + 1;
    const index_t from = std::is_same_v<From, To> || is_complex_v<To> ? n : half;
    const index_t to = std::is_same_v<From, To> || is_complex_v<From> ? n : half;
    const index_t together = std::min(outer, std::max(index_t(1), (index_t(1) << 15) / (n * inner)));
    const auto some = [&](index_t count, const From* a, To* b) {
        const fftw_shape key{n,
                             count,
                             inner,
                             inverse,
                             api::aligned(a) && api::aligned(b),
                             fftw_measures().load(std::memory_order_relaxed)};
        auto& last = last_plan<fftw_plan<From, To>>();
        if (!last || !(last->key == key)) [[unlikely]]
            last = fftw_plans<From, To>::instance().get(key);
        last->run(a, b);
    };
    if (together == outer) return some(outer, x, y);
    for_blocks((outer + together - 1) / together, index_t(1) << 20, [&](index_t b) {
        const index_t first = b * together;
        some(std::min(together, outer - first), x + first * from * inner, y + first * to * inner);
    });
}
/// Row k of a line's n times `edge`, or between the ends times `inner_weight`, conjugated where that is wanted.
template <class T>
void weigh_lines(const std::complex<T>* x, std::complex<T>* y, const line_grid& g, const fft_weights<T>& weights) {
    const index_t kept = g.n / 2 + 1;
    for_blocks(g.outer * kept, g.inner, [&](index_t row) {
        const index_t k = row % kept;
        const T w = k == 0 || 2 * k == g.n ? weights.edge : weights.inner, v = weights.conjugates ? -w : w;
        for (index_t i = row * g.inner; i < (row + 1) * g.inner; ++i) y[i] = {x[i].real() * w, x[i].imag() * v};
    });
}
template <class T>
void scale_all(T* x, index_t count, T by) {
    if (by != T(1))
        for_blocks((count + 4095) / 4096, 4096, [&](index_t b) {
            for (index_t i = b * 4096; i < std::min(count, (b + 1) * 4096); ++i) x[i] *= by;
        });
}

template <class T>
struct fftw_complex_transform {
    using from = std::complex<T>;
    using to = std::complex<T>;
    bool inverse;
    T scale;
    static bool in_place(index_t, index_t) { return true; }
    void run(const from* x, to* y, const line_grid& g) const {
        if (g.size() == 0) return;
        fftw_lines(x, y, g.outer, g.n, g.inner, inverse);
        scale_all(reinterpret_cast<T*>(y), 2 * g.size(), scale);
    }
};
template <class T>
struct fftw_from_real_transform {
    using from = T;
    using to = std::complex<T>;
    fft_weights<T> weights;
    static bool in_place(index_t, index_t) { return true; }
    void run(const from* x, to* y, const line_grid& g) const {
        if (g.size() == 0) return;
        fftw_lines(x, y, g.outer, g.n, g.inner, false);
        if (weights.edge != T(1) || weights.inner != T(1) || weights.conjugates) weigh_lines(y, y, g, weights);
    }
};
template <class T>
struct fftw_to_real_transform {
    using from = std::complex<T>;
    using to = T;
    fft_weights<T> weights;
    static bool in_place(index_t, index_t) { return true; }
    void run(const from* x, to* y, const line_grid& g) const {
        if (g.size() == 0) return;
        if (weights.inner == 2 * weights.edge && !weights.conjugates) {
            fftw_lines(x, y, g.outer, g.n, g.inner, true);
            scale_all(y, g.size(), weights.edge);
        } else {
            const fft_buffer<from> weighed(g.outer * (g.n / 2 + 1) * g.inner);
            weigh_lines(x, weighed.data(), g, {weights.edge, weights.inner / 2, weights.conjugates});
            fftw_lines(weighed.data(), y, g.outer, g.n, g.inner, true);
        }
    }
};

}  // namespace RICCI_FFT_NAMESPACE
inline namespace RICCI_ISA {

template <class T>
struct fft_kinds<fft_library, T> {
    using complex = fftw_complex_transform<T>;
    using from_real = fftw_from_real_transform<T>;
    using to_real = fftw_to_real_transform<T>;
};

}  // namespace RICCI_ISA
}  // namespace ricci::detail
#else
namespace ricci::detail {
inline namespace RICCI_FFT_NAMESPACE {
struct fft_planner : fft_library {};
}  // namespace RICCI_FFT_NAMESPACE
}  // namespace ricci::detail
#endif

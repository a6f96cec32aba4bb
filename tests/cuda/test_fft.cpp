// Fourier transforms on the second device: the calls that cuFFT is given, executed by the definition of the transform,
// against the CPU's, and the public functions with their derivatives.
#include <ricci/cuda/fft_plan.hpp>

#include "agree.hpp"

#if !defined(RICCI_HAS_GPU)  // whose memory the definition does not reach
namespace {

using rc::detail::fft_call;
using rc::detail::fft_kind;

/// What cuFFT does with such a call: sums over whole lines. A transform to real lines spoils what it is given.
struct reference_execute {
    int* calls;

    template <class X, class Y>
    void operator()(const fft_call& c, const X* from, Y* to, bool inverse) const {
        RICCI_DEVICE_WORK(copy);
        using T = rc::real_t<X>;
        constexpr bool from_real = !rc::is_complex_v<X>, to_real = !rc::is_complex_v<Y>;
        REQUIRE(c.wide == (sizeof(T) == 8));
        REQUIRE(c.kind == (from_real ? fft_kind::from_real : to_real ? fft_kind::to_real : fft_kind::complex));
        if (from_real) REQUIRE(reinterpret_cast<std::uintptr_t>(from) % (2 * sizeof(T)) == 0);
        if (to_real) REQUIRE(reinterpret_cast<std::uintptr_t>(to) % (2 * sizeof(T)) == 0);
        ++*calls;
        const rc::index_t kept = from_real ? c.n / 2 + 1 : c.n;
        for (rc::index_t line = 0; line < c.batch; ++line)
            for (rc::index_t k = 0; k < kept; ++k) {
                std::complex<double> sum = 0;
                for (rc::index_t j = 0; j < c.n; ++j)
                    sum += element(c, from + line * c.from_distance, j) *
                           std::polar(1.0, (inverse ? 2 : -2) * M_PI * static_cast<double>(j * k % c.n) /
                                               static_cast<double>(c.n));
                Y& y = to[line * c.to_distance + k * c.stride];
                if constexpr (to_real) {
                    CHECK(std::abs(sum.imag()) < 1e-3);  // the spectrum is Hermitian
                    y = static_cast<Y>(sum.real());
                } else {
                    y = static_cast<Y>(sum);
                }
            }
        if constexpr (to_real)
            for (rc::index_t line = 0; line < c.batch; ++line)
                for (rc::index_t k = 0; k < c.n / 2 + 1; ++k)
                    const_cast<X*>(from)[line * c.from_distance + k * c.stride] = X(-1e6);
    }

   private:
    template <class X>
    static std::complex<double> element(const fft_call& c, const X* line, rc::index_t j) {
        if (c.kind != fft_kind::to_real || j < c.n / 2 + 1) return std::complex<double>(line[j * c.stride]);
        return std::conj(std::complex<double>(line[(c.n - j) * c.stride]));
    }
};

/// All kinds of transforms along an axis, in both directions; gives how many calls the first took.
template <class T, int R>
int check_calls(const rc::tensor<T, R>& x, int axis) {
    int calls = 0, first = 0;
    const rc::detail::fft_by_calls<reference_execute> by_calls{{&calls}};
    const auto z = rc::evaluate(rc::complex(x, rc::sin(x)));
    const auto before = z.clone();
    auto half = x.shape();
    half[axis] = half[axis] / 2 + 1;
    auto odd = x.shape();
    odd[axis] = 2 * (odd[axis] - 1) + 1;
    for (const bool inverse : {false, true})
        for (const T interior : {T(1), T(2)}) {
            const auto d = z.to(rc::cuda);
            using cpu = rc::executor<rc::cpu_device>;
            const rc::detail::fft_library own;
            check_equal(by_calls.complex(d, axis, inverse, T(0.5)), cpu::fourier(own, z, axis, inverse, T(0.5)));
            if (!first) first = calls;
            check_equal(by_calls.from_real(x.to(rc::cuda), axis, inverse, T(2), interior, half),
                        cpu::fourier_from_real(own, x, axis, inverse, T(2), interior, half));
            auto even = odd;
            even[axis] -= 1;
            if (even[axis] > 0)
                check_equal(by_calls.to_real(d, axis, inverse, T(0.5), interior, even),
                            cpu::fourier_to_real(own, z, axis, inverse, T(0.5), interior, even));
            check_equal(by_calls.to_real(d, axis, inverse, T(0.5), interior, odd),
                        cpu::fourier_to_real(own, z, axis, inverse, T(0.5), interior, odd));
            check_equal(d, before);
        }
    return first;
}

}  // namespace

TEST_CASE_TEMPLATE("cuda: Fourier transforms as cuFFT wants them", T, float, double) {
    const auto x = random_tensor<T>({2, 7, 3, 4});
    const auto y = random_tensor<T>({30, 5, 3}, 2);
    CHECK(check_calls(x, 3) == 1);
    CHECK(check_calls(x, 0) == 1);
    CHECK(check_calls(x, 1) == 2);  // 2 batches of 12 lines
    CHECK(check_calls(x, 2) == 4);  // 14 lines by 4: 4 batches of 14
    CHECK(check_calls(y, 1) == 3);
    CHECK(check_calls(random_tensor<T>({9, 5, 9}, 3), 1) == 1);  // laid side by side
    CHECK(check_calls(random_tensor<T>({1}), 0) == 1);
    CHECK(check_calls(random_tensor<T>({2}), 0) == 1);
    CHECK(check_calls(rc::permute(x, {3, 1, 0, 2}), 1) == 4);
    const auto shifted = random_tensor<T>({12});
    CHECK(check_calls(shifted(rc::slice(1, rc::none)), 0) == 1);  // real elements that begin between complex ones
    int calls = 0;
    const rc::detail::fft_by_calls<reference_execute> none{{&calls}};
    CHECK(none.complex(rc::zeros<std::complex<T>>({0, 3}, rc::cuda), 1, false, T(1)).size() == 0);
    CHECK(calls == 0);
}
#endif

TEST_CASE("cuda: plans are kept, the last ones used") {
    rc::detail::recent_plans<int, int, 3> plans;
    int made = 0, dropped = 0;
    const auto get = [&](int key) {
        return plans.get(key, [&](int k) { return ++made, 10 * k; }, [&](int plan) { dropped = dropped * 100 + plan; });
    };
    for (const int key : {1, 2, 3, 1, 1}) CHECK(get(key) == 10 * key);
    CHECK(made == 3);
    CHECK(get(4) == 40);  // 2 is the one that was not used for longest
    CHECK(dropped == 20);
    CHECK(get(2) == 20);
    CHECK(dropped == 2030);
    CHECK(plans.size() == 3);
}

TEST_CASE_TEMPLATE("cuda: Fourier transforms", T, float, double) {
    const auto x = random_tensor<T>({4, 6});
    const auto odd = random_tensor<T>({3, 9, 5}, 2);
    const auto z = rc::evaluate(rc::complex(odd, rc::cos(odd)));
    agree([](auto a) { return rc::fft::fft(a); }, z);
    agree([](auto a) { return rc::fft::ifft(a, {.axis = 1, .norm = rc::fft::ortho}); }, z);
    agree([](auto a) { return rc::fft::ifft(rc::fft::fft(a, {.axis = 0}), {.axis = 0}); }, z);
    agree([](auto a) { return rc::fft::rfft(rc::permute(a, {1, 0}), {.n = 9}); }, x);
    agree([](auto a) { return rc::fft::irfft(a, {.n = 15, .axis = 1}); }, z);
    agree([](auto a) { return rc::fft::hfft(a); }, z);
    agree([](auto a) { return rc::fft::rfft2(a); }, x);
    agree([](auto a) { return rc::fft::dct(a); }, x);
    agree([](auto a) { return rc::fft::idst(a); }, x);
}

TEST_CASE("cuda: derivatives and batches of Fourier transforms") {
    const auto x = random_tensor({4, 6});
    const auto power = [](auto a) {
        const auto s = rc::fft::rfft(a);
        return rc::sum(rc::square(rc::abs(s)) * rc::abs(s));
    };
    agree(rc::grad(power), x);
    agree(rc::vmap(rc::grad(power)), x);
    agree(rc::hessian(power), rc::evaluate(x(0)));
    agree([](auto a, auto b) { return std::get<1>(rc::jvp([](auto v) { return rc::real(rc::fft::fft(v)); }, a, b)); },
          x, random_tensor({4, 6}, 2));
}

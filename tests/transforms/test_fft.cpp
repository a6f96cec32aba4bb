// Fourier transforms through every transform: derivatives of first and second order, jets, vmap, sparsity.
#include "exhaustive.hpp"

using namespace mapped;

namespace {

using c = std::complex<double>;

template <int R>
tensor<c, R> complex_spread(const shape<R>& extents, int seed = 1) {
    return complex(spread(extents, seed), spread(extents, seed + 40));
}
/// The derivatives of a linear function, both ways.
template <class F, class X>
void check_derivatives(const F& f, const X& x) {
    CHECK(gradcheck(f, std::tuple(x)));
}

}  // namespace

TEST_CASE("fft: derivatives of complex transforms") {
    const auto z = complex_spread(shape{2, 5});
    check_derivatives([](const auto& x) { return evaluate(fft::fft(x)); }, z);
    check_derivatives([](const auto& x) { return evaluate(fft::ifft(x, {.n = 3, .axis = 0, .norm = fft::ortho})); }, z);
    check_derivatives([](const auto& x) { return evaluate(fft::fft2(x, {.s = {3, 4}})); }, z);
}

TEST_CASE("fft: derivatives of transforms from and to real lines") {
    const auto x = spread(shape{2, 5});
    check_derivatives([](const auto& a) { return evaluate(fft::rfft(a, {.n = 6})); }, x);
    check_derivatives([](const auto& a) { return evaluate(fft::ihfft(a)); }, x);
    const auto z = complex_spread(shape{2, 3});
    check_derivatives([](const auto& a) { return evaluate(fft::irfft(a)); }, z);
    check_derivatives([](const auto& a) { return evaluate(fft::hfft(a, {.n = 5, .norm = fft::ortho})); }, z);
    check_derivatives([](const auto& a) { return evaluate(fft::irfftn(a, {.norm = fft::forward})); }, z);
}

TEST_CASE("fft: second derivatives") {
    const auto z = complex_spread(shape{4});
    CHECK(gradgradcheck([](const auto& x) { return evaluate(fft::fft(x * x)); }, std::tuple(z)));
    const auto cubes = [](const auto& x) {
        const auto y = fft::rfft(x);
        return evaluate(fft::irfft(y * y));
    };
    CHECK(gradgradcheck(cubes, std::tuple(spread(shape{4}))));
}

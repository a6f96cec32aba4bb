// Fourier transforms by cuFFT, where it is linked.
#include "agree.hpp"

#if defined(RICCI_USE_CUFFT)
TEST_CASE("cuda: Fourier transforms by cuFFT") {
    const auto x = random_tensor<float>({6, 20, 7});
    const auto z = rc::evaluate(rc::complex(x, rc::sin(x)));
    for (const int axis : {0, 1, 2}) {
        agree([&](auto a) { return rc::fft::fft(a, {.axis = axis}); }, z);
        agree([&](auto a) { return rc::fft::rfft(a, {.axis = axis}); }, x);
        agree([&](auto a) { return rc::fft::irfft(a, {.n = 13, .axis = axis}); }, z);
    }
    agree([](auto a) { return rc::fft::ifft(a, {.norm = rc::fft::ortho}); },
          rc::evaluate(rc::astype<std::complex<double>>(z)));
    agree(rc::grad([](auto a) { return rc::sum(rc::square(rc::abs(rc::fft::rfft(a)))); }), x);
}
#endif

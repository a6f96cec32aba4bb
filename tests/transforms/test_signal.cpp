// Derivatives of cosine transforms, convolutions and spectra in time.
#include "derivatives.hpp"

using namespace derivative_checks;

TEST_CASE("signal: derivatives of cosine and sine transforms") {
    // linear: all types in one function, whose derivative is the sum
    const auto all_types = [](const auto& x) {
        const auto some = evaluate(fft::dct(x, 1) + 2.0 * fft::dct(x, 2, {.norm = fft::ortho}) + 3.0 * fft::idct(x, 2));
        return evaluate(some + 4.0 * fft::dst(x, 2) + 5.0 * fft::dst(x, 3, {.norm = fft::ortho}) +
                        6.0 * fft::dct(x, 4));
    };
    CHECK(gradcheck(all_types, std::tuple(spread(shape{5}))));
}

TEST_CASE("signal: derivatives of convolutions, first and second") {
    const auto a = spread(shape{6}), v = spread(shape{3}, 5);
    for (const auto how : {signal::method::direct, signal::method::fft})
        CHECK(
            gradcheck([=](const auto& x, const auto& y) { return evaluate(signal::convolve(x, y, signal::same, how)); },
                      std::tuple(a, v)));
    CHECK(gradgradcheck([](const auto& x, const auto& y) { return evaluate(signal::fft_convolve(x, y)); },
                        std::tuple(a, v)));
}

TEST_CASE("signal: derivatives of spectra in time") {
    const auto x = spread(shape{12});
    const auto w = signal::hann(4, false);
    CHECK(
        gradcheck([=](const auto& a) { return evaluate(signal::istft(signal::stft(a, w) * 2.0, w)); }, std::tuple(x)));
    const auto y = spread(shape{12}, 5);
    CHECK(gradcheck([=](const auto& a) { return std::get<1>(signal::coherence(a, y, w)); }, std::tuple(x)));
    const auto there_and_back = [=](const auto& a) {  // complex lines
        const auto z = signal::stft(complex(a, square(a)), w, {.n_fft = 6});
        const auto back = signal::istft(z, w, {.n_fft = 6}, signal::return_complex);
        return sum(y * real(back) + imag(back));
    };
    check_close(grad(there_and_back)(x), y + 2 * x);
    const auto both = stack(std::tuple(x, y));
    check_close(std::get<1>(vmap([=](const auto& a) { return signal::csd(a, x, w, {.onesided = false}); })(both)),
                std::get<1>(signal::csd(both, x, w, {.onesided = false})));
}

TEST_CASE("signal: derivatives in the window, and batches of windows") {
    const auto x = spread(shape{12}), y = spread(shape{12}, 5);
    const tensor<double, 1> w{0.5, 1, 0.75, 0.25};
    CHECK(gradcheck([=](const auto& v) { return signal::istft(signal::stft(x, v) * 2.0, w); }, std::tuple(w)));
    const auto z = signal::stft(x, w);
    const auto back = [=](const auto& v) { return signal::istft(z, v, {.length = 14}); };
    CHECK(gradcheck(back, std::tuple(w)));
    check_close(jacfwd(back)(w), jacrev(back)(w));
    const auto density = [=](const auto& v) { return std::get<1>(signal::welch(x, v)); };
    CHECK(gradcheck(density, std::tuple(w)));
    CHECK(gradcheck([=](const auto& v) { return std::get<1>(signal::welch(x, v, {.n_fft = 6, .power = true})); },
                    std::tuple(w)));
    CHECK(gradcheck([=](const auto& v) { return abs(std::get<1>(signal::csd(x, y, v))); }, std::tuple(w)));
    CHECK(gradcheck([=](const auto& v) { return std::get<1>(signal::coherence(x, y, v)); }, std::tuple(w)));
    const auto windows = evaluate(stack(std::tuple(w, flip(w))));
    check_close(vmap(density)(windows), stack(std::tuple(density(w), density(evaluate(flip(w))))));
    check_close(vmap(back)(windows), stack(std::tuple(back(w), back(evaluate(flip(w))))));
    const auto spare = evaluate(stack(std::tuple(w, 0 * w)));
    CHECK_THROWS_WITH_AS(vmap(back)(spare), "[istft] no window reaches element 0", value_error);
}

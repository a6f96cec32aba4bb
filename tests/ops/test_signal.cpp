// Cosine transforms, windows, convolution and spectra against SciPy; ways back; integers; errors. In golden/signal.hpp
// are calls of fft::dct, fft::idct, fft::dst, fft::idst, fft::next_fast_len, signal::hann, signal::hamming,
// signal::blackman, signal::nuttall, signal::blackmanharris, signal::flattop, signal::bartlett, signal::boxcar,
// signal::gaussian, signal::tukey, signal::kaiser, signal::correlate, signal::periodogram, signal::csd,
// signal::coherence.
#include <ricci/ricci.hpp>

#include "../golden/signal.hpp"
#include "fft_calls.hpp"

using namespace ricci;
using fft_calls::check_call;

namespace {

tensor<double, 1> line(index_t n) {
    const auto x = tensor<double, 1>::uninitialized({n});
    for (index_t i = 0; i < n; ++i) x.data()[i] = static_cast<double>(i * i % 101) / 50 - 1;
    return x;
}
double difference(const tensor<double, 1>& a, const tensor<double, 1>& b) {
    REQUIRE(a.shape() == b.shape());
    double worst = 0;
    for (index_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a.at(i) - b.at(i)));
    return worst;
}

/// The matrix of a cosine or sine transform by its definition.
double trigonometric(bool sine, int type, index_t n, index_t k, index_t j) {
    const bool half_out = type >= 3, half_in = type % 2 == 0;  // between the points
    const double at_out = double(k) + (half_out ? 0.5
                                       : sine   ? 1
                                                : 0),
                 at_in = double(j) + (half_in ? 0.5
                                      : sine  ? 1
                                              : 0);
    const double period = double(type == 1 ? (sine ? n + 1 : n - 1) : n);
    const bool first = !sine && (type == 1 || type == 3) && j == 0, last = type == 1 && !sine && j == n - 1;
    const bool end = first || last || (sine && type == 3 && j == n - 1);
    const double angle = std::acos(-1.0) * at_out * at_in / period;
    return (end ? 1 : 2) * (sine ? std::sin(angle) : std::cos(angle));
}

}  // namespace

TEST_CASE("signal: cosine and sine transforms of every small length, along both axes") {
    for (index_t n = 1; n <= 13; ++n)
        for (int which = 0; which < 16; ++which) {
            const bool sine = which & 1, rows = which & 2;
            const int type = 1 + which / 4;
            if (type == 1 && !sine && n < 2) continue;
            const auto x = reshape(line(3 * n), {3, n});
            const tensor<double, 2> along = rows ? x : tensor<double, 2>(matrix_transpose(x).clone());
            const fft::options o{.axis = rows ? 1 : 0};
            const tensor<double, 2> y = sine ? fft::dst(along, type, o) : fft::dct(along, type, o);
            const tensor<double, 2> back = sine ? fft::idst(y, type, o) : fft::idct(y, type, o);
            double worst = 0;
            for (index_t i = 0; i < 3; ++i)
                for (index_t k = 0; k < n; ++k) {
                    double want = 0;
                    for (index_t j = 0; j < n; ++j) want += trigonometric(sine, type, n, k, j) * x.at(i, j);
                    worst = std::max(worst, std::abs(want - (rows ? y.at(i, k) : y.at(k, i))));
                    worst = std::max(worst, std::abs(x.at(i, k) - (rows ? back.at(i, k) : back.at(k, i))));
                }
            CAPTURE(n);
            CAPTURE(which);
            CHECK(worst < 1e-13);  // sums of 13 numbers below 2, some units in the last place of each
        }
}

TEST_CASE("signal: SciPy's results") {
    const auto x = tensor<double, 2>::uninitialized({2, 12});
    for (index_t i = 0; i < 24; ++i) x.data()[i] = static_cast<double>(37 * i % 11 - 5);
    const auto a = x(0, slice(0, 9)), v = x(1, slice(0, 4));
    const auto z = tensor<std::complex<double>, 1>::uninitialized({9});
    for (index_t i = 0; i < 9; ++i) z.data()[i] = {a.at(i), static_cast<double>(23 * i % 7 - 3)};
    RICCI_SIGNAL_CASES(RICCI_FFT_CHECK);
}

TEST_CASE("signal: a taper of more than all is Hann's window, of less than nothing none") {
    CHECK(array_equal(signal::tukey(5, 2), signal::tukey(5, 1)));
    CHECK(max(abs(signal::tukey(5, 2) - tensor<double, 1>{0, 0.5, 1, 0.5, 0})).item() < 1e-15);
    CHECK(array_equal(signal::tukey(5, -1), ones<double>({5})));
}
TEST_CASE("signal: there and back") {
    const auto x = line(100);
    const auto w = signal::hann(16, false);
    CHECK(difference(signal::istft(signal::stft(x, w), w), x) < 1e-14);
    // 100 elements are not a whole number of frames 5 apart: what the last ones do not reach is asked for and refused,
    // or cut off
    const auto y = signal::istft(signal::stft(x, w, {.hop = 5, .normalized = true}), w,
                                 {.hop = 5, .normalized = true, .length = 98});
    CHECK(difference(y, x(slice(0, 98))) < 1e-14);
    // past the last frame torch.istft gives zeros, too
    const auto z = signal::istft(signal::stft(x, w), w, {.length = 130});
    CHECK(difference(z(slice(0, 100)), x) < 1e-14);
    CHECK(z.shape() == shape{130});
    CHECK(max(abs(z(slice(108, 130)))).item() == 0);
    CHECK(min(abs(z(slice(100, 108)))).item() > 0);  // of the reflected end
    CHECK(signal::istft(signal::stft(reshape(x, {2, 50}), w), w, {.length = 77}).shape() == shape{2, 77});
    const auto ones = signal::boxcar(8);
    CHECK(array_equal(signal::stft(x, 8, {.hop = 3}), signal::stft(x, ones, {.hop = 3})));
    CHECK(difference(signal::istft(signal::stft(x, 8), 8), x) < 1e-14);
    CHECK(difference(
              signal::istft(signal::stft(x, ones, {.hop = 4, .center = false}), ones, {.hop = 4, .center = false}), x) <
          1e-14);
}

TEST_CASE("signal: there and back with all frequencies, of real and complex lines") {
    const auto x = line(40);
    const auto w = signal::hann(8, false);
    CHECK(difference(signal::istft(signal::stft(x, w, {.onesided = false}), w, {.onesided = false}), x) < 1e-14);
    const auto half = signal::stft(x, w);  // torch.istft reads no more of it
    const auto whole = concat({half, zeros<std::complex<double>>({3, half.shape(1)})}, 0);
    CHECK(difference(signal::istft(whole, w, {.onesided = false}), x) < 1e-14);
    const signal::stft_options o{.hop = 1, .n_fft = 6};
    const auto z = tensor<std::complex<double>, 1>::uninitialized({9});
    for (index_t i = 0; i < 9; ++i) z.data()[i] = {double(37 * i % 11 - 5), double(23 * i % 7 - 3)};
    const auto narrow = signal::hann(4, false);
    const auto spectrum = signal::stft(z, narrow, o);
    CHECK(max(abs(signal::istft(spectrum, narrow, o, signal::return_complex) - z)).item() < 1e-14);
    // a spectrum of no line: torch.istft(s * torch.arange(1, 7)[:, None], 6, 1, 4, w, onesided=False,
    // return_complex=True)
    const auto nearest =
        signal::istft(evaluate(spectrum * arange(1.0, 7.0)(all, newaxis)), narrow, o, signal::return_complex);
    CHECK(difference(evaluate(real(nearest)), {-16.911324865405188, -4.918517833155045, 10.225819734142359,
                                               -13.56606171486359, 1.6839382851364084, 13.229274057836308,
                                               -10.899395048196924, 4.29305504153295, 17.33333333333333}) < 1e-13);
    CHECK(difference(evaluate(imag(nearest)), {-10.173205080756887, 1.4744645862195995, 1.7585118045934665,
                                               9.425178471260132, -3.9198729810778064, -1.4914881954065333,
                                               6.758511804593466, -6.108868747113733, -1.8333333333333335}) < 1e-13);
}

TEST_CASE("signal: long convolutions go by transforms and agree with sums; those of integers are exact") {
    const auto a = line(3000), v = line(700);
    const auto direct = signal::convolve(a, v, signal::full, signal::method::direct);
    CHECK(difference(signal::convolve(a, v), direct) < 1e-11);
    CHECK(difference(signal::fft_convolve(a, v), direct) < 1e-11);
    const tensor<std::int64_t, 1> big{1LL << 40, 1}, small{3, 1LL << 20};
    CHECK(reference::values(signal::convolve(big, small)) ==
          std::vector<std::int64_t>{3LL << 40, (1LL << 60) + 3, 1LL << 20});
}

TEST_CASE("signal: errors") {
    const auto x = line(10);
    const auto text = [](auto call) { return reference::message<error>(call); };
    CHECK(text([&] { fft::dct(x, 5); }) == "[dct] the type must be 1, 2, 3 or 4: 5");
    CHECK(text([&] { fft::dct(x, 1, {.n = 1}); }) == "[dct] type 1 needs at least 2 points: 1");
    CHECK(text([&] { fft::idst(x, 2, {.n = 0}); }) == "[idst] the number of points must be at least 1: 0");
    CHECK(text([&] { signal::hann(-1); }) == "[hann] the number of points must not be negative: -1");
    CHECK(text([&] { signal::convolve(x, line(0)); }) == "[convolve] the arrays must not be empty: (10,) and (0,)");
    CHECK(text([&] { signal::fft_convolve(zeros<double>({2, 5}), zeros<double>({3, 4}), signal::valid); }) ==
          "[fft_convolve] valid needs one array to be no smaller than the other along each axis: (2, 5) and (3, 4)");
    CHECK(text([&] { signal::stft(x, signal::hann(11), {.center = false}); }) ==
          "[stft] a line of 10 elements is shorter than the window of 11");
    CHECK(text([&] { signal::stft(line(0), 4); }) ==
          "[stft] a line of 0 elements is too short to be mirrored at its ends by 2, half a frame of 4");
    CHECK(text([&] { signal::stft(line(4), 8); }) ==
          "[stft] a line of 4 elements is too short to be mirrored at its ends by 4, half a frame of 8");
    CHECK(signal::stft(line(5), 8).shape() == shape{5, 3});
    CHECK(text([&] { signal::stft(x, signal::hann(4), {.hop = 0}); }) ==
          "[stft] frames must be at least 1 element apart: 0");
    CHECK(text([&] { signal::istft(zeros<double>({4, 2}), signal::hann(4)); }) ==
          "[istft] frames of 4 elements have 3 frequencies, and there is one or more: x has shape (4, 2)");
    CHECK(text([&] { signal::istft(zeros<double>({3, 2}), signal::hann(4), {.center = false}); }) ==
          "[istft] no window reaches element 0");
    CHECK(text([&] {
              signal::istft(zeros<std::complex<double>>({3, 2}), signal::hann(4), {}, signal::return_complex);
          }) == "[istft] frames of 4 elements have 4 frequencies, and there is one or more: x has shape (3, 2)");
    CHECK(text([&] { signal::stft(x, signal::hann(4), {.n_fft = 3}); }) ==
          "[stft] n_fft must not be less than the elements of the window: 3 < 4");
    CHECK(text([&] { signal::coherence(x, x, signal::hann(0)); }) == "[coherence] the window must not be empty");
    CHECK(text([&] { signal::coherence(x, line(9)); }) == "[coherence] the lines must be equally long: 10 != 9");
    CHECK(text([&] { signal::welch(x, signal::hann(4), {.overlap = 4}); }) ==
          "[welch] segments of 4 elements cannot share 4");
}

// Filters, their design and peaks against SciPy; lines in parts; derivatives, batches, errors. In golden/filters.hpp
// are calls of signal::butter, signal::butter_sos, signal::firwin, signal::freqz, signal::lfilter_zi, signal::filtfilt,
// signal::sosfilt, signal::sosfiltfilt, signal::find_peaks, signal::peak_prominences, signal::peak_widths,
// signal::detrend, signal::hilbert, signal::resample.
#include <ricci/ricci.hpp>

#include "../golden/filters.hpp"
#include "fft_calls.hpp"

using namespace ricci;

namespace {

/// Recursions carry roundings on. SciPy puts the poles of a band from 0.02 on in an order in which its filter is 1e-11
/// from what arithmetic of 50 digits gives; the one here is 1e-14 from that.
template <class E>
void check_call(const char* call, const E& e, std::span<const index_t> extents, std::span<const double> expected) {
    const bool narrow = std::string_view(call).find("{0.02, 0.9}") != std::string_view::npos;
    fft_calls::check_call(call, e, extents, expected, narrow ? 1e5 : 200);
}
void same(const auto& y, const auto& want) { CHECK(allclose(y, want, 1e-10, 1e-12)); }

const tensor<double, 1> short_b{0.5, 0.25, -1}, short_a{2, -1, 0.5};
const tensor<double, 2> sections{{1, 0.5, 0.25, 2, -0.5, 0.25}, {0.5, -0.5, 0, 1, 0.25, 0}};

}  // namespace

TEST_CASE("filters: SciPy's results") {
    const auto i = arange(80);
    const tensor<double, 2> x = (astype<double>(37 * i % 11) - 5.0 + astype<double>(i % 7) / 2.0).reshape({2, 40});
    const auto v = x(0);
    const auto [b, a] = signal::butter(3, 0.2);
    RICCI_FILTER_CASES(RICCI_FFT_CHECK);
}
TEST_CASE("filters: a line in parts, and what its design promises") {
    const auto x = randn({3, 50}, generator(1));
    const auto whole = signal::lfilter(short_b, short_a, x);
    auto state = zeros({3, 2});
    for (index_t at : {0, 7, 8, 9, 30}) {
        const index_t end = at == 0 ? 7 : at == 7 ? 8 : at == 8 ? 9 : at == 9 ? 30 : 50;
        const auto [y, zf] = signal::lfilter(short_b, short_a, x(all, slice(at, end)), state);
        same(y, whole(all, slice(at, end)));
        state = zf;
    }
    // a narrow band of high order, which coefficients of the whole could not hold
    const auto narrow = signal::butter_sos(8, {0.1, 0.101}, signal::bandpass);
    const auto tone = sin(0.1005 * std::numbers::pi * arange(40000.0));
    CHECK(max(abs(signal::sosfilt(narrow, tone)(slice(-1000, none)))).item() == doctest::Approx(1).epsilon(1e-3));
    CHECK(max(abs(signal::sosfilt(narrow, sin(0.11 * std::numbers::pi * arange(40000.0)))(slice(-1000, none)))).item() <
          1e-5);
    // a band that leaves out little, whose poles are far apart: the gain where it begins
    const auto wide = signal::butter_sos(5, {1e-6, 0.9}, signal::bandpass);
    const std::complex<double> z = std::polar(1.0, -1e-6 * std::numbers::pi);
    std::complex<double> gain = 1;
    for (index_t i = 0; i < wide.shape(0); ++i) {
        const auto polynomial = [&](int k) { return wide.at(i, k) + z * (wide.at(i, k + 1) + z * wide.at(i, k + 2)); };
        gain *= polynomial(0) / polynomial(3);
    }
    CHECK(std::abs(gain) == doctest::Approx(std::sqrt(0.5)).epsilon(1e-3));
    const auto [w, h] = signal::freqz(signal::firwin(31, 0.3, signal::highpass), tensor{1.0}, 16);
    CHECK(std::abs(std::complex<double>(h(0).item())) < 5e-3);
    const auto empty = signal::lfilter(short_b, short_a, zeros({3, 0}), ones({2}));  // the state stays
    CHECK(empty.y.shape() == shape{3, 0});
    CHECK(array_equal(empty.zf, ones({3, 2})));
    const auto alone = signal::lfilter(tensor{2.0}, tensor{4.0}, tensor{1.0, 3.0}, zeros({0}));
    CHECK(array_equal(alone.y, tensor{0.5, 1.5}));
    CHECK(alone.zf.shape() == shape{0});
    static_assert(std::is_same_v<decltype(signal::firwin(signal::hann<float>(5), 0.5)), tensor<float, 1>>);
    static_assert(
        std::is_same_v<decltype(signal::filtfilt(tensor{1.0f}, tensor{1.0f}, tensor{1.0f})), tensor<float, 1>>);
    CHECK(signal::find_peaks(tensor<double, 1>{}).size() == 0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(array_equal(signal::find_peaks(tensor{0.0, 2.0, nan, 3.0, 0.0, 1.0, 0.0}), tensor<std::int64_t, 1>{5}));
}
TEST_CASE("filters: options that are results of functions, scalars without a number's type") {
    const tensor x{0.0, 4.0, 0.0, 1.0, 0.0, 3.0, 0.0};
    const auto high = tensor<std::int64_t, 1>{1, 5};
    CHECK(array_equal(signal::find_peaks(x, {.height = 0.5 * max(x)}), high));
    CHECK(array_equal(signal::find_peaks(x, {.height = max(x) / 2, .prominence = {min(x) + 1, max(x)}}), high));
    CHECK(array_equal(signal::find_peaks(x, {.height = x(5)}), high));
    CHECK(array_equal(signal::butter(2, max(x) / 20).b, signal::butter(2, 0.2).b));
    CHECK(array_equal(signal::firwin(9, {x(3) / 5, x(5) / 5}, signal::bandpass),
                      signal::firwin(9, {0.2, 0.6}, signal::bandpass)));
}
TEST_CASE("filters: numbers as coefficients") {
    const auto x = randn({24}, generator(4));
    const tensor<double, 1> one{1};
    CHECK(array_equal(signal::lfilter(short_b, 1.0, x), signal::lfilter(short_b, one, x)));
    CHECK(array_equal(signal::lfilter(2, short_a, x), signal::lfilter(2 * one, short_a, x)));
    CHECK(array_equal(signal::lfilter(1, 2, x, 0), x / 2.0));
    CHECK(array_equal(signal::lfilter(short_b, sum(one), x), signal::lfilter(short_b, one, x)));  // of rank 0
    CHECK(array_equal(signal::lfilter(short_b, 2, x, tensor{1.0, 2.0}).zf,
                      signal::lfilter(short_b, 2 * one, x, tensor{1.0, 2.0}).zf));
    CHECK(array_equal(signal::filtfilt(short_b, 1, x), signal::filtfilt(short_b, one, x)));
    CHECK(array_equal(signal::lfilter_zi(short_b, 1), signal::lfilter_zi(short_b, one)));
    const auto [w, h] = signal::freqz(short_b);
    CHECK(w.size() == 512);
    CHECK(array_equal(h, std::get<1>(signal::freqz(short_b, one))));
    CHECK(array_equal(std::get<1>(signal::freqz(1, short_a, 8)), std::get<1>(signal::freqz(one, short_a, 8))));
    // as beside every array a number leaves the type
    const auto few = astype<float>(x);
    static_assert(std::is_same_v<decltype(signal::lfilter(astype<float>(short_b), 1.0, few)), tensor<float, 1>>);
    static_assert(std::is_same_v<decltype(std::get<0>(signal::freqz(few))), tensor<float, 1>&&>);
    CHECK(gradcheck([&](auto p) { return signal::lfilter(p, 1.0, x); }, ricci::tuple(short_b)));
    CHECK(gradcheck([&](auto p) { return signal::lfilter(p(0), short_a, x); }, ricci::tuple(short_b)));
}
TEST_CASE("filters: derivatives and batches") {
    const auto x = randn({17}, generator(2));
    const auto first = tensor<double, 1>{0.5, -1.0};
    const auto parts = [](auto p, auto q, auto z, auto s) {
        const auto r = signal::lfilter(p, q, z, s);
        return sum(sin(r.y)) + sum(r.zf * r.zf);
    };
    CHECK(gradgradcheck(parts, ricci::tuple(short_b, short_a, x(slice(0, 4)), first)));
    const auto both = [](auto p, auto q, auto z) { return sum(sin(signal::filtfilt(p, q, z))); };
    CHECK(gradgradcheck(both, ricci::tuple(short_b, short_a, x)));
    CHECK(gradcheck([](auto s, auto z) { return sum(sin(signal::sosfilt(s, z))); }, ricci::tuple(sections, x)));
    CHECK(gradcheck([](auto s, auto z) { return sum(sin(signal::sosfiltfilt(s, z))); }, ricci::tuple(sections, x)));
    CHECK(gradcheck(
        [](auto p) { return sum(square(abs(std::get<1>(signal::freqz(p, tensor<double, 1>{1.0, 0.5}, 5))))); },
        ricci::tuple(short_b)));
    const auto whole = [](auto z) {
        return sum(sin(signal::detrend(z))) + sum(square(imag(signal::hilbert(z)))) + sum(sin(signal::resample(z, 6)));
    };
    CHECK(gradgradcheck(whole, ricci::tuple(x(slice(0, 8)))));
    const auto lines = randn({3, 17}, generator(3));
    same(vmap([](auto z) { return signal::detrend(z); })(lines), signal::detrend(lines));
    same(vmap([](auto z) { return signal::filtfilt(short_b, short_a, z); })(lines),
         signal::filtfilt(short_b, short_a, lines));
    same(vmap([](auto z) { return signal::sosfiltfilt(sections, z); })(lines), signal::sosfiltfilt(sections, lines));
    same(vmap([](auto p) {
             return signal::lfilter(p, short_a, tensor<double, 1>{1.0, 2.0, 3.0}, tensor<double, 1>{0.5, 1.0}).zf;
         })(lines(all, slice(0, 3)))(1),
         signal::lfilter(lines(1, slice(0, 3)), short_a, tensor<double, 1>{1.0, 2.0, 3.0}, tensor<double, 1>{0.5, 1.0})
             .zf);
}
TEST_CASE("filters: sections of many lines at once") {
    const auto check = [](const auto& s, const auto& x) {
        const auto y = signal::sosfilt(s, x), z = signal::sosfiltfilt(s, x);
        for (const index_t i : {0, 7, 16, 18}) {
            CHECK(allclose(y(i), signal::sosfilt(s, x(i)), 1e-5, 1e-5));
            CHECK(allclose(z(i), signal::sosfiltfilt(s, x(i)), 1e-5, 1e-5));
        }
        // under transforms one section filters after the other, and filters are linear
        const auto [value, tangent] =
            jvp([&](auto a) { return signal::sosfilt(s, a); }, ricci::tuple(x), ricci::tuple(x));
        CHECK(allclose(value, y, 1e-5, 1e-5));
        CHECK(allclose(tangent, y, 1e-5, 1e-5));
        const auto [there, back] =
            jvp([&](auto a) { return signal::sosfiltfilt(s, a); }, ricci::tuple(x), ricci::tuple(x));
        CHECK(allclose(there, z, 1e-5, 1e-5));
        CHECK(allclose(back, z, 1e-5, 1e-5));
    };
    const tensor<double, 2> x = randn({19, 300}, generator(6));
    const tensor<double, 2> few = signal::butter_sos(3, 0.3),
                            many = signal::butter_sos(5, {0.3, 0.6}, signal::bandpass);
    check(few, x);
    check(many, x);
    check(evaluate(2 * few), x);  // divided by a0
    check(evaluate(astype<float>(few)), evaluate(astype<float>(x)));
    CHECK(signal::sosfilt(few, zeros({3, 0})).shape() == shape{3, 0});
    CHECK(signal::sosfilt(few, zeros({0, 3})).shape() == shape{0, 3});
    CHECK(allclose(signal::sosfilt(few, x.T(), 0), signal::sosfilt(few, x).T()));
}
TEST_CASE("filters: what does not fit") {
    const tensor<double, 1> x{1, 2, 3};
    CHECK_THROWS_AS(signal::find_peaks(tensor<double, 1>{0, 1, 0, 2, 0}, {.prominence = 0.5, .wlen = -8}), value_error);
    CHECK_THROWS_AS(signal::peak_widths(tensor<double, 1>{0, 1, 0, 2, 0}, tensor{1}, -0.5), value_error);
    CHECK_THROWS_AS(signal::sosfiltfilt(ones({2, 5}), ones({40})), shape_error);
    CHECK_THROWS_WITH_AS(
        signal::filtfilt(short_b, short_a, x),
        "[filtfilt] lines of 3 elements must be longer than the 9 elements that are put before and behind them",
        shape_error);
    CHECK_THROWS_WITH_AS(signal::sosfilt(ones({2, 5}), x),
                         "[sosfilt] sections are rows of 6 coefficients, and not of shape (2, 5)", shape_error);
    CHECK_THROWS_AS(signal::lfilter(short_b, short_a, x, zeros({3})), shape_error);
    CHECK_THROWS_AS(signal::butter(2, 1.5), value_error);
    CHECK_THROWS_AS(signal::butter(2, {0.2, 0.3}), value_error);
    CHECK_THROWS_AS(signal::butter_sos(2, {0.3, 0.2}, signal::bandpass), value_error);
    CHECK_THROWS_AS(signal::butter(0, 0.5), value_error);
    CHECK_THROWS_AS(signal::firwin(10, 0.5, signal::highpass), value_error);
    CHECK_THROWS_AS(signal::resample(x, 0), value_error);
    CHECK_THROWS_AS(signal::find_peaks(x, {.distance = 0.5}), value_error);
    CHECK_THROWS_WITH_AS(signal::peak_widths(x, tensor{3}),
                         "[peak_widths] a peak at 3 lies outside of a line of 3 elements", index_error);
}

TEST_CASE("find_peaks: prominences and widths as peak by peak") {
    for (const int seed : {1, 2, 3, 4, 5, 6}) {
        auto x = random::normal({3000}, generator(static_cast<std::uint64_t>(seed)));
        if (seed % 3 == 1) x = round(2.0 * x);        // plateaus and ties
        if (seed % 3 == 2) x = cumulative_sum(x, 0);  // slopes
        if (seed == 5) x(tensor{500, 1700}) = std::nan("");
        const auto peaks = signal::find_peaks(x);
        const auto by_peak = signal::peak_prominences(x, peaks);
        const auto widths = signal::peak_widths(x, peaks).widths;
        for (const double least : {0.5, 1.0, 2.5})
            CHECK(array_equal(signal::find_peaks(x, {.prominence = least}), peaks(by_peak.prominences >= least)));
        for (const double least : {1.0, 4.0})
            CHECK(array_equal(signal::find_peaks(x, {.width = least}), peaks(widths >= least)));
    }
}

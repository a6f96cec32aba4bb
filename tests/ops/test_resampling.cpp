// Lines smoothed, at other rates and made by formulas: SciPy's results, derivatives, batches, errors. In
// golden/resampling.hpp are calls of signal::savgol_coeffs, signal::savgol_filter, signal::medfilt, signal::upfirdn,
// signal::resample_poly, signal::decimate, signal::cheby1, signal::cheby1_sos, signal::chirp, signal::sawtooth,
// signal::square.
#include <ricci/ricci.hpp>

#include "../golden/resampling.hpp"
#include "fft_calls.hpp"

using namespace ricci;

namespace {

void check_call(const char* call, const auto& e, std::span<const index_t> extents, std::span<const double> expected) {
    fft_calls::check_call(call, e, extents, expected, 300);
}
void same(const auto& y, const auto& want) { CHECK(allclose(y, want, 1e-10, 1e-12)); }

const tensor<double, 1> h{0.5, 1, -2, 3, 0.25, -1, 0.125};

}  // namespace

TEST_CASE("resampling: SciPy's results") {
    const auto i = arange(80);
    const tensor<double, 2> x = (astype<double>(37 * i % 11) - 5.0 + astype<double>(i % 7) / 2.0).reshape({2, 40});
    const auto v = x(0);
    const auto t = linspace(-1, 2, 13);
    RICCI_RESAMPLING_CASES(RICCI_FFT_CHECK);
}
TEST_CASE("resampling: derivatives") {
    const auto x = randn({11}, generator(2));
    const auto rates = [](auto p, auto z) {
        return sum(sin(signal::upfirdn(p, z, 3, 2))) + sum(sin(signal::upfirdn(p, z, 4, 6))) +
               sum(square(signal::resample_poly(z, 2, 3, p)));
    };
    CHECK(gradgradcheck(rates, ricci::tuple(h, x)));
    const auto smooth = [](auto z) {
        return sum(sin(signal::savgol_filter(z, 5, 2))) +
               sum(sin(signal::savgol_filter(z, 5, 3, {.deriv = 1, .mode = pad_mode::wrap})));
    };
    CHECK(gradgradcheck(smooth, ricci::tuple(x)));
    CHECK(gradcheck([](auto z) { return sum(sin(signal::medfilt(z, 5))); }, ricci::tuple(x)));
    CHECK(gradcheck([](auto z) { return sum(sin(signal::decimate(z, 2))); }, ricci::tuple(randn({40}, generator(3)))));
    const auto waves = [](auto t) {
        return sum(signal::chirp(t, 1, 2, 3, signal::sweep::hyperbolic) * signal::sawtooth(t, 0.3) * signal::square(t));
    };
    CHECK(gradcheck(waves, ricci::tuple(tensor{0.25, 0.75, 2.5, 4.0})));
    CHECK(gradcheck([&](auto z) { return sum(abs(signal::upfirdn(h, z, 2, 3))); }, ricci::tuple(complex(x, flip(x)))));
}
TEST_CASE("resampling: batches") {
    const auto lines = randn({3, 40}, generator(4));
    const auto each = [&](const auto& f) { same(vmap(f)(lines), f(lines)); };
    each([](auto z) { return signal::upfirdn(h, z, 3, 2); });
    each([](auto z) { return signal::resample_poly(z, 3, 2); });
    each([](auto z) { return signal::decimate(z, 3); });
    each([](auto z) { return signal::savgol_filter(z, 7, 2); });
    each([](auto z) { return signal::chirp(z, 1, 2, 3); });
    same(vmap([](auto z) { return signal::medfilt(z, 5); })(lines), signal::medfilt(lines, {1, 5}));
    same(vmap([](auto p, auto z) { return signal::upfirdn(p, z, 2, 3); })(lines(all, slice(0, 6)), lines)(1),
         signal::upfirdn(lines(1, slice(0, 6)), lines(1), 2, 3));
}
TEST_CASE("resampling: types, NaN and errors") {
    const auto few = randn<float>({40}, generator(5));
    static_assert(std::is_same_v<decltype(signal::resample_poly(few, 2, 1)), tensor<float, 1>>);
    static_assert(std::is_same_v<decltype(signal::decimate(few, 2)), tensor<float, 1>>);
    static_assert(std::is_same_v<decltype(signal::savgol_filter(few, 5, 2)), tensor<float, 1>>);
    static_assert(std::is_same_v<decltype(signal::medfilt(tensor<std::uint8_t, 1>{1})), tensor<std::uint8_t, 1>>);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(array_equal(isnan(signal::medfilt(tensor{1.0, nan, 2.0, 3.0, 4.0})), tensor{true, true, true, false, false}));
    const auto long_line = randn({700}, generator(6));  // by forgetting, and in order
    for (const index_t n : {9, 101, 601})
        CHECK(
            array_equal(signal::medfilt(long_line, n)(slice(n / 2, 700 - n / 2)), median(unfold(long_line, 0, n), -1)));
    const auto picture = signal::medfilt(long_line.reshape(20, 35), {5, 7});
    CHECK(picture(8, 9).item() == median(ravel(long_line.reshape(20, 35)(slice(6, 11), slice(6, 13)))).item());
    const auto with_nan = where(arange(700) == 50, nan, long_line);
    CHECK(flatnonzero(isnan(signal::medfilt(with_nan, 41))).size() == 41);
    CHECK(signal::medfilt(zeros({0})).size() == 0);
    CHECK(isnan(signal::square(1.0 * arange(2.0), 1.5)(0)).item());
    CHECK_THROWS_WITH_AS(signal::medfilt(few, 4),
                         "[medfilt] windows must have an odd number of elements along each axis: 4", value_error);
    CHECK_THROWS_WITH_AS(signal::upfirdn(h, few, 0, 1), "[upfirdn] the rates must be 1 or more: up 0, down 1",
                         value_error);
    CHECK_THROWS_AS(signal::resample_poly(few, 2, 0), value_error);
    CHECK_THROWS_AS(signal::upfirdn(h, zeros({0})), shape_error);
    CHECK_THROWS_AS(signal::decimate(few, 0), value_error);
    CHECK_THROWS_AS(signal::savgol_coeffs(5, 5), value_error);
    CHECK_THROWS_AS(signal::savgol_filter(few, 4, 2), value_error);
    CHECK_THROWS_AS(signal::savgol_filter(few, 41, 2), value_error);
    CHECK_THROWS_AS(signal::cheby1(2, 0, 0.5), value_error);
    CHECK_THROWS_AS(signal::chirp(few, 1, 2, -1, signal::sweep::logarithmic), value_error);
}

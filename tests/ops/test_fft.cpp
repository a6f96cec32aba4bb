// Fourier transforms against NumPy, in every memory layout; element types, empty arrays, errors.
// In golden/fft.hpp are calls of fft::fft, fft::ifft, fft::rfft, fft::irfft, fft::hfft, fft::ihfft, fft::fft2,
// fft::ifft2, fft::rfft2, fft::irfft2, fft::hfft2, fft::ihfft2, fft::fftn, fft::ifftn, fft::rfftn, fft::irfftn,
// fft::hfftn, fft::ihfftn, fft::fftfreq, fft::rfftfreq, fft::fftshift, fft::ifftshift.
#include "../golden/fft.hpp"
#include "fft_calls.hpp"

using namespace ricci;
using fft_calls::check_call;
using reference::layout;

namespace {

template <class T>
void check_numpy(layout l) {
    CAPTURE(reference::name(l));
    const auto real = [](index_t i) { return static_cast<T>(37 * i % 11 - 5); };
    const auto x = reference::make<T>(l, shape{2, 3, 4}, real);
    const auto z = reference::make<std::complex<T>>(
        l, shape{2, 3, 4}, [&](index_t i) { return std::complex<T>(real(i), static_cast<T>(23 * i % 7 - 3)); });
    RICCI_FFT_CASES(RICCI_FFT_CHECK);
}

}  // namespace

TEST_CASE("fft: NumPy's results, in every memory layout") {
    for (const layout l : {layout::contiguous, layout::permuted, layout::reversed, layout::strided})
        check_numpy<double>(l);
    check_numpy<float>(layout::permuted);
}

TEST_CASE("fft: arange(4), and what other element types become") {
    const auto y = fft::fft(arange<int>(4));
    static_assert(std::is_same_v<decltype(y)::value_type, std::complex<double>>);
    using c = std::complex<double>;
    CHECK(reference::values(y) == std::vector<c>{c(6), c(-2, 2), c(-2), c(-2, -2)});
    static_assert(std::is_same_v<decltype(fft::rfft(ones<bool>({3})))::value_type, std::complex<double>>);
    static_assert(std::is_same_v<decltype(fft::rfft(ones<float16>({3})))::value_type, std::complex<float>>);
    static_assert(std::is_same_v<decltype(fft::irfft(ones<bfloat16>({3})))::value_type, float>);
    CHECK(fft::rfft(ones<float16>({3})).at(0) == std::complex<float>(3));
    const tensor<const double, 1> fixed = tensor<double, 1>{1, 2};
    CHECK(fft::rfft(fixed).at(1) == c(-1));
}

TEST_CASE("fft: arrays without elements, lines of one") {
    CHECK(fft::fft(zeros<double>({0, 4})).shape() == shape{0, 4});
    CHECK(fft::rfft(zeros<double>({0, 4})).shape() == shape{0, 3});
    CHECK(fft::irfft(zeros<double>({0, 4})).shape() == shape{0, 6});
    CHECK(fft::rfft(zeros<double>({0, 5})).shape() == shape{0, 3});
    CHECK(fft::irfft(zeros<double>({0, 4}), {.n = 7}).shape() == shape{0, 7});
    CHECK(fft::fft(zeros<double>({3, 0}), {.n = 2}).shape() == shape{3, 2});
    CHECK(fft::fft(zeros<double>({3, 0}), {.axis = 0}).shape() == shape{3, 0});
    CHECK(fft::fftn(zeros<double>({0, 4}), {.axes = {1}}).shape() == shape{0, 4});
    CHECK(fft::irfft(full<double>({1}, 3.0), {.n = 1}).at(0) == 3);
}

TEST_CASE("fft: a length, an axis and a normalization without names, as NumPy's") {
    const auto x = reshape(arange<double>(12.0), {3, 4});
    const auto z = fft::fft(x);
    CHECK(array_equal(fft::fft(x, 5, 0), fft::fft(x, {.n = 5, .axis = 0})));
    CHECK(array_equal(fft::ifft(z, 5, 0, fft::ortho), fft::ifft(z, {.n = 5, .axis = 0, .norm = fft::ortho})));
    CHECK(array_equal(fft::rfft(x, 6, 1), fft::rfft(x, {.n = 6})));
    CHECK(array_equal(fft::irfft(z, 3, 0), fft::irfft(z, {.n = 3, .axis = 0})));
    CHECK(array_equal(fft::hfft(z, 3, 0), fft::hfft(z, {.n = 3, .axis = 0})));
    CHECK(array_equal(fft::ihfft(x, 4, -1, fft::forward), fft::ihfft(x, {.norm = fft::forward})));
}

TEST_CASE("fft: lengths, axes and a normalization without names, as NumPy's") {
    const auto x = reshape(arange<double>(24.0), {2, 3, 4});
    const auto z = fft::fft(x);
    CHECK(array_equal(fft::fft2(x, {4, 4}, {0, 1}), fft::fft2(x, {.s = {4, 4}, .axes = {0, 1}})));
    CHECK(array_equal(fft::fft2(x, shape{4, -1}), fft::fft2(x, {.s = {4, 4}})));
    CHECK(array_equal(fft::ifft2(z, shape{2, 5}, {0, 2}, fft::ortho),
                      fft::ifft2(z, {.s = {2, 5}, .axes = {0, 2}, .norm = fft::ortho})));
    CHECK(array_equal(fft::rfft2(x, {4, 4}, {1, 0}), fft::rfft2(x, {.s = {4, 4}, .axes = {1, 0}})));
    CHECK(array_equal(fft::irfft2(z, {3, 5}, {0, 1}), fft::irfft2(z, {.s = {3, 5}, .axes = {0, 1}})));
    CHECK(array_equal(fft::irfft2(z, {3, 6}), fft::irfft2(z)));
    CHECK(array_equal(fft::hfft2(z, {3, 5}, {0, 1}), fft::hfft2(z, {.s = {3, 5}, .axes = {0, 1}})));
    CHECK(array_equal(fft::ihfft2(x, {3, 5}, {0, 1}), fft::ihfft2(x, {.s = {3, 5}, .axes = {0, 1}})));
    CHECK(array_equal(fft::fftn(x, shape{5}), fft::fft(x, 5)));
    CHECK(array_equal(fft::ifftn(z, {2, 2, 2}, {2, 0, 1}, fft::forward),
                      fft::ifftn(z, {.s = {2, 2, 2}, .axes = {2, 0, 1}, .norm = fft::forward})));
    CHECK(array_equal(fft::rfftn(x, {5}, {0}), fft::rfft(x, 5, 0)));
    CHECK(array_equal(fft::irfftn(fft::rfftn(x), x.shape(), {0, 1, 2}), fft::irfftn(fft::rfftn(x), x.shape())));
    CHECK(array_equal(fft::hfftn(z, {5}, {0}), fft::hfft(z, 5, 0)));
    CHECK(array_equal(fft::ihfftn(x, {5}, {0}), fft::ihfft(x, 5, 0)));
    CHECK(array_equal(fft::fft2(x, {}), fft::fft2(x)));
}

TEST_CASE("fft: errors") {
    const auto x = zeros<double>({2, 3});
    const auto text = [](auto call) { return reference::message<error>(call); };
    CHECK(text([&] { fft::fft(x, {.n = 0}); }) == "[fft] the number of points must be at least 1: 0");
    CHECK(text([&] { fft::rfft(zeros<double>({2, 0})); }) == "[rfft] the number of points must be at least 1: 0");
    CHECK(text([&] { fft::irfft(zeros<double>({2, 1})); }) == "[irfft] the number of points must be at least 1: 0");
    CHECK(text([&] { fft::hfft(x, {.n = -2}); }) == "[hfft] the number of points must be at least 1: -2");
    CHECK(text([&] { fft::ifft(x, {.axis = 2}); }) == "[ifft] axis 2 is out of range for rank 2");
    CHECK(text([&] { fft::fftn(x, {.s = {2, 2, 2}}); }) ==
          "[fftn] 3 axes are asked for, the array of shape (2, 3) has 2");
    CHECK(text([&] { fft::rfftn(x, {.s = {2, 2}, .axes = {1}}); }) == "[rfftn] 2 lengths are given for 1 axes");
    CHECK(text([&] { fft::ifft2(x, {.axes = {0, -2}}); }) == "[ifft2] axis 0 is named twice");
    CHECK(text([&] { fft::fft2(x, {.s = {0, 2}}); }) == "[fft2] the number of points must be at least 1: 0");
    CHECK(text([&] { fft::fftfreq(0); }) == "[fftfreq] the number of points must be at least 1: 0");
}

TEST_CASE("fft: what plans keep comes from no allocator of the user's") {
    struct counting : allocator {
        int live = 0;
        void* allocate(std::size_t bytes, std::size_t alignment) override {
            ++live;
            return ::operator new(bytes, std::align_val_t(alignment));
        }
        void deallocate(void* block, std::size_t, std::size_t alignment) noexcept override {
            --live;
            ::operator delete(block, std::align_val_t(alignment));
        }
    } mine;
    allocator* const before = set_allocator(&mine);
    for (const index_t n : {64, 1009, 1024, 1200, 40000}) {  // of which no other test here asks for all
        const auto y = fft::rfft(ones<double>({n}));
        CHECK(y.at(0).real() == doctest::Approx(double(n)));
        CHECK(fft::fft2(ones<float>({3, n})).at(0, 0).real() == doctest::Approx(3.0 * double(n)));
        CHECK(fft::dct(ones<float>({n})).at(0) == doctest::Approx(2.0 * double(n)));
    }
    set_allocator(before);
    CHECK(mine.live == 0);
}

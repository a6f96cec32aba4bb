// Fourier transforms of every kind of length against their definition; accuracy; threads.
#include <atomic>
#include <thread>

#include "fft_reference.hpp"

using namespace fft_reference;

TEST_CASE("fft: every length, of one line and of many") {
    const auto check = [](index_t n) {
        check_line<double>(n);
        check_line<float>(n);
        check_length(n);
    };
    for (index_t n = 1; n <= 64; n += reference::is_sample ? 5 : 1) check(n);
    if (reference::is_sample) return;
    for (const index_t n : {67, 72, 77, 97, 100, 101, 119, 120, 121, 127, 128, 143, 169, 210, 256, 289, 331, 360, 496})
        check(n);
}

TEST_CASE("fft: real lines of odd lengths have no share in each other's errors") {
    for (const index_t n : {1, 15, 45, 509, 1025}) {
        CAPTURE(n);
        const auto x = numbers<double>(shape{3, n}, 7);
        x(0) = x(0) * 1e12;
        x(2) = std::numeric_limits<double>::quiet_NaN();
        const auto y = evaluate(fft::rfft(x)), lone = evaluate(fft::rfft(evaluate(x(slice(1, 2)))));
        CHECK(difference(evaluate(y(slice(1, 2))), lone) < 1e-13);
        CHECK(difference(evaluate(fft::irfft(y, n)(slice(1, 2))), evaluate(x(slice(1, 2)))) < 1e-13);
    }
}

TEST_CASE("fft: an odd number of lines whose lengths are powers of two") {
    // the shortest go in pairs, the last one with itself; the longest are none of power.hpp's any more
    const auto check = [](auto number, index_t n) {
        using T = decltype(number);
        CAPTURE(n);
        using C = std::complex<double>;
        const auto columns = numbers<C>(shape{n, 5}, 7);  // transformed side by side, unless they are too long
        const auto expected = fft::fft(columns, {.axis = 0});
        const tensor<std::complex<T>, 2> z = evaluate(astype<std::complex<T>>(turned(columns)));
        const tensor<C, 2> y = evaluate(astype<C>(fft::fft(z)));
        const double size = static_cast<double>(n);
        const double tolerance =
            2 * double(std::numeric_limits<T>::epsilon()) * std::sqrt(size) * (2 + std::log2(size));
        for (index_t l = 0; l < 5; ++l) CHECK(difference(part(y, 0, l), part(expected, 1, l)) < tolerance);
        CHECK(difference(fft::ifft(fft::fft(z)), z) < tolerance);
        const auto x = real_parts(tensor<std::complex<T>, 2>(z.clone()));
        CHECK(difference(fft::irfft(fft::rfft(x)), x) < tolerance);  // of which the second step transforms in place
    };
    for (index_t n = 2; n <= (reference::is_sample ? 256 : 1 << 15); n *= 2) {
        check(float(), n);
        check(double(), n);
    }
}

TEST_CASE("fft: short lines, any number of them, and none has a share in another's NaN") {
    const auto check = [](auto number, index_t n, index_t lines) {
        using T = decltype(number);
        using C = std::complex<T>;
        CAPTURE(n);
        CAPTURE(lines);
        const auto columns = numbers<std::complex<double>>(shape{n, lines}, 7);
        const tensor<C, 2> z = evaluate(astype<C>(turned(columns))),
                           expected = evaluate(astype<C>(turned(evaluate(fft::fft(columns, {.axis = 0})))));
        const double tolerance = 20 * double(std::numeric_limits<T>::epsilon()) * double(n);
        CHECK(difference(fft::fft(z), expected) < tolerance);
        CHECK(difference(fft::ifft(expected), z) < tolerance);
        if (lines < 3) return;
        z(1) = std::numeric_limits<T>::quiet_NaN();
        const auto y = evaluate(fft::fft(z));
        CHECK(difference(evaluate(y(slice(0, 1))), evaluate(expected(slice(0, 1)))) < tolerance);
        CHECK(difference(evaluate(y(slice(2, none))), evaluate(expected(slice(2, none)))) < tolerance);
    };
    for (index_t n = 2; n <= 21; ++n)
        for (const index_t lines : {1, 2, 3, 5, 8, 13, 16, 27}) {
            if (reference::is_sample && (n + lines) % 5) continue;
            check(float(), n, lines);
            check(double(), n, lines);
        }
}

TEST_CASE("fft: short real lines, any number of them, and none has a share in another's NaN") {
    const auto check = [](auto number, index_t n, index_t lines) {
        using T = decltype(number);
        using C = std::complex<T>;
        CAPTURE(n);
        CAPTURE(lines);
        const auto x = real_parts(tensor<C, 2>(numbers<C>(shape{lines, n}, 7)));
        const auto half = slice(0, n / 2 + 1);
        const tensor<C, 2> expected = evaluate(fft::fft(astype<C>(x))(all, half));
        const double tolerance = 20 * double(std::numeric_limits<T>::epsilon()) * double(n);
        CHECK(difference(fft::rfft(x), expected) < tolerance);
        CHECK(difference(fft::irfft(expected, n), x) < tolerance);
        CHECK(difference(evaluate(fft::ihfft(x) * static_cast<T>(n)), evaluate(conj(expected))) < tolerance);
        if (lines < 3) return;
        const auto y = x.clone();
        y(1) = std::numeric_limits<T>::quiet_NaN();
        const auto z = evaluate(fft::rfft(y));
        const auto w = evaluate(fft::irfft(z, n));
        for (const auto& others : {slice(0, 1), slice(2, none)}) {
            CHECK(difference(evaluate(z(others)), evaluate(expected(others))) < tolerance);
            CHECK(difference(evaluate(w(others)), evaluate(x(others))) < tolerance);
        }
    };
    for (const index_t n : {2, 4, 6, 7, 8, 10, 12, 15, 16, 18, 20})
        for (const index_t lines : {1, 2, 3, 5, 8, 13, 16, 27}) {
            if (reference::is_sample && (n + lines) % 5) continue;
            check(float(), n, lines);
            check(double(), n, lines);
        }
}

TEST_CASE("fft: long lines") {
    // primes, powers of two, mixed: the last ones' tables of roots are made of two
    for (const index_t n : {509, 512, 1000, 1009, 1024, 1155, 2048, 2310, 3003, 4096, 5040})
        check_line<double>(n, !reference::is_sample);
    for (const index_t n : {1009, 2047, 4096, 6561}) check_line<float>(n, !reference::is_sample);
    for (const index_t n : {1 << 14, 3 << 14, 1 << 17, 65537, 2 * 3 * 5 * 7 * 11 * 13}) check_line<double>(n, false);
}

TEST_CASE("fft: the error grows as the logarithm of the length") {
    // of root mean squares; eps log2(n) / 4 leaves a factor of two or so
    for (const index_t n : {64, 512, 4096, 1000, 2187}) {
        if (reference::is_sample && n > 600) continue;
        CAPTURE(n);
        CHECK(relative_error<float>(n) < 0.25 * std::log2(double(n)) * 1.2e-7);
        CHECK(relative_error<double>(n) < 0.25 * std::log2(double(n)) * 2.3e-16);
    }
}

namespace {

template <class T, int R>
bool same(const tensor<T, R>& a, const tensor<T, R>& b) {
    return reference::values(a) == reference::values(b);
}

}  // namespace

TEST_CASE("fft: threads share plans, and results do not depend on their number") {
    const auto x = numbers<float>(shape{40, 3000}, 3);
    const auto z = numbers<double>(shape{1 << 17}, 4);
    set_num_threads(1);
    const auto a = fft::rfft(x, {.n = 4096}), b = fft::fft(x, {.axis = 0});
    const auto c = fft::rfft(z);
    set_num_threads(4);
    CHECK(same(fft::rfft(x, {.n = 4096}), a));
    CHECK(same(fft::fft(x, {.axis = 0}), b));
    CHECK(same(fft::rfft(z), c));
    std::vector<std::thread> users;
    std::atomic<int> equal{0};
    for (int t = 0; t < 4; ++t)
        users.emplace_back([&, t] {
            for (index_t n = 100 + t; n < 180; n += 2)
                static_cast<void>(fft::rfft(x, {.n = n}));  // more plans than are kept
            equal += same(fft::rfft(x, {.n = 4096}), a);
        });
    for (auto& user : users) user.join();
    CHECK(equal == 4);
    set_num_threads(1);
}

TEST_CASE("fft: a length beside the array") {
    const auto x = randn({9}, generator(1));
    CHECK(array_equal(fft::fft(x, 12), fft::fft(x, {.n = 12})));
    CHECK(array_equal(fft::irfft(fft::rfft(x), x.size()), fft::irfft(fft::rfft(x), {.n = 9})));
}

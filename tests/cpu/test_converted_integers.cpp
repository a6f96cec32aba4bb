// Integers that a map of floats converts: on registers, to the values of element-wise conversions.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

template <class I>
tensor<I, 1> spread_integers(index_t n) {
    tensor<I, 1> x = empty<I>({n});
    std::uint64_t state = 88172645463325252u;
    for (index_t i = 0; i < n; ++i) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        x.data()[i] = static_cast<I>(state >> (i % 60));
    }
    if (n > 1) {
        x.data()[0] = std::numeric_limits<I>::max();
        x.data()[1] = std::numeric_limits<I>::min();
    }
    return x;
}
template <class T, class Y, class F>
void check_elements(const Y& y, const F& expected) {
    bool same = true;
    for (index_t i = 0; i < y.size(); ++i) same = same && y.data()[i] == static_cast<T>(expected(i));
    CHECK(same);
}

}  // namespace

TEST_CASE_TEMPLATE("converted integers: every length and step, as doubles", I, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    for (const index_t n : {1, 2, 7, 8, 9, 15, 16, 31, 33, 64, 100, 1000}) {
        const auto k = spread_integers<I>(2 * n);
        const auto x = rand<double>({n}, generator(5));
        const auto dense = k(slice(0, n)), second = k(slice(0, 2 * n, 2)), backwards = k(slice(n - 1, none, -1));
        check_elements<double>(evaluate(dense * 0.5 + x),
                               [&](index_t i) { return static_cast<double>(k.data()[i]) * 0.5 + x.data()[i]; });
        check_elements<double>(evaluate(x - second),
                               [&](index_t i) { return x.data()[i] - static_cast<double>(k.data()[2 * i]); });
        check_elements<double>(evaluate(x * backwards),
                               [&](index_t i) { return x.data()[i] * static_cast<double>(k.data()[n - 1 - i]); });
        const auto still = k(slice(0, 1));  // the same all along
        check_elements<double>(evaluate(x + still),
                               [&](index_t i) { return x.data()[i] + static_cast<double>(k.data()[0]); });
        CHECK(allclose(sum(x * dense), sum(x * astype<double>(dense)), 1e-14, 0));
    }
}

TEST_CASE_TEMPLATE("converted integers: as floats, halves and complex numbers", I, std::int8_t, std::uint16_t,
                   std::int32_t) {
    for (const index_t n : {3, 16, 45}) {
        const auto k = spread_integers<I>(n);
        const auto x = rand<float>({n}, generator(6));
        check_elements<float>(evaluate(x * astype<float>(k)),
                              [&](index_t i) { return x.data()[i] * static_cast<float>(k.data()[i]); });
        const tensor<bfloat16, 1> h = astype<bfloat16>(astype<float>(k) * x);
        check_elements<bfloat16>(
            h, [&](index_t i) { return static_cast<bfloat16>(static_cast<float>(k.data()[i]) * x.data()[i]); });
        using C = std::complex<double>;
        const auto z = evaluate(astype<C>(rand<double>({n}, generator(7))) + C(0, 1));
        check_elements<C>(evaluate(z + astype<double>(k)),
                          [&](index_t i) { return z.data()[i] + static_cast<double>(k.data()[i]); });
    }
}

TEST_CASE_TEMPLATE("converted integers: to 16 bits with one rounding", I, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t) {
    std::vector<I> all;
    for (int bit = 0; bit < 64; ++bit)
        for (int tie = 0; tie < 64; ++tie)
            for (const int beside : {-1, 0, 1}) {  // half way between two numbers, and next to it
                const auto x =
                    (std::uint64_t(1) << bit) + (std::uint64_t(1) << tie) + static_cast<std::uint64_t>(beside);
                all.push_back(static_cast<I>(x));
                all.push_back(static_cast<I>(0 - x));
            }
    const auto x = from_span(std::span<const I>(all));
    const auto check = [&](auto half) {
        using H = decltype(half);
        const auto y = evaluate(astype<H>(x)), sums = evaluate(astype<H>(x) + H(0)),
                   few = evaluate(astype<H>(x(slice(0, 13))));
        const auto apart = evaluate(astype<H>(x(slice(none, none, 3))));
        index_t wrong = 0;
        for (index_t i = 0; i < x.size(); ++i) {
            const H once(x.data()[i]);
            wrong += once.bits != y.data()[i].bits || static_cast<float>(once) != static_cast<float>(sums.data()[i]);
            if (i % 3 == 0) wrong += once.bits != apart.data()[i / 3].bits;
            if (i < 13) wrong += once.bits != few.data()[i].bits;
        }
        CHECK(wrong == 0);
    };
    check(float16());
    check(bfloat16());
}

TEST_CASE("converted integers: rows, columns, reductions, derivatives and batches") {
    const auto k = reshape(arange(35), {5, 7});
    const auto row = arange(7);
    const auto column = reshape(arange(5), {5, 1});
    const auto x = rand<double>({5, 7}, generator(8));
    const auto wide = astype<double>(k);
    CHECK(array_equal(evaluate(x * row + column), evaluate(x * astype<double>(row) + astype<double>(column))));
    CHECK(array_equal(evaluate(x * permute(k, {1, 0})(slice(0, 5), slice(0, 1))),
                      evaluate(x * evaluate(permute(wide, {1, 0}))(slice(0, 5), slice(0, 1)))));
    CHECK(allclose(sum(exp(-0.1 * k), 0), sum(exp(-0.1 * wide), 0), 1e-15, 0));
    CHECK(allclose(max(x * k, 1), max(x * wide, 1), 0, 0));
    const auto f = [](const auto& counts) {
        return [counts](const auto& v) { return sum(sin(v * counts) / (1.0 + square(v))); };
    };
    CHECK(allclose(grad(f(k))(x), grad(f(wide))(x), 1e-15, 1e-15));
    CHECK(allclose(hvp(f(k), x, x), hvp(f(wide), x, x), 1e-14, 1e-14));
    CHECK(allclose(vmap([](const auto& v, const auto& c) { return exp(-v * c); })(x, k), exp(-x * wide), 1e-15, 0));
    CHECK(array_equal(evaluate(where(x > 0.5, k, x)), evaluate(where(x > 0.5, wide, x))));
    const auto used_twice = evaluate(where(k > 12, x * k, x));  // as an integer, too
    CHECK(array_equal(used_twice, evaluate(where(wide > 12, x * wide, x))));
}

TEST_CASE("truth values beside integers: every length, dense and repeated") {
    for (const index_t n : {1, 15, 33, 300}) {
        const auto k = spread_integers<std::int16_t>(n);
        const tensor<bool, 1> m = k % 3 == 0;
        check_elements<std::int16_t>(evaluate(k * m), [&](index_t i) { return m.data()[i] ? k.data()[i] : 0; });
        check_elements<bool>(evaluate(m && (k > 5)), [&](index_t i) { return m.data()[i] && k.data()[i] > 5; });
        check_elements<std::int16_t>(evaluate(k * m(slice(0, 1))),
                                     [&](index_t i) { return m.data()[0] ? k.data()[i] : 0; });
        const tensor<bool, 1> a = k % 2 == 0, b = k > 5;
        check_elements<bool>(evaluate(where(m, a, b)),
                             [&](index_t i) { return m.data()[i] ? a.data()[i] : b.data()[i]; });
        check_elements<bool>(evaluate(maximum(a, !b)), [&](index_t i) { return a.data()[i] || !b.data()[i]; });
        check_elements<bool>(evaluate(minimum(a, b)), [&](index_t i) { return a.data()[i] && b.data()[i]; });
    }
}

// Masks that are maps: selected as they are computed, into memory that is there or not.
#include <doctest/doctest.h>

#include <vector>

#include <ricci/ricci.hpp>

using namespace ricci;

namespace {

/// The elements of x, in row-major order, for which `chosen` is not 0.
template <class T, int R, class M>
std::vector<T> expected(const tensor<T, R>& x, const M& chosen) {
    const tensor<T, R> all = x.clone();
    const tensor<bool, R> mask = chosen;
    std::vector<T> y;
    for (index_t i = 0; i < all.size(); ++i)
        if (mask.data()[i]) y.push_back(all.data()[i]);
    return y;
}
template <class T>
std::vector<T> elements(const tensor<T, 1>& y) {
    return {y.begin(), y.end()};
}

}  // namespace

TEST_CASE_TEMPLATE("indexing: maps as masks, of every length", T, float, double, std::int8_t, std::complex<float>) {
    for (const index_t n : {0, 1, 15, 16, 17, 100, 2047, 2048, 2049, 5000}) {
        CAPTURE(n);
        const tensor<float, 1> by = randn<float>({n}, generator(1));
        const tensor<T, 1> x = astype<T>(20 * randn<float>({n}, generator(2)));
        for (const float limit : {-9.0F, -1.0F, 0.0F, 1.0F, 9.0F}) {
            tensor<T, 1> y = x(by > limit);
            CHECK(elements(y) == expected(x, by > limit));
            y = x(by < limit);  // into what is there, where it has room
            CHECK(elements(y) == expected(x, by < limit));
            CHECK(x(by < limit).shape() == y.shape());
        }
    }
}

TEST_CASE_TEMPLATE("indexing: maps as masks of their own elements, of every length", T, float, double, float16,
                   std::int32_t, std::complex<double>) {
    using by_type =
        std::conditional_t<std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>, double, float>;
    const tensor<by_type, 0> limit(0.25);
    for (index_t n = 0; n < 70; ++n) {
        CAPTURE(n);
        const tensor<by_type, 1> by = randn<by_type>({n}, generator(static_cast<std::uint64_t>(n) + 1));
        const tensor<bool, 1> truths = by > 0.5F;
        const tensor<T, 1> x = astype<T>(20 * by);
        const auto check = [&](const auto& mask) {
            const tensor<T, 1> y = x(mask);
            CHECK(elements(y) == expected(x, mask));
        };
        check(by > limit);
        check(by > limit || truths);
        check(1 / by < limit);
        if constexpr (!is_complex_v<T>) check(x > T(0) && x != T(3));
        else check(abs(x) > 1);
        check(truths && !(by > 1));
    }
}

TEST_CASE("indexing: maps as masks of leaves that do not lie side by side") {
    const tensor<float, 2> x = randn<float>({70, 50}, generator(1)), z = randn<float>({50, 70}, generator(2));
    const tensor<float, 1> row = randn<float>({50}, generator(3));
    const tensor<float, 0> limit(0.25);
    const auto check = [](const auto& a, const auto& mask) {
        const tensor<float, 1> y = a(mask);
        CHECK(elements(y) == expected(a, mask));
    };
    check(x, x > limit);
    check(x, x > row);
    check(x, x > row(newaxis, all));
    check(x, x > mean(x, 1, keepdims));
    check(x, matrix_transpose(z) > x);
    check(tensor<float, 2>(matrix_transpose(z)), x * x > 1);
    check(tensor<float, 2>(x(slice(none, none, 2), all)), x(slice(none, none, 2), all) > 0);
    check(x, isfinite(x) && x > 0);
}

TEST_CASE("indexing: what a map selects may replace its own leaves, and its memory be used again") {
    const tensor<float, 1> start = randn<float>({1000}, generator(1));
    tensor<float, 1> x = start.clone();
    x = x(x > 0);
    CHECK(elements(x) == expected(start, start > 0));
    const tensor<float, 1> other = x;
    tensor<float, 1> y = start(start < 1);
    const float* const room = y.data();
    y = start(start > 0);  // the first had over half of the elements, and so room for all
    CHECK(y.data() == room);
    CHECK(elements(y) == elements(other));
    const tensor<float, 1> held = y;
    y = start(start < -1);  // somebody else sees the memory
    CHECK(y.data() != room);
    CHECK(elements(held) == elements(other));
    CHECK(y.memory().bytes() < start.memory().bytes() / 2);
    const tensor<float, 1> few = start(slice(0, 100)).clone();
    tensor<float, 1> some = few(few > 1);
    const float* const small = some.data();
    CHECK(elements(some) == expected(few, few > 1));
    some = few(few < 5);  // little memory is kept whole
    CHECK(some.data() == small);
    CHECK(elements(some) == elements(few));
    some = few(few > 100);
    CHECK(some.size() == 0);
    const tensor<float, 1> twice = start(start > 0) * 2.0F;
    CHECK(twice.size() == other.size());
    CHECK(twice.data()[0] == 2 * other.data()[0]);
}

TEST_CASE("indexing: maps as masks of what is written") {
    tensor<float, 1> x = randn<float>({300}, generator(1));
    const tensor<float, 1> before = x.clone();
    x(x < 0) = 0.0F;
    CHECK(allclose(x, maximum(before, 0.0F)));
    x(x > 1) += 1.0F;
    CHECK(allclose(x, where(before > 1, before + 1, maximum(before, 0.0F))));
    const tensor<float, 1> large = x(x > 1);
    x(x > 1) = -large;
    CHECK(elements(tensor<float, 1>(x(x < 0))) == elements(tensor<float, 1>(-large)));
    CHECK_THROWS_AS((x(x < 0) = ones<float>({299})), shape_error);
    const auto chosen = x(x < 0);  // a map is computed when it is needed
    x(all) = 1.0F;
    CHECK(chosen.size() == 0);
}

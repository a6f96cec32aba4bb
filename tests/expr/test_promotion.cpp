// Result types against NumPy's, with weak scalars; values of small integers and truth values, which C++ would widen.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../golden/promotion.hpp"
#include "../reference.hpp"

using namespace ricci;
using reference::values;

namespace {

template <class Op, class... Kind>
constexpr const char* result_of = dtype_name<typename Op::template result<Kind...>>();
template <class E>
constexpr const char* dtype_of = dtype_name<typename E::value_type>();
bool equal(const char* a, const char* b) { return std::strcmp(a, b) == 0; }

/// Every element type, in the golden file's order.
template <class... T>
struct table {
    static constexpr int size = sizeof...(T);
    using names = const char* [size];

    static constexpr names dtype = {dtype_name<T>()...};
    template <class A>
    struct of {
        static constexpr names promoted = {dtype_name<promote_t<A, T>>()...};
        static constexpr names sum = {result_of<ops::add, A, T>...};
        static constexpr names quotient = {result_of<ops::divide, A, T>...};
        static constexpr names selected = {result_of<ops::where, bool, A, T>...};
    };
    /// With one more than A, as arguments of one function: the places of the results in this table.
    template <class A>
    static constexpr void add_three(std::string& letters) {
        ((add_three_of<A, T>(letters)), ...);
    }
    template <class A, class B>
    static constexpr void add_three_of(std::string& letters) {
        ((letters += letter<common_t<A, B, T>>), ...);
    }
    template <class R>
    static constexpr char letter = [] {
        char at = 'a';
        static_cast<void>(((std::is_same_v<R, T> || (++at, false)) || ...));
        return at;
    }();
    static std::vector<std::string> promoted_three() {
        std::vector<std::string> rows(size);
        int row = 0;
        (add_three<T>(rows[row++]), ...);
        return rows;
    }
    static constexpr const names* promoted[] = {&of<T>::promoted...};
    static constexpr const names* sum[] = {&of<T>::sum...};
    static constexpr const names* quotient[] = {&of<T>::quotient...};
    static constexpr const names* selected[] = {&of<T>::selected...};
    template <class S>
    static constexpr names times = {result_of<ops::multiply, T, weak<S>>...};
    template <class S>
    static constexpr names reversed_times = {result_of<ops::multiply, weak<S>, T>...};
    static constexpr names half = {result_of<ops::divide, T, weak<int>>...};
};
using ours = table<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, float16, float, double, std::complex<float>, std::complex<double>>;

}  // namespace

TEST_CASE("promotion: two arrays") {
    for (int i = 0; i < ours::size; ++i) {
        CAPTURE(golden::dtypes[i]);
        CHECK(equal(ours::dtype[i], golden::dtypes[i]));
        for (int j = 0; j < ours::size; ++j) {
            CAPTURE(golden::dtypes[j]);
            CHECK(equal((*ours::promoted[i])[j], golden::promoted[i][j]));
            CHECK(equal((*ours::sum[i])[j], golden::sum_of_two[i][j]));
            CHECK(equal((*ours::quotient[i])[j], golden::quotient[i][j]));
            CHECK(equal((*ours::selected[i])[j], golden::selected[i][j]));
        }
    }
}

TEST_CASE("promotion: three arrays, of which two integer types may have a wider one in common") {
    const auto rows = ours::promoted_three();
    for (int i = 0; i < ours::size; ++i) {
        CAPTURE(golden::dtypes[i]);
        CHECK(rows[i] == golden::promoted_three[i]);
    }
    const tensor<std::int8_t, 1> s{1};
    const tensor<std::uint16_t, 1> u{2};
    const tensor<float, 1> f{1.5f};
    CHECK(equal(dtype_of<decltype(clip(s, f, u))>, "float32"));
    CHECK(values(clip(s, f, u)) == std::vector<float>{1.5f});
}

TEST_CASE("promotion: a number beside an array is weak") {
    for (int i = 0; i < ours::size; ++i) {
        CAPTURE(golden::dtypes[i]);
        CHECK(equal(ours::times<bool>[i], golden::times_weak_bool[i]));
        CHECK(equal(ours::times<int>[i], golden::times_weak_int[i]));
        CHECK(equal(ours::reversed_times<unsigned>[i], golden::times_weak_int[i]));
        CHECK(equal(ours::times<std::int64_t>[i], golden::times_weak_int[i]));
        CHECK(equal(ours::times<double>[i], golden::times_weak_float[i]));
        CHECK(equal(ours::reversed_times<float>[i], golden::times_weak_float[i]));
        CHECK(equal(ours::times<std::complex<double>>[i], golden::times_weak_complex[i]));
        CHECK(equal(ours::half[i], golden::over_weak_int[i]));
    }
}

TEST_CASE("promotion: of expressions as of their kinds") {
    const tensor<int, 1> i;
    CHECK(equal(dtype_of<decltype(i * 2)>, "int32"));
    CHECK(equal(dtype_of<decltype(2.5f * i)>, "float64"));
    CHECK(equal(dtype_of<decltype(i / 2)>, "float64"));
    CHECK(equal(dtype_of<decltype(i * std::complex<double>(0, 1))>, "complex128"));
    const tensor<float, 1> f;
    const tensor<double, 0> strong;  // an array of rank 0 is not weak
    CHECK(equal(dtype_of<decltype(f * strong)>, "float64"));
    CHECK(equal(dtype_of<decltype(f * (2.0 * 3))>, "float32"));
    CHECK(equal(dtype_of<decltype(where(f > 0, 1, 2.5))>, "float64"));
    CHECK(equal(dtype_of<decltype(where(f > 0, 1, 2))>, "int32"));
    CHECK(equal(dtype_of<decltype(clip(f, 0, 1.0))>, "float32"));
    CHECK(equal(dtype_of<decltype(pow(f, 2.0))>, "float32"));
    CHECK(equal(dtype_of<decltype(f == strong)>, "bool"));
    CHECK(equal(dtype_of<decltype(f && strong)>, "bool"));
}

TEST_CASE("promotion: small integers wrap and truth values stay truth values inside of one expression") {
    const tensor<std::int8_t, 1> s{100, -128, 7};
    const tensor<std::int64_t, 1> wide{1, 1, 1};
    CHECK(values((s + s) + wide) == std::vector<std::int64_t>{-55, 1, 15});
    CHECK(values((s * s) / 2) == std::vector<double>{8, 0, 24.5});
    CHECK(values(-s + wide) == std::vector<std::int64_t>{-99, -127, -6});
    CHECK(values(abs(s) + wide) == std::vector<std::int64_t>{101, -127, 8});
    CHECK(values(square(s) == 16) == std::vector<bool>{true, false, false});
    const tensor<std::uint8_t, 1> u{200, 255, 3};
    CHECK(values((u + u) / 2) == std::vector<double>{72, 127, 3});
    CHECK(values(u + 100 > 50) == std::vector<bool>{false, true, true});
    CHECK(values(map([](auto x, auto y) { return x + y; }, u, u) + wide) == std::vector<std::int64_t>{145, 255, 7});
    const tensor<bool, 1> yes{true, true, false};
    CHECK(values((yes + yes) + wide) == std::vector<std::int64_t>{2, 2, 1});
    CHECK(values((yes * yes) / 4) == std::vector<double>{0.25, 0.25, 0});
    CHECK(values(sum(yes + yes)) == std::vector<std::int64_t>{2});
    CHECK(values(yes + 1) == std::vector<std::int64_t>{2, 2, 1});
}

TEST_CASE("promotion: integers of 32 and 64 bits wrap") {
    const tensor<std::int32_t, 1> i{std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()};
    CHECK(values(i + 1) == std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(),
                                                     std::numeric_limits<std::int32_t>::min() + 1});
    CHECK(values(i - 1) == std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::max() - 1,
                                                     std::numeric_limits<std::int32_t>::max()});
    CHECK(values(i * 2) == std::vector<std::int32_t>{-2, 0});
    CHECK(values(-i) == std::vector<std::int32_t>{-std::numeric_limits<std::int32_t>::max(),
                                                  std::numeric_limits<std::int32_t>::min()});
    CHECK(values(square(i)) == std::vector<std::int32_t>{1, 0});
    const tensor<std::int64_t, 1> l{std::numeric_limits<std::int64_t>::max(), 1};
    CHECK(sum(l).item() == std::numeric_limits<std::int64_t>::min());
    CHECK(prod(l * 2).item() == -4);
    const tensor<std::uint16_t, 1> u{65535};
    CHECK(values(u * u) == std::vector<std::uint16_t>{1});
}

TEST_CASE("promotion: weak scalars keep their value in the array's type") {
    const tensor<float, 1> f{1};
    CHECK(values(f + 0.1) == std::vector<float>{1.0f + 0.1f});
    CHECK(values(f == 1.0000000001) == std::vector<bool>{true});
    const tensor<double, 1> d{0.1};
    CHECK(values(d == 0.1f) == std::vector<bool>{false});
    const tensor<int, 1> i{5};
    CHECK(values(i / 2) == std::vector<double>{2.5});
    CHECK(values(i * 0.5) == std::vector<double>{2.5});
    CHECK(values(i > 4.5) == std::vector<bool>{true});
}

TEST_CASE("promotion: a number that the array's integers cannot hold is refused before anything is written") {
    tensor<std::uint8_t, 1> u{1, 2, 255};
    CHECK_THROWS_WITH_AS(u + -1,
                         "the number -1 is out of the range of uint8, the type of the array's elements: "
                         "astype<std::int64_t>(x) gives it a wider one",
                         value_error);
    CHECK_THROWS_AS(u * -1, value_error);
    CHECK_THROWS_AS(where(u > 1, u, -1), value_error);
    CHECK_THROWS_AS((tensor<std::int32_t, 1>{1} + (std::int64_t(1) << 40)), value_error);
    CHECK_THROWS_AS(u += -1, value_error);
    CHECK_THROWS_AS(u(all) = 300, value_error);
    CHECK_THROWS_AS(u(0) = -1, value_error);
    CHECK(values(u) == std::vector<std::uint8_t>{1, 2, 255});
    CHECK(values(u & ~7) == std::vector<std::uint8_t>{0, 0, 248});  // bits are as C++ writes them
    CHECK(values(u << 9) == std::vector<std::uint8_t>{0, 0, 0});
    CHECK(values(u * 255L) == std::vector<std::uint8_t>{255, 254, 1});
    CHECK(values(astype<int>(u) < -1) == std::vector<bool>{false, false, false});
    CHECK(values(tensor<std::uint64_t, 1>{1} + 0xFFFFFFFFFFFFFFFFull) == std::vector<std::uint64_t>{0});
}

TEST_CASE("promotion: integers are compared with any number by its value") {
    const std::vector<bool> none{false, false, false}, each{true, true, true};
    const auto check = [&](const auto& x, long long below, long long above) {
        for (const long long s : {below, above}) {
            CAPTURE(s);
            const auto is = [&](bool holds) { return holds ? each : none; };
            CHECK(values(x < s) == is(s > 0));
            CHECK(values(x <= s) == is(s > 0));
            CHECK(values(x > s) == is(s < 0));
            CHECK(values(x >= s) == is(s < 0));
            CHECK(values(x == s) == none);
            CHECK(values(x != s) == each);
            CHECK(values(s < x) == is(s < 0));
            CHECK(values(s <= x) == is(s < 0));
            CHECK(values(s > x) == is(s > 0));
            CHECK(values(s >= x) == is(s > 0));
            CHECK(values(equal(s, x)) == none);
            CHECK(values(less(x + x, s)) == is(s > 0));
        }
    };
    const tensor<std::uint8_t, 1> u{1, 2, 255};
    check(u, -1, 256);
    check(tensor<std::int8_t, 1>{-128, 0, 127}, -129, 128);
    check(tensor<std::int32_t, 1>{-1, 0, 2147483647}, -2147483649ll, 2147483648ll);
    check(tensor<std::uint32_t, 1>{0, 1, 4294967295u}, -4294967295ll, 4294967296ll);
    CHECK(values(tensor<std::uint64_t, 1>{0, 1, 0xFFFFFFFFFFFFFFFFull} > -1) == each);
    CHECK(values(tensor<std::int64_t, 1>{0, -1, 5} < 0xFFFFFFFFFFFFFFFFull) == each);
    CHECK(values(u < 255) == std::vector<bool>{true, true, false});
    const tensor<bool, 1> mask{true, false};  // two numbers are int64, as Python's, if it holds them
    CHECK(values(where(mask, 1ull, -1)) == std::vector<std::int64_t>{1, -1});
    CHECK_THROWS_AS(where(mask, 1ull << 63, -1), value_error);
    CHECK(values(u == 2) == std::vector<bool>{false, true, false});
    CHECK(values(255 <= u) == std::vector<bool>{false, false, true});
}

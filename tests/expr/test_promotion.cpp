// Result types against NumPy's, with weak scalars; values of small integers and truth values, which C++ would widen.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "../golden/promotion.hpp"
#include "../reference.hpp"

using namespace ricci;
using reference::values;

namespace {

template <class... T>
struct types {
    static constexpr int size = sizeof...(T);
};
using all_types = types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                        std::uint64_t, float, double, std::complex<float>, std::complex<double>>;

template <class F, class... T>
void for_each_type(types<T...>, F f) {
    int i = 0;
    (f(std::type_identity<T>{}, i++), ...);
}

template <class E>
constexpr const char* dtype_of = dtype_name<typename E::value_type>();
bool equal(const char* a, const char* b) { return std::strcmp(a, b) == 0; }

}  // namespace

TEST_CASE("promotion: two arrays") {
    for_each_type(all_types{}, [](auto a, int i) {
        using A = typename decltype(a)::type;
        CHECK(equal(dtype_name<A>(), golden::dtypes[i]));
        for_each_type(all_types{}, [&](auto b, int j) {
            using B = typename decltype(b)::type;
            CAPTURE(golden::dtypes[i]);
            CAPTURE(golden::dtypes[j]);
            const tensor<A, 1> x;
            const tensor<B, 1> y;
            CHECK(equal(dtype_name<promote_t<A, B>>(), golden::promoted[i][j]));
            CHECK(equal(dtype_of<decltype(x + y)>, golden::sum_of_two[i][j]));
            CHECK(equal(dtype_of<decltype(x / y)>, golden::quotient[i][j]));
            CHECK(equal(dtype_of<decltype(where(x, x, y))>, golden::selected[i][j]));
            CHECK(equal(dtype_of<decltype(x == y)>, "bool"));
            CHECK(equal(dtype_of<decltype(x && y)>, "bool"));
        });
    });
}

TEST_CASE("promotion: a number beside an array is weak") {
    for_each_type(all_types{}, [](auto a, int i) {
        using A = typename decltype(a)::type;
        CAPTURE(golden::dtypes[i]);
        const tensor<A, 1> x;
        CHECK(equal(dtype_of<decltype(x * true)>, golden::times_weak_bool[i]));
        CHECK(equal(dtype_of<decltype(x * 2)>, golden::times_weak_int[i]));
        CHECK(equal(dtype_of<decltype(2u * x)>, golden::times_weak_int[i]));
        CHECK(equal(dtype_of<decltype(x * std::int64_t(2))>, golden::times_weak_int[i]));
        CHECK(equal(dtype_of<decltype(x * 2.5)>, golden::times_weak_float[i]));
        CHECK(equal(dtype_of<decltype(2.5f * x)>, golden::times_weak_float[i]));
        CHECK(equal(dtype_of<decltype(x * std::complex<double>(0, 1))>, golden::times_weak_complex[i]));
        CHECK(equal(dtype_of<decltype(x / 2)>, golden::over_weak_int[i]));
        CHECK(equal(dtype_of<decltype(maximum(x, 2.5))>, is_complex_v<A> ? golden::dtypes[i] : golden::times_weak_float[i]));
    });
    const tensor<float, 1> f;
    const tensor<double, 0> strong;  // an array of rank 0 is not weak
    CHECK(equal(dtype_of<decltype(f * strong)>, "float64"));
    CHECK(equal(dtype_of<decltype(f * (2.0 * 3))>, "float32"));
    CHECK(equal(dtype_of<decltype(where(f > 0, 1, 2.5))>, "float64"));
    CHECK(equal(dtype_of<decltype(where(f > 0, 1, 2))>, "int32"));
    CHECK(equal(dtype_of<decltype(clip(f, 0, 1.0))>, "float32"));
    CHECK(equal(dtype_of<decltype(pow(f, 2.0))>, "float32"));
}

TEST_CASE("promotion: reductions and the absolute value") {
    for_each_type(all_types{}, [](auto a, int i) {
        using A = typename decltype(a)::type;
        CAPTURE(golden::dtypes[i]);
        const auto x = ones<A>({1});
        CHECK(equal(dtype_of<decltype(sum(x))>, golden::summed[i]));
        CHECK(equal(dtype_of<decltype(prod(x))>, golden::multiplied[i]));
        CHECK(equal(dtype_of<decltype(mean(x))>, golden::averaged[i]));
        CHECK(equal(dtype_of<decltype(var(x))>, golden::variance[i]));
        CHECK(equal(dtype_of<decltype(abs(x))>, golden::absolute[i]));
        if constexpr (!is_complex_v<A>) CHECK(equal(dtype_of<decltype(max(x))>, golden::largest[i]));
    });
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
    CHECK(values(i + 1) == std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::min() + 1});
    CHECK(values(i - 1) == std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::max() - 1, std::numeric_limits<std::int32_t>::max()});
    CHECK(values(i * 2) == std::vector<std::int32_t>{-2, 0});
    CHECK(values(-i) == std::vector<std::int32_t>{-std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()});
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

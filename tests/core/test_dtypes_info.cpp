// What is asked about element types: NumPy's answers, at compile time.
#include <doctest/doctest.h>
#include <ricci/core/dtype_info.hpp>
#include <ricci/core/tensor.hpp>

#include <cstring>
#include <utility>

#include "../golden/promotion.hpp"

using namespace ricci;

namespace {

template <class... T>
struct types {};
using all = types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                  std::uint32_t, std::uint64_t, float16, float, double, std::complex<float>, std::complex<double>>;

bool equal(const char* a, const char* b) { return std::strcmp(a, b) == 0; }

template <class A, class... B>
void check_casts_from(int i, types<B...>) {
    const bool ours[] = {can_cast<A, B>()...};
    for (int j = 0; j < static_cast<int>(sizeof...(B)); ++j) {
        CAPTURE(golden::dtypes[i]);
        CAPTURE(golden::dtypes[j]);
        CHECK(ours[j] == equal(golden::castable[i][j], "True"));
    }
}
template <class... A>
void check_casts(types<A...> list) {
    int i = 0;
    (check_casts_from<A>(i++, list), ...);
}
template <class T>
void check_finfo(const golden::float_limits& wanted) {
    constexpr auto i = finfo<T>();
    static_assert(std::is_same_v<decltype(i.eps), real_t<T>>);
    CHECK(equal(i.dtype.name, wanted.dtype));
    CHECK(i.bits == wanted.bits);
    CHECK(static_cast<double>(i.eps) == wanted.eps);
    CHECK(static_cast<double>(i.max) == wanted.max);
    CHECK(static_cast<double>(i.min) == wanted.min);
    CHECK(static_cast<double>(i.smallest_normal) == wanted.smallest_normal);
}
template <class T>
void check_iinfo(const golden::integer_limits& wanted) {
    constexpr auto i = iinfo<T>();
    CHECK(equal(i.dtype.name, wanted.dtype));
    CHECK(i.bits == wanted.bits);
    CHECK(i.max == static_cast<T>(wanted.max));
    CHECK(i.min == static_cast<T>(wanted.min));
}

// the kinds of the array API standard
template <class T>
constexpr bool is_only(const char* kinds) {  // letters: b bool, s signed, u unsigned, f real, c complex
    const auto has = [&](char c) {
        for (const char* k = kinds; *k; ++k)
            if (*k == c) return true;
        return false;
    };
    return isdtype<T>("bool") == has('b') && isdtype<T>("signed integer") == has('s') &&
           isdtype<T>("unsigned integer") == has('u') && isdtype<T>("real floating") == has('f') &&
           isdtype<T>("complex floating") == has('c') && isdtype<T>("integral") == (has('s') || has('u')) &&
           isdtype<T>("numeric") == !has('b') && isdtype<T>({"integral", "bool"}) == (has('s') || has('u') || has('b'));
}
static_assert(is_only<bool>("b") && is_only<std::int8_t>("s") && is_only<std::int64_t>("s") &&
              is_only<std::uint16_t>("u"));
static_assert(is_only<float16>("f") && is_only<bfloat16>("f") && is_only<const float>("f") && is_only<double>("f"));
static_assert(is_only<std::complex<float>>("c") && is_only<std::complex<double>>("c"));

// NumPy has no bfloat16; its rule is that of float16: 8 bits of integer fit, 16 need float
static_assert(std::is_same_v<promote_t<bfloat16, std::int8_t>, bfloat16> &&
              std::is_same_v<promote_t<std::uint8_t, bfloat16>, bfloat16>);
static_assert(std::is_same_v<promote_t<bfloat16, std::int16_t>, float> &&
              std::is_same_v<promote_t<bfloat16, std::int32_t>, double>);
static_assert(std::is_same_v<promote_t<bfloat16, float16>, float> && std::is_same_v<promote_t<float, bfloat16>, float>);
static_assert(std::is_same_v<promote_t<bfloat16, std::complex<float>>, std::complex<float>> &&
              std::is_same_v<promote_t<bool, bfloat16>, bfloat16>);
static_assert(finfo<bfloat16>().max == 0x1.fep127f && finfo<bfloat16>().eps == 0x1p-7f &&
              finfo<bfloat16>().smallest_normal == 0x1p-126f);

// arguments: expressions and dtype<T> are strong, numbers weak
using floats = tensor<float, 2>;
using halves = tensor<float16, 1>;
using bytes = tensor<std::int8_t, 1>;
static_assert(std::is_same_v<result_type_t<floats, double>, float> &&
              std::is_same_v<result_type_t<halves, double, bytes>, float16>);
static_assert(std::is_same_v<result_type_t<bytes, int>, std::int8_t> &&
              std::is_same_v<result_type_t<bytes, double>, double>);
static_assert(std::is_same_v<result_type_t<halves, std::complex<double>>, std::complex<float>>);
static_assert(result_type(dtype<std::int32_t>, dtype<float>) == dtype<double> && !(dtype<float> == dtype<float16>));
static_assert(can_cast<std::int64_t>(dtype<bool>) && !can_cast<bool>(dtype<float>) && isdtype(dtype<float>, "numeric"));

}  // namespace

TEST_CASE("dtypes: can_cast is NumPy's safe casting") { check_casts(all{}); }

TEST_CASE("dtypes: finfo and iinfo are NumPy's") {
    check_finfo<float16>(golden::finfo[0]);
    check_finfo<float>(golden::finfo[1]);
    check_finfo<double>(golden::finfo[2]);
    check_finfo<std::complex<float>>(golden::finfo[3]);
    check_finfo<std::complex<double>>(golden::finfo[4]);
    check_iinfo<std::int8_t>(golden::iinfo[0]);
    check_iinfo<std::int16_t>(golden::iinfo[1]);
    check_iinfo<std::int32_t>(golden::iinfo[2]);
    check_iinfo<std::int64_t>(golden::iinfo[3]);
    check_iinfo<std::uint8_t>(golden::iinfo[4]);
    check_iinfo<std::uint16_t>(golden::iinfo[5]);
    check_iinfo<std::uint32_t>(golden::iinfo[6]);
    check_iinfo<std::uint64_t>(golden::iinfo[7]);
}

TEST_CASE("dtypes: of arguments") {
    const floats x;
    const bytes n;
    CHECK(finfo(x).bits == 32);
    CHECK(iinfo(n).max == 127);
    CHECK(isdtype(n, "signed integer"));
    CHECK_FALSE(isdtype(x, {"integral", "bool"}));
    CHECK(can_cast<double>(x));
    CHECK(result_type(x, n, 2.0) == dtype<float>);
    CHECK(equal(result_type(n, 1).name, "int8"));
}

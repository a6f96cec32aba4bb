// Conversions between all element types against NumPy: of one element each, and of arrays between the kinds of lanes.
#include <doctest/doctest.h>

#include "../golden/astype.hpp"
#include "../reference.hpp"

using namespace ricci;
using reference::values;

namespace {

template <class... T>
struct types {};
using all_types =
    types<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
          std::uint64_t, float16, float, double, std::complex<float>, std::complex<double>>;

constexpr double inputs[] = {0, 1, 2.75, 100.3, 117, -3.6};
constexpr int count = 6;

template <class T>
constexpr bool is_unsigned = std::is_unsigned_v<T> && !std::is_same_v<T, bool>;
template <class T>
T input(int i) {
    return convert_element<T>(is_unsigned<T> ? std::fabs(inputs[i]) : inputs[i]);
}
template <class From, class To>
int compared() {  // what is left out of the golden file: negative floats as unsigned integers
    return is_unsigned<To> && is_inexact_v<From> ? count - 1 : count;
}
template <class From, class To>
void check_pair(const double (&golden)[count]) {
    CAPTURE(dtype_name<From>());
    CAPTURE(dtype_name<To>());
    for (int i = 0; i < compared<From, To>(); ++i)
        CHECK(convert_element<double>(convert_element<To>(input<From>(i))) == golden[i]);
}
template <class From, class... To>
void check_from(int from, types<To...>) {
    int to = 0;
    (check_pair<From, To>(golden::converted[from][to++]), ...);
}
template <class... From>
void check_all(types<From...> list) {
    int from = 0;
    (check_from<From>(from++, list), ...);
}
/// Arrays longer than a register, with a rest.
template <class From, class To>
void check_arrays() {
    CAPTURE(dtype_name<From>());
    CAPTURE(dtype_name<To>());
    auto x = empty<From>({37});
    std::vector<To> wanted;
    for (index_t i = 0; i < 37; ++i) {
        x.data()[i] = input<From>(static_cast<int>(i) % compared<From, To>());
        wanted.push_back(convert_element<To>(x.data()[i]));
    }
    CHECK(values(astype<To>(x)) == wanted);
    if constexpr (is_complex_v<To> || !is_complex_v<From>) {
        tensor<To, 1> assigned = x + From(0);
        CHECK(values(assigned) == wanted);
    }
}

}  // namespace

TEST_CASE("dtypes: elements of every type become every other as in NumPy") { check_all(all_types{}); }

TEST_CASE("dtypes: arrays are converted as elements are") {
    check_arrays<float, std::int8_t>();
    check_arrays<std::uint8_t, float>();
    check_arrays<float16, std::int16_t>();
    check_arrays<std::int8_t, float16>();
    check_arrays<double, float16>();
    check_arrays<bool, bfloat16>();
    check_arrays<float16, bool>();
    check_arrays<bfloat16, float16>();
    check_arrays<float16, std::complex<float>>();
    check_arrays<std::complex<float>, float16>();
    check_arrays<float16, std::complex<double>>();
}

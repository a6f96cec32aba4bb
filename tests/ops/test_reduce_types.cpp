// The element types that reductions give, against NumPy's.
#include <doctest/doctest.h>

#include <cstring>

#include "../golden/promotion.hpp"
#include "../reference.hpp"

using namespace ricci;

namespace {

template <class E>
constexpr const char* dtype_of = dtype_name<typename E::value_type>();
bool equal(const char* a, const char* b) { return std::strcmp(a, b) == 0; }

template <class A>
void check_type() {
    int i = 0;
    while (!equal(golden::dtypes[i], dtype_name<A>())) ++i;
    CAPTURE(golden::dtypes[i]);
    const auto x = ones<A>({1});
    CHECK(equal(dtype_of<decltype(sum(x))>, golden::summed[i]));
    CHECK(equal(dtype_of<decltype(prod(x))>, golden::multiplied[i]));
    CHECK(equal(dtype_of<decltype(mean(x))>, golden::averaged[i]));
    CHECK(equal(dtype_of<decltype(var(x))>, golden::variance[i]));
    CHECK(equal(dtype_of<decltype(abs(x))>, golden::absolute[i]));
    if constexpr (!is_complex_v<A>) CHECK(equal(dtype_of<decltype(max(x))>, golden::largest[i]));
}

}  // namespace

TEST_CASE("reduce: element types") {
    check_type<bool>();
    check_type<std::int8_t>();
    check_type<std::int32_t>();
    check_type<std::uint16_t>();
    check_type<std::uint64_t>();
    check_type<float16>();
    check_type<float>();
    check_type<double>();
    check_type<std::complex<float>>();
    check_type<std::complex<double>>();
}

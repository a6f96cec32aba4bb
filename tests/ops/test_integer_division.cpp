// floor_divide and remainder of integers by numbers, whose reciprocals are taken, against division element by element.
#include <doctest/doctest.h>

#include <limits>
#include <ricci/ricci.hpp>

#include "../reference.hpp"

using namespace ricci;

namespace {

/// Numbers about all powers of two, and many of all sizes.
template <class T>
std::vector<T> numbers() {
    using U = std::make_unsigned_t<T>;
    std::vector<T> v{0, 1, 2, 3, 5, 7, 10, 100, std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
    for (int bits = 0; bits < static_cast<int>(8 * sizeof(T)); ++bits)
        for (int d = -2; d <= 2; ++d) {
            v.push_back(static_cast<T>((U(1) << bits) + static_cast<U>(d)));
            v.push_back(static_cast<T>(U(0) - (U(1) << bits) + static_cast<U>(d)));
        }
    std::uint64_t seed = 1;
    for (int k = 0; k < 700; ++k) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const auto bits = static_cast<T>(static_cast<U>(seed >> 7));
        v.push_back(static_cast<T>(bits >> ((seed >> 58) % (8 * sizeof(T)))));
    }
    return v;
}
template <class T>
void check_type() {
    const auto all = numbers<T>();
    auto x = tensor<T, 1>::uninitialized({static_cast<index_t>(all.size())});
    std::copy(all.begin(), all.end(), x.data());
    index_t wrong = 0;
    for (const T d : all) {
        const tensor<T, 1> q = floor_divide(x, d), r = x % d;
        for (index_t i = 0; i < x.size(); ++i) {
            wrong += q.at(i) != math::floor_divide(x.at(i), d);
            wrong += r.at(i) != math::remainder(x.at(i), d);
        }
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("integers divided by a number") {
    check_type<std::int32_t>();
    check_type<std::int64_t>();
    check_type<std::int8_t>();
    check_type<std::uint8_t>();
    check_type<std::int16_t>();
    check_type<std::uint16_t>();
    check_type<std::uint32_t>();
    check_type<std::uint64_t>();
    const tensor<int, 1> x{-7, -1, 0, 6, 7, 8};
    CHECK(array_equal(x % 7, tensor<int, 1>{0, 6, 0, 6, 0, 1}));
    CHECK(array_equal(floor_divide(x, -7), tensor<int, 1>{1, 0, 0, -1, -1, -2}));
    CHECK(array_equal(floor_divide(x(slice(0, 6, 2)) + 1, 3) % 2, tensor<int, 1>{0, 0, 0}));
    CHECK(sum((x % 2 == 0) && (x % 3 == 0)).item() == 2);
    CHECK((x % 0)(0).item() == 0);
}
TEST_CASE("integers have no negative powers, as NumPy's and PyTorch's") {
    const tensor<int, 1> x{-7, 2};
    CHECK_THROWS_WITH_AS(pow(x, -1), "[pow] integers have no powers of -1: pow(astype<double>(x), -1)", value_error);
    CHECK(array_equal(pow(x, 0), tensor<int, 1>{1, 1}));
    CHECK(array_equal(pow(x + 1.0, -2), square(1 / (x + 1.0))));
}
TEST_CASE_TEMPLATE("remainders by the largest unsigned number", T, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t) {
    const T most = std::numeric_limits<T>::max(), below = static_cast<T>(most - 1);
    const tensor<T, 1> x{0, 1, 85, below, most}, y{most, most, most, most, most}, expected{0, 1, 85, below, 0};
    CHECK(array_equal(remainder(x, y), expected));
    CHECK(array_equal(fmod(x, y), expected));
    CHECK(array_equal(x % most, expected));
    CHECK(array_equal(floor_divide(x, y), tensor<T, 1>{0, 0, 0, 0, 1}));
}

// allclose against NumPy's rule: infinities, NaN, integers, truth values, complex numbers.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "../reference.hpp"

using namespace ricci;

namespace {

constexpr double nan_ = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("allclose: NumPy's rule") {
    const tensor<double, 1> a{1, 2, inf}, b{1 + 9e-6, 2, inf};
    CHECK(allclose(a, b));
    CHECK_FALSE(allclose(a, b * 1.1));
    CHECK_FALSE(allclose(a, b, 1e-6));
    CHECK(allclose(a, b, 0, 1e-5));
    CHECK_FALSE(allclose(a, -b));
    CHECK_FALSE(allclose(tensor<double, 1>{nan_}, tensor<double, 1>{nan_}));
    CHECK_FALSE(allclose(tensor<double, 1>{1e300}, tensor<double, 1>{inf}));
    CHECK(allclose(zeros<float>({0}), zeros<float>({0})));
    CHECK(allclose(expand(tensor<double, 0>(1), {3}), tensor<double, 0>(1)));
    CHECK(allclose(tensor<int, 1>{3, 4}, tensor<int, 1>{3, 4}));
    CHECK_FALSE(allclose(tensor<int, 1>{3, 4}, tensor<int, 1>{3, 5}));
    CHECK_FALSE(allclose(tensor<std::uint8_t, 1>{0}, tensor<std::uint8_t, 1>{1}));
    CHECK(allclose(tensor<std::uint8_t, 1>{100}, tensor<std::uint8_t, 1>{101}, 0, 1));
    CHECK(allclose(tensor<bool, 1>{true}, tensor<bool, 1>{true}));
    CHECK_FALSE(allclose(tensor<bool, 1>{true}, tensor<bool, 1>{false}));
    CHECK(allclose(tensor<float, 1>{0.1f}, tensor<double, 1>{0.1}));
    const tensor<std::complex<double>, 1> z{{1, 1}};
    CHECK(allclose(z, z + 1e-7));
    CHECK_FALSE(allclose(z, z + std::complex<double>(0, 0.1)));
}

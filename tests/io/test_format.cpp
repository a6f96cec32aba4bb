// std::format of arrays and shapes; nothing where the standard library lacks it.
#include <ricci/io/format.hpp>
#include <ricci/ricci.hpp>

#include <doctest/doctest.h>

using namespace ricci;

TEST_CASE("format: arrays as to_string has them, or by a format of each element") {
#if defined(__cpp_lib_format)
    const tensor<double, 2> x{{1, 2.5}, {-3, 1e3}};
    CHECK(std::format("{}", x) == to_string(x));
    CHECK(std::format("x = {:.1f}!", x) == "x = [[   1.0    2.5]\n [  -3.0 1000.0]]!");
    CHECK(std::format("{:e}", x(0)) == "[1.000000e+00 2.500000e+00]");
    CHECK(std::format("{}", x(0) * 2) == "[2. 5.]");
    CHECK(std::format("{:.2f}", x(0) * 2) == "[2.00 5.00]");
    CHECK(std::format("{:.3f}", tensor<float, 0>(0.5f)) == "0.500");
    CHECK(std::format("{:03}", tensor<std::int8_t, 1>{7, -7}) == "[007 -07]");
    CHECK(std::format("{:x}", tensor<std::uint8_t, 1>{255, 1}) == "[ff  1]");
    CHECK(std::format("{:d}", tensor<bool, 1>{true, false}) == "[1 0]");
    CHECK(std::format("{:.1f}", tensor<std::complex<double>, 1>{{1, -2}, {0, 3}}) == "[1.0-2.0j 0.0+3.0j]");
    const tensor<std::complex<double>, 1> z{{1, -2}, {-.5, 3}};
    CHECK(std::format("{:+.2f}", z) == "[+1.00-2.00j -0.50+3.00j]");
    CHECK(std::format("{: .1f}", z) == "[ 1.0-2.0j -0.5+3.0j]");
    CHECK(std::format("{:9.1f}", z) == "[ 1.0-2.0j -0.5+3.0j]");
    grad([&](auto a) {
        CHECK(std::format("{:.2f}", a) == std::format("{:.2f}", x(0)));
        return sum(a);
    })(x(0));
    CHECK(std::format("{:.1f}", zeros<double>({0})) == "[]");
    CHECK(std::format("{:.0f}", zeros<double>({1001})) == "[0 0 0 ... 0 0 0]");
    CHECK(std::format("{} {:>8}", x.shape(), shape<1>{3}) == "(2, 2)     (3,)");
    CHECK_THROWS_AS(static_cast<void>(std::vformat("{:q}", std::make_format_args(x))), std::format_error);
#endif
}

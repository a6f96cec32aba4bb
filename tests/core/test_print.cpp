// Printing: every array of the golden file gives NumPy's text; strided views, lazy values, streams, shapes.
#include <doctest/doctest.h>
#include <ricci/core/print.hpp>
#include <ricci/ricci.hpp>

#include <iomanip>
#include <sstream>

#include "../golden/print.hpp"

using namespace ricci;

namespace {

template <int R, class T>
tensor<T, R> make(const golden::print_case<T>& c) {
    shape<R> extents;
    for (int i = 0; i < R; ++i) extents[i] = c.extents[static_cast<std::size_t>(i)];
    auto x = tensor<T, R>::uninitialized(extents);
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = c.values[static_cast<std::size_t>(i) % c.values.size()];
    return x;
}
template <class T>
void check(const std::vector<golden::print_case<T>>& cases) {
    for (const auto& c : cases) {
        const std::string text = [&] {
            switch (c.extents.size()) {
                case 0:
                    return to_string(make<0>(c));
                case 1:
                    return to_string(make<1>(c));
                case 2:
                    return to_string(make<2>(c));
                case 3:
                    return to_string(make<3>(c));
                default:
                    return to_string(make<4>(c));
            }
        }();
        CAPTURE(std::string(c.text));
        CHECK(text == c.text);
    }
}

}  // namespace

TEST_CASE("print: the golden file") {
    check(golden::print_float64);
    check(golden::print_float32);
    check(golden::print_float16);
    check(golden::print_complex128);
    check(golden::print_complex64);
    check(golden::print_int64);
    check(golden::print_uint64);
    check(golden::print_int32);
    check(golden::print_uint32);
    check(golden::print_int16);
    check(golden::print_uint16);
    check(golden::print_int8);
    check(golden::print_uint8);
    check(golden::print_bool);
}

TEST_CASE("print: views, constant elements, streams and shapes") {
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    const tensor<double, 2> flipped(x.memory(), x.data() + 2, {3, 2}, {-1, 3});
    CHECK(to_string(flipped) == "[[3. 6.]\n [2. 5.]\n [1. 4.]]");
    const tensor<const double, 2> read_only(x.memory(), x.data(), x.shape(), x.strides());
    CHECK(to_string(read_only) == "[[1. 2. 3.]\n [4. 5. 6.]]");
    std::ostringstream out;
    out << x << ' ' << x.shape() << ' ' << shape<1>{3};
    CHECK(out.str() == "[[1. 2. 3.]\n [4. 5. 6.]] (2, 3) (3,)");
}

TEST_CASE("print: as a stream is told to") {
    const auto text = [](const auto& x, auto... manipulators) {
        std::ostringstream out;
        ((out << manipulators), ...);
        out << x;
        return out.str();
    };
    const tensor<double, 1> v{1.0 / 3, -20, 0.125};
    // numpy.array2string(v, precision=3), and 0
    CHECK(text(v, std::setprecision(3)) == "[  0.333 -20.      0.125]");
    CHECK(text(v, std::setprecision(0)) == "[  0. -20.   0.]");
    CHECK(text(v, std::setprecision(6)) == to_string(v));
    // the same with floatmode="fixed", and formatter={"float": "{:.2e}".format}
    CHECK(text(v, std::fixed, std::setprecision(3)) == "[  0.333 -20.000   0.125]");
    CHECK(text(v, std::fixed) == "[  0.333333 -20.000000   0.125000]");
    CHECK(text(v, std::scientific, std::setprecision(2)) == "[ 3.33e-01 -2.00e+01  1.25e-01]");
    CHECK(text(tensor<float, 1>{1e10f, 1e-3f}, std::fixed, std::setprecision(1)) == "[10000000000.0           0.0]");
    CHECK(text(tensor<double, 1>{std::numeric_limits<double>::infinity(), -NAN}, std::fixed) == "[inf nan]");
    CHECK(text(tensor<std::complex<double>, 1>{{1, -2}, {10, 0.5}}, std::fixed, std::setprecision(1)) ==
          "[ 1.0-2.0j 10.0+0.5j]");
    CHECK(text(tensor<int, 1>{1, 20}, std::fixed, std::setprecision(3)) == "[ 1 20]");
    CHECK(text(sum(v), std::setprecision(4)) == "-19.54");
    CHECK(text(sum(v), std::fixed, std::setprecision(1)) == "-19.5");
    CHECK(text(sum(v)) == to_string(sum(v)));
    CHECK(text(variable<double, 1>(v), std::setprecision(3)) == text(v, std::setprecision(3)));
    CHECK(text(v, std::hexfloat) == to_string(v));
}
TEST_CASE("print: numbers at the edge of NumPy's rules") {    // numpy.array2string of the same
    CHECK(to_string(tensor<float, 1>{1e-4f}) == "[0.0001]");  // not below 0.0001 as a float is
    CHECK(to_string(tensor<float, 1>{9.9e-5f}) == "[9.9e-05]");
    // 0.01562 is nearer to the number below the power of two
    CHECK(to_string(tensor<float16, 1>{0, -6e-7, 0.015625}) == "[ 0.000e+00 -5.960e-07  1.563e-02]");
}

TEST_CASE("print: bfloat16 by the digits that tell it from its neighbours") {
    CHECK(to_string(tensor<bfloat16, 1>{0.1, 1, 2.5, -3}) == "[ 0.1  1.   2.5 -3. ]");
    CHECK(to_string(tensor<bfloat16, 0>(1e30)) == "1e+30");
    CHECK(to_string(tensor<bfloat16, 0>(0.3333)) == "0.334");
}

TEST_CASE("print: as many digits as the stream is told to, however many") {
    std::ostringstream out;
    out << std::fixed << std::setprecision(450) << tensor<double, 1>{1e300} << tensor<double, 0>(0.5);
    CHECK(out.str().size() == 2 + 301 + 1 + 450 + 2 + 450);
    CHECK(out.str().substr(301, 3) == "0.0");
    std::ostringstream negative;
    negative << std::setprecision(-1) << tensor<double, 1>{0.25};
    CHECK(negative.str() == "[0.25]");
}
TEST_CASE("print: a lazy expression prints its value") {
    const tensor<double, 1> x{1, 2, 3};
    CHECK(to_string(x + x) == "[2. 4. 6.]");
}

TEST_CASE("print: tuples of results, as Python prints them") {
    const auto text = [](const auto& t) {
        std::ostringstream out;
        out << t;
        return out.str();
    };
    const tensor<double, 1> v{1, 2};
    CHECK(text(value_and_grad([](auto a) { return sum(a * a); })(v)) == "(5.0, [2. 4.])");
    CHECK(text(std::tuple(v, 3)) == "([1. 2.], 3)");
    CHECK(text(std::tuple(v)) == "([1. 2.],)");
    CHECK(text(histogram(v, 2)) == "([1 1], [1.  1.5 2. ])");
    CHECK(text(histogramdd(std::tuple(v, v), 1)) == "([[2]], [[1. 2.], [1. 2.]])");
    CHECK(text(split<2>(v)) == "[[1.], [2.]]");
    CHECK(text(std::tuple(0.5, std::tuple(v * 2, v))) == "(0.5, ([2. 4.], [1. 2.]))");
}

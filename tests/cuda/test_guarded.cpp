// What reads or writes numbers on the host where arrays are on the device: editing, files, checks of derivatives,
// variables.
#include <sstream>

#include "agree.hpp"

namespace {

const rc::tensor<int, 1> rows{2, 0, -1, 2};

}  // namespace

TEST_CASE("cuda: complex elements by index arrays, and the gradient of reading them") {
    const auto z = random_tensor<std::complex<double>>({3, 4});
    const auto f = [](auto i) { return [i](auto v) { return rc::sum(rc::real(v(i) * v(i))); }; };
    check_equal(rc::grad(f(rows.to(rc::cuda)))(z.to(rc::cuda)), rc::grad(f(rows))(z));
    const auto d = z.to(rc::cuda);
    d(rows).add(z.to(rc::cuda)(rows));
    const auto expected = z.clone();
    expected(rows).add(z(rows));
    check_equal(d, expected);
}

TEST_CASE("cuda: lengths that the elements of an array decide") {
    const auto x = random_tensor({5, 4});
    const rc::tensor<std::int64_t, 1> times{2, 0, 1, 3, 1};
    check_equal(rc::repeat(x.to(rc::cuda), times.to(rc::cuda), 0), rc::evaluate(rc::repeat(x, times, 0)));
    const rc::tensor<double, 1> v{0, 0, 1, 2, 0};
    check_equal(rc::trim_zeros(v.to(rc::cuda)), rc::trim_zeros(v));
    agree([](auto a) { return rc::erase(a, {1, -1}, 0); }, x);
    agree([](auto a) { return rc::unique_values(rc::round(a)); }, x);
    agree([](auto a) { return std::get<1>(rc::nonzero(a > 0)); }, x);
}

TEST_CASE("cuda: derivatives are checked by differences") {
    const auto x = random_tensor({3, 2}).to(rc::cuda);
    CHECK(rc::gradcheck([](auto a) { return std::make_tuple(rc::sin(a) * a, rc::sum(a * a)); }, x));
    CHECK(rc::gradgradcheck([](auto a) { return rc::sum(rc::sin(a) * a, 0); }, x));
}

TEST_CASE("cuda: variables that are updated in place") {
    const auto x = random_tensor({6, 4});
    const auto y = random_tensor({6}, 3);
    rc::variable<double, 1> expected = rc::zeros<double>({4});
    rc::variable<double, 1, rc::cuda_device> w = rc::zeros<double>({4}, rc::cuda);
    const auto step = [](auto& p, const auto& a, const auto& b) {
        p.zero_grad();
        rc::backward(rc::mean(rc::square(rc::matmul(a, p) - b)));
        p.value() -= 0.1 * p.grad();
    };
    for (int i = 0; i < 3; ++i) {
        step(expected, x, y);
        step(w, x.to(rc::cuda), y.to(rc::cuda));
    }
    check_equal(w.value(), expected.value());
}

TEST_CASE("cuda: text and files") {
    const auto x = random_tensor({3, 2});
    std::ostringstream text, expected;
    text << x.to(rc::cuda);
    expected << x;
    CHECK(text.str() == expected.str());
    CHECK(rc::array_equal(x.to(rc::cuda), x.to(rc::cuda)));
}

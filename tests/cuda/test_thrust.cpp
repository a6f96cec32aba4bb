// The Thrust backend against the CPU: transfer, maps over all layouts, writing through views, matmul, random numbers.
#include "agree.hpp"

namespace {

struct affine {  // a function object, as CUDA wants it
    double scale;
    template <class A, class B>
    RICCI_HD auto operator()(const A& a, const B& b) const {
        return a * scale + sin(b) * a;
    }
};

}  // namespace

TEST_CASE("cuda: tensors go there and back") {
    const auto x = random_tensor({3, 4});
    const auto d = x.to(rc::cuda);
    static_assert(std::is_same_v<decltype(d), const rc::tensor<double, 2, rc::cuda_device>>);
    CHECK(d.to(rc::cuda).memory() == d.memory());
    check_equal(d, x);
    check_equal(rc::permute(x, {1, 0}).to(rc::cuda), rc::permute(x, {1, 0}));
    check_equal(rc::permute(d, {1, 0}), rc::permute(x, {1, 0}));
    check_equal(x(rc::slice(rc::none, rc::none, -1), 1).to(rc::cuda), x(rc::slice(rc::none, rc::none, -1), 1));
    CHECK(d(1, 2).item() == x.at(1, 2));
    CHECK(double(d(2, 3)) == x.at(2, 3));
    check_equal(d.clone(), x);
    const auto none = rc::zeros<float>({0, 3}, rc::cuda);
    CHECK(none.to(rc::cpu).shape() == rc::shape<2>{0, 3});
    CHECK_THROWS_AS(d.item(), rc::shape_error);
    rc::synchronize(rc::cuda);
}

TEST_CASE("cuda: creation") {
    const rc::tensor<int, 2, rc::cuda_device> braces{{1, 2}, {3, 4}};
    CHECK(rc::sum(braces).item() == 10);
    const rc::tensor<float, 0, rc::cuda_device> scalar = 2.5f;
    CHECK(scalar.item() == 2.5f);
    CHECK(rc::tensor<float, 0, rc::cuda_device>().item() == 0);
    check_equal(rc::full<int>({2, 3}, 7, rc::cuda), rc::full<int>({2, 3}, 7));
    check_equal(rc::ones<bool>({5}, rc::cuda), rc::ones<bool>({5}));
    check_equal(rc::arange<int>(3, 20, 4, rc::cuda), rc::arange<int>(3, 20, 4));
    check_equal(rc::linspace<float>(0, 1, 7, rc::cuda), rc::linspace<float>(0, 1, 7));
    check_equal(rc::eye<double>(3, 4, 1, rc::cuda), rc::eye<double>(3, 4, 1));
    CHECK(rc::empty<float>({4, 5}, rc::cuda).size() == 20);
}

TEST_CASE("cuda: random numbers are those of the CPU") {
    rc::generator a(7), b(7);
    for (int repeat = 0; repeat < 2; ++repeat) {
        check_equal(rc::rand<float>({1001}, a, rc::cuda), rc::rand<float>({1001}, b));
        check_equal(rc::rand<double>({7, 11}, a, rc::cuda), rc::rand<double>({7, 11}, b));
        check_equal(rc::randn<float>({333}, a, rc::cuda), rc::randn<float>({333}, b));
        check_equal(rc::randn<double>({5, 5, 5}, a, rc::cuda), rc::randn<double>({5, 5, 5}, b));
    }
    CHECK(a.offset() == b.offset());
}

TEST_CASE_TEMPLATE("cuda: maps", T, float, double) {
    const auto x = random_tensor<T>({4, 5, 6}, 1), y = random_tensor<T>({4, 5, 6}, 2);
    const auto row = random_tensor<T>({6}, 3);
    const auto column = random_tensor<T>({5, 1}, 4);
    agree([](auto a) { return rc::sin(a) * rc::exp(-a * a) / (1 + a * a); }, x);
    agree([](auto a, auto b) { return a * b - b; }, x, y);
    agree([](auto a, auto b, auto c) { return a * b + c * 2.0; }, x, row, column);
    agree([](auto b, auto c) { return b - c; }, row, column);
    agree(
        [](auto a) {
            return rc::sqrt(rc::abs(a)) + rc::tanh(a) + rc::cos(a) + rc::log(a * a + 1) + rc::pow(a * a, 1.5);
        },
        x);
    agree([](auto a, auto b) { return rc::where(a > b, rc::maximum(a, 0), rc::minimum(b, 1) + rc::clip(a, -1, 1)); }, x,
          y);
    agree([](auto a, auto b) { return (a < b) || (!(a <= 0) && (b != a)); }, x, y);
    agree([](auto a) { return rc::astype<int>(a) * 2; }, x);
    agree([](auto a) { return rc::astype<float>(rc::astype<bool>(rc::astype<int>(a))); }, x);
}

TEST_CASE("cuda: maps of integers, bools, mixed and complex types") {
    const auto i = random_tensor<int>({7, 3}, 1);
    const auto j = random_tensor<int>({3}, 2);
    const auto f = random_tensor<float>({7, 1}, 3);
    agree([](auto a, auto b) { return a * b + 3; }, i, j);
    agree([](auto a, auto b) { return a / b; }, i, f);
    agree([](auto a, auto b) { return a * b; }, i, f);
    agree([](auto a) { return rc::sin(a); }, i);
    agree([](auto a) { return rc::astype<std::int8_t>(a) + rc::astype<std::uint8_t>(a); }, i);
    const auto z = rc::evaluate(rc::astype<std::complex<double>>(i) * std::complex<double>(0, 1) + f);
    agree([](auto a) { return a * a - a / 2.0; }, z);
    agree([](auto a) { return rc::exp(a) + rc::abs(a); }, z);
    agree([](auto a) { return rc::sum(a, 0); }, z);
}

TEST_CASE("cuda: views of all kinds") {
    const auto x = random_tensor({6, 7, 8});
    agree([](auto a) { return a(rc::slice(1, 5, 2), rc::all, rc::slice(rc::none, rc::none, -3)) * 2.0; }, x);
    agree([](auto a) { return rc::permute(a, {2, 0, 1}) + 1.0; }, x);
    agree(
        [](auto a) {
            return rc::permute(a, {2, 1, 0})(3) - a(rc::ellipsis, 0)(rc::slice(0, 1))(0, rc::all, rc::newaxis);
        },
        x);
    agree(
        [](auto a) {
            return rc::expand(a(0, rc::all, rc::slice(0, 1)), {3, 7, 5}) * a(rc::slice(0, 3), rc::all, rc::slice(0, 5));
        },
        x);
    agree([](auto a) { return rc::reshape(rc::permute(a, {1, 0, 2}), {7, 48}); }, x);
    agree([](auto a) { return rc::reshape(a, {-1}); }, x);
    agree([](auto a) { return a(2, 3, 4) + 0.0; }, x);
    agree([](auto a) { return rc::exp(a(rc::slice(0, 0))); }, x);
    CHECK_THROWS_AS(x.to(rc::cuda) + rc::zeros<double>({5}, rc::cuda), rc::shape_error);
}

TEST_CASE("cuda: a function of the user's") {
    const auto x = random_tensor({5, 9});
    const auto y = random_tensor({9}, 2);
    agree([](auto a, auto b) { return rc::map(affine{0.5}, a, b); }, x, y);
    agree([](auto a, auto b) { return rc::sum(rc::map(affine{2}, a, b), 0); }, x, y);
}

TEST_CASE("cuda: writing through views") {
    const auto x = random_tensor({6, 8});
    agree(
        [](auto a) {
            auto b = a.clone();
            b(rc::all, 0) = 5.0;
            return b;
        },
        x);
    agree(
        [](auto a) {
            auto b = a.clone();
            b(rc::slice(rc::none, rc::none, 2)) = a(rc::slice(1, rc::none, 2)) * 2.0;
            return b;
        },
        x);
    agree(
        [](auto a) {
            auto b = a.clone();
            b(rc::slice(1, rc::none)) = b(rc::slice(0, -1));
            return b;
        },
        x);
    agree(
        [](auto a) {
            auto b = a.clone();
            b(rc::slice(0, -1)) = b(rc::slice(1, rc::none)) + b(rc::slice(0, -1));
            return b;
        },
        x);
    agree(
        [](auto a) {
            auto b = a.clone();
            b(rc::ellipsis) = rc::permute(b(rc::all, rc::slice(0, 6)), {1, 0})(rc::all, rc::slice(0, 1));
            return b;
        },
        x);
    agree(
        [](auto a) {
            auto b = a.clone();
            b(rc::slice(rc::none, rc::none, -1)) = b;
            return b;
        },
        x);
    agree(
        [](auto a) {
            auto b = a.clone();
            b += a(0);
            b *= 2.0;
            b -= b;
            b /= a;
            return b;
        },
        x);
    agree(
        [](auto a) {
            auto b = a.clone();
            const auto before = b.data();
            b = a + 1.0;
            CHECK(b.data() == before);
            return b;
        },
        x);
    const auto d = x.to(rc::cuda);
    CHECK_THROWS_AS(d(0) = rc::zeros<double>({3}, rc::cuda), rc::shape_error);
}

namespace {

/// matmul of matrices against its definition.
template <class A, class B>
void check_product(const A& a, const B& b) {
    using T = typename A::value_type;
    const auto expected = rc::sum(a(rc::ellipsis, rc::newaxis) * b(rc::ellipsis, rc::newaxis, rc::all, rc::all), -2);
    check_equal(rc::matmul(a.to(rc::cuda), b.to(rc::cuda)), rc::evaluate(rc::astype<T>(expected)));
}

}  // namespace

TEST_CASE_TEMPLATE("cuda: matmul", T, float, double, int, std::complex<double>) {
    const auto a = random_tensor<T>({2, 3, 4, 5}, 1);
    const auto b = random_tensor<T>({3, 5, 6}, 2);
    const auto v = random_tensor<T>({5}, 3);
    check_product(a, b);
    check_product(a, b(1));
    check_product(a(0, 0), b);
    check_product(a(rc::ellipsis, rc::slice(rc::none, rc::none, -1)), b(rc::all, rc::all, rc::slice(0, 6, 4)));
    check_product(a, rc::permute(a, {0, 1, 3, 2}));
    check_product(rc::permute(b, {1, 2, 0}), rc::permute(b, {1, 0, 2}));
    check_product(b(0)(rc::slice(0, 0)), rc::permute(b(0), {1, 0}));
    check_product(b(0)(rc::all, rc::slice(0, 0)), b(0)(rc::slice(0, 0)));
    const auto dv = v.to(rc::cuda);
    check_equal(rc::matmul(dv, dv), rc::evaluate(rc::astype<T>(rc::sum(v * v))));
    check_equal(rc::matmul(a.to(rc::cuda), dv), rc::evaluate(rc::astype<T>(rc::sum(a * v, -1))));
    check_equal(rc::matmul(dv, b.to(rc::cuda)),
                rc::evaluate(rc::astype<T>(rc::sum(rc::permute(b, {0, 2, 1}) * v, -1))));
    CHECK_THROWS_AS(rc::matmul(dv, a.to(rc::cuda)), rc::shape_error);
}

// What nvcc alone can get wrong: the backend compiled for the GPU, a kernel of each kind, and its answers where a GPU is.
#include "agree.hpp"

namespace {

struct damped_sine {
    template <class A, class B>
    RICCI_HD auto operator()(const A& a, const B& b) const {
        return sin(a) * exp(-b * b);
    }
};

}  // namespace

TEST_CASE("cuda: maps, views and reductions") {
    const auto x = random_tensor<float>({40, 50});
    const auto row = random_tensor<float>({50}, 2);
    agree([](auto a, auto b) { return rc::map(damped_sine(), a, b) + a * 2; }, x, row);
    agree([](auto a) { return rc::permute(a, {1, 0})(rc::slice(rc::none, rc::none, -2)) * 2; }, x);
    agree([](auto a) { return rc::sum(a * a); }, random_tensor<float>({300000}));
    agree([](auto a) { return rc::sum(a, 0); }, x);
    agree([](auto a) { return rc::max(a, 1); }, x);
    auto d = x.to(rc::cuda);
    d(rc::slice(1, rc::none)) = d(rc::slice(0, -1));
    check_equal(d(0), d(1));
}

TEST_CASE("cuda: a gradient, a batch of them, and a product") {
    const auto x = random_tensor({6, 4});
    const auto w = random_tensor({4}, 2);
    const auto loss = [](auto v, auto a) { return rc::sum(rc::tanh(v * a)); };
    agree(rc::grad(loss), w, x);
    agree([&](auto v, auto a) { return rc::vmap(rc::grad(loss), rc::in_axes(rc::none, 0))(v, a); }, w, x);
    const auto product = rc::matmul(x.to(rc::cuda), rc::permute(x.to(rc::cuda), {1, 0}));
    check_equal(product, rc::evaluate(rc::sum(x(rc::all, rc::newaxis) * x, -1)));
}

TEST_CASE("cuda: random and complex numbers") {
    rc::generator a(5), b(5);
    check_equal(rc::randn<float>({1000}, a, rc::cuda), rc::randn<float>({1000}, b));
    const std::complex<double> i(0, 1);
    agree([&](auto x) { return rc::sum(rc::exp(x * i), 0); }, random_tensor({7, 3}));
}

TEST_CASE("cuda: complex numbers from parts inside kernels, and their derivatives") {
    const auto x = random_tensor({40});
    const auto made = [](auto v) { return rc::complex(v, rc::sin(v)) * rc::polar(rc::cos(v), v); };
    agree(made, x);
    const auto parts = [&](auto v) { return rc::real(made(v)) + rc::angle(made(v) + 2.0); };
    agree(rc::grad([&](auto v) { return rc::sum(parts(v)); }), x);
    agree([&](auto v) { return std::get<1>(rc::jvp(parts, rc::tuple(v), rc::tuple(v))); }, x);
}

TEST_CASE("cuda: 16-bit floats") {
    const auto x = random_tensor<rc::float16>({300, 7});
    agree([](auto a) { return rc::sum(rc::sin(a) * a, 0); }, x);
    agree([](auto a) { return rc::astype<rc::bfloat16>(a * 2) + 1; }, x);
}

TEST_CASE("cuda: what nvcc is known to compile to nothing, or not at all") {
    const auto z = random_tensor<std::complex<double>>({5, 3});
    agree(
        [](auto a) {
            const auto b = a.clone();
            b({0, -1, 0}).add(a({1, 2, 3}));  // sums of std::complex
            return b;
        },
        z);
    agree([](auto a) { return rc::bitwise_count(a); }, rc::arange<std::int64_t>(-2, 60));
    agree(rc::grad([](auto a) { return rc::sum(rc::selu(a)); }), random_tensor({40}));
}

TEST_CASE("cuda: sums of exponentials") {
    for (const int n : {1, 5, 8, 33, 64, 300, 1024, 5000}) {
        const auto x = random_tensor<float>({7, n});
        agree([](auto a) { return rc::softmax(a, 1); }, x);
        agree([](auto a) { return rc::log_softmax(a, -1); }, x);
        agree([](auto a) { return rc::logsumexp(a, 1); }, rc::evaluate(rc::astype<double>(x)));
        agree([](auto a) { return rc::softmax(rc::permute(a, {1, 0}), 1); }, x);
    }
    const float inf = std::numeric_limits<float>::infinity();
    const rc::tensor<float, 2> edges{{-inf, -inf, -inf}, {inf, 0, 1}, {-inf, 0, 1}, {1e38f, -1e38f, 1e38f}};
    agree([](auto a) { return rc::softmax(a, 1); }, edges);
    agree([](auto a) { return rc::logsumexp(a, 1); }, edges);
}

// Small integers and 16-bit floats on the second device.
#include "agree.hpp"

namespace {

template <class T>
void check_integers() {
    const auto x = random_tensor<T>({40, 3}), y = rc::evaluate(rc::astype<T>(random_tensor({40, 3}, 2) * 40));
    agree([](auto a, auto b) { return a * b + a; }, x, y);
    agree([](auto a, auto b) { return rc::floor_divide(b, a) ^ (a << 2); }, x, y);
    agree([](auto a) { return rc::sum(a, 0); }, y);
    agree([](auto a) { return rc::max(a, 1); }, y);
}
template <class H>
void check_halves() {
    const auto x = random_tensor<H>({50, 7});
    const auto row = random_tensor<H>({7}, 2);
    agree([](auto a, auto b) { return rc::sin(a) * b - 2.5; }, x, row);
    agree(
        [](auto a) {
            return a(rc::slice(rc::none, rc::none, -2)) * 2 +
                   rc::astype<H>(rc::astype<float>(a(rc::slice(0, 25))) * 0.3f);
        },
        x);
    agree([](auto a) { return rc::sum(a, 0); }, x);
    agree([](auto a) { return rc::mean(a); }, rc::ones<H>({100000}));
    agree([](auto a) { return rc::max(a, 1); }, x);
    agree([](auto a) { return rc::matmul(a, rc::permute(a, {1, 0})); }, x);
    agree([](auto a) { return a * std::complex<double>(0.5, 2); }, row);
    const auto loss = [](auto w, auto a) { return rc::sum(rc::tanh(w * a)); };
    agree(rc::grad(loss), row, x);
    agree([&](auto w, auto a) { return rc::vmap(rc::grad(loss), rc::in_axes(rc::none, 0))(w, a); }, row, x);
}

}  // namespace

TEST_CASE("cuda: integers of 8 and 16 bits") {
    check_integers<std::int8_t>();
    check_integers<std::uint16_t>();
}
TEST_CASE("cuda: float16") { check_halves<rc::float16>(); }

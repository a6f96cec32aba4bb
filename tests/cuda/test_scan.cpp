// Running results along lines on the second device, against the CPU's.
#include "crowded.hpp"

TEST_CASE_TEMPLATE("cuda: running results", T, float, double, int, bool, rc::bfloat16, std::complex<float>) {
    const auto x = rc::evaluate(rc::astype<T>(random_tensor<double>({3, 11, 4}) * 0.5));
    for (const int axis : {0, 1, 2}) {
        agree([&](auto a) { return rc::cumulative_sum(a, axis); }, x);
        agree([&](auto a) { return rc::cumulative_prod(a, axis, true); }, x);
    }
    agree([](auto a) { return rc::cumulative_sum(a); }, x);
    agree([](auto a) { return rc::cumulative_sum(rc::permute(a, {2, 0, 1}), 1, true); }, x);
    agree([](auto a) { return rc::cumulative_sum(a(rc::slice(0, 0)), 1); }, x);
    if constexpr (std::is_arithmetic_v<T>) {
        const auto y = crowded<T>({3, 40, 4});
        for (const int axis : {0, 1, 2}) {
            agree([&](auto a) { return std::get<0>(rc::cummax(a, axis)); }, y);
            agree([&](auto a) { return std::get<1>(rc::cummax(a, axis)); }, y);
            agree([&](auto a) { return std::get<1>(rc::cummin(a, axis)); }, y);
        }
    }
}

TEST_CASE("cuda: integers' sums wrap around, and floats' are added in double") {
    const auto big = rc::full<std::int64_t>({5}, std::numeric_limits<std::int64_t>::max());
    agree([](auto a) { return rc::cumulative_sum(a, 0); }, big);
    agree([](auto a) { return rc::cumulative_prod(a, 0); }, big);
    const auto ones = rc::concat(std::make_tuple(rc::full<float>({1}, 16777216.0f), rc::ones<float>({1000})), 0);
    const auto sums = rc::cumulative_sum(ones.to(rc::cuda), 0).to(rc::cpu);
    CHECK(sums.at(1000) == 16777216.0f + 1000);
}

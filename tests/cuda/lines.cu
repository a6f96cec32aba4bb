// Scans, orders and searches by Thrust's algorithms on a GPU.
#include "agree.hpp"

TEST_CASE("cuda: scans, sorting, order statistics and searches by Thrust") {
    const auto x = random_tensor<float>({3, 500, 4});
    const auto list = random_tensor<float>({2000}, 2);
    const auto d = random_tensor({7, 90}, 3);
    for (const int axis : {0, 1, 2}) agree([&](auto a) { return rc::cumulative_sum(a, axis); }, x);
    agree([](auto a) { return std::get<1>(rc::cummax(a, 1)); }, x);
    agree([](auto a) { return rc::sort(a, 1, true); }, x);
    agree([](auto a) { return rc::argsort(a, 1); }, d);
    agree([](auto a) { return rc::argsort(rc::astype<rc::float16>(a)); }, list);
    agree([](auto a) { return rc::quantile(a, 0.3, 1); }, x);
    agree([](auto a, auto b) { return rc::searchsorted(rc::sort(a), b, true); }, list, x);
    rc::generator g(5), h(5);
    check_equal(rc::random::permutation(50, g, rc::cuda), rc::random::permutation(50, h));
}

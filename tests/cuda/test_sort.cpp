// Sorting and searches along lines on the second device, against the CPU's.
#include "crowded.hpp"

namespace {

const auto sorts = [](const auto& x, int axis) {
    for (const bool descending : {false, true}) {
        agree([&](auto a) { return rc::sort(a, axis, descending); }, x);
        agree([&](auto a) { return rc::argsort(a, axis, descending); }, x);
    }
    // also the signs of zeros
    agree([&](auto a) { return rc::signbit(rc::sort(rc::astype<double>(a), axis)); }, x);
};

}  // namespace

TEST_CASE_TEMPLATE("cuda: sorting", T, float, double, std::int8_t, std::uint64_t, rc::float16) {
    sorts(crowded<T>({3, 50, 4}), 1);
    sorts(crowded<T>({200}), 0);
    sorts(crowded<T>({5, 30})(rc::all, rc::slice(rc::none, rc::none, -2)), -1);
    sorts(crowded<T>({0, 3}), 1);
    sorts(crowded<T>({3, 0}), 1);
    sorts(crowded<T>({6, 1}), 1);
}

TEST_CASE("cuda: the largest, partitions and sorting by several keys") {
    const auto x = crowded<double>({4, 20});
    agree([](auto a) { return std::get<0>(rc::topk(a, 5)); }, random_tensor({4, 20}));
    agree([](auto a) { return std::get<1>(rc::topk(a, 5, 0)); }, random_tensor({9, 4}));
    agree([](auto a) { return rc::argsort(a > 0); }, x);
    agree([](auto a, auto b) { return rc::lexsort(std::make_tuple(a, b)); }, crowded<int>({60}),
          crowded<float>({60}, 2));
    agree([](auto a) { return rc::unique_values(a); }, crowded<int>({60}));
    agree([](auto a, auto b) { return rc::isin(a, b); }, crowded<int>({4, 7}), crowded<int>({3}, 2));
}

TEST_CASE_TEMPLATE("cuda: searches", T, float, int, rc::float16) {
    const auto list = rc::sort(crowded<T>({30}));
    const auto values = crowded<T>({4, 9}, 2);
    for (const bool behind : {false, true})
        agree([&](auto a, auto b) { return rc::searchsorted(a, b, behind); }, list, values);
    agree([](auto a, auto b) { return rc::searchsorted(a, b); }, list(rc::slice(0, 0)), values);
}

TEST_CASE("cuda: random order") {
    rc::generator a(5), b(5);
    check_equal(rc::random::permutation(50, a, rc::cuda), rc::random::permutation(50, b));
    const auto x = random_tensor({9, 2});
    check_equal(rc::random::choice(x.to(rc::cuda), {4}, false, a), rc::random::choice(x, {4}, false, b));
    const auto weights = rc::evaluate(rc::abs(random_tensor({3, 9})));
    check_equal(rc::random::multinomial(weights.to(rc::cuda), 4, true, a),
                rc::random::multinomial(weights, 4, true, b));
}

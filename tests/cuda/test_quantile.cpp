// Order statistics, and derivatives and batches of work along lines, on the second device against the CPU's.
#include <ricci/grad/variable.hpp>

#include "crowded.hpp"

TEST_CASE_TEMPLATE("cuda: order statistics", T, float, double) {
    const auto x = random_tensor<T>({5, 12, 3});
    const auto holes = crowded<T>({5, 12, 3});
    const auto method = [&](auto m) {
        agree([&](auto a) { return rc::quantile(a, 0.37, 1, m); }, x);
        agree([&](auto a) { return rc::nanquantile(a, 0.6, 1, m); }, holes);
    };
    for (const auto m : {rc::quantile_method::linear, rc::quantile_method::higher, rc::quantile_method::midpoint,
                         rc::quantile_method::nearest})
        method(m);
    agree([](auto a) { return rc::median(a, 0); }, holes);
    agree([](auto a) { return rc::median(a); }, x);
    agree([](auto a) { return rc::quantile(a, {0.0, 0.25, 1.0}, {0, 2}); }, x);
    agree([](auto a) { return rc::nanmedian(a * std::numeric_limits<T>::quiet_NaN(), 1); }, x);
}

TEST_CASE("cuda: derivatives and batches along lines") {
    const auto x = random_tensor({4, 6});
    const auto f = [](auto a) {
        return rc::sum(rc::square(rc::sort(a, 0)) * rc::cumulative_sum(a, 0)) + rc::sum(rc::cumulative_prod(a, 0)) +
               rc::sum(std::get<0>(rc::cummax(a, 0))) * rc::quantile(a, 0.3, 0);
    };
    agree(rc::vmap(rc::grad([&](auto a) { return rc::sum(f(a)); })), x);
    agree(rc::hessian([](auto a) { return rc::sum(rc::square(rc::cumulative_sum(rc::sort(a, 0), 0))); }),
          rc::evaluate(x(0)));
    agree(
        [](auto a) {
            rc::variable<double, 2, typename decltype(a)::device_type> v = a;
            rc::backward(rc::sum(rc::square(rc::median(v, 1))));
            return v.grad();
        },
        x);
}

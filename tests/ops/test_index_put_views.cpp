// index_put where slices, integers and axes are among the indices, against writes through views.
#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto numbers = [] { return evaluate(reshape(arange<double>(24), {2, 3, 4})); };

/// index_put(x, (i...), v) against x(i...) = v and x(i...) += v.
template <class V, class... I>
void check_put(const V& v, const I&... i) {
    const auto x = numbers();
    auto replaced = x.clone(), added = x.clone();
    replaced(i...) = v;
    added(i...) += v;
    check_close(index_put(x, ricci::tuple(i...), v), replaced);
    check_close(index_put(x, ricci::tuple(i...), v, true), added);
    check_close(x, numbers());
}

}  // namespace

TEST_CASE("index_put: slices of either sign, integers, ellipsis, newaxis, and arrays beside them") {
    const tensor<double, 1> two{-1, -2}, three{-1, -2, -3};
    check_put(7.0, 0);
    check_put(7.0, -1, all, slice(none, none, 2));
    check_put(two, all, 1, slice(none, none, -2));
    check_put(three, ellipsis, slice(1, none));
    check_put(three(all, newaxis), all, all, newaxis, 2);
    check_put(two, ellipsis, tensor<int, 1>{3, 0});
    check_put(5.0, slice(1, 1));
    check_put(5.0, 1, 2, 3);
}
TEST_CASE("index_put: errors of views") {
    const auto x = numbers();
    CHECK_THROWS_AS(index_put(x, ricci::tuple(2), 1.0), index_error);
    CHECK_THROWS_AS(index_put(x, ricci::tuple(all, slice(0, 2)), tensor<double, 1>{1, 2, 3}), shape_error);
}
TEST_CASE("index_put: derivatives and batches with slices") {
    const tensor<double, 1> x{1, 2, 3, 4}, v{5, 6};
    const auto f = [](auto a, auto b) { return sum(square(index_put(a, ricci::tuple(slice(1, 3)), b))); };
    const auto [gx, gv] = grad(f, argnums<0, 1>)(x, v);
    check_close(gx, tensor<double, 1>{2, 0, 0, 8});
    check_close(gv, tensor<double, 1>{10, 12});
    const auto rows = vmap([](auto a, auto b) { return index_put(a, ricci::tuple(slice(none, none, -2)), b); },
                           in_axes(none, 0))(x, tensor<double, 2>{{5, 6}, {7, 8}});
    check_close(rows, tensor<double, 2>{{1, 6, 3, 5}, {1, 8, 3, 7}});
    check_close(hessian([&](auto a) { return sum(a * index_put(a * a, ricci::tuple(0), 0.0)); })(v),
                tensor<double, 2>{{0, 0}, {0, 36}});
}
TEST_CASE("quantile of several fractions") {
    const auto x = numbers();
    const auto both = quantile(x, {0.25, 0.9}, 1);
    CHECK(both.shape() == shape{2, 2, 4});
    check_close(both(0), quantile(x, 0.25, 1));
    check_close(both(1), quantile(x, 0.9, 1));
    check_close(quantile(x, {0.0, 0.5, 1.0}), tensor<double, 1>{0, 11.5, 23});
    CHECK_THROWS_AS(quantile(x, {0.5, 1.5}), value_error);
    CHECK(quantile(x, {0.5}).shape() == shape{1});
    CHECK(quantile(x, {0.5}, 0).shape() == shape{1, 3, 4});
    const auto spread = [](auto a) {
        auto q = quantile(a, {0.0, 1.0});
        return q(1) - q(0);
    };
    check_close(grad(spread)(tensor<double, 1>{3, 9, 5}), tensor<double, 1>{-1, 1, 0});
}
TEST_CASE("% is Python's") {
    check_close(tensor<double, 1>{-7, 7, 5.5} % 3.0, tensor<double, 1>{2, 1, 2.5});
    CHECK(all(tensor<int, 1>{-7, 7} % 3 == tensor<int, 1>{2, 1}));
    CHECK(all(-7 % tensor<int, 1>{3, -3} == tensor<int, 1>{2, -1}));
}

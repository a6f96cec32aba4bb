// Read-only arrays, tensor<const T>, are taken wherever others are: what const memory is borrowed as.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <array>
#include <span>
#include <vector>

using namespace ricci;

namespace read_only {
template <class F>
void check(const F& f) {
    const std::vector<double> values{4, 1, 2, 7, 5, 3};
    const tensor<const double, 1> x = borrow(std::span<const double>(values));
    CHECK(allclose(f(x), f(x.clone())));
}
template <class F>
void check_matrix(const F& f) {
    check([&](const auto& x) { return f(reshape(x, {2, 3})); });
}
template <class F>
void check_square(const F& f) {
    check([&](const auto& x) { return f(reshape(x(slice(0, 4)), {2, 2})); });
}
}  // namespace read_only

TEST_CASE("read-only arrays: scans, order and statistics") {
    using namespace read_only;
    check([](const auto& x) { return cumulative_prod(x); });
    check([](const auto& x) { return logcumsumexp(x, 0); });
    check([](const auto& x) { return std::get<0>(cummax(x, 0)); });
    check([](const auto& x) { return sort(x); });
    check([](const auto& x) { return searchsorted(sort(x), x); });
    check([](const auto& x) { return std::get<0>(histogram(x, 3)); });
    check([](const auto& x) { return roll(x, 2); });
    check([](const auto& x) { return fft::fftshift(x); });
    check_matrix([](const auto& x) { return softmax(x, 1); });
    check_matrix([](const auto& x) { return log_softmax(x, 0); });
    check_matrix([](const auto& x) { return var(x, 1); });
    check_matrix([](const auto& x) { return mean(x, 1); });
    check_matrix([](const auto& x) { return standardize(x, 1); });
    check_matrix([](const auto& x) { return pad(x, 1, pad_mode::reflect); });
}

TEST_CASE("read-only arrays: matrices") {
    using namespace read_only;
    check_square([](const auto& x) { return linalg::qr(x).R; });
    check_square([](const auto& x) { return linalg::svd(x).S; });
    check_square([](const auto& x) { return linalg::svdvals(x); });
    check_square([](const auto& x) { return linalg::pinv(x); });
    check_square([](const auto& x) { return linalg::solve(x, x); });
    check_matrix([](const auto& x) { return matmul(x, matrix_transpose(x)); });
}

TEST_CASE("read-only arrays: derivatives") {
    using namespace read_only;
    const auto f = [](auto x) { return sum(x * x * softmax(x, 0)); };
    check([&](const auto& x) { return grad(f)(x); });
    check([&](const auto& x) { return hessian(f)(x); });
    check([](const auto& x) { return jacfwd([](auto a) { return a * a; })(x); });
    check([](const auto& x) { return jacrev([](auto a) { return a * a; })(x); });
    const std::vector<double> values{4, 1};
    gradcheck(f, borrow(std::span<const double>(values)));
}
TEST_CASE("read-only arrays: what is broadcast, where an element stands for several places") {
    const tensor<double, 1> v{1, 2, 3};
    auto rows = broadcast_to(v, {2, 3});
    static_assert(std::is_same_v<decltype(rows), tensor<const double, 2>>);
    static_assert(std::is_same_v<decltype(expand(v, {2, 3})), tensor<const double, 2>>);
    static_assert(std::is_same_v<decltype(broadcast_to(v, {3})), tensor<const double, 1>>);  // whatever the extents are
    const auto [a, b] = broadcast_arrays(v, zeros({2, 3}));
    static_assert(std::is_same_v<decltype(a), const tensor<const double, 2>>);
    static_assert(std::is_same_v<decltype(b), const tensor<const double, 2>>);
    CHECK(rows.data() == v.data());
    tensor<double, 2> written = rows.clone();
    written(0, 0) = 9.0;
    CHECK(array_equal(written, tensor<double, 2>{{9, 2, 3}, {1, 2, 3}}));
    tensor<double, 2> value = rows;
    value(1, 0) = 9.0;
    CHECK(array_equal(v, tensor{1.0, 2.0, 3.0}));
    rows = rows * 2.0;  // a name is bound anew
    CHECK(array_equal(rows, tensor<double, 2>{{2, 4, 6}, {2, 4, 6}}));
    CHECK(array_equal(v, tensor{1.0, 2.0, 3.0}));
    const auto f = [](auto x) { return sum(broadcast_to(x, {2, 3}) * expand(x, {4, 2, 3})); };
    CHECK(array_equal(grad(f)(v), 16.0 * v));
    CHECK(array_equal(vmap([](auto x) { return broadcast_to(x, {2}); })(v), tensor<double, 2>{{1, 1}, {2, 2}, {3, 3}}));
}
TEST_CASE("read-only arrays: pictures, bits and weights") {
    const auto check_copy = [](const auto& f, const auto& x) { CHECK(array_equal(f(x), f(x.clone()))); };
    const auto pictures = broadcast_to(arange<double>(16).reshape({4, 4}), {2, 1, 4, 4});
    check_copy([](const auto& x) { return avg_pool2d(x, 2); }, pictures);
    check_copy([](const auto& x) { return avg_pool2d(x, {2, 3}, {.padding = 1}); }, pictures);
    check_copy([](const auto& x) { return max_pool2d(x, 2); }, pictures);
    check_copy([](const auto& x) { return adaptive_avg_pool2d(x, 1); }, pictures);
    const auto same = max_pool2d(pictures, 1);
    CHECK(same.data() != pictures.data());
    const auto bytes = broadcast_to(tensor<std::uint8_t, 1>{1, 200}, {3, 2});
    check_copy([](const auto& x) { return packbits(x, 1); }, bytes);
    check_copy([](const auto& x) { return unpackbits(x, 0); }, bytes);
    check_copy([](const auto& x) { return packbits(x, 0); }, broadcast_to(tensor{true, false}, {3, 2}));
    const auto weights = broadcast_to(tensor{1.0, 3.0}, {5, 2});
    check_copy([](const auto& x) { return random::multinomial(x, 4, true, generator(1)); }, weights);
    check_copy([](const auto& x) { return random::categorical(x, -1, generator(1)); }, weights);
    CHECK_THROWS_AS(random::multinomial(broadcast_to(zeros({0}), {3, 0}), 2, true, generator(1)), value_error);
}
TEST_CASE("read-only arrays: the views of meshgrid") {
    const tensor<double, 1> u{1, 2, 3}, v{4, 5};
    auto [x, y] = meshgrid(u, v);
    static_assert(std::is_same_v<decltype(x), tensor<const double, 2>>);
    static_assert(std::is_same_v<decltype(y), tensor<const double, 2>>);
    CHECK(array_equal(x * y, tensor<double, 2>{{4, 8, 12}, {5, 10, 15}}));
    tensor<double, 2> z = x;
    z(0, 0) = 9.0;
    CHECK(array_equal(u, tensor{1.0, 2.0, 3.0}));
    CHECK(array_equal(tile(x, {1, 1}), x));
    const auto product = [&](auto a) {
        auto [p, q] = meshgrid(a, v);
        return sum(p * p * q);
    };
    CHECK(array_equal(grad(product)(u), tensor{18.0, 36.0, 54.0}));
}
TEST_CASE("read-only arrays: pictures and weights that are broadcast, one of them and both; variables of them") {
    const tensor<double, 2> picture{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const auto wide = expand(picture, {1, 1, 3, 3});
    const auto own = wide.clone();
    const auto expected = conv2d(own, own);
    CHECK(expected.item() == 285);
    CHECK(array_equal(conv2d(wide, wide), expected));
    CHECK(array_equal(conv2d(own, wide), expected));
    CHECK(array_equal(conv2d(wide, own), expected));
    variable<double, 2> w = broadcast_to(tensor{1.0, 2.0}, {3, 2});
    backward(sum(w * w));
    CHECK(array_equal(w.grad(), tensor<double, 2>{{2, 4}, {2, 4}, {2, 4}}));
}
TEST_CASE("read-only arrays: masks and index arrays") {
    const std::array<bool, 3> flags{true, false, true};
    const std::array<int, 2> places{2, 0};
    const auto mask = borrow(flags);
    const auto at = borrow(places);
    tensor<double, 1> x{1, 2, 3};
    CHECK(array_equal(x(mask), tensor{1.0, 3.0}));
    CHECK(array_equal(x(at), tensor{3.0, 1.0}));
    CHECK(array_equal(std::get<0>(nonzero(mask)), tensor<std::int64_t, 1>{0, 2}));
    CHECK(array_equal(masked_select(x, mask), x(mask)));
    CHECK(array_equal(compress(mask, x, 0), x(mask)));
    CHECK(array_equal(masked_scatter(x, mask, tensor{7.0, 8.0}), tensor{7.0, 2.0, 8.0}));
    x(mask) = 5.0;
    x(at).add(1.0);
    CHECK(array_equal(x, tensor{6.0, 2.0, 6.0}));
}
TEST_CASE("read-only arrays: nothing is written to const memory under another type") {
    const std::array<double, 3> values{1, 2, 3};
    auto state = lift(borrow(values), ones({3}));
    state(0) = 9.0;
    CHECK(array_equal(state, tensor{9.0, 2.0, 3.0}));
    CHECK(values[0] == 1);
    const auto write = [](auto a, auto b) {
        a(0) = 7.0;
        return a + b;
    };
    CHECK_THROWS_AS(vmap(write, in_axes(none, 0))(borrow(values), ones({2, 3})), value_error);
    CHECK(values[0] == 1);
}

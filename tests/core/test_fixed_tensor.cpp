// Fixed tensors as values: construction, elements, conversion from and to tensors, maps with broadcasting, indices,
// printing.
#include <doctest/doctest.h>

#include <ricci/fixed.hpp>
#include <sstream>
#include <vector>

using namespace ricci;

using vec3 = fixed_tensor<double, 3>;
using mat23 = fixed_tensor<double, 2, 3>;

static_assert(std::is_trivially_copyable_v<mat23> && sizeof(mat23) == 6 * sizeof(double));
static_assert(sizeof(fixed_tensor<float, 3>) == 3 * sizeof(float));
static_assert(mat23::rank == 2 && mat23::extent<0> == 2 && mat23::extent<-1> == 3 && mat23::shape() == shape{2, 3});
static_assert(std::is_same_v<decltype(fixed_tensor{1.0, 2.0}), fixed_tensor<double, 2>>);
static_assert(std::is_same_v<decltype(fixed_tensor{{1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}}), mat23>);

TEST_CASE("fixed_tensor: values, constants and elements") {
    constexpr vec3 v{1, 2, 3};
    static_assert(v(0) == 1 && v(-1) == 3 && v.size() == 3);
    static_assert(array_equal(mat23::zeros() + 1, mat23::ones()) && array_equal(mat23(), mat23::zeros()));
    static_assert(array_equal(fixed_tensor<int, 2, 3>::eye(), fixed_tensor<int, 2, 3>{{1, 0, 0}, {0, 1, 0}}));
    mat23 m{{1, 2, 3}, {4, 5, 6}};
    CHECK(std::vector<double>(m.begin(), m.end()) == std::vector<double>{1, 2, 3, 4, 5, 6});
    m(1, -1) = 7;
    CHECK(m(1, 2) == 7);
    CHECK(m.data()[5] == 7);
    CHECK_THROWS_WITH_AS(m(0, 3), "index 3 is out of bounds for axis 1 with size 3", index_error);
    CHECK_THROWS_AS(m(-3, 0), index_error);
    const fixed_tensor<int, 2, 1, 2> cube{{{1, 2}}, {{3, 4}}};
    CHECK(cube(1, 0, 1) == 4);
    CHECK_THROWS_AS((fixed_tensor<int, 2, 1, 2>{{{1, 2}}, {{3}}}), shape_error);
    const fixed_tensor<double> s = 2.5;
    CHECK(double(s) == 2.5);
    CHECK(array_equal(fixed_tensor<int, 3>(vec3{1.5, 2, -3}), fixed_tensor<int, 3>{1, 2, -3}));
    CHECK(array_equal(fixed_tensor<double, 40>::full(3), fixed_tensor<double, 40>() + 3));
    static_assert(std::is_same_v<decltype(fixed_tensor{1, 2.5}), fixed_tensor<double, 2>>);
    static_assert(std::is_same_v<decltype(fixed_tensor{true, 2}), fixed_tensor<int, 2>>);
    static_assert(array_equal(fixed_tensor{1, 2.5}, fixed_tensor<double, 2>{1, 2.5}));
    const long big = 300;
    CHECK_THROWS_AS((fixed_tensor<std::uint8_t, 2>{1, big}), value_error);
    CHECK(array_equal(fixed_tensor<std::uint8_t, 2>{1, 255}, tensor<std::uint8_t, 1>{1, 255}));
    CHECK(array_equal(fixed_tensor<float, 2>{1.5, 2}, tensor<float, 1>{1.5, 2}));
    CHECK(array_equal(fixed_tensor<std::complex<double>, 2>{1.5, 2}, tensor<double, 1>{1.5, 2}));
    CHECK(array_equal(fixed_tensor<bool, 2>{1, 0}, tensor<bool, 1>{true, false}));
    CHECK(int(fixed_tensor<int>(2.5)) == int(tensor<int, 0>(2.5)));
}

TEST_CASE("fixed_tensor: from and to tensors, and text") {
    const mat23 m{{1, 2, 3}, {4, 5, 6}};
    const tensor<double, 2> t = m;
    CHECK(array_equal(t, tensor<double, 2>{{1, 2, 3}, {4, 5, 6}}));
    const mat23 twice = t * 2.0;
    CHECK(array_equal(twice, m * 2));
    const fixed_tensor<float, 3, 2> turned = matrix_transpose(t);
    CHECK(turned(2, 1) == 6);
    const auto wrong = [&] { return vec3(t(0, slice(0, 2))); };
    CHECK_THROWS_WITH_AS(wrong(), "[fixed_tensor] the shape (2,) is not the fixed one, (3,)", shape_error);
    tensor<double, 2> into = zeros<double>({2, 3});
    const double* buffer = into.data();
    into = m;
    CHECK((into.data() == buffer && array_equal(into, t)));
    into(1, all) = vec3{7, 8, 9};
    CHECK(into.at(1, 2) == 9);
    std::ostringstream text, expected;
    text << m;
    expected << t;
    CHECK(text.str() == expected.str());
}

TEST_CASE("fixed_tensor: maps are values, broadcast at compile time") {
    const mat23 m{{1, 2, 3}, {4, 5, 6}};
    const vec3 v{1, -1, 2};
    const fixed_tensor<double, 2, 1> column{{10}, {20}};
    const tensor<double, 2> t = m, tc = column;
    const tensor<double, 1> tv = v;
    const auto same = [](const auto& fixed, const auto& expected) {
        static_assert(is_fixed_v<std::remove_cvref_t<decltype(fixed)>>);
        using T = typename std::remove_cvref_t<decltype(fixed)>::value_type;
        static_assert(std::is_same_v<T, typename std::remove_cvref_t<decltype(expected)>::value_type>);
        return array_equal(tensor<T, std::remove_cvref_t<decltype(fixed)>::rank>(fixed), expected);
    };
    CHECK(same(m * v + column, t * tv + tc));
    CHECK(same(column - v, tc - tv));
    CHECK(same(2 / m, 2 / t));
    CHECK(same(m > v, t > tv));
    CHECK(same(where(m > v, m, 0.0), where(t > tv, t, 0.0)));
    CHECK(same(-m, -t));
    CHECK(same(sum(m) * v, sum(t) * tv));
    // registers, whole and in part: what tensors compute
    CHECK(allclose(sin(m) * exp(v), sin(t) * exp(tv), 1e-15, 0));
    CHECK(allclose(pow(m, column), pow(t, tc), 1e-15, 0));
    CHECK(allclose(atan2(m, column), atan2(t, tc), 1e-15, 0));
    const auto many = fixed_tensor<double, 5, 7>::generate([](index_t k) { return static_cast<double>(k) / 8; });
    CHECK(allclose(tanh(many), tanh(many.fetch()), 1e-15, 0));
    CHECK(same(map([](auto a, auto b) { return a * b + sqrt(a); }, m, v),
               evaluate(map([](auto a, auto b) { return a * b + sqrt(a); }, t, tv))));
    // promotion
    const fixed_tensor<int, 3> i{1, 2, 3};
    const fixed_tensor<float, 3> f{1, 2, 3};
    static_assert(std::is_same_v<decltype(f * 2.0), fixed_tensor<float, 3>>);
    static_assert(std::is_same_v<decltype(f * v), vec3>);
    static_assert(std::is_same_v<decltype(i / 2), vec3>);
    static_assert(std::is_same_v<decltype(i * true), fixed_tensor<int, 3>>);
    CHECK(same(astype<float>(i) / i, evaluate(astype<float>(tensor<int, 1>(i)) / tensor<int, 1>(i))));
    // beside tensors: a tensor
    static_assert(expression<decltype(m + tv)> && !is_fixed_v<decltype(m + tv)>);
    CHECK(array_equal(m + tv, t + tv));
    CHECK(array_equal(mat23(tc + v), column + v));
    const tensor<double, 1> two{1, 2};
    CHECK_THROWS_AS(m + two, shape_error);
    mat23 a = m;
    a += v;
    a -= 1;
    a *= column;
    a /= tv;
    CHECK(array_equal(a, (m + v - 1) * column / v));
    fixed_tensor<int, 3> k{5, 6, 7};
    k %= 4;
    k <<= 1;
    k |= 1;
    k &= 5;
    k ^= fixed_tensor<int, 3>{1, 0, 2};
    CHECK(array_equal(k, fixed_tensor<int, 3>{0, 5, 7}));
    k >>= 1;
    CHECK(array_equal(k, fixed_tensor<int, 3>{0, 2, 3}));
}

TEST_CASE("fixed_tensor: indices give copies of fixed extents") {
    mat23 m{{1, 2, 3}, {4, 5, 6}};
    static_assert(std::is_same_v<decltype(m(1, all)), vec3>);
    static_assert(std::is_same_v<decltype(m(ellipsis, 0)), fixed_tensor<double, 2>>);
    static_assert(std::is_same_v<decltype(m(newaxis, 0)), fixed_tensor<double, 1, 3>>);
    CHECK(array_equal(m(-1, all), vec3{4, 5, 6}));
    CHECK(array_equal(m(1), vec3{4, 5, 6}));
    CHECK(array_equal(m(all, 1), fixed_tensor<double, 2>{2, 5}));
    CHECK(array_equal(m(all, newaxis, -1), fixed_tensor<double, 2, 1>{{3}, {6}}));
    CHECK_THROWS_AS(m(2, all), index_error);
    CHECK(array_equal(m(all, slice(none, none, -1)), tensor<double, 2>{{3, 2, 1}, {6, 5, 4}}));
    CHECK(array_equal(m({1, 0}), tensor<double, 2>{{4, 5, 6}, {1, 2, 3}}));
    CHECK(array_equal(m(m > 2.0), tensor<double, 1>{3, 4, 5, 6}));
    m.set(m(1, all), 0, all);
    m.set(9, all, 2);
    m.set(tensor<double, 1>{7, 8}, all, 1);
    CHECK(array_equal(m, mat23{{4, 7, 9}, {4, 8, 9}}));
    constexpr fixed_tensor<int, 2, 2, 2> c{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    static_assert(array_equal(c(all, 1), fixed_tensor<int, 2, 2>{{3, 4}, {7, 8}}));
    static_assert(array_equal(c(1, ellipsis, 0), fixed_tensor<int, 2>{5, 7}));
    fixed_tensor<double, 3, 4> pose{};  // slices and index arrays: what fits is known at run time
    pose.set(fixed_tensor<double, 2, 2>{{1, 2}, {3, 4}}, slice(0, 2), slice(1, 3));
    pose.set(-pose, slice(none, none, -1));
    pose.set(7, 2, slice(none, 3, 2));
    pose.set(8, tensor{0, 1}, 0);
    CHECK(array_equal(pose, tensor<double, 2>{{8, 0, 0, 0}, {8, -3, -4, 0}, {7, -1, 7, 0}}));
    CHECK_THROWS_AS(pose.set(fixed_tensor<double, 2>{1, 2}, slice(0, 3), 0), shape_error);
}

TEST_CASE("fixed_tensor: every function takes it") {
    const mat23 m{{3, 1, 2}, {6, 5, 4}};
    const tensor<double, 2> t = m;
    CHECK(array_equal(sort(m, 1), sort(t, 1)));
    CHECK(array_equal(argmax(m, 0), argmax(t, 0)));
    CHECK(array_equal(cumulative_sum(m, 1), cumulative_sum(t, 1)));
    CHECK(array_equal(sum(m, 0), sum(t, 0)));
    CHECK(array_equal(max(m, 1), max(t, 1)));
    CHECK(array_equal(prod(m, {0, 1}), prod(t, {0, 1})));
    CHECK(array_equal(var(m, 0), var(t, 0)));
    CHECK(array_equal(reshape(m, {3, 2}), reshape(t, {3, 2})));
    CHECK(array_equal(permute(m, {1, 0}), permute(t, {1, 0})));
    CHECK(array_equal(concat({m, m}), concat({t, t})));
    CHECK(array_equal(stack(std::vector{m, m, m}), stack(std::vector{t, t, t})));
    CHECK(array_equal(einsum<"ij,kj->ik">(m, m), einsum<"ij,kj->ik">(t, t)));
    CHECK(array_equal(matmul(m, matrix_transpose(t)), matmul(t, matrix_transpose(t))));
    CHECK(array_equal(softmax(m, 1), softmax(t, 1)));
    CHECK(array_equal(linalg::svdvals(m), linalg::svdvals(t)));
    CHECK(array_equal(take(m, tensor<int, 1>{1, 0}, 0), take(t, tensor<int, 1>{1, 0}, 0)));
    CHECK(any(m > 5.0).item());
    CHECK(all(m > 0.0).item());
    CHECK(array_equal(zeros_like(m), zeros<double>({2, 3})));
    CHECK(array_equal(evaluate(m), t));
    CHECK(array_equal(broadcast_to(m, shape{2, 2, 3}), broadcast_to(t, shape{2, 2, 3})));
}

TEST_CASE("fixed tensors: functions of numbers") {
    const vec3 y = map([](double a) { return a < 0 ? 0 : a; }, vec3{1, -2, 3});
    CHECK((y(0) == 1 && y(1) == 0 && y(2) == 3));
}

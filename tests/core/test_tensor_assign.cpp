// Assignment: rebinding a name and using its buffer again, writing through views, in-place arithmetic, overlap.
#include <doctest/doctest.h>

#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::values;
using doubles = std::vector<double>;
using ints = std::vector<int>;

TEST_CASE("rebind: the buffer is used again by its only owner when the shape fits") {
    const tensor<double, 1> a{1, 2, 3}, b{4, 5, 6, 7};
    tensor<double, 1> x = a * 2.0;
    const double* buffer = x.data();
    x = a + 1.0;
    CHECK(x.data() == buffer);
    CHECK(values(x) == doubles{2, 3, 4});
    x = a == 2.0;  // converted on the way
    CHECK(x.data() == buffer);
    CHECK(values(x) == doubles{0, 1, 0});
    const auto shared = x;
    x = a * 3.0;
    CHECK(x.data() != buffer);
    CHECK(values(shared) == doubles{0, 1, 0});
    x = b * 1.0;
    CHECK(values(x) == doubles{4, 5, 6, 7});
    x = a;  // a tensor: its storage is shared
    CHECK(x.data() == a.data());
    x = x * 2.0;
    CHECK(values(a) == doubles{1, 2, 3});
    CHECK(values(x) == doubles{2, 4, 6});
}

TEST_CASE("rebind: a view is no owner, and is rebound, not written") {
    const tensor<double, 2> m{{1, 2}, {3, 4}};
    auto row = m(0, all);
    row = m(1, all) * 10.0;
    CHECK(values(row) == doubles{30, 40});
    CHECK(values(m) == doubles{1, 2, 3, 4});
    auto column = zeros<double>({2, 2})(all, 0);  // the only owner of a strided buffer
    column = m(all, 1) + 0.5;
    CHECK(values(column) == doubles{2.5, 4.5});
    tensor<double, 0> s = 1.0;
    s = 2.5;
    CHECK(s.item() == 2.5);
    s = sum(m);
    CHECK(s.item() == 10);
}

TEST_CASE("rebind: a time stepping loop allocates nothing from the system") {
    auto u = ones<double>({100, 100});
    auto next = zeros<double>({100, 100});
    auto step = [&] {
        next = u * 0.5 + 1.0;
        std::swap(u, next);
    };
    step();
    step();
    const auto before = allocator_statistics().allocations;
    for (int i = 0; i < 50; ++i) step();
    CHECK(allocator_statistics().allocations == before);
    CHECK(u.at(7, 7) == doctest::Approx(2));
}

TEST_CASE("views: writing through an unnamed view writes the tensor") {
    auto x = zeros<double>({3, 4});
    x(1, all) = 5.0;
    x(all, 0) = tensor<double, 1>{1, 2, 3};
    x(0, slice(1, 3)) = x(1, slice(1, 3)) * 2.0;
    CHECK(values(x) == doubles{1, 10, 10, 0, 2, 5, 5, 5, 3, 0, 0, 0});
    x(2, 3) = 7;
    x(-1, -2) = 6.5f;
    CHECK(x.at(2, 3) == 7);
    CHECK(x.at(2, 2) == 6.5);
    x(ellipsis) = 0;
    CHECK(values(x) == doubles(12, 0.0));
    x(slice(none, none, 2), slice(none, none, -3)) = tensor<double, 2>{{1, 2}, {3, 4}};
    CHECK(values(x) == doubles{2, 0, 0, 1, 0, 0, 0, 0, 4, 0, 0, 3});
    permute(x, {1, 0})(0, all) = tensor<double, 1>{9, 9, 9};
    CHECK(values(x(all, 0)) == doubles{9, 9, 9});
    reshape(x, {12})(slice(0, 12, 5)) = -1.0;
    CHECK(values(x) == doubles{-1, 0, 0, 1, 9, -1, 0, 0, 9, 0, -1, 3});
    x(0, all) = {7.0, 8.0, 9.0, 10.0};
    CHECK(values(x(0, all)) == doubles{7, 8, 9, 10});
    x(all, newaxis, 0)(all, 0) = tensor<double, 1>{1, 2, 3};
    CHECK(values(x(all, 0)) == doubles{1, 2, 3});
}

TEST_CASE("views: the right side is broadcast and converted") {
    auto x = zeros<int>({2, 3});
    x(all, all) = tensor<int, 1>{1, 2, 3};
    CHECK(values(x) == ints{1, 2, 3, 1, 2, 3});
    x(all, all) = tensor<double, 2>{{1.9}, {-2.9}};
    CHECK(values(x) == ints{1, 1, 1, -2, -2, -2});
    x(0, all) = true;
    x(1, all) = 2.5;
    CHECK(values(x) == ints{1, 1, 1, 2, 2, 2});
    auto mask = zeros<bool>({3});
    mask(slice(0, 2)) = 0.25;
    CHECK(values(mask) == std::vector<bool>{true, true, false});
    auto z = zeros<std::complex<double>>({2});
    z(0) = 2;
    z(1) = std::complex<double>(0, 1);
    CHECK(z.at(0) == 2.0);
    CHECK(z.at(1).imag() == 1);
}

TEST_CASE("views: one tensor assigned to an unnamed view copies elements") {
    auto x = zeros<double>({2, 2});
    const tensor<double, 1> row{1, 2};
    x(0, all) = row;
    x(1, all) = x(0, all);
    CHECK(values(x) == doubles{1, 2, 1, 2});
    x(0, 0) = x(0, 1);
    CHECK(x.at(0, 0) == 2);
    CHECK(values(row) == doubles{1, 2});
}

TEST_CASE("views: no elements") {
    auto x = ones<double>({3, 4});
    x(slice(2, 2), all) = 5.0;
    x(all, slice(4, none)) = zeros<double>({3, 0});
    x(slice(0, 0), all) = zeros<double>({1, 4});
    x(slice(1, 1)) += 1.0;
    CHECK(values(x) == doubles(12, 1.0));
    tensor<double, 2> none_;
    none_ += 1.0;
    none_(ellipsis) = 2.0;
    CHECK(none_.size() == 0);
}

TEST_CASE("in place: every handle sees it, views too") {
    tensor<double, 1> a{1, 2, 3};
    const auto b = a;
    a += 1.0;
    CHECK(values(b) == doubles{2, 3, 4});
    a -= tensor<double, 1>{1, 1, 1};
    a *= a;
    CHECK(values(b) == doubles{1, 4, 9});
    a /= 2;
    CHECK(values(b) == doubles{0.5, 2, 4.5});
    a += b(slice(none, none, -1));
    CHECK(values(a) == doubles{5, 4, 5});
    tensor<double, 2> m{{1, 2}, {3, 4}};
    m(all, 1) *= 10.0;
    m += tensor<double, 1>{1, 2};
    CHECK(values(m) == doubles{2, 22, 4, 42});
    m(0, 0) += 0.5;
    CHECK(m.at(0, 0) == 2.5);
    tensor<int, 1> i{5, 7};
    i(all) = i / 2;  // computed as double, stored as int; `i /= 2` does not compile
    CHECK(values(i) == ints{2, 3});
    i *= tensor<std::uint8_t, 1>{3};
    CHECK(values(i) == ints{6, 9});
    tensor<float, 1> f{0.5f, 1};
    f += i;  // float with int is double, which float holds but for its last bits
    CHECK(values(f) == std::vector<float>{6.5f, 10});
    tensor<bool, 1> flags{true, false};
    flags += tensor<bool, 1>{true, true};
    CHECK(values(flags) == std::vector<bool>{true, true});
}

TEST_CASE("in place: the version counts writes, not rebinding") {
    tensor<double, 1> a{1, 2, 3};
    const auto before = a.memory().version();
    a(0) = 5.0;
    a += 1.0;
    CHECK(a.memory().version() == before + 2);
}

TEST_CASE("overlap: shifted, reversed, transposed and nested views") {
    tensor<double, 1> a{1, 2, 3, 4, 5};
    a(slice(1, -1)) = a(slice(0, -2)) + a(slice(2, none));
    CHECK(values(a) == doubles{1, 4, 6, 8, 5});
    a(ellipsis) = a(slice(none, none, -1));
    CHECK(values(a) == doubles{5, 8, 6, 4, 1});
    a(slice(0, 4)) = a(slice(1, 5));
    CHECK(values(a) == doubles{8, 6, 4, 1, 1});
    a(slice(1, 5)) = a(slice(0, 4));
    CHECK(values(a) == doubles{8, 8, 6, 4, 1});
    a(slice(none, none, 2))(slice(1, none)) = a(slice(none, 3))(slice(none, 2)) * 2.0;
    CHECK(values(a) == doubles{8, 8, 16, 4, 16});
    a(ellipsis) = a(0) + a;
    CHECK(values(a) == doubles{16, 16, 24, 12, 24});
    tensor<double, 2> m{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    m(ellipsis) = permute(m, {1, 0});
    CHECK(values(m) == doubles{1, 4, 7, 2, 5, 8, 3, 6, 9});
    m += permute(m, {1, 0});
    CHECK(values(m) == doubles{2, 6, 10, 6, 10, 14, 10, 14, 18});
    m(all, all) = m(0, all);
    CHECK(values(m) == doubles{2, 6, 10, 2, 6, 10, 2, 6, 10});
    m -= m(all, slice(2, 3));
    CHECK(values(m) == doubles{-8, -4, 0, -8, -4, 0, -8, -4, 0});
    reshape(m, {9})(slice(0, 8)) = reshape(m, {9})(slice(1, 9));
    CHECK(values(m) == doubles{-4, 0, -8, -4, 0, -8, -4, 0, 0});
}

TEST_CASE("overlap: large, so that registers, tiles and threads are crossed") {
    for (index_t n : {7, 64, 1000, 300000}) {
        CAPTURE(n);
        auto a = arange<double>(static_cast<double>(n));
        const auto was = a.clone();
        a(slice(1, n)) = a(slice(0, n - 1)) * 2.0;
        CHECK(sum(a(slice(1, n)) != was(slice(0, n - 1)) * 2.0).item() == 0);
        a(ellipsis) = was;
        a(slice(none, none, -1)) = a;
        CHECK(sum(a != was(slice(none, none, -1))).item() == 0);
    }
}

TEST_CASE("overlap: memory borrowed twice") {
    std::vector<double> memory{1, 2, 3, 4};
    auto a = borrow(std::span(memory)), b = borrow(std::span(memory));
    a(slice(1, 4)) = b(slice(0, 3));
    CHECK(memory == doubles{1, 1, 2, 3});
}
TEST_CASE("assign: a name that is bound anew to what borrows its own memory") {
    for (const ricci::index_t n : {100, 3000, 100000}) {
        ricci::tensor<double, 1> x = ricci::arange(static_cast<double>(n));
        const auto expected = x(ricci::slice(ricci::none, ricci::none, -1)).clone();
        const auto y = ricci::borrow(x.span());
        x = y(ricci::slice(ricci::none, ricci::none, -1)) + 0.0;
        CHECK(ricci::array_equal(x, expected));
    }
}

namespace {
/// a * 2 - b into `out`, whose memory a and b share, as the same loop over copies of them has it.
template <class O, class A, class B>
void check_over(const O& out, const A& a, const B& b) {
    const auto a_was = a.clone();
    const auto b_was = b.clone();
    write(out, a * 2.0 - b);
    const tensor<double, O::rank> expected = a_was * 2.0 - b_was;
    CHECK(array_equal(out, expected));
}
}  // namespace

TEST_CASE("overlap: of many rows, some at a time, those that are read before, beside and behind what is written") {
    const auto start = [] { return evaluate(reshape(sin(arange<double>(700.0 * 200)), {700, 200})); };
    for (const int far : {0, 1, 3, 80, 300}) {  // rows between the three
        CAPTURE(far);
        auto m = start();
        const auto rows = [&](int times, int column) {
            return m(slice(times * far, times * far + 700 - 2 * far), slice(column, column + 190));
        };
        check_over(rows(0, 5), rows(1, 0), rows(2, 10));
        check_over(rows(1, 5), rows(0, 0), rows(2, 10));
        check_over(rows(2, 5), rows(0, 5), rows(1, 6));
        check_over(rows(2, 5), rows(0, 5), rows(1, 6)(slice(none, none, -1), all));
        check_over(rows(2, 5)(slice(none, none, -1), all), rows(1, 4)(slice(none, none, -1), all), rows(0, 0));
        check_over(rows(1, 5), rows(0, 5), rows(1, 5)(7, all));
        check_over(rows(1, 5), rows(2, 5)(all, slice(3, 4)), rows(1, 5));
    }
    auto m = start();
    const auto square = m(slice(0, 200), all);
    check_over(square, permute(square, {1, 0}), square);
    const auto turned = permute(m, {1, 0});
    check_over(turned(slice(1, -1), all), turned(slice(0, -2), all), turned(slice(2, none), all));
    check_over(m(slice(0, 698, 2), all), m(slice(1, 699, 2), all), m(slice(2, 700, 2), all));
    auto line = evaluate(reshape(start(), {140000}));
    check_over(line(slice(2, 130002)), line(slice(0, 130000)), line(slice(9, 130009)));
    check_over(line(slice(0, none, 2)), line(slice(1, none, 2)), line(slice(0, 70000)));
}

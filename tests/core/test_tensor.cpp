// Tensors as handles: construction, sharing, element access, conversion, const, rank 0, no elements, borrowed memory.
#include <doctest/doctest.h>

#include <array>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../reference.hpp"

using namespace ricci;
using reference::values;

TEST_CASE("tensor: nested braces give shape and elements") {
    const tensor<double, 1> a{1, 2, 3};
    CHECK(a.shape() == shape{3});
    CHECK(a.at(2) == 3);
    const tensor<float, 2> b{{1, 2, 3}, {4, 5, 6}};
    CHECK(b.shape() == shape{2, 3});
    CHECK(b.strides() == shape{3, 1});
    CHECK(b.size() == 6);
    CHECK(b.shape(-1) == 3);
    CHECK(tensor<float, 2>::ndim() == 2);
    CHECK(b.is_contiguous());
    CHECK(values(b) == std::vector<float>{1, 2, 3, 4, 5, 6});
    const tensor<int, 3> c{{{1}, {2}}, {{3}, {4}}};
    CHECK(c.shape() == shape{2, 2, 1});
    CHECK(c.at(1, 1, 0) == 4);
    const tensor<bool, 1> flags{true, false};
    CHECK(flags.at(0));
    CHECK_FALSE(flags.at(1));
    const tensor<std::complex<float>, 1> z{{1, 2}, 3.0f};
    CHECK(z.at(0) == std::complex<float>(1, 2));
    const tensor<double, 2> nothing{{}};
    CHECK(nothing.shape() == shape{1, 0});
}

TEST_CASE("tensor: nothing yet, and rank 0") {
    const tensor<double, 2> empty;
    CHECK(empty.shape() == shape{0, 0});
    CHECK(empty.size() == 0);
    CHECK(empty.is_contiguous());
    const tensor<double, 0> zero;
    CHECK(zero.item() == 0);
    const tensor<double, 0> three = 3;
    CHECK(three.item() == 3);
    CHECK(three.size() == 1);
    CHECK(three.is_contiguous());
    const double number = three;
    CHECK(number == 3);
    CHECK(three * 2 + 1 == 7);
    CHECK(three);
    CHECK_FALSE(zero);
    const tensor<int, 0> from_real = 2.75;
    CHECK(from_real.item() == 2);
    CHECK(tensor<bool, 0>(2.5).item());
}

TEST_CASE("tensor: copies share, clones do not") {
    tensor<double, 1> a{1, 2, 3};
    const tensor<double, 1> b = a;
    CHECK(b.data() == a.data());
    a(1) = 20.0;
    CHECK(b.at(1) == 20);
    const auto c = a.clone();
    CHECK(c.data() != a.data());
    a(1) = 2.0;
    CHECK(c.at(1) == 20);
    tensor<double, 1> moved = std::move(a);
    CHECK(moved.data() == b.data());
    const auto reversed = moved(slice(none, none, -1)).clone();
    CHECK(reversed.is_contiguous());
    CHECK(values(reversed) == std::vector<double>{3, 2, 1});
}

TEST_CASE("tensor: containers, tuples and swaps rebind") {
    tensor<double, 1> a{1, 2}, b{3};
    const double *of_a = a.data(), *of_b = b.data();
    std::swap(a, b);
    CHECK(a.data() == of_b);
    CHECK(b.data() == of_a);
    std::tie(a, b) = std::make_tuple(b, a);
    CHECK(a.data() == of_a);
    CHECK(b.data() == of_b);
    std::vector<tensor<double, 1>> list{a, b};
    list.erase(list.begin());
    CHECK(list[0].data() == of_b);
    CHECK(a.data() == of_a);
    CHECK(values(a) == std::vector<double>{1, 2});
}

TEST_CASE("tensor: what was moved from is empty, and used again") {
    tensor<double, 2> a{{1, 2}, {3, 4}};
    const double* of_a = a.data();
    tensor<double, 2> b = std::move(a);
    CHECK(b.data() == of_a);
    CHECK(b.memory().unique());
    CHECK(a.size() == 0);
    CHECK(sum(a * 2.0).item() == 0);
    CHECK(a.clone().size() == 0);
    a = b + 1.0;
    CHECK(values(a) == std::vector<double>{2, 3, 4, 5});
    b = std::move(a);
    CHECK(values(b) == std::vector<double>{2, 3, 4, 5});
    CHECK(a.size() == 0);
    auto& self = b;
    b = std::move(self);
    CHECK(values(b) == std::vector<double>{2, 3, 4, 5});
    tensor<double, 0> s(3.0), t = std::move(s);
    CHECK(double(t) == 3);
    s = 4.0;
    CHECK(double(s + t) == 7);
    t = std::move(s);
    s = t * 2.0;
    CHECK(double(s + t) == 12);
}

TEST_CASE("tensor: at() reads and writes, negative indices count from the end") {
    const tensor<int, 2> a{{1, 2, 3}, {4, 5, 6}};
    a.at(0, 0) = 10;
    a.at(-1, -1) = 60;
    CHECK(values(a) == std::vector<int>{10, 2, 3, 4, 5, 60});
    const auto v = a(all, slice(none, none, -2));
    CHECK(v.at(1, 0) == 60);
    CHECK(v.at(-2, -1) == 10);
    CHECK(tensor<int, 0>(7).at() == 7);
}

TEST_CASE("tensor: item is the only element of any rank") {
    CHECK(tensor<int, 2>{{7}}.item() == 7);
    const tensor<double, 1> x{1, 2, 3};
    CHECK(x(slice(1, 2)).item() == 2);
    CHECK((x(1) + 1).item() == 3);
    static_assert(std::is_same_v<decltype(x(1).item<float>()), float>);
    CHECK(x(1).item<int>() + sum(x).item<int>() + (x(1) + 1).item<int>() == 11);
    CHECK(reference::message<shape_error>([&] { (void)x.item<int>(); }) ==
          "[item] an array of shape (3,) has 3 elements, not one");
    CHECK(reference::message<shape_error>([&] { (void)x.item(); }) ==
          "[item] an array of shape (3,) has 3 elements, not one");
    CHECK(reference::message<shape_error>([&] { (void)x(slice(0, 0)).item(); }) ==
          "[item] an array of shape (0,) has 0 elements, not one");
}

TEST_CASE("tensor: extents by their places, negative ones counted from the end") {
    const auto x = zeros<int>({2, 3, 4});
    CHECK(x.shape()[-1] == 4);
    CHECK(x.shape()[-3] == 2);
    CHECK(x.strides()[-2] == 4);
    static_assert(shape{5, 6}[-1] == 6);
    auto extents = x.shape();
    extents[-1] = 5;
    CHECK(extents == shape{2, 3, 5});
    for (const int d : {3, -4, 1000})
        CHECK_THROWS_WITH_AS(
            extents[d] = 1, ("[shape] axis " + std::to_string(d) + " is out of range for rank 3").c_str(), index_error);
    CHECK_THROWS_AS((void)sum(x).shape()[0], index_error);
}

TEST_CASE("tensor: contiguity") {
    const auto x = zeros<float>({4, 1, 6});
    CHECK(x.is_contiguous());
    CHECK(x(slice(1, 3)).is_contiguous());
    CHECK(x(slice(0, 1), all, slice(0, 3)).is_contiguous());
    CHECK_FALSE(x(all, all, slice(0, 3)).is_contiguous());
    CHECK_FALSE(x(slice(none, none, -1)).is_contiguous());
    CHECK_FALSE(permute(x, {2, 1, 0}).is_contiguous());
    CHECK(permute(x, {1, 0, 2}).is_contiguous());
    CHECK(x(slice(2, 2), all, slice(none, none, 2)).is_contiguous());
    CHECK_FALSE(expand(zeros<float>({1}), {3}).is_contiguous());
}

TEST_CASE("tensor: from expressions, elements converted") {
    const tensor<double, 1> x{1.75, -2.5};
    const tensor<int, 1> truncated = x * 1;
    CHECK(values(truncated) == std::vector<int>{1, -2});
    const tensor<float, 1> single = x;
    CHECK(values(single) == std::vector<float>{1.75f, -2.5f});
    const tensor<bool, 1> truth = x - x;
    CHECK(values(truth) == std::vector<bool>{false, false});
    const tensor<std::complex<double>, 1> z = x;
    CHECK(z.at(1) == std::complex<double>(-2.5, 0));
    const tensor<double, 1> real = astype<double>(z * std::complex<double>(0, 1));  // only where it is said
    CHECK(values(real) == std::vector<double>{0, 0});
    const tensor<double, 1> same = x;
    CHECK(same.data() == x.data());
}

TEST_CASE("tensor: expressions own their leaves") {
    auto make = [] {
        const tensor<double, 1> a{1, 2, 3}, b{10, 20, 30};
        auto inner = a * 2.0;
        return inner + b(slice(none, none, -1)) * inner;
    };
    const auto e = make();
    const auto used = zeros<double>({1000});  // what took the place of freed memory would show
    CHECK(values(e) == std::vector<double>{62, 84, 66});
    CHECK(sum(e).item() == 212);
    CHECK(sum(used).item() == 0);
}

TEST_CASE("tensor: a lazy expression sees later writes to its leaves, a rebound name does not change it") {
    tensor<double, 1> a{1, 2};
    const auto e = a + 1.0;
    a(0) = 5.0;
    CHECK(values(e) == std::vector<double>{6, 3});
    a = tensor<double, 1>{100, 200};
    CHECK(values(e) == std::vector<double>{6, 3});
}

TEST_CASE("tensor: const data") {
    const std::vector<double> memory{1, 2, 3, 4, 5, 6};
    const auto x = borrow(std::span(memory), shape{2, 3});
    static_assert(std::is_same_v<decltype(x.data()), const double*>);
    CHECK(x.data() == memory.data());
    CHECK(x.at(1, 2) == 6);
    CHECK(sum(x * 2.0).item() == 42);
    CHECK(values(x(1, all)) == std::vector<double>{4, 5, 6});
    CHECK(values(permute(x, {1, 0})) == std::vector<double>{1, 4, 2, 5, 3, 6});
    CHECK(values(sum(x, 0)) == std::vector<double>{5, 7, 9});
    CHECK(values(reshape(permute(x, {1, 0}), {6})) == std::vector<double>{1, 4, 2, 5, 3, 6});
    tensor<double, 2> own = x.clone();
    own(0, 0) = 10.0;
    CHECK(memory[0] == 1);
    tensor<double, 2> copy = x;  // what may be written cannot share what may not
    CHECK(copy.data() != memory.data());
    CHECK(values(copy) == memory);
    tensor<const double, 2> read_only = own;
    CHECK(read_only.data() == own.data());
    read_only = own * 2.0;
    CHECK(read_only.at(0, 0) == 20);
    CHECK(own.at(0, 0) == 10);
}

TEST_CASE("tensor: borrowed memory is written through views, never by rebinding") {
    std::vector<int> memory{1, 2, 3, 4};
    auto x = borrow(std::span(memory));
    CHECK(x.data() == memory.data());
    x(slice(1, 3)) = 0;
    CHECK(memory == std::vector<int>{1, 0, 0, 4});
    x += 1;
    CHECK(memory == std::vector<int>{2, 1, 1, 5});
    x = x + 1;
    CHECK(x.data() != memory.data());
    x = borrow(std::span(memory));
    const tensor<int, 1> ones_{1, 1, 1, 1};
    x = ones_ * 7;
    CHECK(x.data() != memory.data());
    CHECK(memory == std::vector<int>{2, 1, 1, 5});
    const auto copy = from_span(std::span<const int>(memory), shape{2, 2});
    CHECK(copy.data() != memory.data());
    CHECK(values(copy) == memory);
    CHECK(reference::message<shape_error>([&] { borrow(std::span(memory), shape{3, 2}); }) ==
          "[borrow] 4 elements do not fill shape (3, 2)");
}

TEST_CASE("tensor: rank-0 results behave like numbers") {
    const tensor<double, 1> x{1, 2, 3};
    CHECK(x(0) < x(1));
    if (x(2) == 3) CHECK(true);
    else CHECK(false);
    CHECK_FALSE(sum(x) > 6.5);
    const double total = sum(x) / 2 + x(0);
    CHECK(total == 4);
    const double least = min(x);
    CHECK(least == 1);
    CHECK(static_cast<int>(max(x)) == 3);
}

TEST_CASE("tensor: vectors and arrays copied and borrowed, in a shape") {
    std::vector<double> v{1, 2, 3, 4};
    const std::array<int, 2> a{5, 6};
    const auto copied = from_span(v, {2, 2});
    borrow(v, {2, 2})(1, 0) = 7.0;
    borrow(v)(0) += 1;
    borrow(v.data(), {2, 2})(0, 1) *= 3.0;
    borrow(v.data() + 2, shape{1})(0) += 0.5;
    CHECK(v == std::vector<double>{2, 6, 7.5, 4});
    CHECK(copied.at(1, 0) == 3);
    CHECK(from_span(std::span(v), {4, 1}).shape() == shape{4, 1});
    CHECK(from_span(a).at(1) == 6);
    static_assert(std::is_same_v<decltype(borrow(a)), tensor<const int, 1>>);
    CHECK_THROWS_AS(from_span(v, {3}), shape_error);
}

TEST_CASE("tensor: the transpose as a member, a view of a matrix and of an expression's value") {
    const tensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
    CHECK(x.T().shape() == shape{3, 2});
    CHECK((x * 2).T().at(2, 1) == 12);
    x.T()(0, 1) = 9.0;
    CHECK(x.at(1, 0) == 9);
}

TEST_CASE("tensor: parts of an expression are read, stored and computed with") {
    const auto y = tensor<double, 2>{{1, 2}, {3, 4}} * 2;
    auto row = y(1);
    row(0) = 1.0;  // an array of its own
    CHECK(y.shape() == shape{2, 2});
    CHECK(double(y(1, 0)) == 6);
    const std::vector parts{y(0), row};
    CHECK(double(sum(parts[0] + parts[1])) == 6 + 9);
    CHECK(double(sum(y(0) + sin(y(1) * 0))) == 6);
}

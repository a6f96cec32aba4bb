// What PyTorch's users write as members, and what they print: backward, astype, variables and values under transforms.
#include <ricci/ricci.hpp>

#include <doctest/doctest.h>

#include <sstream>

namespace {

using namespace ricci;

template <class X>
std::string printed(const X& x) {
    std::ostringstream out;
    out << x;
    return out.str();
}

TEST_CASE("members: backward") {
    const auto w = variable(tensor<double, 1>{1, 2});
    sum(w * w).backward();
    CHECK(array_equal(w.grad(), tensor<double, 1>{2, 4}));
    (w * w).backward(tensor<double, 1>{1, 10});  // a map, which nobody evaluated, and a gradient
    CHECK(array_equal(w.grad(), tensor<double, 1>{4, 44}));
    const auto loss = square(sum(w));
    loss.backward({.retain_graph = true});
    CHECK(array_equal(w.grad(), tensor<double, 1>{10, 50}));
    CHECK_THROWS_AS((w * w).backward(tensor<double, 1>{1, 2, 3}), shape_error);
}

TEST_CASE("autograd::grad: with respect to one") {
    const auto w = variable(tensor<double, 1>{1, 2});
    const auto slope = autograd::grad(sum(w * w * w), w, {.create_graph = true});
    CHECK(array_equal(slope.value(), tensor<double, 1>{3, 12}));
    CHECK(array_equal(autograd::grad(sum(slope), w).value(), tensor<double, 1>{6, 12}));
}

TEST_CASE("members: astype") {
    const tensor<double, 1> x{1.5, -2.5};
    static_assert(std::is_same_v<decltype(x.astype<int>())::value_type, int>);
    CHECK(array_equal(x.astype<int>(), tensor<int, 1>{1, -2}));
    const auto kept = arange(3).astype<float>();  // holds what it is made of
    CHECK(array_equal(kept, tensor<float, 1>{0, 1, 2}));
}

TEST_CASE("print: values under transforms") {
    const tensor<double, 1> x{1, 2};
    const auto w = variable(x);
    CHECK(printed(w) == "[1. 2.]");
    CHECK(printed(w * 2) == "[2. 4.]");
    CHECK(printed(sum(w)) == "3.0");
    std::string seen;
    const auto f = [&](auto a) {
        seen = printed(a) + printed(2 * a) + printed(sum(a));
        return sum(a * a);
    };
    grad(f)(x);
    CHECK(seen == "[1. 2.][2. 4.]3.0");
    jvp(f, x, x);
    CHECK(seen == "[1. 2.][2. 4.]3.0");
    vmap(f)(tensor<double, 2>{{1, 2}, {3, 4}});
    CHECK(seen == "[[1. 2.]\n [3. 4.]][[2. 4.]\n [6. 8.]][3. 7.]");
    vmap(grad(f))(tensor<double, 2>{{1, 2}});
    CHECK(seen == "[[1. 2.]][[2. 4.]][3.]");
}

}  // namespace

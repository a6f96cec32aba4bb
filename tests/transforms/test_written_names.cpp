// What else has the memory of a value that was written to under a transform: arguments of inner transforms, other
// names, variables.
#include "derivatives.hpp"

using namespace derivative_checks;

namespace {

const auto x = spread({3, 4}, 2), t = spread({3, 4}, 7);

}  // namespace

TEST_CASE("written: vmap in vmap, and what an inner transform writes to its argument") {
    const auto inner = [](auto r) {
        r(0) = r(1) * r(2);
        return sum(r * r);
    };
    const auto outer = [inner](auto v) {
        auto s = lift(0.0, v);
        for (int i = 0; i < 2; ++i) s += sum(vmap(inner)(v)) + sum(vmap(grad(inner))(v));
        return s;
    };
    const tensor<double, 2> at{{1, 2, 3}, {4, 5, 6}};
    check_close(grad(outer)(at), tensor<double, 2>{{0, 168, 128}, {0, 1128, 968}});  // torch.func
    check_close(vmap(vmap(inner))(stack({at, at})), tensor<double, 2>{{49, 961}, {49, 961}});
    check_close(at, tensor<double, 2>{{1, 2, 3}, {4, 5, 6}});  // the caller's own
}
TEST_CASE("written: other names of what was written are refused") {
    const char* refused =
        "[assign] this value shares memory with one that was written under the transform, x(...) = e or x += e, "
        "after it was taken, and does not see what was written: write to the array itself, or take a clone() to keep";
    const auto check_refused = [&](const auto& f) {
        CHECK_THROWS_WITH_AS(grad(f)(x), refused, gradient_error);
        CHECK_THROWS_WITH_AS(jvp(f, x, t), refused, gradient_error);
        CHECK_THROWS_WITH_AS(vmap(f)(stack({x, t})), refused, gradient_error);
    };
    check_refused([](auto v) {
        auto y = evaluate(v * v);
        auto row = y(0);
        row += 1;  // writes y in a plain tensor
        return sum(y);
    });
    check_refused([](auto v) {
        auto y = lift(zeros<double>({3, 4}), v);
        const auto before = y(2);
        y(0) = v(1);
        return sum(before * v(0));
    });
    check_refused([](auto v) {
        auto y = evaluate(v * v);
        const auto later = sin(y);  // a map reads y when it is computed
        y(0, 0) = 1;
        return sum(later) * v(0, 0);
    });
    const auto kept = [](auto v) {
        auto y = evaluate(v * v);
        const auto row = y(0).clone();
        y(0) = row * v(1);
        return sum(y(0) * row);
    };
    CHECK_NOTHROW(grad(kept)(x));
    CHECK_NOTHROW(grad(kept)(x));
}
TEST_CASE("written: variables are not, what is computed from them is") {
    variable<double, 1> w = tensor<double, 1>{1, 2, 3};
    const char* leaf =
        "[assign] a variable that derivatives are taken of is not written to, x += e or x(...) = e: its value is, "
        "x.value() += e";
    CHECK_THROWS_WITH_AS(w += 1, leaf, gradient_error);
    CHECK_THROWS_WITH_AS(w(0) = 1, leaf, gradient_error);
    w.value() += 1;
    auto y = evaluate(w * w);
    y(0) = y(1) * y(2);
    y(2) += w(0);
    const auto [g] = autograd::grad(sum(y * y), ricci::tuple(w), {.create_graph = true});
    const auto f = [](auto v) {
        auto u = evaluate(v * v);
        u(0) = u(1) * u(2);
        u(2) += v(0);
        return sum(u * u);
    };
    check_close(g.value(), grad(f)(w.value()));
    backward(sum(g * g));
    check_close(w.grad(), grad([&](auto v) { return sum(square(grad(f)(v))); })(w.value()));
}
TEST_CASE("written: to a part of a part that a function returns") {
    const auto f = [](auto v) {
        auto y = evaluate(v * v);
        const auto at = [&y](int i) { return y(i)(slice(1, 3))(0); };
        at(0) = 3;
        at(1) += y(2)(0);
        at(2) *= v(0)(0);
        return sum(y * v);
    };
    const auto same = [](auto v) {
        auto y = evaluate(v * v);
        y(0, 1) = 3;
        y(1, 1) += y(2, 0);
        y(2, 1) *= v(0, 0);
        return sum(y * v);
    };
    check_close(f(x), same(x));
    check_close(grad(f)(x), grad(same)(x));
    check_close(std::get<1>(jvp(f, x, t)), std::get<1>(jvp(same, x, t)));
    check_close(vmap(f)(stack({x, t})), vmap(same)(stack({x, t})));
    check_close(vmap(grad(f))(stack({x, t})), vmap(grad(same))(stack({x, t})));
}
TEST_CASE("written: shapes and kinds are checked before anything is") {
    CHECK_THROWS_AS(grad([](auto v) {
                        auto y = evaluate(v * v);
                        y(0) = v(all, 0);
                        return sum(y);
                    })(x),
                    shape_error);
    CHECK_THROWS_WITH_AS(grad([](auto v) {
                             auto y = evaluate(v(all, slice(0, 1)));
                             y += v;
                             return sum(y);
                         })(x),
                         "[assign] shape (3, 4) does not broadcast to the array's shape (3, 1)", shape_error);
}

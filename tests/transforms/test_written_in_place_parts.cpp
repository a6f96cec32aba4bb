// Writes in place under transforms and copies of parts: which of them a plain array would have see a write, and which
// not.
#include "trajectories.hpp"

using namespace written_trajectories;

namespace {

template <class Use>
void check_refused(const Use& use) {
    const auto f = [use](auto v) {
        auto y = trajectory(v);
        return use(y, v);
    };
    CHECK_THROWS_AS(grad(f)(p), gradient_error);
    CHECK_THROWS_AS(vmap(f)(stack({p, p_dot})), gradient_error);
}

}  // namespace

TEST_CASE(
    "written in place: parts are refused whichever way the write goes, and whole arrays once a part was written") {
    check_refused([](auto& y, const auto& v) {  // all of it is written, not in place
        const auto row = y(2);
        y += 1.0;
        return sum(row * v);
    });
    check_refused([](auto& y, const auto& v) {
        const auto row = y(2);
        y(y > 0.2) = 4.0;
        return sum(row * v);
    });
    check_refused([](auto& y, const auto& v) {
        const auto row = y(2);
        const auto same = y;  // has a share: the write is to a copy
        y(2) = v;
        return sum(row * v);
    });
    check_refused(
        [](auto& y, const auto& v) {  // a write to the part, which y does not see, nor another name of the part
            auto row = y(2);
            row(0) = 5.0;
            return sum(y * v);
        });
    check_refused([](auto& y, const auto& v) {
        auto row = y(2);
        const auto same = y(2);
        row += v;
        return sum(same * v);
    });
    check_refused(
        [](auto& y, const auto& v) {  // what an inner transform writes to its argument is none of the outer one's
            const auto row = y(2);
            y(2) = v;
            const auto inner = grad([](auto x) {
                x(0) = 1.0;
                return sum(x * x);
            })(y);
            return sum(row * v) + 0.0 * sum(inner);
        });
}
TEST_CASE("written in place: what is no part of what was written is not refused") {
    const auto f = [](auto v) {
        auto y = trajectory(v);
        const auto row = y(2);
        const auto inner = grad([](auto x) {
            x(2) = 1.0;
            x(3) = 2.0 * x(2);
            return sum(x * x);
        })(y);
        return sum(row * row) + 0.0 * sum(inner);
    };
    const auto pure = [](auto v) { return sum(square(decay(decay(v, v), v))); };
    check_close(grad(f)(p), grad(pure)(p));
    check_close(vmap(f)(stack({p, p})), expand(pure(p), {2}));
    const auto adjoints = [](auto v) {  // come out of one array
        const auto writes = [](auto x, auto a, auto b) {
            auto y = evaluate(1.0 * x);
            y(1) = a;
            y(2) = b;
            y(0) = 1.0;
            return sum(y * y);
        };
        auto [x_bar, a_bar, b_bar] = grad(writes, argnums<0, 1, 2>)(evaluate(expand(v, {rows, 3}) * 1.0), v, v);
        a_bar(0) = 1.0;
        x_bar(5) = 0.0;
        return sum(x_bar(6) * v) + sum(a_bar) + sum(b_bar * v);
    };
    check_close(vmap(adjoints)(stack({p, p})), expand(4 * sum(p * p) + 1.0 + 2.0 * sum(p) - 2.0 * p(0), {2}));
}
TEST_CASE("written in place: reverse over reverse of a long graph") {  // its values are prefetched on the way back
    const auto f = [](auto v) {
        auto y = lift(zeros<double>({400, 3}), v);
        y(0) = v;
        for (index_t i = 1; i < 400; ++i) y(i) = 0.99 * y(i - 1) + 0.01 * sin(v * y(i - 1));
        return sum(y * y);
    };
    check_close(grad([&](auto x) { return sum(p_dot * grad(f)(x)); })(p), hvp(f, p, p_dot));
}

TEST_CASE(
    "written in place: a write to the value of a part is one to the array's, or refused where the part is a copy") {
    const variable<double, 1> w = zeros<double>({64});
    auto y = evaluate(w * 1.0);
    for (int i = 0; i < 3; ++i) y(i) = 1.0;
    y(3).value() += 2.0;
    y(slice(3, 6))(1).value() = 3.0;
    y(slice(2, 7)).value()({3, 4}) -= 4.0;
    CHECK(array_equal(y.value()(slice(0, 8)), tensor{1.0, 1.0, 1.0, 2.0, 3.0, -4.0, -4.0, 0.0}));

    const auto part = y(slice(0, 4));
    tensor<double, 1> value = part.value();
    CHECK(double(sum(value)) == 5.0);
    CHECK_THROWS_AS(part.value() += 1.0, value_error);
    CHECK_THROWS_AS(value(value > 1.0) = 0.0, value_error);
    CHECK_THROWS_AS(value({0, 1}) = 0.0, value_error);
    CHECK(array_equal(part.value(), y.value()(slice(0, 4))));
    value = value * 2.0;  // bound to memory of its own
    value += 1.0;
    CHECK(double(sum(value)) == 14.0);
    CHECK(double(sum(part.value())) == 5.0);
}

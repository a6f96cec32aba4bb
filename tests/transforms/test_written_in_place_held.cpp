// Who else may need what writes in place replace: other names, vjp, backward with create_graph; and how much memory a
// tape takes.
#include "trajectories.hpp"

using namespace written_trajectories;

TEST_CASE("written in place: copies of parts that would see the write in a plain array are refused") {
    const char* refused =
        "[assign] this value shares memory with one that was written under the transform, x(...) = e or x += e, "
        "after it was taken, and does not see what was written: write to the array itself, or take a clone() to keep";
    const auto check_refused = [&](const auto& use) {
        const auto f = [use](auto v) {
            auto y = trajectory(v);
            return use(y, v);
        };
        CHECK_THROWS_WITH_AS(grad(f)(p), refused, gradient_error);
        CHECK_THROWS_WITH_AS(jvp(f, p, p_dot), refused, gradient_error);
        CHECK_THROWS_WITH_AS(vmap(f)(stack({p, p_dot})), refused, gradient_error);
        CHECK_THROWS_WITH_AS(vmap(grad(f))(stack({p, p_dot})), refused, gradient_error);
    };
    check_refused([](auto& y, const auto& v) {
        const auto row = y(2);
        y(2) = v;
        return sum(row * v);
    });
    check_refused([](auto& y, const auto& v) {
        const auto column = reshape(y(2), {3, 1});  // a view of a part
        y(5) = v;
        return sum(column) * v(0);
    });
    check_refused([](auto& y, const auto& v) {
        const auto pull = std::get<1>(vjp([](auto x) { return sum(x * x * x); }, y));  // saves y
        y(3) = v;
        return sum(pull(1.0)) * v(0);
    });
}
TEST_CASE("written in place: with create_graph, and in no_grad") {
    variable<double, 1> w = p;
    const auto f = weighted([](auto& y, index_t i, const auto& v) { y(i) = decay(y(i - 1), v); });
    const auto [g] = autograd::grad(f(w), ricci::tuple(w), {.create_graph = true});
    check_close(g.value(), grad(f)(p));
    backward(sum(g * g));
    check_close(w.grad(), grad([&](auto v) { return sum(square(grad(f)(v))); })(p));
    w.zero_grad();
    auto y = filled(w, [&](auto& x, index_t i) { x(i) = decay(x(i - 1), w); });
    const auto loss = sum(sin(y));
    {
        const no_grad off;
        y(1) = 5.0;
    }
    backward(loss);
    check_close(w.grad(), grad([](auto v) {
                    auto x = filled(v, [&](auto& u, index_t i) { u(i) = decay(u(i - 1), v); });
                    return sum(sin(x));
                })(p));
}
TEST_CASE("written in place: the tape of a trajectory is as long as the trajectory") {
    const auto peak = [](index_t n) {
        const auto f = [n](auto v) {
            auto y = lift(zeros<double>({n, 64}), v);
            y(0) = v;
            for (index_t i = 1; i < n; ++i) y(i) = 0.9 * y(i - 1) + 0.1 * sin(y(i - 1));
            return sum(y * y);
        };
        const auto start = ones<double>({64});
        (void)grad(f)(start);
        reset_peak_statistics();
        const auto before = allocator_statistics().bytes_in_use;
        (void)grad(f)(start);
        return static_cast<double>(allocator_statistics().peak_bytes_in_use - before);
    };
    const double one = peak(64), four = peak(256);
    CHECK(four < 5 * one);  // 16 times as much where each step copied what was there before
}

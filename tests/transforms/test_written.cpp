// x(...) = e and x += e under transforms: against the same function of plain tensors, which writes to memory, and its
// differences.
#include "written.hpp"

using namespace written;

TEST_CASE("written: parts of every kind, and their arithmetic") {
    check_written([](auto y) {
        y(1) = y(0) * y(2, 3);                          // a row
        y(all, slice(none, none, 2)) += sin(y(2, 1));   // columns
        y(0)(slice(1, 3)) *= y(1)(slice(2, none));      // a part of a part
        y({0, 2}, 1) -= y(1, {0, 3});                   // positions
        y(ellipsis, -1) /= 2 + square(y(ellipsis, 0));  // the last column
        y *= y;
        return sum(y * spread({3, 4}, 5));
    });
}
TEST_CASE("written: a recurrence that begins with constants") {
    check_written([](auto v) {
        auto y = lift(zeros<double>({5}), v);
        auto s = lift(0.0, v);
        y(0) = 1.0;
        for (int i = 1; i < 5; ++i) {
            y(i) = y(i - 1) * v(i % 3, 1) + cos(v(0, i - 1));
            s += y(i) * y(i);
        }
        return s;
    });
}
TEST_CASE("written: arrays like one under transforms are under these, too") {
    const auto f = [](auto v) {
        auto y = zeros_like(v), c = ones_like(v);
        auto first = empty_like<int>(v);
        first(all) = argmax(v);
        for (int i = 0; i < 2; ++i) {
            y = y + c * v;
            c = y;
        }
        y(0) += v(1);
        return sum(y * first);
    };
    const tensor<double, 2> rows{{0.5, -0.7, 1.1}, {0.2, 0.4, 0.1}};
    const tensor<double, 2> gradients{{2 * 2.0, 2 * 0.6, 2 * 3.2}, {1.4, 2.8, 1.2}};  // of argmax (sum(v + v^2) + v(1))
    check_close(vmap(grad(f))(rows), gradients);
    const variable<double, 1> w = ones<double>({3});
    static_assert(std::is_same_v<decltype(zeros_like(w)), tensor<double, 1>>);  // the state of an optimizer
}
TEST_CASE("written: the jacobian of a function of which values were overwritten, and its series") {
    const auto f = [](auto v) {
        auto y = evaluate(v * v);
        y(0) = y(1) * y(2);
        y(1) = exp(y(0));
        return y;
    };
    const tensor<double, 1> at{0.5, -0.7, 1.1};
    check_close(jacrev(f)(at), jacfwd(f)(at));
    check_close(jacrev(f)(at)(0), tensor<double, 1>{0, 2 * -0.7 * 1.21, 0.49 * 2.2});
    const auto series = std::get<1>(jet(f, at, ricci::tuple(tensor<double, 1>{1, 1, 1}, zeros<double>({3}))));
    const auto along = [&](double s) { return jvp(f, evaluate(at + s), tensor<double, 1>{1, 1, 1}); };
    check_close(std::get<1>(series), (std::get<1>(along(step)) - std::get<1>(along(-step))) / (2 * step), 1e-4);
}

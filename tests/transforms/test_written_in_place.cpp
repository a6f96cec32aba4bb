// Writes under transforms in the array's own memory, where nobody else needs what is there: what a loop that fills a
// trajectory costs, and all who may need it.
#include "trajectories.hpp"

using namespace written_trajectories;

namespace {

/// The value and derivatives of a function that writes against those of one that does not.
template <class F, class G>
void check_same(const F& writes, const G& pure) {
    const auto [value, gradient] = value_and_grad(writes)(p);
    const auto [expected, expected_gradient] = value_and_grad(pure)(p);
    check_close(value, expected);
    check_close(gradient, expected_gradient);
    check_close(std::get<1>(jvp(writes, p, p_dot)), sum(expected_gradient * p_dot));
    const auto both = stack({p, p_dot});
    check_close(vmap(grad(writes))(both), stack({expected_gradient, grad(pure)(p_dot)}));
}
/// The same of rows v, f(v), f(f(v)), ..., weighted.
template <class F>
auto recurrence(const F& f) {
    return [f](auto v) {
        auto state = evaluate(1.0 * v);
        auto s = sum(square(state));
        for (index_t i = 1; i < rows; ++i) {
            state = f(state, v);
            s = evaluate(s + (1.0 + static_cast<double>(i)) * sum(square(state)));
        }
        return s;
    };
}

}  // namespace

TEST_CASE("written in place: steps from what was written") {
    check_same(weighted([](auto& y, index_t i, const auto& v) { y(i) = 0.9 * y(i - 1) + 0.1 * sin(v * y(i - 1)); }),
               recurrence(decay));
}
TEST_CASE("written in place: parts with names, functions of parts, arithmetic, parts of parts") {
    check_same(weighted([](auto& y, index_t i, const auto& v) {
                   const auto before = y(i - 1);
                   y(i) += decay(before, v);
               }),
               recurrence(decay));
    check_same(weighted([](auto& y, index_t i, const auto& v) {
                   y(i)(slice(0, 2)) = decay(y(i - 1), v)(slice(0, 2));
                   y(i, 2) = decay(y(i - 1), v)(2);
               }),
               recurrence(decay));
    const auto at = [](auto v) {
        auto y = filled(v, [&](auto& x, index_t i) {
            const tensor<index_t, 1> place{i};
            x(place) = reshape(decay(x(i - 1), v), {1, 3});
        });
        return sum(y(rows - 1));
    };
    const auto last = [](auto v) {
        auto state = evaluate(1.0 * v);
        for (index_t i = 1; i < rows; ++i) state = decay(state, v);
        return sum(state);
    };
    check_close(grad(at)(p), grad(last)(p));
    check_close(std::get<1>(jvp(at, p, p_dot)), std::get<1>(jvp(last, p, p_dot)));
}
TEST_CASE("written in place: what was saved of a value that is written again") {
    const auto sweeps = [](auto v) {
        auto y = lift(ones<double>({rows}), v);
        auto s = lift(0.0, v);
        for (int sweep = 0; sweep < 2; ++sweep)
            for (index_t i = 1; i + 1 < rows; ++i) {
                y(i) = sin(y(i - 1)) * y(i + 1) + v(i % 3) * y(i);
                if (i % 5 == 0) s += sum(exp(0.1 * y)) * y(i);  // saves all of it
            }
        return s;
    };
    const auto pure = [](auto v) {  // the same with a list of numbers
        std::vector<decltype(evaluate(v(0) * 1.0))> y(rows, evaluate(v(0) * 0.0 + 1.0));
        auto s = evaluate(v(0) * 0.0);
        for (int sweep = 0; sweep < 2; ++sweep)
            for (std::size_t i = 1; i + 1 < rows; ++i) {
                y[i] = evaluate(sin(y[i - 1]) * y[i + 1] + v(index_t(i) % 3) * y[i]);
                if (i % 5 == 0) s = evaluate(s + sum(exp(0.1 * stack(y))) * y[i]);
            }
        return s;
    };
    check_same(sweeps, pure);
}
TEST_CASE("written in place: higher derivatives") {
    const auto writes = [](auto v) {
        auto y = filled(v, [&](auto& x, index_t i) { x(i) = x(i - 1) * v; });
        return sum(y(rows - 1));
    };
    constexpr double n = rows;
    check_close(hessian(writes)(p), diag(n * (n - 1) * pow(p, n - 2)));
    check_close(grad([&](auto x) { return sum(square(grad(writes)(x))); })(p), 2 * n * n * (n - 1) * pow(p, 2 * n - 3));
    check_close(grad([&](auto x) { return sum(vmap(writes)(x)); })(stack({p, p_dot})),
                n * pow(stack({p, p_dot}), n - 1));
    const auto series = std::get<1>(jet(writes, p, ricci::tuple(p_dot, zeros<double>({3}))));
    check_close(std::get<1>(series), sum(n * (n - 1) * pow(p, n - 2) * square(p_dot)));
}

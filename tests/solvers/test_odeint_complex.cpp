// Derivatives of differential equations through complex states, in torch's convention, against closed forms.
#include <ricci/solvers.hpp>

#include <doctest/doctest.h>

#include "../transforms/derivatives.hpp"

using namespace derivative_checks;

namespace {

using complex_t = std::complex<double>;
constexpr ode_options fine{.rtol = 1e-12, .atol = 1e-13};
const complex_t i(0, 1);
const tensor<double, 1> t{0.2, 1, 2};
const tensor<complex_t, 1> first{{1, 0}, {0.5, 2}};

const auto loss = [](auto middle, auto last) {
    return sum(real(complex_t(0.3, -1) * last)) + sum(square(abs(middle)) + imag(middle));
};
const auto solved = [](auto start, auto times, auto w) {
    const auto y = odeint([](auto y, auto, auto w) { return i * w * y; }, start, times, fine, w);
    return loss(y(1), y(2));
};
const auto closed = [](auto start, auto times, auto w) {
    const auto at = [&](index_t k) { return exp(i * w * (times(k) - times(0))) * start; };
    return loss(at(1), at(2));
};

}  // namespace

TEST_CASE("odeint: derivatives of a complex state in it, the times and a complex parameter") {
    const tensor<complex_t, 0> w(complex_t(1.3, 0.2));
    const auto [by_y, by_t, by_w] = grad(solved, argnums<0, 1, 2>)(first, t, w);
    const auto [y_bar, t_bar, w_bar] = grad(closed, argnums<0, 1, 2>)(first, t, w);
    check_close(by_y, y_bar, 1e-9);
    check_close(by_t, t_bar, 1e-9);
    check_close(by_w, w_bar, 1e-9);
    const auto along = ricci::tuple(evaluate(first * i), tensor<double, 1>{0.1, -0.2, 0.3}, evaluate(w * w));
    check_close(std::get<1>(jvp(solved, ricci::tuple(first, t, w), along)),
                std::get<1>(jvp(closed, ricci::tuple(first, t, w), along)), 1e-9);
}
TEST_CASE("odeint: derivatives of a complex state in a real parameter, and of a real one in a complex parameter") {
    const tensor<double, 0> w(1.3);
    check_close(grad([](auto w) { return solved(first, t, w); })(w),
                grad([](auto w) { return closed(first, t, w); })(w), 1e-9);
    const auto of_complex = [](auto p) {
        const auto f = [](auto y, auto, auto p) { return imag(p) - real(p) * y; };
        return sum(odeint(f, tensor<double, 1>{1, 2}, t, fine, p)(2));
    };
    const auto of_complex_closed = [](auto p) {
        const auto kept = exp(-1.8 * real(p));
        return sum(tensor<double, 1>{1, 2} * kept + imag(p) / real(p) * (1 - kept));
    };
    const tensor<complex_t, 0> p(complex_t(0.5, 0.2));
    check_close(grad(of_complex)(p), grad(of_complex_closed)(p), 1e-9);
}

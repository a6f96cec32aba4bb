// GradBench's LSTM: value and gradient against plain loops, and those against differences.
#include <doctest/doctest.h>

#include "../../bench/gradbench/lstm_hand.hpp"
#include "golden.hpp"

using namespace gradbench;

TEST_CASE("gradbench: LSTM") {
    const auto d = make_lstm(2, 40, 6);
    lstm_by_hand hand(d);
    const auto main_bar = rc::zeros<double>(d.main.shape()), extra_bar = rc::zeros<double>(d.extra.shape());
    const double by_hand = hand(d.main.data(), d.extra.data(), main_bar.data(), extra_bar.data());

    const lstm_objective f(d);
    const auto [value, gradient] = rc::value_and_grad(f, rc::argnums<0, 1>)(d.main, d.extra);
    // sums over 40 steps of contractions: a few hundred roundings of numbers of the size of the largest
    CHECK(value.item() == doctest::Approx(by_hand).epsilon(1e-13));
    CHECK(rc::allclose(std::get<0>(gradient), main_bar, 1e-11, 1e-14));
    CHECK(rc::allclose(std::get<1>(gradient), extra_bar, 1e-11, 1e-14));
    CHECK(rc::evaluate(f(d.main, d.extra)).item() == doctest::Approx(by_hand).epsilon(1e-13));

    // truncation h^2 = 1e-10, rounding 1e-16 / h = 1e-11, relative to values of about 1 and gradients of 1e-3
    const double h = 1e-5;
    for (const auto& [x, x_bar] : {std::pair(d.main, main_bar), std::pair(d.extra, extra_bar)})
        for (index_t i = 0; i < x.size(); ++i) {
            double& at = x.data()[i];
            const double kept = at;
            at = kept + h;
            const double above = hand(d.main.data(), d.extra.data(), nullptr, nullptr);
            at = kept - h;
            const double below = hand(d.main.data(), d.extra.data(), nullptr, nullptr);
            at = kept;
            CHECK(std::abs(x_bar.data()[i] - (above - below) / (2 * h)) < 1e-9);
        }
}

TEST_CASE("gradbench: LSTM against PyTorch") {
    const auto d = make_lstm(2, 9, 3);
    const auto [value, gradient] = rc::value_and_grad(lstm_objective(d), rc::argnums<0, 1>)(d.main, d.extra);
    CHECK(as_torch(value, golden::gradbench::lstm_value));
    CHECK(as_torch(std::get<0>(gradient), golden::gradbench::lstm_gradient0));
    CHECK(as_torch(std::get<1>(gradient), golden::gradbench::lstm_gradient1));
}

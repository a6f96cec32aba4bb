// The LSTM's loss and its gradient in plain loops, as one would write them by hand.
#pragma once
#include <cmath>
#include <vector>

#include "lstm.hpp"

namespace gradbench {

/// The value; with arrays for them, the gradients by `main` and `extra`, which are added to.
class lstm_by_hand {
   public:
    explicit lstm_by_hand(const lstm_data& d)
        : d_(d),
          l_(d.l()),
          b_(d.b()),
          steps_(d.c() - 1),
          tape_(std::size_t(steps_ * l_ * b_)),
          y_(std::size_t(steps_ * b_)) {}

    double operator()(const double* main, const double* extra, double* main_bar, double* extra_bar) {
        double total = 0;
        std::vector<double> state(d_.state.data(), d_.state.data() + d_.state.size());
        for (index_t t = 0; t < steps_; ++t) {
            double* y = &y_[std::size_t(t * b_)];
            for (index_t i = 0; i < b_; ++i) y[i] = d_.sequence.data()[t * b_ + i] * extra[i];
            for (index_t layer = 0; layer < l_; ++layer)
                for (index_t i = 0; i < b_; ++i)
                    y[i] = step(main + 8 * b_ * layer + i, y[i], &state[std::size_t(2 * b_ * layer + i)],
                                tape_[std::size_t((t * l_ + layer) * b_ + i)]);
            for (index_t i = 0; i < b_; ++i) y[i] = y[i] * extra[b_ + i] + extra[2 * b_ + i];
            total += log_likelihood(y, d_.sequence.data() + (t + 1) * b_, main_bar != nullptr);
        }
        if (main_bar) backward(main, extra, main_bar, extra_bar);
        return -total / double(steps_ * b_);
    }

   private:
    /// What the way back needs of one unit at one time.
    struct record {
        double x, hidden, cell, forget, in, out, change, squashed;
    };
    static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

    double step(const double* w, double x, double* state, record& r) const {
        const double* bias = w + 4 * b_;
        double &hidden = state[0], &cell = state[b_];
        r.x = x;
        r.hidden = hidden;
        r.cell = cell;
        r.forget = sigmoid(x * w[0] + bias[0]);
        r.in = sigmoid(hidden * w[b_] + bias[b_]);
        r.out = sigmoid(x * w[2 * b_] + bias[2 * b_]);
        r.change = std::tanh(hidden * w[3 * b_] + bias[3 * b_]);
        cell = cell * r.forget + r.in * r.change;
        r.squashed = std::tanh(cell);
        return hidden = r.out * r.squashed;
    }
    /// With `derivative`, leaves the derivative by y there, scaled as in the loss.
    double log_likelihood(double* y, const double* gold, bool derivative) const {
        double sum = 2, all = 0, value = 0;
        for (index_t i = 0; i < b_; ++i) sum += std::exp(y[i]);
        const double log_sum = std::log(sum);
        for (index_t i = 0; i < b_; ++i) {
            all += gold[i];
            value += gold[i] * (y[i] - log_sum);
        }
        if (derivative)
            for (index_t i = 0; i < b_; ++i) y[i] = -(gold[i] - all * std::exp(y[i] - log_sum)) / double(steps_ * b_);
        return value;
    }
    void backward(const double* main, const double* extra, double* main_bar, double* extra_bar) const {
        std::vector<double> hidden_bar(std::size_t(l_ * b_)), cell_bar(std::size_t(l_ * b_));
        for (index_t t = steps_ - 1; t >= 0; --t)
            for (index_t i = 0; i < b_; ++i) {
                const double y_bar = y_[std::size_t(t * b_ + i)];
                const auto& top = tape_[std::size_t((t * l_ + l_ - 1) * b_ + i)];
                extra_bar[b_ + i] += y_bar * top.out * top.squashed;
                extra_bar[2 * b_ + i] += y_bar;
                double above = y_bar * extra[b_ + i];
                for (index_t layer = l_ - 1; layer >= 0; --layer) {
                    const auto k = std::size_t(layer * b_ + i);
                    hidden_bar[k] += above;
                    above = step_backward(main + 8 * b_ * layer + i, tape_[std::size_t((t * l_ + layer) * b_ + i)],
                                          hidden_bar[k], cell_bar[k], main_bar + 8 * b_ * layer + i);
                }
                extra_bar[i] += above * d_.sequence.data()[t * b_ + i];
            }
    }
    /// Replaces the adjoints of the state after the step by those before it; returns that of the input.
    double step_backward(const double* w, const record& r, double& hidden_bar, double& cell_bar, double* w_bar) const {
        const double cell = cell_bar + hidden_bar * r.out * (1 - r.squashed * r.squashed);
        const double out = hidden_bar * r.squashed * r.out * (1 - r.out),
                     forget = cell * r.cell * r.forget * (1 - r.forget);
        const double in = cell * r.change * r.in * (1 - r.in), change = cell * r.in * (1 - r.change * r.change);
        const double by[4] = {forget, in, out, change}, of[4] = {r.x, r.hidden, r.x, r.hidden};
        for (index_t g = 0; g < 4; ++g) {
            w_bar[g * b_] += by[g] * of[g];
            w_bar[(4 + g) * b_] += by[g];
        }
        cell_bar = cell * r.forget;
        hidden_bar = in * w[b_] + change * w[3 * b_];
        return forget * w[0] + out * w[2 * b_];
    }

    const lstm_data& d_;
    index_t l_, b_, steps_;
    std::vector<record> tape_;
    std::vector<double> y_;
};

}  // namespace gradbench

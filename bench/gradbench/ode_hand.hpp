// The Runge-Kutta solution and its gradient in plain loops, as one would write them by hand.
#pragma once
#include <algorithm>
#include <vector>

#include "ode.hpp"

namespace gradbench {

class ode_by_hand {
   public:
    ode_by_hand(index_t n, index_t steps)
        : n_(n), steps_(steps), h_(2.0 / double(steps)), stages_(std::size_t(4 * steps * n)) {}

    /// The solution in y (n). Keeps the arguments of all slopes.
    void value(const double* x, double* y) {
        std::fill(y, y + n_, 0.0);
        for (index_t i = 0; i < steps_; ++i) {
            double* at[4];
            for (index_t s = 0; s < 4; ++s) at[s] = &stages_[std::size_t((4 * i + s) * n_)];
            std::copy(y, y + n_, at[0]);
            for (index_t j = 0; j < n_; ++j) at[1][j] = y[j] + 0.5 * h_ * slope(x, at[0], j);
            for (index_t j = 0; j < n_; ++j) at[2][j] = y[j] + 0.5 * h_ * slope(x, at[1], j);
            for (index_t j = 0; j < n_; ++j) at[3][j] = y[j] + h_ * slope(x, at[2], j);
            for (index_t j = 0; j < n_; ++j)
                y[j] += h_ / 6 *
                        (slope(x, at[0], j) + 2 * slope(x, at[1], j) + 2 * slope(x, at[2], j) + slope(x, at[3], j));
        }
    }
    /// The solution, and the gradient of its last element in x_bar.
    void gradient(const double* x, double* y, double* x_bar) {
        value(x, y);
        std::fill(x_bar, x_bar + n_, 0.0);
        std::vector<double> y_bar(std::size_t(n_), 0.0), k_bar(std::size_t(4 * n_)), at_bar(std::size_t(n_) + 1);
        y_bar[std::size_t(n_ - 1)] = 1;
        const double weight[4] = {h_ / 6, h_ / 3, h_ / 3, h_ / 6}, before[4] = {0, 0.5 * h_, 0.5 * h_, h_};
        for (index_t i = steps_ - 1; i >= 0; --i) {
            for (index_t s = 0; s < 4; ++s)
                for (index_t j = 0; j < n_; ++j) k_bar[std::size_t(s * n_ + j)] = weight[s] * y_bar[std::size_t(j)];
            for (index_t s = 3; s >= 0; --s) {
                const double *at = &stages_[std::size_t((4 * i + s) * n_)], *k = &k_bar[std::size_t(s * n_)];
                x_bar[0] += k[0];
                for (index_t j = 1; j < n_; ++j) x_bar[j] += k[j] * at[j - 1];
                for (index_t j = 0; j + 1 < n_; ++j) at_bar[std::size_t(j)] = k[j + 1] * x[j + 1];
                at_bar[std::size_t(n_ - 1)] = 0;
                for (index_t j = 0; j < n_; ++j) y_bar[std::size_t(j)] += at_bar[std::size_t(j)];
                if (s == 0) continue;
                double* earlier = &k_bar[std::size_t((s - 1) * n_)];
                for (index_t j = 0; j < n_; ++j) earlier[j] += before[s] * at_bar[std::size_t(j)];
            }
        }
    }

   private:
    static double slope(const double* x, const double* y, index_t j) { return j == 0 ? x[0] : x[j] * y[j - 1]; }

    index_t n_, steps_;
    double h_;
    std::vector<double> stages_;
};

}  // namespace gradbench

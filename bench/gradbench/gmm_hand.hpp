// The GMM objective and its gradient in plain loops, as one would write them by hand: what Ricci's figures are compared
// with.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "gmm.hpp"

namespace gradbench {

/// Value without the constant; adds the gradient to the arrays in `bar` when there are any.
class gmm_by_hand {
   public:
    explicit gmm_by_hand(const gmm_data& g)
        : g_(g),
          d_(g.d()),
          k_(g.k()),
          diagonal_(size(k_ * d_)),
          y_(size(k_ * d_)),
          centered_(size(k_ * d_)),
          term_(size(k_)) {}

    double operator()(const gmm_parameters& at, const gmm_parameters* bar) {
        const double *alphas = at.alphas.data(), *means = at.means.data(), *roots = at.roots.data();
        const index_t width = d_ * (d_ + 1) / 2;
        double value = 0;
        for (index_t k = 0; k < k_; ++k)
            for (index_t i = 0; i < d_; ++i) diagonal_[size(k * d_ + i)] = std::exp(roots[k * width + i]);
        for (index_t n = 0; n < g_.n(); ++n) {
            const double* x = g_.points.data() + n * d_;
            for (index_t k = 0; k < k_; ++k)
                term_[size(k)] = alphas[k] + log_density(x, means + k * d_, roots + k * width, k);
            value += log_sum_exp(term_);
            if (bar)
                for (index_t k = 0; k < k_; ++k) add_density(*bar, roots + k * width, k, term_[size(k)]);
        }
        std::copy(alphas, alphas + k_, term_.begin());
        value -= static_cast<double>(g_.n()) * log_sum_exp(term_);
        for (index_t k = 0; k < k_; ++k) {
            if (bar) bar->alphas.data()[k] -= static_cast<double>(g_.n()) * term_[size(k)];
            value += prior(roots + k * width, k, bar ? bar->roots.data() + k * width : nullptr);
        }
        return value;
    }

   private:
    static std::size_t size(index_t n) { return static_cast<std::size_t>(n); }
    double log_density(const double* x, const double* mean, const double* root, index_t k) {
        double *c = &centered_[size(k * d_)], *y = &y_[size(k * d_)], sum = 0, square = 0;
        const double* below = root + d_;
        for (index_t i = 0; i < d_; ++i) {
            c[i] = x[i] - mean[i];
            y[i] = diagonal_[size(k * d_ + i)] * c[i];
            sum += root[i];
        }
        for (index_t i = 0; i < d_; ++i)
            for (index_t j = i + 1; j < d_; ++j) y[j] += *below++ * c[i];
        for (index_t i = 0; i < d_; ++i) square += y[i] * y[i];
        return sum - 0.5 * square;
    }
    /// The derivative of one density, of weight w, into the gradient.
    void add_density(const gmm_parameters& bar, const double* root, index_t k, double w) {
        const double *c = &centered_[size(k * d_)], *y = &y_[size(k * d_)], *below = root + d_;
        double *mean = bar.means.data() + k * d_, *slope = bar.roots.data() + k * (d_ * (d_ + 1) / 2),
               *slope_below = slope + d_;
        bar.alphas.data()[k] += w;
        for (index_t i = 0; i < d_; ++i) {
            const double diagonal = diagonal_[size(k * d_ + i)];
            double toward = diagonal * y[i];
            slope[i] += w * (1 - y[i] * c[i] * diagonal);
            for (index_t j = i + 1; j < d_; ++j) {
                *slope_below++ -= w * y[j] * c[i];
                toward += *below++ * y[j];
            }
            mean[i] += w * toward;
        }
    }
    /// Leaves the softmax in v.
    static double log_sum_exp(std::vector<double>& v) {
        const double largest = *std::max_element(v.begin(), v.end());
        double sum = 0;
        for (double& e : v) sum += e = std::exp(e - largest);
        for (double& e : v) e /= sum;
        return std::log(sum) + largest;
    }
    double prior(const double* root, index_t k, double* slope) const {
        const double weight = g_.gamma * g_.gamma;
        double value = 0;
        for (index_t i = 0; i < d_ * (d_ + 1) / 2; ++i) {
            const double r = i < d_ ? diagonal_[size(k * d_ + i)] : root[i];
            value += 0.5 * weight * r * r - (i < d_ ? g_.m * root[i] : 0);
            if (slope) slope[i] += weight * r * (i < d_ ? r : 1) - (i < d_ ? g_.m : 0);
        }
        return value;
    }

    const gmm_data& g_;
    index_t d_, k_;
    std::vector<double> diagonal_, y_, centered_, term_;
};

}  // namespace gradbench

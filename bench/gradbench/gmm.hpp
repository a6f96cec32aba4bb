// GradBench's GMM: the log posterior of a Gaussian mixture with a Wishart prior (Srajer, Kukelova, Fitzgibbon: A
// benchmark of selected algorithmic differentiation tools on some problems in computer vision and machine learning,
// 2018).
#pragma once
#include <fstream>
#include <string>
#include <vector>

#include "lse.hpp"

namespace gradbench {

/// k components in d dimensions: the logarithms of their weights, up to a constant (k), means (k, d), and the inverse
/// covariances' square roots, lower triangular: logarithms of the diagonals, then the columns below them (k, d (d + 1)
/// / 2).
struct gmm_parameters {
    rc::tensor<double, 1> alphas;
    rc::tensor<double, 2> means, roots;
};
struct gmm_data {
    rc::tensor<double, 2> points;  // (n, d)
    double gamma = 1;
    int m = 0;
    gmm_parameters at;
    index_t n() const { return points.shape(0); }
    index_t d() const { return points.shape(1); }
    index_t k() const { return at.alphas.size(); }
};

/// Reads ADBench's format; throws ricci::io_error when the file ends early.
inline gmm_data read_gmm(const std::string& path) {
    std::ifstream file(path);
    index_t d = 0, k = 0, n = 0;
    file >> d >> k >> n;
    if (!file || d < 1 || k < 1 || n < 1) throw rc::io_error(path + ": no Gaussian mixture");
    gmm_data g{rc::empty<double>({n, d}),
               1,
               0,
               {rc::empty<double>({k}), rc::empty<double>({k, d}), rc::empty<double>({k, d * (d + 1) / 2})}};
    const auto fill = [&](const auto& x) {
        for (index_t i = 0; i < x.size(); ++i) file >> x.data()[i];
    };
    fill(g.at.alphas), fill(g.at.means), fill(g.at.roots), fill(g.points);
    file >> g.gamma >> g.m;
    if (!file) throw rc::io_error(path + ": the file ends early");
    return g;
}
inline gmm_data make_gmm(index_t n, index_t d, index_t k) {
    const auto random = [](index_t rows, index_t columns, int seed) {
        return rc::randn<double>({rows, columns}, rc::generator(static_cast<std::uint64_t>(seed)));
    };
    return {random(n, d, 1),
            1,
            0,
            {rc::randn<double>({k}, rc::generator(2)), random(k, d, 3), random(k, d * (d + 1) / 2, 4)}};
}

/// The objective as a function of the parameters, the data prepared.
class gmm_objective {
   public:
    explicit gmm_objective(const gmm_data& g)
        : n_(g.n()),
          d_(g.d()),
          k_(g.k()),
          gamma_(g.gamma),
          m_(g.m),
          points_(rc::evaluate(rc::matrix_transpose(g.points)).clone()),
          place_(rc::zeros<double>({d_ * (d_ - 1) / 2, d_ * d_})),
          unit_(rc::eye<double>(d_)) {
        index_t l = 0;
        for (index_t column = 0; column < d_; ++column)
            for (index_t row = column + 1; row < d_; ++row) place_.at(l++, row * d_ + column) = 1;
    }
    template <class A, class M, class R>
    auto operator()(const A& alphas, const M& means, const R& roots) const {
        using rc::all, rc::newaxis;
        const auto log_diagonal = roots(all, rc::slice(0, d_));
        const auto below = roots(all, rc::slice(d_, rc::none));
        const auto diagonal = rc::evaluate(exp(log_diagonal));
        const auto q = rc::evaluate(rc::reshape(matmul(below, place_), {k_, d_, d_}) + diagonal(all, newaxis) * unit_);
        // Q (x - mean) = Q x - Q mean: one product for all points, which need no derivative, and one for each mean.
        const auto y = rc::reshape(matmul(rc::reshape(q, {k_ * d_, d_}), points_), {k_, d_, n_});
        const auto center = matmul(q, means(all, all, newaxis));
        const auto log_volume = sum(log_diagonal, 1);
        const auto terms = rc::evaluate((alphas + log_volume)(all, newaxis) - 0.5 * sum(square(y - center), 1));
        const auto prior =
            0.5 * gamma_ * gamma_ * (sum(diagonal * diagonal) + sum(below * below)) - double(m_) * sum(log_volume);
        return sum(log_sum_exp(terms)) - double(n_) * log_sum_exp(alphas) + prior + constant();
    }

   private:
    double constant() const {
        const double pi = 3.14159265358979323846, p = double(d_), freedom = p + m_ + 1;
        double log_gamma = 0.25 * p * (p - 1) * std::log(pi);
        for (index_t j = 1; j <= d_; ++j) log_gamma += std::lgamma(0.5 * freedom + 0.5 * double(1 - j));
        const double prior = freedom * p * (std::log(gamma_) - 0.5 * std::log(2.0)) - log_gamma;
        return -double(n_) * p * 0.5 * std::log(2 * pi) - double(k_) * prior;
    }

    index_t n_, d_, k_;
    double gamma_;
    int m_;
    rc::tensor<double, 2> points_;  // (d, n)
    rc::tensor<double, 2> place_;   // puts the entries below the diagonal where they belong
    rc::tensor<double, 2> unit_;
};

}  // namespace gradbench

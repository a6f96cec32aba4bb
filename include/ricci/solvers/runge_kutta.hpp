// Steps of Dormand and Prince's method of orders 5 and 4 on plain vectors.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../core/error.hpp"
#include "../ops/create.hpp"
#include "../ops/elementwise.hpp"
#include "../ops/reduce.hpp"

namespace ricci {

/// How odeint steps: so that a step's estimated error, divided by atol + rtol |y|, has a root mean square of at most 1.
/// With first_step 0 the first one is found by itself; no step is longer than max_step; throws where `max_steps` of
/// them do not reach the last time.
struct ode_options {
    double rtol = 1e-8;
    double atol = 1e-8;
    double first_step = 0;
    double max_step = std::numeric_limits<double>::infinity();
    index_t max_steps = 100000;
};

namespace detail {

/// The integration from one time on, forward or backward; f(y, t) gives dy/dt as such a vector. Dormand & Prince 1980;
/// values between by Shampine's quartic (1986), control of steps and the first one by Hairer, Norsett & Wanner (1993,
/// II.4).
template <class T, class F>
class dormand_prince {
    using V = tensor<T, 1>;
    using R = real_t<T>;

   public:
    dormand_prince(const F& f, const V& y, double t, double end, const ode_options& options)
        : f_(f), options_(options), y_(y), t_(t), end_(end), sign_(end < t ? -1 : 1) {
        options_.rtol = std::fmax(options.rtol, 100 * double(std::numeric_limits<R>::epsilon()));
        k_[0] = slope(y_, t_);
        h_ = options.first_step > 0 ? options.first_step : first_step();
    }
    /// y at a time that lies ahead, or is the last one asked for.
    V at(double time) {
        while ((time - t_) * sign_ > 0) advance();
        if (time == t_) return y_;
        const double s = (time - before_) / (t_ - before_);
        double weight[7];
        for (int i = 0; i < 7; ++i)
            weight[i] = (t_ - before_) * s * (dense[i][0] + s * (dense[i][1] + s * (dense[i][2] + s * dense[i][3])));
        return evaluate(y_before_ + R(weight[0]) * past_[0] + R(weight[2]) * past_[2] + R(weight[3]) * past_[3] +
                        R(weight[4]) * past_[4] + R(weight[5]) * past_[5] + R(weight[6]) * past_[6]);
    }

   private:
    V slope(const V& y, double t) const { return f_(y, tensor<R, 0>(R(t))); }
    template <class E>
    double error_norm(const E& error, const tensor<R, 1>& size) const {
        if (size.size() == 0) return 0;
        return std::sqrt(double(mean(square(abs(error) / (R(options_.atol) + R(options_.rtol) * size))).item()));
    }
    double first_step() const {
        const double span = std::fmin(std::fabs(end_ - t_), options_.max_step);
        const tensor<R, 1> size = abs(y_);
        const double d0 = error_norm(y_, size), d1 = error_norm(k_[0], size);
        const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
        const double guess = std::fmin(h0, span);
        const V moved = y_ + R(sign_ * guess) * k_[0];
        const double d2 = error_norm(slope(moved, t_ + sign_ * guess) - k_[0], size) / guess;
        const double steep = std::fmax(d1, d2);
        const double h1 = steep <= 1e-15 ? std::fmax(1e-6, 1e-3 * h0) : std::pow(0.01 / steep, 0.2);
        const double h = std::fmin(std::fmin(100 * h0, h1), span);
        return std::isfinite(h) && h > 0 ? h : guess;  // the steps see what is not finite
    }
    /// One step whose error is small enough.
    void advance() {
        for (bool shrunk = false;;) {
            if (++steps_ > options_.max_steps)
                raise<convergence_error>({"[odeint] ", options_.max_steps, " steps reached ", t_, " of ", end_,
                                          ": more are to be had by max_steps; equations that are stiff need another "
                                          "method"});
            const double left = std::fabs(end_ - t_);
            h_ = std::fmin(h_, options_.max_step);
            const bool last = h_ >= left * (1 - 1e-12);
            const double h = sign_ * (last ? left : h_), next = last ? end_ : t_ + h;
            if (R(t_) == R(next) || !(h_ > 0))
                raise<convergence_error>({"[odeint] at ", t_,
                                          " no step is short enough for the tolerances: the solution ends there, the "
                                          "derivative is not finite, or the equations are stiff"});
            const V y = stages(R(h));
            k_[6] = slope(y, next);
            const V error = R(h) * (R(e[0]) * k_[0] + R(e[2]) * k_[2] + R(e[3]) * k_[3] + R(e[4]) * k_[4] +
                                    R(e[5]) * k_[5] + R(e[6]) * k_[6]);
            const double ratio = error_norm(error, maximum(abs(y_), abs(y)));
            if (!(ratio <= 1)) {  // NaN: shorter
                h_ = std::fabs(h) * (std::isfinite(ratio) ? std::fmax(0.2, 0.9 * std::pow(ratio, -0.2)) : 0.2);
                shrunk = true;
                continue;
            }
            const double growth = ratio == 0 ? 10 : std::fmin(10, 0.9 * std::pow(ratio, -0.2));
            h_ = std::fabs(h) * std::fmax(0.2, shrunk ? std::fmin(1, growth) : growth);
            before_ = std::exchange(t_, next);
            y_before_ = std::exchange(y_, y);
            for (int i = 0; i < 7; ++i) past_[i] = k_[i];
            k_[0] = k_[6];  // the first slope of the next step is the last of this one
            return;
        }
    }
    V stages(R h) {
        for (int i = 1; i < 6; ++i) {
            V y = y_ + (h * R(a[i][0])) * k_[0];
            for (int j = 1; j < i; ++j) y += (h * R(a[i][j])) * k_[j];
            k_[i] = slope(y, t_ + double(h) * c[i]);
        }
        return evaluate(y_ +
                        h * (R(b[0]) * k_[0] + R(b[2]) * k_[2] + R(b[3]) * k_[3] + R(b[4]) * k_[4] + R(b[5]) * k_[5]));
    }

    static constexpr double c[6] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
    static constexpr double a[6][5] = {{},
                                       {1.0 / 5},
                                       {3.0 / 40, 9.0 / 40},
                                       {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}};
    static constexpr double b[6] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
    static constexpr double e[7] = {-71.0 / 57600,    0,           71.0 / 16695, -71.0 / 1920,
                                    17253.0 / 339200, -22.0 / 525, 1.0 / 40};
    static constexpr double dense[7][4] = {
        {1, -8048581381.0 / 2820520608, 8663915743.0 / 2820520608, -12715105075.0 / 11282082432},
        {0, 0, 0, 0},
        {0, 131558114200.0 / 32700410799, -68118460800.0 / 10900136933, 87487479700.0 / 32700410799},
        {0, -1754552775.0 / 470086768, 14199869525.0 / 1410260304, -10690763975.0 / 1880347072},
        {0, 127303824393.0 / 49829197408, -318862633887.0 / 49829197408, 701980252875.0 / 199316789632},
        {0, -282668133.0 / 205662961, 2019193451.0 / 616988883, -1453857185.0 / 822651844},
        {0, 40617522.0 / 29380423, -110615467.0 / 29380423, 69997945.0 / 29380423}};

    const F& f_;
    ode_options options_;
    V y_, y_before_, k_[7], past_[7];
    double t_, before_ = 0, end_, h_ = 0;
    int sign_;
    index_t steps_ = 0;
};

}  // namespace detail
}  // namespace ricci

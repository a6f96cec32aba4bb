// Saddle and particle with derivatives written by hand, on plain numbers.
#pragma once
#include <array>
#include <cmath>

namespace gradbench {

/// argmin of descent.hpp for a function of N numbers that gives its value and its gradient.
template <std::size_t N, class F>
std::array<double, N> argmin_by_hand(const F& f, std::array<double, N> x) {
    using vector = std::array<double, N>;
    const auto length = [](const vector& v) {
        double square = 0;
        for (const double e : v) square += e * e;
        return std::sqrt(square);
    };
    vector slope, slope_there, to;
    double y = f(x, slope), step = 1e-5;
    for (int succeeded = 0; length(slope) > 1e-5;) {
        if (succeeded == 10) {
            step *= 2;
            succeeded = 0;
        }
        vector way;
        for (std::size_t i = 0; i < N; ++i) {
            way[i] = -step * slope[i];
            to[i] = x[i] + way[i];
        }
        if (length(way) <= 1e-5) break;
        const double y_there = f(to, slope_there);
        if (y_there < y) {
            x = to;
            y = y_there;
            slope = slope_there;
            ++succeeded;
        } else {
            step /= 2;
            succeeded = 0;
        }
    }
    return x;
}

inline std::array<double, 4> saddle_by_hand(const std::array<double, 2>& start) {
    using vector = std::array<double, 2>;
    const auto square = [](const vector& v) { return v[0] * v[0] + v[1] * v[1]; };
    const auto highest_at = [&](const vector& x) {
        return argmin_by_hand<2>(
            [&](const vector& y, vector& slope) {
                slope = {2 * y[0], 2 * y[1]};
                return square(y) - square(x);
            },
            start);
    };
    const vector x = argmin_by_hand<2>(
        [&](const vector& at, vector& slope) {  // the highest y does not depend on x
            slope = {2 * at[0], 2 * at[1]};
            return square(at) - square(highest_at(at));
        },
        start);
    const vector y = highest_at(x);
    return {x[0], x[1], y[0], y[1]};
}

/// The miss of particle.hpp; its derivative by w along with it, in forward mode.
inline double particle_miss_by_hand(double w, double& slope) {
    double x[2] = {0, 8}, v[2] = {0.75, 0}, x_dot[2] = {}, v_dot[2] = {};
    const double charges[2][2] = {{10, 10 - w}, {10, 0}}, moved[2] = {-1, 0}, step = 0.1;
    while (x[1] + step * v[1] > 0) {
        double force[2] = {}, force_dot[2] = {};
        for (int c = 0; c < 2; ++c) {
            const double d[2] = {x[0] - charges[c][0], x[1] - charges[c][1]},
                         d_dot[2] = {x_dot[0], x_dot[1] - moved[c]};
            const double square = d[0] * d[0] + d[1] * d[1], cube = 1 / (square * std::sqrt(square));
            const double cube_dot = -3 * cube / square * (d[0] * d_dot[0] + d[1] * d_dot[1]);
            for (int i = 0; i < 2; ++i) {
                force[i] += d[i] * cube;
                force_dot[i] += d_dot[i] * cube + d[i] * cube_dot;
            }
        }
        for (int i = 0; i < 2; ++i) {
            x[i] += step * v[i];
            x_dot[i] += step * v_dot[i];
            v[i] += step * force[i];
            v_dot[i] += step * force_dot[i];
        }
    }
    const double time = -x[1] / v[1], time_dot = -(x_dot[1] + time * v_dot[1]) / v[1];
    const double crossing = x[0] + time * v[0];
    slope = 2 * crossing * (x_dot[0] + time_dot * v[0] + time * v_dot[0]);
    return crossing * crossing;
}
inline double particle_by_hand(double w) {
    using vector = std::array<double, 1>;
    return argmin_by_hand<1>([](const vector& at, vector& slope) { return particle_miss_by_hand(at[0], slope[0]); },
                             vector{w})[0];
}

}  // namespace gradbench

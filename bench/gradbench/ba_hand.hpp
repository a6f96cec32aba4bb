// The residuals of bundle adjustment and their Jacobian in plain loops, as one would write them by hand.
#pragma once
#include <cmath>

#include "ba.hpp"

namespace gradbench {

/// A number generic over its type, so that differences can be taken in long double.
template <class T>
class ba_by_hand {
   public:
    /// The reprojection error of one observation; with `jacobian`, its rows too (2, 15).
    static void project(const T* camera, const T* point, T weight, const double* feature, T* error, T* jacobian) {
        const T* r = camera;
        const T d[3] = {point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]};
        const T square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], angle = std::sqrt(square);
        const bool none = square == 0;
        const T a = none ? 1 : std::cos(angle), b = none ? 1 : std::sin(angle) / angle, c = none ? 0 : (1 - a) / square;
        const T dot = r[0] * d[0] + r[1] * d[1] + r[2] * d[2];
        const T cross[3] = {r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]};
        T x[3];
        for (int i = 0; i < 3; ++i) x[i] = a * d[i] + b * cross[i] + c * dot * r[i];
        const T u = x[0] / x[2], v = x[1] / x[2], radius = u * u + v * v;
        const T focal = camera[6], distortion = 1 + radius * (camera[9] + camera[10] * radius);
        const T off[2] = {focal * distortion * u + camera[7] - T(feature[0]),
                          focal * distortion * v + camera[8] - T(feature[1])};
        for (int i = 0; i < 2; ++i) error[i] = weight * off[i];
        if (!jacobian) return;

        // derivatives of a, b and c by the angle, over the angle
        const T a_dot = none ? 0 : -b, b_dot = none ? 0 : (a - b) / square, c_dot = none ? 0 : (b - 2 * c) / square;
        const T slope = camera[9] + 2 * camera[10] * radius;  // of the distortion by the square radius
        for (int i = 0; i < 2; ++i) {
            const T u_bar = weight * focal * ((i == 0 ? distortion : 0) + slope * 2 * u * (i == 0 ? u : v));
            const T v_bar = weight * focal * ((i == 1 ? distortion : 0) + slope * 2 * v * (i == 0 ? u : v));
            const T x_bar[3] = {u_bar / x[2], v_bar / x[2], -(u_bar * u + v_bar * v) / x[2]};
            T* row = jacobian + i * observed_size;
            backward(r, d, cross, x_bar, a, b, c, dot, a_dot, b_dot, c_dot, row);
            const T image = i == 0 ? u : v;
            row[6] = weight * distortion * image;
            row[7] = i == 0 ? weight : 0;
            row[8] = i == 1 ? weight : 0;
            row[9] = weight * focal * image * radius;
            row[10] = row[9] * radius;
            for (int k = 0; k < 3; ++k) row[camera_size + k] = -row[3 + k];
            row[camera_size + 3] = off[i];
        }
    }

   private:
    /// Adjoints of the rotation vector and of the centre, from those of the rotated point.
    static void backward(const T* r, const T* d, const T* cross, const T* x_bar, T a, T b, T c, T dot, T a_dot, T b_dot,
                         T c_dot, T* row) {
        T d_sum = 0, cross_sum = 0, r_sum = 0;
        for (int k = 0; k < 3; ++k) {
            d_sum += x_bar[k] * d[k];
            cross_sum += x_bar[k] * cross[k];
            r_sum += x_bar[k] * r[k];
        }
        const T radial = a_dot * d_sum + b_dot * cross_sum + c_dot * dot * r_sum;
        const T by_r[3] = {d[1] * x_bar[2] - d[2] * x_bar[1], d[2] * x_bar[0] - d[0] * x_bar[2],
                           d[0] * x_bar[1] - d[1] * x_bar[0]};
        const T by_d[3] = {x_bar[1] * r[2] - x_bar[2] * r[1], x_bar[2] * r[0] - x_bar[0] * r[2],
                           x_bar[0] * r[1] - x_bar[1] * r[0]};
        for (int k = 0; k < 3; ++k) {
            row[k] = radial * r[k] + b * by_r[k] + c * (dot * x_bar[k] + r_sum * d[k]);
            row[3 + k] = -(a * x_bar[k] + b * by_d[k] + c * r_sum * r[k]);
        }
    }
};

inline void ba_errors_by_hand(const ba_data& d, double* error) {
    for (index_t i = 0; i < d.p(); ++i)
        ba_by_hand<double>::project(d.cameras.data() + camera_size * d.camera_of.data()[i],
                                    d.points.data() + 3 * d.point_of.data()[i], d.weights.data()[i],
                                    d.features.data() + 2 * i, error + 2 * i, nullptr);
    for (index_t i = 0; i < d.p(); ++i) error[2 * d.p() + i] = 1 - d.weights.data()[i] * d.weights.data()[i];
}
inline rc::csr_matrix<double> ba_jacobian_by_hand(const ba_data& d) {
    auto j = ba_pattern(d);
    double error[2], *out = j.values.data();
    for (index_t i = 0; i < d.p(); ++i, out += 2 * observed_size)
        ba_by_hand<double>::project(d.cameras.data() + camera_size * d.camera_of.data()[i],
                                    d.points.data() + 3 * d.point_of.data()[i], d.weights.data()[i],
                                    d.features.data() + 2 * i, error, out);
    for (index_t i = 0; i < d.p(); ++i) *out++ = -2 * d.weights.data()[i];
    return j;
}

}  // namespace gradbench

// Hand tracking and its Jacobian in plain loops, as one would write them by hand.
#pragma once
#include <cmath>
#include <vector>

#include "ht.hpp"

namespace gradbench {

class ht_by_hand {
    static constexpr index_t bones = ht_data::bones, parameters = ht_data::parameters;
    using matrix = std::array<double, 16>;  // (4, 4)
    using frames = std::vector<matrix>;     // of the bones
    using vector = std::array<double, 3>;

   public:
    explicit ht_by_hand(const ht_data& d) : d_(d), moved_(std::size_t(bones)) {}

    /// Errors (3, points); with `jacobian`, the derivatives (3, points, 26 or, with places, 28), those by the places
    /// first.
    void operator()(const double* theta, const double* places, double* error, double* jacobian) {
        const index_t n = d_.n(), width = parameters + (places ? 2 : 0);
        pose(theta, -1, moved_);
        rotate(theta, -1, rotation_);
        for (index_t p = 0; p < n; ++p) {
            const vector x = turned(rotation_, skinned(moved_, p, places));
            for (index_t i = 0; i < 3; ++i)
                error[i * n + p] = d_.points.data()[3 * p + i] - x[std::size_t(i)] - theta[3 + i];
        }
        if (!jacobian) return;
        const auto out = [&](index_t i, index_t p, index_t k) -> double& { return jacobian[(i * n + p) * width + k]; };
        if (places)
            for (index_t p = 0; p < n; ++p) by_places(p, [&](index_t i, index_t k) -> double& { return out(i, p, k); });
        frames slopes(static_cast<std::size_t>(bones));
        for (index_t k = 0; k < parameters; ++k) {
            if (k >= 6) pose(theta, k, slopes);
            else if (k < 3) rotate(theta, k, turning_);
            for (index_t p = 0; p < n; ++p) {
                vector x{};
                if (k < 3) x = turned(turning_, skinned(moved_, p, places));
                else if (k < 6) x[std::size_t(k - 3)] = 1;
                else x = turned(rotation_, skinned(slopes, p, places));
                for (index_t i = 0; i < 3; ++i) out(i, p, width - parameters + k) = -x[std::size_t(i)];
            }
        }
    }

   private:
    static matrix product(const matrix& a, const double* b) {
        matrix c{};
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                for (std::size_t k = 0; k < 4; ++k) c[4 * i + j] += a[4 * i + k] * b[4 * k + j];
        return c;
    }
    static matrix loaded(const double* a) {
        matrix m;
        std::copy(a, a + 16, m.begin());
        return m;
    }
    /// A bone's turn about x, then about z, or its derivative by one of the angles.
    static matrix turn(double x, double z, bool by_x, bool by_z) {
        double cx = std::cos(x), sx = std::sin(x), cz = std::cos(z), sz = std::sin(z);
        const double one = by_x || by_z ? 0 : 1, only_x = by_z ? 0 : 1;
        if (by_x) {
            const double c = cx;
            cx = -sx;
            sx = c;
            return {0, -sz * cx, sz * sx, 0, 0, cz * cx, -cz * sx, 0, 0, sx, cx, 0, 0, 0, 0, 0};
        }
        if (by_z) {
            const double c = cz;
            cz = -sz;
            sz = c;
        }
        return {cz, -sz * cx, sz * sx, 0, sz, cz * cx, -cz * sx, 0, 0, only_x * sx, only_x * cx, 0, 0, 0, 0, one};
    }
    /// The bones' motions, or their derivatives by parameter k.
    void pose(const double* theta, index_t k, frames& out) const {
        frames absolute(static_cast<std::size_t>(bones)), slope(static_cast<std::size_t>(bones));
        for (index_t b = 0; b < bones; ++b) {
            const index_t finger = (b - 1) / 4, joint = (b - 1) % 4, first = 6 + 4 * finger;
            const bool bends = b > 0 && b < 21 && joint > 0;
            const index_t x = !bends       ? -1
                              : joint == 1 ? first
                                           : first + joint,
                          z = bends && joint == 1 ? first + 1 : -1;
            const double at_x = x < 0 ? 0 : theta[x], at_z = z < 0 ? 0 : theta[z];
            const auto local = [&](bool by_x, bool by_z) {
                return product(loaded(d_.relatives.data() + 16 * b), turn(at_x, at_z, by_x, by_z).data());
            };
            const auto i = static_cast<std::size_t>(b), up = static_cast<std::size_t>(ht_data::parent(b));
            const matrix relative = local(false, false);
            absolute[i] = b == 0 ? relative : product(absolute[up], relative.data());
            if (k >= 0) {
                slope[i] = b == 0 ? matrix{} : product(slope[up], relative.data());
                if (k == x || k == z) slope[i] = product(absolute[up], local(k == x, k == z).data());
            }
            out[i] = product(k < 0 ? absolute[i] : slope[i], d_.inverses.data() + 16 * b);
        }
    }
    /// The rotation of the whole hand, or its derivative by component k of the axis times the angle.
    static void rotate(const double* v, index_t k, double (&r)[3][3]) {
        const double angle = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), c = std::cos(angle),
                     s = std::sin(angle);
        if (angle < 1e-4) {
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) r[i][j] = k < 0 && i == j;
            return;
        }
        const double a[3] = {v[0] / angle, v[1] / angle, v[2] / angle};
        double b[3];
        for (int i = 0; i < 3 && k >= 0; ++i) b[i] = ((i == k) - a[k] * a[i]) / angle;
        const auto cross = [](const double* x, int i, int j) {
            return i == j ? 0 : (j == (i + 1) % 3 ? -1 : 1) * x[3 - i - j];
        };
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                if (k < 0) r[i][j] = c * (i == j) + s * cross(a, i, j) + (1 - c) * a[i] * a[j];
                else
                    r[i][j] = a[k] * (-s * (i == j) + c * cross(a, i, j) + s * a[i] * a[j]) + s * cross(b, i, j) +
                              (1 - c) * (b[i] * a[j] + a[i] * b[j]);
            }
    }
    static vector turned(const double (&r)[3][3], const vector& x) {
        vector y{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) y[i] += r[i][j] * x[j];
        return y;
    }
    vector vertex(const frames& moved, index_t v) const {
        const double *x = d_.positions.data() + 4 * v, *weight = d_.weights.data() + bones * v;
        vector y{};
        for (std::size_t b = 0; b < std::size_t(bones); ++b)
            for (std::size_t i = 0; i < 3; ++i) {
                const double* m = moved[b].data() + 4 * i;
                y[i] += weight[b] * (m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3] * x[3]);
            }
        return y;
    }
    /// A point's vertex, or its place between the three.
    vector skinned(const frames& moved, index_t p, const double* places) const {
        const std::int64_t* corner = d_.corners.data() + 3 * p;
        vector x = vertex(moved, corner[0]);
        if (!places) return x;
        const double u = places[2 * p], v = places[2 * p + 1];
        const vector y = vertex(moved, corner[1]), z = vertex(moved, corner[2]);
        for (std::size_t i = 0; i < 3; ++i) x[i] = u * x[i] + v * y[i] + (1 - u - v) * z[i];
        return x;
    }
    template <class Out>
    void by_places(index_t p, const Out& out) const {
        const std::int64_t* corner = d_.corners.data() + 3 * p;
        const vector last = vertex(moved_, corner[2]);
        for (index_t k = 0; k < 2; ++k) {
            vector edge = vertex(moved_, corner[k]);
            for (std::size_t i = 0; i < 3; ++i) edge[i] -= last[i];
            edge = turned(rotation_, edge);
            for (index_t i = 0; i < 3; ++i) out(i, k) = -edge[std::size_t(i)];
        }
    }

    const ht_data& d_;
    frames moved_;
    double rotation_[3][3], turning_[3][3];
};

}  // namespace gradbench

// GradBench's BA: the residuals of a bundle adjustment, reprojection errors and weights (Srajer, Kukelova, Fitzgibbon:
// A benchmark of selected algorithmic differentiation tools on some problems in computer vision and machine learning,
// 2018).
#pragma once
#include <fstream>
#include <string>

#include "inputs.hpp"

namespace gradbench {

/// What one camera is: a rotation by its Rodrigues vector (3), centre (3), focal length, principal point (2), and two
/// coefficients of radial distortion.
inline constexpr index_t camera_size = 11;
/// The arguments of one observation's residual: a camera, a point, a weight.
inline constexpr index_t observed_size = camera_size + 3 + 1;

struct ba_data {
    rc::tensor<double, 2> cameras;                    // (n, 11)
    rc::tensor<double, 2> points;                     // (m, 3)
    rc::tensor<double, 1> weights;                    // (p)
    rc::tensor<double, 2> features;                   // (p, 2)
    rc::tensor<std::int64_t, 1> camera_of, point_of;  // (p)
    index_t n() const { return cameras.shape(0); }
    index_t m() const { return points.shape(0); }
    index_t p() const { return weights.size(); }
};

/// n cameras and m points, each the same; observation i is of camera i mod n and point i mod m, as in the suite.
inline ba_data repeat_ba(index_t n, index_t m, index_t p, const rc::tensor<double, 1>& camera,
                         const rc::tensor<double, 1>& point, double weight, const rc::tensor<double, 1>& feature) {
    ba_data d{
        rc::expand(camera, {n, camera_size}).clone(), rc::expand(point, {m, 3}).clone(), rc::full<double>({p}, weight),
        rc::expand(feature, {p, 2}).clone(),          rc::empty<std::int64_t>({p}),      rc::empty<std::int64_t>({p})};
    for (index_t i = 0; i < p; ++i) {
        d.camera_of.data()[i] = i % n;
        d.point_of.data()[i] = i % m;
    }
    return d;
}
/// Reads ADBench's format, which has one camera, point, weight and feature; throws ricci::io_error when the file ends
/// early.
inline ba_data read_ba(const std::string& path) {
    std::ifstream file(path);
    index_t n = 0, m = 0, p = 0;
    file >> n >> m >> p;
    if (!file || n < 1 || m < 1 || p < 1) throw rc::io_error(path + ": no bundle adjustment");
    const auto read = [&](index_t count) {
        const auto x = rc::empty<double>({count});
        for (index_t i = 0; i < count; ++i) file >> x.data()[i];
        return x;
    };
    const auto camera = read(camera_size), point = read(3), weight = read(1), feature = read(2);
    if (!file) throw rc::io_error(path + ": the file ends early");
    return repeat_ba(n, m, p, camera, point, weight.item(), feature);
}
/// Cameras and points of the size that the suite's have, all different.
inline ba_data make_ba(index_t n, index_t m, index_t p) {
    const rc::tensor<double, 1> camera{-0.76, -1.11, -0.85, 34.6, 39.7, 53.9, 419, 5.9, -8.5, 0.088, 0.0027};
    auto d = repeat_ba(n, m, p, camera, rc::tensor<double, 1>{7.2, 0, 3}, 0, rc::tensor<double, 1>{272, 834});
    d.cameras *= uniform(rc::shape<2>{n, camera_size}, 1, 0.9, 1.1);
    d.points += uniform(rc::shape<2>{m, 3}, 2, -1, 1);
    d.weights += uniform(rc::shape<1>{p}, 3);
    d.features *= uniform(rc::shape<2>{p, 2}, 4, 0.5, 1.5);
    return d;
}

/// w times (the projection of a point by a camera minus the feature), both coordinates. All are numbers, or arrays of
/// one shape. Rodrigues' formula, R x = cos x + sin / angle r cross x + (1 - cos) / angle^2 r (r . x); without
/// rotation, its limit to first order.
template <class Observed, class Feature>
auto reprojection_error(const Observed& observed, const Feature& u_observed, const Feature& v_observed) {
    const auto& [r1, r2, r3, c1, c2, c3, focal, u0, v0, k1, k2, p1, p2, p3, weight] = observed;
    const auto square_angle = r1 * r1 + r2 * r2 + r3 * r3;
    const auto none = square_angle == 0.0;
    const auto angle = rc::evaluate(sqrt(where(none, 1.0, square_angle)));
    const auto cosine = rc::evaluate(where(none, 1.0, cos(angle)));
    const auto sine = rc::evaluate(where(none, 1.0, sin(angle) / angle));

    const auto x = rc::evaluate(p1 - c1), y = rc::evaluate(p2 - c2), z = rc::evaluate(p3 - c3);
    const auto along = rc::evaluate((r1 * x + r2 * y + r3 * z) * (1.0 - cosine) / (angle * angle));
    const auto depth = rc::evaluate(z * cosine + (r1 * y - r2 * x) * sine + r3 * along);
    const auto u = rc::evaluate((x * cosine + (r2 * z - r3 * y) * sine + r1 * along) / depth);
    const auto v = rc::evaluate((y * cosine + (r3 * x - r1 * z) * sine + r2 * along) / depth);

    const auto radius = u * u + v * v;
    const auto scale = rc::evaluate(focal * (1.0 + radius * (k1 + k2 * radius)));
    return rc::tuple(rc::evaluate(weight * (u * scale + u0 - u_observed)),
                     rc::evaluate(weight * (v * scale + v0 - v_observed)));
}
/// What keeps a weight near 1.
template <class W>
auto weight_error(const W& w) {
    return 1.0 - w * w;
}

/// Rows of the Jacobian: two for each observation, its reprojection error, then one for each weight. Columns: cameras,
/// points, weights.
inline rc::csr_matrix<double> ba_pattern(const ba_data& d) {
    const index_t n = d.n(), m = d.m(), p = d.p(), entries = 2 * observed_size * p + p;
    rc::csr_matrix<double> jacobian{rc::empty<std::int64_t>({3 * p + 1}),
                                    rc::empty<std::int64_t>({entries}),
                                    rc::empty<double>({entries}),
                                    {3 * p, camera_size * n + 3 * m + p}};
    std::int64_t *row = jacobian.row_offsets.data(), *column = jacobian.columns.data();
    for (index_t i = 0; i < 2 * p; ++i) {
        const index_t camera = camera_size * d.camera_of.data()[i / 2],
                      point = camera_size * n + 3 * d.point_of.data()[i / 2];
        *row++ = observed_size * i;
        for (index_t j = 0; j < camera_size; ++j) *column++ = camera + j;
        for (index_t j = 0; j < 3; ++j) *column++ = point + j;
        *column++ = camera_size * n + 3 * m + i / 2;
    }
    for (index_t i = 0; i <= p; ++i) *row++ = 2 * observed_size * p + i;
    for (index_t i = 0; i < p; ++i) *column++ = camera_size * n + 3 * m + i;
    return jacobian;
}

class ba_objective {
   public:
    explicit ba_objective(const ba_data& d) : d_(d) {}

    /// The errors, (3 p): u and v of each observation, then 1 - w^2 of each weight.
    rc::tensor<double, 1> operator()() const {
        const auto errors = rc::empty<double>({3 * d_.p()});
        const auto [u, v] =
            reprojection_error(observed(rc::slice(rc::none)), d_.features(rc::all, 0), d_.features(rc::all, 1));
        errors(rc::slice(0, 2 * d_.p(), 2)) = u;
        errors(rc::slice(1, 2 * d_.p(), 2)) = v;
        errors(rc::slice(2 * d_.p(), rc::none)) = weight_error(d_.weights);
        return errors;
    }
    /// Both rows of every observation by two pulls through its error, mapped over some observations at a time.
    rc::csr_matrix<double> jacobian() const {
        const auto rows = rc::vmap([](const auto& observed, const auto& u, const auto& v) {
            const auto error = [&](const auto& x) { return reprojection_error(x, u, v); };
            const auto pull = std::get<1>(rc::vjp(error, observed));
            return rc::tuple(pull(rc::tuple(1.0, 0.0)), pull(rc::tuple(0.0, 1.0)));
        });
        auto j = ba_pattern(d_);
        const auto blocks = rc::reshape(j.values(rc::slice(0, 2 * observed_size * d_.p())), {d_.p(), 2, observed_size});
        // Intermediate results stay in the cache, and rows whose length is no power of two do not evict each other.
        const index_t chunk = 2000;
        for (index_t first = 0; first < d_.p(); first += chunk) {
            const rc::slice some(first, first + chunk);
            const auto [u_bar, v_bar] = rows(observed(some), d_.features(some, 0), d_.features(some, 1));
            blocks(some, 0) = rc::matrix_transpose(rc::stack(u_bar));
            blocks(some, 1) = rc::matrix_transpose(rc::stack(v_bar));
        }
        const auto slope = rc::vmap(rc::grad([](const auto& w) { return weight_error(w); }));
        j.values(rc::slice(2 * observed_size * d_.p(), rc::none)) = slope(d_.weights);
        return j;
    }

   private:
    /// The arguments of some observations' errors: 15 arrays.
    std::array<rc::tensor<double, 1>, observed_size> observed(const rc::slice& some) const {
        const auto camera = rc::take(rc::matrix_transpose(d_.cameras), d_.camera_of(some), 1);
        const auto point = rc::take(rc::matrix_transpose(d_.points), d_.point_of(some), 1);
        std::array<rc::tensor<double, 1>, observed_size> x;
        for (index_t k = 0; k < camera_size; ++k) x[std::size_t(k)] = camera(k);
        for (index_t k = 0; k < 3; ++k) x[std::size_t(camera_size + k)] = point(k);
        x.back() = d_.weights(some);
        return x;
    }

    const ba_data& d_;
};

}  // namespace gradbench

// GradBench's HT: how far the points of a hand, posed by 26 parameters, are from measured ones (Srajer, Kukelova,
// Fitzgibbon: A benchmark of selected algorithmic differentiation tools on some problems in computer vision and machine
// learning, 2018).
#pragma once
#include <tuple>
#include <vector>

#include "inputs.hpp"

namespace gradbench {

/// A hand is a tree of 22 bones: the wrist, five fingers of four and the forearm. Of its pose, theta (26), elements 0
/// to 2 are the axis times the angle of its rotation, 3 to 5 its position; then each finger has an angle about x and
/// one about z for its second bone, and one about x for its third and fourth.
struct ht_data {
    static constexpr index_t bones = 22, parameters = 26;
    rc::tensor<double, 3> relatives;      // (22, 4, 4): bones in their parents' frames
    rc::tensor<double, 3> inverses;       // (22, 4, 4): of the bones' frames in the base pose
    rc::tensor<double, 2> positions;      // (vertices, 4)
    rc::tensor<double, 2> weights;        // (vertices, 22): of the bones that move a vertex
    rc::tensor<std::int64_t, 2> corners;  // (points, 3): the vertices of the triangle that a point lies in
    rc::tensor<double, 2> points;         // (points, 3), measured
    index_t n() const { return points.shape(0); }
    static constexpr index_t parent(index_t bone) { return bone == 0 ? -1 : bone % 4 == 1 ? 0 : bone - 1; }
};

/// A hand with three bones to each vertex.
inline ht_data make_ht(index_t vertices, index_t points) {
    const auto frames = [](std::uint64_t seed) {
        const auto x = rc::evaluate(rc::eye<double>(4) + uniform(rc::shape<3>{ht_data::bones, 4, 4}, seed, -0.2, 0.2));
        x(rc::all, 3, rc::slice(3)) = 0.0;
        x(rc::all, 3, 3) = 1.0;
        return x;
    };
    ht_data d{frames(1),
              frames(2),
              uniform(rc::shape<2>{vertices, 4}, 3),
              rc::zeros<double>({vertices, ht_data::bones}),
              rc::empty<std::int64_t>({points, 3}),
              uniform(rc::shape<2>{points, 3}, 4)};
    d.positions(rc::all, 3) = 1.0;
    for (index_t v = 0; v < vertices; ++v)
        for (index_t k = 0; k < 3; ++k)
            d.weights.at(v, (v * 7 + k * (v % 5 + 1)) % ht_data::bones) += double(k + 1) / 6;
    for (index_t i = 0; i < 3 * points; ++i) d.corners.data()[i] = i * 37 % vertices;
    return d;
}
inline rc::tensor<double, 1> make_ht_pose() { return uniform(rc::shape<1>{ht_data::parameters}, 5, -1, 1); }
/// Where in its triangle each point lies: the first two barycentric coordinates (points, 2).
inline rc::tensor<double, 2> make_ht_places(index_t points) { return uniform(rc::shape<2>{points, 2}, 6, 0, 0.5); }

/// The matrix (rows, columns) whose elements, row by row, are the arrays of a tuple, each of one shape, which comes
/// first.
template <int R, class... E>
auto matrix_of(index_t rows, index_t columns, const std::tuple<E...>& elements) {
    const auto all = rc::stack(elements, R);
    if constexpr (R == 0) return rc::reshape(all, {rows, columns});
    else return rc::reshape(all, {all.shape(0), rows, columns});
}

class ht_objective {
    template <class T, class S>
    auto posed(const T& theta, const S& skin) const {
        return matmul(rotation(theta(rc::slice(3))), matmul(transforms(theta), skin)) +
               theta(rc::slice(3, 6))(rc::all, rc::newaxis);
    }
    /// The bones' motions (3, 22 * 4), as the skin takes them.
    template <class T>
    auto transforms(const T& theta) const {
        using rc::all, rc::slice;
        const auto angles = rc::reshape(matmul(placed_, theta), {2, ht_data::bones});
        const auto cos_x = rc::evaluate(cos(angles(0))), sin_x = rc::evaluate(sin(angles(0)));
        const auto cos_z = rc::evaluate(cos(angles(1))), sin_z = rc::evaluate(sin(angles(1)));
        const auto zero = rc::zeros<double>({ht_data::bones}), one = rc::ones<double>({ht_data::bones});
        const auto turned = matrix_of<1>(4, 4,
                                         rc::tuple(cos_z, -sin_z * cos_x, sin_z * sin_x, zero,  //
                                                   sin_z, cos_z * cos_x, -cos_z * sin_x, zero,  //
                                                   zero, sin_x, cos_x, zero,                    //
                                                   zero, zero, zero, one));
        const auto relative = matmul(relatives_, turned);
        std::vector absolute{rc::evaluate(relative(0))};
        for (index_t i = 1; i < ht_data::bones; ++i)
            absolute.push_back(matmul(absolute[std::size_t(ht_data::parent(i))], rc::evaluate(relative(i))));
        const auto moved = matmul(rc::stack(absolute), inverses_);
        return rc::reshape(rc::permute(moved(all, slice(3), all), {1, 0, 2}), {3, 4 * ht_data::bones});
    }
    /// The rotation about an axis by an angle, the length of `v`; below 1e-4, none.
    template <class V>
    static auto rotation(const V& v) {
        const auto square_angle = rc::evaluate(sum(square(v)));
        const auto none = square_angle < 1e-8;
        const auto angle = rc::evaluate(sqrt(where(none, 1.0, square_angle)));
        const auto c = rc::evaluate(where(none, 1.0, cos(angle))), s = rc::evaluate(where(none, 0.0, sin(angle)));
        const auto axis = rc::evaluate(v / angle);
        const auto x = axis(0), y = axis(1), z = axis(2);
        const auto zero = 0.0 * c;
        const auto cross = matrix_of<0>(3, 3, rc::tuple(zero, -z, y, z, zero, -x, -y, x, zero));
        return rc::evaluate(c * rc::eye<double>(3) + s * cross + (1.0 - c) * axis(rc::all, rc::newaxis) * axis);
    }

   public:
    explicit ht_objective(const ht_data& d)
        : relatives_(d.relatives),
          inverses_(d.inverses),
          points_(rc::evaluate(rc::matrix_transpose(d.points)).clone()),
          placed_(rc::zeros<double>({2 * d.bones, d.parameters})) {
        for (index_t finger = 0, theta = 6; finger < 5; ++finger)
            for (index_t bone = 4 * finger + 2; bone < 4 * finger + 5; ++bone) {
                placed_.at(bone, theta++) = 1;
                if (bone == 4 * finger + 2) placed_.at(d.bones + bone, theta++) = 1;
            }
        for (std::size_t k = 0; k < 3; ++k) {
            skin_[k] = rc::empty<double>({4 * d.bones, d.n()});
            for (index_t i = 0; i < 4 * d.bones; ++i)
                for (index_t p = 0; p < d.n(); ++p) {
                    const index_t v = d.corners.at(p, index_t(k));
                    skin_[k].at(i, p) = d.weights.at(v, i / 4) * d.positions.at(v, i % 4);
                }
        }
    }
    /// The simple problem: each point against a vertex. (3, points).
    template <class T>
    auto operator()(const T& theta) const {
        return rc::evaluate(points_ - posed(theta, skin_[0]));
    }
    /// The complicated one: each point against its place in a triangle.
    template <class T, class U>
    auto operator()(const T& theta, const U& places) const {
        const auto u = places(rc::all, 0), v = places(rc::all, 1);
        return rc::evaluate(points_ - (posed(theta, skin_[0]) * u + posed(theta, skin_[1]) * v +
                                       posed(theta, skin_[2]) * (1.0 - u - v)));
    }
    /// The derivative by the parameters, (3, points, 26), by one tangent for each.
    rc::tensor<double, 3> jacobian(const rc::tensor<double, 1>& theta) const {
        return rc::jacfwd([this](const auto& t) { return (*this)(t); })(theta);
    }
    /// The derivatives by the places, of which each point has its own two, and by the parameters: (3, points, 28).
    rc::tensor<double, 3> jacobian(const rc::tensor<double, 1>& theta, const rc::tensor<double, 2>& places) const {
        const auto by_theta = rc::jacfwd([&](const auto& t) { return (*this)(t, places); })(theta);
        const auto along = [&](const auto& direction) {
            const auto all = rc::expand(direction, places.shape());
            return std::get<1>(rc::jvp([&](const auto& u) { return (*this)(theta, u); }, places, all));
        };
        const auto by_places = rc::vmap(along, 0, 2)(rc::eye<double>(2));
        return rc::concat({rc::evaluate(by_places), rc::evaluate(by_theta)}, 2);
    }

   private:
    rc::tensor<double, 3> relatives_, inverses_;
    rc::tensor<double, 2> points_;               // (3, points)
    rc::tensor<double, 2> placed_;               // (2 * 22, 26): which parameters are which bones' angles
    std::array<rc::tensor<double, 2>, 3> skin_;  // (22 * 4, points): positions times weights, for each corner
};

}  // namespace gradbench

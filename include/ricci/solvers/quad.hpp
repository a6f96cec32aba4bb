// Integrals of functions to a tolerance, by intervals that are halved where they have to be: quad.
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "../grad/callback.hpp"
#include "../ops/contract.hpp"
#include "../ops/create.hpp"
#include "../ops/rearrange.hpp"
#include "../ops/reduce.hpp"
#include "../ops/stop_gradient.hpp"

namespace ricci {

/// How exact quad is: to an estimated error of max(atol, rtol |integral|), with `limit` intervals at most.
struct quad_options {
    double rtol = 1.5e-8;
    double atol = 1.5e-8;
    index_t limit = 64;
};

namespace detail {

/// The line between two numbers, which may be infinite, as an image of [0, 1], whose ends are left out. Its places are
/// told by their distance from the nearer end, above 0 from the first, below 0 from the second: next to either they are
/// as dense as floating-point numbers are next to 0.
class line_between {
   public:
    line_between(double from, double to)
        : low_(from < to ? from : to), high_(from < to ? to : from), sign_(from < to ? 1 : -1) {
        if (std::isnan(from) || std::isnan(to))
            raise<value_error>({"[quad] the ends of an integral are numbers: ", from, " and ", to});
    }
    template <class V>
    auto places(const V& t) const {
        using Y = std::remove_cvref_t<decltype(evaluate(1.0 * t))>;
        if (low_ == high_) return Y(evaluate(low_ + 0 * t));
        const auto far = evaluate(abs(t));
        if (std::isinf(low_) && std::isinf(high_))
            return Y(evaluate(where(t < 0, 1.0, -1.0) * (1 - 2 * far) / (4 * far * (1 - far))));
        if (std::isinf(high_)) return Y(evaluate(low_ + where(t < 0, (1 - far) / far, far / (1 - far))));
        if (std::isinf(low_)) return Y(evaluate(high_ - where(t < 0, far / (1 - far), (1 - far) / far)));
        return Y(evaluate(where(t < 0, high_, low_) + (high_ - low_) * t));
    }
    template <class V>
    auto slopes(const V& t) const {
        using Y = std::remove_cvref_t<decltype(evaluate(1.0 * t))>;
        if (low_ == high_) return Y(evaluate(0 * t));
        const auto far = evaluate(abs(t));
        if (std::isinf(low_) && std::isinf(high_))
            return Y(evaluate(sign_ * (0.5 / (far * (1 - far)) + 0.25 * square((1 - 2 * far) / (far * (1 - far))))));
        if (std::isinf(high_)) return Y(evaluate(sign_ / square(where(t < 0, far, 1 - far))));
        if (std::isinf(low_)) return Y(evaluate(sign_ / square(where(t < 0, 1 - far, far))));
        return Y(evaluate(0 * t + sign_ * (high_ - low_)));
    }

    /// The least distance from an end, 1 or -1, at which a place is none of that end's.
    double least(double end) const {
        const double at = end > 0 ? low_ : high_, other = end > 0 ? high_ : low_;
        if (std::isinf(at) || at == other) return 0;
        return std::fabs(std::nextafter(at, other) - at) / (std::isinf(other) ? 1 : high_ - low_);
    }

   private:
    double low_, high_, sign_;
};

/// Gauss's rule of 7 places within Kronrod's of 15 (QUADPACK's qk15), on [0, 1].
struct kronrod_rule {
    static constexpr int size = 15;
    tensor<double, 1> places = tensor<double, 1>::uninitialized({size}),
                      weights = tensor<double, 1>::uninitialized({size}), gauss = zeros<double>({size});
    kronrod_rule() {
        constexpr double x[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                 0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                 0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
                                 0.207784955007898467600689403773245, 0};
        constexpr double w[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                 0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                 0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
        constexpr double g[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                 0.381830050505118944950369775488975, 0.417959183673469387755102040816327};
        for (int i = 0; i < 8; ++i) {
            places.data()[i] = 0.5 - 0.5 * x[i];
            places.data()[14 - i] = 0.5 + 0.5 * x[i];
            weights.data()[i] = weights.data()[14 - i] = 0.5 * w[i];
            if (i % 2 == 1) gauss.data()[i] = gauss.data()[14 - i] = 0.5 * g[i / 2];
        }
    }
};

/// The places (line_between's) and the weights by which an integral is a weighted sum, as many for every function:
/// those that are not needed have the weight 0, and the place of another. The function is called with plain arrays.
template <class F>
struct adaptive_places {
    F f;
    quad_options options;
    kronrod_rule rule{};

    template <class A, class B, class... P>
    auto operator()(const A& a, const B& b, const P&... parameters) const {
        const line_between line(static_cast<double>(a.item()), static_cast<double>(b.item()));
        std::vector<interval> done, fresh{{.end = 1, .low = 0, .high = 0.5}, {.end = -1, .low = 0, .high = 0.5}};
        for (;;) {
            measure(line, fresh, parameters...);
            done.insert(done.end(), fresh.begin(), fresh.end());
            double error = 0;
            auto whole = done[0].integral.clone();
            for (const interval& i : done) {
                error += i.error;
                if (&i != done.data()) whole += i.integral;
            }
            const double size = whole.size() > 0 ? max(abs(whole)).item() : 0;
            const double tolerance = std::fmax(options.atol, options.rtol * size);
            if (error <= tolerance && std::isfinite(error)) return rule_of(line, done);
            fresh.clear();
            std::vector<interval> kept;
            for (const interval& i : done) {  // whose error is more than their part of what is allowed
                if (i.error <= tolerance * i.size()) {
                    kept.push_back(i);
                    continue;
                }
                const double middle = 0.5 * (i.low + i.high);
                if (!i.flat && i.low == 0 && middle == flat_part)
                    fresh.push_back({.end = i.end, .low = 0, .high = 1, .flat = true});
                else fresh.push_back({.end = i.end, .low = i.low, .high = middle, .flat = i.flat});
                fresh.push_back({.end = i.end, .low = middle, .high = i.high, .flat = i.flat});
            }
            if (fresh.empty() || static_cast<index_t>(kept.size() + fresh.size()) > options.limit)
                raise<convergence_error>({"[quad] ", index_t(done.size()), " intervals leave an error of ", error,
                                          ", more than ", tolerance,
                                          ": the function is singular or waves much, or needs "
                                          "a larger limit"});
            done = kept;
        }
    }

   private:
    static constexpr double flat_part = 1.0 / 128;  // what waves needs all of the intervals before
    /// A part of the line next to one of its ends, 1 or -1. What has had to be halved down to the end itself is
    /// singular there, or reaches far: there the distance is a power of the place, which makes smooth functions of
    /// roots, logarithms and slow decays.
    struct interval {
        double end, low, high;
        bool flat = false;
        double error = 0;
        tensor<double, 1> integral{};  // of each function
        double size() const { return (flat ? flat_part : 1) * (high - low); }
        double place(const line_between& line, double u) const {
            const double v = low + (high - low) * u;
            return end * std::fmax(flat ? flat_part * std::pow(v, 6) : v, line.least(end));
        }
        double slope(double u) const { return size() * (flat ? 6 * std::pow(low + (high - low) * u, 5) : 1); }
    };
    /// The integrals over some intervals, and the largest function's error.
    template <class... P>
    void measure(const line_between& line, std::vector<interval>& some, const P&... parameters) const {
        const index_t n = static_cast<index_t>(some.size());
        const shape<1> extents{n * kronrod_rule::size};
        const auto t = tensor<double, 1>::uninitialized(extents), slopes = tensor<double, 1>::uninitialized(extents);
        for (index_t i = 0; i < n; ++i) {
            const interval& one = some[static_cast<std::size_t>(i)];
            for (int k = 0; k < kronrod_rule::size; ++k) {
                t.data()[i * kronrod_rule::size + k] = one.place(line, rule.places.data()[k]);
                slopes.data()[i * kronrod_rule::size + k] = one.slope(rule.places.data()[k]);
            }
        }
        const auto given = evaluate(f(line.places(t), parameters...));
        check_values(given, t.size());
        const auto values =
            evaluate(reshape(evaluate(astype<double>(given) * (line.slopes(t) * slopes)), {-1, n, kronrod_rule::size}));
        const auto kronrod = matmul(values, rule.weights), gauss = matmul(values, rule.gauss);
        const auto spread = matmul(abs(values - kronrod(all, all, newaxis)), rule.weights);
        // QUADPACK's estimate: the difference of the rules is far more than Kronrod's error where it is small
        const auto difference = evaluate(abs(kronrod - gauss));
        const auto ratio = evaluate(200 * difference / spread);
        const auto error = evaluate(max(where(spread > 0, spread * minimum(1.0, ratio * sqrt(ratio)), difference), 0));
        for (index_t i = 0; i < n; ++i) {
            interval& one = some[static_cast<std::size_t>(i)];
            one.integral = evaluate(kronrod(all, i));
            one.error = error.at(i);
            if (std::isnan(one.error)) one.error = std::numeric_limits<double>::infinity();
        }
    }
    template <class V>
    static void check_values(const V& values, index_t n) {
        static_assert(std::is_void_v<typename V::wrapper>,
                      "ricci: what the function of quad captures may not be under a transform: give it as a parameter");
        static_assert(V::rank >= 1, "ricci: the function of quad gives a value for each place of an array");
        if (values.shape()[V::rank - 1] != n)
            raise<shape_error>({"[quad] the function gives shape ", values.shape(), " for ", n, " places"});
    }
    auto rule_of(const line_between& line, const std::vector<interval>& all) const {
        const index_t most = options.limit * kronrod_rule::size;
        const auto places = full<double>({most}, 0.25), weights = zeros<double>({most});
        index_t at = 0;
        for (const interval& i : all)
            for (int k = 0; k < kronrod_rule::size; ++k, ++at) {
                places.data()[at] = i.place(line, rule.places.data()[k]);
                weights.data()[at] = i.slope(rule.places.data()[k]) * rule.weights.data()[k];
            }
        for (; at < most; ++at) places.data()[at] = places.data()[0];
        return std::make_tuple(places, weights);
    }
};
struct quad_name {
    static constexpr const char* name = "quad";
};
/// A parameter as a constant of every derivative.
template <class P>
auto constant_of(const P& p) {
    if constexpr (scalar_value<P>) return p;
    else if constexpr (expression<P>) return evaluate(stop_gradient(p));
    else return tree_map([](const auto& a) { return evaluate(stop_gradient(a)); }, p);
}

}  // namespace detail

/// The integral of f(x, parameters...) from a to b, to a tolerance: f is called with an array of places x and gives as
/// many values, along the last axis where it gives several functions' (the tolerance is for the largest). Gauss and
/// Kronrod's rule of 15 places on intervals that are halved where its error is too large. Ends that are numbers may be
/// infinite, and f may be singular at an end, as 1 / sqrt(x) is at 0; singular places between must be made ends. In
/// double. Throws convergence_error where options.limit intervals do not suffice, shape_error for another number of
/// values.
///
/// Differentiable in the parameters and in finite ends, forward and backward, to any order, as the sum over the places
/// that were found is; what f captures may not be under a transform. Under vmap members find their places
/// one by one. (scipy.integrate.quad.)
template <class F, operand A, operand B, class... P>
auto quad(F f, const A& a, const B& b, quad_options options = {}, const P&... parameters) {
    if (options.limit < 2) detail::raise<value_error>({"[quad] the limit must be at least 2: ", options.limit});
    using finder = detail::callback_function<detail::adaptive_places<F>, detail::quad_name>;
    const auto rule =
        finder{{f, options}}(detail::constant_of(a), detail::constant_of(b), detail::constant_of(parameters)...);
    const auto& t = std::get<0>(rule);
    const auto& weights = std::get<1>(rule);
    if constexpr (scalar_value<A> && scalar_value<B>) {
        const detail::line_between line(static_cast<double>(a), static_cast<double>(b));
        return evaluate(sum(f(line.places(t), parameters...) * (line.slopes(t) * weights), -1));
    } else {
        // the rule's places are told from the lower end up, and from the upper one down
        const auto width = evaluate(1.0 * b - a), length = evaluate(where(a < b, width, -width));
        const auto x = evaluate(where((t < 0) == (a < b), 1.0 * b, 1.0 * a) + length * t);
        return evaluate(sum(f(x, parameters...) * (width * weights), -1));
    }
}

}  // namespace ricci

// Polynomials between places: what splines are, with their derivatives and integrals.
#pragma once
#include "../index/take.hpp"
#include "../rearrange.hpp"
#include "../scan.hpp"
#include "../searchsorted.hpp"

namespace ricci {
namespace detail {

/// With as many more axes of extent 1 at the end.
template <int More, class A>
auto ending_axes(const A& a) {
    shape<A::rank + More> extents;
    for (int d = 0; d < A::rank + More; ++d) extents[d] = d < A::rank ? a.shape()[d] : 1;
    return reshaped(a, extents);
}

}  // namespace detail

/// A function that is a polynomial in x - places[i] between places[i] and places[i + 1], beyond the ends that of the
/// first and the last interval; a periodic one is repeated. `places` (n,) ascend; `coefficients` (degree + 1, n - 1,
/// ...) have the highest power first, and further axes for functions with several values. f(x) is of x's shape and
/// those axes. Differentiable in x, places and coefficients, by any transform that the arrays are under.
/// (scipy.interpolate.PPoly.)
template <class Places, class Coefficients>
struct piecewise_polynomial {
    Places places;
    Coefficients coefficients;
    bool periodic = false;

    /// The values at x, an array of any shape or a number.
    template <operand E>
    auto operator()(const E& x) const {
        if constexpr (expression<E>) {
            const auto at = evaluate(x);
            if (!periodic) return value(at);
            const auto low = index(places, 0);
            return value(evaluate(low + remainder(at - low, index(places, -1) - low)));
        } else {
            return (*this)(as_place(x));
        }
    }
    /// The derivative of an order, 1 unless said otherwise. Throws value_error for a negative one.
    auto derivative(int order = 1) const {
        if (order < 0) detail::raise<value_error>({"[derivative] the order must not be negative: ", order});
        auto c = evaluate(coefficients);
        for (; order > 0; --order) {
            const index_t degree = c.shape()[0] - 1;
            if (degree == 0) c = evaluate(c * 0);
            else c = evaluate(detail::stretch_of(c, 0, 0, degree) * powers(degree));
        }
        return piecewise_polynomial<Places, decltype(c)>{places, c, periodic};
    }
    /// The integral from the first place on. It is not periodic: beyond the ends it goes on with the polynomials there.
    auto antiderivative() const {
        constexpr int R = Coefficients::rank;
        const index_t terms = coefficients.shape()[0];
        const auto c = evaluate(coefficients / powers(terms));
        const auto width = detail::ending_axes<R - 2>(diff(places));
        auto whole = evaluate(index(c, 0) * width);
        for (index_t k = 1; k < terms; ++k) whole = evaluate((whole + index(c, k)) * width);
        const auto before = detail::stretch_of(cumulative_sum(whole, 0, true), 0, 0, whole.shape()[0]);
        auto y = concat(std::make_tuple(c, evaluate(index(before, newaxis))), 0);
        return piecewise_polynomial<Places, decltype(y)>{places, y, false};
    }
    /// The integral from a to b, numbers or arrays that broadcast.
    template <operand A, operand B>
    auto integrate(const A& a, const B& b) const {
        const auto whole = antiderivative();
        const auto low = evaluate(index(places, 0)), width = evaluate(index(places, -1) - low);
        const auto from_start = [&](const auto& to) {
            if (!periodic) return evaluate(whole(to) + 0 * whole(low));
            const auto turns = evaluate(floor(stop_gradient((to - low) / width)));
            return evaluate(whole(evaluate(to - turns * width)) +
                            detail::ending_axes<Coefficients::rank - 2>(turns) * whole(evaluate(low + width)));
        };
        return evaluate(from_start(as_place(b)) - from_start(as_place(a)));
    }

   private:
    using T = std::remove_const_t<typename Places::value_type>;

    template <class A>
    static auto as_place(const A& a) {
        if constexpr (expression<A>) return evaluate(a);
        else return full(shape<0>{}, static_cast<T>(a), device_t<Places>{});
    }
    /// count ... 1, along the first axis.
    static auto powers(index_t count) {
        return detail::ending_axes<Coefficients::rank - 1>(arange<T>(T(count), T(0), T(-1)).to(device_t<Places>{}));
    }
    template <class E>
    auto value(const E& at) const {
        const index_t intervals = coefficients.shape()[1], terms = coefficients.shape()[0];
        const auto found = searchsorted(stop_gradient(places), stop_gradient(at), true);
        const auto i = evaluate(clip(found - 1, 0, intervals - 1));
        const auto t = evaluate(detail::ending_axes<Coefficients::rank - 2>(evaluate(at - take(places, i, 0))));
        auto y = evaluate(take(index(coefficients, 0), i, 0) + 0 * t);
        for (index_t k = 1; k < terms; ++k) y = evaluate(y * t + take(index(coefficients, k), i, 0));
        return y;
    }
};

}  // namespace ricci

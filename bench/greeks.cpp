// Black-Scholes in float64: the price of a book of calls and its derivatives in all five arguments (delta, the one in
// the strike, theta, vega, rho). Both sides use the same smooth approximation of the normal distribution function.
#include <array>

#include "bench.hpp"

namespace {

using namespace bench;
using reg = rc::simd<double>;

/// The logistic function of x (c0 + c1 x^2): within 2e-4 of the normal distribution function.
constexpr double c0 = 1.5957691216057308, c1 = 0.07056593;

inline constexpr auto call_price = [](auto s, auto k, auto t, auto v, auto r) {
    const auto normal = [](auto x) { return 1 / (1 + exp(-x * (c0 + c1 * x * x))); };
    const auto spread = v * sqrt(t);
    const auto d1 = (log(s / k) + (r + 0.5 * v * v) * t) / spread;
    return s * normal(d1) - k * exp(-r * t) * normal(d1 - spread);
};

/// Spot, strike, years, volatility, rate.
struct book {
    index_t n;
    std::array<rc::tensor<double, 1>, 5> x;
    explicit book(index_t size) : n(size) {
        const double low[] = {90, 90, 0.5, 0.2, 0.02}, width[] = {20, 20, 1, 0.1, 0.03};
        for (int i = 0; i < 5; ++i)
            x[static_cast<std::size_t>(i)] = rc::evaluate(
                low[i] + width[i] * rc::rand<double>({n}, rc::generator(static_cast<std::uint64_t>(i + 1))));
    }
    const double* operator[](std::size_t i) const { return x[i].data(); }
};

/// The sum of the derivatives in all arguments: what is compared, added up by a last pass that is the same for all.
result added(const std::array<const double*, 5>& g, const rc::tensor<double, 1>& to, double price) {
    for (index_t i = 0; i < to.size(); i += reg::lanes)
        ((reg::load(g[0] + i) + reg::load(g[1] + i)) + (reg::load(g[2] + i) + reg::load(g[3] + i)) +
         reg::load(g[4] + i))
            .store(to.data() + i);
    to.data()[0] += price;
    return whole(to);
}

std::vector<double> expected(const book& b) {
    std::vector<double> sums;
    double total = 0;
    const auto price = [](const std::array<double, 5>& x) {
        const auto normal = [](double z) { return 1 / (1 + std::exp(-z * (c0 + c1 * z * z))); };
        const double spread = x[3] * std::sqrt(x[2]),
                     d1 = (std::log(x[0] / x[1]) + (x[4] + 0.5 * x[3] * x[3]) * x[2]) / spread;
        return x[0] * normal(d1) - x[1] * std::exp(-x[4] * x[2]) * normal(d1 - spread);
    };
    for (index_t i = 0; i < b.n; ++i) {
        std::array<double, 5> x;
        for (std::size_t j = 0; j < 5; ++j) x[j] = b[j][i];
        total += price(x);
        double sum = 0;
        for (std::size_t j = 0; j < 5; ++j) {  // central differences
            const double step = 1e-5 * x[j];
            auto up = x, down = x;
            up[j] += step;
            down[j] -= step;
            sum += (price(up) - price(down)) / (2 * step);
        }
        sums.push_back(sum);
    }
    sums[0] += total;
    return sums;
}

/// The reverse sweep as one would write it, a register at a time.
double by_hand(const book& b, const std::array<double*, 5>& to) {
    reg total(0.0);
    const reg one(1.0), half(0.5), first(c0), second(c1), third(3 * c1);
    for (index_t i = 0; i < b.n; i += reg::lanes) {
        const reg s = reg::load(b[0] + i), k = reg::load(b[1] + i), t = reg::load(b[2] + i), v = reg::load(b[3] + i),
                  r = reg::load(b[4] + i);
        const reg root = rc::math::sqrt(t), spread = v * root, inverse = one / spread, drift = r + half * v * v;
        const reg d1 = (rc::math::log(s / k) + drift * t) * inverse, d2 = d1 - spread;
        const reg discounted = k * rc::math::exp(-r * t), q1 = d1 * d1, q2 = d2 * d2;
        const reg n1 = one / (one + rc::math::exp(-d1 * (first + second * q1)));
        const reg n2 = one / (one + rc::math::exp(-d2 * (first + second * q2)));
        const reg d1_own = s * n1 * (one - n1) * (first + third * q1),
                  d2_bar = -discounted * n2 * (one - n2) * (first + third * q2);
        const reg inner = (d1_own + d2_bar) * inverse, spread_bar = -(inner * d1) - d2_bar, carried = discounted * n2;
        total += s * n1 - carried;
        (n1 + inner / s).store(to[0] + i);
        (-(carried + inner) / k).store(to[1] + i);
        (inner * drift + spread_bar * v * half / root + r * carried).store(to[2] + i);
        (inner * v * t + spread_bar * root).store(to[3] + i);
        ((inner + carried) * t).store(to[4] + i);
    }
    return reduce_add(total);
}

void greeks(index_t n) {
    const row r("black_scholes_greeks", n, 1e-7, [n] { return expected(book(n)); });
    r.add("ricci", [n] {
        return [b = book(n), sums = rc::empty<double>({n})] {
            const auto total = [](auto... x) { return sum(rc::map(call_price, x...)); };
            const auto [price, g] =
                rc::value_and_grad(total, rc::argnums<0, 1, 2, 3, 4>)(b.x[0], b.x[1], b.x[2], b.x[3], b.x[4]);
            return added({std::get<0>(g).data(), std::get<1>(g).data(), std::get<2>(g).data(), std::get<3>(g).data(),
                          std::get<4>(g).data()},
                         sums, price.item());
        };
    });
    r.add("hand", [n] {
        return [b = book(n), g = rc::empty<double>({5, n}), sums = rc::empty<double>({n})] {
            double* const to = g.data();
            const index_t step = b.n;
            const double price = by_hand(b, {to, to + step, to + 2 * step, to + 3 * step, to + 4 * step});
            return added({to, to + step, to + 2 * step, to + 3 * step, to + 4 * step}, sums, price);
        };
    });
}

const bool registered = [] {
    greeks(10000);
    return true;
}();

}  // namespace

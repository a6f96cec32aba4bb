// GradBench's problems on generated inputs: times of the value and of value and gradient, Ricci's and those of plain loops.
#include <chrono>
#include <cstdio>

#include "gmm_hand.hpp"

namespace {

using namespace gradbench;

/// The least of many times, in milliseconds: other work on the machine only adds.
template <class F>
double milliseconds(const F& f) {
    using clock = std::chrono::steady_clock;
    double least = 1e300, total = 0;
    for (int i = 0; i < 200 && (i < 5 || total < 2000); ++i) {
        const auto start = clock::now();
        f();
        const double t = std::chrono::duration<double, std::milli>(clock::now() - start).count();
        least = std::min(least, t);
        total += t;
    }
    return least;
}
template <class Value, class Gradient, class HandValue, class HandGradient>
void line(const char* name, const Value& value, const Gradient& gradient, const HandValue& hand_value, const HandGradient& hand_gradient) {
    const double v = milliseconds(value), g = milliseconds(gradient), hv = milliseconds(hand_value), hg = milliseconds(hand_gradient);
    std::printf("%-24s %9.3f %9.3f %7.2f %11.3f %9.3f %7.2f %13.2f\n", name, v, g, g / v, hv, hg, hg / hv, g / hg);
}

void gmm(index_t n, index_t d, index_t k) {
    const gmm_data g = make_gmm(n, d, k);
    const gmm_objective f(g);
    const auto gradient = rc::value_and_grad(f, rc::argnums<0, 1, 2>);
    gmm_by_hand hand(g);
    const gmm_parameters bar{rc::zeros<double>({k}), rc::zeros<double>({k, d}), rc::zeros<double>({k, d * (d + 1) / 2})};
    char name[64];
    std::snprintf(name, sizeof name, "GMM d=%d k=%d n=%d", int(d), int(k), int(n));
    line(
        name, [&] { (void)rc::evaluate(f(g.at.alphas, g.at.means, g.at.roots)).item(); },
        [&] { (void)gradient(g.at.alphas, g.at.means, g.at.roots); }, [&] { (void)hand(g.at, nullptr); },
        [&] { (void)hand(g.at, &bar); });
}

void lse(index_t n) {
    const auto x = rc::randn<double>({n}, rc::generator(1));
    const auto f = [](const auto& v) { return log_sum_exp(v); };
    const auto gradient = rc::value_and_grad(f);
    const auto g = rc::empty<double>({n});
    const auto by_hand = [&](bool slope) {
        const double largest = *std::max_element(x.data(), x.data() + n);
        double sum = 0;
        for (index_t i = 0; i < n; ++i) {
            const double e = std::exp(x.data()[i] - largest);
            if (slope) g.data()[i] = e;
            sum += e;
        }
        if (slope)
            for (index_t i = 0; i < n; ++i) g.data()[i] /= sum;
        return std::log(sum) + largest;
    };
    volatile double kept = 0;
    char name[64];
    std::snprintf(name, sizeof name, "LSE n=%d", int(n));
    line(
        name, [&] { kept = f(x).item(); }, [&] { (void)gradient(x); }, [&] { kept = by_hand(false); }, [&] { kept = by_hand(true); });
}

}  // namespace

int main() {
    rc::set_num_threads(1);
    std::printf("%-24s %9s %9s %7s %11s %9s %7s %13s\n", "milliseconds", "value", "gradient", "ratio", "hand value", "gradient",
                "ratio", "ricci / hand");
    gmm(1000, 2, 5);
    gmm(1000, 10, 25);
    lse(1000000);
}

// One line of the table for each problem and size: times of Ricci, of plain loops and, where it is installed, of
// libtorch.
#pragma once
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>

namespace gradbench {

/// The least CPU time of many runs, in milliseconds: other work on the machine only adds.
inline double milliseconds(const std::function<void()>& f) {
    const auto now = [] { return 1e3 * double(std::clock()) / CLOCKS_PER_SEC; };
    double least = 1e300, total = 0;
    for (int i = 0; i < 200 && (i < 5 || total < 1000); ++i) {
        int runs = 0;  // enough for the clock's microseconds
        const double start = now();
        double t = 0;
        for (; t < 0.2; t = now() - start, ++runs) f();
        least = std::min(least, t / runs);
        total += t;
    }
    return least;
}

/// A way to compute a problem's value and its derivative, nothing where a contestant has none.
struct contestant {
    std::function<void()> value, gradient;
};

inline void print_heading() {
    std::printf("%-26s|%28s |%28s |%28s |\n", "milliseconds", "ricci          ", "plain loops        ",
                "libtorch         ");
    std::printf("%-26s", "");
    for (int i = 0; i < 3; ++i) std::printf("|%10s %10s %6s ", "value", "gradient", "ratio");
    std::printf("| %s\n", "gradient, ricci / plain");
}
inline void print_line(const std::string& name, const contestant& ricci, const contestant& by_hand,
                       const contestant& torch = {}) {
    std::printf("%-26s", name.c_str());
    double gradients[3] = {};
    int i = 0;
    for (const auto* c : {&ricci, &by_hand, &torch}) {
        const double v = c->value ? milliseconds(c->value) : 0, g = c->gradient ? milliseconds(c->gradient) : 0;
        gradients[i++] = g;
        if (v > 0 && g > 0) std::printf("|%10.4f %10.4f %6.2f ", v, g, g / v);
        else if (g > 0) std::printf("|%10s %10.4f %6s ", "", g, "");
        else std::printf("|%28s ", "");
    }
    std::printf("| %.2f\n", gradients[0] / gradients[1]);
    std::fflush(stdout);
}

}  // namespace gradbench

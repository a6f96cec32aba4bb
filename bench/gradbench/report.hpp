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
    std::function<void()> value, derivative;
};

/// A table in Markdown: milliseconds of value and derivative, their ratio, for each contestant.
inline void print_heading() {
    std::printf("| %-27s |", "milliseconds");
    for (const char* who : {"ricci", "by hand", "libtorch"}) std::printf(" %8s value | derivative | ratio |", who);
    std::printf(" ricci / hand |\n| --- |");
    for (int i = 0; i < 10; ++i) std::printf(" ---: |");
    std::printf("\n");
}
inline void print_line(const std::string& name, const contestant& ricci, const contestant& by_hand,
                       const contestant& torch = {}) {
    std::printf("| %-27s |", name.c_str());
    double derivatives[3] = {};
    int i = 0;
    for (const auto* c : {&ricci, &by_hand, &torch}) {
        const double v = c->value ? milliseconds(c->value) : 0, d = c->derivative ? milliseconds(c->derivative) : 0;
        derivatives[i++] = d;
        if (v > 0) std::printf(" %14.4f |", v);
        else std::printf(" %14s |", "");
        if (d > 0) std::printf(" %10.4f |", d);
        else std::printf(" %10s |", "");
        if (v > 0 && d > 0) std::printf(" %5.2f |", d / v);
        else std::printf(" %5s |", "");
    }
    std::printf(" %12.2f |\n", derivatives[0] / derivatives[1]);
    std::fflush(stdout);
}

}  // namespace gradbench

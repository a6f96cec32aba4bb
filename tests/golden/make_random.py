#!/usr/bin/env python3
"""Writes random.hpp: SciPy's distributions in cells. Run with SciPy: python3 make_random.py > random.hpp

Of each distribution its mean and variance (0 and 1e300 where it has none), and the probabilities of the cells (-inf, e_0], (e_0, e_1], ..., (e_n, inf): about 40
of equal probability, for integers as near to it as they allow.
"""
import numpy as np
from scipy import stats

inf = np.inf


def truncated(mean, stddev, low, high):
    return stats.truncnorm((low - mean) / stddev, (high - mean) / stddev, mean, stddev)


continuous = {
    "uniform(-2, 3)": stats.uniform(-2, 5), "normal(1.5, 0.5)": stats.norm(1.5, 0.5), "exponential(2)": stats.expon(0, 2),
    "gamma(0.05, 1)": stats.gamma(0.05), "gamma(0.5, 2)": stats.gamma(0.5, 0, 2), "gamma(1, 1)": stats.gamma(1),
    "gamma(3.7, 0.25)": stats.gamma(3.7, 0, 0.25), "gamma(1000, 1)": stats.gamma(1000),
    "beta(0.5, 0.5)": stats.beta(0.5, 0.5), "beta(2, 5)": stats.beta(2, 5), "beta(0.05, 3)": stats.beta(0.05, 3),
    "beta(300, 200)": stats.beta(300, 200), "truncated_normal(0, 1, -1, 2)": truncated(0, 1, -1, 2),
    "truncated_normal(0, 1, -0.5, 0.5)": truncated(0, 1, -0.5, 0.5), "truncated_normal(2, 3, -inf, 0.5)": truncated(2, 3, -inf, 0.5),
    "truncated_normal(0, 1, 3, inf)": truncated(0, 1, 3, inf), "truncated_normal(0, 1, 8, 8.1)": truncated(0, 1, 8, 8.1),
    "truncated_normal(0, 1, -30, -20)": truncated(0, 1, -30, -20), "truncated_normal(0, 1, -0.1, inf)": truncated(0, 1, -0.1, inf),
    "laplace(1, 2)": stats.laplace(1, 2), "gumbel(-1, 0.5)": stats.gumbel_r(-1, 0.5), "cauchy(1, 2)": stats.cauchy(1, 2),
    "weibull(0.7, 2)": stats.weibull_min(0.7, 0, 2), "weibull(3, 1)": stats.weibull_min(3), "lognormal(0.5, 0.75)": stats.lognorm(0.75, 0, np.exp(0.5)),
    "chisquare(3)": stats.chi2(3), "student_t(0.5, 0, 1)": stats.t(0.5), "student_t(5, 1, 2)": stats.t(5, 1, 2),
    "vonmises(0, 0)": stats.uniform(-np.pi, 2 * np.pi), "vonmises(0, 0.2)": stats.vonmises(0.2), "vonmises(0, 4)": stats.vonmises(4),
    "vonmises(0, 3000)": stats.vonmises(3000), "vonmises(0, 1e9)": stats.norm(0, 1e9**-0.5),
}
discrete = {f"poisson({rate})": stats.poisson(float(rate)) for rate in ("0.1", "3", "9.9", "10", "11.5", "100", "1e4", "1e9")}
discrete |= {f"binomial({n}, {p})": stats.binom(int(n), float(p)) for n, p in (("5", "0.3"), ("30", "0.3"), ("40", "0.3"), ("1000", "0.9"), ("1000000", "0.25"))}
discrete |= {"geometric(0.25)": stats.geom(0.25), "geometric(0.001)": stats.geom(0.001)}
discrete |= {"integers(-3, 4)": stats.randint(-3, 4), "bernoulli(0.3)": stats.bernoulli(0.3)}


def numbers(values):
    return "{" + ", ".join(repr(float(v)) for v in values) + "}"


def finite(value, otherwise):
    return float(value) if np.isfinite(value) else otherwise


print("// SciPy's distributions in cells, written by make_random.py.\n#pragma once\n#include <vector>\n\nnamespace golden {\n")
print("struct distribution {\n    const char* name;\n    double mean, variance;\n    std::vector<double> edges, probabilities;\n};\n")
print("// clang-format off\ninline const distribution distributions[] = {")
for name, d in (continuous | discrete).items():
    p = np.arange(1, 40) / 40
    edges = np.unique(d.ppf(p))
    if name in discrete and d.cdf(edges[-1]) == 1:
        edges = edges[:-1]
    below = p if name in continuous else d.cdf(edges)
    assert len(edges) == len(below) and np.allclose(d.cdf(edges), below, rtol=1e-9, atol=0)
    print(f'    {{"{name}", {finite(d.mean(), 0)!r}, {finite(d.var(), 1e300)!r},\n     {numbers(edges)},\n     {numbers(np.diff(below, prepend=0, append=1))}}},')
print("};\n")
print("/// Exceeded by one in a thousand chi-square statistics of this many degrees of freedom.")
print("inline constexpr double chi_square_bounds[] = {0, " + ", ".join(f"{stats.chi2.ppf(0.999, k):.6g}" for k in range(1, 41)) + "};\n// clang-format on\n")
print("}  // namespace golden")

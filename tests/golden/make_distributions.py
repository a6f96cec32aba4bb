#!/usr/bin/env python3
"""Writes distributions.hpp: distributions, by torch.distributions and SciPy. Run: python3 make_distributions.py > distributions.hpp

Calls in C++ of the arrays below, whose elements stand in tests/distributions/distributions.hpp, too, and what torch or SciPy give.
"""
import numpy as np
import scipy.stats as st
import torch
import torch.distributions as ds
from scipy.special import ive

torch.set_default_dtype(torch.float64)
t = torch.tensor
arrays = {
    "u": t([0.3, 1.0, 2.5]), "v": t([0.7, 1.5, 4.0]), "w": t([3.3, 2.2, 5.1]), "p": t([0.1, 0.5, 0.9]),
    "reals": t([-1.3, 0.2, 3.1]), "positives": t([0.05, 1.1, 6.0]), "units": t([0.02, 0.4, 0.97]), "counts": t([0.0, 1.0, 7.0]),
    "S": t([[2.0, 0.5, -0.3], [0.5, 1.0, 0.2], [-0.3, 0.2, 0.7]]), "A": t([[0.1, -0.5, 1.2], [2.0, 0.3, -1.1]]),
}
g = lambda name: arrays[name]
cases = {}


def flat(values):
    return [float(x) for x in torch.as_tensor(values).detach().reshape(-1)]


def case(call, values):
    cases[call] = flat(values)


# C++ name, torch's, parameters, where densities are asked for, what else there is
families = [
    ("normal", ds.Normal, ["u", "v"], "reals", "cdf icdf mean variance entropy"),
    ("laplace", ds.Laplace, ["u", "v"], "reals", "cdf icdf mean variance entropy"),
    ("gumbel", ds.Gumbel, ["u", "v"], "reals", "cdf icdf mean variance entropy"),
    ("cauchy", ds.Cauchy, ["u", "v"], "reals", "cdf icdf entropy"),
    ("student_t", ds.StudentT, ["w", "u", "v"], "reals", "mean variance entropy"),
    ("uniform", ds.Uniform, ["u", "w"], "u", "cdf icdf mean variance entropy"),
    ("exponential", ds.Exponential, ["v"], "positives", "cdf icdf mean variance entropy"),
    ("gamma", ds.Gamma, ["u", "v"], "positives", "mean variance entropy"),
    ("chi2", ds.Chi2, ["w"], "positives", "mean variance entropy"),
    ("inverse_gamma", ds.InverseGamma, ["w", "v"], "positives", "mean variance entropy"),
    ("beta", ds.Beta, ["u", "v"], "units", "mean variance entropy"),
    ("weibull", ds.Weibull, ["v", "w"], "positives", "cdf icdf mean variance entropy"),
    ("pareto", ds.Pareto, ["u", "w"], "w", "cdf icdf mean variance entropy"),
    ("log_normal", ds.LogNormal, ["u", "v"], "positives", "cdf icdf mean variance entropy"),
    ("half_normal", ds.HalfNormal, ["v"], "positives", "cdf icdf mean variance entropy"),
    ("half_cauchy", ds.HalfCauchy, ["v"], "positives", "cdf icdf entropy"),
    ("geometric", ds.Geometric, ["p"], "counts", "mean variance entropy"),
    ("poisson", ds.Poisson, ["w"], "counts", "mean variance"),
    ("binomial", lambda n, p: ds.Binomial(n, p), ["counts", "p"], "counts", "mean variance"),
    ("negative_binomial", ds.NegativeBinomial, ["v", "p"], "counts", "mean variance"),
]
for name, make, parameters, at, more in families:
    d = make(*(g(k) for k in parameters))
    made = f"{name}({', '.join(parameters)})"
    case(f"{made}.log_prob({at})", d.log_prob(g(at)))
    for what in more.split():
        if what == "icdf":
            case(f"{made}.icdf(units)", d.icdf(g("units")))
        elif what == "cdf":
            case(f"{made}.cdf({at})", d.cdf(g(at)))
        else:
            value = getattr(d, what)
            case(f"{made}.{what}()", value() if callable(value) else value)
    for k in range(len(parameters)):
        if name in ("binomial", "uniform", "pareto") and k == 0:
            continue
        leaf = g(parameters[k]).clone().requires_grad_()
        given = [leaf if i == k else g(q) for i, q in enumerate(parameters)]
        slope, = torch.autograd.grad(make(*given).log_prob(g(at)).sum(), leaf)
        text = ", ".join("a" if i == k else q for i, q in enumerate(parameters))
        case(f"slope([&](auto a) {{ return {name}({text}).log_prob({at}); }}, {parameters[k]})", slope)

case("bernoulli(p).log_prob(tensor{1, 0, 1})", ds.Bernoulli(g("p")).log_prob(t([1.0, 0, 1])))
case("bernoulli(logits(u)).log_prob(tensor{1, 0, 1})", ds.Bernoulli(logits=g("u")).log_prob(t([1.0, 0, 1])))
case("bernoulli(p).entropy()", ds.Bernoulli(g("p")).entropy())
case("bernoulli(logits(u)).entropy()", ds.Bernoulli(logits=g("u")).entropy())
case("bernoulli(logits(u)).variance()", ds.Bernoulli(logits=g("u")).variance)
case("binomial(9, logits(u)).log_prob(counts)", ds.Binomial(t(9.0), logits=g("u")).log_prob(g("counts")))
case("geometric(logits(u)).log_prob(counts)", ds.Geometric(logits=g("u")).log_prob(g("counts")))
case("negative_binomial(v, logits(u)).log_prob(counts)", ds.NegativeBinomial(g("v"), logits=g("u")).log_prob(g("counts")))
case("categorical(v).log_prob(tensor{2, 0, 1, 1})", ds.Categorical(g("v")).log_prob(t([2, 0, 1, 1])))
case("categorical(logits(A)).log_prob(tensor{2, 0})", ds.Categorical(logits=g("A")).log_prob(t([2, 0])))
case("categorical(logits(A)).entropy()", ds.Categorical(logits=g("A")).entropy())
case("multivariate_normal(u, S).log_prob(A)", ds.MultivariateNormal(g("u"), g("S")).log_prob(g("A")))
case("multivariate_normal(A, scale_tril(linalg::cholesky(S))).log_prob(u)", ds.MultivariateNormal(g("A"), g("S")).log_prob(g("u")))
case("multivariate_normal(A, stack(ricci::tuple(S, 2 * S))).log_prob(u)",
     ds.MultivariateNormal(g("A"), torch.stack([g("S"), 2 * g("S")])).log_prob(g("u")))
case("multivariate_normal(A, S).entropy()", ds.MultivariateNormal(g("A"), g("S")).entropy())
case("multivariate_normal(A, S).variance()", ds.MultivariateNormal(g("A"), g("S")).variance)
case("dirichlet(v).log_prob(tensor{0.2, 0.5, 0.3})", ds.Dirichlet(g("v")).log_prob(t([0.2, 0.5, 0.3])))
case("dirichlet(v).entropy()", ds.Dirichlet(g("v")).entropy())
case("dirichlet(v).mean()", ds.Dirichlet(g("v")).mean)
case("dirichlet(v).variance()", ds.Dirichlet(g("v")).variance)
case("independent<1>(normal(A, v)).log_prob(u)", ds.Independent(ds.Normal(g("A"), g("v")), 1).log_prob(g("u")))
case("independent<1>(normal(A, v)).entropy()", ds.Independent(ds.Normal(g("A"), g("v")), 1).entropy())
mixture = ds.MixtureSameFamily(ds.Categorical(g("v")), ds.Normal(g("u"), g("w")))
made = "mixture_same_family(categorical(v), normal(u, w))"
case(f"{made}.log_prob(reals)", mixture.log_prob(g("reals")))
case(f"{made}.cdf(reals)", mixture.cdf(g("reals")))
case(f"{made}.mean()", mixture.mean)
case(f"{made}.variance()", mixture.variance)
vectors = ds.MixtureSameFamily(ds.Categorical(t([1.0, 3])), ds.MultivariateNormal(g("A"), g("S")))
made = "mixture_same_family(categorical(tensor{1.0, 3.0}), multivariate_normal(A, S))"
case(f"{made}.log_prob(A)", vectors.log_prob(g("A")))
case(f"{made}.mean()", vectors.mean)
case(f"{made}.variance()", vectors.variance)
for given, made in (("v", "v"), ("logits(A)", "A")):
    d = ds.Multinomial(9, g("v")) if given == "v" else ds.Multinomial(9, logits=g("A"))
    case(f"multinomial(9, {given}).log_prob(tensor{{2, 3, 4}})", d.log_prob(t([2.0, 3, 4])))
    case(f"multinomial(9, {given}).mean()", d.mean)
    case(f"multinomial(9, {given}).variance()", d.variance)
leaf = g("A").clone().requires_grad_()
slope, = torch.autograd.grad(ds.Multinomial(9, logits=leaf).log_prob(t([2.0, 0, 7])).sum(), leaf)
case("slope([](auto a) { return multinomial(9, logits(a)).log_prob(tensor{2, 0, 7}); }, A)", slope)

# what torch has not
n = lambda name: g(name).numpy()
case("student_t(w, u, v).cdf(reals)", st.t.cdf(n("reals"), n("w"), n("u"), n("v")))
case("student_t(w, u, v).icdf(units)", st.t.ppf(n("units"), n("w"), n("u"), n("v")))
case("gamma(u, v).cdf(positives)", st.gamma.cdf(n("positives"), n("u"), scale=1 / n("v")))
case("gamma(u, v).icdf(units)", st.gamma.ppf(n("units"), n("u"), scale=1 / n("v")))
case("inverse_gamma(w, v).cdf(positives)", st.invgamma.cdf(n("positives"), n("w"), scale=n("v")))
case("inverse_gamma(w, v).icdf(units)", st.invgamma.ppf(n("units"), n("w"), scale=n("v")))
case("beta(u, v).cdf(units)", st.beta.cdf(n("units"), n("u"), n("v")))
case("beta(u, v).icdf(units)", st.beta.ppf(n("units"), n("u"), n("v")))
for name, d in (("bernoulli(p)", st.bernoulli(n("p"))), ("binomial(9, p)", st.binom(9, n("p"))), ("geometric(p)", st.geom(n("p"), -1)),
                ("negative_binomial(v, p)", st.nbinom(n("v"), 1 - n("p")))):
    for at in ("counts", "reals"):
        case(f"{name}.cdf({at})", d.cdf(n(at)))
ratio = ive(1, n("v")) / ive(0, n("v"))
case("von_mises(u, v).log_prob(reals)", st.vonmises.logpdf(n("reals"), n("v"), n("u")))
case("slope([](auto a) { return von_mises(a, v).log_prob(reals); }, u)", n("v") * np.sin(n("reals") - n("u")))
case("slope([](auto a) { return von_mises(u, a).log_prob(reals); }, v)", np.cos(n("reals") - n("u")) - ratio)
case("von_mises(u, v).mean()", n("u"))
case("von_mises(u, v).variance()", 1 - ratio)
case("von_mises(u, v).entropy()", st.vonmises(n("v")).entropy())
case("poisson(w).cdf(counts)", st.poisson.cdf(n("counts"), n("w")))

pairs = [
    ("normal", ds.Normal, ["u", "v"], ["v", "w"]), ("laplace", ds.Laplace, ["u", "v"], ["v", "w"]),
    ("gumbel", ds.Gumbel, ["u", "v"], ["v", "w"]), ("cauchy", ds.Cauchy, ["u", "v"], ["v", "w"]),
    ("exponential", ds.Exponential, ["u"], ["v"]), ("gamma", ds.Gamma, ["u", "v"], ["v", "w"]),
    ("beta", ds.Beta, ["u", "v"], ["v", "w"]),
    ("pareto", ds.Pareto, ["v", "w"], ["u", "v"]), ("log_normal", ds.LogNormal, ["u", "v"], ["v", "w"]),
    ("half_normal", ds.HalfNormal, ["u"], ["v"]), ("poisson", ds.Poisson, ["u"], ["v"]),
    ("bernoulli", ds.Bernoulli, ["p"], ["units"]), ("geometric", ds.Geometric, ["p"], ["units"]),
    ("categorical", ds.Categorical, ["u"], ["v"]), ("dirichlet", ds.Dirichlet, ["u"], ["v"]),
    ("uniform", ds.Uniform, ["u", "w"], ["p", "w"]),
]
for name, make, first, second in pairs:
    case(f"kl_divergence({name}({', '.join(first)}), {name}({', '.join(second)}))",
         ds.kl_divergence(make(*map(g, first)), make(*map(g, second))))
case("kl_divergence(multivariate_normal(u, S), multivariate_normal(v, eye(3)))",
     ds.kl_divergence(ds.MultivariateNormal(g("u"), g("S")), ds.MultivariateNormal(g("v"), torch.eye(3))))
case("kl_divergence(independent<1>(normal(u, v)), independent<1>(normal(v, w)))",
     ds.kl_divergence(ds.Independent(ds.Normal(g("u"), g("v")), 1), ds.Independent(ds.Normal(g("v"), g("w")), 1)))


print("// Generated by make_distributions.py: distributions, by torch.distributions and SciPy.")
print("#pragma once\n")
names = list(cases)
for part in range(3):
    print(f"#define RICCI_DISTRIBUTION_CASES_{part}(check) \\")
    for call in names[part::3]:
        print(f"    check(({call}), ({len(cases[call])}), ({', '.join(map(repr, cases[call]))})) \\")
    print("    static_assert(true)")

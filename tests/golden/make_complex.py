#!/usr/bin/env python3
"""Writes values, gradients, tangents and second derivatives of complex functions as PyTorch computes them: python3
make_complex.py > complex.hpp"""
import torch
from torch.func import grad, jvp, vjp

z = torch.tensor([1 + 2j, -0.5 + 0.3j, 0.7 - 1.1j], dtype=torch.complex128)
w = torch.tensor([0.2 - 1j, 2 + 0.1j, -1.5 + 0.4j], dtype=torch.complex128)
r = torch.tensor([0.7, -1.3, 0.9], dtype=torch.float64)
# the cotangent and the direction
c = torch.tensor([0.3 + 0.5j, -1 + 0.25j, 0.75 - 2j], dtype=torch.complex128)
t = torch.tensor([-0.4 + 1j, 0.6 + 0.7j, 1.25 - 0.2j], dtype=torch.complex128)
m = torch.stack([z, w, c])

functions = {
    "add_multiply": lambda z: z * w + r,
    "divide": lambda z: w / z,
    "real_times": lambda z: r * z * z,
    "conj": lambda z: z.conj() * z * w,
    "real": lambda z: z.real * w,
    "imag": lambda z: (z * z).imag,
    "abs": lambda z: (z * w).abs(),
    "angle": lambda z: (z * w).angle(),
    "parts": lambda z: torch.complex((z * w).imag, z.abs()),
    "polar": lambda z: torch.polar(z.abs(), (z * z).imag),
    "exp": lambda z: (z * w).exp(),
    "log": lambda z: (z * w).log(),
    "sin": lambda z: z.sin(),
    "cos": lambda z: z.cos(),
    "tanh": lambda z: z.tanh(),
    "sqrt": lambda z: z.sqrt(),
    "inverse": lambda z: z.asin() + w * (z * w).acos() + z * z.atan(),
    "inverse_hyperbolic": lambda z: z.asinh() + w * (z * w).acosh() + z * z.atanh(),
    "hyperbolic": lambda z: z.sinh() + w * z.cosh() + z * z.tan(),
    "logarithms": lambda z: z.log2() + w * z.log10() + z * z.log1p(),
    "exponentials": lambda z: z.exp2() + w * z.expm1(),
    "sign": lambda z: (z * w).sgn() * w,
    "square": lambda z: z.square() * w,
    "pow": lambda z: z ** w,
    "pow_of": lambda z: w ** z,
    "where": lambda z: torch.where(z.real > 0, z * z, z.conj() * w),
    "sum": lambda z: (z * w).sum() * z,
    "mean": lambda z: (z * z).mean() * w,
    "prod": lambda z: z.prod() * w,
    "var": lambda z: (z * z).var(correction=0) * r,
    "stddev": lambda z: (z * w).std(correction=1) * w,
    "matmul": lambda z: (m * z) @ (m @ z),
    "cast": lambda z: z.real.to(torch.complex128) * z,
}


def paired(a, b):
    """The real inner product."""
    return (a * b.conj()).real.sum()


def numbers(x):
    x = x.detach().to(torch.complex128).reshape(-1)
    return "{" + ", ".join("{%r, %r}" % (v.real, v.imag) for v in x.tolist()) + "}"


print("// Written by tests/golden/make_complex.py: what PyTorch gives for functions of complex numbers.")
print("#pragma once")
print("#include <complex>")
print("#include <vector>")
print()
print("namespace golden {")
print("using complex_list = std::vector<std::complex<double>>;")
for name, x in ("z", z), ("w", w), ("c", c), ("t", t):
    print(f"inline const complex_list complex_{name} = {numbers(x)};")
print("inline const std::vector<double> complex_r = {" + ", ".join(repr(v) for v in r.tolist()) + "};")
print("/// Of a function f at z: its value, the pullback of c, the pushforward of t, and the pullback of t through that of c.")
print("struct complex_case {")
print("    complex_list value, pullback, pushforward, second;")
print("};")
for name, f in functions.items():
    y, pull = vjp(f, z)
    bar = c if y.is_complex() else c.real
    pullback = lambda z: vjp(f, z)[1](bar)[0]
    rows = y, pull(bar)[0], jvp(f, (z,), (t,))[1], vjp(pullback, z)[1](t)[0]
    print(f"inline const complex_case complex_{name} = {{")
    for row in rows:
        print(f"    {numbers(row)},")
    print("};")
print("/// Gradients of sum(|r z z + w|^2) with respect to z and r, then those of sum(Re(g_z conj(t))) + sum(g_r g_r).")
loss = lambda z, r: (r * z * z + w).abs().square().sum()
g = grad(loss, argnums=(0, 1))
second = grad(lambda z, r: paired(g(z, r)[0], t) + g(z, r)[1].square().sum(), argnums=(0, 1))
print(f"inline const complex_list complex_loss[4] = {{{', '.join(numbers(x) for x in (*g(z, r), *second(z, r)))}}};")
print("}  // namespace golden")

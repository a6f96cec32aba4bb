#!/usr/bin/env python3
"""Writes resampling.hpp: SciPy's smoothing, other rates and waves; NumPy's choices, torch's unpooling, SciPy's eigenvalues of two matrices.

Run: python3 make_resampling.py > resampling.hpp   (with NumPy, SciPy 1.9 or newer and torch)

Calls in C++ of x of shape (2, 40) with x[i] = (37 i % 11) - 5 + (i % 7) / 2, its first row's v, h of 7 elements, images of shape
(2, 3, 6, 7) with images[i] = 53 i % 97, k of shape (3, 4) with k[i] = 29 i % 64, t from -1 to 2 in 13 steps, and stiff and mass.
"""
import numpy as np
import scipy.linalg
import torch
import torch.nn.functional as F
from scipy import signal

i = np.arange(80)
x = (37 * i % 11 - 5.0 + i % 7 / 2).reshape(2, 40)
v = x[0]
h = np.array([0.5, 1, -2, 3, 0.25, -1, 0.125])
t = np.linspace(-1, 2, 13)
lines = {}
for args in ("5, 2", "7, 3, 1", "5, 4, 2, 0.5", "9, 0", "1, 0", "3, 1, 2", "6, 2", "5, 2, 0, 1, 0", "5, 2, 1, 1, 3"):
    lines[f"signal::savgol_coeffs({args})"] = signal.savgol_coeffs(*eval(f"({args})")[:4], pos=(eval(f"({args})") + (None,) * 5)[4])
lines["signal::savgol_filter(x, 7, 2)"] = signal.savgol_filter(x, 7, 2)
lines["signal::savgol_filter(x, 1, 0)"] = signal.savgol_filter(x, 1, 0)
lines["signal::savgol_filter(x.T(), 5, 3, {.deriv = 1, .delta = 0.5, .axis = 0})"] = signal.savgol_filter(x.T, 5, 3, 1, 0.5, axis=0)
for mode, name in (("mirror", "reflect"), ("nearest", "edge"), ("wrap", "wrap"), ("constant", "constant")):
    lines[f"signal::savgol_filter(x, 9, 3, {{.mode = pad_mode::{name}, .cval = 2}})"] = signal.savgol_filter(x, 9, 3, mode=mode, cval=2)
for n in (1, 3, 5, 7):
    lines[f"signal::medfilt(v, {n})"] = signal.medfilt(v, n)
lines["signal::medfilt(x)"] = signal.medfilt(x)
lines["signal::medfilt(x, {1, 9})"] = signal.medfilt(x, (1, 9))
lines["signal::medfilt(x, {3, 5})"] = signal.medfilt(x, (3, 5))
lines["signal::medfilt(astype<std::int32_t>(x), {3, 5})"] = signal.medfilt(x.astype(np.int32), (3, 5))
lines["signal::medfilt(v, 79)"] = signal.medfilt(v, 79)
for up, down in ((1, 1), (2, 1), (1, 3), (3, 2), (2, 5), (4, 6), (7, 5)):
    lines[f"signal::upfirdn(h, x, {up}, {down})"] = signal.upfirdn(h, x, up, down)
    lines[f"signal::resample_poly(x, {up}, {down})"] = signal.resample_poly(x, up, down, axis=1)
lines["signal::upfirdn(h, x.T(), 2, 3, 0)"] = signal.upfirdn(h, x.T, 2, 3, 0)
lines["signal::resample_poly(x.T(), 3, 4, h, 0)"] = signal.resample_poly(x.T, 3, 4, 0, window=h)
lines["signal::decimate(x, 3, -1, signal::decimation::fir)"] = signal.decimate(x, 3, ftype="fir")
lines["signal::decimate(x, 2)"] = signal.decimate(x, 2)
lines["signal::decimate(x.T(), 4, 0, signal::decimation::fir)"] = signal.decimate(x.T, 4, ftype="fir", axis=0)
for kind, text, cut in (("lowpass", "0.3", 0.3), ("highpass", "0.3", 0.3), ("bandpass", "{0.2, 0.5}", [0.2, 0.5]), ("bandstop", "{0.2, 0.5}", [0.2, 0.5])):
    for n in (1, 2, 3):
        p, q = signal.cheby1(n, 0.5, cut, kind)
        lines[f"signal::cheby1({n}, 0.5, {text}, signal::{kind}).b"] = p
        lines[f"signal::cheby1({n}, 0.5, {text}, signal::{kind}).a"] = q
lines["signal::sosfilt(signal::cheby1_sos(8, 0.05, 0.25), x)"] = signal.sosfilt(signal.cheby1(8, 0.05, 0.25, output="sos"), x)
for sweep in ("linear", "quadratic", "logarithmic", "hyperbolic"):
    lines[f"signal::chirp(t, 1.5, 2, 4, signal::sweep::{sweep})"] = signal.chirp(t, 1.5, 2, 4, sweep)
lines["signal::chirp(t, 2, 1, 2, signal::sweep::logarithmic, 30)"] = signal.chirp(t, 2, 1, 2, "logarithmic", 30)
for width in ("1", "0", "0.3"):
    lines[f"signal::sawtooth(6 * t, {width})"] = signal.sawtooth(6 * t, float(width))
lines["signal::square(6 * t)"] = signal.square(6 * t)
lines["signal::square(6 * t, 0.2)"] = signal.square(6 * t, 0.2)
lines["signal::square(6 * t, linspace(0, 1, 13))"] = signal.square(6 * t, np.linspace(0, 1, 13))

k = (29 * np.arange(12) % 64).reshape(3, 4)
choices = {}
for name in ("and", "or", "xor"):
    f = getattr(np, f"bitwise_{name}")
    choices[f"bitwise_{name}_reduce(k, keepdims)"] = f.reduce(k, None, keepdims=True)
    choices[f"bitwise_{name}_reduce(k | 3, 0)"] = f.reduce(k | 3, 0)
    choices[f"bitwise_{name}_reduce(k, 1, keepdims)"] = f.reduce(k, 1, keepdims=True)
    choices[f"bitwise_{name}_reduce(k % 2 == 0, 1)"] = f.reduce(k % 2 == 0, 1)
    choices[f"bitwise_{name}_reduce(astype<std::uint8_t>(k.T()), {{0, 1}}, keepdims)"] = f.reduce(k.astype(np.uint8), (0, 1), keepdims=True)
    choices[f"bitwise_{name}_reduce(empty<int>({{2, 0}}), 1)"] = f.reduce(np.zeros((2, 0), int), 1)
choices["indices({2, 3})"] = np.indices((2, 3))
choices["indices<double>({3})"] = np.indices((3,))
choices["choose(k % 3, ricci::tuple(k, 100, -k))"] = np.choose(k % 3, [k, 100, -k])
choices["histogram_bin_edges(v, 4)"] = np.histogram_bin_edges(v, 4)
choices["histogram_bin_edges(v, 3, {0, 2})"] = np.histogram_bin_edges(v, 3, (0, 2))
images = (53 * np.arange(252) % 97).reshape(2, 3, 6, 7).astype(float)
pictures = torch.tensor(images)
for text, args in (("2", (2,)), ("3, {.stride = 2, .padding = 1}", (3, 2, 1)), ("{2, 3}, {.stride = {1, 2}}", ((2, 3), (1, 2))),
                   ("2, {.stride = 2, .dilation = 2}", (2, 2, 0, 2)), ("3, {.stride = 2, .padding = 1, .ceil_mode = true}", (3, 2, 1, 1, True))):
    y, at = F.max_pool2d(pictures, *args, return_indices=True)
    choices[f"max_pool2d_with_indices(images, {text}).values"] = y.numpy()
    choices[f"max_pool2d_with_indices(images, {text}).indices"] = at.numpy()
y, at = F.max_pool2d(torch.round(pictures / 40), 3, 1, return_indices=True)  # ties
choices["max_pool2d_with_indices(round(images / 40.0), 3, {.stride = 1}).indices"] = at.numpy()
y, at = F.max_pool2d(pictures, 2, return_indices=True)
choices["unpooled(images)"] = F.max_unpool2d(y, at, 2, output_size=(6, 7)).numpy()
y, at = F.max_pool1d(pictures[0], 3, 2, return_indices=True)
choices["max_pool1d_with_indices(images(0), 3, {.stride = 2}).indices"] = at.numpy()
choices["unpooled_lines(images(0))"] = F.max_unpool1d(y, at, 3, 2).numpy()
y, at = F.max_pool3d(pictures, (1, 2, 3), return_indices=True)
choices["max_pool3d_with_indices(images, {1, 2, 3}).indices"] = at.numpy()
stiff, mass = np.array([[2, 1, 0.5], [1, 3, -1], [0.5, -1, 5]]), np.array([[4, 1, 0], [1, 2, 0.5], [0, 0.5, 3]])
choices["linalg::eigh(stiff, mass).eigenvalues"] = scipy.linalg.eigh(stiff, mass)[0]
choices["square(linalg::eigh(stiff, mass).eigenvectors)"] = scipy.linalg.eigh(stiff, mass)[1] ** 2
choices["linalg::eigvalsh(stiff, mass)"] = scipy.linalg.eigvalsh(stiff, mass)


def listed(values):
    return ", ".join(repr(float(v)).removesuffix(".0") for v in values)


def write(name, cases):
    print(f"#define RICCI_{name}_CASES(check) \\")
    for call, y in cases.items():
        y = np.ascontiguousarray(y)
        print(f"    check(({call}), ({listed(y.shape)}), ({listed(y.ravel())})) \\")
    print("    static_assert(true)")


print("// Generated by make_resampling.py: what SciPy, NumPy and torch give.")
print("#pragma once\n")
write("RESAMPLING", lines)
write("CHOICE", choices)

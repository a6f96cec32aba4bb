#!/usr/bin/env python3
"""Writes signal.hpp: SciPy's signal functions. Run: python3 make_signal.py > signal.hpp   (with SciPy 1.9 or newer)

Calls in C++ of x of shape (2, 12) with x[i] = (37 i % 11) - 5, its rows' parts a (9) and v (4), z = a + i (23 i % 7 - 3).
"""
import numpy as np
from scipy import fft, signal
from scipy.signal import windows

i = np.arange(24)
x = (37 * i % 11 - 5.0).reshape(2, 12)
a, v = x[0, :9], x[1, :4]
z = a + 1j * (23 * np.arange(9) % 7 - 3.0)
cases = {}
for name in ("dct", "dst", "idct", "idst"):
    f = getattr(fft, name)
    for kind in (1, 2, 3, 4):
        cases[f"fft::{name}(x, {kind})"] = f(x, kind)
        cases[f"fft::{name}(x, {kind}, {{.n = 5, .axis = 1, .norm = fft::ortho}})"] = f(x, kind, 5, norm="ortho")
    cases[f"fft::{name}(x, 2, {{.axis = 0, .norm = fft::forward}})"] = f(x, 2, axis=0, norm="forward")
    cases[f"fft::{name}(x)"] = f(x)
for name in ("hann", "hamming", "blackman", "nuttall", "blackmanharris", "flattop", "bartlett", "boxcar"):
    for n in (1, 6, 7):
        cases[f"signal::{name}({n})"] = getattr(windows, name)(n)
    cases[f"signal::{name}(6, false)"] = getattr(windows, name)(6, False)
cases["signal::gaussian(7, 1.5)"] = windows.gaussian(7, 1.5)
cases["signal::gaussian(8, 2, false)"] = windows.gaussian(8, 2, False)
cases["signal::tukey(9)"] = windows.tukey(9)
cases["signal::tukey(9, 0.25, false)"] = windows.tukey(9, 0.25, False)
cases["signal::kaiser(8, 14)"] = windows.kaiser(8, 14)
cases["signal::kaiser(8, 0.5, false)"] = windows.kaiser(8, 0.5, False)
for name in ("convolve", "correlate"):
    f = getattr(signal, name)
    for mode in ("full", "same", "valid"):
        for how in ("direct", "fft"):
            cases[f"signal::{name}(a, v, signal::{mode}, signal::method::{how})"] = f(a, v, mode, how)
        cases[f"signal::{name}(v, a, signal::{mode})"] = f(v, a, mode, "direct")
    cases[f"signal::{name}(z, v)"] = f(z, v, method="direct")
    cases[f"signal::{name}(a, z, signal::same, signal::method::fft)"] = f(a, z, "same", "direct")
for mode in ("full", "same", "valid"):
    cases[f"signal::fft_convolve(x, x(all, slice(0, 5)), signal::{mode})"] = signal.convolve2d(x, x[:, :5], mode)
f, p = signal.periodogram(a, 4)
cases["std::get<0>(signal::periodogram(a, {.rate = 4}))"] = f
cases["std::get<1>(signal::periodogram(a, {.rate = 4}))"] = p
cases["std::get<1>(signal::periodogram(x, {.detrend = false, .power = true}))"] = signal.periodogram(x, detrend=False, scaling="spectrum")[1]
cases["std::get<1>(signal::welch(x))"] = signal.welch(x, nperseg=12)[1]
cases["std::get<1>(signal::welch(x, signal::hamming(5, false), {.rate = 2, .overlap = 3}))"] = signal.welch(x, 2, "hamming", 5, 3)[1]
cases["std::get<1>(signal::welch(x, signal::hann(5), {.n_fft = 8, .onesided = false}))"] = signal.welch(x, 1, windows.hann(5), 5, 2, 8, return_onesided=False)[1]
f, p = signal.welch(z, 3, "hann", 4)
cases["std::get<0>(signal::welch(z, signal::hann(4, false), {.rate = 3}))"] = f
cases["std::get<1>(signal::welch(z, signal::hann(4, false), {.rate = 3}))"] = p
cases["std::get<1>(signal::periodogram(z, {.detrend = false}))"] = signal.periodogram(z, detrend=False, return_onesided=False)[1]
cases["std::get<1>(signal::csd(a, x(1), {.rate = 2}))"] = signal.csd(a, x[1], 2, nperseg=12)[1]
cases["std::get<1>(signal::csd(a, x(all, slice(0, 9)), signal::hann(4, false), {.overlap = 1, .n_fft = 7, .power = true}))"] = signal.csd(a, x[:, :9], nperseg=4, noverlap=1, nfft=7, scaling="spectrum")[1]
cases["std::get<1>(signal::csd(z, x(all, slice(0, 9)), signal::hann(4, false)))"] = signal.csd(z, x[:, :9], nperseg=4, return_onesided=False)[1]
cases["std::get<1>(signal::coherence(x(1), x, signal::hann(4, false)))"] = signal.coherence(x[1], x, nperseg=4)[1]
w = windows.hann(4, False)


def stft(x, w, hop, center=True, n=None, transform=np.fft.rfft):
    n = n or len(w)
    w = np.pad(w, [((n - len(w)) // 2, (n - len(w) + 1) // 2)])
    if center:
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(n // 2, n // 2)], "reflect")
    frames = np.lib.stride_tricks.sliding_window_view(x, n, -1)[..., ::hop, :]
    return np.swapaxes(transform(frames * w), -1, -2)


cases["signal::stft(x, signal::hann(4, false))"] = stft(x, w, 1)
cases["signal::stft(a, signal::hann(5), {.hop = 2, .center = false})"] = stft(a, windows.hann(5), 2, False)
cases["signal::stft(a, signal::hann(4, false), {.hop = 2, .normalized = true})"] = stft(a, w, 2) / 2
cases["signal::stft(x, signal::hann(4, false), {.hop = 2, .n_fft = 7})"] = stft(x, w, 2, n=7)
cases["signal::stft(a, signal::hann(4, false), {.onesided = false})"] = stft(a, w, 1, transform=np.fft.fft)
cases["signal::stft(z, signal::hann(4, false), {.n_fft = 6, .center = false})"] = stft(z, w, 1, False, 6, np.fft.fft)
for n in (1, 7, 17, 1009, 4097, 6000):
    cases[f"full<double>({{1}}, static_cast<double>(fft::next_fast_len({n})))"] = np.array([float(fft.next_fast_len(n, True))])


def listed(values):
    return ", ".join(repr(float(v)).removesuffix(".0") for v in values)


print("// Generated by make_signal.py: SciPy's signal functions; of complex results real and imaginary parts in turn.")
print("#pragma once\n")
print("#define RICCI_SIGNAL_CASES(check) \\")
for call, y in cases.items():
    y = np.ascontiguousarray(y)
    parts = y.ravel().view(float) if np.iscomplexobj(y) else y.ravel()
    print(f"    check(({call}), ({listed(y.shape)}), ({listed(parts)})) \\")
print("    static_assert(true)")

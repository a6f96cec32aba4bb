#!/usr/bin/env python3
"""Writes filters.hpp: SciPy's filters and peaks. Run: python3 make_filters.py > filters.hpp   (with SciPy 1.9 or newer)

Calls in C++ of x of shape (2, 40) with x[i] = (37 i % 11) - 5 + (i % 7) / 2, its first row's v, b and a of butter(3, 0.2).
"""
import numpy as np
from scipy import signal

i = np.arange(80)
x = (37 * i % 11 - 5.0 + i % 7 / 2).reshape(2, 40)
v = x[0]
b, a = signal.butter(3, 0.2)
zi = signal.lfilter_zi(b, a)
kinds = {"lowpass": ("0.3", 0.3), "highpass": ("0.3", 0.3), "bandpass": ("{0.2, 0.5}", [0.2, 0.5]), "bandstop": ("{0.02, 0.9}", [0.02, 0.9])}
cases = {}
for kind, (text, cut) in kinds.items():
    for n in (1, 2, 3, 6):
        p, q = signal.butter(n, cut, kind)
        cases[f"signal::butter({n}, {text}, signal::{kind}).b"] = p
        cases[f"signal::butter({n}, {text}, signal::{kind}).a"] = q
        s = signal.butter(n, cut, kind, output="sos")
        cases[f"signal::sosfilt(signal::butter_sos({n}, {text}, signal::{kind}), x)"] = signal.sosfilt(s, x)
cases["signal::butter(2, 12, signal::highpass, 100).a"] = signal.butter(2, 12, "highpass", fs=100)[1]
for n, text, cut in ((3, "0.3", 0.3), (2, "0.3", 0.3)):
    cases[f"signal::sosfiltfilt(signal::butter_sos({n}, {text}), x)"] = signal.sosfiltfilt(signal.butter(n, cut, output="sos"), x)
s = signal.butter(2, [0.3, 0.4], "bandstop", output="sos")
cases["signal::sosfiltfilt(signal::butter_sos(2, {0.3, 0.4}, signal::bandstop), x.T(), 0)"] = signal.sosfiltfilt(s, x.T, 0)
cases["signal::lfilter_zi(b, a)"] = zi
cases["signal::lfilter_zi(tensor{1.0, 2.0, 3.0, 4.0}, tensor{2.0, 0.5})"] = signal.lfilter_zi([1, 2, 3, 4.0], [2, 0.5])
for call, result in (("x, signal::lfilter_zi(b, a)", signal.lfilter(b, a, x, zi=np.array([zi, zi]))),
                     ("x(all, slice(0, 2)), signal::lfilter_zi(b, a)", signal.lfilter(b, a, x[:, :2], zi=np.array([zi, zi]))),
                     ("x, x(all, slice(0, 3)), 1", signal.lfilter(b, a, x, 1, x[:, :3])),
                     ("x.T(), x.T()(slice(3, 6)), 0", signal.lfilter(b, a, x.T, 0, x.T[3:6]))):
    cases[f"signal::lfilter(b, a, {call}).y"], cases[f"signal::lfilter(b, a, {call}).zf"] = result
cases["signal::filtfilt(b, a, x)"] = signal.filtfilt(b, a, x)
cases["signal::filtfilt(b, a, x.T(), 0, 20)"] = signal.filtfilt(b, a, x.T, 0, padlen=20)
cases["signal::filtfilt(tensor{0.25, 0.5, 0.25}, tensor{1}, v, 0, 0)"] = signal.filtfilt([0.25, 0.5, 0.25], [1], v, padlen=0)
cases["signal::firwin(11, 0.3)"] = signal.firwin(11, 0.3)
cases["signal::firwin(10, 0.3)"] = signal.firwin(10, 0.3)
cases["signal::firwin(11, 0.3, signal::highpass)"] = signal.firwin(11, 0.3, pass_zero=False)
cases["signal::firwin(11, {0.2, 0.5}, signal::bandpass)"] = signal.firwin(11, [0.2, 0.5], pass_zero=False)
cases["signal::firwin(11, {10, 20}, signal::bandstop, 100)"] = signal.firwin(11, [10, 20], fs=100)
cases["signal::firwin(signal::kaiser(17, 8), {0.1, 0.3, 0.5}, signal::bandpass)"] = signal.firwin(17, [0.1, 0.3, 0.5], window=("kaiser", 8.0), pass_zero=False)
w, h = signal.freqz(b, a, 8)
cases["std::get<0>(signal::freqz(b, a, 8))"] = w
cases["std::get<1>(signal::freqz(b, a, 8))"] = h
cases["std::get<0>(signal::freqz(b, a, 8, 100))"] = signal.freqz(b, a, 8, fs=100)[0]
for options, keys in (("", {}), (".height = 5", {"height": 5}), (".height = {0, 4}", {"height": (0, 4)}), (".height = {none, 4}", {"height": (None, 4)}),
                      (".threshold = 4", {"threshold": 4}), (".threshold = {2, 8}", {"threshold": (2, 8)}), (".distance = 5", {"distance": 5}),
                      (".distance = 2.5", {"distance": 2.5}), (".prominence = 8", {"prominence": 8}), (".prominence = {2, 9}, .wlen = 7", {"prominence": (2, 9), "wlen": 7}),
                      (".width = 1.6", {"width": 1.6}), (".width = {1, 1.7}, .rel_height = 0.7", {"width": (1, 1.7), "rel_height": 0.7})):
    cases[f"signal::find_peaks(v, {{{options}}})"] = signal.find_peaks(v, **keys)[0]
steps = np.floor(v / 4)
for options, keys in (("", {}), (".plateau_size = 2", {"plateau_size": 2}), (".plateau_size = {1, 2}", {"plateau_size": (1, 2)})):
    cases[f"signal::find_peaks(floor(v / 4), {{{options}}})"] = signal.find_peaks(steps, **keys)[0]
peaks = signal.find_peaks(v)[0]
for text, wlen in (("", None), (", 8", 8)):
    for name, y in zip(("prominences", "left_bases", "right_bases"), signal.peak_prominences(v, peaks, wlen)):
        cases[f"signal::peak_prominences(v, signal::find_peaks(v){text}).{name}"] = y
for text, height, wlen in (("", 0.5, None), (", 0.9", 0.9, None), (", 0.7, 8", 0.7, 8)):
    for name, y in zip(("widths", "width_heights", "left_ips", "right_ips"), signal.peak_widths(v, peaks, height, wlen=wlen)):
        cases[f"signal::peak_widths(v, signal::find_peaks(v){text}).{name}"] = y
for text, axis in (("", -1), (", 0", 0)):
    cases[f"signal::detrend(x{text})"] = signal.detrend(x, axis)
    z = signal.hilbert(x, axis=axis)
    cases[f"signal::hilbert(x{text})"] = z
cases["signal::detrend(x, 1, signal::trend::constant)"] = signal.detrend(x, type="constant")
cases["signal::detrend(x(all, slice(0, 1)))"] = np.zeros((2, 1))
cases["signal::hilbert(x(all, slice(0, 7)))"] = signal.hilbert(x[:, :7])
for have in (7, 8):
    for n in (1, 4, 5, 7, 8, 9, 12):
        cases[f"signal::resample(x(all, slice(0, {have})), {n})"] = signal.resample(x[:, :have], n, axis=1)
cases["signal::resample(x.T(), 10, 0)"] = signal.resample(x.T, 10, axis=0)


def listed(values):
    return ", ".join(repr(float(v)).removesuffix(".0") for v in values)


print("// Generated by make_filters.py: SciPy's filters and peaks; of complex results real and imaginary parts in turn.")
print("#pragma once\n")
print("#define RICCI_FILTER_CASES(check) \\")
for call, y in cases.items():
    y = np.ascontiguousarray(y)
    parts = y.ravel().view(float) if np.iscomplexobj(y) else y.ravel()
    print(f"    check(({call}), ({listed(y.shape)}), ({listed(parts)})) \\")
print("    static_assert(true)")

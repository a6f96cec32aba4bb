#!/usr/bin/env python3
"""Writes numpy.hpp: more of NumPy's functions on the arrays of make_names.py. Run: python3 make_numpy.py > numpy.hpp

Calls in C++ of x of shape (3, 4) with x[i] = (37 i % 11) - 5, n (x with NaN where it is -5 or 3), v = x[0], w = x[1],
k = x as int, and what NumPy gives.
"""
import numpy as np
import scipy.special as special

np.seterr(divide="ignore", invalid="ignore")
x = (37 * np.arange(12) % 11 - 5.0).reshape(3, 4)
n = np.where((x == -5) | (x == 3), np.nan, x)
v, w, k = x[0], x[1], x.astype(int)
points = np.stack([x.ravel(), np.roll(x.ravel(), 1), x.ravel()], 1)
counts = np.histogramdd(points, [3, 2, 2], [[-4, 4], [-5, 5], [0, 3]])[0]
bytes_ = (k + 9).astype(np.uint8)
cases = {
    "i0(2 * x)": special.i0(2 * x), "i1(3 * x)": special.i1(3 * x), "logaddexp2(x, w)": np.logaddexp2(x, w), "ldexp(x, k(1))": np.ldexp(x, k[1]),
    "std::get<0>(frexp(k * x))": np.frexp(k * x)[0], "std::get<1>(frexp(k * x))": np.frexp(k * x)[1], "bitwise_count(k * k(0))": np.bitwise_count(k * k[0]),
    "std::get<0>(modf(x / 3))": np.modf(x / 3)[0], "std::get<1>(modf(x / 3))": np.modf(x / 3)[1], "std::get<0>(divmod(k, 3))": np.divmod(k, 3)[0],
    "std::get<1>(divmod(x, -2.5))": np.divmod(x, -2.5)[1], "isposinf(x / 0.0)": np.isposinf(x / 0.0), "isneginf(log(abs(1.0 * (k - k(0)))))": np.isneginf(np.log(np.abs(k - k[0]))),
    "ediff1d(x)": np.ediff1d(x), "unwrap(2 * x)": np.unwrap(2 * x), "unwrap(k, 0, 4)": np.unwrap(k, axis=0, period=4), "unwrap(x, 1, 2, 5)": np.unwrap(x, 5, 1, period=2),
    "unwrap(1.5 * x, 0)": np.unwrap(1.5 * x, axis=0), "nanpercentile(n, 30, 1)": np.nanpercentile(n, 30, 1), "nanpercentile(n, {10, 60})": np.nanpercentile(n, [10, 60]),
    "nanpercentile(n, {10, 60}, 0, quantile_method::midpoint)": np.nanpercentile(n, [10, 60], 0, method="midpoint"),
    "trim_zeros(tensor{0, 0, 1, 0, 2, 0})": np.trim_zeros([0, 0, 1, 0, 2, 0]), "trim_zeros(tensor{0, 1, 0}, \"f\")": np.trim_zeros([0, 1, 0], "f"),
    "trim_zeros(tensor{0, 1, 0}, \"b\")": np.trim_zeros([0, 1, 0], "b"), "trim_zeros(tensor{0, 0})": np.trim_zeros([0, 0]),
    "std::get<0>(histogramdd(ricci::tuple(x, roll(x, 1), k), {3, 2, 2}, {{-4, 4}, {-5, 5}, {0, 3}}))": counts,
    "std::get<1>(histogramdd(ricci::tuple(x, roll(x, 1), k), {3, 2, 2}))[1]": np.histogramdd(points, [3, 2, 2])[1][1],
    "std::get<0>(histogramdd(ricci::tuple(x, roll(x, 1)), 4))": np.histogramdd(points[:, :2], 4)[0],
    "packbits(x > 0)": np.packbits(x > 0), "packbits(x > 0, 0)": np.packbits(x > 0, axis=0), "packbits(k, 1, bit_order::little)": np.packbits(k != 0, axis=1, bitorder="little"),
    "unpackbits(astype<std::uint8_t>(k + 9), 1)": np.unpackbits(bytes_, axis=1), "unpackbits(packbits(x > 0))": np.unpackbits(np.packbits(x > 0)),
    "unpackbits(astype<std::uint8_t>(k + 9), 0, -2, bit_order::little)": np.unpackbits(bytes_, axis=0, count=-2, bitorder="little"),
    "poly(v)": np.poly(v), "poly(k(0))": np.poly(k[0]), "polyadd(v, k(1, slice(0, 2)))": np.polyadd(v, k[1, :2]), "polysub(k(1, slice(0, 2)), v)": np.polysub(k[1, :2], v),
    "polymul(v, k(1, slice(1, 4)))": np.polymul(v, k[1, 1:]), "std::get<0>(polydiv(v, w(slice(1, 3))))": np.polydiv(v, w[1:3])[0], "std::get<1>(polydiv(v, w(slice(1, 3))))": np.polydiv(v, w[1:3])[1],
    "std::get<0>(polydiv(k(0), k(1, slice(1, 4))))": np.polydiv(k[0], k[1, 1:])[0], "std::get<1>(polydiv(k(0), k(1, slice(1, 4))))": np.polydiv(k[0], k[1, 1:])[1],
    "array_split(x, 3, 1)[0]": np.array_split(x, 3, 1)[0], "array_split(x, 3, 1)[2]": np.array_split(x, 3, 1)[2], "array_split(x, 5)[4]": np.array_split(x, 5)[4],
    "x(ix_(tensor{2, 0}, tensor{1, 3, -1}))": x[np.ix_([2, 0], [1, 3, -1])], "x(ix_(v(slice(0, 3)) < 0, tensor{0, 2}))": x[np.ix_(v[:3] < 0, [0, 2])],
    "tri(3, 4, 1)": np.tri(3, 4, 1), "erase(ravel(x), {1, 2, 4, 6, 7, 8, 9, -1, 1})": np.delete(x.ravel(), [1, 2, 4, 6, 7, 8, 9, -1, 1]),
    "nan_to_num(x / 0.0)": np.nan_to_num(x / 0.0), "nan_to_num(x / 0.0, {.nan = 2, .posinf = 7})": np.nan_to_num(x / 0.0, nan=2, posinf=7),
    "nan_to_num(n, {.nan = -1.5, .neginf = 3})": np.nan_to_num(n, nan=-1.5, neginf=3), "polyfit(v, w, 3)": np.polyfit(v, w, 3), "polyfit(v, w, 0)": np.polyfit(v, w, 0),
    "gradient(k, 2, 0, 2)": np.gradient(k, 2, axis=0, edge_order=2), "gradient(x, tensor{0.0, 1.0, 1.5, 4.0}, 1, 2)": np.gradient(x, [0, 1, 1.5, 4], axis=1, edge_order=2),
    "percentile(x, {10, 60}, {0, 1}, keepdims, quantile_method::higher)": np.percentile(x, [10, 60], (0, 1), method="higher", keepdims=True),
    "percentile(k, 45, 1, quantile_method::nearest)": np.percentile(k, 45, 1, method="nearest"), "percentile(x, 45, 0, keepdims, quantile_method::midpoint)": np.percentile(x, 45, 0, method="midpoint", keepdims=True),
    "stack(ricci::tuple(x, 2 * x, x - 1), 2)": np.stack([x, 2 * x, x - 1], 2), "stack(ricci::tuple(k, 2 * k), 2)": np.stack([k, 2 * k], 2), "stack(ricci::tuple(x < 0, x > 2), 2)": np.stack([x < 0, x > 2], 2),
    "argmax(x > 3, 1)": np.argmax(x > 3, 1), "argmin(x > 0, 1)": np.argmin(x > 0, 1), "argmax(x > 9)": np.argmax(x > 9), "pow(k, 3)": k**3, "pow(k, 2)": k**2, "pow(k, 5)": k**5,
    "erase(x, {-1, 0, 2, 2}, 1)": np.delete(x, [-1, 0, 2, 2], 1),
}


def listed(values):
    return ", ".join("not_a_number" if np.isnan(a) else repr(float(a)) for a in values)


print("// Generated by make_numpy.py: more of NumPy's functions.")
print("#pragma once\n")
print("#define RICCI_NUMPY_CASES(check) \\")
for call, y in cases.items():
    y = np.asarray(y)
    print(f"    check(({call}), ({', '.join(map(str, y.shape))}), ({listed(y.ravel())})) \\")
print("    static_assert(true)")

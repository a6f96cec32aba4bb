#!/usr/bin/env python3
"""Writes names.hpp: functions that NumPy, SciPy and PyTorch have, on the same arrays. Run: python3 make_names.py > names.hpp

Calls in C++ of x of shape (3, 4) with x[i] = (37 i % 11) - 5, n (x with NaN where it is -5 or 3), v = x[0], w = x[1],
k = x as int, and what NumPy gives.
"""
import numpy as np
import scipy.linalg
import scipy.spatial.distance as distance
import scipy.integrate
import torch
import torch.nn.functional as F

x = (37 * np.arange(12) % 11 - 5.0).reshape(3, 4)
n = np.where((x == -5) | (x == 3), np.nan, x)
v, w, k = x[0], x[1], x.astype(int)
t, tw = torch.tensor(x), torch.tensor(x[::-1].copy())
places = np.array([0.0, 1, 3, 4])
classes = torch.tensor([2, 0, 3])
counts, x_edges, y_edges = np.histogram2d(x.ravel(), np.roll(x.ravel(), 1), [3, 2], [[-4, 4], [-5, 5]])
cases = {
    "union1d(k(0), k(1))": np.union1d(k[0], k[1]), "intersect1d(k(0), k)": np.intersect1d(k[0], k),
    "intersect1d(x, w + 1)": np.intersect1d(x, w + 1), "setdiff1d(k, k(2))": np.setdiff1d(k, k[2]),
    "setxor1d(k(0), k(1))": np.setxor1d(k[0], k[1]), "union1d(k(0), x(1))": np.union1d(k[0], x[1]),
    "nancumsum(n, 1)": np.nancumsum(n, 1), "nancumsum(n)": np.nancumsum(n), "nancumprod(n, 0)": np.nancumprod(n, 0),
    "nancumsum(k, 1)": np.nancumsum(k, 1), "logcumsumexp(x, 1)": torch.logcumsumexp(t, 1), "logcumsumexp(100 * x, 0)": torch.logcumsumexp(100 * t, 0),
    "cumulative_trapezoid(x)": scipy.integrate.cumulative_trapezoid(x), "cumulative_trapezoid(k, 0.5, 0)": scipy.integrate.cumulative_trapezoid(k, dx=0.5, axis=0),
    "cumulative_trapezoid(x, places)": scipy.integrate.cumulative_trapezoid(x, places),
    "nanargmax(n, 1)": np.nanargmax(n, 1), "nanargmin(n, 0)": np.nanargmin(n, 0), "nanargmax(n)": np.nanargmax(n), "nanargmin(k)": np.nanargmin(k),
    "ravel_multi_index(ricci::tuple(tensor{2, 0}, tensor{1, 3}), shape{3, 4})": np.ravel_multi_index(([2, 0], [1, 3]), (3, 4)),
    "ravel_multi_index(unravel_index(arange(24), shape{2, 3, 4}), shape{2, 3, 4})": np.arange(24),
    "partition(x, 2)(all, 2)": np.partition(x, 2)[:, 2], "take_along_axis(x, argpartition(x, 1, 0), 0)(1)": np.partition(x, 1, 0)[1],
    "lexsort(ricci::tuple(k(0), k(1)))": np.lexsort((k[0], k[1])),
    "lexsort(ricci::tuple(tensor{1, 5, 1, 4, 3, 4, 4}, tensor{9, 4, 0, 4, 0, 2, 1} % 3))": np.lexsort(([1, 5, 1, 4, 3, 4, 4], np.array([9, 4, 0, 4, 0, 2, 1]) % 3)),
    "ptp(x)": np.ptp(x), "ptp(x, 0)": np.ptp(x, 0), "ptp(x, {0, 1}, keepdims)": np.ptp(x, (0, 1), keepdims=True),
    "x(tril_indices(3, 1, 4))": x[np.tril_indices(3, 1, 4)], "x(triu_indices(3, -1, 4))": x[np.triu_indices(3, -1, 4)],
    "x(tril_indices(3))": x[np.tril_indices(3)], "x(diag_indices(3))": x[np.diag_indices(3)], "flatnonzero(x)": np.flatnonzero(x),
    "block_diag(x, k(slice(0, 1)), eye<double>(2))": scipy.linalg.block_diag(x, k[:1], np.eye(2)),
    "polyfit(places, v, 2)": np.polyfit(places, v, 2), "polyfit(places, matrix_transpose(x), 1)": np.polyfit(places, x.T, 1),
    "polyder(v)": np.polyder(v), "polyder(v, 3)": np.polyder(v, 3), "polyint(k(0))": np.polyint(k[0]), "polyint(v, 2, 3)": np.polyint(v, 2, [3, 3]),
    "append(x, w)": np.append(x, w), "append(x, k, 0)": np.append(x, k, 0), "append(v, 7)": np.append(v, 7),
    "insert(x, 1, 9, 0)": np.insert(x, 1, 9, 0), "insert(x, -1, w, 0)": np.insert(x, -1, w, 0), "insert(x, 4, tensor{7, 8, 9}, 1)": np.insert(x, 4, [7, 8, 9], 1),
    "insert(x, {4, 0, 4, -1}, 5, 1)": np.insert(x, [4, 0, 4, -1], 5, 1), "insert(x, tensor{1, 1, 0}, w, 0)": np.insert(x, [1, 1, 0], w, 0), "insert(v, {1, 3}, tensor{7, 8})": np.insert(v, [1, 3], [7, 8]),
    "insert(x, 2, x, 0)": np.concatenate([x[:2], x, x[2:]]), "insert(v, 0, 1.5)": np.insert(v, 0, 1.5),
    "erase(x, 1, 1)": np.delete(x, 1, 1), "erase(x, {0, -1}, 1)": np.delete(x, [0, -1], 1), "erase(v, tensor{1, 1, 2})": np.delete(v, [1, 1, 2]),
    "cdist(x, k + 1)": distance.cdist(x, k + 1), "cdist(x, x(slice(1, none)), 1)": distance.cdist(x, x[1:], "cityblock"),
    "cdist(x, x + 0.5, 3)": distance.cdist(x, x + 0.5, "minkowski", p=3), "cdist(x, x, infinity)": distance.cdist(x, x, "chebyshev"), "pdist(x)": distance.pdist(x),
    "pdist(x, 1)": distance.pdist(x, "cityblock"), "cosine_similarity(x, flip(x, 0))": F.cosine_similarity(t, tw), "cosine_similarity(x, w, 0)": F.cosine_similarity(t, t[1], 0),
    "normalize(x)": F.normalize(t), "normalize(x, 1, 0)": F.normalize(t, 1, 0), "normalize(0 * x)": F.normalize(0 * t),
    "mse_loss(x, flip(x, 0))": F.mse_loss(t, tw), "l1_loss(x, flip(x, 0))": F.l1_loss(t, tw), "huber_loss(x, flip(x, 0), 1.5)": F.huber_loss(t, tw, delta=1.5),
    "smooth_l1_loss(x, flip(x, 0), 0.7)": F.smooth_l1_loss(t, tw, beta=0.7), "cross_entropy(x, tensor{2, 0, 3})": F.cross_entropy(t, classes),
    "cross_entropy(x, softmax(-x, 1))": F.cross_entropy(t, (-t).softmax(1)),
    "binary_cross_entropy_with_logits(20 * x, x > 0)": F.binary_cross_entropy_with_logits(20 * t, (t > 0).double()),
    "one_hot(tensor{2, 0, 3}, 4)": F.one_hot(classes, 4), "softmin(x, 1)": F.softmin(t, 1),
    "select(ricci::tuple(x < -2, x < 1), ricci::tuple(-x, k * k), 0.5)": np.select([x < -2, x < 1], [-x, x * x], 0.5),
    "gcd(k, 6)": np.gcd(k, 6), "lcm(k, k(1))": np.lcm(k, k[1]), "gcd(astype<std::int64_t>(k) * 1000000007, 30)": np.gcd(k * 1000000007, 30),
    "std::get<0>(histogram2d(x, roll(x, 1), 3, 2, {-4, 4}, {-5, 5}))": counts, "std::get<1>(histogram2d(x, roll(x, 1), 3, 2, {-4, 4}, {-5, 5}))": x_edges,
    "std::get<0>(histogram2d(x, roll(x, 1)))": np.histogram2d(x.ravel(), np.roll(x.ravel(), 1))[0],
    "std::get<2>(histogram2d(x, 0 * x, 2))": np.histogram2d(x.ravel(), 0 * x.ravel(), 2)[2],
}


def listed(values):
    return ", ".join("not_a_number" if np.isnan(a) else repr(float(a)) for a in values)


print("// Generated by make_names.py: functions that NumPy, SciPy and PyTorch have.")
print("#pragma once\n")
print("#define RICCI_NAMES_CASES(check) \\")
for call, y in cases.items():
    y = np.asarray(y)
    print(f"    check(({call}), ({', '.join(map(str, y.shape))}), ({listed(y.ravel())})) \\")
print("    static_assert(true)")

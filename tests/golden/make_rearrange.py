#!/usr/bin/env python3
"""Writes rearrange.hpp: NumPy's flip, roll, tile, pad and their kin. Run: /usr/bin/python3 make_rearrange.py > rearrange.hpp

RICCI_REARRANGE_CASES and RICCI_MATRIX_CASES: calls in C++ of x = arange(24).reshape(2, 3, 4), m = arange(12).reshape(3, 4),
v = arange(5), one = arange(3).reshape(3, 1), and the shape and the elements that NumPy gives.
"""
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

x, m, v = np.arange(24).reshape(2, 3, 4), np.arange(12).reshape(3, 4), np.arange(5)
one, nothing = np.arange(3).reshape(3, 1), np.zeros((0, 3), int)

rearrange = {
    "moveaxis(x, 0, -1)": np.moveaxis(x, 0, -1), "moveaxis(x, -1, 0)": np.moveaxis(x, -1, 0), "moveaxis(x, 1, 1)": x,
    "moveaxis(x, {0, 1}, {-1, 0})": np.moveaxis(x, [0, 1], [-1, 0]),
    "moveaxis(x, {2, 0}, {0, 1})": np.moveaxis(x, [2, 0], [0, 1]),
    "swapaxes(x, 0, 2)": np.swapaxes(x, 0, 2), "swapaxes(x, -1, -2)": np.swapaxes(x, -1, -2),
    "expand_dims(x, 0)": np.expand_dims(x, 0), "expand_dims(x, -1)": np.expand_dims(x, -1),
    "expand_dims(m, 1)": np.expand_dims(m, 1),
    "squeeze(one, 1)": np.squeeze(one, 1), "squeeze(expand_dims(one, 0), {0, -1})": np.arange(3),
    "ravel(x)": x.ravel(), "broadcast_to(v, {2, 5})": np.broadcast_to(v, (2, 5)),
    "std::get<0>(broadcast_arrays(one, m))": np.broadcast_arrays(one, m)[0],
    "std::get<1>(broadcast_arrays(m, x))": np.broadcast_arrays(m, x)[1],
    "std::get<0>(broadcast_arrays(m, x))": np.broadcast_arrays(m, x)[0],
    "flip(x)": np.flip(x), "flip(x, 1)": np.flip(x, 1), "flip(x, {0, -1})": np.flip(x, (0, -1)), "flip(nothing, 0)": nothing,
    "rot90(m)": np.rot90(m), "rot90(m, 2)": np.rot90(m, 2), "rot90(m, -1)": np.rot90(m, -1), "rot90(m, 4)": m,
    "rot90(x, 1, {0, 2})": np.rot90(x, 1, (0, 2)), "rot90(x, 3, {2, 1})": np.rot90(x, 3, (2, 1)),
    "roll(x, 1, 2)": np.roll(x, 1, 2), "roll(x, -5, 1)": np.roll(x, -5, 1), "roll(x, 7)": np.roll(x, 7),
    "roll(x, {1, -1}, {0, 2})": np.roll(x, (1, -1), (0, 2)), "roll(nothing, 2, 0)": nothing, "roll(v, 0)": v,
    "tile(m, {2, 1})": np.tile(m, (2, 1)), "tile(m, {2})": np.tile(m, 2), "tile(v, {2, 3})": np.tile(v, (2, 3)),
    "tile(m, {0, 2})": np.tile(m, (0, 2)),
    "repeat(m, 2, 0)": np.repeat(m, 2, 0), "repeat(m, 3, -1)": np.repeat(m, 3, -1), "repeat(v, 2)": np.repeat(v, 2),
    "repeat(m, 0, 0)": np.repeat(m, 0, 0), "repeat(m, tensor<int, 1>{2, 0, 1}, 0)": np.repeat(m, [2, 0, 1], 0),
    "unstack(x)[1]": x[1], "unstack(x, -1)[2]": x[..., 2],
    "split(m, 2, 1)[1]": np.split(m, 2, 1)[1], "split(v, {1, 3})[0]": v[:1], "split(v, {1, 3})[1]": v[1:3],
    "split(v, {1, 3})[2]": v[3:], "split(v, {3, 1})[1]": np.split(v, [3, 1])[1], "split(v, {-2, 9})[1]": np.split(v, [-2, 9])[1],
}
matrix = {
    "tril(x)": np.tril(x), "tril(m, 1)": np.tril(m, 1), "tril(m, -2)": np.tril(m, -2), "triu(x)": np.triu(x),
    "triu(m, -1)": np.triu(m, -1), "triu(m, 9)": np.triu(m, 9),
    "diagonal(m)": np.diagonal(m), "diagonal(m, 2)": np.diagonal(m, 2), "diagonal(m, -2)": np.diagonal(m, -2),
    "diagonal(m, 9)": np.diagonal(m, 9), "diagonal(x)": np.diagonal(x), "diagonal(x, 1, -2, -1)": np.diagonal(x, 1, -2, -1),
    "diagonal(x, -1, 2, 0)": np.diagonal(x, -1, 2, 0),
    "diag(v)": np.diag(v), "diag(v, 2)": np.diag(v, 2), "diag(v, -1)": np.diag(v, -1), "diag(m, 1)": np.diag(m, 1),
    "trace(m)": np.trace(m), "trace(x, 1)": np.trace(x, 1), "trace(x, 0, 1, 2)": np.trace(x, 0, 1, 2),
    "pad(m, {{1, 2}, {0, 1}})": np.pad(m, ((1, 2), (0, 1))), "pad(v, {{2, 0}}, 7)": np.pad(v, (2, 0), constant_values=7),
    "pad(m, {{2, 1}, {1, 3}}, pad_mode::reflect)": np.pad(m, ((2, 1), (1, 3)), "reflect"),
    "pad(v, {{9, 6}}, pad_mode::reflect)": np.pad(v, (9, 6), "reflect"),
    "pad(v, {{3, 7}}, pad_mode::symmetric)": np.pad(v, (3, 7), "symmetric"),
    "pad(m, {{2, 1}, {0, 2}}, pad_mode::replicate)": np.pad(m, ((2, 1), (0, 2)), "edge"),
    "pad(v, {{7, 6}}, pad_mode::circular)": np.pad(v, (7, 6), "wrap"),
    "pad(m, {{1, 0}, {0, 0}}, pad_mode::constant)": np.pad(m, ((1, 0), (0, 0))),
    "pad(m, {1, 2})": np.pad(m, (1, 2)), "pad(v, {2, 1}, pad_mode::wrap)": np.pad(v, (2, 1), "wrap"),
    "pad(m, 2)": np.pad(m, 2), "pad(v, 1, 7)": np.pad(v, 1, constant_values=7), "pad(m, 2, pad_mode::reflect)": np.pad(m, 2, "reflect"),
    "unfold(v, 0, 3)": sliding_window_view(v, 3), "unfold(m, 0, 2)": sliding_window_view(m, 2, 0),
    "unfold(m, 1, 2, 2)": sliding_window_view(m, 2, 1)[:, ::2],
    "zeros_like(m)": np.zeros_like(m), "ones_like(m)": np.ones_like(m), "full_like(m, 3)": np.full_like(m, 3),
    "std::get<0>(meshgrid(v, squeeze(one, 1)))": np.meshgrid(v, one[:, 0])[0],
    "std::get<1>(meshgrid(v, squeeze(one, 1)))": np.meshgrid(v, one[:, 0])[1],
    "std::get<1>(meshgrid(v, squeeze(one, 1), indexing::ij))": np.meshgrid(v, one[:, 0], indexing="ij")[1],
    "std::get<2>(meshgrid(v, squeeze(one, 1), v(slice(0, 2))))": np.meshgrid(v, one[:, 0], v[:2])[2],
    "kron(one, m)": np.kron(one, m), "kron(v, one)": np.kron(v, one), "kron(m, v)": np.kron(m, v),
}


def listed(values):
    return ", ".join(str(int(a)) for a in values)


print("// Generated by make_rearrange.py: NumPy's flip, roll, tile, pad and their kin.")
print("#pragma once\n")
for macro, cases in (("REARRANGE", rearrange), ("MATRIX", matrix)):
    print(f"#define RICCI_{macro}_CASES(check) \\")
    for call, y in cases.items():
        y = np.asarray(y)
        print(f"    check(({call}), ({listed(y.shape)}), ({listed(y.ravel())})) \\")
    print("    static_assert(true)\n")

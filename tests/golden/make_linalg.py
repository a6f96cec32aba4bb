#!/usr/bin/env python3
"""Writes linalg.hpp: what NumPy's linalg gives for a few matrices. /usr/bin/python3 make_linalg.py > linalg.hpp"""
import numpy as np

a = np.array([[4.0, -2.0, 1.0], [3.0, 6.0, -4.0], [2.0, 1.0, 8.0]])
c = np.array([[1 + 2j, 0.5 - 1j, 2], [3j, 1 - 1j, -1 + 0.5j], [2 - 0.25j, 1, 4 + 1j]])
tall = np.array([[1.0, 2.0], [3.0, -4.0], [5.0, 0.5], [-1.0, 2.5]])
deficient = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, -1.0], [0.0, 1.0, 2.0]])
symmetric, hermitian = a + a.T, c + c.conj().T
definite = a @ a.T + np.eye(3)
hermitian_definite = c @ c.conj().T + np.eye(3)
b = np.array([[1.0, -1.0], [0.5, 2.0], [3.0, 0.25]])
b4 = np.array([1.0, -2.0, 0.5, 4.0])
stack = np.array([a, a.T @ a, a - 3 * np.eye(3)])
map_of = np.sin(np.arange(36.0)).reshape(2, 3, 6) + np.eye(6).reshape(2, 3, 6)

values = {
    "a": a, "c": c, "tall": tall, "deficient": deficient, "symmetric": symmetric, "hermitian": hermitian,
    "definite": definite, "hermitian_definite": hermitian_definite, "b": b, "b4": b4, "stack": stack, "map_of": map_of,
    "det_a": np.linalg.det(a), "det_c": np.linalg.det(c), "det_stack": np.linalg.det(stack),
    "slogdet_c_sign": np.linalg.slogdet(c)[0], "slogdet_c_log": np.linalg.slogdet(c)[1],
    "inv_a": np.linalg.inv(a), "inv_c": np.linalg.inv(c), "inv_stack": np.linalg.inv(stack),
    "solve_a": np.linalg.solve(a, b), "solve_stack": np.linalg.solve(stack, b[None]),
    "cholesky_definite": np.linalg.cholesky(definite), "cholesky_hermitian": np.linalg.cholesky(hermitian_definite),
    "eigvalsh_symmetric": np.linalg.eigvalsh(symmetric), "eigvalsh_hermitian": np.linalg.eigvalsh(hermitian),
    "svdvals_tall": np.linalg.svd(tall, compute_uv=False), "svdvals_c": np.linalg.svd(c, compute_uv=False),
    "pinv_tall": np.linalg.pinv(tall), "pinv_deficient": np.linalg.pinv(deficient),
    "lstsq_tall": np.linalg.lstsq(tall, b4, rcond=None)[0], "lstsq_residual": np.linalg.lstsq(tall, b4, rcond=None)[1],
    "lstsq_deficient": np.linalg.lstsq(deficient, b4, rcond=1e-12)[0],
    "power_3": np.linalg.matrix_power(a, 3), "power_minus_2": np.linalg.matrix_power(a, -2),
    "cond_a": np.linalg.cond(a), "cond_a_1": np.linalg.cond(a, 1), "cond_a_fro": np.linalg.cond(a, "fro"),
    "norms_a": np.array([np.linalg.norm(a, p) for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)]),
    "norms_c": np.array([np.linalg.norm(c, p) for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)]),
    "multi_dot": np.linalg.multi_dot([b.T, a, tall.T[:, :3].T, tall.T]),
    "cross": np.cross(a, b.T[0]),
    "tensorinv": np.linalg.tensorinv(map_of, 2), "tensorsolve": np.linalg.tensorsolve(map_of, b.T),
    "vander": np.vander(b4, 3, increasing=True),
    "eigvals_a": np.sort_complex(np.linalg.eigvals(a)),
}


def number(x):
    return f"{{{x.real!r}, {x.imag!r}}}" if isinstance(x, complex) else repr(x)


print("// Written by make_linalg.py: NumPy's results.\n#pragma once\n#include <complex>\n\nnamespace golden_linalg {\n")
for name, value in values.items():
    value = np.asarray(value)
    kind = "std::complex<double>" if value.dtype.kind == "c" else "double"
    print(f"inline constexpr {kind} {name}[] = {{{', '.join(number(x) for x in value.reshape(-1).tolist())}}};")
print("\n}  // namespace golden_linalg")

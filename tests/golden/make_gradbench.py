"""Writes gradbench.hpp: PyTorch's values and derivatives of GradBench's problems, in float64, at the inputs that
bench/gradbench makes: `python make_gradbench.py > gradbench.hpp`, with torch installed."""

import numpy as np
import torch

torch.set_default_dtype(torch.float64)


def uniform(shape, seed, low=0.0, high=1.0):
    """bench/gradbench/inputs.hpp."""
    n = int(np.prod(shape))
    with np.errstate(over="ignore"):
        z = (np.uint64(seed) << np.uint64(32)) + np.arange(n, dtype=np.uint64)
        z = (z + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    u = (z >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return torch.tensor(low + (high - low) * u).reshape(shape)


def gradients(f, *x):
    x = [a.clone().requires_grad_(True) for a in x]
    y = f(*x)
    return y.detach(), torch.autograd.grad(y, x)


def show(name, x):
    values = torch.atleast_1d(torch.as_tensor(x)).detach().reshape(-1).tolist()
    print(f"inline constexpr double {name}[] = {{")
    for i in range(0, len(values), 5):
        print("    " + " ".join(f"{v!r}," for v in values[i : i + 5]))
    print("};")


def show_all(name, f, *x):
    value, grads = gradients(f, *x)
    show(name + "_value", value)
    for i, g in enumerate(grads):
        show(f"{name}_gradient{i if len(grads) > 1 else ''}", g)


def gmm():
    n, d, k, gamma, m = 12, 3, 4, 1.5, 2
    points = uniform((n, d), 1, -1, 1)

    def f(alphas, means, roots):
        place = [(i, j) for j in range(d) for i in range(j + 1, d)]
        diagonal = torch.diag_embed(roots[:, :d].exp())
        below = torch.zeros(k, d, d)
        for at, (i, j) in enumerate(place):
            unit = torch.zeros(d, d)
            unit[i, j] = 1
            below = below + roots[:, d + at][:, None, None] * unit
        q = diagonal + below
        y = torch.einsum("kij,nkj->nki", q, points[:, None] - means)
        volume = roots[:, :d].sum(1)
        terms = alphas + volume - 0.5 * (y**2).sum(2)
        freedom = d + m + 1
        wishart = (
            0.5 * gamma**2 * (q**2).sum((1, 2))
            - m * volume
            - freedom * d * (np.log(gamma) - 0.5 * np.log(2))
            + torch.special.multigammaln(torch.tensor(0.5 * freedom), d)
        )
        return (
            -n * d * 0.5 * np.log(2 * np.pi)
            + torch.logsumexp(terms, 1).sum()
            - n * torch.logsumexp(alphas, 0)
            + wishart.sum()
        )

    show_all("gmm", f, uniform((k,), 2, -1, 1), uniform((k, d), 3, -1, 1), uniform((k, d * (d + 1) // 2), 4, -1, 1))


def ba():
    cameras = torch.tensor([-0.76, -1.11, -0.85, 34.6, 39.7, 53.9, 419, 5.9, -8.5, 0.088, 0.0027])
    n, m, p = 2, 3, 4
    cameras = cameras.expand(n, 11) * uniform((n, 11), 1, 0.9, 1.1)
    points = torch.tensor([7.2, 0, 3]) + uniform((m, 3), 2, -1, 1)
    weights = uniform((p,), 3)
    features = torch.tensor([272.0, 834.0]) * uniform((p, 2), 4, 0.5, 1.5)

    def error(camera, point, weight, feature):
        r = camera[:3]
        cross = torch.stack([torch.stack([torch.zeros(()), -r[2], r[1]]), torch.stack([r[2], torch.zeros(()), -r[0]]),
                             torch.stack([-r[1], r[0], torch.zeros(())])])
        x = torch.linalg.matrix_exp(cross) @ (point - camera[3:6])
        u = x[:2] / x[2]
        square = (u**2).sum()
        u = u * (1 + camera[9] * square + camera[10] * square**2)
        return weight * (camera[6] * u + camera[7:9] - feature)

    def all_errors(cameras, points, weights):
        errors = [error(cameras[i % n], points[i % m], weights[i], features[i]) for i in range(p)]
        return torch.cat(errors + [1 - weights**2])

    show("ba_value", all_errors(cameras, points, weights))
    parts = torch.autograd.functional.jacobian(all_errors, (cameras, points, weights))
    show("ba_jacobian", torch.cat([j.reshape(3 * p, -1) for j in parts], 1))


def lstm():
    l, c, b = 2, 9, 3
    bits = torch.where(uniform((c, b), 4) < 0.5, 0.0, 1.0)
    state = uniform((2 * l, b), 3)

    def f(main, extra):
        hidden, cell, total = list(state[0::2]), list(state[1::2]), 0.0
        for t in range(c - 1):
            x = bits[t] * extra[0]
            for i in range(l):
                w, v = main[2 * i].reshape(4, b), main[2 * i + 1].reshape(4, b)
                forget = torch.sigmoid(x * w[0] + v[0])
                ingate = torch.sigmoid(hidden[i] * w[1] + v[1])
                outgate = torch.sigmoid(x * w[2] + v[2])
                change = torch.tanh(hidden[i] * w[3] + v[3])
                cell[i] = cell[i] * forget + ingate * change
                hidden[i] = x = outgate * torch.tanh(cell[i])
            y = x * extra[1] + extra[2]
            total = total + (bits[t + 1] * (y - torch.log(2 + y.exp().sum()))).sum()
        return -total / ((c - 1) * b)

    show_all("lstm", f, uniform((2 * l, 4 * b), 1), uniform((3, b), 2))


def lse():
    show_all("lse", lambda x: torch.logsumexp(x, 0), uniform((7,), 1, -3, 3))


def llsq():
    n, m = 11, 5
    t = 2 * torch.arange(n, dtype=torch.float64) / (n - 1) - 1  # 0 in the middle, where linspace rounds
    powers = t[:, None] ** torch.arange(m)
    show_all("llsq", lambda x: 0.5 * ((t.sign() - powers @ x) ** 2).sum(), uniform((m,), 1))


def kmeans():
    n, d, k = 20, 3, 4
    points = uniform((n, d), 1)

    def f(centroids):
        return torch.cdist(points, centroids, compute_mode="donot_use_mm_for_euclid_dist").square().min(1)[0].sum()

    def smooth(centroids):  # cdist has no second derivative at distance 0
        return ((points[:, None] - centroids) ** 2).sum(2).min(1)[0].sum()

    centroids = points[-k:].clone()
    show("kmeans_value", f(centroids))
    slope = torch.autograd.functional.jacobian(smooth, centroids)
    hessian = torch.autograd.functional.hessian(smooth, centroids).reshape(k * d, k * d)
    assert torch.count_nonzero(hessian - torch.diag(hessian.diag())) == 0
    show("kmeans_direction", slope / hessian.diag().reshape(k, d))


def det():
    show_all("det", torch.linalg.det, uniform((5, 5), 1))


def ode():
    n, steps = 6, 5

    def slope(x, y):
        return x * torch.cat([torch.ones(1), y[:-1]])

    def f(x):
        h, y = 2.0 / steps, torch.zeros(n)
        for _ in range(steps):
            k1 = slope(x, y)
            k2 = slope(x, y + h / 2 * k1)
            k3 = slope(x, y + h / 2 * k2)
            k4 = slope(x, y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return y[-1]

    show_all("ode", f, uniform((n,), 1))


def ht():
    bones, vertices, n = 22, 10, 3

    def frames(seed):
        x = torch.eye(4) + uniform((bones, 4, 4), seed, -0.2, 0.2)
        x[:, 3] = torch.tensor([0.0, 0.0, 0.0, 1.0])
        return x

    relatives, inverses = frames(1), frames(2)
    positions = uniform((vertices, 4), 3)
    positions[:, 3] = 1
    weights = torch.zeros(vertices, bones)
    for v in range(vertices):
        for k in range(3):
            weights[v, (v * 7 + k * (v % 5 + 1)) % bones] += (k + 1) / 6
    corners = torch.tensor([i * 37 % vertices for i in range(3 * n)]).reshape(n, 3)
    points = uniform((n, 3), 4)
    places = uniform((n, 2), 6, 0, 0.5)

    def about(axis, angle):
        generator = torch.zeros(3, 3)
        generator[(axis + 2) % 3, (axis + 1) % 3] = 1
        generator[(axis + 1) % 3, (axis + 2) % 3] = -1
        return torch.linalg.matrix_exp(angle * generator)

    def f(theta, places):
        absolute = []
        for b in range(bones):
            finger, joint = (b - 1) // 4, (b - 1) % 4
            at_x, at_z = torch.zeros(()), torch.zeros(())
            if 0 < b < 21 and joint > 0:
                first = theta[6 + 4 * finger :]
                at_x = first[0] if joint == 1 else first[joint]
                at_z = first[1] if joint == 1 else at_z
            local = torch.block_diag(about(2, at_z) @ about(0, at_x), torch.ones(1, 1))
            frame = relatives[b] @ local
            absolute.append(frame if b == 0 else absolute[0 if b % 4 == 1 else b - 1] @ frame)
        moved = torch.stack(absolute) @ inverses
        skinned = torch.einsum("vb,bij,vj->vi", weights, moved, positions)[:, :3]
        zero, (x, y, z) = torch.zeros(()), theta[:3]
        rows = [torch.stack(r) for r in ([zero, -z, y], [z, zero, -x], [-y, x, zero])]
        posed = skinned @ torch.linalg.matrix_exp(torch.stack(rows)).T + theta[3:6]
        share = torch.cat([places, 1 - places.sum(1, keepdim=True)], 1)
        return (points - torch.einsum("pc,pci->pi", share, posed[corners])).T

    theta = uniform((26,), 5, -1, 1)
    simple = torch.zeros(n, 2)
    simple[:, 0] = 1
    show("ht_simple_value", f(theta, simple))
    show("ht_simple_jacobian", torch.autograd.functional.jacobian(lambda t: f(t, simple), theta))
    show("ht_complicated_value", f(theta, places))
    by_theta, by_places = torch.autograd.functional.jacobian(f, (theta, places))  # (3, n, 26), (3, n, n, 2)
    own = torch.stack([by_places[:, p, p] for p in range(n)], 1)
    show("ht_complicated_jacobian", torch.cat([own, by_theta], 2))


print("// Written by make_gradbench.py with PyTorch " + torch.__version__.split("+")[0] + ". Do not edit.")
print("// clang-format off\n#pragma once\n\nnamespace golden::gradbench {\n")
for problem in (gmm, ba, lstm, lse, llsq, kmeans, det, ode, ht):
    problem()
print("\n}  // namespace golden::gradbench")

"""The rows of maps.cu and libraries.cu in PyTorch (eager) and JAX (jit), on the same GPU: microseconds by the wall clock.

    python3 bench/cuda/peers.py
"""
import os
import statistics
import sys
import time

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import jax
import jax.numpy as jnp
import torch

jax.config.update("jax_enable_x64", True)
BIG, N = 1 << 26, 8192


def timed(run, wait):
    for _ in range(3):
        run()
    wait()
    times, calls = [], 0
    for _ in range(9):
        begin = time.perf_counter()
        for _ in range(calls or 3):
            last = run()
        wait(last)
        took = (time.perf_counter() - begin) / (calls or 3)
        if not calls:
            calls = int(min(max(2e-3 / took, 1), 100))
            continue
        times.append(took)
    return 1e6 * statistics.median(times)


def on_torch(f, *x):
    return timed(lambda: f(*x), lambda *_: torch.cuda.synchronize())


def on_jax(f, *x):
    g = jax.jit(f)
    return timed(lambda: g(*x), lambda *last: jax.block_until_ready(last))


def arrays(dtype, *shape, count=2):
    t = [torch.randn(*shape, device="cuda", dtype=getattr(torch, dtype)) for _ in range(count)]
    return t, [jnp.asarray(v.cpu().numpy()) for v in t]


def row(name, torch_function, t, jax_function, j):
    cells = []
    for f, x, run in ((torch_function, t, on_torch), (jax_function, j, on_jax)):
        try:
            cells.append(f"{run(f, *x):.1f}" if f else "")
        except Exception as e:  # a peer that lacks something is no reason to stop
            cells.append(type(e).__name__)
    print(f"| {name} | {cells[0]} | {cells[1]} |", flush=True)


def torch_gradient(a, b):
    a = a.detach().requires_grad_()
    return torch.autograd.grad(torch.tanh(a * b).sum(), a)[0]


def maps(dtype, n):
    t, j = arrays(dtype, n)
    size = f"{dtype[:5] if dtype == 'float32' else 'double'} {n}"
    row("2 a + 3 b " + size, lambda a, b: 2 * a + 3 * b, t, lambda a, b: 2 * a + 3 * b, j)
    row("exp(-a a) sin(a) + b " + size, lambda a, b: torch.exp(-a * a) * torch.sin(a) + b, t,
        lambda a, b: jnp.exp(-a * a) * jnp.sin(a) + b, j)
    row("gradient of sum(tanh(a b)) " + size, torch_gradient, t, jax.grad(lambda a, b: jnp.tanh(a * b).sum()), j)
    row("sum(a) " + size, lambda a, b: a.sum(), t, lambda a, b: a.sum(), j)
    row("sum(exp(-a a)) " + size, lambda a, b: torch.exp(-a * a).sum(), t, lambda a, b: jnp.exp(-a * a).sum(), j)


def matrices():
    t, j = arrays("float32", N, N, count=1)
    (r, c), (jr, jc) = arrays("float32", N)
    row("x r + c[:, newaxis] 8192x8192", lambda x, r, c: x * r + c[:, None], [*t, r, c],
        lambda x, r, c: x * r + c[:, None], [*j, jr, jc])
    row("transpose 8192x8192", lambda x: x.T.contiguous(), t, lambda x: jnp.copy(x.T), j)
    row("x + transpose(x) 8192x8192", lambda x: x + x.T, t, lambda x: x + x.T, j)
    row("sum(x, 1) 8192x8192", lambda x: x.sum(1), t, lambda x: x.sum(1), j)
    row("sum(x, 0) 8192x8192", lambda x: x.sum(0), t, lambda x: x.sum(0), j)
    s, js = [t[0].reshape(-1, 64)], [j[0].reshape(-1, 64)]
    row("sum(x, 1) 1048576x64", lambda x: x.sum(1), s, lambda x: x.sum(1), js)
    row("softmax(x, 1) 16384x4096", lambda x: torch.softmax(x.reshape(16384, 4096), 1), t,
        lambda x: jax.nn.softmax(x.reshape(16384, 4096), 1), j)
    row("(x - mean(x, 1)) / stddev(x, 1) 8192x8192",
        lambda x: (x - x.mean(1, keepdim=True)) / x.std(1, correction=0, keepdim=True), t,
        lambda x: (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True), j)
    w, jw = r[:64] * 0.1, jr[:64] * 0.1
    row("per-sample gradients, 1048576x64",
        torch.func.vmap(torch.func.grad(lambda w, a: torch.log1p(torch.exp(-(w * a).sum()))), (None, 0)), [w, *s],
        jax.vmap(jax.grad(lambda w, a: jnp.log1p(jnp.exp(-(w * a).sum()))), (None, 0)), [jw, *js])


def greeks():
    n = 1 << 22
    low, width = (90, 90, 0.5, 0.2, 0.02), (20, 20, 1, 0.1, 0.03)
    t = [l + w * torch.rand(n, device="cuda", dtype=torch.float64) for l, w in zip(low, width)]

    def price(exp, log, sqrt, s, k, t, v, r):
        normal = lambda x: 1 / (1 + exp(-x * (1.5957691216057308 + 0.07056593 * x * x)))
        spread = v * sqrt(t)
        d1 = (log(s / k) + (r + 0.5 * v * v) * t) / spread
        return (s * normal(d1) - k * exp(-r * t) * normal(d1 - spread)).sum()

    def in_torch(*x):
        x = [v.detach().requires_grad_() for v in x]
        return torch.autograd.grad(price(torch.exp, torch.log, torch.sqrt, *x), x)

    row("Black-Scholes: a book's value and five derivatives, 2^22", in_torch, t,
        jax.value_and_grad(lambda *x: price(jnp.exp, jnp.log, jnp.sqrt, *x), tuple(range(5))),
        [jnp.asarray(v.cpu().numpy()) for v in t])


def libraries():
    for dtype, name, n in (("float32", "float", 4096), ("float32", "float", 512), ("float64", "double", 4096)):
        t, j = arrays(dtype, n, n)
        row(f"matmul {name} {n}", torch.matmul, t, lambda a, b: jnp.matmul(a, b, precision="highest"), j)
    t, j = arrays("float32", 4096, 4096)
    z, jz = [torch.complex(*t)], [j[0] + 1j * j[1]]
    row("fft of rows 4096x4096, complex64", torch.fft.fft, z, jnp.fft.fft, jz)
    row("rfft of rows 4096x4096, float", torch.fft.rfft, t[:1], jnp.fft.rfft, j[:1])
    row("fft2 4096x4096, complex64", torch.fft.fft2, z, jnp.fft.fft2, jz)
    t, j = arrays("float32", BIG, count=1)
    row("cumulative_sum float 2^26", lambda x: x.cumsum(0), t, jnp.cumsum, j)
    square, jsquare = [t[0].reshape(N, N)], [j[0].reshape(N, N)]
    for axis in (1, 0):
        row(f"cumulative_sum(x, {axis}) 8192x8192", lambda x: x.cumsum(axis), square, lambda x: jnp.cumsum(x, axis), jsquare)
    some, jsome = [t[0][: BIG // 4].clone()], [j[0][: BIG // 4]]
    row("sort float 2^24", lambda x: x.sort().values, some, jnp.sort, jsome)
    row("argsort float 2^24", lambda x: x.argsort(stable=True), some, jnp.argsort, jsome)
    some, jsome = [some[0].reshape(16384, 1024)], [jsome[0].reshape(16384, 1024)]
    row("sort(x, 1) 16384x1024", lambda x: x.sort(1).values, some, lambda x: jnp.sort(x, 1), jsome)
    row("quantile(x, 0.9, 1) 16384x1024", lambda x: x.quantile(0.9, 1), some, lambda x: jnp.quantile(x, 0.9, 1), jsome)
    rows, jrows = t[0].reshape(-1, 64), j[0].reshape(-1, 64)
    at = torch.randperm(len(rows), device="cuda")
    jat = jnp.asarray(at.cpu().numpy())
    row("x(indices) of rows 1048576x64", lambda x, i: x[i], [rows, at], lambda x, i: x[i], [jrows, jat])
    row("index_add of rows 1048576x64", lambda x, i: torch.zeros_like(x).index_add_(0, i, x), [rows, at],
        lambda x, i: jnp.zeros_like(x).at[i].add(x), [jrows, jat])
    row("x(x > 0) float 2^26", lambda x: x[x > 0], t, None, None)
    row("randn float 2^26", lambda: torch.randn(BIG, device="cuda"), [],
        lambda key: jax.random.normal(key, (BIG,), jnp.float32), [jax.random.key(0)])
    t, j = arrays("float32", 100000, 8, 8)
    row("100000 products of 8x8", lambda a, b: a @ b, t, lambda a, b: jnp.matmul(a, b, precision="highest"), j)
    t, j = arrays("float32", 100000, 4, 4, count=1)
    row("100000 inverses of 4x4", lambda a: torch.linalg.inv(a + 8 * torch.eye(4, device="cuda")), t,
        lambda a: jnp.linalg.inv(a + 8 * jnp.eye(4)), j)


if __name__ == "__main__":
    print(f"# {torch.cuda.get_device_name()}: PyTorch {torch.__version__} and JAX {jax.__version__}, us\n")
    print("| row | PyTorch | JAX |\n| - | -: | -: |")
    maps("float32", BIG)
    maps("float64", BIG // 2)
    maps("float32", 1 << 20)
    matrices()
    greeks()
    libraries()
    t, j = arrays("float32", 1000)
    row("2 a + 3 b float 1000", lambda a, b: 2 * a + 3 * b, t, lambda a, b: 2 * a + 3 * b, j)
    row("sum(a) float 1000", lambda a, b: a.sum(), t, lambda a, b: a.sum(), j)
    sys.stdout.flush()

#!/usr/bin/env python3
"""Writes functional.hpp: activations, losses, normalizations, transposed convolutions, resized pictures, axes added,
by torch and torch.nn.functional. Run: python3 make_functional.py > functional.hpp

Calls in C++ of numbers(shape, seed), whose element i is ((37 i + 11 seed) % 29 - 14) / 8, and what PyTorch gives.
"""
import torch
import torch.nn.functional as F


def numbers(shape, seed):
    n = torch.Size(shape).numel()
    return (((37 * torch.arange(n) + 11 * seed) % 29 - 14).double() / 8).reshape(shape)


x, y, z = numbers((3, 4), 1), numbers((3, 4), 2), numbers((3, 4), 3)
p, t = torch.sigmoid(x), torch.sigmoid(y)
bits = (x > 0).double()
sign, signs = torch.where(y > 0, 1.0, -1.0), torch.where(y[:, 0] > 0, 1.0, -1.0)
classes = torch.tensor([2, 0, 3])
lp = F.log_softmax(x, 1)
w = numbers((4,), 5) ** 2
images = numbers((2, 4, 6, 5), 1)
line = images[0].reshape(2, 4, 15)[..., :7]
k2, k1, b = numbers((4, 3, 3, 2), 2), numbers((4, 2, 3), 4), numbers((6,), 3)
cases = {
    "softsign(x)": F.softsign(x), "hardsigmoid(3 * x)": F.hardsigmoid(3 * x), "hardswish(3 * x)": F.hardswish(3 * x),
    "softshrink(x)": F.softshrink(x), "softshrink(x, 0.75)": F.softshrink(x, 0.75), "hardshrink(x, 0.75)": F.hardshrink(x, 0.75),
    "tanhshrink(x)": F.tanhshrink(x), "threshold(x, 0.25, 2.5)": F.threshold(x, 0.25, 2.5), "celu(x)": F.celu(x), "celu(x, 0.7)": F.celu(x, 0.7),
    "glu(x)": F.glu(x), "glu(line(0), 0)": F.glu(line[0], 0), "prelu(x, w)": F.prelu(x, w), "prelu(images, w)": F.prelu(images, w),
    "nll_loss(lp, classes)": F.nll_loss(lp, classes), "nll_loss(lp, classes, w)": F.nll_loss(lp, classes, w),
    "cross_entropy(x, classes, w)": F.cross_entropy(x, classes, w),
    "binary_cross_entropy(p, t)": F.binary_cross_entropy(p, t), "binary_cross_entropy(bits, t)": F.binary_cross_entropy(bits, t),
    "binary_cross_entropy(p, bits)": F.binary_cross_entropy(p, bits),
    "kl_div(lp, t)": F.kl_div(lp, t), "kl_div(lp, bits)": F.kl_div(lp, bits), "kl_div(lp, log(t), true)": F.kl_div(lp, t.log(), log_target=True),
    "poisson_nll_loss(x, p)": F.poisson_nll_loss(x, p), "poisson_nll_loss(p, t, false)": F.poisson_nll_loss(p, t, False),
    "gaussian_nll_loss(x, y, p)": F.gaussian_nll_loss(x, y, p), "gaussian_nll_loss(x, y, 0.3 * p, 0.1)": F.gaussian_nll_loss(x, y, 0.3 * p, eps=0.1),
    "soft_margin_loss(x, sign)": F.soft_margin_loss(x, sign), "hinge_embedding_loss(x, sign)": F.hinge_embedding_loss(x, sign),
    "hinge_embedding_loss(x, sign, 0.5)": F.hinge_embedding_loss(x, sign, 0.5),
    "margin_ranking_loss(x, y, sign)": F.margin_ranking_loss(x, y, sign), "margin_ranking_loss(x, y, 1, 0.5)": F.margin_ranking_loss(x, y, torch.ones_like(x), 0.5),
    "triplet_margin_loss(x, y, z)": F.triplet_margin_loss(x, y, z), "triplet_margin_loss(x, y, z, 0.5, 1)": F.triplet_margin_loss(x, y, z, 0.5, 1),
    "cosine_embedding_loss(x, z, signs, 0.25)": torch.where(signs == 1, 1 - F.cosine_similarity(x, z), torch.relu(F.cosine_similarity(x, z) - 0.25)).mean(),  # torch's own adds 1e-12 to squares
    "pairwise_distance(x, y)": F.pairwise_distance(x, y), "pairwise_distance(x, y, 3)": F.pairwise_distance(x, y, 3), "pairwise_distance(x, y(0), 1, 0.5)": F.pairwise_distance(x, y[0], 1, 0.5),
    "rms_norm(images, {5})": F.rms_norm(images, (5,)), "rms_norm(images(0, 0), {6, 5}, images(0, 1), 1e-3)": F.rms_norm(images[0, 0], (6, 5), images[0, 1], 1e-3),
    "rms_norm(x, 4, w)": F.rms_norm(x, (4,), w),
    "group_norm(images, 2)": F.group_norm(images, 2), "group_norm(images, 4, w, 2 * w, 1e-2)": F.group_norm(images, 4, w, 2 * w, 1e-2),
    "group_norm(x, 2, w, w)": F.group_norm(x, 2, w, w), "instance_norm(images)": F.instance_norm(images), "instance_norm(images, w, w)": F.instance_norm(images, weight=w, bias=w),
    "conv_transpose1d(line, k1)": F.conv_transpose1d(line, k1),
    "conv_transpose1d(line, k1, b(slice(0, 4)), {.stride = 3, .padding = 1, .output_padding = 2, .groups = 2})": F.conv_transpose1d(line, k1, b[:4], 3, 1, 2, 2),
    "conv_transpose1d(line, k1, {.output_padding = 2, .dilation = 4})": F.conv_transpose1d(line, k1, None, 1, 0, 2, 1, 4),
    "conv_transpose2d(images, k2)": F.conv_transpose2d(images, k2),
    "conv_transpose2d(images, k2, b, {.stride = {2, 3}, .padding = {1, 0}, .output_padding = {0, 1}, .groups = 2})": F.conv_transpose2d(images, k2, b, (2, 3), (1, 0), (0, 1), 2),
    "conv_transpose2d(images(0), k2, {.stride = 2, .padding = 2, .output_padding = 1, .dilation = {2, 3}})": F.conv_transpose2d(images[0], k2, None, 2, 2, 1, 1, (2, 3)),
    "adaptive_avg_pool2d(images, {3, 5})": F.adaptive_avg_pool2d(images, (3, 5)), "adaptive_avg_pool2d(images, {4, 2})": F.adaptive_avg_pool2d(images, (4, 2)),
    "adaptive_avg_pool1d(line, 3)": F.adaptive_avg_pool1d(line, 3), "adaptive_avg_pool1d(line, 9)": F.adaptive_avg_pool1d(line, 9),
    "adaptive_max_pool2d(images, 1)": F.adaptive_max_pool2d(images, 1), "adaptive_max_pool2d(images, {4, 3})": F.adaptive_max_pool2d(images, (4, 3)),
    "adaptive_max_pool1d(line, 9)": F.adaptive_max_pool1d(line, 9), "adaptive_max_pool1d(line, 5)": F.adaptive_max_pool1d(line, 5),
    "interpolate(images, {12, 3})": F.interpolate(images, (12, 3)), "interpolate(line, {10})": F.interpolate(line, 10),
    "interpolate<interpolation::nearest_exact>(images, {4, 15})": F.interpolate(images, (4, 15), mode="nearest-exact"),
    "interpolate<interpolation::linear>(line, {10})": F.interpolate(line, 10, mode="linear"),
    "interpolate<interpolation::linear>(images, {9, 3})": F.interpolate(images, (9, 3), mode="bilinear"),
    "interpolate<interpolation::linear>(images, {7, 1}, true)": F.interpolate(images, (7, 1), mode="bilinear", align_corners=True),
    "interpolate<interpolation::cubic>(images, {4, 8})": F.interpolate(images, (4, 8), mode="bicubic"),
    "interpolate<interpolation::cubic>(images, {9, 7}, true)": F.interpolate(images, (9, 7), mode="bicubic", align_corners=True),
    "interpolate<interpolation::area>(images, {4, 8})": F.interpolate(images, (4, 8), mode="area"),
    "pixel_shuffle(images, 2)": F.pixel_shuffle(images, 2), "pixel_unshuffle(images(all, all, all, slice(0, 4)), 2)": F.pixel_unshuffle(images[..., :4], 2),
    "pixel_unshuffle(pixel_shuffle(images(0), 2), 2)": images[0],
    "atleast_1d(sum(x))": torch.atleast_1d(x.sum()), "atleast_2d(w)": torch.atleast_2d(w), "atleast_3d(w)": torch.atleast_3d(w),
    "atleast_3d(x)": torch.atleast_3d(x), "atleast_2d(x)": x,
}
losses = [
    (F.mse_loss, "x, y", (x, y), {}), (F.l1_loss, "x, y", (x, y), {}), (F.huber_loss, "x, y, 0.5", (x, y), {"delta": 0.5}),
    (F.smooth_l1_loss, "x, y, 0.7", (x, y), {"beta": 0.7}), (F.nll_loss, "lp, classes", (lp, classes), {}),
    (F.nll_loss, "lp, classes, w", (lp, classes, w), {}), (F.cross_entropy, "x, classes", (x, classes), {}),
    (F.nll_loss, "lp, classes, w, {.ignore_index = 0}", (lp, classes, w), {"ignore_index": 0}),
    (F.cross_entropy, "x, classes, w, {.label_smoothing = 0.25}", (x, classes, w), {"label_smoothing": 0.25}),
    (F.cross_entropy, "x, classes, {.ignore_index = 3, .label_smoothing = 0.25}", (x, classes), {"ignore_index": 3, "label_smoothing": 0.25}),
    (F.cross_entropy, "x, softmax(y, 1)", (x, y.softmax(1)), {}), (F.binary_cross_entropy, "p, t", (p, t), {}),
    (F.binary_cross_entropy_with_logits, "x, t", (x, t), {}), (F.kl_div, "lp, t", (lp, t), {}),
    (F.kl_div, "lp, log(t), true", (lp, t.log()), {"log_target": True}), (F.poisson_nll_loss, "p, t, false", (p, t), {"log_input": False}),
    (F.gaussian_nll_loss, "x, y, p", (x, y, p), {}), (F.soft_margin_loss, "x, sign", (x, sign), {}),
    (F.hinge_embedding_loss, "x, sign, 0.5", (x, sign), {"margin": 0.5}), (F.margin_ranking_loss, "x, y, sign, 0.5", (x, y, sign), {"margin": 0.5}),
    (F.triplet_margin_loss, "x, y, z", (x, y, z), {}),
]
reductions = {f"{f.__name__}<reduction::{how}>({call})": f(*given, **options, reduction=how)
              for f, call, given, options in losses for how in ("sum", "none")}
print("// Generated by make_functional.py: activations, losses, layers and resized pictures, by PyTorch.")
print("#pragma once\n")
for name, group in ("FUNCTIONAL", cases), ("REDUCTION", reductions):
    print(f"#define RICCI_{name}_CASES(check) \\")
    for call, y in group.items():
        print(f"    check(({call}), ({', '.join(map(str, y.shape))}), ({', '.join(repr(float(a)) for a in y.ravel())})) \\")
    print("    static_assert(true)")

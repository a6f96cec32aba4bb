#!/usr/bin/env python3
"""Writes torch.hpp: what PyTorch has and NumPy has not. Run: python3 make_torch.py > torch.hpp

Calls in C++ of numbers(shape, seed), whose element i is ((37 i + 11 seed) % 29 - 14) / 8, and what PyTorch gives.
"""
import torch
import torch.nn.functional as F


def numbers(shape, seed):
    n = torch.Size(shape).numel()
    return (((37 * torch.arange(n) + 11 * seed) % 29 - 14).double() / 8).reshape(shape)


x, u, v = numbers((3, 4), 1), numbers((3,), 2), numbers((2,), 3)
images, line, solid = numbers((2, 3, 4, 5), 1), numbers((2, 3, 6), 2), numbers((1, 2, 3, 2, 3), 3)
grid, line_grid, solid_grid = numbers((2, 3, 2, 2), 4) * 0.77, numbers((2, 4, 1, 2), 5)[..., :1] * 0.9, numbers((1, 2, 2, 2, 3), 6) * 0.6
gaps, w = torch.tensor([2, -100, 1]), numbers((4,), 5) ** 2
maps, solid_maps = numbers((2, 2, 3), 5), numbers((1, 3, 4), 6)
cases = {
    "kthvalue(x, 2).values": x.kthvalue(2).values, "kthvalue(x, 2).indices": x.kthvalue(2).indices,
    "kthvalue(x, 3, 0, keepdims).values": x.kthvalue(3, 0, True).values, "kthvalue(x, 1, -2, keepdims).indices": x.kthvalue(1, -2, True).indices,
    "kthvalue(u, 3).values": u.kthvalue(3).values, "topk(x, 2).values": x.topk(2).values, "topk(x, 2, 0, false).indices": x.topk(2, 0, False).indices,
    "cummax(x, 1).values": x.cummax(1).values, "cummin(x, 0).indices": x.cummin(0).indices,
    "aminmax(x).min": x.aminmax().min, "aminmax(x, 1, keepdims).max": x.aminmax(dim=1, keepdim=True).max, "aminmax(x, {0, 1}).max": x.max(),
    "std::get<0>(var_mean(x, 0, {}, 1))": torch.var_mean(x, 0)[0], "std::get<1>(var_mean(x, {0, 1}, keepdims))": torch.var_mean(x, (0, 1), keepdim=True)[1],
    "std::get<0>(std_mean(x))": torch.std_mean(x, correction=0)[0], "std::get<1>(std_mean(x, 1))": torch.std_mean(x, 1)[1],
    "diag_embed(x)": torch.diag_embed(x), "diag_embed(x, -2)": torch.diag_embed(x, -2), "diag_embed(x, 1, 0, 2)": torch.diag_embed(x, 1, 0, 2),
    "diag_embed(u, 1, 1, 0)": torch.diag_embed(u, 1, 1, 0),
    "cartesian_prod(u, v)": torch.cartesian_prod(u, v), "cartesian_prod(v, u, v)": torch.cartesian_prod(v, u, v), "cartesian_prod(u)": u[:, None],
    "combinations(u)": torch.combinations(u), "combinations(x(0), 3)": torch.combinations(x[0], 3), "combinations(u, 1)": u[:, None],
    "cross_entropy(x, gaps, {.ignore_index = -100})": F.cross_entropy(x, gaps), "nll_loss(x, abs(gaps), w, {.ignore_index = 100})": F.nll_loss(x, gaps, w),
    "cross_entropy(x, tensor{2, 0, 1}, {.label_smoothing = 0.1})": F.cross_entropy(x, torch.tensor([2, 0, 1]), label_smoothing=0.1),
    "cross_entropy(x, gaps, w, {.ignore_index = -100, .label_smoothing = 0.3})": F.cross_entropy(x, gaps, w, label_smoothing=0.3),
    "combinations(u, 3, true)": torch.combinations(u, 3, True), "combinations(v, 3)": torch.zeros(0, 3), "combinations(u, 3)": u[None],
}
columns, image = numbers((2, 12, 6), 7), numbers((1, 2, 5, 4), 8)
wide = "{.stride = {2, 1}, .padding = {1, 2}, .dilation = {1, 2}}"
cases |= {
    "unfold(image, 2)": F.unfold(image, 2), f"unfold(image(0), {{3, 2}}, {wide})": F.unfold(image[0], (3, 2), (1, 2), (1, 2), (2, 1)),
    "fold(columns, {3, 4}, 2)": F.fold(columns, (3, 4), 2),
    f"fold(columns(0), {{3, 1}}, {{3, 2}}, {wide})": F.fold(columns[0], (3, 1), (3, 2), (1, 2), (1, 2), (2, 1)),
    f"fold(unfold(image, {{3, 2}}, {wide}), {{5, 4}}, {{3, 2}}, {wide})": F.fold(F.unfold(image, (3, 2), (1, 2), (1, 2), (2, 1)), (5, 4), (3, 2), (1, 2), (1, 2), (2, 1)),
}
modes = {"linear": "bilinear", "nearest": "nearest", "cubic": "bicubic"}
paddings = {"constant": "zeros", "replicate": "border", "reflect": "reflection"}
for mode, torch_mode in modes.items():
    for padding, torch_padding in paddings.items():
        for corners in (False, True):
            sampled = lambda a, g: F.grid_sample(a, g, torch_mode, torch_padding, corners)
            options = f"{{.padding = pad_mode::{padding}, .align_corners = {str(corners).lower()}}}"
            if mode != "nearest" or not corners:  # torch's own places for nearest lie beside halves by a rounding
                cases[f"(grid_sample<interpolation::{mode}>(images, grid, {options}))"] = sampled(images, grid)
            if mode != "nearest":
                for i in (0, 1):
                    arguments = [images.clone().requires_grad_(), grid.clone().requires_grad_()]
                    slope, = torch.autograd.grad((sampled(*arguments) ** 2).mean(), arguments[i])
                    cases[f"(sampled_slope<interpolation::{mode}, {i}>(images, grid, {options}))"] = slope
cases["grid_sample(line, line_grid)"] = F.grid_sample(line[:, :, None].expand(2, 3, 1, 6), torch.cat([line_grid, torch.zeros(2, 4, 1, 1)], -1).transpose(1, 2), align_corners=False)[:, :, 0]
cases["grid_sample(solid, solid_grid)"] = F.grid_sample(solid, solid_grid, align_corners=False)
cases["grid_sample(solid, solid_grid, {.padding = pad_mode::reflect, .align_corners = true})"] = F.grid_sample(solid, solid_grid, "bilinear", "reflection", True)
cases["affine_grid(maps, {2, 3, 4, 5})"] = F.affine_grid(maps, (2, 3, 4, 5), False)
cases["affine_grid(maps, {2, 3, 1, 5}, true)"] = F.affine_grid(maps, (2, 3, 1, 5), True)
cases["affine_grid(solid_maps, solid.shape())"] = F.affine_grid(solid_maps, solid.shape, False)
cases["grid_sample(images, affine_grid(maps, images.shape()))"] = F.grid_sample(images, F.affine_grid(maps, images.shape, False), align_corners=False)
print("// Generated by make_torch.py: what PyTorch has and NumPy has not.")
print("#pragma once\n")
for part, chosen in (("SAMPLED", True), ("TORCH", False)):
    print(f"#define RICCI_{part}_CASES(check) \\")
    for call, y in cases.items():
        if ("grid" in call) == chosen:
            print(f"    check(({call}), ({', '.join(map(str, y.shape))}), ({', '.join(repr(float(a)) for a in y.ravel())})) \\")
    print("    static_assert(true)")

# SPDX-License-Identifier: Apache-2.0
"""Texture channels, patch relevance and top-k selection as PyTorch operations.

Built ahead of time (pip install labs/torch) or, when imported from the source tree, on first import with
torch.utils.cpp_extension. All operations work under torch.compile and inside CUDA graphs.
"""
import pathlib

import torch

from .build import sources, flags

FEATURES = 1536
INPUTS = 14  # Thirteen channels and a constant one.


def _load():
    package = pathlib.Path(__file__).parent
    for library in package.glob("_C*.so"):
        torch.ops.load_library(str(library))
        return "ahead of time"
    from torch.utils.cpp_extension import load
    labs = package.parent.parent
    load(name="sibyl_vision_C", sources=[str(labs / source) for source in sources()],
         extra_include_paths=[str(labs), str(labs / "torch" / "csrc")],
         extra_cflags=flags("cxx"), extra_cuda_cflags=flags("nvcc"), is_python_module=False)
    return "just in time"


#: How the operations were built.
BUILT = _load()


# ------------------------------------------------------------------ shapes, for torch.compile

@torch.library.register_fake("sibyl::texture")
def _(rgb):
    dtype = torch.half if rgb.dtype == torch.uint8 else rgb.dtype
    return rgb.new_empty((rgb.shape[0], 9, rgb.shape[1], rgb.shape[2]), dtype=dtype)


@torch.library.register_fake("sibyl::texture_backward")
def _(grad, rgb):
    return torch.empty_like(rgb, memory_format=torch.contiguous_format)


@torch.library.register_fake("sibyl::topk")
def _(input, k):
    shape = (input.shape[0], k)
    return input.new_empty(shape), input.new_empty(shape, dtype=torch.int64)


# sizeof(relevance::Folded): the folded map, the triangle, the partial sums and a counter, aligned to 8.
_FOLDED_BYTES = -(-(4 * (INPUTS * FEATURES + 105) + 4) // 8) * 8 + 8 * 48 * 105 + 8


@torch.library.register_fake("sibyl::fold_weights")
def _(w1, b1, w2, b2):
    return w1.new_empty((_FOLDED_BYTES,), dtype=torch.uint8)


@torch.library.register_fake("sibyl::score")
def _(folded, patches, queries):
    return patches.new_empty(patches.shape[:2], dtype=torch.float32)


# ------------------------------------------------------------------ texture

def _texture_setup(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


def _texture_backward(ctx, grad):
    (rgb,) = ctx.saved_tensors
    return torch.ops.sibyl.texture_backward(grad, rgb)


torch.library.register_autograd("sibyl::texture", _texture_backward, setup_context=_texture_setup)


def texture(rgb):
    """[N, H, W, 3] to the nine channels R, G, B, L, a, b, gx, gy, |g| as [N, 9, H, W].

    Bytes give halves, by the fast kernel. Floating-point images in [0, 1] keep their type and have a
    derivative.
    """
    return torch.ops.sibyl.texture(rgb)


# ------------------------------------------------------------------ topk

def _topk_setup(ctx, inputs, output):
    ctx.save_for_backward(output[1])
    ctx.columns = inputs[0].shape[1]


def _topk_backward(ctx, grad_values, grad_indices):
    (indices,) = ctx.saved_tensors
    grad = grad_values.new_zeros((indices.shape[0], ctx.columns))
    return grad.scatter_(1, indices, grad_values), None


torch.library.register_autograd("sibyl::topk", _topk_backward, setup_context=_topk_setup)


def topk(input, k):
    """The k largest of every row, largest first, equal ones by column; and their columns."""
    return torch.ops.sibyl.topk(input, k)


# ------------------------------------------------------------------ relevance

def _affine(w1, b1, w2, b2):
    """Both maps as one matrix A, [1536, 14], and the inner matrix it was made with."""
    inner = torch.cat([w1, b1[:, None]], 1)
    a = w2 @ inner
    return torch.cat([a[:, :-1], (a[:, -1] + b2)[:, None]], 1), inner


@torch.library.custom_op("sibyl::relevance", mutates_args=())
def _relevance(patches: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor,
               b2: torch.Tensor, queries: torch.Tensor) -> torch.Tensor:
    if patches.is_cuda and patches.dtype == torch.bfloat16 and patches.shape[1] % 8 == 0:
        folded = torch.ops.sibyl.fold_weights(w1, b1, w2, b2)
        return torch.ops.sibyl.score(folded, patches, queries)
    # Other types and shapes: the same algebra by PyTorch, in at least float32.
    dtype = torch.promote_types(patches.dtype, torch.float32)
    x, w1, b1, w2, b2, q = (t.to(dtype) for t in (patches, w1, b1, w2, b2, queries))
    a, _ = _affine(w1, b1, w2, b2)
    y = torch.cat([x, x.new_ones(*x.shape[:-1], 1)], -1)
    dots = torch.einsum("bni,bi->bn", y, q @ a)
    length = torch.linalg.vector_norm(y @ torch.linalg.qr(a, mode="r").R.T, dim=-1)
    scale = torch.linalg.vector_norm(q, dim=-1)[:, None] * length
    return torch.where(scale > 0, dots / scale, torch.zeros_like(dots))


@_relevance.register_fake
def _(patches, w1, b1, w2, b2, queries):
    dtype = torch.promote_types(patches.dtype, torch.float32)
    return patches.new_empty(patches.shape[:2], dtype=dtype)


def _relevance_setup(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _relevance_backward(ctx, grad):
    """With y = (x, 1), u = A^T q, G = A^T A, n = sqrt(y G y): cosine = u.y / (|q| n), and every derivative
    is a sum over patches of 14-vectors; the 1536-wide features are not made here either."""
    saved = ctx.saved_tensors
    dtype = grad.dtype
    x, w1, b1, w2, b2, q = (t.to(dtype) for t in saved)
    a, inner = _affine(w1, b1, w2, b2)
    gram = a.T @ a
    y = torch.cat([x, x.new_ones(*x.shape[:-1], 1)], -1)
    gy = y @ gram
    square = (y * gy).sum(-1)
    length = square.clamp_min(torch.finfo(dtype).tiny).sqrt()
    query_square = (q * q).sum(-1, keepdim=True)
    query_length = query_square.clamp_min(torch.finfo(dtype).tiny).sqrt()
    u = q @ a
    scale = 1 / (query_length * length)
    cosine = torch.einsum("bni,bi->bn", y, u) * scale
    alive = (square > 0) & (query_square > 0)
    g = torch.where(alive, grad, torch.zeros_like(grad))
    gs = g * scale
    bend = g * cosine / square.clamp_min(torch.finfo(dtype).tiny)
    dx = (gs[..., None] * u[:, None] - bend[..., None] * gy)[..., :-1]
    du = torch.einsum("bn,bni->bi", gs, y)
    dq = du @ a.T - (g * cosine).sum(-1, keepdim=True) * q / query_length ** 2
    dgram = -0.5 * torch.einsum("bn,bni,bnj->ij", bend, y, y)
    da = q.T @ du + 2 * a @ dgram
    dinner = w2.T @ da
    grads = (dx, dinner[:, :-1], dinner[:, -1], da @ inner.T, da[:, -1], dq)
    return tuple(g.to(t.dtype) for g, t in zip(grads, saved))


_relevance.register_autograd(_relevance_backward, setup_context=_relevance_setup)


def relevance(patches, w1, b1, w2, b2, queries):
    """Cosine between each query and the features W2 (W1 x + b1) + b2 of its image's patches.

    patches [B, N, 13], w1 [64, 13], b1 [64], w2 [1536, 64], b2 [1536], queries [B, 1536]; gives [B, N], float32
    for bf16 inputs. Differentiable in all of them.
    """
    return _relevance(patches, w1, b1, w2, b2, queries)


def fold_weights(w1, b1, w2, b2):
    """What score() needs of the weights; once per set of weights."""
    return torch.ops.sibyl.fold_weights(w1, b1, w2, b2)


def score(folded, patches, queries):
    """relevance() for weights folded before; no derivative."""
    return torch.ops.sibyl.score(folded, patches, queries)

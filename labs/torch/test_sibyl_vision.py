#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the extension; exits 3 where PyTorch or a GPU is missing. Usage: test_sibyl_vision.py"""
import sys

try:
    import torch
except ImportError as error:
    print(f"cannot run here: {error}", file=sys.stderr)
    sys.exit(3)
if not torch.cuda.is_available():
    print("cannot run here: PyTorch sees no GPU", file=sys.stderr)
    sys.exit(3)

import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import sibyl_vision as vision
from torch_anchor import relevance_function, texture_function


def weights(dtype):
    def draw(*shape, scale=1.0):
        return (torch.randn(*shape, device="cuda", dtype=torch.float64) * scale).to(dtype)
    return [draw(64, 13, scale=13 ** -0.5), draw(64, scale=0.1), draw(1536, 64, scale=0.125),
            draw(1536, scale=0.1)]


def near(got, wanted, tolerance):
    assert got.shape == wanted.shape and got.dtype is not None
    error = (got.double() - wanted.double()).abs().max().item()
    assert error <= tolerance, f"off by {error}, allowed {tolerance}"


def test_texture_of_bytes_is_pytorchs():
    scale = torch.tensor([1, 1, 1, 100, 100, 100, 1, 1, 1], device="cuda").view(1, 9, 1, 1)
    for shape in ((2, 64, 128, 3), (1, 7, 13, 3), (1, 33, 1096, 3)):
        rgb = torch.randint(0, 256, shape, dtype=torch.uint8, device="cuda")
        # In float32 by PyTorch, rounded to half by both.
        near(vision.texture(rgb) / scale, texture_function(rgb) / scale, 1.3e-3)


def test_texture_of_floats_agrees_with_bytes():
    rgb = torch.randint(0, 256, (1, 17, 24, 3), dtype=torch.uint8, device="cuda")
    scale = torch.tensor([1, 1, 1, 100, 100, 100, 1, 1, 1], device="cuda").view(1, 9, 1, 1)
    near(vision.texture(rgb.double() / 255) / scale, vision.texture(rgb) / scale, 6e-4)


def test_texture_has_the_right_derivative():
    torch.manual_seed(1)
    # Away from the corner of the sRGB curve and from flat places, where there is no derivative.
    rgb = torch.rand(1, 4, 5, 3, device="cuda", dtype=torch.float64) * 0.8 + 0.1
    assert torch.autograd.gradcheck(vision.texture, (rgb.requires_grad_(),))


def test_topk_is_pytorchs():
    for rows, columns, k in ((7, 1024, 200), (3, 16384, 256), (2, 300, 300), (5, 4097, 1)):
        x = torch.randn(rows, columns, device="cuda")
        values, indices = vision.topk(x, k)
        wanted = torch.topk(x, k)
        assert torch.equal(values, wanted.values)
        assert torch.equal(torch.gather(x, 1, indices), values)


def test_topk_passes_the_gradient_to_what_it_chose():
    x = torch.randn(3, 100, device="cuda", requires_grad=True)
    values, indices = vision.topk(x, 10)
    values.sum().backward()
    assert x.grad.sum().item() == 30 and torch.all(torch.gather(x.grad, 1, indices) == 1)


def test_relevance_is_float64s():
    w = weights(torch.bfloat16)
    x = torch.randn(3, 1032, 13, device="cuda").bfloat16()
    q = torch.randn(3, 1536, device="cuda").bfloat16()
    wanted = relevance_function(*(t.double() for t in (x, *w, q)))
    near(vision.relevance(x, *w, q), wanted, 5e-6)
    near(vision.score(vision.fold_weights(*w), x, q), wanted, 5e-6)
    near(vision.relevance(x.float()[:, :13], *(t.float() for t in (*w, q))), wanted[:, :13], 5e-6)


def test_relevance_has_the_right_derivative():
    torch.manual_seed(2)
    inputs = [torch.randn(2, 3, 13, device="cuda", dtype=torch.float64), *weights(torch.float64),
              torch.randn(2, 1536, device="cuda", dtype=torch.float64)]
    # All 100,000 weights one by one would take hours: patches, w1, b1 and queries by gradcheck, the
    # wide ones against autograd through the features.
    chosen = [inputs[0].clone().requires_grad_(), inputs[1].clone().requires_grad_(),
              inputs[2].clone().requires_grad_()]
    assert torch.autograd.gradcheck(
        lambda x, w1, b1: vision.relevance(x, w1, b1, *inputs[3:]), chosen)
    ours = [t.clone().requires_grad_() for t in inputs]
    theirs = [t.clone().requires_grad_() for t in inputs]
    upstream = torch.randn(2, 3, device="cuda", dtype=torch.float64)
    vision.relevance(*ours).backward(upstream)
    relevance_function(*theirs).backward(upstream)
    for a, b in zip(ours, theirs):
        near(a.grad, b.grad, 1e-9 * max(1.0, b.grad.abs().max().item()))


def test_operations_are_well_registered():
    rgb = torch.randint(0, 256, (1, 8, 16, 3), dtype=torch.uint8, device="cuda")
    image = torch.rand(1, 4, 8, 3, device="cuda", requires_grad=True)
    x = torch.randn(4, 64, device="cuda", requires_grad=True)
    w = weights(torch.bfloat16)
    patches = torch.randn(2, 8, 13, device="cuda").bfloat16()
    queries = torch.randn(2, 1536, device="cuda").bfloat16()
    folded = vision.fold_weights(*w)
    for operation, arguments in ((torch.ops.sibyl.texture.default, (rgb,)),
                                 (torch.ops.sibyl.texture.default, (image,)),
                                 (torch.ops.sibyl.topk.default, (x, 5)),
                                 (torch.ops.sibyl.fold_weights.default, tuple(w)),
                                 (torch.ops.sibyl.score.default, (folded, patches, queries)),
                                 (torch.ops.sibyl.relevance.default, (patches, *w, queries))):
        torch.library.opcheck(operation, arguments)


def pipeline(rgb, patches, w, q):
    channels = vision.texture(rgb)
    scores = vision.relevance(patches, *w, q)
    values, indices = vision.topk(scores, 16)
    return channels.float().mean() + values.sum(), indices


def pipeline_inputs():
    return (torch.randint(0, 256, (2, 32, 64, 3), dtype=torch.uint8, device="cuda"),
            torch.randn(2, 64, 13, device="cuda").bfloat16(), weights(torch.bfloat16),
            torch.randn(2, 1536, device="cuda").bfloat16())


def test_compile_takes_the_operations_whole():
    inputs = pipeline_inputs()
    compiled = torch.compile(pipeline, fullgraph=True)
    for got, wanted in zip(compiled(*inputs), pipeline(*inputs)):
        near(got, wanted, 1e-4 * max(1.0, wanted.abs().max().item()))


def test_cuda_graphs_replay_the_operations():
    inputs = pipeline_inputs()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        pipeline(*inputs)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        outputs = pipeline(*inputs)
    # New contents in the same memory: the replay must see them.
    inputs[1].copy_(torch.randn(2, 64, 13, device="cuda"))
    graph.replay()
    torch.cuda.synchronize()
    for got, wanted in zip(outputs, pipeline(*inputs)):
        near(got, wanted, 1e-4 * max(1.0, wanted.abs().max().item()))


def main():
    print(f"built {vision.BUILT}, PyTorch {torch.__version__}, {torch.cuda.get_device_name(0)}")
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            test()
            print(f"  holds          {name[5:].replace('_', ' ')}")
        except Exception as error:
            failed += 1
            print(f"  DOES NOT HOLD  {name[5:].replace('_', ' ')}: {str(error)[:600]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

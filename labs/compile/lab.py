#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lab: what torch.compile's modes give a step, and what they cost before the first one. README.md reads
the figures.

Idea: the same transformer blocks, forward and backward, once so small that launches are the limit and
once so large that the matrix units are. Beside them: how often a model that grows with its input is
compiled, and into how many graphs one with a break falls. Floor: the operations at the matrix units'
highest rate.
"""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from torch_lab import Lab, run  # noqa: E402

QUESTION = "what do torch.compile's modes give a step, and what do they cost before the first one?"
MODES = {"eager": None, "default": {}, "reduce-overhead": {"mode": "reduce-overhead"},
         "max-autotune": {"mode": "max-autotune"}}
TOLERANCE = 3e-2  # bf16 operands, against float64


def blocks(torch, width, layers):
    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
            self.qkv = torch.nn.Linear(width, 3 * width)
            self.out = torch.nn.Linear(width, width)
            self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

        def forward(self, x):
            batch, length, _ = x.shape
            parts = self.qkv(self.first(x)).view(batch, length, 3, width // 64, 64)
            q, k, v = parts.permute(2, 0, 3, 1, 4)
            mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
            return x + self.down(torch.nn.functional.gelu(self.up(self.second(x))))
    return torch.nn.Sequential(*[Block() for _ in range(layers)])


def measure_mode(session, params, variant, model, data, wanted):
    torch = session.torch
    torch._dynamo.reset()
    options = MODES[variant]
    compiled = model if options is None else torch.compile(model, **options)

    def step():
        model.zero_grad(set_to_none=False)
        compiled(data).float().square().mean().backward()

    began = time.perf_counter()
    step()
    torch.cuda.synchronize()
    first = time.perf_counter() - began
    got = compiled(data).detach().double()  # With gradients: without, it would be compiled again.
    error = float((got - wanted).norm() / wanted.norm())
    if not session.accept(variant, params, error, TOLERANCE) or session.check_only:
        return
    step()  # Graphs are captured in the second and third.
    took, clocks = session.time_device(step, samples=25, warm=5, runs=4)
    from torch.utils.flop_counter import FlopCounterMode
    with FlopCounterMode(display=False) as counter:
        model.zero_grad(set_to_none=False)
        model(data).float().square().mean().backward()
    peak = session.peak_tflops("bf16")
    floor = counter.get_total_flops() / peak / 1e9 if peak else None
    session.report(variant, params, "step", took, "ms", floor, error, clocks)
    session.report(variant, params, "first_step", first, "s", clocks=clocks)


def graphs_of(torch, function, inputs, **options):
    """How many graphs torch.compile makes of the function for these inputs."""
    torch._dynamo.reset()
    made = []

    def backend(graph, example):
        made.append(graph)
        return graph.forward
    compiled = torch.compile(function, backend=backend, **options)
    same = all(torch.equal(compiled(x), function(x)) for x in inputs)
    return len(made), same


def measure_graphs(session, params):
    """Counts: exact, without clocks or noise."""
    torch = session.torch
    weight = torch.randn(64, 64, device="cuda")

    def plain(x):
        return torch.relu(x @ weight).sum(1)

    def breaking(x):
        y = torch.relu(x @ weight)
        if float(y.sum()) > 0:  # A value of the device decides in Python: a break.
            y = y * 2
        return y.sum(1)
    lengths = [torch.randn(n, 64, device="cuda") for n in (8, 16, 24, 32, 40, 48, 56, 64)]
    counts = {"one-shape": (plain, lengths[:1], {}),
              "eight-shapes": (plain, lengths, {}),
              "eight-shapes-static": (plain, lengths, {"dynamic": False}),
              "eight-shapes-dynamic": (plain, lengths, {"dynamic": True}),
              "data-dependent-branch": (breaking, lengths[:1], {})}
    for variant, (function, inputs, options) in counts.items():
        if not session.wants(variant):
            continue
        graphs, same = graphs_of(torch, function, inputs, **options)
        if session.accept(variant, params, 0 if same else float("inf"), 0, "eager"):
            if not session.check_only:
                session.report(variant, params, "graphs_compiled", graphs, "1", 1, 0)


def measure(session, params):
    torch = session.torch
    if params["width"] == 0:
        measure_graphs(session, params)
        return
    model = blocks(torch, params["width"], params["layers"]).cuda()
    data = torch.randn(params["batch"], params["length"], params["width"], device="cuda")
    with torch.no_grad():
        wanted = model.double()(data.double())
    model.bfloat16()
    data = data.bfloat16()
    for variant in MODES:
        # Tuning what launches limit takes minutes and changes nothing.
        if variant == "max-autotune" and params["width"] < 1024 and not session.check_only:
            continue
        if session.wants(variant):
            measure_mode(session, params, variant, model, data, wanted)


if __name__ == "__main__":
    # The time to the first step is that of somebody who has not compiled this before.
    os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
    counted = {"width": 0, "layers": 0, "batch": 0, "length": 0}
    sys.exit(run(Lab(
        name="compile", question=QUESTION, measure=measure,
        variants=[*MODES, "one-shape", "eight-shapes", "eight-shapes-static", "eight-shapes-dynamic",
                  "data-dependent-branch"],
        cases=[counted, {"width": 512, "layers": 1, "batch": 2, "length": 128},
               {"width": 2048, "layers": 1, "batch": 16, "length": 1024}],
        quick_cases=[{"width": 128, "layers": 1, "batch": 2, "length": 64}],
        libraries=("triton",))))

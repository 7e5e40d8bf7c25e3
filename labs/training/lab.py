#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lab: the advice of tuning guides, on one training step: TF32, autocast, channels-last, cudnn.benchmark,
fused optimizers, CUDA graphs. README.md has the floors and reads the figures.

Idea: one step (forward, loss, backward, optimizer) of a convolutional network and of a transformer, with
one piece of advice more or less. Floor: the step's floating-point operations, counted by PyTorch, at the
highest rate of the unit that the format is computed by.
"""
import contextlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from torch_lab import Lab, run  # noqa: E402

QUESTION = "what do TF32, autocast, channels-last, cudnn.benchmark, fused Adam and graphs give a step?"

# What each variant switches on.
VARIANTS = {
    "fp32": set(),
    "fp32-benchmark": {"benchmark"},
    "tf32": {"tf32"},
    "tf32-channels-last": {"tf32", "channels-last"},
    "bf16": {"bf16"},
    "bf16-channels-last": {"bf16", "channels-last"},
    "bf16-channels-last-benchmark": {"bf16", "channels-last", "benchmark"},
    "bf16-fused": {"bf16", "fused"},
    "bf16-fused-graph": {"bf16", "fused", "graph"},
    "fp16-scaled": {"fp16"},
    "fp16-scaled-channels-last": {"fp16", "channels-last"},
}
# Of the output, against float64. Gradients are no measure: those of a network with batch normalisation
# at its start amplify rounding, and even fp32 was off by 2 % of their length.
TOLERANCE = {"fp32": 1e-3, "tf32": 5e-2, "bf16": 0.2, "fp16": 5e-2}


def kind_of(flags):
    return next((kind for kind in ("tf32", "bf16", "fp16") if kind in flags), "fp32")


def resnet(torch, params):
    import torchvision
    model = torchvision.models.resnet50(num_classes=1000)
    images = torch.randn(params["batch"], 3, params["size"], params["size"], device="cuda")
    return model, images, torch.randint(0, 1000, (params["batch"],), device="cuda")


def transformer(torch, params):
    width = params["size"]
    layer = torch.nn.TransformerEncoderLayer(width, width // 64, 4 * width, dropout=0,
                                             activation="gelu", batch_first=True, norm_first=True)
    model = torch.nn.Sequential(torch.nn.TransformerEncoder(layer, 6, enable_nested_tensor=False),
                                torch.nn.Linear(width, 4096))
    inputs = torch.randn(params["batch"], 256, width, device="cuda")
    return model, inputs, torch.randint(0, 4096, (params["batch"], 256), device="cuda")


@contextlib.contextmanager
def settings(torch, flags):
    tf32 = "tf32" in flags
    torch.backends.cuda.matmul.allow_tf32 = tf32
    torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cudnn.benchmark = "benchmark" in flags
    try:
        yield
    finally:
        torch.backends.cudnn.benchmark = False


class Step:
    """A model, its data and its optimizer; a call is one training step."""

    def __init__(self, torch, params, flags, state, data):
        self.torch, self.flags = torch, flags
        build = resnet if params["model"] == "resnet50" else transformer
        self.model = build(torch, {**params, "batch": 1})[0].cuda()
        self.model.load_state_dict(state)
        self.inputs, self.labels = data
        if "channels-last" in flags:
            self.model = self.model.to(memory_format=torch.channels_last)
            self.inputs = self.inputs.to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4, fused="fused" in flags,
                                           capturable="graph" in flags)
        self.scaler = torch.amp.GradScaler("cuda", enabled="fp16" in flags,
                                             init_scale=2.0**10)

    def output(self):
        torch = self.torch
        narrow = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(kind_of(self.flags))
        with torch.autocast("cuda", dtype=narrow, enabled=narrow is not None):
            return self.model(self.inputs)

    def forward(self):
        output = self.output().flatten(0, -2).float()
        return self.torch.nn.functional.cross_entropy(output, self.labels.flatten())

    def __call__(self):
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(self.forward()).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def captured(self):
        torch = self.torch
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                self()
        side.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self()
        return graph.replay


def exact_output(torch, params, state, data):
    build = resnet if params["model"] == "resnet50" else transformer
    model = build(torch, {**params, "batch": 1})[0].cuda().double()
    model.load_state_dict(state)
    with torch.no_grad():
        return model(data[0].double())


def operations(torch, step):
    from torch.utils.flop_counter import FlopCounterMode
    with FlopCounterMode(display=False) as counter:
        step()
    return counter.get_total_flops()


def measure(session, params):
    torch = session.torch
    build = resnet if params["model"] == "resnet50" else transformer
    model, inputs, labels = build(torch, params)
    state = {name: value.cuda() for name, value in model.state_dict().items()}
    few = min(params["batch"], 32)
    checked = (inputs[:few], labels[:few])
    with settings(torch, set()):
        wanted = exact_output(torch, params, state, checked)
        flops = operations(torch, Step(torch, params, set(), state, (inputs, labels)))
    for variant, flags in VARIANTS.items():
        if not session.wants(variant):
            continue
        if params["model"] != "resnet50" and flags & {"channels-last", "benchmark"}:
            continue  # Neither concerns a network without convolutions.
        with settings(torch, flags):
            with torch.no_grad():
                got = Step(torch, params, flags, state, checked).output().double()
            error = float((got - wanted).norm() / wanted.norm())
            if not session.accept(variant, params, error, TOLERANCE[kind_of(flags)]):
                continue
            if session.check_only:
                continue
            torch.cuda.reset_peak_memory_stats()
            step = Step(torch, params, flags, state, (inputs, labels))
            call = step.captured() if "graph" in flags else step
            took, clocks = session.time_device(call, samples=25, warm=5)
            peak = session.peak_tflops(kind_of(flags))
            floor = flops / peak / 1e9 if peak else None
            session.report(variant, params, "step", took, "ms", floor, error, clocks)
            session.report(variant, params, "memory", torch.cuda.max_memory_allocated() / 2**30,
                           "GiB", clocks=clocks)
            del call, step
            torch.cuda.empty_cache()


if __name__ == "__main__":
    sys.exit(run(Lab(
        name="training", question=QUESTION, variants=list(VARIANTS), measure=measure,
        cases=[{"model": "resnet50", "batch": 128, "size": 224},
               {"model": "transformer", "batch": 64, "size": 1024},
               {"model": "transformer", "batch": 2, "size": 512}],
        quick_cases=[{"model": "resnet50", "batch": 4, "size": 64},
                     {"model": "transformer", "batch": 2, "size": 128}],
        libraries=("torchvision",))))

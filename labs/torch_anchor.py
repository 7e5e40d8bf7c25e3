#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What plain PyTorch makes of the labs' questions, on the same shapes, as lines of docs/formats/lab.md.

Usage: torch_anchor.py [--names | LAB...]; exits 3 where PyTorch or a GPU is missing. Each anchor is timed both by
replaying a CUDA graph and by enqueuing calls, and the faster of the two is reported: an anchor that
loses to its own launch overhead would flatter us.
"""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "harness"))
from torch_lab import summarise  # noqa: E402

try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    print(f"torch_anchor: cannot run here: {error}", file=sys.stderr)
    sys.exit(3)
if not torch.cuda.is_available():
    print("torch_anchor: cannot run here: PyTorch sees no GPU", file=sys.stderr)
    sys.exit(3)

DEVICE = torch.cuda.get_device_name(0)
TOOLKIT = torch.version.cuda


def driver():
    try:
        import subprocess
        query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


DRIVER = driver()


def summary(samples):
    found = summarise(samples)
    return found.median, found.noise


def sample(run, runs, count):
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    times = []
    for _ in range(count):
        start.record()
        run()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / runs)
    return times


def measure(call, sets, graph=True, samples=25):
    """Median ms of one call; call(i) uses set i of the inputs."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for i in range(max(3, sets)):
            call(i % sets)
        torch.cuda.synchronize()
        once = summary(sample(lambda: call(0), 1, 5))[0]
        runs = max(1, min(200, math.ceil(2 / max(once, 1e-3))))
        if runs > 1:
            runs = -(-runs // sets) * sets

        def enqueue():
            for i in range(runs):
                call(i % sets)

        enqueue()
        best = summary(sample(enqueue, runs, samples))
        if graph:
            try:
                torch.cuda.synchronize()
                captured = torch.cuda.CUDAGraph()
                with torch.cuda.graph(captured, stream=stream):
                    enqueue()
                captured.replay()
                best = min(best, summary(sample(captured.replay, runs, samples)))
            except RuntimeError as error:
                print(f"torch_anchor: no graph: {error}", file=sys.stderr)
    torch.cuda.synchronize()
    return best[0], best[1], samples


def report(lab, variant, params, call, sets=1, metric="time", unit="ms", scale=None, **options):
    try:
        value, noise, samples = measure(call, sets, **options)
    except Exception as error:  # One backend's failure must not take the others with it.
        line = {"lab": lab, "variant": variant, "params": params, "skip": str(error)[:300]}
        print(json.dumps(line), flush=True)
        return
    if scale is not None:
        value = scale(value)
    print(json.dumps({
        "lab": lab, "variant": variant, "params": params, "metric": metric,
        "value": float(f"{value:.7g}"), "unit": unit, "floor": None, "x_floor": None,
        "samples": samples, "noise": float(f"{noise:.4g}"), "max_rel_err": None,
        "device": DEVICE, "driver": DRIVER, "toolkit": TOOLKIT,
        "clocks": {"sm_mhz": None, "memory_mhz": None, "throttle": None}}), flush=True)


def both(lab, params, function, arguments, sets=1, **options):
    """Eager and compiled."""
    report(lab, "torch-eager", params, lambda i: function(*arguments(i)), sets, **options)
    torch._dynamo.reset()
    compiled = torch.compile(function)
    report(lab, "torch-compile", params, lambda i: compiled(*arguments(i)), sets, **options)


def texture_function(rgb):
    """[N, H, W, 3] uint8 to [N, 9, H, W] half."""
    x = rgb.permute(0, 3, 1, 2).float() / 255
    linear = torch.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    r, g, b = linear.unbind(1)
    t = torch.stack([(0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
                     0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
                     (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883], 1)
    f = torch.where(t > 216 / 24389, t ** (1 / 3), (24389 / 27 * t + 16) / 116)
    fx, fy, fz = f.unbind(1)
    luma = 0.299 * x[:, 0:1] + 0.587 * x[:, 1:2] + 0.114 * x[:, 2:3]
    p = F.pad(luma, (1, 1, 1, 1), mode="replicate")
    smooth = p[:, :, :-2] + 2 * p[:, :, 1:-1] + p[:, :, 2:]
    gx = (smooth[..., 2:] - smooth[..., :-2])[:, 0] / 8
    wide = p[..., :-2] + 2 * p[..., 1:-1] + p[..., 2:]
    gy = (wide[:, :, 2:] - wide[:, :, :-2])[:, 0] / 8
    channels = [x[:, 0], x[:, 1], x[:, 2], 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz),
                gx, gy, torch.sqrt(gx * gx + gy * gy)]
    return torch.stack(channels, 1).half()


def texture():
    rgb = torch.randint(0, 256, (32, 1024, 1024, 3), dtype=torch.uint8, device="cuda")
    both("texture", {"images": 32, "height": 1024, "width": 1024}, texture_function,
         lambda i: (rgb,))


def relevance_function(x, w1, b1, w2, b2, query):
    features = F.linear(F.linear(x, w1, b1), w2, b2)
    return F.cosine_similarity(features, query[:, None, :], dim=-1)


def relevance():
    def bf16(*shape):
        return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)
    weights = (bf16(64, 13), bf16(64), bf16(1536, 64), bf16(1536))
    x, query = bf16(256, 1024, 13), bf16(256, 1536)
    both("relevance", {"images": 256, "patches": 1024}, relevance_function,
         lambda i: (x, *weights, query))


def topk():
    for rows, columns, k in ((256, 4096, 200), (256, 1024, 200), (1024, 16384, 256)):
        sets = max(1, min(64, 250_000_000 // (rows * columns * 4)))
        x = torch.randn(sets, rows, columns, device="cuda")
        params = {"rows": rows, "columns": columns, "k": k, "data": "normal"}
        both("topk", params, lambda a, k=k: torch.topk(a, k), lambda i: (x[i],), sets)


def adam():
    params = {"tensors": 128, "elements": 1 << 20}
    for name, options in (("torch-fused", {"fused": True}), ("torch-foreach", {"foreach": True})):
        tensors = [torch.randn(1 << 20, device="cuda", requires_grad=True) for _ in range(128)]
        for tensor in tensors:
            tensor.grad = torch.randn_like(tensor)
        optimizer = torch.optim.AdamW(tensors, lr=1e-3, capturable=True, **options)
        report("adam", name, params, lambda i: optimizer.step())
        del optimizer, tensors


def layernorm():
    rows, columns = 16384, 4096
    params = {"rows": rows, "columns": columns}
    x = torch.randn(rows, columns, device="cuda", dtype=torch.bfloat16)
    dy = torch.randn_like(x)
    gamma, beta = (torch.randn(columns, device="cuda", dtype=torch.bfloat16) for _ in range(2))

    def forward(a):
        return torch.ops.aten.native_layer_norm(a, [columns], gamma, beta, 1e-5)
    _, mean, inverse = forward(x)

    def backward(a, g):
        return torch.ops.aten.native_layer_norm_backward(g, a, [columns], mean, inverse, gamma,
                                                         beta, [True, True, True])
    report("layernorm", "torch-eager-forward", params, lambda i: forward(x))
    report("layernorm", "torch-eager-backward", params, lambda i: backward(x, dy))
    torch._dynamo.reset()
    compiled = torch.compile(forward)
    report("layernorm", "torch-compile-forward", params, lambda i: compiled(x))
    torch._dynamo.reset()
    compiled_backward = torch.compile(backward)
    report("layernorm", "torch-compile-backward", params, lambda i: compiled_backward(x, dy))


def attention():
    from torch.nn.attention import SDPBackend, sdpa_kernel
    shapes = [(4096, width, causal, 1) for causal in (0, 1) for width in (128, 64, 256)]
    shapes += [(4000, 128, causal, 1) for causal in (0, 1)]
    shapes += [(4096, 128, causal, 4) for causal in (0, 1)]
    for length, width, causal, share in shapes:
        q = torch.randn(4, 16, length, width, device="cuda", dtype=torch.bfloat16)
        k, v = (torch.randn(4, 16 // share, length, width, device="cuda", dtype=torch.bfloat16)
                for _ in range(2))
        params = {"batch": 4, "heads": 16, "queries": length, "keys": length, "width": width,
                  "causal": causal, "share": share, "data": "normal"}
        for name, backend in (("torch-flash", SDPBackend.FLASH_ATTENTION),
                              ("torch-cudnn", SDPBackend.CUDNN_ATTENTION),
                              ("torch-efficient", SDPBackend.EFFICIENT_ATTENTION)):
            def call(i, backend=backend):
                with sdpa_kernel(backend):
                    return F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal),
                                                          enable_gqa=share > 1)
            # As many samples as the lab takes: both must be slowed alike by the power limit.
            report("attention", name, params, call, graph=False, samples=100)


def scaler():
    tensors = [torch.randn(1 << 20, device="cuda") for _ in range(128)]
    found = torch.zeros(1, device="cuda")
    one = torch.ones(1, device="cuda")

    def call(i):
        # By one, so that the numbers do not shrink to nothing over the samples.
        torch._amp_foreach_non_finite_check_and_unscale_(tensors, found, one)
    report("scaler", "torch-eager", {"tensors": 128, "elements": 1 << 20}, call)


ANCHORS = {"texture": texture, "relevance": relevance, "topk": topk, "adam": adam,
           "layernorm": layernorm, "attention": attention, "scaler": scaler}


def main(names):
    if names == ["--names"]:
        print(" ".join(ANCHORS))
        return 0
    for name in names or ANCHORS:
        if name not in ANCHORS:
            print(f"torch_anchor: error: no anchor '{name}'; there are {', '.join(ANCHORS)}",
                  file=sys.stderr)
            return 2
        ANCHORS[name]()
        torch.cuda.empty_cache()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

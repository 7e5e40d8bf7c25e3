#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lab: what a collective of NCCL costs before any byte leaves the GPU, and what one GPU can say of it.
README.md reads the figures.

Idea: a group of one process on one GPU, so that nothing is sent: what remains is the call, the launch and
the copy from input to output. Floor: that copy at the rate of a copy in device memory, measured here; an
all-reduce in place of one rank has nothing to do.
"""
import os
import pathlib
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from torch_lab import Lab, run  # noqa: E402

QUESTION = "what does a collective cost before any byte leaves the GPU?"
VARIANTS = ["all-reduce", "all-gather", "reduce-scatter", "broadcast", "copy-kernel", "two-ranks"]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def join(rank, size, port):
    import torch.distributed as dist
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", str(port)
    import torch
    dist.init_process_group("nccl", rank=rank, world_size=size, device_id=torch.device("cuda:0"))
    return dist


def two_ranks(session, params):
    """Two processes on one GPU: whether NCCL takes them, and what it says if not."""
    port = str(free_port())
    started = [subprocess.Popen([sys.executable, "-B", __file__, "--rank", str(rank), port],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
               for rank in range(2)]
    texts = []
    for process in started:
        try:
            texts.append(process.communicate(timeout=60)[0])
        except subprocess.TimeoutExpired:
            process.kill()
            texts.append(process.communicate()[0] + "\nno answer within a minute")
    if all(process.returncode == 0 for process in started):
        session.report("two-ranks", params, "works", 1, "1")
        return
    lines = [line for text in texts for line in text.splitlines()
             if "uplicate" in line or "rror" in line]
    said = next((line for line in lines if "uplicate" in line), (lines or texts)[-1])
    session.skip("two-ranks", params, f"NCCL does not put two ranks on one GPU: {said.strip()}")


def rank_main(rank, port):
    import torch
    dist = join(rank, 2, port)
    x = torch.ones(1 << 20, device="cuda")
    dist.all_reduce(x)
    torch.cuda.synchronize()
    assert float(x[0]) == 2
    dist.destroy_process_group()


def measure(session, params):
    torch = session.torch
    if params["bytes"] == 0:
        if session.wants("two-ranks") and not session.check_only:
            two_ranks(session, params)
        return
    dist = session.dist if hasattr(session, "dist") else join(0, 1, free_port())
    session.dist = dist
    source = torch.randn(params["bytes"] // 4, device="cuda")
    target = torch.full_like(source, float("nan"))
    calls = {"all-reduce": (lambda: dist.all_reduce(source), source),
             "all-gather": (lambda: dist.all_gather_into_tensor(target, source), target),
             "reduce-scatter": (lambda: dist.reduce_scatter_tensor(target, source), target),
             "broadcast": (lambda: dist.broadcast(source, 0), source),
             "copy-kernel": (lambda: target.copy_(source), target)}
    copy_ms = None
    for variant in ("copy-kernel", "all-reduce", "all-gather", "reduce-scatter", "broadcast"):
        call, output = calls[variant]
        if not session.wants(variant):
            continue
        wanted = source.clone()
        target.fill_(float("nan"))
        call()
        same = torch.equal(output.view(torch.int32), wanted.view(torch.int32))
        if not session.accept(variant, params, 0 if same else float("inf"), 0, "the input"):
            continue
        if session.check_only:
            continue
        took, clocks = session.time_device(call, samples=30, runs=50, warm=10)
        took.median *= 1e3
        copy_ms = took.median if variant == "copy-kernel" else copy_ms
        floor = copy_ms if output is target and variant != "copy-kernel" else None
        session.report(variant, params, "time", took, "us", floor, 0, clocks)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank"]:
        rank_main(int(sys.argv[2]), int(sys.argv[3]))
        sys.exit(0)
    sys.exit(run(Lab(
        name="collectives", question=QUESTION, variants=VARIANTS, measure=measure,
        cases=[{"bytes": n} for n in (0, 4096, 65536, 1 << 20, 1 << 24, 1 << 28, 1 << 30)],
        quick_cases=[{"bytes": 4096}])))

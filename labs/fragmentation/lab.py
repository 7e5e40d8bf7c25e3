#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lab: what PyTorch's caching allocator reserves beyond what lives, by its settings. README.md reads the
figures.

Idea: the allocations of a training loop whose sequences have many lengths, replayed without the kernels,
in a process for each setting, since settings are read once. Floor: the most bytes that live at once,
which a perfect allocator would reserve and no more.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from torch_lab import Lab, run, summarise  # noqa: E402

QUESTION = "how much more than it needs does PyTorch's caching allocator reserve, by its settings?"
SETTINGS = {"default": "", "expandable-segments": "expandable_segments:True",
            "max-split-128": "max_split_size_mb:128", "collect-0.8": "garbage_collection_threshold:0.8",
            "powers-of-two": "roundup_power2_divisions:4", "no-caching": None}
MIB = 1 << 20


def trace(steps, order, seed):
    """Sizes of what each step allocates: for each of 24 layers three activations of its length, kept to
    the end of the step, and two temporary ones."""
    chance = random.Random(seed)
    lengths = [chance.randrange(256, 4097, 16) for _ in range(steps)]
    if order == "growing":
        lengths.sort()
    return [[(length * 4096 * 2, length * 16384 * 2, length * length * 4) for _ in range(24)]
            for length in lengths]


def replay(steps, order, seed):
    """Runs in a process of its own; prints what was reserved and what lived."""
    import torch
    torch.cuda.init()
    marks, wrong, began = {}, 0, None
    keep = torch.empty(2048 * MIB, dtype=torch.uint8, device="cuda")  # Weights and optimizer state.
    times = []
    for number, step in enumerate(trace(steps, order, seed)):
        began = time.perf_counter()
        held = []
        for layer, sizes in enumerate(step):
            for size in sizes:
                temporary = torch.empty(size // 2, dtype=torch.uint8, device="cuda")
                tensor = torch.empty(size, dtype=torch.uint8, device="cuda")
                held.append(tensor)
                del temporary
            if layer % 8 == 0:
                held[-1][:64] = layer
                marks[len(held) - 1] = layer
        times.append((time.perf_counter() - began) * 1e6 / (len(step) * 6))
        wrong += sum(int((held[at][:64] != layer).sum()) for at, layer in marks.items())
        marks.clear()
        del held, tensor
    stats = torch.cuda.memory_stats()
    del keep
    print(json.dumps({"reserved": torch.cuda.max_memory_reserved(), "wrong": wrong,
                      "live": torch.cuda.max_memory_allocated(),
                      "retries": stats.get("num_alloc_retries", 0),
                      "segments": stats.get("num_device_alloc", 0), "times": times}))


def measure(session, params):
    for variant, setting in SETTINGS.items():
        if not session.wants(variant):
            continue
        environment = dict(os.environ)
        if setting is None:
            environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"
        elif setting:
            environment["PYTORCH_ALLOC_CONF"] = environment["PYTORCH_CUDA_ALLOC_CONF"] = setting
        words = [sys.executable, "-B", __file__, "--replay", str(params["steps"]), params["order"],
                 str(session.seed)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines() or ["no message"]
            session.skip(variant, params, f"the replay failed: {lines[-1]}")
            continue
        got = json.loads(done.stdout.splitlines()[-1])
        if not session.accept(variant, params, got["wrong"], 0, "what was written"):
            continue
        if session.check_only:
            continue
        each = summarise(got["times"])
        if setting is not None:  # Without caching nothing is counted.
            session.report(variant, params, "reserved", got["reserved"] / MIB, "MiB", got["live"] / MIB, 0)
            session.report(variant, params, "device_allocations", got["segments"], "1")
        session.report(variant, params, "allocation", each, "us")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--replay"]:
        replay(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
        sys.exit(0)
    sys.exit(run(Lab(
        name="fragmentation", question=QUESTION, variants=list(SETTINGS), measure=measure,
        cases=[{"order": order, "steps": 200} for order in ("random", "growing")],
        quick_cases=[{"order": "random", "steps": 5}])))

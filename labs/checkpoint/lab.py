#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lab: saving and loading a model with its Adam state, and what a resumed run needs to be the same.
README.md reads the figures.

Idea: the same tensors written by every usual way, each time with fsync, and read back bit for bit. Floor:
the bytes at the fastest rate that plain large writes (O_DIRECT, from page-locked memory) reach on this
disk in the same run; for the stall of overlapped saving, what the same steps take alone.
"""
import concurrent.futures
import ctypes
import os
import pathlib
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from torch_lab import Lab, run, summarise  # noqa: E402

QUESTION = "what does a checkpoint cost by each way of saving and loading, and what does a resume need?"
SAVES = ["save", "save-pinned", "save-sharded-4", "save-direct", "overlapped-save",
         "overlapped-direct"]
LOADS = ["load", "load-mmap", "load-to-gpu", "load-sharded-4"]
RESUMES = ["resume-complete", "resume-without-rng", "resume-without-optimizer"]
BLOCK = 1 << 24  # Bytes of one write with O_DIRECT.


def sync_file(path):
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


class State:
    """The tensors of a checkpoint: weights and Adam's two moments, on the GPU and page-locked."""

    def __init__(self, torch, megabytes, folder):
        self.torch, self.folder = torch, folder
        each = 1 << 24  # Elements, 64 MiB.
        self.count = max(3, megabytes // 64)
        self.gpu = {f"t{i}": torch.randn(min(each, megabytes << 18), device="cuda")
                    for i in range(self.count)}
        self.pinned = {name: torch.empty_like(t, device="cpu", pin_memory=True)
                       for name, t in self.gpu.items()}
        self.bytes = sum(t.nbytes for t in self.gpu.values())
        self.copies = torch.cuda.Stream()

    def path(self, name):
        return os.path.join(self.folder, name)

    def to_pinned(self):
        for name, tensor in self.gpu.items():
            self.pinned[name].copy_(tensor, non_blocking=True)
        self.torch.cuda.synchronize()

    def write(self, tensors, name):
        self.torch.save(tensors, self.path(name))
        sync_file(self.path(name))

    def save(self):
        self.write(self.gpu, "whole")

    def save_pinned(self):
        self.to_pinned()
        self.write(self.pinned, "whole")

    def shards(self):
        names = list(self.pinned)
        return [{name: self.pinned[name] for name in names[i::4]} for i in range(4)]

    def save_sharded(self):
        self.to_pinned()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda i: self.write(self.shards()[i], f"shard{i}"), range(4)))

    def save_direct(self, name="raw"):
        """The bytes one after another, past the page cache: their places are their order."""
        self.to_pinned()
        self.write_direct(list(self.pinned.values()), name)

    def write_direct(self, tensors, name):
        handle = os.open(self.path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_DIRECT, 0o600)
        for tensor in tensors:
            view = (ctypes.c_char * tensor.nbytes).from_address(tensor.data_ptr())
            for at in range(0, tensor.nbytes, BLOCK):
                os.write(handle, memoryview(view)[at:at + BLOCK])
        os.fsync(handle)
        os.close(handle)

    def read_direct(self):
        got = {}
        with open(self.path("raw"), "rb") as file:
            for name, tensor in self.gpu.items():
                raw = bytearray(file.read(tensor.nbytes))
                got[name] = self.torch.frombuffer(raw, dtype=tensor.dtype)
        return got

    def load(self, **options):
        return self.torch.load(self.path("whole"), weights_only=True, **options)

    def load_sharded(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            parts = pool.map(lambda i: self.torch.load(self.path(f"shard{i}"), weights_only=True),
                             range(4))
            return {name: tensor for part in parts for name, tensor in part.items()}

    def to_gpu(self, tensors):
        for name, tensor in tensors.items():
            self.gpu[name].copy_(tensor)

    def differs(self, tensors):
        """How many tensors are not equal bit for bit."""
        if set(tensors) != set(self.gpu):
            return len(self.gpu)
        view = self.torch.int32
        return sum(not self.torch.equal(tensors[name].to("cuda").view(view), tensor.view(view))
                   for name, tensor in self.gpu.items())


def drop_cache(path):
    """Asks the kernel to forget the file's pages, so that loading reads the disk."""
    handle = os.open(path, os.O_RDONLY)
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(handle)


def overlapped(session, params, state, variant):
    """Steps go on while a thread writes; how much longer they take is the stall. torch.save holds
    Python's lock while it writes, and the steps are launched by Python; os.write does not."""
    torch = session.torch
    a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
    steps = 40

    def train():
        for _ in range(steps):
            torch.mm(a, a)
        torch.cuda.synchronize()

    def train_and_save():
        done = torch.cuda.Event()
        state.copies.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(state.copies):
            for name, tensor in state.gpu.items():
                state.pinned[name].copy_(tensor, non_blocking=True)
            done.record()

        def write():
            done.synchronize()
            if variant == "overlapped-save":
                state.write(state.pinned, "whole")
            else:
                state.write_direct(list(state.pinned.values()), "raw")
        writer = threading.Thread(target=write)
        writer.start()
        train()
        train_and_save.writer = writer

    train()
    plain, _ = session.time_wall(train, samples=7)
    saving = []
    for _ in range(5):
        torch.cuda.synchronize()
        began = time.perf_counter()
        train_and_save()
        saving.append((time.perf_counter() - began) * 1e3)
        train_and_save.writer.join()
    back = state.load() if variant == "overlapped-save" else state.read_direct()
    if session.accept(variant, params, state.differs(back), 0, "what was saved"):
        took = summarise(saving)
        session.report(variant, params, "steps_alone", plain, "ms", error=0)
        session.report(variant, params, "steps_beside", took, "ms", plain.median, 0)


def saves(session, params, state):
    ways = {"save": (state.save, state.load), "save-pinned": (state.save_pinned, state.load),
            "save-sharded-4": (state.save_sharded, state.load_sharded),
            "save-direct": (state.save_direct, state.read_direct)}
    state.to_pinned()
    rates = []
    for _ in range(3):
        began = time.perf_counter()
        state.write_direct(list(state.pinned.values()), "raw")
        rates.append((time.perf_counter() - began) * 1e3)
    floor = min(rates)
    for variant, (save, load) in ways.items():
        if not session.wants(variant):
            continue
        save()
        if not session.accept(variant, params, state.differs(load()), 0, "what was saved"):
            continue
        if not session.check_only:
            took, clocks = session.time_wall(save, samples=7, warm=1, seconds=8)
            session.report(variant, params, "time", took, "ms", floor, 0, clocks)
    for variant in SAVES[4:]:
        if session.wants(variant) and not session.check_only:
            overlapped(session, params, state, variant)


def loads(session, params, state):
    state.save()
    state.save_sharded()
    files = [state.path(name) for name in ("whole", "shard0", "shard1", "shard2", "shard3")]
    ways = {"load": lambda: state.to_gpu(state.load()),
            "load-mmap": lambda: state.to_gpu(state.load(mmap=True)),
            "load-to-gpu": lambda: state.to_gpu(state.load(map_location="cuda")),
            "load-sharded-4": lambda: state.to_gpu(state.load_sharded())}
    kept = {name: tensor.clone() for name, tensor in state.gpu.items()}
    for variant, load in ways.items():
        if not session.wants(variant):
            continue
        for tensor in state.gpu.values():
            tensor.fill_(float("nan"))
        load()
        if not session.accept(variant, params, state.differs(kept), 0, "what was saved"):
            continue
        if not session.check_only:
            took, clocks = session.time_wall(load, samples=5, warm=0, seconds=8,
                                             prepare=lambda: [drop_cache(f) for f in files])
            session.report(variant, params, "time", took, "ms", None, 0, clocks)


def resume(session, params):
    """Six steps in one go, and three, a checkpoint, three in a new model: which weights differ."""
    torch = session.torch
    functional = torch.nn.functional

    def fresh():
        torch.manual_seed(7)
        model = torch.nn.Sequential(torch.nn.Linear(256, 1024), torch.nn.ReLU(), torch.nn.Dropout(0.1),
                                    torch.nn.Linear(1024, 256)).cuda()
        return model, torch.optim.AdamW(model.parameters(), lr=1e-3)
    data = [torch.randn(64, 256, device="cuda") for _ in range(6)]

    def train(model, optimizer, batches):
        for x in batches:
            optimizer.zero_grad()
            functional.mse_loss(model(x), x).backward()
            optimizer.step()
    model, optimizer = fresh()
    train(model, optimizer, data)
    wanted = [p.detach().clone() for p in model.parameters()]
    model, optimizer = fresh()
    train(model, optimizer, data[:3])
    saved = {"model": model.state_dict(), "optimizer": optimizer.state_dict(),
             "rng": torch.cuda.get_rng_state()}
    file = tempfile.NamedTemporaryFile()
    torch.save(saved, file.name)
    for variant in RESUMES:
        if not session.wants(variant):
            continue
        model, optimizer = fresh()
        torch.cuda.manual_seed(99)
        state = torch.load(file.name, weights_only=True)
        model.load_state_dict(state["model"])
        if variant != "resume-without-optimizer":
            optimizer.load_state_dict(state["optimizer"])
        if variant != "resume-without-rng":
            torch.cuda.set_rng_state(state["rng"].cpu())
        train(model, optimizer, data[3:])
        differ = sum(int((a != b).sum()) for a, b in zip(model.parameters(), wanted))
        share = differ / sum(p.numel() for p in wanted)
        # Only the complete one promises anything.
        allowed = 0 if variant == "resume-complete" else 1
        if session.accept(variant, params, share, allowed, "the run that was not interrupted"):
            if not session.check_only:
                session.report(variant, params, "share_of_weights_differing", share, "1", error=share)


def measure(session, params):
    if params["megabytes"] == 0:
        resume(session, params)
        return
    with tempfile.TemporaryDirectory(dir=os.environ.get("SIBYL_LAB_FOLDER")) as folder:
        state = State(session.torch, params["megabytes"], folder)
        saves(session, params, state)
        loads(session, params, state)


if __name__ == "__main__":
    sys.exit(run(Lab(
        name="checkpoint", question=QUESTION, variants=SAVES + LOADS + RESUMES, measure=measure,
        cases=[{"megabytes": 0}, {"megabytes": 1024}],
        quick_cases=[{"megabytes": 0}, {"megabytes": 64}])))

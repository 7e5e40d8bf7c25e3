# SPDX-License-Identifier: Apache-2.0
"""A lab in Python, for questions about PyTorch: what harness/program.h is for those in C++.

A lab defines QUESTION and calls run(Lab(...)); docs/labs.md shows how. Lines, arguments and exit codes are
those of docs/formats/lab.md. --list works without PyTorch and without a GPU, so labs import torch in
their functions.
"""
import argparse
import contextlib
import ctypes
import dataclasses
import json
import math
import random
import sys
import threading
import time
import traceback

WRONG_ANSWER, CANNOT, NO_GPU = 1, 2, 3


@dataclasses.dataclass
class Lab:
    name: str
    question: str
    variants: list
    cases: list
    quick_cases: list
    measure: object  # measure(session, params), once per case
    libraries: tuple = ()  # besides PyTorch, modules whose versions are on every line


@dataclasses.dataclass
class Summary:
    """A median, and half of its 95 % interval over it: harness/statistics.h."""
    median: float
    noise: float
    samples: int


def summarise(samples):
    samples = sorted(samples)
    n = len(samples)
    if n == 0:
        return Summary(math.nan, 0, 0)
    median = samples[n // 2] if n % 2 else (samples[n // 2 - 1] + samples[n // 2]) / 2
    low = max(0, math.floor(n / 2 - 0.98 * math.sqrt(n))) if n >= 6 else 0
    width = samples[n - 1 - low] - samples[low]
    return Summary(median, width / 2 / median if median else 0, n)


# The bits of NVML's clock event reasons, as harness/device.cc names them; an idle GPU is no reason.
REASONS = {0x2: "application-clocks", 0x4: "power", 0x8: "hardware-slowdown", 0x10: "sync-boost",
           0x20: "thermal", 0x40: "hardware-thermal", 0x80: "power-brake", 0x100: "display-clock"}


class Clocks:
    """NVML, found at run time; without it clocks and driver are not known."""

    def __init__(self, uuid):
        self.handle = None
        try:
            self.nvml = ctypes.CDLL("libnvidia-ml.so.1")
            handle = ctypes.c_void_p()
            if self.nvml.nvmlInit_v2() == 0 and self.nvml.nvmlDeviceGetHandleByUUID(
                    f"GPU-{uuid}".encode(), ctypes.byref(handle)) == 0:
                self.handle = handle
        except (OSError, AttributeError):
            pass

    def driver(self):
        text = ctypes.create_string_buffer(96)
        if self.handle is None or self.nvml.nvmlSystemGetDriverVersion(text, 96) != 0:
            return None
        return text.value.decode()

    def highest(self):
        """The highest clock of the multiprocessors in MHz."""
        mhz = ctypes.c_uint()
        if self.handle is None or self.nvml.nvmlDeviceGetMaxClockInfo(
                self.handle, 1, ctypes.byref(mhz)) != 0:
            return None
        return mhz.value

    def read(self):
        """(sm MHz, memory MHz, bits of reasons), each None where it is not known."""
        if self.handle is None:
            return None, None, None
        values = []
        for kind in (1, 2):
            mhz = ctypes.c_uint()
            ok = self.nvml.nvmlDeviceGetClockInfo(self.handle, kind, ctypes.byref(mhz)) == 0
            values.append(mhz.value if ok else None)
        bits = ctypes.c_ulonglong()
        ok = self.nvml.nvmlDeviceGetCurrentClocksThrottleReasons(self.handle, ctypes.byref(bits)) == 0
        return values[0], values[1], bits.value if ok else None

    @contextlib.contextmanager
    def watched(self):
        """Reads the clocks every few milliseconds while the block runs; yields what will be their line:
        the lowest clock and every reason that was seen."""
        line = {"sm_mhz": None, "memory_mhz": None, "throttle": None}
        readings = []
        stop = threading.Event()

        def watch():
            while not stop.wait(0.004):
                readings.append(self.read())

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield line
        finally:
            stop.set()
            thread.join()
            readings.append(self.read())
            busy = readings[:-1] or readings
            for i, name in enumerate(("sm_mhz", "memory_mhz")):
                known = [reading[i] for reading in busy if reading[i]]
                line[name] = min(known) if known else None
            bits = [reading[2] for reading in busy if reading[2] is not None]
            if bits:
                words = [word for bit, word in REASONS.items() if any(bit & one for one in bits)]
                line["throttle"] = "+".join(words) or "none"


class Session:
    """One run of a lab."""

    def __init__(self, lab, arguments):
        import torch
        self.lab, self.arguments, self.torch = lab, arguments, torch
        self.failed = False
        self.variant = "setup"  # What an exception is reported for.
        self.seed = random.getrandbits(32) if arguments.seed is None else arguments.seed
        torch.manual_seed(self.seed)
        properties = torch.cuda.get_device_properties(0)
        self.clocks = Clocks(properties.uuid)
        self.device = properties.name
        self.multiprocessors = properties.multi_processor_count
        self.platform = {"device": properties.name, "driver": self.clocks.driver() or "unknown",
                         "toolkit": torch.version.cuda}
        versions = {"PyTorch": torch.__version__}
        for name in lab.libraries:
            with contextlib.suppress(ImportError):
                module = __import__(name)
                versions[getattr(module, "__title__", name)] = module.__version__
        self.libraries = versions
        print(f"lab: {lab.name} on {self.device}, driver {self.platform['driver']}, seed {self.seed}",
              file=sys.stderr)

    check_only = property(lambda self: self.arguments.check)

    def wants(self, variant):
        if self.arguments.variant not in (None, variant):
            return False
        self.variant = variant
        return True

    def print(self, variant, params, rest):
        print(json.dumps({"lab": self.lab.name, "variant": variant, "params": params, **rest},
                         separators=(",", ":")), flush=True)

    def skip(self, variant, params, reason):
        self.print(variant, params, {"skip": " ".join(str(reason).split())[:300]})

    def fail(self, variant, params, reason):
        self.failed = True
        self.print(variant, params, {"failure": reason})

    def accept(self, variant, params, error, tolerance, against="float64"):
        """Whether the answer is good enough to be timed."""
        self.torch.cuda.synchronize()
        if error <= tolerance:  # Not for NaN.
            print(f"lab: {self.lab.name} {variant} {params}: error {error:.2e} of {tolerance:.2e} allowed",
                  file=sys.stderr)
            return True
        self.fail(variant, params, f"comparing with {against}: the error is {error:.3g}, and at most "
                                   f"{tolerance:.3g} is allowed")
        return False

    def report(self, variant, params, metric, value, unit, floor=None, error=None, clocks=None):
        """`value` is a Summary, or a number that was not sampled. The floor of a rate is the highest."""
        if not isinstance(value, Summary):
            value = Summary(value, 0, 1)
        is_rate = unit.endswith("/s")
        times = None
        if floor and value.median:
            times = floor / value.median if is_rate else value.median / floor

        def number(x):
            if x is None or not math.isfinite(x):
                return None
            return int(x) if x == int(x) and abs(x) < 9e15 else float(f"{x:.7g}")
        self.print(variant, params, {
            "metric": metric, "value": number(value.median), "unit": unit, "floor": number(floor),
            "x_floor": number(times), "samples": value.samples, "noise": number(value.noise),
            "max_rel_err": number(error), **self.platform,
            "clocks": clocks or {"sm_mhz": None, "memory_mhz": None, "throttle": None},
            "libraries": self.libraries})

    def time_device(self, call, samples=25, runs=1, warm=3, seconds=4):
        """Milliseconds of one call between two events, and the clocks meanwhile."""
        cuda = self.torch.cuda
        for _ in range(warm):
            call()
        cuda.synchronize()
        times = []
        began = time.monotonic()
        with self.clocks.watched() as clocks:
            while len(times) < samples and (len(times) < 6 or time.monotonic() - began < seconds):
                start, end = (cuda.Event(enable_timing=True) for _ in range(2))
                start.record()
                for _ in range(runs):
                    call()
                end.record()
                end.synchronize()
                times.append(start.elapsed_time(end) / runs)
        return summarise(times), clocks

    def time_wall(self, call, samples=10, warm=1, seconds=6, prepare=None):
        """Milliseconds by the host's clock, from an idle device to an idle device."""
        for _ in range(warm):
            if prepare:
                prepare()
            call()
        times = []
        began = time.monotonic()
        with self.clocks.watched() as clocks:
            while len(times) < samples and (len(times) < 3 or time.monotonic() - began < seconds):
                if prepare:
                    prepare()
                self.torch.cuda.synchronize()
                start = time.perf_counter()
                call()
                self.torch.cuda.synchronize()
                times.append((time.perf_counter() - start) * 1e3)
        return summarise(times), clocks

    def peak_tflops(self, kind):
        """The rate of a number format by the unit that computes it, at the highest clock: what a
        multiprocessor of Hopper does in a clock (README of the lab gemm). None on other GPUs."""
        per_clock = {"fp32": 256, "tf32": 2048, "bf16": 4096, "fp16": 4096, "fp8": 8192}
        if self.torch.cuda.get_device_capability(0)[0] != 9:
            return None
        mhz = self.clocks.highest()
        return mhz and per_clock[kind] * self.multiprocessors * mhz * 1e6 / 1e12


def arguments_of(lab, words):
    parser = argparse.ArgumentParser(prog=f"lab_{lab.name}", description=lab.question, epilog=(
        "exit: 0 done, 1 a wrong answer, 2 could not do it, 3 no usable GPU or no PyTorch"))
    parser.add_argument("--list", action="store_true", help="what is measured: variants and cases")
    parser.add_argument("--quick", action="store_true", help="small cases only")
    parser.add_argument("--check", action="store_true", help="compare with the reference, time nothing")
    parser.add_argument("--variant", metavar="NAME", choices=lab.variants, help="only this variant")
    parser.add_argument("--seed", metavar="NUMBER", type=int, help="repeat a run's random inputs")
    return parser.parse_args(words)


def show(lab):
    def text(params):
        return " ".join(f"{name}={value}" for name, value in params.items())
    print(f"{lab.name}: {lab.question}")
    for variant in lab.variants:
        print(f"  variant {variant}")
    for params in lab.cases:
        print(f"  case {text(params)}")
    for params in lab.quick_cases:
        print(f"  quick case {text(params)}")


def why_not():
    """Empty when PyTorch can use a GPU here."""
    try:
        import torch
    except ImportError:
        return f"PyTorch is not installed for {sys.executable}"
    if not torch.cuda.is_available():
        return "PyTorch sees no GPU"
    return ""


def run(lab, words=None):
    """The whole of a lab's main program; returns its exit code."""
    arguments = arguments_of(lab, sys.argv[1:] if words is None else words)
    if arguments.list:
        show(lab)
        return 0
    why = why_not()
    if why:
        print(f"lab: {lab.name} cannot run here: {why}", file=sys.stderr)
        return NO_GPU
    session = Session(lab, arguments)
    cases = list(lab.quick_cases) if arguments.quick or arguments.check else []
    cases += [] if arguments.quick else list(lab.cases)
    for params in cases:
        try:
            lab.measure(session, dict(params))
            session.torch.cuda.synchronize()
        except Exception as error:  # The other cases are still worth measuring.
            place = traceback.extract_tb(error.__traceback__)[-1]
            traceback.print_exc()
            text = " ".join(str(error).split())[:300]
            session.fail(session.variant, params, f"{type(error).__name__}: {text} ({place.name})")
        session.torch.cuda.empty_cache()
    return WRONG_ANSWER if session.failed else 0

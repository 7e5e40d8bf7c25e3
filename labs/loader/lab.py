#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lab: where a GPU starves behind its DataLoader. README.md reads the figures.

Idea: JPEG images in memory, decoded, cropped, flipped and normalised for a training step of ResNet-50,
by worker processes or on the GPU. Floor, as the highest rate: the same step on a batch that is already
on the GPU.
"""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "harness"))
from torch_lab import Lab, Summary, run  # noqa: E402

QUESTION = "from how many workers on does the GPU no longer wait for its images?"
IMAGE, CROP = 256, 224
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def encoded(torch, count, seed):
    """Smooth random images, about as large as photographs compress to."""
    from torchvision.io import encode_jpeg
    generator = torch.Generator().manual_seed(seed)
    coarse = torch.rand(count, 3, 32, 32, generator=generator) * 255
    fine = torch.nn.functional.interpolate(coarse, size=(IMAGE, IMAGE), mode="bicubic")
    # Noise in the brightness alone: decoders differ in how they enlarge the colours.
    grain = 12 * torch.randn(count, 1, IMAGE, IMAGE, generator=generator)
    fine = (fine + grain).clamp(0, 255).byte()
    return [encode_jpeg(image, quality=90) for image in fine]


def place_of(index):
    """Where image `index` is cropped and whether it is turned over: random enough, and repeatable."""
    mixed = (index * 2654435761) & 0xFFFFFFFF
    room = IMAGE - CROP
    return mixed % room, (mixed >> 8) % room, bool(mixed >> 16 & 1)


def cut(image, index):
    top, left, turned = place_of(index)
    image = image[..., top:top + CROP, left:left + CROP]
    return image.flip(-1) if turned else image


class Images:
    """On the CPU: decoded, cut, and, unless the GPU does that, normalised."""

    def __init__(self, torch, files, length, normalise):
        self.files, self.length, self.normalise = files, length, normalise
        self.mean = torch.tensor(MEAN)[:, None, None]
        self.deviation = torch.tensor(DEVIATION)[:, None, None]

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        from torchvision.io import decode_jpeg
        image = cut(decode_jpeg(self.files[index % len(self.files)]), index)
        if not self.normalise:
            return image.contiguous(), index
        return ((image.float() / 255 - self.mean) / self.deviation), index


class Trainer:
    def __init__(self, torch, batch):
        import torchvision
        self.torch = torch
        self.model = torchvision.models.resnet50().cuda().to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)
        self.labels = torch.randint(0, 1000, (batch,), device="cuda")
        self.mean = torch.tensor(MEAN, device="cuda")[:, None, None]
        self.deviation = torch.tensor(DEVIATION, device="cuda")[:, None, None]

    def normalised(self, images):
        return (images.float() / 255 - self.mean) / self.deviation

    def step(self, images):
        torch = self.torch
        images = images.to(memory_format=torch.channels_last)
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(self.model(images), self.labels)
        loss.backward()
        self.optimizer.step()


def batches(torch, files, params, workers, pinned, normalise, prefetch=2):
    """The batches of a DataLoader, on the GPU and normalised or not."""
    images = Images(torch, files, params["batch"] * params["steps"], normalise)
    options = {"prefetch_factor": prefetch, "persistent_workers": False} if workers else {}
    loader = torch.utils.data.DataLoader(images, batch_size=params["batch"], num_workers=workers,
                                         pin_memory=pinned, **options)
    for batch, _ in loader:
        yield batch.to("cuda", non_blocking=pinned)


def decoded_on_gpu(torch, files, params):
    from torchvision.io import decode_jpeg
    for step in range(params["steps"]):
        indices = range(step * params["batch"], (step + 1) * params["batch"])
        images = decode_jpeg([files[i % len(files)] for i in indices], device="cuda")
        yield torch.stack([cut(image, i) for image, i in zip(images, indices)])


def worst(torch, trainer, files, params, source, normalise):
    """The largest difference of the first batch from decoding it here, one by one, in float64."""
    first = next(iter(source()))
    first = first if normalise else trainer.normalised(first)
    exact = Images(torch, files, params["batch"], False)
    wanted = torch.stack([exact[i][0] for i in range(params["batch"])]).double().cuda() / 255
    mean = torch.tensor(MEAN, device="cuda", dtype=torch.float64)[:, None, None]
    deviation = torch.tensor(DEVIATION, device="cuda", dtype=torch.float64)[:, None, None]
    wanted = (wanted - mean) / deviation
    return float((first.double() - wanted).norm() / wanted.norm())


def measure_source(session, params, variant, trainer, files, source, normalise, floor, tolerance):
    torch = session.torch
    error = worst(torch, trainer, files, params, source, normalise)
    if not session.accept(variant, params, error, tolerance) or session.check_only:
        return
    times = []
    with session.clocks.watched() as clocks:
        for images in source():
            trainer.step(images if normalise else trainer.normalised(images))
            torch.cuda.synchronize()
            times.append(time.perf_counter())
    # Workers start and the queue fills in the first batches.
    later = times[len(times) // 3:]
    # Batches come in bursts, as many as there are workers: the mean counts, over two halves.
    half = len(later) // 2
    halves = [(later[half] - later[0]) / half, (later[-1] - later[half]) / (len(later) - 1 - half)]
    mean = (later[-1] - later[0]) / (len(later) - 1)
    rate = Summary(params["batch"] / mean, abs(halves[0] - halves[1]) / 2 / mean, len(later) - 1)
    session.report(variant, params, "rate", rate, "images/s", floor, error, clocks)


def measure(session, params):
    torch = session.torch
    files = encoded(torch, 512, session.seed)
    trainer = Trainer(torch, params["batch"])
    resident = torch.randn(params["batch"], 3, CROP, CROP, device="cuda")
    floor = None
    if not session.check_only:
        took, clocks = session.time_device(lambda: trainer.step(resident), samples=20, warm=5)
        floor = params["batch"] / took.median * 1e3
        rate = Summary(floor, took.noise, took.samples)
        session.report("resident", params, "rate", rate, "images/s", clocks=clocks)
    most = max(1, (os.cpu_count() or 2) - 1)
    for workers in [n for n in (0, 1, 2, 4, 8) if n <= most] + ([most] if most > 8 else []):
        variant = f"workers-{workers}"
        if session.wants(variant):
            measure_source(session, params, variant, trainer, files, lambda n=workers: batches(
                torch, files, params, n, True, True), True, floor, 1e-6)
    others = {"pageable-8": lambda: batches(torch, files, params, min(8, most), False, True),
              "prefetch-8": lambda: batches(torch, files, params, min(8, most), True, True, 8),
              "bytes-8": lambda: batches(torch, files, params, min(8, most), True, False),
              "gpu-decode": lambda: decoded_on_gpu(torch, files, params)}
    for variant, source in others.items():
        if not session.wants(variant):
            continue
        normalise = variant in ("pageable-8", "prefetch-8")
        # nvJPEG does not smooth the halved colour planes, as libjpeg does: 0.13 on these images.
        tolerance = 0.2 if variant == "gpu-decode" else 1e-6
        try:
            measure_source(session, params, variant, trainer, files, source, normalise, floor, tolerance)
        except RuntimeError as error:
            session.skip(variant, params, error)


if __name__ == "__main__":
    names = [f"workers-{n}" for n in (0, 1, 2, 4, 8, 15)]
    sys.exit(run(Lab(
        name="loader", question=QUESTION, measure=measure,
        variants=["resident", *names, "pageable-8", "prefetch-8", "bytes-8", "gpu-decode"],
        cases=[{"batch": 256, "steps": 24}], quick_cases=[{"batch": 8, "steps": 8}],
        libraries=("torchvision",))))

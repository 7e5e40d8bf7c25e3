"""Frames from files."""

import os


class FrameReader:
    """Reads frames ahead in threads."""

    def __init__(self, path, prefetch_frames: int = 12, num_workers: int = 6):
        self.path = path
        self.prefetch_frames = prefetch_frames
        self.num_workers = int(os.environ.get("GADGET_NUM_WORKERS", num_workers))

    def next_frame(self):
        raise EOFError("the reader has no more frames")

    def seek_frame(self, index):
        """Goes to a frame; the frames that were read ahead are dropped."""


def open_frames(path, **options):
    return FrameReader(path, **options)

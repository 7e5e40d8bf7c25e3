"""Device memory that is taken once and handed out many times."""

import os


class Pool:
    """Hands out device memory.

    Args:
        limit_mb: the most that is taken from the device.
        growth_factor: by how much a full pool grows.
        pinned: whether host memory is pinned too.
    """

    def __init__(self, limit_mb: int = 2048, growth_factor: float = 1.5, pinned: bool = True):
        self.limit_mb = int(os.environ.get("GADGET_POOL_LIMIT_MB", limit_mb))
        self.growth_factor = growth_factor
        self.pinned = pinned
        self.strict = os.environ.get("GADGET_STRICT") == "1"

    def reserve(self, count: int, alignment_bytes: int = 256):
        """Takes memory before it is needed."""
        return count, alignment_bytes

    def trim(self, keep_blocks: int = 4):
        """Gives back what nobody uses."""
        return keep_blocks

    def bytes_in_use(self):
        """What is handed out at the moment."""
        return 0


def current_pool():
    """The pool of the current device."""
    return Pool()


def reset_statistics():
    """Forgets the high-water marks."""

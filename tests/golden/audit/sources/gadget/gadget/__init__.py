"""Gadget: filters for images that do not fit anywhere."""

import os

from gadget import io
from gadget.filters import blur, sharpen, resize
from gadget.pool import Pool, current_pool

__version__ = "2.7.1"

LOG_LEVEL = int(os.environ.get("GADGET_LOG_LEVEL", "2"))
CACHE_DIR = os.environ.get("GADGET_CACHE_DIR", "~/.cache/gadget")


def set_device(index=0):
    """Chooses the device for all that follows."""
    os.environ["GADGET_DEVICE"] = str(index)


def device_count():
    """How many devices can be used."""
    return 1

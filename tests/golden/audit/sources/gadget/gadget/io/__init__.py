"""Readers and writers."""

from gadget.io.readers import FrameReader, open_frames
from gadget.io.writers import TileWriter

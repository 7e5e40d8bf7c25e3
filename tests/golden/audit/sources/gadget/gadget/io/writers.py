"""Tiles to files."""

import os


class TileWriter:
    """Writes tiles, compressed if asked."""

    def __init__(self, path, compression_level: int = 5):
        self.path = path
        self.compression_level = compression_level
        self.trace = os.environ.get("GADGET_TRACE_FILE")

    def write_tile(self, tile):
        """A tile is written as a whole or not at all."""

    def close(self):
        """Writes the table of contents."""

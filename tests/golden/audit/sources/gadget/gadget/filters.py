"""The filters themselves."""


def blur(image, radius: int = 3, border_mode: str = "mirror"):
    """Blurs with a box of the given radius."""
    return image


def sharpen(image, amount: float = 0.6):
    """The opposite of blur."""
    return image


def resize(image, width, height, kernel_taps: int = 6):
    """Resamples with a windowed kernel."""
    return image


class FilterChain:
    """Filters one after the other, recorded once."""

    def append_filter(self, function, **options):
        return self

    def record_graph(self, warmup_runs: int = 2):
        return self

    def replay(self):
        return None

"""Where a model works, by what it takes and what is free: all of it at once, or what does not fit in turns.

Only the decision, without torch: `model_pool` makes it, `diffusion` carries it out.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

_ROOM = 0.2
"""A model takes about a fifth more than its weights while it works."""
_STEP_BYTES = 1_500_000_000  # chosen: what a step of a picture of a megapixel computes with
GPU_BYTES = 4_000_000_000  # chosen: a GPU with so much can run any model whose layers take turns
STAGED = ("diffusers ",)
"""What the families begin with whose models are made of parts that work one after the other."""


class Way(Enum):
    """The fastest first. `FILES`: in 16 bits on the CPU, which reads them from the files as it needs them."""

    WHOLE = "whole"
    PARTS = "parts"
    LAYERS = "layers"
    FILES = "files"


class Sizes(NamedTuple):
    """Bytes of a model's weights: all, its largest part, the part that is always needed (VAE), its largest tensor.

    `mapped` when they are used as they lie in their files: then they take no memory but while they are read.
    """

    whole: int
    part: int
    always: int
    layer: int
    mapped: bool = False


class Placement(NamedTuple):
    """`held` bytes of weights are on the device at once, which has `room` for them and for working; `beside` bytes are
    held in the machine's memory for those that wait.
    """

    device: str
    way: Way
    held: int
    room: int
    beside: int = 0


def placements(narrow: Sizes, wide: Sizes, device: str, staged: bool) -> list[Placement]:
    """Where a model may work, the fastest first, with its sizes in 16 and in 32 bits.

    Parts take turns on a GPU alone, and only where a model is `staged`, which is for the CPU in 16 bits, too.
    """
    found = []
    if device != "cpu":
        found.append(_place(device, Way.WHOLE, narrow.whole))
    if staged and device.startswith("cuda"):
        beside = 0 if narrow.mapped else narrow.whole
        found.append(_place(device, Way.PARTS, narrow.part + narrow.always, narrow.whole))
        layers = narrow.layer + narrow.always
        found.append(Placement(device, Way.LAYERS, layers, layers + _STEP_BYTES, beside))
    found.append(_place("cpu", Way.WHOLE, wide.whole))
    if staged:
        found.append(_place("cpu", Way.FILES, narrow.part + narrow.always if narrow.mapped else narrow.whole))
    return found


def _place(device: str, way: Way, held: int, beside: int = 0) -> Placement:
    return Placement(device, way, held, held + int(held * _ROOM), beside)

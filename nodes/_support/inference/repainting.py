"""Painting on pictures with diffusers: all of one anew, a part of it, or after an instruction.

A model paints at the size that it was made for; what it made is brought to the picture's size and put where it
belongs, so that every pixel outside stays as it was. Pictures are uint8 (height, width, 3) RGB or 4 RGBA.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nodes._support.imaging.pixels import check_selected, join_alpha, mix, resized, smooth, split_alpha, unit
from nodes._support.inference import diffusion
from nodes._support.models.model_pool import Entry
from nodes._support.vision.seeing import opaque
from nodes.api import Port, ResourceType, RunContext

_MARGIN = 0.5
"""So much of the part's size around it is shown to the model, for what is there to be continued."""
_LONGEST = 8
"""Pictures that are more often longer than wide are shown to the model wider: it makes none of that form."""

SEED = Port(
    "seed", ResourceType.NUMBER, "another number gives another picture", default=0, minimum=0, maximum=2**32 - 1,
    integer=True,
)  # fmt: skip
NEGATIVE = Port("negative", ResourceType.TEXT, "what it should not show", default="", advanced=True)
STEPS = Port(
    "steps", ResourceType.NUMBER, "how long it works at it; as long as the model needs if not given", default=None,
    minimum=1, maximum=200, integer=True, advanced=True,
)  # fmt: skip
GUIDANCE = Port(
    "guidance", ResourceType.NUMBER, "how closely it follows the words; as suits the model if not given", default=None,
    minimum=0, maximum=30, advanced=True,
)  # fmt: skip

LORA = Port(
    "lora", ResourceType.FILE, "a LoRA file (.safetensors) that changes what the model paints", default=None,
    advanced=True, by_hand=True,
)  # fmt: skip
LORA_WEIGHT = Port(
    "lora_weight", ResourceType.NUMBER, "how strongly the LoRA file works", default=1.0, minimum=-2, maximum=2,
    advanced=True, by_hand=True,
)  # fmt: skip


@dataclass(frozen=True)
class Wish:
    """What is painted, and how. `more` are further arguments of the pipeline."""

    prompt: str
    negative: str = ""
    seed: int = 0
    steps: int | None = None
    guidance: float | None = None
    more: tuple[tuple[str, Any], ...] = ()

    def words(self) -> dict[str, Any]:
        """Arguments of the pipeline."""
        said = {"prompt": self.prompt, "negative_prompt": self.negative or None, "guidance_scale": self.guidance}
        return said | dict(self.more)


def anew(
    image: np.ndarray,
    wish: Wish,
    context: RunContext,
    kind: str = "image",
    others: Sequence[np.ndarray] = (),
    lora: diffusion.Lora | None = None,
) -> np.ndarray:
    """The whole picture painted again, as large as it is; alpha stays. `others` are shown to the model beside it."""
    rgb, alpha = split_alpha(image)
    with diffusion.leased(context, kind, lora) as entry:
        painted = _painted(entry, rgb, None, wish, context, others)
    return join_alpha(resized(painted, rgb.shape[1], rgb.shape[0]), alpha)


def part(image: np.ndarray, mask: np.ndarray, wish: Wish, context: RunContext) -> np.ndarray:
    """The picture with what is under the mask painted again by the model. As `put_back`."""
    check_selected(mask, image)

    def paint(rgb: np.ndarray, mask: np.ndarray) -> np.ndarray:
        with diffusion.leased(context, "inpaint") as entry:
            return _painted(entry, rgb, mask, wish, context)

    return put_back(image, mask, paint)


def put_back(image: np.ndarray, mask: np.ndarray, paint: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """The picture with what `paint(rgb, mask)` makes of the part around the mask, in any size.

    The edge is soft; pixels away from the mask stay. NodeError naming `mask` when it is of another size or selects
    nothing.
    """
    check_selected(mask, image)
    rgb, alpha = split_alpha(image)
    rows, columns = _around(mask, rgb)
    shown, chosen = rgb[rows, columns], mask[rows, columns]
    painted = paint(np.ascontiguousarray(shown), np.ascontiguousarray(chosen))
    soft = np.maximum(chosen, smooth(chosen, unit(image, 0.004, least=1)))
    result = rgb.copy()
    result[rows, columns] = mix(shown, resized(painted, shown.shape[1], shown.shape[0]), soft)
    return join_alpha(result, alpha)


def _painted(
    entry: Entry,
    rgb: np.ndarray,
    mask: np.ndarray | None,
    wish: Wish,
    context: RunContext,
    others: Sequence[np.ndarray] = (),
) -> np.ndarray:
    """What the pipeline makes of the picture, at the size that it was made for."""
    from PIL import Image

    cell, side = diffusion.cell_of(entry.model), diffusion.own_side(entry.model)

    def shown(picture: np.ndarray) -> Image.Image:
        height, width = picture.shape[:2]
        scale, least = side / max(width, height), side // _LONGEST
        return Image.fromarray(
            resized(picture, *(max(cell, round(max(each * scale, least) / cell) * cell) for each in (width, height)))
        )

    first = shown(rgb)
    wide, high = first.size
    given = wish.words() | {"image": [first, *(shown(opaque(other)) for other in others)] if others else first}
    if mask is not None:
        given["mask_image"] = Image.fromarray(mask).resize((wide, high), Image.Resampling.BOX)
    return diffusion.paint(entry, wide, high, wish.steps, wish.seed, given, context)


def _around(mask: np.ndarray, rgb: np.ndarray) -> tuple[slice, slice]:
    """The rows and columns that are shown to the model: the mask's with a margin, as near to a square as fits."""
    height, width = rgb.shape[:2]
    down, across = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    y0, y1, x0, x1 = int(down[0]), int(down[-1]) + 1, int(across[0]), int(across[-1]) + 1
    side = round(max(y1 - y0, x1 - x0) * (1 + 2 * _MARGIN))
    return _grown(y0, y1, side, height), _grown(x0, x1, side, width)


def _grown(start: int, end: int, side: int, most: int) -> slice:
    side = min(max(side, end - start), most)
    first = min(max(0, (start + end - side) // 2), most - side)
    return slice(first, first + side)

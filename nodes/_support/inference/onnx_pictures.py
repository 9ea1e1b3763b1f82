"""Networks in ONNX that are shown a picture: (1, 3, height, width) of 32-bit floats in, the same or one channel out.

Pictures are uint8 (height, width, 3) RGB and are never modified. Must not know tools.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.imaging.pixels import in_tiles, resized, to_bytes
from nodes._support.models import models
from nodes._support.models.model_pool import pool
from nodes._support.models.onnx_sessions import session_in
from nodes.api import NodeError, RunContext

RUNTIME = ("python:onnxruntime",)
_SIDE = 1024
"""Of the picture that is shown to a network that takes any, where it was trained on one size."""
_LEAST_SHARE = 0.0005
"""Of the picture; what is less is no object."""
_CELL = 64
"""Restoring networks halve a picture so often that its sides have to be a multiple of this."""
_MEAN, _SPREAD = np.array((0.485, 0.456, 0.406), np.float32), np.array((0.229, 0.224, 0.225), np.float32)
_MEAN_BGR = np.array((103.5, 116.2, 123.6), np.float32)


def session(folder: Path) -> Any:
    """The network in a model's folder, on the CPU. Raises NodeError when it is not there or damaged."""
    with models.loading(folder):
        return session_in(folder)


def matte(rgb: np.ndarray, context: RunContext, port: str = "mask") -> np.ndarray:
    """How surely each pixel belongs to what the picture is of, uint8 (height, width): BiRefNet (Zheng et al. 2024).

    It sees the picture at the size that it was trained on; half-transparent hair stays so. NodeError naming `port`
    when it sees no object.
    """
    found = to_bytes(_sure(_seen(context, rgb, lambda shown: (shown / 255 - _MEAN) / _SPREAD), rgb.shape) * 255)
    if (found > 127).mean() < _LEAST_SHARE:
        raise NodeError(
            "The object could not be told from its background.", port, "Select the object, or give a mask of it."
        )
    return found


def edges(rgb: np.ndarray, context: RunContext) -> np.ndarray:
    """How surely people would draw an edge there, float32 (height, width), 0..1: DexiNed (Poma et al. 2020)."""
    found = _sure(_seen(context, rgb, lambda shown: shown[:, :, ::-1] - _MEAN_BGR), rgb.shape)
    spread = float(np.ptp(found))
    return (found - found.min()) / spread if spread > 1e-6 else np.zeros_like(found)


def restored(rgb: np.ndarray, context: RunContext, tile: int, overlap: int) -> np.ndarray:
    """The picture as the network mends it, of the same size, in tiles: SCUNet (Zhang et al. 2022) or NAFNet (Chen et
    al. 2022).
    """
    with pool().lease(folder := models.model_folder(context), "onnx", lambda _: session(folder), context) as entry:

        def mend(part: np.ndarray) -> np.ndarray:
            height, width = part.shape[:2]
            padded = np.pad(part, ((0, -height % _CELL), (0, -width % _CELL), (0, 0)), mode="symmetric")
            made = _run(entry.model, padded.astype(np.float32) / 255)
            return to_bytes(made.transpose(1, 2, 0)[:height, :width] * 255)

        return in_tiles(rgb, mend, overlap, context, tile)


def _seen(context: RunContext, rgb: np.ndarray, prepare: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The first channel of what the network says last of the whole picture, at its own size."""
    with pool().lease(folder := models.model_folder(context), "onnx", lambda _: session(folder), context) as entry:
        context.progress(0.3, "looking at the picture")
        high, wide = (n if isinstance(n, int) else _SIDE for n in entry.model.get_inputs()[0].shape[2:])
        return _run(entry.model, prepare(resized(rgb, wide, high).astype(np.float32)))[0]


def _run(network: Any, shown: np.ndarray) -> np.ndarray:
    """(channels, height, width) of (height, width, 3)."""
    given = np.ascontiguousarray(shown.transpose(2, 0, 1)[None], np.float32)
    found: np.ndarray = network.run(None, {network.get_inputs()[0].name: given})[-1]
    return found.reshape(-1, *found.shape[-2:])


def _sure(logits: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Logits as shares 0..1, at the height and width of `shape`."""
    import cv2

    share = 1 / (1 + np.exp(-np.clip(logits, -80, 80)))
    return cv2.resize(share, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)

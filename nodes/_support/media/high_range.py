"""Pictures of films with a high dynamic range (HLG, as telephones record, and PQ) as screens without one show them.

ITU-R BT.2100 says what the signal means in light, BT.2408 that white is at 203 cd/m2: what is darker than seven tenths
of that stays as it is, and what is lighter, up to 1000 cd/m2, is pressed into the rest. Colours of BT.2020 that BT.709
has not are cut off.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

_PQ, _HLG = 16, 18  # FFmpeg's numbers of transfer curves
_WHITE, _PEAK = 203.0, 1000.0
_GAMMA, _SYSTEM_GAMMA = 2.4, 1.2
_KNEE = 0.7
_TO_709 = np.array([[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]], np.float32)
_LIGHTNESS = np.array([0.2627, 0.6780, 0.0593], np.float32)
_STEPS = 1 << 12


def is_wide(frame: Any) -> bool:
    """Whether a decoded frame has a high dynamic range."""
    return frame.color_trc in (_PQ, _HLG)


def shown(frame: Any) -> np.ndarray:
    """The pixels of such a frame as uint8 (height, width, 3) RGB, with the light and colours of BT.709."""
    import cv2

    signal = frame.to_ndarray(format="rgb48le")
    light = _curve(int(frame.color_trc))[signal >> 4]
    if frame.color_trc == _HLG:
        light *= np.maximum(light @ _LIGHTNESS, 1e-6)[:, :, None] ** (_SYSTEM_GAMMA - 1)
        light *= _PEAK / _WHITE
    lightness = np.maximum(light @ _LIGHTNESS, 1e-6)
    light *= (_pressed(lightness) / lightness)[:, :, None]
    seen = np.clip(cv2.transform(light, _TO_709), 0, 1)
    return _codes()[np.round(seen * (_STEPS - 1)).astype(np.uint16)]


def _pressed(lightness: np.ndarray) -> np.ndarray:
    """The lightness, 1 for white, with what is over the knee below 1 in the end: smooth, and 1 for the peak."""
    room, over = 1 - _KNEE, np.maximum(lightness - _KNEE, 0)
    most = _PEAK / _WHITE - _KNEE
    bend = 1 / room - 1 / most  # so that it rises by 1 at the knee and reaches 1 at the peak
    return np.where(lightness > _KNEE, np.minimum(_KNEE + over / (1 + bend * over), 1), lightness)


@cache
def _curve(transfer: int) -> np.ndarray:
    """Light by signal of 12 bits: of HLG that of the scene, 0 to 1; of PQ that of the screen, 1 for white."""
    signal = np.linspace(0, 1, _STEPS)
    if transfer == _HLG:
        a, b, c = 0.17883277, 0.28466892, 0.55991073
        return np.where(signal <= 0.5, signal**2 / 3, (np.exp((signal - c) / a) + b) / 12).astype(np.float32)
    m1, m2, c1, c2, c3 = 0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875
    root = signal ** (1 / m2)
    return (10_000 / _WHITE * (np.maximum(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1)).astype(np.float32)


@cache
def _codes() -> np.ndarray:
    """Code values by light of 12 bits."""
    return np.round(255 * np.linspace(0, 1, _STEPS) ** (1 / _GAMMA)).astype(np.uint8)

"""Tiny networks in ONNX, written as protocol buffers, without its library."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

FLOAT, INTEGER = 1, 7
_CHANNELS = np.float32((1.5, 0.75, 0.5)).reshape(1, 3, 1, 1)


def _field(number: int, value: bytes | int) -> bytes:
    """A field of a protocol buffer."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    found = b""
    while value > 127:
        found += bytes([value & 127 | 128])
        value >>= 7
    return found + bytes([value])


def _value(name: bytes, shape: tuple[int | bytes, ...], kind: int = FLOAT) -> bytes:
    """An input or output; a length that is no number has a name."""
    dims = b"".join(_field(1, _field(1 if isinstance(size, int) else 2, size)) for size in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, dims)))


def _node(operator: bytes, inputs: tuple[bytes, ...], output: bytes, **numbers: int) -> bytes:
    said = b"".join(_field(1, name) for name in inputs) + _field(2, output) + _field(4, operator)
    for name, number in numbers.items():
        said += _field(5, _field(1, name.encode()) + _field(3, number) + _field(20, 2))
    return _field(1, said)


def _saved(path: Path, graph: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_field(1, 8) + _field(8, _field(2, 13)) + _field(7, graph))
    return path


def weighing(path: Path, weights: np.ndarray, shape: tuple[int | bytes, ...]) -> Path:
    """A network that multiplies what it is shown with weights."""
    initial = b"".join(_field(1, size) for size in weights.shape) + _field(2, FLOAT) + _field(8, b"w")
    initial += _field(9, struct.pack(f"<{weights.size}f", *weights.ravel()))
    graph = _node(b"Mul", (b"input", b"w"), b"output") + _field(2, b"g") + _field(5, initial)
    return _saved(path, graph + _field(11, _value(b"input", shape)) + _field(12, _value(b"output", shape)))


def of_one_size(folder: Path, strength: float = 1.0) -> Path:
    """A network for pictures of 64 x 48 that multiplies each channel with a weight of its own."""
    weighing(folder / "onnx" / "model.onnx", _CHANNELS * np.float32(strength), (1, 3, 48, 64))
    return folder


def of_any_size(folder: Path) -> Path:
    """The same for pictures of any size."""
    weighing(folder / "model.onnx", _CHANNELS, (1, 3, b"height", b"width"))
    return folder


def kokoro(folder: Path) -> Path:
    """A network with the inputs of Kokoro: its wave is the numbers of the sounds times the speed, and the style."""
    graph = _node(b"Cast", (b"input_ids",), b"numbers", to=FLOAT)
    graph += _node(b"Mul", (b"numbers", b"speed"), b"timed")
    graph += _node(b"Concat", (b"timed", b"style"), b"waveform", axis=1) + _field(2, b"g")
    graph += _field(11, _value(b"input_ids", (1, b"n"), INTEGER)) + _field(11, _value(b"style", (1, 256)))
    graph += _field(11, _value(b"speed", (1,))) + _field(12, _value(b"waveform", (1, b"m")))
    _saved(folder / "onnx" / "model_quantized.onnx", graph)
    sounds = "$;:,.!?—… abdefhijklmnopstuvwxzæðŋɐɑɒɔəɚɛɜɡɪɹʃʊʌʒˈˌː"
    vocabulary = {"model": {"vocab": {sound: number for number, sound in enumerate(sounds)}}}
    (folder / "tokenizer.json").write_text(json.dumps(vocabulary), "utf-8")
    (folder / "voices").mkdir()
    rng = np.random.default_rng(0)
    for voice in ("af_heart", "am_michael", "bf_emma", "bm_george", "ff_siwis"):
        rng.standard_normal((510, 256)).astype("<f4").tofile(folder / "voices" / f"{voice}.bin")
    return folder

"""Samples of sounds that may be longer than memory: read, made and kept block by block. Must not know effects.

Samples are float32 (frames, channels). Those of more than LARGE_BYTES lie in a file without a name and are mapped from
it: arrays like any other, but read-only. Whoever goes through them with what stands here holds one block in memory.
"""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

import numpy as np

BLOCK = 1 << 16
"""Frames that are worked on at a time: a second and a half."""
LARGE_BYTES = 8 << 20
_SPECTRA = 256


class Collected:
    """Blocks one after the other, as one array in the end. `peak` is the highest amplitude so far."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._parts: list[np.ndarray] = []
        self._bytes = 0
        self._file: IO[bytes] | None = None

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()  # what is mapped from it stays

    def add(self, block: np.ndarray) -> None:
        """Adds a block of frames; one that is not float32 becomes so."""
        part = np.asarray(block, np.float32, order="C")
        self.peak = max(self.peak, float(np.abs(part).max(initial=0)))
        self._parts.append(part)
        self._bytes += part.nbytes
        if self._bytes > LARGE_BYTES:
            self._file = file = self._file or tempfile.TemporaryFile()  # noqa: SIM115 - closed with this
            for one in self._parts:
                file.write(one.data)
            self._parts = [part[:0]]

    def add_all(self, samples: np.ndarray) -> None:
        """Adds samples of any length."""
        for first in range(0, len(samples), BLOCK):
            self.add(samples[first : first + BLOCK])
            let_go(samples)

    def whole(self) -> np.ndarray:
        """All of it. Nothing can be added any more."""
        if self._file is None:
            return self._parts[0] if len(self._parts) == 1 else np.concatenate(self._parts)
        self._file.flush()
        width = self._parts[0].shape[1]
        shape = (self._bytes // (4 * width), width)
        return np.asarray(np.memmap(self._file, np.float32, "r", shape=shape))


def composed(length: int, made: Callable[[int, int], np.ndarray], *read: np.ndarray, block: int = 0) -> np.ndarray:
    """Samples of `length` frames, of which `made(begin, end)` gives each part, from the first to the last.

    `read` are the samples that it reads: what was mapped of them leaves the memory again.
    """
    result, block = Collected(), block or BLOCK
    for begin in range(0, length, block):
        result.add(made(begin, min(begin + block, length)))
        for samples in read:
            let_go(samples)
    return result.whole()


def mapped(samples: np.ndarray, change: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The samples after `change` of each block in turn, which keeps the number of frames."""
    return composed(len(samples), lambda begin, end: change(samples[begin:end]), samples)


def stretch(samples: np.ndarray, begin: int, end: int) -> np.ndarray:
    """The frames from `begin` to `end`, with silence where there are none: before the first and after the last."""
    there = samples[max(begin, 0) : max(end, 0)]
    if len(there) == end - begin:
        return there
    padded = np.zeros((end - begin, *samples.shape[1:]), samples.dtype)
    first = max(-begin, 0)
    padded[first : first + len(there)] = there
    return padded


def blocks(samples: np.ndarray) -> Iterator[np.ndarray]:
    """All frames, block by block."""
    for first in range(0, len(samples), BLOCK):
        yield samples[first : first + BLOCK]
        let_go(samples)


def spectra(samples: np.ndarray, size: int, hop: int, at_a_time: int = _SPECTRA) -> Iterator[np.ndarray]:
    """Magnitudes (frames, bins) of windows of `size` samples (frames,) every `hop`, the first around the beginning.

    `at_a_time` frames come together; a full scale sine has 0.5, as with scipy.signal.stft.
    """
    window = np.hanning(size + 1)[:-1].astype(np.float32)
    window /= window.sum()
    count = -(-len(samples) // hop) + 1
    for first in range(0, count, at_a_time):
        last = min(first + at_a_time, count)
        part = stretch(samples, first * hop - size // 2, (last - 1) * hop - size // 2 + size)
        frames = np.lib.stride_tricks.sliding_window_view(part, size)[::hop]
        yield np.abs(np.fft.rfft(frames * window, axis=1)).astype(np.float32)
        let_go(samples)


def let_go(samples: np.ndarray) -> None:
    """Lets what is mapped of the samples leave the memory; it is read again when it is looked at."""
    base = samples
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(base, "madvise"):
        base.madvise(mmap.MADV_DONTNEED)

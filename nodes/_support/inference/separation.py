"""Takes the singing in a recording apart from the rest, as spectra. Must not know tools.

By an MDX-Net (Kim et al. 2021) in ONNX that gives the spectrum of the singing, or by what repeats (REPET-SIM, Rafii and
Pardo 2012): music repeats itself within a song, singing seldom does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nodes._support.inference import onnx_pictures
from nodes._support.media import samples, sound
from nodes._support.models import models
from nodes._support.models.model_pool import pool
from nodes.api import Audio, RunContext

RATE = 44_100
_HOP, _FRAMES = 1024, 256
_TRANSFORMS = {2048: 6144, 3072: 7680}
"""Samples of the transform that networks for singing were trained with, by how many frequencies they look at."""
_WINDOW = 4096
_LOOKED_AT_SECONDS = 40
_ALIKE, _APART_SECONDS = 30, 1.0
_LOWEST_SINGING_HZ = 100


def by_model(audio: Audio, context: RunContext) -> np.ndarray:
    """The singing, float32 (frames, 2) at 44.1 kHz, of a sound at that rate in stereo.

    The network takes real and imaginary parts of both channels, (1, 4, frequencies, 256 frames), and gives the same of
    the singing; its file says by its input how many frequencies it looks at.
    """
    folder = models.model_folder(context)

    with pool().lease(folder, "onnx", lambda _: onnx_pictures.session(folder), context) as entry:
        name, shape = entry.model.get_inputs()[0].name, entry.model.get_inputs()[0].shape
        bins = int(shape[2])
        size = _TRANSFORMS.get(bins, 2 * bins)

        def singing(piece: np.ndarray) -> np.ndarray:
            spectrum: Any = np.stack([_spectrum(channel, size) for channel in piece.T])[:, :bins]
            parts = np.stack((spectrum.real, spectrum.imag), axis=1).reshape(1, 4, bins, -1).astype(np.float32)
            found = entry.model.run(None, {name: parts})[0].reshape(2, 2, bins, -1)
            whole = np.zeros((2, size // 2 + 1, found.shape[-1]), np.complex64)
            whole[:, :bins] = found[:, 0] + 1j * found[:, 1]
            return np.stack([_wave(channel, size, len(piece)) for channel in whole], axis=1)

        return _in_pieces(audio.samples, _HOP * (_FRAMES - 1), size // 2, singing, context)


def _in_pieces(
    wave: np.ndarray, length: int, edge: int, change: Callable[[np.ndarray], np.ndarray], context: RunContext
) -> np.ndarray:
    """Changes pieces of `length` samples that overlap by `edge` at both ends, which are left off."""
    step = length - 2 * edge

    def made(begin: int, end: int) -> np.ndarray:
        context.progress(begin / len(wave))
        return change(samples.stretch(wave, begin - edge, begin - edge + length))[edge : edge + end - begin]

    return samples.composed(len(wave), made, wave, block=step)


def _spectrum(wave: np.ndarray, size: int) -> np.ndarray:
    """Complex (size / 2 + 1, frames), as torch.stft gives it: frames centred on each hop, mirrored at the ends."""
    padded = np.pad(wave, size // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::_HOP]
    return np.fft.rfft(frames * _hann(size), axis=1).T


def _wave(spectrum: np.ndarray, size: int, length: int) -> np.ndarray:
    """The reverse of `_spectrum`."""
    frames = np.fft.irfft(spectrum.T, size, axis=1) * _hann(size)
    whole, weight = np.zeros((2, size + _HOP * (len(frames) - 1)), np.float64)
    for number, frame in enumerate(frames):
        at = slice(number * _HOP, number * _HOP + size)
        whole[at] += frame
        weight[at] += _hann(size) ** 2
    kept = slice(size // 2, size // 2 + length)
    return (whole[kept] / np.maximum(weight[kept], 1e-8)).astype(np.float32)


def _hann(size: int) -> np.ndarray:
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size) / size)


def by_repetition(audio: Audio, context: RunContext) -> np.ndarray:
    """The singing as what does not repeat, float32 like the samples: rough, drums and solos come along.

    Each moment is compared with the others of its minute; what its likest ones share is the music.
    """
    from scipy.signal import get_window, istft, stft

    wave = audio.samples
    step = round(_WINDOW * audio.rate / RATE / 4) * 4
    window = get_window("hann", step)
    options: dict[str, Any] = {"fs": audio.rate, "window": window, "nperseg": step, "noverlap": step * 3 // 4}
    apart = max(1, round(_APART_SECONDS * audio.rate / (step // 4)))
    lowest = int(_LOWEST_SINGING_HZ * step / audio.rate) + 1

    def singing(piece: np.ndarray) -> np.ndarray:
        whole = np.pad(piece, ((0, max(0, step - len(piece))), (0, 0)))  # a window at least
        _, _, spectra = stft(whole, axis=0, **options)  # (frequencies, channels, frames)
        strength = np.abs(spectra).mean(axis=1)
        music = _repeated(strength, apart, context)
        share = 1 - (music / np.maximum(strength, 1e-9)) ** 2
        share[:lowest] = 0
        _, found = istft(spectra * np.clip(share, 0, 1)[:, None, :], time_axis=-1, freq_axis=0, **options)
        return sound.fitted(np.ascontiguousarray(found.T, np.float32), len(piece))

    length = _LOOKED_AT_SECONDS * audio.rate
    if len(wave) <= length:
        return singing(wave)
    return _in_pieces(wave, length, audio.rate, singing, context)


def _repeated(strength: np.ndarray, apart: int, context: RunContext) -> np.ndarray:
    """For each moment (column) the median of the moments most like it, at least `apart` of each other, and itself, but
    no more than it has."""
    shape = strength / np.maximum(np.linalg.norm(strength, axis=0), 1e-9)
    likeness = shape.T @ shape
    result = np.empty_like(strength)
    for moment in range(strength.shape[1]):
        if moment % 200 == 0:
            context.check()
        chosen = [moment]
        for other in np.argsort(-likeness[moment])[: 8 * _ALIKE]:
            if all(abs(other - one) >= apart for one in chosen):
                chosen.append(int(other))
                if len(chosen) > _ALIKE:
                    break
        result[:, moment] = np.median(strength[:, chosen], axis=1)
    return np.minimum(result, strength)

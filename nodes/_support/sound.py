"""What the audio tools share: checked input, rates, channels, levels, and FFmpeg's filters. Knows no files.

Samples are float32 (frames, channels), -1..1, and are never changed in place.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from nodes.api import Audio, NodeError, Phrase, RunContext

LAYOUTS = {1: "mono", 2: "stereo", 3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}
SILENT_DB = -120.0
_BLOCK = 8192
_HALF = math.sqrt(0.5)


def checked(audio: Audio, port: str = "audio") -> Audio:
    """`audio` with two-dimensional float32 samples, where NaN and infinite ones count as 0.

    Raises NodeError when there is no sample or no sample rate.
    """
    samples = np.asarray(audio.samples, dtype=np.float32)
    if samples.ndim == 1:
        samples = samples[:, None]
    if samples.ndim != 2 or not samples.size:
        raise NodeError("The sound is empty.", port, "Choose a sound that lasts longer than 0 seconds.")
    if audio.rate <= 0:
        raise NodeError(
            Phrase("The sound has a sample rate of {rate} Hz.", rate=audio.rate), port, "Choose another sound."
        )
    if not np.isfinite(samples).all():
        samples = np.nan_to_num(samples, nan=0.0, posinf=0.0, neginf=0.0)
    return Audio(samples, int(audio.rate))


def audible(audio: Audio, port: str = "audio", purpose: Phrase | None = None) -> Audio:
    """Like `checked`; raises NodeError for silence too. `purpose` completes "there is nothing to ..."."""
    sound = checked(audio, port)
    if peak_db(sound.samples) <= -90:
        raise NodeError(
            Phrase("The sound is silent: there is nothing to {purpose}.", purpose=purpose or Phrase("work on")),
            port,
            "Choose another sound.",
        )
    return sound


def decibels(ratio: float) -> float:
    """20 log10 of an amplitude ratio, not below -120."""
    return max(20 * math.log10(ratio), SILENT_DB) if ratio > 0 else SILENT_DB


def amplitude(db: float) -> float:
    """The amplitude ratio of so many decibels."""
    return 10 ** (db / 20)


def peak_db(samples: np.ndarray) -> float:
    """Highest sample in dBFS, -120 for silence."""
    return decibels(float(np.abs(samples).max(initial=0)))


def mono(samples: np.ndarray) -> np.ndarray:
    """The mean of the channels, float32 (frames,)."""
    return samples.mean(axis=1, dtype=np.float32)


def with_channels(samples: np.ndarray, count: int) -> np.ndarray:
    """The sound in `count` channels: mono is repeated, 5.1 folded as in ITU-R BS.775, others averaged or padded.

    The channel order of six is left, right, centre, bass effects, rear left, rear right.
    """
    have = samples.shape[1]
    if have == count:
        return samples
    if count == 1:
        return mono(with_channels(samples, 2) if have == 6 else samples)[:, None]
    if have == 1:
        silent = np.zeros((len(samples), max(count - 2, 0)), np.float32)
        return np.hstack((np.repeat(samples, min(count, 2), axis=1), silent))
    if have == 6 and count == 2:
        left = samples[:, 0] + _HALF * (samples[:, 2] + samples[:, 4])
        right = samples[:, 1] + _HALF * (samples[:, 2] + samples[:, 5])
        return (np.stack((left, right), axis=1) / (1 + 2 * _HALF)).astype(np.float32)
    if have > count:
        return np.stack([samples[:, c::count].mean(axis=1) for c in range(count)], axis=1).astype(np.float32)
    return np.hstack((samples, np.zeros((len(samples), count - have), np.float32)))


def resampled(audio: Audio, rate: int) -> Audio:
    """The same sound at another sample rate (band-limited; the length is rounded to a sample)."""
    if audio.rate == rate:
        return audio
    from scipy.signal import resample_poly

    common = math.gcd(audio.rate, rate)
    up, down = rate // common, audio.rate // common
    length = max(round(len(audio.samples) * rate / audio.rate), 1)
    if max(up, down) <= 4000:
        samples = resample_poly(audio.samples, up, down, axis=0)
    else:  # a polyphase filter of that many taps would cost more than FFmpeg's interpolated one
        options = f"osr={rate}:filter_size=64:cutoff=0.95"
        samples = filtered(audio, ("aresample", options), rate=rate).samples
    return Audio(fitted(samples.astype(np.float32), length), rate)


def fitted(samples: np.ndarray, length: int) -> np.ndarray:
    """The first `length` frames, filled up with silence."""
    if len(samples) >= length:
        return samples[:length]
    return np.vstack((samples, np.zeros((length - len(samples), samples.shape[1]), np.float32)))


def within_range(samples: np.ndarray) -> np.ndarray:
    """The sound, turned down as a whole if it would clip."""
    top = float(np.abs(samples).max(initial=0))
    return (samples / top if top > 1 else samples).astype(np.float32)


def filtered(audio: Audio, *filters: tuple[str, str], rate: int = 0, context: RunContext | None = None) -> Audio:
    """The sound after a chain of FFmpeg audio filters, each given as (name, arguments).

    `rate` is that of the result where a filter changes it. Raises NodeError for more than eight channels.
    """
    if audio.samples.shape[1] not in LAYOUTS:
        raise NodeError(
            Phrase("The sound has {width} channels, more than eight.", width=audio.samples.shape[1]),
            "audio",
            "Mix it down.",
        )
    stream = FilterStream(audio.rate, audio.samples.shape[1], *filters)
    parts = []
    for at in range(0, len(audio.samples), _BLOCK):
        parts.append(stream.push(audio.samples[at : at + _BLOCK]))
        if context is not None:
            context.check()
    parts.append(stream.finish())
    return Audio(np.concatenate(parts), rate or audio.rate)


class FilterStream:
    """A chain of FFmpeg audio filters that is fed block by block; blocks are float32 (frames, channels)."""

    def __init__(self, rate: int, channels: int, *filters: tuple[str, str]) -> None:
        import av.filter

        self._rate, self._layout, self._channels, self._frames = rate, LAYOUTS[channels], channels, 0
        self._graph = av.filter.Graph()
        nodes = [self._graph.add_abuffer(sample_rate=rate, format="fltp", layout=self._layout)]
        nodes += [self._graph.add(name, arguments) for name, arguments in filters]
        nodes.append(self._graph.add("aformat", "sample_fmts=fltp"))
        nodes.append(self._graph.add("abuffersink"))
        self._graph.link_nodes(*nodes)
        self._graph.configure()

    def push(self, samples: np.ndarray) -> np.ndarray:
        """Feeds a block and returns what the filters have ready, which may be nothing."""
        if not len(samples):
            return samples
        frame = audio_frame(samples, self._rate, self._layout)
        frame.pts = self._frames
        self._frames += len(samples)
        self._graph.push(frame)
        return self._pulled()

    def finish(self) -> np.ndarray:
        """The rest, after the last block."""
        self._graph.push(None)
        return self._pulled()

    def _pulled(self) -> np.ndarray:
        from av.error import BlockingIOError, EOFError

        parts = [np.zeros((0, self._channels), np.float32)]
        while True:
            try:
                parts.append(self._graph.pull().to_ndarray().T)  # type: ignore[union-attr]
            except (BlockingIOError, EOFError):
                return np.concatenate(parts)


def audio_frame(samples: np.ndarray, rate: int, layout: str):
    """A PyAV frame (planar float) of samples (frames, channels)."""
    import av

    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples.T, dtype=np.float32), "fltp", layout)
    frame.sample_rate = rate
    return frame


def tempo_filters(speed: float) -> tuple[tuple[str, str], ...]:
    """`atempo` steps that multiply to `speed`; each within 0.5..2, where the filter neither skips nor stutters."""
    steps = max(math.ceil(abs(math.log2(speed))), 1)
    return (("atempo", f"{speed ** (1 / steps):.9f}"),) * steps


def stretched(audio: Audio, speed: float, context: RunContext | None = None) -> Audio:
    """The sound played `speed` times as fast at the same pitch (FFmpeg atempo). The length is exact."""
    length = max(round(len(audio.samples) / speed), 1)
    if abs(speed - 1) < 1e-6:
        return audio
    padding = np.zeros((audio.rate // 10, audio.samples.shape[1]), np.float32)
    padded = Audio(np.vstack((audio.samples, padding)), audio.rate)  # the filter swallows what it cannot overlap
    return Audio(fitted(filtered(padded, *tempo_filters(speed), context=context).samples, length), audio.rate)


def repitched(audio: Audio, semitones: float, context: RunContext | None = None) -> Audio:
    """The sound `semitones` higher (or lower), as long as before: resampled, then stretched."""
    if abs(semitones) < 1e-6:
        return audio
    factor = 2 ** (semitones / 12)
    low = Audio(audio.samples, round(audio.rate * factor))
    high = Audio(resampled(low, audio.rate).samples, audio.rate)
    return Audio(fitted(stretched(high, 1 / factor, context).samples, len(audio.samples)), audio.rate)


def loudness(audio: Audio) -> float:
    """Integrated loudness in LUFS (ITU-R BS.1770-4); -inf for silence. Sounds under 0.4 s are repeated to that."""
    import warnings

    import pyloudnorm

    samples = audio.samples.astype(np.float64)
    if samples.shape[1] == 6:
        samples = np.delete(samples, 3, axis=1)  # bass effects do not count
    elif samples.shape[1] > 5:
        samples = samples.mean(axis=1, keepdims=True)
    shortest = math.ceil(0.4 * audio.rate) + 1
    if len(samples) < shortest:
        samples = np.tile(samples, (math.ceil(shortest / len(samples)), 1))
    with warnings.catch_warnings(), np.errstate(divide="ignore"):
        warnings.simplefilter("ignore")
        return float(pyloudnorm.Meter(audio.rate).integrated_loudness(samples))


def true_peak(samples: np.ndarray, over: float = 0.0) -> np.ndarray:
    """Peak of each frame over its channels with the peaks between samples: four-fold oversampled, (frames,).

    Blocks whose samples stay under half of `over` are not oversampled, as nothing between them reaches it.
    """
    from scipy.signal import resample_poly

    plain = np.abs(samples).max(axis=1)
    result = plain.copy()
    for first in range(0, len(samples), _BLOCK):
        begin, end = max(first - 64, 0), min(first + _BLOCK + 64, len(samples))
        if plain[begin:end].max(initial=0) < over / 2:
            continue
        dense = np.abs(resample_poly(np.ascontiguousarray(samples[begin:end].T), 4, 1, axis=1)).max(axis=0)
        peaks = dense.reshape(-1, 4).max(axis=1)[first - begin :][:_BLOCK]
        result[first : first + len(peaks)] = peaks
    return result


def limited(audio: Audio, ceiling: float) -> Audio:
    """The sound with no true peak above `ceiling` (amplitude): gain falls 5 ms ahead of a peak, smoothly."""
    from scipy.ndimage import minimum_filter1d, uniform_filter1d

    samples = audio.samples.astype(np.float32)
    for _ in range(4):  # changing the gain moves peaks between samples a little
        top = true_peak(samples, ceiling)
        if top.max(initial=0) <= ceiling * 1.0005:
            return Audio(samples, audio.rate)
        gain = np.minimum(1, 0.999 * ceiling / np.maximum(top, 1e-9))
        width = max(int(audio.rate * 0.005), 1)
        smooth = uniform_filter1d(minimum_filter1d(gain, 2 * width + 1), width + 1 - width % 2, mode="nearest")
        samples = (samples * smooth[:, None]).astype(np.float32)
    top = float(true_peak(samples).max())
    return Audio((samples * min(1, ceiling / top)).astype(np.float32), audio.rate)


def frame_levels(audio: Audio, seconds: float = 0.02) -> tuple[np.ndarray, float]:
    """Root mean square level in dBFS of successive frames (channels averaged in power), and a frame's seconds."""
    size = max(round(audio.rate * seconds), 1)
    count = math.ceil(len(audio.samples) / size)
    power = (fitted(audio.samples, count * size).astype(np.float64) ** 2).mean(axis=1).reshape(count, size).mean(axis=1)
    return 10 * np.log10(np.maximum(power, 1e-12)), size / audio.rate


def runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """The stretches of True in a row of flags, as (first, one past the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.asarray(flags, dtype=np.int8), [0]))))
    return [(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def spectral(audio: Audio, change: Callable[[np.ndarray], np.ndarray], seconds: float = 0.032) -> Audio:
    """The sound after `change` of its short-time spectra, channel by channel.

    `change` takes and gives complex (bins, frames) of windows of `seconds` (a power of two of samples), 3/4 overlap.
    Long sounds are done in blocks of half a minute that begin a second early and are blended over 20 ms.
    """
    size = window_size(audio.rate, seconds)
    block = size * max(round(30 * audio.rate / size), 1)
    early = size * max(round(audio.rate / size), 4)
    blend = min(audio.rate // 50, early)
    result = np.empty_like(audio.samples)
    ramp = np.linspace(0, 1, blend, dtype=np.float32)[:, None]
    for first in range(0, len(audio.samples), block):
        begin, end = max(first - early, 0), min(first + block + early, len(audio.samples))
        piece = _changed(audio.samples[begin:end], change, size)[first - begin :]
        if first:
            piece[:blend] = (
                result[first : first + blend] * (1 - ramp[: len(piece)]) + piece[:blend] * ramp[: len(piece)]
            )
        result[first:end] = piece
    return Audio(result, audio.rate)


def window_size(rate: int, seconds: float) -> int:
    """The power of two of samples that is nearest to `seconds`, at least 64."""
    return 1 << max(round(math.log2(rate * seconds)), 6)


def _changed(samples: np.ndarray, change: Callable[[np.ndarray], np.ndarray], size: int) -> np.ndarray:
    from scipy.signal import ShortTimeFFT
    from scipy.signal.windows import hann

    transform = ShortTimeFFT(hann(size, sym=False), size // 4, 1.0)
    padded = fitted(samples, max(len(samples), size))
    channels = [transform.istft(change(transform.stft(c)), k1=len(padded)) for c in padded.T]
    return np.stack(channels, axis=1)[: len(samples)].astype(np.float32)


def part(audio: Audio, start: float, end: float | None) -> tuple[int, int]:
    """The sample numbers of `start` and `end` seconds (None or too late: the end of the sound).

    Raises NodeError naming port `start` or `end` when nothing lies between.
    """
    if start >= audio.seconds:
        raise NodeError(
            Phrase(
                "The start, {start} s, is not before the end of the sound, which lasts {seconds} s.",
                start=f"{start:g}",
                seconds=f"{audio.seconds:.2f}",
            ),
            "start",
            "Choose an earlier start.",
        )
    if end is not None and end <= start:
        raise NodeError(
            Phrase("The end, {end} s, is not after the start, {start} s.", end=f"{end:g}", start=f"{start:g}"),
            "end",
            "Choose a later end.",
        )
    first = min(round(start * audio.rate), len(audio.samples) - 1)
    last = len(audio.samples) if end is None else min(round(end * audio.rate), len(audio.samples))
    return first, max(last, first + 1)

"""What the audio tools share: checked input, rates, channels, levels, and FFmpeg's filters. Knows no files.

Samples are float32 (frames, channels), -1..1, and are never changed in place. All of it works block by block, so that
a long sound takes no more memory than a short one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nodes._support.media.samples import BLOCK, Collected, blocks, composed, let_go, mapped, stretch
from nodes.api import Audio, NodeError, Phrase, Port, ResourceType, RunContext

LAYOUTS = {1: "mono", 2: "stereo", 3: "2.1", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1"}
PACKED = "flt"
"""FFmpeg's floats channel beside channel. Eight of them in planes of their own are too many for PyAV, which reads on
beyond the last (18.1)."""
SILENT_DB = -120.0
_BLOCK = 8192
_SLOWEST_RATE, _FASTEST_RATE = 1_000, 3_000_000
"""In Hz: FFmpeg's filters end the process with less, and a file that says so is damaged."""
_HALF = math.sqrt(0.5)
FOLDED = 1 + 2 * _HALF
"""By how much 5.1 is turned down when it is folded into two channels, so that it never clips."""
_FADE: dict[str, Any] = {"default": 0.0, "minimum": 0, "maximum": 600, "unit": "s", "usual": 2.0}
FADES = (
    Port(
        "fade_in",
        ResourceType.NUMBER,
        "how long the sound rises at its beginning",
        question="Over how many seconds should it fade in?",
        **_FADE,
    ),
    Port(
        "fade_out",
        ResourceType.NUMBER,
        "how long the sound falls at its end",
        question="Over how many seconds should it fade out?",
        **_FADE,
    ),
)
"""The inputs of tools that put a sound under a film."""


def checked(audio: Audio, port: str = "audio") -> Audio:
    """`audio` with two-dimensional float32 samples, where NaN and infinite ones count as 0.

    Raises NodeError when there is no sample, or the sample rate is none of a sound.
    """
    samples = np.asarray(audio.samples, dtype=np.float32)
    if samples.ndim == 1:
        samples = samples[:, None]
    if samples.ndim != 2 or not samples.size:
        raise NodeError("The sound is empty.", port, "Choose a sound that lasts longer than 0 seconds.")
    if not _SLOWEST_RATE <= audio.rate <= _FASTEST_RATE:
        raise NodeError(
            Phrase("The sound has a sample rate of {rate} Hz.", rate=audio.rate), port, "Choose another sound."
        )
    if not all(np.isfinite(block).all() for block in blocks(samples)):
        samples = mapped(samples, lambda block: np.nan_to_num(block, nan=0.0, posinf=0.0, neginf=0.0))
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
    return decibels(peak(samples))


def peak(samples: np.ndarray) -> float:
    """The highest amplitude, 0 for silence."""
    return max((float(np.abs(block).max(initial=0)) for block in blocks(samples)), default=0.0)


def mono(samples: np.ndarray) -> np.ndarray:
    """The mean of the channels, float32 (frames,)."""
    return mapped(samples, lambda block: block.mean(axis=1, keepdims=True, dtype=np.float32))[:, 0]


def with_channels(samples: np.ndarray, count: int) -> np.ndarray:
    """The sound in `count` channels: mono is repeated, 5.1 folded as in ITU-R BS.775, others averaged or padded.

    The channel order of six is left, right, centre, bass effects, rear left, rear right.
    """
    if samples.shape[1] == count:
        return samples
    return mapped(samples, lambda block: _with_channels(block, count))


def _with_channels(samples: np.ndarray, count: int) -> np.ndarray:
    have = samples.shape[1]
    if count == 1:
        return (_with_channels(samples, 2) if have == 6 else samples).mean(axis=1, keepdims=True, dtype=np.float32)
    if have == 1:
        silent = np.zeros((len(samples), max(count - 2, 0)), np.float32)
        return np.hstack((np.repeat(samples, min(count, 2), axis=1), silent))
    if have == 6 and count == 2:
        left = samples[:, 0] + _HALF * (samples[:, 2] + samples[:, 4])
        right = samples[:, 1] + _HALF * (samples[:, 2] + samples[:, 5])
        return (np.stack((left, right), axis=1) / FOLDED).astype(np.float32)
    if have > count:
        return np.stack([samples[:, c::count].mean(axis=1) for c in range(count)], axis=1).astype(np.float32)
    return np.hstack((samples, np.zeros((len(samples), count - have), np.float32)))


def folded(samples: np.ndarray, count: int) -> np.ndarray:
    """The whole sound in `count` channels as `with_channels` makes them; 5.1 keeps its voices about as loud as they
    are, and is turned down only where it would clip."""
    made = with_channels(samples, count)
    if samples.shape[1] != 6 or count > 2:
        return made
    return within_range(mapped(made, lambda block: block * np.float32(FOLDED)))


def in_stereo(block: np.ndarray) -> np.ndarray:
    """A piece of a sound in two channels at most; one of 5.1 is not turned down, and may be louder than 1."""
    width = block.shape[1]
    return _with_channels(block, 2) * np.float32(FOLDED if width == 6 else 1) if width > 2 else block


def faded(audio: Audio, fade_in: float, fade_out: float) -> Audio:
    """The sound rising over its first and falling over its last seconds, by half a cosine; fades that would overlap
    are shortened in proportion.
    """
    scale = min(1.0, audio.seconds / max(fade_in + fade_out, 1e-9))
    rise, fall = int(fade_in * scale * audio.rate), int(fade_out * scale * audio.rate)
    if not rise and not fall:
        return audio
    heard = audio.samples

    def made(begin: int, end: int) -> np.ndarray:
        place = np.arange(begin, end)
        gain = _slope(place, rise) * _slope(len(heard) - 1 - place, fall)
        return heard[begin:end] * gain[:, None]

    return Audio(composed(len(heard), made, heard), audio.rate)


def _slope(place: np.ndarray, length: int) -> np.ndarray:
    """Gain of the frames that are so far from where the fade of `length` frames begins."""
    if not length:
        return np.ones(len(place), np.float32)
    return (0.5 - 0.5 * np.cos(np.pi * np.minimum(place / length, 1))).astype(np.float32)


def resampled(audio: Audio, rate: int) -> Audio:
    """The same sound at another sample rate (band-limited; the length is rounded to a sample)."""
    if audio.rate == rate:
        return audio
    common = math.gcd(audio.rate, rate)
    up, down = rate // common, audio.rate // common
    length = max(round(len(audio.samples) * rate / audio.rate), 1)
    if max(up, down) <= 4000:
        return Audio(_polyphase(audio.samples, up, down, length), rate)
    # a polyphase filter of that many taps would cost more than FFmpeg's interpolated one
    options = f"osr={rate}:filter_size=64:cutoff=0.95"
    return Audio(fitted(filtered(audio, ("aresample", options), rate=rate).samples, length), rate)


def _polyphase(samples: np.ndarray, up: int, down: int, length: int) -> np.ndarray:
    """The first `length` samples at `up / down` of the rate. Each part is made with as many samples around it as the
    filter of scipy reaches, so that parts are what the whole would be."""
    from scipy.signal import resample_poly

    around = math.ceil((10 * max(up, down) / up + 2) / down)  # in steps of `down` samples, which give `up`
    steps = max(BLOCK // down, around)

    def made(begin: int, end: int) -> np.ndarray:
        first = begin // up * down
        part = stretch(samples, first - around * down, first + (steps + around) * down)
        return resample_poly(part, up, down, axis=0)[around * up :][: end - begin]

    return composed(length, made, samples, block=steps * up)


def fitted(samples: np.ndarray, length: int) -> np.ndarray:
    """The first `length` frames, filled up with silence."""
    if len(samples) >= length:
        return samples[:length]
    return composed(length, lambda begin, end: stretch(samples, begin, end), samples)


def within_range(samples: np.ndarray) -> np.ndarray:
    """The sound, turned down as a whole if it would clip."""
    top = peak(samples)
    return mapped(samples, lambda block: block / np.float32(top)) if top > 1 else samples


def turned(audio: Audio, ratio: float) -> Audio:
    """The sound with its amplitudes times `ratio`."""
    return Audio(mapped(audio.samples, lambda block: block * np.float32(ratio)), audio.rate)


def beside(one: Audio, other: Audio, gain: float) -> float:
    """What the amplitudes of `one` have to be multiplied by to be heard `gain` LU louder than `other`; the plain gain
    where one of them is silent.
    """
    apart = loudness(other) - loudness(one)
    return amplitude(gain + apart if math.isfinite(apart) else gain)


def filtered(
    audio: Audio, *filters: tuple[str, str], rate: int = 0, more: int = 0, context: RunContext | None = None
) -> Audio:
    """The sound, and `more` frames of silence, after a chain of FFmpeg audio filters, each given as (name, arguments).

    `rate` is that of the result where a filter changes it. Raises NodeError for more than eight channels.
    """
    if audio.samples.shape[1] not in LAYOUTS:
        raise NodeError(
            Phrase("The sound has {width} channels, more than eight.", width=audio.samples.shape[1]),
            "audio",
            "Mix it down.",
        )
    stream = FilterStream(audio.rate, audio.samples.shape[1], *filters)
    result = Collected()
    for block in blocks(audio.samples):
        for at in range(0, len(block), _BLOCK):
            result.add(stream.push(block[at : at + _BLOCK]))
        if context is not None:
            context.check()
    result.add(stream.push(np.zeros((more, audio.samples.shape[1]), np.float32)))
    result.add(stream.finish())
    return Audio(result.whole(), rate or audio.rate)


class FilterStream:
    """A chain of FFmpeg audio filters that is fed block by block; blocks are float32 (frames, channels)."""

    def __init__(self, rate: int, channels: int, *filters: tuple[str, str]) -> None:
        import av.filter

        self._rate, self._layout, self._channels, self._frames = rate, LAYOUTS[channels], channels, 0
        self._graph = av.filter.Graph()
        nodes = [self._graph.add_abuffer(sample_rate=rate, format=PACKED, layout=self._layout)]
        nodes += [self._graph.add(name, arguments) for name, arguments in filters]
        nodes.append(self._graph.add("aformat", f"sample_fmts={PACKED}"))
        nodes.append(self._graph.add("abuffersink"))
        self._graph.link_nodes(*nodes)
        self._graph.configure()

    def push(self, samples: np.ndarray) -> np.ndarray:
        """Feeds a block and returns what the filters have ready, which may be nothing."""
        if not len(samples):
            return samples
        frame = audio_frame(samples, self._rate, self._layout, PACKED)
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
                parts.append(unpacked(self._graph.pull()))  # type: ignore[union-attr]
            except (BlockingIOError, EOFError):
                return np.concatenate(parts)


def audio_frame(samples: np.ndarray, rate: int, layout: str, format: str = "fltp"):
    """A PyAV frame of samples (frames, channels): planar floats, as encoders want them, or PACKED."""
    import av

    laid = samples.reshape(1, -1) if format == PACKED else samples.T
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(laid, dtype=np.float32), format, layout)
    frame.sample_rate = rate
    return frame


def unpacked(frame: Any) -> np.ndarray:
    """The samples of a PyAV frame in PACKED, float32 (frames, channels)."""
    return frame.to_ndarray().reshape(-1, frame.layout.nb_channels)


def tempo_filters(speed: float) -> tuple[tuple[str, str], ...]:
    """`atempo` steps that multiply to `speed`; each within 0.5..2, where the filter neither skips nor stutters."""
    steps = max(math.ceil(abs(math.log2(speed))), 1)
    return (("atempo", f"{speed ** (1 / steps):.9f}"),) * steps


def stretched(audio: Audio, speed: float, context: RunContext | None = None) -> Audio:
    """The sound played `speed` times as fast at the same pitch (FFmpeg atempo). The length is exact."""
    length = max(round(len(audio.samples) / speed), 1)
    if abs(speed - 1) < 1e-6:
        return audio
    spare = audio.rate // 10  # the filter swallows what it cannot overlap
    fast = filtered(audio, *tempo_filters(speed), more=spare, context=context)
    return Audio(fitted(fast.samples, length), audio.rate)


def repitched(audio: Audio, semitones: float, context: RunContext | None = None) -> Audio:
    """The sound `semitones` higher (or lower), as long as before: resampled, then stretched."""
    if abs(semitones) < 1e-6:
        return audio
    factor = 2 ** (semitones / 12)
    low = Audio(audio.samples, round(audio.rate * factor))
    high = Audio(resampled(low, audio.rate).samples, audio.rate)
    return Audio(fitted(stretched(high, 1 / factor, context).samples, len(audio.samples)), audio.rate)


def loudness(audio: Audio, gain: float = 1.0) -> float:
    """Integrated loudness in LUFS (ITU-R BS.1770-4) of the sound times `gain`; -inf for silence. Sounds under 0.4 s are
    repeated to that. Blocks of 0.4 s every 0.1 s count that are above -70 LUFS and no more than 10 LU below the rest.
    """
    samples = audio.samples
    if samples.shape[1] > 5:
        samples = samples[:, [0, 1, 2, 4, 5]] if samples.shape[1] == 6 else mono(samples)[:, None]  # no bass effects
    shortest = math.ceil(0.4 * audio.rate) + 1
    if len(samples) < shortest:
        samples = np.tile(samples, (math.ceil(shortest / len(samples)), 1))
    power = gain * gain * _block_power(samples, audio.rate)
    with np.errstate(divide="ignore"):
        level = -0.691 + 10 * np.log10(power)
        loud = level >= -70
        if not loud.any():
            return -math.inf
        loud &= level > -0.691 + 10 * np.log10(power[loud].mean()) - 10
        return float(-0.691 + 10 * np.log10(power[loud].mean())) if loud.any() else -math.inf


def _block_power(samples: np.ndarray, rate: int) -> np.ndarray:
    """Mean square of the sound as the ear weighs it (K-weighting) over blocks of 0.4 s, summed over the channels."""
    import pyloudnorm
    from scipy.signal import lfilter

    filters = list(pyloudnorm.Meter(rate)._filters.values())  # their coefficients, for any rate
    states = [np.zeros((max(len(one.a), len(one.b)) - 1, samples.shape[1])) for one in filters]
    weights = np.array([1.0, 1.0, 1.0, 1.41, 1.41])[: samples.shape[1]]
    begins = np.array([int(0.1 * number * rate) for number in range(round((len(samples) / rate - 0.4) / 0.1) + 1)])
    wanted = np.concatenate((begins, np.minimum(begins + int(0.4 * rate), len(samples))))
    energy, total, done = np.zeros(len(wanted)), 0.0, 0
    for block in blocks(samples):
        weighed = block.astype(np.float64)
        for number, one in enumerate(filters):
            weighed, states[number] = lfilter(one.b, one.a, weighed, axis=0, zi=states[number])
        sums = total + np.concatenate(([0.0], np.cumsum((weighed**2) @ weights)))
        here = (wanted >= done) & (wanted <= done + len(block))
        energy[here] = sums[wanted[here] - done]
        total, done = float(sums[-1]), done + len(block)
    return (energy[len(begins) :] - energy[: len(begins)]) / (0.4 * rate)


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


def limited(audio: Audio, ceiling: float, gain: float = 1.0) -> Audio:
    """The sound times `gain` with no true peak above `ceiling` (amplitude): gain falls 5 ms before one, smoothly."""
    samples = audio.samples
    for _ in range(4):  # changing the gain moves peaks between samples a little
        samples, top = _turned_down(samples, max(int(audio.rate * 0.005), 1), ceiling, gain)
        gain = 1.0
        if top <= ceiling * 1.0005:
            return Audio(samples, audio.rate)
    top = max(float(true_peak(block).max()) for block in blocks(samples))
    return Audio(mapped(samples, lambda block: block * np.float32(min(1, ceiling / top))), audio.rate)


def _turned_down(samples: np.ndarray, width: int, ceiling: float, gain: float) -> tuple[np.ndarray, float]:
    """The samples times `gain`, turned down `width` frames around each true peak above `ceiling`; and the highest."""
    from scipy.ndimage import minimum_filter1d, uniform_filter1d

    around, highest = 2 * width + 66, 0.0

    def made(begin: int, end: int) -> np.ndarray:
        nonlocal highest
        first, last = max(begin - around, 0), min(end + around, len(samples))
        part = samples[first:last] * np.float32(gain)
        top = true_peak(part, ceiling)
        highest = max(highest, float(top[begin - first : end - first].max(initial=0)))
        if top.max(initial=0) > ceiling:
            least = np.minimum(1, 0.999 * ceiling / np.maximum(top, 1e-9))
            least = minimum_filter1d(least, 2 * width + 1)
            part *= uniform_filter1d(least, width + 1 - width % 2, mode="nearest")[:, None]
        return part[begin - first : end - first]

    return composed(len(samples), made, samples), highest


def frame_levels(audio: Audio) -> tuple[np.ndarray, float]:
    """Root mean square level in dBFS of successive frames (channels averaged in power), and a frame's seconds."""
    size = max(round(audio.rate * 0.02), 1)
    count = math.ceil(len(audio.samples) / size)
    power = np.zeros(count)
    for first in range(0, count, 256):
        last = min(first + 256, count)
        part = stretch(audio.samples, first * size, last * size).astype(np.float64)
        power[first:last] = (part**2).mean(axis=1).reshape(-1, size).mean(axis=1)
        let_go(audio.samples)
    return 10 * np.log10(np.maximum(power, 1e-12)), size / audio.rate


def runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """The stretches of True in a row of flags, as (first, one past the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], np.asarray(flags, dtype=np.int8), [0]))))
    return [(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def spectral(audio: Audio, change: Callable[[np.ndarray, int], np.ndarray], seconds: float = 0.032) -> Audio:
    """The sound after `change` of its short-time spectra, channel by channel.

    `change` takes complex64 (bins, frames) of windows of `seconds` (a power of two of samples), 3/4 overlap, and the
    channel's number, and gives such spectra. Blocks of three seconds begin a second early and are blended over 20 ms.
    """
    size = window_size(audio.rate, seconds)
    block = size * max(round(3 * audio.rate / size), 1)
    early = size * max(round(audio.rate / size), 4)
    blend = min(audio.rate // 50, early)
    ramp = np.linspace(0, 1, blend, dtype=np.float32)[:, None]
    before = np.zeros((0, audio.samples.shape[1]), np.float32)

    def made(first: int, last: int) -> np.ndarray:
        nonlocal before
        begin, end = max(first - early, 0), min(last + early, len(audio.samples))
        piece = _changed(audio.samples[begin:end], change, size)[first - begin :]
        if first:
            rise = ramp[: min(len(before), last - first)]
            piece[: len(rise)] = before[: len(rise)] * (1 - rise) + piece[: len(rise)] * rise
        before = piece[last - first :][:blend].copy()
        return piece[: last - first]

    return Audio(composed(len(audio.samples), made, audio.samples, block=block), audio.rate)


def window_size(rate: int, seconds: float) -> int:
    """The power of two of samples that is nearest to `seconds`, at least 64."""
    return 1 << max(round(math.log2(rate * seconds)), 6)


def _changed(samples: np.ndarray, change: Callable[[np.ndarray, int], np.ndarray], size: int) -> np.ndarray:
    hop, length = size // 4, -(-len(samples) // size) * size
    padded = stretch(samples, -size, length + size)
    window = np.hanning(size + 1)[:-1].astype(np.float32)
    result = np.zeros_like(padded)
    for number, channel in enumerate(padded.T):
        frames = np.lib.stride_tricks.sliding_window_view(channel, size)[::hop] * window
        spectrum = np.fft.rfft(frames, axis=1).T
        made = np.fft.irfft(change(spectrum, number).T, size, axis=1) * (window / 1.5)  # what the squares add up to
        for first in range(4):
            part = made[first::4].ravel()
            result[first * hop : first * hop + len(part), number] += part
    return result[size : size + len(samples)]


def from_the_end(start: float, end: float | None, seconds: float) -> tuple[float, float | None]:
    """Both in seconds from the beginning of what lasts so many seconds; below 0 they count from its end."""
    return (
        max(seconds + start, 0.0) if start < 0 else start,
        max(seconds + end, 0.0) if end is not None and end < 0 else end,
    )


def part(audio: Audio, start: float, end: float | None) -> tuple[int, int]:
    """The sample numbers of `start` and `end` seconds (None or too late: the end of the sound; below 0: before it).

    Raises NodeError naming port `start` or `end` when nothing lies between.
    """
    start, end = from_the_end(start, end, audio.seconds)
    late = Phrase(
        "The start, {start} s, is not before the end of the sound, which lasts {seconds} s.",
        start=f"{start:g}",
        seconds=f"{audio.seconds:.2f}",
    )
    check_part(start, end, audio.seconds, late)
    first = min(round(start * audio.rate), len(audio.samples) - 1)
    last = len(audio.samples) if end is None else min(round(end * audio.rate), len(audio.samples))
    return first, max(last, first + 1)


def check_part(start: float, end: float | None, seconds: float, late: Phrase) -> None:
    """Raises NodeError naming `start` or `end` when nothing lies between them in what lasts so many seconds.

    `late` says that the start is not before the end of it all.
    """
    if start >= seconds:
        raise NodeError(late, "start", "Choose an earlier start.")
    if end is not None and end <= start:
        raise NodeError(
            Phrase("The end, {end} s, is not after the start, {start} s.", end=f"{end:g}", start=f"{start:g}"),
            "end",
            "Choose a later end.",
        )

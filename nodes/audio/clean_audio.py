"""Take steady background noise (hiss, hum, fan, street) out of a recording."""

from __future__ import annotations

import numpy as np

from nodes._support import sound
from nodes.api import AudioValue, Number, Port, ResourceType, RunContext, tool

_QUIET_SHARE = 0.12
_SMOOTHING = 0.98


@tool(
    id="clean_audio",
    title="Clean audio",
    domain="audio",
    description="Reduces background noise such as hiss, hum or a fan in a recording.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the recording"),
        Port(
            "strength", ResourceType.NUMBER, "0 = leave as it is, 1 = as quiet as can be between the words",
            default=0.7, minimum=0, maximum=1,
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the recording with less noise"),),
    backend="log-mmse",
    backend_title="Spectral noise reduction",
    examples=("Clean the noise in interview.wav", "Remove the background noise from this recording", "Denoise it"),
    words=("denoise", "noise reduction", "unwanted sounds", "hiss", "hum", "noisy recording", "clear the speech"),
    icon="audio-lines",
)  # fmt: skip
def clean_audio(audio: AudioValue, strength: Number = 0.7, *, context: RunContext) -> AudioValue:
    """Log-spectral amplitude estimation after Ephraim and Malah (1985), "decision directed".

    The noise spectrum is the mean over the quietest eighth of the frames, so noise that comes and goes stays, and
    a sound that never pauses is taken for noise in part. Length, rate and channels stay. Silence comes back as it is.
    """
    recording = sound.checked(audio)
    if strength <= 0 or sound.peak_db(recording.samples) <= -90:
        return recording
    floor = sound.amplitude(-40 * strength)

    def cleaned(spectrum: np.ndarray) -> np.ndarray:
        context.check()
        power = np.abs(spectrum) ** 2
        return spectrum * _gains(power, noise_power(power), floor)

    return sound.spectral(recording, cleaned, seconds=0.05)


def noise_power(power: np.ndarray) -> np.ndarray:
    """Mean power (bins,) of the quietest frames of `power` (bins, frames); frames without any sound do not count."""
    level = power.sum(axis=0)
    sounding = np.flatnonzero(level > 1e-9 * level.max(initial=0))
    if not len(sounding):
        return np.zeros(len(power))
    count = max(int(len(sounding) * _QUIET_SHARE), min(8, len(sounding)))
    return power[:, sounding[np.argsort(level[sounding])[:count]]].mean(axis=1)


def _gains(power: np.ndarray, noise: np.ndarray, floor: float) -> np.ndarray:
    """Amplitude gain of each bin and frame, `floor`..1, float64 (bins, frames)."""
    from scipy.special import exp1

    posterior = np.minimum(power / np.maximum(noise, 1e-20)[:, None], 1e4)
    gains = np.empty_like(power)
    clean = np.ones(len(power))  # of the frame before, over the noise
    for frame, ratio in enumerate(posterior.T):
        prior = np.maximum(_SMOOTHING * clean + (1 - _SMOOTHING) * np.maximum(ratio - 1, 0), 0.003)
        wiener = prior / (1 + prior)
        gain = np.minimum(wiener * np.exp(0.5 * exp1(np.maximum(wiener * ratio, 1e-8))), 1)
        clean = gain**2 * ratio
        gains[:, frame] = np.maximum(gain, floor)
    return gains

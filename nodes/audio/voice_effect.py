"""Disguise a voice: robot, telephone, deep, chipmunk, whisper, male, female."""

from __future__ import annotations

import numpy as np

from nodes._support.media import samples, sound
from nodes.api import Audio, AudioValue, Port, ResourceType, RunContext, Text, tool

_SEMITONES = {"deep": -6.0, "chipmunk": 9.0, "male": -4.0, "female": 4.5}
_EFFECTS = ("robot", "telephone", "whisper", *_SEMITONES)


@tool(
    id="voice_effect",
    title="Voice effect",
    domain="audio",
    description="Changes a voice: robot, telephone, whisper, deep, chipmunk, male or female.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the voice"),
        Port(
            "effect",
            ResourceType.TEXT,
            "what it shall sound like",
            default="robot",
            choices=_EFFECTS,
            question="What should the voice sound like?",
        ),
    ),
    outputs=(Port("audio", ResourceType.AUDIO, "the changed voice"),),
    backend_title="Spectral effects",
    examples=(
        "Make the voice sound like a robot",
        "Let it sound as over the telephone",
        "Change the voice to a female",
    ),
    words=(
        "voice changer",
        "robotic",
        "phone call",
        "monster voice",
        "cartoon voice",
        "disguise",
        "gender of the voice",
    ),
    icon="venetian-mask",
    result_by="effect",
)
def voice_effect(audio: AudioValue, effect: Text = "robot", *, context: RunContext) -> AudioValue:
    """Robot: all phases 0 in each window. Whisper: random phases. Telephone: 300 to 3400 Hz, slightly overdriven.

    The others shift pitch and formants by a fixed interval. Length, rate and channels stay.
    """
    voice = sound.checked(audio)
    if effect in _SEMITONES:
        return Audio(sound.within_range(sound.repitched(voice, _SEMITONES[effect], context).samples), voice.rate)
    changed = {"robot": _robot, "telephone": _telephone, "whisper": _whisper}[effect](voice)
    loudest = sound.peak(changed.samples)
    scale = np.float32(sound.peak(voice.samples) / loudest if loudest > 0 else 1.0)
    return Audio(samples.mapped(changed.samples, lambda block: block * scale), voice.rate)


def _robot(voice: Audio) -> Audio:
    return sound.spectral(voice, lambda spectrum, _: np.abs(spectrum).astype(complex), seconds=0.045)


def _whisper(voice: Audio) -> Audio:
    random = np.random.default_rng(7)

    def breathy(spectrum: np.ndarray, _: int) -> np.ndarray:
        return np.abs(spectrum) * np.exp(2j * np.pi * random.random(spectrum.shape))

    return sound.spectral(voice, breathy, seconds=0.012)


def _telephone(voice: Audio) -> Audio:
    from scipy.signal import butter, sosfilt

    high = min(3400.0, voice.rate * 0.45)
    band = butter(4, (min(300.0, high / 2), high), "bandpass", fs=voice.rate, output="sos")
    loudest = max(sound.peak(voice.samples), 1e-9)
    state = np.zeros((4, 2, voice.samples.shape[1]))

    def change(block: np.ndarray) -> np.ndarray:
        nonlocal state
        changed, state = sosfilt(band, np.tanh(block * (2 / loudest)), axis=0, zi=state)
        return changed

    return Audio(samples.mapped(voice.samples, change), voice.rate)

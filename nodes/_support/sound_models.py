"""What models of transformers do with sound: name what is heard, say a text in a natural voice, play music.

Sounds go in as mono at the model's own rate, long ones in windows. Must not know tools.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nodes._support import languages, models, sound, speech
from nodes.api import Audio, Label, Labels, NodeError, Phrase, RunContext

_WINDOW_SECONDS = 10
_SENTENCE = "This is a sound of {}."
_USUAL_SPEED = 165.0


def kinds(audio: Audio, most: int, context: RunContext) -> Labels:
    """The names that a classifier knows, by how much it hears each: mean over windows of ten seconds."""

    def listen(loaded: models.Loaded, device: str) -> Labels:
        config = loaded.network.config
        several = config.problem_type == "multi_label_classification"

        def scores(window: np.ndarray, rate: int) -> Any:
            inputs = loaded.processor(window, sampling_rate=rate, return_tensors="pt").to(device)
            values = loaded.network(**inputs).logits[0].float()
            return values.sigmoid() if several else values.softmax(-1)

        mean = _mean(audio, loaded.processor.sampling_rate, scores, context)
        return _best([config.id2label[i] for i in range(len(mean))], mean)[:most]

    return models.apply(
        context, "AutoModelForAudioClassification", "AutoFeatureExtractor", listen, note="listening to the sound"
    )  # fmt: skip


def matches(audio: Audio, named: Sequence[str], context: RunContext) -> Labels:
    """How well each of the names fits the sound, by CLAP (Wu et al. 2023); the scores sum to 1."""

    def listen(loaded: models.Loaded, device: str) -> Labels:
        said = [_SENTENCE.format(name) for name in named]
        words = loaded.processor.tokenizer(said, padding=True, truncation=True, return_tensors="pt").to(device)

        def scores(window: np.ndarray, rate: int) -> Any:
            heard = loaded.processor.feature_extractor(window, sampling_rate=rate, return_tensors="pt").to(device)
            return loaded.network(**words, **heard).logits_per_audio[0].float().softmax(-1)

        ear = loaded.processor.feature_extractor
        return _best(named, _mean(audio, ear.sampling_rate, scores, context, ear.max_length_s))

    return models.apply(context, "ClapModel", "ClapProcessor", listen, note="listening to the sound")


def _mean(
    audio: Audio,
    rate: int,
    scores: Callable[[np.ndarray, int], Any],
    context: RunContext,
    seconds: int = _WINDOW_SECONDS,
) -> np.ndarray:
    """Mean of the scores of the windows, by their lengths; such as are much shorter than the others do not count."""
    heard = sound.mono(sound.resampled(sound.audible(audio, "audio", Phrase("listen to")), rate).samples)
    size = seconds * rate
    windows = [heard[at : at + size] for at in range(0, len(heard), size)]
    windows = [window for window in windows if len(window) * 4 >= min(size, len(heard))]
    rows = []
    for number, window in enumerate(windows):
        context.progress(0.3 + 0.7 * number / len(windows))
        rows.append(scores(np.ascontiguousarray(window, np.float32), rate).cpu().numpy())
    return np.average(rows, axis=0, weights=[len(window) for window in windows])


def _best(names: Sequence[str], scores: np.ndarray) -> Labels:
    found = [Label(name, round(float(score), 4)) for name, score in zip(names, scores, strict=True)]
    return tuple(sorted(found, key=lambda label: -label.score))


def spoken(text: str, language: str, speed: float, context: RunContext) -> Audio:
    """The text said by VITS (Kim et al. 2021), line by line; `speed` in words per minute, about.

    A model that was taught sounds in place of letters is given those of eSpeak NG. Raises NodeError for another
    `language` (a code, or "" for any) than the model's, and for a script that it cannot read.
    """

    def say(loaded: models.Loaded, device: str) -> Audio:
        import torch

        tokenizer, network = loaded.processor, loaded.network
        told = str(tokenizer.language or "eng")
        own = languages.THREE_LETTERS.get(told, told)
        unread = NodeError("This voice cannot read the script of the text.", "text", "Choose another back end.")
        if language and own != language:
            said = Phrase("This voice speaks {own}, and the text is {language}.", own=languages.name_of(own),
                          language=languages.name_of(language))  # fmt: skip
            raise NodeError(said, "language", "Choose another back end.")
        by_sound = tokenizer.phonemize
        tokenizer.phonemize = False  # its own way needs another package
        network.speaking_rate = speed / _USUAL_SPEED
        lines = [line.strip() for line in text.splitlines() if any(map(str.isalnum, line))]
        pause = np.zeros(network.config.sampling_rate // 4, np.float32)
        parts: list[np.ndarray] = []
        try:
            for number, line in enumerate(lines):
                context.progress(0.3 + 0.7 * number / len(lines))
                read = speech.phonemes(line, own, context) if by_sound else line
                inputs = tokenizer(read, normalize=not by_sound, return_tensors="pt")
                if inputs["input_ids"].shape[1] < 2:
                    raise unread
                with torch.random.fork_rng(devices=[]):
                    torch.manual_seed(0)
                    parts += [network(**inputs.to(device)).waveform[0].float().cpu().numpy(), pause]
        finally:
            tokenizer.phonemize = by_sound
        return Audio(np.concatenate(parts[:-1])[:, None], network.config.sampling_rate)

    return models.apply(context, "VitsModel", "AutoTokenizer", say, note="reading the text")


def music(words: str, seconds: float, seed: int, context: RunContext) -> Audio:
    """Music after words by MusicGen (Copet et al. 2023); the same seed gives the same music."""

    def play(loaded: models.Loaded, device: str) -> Audio:
        import torch

        codec = loaded.network.config.audio_encoder
        most = round(seconds * codec.frame_rate)
        inputs = loaded.processor(text=[words], padding=True, return_tensors="pt").to(device)
        with torch.random.fork_rng([device] if device.startswith("cuda") else []):
            torch.manual_seed(seed)
            waves = loaded.network.generate(**inputs, do_sample=True, guidance_scale=3.0, max_new_tokens=most)
        samples = waves[0].float().cpu().numpy().T
        return Audio(np.ascontiguousarray(np.clip(np.nan_to_num(samples), -1, 1)), codec.sampling_rate)

    return models.apply(
        context, "MusicgenForConditionalGeneration", "AutoProcessor", play, note="making the music", half=True
    )  # fmt: skip

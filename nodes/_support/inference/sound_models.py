"""What models do with sound: name what is heard, say a text in a natural voice, play music.

Sounds go in as mono at the model's own rate, long ones in windows. Must not know tools.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nodes._support.inference import diffusion
from nodes._support.language import languages, sentences
from nodes._support.media import sound, speech
from nodes._support.models import models
from nodes.api import Audio, Labels, NodeError, Phrase, RunContext

_WINDOW_SECONDS = 10
_SENTENCE = "This is a sound of {}."
_USUAL_SPEED = 165.0
_VOCODER, _LETTERS = "speecht5-hifigan", "speecht5-settings"
"""The models of the catalogue that SpeechT5 needs besides: what makes waves of spectra, and its alphabet."""
_LONGEST_SONG = 600.0
"""Seconds of music that ACE-Step was taught."""


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
        return models.labelled([config.id2label[i] for i in range(len(mean))], mean)[:most]

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
        return models.labelled(named, _mean(audio, ear.sampling_rate, scores, context, ear.max_length_s))

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


def spoken(text: str, language: str, speed: float, context: RunContext) -> Audio:
    """The text said in the model's voice, line by line; `speed` in words per minute, about.

    Raises NodeError for another `language` (a code, or "" for any) than the model's, and for a script that it cannot
    read.
    """
    if models.kind_of(models.model_folder(context)) != "speecht5":
        return _by_vits(text, language, speed, context)
    said = _by_speecht5(text, language, context)
    return said if speed == _USUAL_SPEED else sound.stretched(said, speed / _USUAL_SPEED)


def _by_vits(text: str, language: str, speed: float, context: RunContext) -> Audio:
    """By VITS (Kim et al. 2021). A model that was taught sounds in place of letters is given those of eSpeak NG."""

    def say(loaded: models.Loaded, device: str) -> Audio:
        tokenizer, network = loaded.processor, loaded.network
        told = str(tokenizer.language or "eng")
        own = languages.THREE_LETTERS.get(told, told)
        _check_language(own, language)
        by_sound = tokenizer.phonemize
        tokenizer.phonemize = False  # its own way needs another package
        network.speaking_rate = speed / _USUAL_SPEED

        def wave(line: str) -> Any:
            read = speech.phonemes(line, own, context) if by_sound else line
            inputs = tokenizer(read, normalize=not by_sound, return_tensors="pt")
            if inputs["input_ids"].shape[1] < 2:
                raise _unread()
            return network(**inputs.to(device)).waveform[0]

        try:
            return _each(text.splitlines(), network.config.sampling_rate, wave, device, context)
        finally:
            tokenizer.phonemize = by_sound

    return models.apply(context, "VitsModel", "AutoTokenizer", say, note="reading the text")


def _by_speecht5(text: str, language: str, context: RunContext) -> Audio:
    """By SpeechT5 (Ao et al. 2022) sentence by sentence, in the voice of the x-vector in `speaker.safetensors` beside
    its weights; without one in that of the zero vector, which is nobody's.
    """

    def parts(folder: Path) -> Any:
        from safetensors.torch import load_file
        from tokenizers import Tokenizer
        from transformers import SpeechT5HifiGan

        vocoder = SpeechT5HifiGan.from_pretrained(models.beside(folder, _VOCODER), use_safetensors=True)
        voice = folder / "speaker.safetensors"
        vector = next(iter(load_file(voice).values())).reshape(1, -1) if voice.is_file() else None
        return vocoder.eval(), Tokenizer.from_file(str(models.beside(folder, _LETTERS) / "tokenizer.json")), vector

    def say(loaded: models.Loaded, device: str) -> Audio:
        import torch
        from transformers.models.speecht5.number_normalizer import EnglishNumberNormalizer

        _check_language("en", language)
        vocoder, letters, vector = loaded.processor
        vocoder.to(device)
        config = loaded.network.config
        speaker = torch.zeros(1, config.speaker_embedding_dim) if vector is None else vector
        unknown, spelt = letters.token_to_id("<unk>"), EnglishNumberNormalizer()

        def wave(line: str) -> Any:
            tokens = letters.encode(spelt(line), add_special_tokens=False).ids[: config.max_text_positions - 1]
            if all(token == unknown for token in tokens[1:]):  # it begins with a blank
                raise _unread()
            given = torch.tensor([[*tokens, config.eos_token_id]], device=device)
            return loaded.network.generate_speech(given, speaker.to(device), vocoder=vocoder)

        return _each(sentences.sentences(text), vocoder.config.sampling_rate, wave, device, context)

    return models.apply(context, "SpeechT5ForTextToSpeech", parts, say, note="reading the text")


def _each(lines: Sequence[str], rate: int, wave: Callable[[str], Any], device: str, context: RunContext) -> Audio:
    """What `wave` makes of each line that has words, with the same luck, and a short pause between."""
    import torch

    worded = [line.strip() for line in lines if any(map(str.isalnum, line))]
    parts: list[np.ndarray] = []
    for number, line in enumerate(worded):
        context.progress(0.3 + 0.7 * number / len(worded))
        with torch.random.fork_rng([device] if device.startswith("cuda") else []):
            torch.manual_seed(0)
            parts += [wave(line).float().cpu().numpy(), np.zeros(rate // 4, np.float32)]
    return Audio(np.concatenate(parts[:-1])[:, None], rate)


def _check_language(own: str, language: str) -> None:
    if language and own != language:
        said = Phrase("This voice speaks {own}, and the text is {language}.", own=languages.name_of(own),
                      language=languages.name_of(language))  # fmt: skip
        raise NodeError(said, "language", "Choose another back end.")


def _unread() -> NodeError:
    return NodeError("This voice cannot read the script of the text.", "text", "Choose another back end.")


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


def sings_not() -> NodeError:
    """What a model that only plays says to the lines of a song."""
    return NodeError("This model does not sing.", "score", "Leave out the lines of the song, or choose another model.")


def diffused(words: str, sung: str, seconds: float, tempo: float | None, seed: int, context: RunContext) -> Audio:
    """Sound after words out of noise, by Stable Audio (Evans et al. 2024) or ACE-Step (Gong et al. 2026), which sings.

    `tempo` in beats a minute. Each step is told; the same seed gives the same. Raises NodeError naming `seconds`, or
    `score` when there is something to sing for a model that cannot.
    """
    with diffusion.leased(context) as entry:
        pipeline = entry.model
        codec, sings = pipeline.vae.config, "lyrics" in diffusion.taken(pipeline, {"lyrics": ""})
        if sung and not sings:
            raise sings_not()
        cells = getattr(pipeline.transformer.config, "sample_size", 0)
        longest = _LONGEST_SONG if sings else cells * pipeline.vae.hop_length / codec.sampling_rate
        if seconds > longest:
            said = Phrase("This model makes music of up to {seconds} seconds.", seconds=f"{longest:.0f}")
            raise NodeError(said, "seconds", "Choose a shorter length, or another model.")
        told = words if sings or not tempo else f"{words}, {tempo:g} bpm"
        steps = diffusion.own_steps(pipeline)
        wished = {
            "prompt": told, "lyrics": sung or "[Instrumental]", "vocal_language": speech.language_told(sung) or "en",
            "bpm": round(tempo) if tempo else None, "audio_duration": seconds, "audio_end_in_s": seconds,
            "num_inference_steps": steps, "guidance_scale": pipeline.entry.guidance if pipeline.entry else None,
        }  # fmt: skip
        given = {name: value for name, value in diffusion.taken(pipeline, wished).items() if value is not None}
        if getattr(pipeline, "is_turbo", False):
            given["guidance_scale"] = 1.0
        samples = diffusion.made(entry, given, seed, context)[:, : round(seconds * codec.sampling_rate)]
    return Audio(np.ascontiguousarray(np.clip(samples.T, -1, 1), np.float32), codec.sampling_rate)

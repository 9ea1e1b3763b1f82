"""Hears speech: a recording in windows, each written down by one of several kinds of model. Must not know tools."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nodes._support.media import sound
from nodes._support.models import models
from nodes._support.models.model_pool import float_type, pool
from nodes._support.web import hosted
from nodes.api import Audio, NodeError, Phrase, Port, ResourceType, RunContext
from nodes.catalogue import catalogue

RATE = 16000
Windows = Sequence[np.ndarray]
"""Of one channel at 16 kHz."""
Hearing = Callable[[models.Loaded, str, np.ndarray, str], str]
_WINDOW_SECONDS = 30
SENT_SECONDS = 300
_SEARCH_SECONDS = 6
"""A cut is made at the quietest place in the last so many seconds of a window."""
_QUIET_DB = -60.0
_BELOW_PEAK_DB = 35.0
"""What is softer than the loudest fiftieth of a second by more than that is a pause."""
_PAUSE_FRAMES, _EDGE_FRAMES = 25, 5
"""Fiftieths of a second: a pause that ends a phrase, and what is kept before and after what is heard."""
_PHRASE_SECONDS = 6
LANGUAGES = {
    "auto": "", "english": "en", "chinese": "zh", "german": "de", "spanish": "es", "french": "fr", "portuguese": "pt",
    "italian": "it", "dutch": "nl", "russian": "ru", "polish": "pl", "czech": "cs", "swedish": "sv", "danish": "da",
    "norwegian": "no", "finnish": "fi", "hungarian": "hu", "romanian": "ro", "ukrainian": "uk", "turkish": "tr",
    "greek": "el", "arabic": "ar", "hebrew": "he", "hindi": "hi", "indonesian": "id", "vietnamese": "vi", "thai": "th",
    "japanese": "ja", "korean": "ko",
}  # fmt: skip
LANGUAGE = Port(
    "language", ResourceType.TEXT, "the language that is spoken; found by itself if 'auto'", default="auto",
    choices=tuple(LANGUAGES), question="Which language is spoken in it?",
)  # fmt: skip
"""The input of tools that hear it."""


def by_whisper(windows: Windows, language: str, context: RunContext) -> list[str]:
    """By Whisper (Radford et al. 2022): the words of each window."""
    return _transcribed(windows, language, context, "WhisperProcessor", "AutoModelForSpeechSeq2Seq", _hear)


def by_moonshine(windows: Windows, language: str, context: RunContext) -> list[str]:
    """By Moonshine (Jeffries et al. 2024)."""
    return _transcribed(windows, language, context, "AutoProcessor", "AutoModelForSpeechSeq2Seq", _hear_samples)


def by_parakeet(windows: Windows, language: str, context: RunContext) -> list[str]:
    """By Parakeet (Xu et al. 2023)."""
    network = "ParakeetForTDT" if models.kind_of(models.model_folder(context)) == "parakeet_tdt" else "ParakeetForCTC"
    return _transcribed(windows, language, context, "AutoProcessor", network, _hear_features)


def by_faster_whisper(windows: Windows, language: str, context: RunContext) -> list[str]:
    """By Whisper in 8 bits on the CPU, by CTranslate2."""
    folder = models.model_folder(context)

    def load(_device: str) -> Any:
        from faster_whisper import WhisperModel

        if not (folder / "tokenizer.json").is_file():  # it would be fetched from the network
            raise NodeError("The model is not complete.", "", "Remove it and download it again.")
        with models.loading(folder, RuntimeError):
            return WhisperModel(str(folder), device="cpu", compute_type="int8", local_files_only=True)

    heard: list[str] = []
    with pool().lease(folder, "faster whisper", load, context, device="cpu") as entry:
        if language != "auto" and LANGUAGES[language] not in entry.model.supported_languages:
            raise _unknown(language)
        for done, window in enumerate(windows):
            context.progress(done / len(windows), _so_far(heard))
            segments, _ = entry.model.transcribe(
                window, language=LANGUAGES[language] or None, beam_size=1, temperature=0.0, without_timestamps=True,
                condition_on_previous_text=False, max_new_tokens=_most_tokens(window),
            )  # fmt: skip
            said = []
            for segment in segments:
                context.check()
                said.append(segment.text.strip())
            heard.append(" ".join(filter(None, said)))
    return heard


def by_request(windows: Windows, language: str, context: RunContext) -> list[str]:
    """By models that are asked in words for what is said. NodeError naming `language` where it has to be told."""
    kind = models.kind_of(models.model_folder(context))
    if kind == "canary" and language == "auto":
        raise NodeError(
            "This model does not find the language by itself.", "language", "Choose the language that is spoken."
        )
    network = "CanaryForConditionalGeneration" if kind == "canary" else "Qwen3ASRForConditionalGeneration"
    return _transcribed(windows, language, context, "AutoProcessor", network, _hear_asked)


def by_service(windows: Windows, language: str, context: RunContext) -> list[str]:
    """By a service, to which each window is sent."""
    heard: list[str] = []
    for done, window in enumerate(windows):
        context.progress(done / len(windows), _so_far(heard))
        request = {"audio": hosted.flac(window, RATE), "language": LANGUAGES[language]}
        heard.append(str(context.ask("transcription", request).get("text", "")).strip())
    return heard


def _so_far(heard: Sequence[str]) -> str:
    return " ".join(filter(None, heard))


def mono(audio: Audio) -> np.ndarray:
    """The sound as one channel at 16 kHz. Raises NodeError for silence."""
    recording = sound.audible(audio, "audio", Phrase("write down"))
    return sound.mono(sound.resampled(Audio(sound.mono(recording.samples)[:, None], recording.rate), RATE).samples)


def _transcribed(
    windows: Windows, language: str, context: RunContext, processor: str, network: str, hear: Hearing
) -> list[str]:
    """Piece by piece, by classes of transformers that load the model and what prepares its input."""
    folder = models.model_folder(context)

    def load(device: str) -> models.Loaded:
        import transformers

        with models.loading(folder):
            prepare = getattr(transformers, processor).from_pretrained(folder, **models.LOCAL)
            made = getattr(transformers, network).from_pretrained(
                folder, dtype=float_type(device), use_safetensors=True, **models.LOCAL
            )
        return models.Loaded(made.to(device).eval(), prepare)

    heard: list[str] = []
    with pool().lease(folder, "speech to text", load, context) as entry:
        _check_language(entry.model, language, folder.name)
        for done, window in enumerate(windows):
            context.progress(done / len(windows), _so_far(heard))

            def run(device: str, window: np.ndarray = window) -> str:
                with models.running(context, entry.model.network):
                    return hear(entry.model, device, window, language)

            heard.append(models.with_memory(entry, run, context))
    return heard


def pieces(samples: np.ndarray, seconds: int = _WINDOW_SECONDS) -> list[np.ndarray]:
    """A sound at 16 kHz in parts of at most so long, cut where it is quiet, without the parts that are silent."""
    return [part for _, part in placed(samples, seconds)]


def placed(
    samples: np.ndarray, seconds: int = _WINDOW_SECONDS, search: float = _SEARCH_SECONDS
) -> list[tuple[int, np.ndarray]]:
    """As `pieces`, each with the place of its first sample; a cut lies in the last `search` seconds of a part."""
    parts, at, longest = [], 0, seconds * RATE
    while at < len(samples):
        end = min(at + longest, len(samples))
        if end < len(samples):
            end = _quiet_place(samples, end - round(search * RATE), end)
        parts.append((at, samples[at:end]))
        at = end
    return [(place, part) for place, part in parts if sound.peak_db(part) > _QUIET_DB]


def phrases(samples: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """The parts of a sound at 16 kHz in which something is heard, of at most six seconds, each with the place of its
    first sample: between pauses of half a second and more, longer ones cut where they are quiet.
    """
    size = RATE // 50
    frames = samples[: len(samples) // size * size].reshape(-1, size).astype(np.float64)
    level = 10 * np.log10((frames**2).mean(1) + 1e-12)
    heard = np.flatnonzero(level > max(_QUIET_DB, level.max(initial=_QUIET_DB) - _BELOW_PEAK_DB))
    parts: list[tuple[int, np.ndarray]] = []
    for group in np.split(heard, np.flatnonzero(np.diff(heard) > _PAUSE_FRAMES) + 1) if len(heard) else ():
        first = max(0, int(group[0]) - _EDGE_FRAMES) * size
        end = min(len(samples), (int(group[-1]) + 1 + _EDGE_FRAMES) * size)
        parts += [(first + at, part) for at, part in placed(samples[first:end], _PHRASE_SECONDS, _PHRASE_SECONDS / 2)]
    return parts


def _quiet_place(samples: np.ndarray, first: int, last: int) -> int:
    """The middle of the fifth of a second of least power between two samples."""
    size = RATE // 5
    power = np.concatenate(([0.0], np.cumsum(samples[first:last].astype(np.float64) ** 2)))
    starts = np.arange(0, len(power) - size, size // 10)
    return first + int(starts[np.argmin(power[starts + size] - power[starts])]) + size // 2


def _check_language(loaded: models.Loaded, language: str, id: str) -> None:
    """Raises NodeError for a language that the model was not made for."""
    code = LANGUAGES[language]
    known = getattr(loaded.network.generation_config, "lang_to_id", None)
    if known is None and (model := catalogue().get(id)) is not None and "many" not in model.languages:
        known = [f"<|{each}|>" for each in model.languages]
    if language == "auto" or (known is not None and f"<|{code}|>" in known):
        return
    raise _unknown(language)


def _unknown(language: str) -> NodeError:
    said = Phrase("This model does not know {language}.", language=language.title())
    return NodeError(said, "language", "Choose 'auto' or another model.")


def _hear(loaded: models.Loaded, device: str, window: np.ndarray, language: str) -> str:
    network, processor = loaded.network, loaded.processor
    inputs = processor(window, sampling_rate=RATE, return_tensors="pt", return_attention_mask=True)
    options = {} if language == "auto" else {"language": LANGUAGES[language]}
    if getattr(network.generation_config, "is_multilingual", False):
        options["task"] = "transcribe"
    tokens = network.generate(
        inputs.input_features.to(device, network.dtype),
        attention_mask=inputs.attention_mask.to(device),
        max_new_tokens=min(network.config.max_target_positions - 8, _most_tokens(window)),
        do_sample=False,
        num_beams=1,
        **options,
    )
    return processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()


def _hear_samples(loaded: models.Loaded, device: str, window: np.ndarray, _language: str) -> str:
    inputs = loaded.processor(window, sampling_rate=RATE, return_tensors="pt").to(device, loaded.network.dtype)
    most = min(loaded.network.config.max_position_embeddings - 8, _most_tokens(window))
    tokens = loaded.network.generate(**inputs, max_new_tokens=most, do_sample=False, num_beams=1)
    return loaded.processor.batch_decode(tokens, skip_special_tokens=True)[0].strip()


def _hear_features(loaded: models.Loaded, device: str, window: np.ndarray, _language: str) -> str:
    inputs = loaded.processor(window, sampling_rate=RATE, return_tensors="pt").to(device, loaded.network.dtype)
    ends_itself = loaded.network.config.model_type == "parakeet_ctc"
    tokens = loaded.network.generate(**inputs, **({} if ends_itself else {"max_new_tokens": 3 * _most_tokens(window)}))
    return loaded.processor.batch_decode(getattr(tokens, "sequences", tokens), skip_special_tokens=True)[0].strip()


def _hear_asked(loaded: models.Loaded, device: str, window: np.ndarray, language: str) -> str:
    network, processor = loaded.network, loaded.processor
    finds = network.config.model_type != "canary"
    told = {"language" if finds else "source_language": LANGUAGES[language] or None}
    inputs = processor.apply_transcription_request(window, **told).to(device, network.dtype)
    tokens = network.generate(**inputs, max_new_tokens=_most_tokens(window), do_sample=False, num_beams=1)
    if finds:  # it says the language first, behind the request
        return processor.decode(tokens[0, inputs["input_ids"].shape[1] :], return_format="transcription_only").strip()
    return processor.decode(tokens[0], skip_special_tokens=True).strip()


def _most_tokens(window: np.ndarray) -> int:
    """No more words than anyone can say in the time, as the model may repeat itself for ever."""
    return 32 + math.ceil(len(window) / RATE * 12)

"""Write down what is said in a recording."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nodes._support import hosted, models, sound
from nodes._support.model_pool import float_type, pool
from nodes.api import (
    Audio,
    AudioValue,
    Family,
    NodeError,
    Phrase,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)
from nodes.catalogue import catalogue

RATE = 16000
Hearing = Callable[[models.Loaded, str, np.ndarray, str], str]
_WINDOW_SECONDS = 30
_SENT_SECONDS = 300
_SEARCH_SECONDS = 6
"""A cut is made at the quietest place in the last so many seconds of a window."""
_QUIET_DB = -60.0
_LANGUAGES = {
    "auto": "", "english": "en", "chinese": "zh", "german": "de", "spanish": "es", "french": "fr", "portuguese": "pt",
    "italian": "it", "dutch": "nl", "russian": "ru", "polish": "pl", "czech": "cs", "swedish": "sv", "danish": "da",
    "norwegian": "no", "finnish": "fi", "hungarian": "hu", "romanian": "ro", "ukrainian": "uk", "turkish": "tr",
    "greek": "el", "arabic": "ar", "hebrew": "he", "hindi": "hi", "indonesian": "id", "vietnamese": "vi", "thai": "th",
    "japanese": "ja", "korean": "ko",
}  # fmt: skip


@tool(
    id="speech_to_text",
    title="Speech to text",
    domain="audio",
    description="Writes down what is said in a recording: a transcript of speech, of any length.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the recording"),
        Port("language", ResourceType.TEXT, "the language that is spoken; found by itself if 'auto'", default="auto",
             choices=tuple(_LANGUAGES)),
    ),
    outputs=(Port("text", ResourceType.TEXT, "what is said"),),
    families=(Family("transformers whisper", "speech to text"),),
    examples=(
        "Transcribe talk.wav",
        "What is said in this recording?",
        "Write down the speech in the interview",
    ),
    words=("transcribe", "transcript", "transcription", "speech recognition", "dictation", "what do they say"),
    icon="captions",
    result="transcript",
)  # fmt: skip
def speech_to_text(audio: AudioValue, language: Text = "auto", *, context: RunContext) -> Text:
    """The words, one line; "" when none are heard. Channels are mixed, any sample rate is brought to 16 kHz.

    Whisper (Radford et al. 2022) hears half a minute at once; longer recordings are cut where it is quiet. Told as it
    goes. NodeError when the recording is empty or silent, or the model knows no such language.
    """
    return _transcribe(audio, language, context, "WhisperProcessor", "AutoModelForSpeechSeq2Seq", _hear)


@backend_of(speech_to_text, families=(Family("transformers moonshine", "speech to text"),))
def by_moonshine(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """Moonshine (Jeffries et al. 2024), small and quick on a CPU: each model knows one language."""
    return _transcribe(audio, language, context, "AutoProcessor", "AutoModelForSpeechSeq2Seq", _hear_samples)


@backend_of(speech_to_text, families=(Family("transformers parakeet", "speech to text"),))
def by_parakeet(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """Parakeet (Xu et al. 2023): finds the language by itself among those it knows."""
    network = "ParakeetForTDT" if models.kind_of(models.model_folder(context)) == "parakeet_tdt" else "ParakeetForCTC"
    return _transcribe(audio, language, context, "AutoProcessor", network, _hear_features)


@backend_of(
    speech_to_text,
    families=(Family("ctranslate2 whisper", "speech to text", ("python:faster_whisper",), device="cpu"),),
)
def by_faster_whisper(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """Whisper in 8 bits on the CPU, by CTranslate2: about four times as fast as with torch, and without it."""
    windows = pieces(_heard(audio))
    folder = models.model_folder(context)

    def load(_device: str) -> Any:
        from faster_whisper import WhisperModel

        if not (folder / "tokenizer.json").is_file():  # it would be fetched from the network
            raise NodeError("The model is not complete.", "", "Remove it and download it again.")
        with models.loading(folder, RuntimeError):
            return WhisperModel(str(folder), device="cpu", compute_type="int8", local_files_only=True)

    heard: list[str] = []
    with pool().lease(folder, "faster whisper", load, context, device="cpu") as entry:
        if language != "auto" and _LANGUAGES[language] not in entry.model.supported_languages:
            raise _unknown(language)
        for done, window in enumerate(windows):
            context.progress(done / len(windows), " ".join(heard))
            segments, _ = entry.model.transcribe(
                window, language=_LANGUAGES[language] or None, beam_size=1, temperature=0.0, without_timestamps=True,
                condition_on_previous_text=False, max_new_tokens=_most_tokens(window),
            )  # fmt: skip
            for segment in segments:
                context.check()
                heard.append(segment.text.strip())
    return " ".join(filter(None, heard))


@backend_of(speech_to_text, families=(Family("transformers speech request", "speech to text"),))
def by_request(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """Models that are asked in words for what is said: Qwen3-ASR finds the language by itself, Canary (Puvvada et al.
    2024) has to be told it. NodeError naming `language` when it was not.
    """
    kind = models.kind_of(models.model_folder(context))
    if kind == "canary" and language == "auto":
        raise NodeError(
            "This model does not find the language by itself.", "language", "Choose the language that is spoken."
        )
    network = "CanaryForConditionalGeneration" if kind == "canary" else "Qwen3ASRForConditionalGeneration"
    return _transcribe(audio, language, context, "AutoProcessor", network, _hear_asked)


@backend_of(speech_to_text, **hosted.service("transcription", 0.9))
def by_service(audio: AudioValue, language: Text, *, context: RunContext) -> Text:
    """The sound is sent, in parts of at most five minutes, without those that are silent."""
    heard: list[str] = []
    windows = pieces(_heard(audio), _SENT_SECONDS)
    for done, window in enumerate(windows):
        context.progress(done / len(windows), " ".join(heard))
        request = {"audio": hosted.flac(window, RATE), "language": _LANGUAGES[language]}
        heard.append(str(context.ask("transcription", request).get("text", "")).strip())
    return " ".join(filter(None, heard))


def _heard(audio: Audio) -> np.ndarray:
    """The sound as one channel at 16 kHz. Raises NodeError for silence."""
    recording = sound.audible(audio, "audio", Phrase("write down"))
    return sound.mono(sound.resampled(Audio(sound.mono(recording.samples)[:, None], recording.rate), RATE).samples)


def _transcribe(audio: Audio, language: str, context: RunContext, processor: str, network: str, hear: Hearing) -> str:
    """Piece by piece, by classes of transformers that load the model and what prepares its input."""
    windows = pieces(_heard(audio))
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
            context.progress(done / len(windows), " ".join(heard))

            def run(device: str, window: np.ndarray = window) -> str:
                with models.running(context, entry.model.network):
                    return hear(entry.model, device, window, language)

            if text := models.with_memory(entry, run, context):
                heard.append(text)
    return " ".join(heard)


def pieces(samples: np.ndarray, seconds: int = _WINDOW_SECONDS) -> list[np.ndarray]:
    """A sound at 16 kHz in parts of at most so long, cut where it is quiet, without the parts that are silent."""
    parts, at, longest = [], 0, seconds * RATE
    while at < len(samples):
        end = min(at + longest, len(samples))
        if end < len(samples):
            end = _quiet_place(samples, end - _SEARCH_SECONDS * RATE, end)
        parts.append(samples[at:end])
        at = end
    return [part for part in parts if sound.peak_db(part) > _QUIET_DB]


def _quiet_place(samples: np.ndarray, first: int, last: int) -> int:
    """The middle of the fifth of a second of least power between two samples."""
    size = RATE // 5
    power = np.concatenate(([0.0], np.cumsum(samples[first:last].astype(np.float64) ** 2)))
    starts = np.arange(0, len(power) - size, size // 10)
    return first + int(starts[np.argmin(power[starts + size] - power[starts])]) + size // 2


def _check_language(loaded: models.Loaded, language: str, id: str) -> None:
    """Raises NodeError for a language that the model was not made for."""
    code = _LANGUAGES[language]
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
    options = {} if language == "auto" else {"language": _LANGUAGES[language]}
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
    told = {"language" if finds else "source_language": _LANGUAGES[language] or None}
    inputs = processor.apply_transcription_request(window, **told).to(device, network.dtype)
    tokens = network.generate(**inputs, max_new_tokens=_most_tokens(window), do_sample=False, num_beams=1)
    if finds:  # it says the language first, behind the request
        return processor.decode(tokens[0, inputs["input_ids"].shape[1] :], return_format="transcription_only").strip()
    return processor.decode(tokens[0], skip_special_tokens=True).strip()


def _most_tokens(window: np.ndarray) -> int:
    """No more words than anyone can say in the time, as the model may repeat itself for ever."""
    return 32 + math.ceil(len(window) / RATE * 12)

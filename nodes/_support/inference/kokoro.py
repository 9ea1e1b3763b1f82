"""Says a text by Kokoro (StyleTTS 2, Li et al. 2023), a network of 82 million weights in ONNX. Must not know tools.

The sounds of words come from eSpeak NG; a voice is a table with a style, 256 numbers, for each count of sounds.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from nodes._support.language import languages
from nodes._support.media import speech
from nodes._support.models import models
from nodes._support.models.model_pool import pool
from nodes._support.models.onnx_sessions import session_in
from nodes.api import Audio, NodeError, Phrase, RunContext

RATE = 24_000
VOICES = {
    "en-us": ("af_heart", "am_michael"), "en": ("bf_emma", "bm_george"), "es": ("ef_dora", "em_alex"),
    "fr": ("ff_siwis", ""), "hi": ("hf_alpha", "hm_omega"), "it": ("if_sara", "im_nicola"),
    "pt": ("pf_dora", "pm_alex"),
}  # fmt: skip
"""A woman's and a man's voice for each language; Japanese and Chinese need sounds that eSpeak NG does not tell."""
_MOST, _STYLE, _PAUSE_SECONDS = 510, 256, 0.2


class _Loaded(NamedTuple):
    session: Any
    numbers: dict[str, int]


def spoken(text: str, language: str, voice: str, speed: float, context: RunContext) -> Audio:
    """The text, line by line; `language` as in speech.LANGUAGES, `voice` "female" or "male", `speed` 1 for usual.

    Raises NodeError for a language or voice that it has not.
    """
    folder = models.model_folder(context)
    code = language if language in VOICES else language.partition("-")[0]
    woman, man = VOICES.get(code, ("", ""))
    named = man if voice == "male" else woman
    if not named:
        said = Phrase("Kokoro has no such voice for {language}.", language=languages.name_of(code.partition("-")[0]))
        raise NodeError(said, "language" if code not in VOICES else "voice", "Choose another back end.")
    styles = _styles(folder / "voices" / f"{named}.bin")
    pause = np.zeros(round(_PAUSE_SECONDS * RATE), np.float32)
    parts: list[np.ndarray] = []
    with pool().lease(folder, "kokoro", lambda _device: _load(folder), context, device="cpu") as entry:
        model: _Loaded = entry.model
        lines = [line for line in text.splitlines() if any(map(str.isalnum, line))]
        for number, line in enumerate(lines):
            context.progress(number / len(lines))
            sounds = "".join(one for one in speech.phonemes(line, code, context) if one in model.numbers)
            for piece in _pieces(sounds):
                context.check()
                parts += [_wave(model, piece, styles, speed), pause]
    if not parts:
        raise NodeError("This voice cannot read the script of the text.", "text", "Choose another back end.")
    return Audio(np.concatenate(parts[:-1])[:, None], RATE)


def _load(folder: Path) -> _Loaded:
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf

    with models.loading(folder, Fail, InvalidGraph, InvalidProtobuf):
        numbers = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
        return _Loaded(session_in(folder), numbers)


def _styles(path: Path) -> np.ndarray:
    """float32 (count of sounds, 256)."""
    with models.loading(path.parent.parent):
        return np.fromfile(path, "<f4").reshape(-1, _STYLE)


def _wave(model: _Loaded, sounds: str, styles: np.ndarray, speed: float) -> np.ndarray:
    """One piece, float32; zeros stand around its sounds."""
    tokens = [0, *(model.numbers[one] for one in sounds), 0]
    given = {
        "input_ids": np.array([tokens], np.int64),
        "style": styles[min(len(sounds), len(styles)) - 1][None],
        "speed": np.array([speed], np.float32),
    }
    return np.asarray(model.session.run(None, given)[0], np.float32).ravel()


def _pieces(sounds: str) -> list[str]:
    """Parts of at most 510 sounds, whole sentences and clauses where these are shorter."""
    pieces: list[str] = []
    for part in re.findall(r".{1,510}(?:[.!?]|$)|.{1,510}[,;: ]|.{1,510}", sounds):
        if pieces and len(pieces[-1]) + len(part) <= _MOST:
            pieces[-1] += part
        else:
            pieces.append(part)
    return [piece for piece in pieces if piece.strip(" .,;:!?")]

"""Says words by eSpeak NG or Piper, as separate programs: they are GPL, and never loaded into this process."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from nodes._support.language import languages
from nodes._support.media import captions, sound
from nodes._support.programs import run_program
from nodes.api import Audio, NodeError, Phrase, RunContext

LANGUAGES = {
    "auto": "", "en": "en", "en-us": "en-us", "de": "de", "fr": "fr", "es": "es", "it": "it", "pt": "pt", "nl": "nl",
    "pl": "pl",
    "ru": "ru", "zh": "cmn", "cs": "cs", "da": "da", "el": "el", "fi": "fi", "hi": "hi", "hu": "hu", "ko": "ko",
    "no": "nb", "pt-br": "pt-br", "ro": "ro", "sv": "sv", "tr": "tr", "uk": "uk", "ar": "ar",
}  # fmt: skip
_FOUND = {"ja": "ja", "fa": "fa", "he": "he", "bn": "bn", "ta": "ta", "th": "th", "ka": "ka", "hy": "hy"}
"""Voices that nobody can choose, but that a text may ask for."""
_SURE = 0.6
HASTE, _USUAL_WORDS = 1.5, 165.0
"""How much faster a line may be said to end in time; words in a minute at the usual speed."""
VOICES = {"standard": "", "female": "+f3", "male": "+m3", "whisper": "+whisper"}
_CHILD = Path(__file__).with_name("espeak_child.py")
_TITLE = "eSpeak NG"
_TRY = "Try another language or voice."
_MISSING = "eSpeak NG is not installed, so no text can be spoken."
_INSTALL = "Install the program espeak-ng (Debian, Ubuntu: apt install espeak-ng), or: pip install espeakng-loader"


def spoken(
    text: str,
    language: str,
    voice: str,
    speed: float,
    pitch: float,
    context: RunContext,
    kinds: tuple[str, ...] = ("program", "wheel"),
) -> Audio:
    """`text` as mono sound; "auto" is the language it is written in. `speed` in words per minute, `pitch` 0..99.

    The text goes to the program's stdin.

    Raises NodeError naming `text` when nothing can be said, and NodeError when none of these `kinds` is there.
    """
    words = plain(text)
    if not re.search(r"\w", words):
        raise NodeError("There is no text to say.", "text", "Give at least one word.")
    name = (_voice_for(words) if language == "auto" else LANGUAGES[language]) + VOICES[voice]
    command = _command(kinds, name, round(speed), round(pitch))
    target = context.new_file(".wav")
    with target.open("wb") as stream:
        run_program(command, words.encode("utf-8"), context, _TITLE, _TRY, stream)
    audio = _wave(target.read_bytes())
    target.unlink()
    if not len(audio.samples) or not np.abs(audio.samples).max():
        raise NodeError(
            Phrase("eSpeak NG finds nothing to say in the text ({language}).", language=language),
            "text",
            "Change the language.",
        )
    return audio


def in_time(text: str, say: Callable[[str], Audio], context: RunContext) -> Audio:
    """What `say` makes of the text; of subtitles (SRT, WebVTT) each line at its own time, mono, for a film.

    A line that would run into the next is said faster, at most by a half; what is too long even so puts off the next.
    """
    timed = captions.timed(text)
    if not timed:
        return say(text)
    spoken: list[tuple[int, np.ndarray]] = []
    rate, end = 0, 0
    for number, line in enumerate(timed):
        context.progress(number / len(timed))
        audio = say(" ".join(line.text.split()))
        rate = rate or audio.rate
        room = timed[number + 1].start - line.start if number + 1 < len(timed) else audio.seconds
        if audio.seconds > room:
            audio = sound.stretched(audio, min(audio.seconds / max(room, 0.1), HASTE), context)
        heard = sound.mono(sound.resampled(audio, rate).samples)
        begin = max(round(line.start * rate), end)
        end = begin + len(heard)
        spoken.append((begin, heard))
    whole = np.zeros((max(end, round(timed[-1].end * rate)), 1), np.float32)
    for begin, heard in spoken:
        whole[begin : begin + len(heard), 0] = heard
    return Audio(whole, rate)


def by_piper(text: str, language: str, speed: float, context: RunContext) -> Audio:
    """Said by the program `piper` with the first of its voices for the language.

    Raises NodeError where it has none.
    """
    words = " ".join(plain(text).split())
    if not re.search(r"\w", words):
        raise NodeError("There is no text to say.", "text", "Give at least one word.")
    code = (language_told(words) or "en" if language == "auto" else language).partition("-")[0]
    found = [path for folder in piper_folders() for path in sorted(folder.glob(f"**/{code}[_-]*.onnx"))]
    voice = next((path for path in found if path.with_name(f"{path.name}.json").is_file()), None)
    if voice is None:
        said = Phrase("Piper has no voice for {language} here.", language=languages.name_of(code))
        fix = Phrase("Put one with its .json file into {folder}.", folder=piper_folders()[0])
        raise NodeError(said, "language", fix)
    target = context.new_file(".wav")
    scale = f"{_USUAL_WORDS / speed:.3f}"
    command = [shutil.which("piper") or "piper", "--model", str(voice), "--length_scale", scale]
    run_program([*command, "--output_file", str(target)], words.encode(), context, "Piper", _TRY)
    return _wave(target.read_bytes())


def piper_folders() -> list[Path]:
    """Where voices of Piper are looked for: what PIPER_VOICES names, the user's own, the system's."""
    named = [Path(one) for one in os.environ.get("PIPER_VOICES", "").split(os.pathsep) if one]
    return [*named, Path.home() / ".local" / "share" / "piper-voices", Path("/usr/share/piper-voices")]


def language_told(words: str) -> str:
    """The code of the language that a text is written in, "" where that is not clear ("OK")."""
    code, chance = next(iter(languages.detect(words)), ("", 0.0))
    return code if chance >= _SURE and (len(words.split()) > 1 or not words.isascii()) else ""


def _voice_for(words: str) -> str:
    """The voice of the language that a text is written in; the English one where that is not clear."""
    return {**LANGUAGES, **_FOUND}.get(language_told(words), "en")


def phonemes(words: str, language: str, context: RunContext) -> str:
    """How the words sound, in the letters of the IPA, with the full stops and commas of the text, by eSpeak NG.

    Raises NodeError without the program.
    """
    program = shutil.which("espeak-ng")
    if program is None:
        raise NodeError(_MISSING, fix=_INSTALL)
    found = []
    for clause, mark in re.findall(r"([^.,;:!?…]+)([.,;:!?…]*)", plain(words)):
        command = [program, "-q", "--ipa", "-v", LANGUAGES.get(language, language)]
        heard = run_program(command, clause.encode(), context, _TITLE, _TRY).decode("utf-8")
        found.append(" ".join(heard.split()) + mark[:1])
    return " ".join(filter(None, found))


def plain(text: str) -> str:
    """The text without control characters and without eSpeak's own mark-up ([[phonemes]])."""
    kept = "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)
    return re.sub(r"\[(?=\[)", "[ ", kept.replace("\ufeff", ""))


def _command(kinds: tuple[str, ...], voice: str, speed: int, pitch: int) -> list[str]:
    program = shutil.which("espeak-ng") or shutil.which("espeak")
    if "program" in kinds and program:
        return [program, "-b", "1", "-v", voice, "-s", str(speed), "-p", str(pitch), "--stdin", "--stdout"]
    if "wheel" in kinds and importlib.util.find_spec("espeakng_loader") is not None:
        return [sys.executable, str(_CHILD), voice, str(speed), str(pitch)]
    raise NodeError(_MISSING, fix=_INSTALL)


def _wave(data: bytes) -> Audio:
    """Sound of a 16-bit WAV whose header may give a wrong length, as it is written before the end is known."""
    at = data.find(b"data")
    if len(data) < 44 or data[:4] != b"RIFF" or at < 0:
        return Audio(np.zeros((0, 1), np.float32), 22_050)
    channels, rate = struct.unpack("<HI", data[22:28])
    body = data[at + 8 :]
    samples = np.frombuffer(body[: len(body) // (2 * channels) * 2 * channels], dtype="<i2")
    return Audio((samples.reshape(-1, channels) / np.float32(32768)).astype(np.float32), rate)

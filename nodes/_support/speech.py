"""Runs eSpeak NG as a separate program. It is GPL: it is never loaded into this process."""

from __future__ import annotations

import importlib.util
import io
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

from nodes._support import languages
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
VOICES = {"standard": "", "female": "+f3", "male": "+m3", "whisper": "+whisper"}
_CHILD = Path(__file__).with_name("espeak_child.py")
_POLL_SECONDS = 0.1
_MISSING = "eSpeak NG is not installed, so no text can be spoken."
_INSTALL = "Install the program espeak-ng (Debian, Ubuntu: apt install espeak-ng), or: pip install espeakng-loader"


def spoken(
    text: str,
    language: str,
    voice: str,
    speed: float,
    pitch: float,
    context: RunContext,
    programs: tuple[str, ...] = ("program", "wheel"),
) -> Audio:
    """`text` as mono sound; "auto" is the language it is written in. `speed` in words per minute, `pitch` 0..99.

    The text goes to the program's stdin.

    Raises NodeError naming `text` when nothing can be said, and NodeError when no program of `programs` is there.
    """
    words = plain(text)
    if not re.search(r"\w", words):
        raise NodeError("There is no text to say.", "text", "Give at least one word.")
    name = (_voice_for(words) if language == "auto" else LANGUAGES[language]) + VOICES[voice]
    command = _command(programs, name, round(speed), round(pitch))
    target = context.new_file(".wav")
    with target.open("wb") as stream:
        _run(command, words.encode("utf-8"), stream, context)
    audio = _wave(target.read_bytes())
    target.unlink()
    if not len(audio.samples) or not np.abs(audio.samples).max():
        raise NodeError(
            Phrase("eSpeak NG finds nothing to say in the text ({language}).", language=language),
            "text",
            "Change the language.",
        )
    return audio


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
        target = context.new_file(".txt")
        with target.open("wb") as stream:
            _run([program, "-q", "--ipa", "-v", LANGUAGES.get(language, language)], clause.encode(), stream, context)
        found.append(" ".join(target.read_text("utf-8").split()) + mark[:1])
        target.unlink()
    return " ".join(filter(None, found))


def plain(text: str) -> str:
    """The text without control characters and without eSpeak's own mark-up ([[phonemes]])."""
    kept = "".join(c if c.isprintable() or c in "\n\t" else " " for c in text)
    return re.sub(r"\[(?=\[)", "[ ", kept.replace("\ufeff", ""))


def _command(programs: tuple[str, ...], voice: str, speed: int, pitch: int) -> list[str]:
    program = shutil.which("espeak-ng") or shutil.which("espeak")
    if "program" in programs and program:
        return [program, "-b", "1", "-v", voice, "-s", str(speed), "-p", str(pitch), "--stdin", "--stdout"]
    if "wheel" in programs and importlib.util.find_spec("espeakng_loader") is not None:
        return [sys.executable, str(_CHILD), voice, str(speed), str(pitch)]
    raise NodeError(_MISSING, fix=_INSTALL)


def _run(command: list[str], words: bytes, stream: io.BufferedWriter, context: RunContext) -> None:
    """Runs to the end, or to the user's stop. Raises NodeError with the program's own words when it fails."""
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # only Windows has it
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=stream, stderr=subprocess.PIPE, creationflags=hidden
    ) as process:
        try:
            told = _communicate(process, words, context)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        told_text = told.decode("utf-8", "replace").strip()[-300:]
        raise NodeError(
            Phrase("eSpeak NG failed: {told_text}", told_text=told_text or process.returncode),
            fix="Try another language or voice.",
        )


def _communicate(process: subprocess.Popen, words: bytes, context: RunContext) -> bytes:
    """Feeds `words` while it watches for the user's stop; returns what came on stderr."""
    waiting: bytes | None = words
    while True:
        try:
            return process.communicate(waiting, timeout=_POLL_SECONDS)[1]
        except subprocess.TimeoutExpired:
            waiting = None  # the first call keeps on feeding what is left
            context.check()


def _wave(data: bytes) -> Audio:
    """Sound of a 16-bit WAV whose header may give a wrong length, as it is written before the end is known."""
    at = data.find(b"data")
    if len(data) < 44 or data[:4] != b"RIFF" or at < 0:
        return Audio(np.zeros((0, 1), np.float32), 22_050)
    channels, rate = struct.unpack("<HI", data[22:28])
    body = data[at + 8 :]
    samples = np.frombuffer(body[: len(body) // (2 * channels) * 2 * channels], dtype="<i2")
    return Audio((samples.reshape(-1, channels) / np.float32(32768)).astype(np.float32), rate)

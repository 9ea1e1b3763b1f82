"""Make a subtitle file from a text, spread over a given time."""

from __future__ import annotations

import re
import unicodedata

from nodes._support import captions
from nodes._support.sentences import sentences
from nodes._support.words import given_words
from nodes.api import File, NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, tool

_LINE = 42
_LINES = 2
_LEAST_SECONDS = 0.7


@tool(
    id="subtitles_from_text",
    title="Subtitles from text",
    domain="text",
    description="Makes a subtitle file (SRT) from a text, timed evenly over a number of seconds.",
    inputs=(
        Port("text", ResourceType.TEXT, "the spoken text"),
        Port(
            "seconds",
            ResourceType.NUMBER,
            "how long the speech lasts",
            minimum=0.5,
            maximum=86_400,
            unit="s",
            question="How many seconds does the speech last?",
        ),
    ),
    outputs=(Port("file", ResourceType.FILE, "the subtitles, .srt"),),
    backend="reading-speed",
    backend_title="By length of the text",
    quality=0.5,
    examples=(
        "Make a subtitle file from script.txt for 30 seconds",
        "Turn this speech text into SRT subtitles of 2 minutes",
    ),
    words=("srt", "subtitle file", "caption file", "closed captions"),
    icon="captions",
)
def subtitles_from_text(text: Text, seconds: Number, context: RunContext) -> File:
    """An SRT file in UTF-8: at most two lines of 42 columns at a time (21 Chinese characters), broken at sentences,
    then at commas, then at words. Each subtitle lasts in proportion to its letters.

    Raises NodeError when `seconds` is too short to show each subtitle for 0.7 s.
    """
    text = given_words(text)
    _enough(seconds, len(text) / (2 * _LINE * _LINES))  # a huge text need not be cut to know that
    cues = [cue for sentence in sentences(text) for cue in _cues(sentence)]
    _enough(seconds, len(cues))
    path = context.new_file(".srt")
    spans = _spans([_columns("".join(cue)) for cue in cues], seconds)
    shown = [captions.Caption(*span, "\n".join(cue)) for cue, span in zip(cues, spans, strict=True)]
    path.write_text(captions.srt(shown), "utf-8")
    return path


def _enough(seconds: float, count: float) -> None:
    if seconds < count * _LEAST_SECONDS:
        raise NodeError(
            Phrase("{seconds} s are too short for {count} subtitles.", seconds=f"{seconds:g}", count=f"{count:.0f}"),
            "seconds",
            Phrase("Give at least {count} s, or a shorter text.", count=f"{count * _LEAST_SECONDS:.0f}"),
        )


def _columns(text: str) -> int:
    """The width of a text; wide characters count twice."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _cues(sentence: str) -> list[list[str]]:
    """The sentence as groups of at most two lines, of about equal length."""
    parts = _parts(sentence)
    if len(_filled(parts, _LINE)) <= _LINES:
        return [_balanced(parts)]
    count = -(-_columns(sentence) // (_LINES * _LINE - 8))
    groups = _filled(parts, -(-_columns(sentence) // count) + 12, at_marks=True)
    if len(groups) > 1 and _columns(groups[-1]) < 16:
        last = groups.pop()
        groups[-1] += last if " " not in sentence else f" {last}"
    return [cue for group in groups for cue in _balanced_groups(group)]


def _parts(text: str) -> list[str]:
    """Words with the space behind them; single characters where there are no spaces."""
    parts = re.findall(r"\S+\s*", text) if " " in text else list(text)
    return [piece for part in parts for piece in _narrow(part)]


def _balanced_groups(text: str) -> list[list[str]]:
    lines = _filled(_parts(text), _LINE)
    if len(lines) <= _LINES:
        return [_balanced(_parts(text))]
    return [lines[i : i + _LINES] for i in range(0, len(lines), _LINES)]


def _balanced(parts: list[str]) -> list[str]:
    """One line, or two of about equal width."""
    text = "".join(parts).strip()
    if _columns(text) <= _LINE:
        return [text]
    cuts = [("".join(parts[:i]).strip(), "".join(parts[i:]).strip()) for i in range(1, len(parts))]
    return list(min(cuts, key=lambda cut: max(map(_columns, cut))))


def _narrow(part: str) -> list[str]:
    """A word wider than a line in pieces, so that nothing runs out of the picture."""
    if _columns(part.strip()) <= _LINE:
        return [part]
    return [part[i : i + _LINE // 2] for i in range(0, len(part), _LINE // 2)]


def _filled(parts: list[str], width: int, at_marks: bool = False) -> list[str]:
    """Words put together to lines of at most `width`; `at_marks` ends a line early after a comma."""
    lines, line = [], ""
    for part in parts:
        full = _columns((line + part).strip()) > width
        pause = at_marks and re.search(r"[,;:，；：、–—]\s*$", line) and _columns(line) > width * 0.55
        if line and (full or pause):
            lines.append(line.strip())
            line = ""
        line += part
    return [*lines, line.strip()] if line.strip() else lines


def _spans(lengths: list[int], seconds: float) -> list[tuple[float, float]]:
    """Start and end of each: the least time for all, the rest of the time in proportion to `lengths`."""
    rest = seconds - _LEAST_SECONDS * len(lengths)
    total = sum(lengths) or 1
    spans, start = [], 0.0
    for length in lengths:
        end = start + _LEAST_SECONDS + rest * length / total
        spans.append((start, min(end, seconds)))
        start = end
    return spans

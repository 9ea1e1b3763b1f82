"""Moves and stretches the times of SRT, WebVTT and ASS (SSA) where they stand: all else stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

_TIME = r"(?:\d+:)?\d{1,2}:\d{1,2}[,.]\d{1,3}"
_ARROW = re.compile(rf"^[^\S\n]*({_TIME})([^\S\n]*-->[^\S\n]*)({_TIME})(?=[^\S\n]|$)", re.MULTILINE)
_WITHIN = re.compile(rf"<({_TIME})>")
"""When a word of a WebVTT cue is sung."""
_PARTS = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{1,2})([,.])(\d{1,3})")
_EVENT = re.compile(
    r"^((?:Dialogue|Comment):[^,\n]*,[^\S\n]*)(\d+:\d\d:\d\d\.\d+)([^\S\n]*,[^\S\n]*)(\d+:\d\d:\d\d\.\d+)"
    r"(?=[^\S\n]*,)(.*\n?)", re.MULTILINE,
)  # fmt: skip
"""A line of ASS: what stands before its times, the two with what is between, and the rest."""
_FORMAT = re.compile(r"^\[Events\]\s*^Format:(.*)$", re.MULTILINE)
_SUNG = re.compile(r"(\\[kK][fot]?)(\d+)")
"""For how many hundredths of a second a syllable of ASS is sung."""
_NUMBER = re.compile(r"\d+")
_NEAR = 5e-4
"""Times that are nearer than this are the same."""
Change = Callable[[float], float]


class Changed(NamedTuple):
    """The subtitles with other times, how many there were and were changed, how many of these would end before 0 and
    are left out, how many begin at 0 as they would begin before it, and how many begin now before one that stands above
    them has ended."""

    text: str
    count: int
    moved: int
    lost: int
    cut: int
    overlapping: int


def has_times(text: str) -> bool:
    """Whether there are subtitles with times in it."""
    return (_ARROW.search(text) or _EVENT.search(text)) is not None


def events(text: str) -> list[tuple[float, float, str]]:
    """Start, end and words of each line that ASS shows, in seconds; without what is drawn."""
    form = _FORMAT.search(text)
    fields = form[1].count(",") if form else 9
    found = []
    for event in _EVENT.finditer(text):
        words = event[5].strip().split(",", fields - 2)[-1]
        if event[0].startswith("Dialogue") and not re.search(r"\\p[1-9]", words):
            words = re.sub(r"\{[^}]*\}", "", words).replace("\\h", " ")
            words = "\n".join(line.strip() for line in re.split(r"\\[nN]", words) if line.strip())
            found.append((_seconds(event[2]), _seconds(event[4]), words))
    return found


def changed(text: str, change: Change, start: float = 0.0) -> Changed:
    """With each time as `change` has it, both in seconds, of the subtitles that begin at `start` or later. The numbers
    of SRT go on from 1 where some are left out. The text must have "\\n" as ends of lines."""
    if _ARROW.search(text) is None:
        return _changed_events(text, change, start)
    head, cues = _apart(text)
    made: list[str] = []
    moved = lost = cut = overlapping = 0
    until = was_until = 0.0
    for cue in cues:
        mark = _ARROW.search(cue)
        assert mark is not None
        was_begin, was_end = begin, end = _seconds(mark[1]), _seconds(mark[3])
        if begin >= start - _NEAR:
            moved += 1
            begin, end = change(begin), change(end)
            cut += begin < 0 < end
            lost += end <= 0
            rest = _after(cue) if text.startswith("WEBVTT") else ""
            cue = rest if end <= 0 else _with_times(cue, mark, change)
        overlapping += end > 0 and max(begin, 0) < until - _NEAR and was_begin >= was_until - _NEAR
        until, was_until = max(until, end), max(was_until, was_end)
        made.append(cue)
    if lost and not text.startswith("WEBVTT"):
        made = _numbered(cue for cue in made if cue)
    return Changed(head + "".join(made), len(cues), moved, lost, cut, overlapping)


def _changed_events(text: str, change: Change, start: float) -> Changed:
    """As `changed`, of ASS: its lines lie over each other by intention, and stand in any order."""
    count = moved = lost = cut = 0
    stretch = change(1) - change(0)

    def with_times(event: re.Match[str]) -> str:
        nonlocal count, moved, lost, cut
        begin, end, shown = _seconds(event[2]), _seconds(event[4]), event[0].startswith("Dialogue")
        count += shown
        if begin < start - _NEAR:
            return event[0]
        begin, end = change(begin), change(end)
        moved, lost, cut = moved + shown, lost + (shown and end <= 0), cut + (shown and begin < 0 < end)
        sung = _SUNG.sub(lambda one: f"{one[1]}{round(int(one[2]) * stretch)}", event[5])
        return "" if end <= 0 else f"{event[1]}{_of_event(begin)}{event[3]}{_of_event(end)}{sung}"

    return Changed(_EVENT.sub(with_times, text), count, moved, lost, cut, 0)


def _apart(text: str) -> tuple[str, list[str]]:
    """What stands before the first cue, and the cues, each with its number or name and what follows it."""
    begins = [_begin(text, text.rfind("\n", 0, mark.start()) + 1) for mark in _ARROW.finditer(text)]
    ends = [*begins[1:], len(text)]
    return text[: begins[0]], [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _begin(text: str, times: int) -> int:
    """Where the cue begins whose line of times begins there: at the line before if that is a number, or stands alone
    below a blank line."""
    before = text.rfind("\n", 0, max(times - 1, 0)) + 1
    above = text.rfind("\n", 0, max(before - 1, 0)) + 1
    line = text[before:times].strip()
    is_name = line.isdigit() or (line and (before == 0 or not text[above:before].strip()))
    return before if is_name else times


def _after(cue: str) -> str:
    """What stands behind the words of a cue of WebVTT: notes and styles."""
    return cue.partition("\n\n")[2]


def _with_times(cue: str, mark: re.Match[str], change: Change) -> str:
    times = _written(change(_seconds(mark[1])), mark[1]), _written(change(_seconds(mark[3])), mark[3])
    body = _WITHIN.sub(lambda one: f"<{_written(change(_seconds(one[1])), one[1])}>", cue[mark.end() :])
    return cue[: mark.start(1)] + times[0] + mark[2] + times[1] + body


def _numbered(cues: Iterable[str]) -> list[str]:
    found = []
    for number, cue in enumerate(cues, 1):
        first, ending, rest = cue.partition("\n")
        found.append(f"{number}{ending}{rest}" if _NUMBER.fullmatch(first.strip()) else cue)
    return found


def _seconds(time: str) -> float:
    parts = _PARTS.fullmatch(time)
    assert parts is not None
    hours, minutes, seconds, _, fraction = parts.groups()
    return int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + float(f"0.{fraction}")


def _written(seconds: float, like: str) -> str:
    """A time, not below 0, with hours where the one it is like has them or there are any."""
    parts = _PARTS.fullmatch(like)
    assert parts is not None
    whole, thousandths = divmod(round(max(seconds, 0) * 1000), 1000)
    hours = f"{whole // 3600:02}:" if parts[1] is not None or whole >= 3600 else ""
    return f"{hours}{whole // 60 % 60:02}:{whole % 60:02}{parts[4]}{thousandths:03}"


def _of_event(seconds: float) -> str:
    """A time of ASS, not below 0."""
    whole, hundredths = divmod(round(max(seconds, 0) * 100), 100)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}.{hundredths:02}"

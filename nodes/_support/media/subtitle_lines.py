"""Breaks what is said into subtitles: at most two lines of 42 columns, each long enough to be read."""

from __future__ import annotations

import re
import unicodedata

LINE = 42
LINES = 2
LEAST_SECONDS = 0.7


def columns(text: str) -> int:
    """The width of a text; wide characters count twice."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def cues(sentence: str) -> list[list[str]]:
    """The sentence as groups of at most two lines, of about equal length."""
    parts = _parts(sentence)
    if len(_filled(parts, LINE)) <= LINES:
        return [_balanced(parts)]
    count = -(-columns(sentence) // (LINES * LINE - 8))
    groups = _filled(parts, -(-columns(sentence) // count) + 12, at_marks=True)
    if len(groups) > 1 and columns(groups[-1]) < 16:
        last = groups.pop()
        groups[-1] += last if " " not in sentence else f" {last}"
    return [cue for group in groups for cue in _balanced_groups(group)]


def _parts(text: str) -> list[str]:
    """Words with the space behind them; single characters where there are no spaces."""
    parts = re.findall(r"\S+\s*", text) if " " in text else list(text)
    return [piece for part in parts for piece in _narrow(part)]


def _balanced_groups(text: str) -> list[list[str]]:
    lines = _filled(_parts(text), LINE)
    if len(lines) <= LINES:
        return [_balanced(_parts(text))]
    return [lines[i : i + LINES] for i in range(0, len(lines), LINES)]


def _balanced(parts: list[str]) -> list[str]:
    """One line, or two of about equal width."""
    text = "".join(parts).strip()
    if columns(text) <= LINE:
        return [text]
    cuts = [("".join(parts[:i]).strip(), "".join(parts[i:]).strip()) for i in range(1, len(parts))]
    return list(min(cuts, key=lambda cut: max(map(columns, cut))))


def _narrow(part: str) -> list[str]:
    """A word wider than a line in pieces, so that nothing runs out of the picture."""
    if columns(part.strip()) <= LINE:
        return [part]
    return [part[i : i + LINE // 2] for i in range(0, len(part), LINE // 2)]


def _filled(parts: list[str], width: int, at_marks: bool = False) -> list[str]:
    """Words put together to lines of at most `width`; `at_marks` ends a line early after a comma."""
    lines, line = [], ""
    for part in parts:
        full = columns((line + part).strip()) > width
        pause = at_marks and re.search(r"[,;:，；：、–—]\s*$", line) and columns(line) > width * 0.55
        if line and (full or pause):
            lines.append(line.strip())
            line = ""
        line += part
    return [*lines, line.strip()] if line.strip() else lines


def spans(lengths: list[int], seconds: float) -> list[tuple[float, float]]:
    """Start and end of each: the least time for all, the rest of the time in proportion to `lengths`."""
    rest = seconds - LEAST_SECONDS * len(lengths)
    total = sum(lengths) or 1
    found, start = [], 0.0
    for length in lengths:
        end = start + LEAST_SECONDS + rest * length / total
        found.append((start, min(end, seconds)))
        start = end
    return found

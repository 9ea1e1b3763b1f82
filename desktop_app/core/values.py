"""Plain values: one or several of something, names that nothing else has, and sizes in words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")
NUMBERED = "{name}_{n}"
"""How a further id is made of one that is taken."""
_BEFORE_A_CUT = " \t\n,;:，；：、"
NUMBERED_FILE = "{stem}-{n}{suffix}"
"""How a further file name is made: the number stands before the ending."""


def several(value: _T | tuple[_T, ...] | None) -> tuple[_T, ...]:
    """The values of what may be a tuple of them, a single one, or none."""
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


def first(value: _T | tuple[_T, ...] | None) -> _T | None:
    """The first of what may be a tuple of values, a single one, or none; None where there is none."""
    return next(iter(several(value)), None)


def names_like(name: str, form: str = NUMBERED) -> Iterator[str]:
    """`name`, then with the numbers from 2 on; `form` may use {name}, {stem}, {suffix} (of a file's name) and {n}."""
    yield name
    path = Path(name)
    for n in itertools.count(2):
        yield form.format(name=name, stem=path.stem, suffix=path.suffix, n=n)


def shortened(text: str, most: int) -> str:
    """The text, of at most so many characters: cut behind a word where there is one in its second half."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    words = kept if text[most - 1].isspace() else kept.rpartition(" ")[0]
    return f"{(words if len(words) >= most // 2 else kept).rstrip(_BEFORE_A_CUT)}…"


def unused_name(name: str, taken: Callable[[str], bool], form: str = NUMBERED) -> str:
    return next(candidate for candidate in names_like(name, form) if not taken(candidate))


def size_of(count: int) -> str:
    """So many bytes: `1.2 GB`, `26 MB`."""
    return f"{count / 1e9:.1f} GB" if count >= 0.9995e9 else f"{max(1, round(count / 1e6))} MB"


def clock(seconds: float) -> str:
    """A length as players show it: `0:08`, `12:30`, `1:02:05`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def duration(seconds: float) -> str:
    """`2 ms`, `1.4 s`, `24 s`, `6 min`, `1 h 5 min`."""
    if seconds < 0.0995:
        return f"{max(1, round(seconds * 1000))} ms" if seconds > 0 else "0 s"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"

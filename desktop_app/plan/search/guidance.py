"""What a trained reading of a request tells the graph builder, beside the words themselves. Plain values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from desktop_app.plan.arguments.value_marks import ValueMarks


def _no_thing(words: Sequence[str]) -> str:
    return ""


@dataclass(frozen=True)
class Guidance:
    """By default what is known where the lexicon alone has read the request. Wishes go by their numbers, text inputs
    as "tool.port".
    """

    finders: Mapping[int, str] = field(default_factory=dict[int, str])
    """By wish the tool that finds the part of a picture which it speaks of."""
    meant: Mapping[int, Sequence[str]] = field(default_factory=dict[int, Sequence[str]])
    """By wish the names of those of several files that it means."""
    sides: Mapping[int, Mapping[str, Sequence[str]]] = field(default_factory=dict[int, Mapping[str, Sequence[str]]])
    """By wish and input the names of the files that it takes there."""
    sources: Mapping[int, Mapping[int, float]] = field(default_factory=dict[int, Mapping[int, float]])
    """By wish: how probable it is (0..1) that it takes what others have made, by their numbers."""
    files: Mapping[int, Mapping[str, float]] = field(default_factory=dict[int, Mapping[str, float]])
    """By wish: how probable it is (0..1) that it works on a file itself, where there are several of its type."""
    marks: ValueMarks | None = None
    """Which words are the value of which input."""
    told: Collection[tuple[str, str]] = ()
    """Tools and those of their inputs of which words are the value."""
    thing: Callable[[Sequence[str]], str] = _no_thing
    """Which of some words names a thing in a picture; "" for none."""
    verbatim: frozenset[str] = frozenset()
    """Text inputs that take a clause as it stands."""
    contents: frozenset[str] = frozenset()
    """Text inputs that hold what there is, and are not typed into a request."""
    either: frozenset[str] = frozenset()
    """Those and the text inputs that some type and others have in a file."""
    brought: frozenset[str] = frozenset()
    """Text inputs for which a file is asked where nothing is there: the text to shorten."""
    direct: bool = False
    """True where what fits is taken, however unlikely, before anything is made out of it."""
    bridges: bool = True
    """False where what is missing is asked for, and not made out of what is there."""

"""What has to come out when a model runs on bundled media, and whether it did. Runs nothing itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from desktop_app.core.paths import RESOURCES
from desktop_app.models.catalogue import Model
from nodes._support.language.languages import PAIRS

FILE = RESOURCES / "model_checks.toml"
_FLAT = 4.0
"""Of 255: what varies less is a picture of one colour, as a broken model makes it."""
_QUIET = 0.01
"""A sound that gets no louder, of 1, is silence."""


@dataclass(frozen=True)
class FactCheck:
    """`tool` with `files` (names in resources/examples) and `values` by port, and one fact of its first output, or of
    `output`.

    It is for the models of `task`, of those that only translate between a pair of languages for those of `pair`, or for
    `backend`, one whose network ships with the program.
    """

    tool: str
    task: str = ""
    backend: str = ""
    output: str = ""
    pair: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    named: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    covers: tuple[float, ...] = ()
    circle: tuple[float, ...] = ()
    brighter: tuple[int, ...] = ()
    above: float = 0.0
    lasts: tuple[float, ...] = ()
    times: float = 0.0
    varied: bool = False

    @property
    def words(self) -> str:
        """The fact, and the files of which it is one."""
        on = ", ".join(self.files.values())
        return f"{self._fact} ({on})" if on else self._fact

    @property
    def _fact(self) -> str:
        if self.named:
            return f"{' or '.join(self.named)} is among the labels"
        if self.first:
            return f"{' or '.join(self.first)} comes first"
        if self.says:
            return f"the text says {' or '.join(self.says)}"
        if self.counts:
            least, most = self.counts
            return f"{least} are found" if least == most else f"{least} to {most} are found"
        if self.covers:
            x, y, least, most = self.covers
            return f"the mask covers ({x:g}, {y:g}) and {least:.1%} to {most:.0%} of the picture"
        if self.circle:
            x, y, radius, least = self.circle
            return f"the mask is the circle of radius {radius:g} around ({x:g}, {y:g}), IoU {least:g}"
        if self.brighter:
            x, y, x2, y2 = self.brighter
            return f"it is brighter at ({x}, {y}) than at ({x2}, {y2})"
        if self.above:
            return f"the number is above {self.above:g}"
        if self.lasts:
            least, most = self.lasts
            return f"it is a sound of {least:g} to {most:g} s"
        return f"the picture is {self.times:g} times as wide" if self.times else "the picture is not of one colour"

    def holds(self, made: Any, width: int = 0) -> bool:
        """Whether the fact holds of what came out; `width` is that of the picture that went in."""
        if self.named:
            names = [str(getattr(one, "label", "") or getattr(one, "name", "")) for one in made]
            return any(_speaks(word, name) for word in self.named for name in names)
        if self.first:
            return any(_speaks(word, str(getattr(one, "name", ""))) for word in self.first for one in made[:1])
        if self.says:
            return any(_speaks(word, str(made)) for word in self.says)
        if self.counts:
            return self.counts[0] <= len(getattr(made, "rows", made)) <= self.counts[1]
        if self.above:
            return float(made) > self.above
        if self.lasts:
            seconds = len(made.samples) / made.rate
            return self.lasts[0] <= seconds <= self.lasts[1] and float(np.abs(made.samples).max()) > _QUIET
        picture = np.asarray(made)
        if self.circle:
            return picture.ndim == 2 and _agreement(picture > 127, self.circle) >= self.circle[3]
        if self.brighter:
            shade = picture if picture.ndim == 2 else picture[:, :, -1]  # that of a cut-out is its alpha
            x, y, x2, y2 = self.brighter
            return float(shade[y, x]) > float(shade[y2, x2])
        if self.covers:
            x, y, least, most = self.covers
            part = float((picture > 127).mean())
            return picture.ndim == 2 and bool(picture[int(y), int(x)] > 127) and least <= part <= most
        if self.times:
            return bool(width) and picture.shape[1] >= self.times * width
        return float(picture.std()) > _FLAT


@cache
def checks() -> tuple[FactCheck, ...]:
    entries = tomllib.loads(FILE.read_text("utf-8"))["check"]
    listed: list[dict[str, Any]] = [
        {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()} for entry in entries
    ]
    return tuple(FactCheck(**one) for one in listed)


def of_model(model: Model) -> tuple[FactCheck, ...]:
    """What has to hold of it; () when nothing is stated, or it is only part of others."""
    pair = model.languages if model.family == PAIRS else ()
    return tuple(check for check in checks() if model.family and (check.task, check.pair) == (model.task, pair))


def shipped() -> dict[str, tuple[FactCheck, ...]]:
    """What has to hold of the back ends whose networks ship with the program, by their ids."""
    ids = dict.fromkeys(check.backend for check in checks() if check.backend)
    return {id: tuple(check for check in checks() if check.backend == id) for id in ids}


def _agreement(mask: np.ndarray, circle: tuple[float, ...]) -> float:
    """The area that the mask and the circle (x, y, radius) have in common, as a share of what they cover together."""
    rows, columns = np.ogrid[: mask.shape[0], : mask.shape[1]]
    inside = (columns - circle[0]) ** 2 + (rows - circle[1]) ** 2 <= circle[2] ** 2
    return float((mask & inside).sum() / max(1, (mask | inside).sum()))


def _speaks(word: str, text: str) -> bool:
    return word in text.lower()

"""What a follow-up can make of the graph that is there, and what of it the planner is shown: values, no reading.

Apart from `follow_up`, so that whoever carries edits out loads no word lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.types import FromNode, FromResource, Given, Step


@dataclass(frozen=True)
class Undo:
    """Takes back the latest changes, so many."""

    times: int = 1


@dataclass(frozen=True)
class Redo:
    """Makes the change again that was taken back."""


@dataclass(frozen=True)
class SetValues:
    """Other literals for ports of steps."""

    values: Mapping[tuple[str, str], Any]


@dataclass(frozen=True)
class AskValue:
    """A port is to change and nothing says to what: the user is asked."""

    step: str
    port: str


@dataclass(frozen=True)
class Remove:
    """Takes steps out; what they worked on goes on without them."""

    steps: tuple[str, ...]


@dataclass(frozen=True)
class BackTo:
    """Ends with the step of this tool, here or in an earlier state of the graph."""

    tool: str


@dataclass(frozen=True)
class UseFile:
    """Puts one file in the place of another."""

    old: str
    new: str


@dataclass(frozen=True)
class Repeat:
    """Does the same for these files too."""

    like: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class UseWay:
    """Shows that alternative, counted from 0."""

    index: int


@dataclass(frozen=True)
class SaveAs:
    """The results in a file of that form ("jpg")."""

    form: str


@dataclass(frozen=True)
class Name:
    """The results under that name when they are saved."""

    name: str


@dataclass(frozen=True)
class Rephrase:
    """The wish before in other words, planned anew in its place."""

    text: str


Edit = Undo | Redo | SetValues | AskValue | Remove | BackTo | UseFile | Repeat | UseWay | SaveAs | Name | Rephrase


@dataclass(frozen=True)
class Present:
    """What a follow-up can speak of: the steps in order, the files of the user, and tools of earlier states; how many
    alternatives there are and which is shown; the wish that led here. `brought` are files that came with the message.
    """

    steps: tuple[Step, ...] = ()
    files: tuple[Given, ...] = ()
    earlier: tuple[str, ...] = ()
    ways: int = 1
    chosen: int = 0
    wish: str = ""
    brought: tuple[str, ...] = ()

    def used(self) -> list[str]:
        """The names of the files that the steps take, in order."""
        names = [item.name for step in self.steps for value in step.arguments.values() for item in several(value)
                 if isinstance(item, FromResource)]  # fmt: skip
        return list(dict.fromkeys(names))

    def ends(self) -> list[Step]:
        """The steps whose results no other step takes."""
        fed = {item.node for step in self.steps for value in step.arguments.values() for item in several(value)
               if isinstance(item, FromNode)}  # fmt: skip
        return [step for step in self.steps if step.id not in fed]

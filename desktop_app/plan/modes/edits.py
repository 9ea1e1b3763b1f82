"""What a follow-up can make of the graph that is there, and what of it the planner is shown: values, no reading.

Apart from `follow_up`, so that whoever carries edits out loads no word lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop_app.plan.tools.rewiring import behind, files, is_fed, taken
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


Source = FromNode | FromResource
"""What feeds a port: a file or a result."""


@dataclass(frozen=True)
class Relink:
    """What ports of steps take from now on, in order."""

    links: Mapping[tuple[str, str], tuple[Source, ...]]


@dataclass(frozen=True)
class AskValue:
    """A port is to change to `by` times what it has by itself: where nobody knows that, the user is asked. So is that
    of the `others`, which do the same to other files. `also` are values that were said beside it, by step and input.
    """

    step: str
    port: str
    by: float = 1.0
    others: tuple[str, ...] = ()
    also: Mapping[tuple[str, str], Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Remove:
    """Takes steps out; what they worked on goes on without them."""

    steps: tuple[str, ...]


@dataclass(frozen=True)
class UseTool:
    """Puts another tool in the place of a step, with these values; and of those that do the same to other files."""

    step: str
    tool: str
    values: Mapping[str, Any]
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Insert:
    """A step of the tool with these values behind each of the results: what took these takes what it makes."""

    tool: str
    values: Mapping[str, Any]
    after: tuple[FromNode, ...]


@dataclass(frozen=True)
class Another:
    """A step like this one beside it, which takes the same, with other values."""

    step: str
    values: Mapping[str, Any]


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
class Already:
    """Nothing: the step does that as it is, its input `port` has that value, where one is said."""

    step: str
    port: str = ""


@dataclass(frozen=True)
class Rephrase:
    """The wish before in other words, planned anew in its place."""

    text: str


Edit = (
    Undo
    | Redo
    | SetValues
    | Relink
    | AskValue
    | Remove
    | UseTool
    | Insert
    | Another
    | BackTo
    | UseFile
    | Repeat
    | UseWay
    | SaveAs
    | Name
    | Already
    | Rephrase
)


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
        return list(dict.fromkeys(item.name for step in self.steps for item in files(step)))

    def alike(self, id: str) -> list[str]:
        """The steps that do to other files what this one does to its own, itself among them: two photos, two frames."""
        here = next(step for step in self.steps if step.id == id)
        same = [step.id for step in self.steps if (step.tool, _literals(step)) == (here.tool, _literals(here))]
        steps = len(behind((id,), self.steps))
        return [one for one in same if len(behind((one,), self.steps)) == steps]

    def ends(self) -> list[Step]:
        """The steps whose results no other step takes."""
        fed = taken(self.steps)
        return [step for step in self.steps if step.id not in fed]


def _literals(step: Step) -> dict[str, Any]:
    return {port: value for port, value in step.arguments.items() if not is_fed(value)}

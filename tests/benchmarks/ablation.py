"""What each part of the offline planner is worth: first plans right with the part switched off.

`python -m tests.benchmarks.ablation [WORD ...]` plans the development requests and every fourth of the marked ones that
are held back from training (rows that were looked at), first with all parts and then without each, or without those
whose names hold one of the words. About half a minute a part. Prints shares in percent, and the points that are lost.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from typing import Any

import pytest

from desktop_app.plan.arguments.value_marks import ValueMarks
from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes import offline, other_ways
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.modes.other_ways import OtherWays
from desktop_app.plan.ranking import joint_selection
from desktop_app.plan.ranking.joint_selection import JointSelector, Reading
from desktop_app.plan.ranking.wish_files import LIKENESS, Likeness
from desktop_app.plan.search.guidance import Guidance
from desktop_app.plan.tools.tool_specs import from_tools
from nodes import load_tools
from tests.benchmarks import own_requests
from tests.benchmarks.blind_requests import LABELS, is_right
from tests.benchmarks.figures import figure
from tests.training import composed, marked

_EVERY = 4
_UNSEEN = LABELS | {"marked", "before", "takes"}

Patch = Callable[[pytest.MonkeyPatch], None]


def _reading(change: Callable[[Reading], Reading]) -> Patch:
    """Every reading of the trained judgement is changed so."""
    read = JointSelector.read
    return lambda patch: patch.setattr(JointSelector, "read", lambda self, request: change(read(self, request)))


def _weight(name: str) -> Patch:
    return lambda patch: patch.setattr(joint_selection.WEIGHTS, name, 0.0)


def _set(owner: Any, name: str, value: Any) -> Patch:
    return lambda patch: patch.setattr(owner, name, value)


def _without_finders(reading: Reading) -> Reading:
    return replace(reading, clauses=tuple(replace(clause, finder=("", 0.0)) for clause in reading.clauses))


def _given_anything(guidance: type[Guidance], **told: Any) -> Guidance:
    return guidance(**{**told, "direct": False})


PARTS: dict[str, Patch] = {
    "other readings": _set(OtherWays, "chosen", lambda self, drafts: drafts.by_meaning.plan),
    "a plan of another reading may come first": _set(other_ways, "BETTER", 1.0),
    "which files a wish means": _reading(lambda reading: replace(reading, files={}, seconds={})),
    "which of two inputs a file is for": _reading(lambda reading: replace(reading, seconds={})),
    "what names of files have in common with the words": _set(
        Likeness, "of", lambda self, place, said: [0.0] * LIKENESS
    ),
    "which wish takes what another has made": _reading(lambda reading: replace(reading, links={})),
    "which words are values": _reading(lambda reading: replace(reading, marks=None, said=())),
    "choices by meaning": _set(ValueMarks, "choice", lambda self, tool, port, covers: None),
    "what has to be asked first": _reading(lambda reading: replace(reading, asks={})),
    "parts of pictures": _reading(_without_finders),
    "what is said as a whole or in quotes": _set(
        OfflinePlanner, "_told", lambda self, reading, request: reading
    ),
    "earlier messages": _set(offline, "resolved", lambda request: request),
    "files of the very type before what is made": _set(offline, "Guidance", partial(_given_anything, Guidance)),
    **{f"the weight {field.name}": _weight(field.name) for field in fields(joint_selection.ReadingWeights)},
}  # fmt: skip


def main() -> None:
    """Prints a line for all parts together, and one for each that is left out."""
    tools = load_tools().tools
    planner = OfflinePlanner(from_tools(tools))
    held = [row for row in marked.rows() if marked.is_held(row)][::_EVERY]
    rows = [*composed.rows("development.jsonl.xz"), *held]

    def share() -> float:
        return 100 * sum(map(right, rows)) / len(rows)

    def right(row: dict[str, Any]) -> bool:
        answer = plan_row(planner, {key: value for key, value in row.items() if key not in _UNSEEN})
        return is_right(row, own_requests.judge(row, answer, tools))

    whole = share()
    figure("first plan right, all parts", whole, "%", rows=len(rows))
    for name, patch in PARTS.items():
        if len(sys.argv) == 1 or any(word in name for word in sys.argv[1:]):
            with _patched(patch):
                found = share()
            figure(f"first plan right, without {name}", found, "%", lost=round(whole - found, 2))


@contextmanager
def _patched(patch: Patch) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkey:
        patch(monkey)
        yield


if __name__ == "__main__":
    main()

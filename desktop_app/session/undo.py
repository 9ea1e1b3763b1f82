"""Undo: the states that a conversation's plan went through, one step for each action of the user or the planner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop_app.graph.workflow import Workflow
from desktop_app.session.messages import Alternative
from nodes.api import Point


@dataclass(frozen=True)
class State:
    """What one action changes and undo takes back. `points` are the clicks by resource name."""

    workflow: Workflow = field(default_factory=Workflow)
    chosen: int = 0
    alternatives: tuple[Alternative, ...] = ()
    points: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)


@dataclass
class Edits:
    """The present state and those before and after it. States are values, so a step costs a reference."""

    state: State = field(default_factory=State)
    undone: tuple[State, ...] = ()
    """The states that `redo` brings back, the next one last."""
    done: tuple[State, ...] = ()
    """The states that `undo` brings back, the latest last."""

    def change(self, state: State) -> bool:
        """Goes on to `state`; False when that is where we are."""
        if state == self.state:
            return False
        self.done, self.undone, self.state = (*self.done, self.state), (), state
        return True

    def undo(self) -> bool:
        """Takes the last change back; False when there is none."""
        if not self.done:
            return False
        self.undone, self.state, self.done = (*self.undone, self.state), self.done[-1], self.done[:-1]
        return True

    def redo(self) -> bool:
        """Makes the change that was taken back; False when there is none."""
        if not self.undone:
            return False
        self.done, self.state, self.undone = (*self.done, self.state), self.undone[-1], self.undone[:-1]
        return True

    def amend(self, **fields: Any) -> None:
        """Changes the present state without a step of its own."""
        self.state = State(**{**vars(self.state), **fields})

"""What the user changes in the graph, each with a step of undo, and the steps back and forth."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from desktop_app.core.errors import BadRequest
from desktop_app.graph.edit import placed
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.types import Solution
from desktop_app.session.messages import Change
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import GraphState, SessionState
from nodes.phrase import Phrase


class UndoController:
    """`end_steps` ends what goes on step by step, if anything does."""

    def __init__(
        self, state: SessionState, tracker: RunTracker, questions: QuestionController, end_steps: Callable[[], None]
    ) -> None:
        self._state, self._tracker, self._questions, self._end_steps = state, tracker, questions, end_steps

    def choose(self, index: int) -> None:
        """Shows another alternative: one undo step. What both share is not computed again."""
        graph = self._state.graph
        if not 0 <= index < len(graph.alternatives):
            count = len(graph.alternatives)
            raise BadRequest(
                Phrase("There is no alternative {index}.", index=index + 1),
                Phrase("There are {count}; count from 1.", count=count),
            )
        workflow = graph.alternatives[index].workflow
        if index != graph.chosen or graph.workflow != workflow:
            self._tracker.show(workflow)
            self._state.change(workflow=workflow, chosen=index)
            self._questions.close_answered()

    def edit(self, workflow: Workflow) -> None:
        """Takes the user's edit: one undo step."""
        if workflow != self._state.workflow:
            self._state.change(workflow=self._state.admit(workflow))
            self._questions.close_answered()

    def amend(self, workflow: Workflow) -> None:
        """Takes a further part of the user's latest edit: the same undo step."""
        if workflow != self._state.workflow:
            self._state.amend(self._state.admit(workflow))

    def move(self, positions: Mapping[str, tuple[float, float]]) -> None:
        """Moves cards (nodes by id, resources by name): one undo step."""
        self.edit(placed(self._state.workflow, positions))

    def undo(self) -> None:
        """Takes the last change back; does nothing when there is none. Ends steps that are still going on."""
        self._end_steps()
        before = self._state.graph
        if self._state.history.undo():
            self._show_step_from(before)

    def come_back(self, plan: int) -> None:
        """Shows what an earlier plan made, by the id of its message: one undo step; nothing when it is not known."""
        before, then = self._state.graph, self._state.plans.get(plan)
        if then is not None and self._state.history.change(then):
            self._end_steps()
            self._show_step_from(before)

    def redo(self) -> None:
        """Makes the change that was taken back; does nothing when there is none."""
        before = self._state.graph
        if self._state.history.redo():
            self._show_step_from(before)

    def _show_step_from(self, before: GraphState) -> None:
        if _way(before) != _way(self._state.graph):
            self._tracker.show(self._state.workflow)
        self._state.emit(Change.WORKFLOW | Change.PLAN | Change.RESOURCES)
        self._questions.close_answered()
        self._questions.reopen()


def _way(state: GraphState) -> tuple[int, tuple[Solution, ...]]:
    """Which of which solutions is shown, whatever was filled in."""
    return state.chosen, tuple(way.solution for way in state.alternatives)

"""The ways of a plan as graphs beside each other, each of which goes on from the one that is there."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.language.sentence_encoder import sentence_encoder
from desktop_app.plan.search.to_workflow import to_workflow
from desktop_app.plan.types import Plan, Solution
from desktop_app.session import batches
from desktop_app.session.answering.findings import TOLD
from desktop_app.session.asking import table_columns
from desktop_app.session.asking.read_tables import ReadTables
from desktop_app.session.asking.suggestions import SURE
from desktop_app.session.asking.wish import Wish
from desktop_app.session.follow_up import beside, grown, onto, set_apart, settled, with_ids
from desktop_app.session.kept_forms import in_kept_forms
from desktop_app.session.messages import Alternative, priced
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import SessionState
from desktop_app.storage.database import History

_SERVES = 0.4
"""Beside a plan that is sure, another way at least so probable is shown: of ten below it, in 40 requests, eight did
something else than was asked.
"""


class GraphWays:
    """Makes them. `as_drawn` puts what was drawn before into a graph; `timings` tell how long tools took."""

    def __init__(
        self,
        state: SessionState,
        tracker: RunTracker,
        tables: ReadTables,
        as_drawn: Callable[[Workflow], Workflow],
        timings: History,
    ) -> None:
        self._state, self._tracker, self._tables = state, tracker, tables
        self._as_drawn, self._timings = as_drawn, timings

    def of(self, plan: Plan, ids: Collection[str], wish: Wish) -> tuple[tuple[Alternative, ...], str]:
        """The alternatives whose graphs hold together, and what is wrong with the first that does not, else "".

        Their nodes have ids of their own, none of `ids`; only what two alternatives share has one id in both.
        """
        found: list[Alternative] = []
        fault, taken, shared = "", {*ids, *self._state.resources}, dict[str, str]()
        for solution in plan.solutions:
            try:
                workflow, names = settled(self._onto_the_present(solution, wish), self._state.tools, taken, shared)
                workflow = self._as_drawn(workflow)
                workflow.check(self._state.tools)
            except BadWorkflow as error:
                fault = fault or str(error)
                continue
            found.append(self._alternative(with_ids(solution, names), workflow, wish))
        if found and found[0].solution.score >= SURE:
            found = [way for way in found if way.solution.score >= _SERVES]
        return tuple(found), fault

    def _onto_the_present(self, solution: Solution, wish: Wish) -> Workflow:
        """The graph of a way, with what it takes from the graph that is there. Raises BadWorkflow."""
        known = {**batches.known(self._state.resources), **wish.pending.resources}
        new = to_workflow(solution, known, self._state.tools, self._state.graph.points)
        apart = set_apart(onto(self._state.workflow, new, solution.kept), solution.kept)
        return apart if solution.kept else self._grown(apart, wish)

    def _alternative(self, solution: Solution, workflow: Workflow, wish: Wish) -> Alternative:
        """With what it asks about the columns of tables, and what it costs."""
        encoder, said = sentence_encoder(), wish.planned or self._state.log.last_request()
        vectors = encoder.encode if encoder.is_ready(0) else None
        workflow, asked = table_columns.asked(workflow, self._state.tools, self._tables.headers, said, vectors)
        solution = replace(solution, questions=(*solution.questions, *asked)) if asked else solution
        return priced(solution, workflow, self._state.tools, self._timings)

    def kept_form(self, new: Workflow) -> str:
        """The ending that the results were to be saved with, where the new ones are of the same types."""
        state = self._state
        ending = Path(f"x{state.graph.saved_as}").suffix
        types = ({one.type_of(*end, state.tools) for end in one.results(state.tools)} for one in (state.workflow, new))
        return ending if ending and len({*map(frozenset, types)}) == 1 else ""

    def _grown(self, new: Workflow, wish: Wish) -> Workflow:
        """With the nodes of the present graph that made what it takes; that stays a file where they do not fit it. A
        question about a file leaves what is made of it; a wish that goes on leaves the form of the last file.
        """
        old, tools, pending = self._state.workflow, self._state.tools, wish.pending
        workflow = grown(old, new, {**self._tracker.made, **pending.places})
        workflow = in_kept_forms(old, workflow, tools) if wish.goes_on else workflow
        workflow = beside(old, workflow, tools, TOLD)
        try:
            workflow.check(tools)
        except BadWorkflow:
            if any(resource.name in pending.places for resource in new.resources):
                raise
            return new
        return workflow

"""What the user points at and draws in pictures, and the masks that would come of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop_app.graph.workflow import Workflow
from desktop_app.services import mask_preview
from desktop_app.session import drawn_masks
from desktop_app.session.inputs import clicks
from desktop_app.session.messages import Change
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import SessionState
from desktop_app.storage.resources import Store
from nodes.api import Point

if TYPE_CHECKING:
    from desktop_app.services.mask_preview import MaskFinder


class AnnotationController:
    def __init__(
        self,
        state: SessionState,
        tracker: RunTracker,
        asked: QuestionController,
        store: Store,
        masks: MaskFinder | None,
    ) -> None:
        self._state, self._tracker, self._asked, self._store, self._masks = state, tracker, asked, store, masks

    def point(self, name: str, points: Sequence[Point]) -> None:
        """Keeps the clicks on a resource and fills every port that waits for them: one undo step.

        Raises BadRequest when a point lies outside the picture or there is no such resource.
        """
        clicks.check_points(self._state.find(name), name, points, self._state.resources)
        pictures = self._asked.pictures()
        self._fill(
            name,
            tuple(points),
            lambda flow: clicks.with_points(flow, self._state.tools, pictures, name, tuple(points)),
        )

    async def use_drawn(self, name: str, what: drawn_masks.HandDrawnMask, node: str = "", port: str = "") -> None:
        """Puts what was drawn on the resource `name` into a port, or wherever clicks on it are wanted: one undo step.

        A mask of it becomes a resource. Raises BadRequest as `point` does, or StorageError.
        """
        state = self._state
        clicks.check_points(state.find(name), name, what.said, state.resources)
        mine = state.id
        mask = await asyncio.to_thread(drawn_masks.keep, self._store, name, what) if what.mask is not None else None
        if mine != state.id:
            return
        mask = state.hold(mask) if mask is not None else None
        pictures = self._asked.pictures()

        def filled(workflow: Workflow) -> Workflow:
            targets = [(node, port)] if node in workflow.ids() else []
            targets = targets if node else clicks.pointed(workflow, state.tools, pictures, name)
            return drawn_masks.with_drawn(workflow, state.tools, targets, what, mask)

        self._fill(name, what.said, filled)

    def _fill(self, name: str, points: tuple[Point, ...], filled: Callable[[Workflow], Workflow]) -> None:
        """The graph and all alternatives as `filled` has them, with the points on the resource: one undo step."""
        graph = self._state.graph
        self._state.change(
            workflow=filled(graph.workflow),
            alternatives=tuple(replace(way, workflow=filled(way.workflow)) for way in graph.alternatives),
            points={**graph.points, name: points},
        )
        self._asked.close_answered()
        self._state.emit(Change.RESOURCES | Change.PLAN)

    async def preview_mask(self, name: str, marks: Sequence[Sequence[Any]], node: str = "", reading: str = "") -> Any:
        """The mask that clicks (or boxes) on the resource `name` would give: uint8 (height, width), 255 = selected.
        Of a large picture it is smaller by `mask_preview.step_of`.

        It is that of `node`, or of what waits for clicks on the resource, or else of a tool of our choice. `reading`
        says how much of what was clicked is meant, where the tool can be told. None when
        a newer request came meanwhile, or nothing here makes masks of clicks. Raises AppError that says why not.
        """
        resource, tools = self._state.find(name), self._state.tools
        workflow = self._state.workflow
        id = node or self.waiting_for(name)
        if not mask_preview.shows(workflow, tools, id) and resource is not None:
            workflow = mask_preview.anyone(resource, tools)
            id = next(iter(workflow.ids()), "")
        if self._masks is None or not id or not marks:
            return None
        run = self._tracker.shown
        size = resource.facets if resource is not None else {}
        step = mask_preview.step_of(size.get("width", 1), size.get("height", 1))
        if step > 1:
            marks = [[v if isinstance(v, bool) else v / step for v in mark] for mark in marks]
        one, output = mask_preview.alone(workflow, tools, workflow.node(id), marks, run, reading)
        if step > 1:
            one = await asyncio.to_thread(self._masks.shrunk, one, step)
        return await self._masks.find(self._masks.on_best(one, id, tools), id, output)

    @property
    def shows_masks(self) -> bool:
        """True when `preview_mask` can find any."""
        return self._masks is not None

    def warm_masks(self) -> None:
        """Starts what finds masks ahead of the first request. To be called while a loop runs."""
        if self._masks is not None:
            self._masks.warm()

    def waiting_for(self, name: str) -> str:
        """The id of the first node that takes clicks on the resource `name`, "" when there is none."""
        return clicks.waiting_for(self._state.workflow, self._state.tools, self._asked.pictures(), name)

    def as_drawn(self, workflow: Workflow) -> Workflow:
        """With what was drawn on a picture before there was a plan for it."""
        state, tools = self._state, self._state.tools
        for name, (what, mask) in drawn_masks.latest(state.resources.values(), state.graph.points).items():
            targets = clicks.pointed(workflow, tools, self._asked.pictures(), name)
            targets = drawn_masks.open_targets(workflow, targets, what)
            workflow = drawn_masks.with_drawn(workflow, tools, targets, what, mask)
        return workflow

    async def close(self) -> None:
        if self._masks is not None:
            await self._masks.close()

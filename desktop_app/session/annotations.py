"""What the user points at and draws in pictures, and the masks that would come of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from desktop_app.graph.workflow import Workflow
from desktop_app.services import mask_preview
from desktop_app.session import drawn_masks, questions
from desktop_app.session.messages import Change
from desktop_app.session.state import Core
from nodes.api import Point


class Marks(Core):
    """Clicks, boxes and drawings."""

    def point(self, name: str, points: Sequence[Point]) -> None:
        """Keeps the clicks on a resource and fills every port that waits for them: one undo step.

        Raises BadRequest when a point lies outside the picture or there is no such resource.
        """
        questions.check_points(self.find(name), name, points, self.resources)
        pictures = self._pictures()

        def filled(workflow: Workflow) -> Workflow:
            return questions.with_points(workflow, self.tools, pictures, name, tuple(points))

        self._change(
            workflow=filled(self.workflow),
            alternatives=tuple(replace(way, workflow=filled(way.workflow)) for way in self.alternatives),
            points={**self.points, name: tuple(points)},
        )
        self._close_questions()
        self._tell(Change.RESOURCES | Change.PLAN)

    async def use_drawn(self, name: str, what: drawn_masks.Drawn, node: str = "", port: str = "") -> None:
        """Puts what was drawn on the resource `name` into a port, or wherever clicks on it are wanted: one undo step.

        A mask of it becomes a resource. Raises BadRequest as `point` does, or StorageError.
        """
        questions.check_points(self.find(name), name, what.said, self.resources)
        mine = self.id
        mask = await asyncio.to_thread(drawn_masks.keep, self._store, name, what) if what.mask is not None else None
        if mine != self.id:
            return
        mask = self._hold(mask) if mask is not None else None
        pictures = self._pictures()

        def filled(workflow: Workflow) -> Workflow:
            targets = [(node, port)] if node in workflow.ids() else []
            targets = targets if node else questions.pointed(workflow, self.tools, pictures, name)
            return drawn_masks.with_drawn(workflow, self.tools, targets, what, mask)

        self._change(
            workflow=filled(self.workflow),
            alternatives=tuple(replace(way, workflow=filled(way.workflow)) for way in self.alternatives),
            points={**self.points, name: what.said},
        )
        self._close_questions()
        self._tell(Change.RESOURCES | Change.PLAN)

    async def preview_mask(self, name: str, marks: Sequence[Sequence[Any]], node: str = "", reading: str = "") -> Any:
        """The mask that clicks (or boxes) on the resource `name` would give: uint8 (height, width), 255 = selected.

        It is that of `node`, or of what waits for clicks on the resource, or else of a tool of our choice. `reading`
        says how much of what was clicked is meant, where the tool can be told. None when
        a newer request came meanwhile, or nothing here makes masks of clicks. Raises AppError that says why not.
        """
        resource = self.find(name)
        workflow = self.workflow
        id = node or self.waiting_for(name)
        if not mask_preview.shows(workflow, self.tools, id) and resource is not None:
            workflow = mask_preview.anyone(resource, self.tools)
            id = next(iter(workflow.ids()), "")
        if self._masks is None or not id or not marks:
            return None
        one, output = mask_preview.alone(workflow, self.tools, workflow.node(id), marks, self.run, reading)
        return await self._masks.find(self._masks.on_best(one, id, self.tools), id, output)

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
        return questions.waiting_for(self.workflow, self.tools, self._pictures(), name)

    def _as_drawn(self, workflow: Workflow) -> Workflow:
        """With what was drawn on a picture before there was a plan for it."""
        for name, (what, mask) in drawn_masks.latest(self.resources.values(), self.points).items():
            targets = questions.pointed(workflow, self.tools, self._pictures(), name)
            targets = drawn_masks.open_targets(workflow, targets, what)
            workflow = drawn_masks.with_drawn(workflow, self.tools, targets, what, mask)
        return workflow

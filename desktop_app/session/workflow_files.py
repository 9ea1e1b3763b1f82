"""Workflows as files: saved, as scripts too, and opened; and files that are attached to the conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from desktop_app.core.errors import AppError, BadRequest, OutsideFiles
from desktop_app.export import files
from desktop_app.export.script import write_script
from desktop_app.graph import port_values
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.types import Question
from desktop_app.session import consent
from desktop_app.session.comparison.traces import traces
from desktop_app.session.follow_up import set_apart, settled
from desktop_app.session.messages import Change
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.state import SessionState
from desktop_app.storage.resources import Resource, Store, attach, attach_all
from nodes.phrase import Phrase


class FileController:
    """Reads and writes for a session. Its `store` has the files of resources."""

    def __init__(self, state: SessionState, tracker: RunTracker, questions: QuestionController, store: Store) -> None:
        self._state, self._tracker, self._questions, self._store = state, tracker, questions, store

    def attach(self, path: Path) -> Resource:
        """A file as a resource of the conversation. Raises BadRequest or StorageError. Waits for the disk."""
        return self._state.hold(attach(path, self._store))

    async def bring(self, path: Path) -> Resource:
        """As `attach`, with the work on the file done on a thread."""
        mine = self._state.id
        self._state.begun = True
        resource = await asyncio.to_thread(attach, path, self._store)
        if mine != self._state.id:
            raise BadRequest(
                Phrase("{path} was not attached: another conversation is open.", path=path.name), "Attach it again."
            )
        return self._state.hold(resource)

    def attach_all(self, paths: Sequence[Path]) -> tuple[Resource, ...]:
        """Files and folders as resources, many of one type as a batch. Raises as `attach`, before any is taken."""
        found, fault = attach_all(paths, self._store)
        if fault is not None:
            raise fault
        return tuple(map(self._state.hold, found))

    async def bring_all(self, paths: Sequence[Path]) -> tuple[tuple[Resource, ...], AppError | None]:
        """As `attach_all`, with the work on the files done on a thread; what can be attached is, and the first fault
        is told."""
        mine = self._state.id
        self._state.begun = True
        found, fault = await asyncio.to_thread(attach_all, paths, self._store)
        if mine != self._state.id:
            said = Phrase("{path} was not attached: another conversation is open.", path=paths[0].name)
            return (), BadRequest(said, "Attach it again.")
        return tuple(map(self._state.hold, found)), fault

    def save(self, path: Path) -> None:
        """Writes the workflow as JSON. Raises StorageError."""
        files.save_workflow(self._state.workflow, path)

    def save_script(self, path: Path) -> None:
        """Writes a Python script that runs the same workflow, its files beside it. Raises StorageError."""
        write_script(self._state.workflow, self._state.tools, self._store, path)

    def open(self, path: Path, outside: bool = False) -> None:
        """Takes a saved workflow, or that inside a result: one undo step.

        Files outside its folder are read only with `outside`. Raises OutsideFiles, BadWorkflow or BadRequest; then
        nothing has changed.
        """
        self._show(files.open_workflow(path, self._store, outside), path)

    async def load(self, path: Path, outside: bool = False) -> None:
        """As `open`, with the work on the files done on a thread; asks in the chat about files outside its folder."""
        mine = self._state.id
        try:
            workflow = await asyncio.to_thread(files.open_workflow, path, self._store, outside)
        except OutsideFiles as error:
            if mine == self._state.id:
                asked = consent.files_question(error.file, error.shown, str(path))
                self._state.log.say("assistant", asked.text, questions=(asked,), open=True)
            return
        if mine == self._state.id:
            self._show(workflow, path)

    async def answer_files(self, question: Question, choice: str) -> None:
        """Takes what the user says to a question about files outside a workflow's folder. Raises as `open` does."""
        self._questions.settle(question)
        if choice == consent.READ:
            await self.load(Path(question.resource), outside=True)

    def _show(self, workflow: Workflow, path: Path) -> None:
        """Takes the workflow over, marked as perhaps from someone else. What was agreed to before counts no more."""
        state, tools = self._state, self._state.tools
        port_values.check(workflow, tools)
        here = {trace: id for id, trace in traces(state.workflow, tools).items()}
        taken = state.used_ids.union(state.resources, (r.name for r in workflow.resources))
        workflow, _ = settled(set_apart(workflow), tools, taken, here)
        workflow = state.admit(workflow)
        self._questions.distrust(path.name)
        state.change(workflow=workflow, chosen=0, alternatives=())
        self._tracker.show(workflow)
        state.emit(Change.PLAN | Change.RESOURCES | Change.RUN)

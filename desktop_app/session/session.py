"""Session: one conversation - messages, resources, alternatives, the chosen workflow, its run, undo.

The window and the command line read it and call its verbs; it must not know either.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from desktop_app.core.errors import OutsideFiles
from desktop_app.export import files
from desktop_app.export.script import write_script
from desktop_app.graph import port_values
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.types import Question
from desktop_app.session import consent
from desktop_app.session.comparison.traces import traces
from desktop_app.session.follow_up import set_apart, settled
from desktop_app.session.messages import Alternative, Change, Message, Reference, Talk, looked_at_again
from desktop_app.session.planning import Plans
from desktop_app.session.snapshot_codec import Snapshot
from desktop_app.session.stepwise.turn import LaterChooser
from desktop_app.session.undo import Edits
from desktop_app.storage.resources import Resource

__all__ = ["Alternative", "Change", "Message", "Reference", "Session"]
EVERYTHING = Change.MESSAGES | Change.RESOURCES | Change.PLAN | Change.WORKFLOW | Change.RUN | Change.BUSY


class Session(Plans):
    """Read the fields, call the verbs; never assign the fields from outside.

    `points` are the clicks by resource name. `busy` is "" or what goes on ("Planning"). `id` is another one in each
    conversation. Listeners are called on the loop's thread, at most about 30 times a second while a run goes on.
    `upkeep` tells which models are in memory, and gives that back.
    """

    def new(self) -> None:
        """An empty conversation."""
        self._clear()
        self._tell(EVERYTHING)

    def snapshot(self) -> Snapshot:
        """All that the conversation holds now, to be kept."""
        return Snapshot(
            self.id, self.title, self.messages, tuple(self.resources.values()), self._edits.state, self._edits.done,
            self._edits.undone, dict(self._running.made), self._running.run, self.plan, self._running.records.runs,
            self.spent, tuple(self._running.past.values()), dict(self._running.origins),
            self.agreed.source, tuple(sorted(self.agreed.tools)), frozenset(self._ids),
        )  # fmt: skip

    def restore(self, kept: Snapshot) -> None:
        """Shows a conversation that was kept, in place of the present one."""
        self._clear()
        self.id, self.title, self.plan = kept.id, kept.title, kept.plan
        self.resources = {resource.name: resource for resource in kept.resources}
        self._talk = Talk(lambda: self._tell(Change.MESSAGES), _with_run(kept.messages, kept.run.id))
        said = consent.addresses(message.text for message in kept.messages if message.role == "user")
        self.agreed = replace(self.agreed, source=kept.source, tools=frozenset(kept.allowed), typed=said)
        ways = looked_at_again(kept.state.alternatives, self.tools)  # models come and go between two starts
        self._edits = Edits(replace(kept.state, alternatives=ways), kept.redo, kept.undo)
        made, graph = dict(kept.made), kept.state.workflow
        self._note_ids(*kept.undo, kept.state, *kept.redo)
        self._ids.update(kept.ids or (), *(workflow.ids() for workflow, _ in kept.runs))
        self._running.restore(kept.run, made, kept.runs, kept.past, kept.origins, graph)
        if kept.ids is None and kept.runs:  # the ids of that run may be those of other nodes by now
            self._show_results_of(self.workflow)
        if kept.lost:
            self._talk.say("assistant", kept.lost, kind="error")
        self._planning.tally.add(kept.spent)
        self._stepping = self._make_stepping()
        self._stepping.take_up(LaterChooser(self._chooser))
        self._tell(EVERYTHING)

    def save(self, path: Path) -> None:
        """Writes the workflow as JSON. Raises StorageError."""
        files.save_workflow(self.workflow, path)

    def save_script(self, path: Path) -> None:
        """Writes a Python script that runs the same workflow, its files beside it. Raises StorageError."""
        write_script(self.workflow, self.tools, self._store, path)

    def origin(self, resource: Resource) -> Workflow | None:
        """The part of the workflow that made a result when it was run, whatever became of the graph since; None when
        nothing here did, or it is not known any more.
        """
        origin = self._running.origin(resource)
        if origin is None:
            return None
        workflow, node, output = origin
        return workflow.part(node, output)

    def open(self, path: Path, outside: bool = False) -> None:
        """Takes a saved workflow, or that inside a result: one undo step.

        Files outside its folder are read only with `outside`. Raises OutsideFiles, BadWorkflow or BadRequest; then
        nothing has changed.
        """
        self._show_file(files.open_workflow(path, self._store, outside), path)

    async def load(self, path: Path, outside: bool = False) -> None:
        """As `open`, with the work on the files done on a thread; asks in the chat about files outside its folder."""
        mine = self.id
        try:
            workflow = await asyncio.to_thread(files.open_workflow, path, self._store, outside)
        except OutsideFiles as error:
            if mine == self.id:
                asked = consent.files_question(error.file, error.shown, str(path))
                self._talk.say("assistant", asked.text, questions=(asked,), open=True)
            return
        if mine == self.id:
            self._show_file(workflow, path)

    async def answer_files(self, question: Question, choice: str) -> None:
        """Takes what the user says to a question about files outside a workflow's folder. Raises as `open` does."""
        self._settle(question)
        if choice == consent.READ:
            await self.load(Path(question.resource), outside=True)

    async def close(self) -> None:
        """Ends the lanes."""
        await self._running.engine.close()
        if self._masks is not None:
            await self._masks.close()
        close_chat = getattr(self._chat, "close", None)  # one on this computer has a lane; a server has nothing to end
        if close_chat is not None:
            await close_chat()

    def _show_file(self, workflow: Workflow, path: Path) -> None:
        """Takes the workflow over, marked as perhaps from someone else. What was agreed to before counts no more."""
        port_values.check(workflow, self.tools)
        here = {trace: id for id, trace in traces(self.workflow, self.tools).items()}
        taken = self._ids.union(self.resources, (r.name for r in workflow.resources))
        workflow, _ = settled(set_apart(workflow), self.tools, taken, here)
        workflow = self._admitted(workflow)
        self.agreed = replace(self.agreed, source=path.name, tools=frozenset())
        self._change(workflow=workflow, chosen=0, alternatives=())
        self._show_results_of(workflow)
        self._tell(Change.PLAN | Change.RESOURCES | Change.RUN)


def _with_run(messages: tuple[Message, ...], run: str) -> tuple[Message, ...]:
    """The messages; where none tells of which run it is, as in those that an older program kept, the last list of a run
    is that of the latest.
    """
    last = next((message for message in reversed(messages) if message.kind == "run"), None)
    if last is None or any(message.run for message in messages):
        return messages
    return tuple(replace(message, run=run) if message is last else message for message in messages)

"""Session: one conversation - messages, resources, alternatives, the chosen workflow, its run, undo.

The window and the command line read it and call its verbs; it must not know either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.core.paths import home
from desktop_app.graph.workflow import Workflow
from desktop_app.llm.token_usage import Spent
from desktop_app.models.downloads import Downloads
from desktop_app.plan.types import Plan
from desktop_app.run.events.run_record import Run
from desktop_app.run.maintenance import Upkeep
from desktop_app.session import consent
from desktop_app.session.annotations import AnnotationController
from desktop_app.session.answering.answer_writer import AnswerWriter
from desktop_app.session.conversation import Conversationalist
from desktop_app.session.follow_ups import FollowUpController
from desktop_app.session.messages import Alternative, Change, Message, Reference, looked_at_again
from desktop_app.session.model_downloads import FetchController
from desktop_app.session.planning import PlanningController
from desktop_app.session.questions import QuestionController
from desktop_app.session.run_tracker import RunTracker
from desktop_app.session.runs import RunController
from desktop_app.session.snapshot_codec import Snapshot
from desktop_app.session.state import SessionState, StepSettings, UndoStack
from desktop_app.session.stepwise.loop import StepwiseController
from desktop_app.session.undo import UndoController
from desktop_app.session.workflow_files import FileController
from desktop_app.storage.resources import Resource, Store
from nodes.api import Point, Tool

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.plan.planner import Planner
    from desktop_app.run.engine import Engine
    from desktop_app.services.mask_preview import MaskFinder
    from desktop_app.storage.database import History

__all__ = ["Alternative", "Change", "Message", "Reference", "Session"]
EVERYTHING = Change.MESSAGES | Change.RESOURCES | Change.PLAN | Change.WORKFLOW | Change.RUN | Change.BUSY


class Session:
    """Makes the parts of a session and joins them; read what they show, and call their verbs here.

    Listeners are called on the loop's thread, at most about 30 times a second while a run goes on. `upkeep` tells which
    models are in memory, and gives that back. What can be read is described in `SessionView`, the verbs are described
    where they are done.
    """

    def __init__(
        self,
        tools: Mapping[str, Tool],
        planner: Planner,
        engine: Engine,
        store: Store,
        history: History,
        chat: ChatModel | None = None,
        masks: MaskFinder | None = None,
        upkeep: Upkeep | None = None,
        downloads: Downloads | None = None,
    ) -> None:
        self.tools, self.store = tools, store
        self.downloads = downloads or Downloads()
        self.upkeep = upkeep or Upkeep(engine)
        state = self.state = SessionState(tools)
        self.listen, self.find, self.unused = state.listen, state.find, state.unused
        self.path_of, self.value_of = store.path_of, store.value

        tracker = self.tracker = RunTracker(engine, state)
        self.ran, self.origin = tracker.ran, tracker.part_of

        asked = self.asked = QuestionController(state, tracker, history)
        self.questions, self.reply = asked.open, asked.reply
        self.allow, self.always_allow, self.typed = asked.allow, asked.always_allow, asked.typed
        self.allow_all = asked.allow_all

        answers = self.answers = AnswerWriter(state, tracker, store, chat)
        steps = self.stepwise = StepwiseController(state, tracker, asked, answers.write, store.value)
        self.approve, self.decline, self.go_on = steps.approve, steps.decline, steps.go_on

        changes = self.changes = UndoController(state, tracker, asked, steps.interrupt)
        self.choose, self.edit, self.amend, self.move = changes.choose, changes.edit, changes.amend, changes.move
        self.undo, self.redo, self.come_back = changes.undo, changes.redo, changes.come_back

        fetch = FetchController(state, asked, self.downloads)
        runs = self.runs = RunController(state, tracker, asked, steps, answers, history, fetch, changes)
        self.answer_fetch, self.get_for, self.look_again = runs.answer_fetch, runs.get_for, fetch.look_again
        self.start, self.start_or_tell = runs.start, runs.start_or_tell
        self.start_from, self.try_again = runs.start_from, runs.try_again
        self.run_ways, self.stop_item, self.answer_consent = runs.run_ways, runs.stop_item, runs.answer_consent
        self.answer_time, self.to_decide = runs.answer_time, runs.to_decide
        self.workflow_of, self.results_of, self.seconds_of = runs.workflow_of, runs.results_of, runs.seconds_of
        self.usual_seconds, self.holds = runs.usual_seconds, runs.holds

        marks = self.annotations = AnnotationController(state, tracker, asked, store, masks)
        self.point, self.use_drawn, self.waiting_for = marks.point, marks.use_drawn, marks.waiting_for
        self.preview_mask, self.warm_masks, self.shows_masks = marks.preview_mask, marks.warm_masks, marks.shows_masks

        self.planning = PlanningController(
            state, tracker, asked, steps, planner, chat, changes, marks.as_drawn, history,
            FollowUpController(state, tracker, changes), Conversationalist(state, runs.seconds_of),
        )  # fmt: skip
        self.ask, answers.unserved = self.planning.ask, self.planning.unserved
        self.respond = self.planning.respond
        self.planning.tables.value_of = store.value

        files = FileController(state, tracker, asked, store)
        self.attach, self.bring, self.save, self.save_script = files.attach, files.bring, files.save, files.save_script
        self.attach_all, self.bring_all = files.attach_all, files.bring_all
        self.open, self.load, self.answer_files = files.open, files.load, files.answer_files

    # What the conversation holds

    @property
    def id(self) -> str:
        return self.state.id

    @property
    def title(self) -> str:
        return self.state.title

    @property
    def busy(self) -> str:
        return self.state.busy

    @property
    def messages(self) -> tuple[Message, ...]:
        return self.state.log.messages

    @property
    def resources(self) -> dict[str, Resource]:
        return self.state.resources

    @property
    def plan(self) -> Plan | None:
        return self.state.plan

    @property
    def agreed(self) -> consent.Consent:
        return self.state.agreed

    @property
    def steps(self) -> StepSettings:
        return self.state.steps

    @property
    def spent(self) -> Spent:
        return self.state.tally.spent

    @property
    def language_model(self) -> str:
        return self.planning.chat.name if self.planning.chat is not None else ""

    # The graph

    @property
    def workflow(self) -> Workflow:
        return self.state.workflow

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        return self.state.graph.alternatives

    @property
    def chosen(self) -> int:
        return self.state.graph.chosen

    @property
    def saved_as(self) -> str:
        return self.state.graph.saved_as

    @property
    def points(self) -> Mapping[str, tuple[Point, ...]]:
        return self.state.graph.points

    @property
    def can_undo(self) -> bool:
        return bool(self.state.history.done)

    @property
    def can_redo(self) -> bool:
        return bool(self.state.history.undone)

    # Its run

    @property
    def run(self) -> Run:
        return self.tracker.shown

    @property
    def going(self) -> Run:
        return self.tracker.going

    @property
    def running_way(self) -> int | None:
        return self.runs.running_way

    @property
    def next_way(self) -> int | None:
        return self.answers.next_way

    @property
    def proposed(self) -> str:
        return self.stepwise.proposed

    @property
    def can_go_on(self) -> bool:
        return self.stepwise.can_go_on

    @property
    def recording(self) -> Path | None:
        return home() / "runs" / f"{self.run.id}.jsonl" if self.run.id else None

    # The session as a whole

    def use(self, planner: Planner, chat: ChatModel | None) -> None:
        """Plans with that planner, and words answers with that language model, from the next request on."""
        self.planning.planner, self.planning.chat, self.answers.chat = planner, chat, chat

    def use_steps(self, steps: StepSettings) -> None:
        """Goes step by step as these settings say, from the next request on."""
        self.state.steps = steps

    def forget_listeners(self) -> None:
        self.state.forget_listeners()
        self.downloads.forget_all()

    def rename(self, title: str) -> None:
        """Gives the conversation that title; an empty one changes nothing."""
        if title.strip():
            self.state.title = " ".join(title.split())[:60]
            self.state.emit(Change.MESSAGES)

    def knows_plan(self, plan: int) -> bool:
        """True for the message of a plan that `come_back` can show again, and that is not the one shown."""
        found, now = self.state.plans.get(plan), self.state.graph.alternatives
        if found is None:
            return False
        shown = [id(way.solution) for way in now]  # the costs of a way change, and what was pointed at in it
        return [id(way.solution) for way in found.alternatives] != shown

    def stop(self) -> None:
        """Stops the run, what the language model plans or says, and what goes on step by step; results stay."""
        self.planning.stop()
        self.answers.stop()
        self.tracker.engine.cancel()
        self.stepwise.stop()

    def begin(self) -> None:
        """The user begins here: the conversation of last time takes its place no more."""
        self.state.begun = True

    def new(self) -> None:
        self._clear()
        self.state.emit(EVERYTHING)

    def _clear(self) -> None:
        self.stepwise.leave()
        self.planning.stop()
        self.state.clear()
        self.tracker.forget()

    def snapshot(self) -> Snapshot:
        state, tracker, history = self.state, self.tracker, self.state.history
        return Snapshot(
            state.id, state.title, self.messages, tuple(state.resources.values()), history.state, history.done,
            history.undone, dict(tracker.made), tracker.run, state.plan, tracker.records.runs, self.spent,
            tuple(tracker.past.values()), dict(tracker.origins), state.agreed.source,
            tuple(sorted(state.agreed.tools)), frozenset(state.used_ids),
        )  # fmt: skip

    def restore(self, kept: Snapshot) -> None:
        """Shows a conversation that was kept, in place of the present one."""
        self._clear()
        state, tracker = self.state, self.tracker
        state.id, state.title, state.plan = kept.id, kept.title, kept.plan
        state.resources = {resource.name: resource for resource in kept.resources}
        state.fill_log(_with_run(kept.messages, kept.run.id))
        said = consent.addresses(message.text for message in kept.messages if message.role == "user")
        state.agreed = replace(state.agreed, source=kept.source, tools=frozenset(kept.allowed), typed=said)
        ways = looked_at_again(kept.state.alternatives, self.tools)  # models come and go between two starts
        state.history = UndoStack(replace(kept.state, alternatives=ways), kept.redo, kept.undo)
        state.note_ids(*kept.undo, kept.state, *kept.redo)
        state.used_ids.update(kept.ids or (), *(workflow.ids() for workflow, _ in kept.runs))
        tracker.restore(kept.run, dict(kept.made), kept.runs, kept.past, kept.origins, kept.state.workflow)
        if kept.ids is None and kept.runs:  # the ids of that run may be those of other nodes by now
            tracker.show(state.workflow)
        if kept.lost:
            state.log.say("assistant", kept.lost, kind="error")
        state.tally.add(kept.spent)
        self.planning.take_up()
        state.emit(EVERYTHING)

    async def close(self) -> None:
        self.downloads.close()
        await self.tracker.engine.close()
        await self.annotations.close()
        close_chat = getattr(self.planning.chat, "close", None)  # one on this computer has a lane; a server none
        if close_chat is not None:
            await close_chat()


def _with_run(messages: tuple[Message, ...], run: str) -> tuple[Message, ...]:
    """The messages; where none tells of which run it is, as in those that an older program kept, the last list of a run
    is that of the latest.
    """
    last = next((message for message in reversed(messages) if message.kind == "run"), None)
    if last is None or any(message.run for message in messages):
        return messages
    return tuple(replace(message, run=run) if message is last else message for message in messages)

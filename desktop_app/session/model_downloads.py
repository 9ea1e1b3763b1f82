"""Fetching what the user agreed to, and what changes in a conversation once it is here."""

from __future__ import annotations

from desktop_app.models.downloads import GOING, Downloads
from desktop_app.plan.types import Question
from desktop_app.run.backends import availability, selection
from desktop_app.session.messages import Change, looked_at_again
from desktop_app.session.questions import QuestionController
from desktop_app.session.state import SessionState
from nodes import load_tools


class FetchController:
    def __init__(self, state: SessionState, questions: QuestionController, downloads: Downloads) -> None:
        self._state, self._questions, self._downloads = state, questions, downloads

    async def fetch(self, asked: Question) -> bool:
        """Fetches what the question is about; true when all of it is here. A failure is told in the chat, unless the
        question is there, below which it is told with a button that tries again.
        """
        state, mine, ids = self._state, self._state.id, asked.resource.split()
        got = await self._downloads.get(ids)
        self.look_again()
        if mine != state.id:
            return False
        seen = any(message.open and asked in message.questions for message in state.log.messages)
        for id in () if seen else ids:
            failed = self._downloads.all.get(id)
            if not got and failed is not None and failed.message:
                state.log.say("assistant", failed.message, kind="error", fix=failed.fix)
        return got

    def paused(self, asked: Question) -> bool:
        """Pauses what of it is being fetched; false when nothing is."""
        going = [id for id in asked.resource.split() if id in self._downloads.all]
        going = [id for id in going if self._downloads.all[id].state in GOING]
        for id in going:
            self._downloads.pause(id)
        return bool(going)

    def goes(self, asked: Question) -> bool:
        """True when some of it is being fetched, or was begun."""
        return any(id in self._downloads.all for id in asked.resource.split())

    def look_again(self) -> None:
        """Something was fetched or removed: what a run would take, and what that costs, may have changed."""
        load_tools()  # a model may have been added
        availability.look_again()
        selection.look_again()
        state = self._state
        ways = looked_at_again(state.graph.alternatives, state.tools)
        if ways is not state.graph.alternatives:
            state.revalue(ways)
        self._questions.close_answered()
        state.emit(Change.PLAN | Change.WORKFLOW)
        self._downloads.tell()

    def decline(self, asked: Question) -> None:
        self._state.declined |= frozenset(asked.resource.split())

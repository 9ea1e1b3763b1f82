"""What would work, where a wish is not planned: because it cannot be, nobody wants it any more, or it says nothing."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from desktop_app.i18n.tools import original
from desktop_app.plan.types import Plan, Question
from desktop_app.session import conversation
from desktop_app.session.asking import vague_wishes
from desktop_app.session.asking.wish import Wish
from desktop_app.session.conversation import Conversationalist
from desktop_app.session.messages import brought_last
from desktop_app.session.questions import QuestionController
from desktop_app.session.state import SessionState
from nodes.phrase import Phrase, joined

if TYPE_CHECKING:
    from desktop_app.llm.chat import ChatModel
    from desktop_app.plan.planner import Planner

SURE = 0.7
"""A doubt about a plan at least so probable is not told: of 39 plans from here to 0.8 on fresh requests 30 were right,
of 14 from 0.6 to it 8.
"""
NO_WAY = Phrase("I found no way to do this with the tools that are here.")
LEFT = Phrase("All right, I leave that. Say what you would like instead.")


class InUse(Protocol):
    """The planner and the language model of now: settings may change both."""

    planner: Planner
    chat: ChatModel | None


class SuggestionController:
    """Says what would work. Each suggestion is planned before it is made."""

    def __init__(
        self, state: SessionState, questions: QuestionController, talk: Conversationalist, in_use: InUse
    ) -> None:
        self._state, self._questions, self._talk, self._in_use = state, questions, talk, in_use

    async def ask_what(self, wish: Wish) -> bool:
        """Asks what shall be done with the file, where the wish does not say it; False where it does, where nothing is
        there, and where a language model may know.
        """
        state, files = self._state, [*wish.files] or [*self._state.resources]
        if self._in_use.chat is not None or not files or not vague_wishes.is_vague(wish.text):
            return False
        kind = str(state.resources[files[-1]].type)
        with state.log.speaking():
            wishes = vague_wishes.usual(kind, files[-1], original(state.tools))
        offered = [one for one, tool in wishes.items() if await self.works(one, tool)][: vague_wishes.MOST]
        question = Question(Phrase("What shall be done with it?"), "text", tuple(offered))
        state.log.say("assistant", question.text, questions=(question,), open=True)
        return True

    async def leave(self, wish: str, avoided: Collection[str]) -> None:
        """Says that a wish is left, and what would work with the files that are here; without the tools `avoided`."""
        near = [tool for tool in await self._in_use.planner.nearest(wish, self._types(), 3) if tool.id not in avoided]
        model = "?" if self._in_use.chat is not None else ""
        with self._state.log.speaking():
            said, offers = await conversation.refusal(LEFT, near, (), (), self._types(), model, self.works)
        self._state.log.say("assistant", said, offers=offers)

    async def refuse(self, plan: Plan, wish: Wish) -> None:
        """Says what was understood, why it cannot be done, and offers what would work."""
        near = await self._in_use.planner.nearest(wish.planned, self._types(), 3)
        pieces = (conversation.as_said(task.description, wish.planned) for task in plan.subtasks)
        understood = [said for said in filter(None, pieces) if await self.works(said)]
        files = [name for name in self._state.resources if name in wish.files or name in wish.planned]
        cause, chat = joined(*plan.causes) or NO_WAY, self._in_use.chat
        model = chat.name or "?" if chat is not None else ""
        from desktop_app.plan.ranking.refusal import is_outside  # here: the first window does without

        spoken = await self._in_use.planner.speaking_of(wish.planned, conversation.MOST_TRIED)
        with self._state.log.speaking():
            examples = self._talk.examples(conversation.MOST_TRIED, spoken)
            instead, spare = (examples, ()) if is_outside(cause) else (None, examples)
            said, offers = await conversation.refusal(
                cause, near, understood, files, self._types(), model, self.works, instead, spare
            )
        wish.say(self._state.log, joined(plan.notice, said), kind="text", offers=offers)

    def of_kind(self, kind: str) -> conversation.Said:
        """What can be done with things of that type, or of that of the last file."""
        files = self._state.resources
        name = "" if kind or not files else [*files][-1]
        kind = kind or (str(files[name].type) if name else "image")
        return self._talk.with_kind(kind, vague_wishes.wanted(kind, name))

    async def works(self, text: str, tool: str = "") -> bool:
        """True when it is planned as no guess for the files that came last, and nothing has to be asked. A wish of that
        tool is no guess where it is planned with that.
        """
        names = brought_last(self._state.log.messages)
        plan = await self._in_use.planner.offline(self._questions.request(text, names, ()))
        first = plan.solutions[0] if plan.solutions else None
        if first is None or first.questions:
            return False
        return first.steps[-1].tool == tool if tool else first.score >= SURE

    def _types(self) -> set[str]:
        return {str(resource.type) for resource in self._state.resources.values()}

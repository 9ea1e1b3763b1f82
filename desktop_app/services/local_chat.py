"""A chat model of the catalogue on this computer, in a lane of its own. Must not know the window.

Nothing is computed in this process. What a model of a few billion numbers may write is held to the schema in the lane,
so that a reply to be read by the program is always whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from desktop_app.core.errors import BadReply
from desktop_app.core.paths import home
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.llm.chat import ChatMessage
from desktop_app.llm.token_usage import Price
from desktop_app.models import store as models
from desktop_app.models.catalogue import Model, catalogue
from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.storage.resources import Resource
from nodes import LazyTools
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from desktop_app.run.engine import Engine
    from desktop_app.run.events.run_record import Run
    from desktop_app.storage.resources import Store
    from nodes.api import Tool

SILENT_SECONDS = 300.0
MOST_TOKENS = 1024
CONTEXT = 6144
_NODE = "reply"
_SHARE = 0.75
"""Of the memory, for a model that nobody has chosen."""


@cache
def _tool() -> Tool:
    """Declared when it is first asked for: for that the catalogue is read, for which no window waits."""
    from nodes.text._converse import TOOL

    return TOOL


TOOLS = LazyTools(lambda: {_tool().id: _tool()})
"""What the engine of a LocalChat has to know."""


def chat_models() -> tuple[Model, ...]:
    """The models of the catalogue that can be talked to, in its order."""
    usable = {backend.model for backend in _tool().backends}
    return tuple(model for id, model in catalogue().items() if id in usable)


def proposed() -> Model | None:
    """The one to take when none is chosen: the best on disk, else the best that leaves others a quarter of the memory,
    else the smallest; None when the catalogue has none.
    """
    there = [model for model in chat_models() if models.present(model)]
    fitting = [model for model in chat_models() if model.memory_bytes <= memory_bytes() * _SHARE]
    if there or fitting:
        return max(there or fitting, key=lambda model: model.quality)
    return min(chat_models(), key=lambda model: model.size_bytes, default=None)


def memory_bytes() -> int:
    """What this computer has, free or not."""
    import psutil

    return psutil.virtual_memory().total


class LocalChat:
    """A ChatModel. Requests wait for one another; one that is left stops at its next step, and keeps the model loaded.

    `engine` is one for this alone, made with TOOLS; without a `model` the best on disk is taken. `seconds` is how long
    it may be silent: to load a model takes a while, and to read a long request another.
    """

    price = Price()

    def __init__(self, engine: Engine, store: Store, model: str = "", seconds: float = SILENT_SECONDS) -> None:
        self.name = model
        self._engine, self._store, self._seconds = engine, store, seconds
        self._free = asyncio.Lock()
        self._turns: set[asyncio.Task[Run | None]] = set()

    async def context(self) -> int:
        """So many tokens are told: to read more takes minutes where there is no GPU."""
        return CONTEXT

    async def stream(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> AsyncIterator[str]:
        """As in ChatModel: the likeliest reply. With a schema it is one whole JSON value of it, cut short if need be.

        Raises BadReply in words when the model is not there, does not fit, or its process ends.
        """
        turn = _Turn(_workflow(self._model(), messages, schema), self._engine)
        task = asyncio.ensure_future(self._run(turn))
        self._turns.add(task)
        task.add_done_callback(self._turns.discard)
        task.add_done_callback(turn.over)
        sent = ""
        try:
            while (text := await turn.next(self._seconds)) is not None:
                if len(text) > len(sent) and text.startswith(sent):
                    yield text[len(sent) :]
                    sent = text
            whole = await self._reply(task.result())
            if not whole.startswith(sent):  # memory ran out, and another device does not compute just the same
                raise BadReply("The language model had to begin anew in the middle of its reply.", "Ask again.")
            if whole != sent:
                yield whole[len(sent) :]
        except TimeoutError as error:
            raise BadReply(
                Phrase("The language model said nothing for {seconds} s.", seconds=f"{self._seconds:g}"), ""
            ) from error
        finally:
            turn.leave()

    def use(self, model: str, seconds: float = SILENT_SECONDS) -> None:
        """Talks with another model from the next request on, and gives the memory of the former back."""
        if model != self.name:
            self.release()
        self.name, self._seconds = model, seconds

    def release(self) -> None:
        """Gives the memory back, unless a reply is being made."""
        self._engine.release()

    async def close(self) -> None:
        """Ends what goes on and the lane, and with it gives back the memory. It can be talked to again."""
        await self._engine.close()

    def _model(self) -> Model:
        model = next((m for m in chat_models() if m.id == self.name), None) if self.name else proposed()
        if model is None:
            raise BadReply(
                Phrase("There is no chat model '{value}' in the catalogue.", value=self.name),
                "Choose one in the settings.",
            )
        if not models.present(model):
            how = Phrase("'graphwright models download {model}' gets it", model=model.id)
            raise BadReply(
                Phrase("The language model {model} is not on this computer yet; {how}.", model=model.title, how=how), ""
            )
        return model

    async def _run(self, turn: _Turn) -> Run | None:
        """The run of the turn; None when it was left before it began."""
        async with self._free:
            if turn.left:
                return None
            run = await self._engine.run(turn.workflow, turn.hear)
            with contextlib.suppress(OSError):  # what was said is not worth a place among the latest runs
                (home() / "runs" / f"{run.id}.jsonl").unlink(missing_ok=True)
            return run

    async def _reply(self, run: Run | None) -> str:
        record = run.nodes.get(_NODE) if run else None
        if record is None or record.state == "cancelled":
            raise BadReply("The language model was stopped.", "")
        if record.state != "done":
            raise BadReply(record.message or "The language model gave no reply.", record.fix)
        made = record.outputs["text"]
        assert isinstance(made, Resource)  # the port is not `many`
        return str(await asyncio.to_thread(self._store.value, made))


class _Turn:
    def __init__(self, workflow: Workflow, engine: Engine) -> None:
        self.workflow = workflow
        self.left = False
        self._engine = engine
        self._begun = self._ended = False
        self._said: asyncio.Queue[str | None] = asyncio.Queue()

    async def next(self, seconds: float) -> str | None:
        """The reply so far, "" for a sign of life before it begins, None after the end. Raises TimeoutError."""
        async with asyncio.timeout(seconds):  # wait_for of Python 3.11 can lose a cancellation
            return await self._said.get()

    def hear(self, batch: Sequence[Event]) -> None:
        """What the engine tells. Above fraction 0 a note is the reply so far, else it says what is being done."""
        self._begun = True
        for event in batch:
            if isinstance(event, events.NodeProgress):
                self._said.put_nowait(event.note.rstrip("\N{REPLACEMENT CHARACTER}") if event.fraction > 0 else "")
        if self.left and not self._ended:
            self._engine.cancel()

    def over(self, _: object) -> None:
        self._ended = True
        self._said.put_nowait(None)

    def leave(self) -> None:
        """Nobody listens any more. Does not wait, as this may be called when no loop can run what waits."""
        self.left = True
        if self._begun and not self._ended:
            self._engine.cancel()


def _workflow(model: Model, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None) -> Workflow:
    backend = next(backend.id for backend in _tool().backends if backend.model == model.id)
    spoken = json.dumps([{"role": m.role, "content": m.text} for m in messages], ensure_ascii=False)
    values: dict[str, Any] = {"messages": spoken, "max_tokens": MOST_TOKENS}
    if schema is not None:
        values["schema"] = json.dumps(schema, ensure_ascii=False)
    return Workflow(nodes=(Node(_NODE, _tool().id, values, backend),))

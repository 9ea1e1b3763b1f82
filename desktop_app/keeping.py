"""Keeps conversations: lists, opens and deletes the kept ones, and saves the open one shortly after each change.

Must not know the window.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from desktop_app.conversation import Change
from desktop_app.conversation_file import Snapshot, from_text, to_text
from desktop_app.errors import BadRequest, StorageError
from desktop_app.history import History, Saved
from desktop_app.resource import Resource
from desktop_app.session import Session
from nodes.api import ResourceType

SECONDS = 1.0
"""What changes within this time is saved together."""


@dataclass(frozen=True)
class Kept:
    """A conversation in a list: `changed` in seconds since the epoch, `text` what was said, for searching.

    `picture` is the first one that was attached, or made.
    """

    id: str
    title: str
    changed: float
    nodes: int = 0
    picture: Resource | None = None
    text: str = ""


class Conversations:
    """The kept conversations. Its verbs wait for the disk, so they are called on threads. They raise StorageError."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._known: dict[tuple[str, float], Kept] = {}

    def list(self, limit: int | None = None) -> tuple[Kept, ...]:
        """The latest first. One whose data is damaged is listed by its title. Only what was saved since is read again:
        of a long conversation that is megabytes.
        """
        known = self._known
        found = {
            (saved.id, saved.changed): known.get((saved.id, saved.changed)) or self._summary(saved)
            for saved in self._history.conversations()[:limit]
        }
        self._known = found if limit is None else known | found
        return tuple(found.values())

    def _summary(self, saved: Saved) -> Kept:
        return _summary(saved.id, saved.title, saved.changed, self._history.conversation(saved.id) or "")

    def read(self, id: str) -> Snapshot:
        """What can be read of it. Raises BadRequest when there is none of that id, BadWorkflow when it is none at all.

        Of a damaged one the text as it was is put beside the history: what is saved next has only what could be read.
        """
        text = self._history.conversation(id)
        if text is None:
            raise BadRequest("This conversation is no longer there.", "Choose another one.")
        found = from_text(text)
        if found.lost:
            aside = self._history.path.with_name(f"conversation-damaged-{id}.json")
            with contextlib.suppress(OSError):
                aside.write_text(text, "utf-8")
        return found

    def save(self, snapshot: Snapshot) -> None:
        """Keeps it in place of the one of that id."""
        self._history.save_conversation(snapshot.id, snapshot.title, to_text(snapshot))

    def delete(self, id: str) -> Callable[[], None]:
        """Forgets a conversation; what comes back puts it there again."""
        text = self._history.conversation(id)
        title = next((saved.title for saved in self._history.conversations() if saved.id == id), "")
        self._history.delete_conversation(id)
        return lambda: self._history.save_conversation(id, title, text) if text is not None else None


def _summary(id: str, title: str, changed: float, text: str) -> Kept:
    try:
        data = json.loads(text)
        pictures = [one for one in data["resources"] if one["type"] == ResourceType.IMAGE]
        graph = data["workflow"] if "workflow" in data else data["state"]["workflow"]  # the first is of format 1
        nodes = len(data["workflows"][graph]["nodes"])
        said = "\n".join(message["text"] for message in data["messages"])
        picture = Resource.from_json(pictures[0]) if pictures else None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return Kept(id, title, changed)
    return Kept(id, title or said.split("\n")[0][:60], changed, nodes, picture, said)


class Autosave:
    """Saves the session's conversation at most once in `seconds`, on a thread. `told(problem)` hears "" when it went
    well, else why not. Empty conversations are not kept.
    """

    def __init__(
        self,
        session: Session,
        conversations: Conversations,
        told: Callable[[str], None] = lambda problem: None,
        seconds: float = SECONDS,
    ) -> None:
        self._session, self._conversations = session, conversations
        self.told, self._seconds = told, seconds
        self._timer: asyncio.TimerHandle | None = None
        self._latest: Snapshot | None = None
        self._task: asyncio.Task[None] | None = None
        self.listen()

    def listen(self) -> None:
        """Hears of the session's changes, again after it forgot its listeners."""
        self._session.listen(self._changed)

    async def finish(self) -> None:
        """Saves what is not saved yet; returns when it is on the disk."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._begin()
        if self._task is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def _changed(self, change: Change) -> None:
        if change in (Change.BUSY, Change.RUN) and (change == Change.BUSY or self._session.run.running):
            return  # the results of a run are in the cache; a save for each would cost more than it gives
        snapshot = self._session.snapshot()
        if self._latest is not None and snapshot.id != self._latest.id and self._timer is not None:
            self._timer.cancel()  # another conversation is open now: the one before is saved as it was
            self._timer = None
            self._begin()
        self._latest = snapshot
        if self._timer is None:
            self._timer = asyncio.get_event_loop().call_later(self._seconds, self._due)

    def _due(self) -> None:
        self._timer = None
        self._begin()

    def _begin(self) -> None:
        snapshot = self._latest
        if snapshot is not None and (snapshot.messages or snapshot.state.workflow.nodes):
            self._task = asyncio.ensure_future(self._save(snapshot, self._task))

    async def _save(self, snapshot: Snapshot, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])  # else an older state might be written last
        try:
            await asyncio.to_thread(self._conversations.save, snapshot)
        except StorageError as error:
            self.told(str(error))
        else:
            self.told("")


async def open_kept(session: Session, conversations: Conversations, id: str) -> None:
    """Shows a kept conversation in the session. Raises AppError; then nothing has changed."""
    session.restore(await asyncio.to_thread(conversations.read, id))

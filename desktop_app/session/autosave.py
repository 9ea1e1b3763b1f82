"""Keeps conversations: lists, opens and deletes the kept ones, and saves the open one shortly after each change.

Must not know the window.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desktop_app.core.errors import AppError, BadRequest, StorageError
from desktop_app.graph.workflow import veiled
from desktop_app.i18n import catalogue
from desktop_app.session.messages import Change
from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import Snapshot, from_text, secrets_of, to_text
from desktop_app.session.view import SessionView
from desktop_app.storage.database import History, Saved
from desktop_app.storage.resources import Resource
from nodes import phrase
from nodes.api import ResourceType

SECONDS = 1.0
"""What changes within this time is saved together."""
OPEN_ELSEWHERE = "This conversation is open in another Graphwright."


@dataclass(frozen=True)
class Summary:
    """A conversation in a list: `changed` in seconds since the epoch, `text` what was said, for searching.

    `picture` is the first one that was attached, or made.
    """

    id: str
    title: str
    changed: float
    nodes: int = 0
    picture: Resource | None = None
    text: str = ""


class ConversationLocks:
    """Which conversations this program holds, so that another one does not write them too.

    A claim is a lock on a file in `folder`; it ends with the program, however that ends. On any thread.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[str, int] = {}
        self._one_at_a_time = threading.Lock()

    def take(self, id: str) -> bool:
        """True when the conversation is held from now on; false when another program holds it."""
        with self._one_at_a_time:
            if id in self._held:
                return True
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                handle = os.open(self._folder / id, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                return True  # where no file can be made, nothing can be kept that another could overwrite
            if not _locked(handle) or not self._is_there(id, handle):
                os.close(handle)
                return False
            self._held[id] = handle
            return True

    def give_back(self, id: str) -> None:
        """Lets others have the conversation; nothing happens when it is not held."""
        with self._one_at_a_time:
            handle = self._held.pop(id, None)
            if handle is None:
                return
            if sys.platform != "win32":  # where an open file cannot be removed
                (self._folder / id).unlink(missing_ok=True)
            os.close(handle)

    def give_back_all(self) -> None:
        for id in tuple(self._held):
            self.give_back(id)

    def _is_there(self, id: str, handle: int) -> bool:
        """False when the file was removed, by who held it, between being opened and being locked."""
        try:
            return os.path.samestat(os.fstat(handle), os.stat(self._folder / id))
        except OSError:
            return False


def _locked(handle: int) -> bool:
    """Locks an open file for this program; false when another one has."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return sys.platform != "win32"  # a file system without locks: as if alone
    return True


class ConversationStore:
    """The kept conversations. Its verbs wait for the disk, so they are called on threads. They raise StorageError.

    `claims` are those that are open in this program; no other program opens or writes them.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self.claims = ConversationLocks(history.path.parent / "open")
        self._known: dict[tuple[str, float], Summary] = {}
        self._secrets: dict[str, frozenset[str]] = {}  # of nodes that are gone, too: the messages still say them

    def list(self, limit: int | None = None) -> tuple[Summary, ...]:
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

    def _summary(self, saved: Saved) -> Summary:
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

    def last(self) -> str:
        """The id of the conversation that was open last, "" when there is none, or another program has it open."""
        kept = self._history.conversations()
        return kept[0].id if kept and self.claims.take(kept[0].id) else ""

    def save(self, snapshot: Snapshot) -> None:
        """Keeps it in place of the one of that id. Raises StorageError when another program has that open."""
        if not self.claims.take(snapshot.id):
            raise StorageError(OPEN_ELSEWHERE, "Go on with it there.")
        secrets = self._secrets[snapshot.id] = self._secrets.get(snapshot.id, frozenset()) | secrets_of(snapshot)
        self._history.save_conversation(snapshot.id, veiled(snapshot.title, secrets), to_text(snapshot, secrets))

    def delete(self, id: str) -> Callable[[], None]:
        """Forgets a conversation; what comes back puts it there again."""
        text = self._history.conversation(id)
        title = next((saved.title for saved in self._history.conversations() if saved.id == id), "")
        self._history.delete_conversation(id)
        return lambda: self._history.save_conversation(id, title, text) if text is not None else None


def _summary(id: str, title: str, changed: float, text: str) -> Summary:
    try:
        data = json.loads(text)
        told = {name for message in data["messages"] for name in message.get("resources", ())}
        pictures = [one for one in data["resources"] if one["type"] == ResourceType.IMAGE]
        pictures.sort(key=lambda one: one["name"] not in told)  # what was taken away again, or asked of later, is last
        graph = data["workflow"] if "workflow" in data else data["state"]["workflow"]  # the first is of format 1
        nodes = len(data["workflows"][graph]["nodes"])
        said = "\n".join(catalogue.translated(phrase.from_json(message["text"])) for message in data["messages"])
        picture = Resource.from_json(pictures[0]) if pictures else None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return Summary(id, title, changed)
    return Summary(id, title or said.split("\n")[0][:60], changed, nodes, picture, said)


class Autosave:
    """Saves the session's conversation at most once in `seconds`, on a thread. `told(problem)` hears "" when it went
    well, else why not. Empty conversations are not kept.
    """

    def __init__(
        self,
        session: Session,
        conversations: ConversationStore,
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
        if self._latest is not None and snapshot.id != self._latest.id:
            self._task = asyncio.ensure_future(self._leave(self._latest.id, self._task))
        self._latest = snapshot
        if self._timer is None:
            self._timer = asyncio.get_event_loop().call_later(self._seconds, self._due)

    def _due(self) -> None:
        self._timer = None
        self._begin()

    def _begin(self) -> None:
        snapshot = self._latest
        if snapshot is not None and (snapshot.messages or not snapshot.state.workflow.is_empty):
            self._task = asyncio.ensure_future(self._save(snapshot, self._task))

    async def _leave(self, id: str, before: asyncio.Task[None] | None) -> None:
        """Lets other programs have a conversation that is open here no more, once it is saved."""
        if before is not None:
            await asyncio.wait([before])
        if id != self._session.id:
            await asyncio.to_thread(self._conversations.claims.give_back, id)

    async def _save(self, snapshot: Snapshot, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])  # else an older state might be written last
        try:
            await asyncio.to_thread(self._conversations.save, snapshot)
        except StorageError as error:
            self.told(str(error))
        else:
            self.told("")


async def open_kept(session: SessionView, conversations: ConversationStore, id: str) -> None:
    """Shows a kept conversation in the session. Raises AppError; then nothing has changed."""
    session.restore(await asyncio.to_thread(_claimed, conversations, id))


async def open_last(session: Session, conversations: ConversationStore) -> None:
    """Shows the conversation that was open when the program ended last, unless another one has been begun meanwhile, or
    another program has it open. Raises AppError; then nothing has changed.
    """
    mine, state = session.id, session.state
    id = await asyncio.to_thread(conversations.last)
    if not id:
        return
    kept = await asyncio.to_thread(_claimed, conversations, id)
    untouched = not (state.begun or session.messages or state.resources) and session.workflow.is_empty
    if mine == session.id and untouched:
        session.restore(kept)
    elif id != session.id:
        await asyncio.to_thread(conversations.claims.give_back, id)


def _claimed(conversations: ConversationStore, id: str) -> Snapshot:
    """What is kept of it, which no other program can open from now on."""
    if not conversations.claims.take(id):
        raise BadRequest(OPEN_ELSEWHERE, "Close it there, or choose another one.")
    try:
        return conversations.read(id)
    except AppError:
        conversations.claims.give_back(id)
        raise

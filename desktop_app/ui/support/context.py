"""What every panel is given: the Session it reads, and the ways to call it, to load slowly and to show pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QImage

from desktop_app.core.errors import AppError
from desktop_app.session.messages import Change
from desktop_app.session.view import SessionView
from desktop_app.storage.resources import Resource
from desktop_app.ui.support import formatting, media_reader
from desktop_app.ui.support.incoming import files_of, holds_picture, in_parts, keep_pasted, picture_of
from desktop_app.ui.support.memory_monitor import MemoryMonitor
from desktop_app.ui.support.run_clock import RunClock
from desktop_app.ui.support.run_log import RunLog
from desktop_app.ui.support.tasks import Spawn, TaskRunner
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.support.thumbnails import Thumbnails
from nodes.phrase import Phrase


class AppSignals(QObject):
    """What a panel asks of the window as a whole, because another panel has to do it."""

    select_node = Signal(str)
    open_large = Signal(object)
    point_at = Signal(str)
    compare = Signal(tuple)
    pick_port = Signal(str, str)
    pick_files = Signal(object)
    save_as = Signal(object)
    save_all = Signal(tuple)
    open_folder = Signal(object)
    replace_file = Signal(str)
    compose = Signal(str, tuple)
    open_conversation = Signal(str)
    show_settings = Signal()
    run = Signal()
    run_to = Signal(str)
    change_settings = Signal(object)
    settings_changed = Signal(object)
    show_log = Signal()
    show_guide = Signal()
    show_models = Signal(str)
    dropped = Signal(object, object)
    ended = Signal()
    """Another window takes the place of this one."""


@dataclass(frozen=True)
class UiContext:
    """Shared by all panels of one window."""

    session: SessionView
    calls: TaskRunner
    loader: BackgroundReader
    thumbnails: Thumbnails
    signals: AppSignals
    run_clock: RunClock
    meter: MemoryMonitor
    log: RunLog

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Tells of the session's changes until another window takes the place of this one, and never after that."""
        told = [listener]
        self.signals.ended.connect(told.clear)
        self.session.listen(lambda change: told[0](change) if told else None)

    def find(self, name: str) -> Resource | None:
        """The resource of that name: attached, in the workflow, or made by the run."""
        return self.session.find(name)

    async def bring(self, paths: Sequence[Path]) -> tuple[Resource, ...]:
        """Attaches files and folders; what cannot be attached is told as a failure."""
        found: list[Resource] = []
        for part in in_parts(paths):
            brought, fault = await self.session.bring_all(part)
            found += brought
            if fault is not None:
                self.calls.failed.emit(formatting.said(fault.message), formatting.said(fault.fix))
        return tuple(found)

    def take_in(self, source: QMimeData, taken: Callable[[list[Path]], None]) -> None:
        """Calls `taken` with the files that are dropped or pasted, be it with the one that a picture is kept in."""
        files = files_of(source)
        if files:
            taken(files)
        elif (picture := picture_of(source)) is not None:
            self.take_picture(picture, taken)
        elif holds_picture(source):
            said = formatting.translate("The picture in the clipboard is of a kind that is not read here.")
            self.calls.failed.emit(said, "")

    def take_picture(self, picture: bytes | QImage, taken: Callable[[list[Path]], None]) -> None:
        """Keeps a picture on a thread, and calls `taken` with its file."""

        def kept(path: object) -> None:
            if isinstance(path, Path):
                taken([path])
            else:
                said = formatting.translate("The picture in the clipboard cannot be kept: {why}.")
                self.calls.failed.emit(said.format(why=path), "")

        self.loader.run(lambda: keep_pasted(picture), kept)

    def path(self, resource: Resource) -> Path | None:
        """The file of a resource, None when it is gone."""
        try:
            return self.session.path_of(resource)
        except AppError:
            return None

    def load_value(self, resource: Resource, done: Callable[[Any], None]) -> None:
        """Reads the Beginning of the value on a thread, then calls `done` with it, or with the exception."""
        path = self.path(resource)
        if path is None:
            done(AppError(Phrase("{resource} is no longer in the store.", resource=resource.name)))
        else:
            self.loader.run(partial(media_reader.beginning, path, resource.type), done)


def make_context(session: SessionView, parent: QObject, spawn: Spawn | None = None) -> UiContext:
    """A context whose parts live as long as `parent`."""
    loader = BackgroundReader(parent)
    calls, thumbnails = TaskRunner(spawn, parent), Thumbnails(session.path_of, loader, parent)
    run_clock, meter = RunClock(session, parent), MemoryMonitor(session, loader, parent)
    log = RunLog(session, loader, parent)
    return UiContext(session, calls, loader, thumbnails, AppSignals(parent), run_clock, meter, log)

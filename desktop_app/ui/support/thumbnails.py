"""Small pictures of resources, read on threads and kept. Must not know which panel shows them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QImage

from desktop_app.core.errors import AppError
from desktop_app.storage.resources import Resource, seen_as
from desktop_app.ui.support import media_reader
from desktop_app.ui.support.thread_pool import BackgroundReader
from nodes.api import ResourceType

LONGEST = 640
_MOST_BYTES = 48 << 20
"""Of all that are kept: some 30 as large as they get. Whoever shows one keeps what it shows, scaled to its place."""


class Thumbnails(QObject):
    """`ready(digest)` is emitted when a picture asked for before has come; `failed(digest)` when it never will."""

    ready = Signal(str)
    failed = Signal(str)

    def __init__(
        self, path_of: Callable[[Resource], Path], loader: BackgroundReader, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._path_of = path_of
        self._loader = loader
        self._images: OrderedDict[str, QImage] = OrderedDict()
        self._sizes: dict[str, QSize] = {}
        self._broken: dict[str, str] = {}
        self._asked: set[str] = set()

    def image(self, resource: Resource) -> QImage | None:
        """At most 640 on the longer side. None when there is none, or it is still being read."""
        found = self._images.get(resource.digest)
        if found is not None:
            self._images.move_to_end(resource.digest)
            return found
        if self.has_picture(resource) and not {resource.digest} & (self._asked | self._broken.keys()):
            self._ask(resource)
        return None

    def size(self, resource: Resource) -> QSize | None:
        """Of its thumbnail, known from when it was first read on; asks for it before that."""
        if resource.digest not in self._sizes:
            self.image(resource)
        return self._sizes.get(resource.digest)

    def trouble(self, resource: Resource) -> str:
        """Why there is no picture, "" when there is or may still be one."""
        return self._broken.get(resource.digest, "")

    @staticmethod
    def has_picture(resource: Resource) -> bool:
        """True for pictures of every kind, files with one too, and films."""
        return seen_as(resource) in media_reader.PICTURES or resource.type is ResourceType.VIDEO

    def _ask(self, resource: Resource) -> None:
        try:
            path = self._path_of(resource)
        except AppError as error:
            self._broken[resource.digest] = str(error)
            return
        self._asked.add(resource.digest)
        if resource.type is ResourceType.VIDEO:
            work = partial(media_reader.frame, path, LONGEST)
        else:
            work = partial(media_reader.picture, path, resource.type, LONGEST)
        self._loader.run(partial(_tagged, resource.digest, work), self._keep)

    def _keep(self, outcome: tuple[str, Any]) -> None:
        digest, image = outcome
        self._asked.discard(digest)
        if isinstance(image, QImage):
            self._images[digest], self._sizes[digest] = image, image.size()
            while len(self._images) > 1 and sum(one.sizeInBytes() for one in self._images.values()) > _MOST_BYTES:
                self._images.popitem(last=False)
            self.ready.emit(digest)
        else:
            self._broken[digest] = str(image)
            self.failed.emit(digest)


def _tagged(digest: str, work: Callable[[], QImage]) -> tuple[str, Any]:
    try:
        return digest, work()
    except Exception as error:  # an edge: shown in place of the picture
        return digest, error

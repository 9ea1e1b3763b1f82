"""Which widget shows two results: pictures, texts, or anything; read on threads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from desktop_app.session.comparison.pairs import PICTURES
from desktop_app.storage.resources import Resource
from desktop_app.ui.compare.image_compare import PictureCompare
from desktop_app.ui.compare.pixel_difference import Difference, difference
from desktop_app.ui.compare.value_compare import AnyCompare, TextCompare
from desktop_app.ui.support import media_reader
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import label
from nodes.api import ResourceType

Resources = dict[str, Resource]
Titles = dict[str, str]
_TEXTS = {ResourceType.TEXT, ResourceType.URL}


def view_of(ui: UiContext, resources: Resources, titles: Titles, done: Callable[[QWidget], None]) -> None:
    """Calls `done` with the widget: at once, or when both texts are read."""
    types = {resource.type for resource in resources.values()}
    if all(str(type) in PICTURES for type in types):
        view = PictureCompare()
        view.set_titles(titles["a"], titles["b"])
        _PictureReader(ui, view, resources)
        done(view)
    elif types <= _TEXTS:
        _TextReader(ui, resources, titles, done)
    else:
        done(AnyCompare(ui, resources, titles))


class _PictureReader(QObject):
    """Reads both pictures for a view, and their difference when that is wanted. Lives as long as the view."""

    def __init__(self, ui: UiContext, view: PictureCompare, resources: Resources) -> None:
        super().__init__(view)
        self._ui, self._view = ui, view
        self._images: dict[str, QImage] = {}
        view.difference_wanted.connect(self._differ)
        for side, resource in resources.items():
            small = ui.thumbnails.image(resource)
            if small is not None:
                self._images[side] = small
            path = ui.path(resource)
            if path is not None:
                ui.loader.run(partial(media_reader.picture, path, resource.type), partial(self._came, side))
        view.set_images(self._images.get("a"), self._images.get("b"))
        self._full: set[str] = set()

    def _came(self, side: str, image: object) -> None:
        if isinstance(image, QImage):
            self._images[side] = image
            self._full.add(side)
            self._view.set_images(self._images.get("a"), self._images.get("b"))

    def _differ(self) -> None:
        if self._full == {"a", "b"}:
            work = partial(difference, self._images["a"], self._images["b"])
            self._ui.loader.run(work, self._differs)

    def _differs(self, found: object) -> None:
        if isinstance(found, Difference):
            self._view.set_difference(found)


class _TextReader(QObject):
    """Waits for both texts. Lives as long as the window's reader, for a moment."""

    def __init__(self, ui: UiContext, resources: Resources, titles: Titles, done: Callable[[QWidget], None]) -> None:
        super().__init__(ui.loader)
        self._titles, self._done = titles, done
        self._values: dict[str, Any] = {}
        for side, resource in resources.items():
            ui.load_value(resource, partial(self._came, side))

    def _came(self, side: str, value: Any) -> None:
        self._values[side] = value if isinstance(value, Exception) else value.value
        if len(self._values) < 2:
            return
        failed = next((v for v in self._values.values() if isinstance(v, Exception)), None)
        if failed is not None:
            self._done(label(str(failed), "error", True))
        else:
            self._done(TextCompare(self._values["a"], self._values["b"], self._titles))
        self.deleteLater()

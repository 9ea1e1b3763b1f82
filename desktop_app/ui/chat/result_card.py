"""A result of an answer: seen whole, or told in the text, with buttons to keep it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame

from desktop_app.export.files import as_text
from desktop_app.storage.resources import Resource
from desktop_app.ui.results.result_view import FileCard, ResultView
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.saving import as_saved
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, row, stack
from desktop_app.ui.widgets.picture import cut_caption
from nodes.api import ResourceType

_COPIED_MS = 1500


class NamedFacts(ElidedLabel):
    """Name and facts of a resource; where there is no room for both, the name is cut in its middle."""

    def __init__(self, resource: Resource) -> None:
        super().__init__(formatting.caption_of(resource), "caption")

    def cut_to(self, room: int) -> str:
        return cut_caption(self._whole, self.fontMetrics(), room)


class ResultCard(QFrame):
    def __init__(self, ui: UiContext, resource: Resource) -> None:
        super().__init__()
        view = ResultView(ui, resource, 460, plate=False)
        column = stack(view, parent=self, gap=2)
        shown = as_saved(ui, resource)
        save = IconButton("download", self.tr("Save {name} as…").format(name=shown.name), 24)
        save.clicked.connect(lambda: ui.signals.save_as.emit(resource))
        buttons = [save]
        if resource.made_by and resource.made_by in ui.session.workflow.ids():
            source = IconButton("workflow", self.tr("Show the node that made it"), 24)
            source.clicked.connect(lambda: ui.signals.select_node.emit(resource.made_by))
            buttons.insert(0, source)
        file = view.findChild(FileCard)
        if file is not None:  # it says the name itself
            file.add(*buttons)
        else:
            column.addLayout(row(NamedFacts(shown), *buttons, gap=2, grow=0))


class ToldResult(QFrame):
    """What the text tells, by the name that it would have as a file. Read only when it is copied, on a thread."""

    def __init__(self, ui: UiContext, resource: Resource) -> None:
        super().__init__()
        self.setProperty("surface", "field")
        self._ui, self._resource = ui, resource
        name = as_saved(ui, resource).name
        self.copy = IconButton("copy", self.tr("Copy"), 26)
        self.copy.setAccessibleDescription(name)
        self.copy.clicked.connect(self._copy)
        is_table, tip = resource.type is ResourceType.TABLE, self.tr("Save {name} as").format(name=name)
        self.save = IconButton("download", tip, 26) if is_table else Button(self.tr("Save as…"), "download", small=True)
        self.save.setAccessibleName(tip)
        self.save.clicked.connect(lambda: ui.signals.save_as.emit(resource))
        shown = NamedFacts(replace(resource, name=name, facets={}))
        whole = [self._large(name)] if is_table else []
        row(shown, *whole, self.copy, self.save, gap=6, margins=(8, 5, 6, 5), grow=0, parent=self)

    def _large(self, name: str) -> IconButton:
        """For a table, of which the text holds what has room."""
        self.large = IconButton("maximize", self.tr("{name}, open large").format(name=name), 26)
        self.large.clicked.connect(lambda: self._ui.signals.open_large.emit(self._resource))
        return self.large

    def _copy(self) -> None:
        path = self._ui.path(self._resource)
        if path is not None:
            self._ui.loader.run(partial(as_text, self._resource, path), self._copied)
        else:
            self._copied(None)

    def _copied(self, text: object) -> None:
        if not isinstance(text, str):
            gone = self.tr("{name} is no longer in the store.").format(name=self._resource.name)
            self._ui.calls.failed.emit(gone if text is None else formatting.said(str(text)), "")
            return
        QGuiApplication.clipboard().setText(text)
        self.copy.set_icon("check")
        QTimer.singleShot(_COPIED_MS, self.copy, partial(self.copy.set_icon, "copy"))

"""The upper part of the inspector: the result, or how far it is."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.run.events.run_record import NodeRun
from desktop_app.storage.resources import Resource
from desktop_app.ui.results.result_view import ResultView
from desktop_app.ui.support import formatting, media_reader, time_left
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import Button, ElidedLabel, Words, clear, label, row, stack
from desktop_app.ui.widgets.glyphs import Glyph, ProgressLine
from desktop_app.ui.widgets.picture import Picture, StepPicture
from nodes.api import Point, ResourceType


class ResultHeader(QWidget):
    """Shows one resource large; while a node runs, its progress and the picture of its last step."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._shown: object = None
        self._result: ResultView | None = None
        self._step = ""
        self._steps = StepPicture()
        self._steps.hide()
        column = stack(self._steps, parent=self)
        self._views = QVBoxLayout()
        column.addLayout(self._views)
        self._glyph = Glyph(14)
        self._words = label("", "small")
        self._left = label("", "caption")
        self._line = ProgressLine()
        self._note = Words()
        self._note.setProperty("role", "caption")
        self._where = ElidedLabel(role="caption")
        self._state = QWidget()
        stack(
            row(self._glyph, self._words, None, self._left), self._line, self._note, self._where, parent=self._state,
            gap=7, margins=(2, 0, 2, 2),
        )  # fmt: skip
        column.addWidget(self._state)

    def show_run(self, node: NodeRun, resource: Resource | None, now: float, where: str = "") -> None:
        """`now` in seconds since the start of the run; `where` says what runs the node, and on which lane."""
        running = node.state in ("running", "queued", "waiting", "cancelled", "done", "outdated")
        self._state.setVisible(running)
        self._glyph.set_state(formatting.state_of(node), node.fraction)
        self._words.setText(_words(node))
        self._left.setText(time_left.said(time_left.of_node(node, now)))
        self._line.setVisible(node.state == "running")
        self._line.set_fraction(node.fraction)
        self._show_note(node)
        self._where.set_text(where)
        self._where.setVisible(bool(where) and node.state in ("running", "done"))
        self._show_step(node)
        self._show(resource if node.state in ("done", "outdated") else None, (), node.state == "outdated")

    def show_resource(self, resource: Resource, points: tuple[Point, ...]) -> None:
        self._state.hide()
        self._steps.hide()
        self._show(resource, points)

    def _show(self, resource: Resource | None, points: tuple[Point, ...], faint: bool = False) -> None:
        state = (resource.name, resource.digest, points) if resource else None
        self._fade(faint)
        if state == self._shown:
            return
        self._shown, self._result = state, None
        clear(self._views)
        if resource is None:
            return
        if resource.type is ResourceType.IMAGE and not resource.made_by:
            picture = Picture(self._ui, resource, 200, cut=False, plate=False)
            picture.set_points(points)
            picture.opened.connect(self._ui.signals.open_large)
            self._views.addWidget(picture)
            point = Button(self.tr("Point at something"), "crosshair", small=True)
            point.clicked.connect(lambda: self._ui.signals.point_at.emit(resource.name))
            self._views.addLayout(row(label(formatting.facts_of(resource), "caption"), None, point))
        else:
            self._result = ResultView(self._ui, resource, 200)
            self._views.addWidget(self._result)
            self._fade(faint)

    def _fade(self, faint: bool) -> None:
        if self._result is not None:
            self._result.set_faint(faint)

    def _show_note(self, node: NodeRun) -> None:
        at = "" if node.preview else formatting.said(node.note)  # the picture of the step says it itself
        text = at if node.state == "running" else formatting.said(node.notice) if node.state == "done" else ""
        if node.state == "outdated":
            text = self.tr("Something that it depends on was changed since it ran. Run it again.")
        self._note.setText(text)
        self._note.set_tone("state.input" if node.state == "done" else "")
        self._note.setVisible(bool(text))

    def _show_step(self, node: NodeRun) -> None:
        showing = node.state == "running" and bool(node.preview)
        if not showing:
            self._steps.hide()
            self._step = ""
        elif node.preview != self._step:
            self._step = node.preview
            read = partial(media_reader.picture, Path(node.preview), ResourceType.IMAGE, 560)
            self._ui.loader.run(read, partial(self._step_came, formatting.said(node.note)))

    def _step_came(self, note: str, image: object) -> None:
        if isinstance(image, QImage) and self._step:
            self._steps.set_image(image, note)
            self._steps.show()


def _words(node: NodeRun) -> str:
    if node.state == "running":
        percent = f" · {node.fraction:.0%}".replace("%", " %") if node.fraction else ""
        return formatting.translate("Running") + percent
    if node.state == "done":
        count = f"{formatting.batch(node)} · " if node.items else ""
        if node.cached:
            return count + formatting.translate("Done before, and kept")
        return count + formatting.translate("Done in {time}").format(time=formatting.duration(node.seconds))
    known = {
        "waiting": formatting.translate("Has not run yet"),
        "queued": formatting.translate("Waits for its turn"),
        "cancelled": formatting.translate("Stopped"),
        "outdated": formatting.translate("Out of date"),
    }
    return known.get(node.state, node.state)

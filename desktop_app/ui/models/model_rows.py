"""The models as rows under headings of what they are for: a list model, and what paints it. Must not fetch anything."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_app.models import downloads, runtime, store
from desktop_app.models.catalogue import Model, with_needs
from desktop_app.models.downloads import Download
from desktop_app.models.hub_search import HubModel
from desktop_app.ui.support import formatting
from desktop_app.ui.support.costs import download_words
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import shapes, theme
from desktop_app.ui.widgets.glyphs import paint_row_ground, write

ROW = Qt.ItemDataRole.UserRole
HERE, OLD, AWAY = "here", "old", "away"
_HIGH, _HEAD = 46, 30
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
HUB, NOTHING_MORE = "hub", "nothing more"
"""Stand for a task in the heading of what was found on the hub; the first begins the ids below it."""
_TASKS = {
    "": "What models run with",
    HUB: "On the Hugging Face hub",
    NOTHING_MORE: "Nothing more on the Hugging Face hub",
    "answer about image": "Answer about an image",
    "canny to image": "Image from edges",
    "chat": "Chat and plan",
    "classify image": "Classify images",
    "depth map": "Depth map",
    "depth to image": "Image from depth",
    "describe image": "Describe images",
    "detect objects": "Detect objects",
    "edit by instruction": "Edit by instruction",
    "find by description": "Find by description",
    "inpaint": "Inpaint",
    "line to image": "Image from lines",
    "match labels": "Match labels",
    "name regions": "Name regions",
    "normal map": "Normal map",
    "normal to image": "Image from normals",
    "pose map": "Pose map",
    "pose to image": "Image from a pose",
    "scribble to image": "Image from a scribble",
    "segment by points": "Segment by points",
    "segment by words": "Segment by words",
    "segmentation to image": "Image from a segmentation",
    "soft edge to image": "Image from soft edges",
    "speech to text": "Speech to text",
    "text to image": "Text to image",
    "upscale": "Upscale",
}


def translated(text: str) -> str:
    """What the catalogue says of a model, each sentence, and what a licence forbids, in the window's language."""
    said = " ".join(translate(part) for part in re.split(r"(?<=\.) | (?=\((?:not|use|see) )", text))
    return said.replace("。 ", "。")


def task_words(task: str) -> str:
    return translate(_TASKS[task]) if task in _TASKS else task.capitalize()


@dataclass(frozen=True)
class ModelEntry:
    """A model, the runtime, what was `found` on the hub, or the heading of a task (without `id`).

    `size_bytes` is what getting it would load, or what it takes when it is `here`; `arrived_bytes` what is here of it.
    """

    task: str
    id: str = ""
    title: str = ""
    model: Model | None = None
    here: bool = False
    old: bool = False
    size_bytes: int = 0
    estimated: bool = False
    arrived_bytes: int = 0
    download: Download | None = None
    found: HubModel | None = None

    @property
    def state(self) -> str:
        """HERE, OLD, AWAY, or that of its download while that is not over."""
        if self.download is not None and self.download.state != downloads.DONE:
            return self.download.state
        if self.here:
            return HERE
        if self.arrived_bytes:
            return downloads.PAUSED
        return OLD if self.old else AWAY

    @property
    def words(self) -> str:
        """Its state, as short as can be."""
        size = formatting.size(self.size_bytes)
        if self.found is not None:
            return translate("cannot be used") if self.found.why_not else size if self.size_bytes else ""
        if self.download is not None and self.state == self.download.state:
            return download_words(self.download, short=True)
        if self.state == downloads.PAUSED:
            return translate("{done} of {size} are here").format(done=formatting.size(self.arrived_bytes), size=size)
        about = translate("about {size}").format(size=size) if self.estimated else size
        return {HERE: translate("On disk"), OLD: translate("Update · {size}").format(size=about)}.get(self.state, about)

    @property
    def facts(self) -> str:
        """`Apache-2.0 · 500 MB memory`."""
        if self.found is not None:
            loads = translate("{count} downloads").format(count=f"{self.found.downloads:,}")
            told = (
                self.found.task and task_words(self.found.task),
                self.found.licence or translate("no licence stated"),
            )
            return " · ".join(filter(None, (*told, loads)))
        if self.model is None:
            return translate("torch and its libraries, for {device}").format(device=device_words())
        memory = translate("{size} memory").format(size=formatting.size(self.model.memory_bytes))
        return " · ".join(
            (translated(self.model.licence), memory, *((translate("your own"),) if self.model.own else ()))
        )


def device_words() -> str:
    known = {"cuda": "NVIDIA (CUDA)", "rocm": "AMD (ROCm)", "mps": "Apple (MPS)"}
    return known.get(runtime.device(), translate("the processor"))


def rows_of(
    models: Collection[Model], going: Mapping[str, Download], words: str, task: str, here: bool,
    hub: Sequence[HubModel] | None = None,
) -> list[ModelEntry]:  # fmt: skip
    """Under a heading for each task those with all of these words, of that task ("" for all), `here` only those; last
    what was found on the `hub`, where it was asked, and is in the catalogue not yet.
    """
    every = [_runtime_row(going.get(runtime.ID)), *(_row(model, going.get(model.id)) for model in models)]
    sought = words.lower().split()
    shown = [
        row
        for row in every
        if (not task or row.task == task) and (not here or row.state != AWAY) and all(w in _text(row) for w in sought)
    ]
    found: list[ModelEntry] = []
    for group in dict.fromkeys(row.task for row in shown):
        found.append(ModelEntry(group))
        found += [row for row in shown if row.task == group]
    if hub is None:
        return found
    known = {model.repo for model in models}
    new = [ModelEntry(HUB, f"{HUB}/{one.repo}", one.repo, size_bytes=one.size_bytes, found=one) for one in hub
           if one.repo not in known]  # fmt: skip
    return [*found, ModelEntry(HUB), *new] if new else [*found, ModelEntry(NOTHING_MORE)]


def _text(row: ModelEntry) -> str:
    more = (row.model.repo, row.model.note, row.model.licence, row.model.task) if row.model else ("torch", "runtime")
    return " ".join((row.title, task_words(row.task), *more)).lower()


def _row(model: Model, download: Download | None) -> ModelEntry:
    here = store.present(model)
    needed = with_needs(model)
    size = sum(each.size_bytes for each in needed) if here else store.missing_bytes(model)
    estimated = not here and any(each.estimated for each in needed)
    old = not here and store.folder(model).exists()
    return ModelEntry(model.task, model.id, model.title, model, here, old, size, estimated,
               0 if here else store.arrived_bytes(model), download)  # fmt: skip


def _runtime_row(download: Download | None) -> ModelEntry:
    title = formatting.said(runtime.TITLE)
    return ModelEntry(
        "", runtime.ID, title[:1].upper() + title[1:], None, runtime.ready(), False, runtime.size_bytes(),
        not runtime.known_bytes(), 0 if runtime.ready() else runtime.arrived_bytes(), download,
    )  # fmt: skip


class ModelList(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[ModelEntry] = []

    def show(self, rows: Sequence[ModelEntry]) -> None:
        """Shows these; where they are the same models, only what changed is drawn anew."""
        new = list(rows)
        if [(r.id, r.task) for r in new] != [(r.id, r.task) for r in self.rows]:
            self.beginResetModel()
            self.rows = new
            self.endResetModel()
            return
        changed = [place for place, (old, now) in enumerate(zip(self.rows, new, strict=True)) if old != now]
        self.rows = new
        for place in changed:
            self.dataChanged.emit(self.index(place), self.index(place))

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        both = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return both if self.rows[index.row()].id else Qt.ItemFlag.NoItemFlags

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title if row.id else task_words(row.task)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}, {row.words}. {row.facts}" if row.id else task_words(row.task)
        return None

    def place(self, id: str) -> QModelIndex:
        """Where that model is; an invalid index when it is not shown."""
        return next((self.index(i) for i, row in enumerate(self.rows) if row.id == id), QModelIndex())


class RowPainter(QStyledItemDelegate):
    """Title and facts left, state right; a bar below while it comes."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, theme.current().px(_HIGH if index.data(ROW).id else _HEAD))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: ModelEntry = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(option.rect)  # type: ignore[attr-defined]
        if row.id:
            self._row(painter, area.adjusted(1, 1, -1, -1), row, option.state)  # type: ignore[attr-defined]
        else:
            self._heading(painter, area, task_words(row.task))
        painter.restore()

    def _heading(self, painter: QPainter, area: QRectF, text: str) -> None:
        px = theme.current().px
        write(painter, area.adjusted(px(10), px(8), -px(10), 0), text, "caption", "text.tertiary")

    def _row(self, painter: QPainter, area: QRectF, row: ModelEntry, state: QStyle.StateFlag) -> None:
        current = theme.current()
        paint_row_ground(painter, area, state, 7)
        inner = area.adjusted(current.px(10), current.px(4), -current.px(10), -current.px(4))
        left = self._state(painter, inner, row) - current.px(10)
        text = QRectF(inner.left(), inner.top(), left - inner.left(), inner.height() / 2)
        for role, token, said in (("control", "text.primary", row.title), ("caption", "text.tertiary", row.facts)):
            write(painter, text, said, role, token)
            text.translate(0, inner.height() / 2)

    def _state(self, painter: QPainter, area: QRectF, row: ModelEntry) -> float:
        current, px = theme.current(), theme.current().px
        token = {HERE: "state.done", OLD: "state.input", downloads.PAUSED: "state.input",
                 downloads.FAILED: "state.failed"}.get(row.state, "text.secondary")  # fmt: skip
        painter.setFont(current.font("small"))
        painter.setPen(current.color(token))
        wide = painter.fontMetrics().horizontalAdvance(row.words)
        place = QRectF(area.right() - wide, area.top(), wide, area.height())
        going = row.state in downloads.GOING or row.state == downloads.PAUSED
        if going:
            wide = max(wide, px(150))
            place = QRectF(area.right() - wide, area.top(), wide, area.height() * 0.6)
            self._bar(painter, QRectF(place.left(), area.bottom() - px(10), wide, px(4)), row)
            painter.setPen(current.color(token))
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), row.words)
        if row.state == HERE:
            side = px(13)
            glyph = QRectF(place.left() - side - px(6), area.center().y() - side / 2, side, side)
            shapes.paint_state(painter, glyph, "done")
            return glyph.left()
        return place.left()

    def _bar(self, painter: QPainter, bar: QRectF, row: ModelEntry) -> None:
        current = theme.current()
        if row.download is not None and row.download.total_bytes:
            fraction = row.download.fraction
        else:
            fraction = min(1.0, row.arrived_bytes / row.size_bytes) if row.size_bytes else 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current.color("background.border"))
        painter.drawRoundedRect(bar, bar.height() / 2, bar.height() / 2)
        painter.setBrush(current.color("state.input" if row.state == downloads.PAUSED else "state.running"))
        full = QRectF(bar.topLeft(), bar.bottomRight() - QPointF(bar.width() * (1 - fraction), 0))
        painter.drawRoundedRect(full, bar.height() / 2, bar.height() / 2)

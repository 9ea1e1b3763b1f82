"""How much memory is taken, by whom: of each GPU, and of the computer. A click on a loaded model frees it."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from desktop_app.models.catalogue import catalogue
from desktop_app.run.backends.memory_usage import Usage
from desktop_app.run.engine import Loaded
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import (
    Caption,
    ElidedLabel,
    Painted,
    clear,
    color,
    label,
    px,
    row,
    stack,
)
from desktop_app.ui.widgets.incremental_list import ListRow

OTHERS, WINDOW, LANES = "text.tertiary", "accent.line", "state.cached"
MODELS = ("state.cached", "resource_type.mask", "resource_type.points", "resource_type.labels", "resource_type.number")
_AFTER_MILLISECONDS = 400

Part = tuple[float, str]
"""A share of a line, 0..1, and its colour token."""


class StackLine(Painted, QWidget):
    """A rounded line, 6 high, with a part in its own colour for each who takes something."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[Part, ...] = ()
        self.setFixedHeight(px(6))

    def set_parts(self, parts: tuple[Part, ...], name: str) -> None:
        """The parts from the left; `name` says them in words."""
        if parts != self._parts:
            self._parts = parts
            self.update()
        self.setAccessibleName(name)
        self.setToolTip(name)

    def paint(self, painter: QPainter) -> None:
        whole = QRectF(self.rect())
        path = QPainterPath()
        path.addRoundedRect(whole, whole.height() / 2, whole.height() / 2)
        painter.setClipPath(path)
        painter.fillRect(whole, color("background.hover"))
        left = 0.0
        for fraction, token in self._parts:
            wide = whole.width() * fraction
            painter.fillRect(QRectF(left, 0, wide, whole.height()), color(token))
            left += wide + (1 if wide else 0)


class Swatch(Painted, QWidget):
    """A spot in the colour of a part of a line."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token
        self.setFixedSize(px(8), px(8))

    def paint(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(self._token))
        painter.drawEllipse(QRectF(self.rect()))


class ModelRow(ListRow):
    """A model in memory: its colour, title and size. A click frees it."""

    def __init__(self, loaded: Loaded, token: str) -> None:
        known = catalogue().get(loaded.model)
        title, size = known.title if known else loaded.model, formatting.size(loaded.size_bytes)
        super().__init__(formatting.translate("Free {title}, {size}").format(title=title, size=size))
        said = formatting.translate("Click to free {title} ({size} on {lane}).")
        tip = said.format(title=title, size=size, lane=loaded.lane)
        if loaded.busy:
            tip += " " + formatting.translate("It is in use, and goes when that ends.")
        self.setToolTip(tip)
        row(
            Swatch(token),
            ElidedLabel(title, "caption"),
            Caption(size),
            gap=6,
            margins=(2, 0, 2, 0),
            grow=1,
            parent=self,
        )
        self.setFixedHeight(px(24))


class MemoryBar(QScrollArea):
    """Shows what the window's monitor measures, which it starts, and the models that the session's lanes hold."""

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._lines: list[tuple[StackLine, QLabel]] = []
        self._shown: tuple[Loaded, ...] = ()
        self.models: list[ModelRow] = []
        self.setFixedWidth(px(200))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Memory"))
        inside = QWidget()
        self._amounts = stack(gap=5)
        self._own = label("", "caption", True)
        self._models = stack(gap=0)
        stack(self._amounts, self._own, self._models, None, parent=inside, gap=5, margins=(0, 4, 6, 0))
        self.setWidget(inside)
        ui.meter.measured.connect(self.show_usage)

    def showEvent(self, event) -> None:
        self._ui.meter.start()

    def show_usage(self, usage: Usage) -> None:
        loaded = self._ui.session.upkeep.models()
        tokens = {model: MODELS[i % len(MODELS)] for i, model in enumerate(dict.fromkeys(m.model for m in loaded))}
        if len(self._lines) != len(usage.gpus) + 1:
            self._build(len(usage.gpus))
        for index, (taken, total) in enumerate(usage.gpus):
            here = [one for one in loaded if one.lane == f"GPU {index}"]
            self._show(index, taken, total, _stacked(here, taken, total, tokens), "")
        others = max(0, usage.taken - usage.window - usage.lanes)
        parts = ((others, OTHERS), (usage.window, WINDOW), (usage.lanes, LANES))
        own = self.tr("Window {window} · tools {lanes}").format(
            window=formatting.size(usage.window), lanes=formatting.size(usage.lanes)
        )
        shares = tuple((amount / usage.total, token) for amount, token in parts)
        self._show(len(usage.gpus), usage.taken, usage.total, shares, own)
        self._own.setText(own)
        self._show_models(loaded, tokens)

    def _show(self, index: int, taken: int, total: int, parts: tuple[Part, ...], about: str) -> None:
        text = self.tr("{taken} of {total}").format(taken=formatting.size(taken), total=formatting.size(total))
        line, amount = self._lines[index]
        amount.setText(text)
        line.set_parts(parts, f"{text}. {about}".rstrip(" ."))

    def _show_models(self, loaded: tuple[Loaded, ...], tokens: dict[str, str]) -> None:
        if loaded == self._shown:
            return
        self._shown = loaded
        clear(self._models)
        self.models = [ModelRow(one, tokens[one.model]) for one in loaded]
        for shown, one in zip(self.models, loaded, strict=True):
            shown.clicked.connect(partial(self._free, one.model))
            self._models.addWidget(shown)

    def _free(self, model: str) -> None:
        self._ui.session.upkeep.free(model)
        QTimer.singleShot(_AFTER_MILLISECONDS, self, self._ui.meter.measure)

    def _build(self, gpus: int) -> None:
        clear(self._amounts)
        names = [self.tr("GPU memory") if gpus == 1 else self.tr("GPU {n} memory").format(n=i) for i in range(gpus)]
        self._lines = []
        for name in (*names, self.tr("Memory")):
            line, amount = StackLine(), label("", "caption")
            self._amounts.addLayout(row(label(name, "caption"), None, amount))
            self._amounts.addWidget(line)
            self._lines.append((line, amount))


def _stacked(loaded: list[Loaded], taken: int, total: int, tokens: dict[str, str]) -> tuple[Part, ...]:
    """The models of a GPU by size, and what others take of it."""
    sizes: dict[str, int] = defaultdict(int)
    for one in loaded:
        sizes[one.model] += one.size_bytes
    others = max(0, taken - sum(sizes.values()))
    return ((others / total, OTHERS), *((size / total, tokens[model]) for model, size in sizes.items()))

"""The strip above the graph: each way to do the request as a small graph with its reason and its costs."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.session import Alternative, Change
from desktop_app.ui import icons, theme, words
from desktop_app.ui.desk import Desk
from desktop_app.ui.glyphs import KeyHint, Lines
from desktop_app.ui.graph_thumbnail import paint_thumbnail
from desktop_app.ui.widgets import (
    Button,
    Caption,
    ClickableFrame,
    ElidedLabel,
    IconButton,
    clear,
    color,
    label,
    mark,
    px,
    row,
)


class GraphPicture(QWidget):
    """A workflow as a thumbnail; what the first alternative has not is outlined. Painted once for each look."""

    def __init__(self, desk: Desk, alternative: Alternative, changed: tuple[str, ...]) -> None:
        super().__init__()
        self._desk, self._alternative, self._changed = desk, alternative, changed
        self._cache: tuple[object, QPixmap] | None = None
        self.setFixedSize(px(86), px(54))

    def paintEvent(self, event) -> None:
        key = (theme.current().name, self.devicePixelRatioF())
        if self._cache is None or self._cache[0] != key:
            self._cache = (key, self._painted())
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._cache[1])
        painter.end()

    def _painted(self) -> QPixmap:
        density = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * density)
        pixmap.setDevicePixelRatio(density)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color("background.canvas"))
        painter.drawRoundedRect(rect, px(6), px(6))
        inner = rect.adjusted(px(5), px(5), -px(5), -px(5))
        paint_thumbnail(painter, inner, self._alternative.workflow, self._desk.session.tools, self._changed)
        painter.end()
        return pixmap


class Fact(QWidget):
    """A small icon with a few words."""

    def __init__(self, icon: str, text: str, tip: str, token: str = "text.secondary") -> None:
        super().__init__()
        self._icon, self._token = icon, token
        self._words = Caption(text, "" if token == "text.secondary" else token)
        self.setToolTip(tip)
        self.setLayout(row(self._words, margins=(16, 0, 0, 0)))

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        side = px(12)
        icons.paint(painter, QRectF(0, (self.height() - side) / 2, side, side), self._icon, color(self._token))
        painter.end()


class AlternativeCard(ClickableFrame):
    """One way to do it."""

    def __init__(self, desk: Desk, alternative: Alternative, changed: tuple[str, ...]) -> None:
        super().__init__(words.said(alternative.solution.title))
        self.setProperty("surface", "raised")
        self.setMinimumWidth(px(232))
        self.setMaximumWidth(px(420))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(94))
        solution = alternative.solution
        self._score = label(f"{solution.score:.2f}", "tertiary")
        self._score.setToolTip(self.tr("How well it fits, 0 to 1"))
        side = QVBoxLayout()
        side.setSpacing(px(1))
        side.addWidget(ElidedLabel(words.said(solution.title), "heading"))
        side.addWidget(Lines(words.said(solution.reason)))
        side.addStretch(1)
        upper = row(GraphPicture(desk, alternative, changed), side, gap=10)
        upper.setStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(8), px(7), px(12), px(7))
        column.setSpacing(px(2))
        column.addLayout(upper)
        column.addLayout(self._facts(alternative))
        why = whys(desk, alternative)
        self.setToolTip(why)
        self.setAccessibleDescription(why.replace("\n", " "))

    def _facts(self, alternative: Alternative) -> QHBoxLayout:
        facts: list[QWidget] = []
        if alternative.download_bytes:
            text = words.size(alternative.download_bytes)
            facts.append(Fact("download", text, self.tr("Has to be downloaded first"), "state.input"))
        else:
            facts.append(Fact("check", self.tr("On disk"), self.tr("Nothing to download"), "state.done"))
        if alternative.memory_bytes:
            facts.append(Fact("memory-stick", words.size(alternative.memory_bytes), self.tr("Memory at most")))
        if alternative.seconds is not None:
            facts.append(Fact("clock", words.duration(alternative.seconds), self.tr("Time, from earlier runs")))
        return row(*facts, None, self._score, gap=14)

    def set_chosen(self, chosen: bool) -> None:
        """Marks the card that the graph shows."""
        mark(self, "surface", "accent" if chosen else "raised")
        mark(self._score, "role", "accent" if chosen else "tertiary")
        name = self.accessibleName().removesuffix(self.tr(", shown"))
        self.setAccessibleName(name + self.tr(", shown") if chosen else name)


def whys(desk: Desk, alternative: Alternative) -> str:
    """Why the planner chose the models of an alternative, a line for each node where it had a choice; "" for none."""
    tools, flow = desk.session.tools, alternative.workflow
    found = [(node, words.said(reason)) for node, reason in alternative.solution.reasons.items() if node in flow.ids()]
    lines = [f"{words.node_title(flow, node, tools)} – {why}" for node, why in found if why]
    return "\n".join([words.translate("Why these models:"), *lines]) if lines else ""


class AlternativesPanel(QFrame):
    """Hidden while there is at most one way. A click chooses; Alt and the arrow keys step."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(138))
        self._desk = desk
        self._shown: tuple[Alternative, ...] | None = None
        self.cards: list[AlternativeCard] = []
        self._heading = label("", "heading")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(4), 0, px(8))
        column.setSpacing(px(2))
        self._compact = False
        self._note = ElidedLabel(self.tr("best first"), "tertiary")
        self._keys = (KeyHint("Alt ←"), KeyHint("Alt →"))
        self._steps = (
            IconButton("chevron-left", self.tr("The way before (Alt+Left)"), 24),
            IconButton("chevron-right", self.tr("The next way (Alt+Right)"), 24),
        )
        for button, by in zip(self._steps, (-1, 1), strict=True):
            button.clicked.connect(lambda _=False, by=by: self.step(by))
            button.hide()
        self.compare = Button(
            self.tr("Compare"), "columns-2", "quiet", True, self.tr("Two ways side by side (Ctrl+Shift+C)")
        )
        self.compare.clicked.connect(lambda: desk.wishes.compare.emit(()))
        header = row(self._heading, self._note, *self._keys, *self._steps, self.compare, margins=(14, 0, 12, 0))
        header.setStretch(1, 1)
        column.addLayout(header)
        inside = QWidget()
        self._cards = row(gap=10, margins=(12, 0, 12, 0))
        inside.setLayout(self._cards)
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # it would cover the costs
        self._scroll.viewport().installEventFilter(self)
        self._scroll.setWidget(inside)
        column.addWidget(self._scroll, 1)
        desk.session.listen(self._on_change)
        self._show_all()

    def step(self, by: int) -> None:
        """Chooses the next (1) or the one before (-1), around the ends."""
        session = self._desk.session
        if len(session.alternatives) > 1:
            self._choose((session.chosen + by) % len(session.alternatives))

    def eventFilter(self, watched, event) -> bool:
        """The wheel goes along the cards."""
        if event.type() != QEvent.Type.Wheel:
            return super().eventFilter(watched, event)
        turn = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta()
        bar = self._scroll.horizontalScrollBar()
        bar.setValue(bar.value() - (turn.x() or turn.y()))
        return True

    def set_compact(self, compact: bool) -> None:
        """One line with the name of the way that is shown, in place of the cards."""
        self._compact = compact
        self.setFixedHeight(px(40 if compact else 138))
        self._scroll.setVisible(not compact)
        for widgets, shown in ((self._keys, not compact), (self._steps, compact)):
            for widget in widgets:
                widget.setVisible(shown)
        self._show_note()

    def _show_note(self) -> None:
        session = self._desk.session
        text = self.tr("best first")
        if self._compact and session.chosen < len(session.alternatives):
            title = words.said(session.alternatives[session.chosen].solution.title)
            text = f"{session.chosen + 1} / {len(session.alternatives)} · {title}"
        self._note.set_text(text)

    def sizeHint(self) -> QSize:
        return QSize(px(600), px(40 if self._compact else 138))

    def _on_change(self, change: Change) -> None:
        if change & (Change.PLAN | Change.WORKFLOW):
            self._show_all()

    def _show_all(self) -> None:
        session = self._desk.session
        if session.alternatives != self._shown:
            self._shown = session.alternatives
            self._rebuild(session.alternatives)
        for index, card in enumerate(self.cards):
            card.set_chosen(index == session.chosen)
        if self.cards and session.chosen < len(self.cards):
            self._scroll.ensureWidgetVisible(self.cards[session.chosen])
        self._show_note()
        self.setVisible(len(session.alternatives) > 1)

    def _rebuild(self, alternatives: tuple[Alternative, ...]) -> None:
        clear(self._cards)
        self.cards = []
        self._heading.setText(self.tr("{n} ways to do this").format(n=len(alternatives)))
        for index, alternative in enumerate(alternatives):
            card = AlternativeCard(self._desk, alternative, difference(alternatives[0], alternative))
            card.clicked.connect(lambda index=index: self._choose(index))
            card.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            card.customContextMenuRequested.connect(
                lambda place, index=index, card=card: self.menu(index).popup(card.mapToGlobal(place))
            )
            self.cards.append(card)
            self._cards.addWidget(card, 1000)
        self._cards.addStretch(1)

    def menu(self, index: int) -> QMenu:
        """What can be done with an alternative."""
        made = QMenu(self)
        made.addAction(self.tr("Show")).triggered.connect(lambda: self._choose(index))
        compare = made.addAction(self.tr("Compare with shown"))
        compare.setEnabled(index != self._desk.session.chosen)
        compare.triggered.connect(lambda: self._desk.wishes.compare.emit((index,)))
        made.aboutToHide.connect(made.deleteLater)
        return made

    def _choose(self, index: int) -> None:
        self._desk.calls.now(self._desk.session.choose, index)


def difference(one: Alternative, other: Alternative) -> tuple[str, ...]:
    """Ids of the nodes of `other` whose tool, or back end, `one` does not have."""
    had = {(node.tool, node.backend) for node in one.workflow.nodes}
    return tuple(node.id for node in other.workflow.nodes if (node.tool, node.backend) not in had)

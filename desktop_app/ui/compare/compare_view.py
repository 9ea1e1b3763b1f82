"""Two ways, or two results, side by side: in place of the graph. Must not know the Session's verbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QSplitter, QVBoxLayout, QWidget

from desktop_app.session.comparison.outcomes import SideResult
from desktop_app.session.comparison.pairs import Comparison, Pair
from desktop_app.storage.resources import Resource
from desktop_app.ui.compare.diff_table import DifferenceTable
from desktop_app.ui.compare.diff_text import DifferenceRow, totals
from desktop_app.ui.compare.graph_diff_view import DifferenceGraph
from desktop_app.ui.compare.header import CompareHeader, mode_actions
from desktop_app.ui.compare.image_compare import BESIDE, DIFFERENCE, PICTURE_MODES, SLIDER, PictureCompare
from desktop_app.ui.compare.side_cards import SideCards
from desktop_app.ui.compare.sides import SIDES, RingSample, Side
from desktop_app.ui.compare.value_compare import TextCompare
from desktop_app.ui.compare.viewer_factory import view_of
from desktop_app.ui.support.actions import Action, press
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import (
    Button,
    ElidedLabel,
    IconButton,
    divider,
    label,
    px,
    row,
    scroll_area,
    stack,
    surface,
)
from desktop_app.ui.widgets.glyphs import ProgressLine

_LOW, _NARROW = 560, 900


@dataclass(frozen=True)
class ComparedItem:
    """One thing that can be compared: its name, and what each side has of it."""

    name: str
    made: Mapping[str, SideResult | None]
    resources: Mapping[str, Resource | None]

    @property
    def whole(self) -> bool:
        return all(self.resources.values())


@dataclass(frozen=True)
class CompareModel:
    """All that the stage shows. `comparison` is None for two results by themselves.

    `why`, `cost`, `shared`, `button` stand where a result is missing; `running` says what runs, "" when nothing does.
    """

    sides: Mapping[str, Side]
    entries: Sequence[ComparedItem]
    comparison: Comparison | None = None
    rows: Sequence[DifferenceRow] = ()
    summary: str = ""
    note: str = ""
    why: str = ""
    cost: str = ""
    shared: str = ""
    button: str = ""
    running: str = ""
    fraction: float = 0.0
    whys: Sequence[str] = field(default_factory=tuple)
    """By entry, why it cannot be shown; "" when it can."""


class CompareView(QFrame):
    """`keep` and `open_wanted` name a side, the others are of the run."""

    closed = Signal()
    keep = Signal(str)
    open_wanted = Signal(str)
    run_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self._ui = ui
        self.subject: CompareModel | None = None
        self.first = "a"
        self.entry = 0
        self.mode = SLIDER
        self.viewer: QWidget | None = None
        self._viewed: object = None
        self._unfolded: bool | None = None
        self._high = px(290)
        self.header = CompareHeader()
        self.cards = SideCards()
        self.missing = MissingResult()
        self.graph = DifferenceGraph()
        self.table = DifferenceTable()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._place = QVBoxLayout()
        self._place.setContentsMargins(0, 0, 0, 0)
        self._place.addWidget(self.missing)
        upper = QWidget()
        self._upper = row(self._place, self.cards, parent=upper, gap=20, margins=(20, 18, 18, 16), grow=0)
        self._lower = self._make_lower()
        self.split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False, handleWidth=1)
        self.split.addWidget(upper)
        self.split.addWidget(self._lower)
        self.split.setStretchFactor(0, 1)
        self.split.setSizes([px(494), self._high])
        self.split.splitterMoved.connect(self._on_moved)
        whole = scroll_area(self.split)
        whole.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        stack(self.header, divider(), whole, parent=self, grow=2, gap=0)

    def _make_lower(self) -> QWidget:
        lower = surface("panel")
        self._summary = ElidedLabel(role="tertiary")
        self.fold = IconButton("chevron-down", self.tr("Fold or unfold what differs (D)"), 24)
        self.fold.clicked.connect(lambda: self.set_folded(not self.folded))
        samples = []
        for side, text in zip(SIDES, (self.tr("only in A"), self.tr("only in B")), strict=True):
            samples += [RingSample(side), label(text, "secondary")]
        head = row(label(self.tr("Difference in the graph"), "heading"), self._summary, *samples, self.fold,
                   margins=(16, 3, 12, 3), grow=1)  # fmt: skip
        self._halves = QSplitter(Qt.Orientation.Horizontal, handleWidth=1, childrenCollapsible=False)
        self._halves.addWidget(self.graph)
        self._halves.addWidget(self.table)
        self._halves.setStretchFactor(0, 1)
        self._halves.setSizes([px(676), px(460)])
        stack(head, self._halves, parent=lower, grow=1, gap=0)
        return lower

    def _connect(self) -> None:
        self.header.back.clicked.connect(self.closed)
        self.header.modes.chosen.connect(self.set_mode)
        self.header.picked.connect(self.show_entry)
        self.header.fit.clicked.connect(lambda: self.pictures and self.pictures.fit())
        self.missing.run.clicked.connect(self.run_wanted)
        self.missing.stop.clicked.connect(self.stop_wanted)
        self.graph.picked.connect(self._card_picked)
        for side, card in self.cards.cards.items():
            card.keep.connect(lambda side=side: self.keep.emit(side))
            card.open_wanted.connect(lambda side=side: self.open_wanted.emit(side))

    # What it shows

    def show_subject(self, subject: CompareModel) -> None:
        """Shows it; what is seen already stays as it is."""
        self.subject = subject
        self.entry = min(self.entry, max(0, len(subject.entries) - 1))
        self.header.note.set_text(subject.note)
        self.header.show_results([entry.name for entry in subject.entries], self.entry)
        self.cards.show_sides(subject.sides)
        self._lower.setVisible(subject.comparison is not None)
        self._summary.set_text(subject.summary)
        if subject.comparison is not None:
            self.graph.show_comparison(subject.comparison, subject.sides, self._ui.session.tools)
            self._fill_table(subject)
        self._show_viewer()
        self._mark_first()
        self._fit()

    def _fill_table(self, subject: CompareModel) -> None:
        everything = [*subject.rows, *totals(subject.sides)]
        note = self.tr("Keeping either is one undo step. Nothing runs again.")
        self.table.show_rows(everything, note)

    def show_entry(self, index: int) -> None:
        if self.subject is not None and 0 <= index < len(self.subject.entries):
            self.entry = index
            self.show_subject(self.subject)
            self.take_focus()

    def set_mode(self, mode: str) -> None:
        """One of the ways to look that the viewer offers."""
        if mode in self.modes:
            self.mode = mode
            self._apply(mode)

    def _apply(self, mode: str) -> None:
        pictures = self.pictures
        if pictures is not None:
            pictures.set_mode(mode)
        elif isinstance(self.viewer, TextCompare):
            self.viewer.set_mode(mode)
        self.header.modes.show_modes(self.modes, mode)

    @property
    def modes(self) -> tuple[str, ...]:
        if self.pictures is not None:
            return PICTURE_MODES
        return (BESIDE, DIFFERENCE) if isinstance(self.viewer, TextCompare) else ()

    @property
    def pictures(self) -> PictureCompare | None:
        """What shows two pictures, when that is what is shown."""
        return self.viewer if isinstance(self.viewer, PictureCompare) else None

    def switch(self, side: str = "") -> None:
        """Sees that side first; the other one than now without a name."""
        if self.pictures is not None:
            self.pictures.switch(side)
        else:
            self._switched(side or ("b" if self.first == "a" else "a"))

    def take_focus(self) -> None:
        (self.viewer or self.missing).setFocus(Qt.FocusReason.OtherFocusReason)

    def _switched(self, side: str) -> None:
        self.first = side
        self._mark_first()

    def _mark_first(self) -> None:
        done = self.missing.isHidden()
        for side, card in self.cards.cards.items():
            card.set_current(side == self.first, done)

    # The viewer

    def _show_viewer(self) -> None:
        subject = self.subject
        assert subject is not None
        entry = subject.entries[self.entry] if subject.entries else None
        if subject.running or entry is None or not entry.whole or subject.button:
            self._show_missing(subject)
            return
        self.missing.hide()
        titles = {side: subject.sides[side].title for side in SIDES}
        found = {side: resource for side, resource in entry.resources.items() if resource is not None}
        key = tuple((r.digest, r.type) for r in found.values()), tuple(titles.values())
        if key != self._viewed:
            self._viewed = key
            self._put(None)
            view_of(self._ui, found, titles, self._put_if(key))

    def _put_if(self, key: object):
        """Takes a viewer that took a while to make, unless another one was asked for meanwhile."""

        def put(viewer: QWidget) -> None:
            if key == self._viewed:
                self._put(viewer)
            else:
                viewer.deleteLater()

        return put

    def _put(self, viewer: QWidget | None) -> None:
        focused = self.isAncestorOf(self.focusWidget()) if self.focusWidget() else False
        if self.viewer is not None:
            self._place.removeWidget(self.viewer)
            self.viewer.hide()
            self.viewer.deleteLater()
        self.viewer = viewer
        if viewer is not None:
            self._place.addWidget(viewer)
            viewer.show()
            if isinstance(viewer, PictureCompare):
                viewer.switch(self.first)
                viewer.switched.connect(self._switched)
            if self.modes:
                self._apply(self.mode if self.mode in self.modes else self.modes[0])
            if self.isVisible() and (focused or self.missing.isHidden()):
                self.take_focus()
        else:
            self.header.modes.show_modes((), "")
        self.header.fit.setVisible(self.pictures is not None)

    def _show_missing(self, subject: CompareModel) -> None:
        if self._viewed is not None:
            self._viewed = None
            self._put(None)
        self.header.modes.show_modes((), "")
        self.header.fit.hide()
        if subject.running:
            self.missing.show_running(subject.running, subject.fraction)
        else:
            why = subject.whys[self.entry] if self.entry < len(subject.whys) and not subject.button else subject.why
            self.missing.show_missing(why or subject.why, subject.cost, subject.shared, subject.button)
        self.missing.show()

    def _card_picked(self, pair: Pair) -> None:
        if self.subject is None:
            return
        for index, entry in enumerate(self.subject.entries):
            a, b = entry.made.get("a"), entry.made.get("b")
            if a is not None and b is not None and (a.node, b.node) == (pair.a, pair.b):
                self.show_entry(index)
                return

    # Room, keys

    @property
    def folded(self) -> bool:
        """True while only the heading of what differs is seen."""
        return self._halves.isHidden()

    def set_folded(self, folded: bool) -> None:
        """Folds or unfolds what differs, as the user wants it."""
        self._unfolded = not folded
        self._fit()

    def _fit(self) -> None:
        width, height = self.width(), self.height()
        self.header.set_width(width)
        folded = not self._unfolded if self._unfolded is not None else height < px(_LOW)
        if folded != self._halves.isHidden():
            self._halves.setHidden(folded)
            self._lower.setMaximumHeight(px(34) if folded else 16_777_215)
            below = px(34) if folded else self._high
            self.split.setSizes([max(1, self.split.height() - below), below])
        self.fold.set_icon("chevron-up" if folded else "chevron-down")
        self.cards.setFixedWidth(max(px(252), min(px(394), round(width * 0.345))))
        tight = width < px(_NARROW)
        self._upper.setContentsMargins(*(px(12),) * 4 if tight else (px(20), px(18), px(18), px(16)))
        self._upper.setSpacing(px(12 if tight else 20))

    def _on_moved(self) -> None:
        if not self.folded:  # only what the user drags: what a small window squeezes is no wish
            self._high = self.split.sizes()[1]

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press((*compare_actions(), *mode_actions()), self, event):
            super().keyPressEvent(event)

    def fit_picture(self) -> bool:
        """Shows the whole picture; False where none is shown."""
        if self.pictures is not None:
            self.pictures.fit()
        return self.pictures is not None

    def forget(self) -> None:
        self._viewed = None
        self._put(None)
        self.entry, self.first = 0, "a"


def compare_actions() -> tuple[Action[CompareView], ...]:
    """What keys do while two ways or results are compared."""
    return (
        Action("a", translate("A in front"), "", lambda c: c.switch("a"), ("A",)),
        Action("b", translate("B in front"), "", lambda c: c.switch("b"), ("B",)),
        Action("fold", translate("Fold or unfold what differs"), "", lambda c: c.set_folded(not c.folded), ("D",)),
        Action("fit", translate("Fit the picture"), "maximize", lambda c: c.fit_picture(), ("F",)),
        Action("close", translate("Leave comparing"), "x", lambda c: c.closed.emit(), ("Esc",)),
    )


class MissingResult(QFrame):
    """`run` is the button that runs what is missing, `stop` ends that."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._why = label("", "heading", True)
        self._cost = label("", "secondary", True)
        self._shared = label("", "tertiary", True)
        for words in (self._why, self._cost, self._shared):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.run = Button(self.tr("Run"), "play-solid", "primary")
        self.stop = Button(self.tr("Stop"), "stop-solid", tip=self.tr("Stop the run"))
        self._line = ProgressLine()
        self._line.setFixedWidth(px(260))
        column = stack(None, parent=self, gap=10, margins=(24, 12, 24, 12))
        for words in (self._why, self._cost, self._shared):
            column.addWidget(words)
        column.addLayout(row(None, self._line, None))
        column.addLayout(row(None, self.run, self.stop, None))
        column.addStretch(1)

    def show_missing(self, why: str, cost: str, shared: str, button: str) -> None:
        """`button` says what will happen; "" when nothing can be run."""
        self._say(why, cost, shared)
        self.run.set_words(button)
        self.run.setToolTip("\n".join(part for part in (cost, shared) if part))
        self.run.setVisible(bool(button))
        self.stop.hide()
        self._line.hide()

    def show_running(self, what: str, fraction: float) -> None:
        self._say(what, "", "")
        self.run.hide()
        self.stop.show()
        self._line.show()
        self._line.set_fraction(fraction)

    def _say(self, *texts: str) -> None:
        for words, text in zip((self._why, self._cost, self._shared), texts, strict=True):
            words.setText(text)
            words.setVisible(bool(text))
        self.setAccessibleName(" ".join(text for text in texts if text))

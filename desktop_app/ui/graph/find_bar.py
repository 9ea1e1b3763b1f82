"""The bar that finds cards in the graph: what matches is lit, one after the other is brought into the middle.

Must not know workflows: it is given entries and says which one is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from desktop_app.ui.search.entries import SearchEntry, find
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import IconButton, label, px, row


class FindBar(QFrame):
    """`lit` carries the ids that match, None when nothing is sought; `looked_at` the id of the present match.

    `entries()` gives what is to be searched, in the order in which it is stepped through.
    """

    lit = Signal(object)
    looked_at = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: Callable[[], Sequence[SearchEntry]] = lambda: ()
        self._hits: list[str] = []
        self._at = 0
        self.setProperty("surface", "overlay")
        self.field = QLineEdit(placeholderText=translate("Find in the graph"))
        self.field.setProperty("small", True)
        self.field.setAccessibleName(translate("Find in the graph"))
        self.field.setFixedWidth(px(200))
        self.field.textChanged.connect(self._seek)
        self.field.installEventFilter(self)
        self.count = label("", "caption")
        self.count.setMinimumWidth(px(56))
        self.count.setAlignment(Qt.AlignmentFlag.AlignCenter)
        before = IconButton("chevron-up", translate("The one before (Shift+Enter)"), 26)
        after = IconButton("chevron-down", translate("The next one (Enter)"), 26)
        close = IconButton("x", translate("Close (Esc)"), 26)
        before.clicked.connect(lambda: self.step(-1))
        after.clicked.connect(lambda: self.step(1))
        close.clicked.connect(self.dismiss)
        self.setLayout(row(self.field, self.count, before, after, close, gap=4, margins=(6, 5, 6, 5)))
        self.hide()

    def open(self) -> None:
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._seek()

    def dismiss(self) -> None:
        self.closed.emit()  # first: what is hidden with the keyboard on it hands that on by itself
        self.hide()
        self.lit.emit(None)

    @property
    def hits(self) -> tuple[str, ...]:
        return tuple(self._hits)

    def renew(self) -> None:
        """The graph has changed: looks again, and stays where it is."""
        if self.isVisible() and self.field.text().strip():
            at = self._hits[self._at] if self._hits else ""
            self._look()
            self._at = self._hits.index(at) if at in self._hits else 0
            self._tell_count()

    def _look(self) -> None:
        entries, query = self.entries(), self.field.text()
        found = {entry.id for entry, _ in find(entries, query)} if query.strip() else set()
        self._hits = [entry.id for entry in entries if entry.id in found]
        self.lit.emit(frozenset(self._hits) if query.strip() else None)

    def _seek(self) -> None:
        self._look()
        self._at = 0
        self._tell_count()
        if self._hits:
            self.looked_at.emit(self._hits[0])

    def _tell_count(self) -> None:
        if self._hits:
            text = translate("{n} of {total}").format(n=self._at + 1, total=len(self._hits))
        else:
            text = translate("none") if self.field.text().strip() else ""
        self.count.setText(text)
        self.count.setAccessibleName(text)

    def step(self, by: int) -> None:
        if self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._tell_count()
            self.looked_at.emit(self._hits[self._at])

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F3):
                self.step(-1 if shift else 1)
                return True
            if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self.step(1 if key == Qt.Key.Key_Down else -1)
                return True
            if key == Qt.Key.Key_Escape:
                self.dismiss()
                return True
        return super().eventFilter(watched, event)

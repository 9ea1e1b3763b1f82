"""Names files and earlier results in a message: a small list opens at an "@", keys choose from it while one writes on.

Must not know what the composer does with what is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from desktop_app.storage.resources import Resource
from desktop_app.ui.search.entries import SearchEntry, entry_of_resource
from desktop_app.ui.search.search_delegate import SearchDelegate
from desktop_app.ui.search.search_popup import SearchRows
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.widgets.basic import px, stack

_WIDE, _HIGH, _MOST = 280, 320, 40

_SOUGHT = re.compile(r"(?<![A-Za-z0-9._%+-])@([^\s@]*)$")
"""An "@" that begins a word (no address of mail) up to the caret; Chinese needs no space before it."""


class _MentionDelegate(SearchDelegate):
    """Rows with the thumbnail of the resource where there is one."""

    def __init__(self, ui: UiContext, parent: QObject) -> None:
        super().__init__(parent)
        self._ui = ui

    def _tile(self, painter: QPainter, tile: QRectF, entry: SearchEntry, color: QColor) -> None:
        resource = self._ui.find(entry.id)
        image = self._ui.thumbnails.image(resource) if resource is not None else None
        if image is None:
            super()._tile(painter, tile, entry, color)
            return
        side = min(image.width(), image.height())
        middle = QRectF((image.width() - side) / 2, (image.height() - side) / 2, side, side)
        path = QPainterPath()
        path.addRoundedRect(tile, 6, 6)
        painter.save()
        painter.setClipPath(path)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(tile, image, middle)
        painter.restore()


class MentionList(QFrame):
    """Shows resources, the latest first; never takes the keyboard."""

    taken = Signal(str)

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self.setProperty("surface", "overlay")
        self._ui = ui
        self.rows = SearchRows(translate("Files and results to refer to"), _MentionDelegate(ui, self))
        self.rows.taken.connect(self.take)
        stack(self.rows, parent=self, margins=(6, 4, 6, 6))
        ui.thumbnails.ready.connect(lambda _: self.rows.viewport().update())
        self.hide()

    @property
    def names(self) -> list[str]:
        return [entry.id for entry in self.rows.entries if entry is not None]

    def fill(self, query: str) -> bool:
        """Offers what has the query in its name; False when nothing has. An empty conversation says so in a row."""
        held = list(reversed(self._ui.session.resources.values()))
        found = matching(held, query)[:_MOST]
        self.rows.clear()
        for title, members in (
            (translate("Results"), [resource for resource in found if resource.made_by]),
            (translate("Files"), [resource for resource in found if not resource.made_by]),
        ):
            if members:
                self.rows.add_heading(title)
                for resource in members:
                    session = self._ui.session
                    self.rows.add_entry(entry_of_resource(resource, session.workflow, session.tools))
        if not held:
            self.rows.add_heading(translate("No files or results yet. Attach a file first."))
        self.rows.step(0)
        return bool(found) or (not held and not query)

    def height_wanted(self) -> int:
        """Pixels for all rows, up to a limit."""
        return min(px(_HIGH), self.rows.whole_height + px(10) + 4)

    def take(self, entry: SearchEntry | None = None) -> None:
        """Tells the name of an entry, by default the chosen one."""
        entry = entry or self.rows.current
        if entry is not None:
            self.taken.emit(entry.id)


class Mentions(QObject):
    """Belongs to a field. `chosen(name)` when a name was put into the text in the place of the "@" and its letters."""

    chosen = Signal(str)

    def __init__(self, ui: UiContext, field: QPlainTextEdit) -> None:
        super().__init__(field)
        self._field = field
        self._let_be = -1
        self.list = MentionList(ui)
        self.list.setParent(field)  # until it opens, when it goes over the whole window
        self.list.taken.connect(self._take)
        field.textChanged.connect(self.follow)
        field.cursorPositionChanged.connect(self.follow)
        field.installEventFilter(self)

    @property
    def open(self) -> bool:
        """True while the list is seen."""
        return self.list.isVisible()

    @property
    def _held(self) -> bool:
        """True when the field has the keyboard, or will have it once its window is the active one."""
        return self._field.window().focusWidget() is self._field

    def begin(self) -> None:
        """Writes an "@" where the caret is, and opens the list."""
        self._field.setFocus()
        before = self._before()
        if sought(before) is None:
            spaced = before and (before[-1].isascii() and not before[-1].isspace())
            self._field.insertPlainText(" @" if spaced else "@")
        self._let_be = -1
        self.follow()

    def _before(self) -> str:
        cursor = self._field.textCursor()
        return cursor.block().text()[: cursor.positionInBlock()]

    def follow(self) -> None:
        """Shows what answers what stands after the "@", or goes away."""
        query = sought(self._before())
        start = self._field.textCursor().position() - len(query or "")
        if query is None:
            self._let_be = -1
        if query is None or start == self._let_be or not self._held or not self.list.fill(query):
            self.close()
            return
        self._place()

    def _place(self) -> None:
        """Over the field where there is room, else below it; inside the window."""
        window, gap = self._field.window(), px(6)
        if self.list.parentWidget() is not window:
            self.list.setParent(window)
        place = self._field.mapTo(window, self._field.cursorRect().topLeft())
        top = self._field.mapTo(window, QPoint(0, 0)).y()
        wide = min(px(_WIDE), window.width() - 2 * gap)
        high = min(self.list.height_wanted(), max(top, window.height() - top - self._field.height()) - 2 * gap)
        above = top - high - gap
        y = above if above >= 0 else top + self._field.height() + gap
        self.list.setGeometry(max(gap, min(place.x() - px(12), window.width() - wide - gap)), y, wide, high)
        self.list.show()
        self.list.raise_()

    def close(self) -> None:
        self.list.hide()

    def _take(self, name: str) -> None:
        query = sought(self._before())
        if query is None:
            return
        cursor = self._field.textCursor()
        after = cursor.block().text()[cursor.positionInBlock() :]
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(query) + 1)
        cursor.insertText(name if after[:1].isspace() else f"{name} ")
        self._field.setTextCursor(cursor)
        self.close()
        self.chosen.emit(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut or event.type() == QEvent.Type.Hide:
            self.close()
        elif self.open and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._key(Qt.Key(event.key()))
        return False

    def _key(self, key: Qt.Key) -> bool:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 5, Qt.Key.Key_PageUp: -5}
        if key in steps:
            self.list.rows.step(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            if not self.list.names:
                return False
            self.list.take()
        elif key == Qt.Key.Key_Escape:
            self._let_be = self._field.textCursor().position() - len(sought(self._before()) or "")
            self.close()
        else:
            return False
        return True


def sought(before: str) -> str | None:
    """What stands after the "@" that is being written, "" just after it; None when there is none before the caret."""
    found = _SOUGHT.search(before)
    return found[1] if found else None


def standing(text: str, names: Iterable[str]) -> frozenset[str]:
    """Those of the names that stand in the text as a whole: `a.png` does not stand in `ba.png`."""
    return frozenset(
        name for name in names if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text, re.ASCII) is not None
    )


def matching(resources: Sequence[Resource], query: str) -> list[Resource]:
    """Those whose name has the query: first where the name begins with it, then where a word of it does; the order is
    kept otherwise.
    """
    wanted = query.lower()
    places = [(_place(resource.name.lower(), wanted), resource) for resource in resources]
    return [resource for place, resource in sorted(places, key=lambda pair: pair[0]) if place < 3]


def _place(name: str, wanted: str) -> int:
    if name.startswith(wanted):
        return 0
    if any(part.startswith(wanted) for part in re.split(r"[\W_]+", name)):
        return 1
    return 2 if wanted in name else 3

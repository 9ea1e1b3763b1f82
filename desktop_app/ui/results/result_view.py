"""A result of any type, shown as what it is: picture, sound, film, words, table, page, number.

Must not know where it stands: the chat and the inspector both use it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QUrl
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsOpacityEffect,
    QHeaderView,
    QTableView,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from desktop_app.storage.resources import Resource, seen_as
from desktop_app.ui.support import formatting, media_reader
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.saving import as_saved
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import Button, ElidedLabel, label, px, row, stack
from desktop_app.ui.widgets.glyphs import IconTile
from desktop_app.ui.widgets.markdown_view import MarkdownText, browse
from desktop_app.ui.widgets.media_player import FilmView, SoundView, open_outside
from desktop_app.ui.widgets.picture import Picture
from nodes.api import Box, Label, Point, ResourceType, Table

_T = ResourceType
_EXCERPT = 600
_ROWS_SHOWN = 8
_OWN_PICTURE = "data:image/png;base64,"
_FAINT = 0.7
"""How much is seen of what is out of date, and still to be read."""

Index = QModelIndex | QPersistentModelIndex


class ResultView(QWidget):
    """Shows at once what needs no reading, the rest as soon as it is read. A click on a picture opens it large."""

    def __init__(self, ui: UiContext, resource: Resource, tallest: int = 220, plate: bool = True) -> None:
        super().__init__()
        self.ui, self.resource = ui, resource
        self._column = stack(parent=self, gap=4)
        kind, is_file = seen_as(resource), resource.type is _T.FILE
        if kind is _T.VIDEO:
            self._column.addWidget(FilmView(ui, replace(resource, type=kind), tallest, plate))
        elif kind is _T.AUDIO:
            self._column.addWidget(SoundView(ui, resource))
        elif ui.thumbnails.has_picture(resource):
            picture = Picture(ui, resource, tallest, cut=False, plate=plate)
            picture.opened.connect(ui.signals.open_large)
            self._column.addWidget(picture)
            is_file = resource.suffix == ".gif"  # it moves only where it is opened
        elif resource.type is _T.HTML:
            self._column.addWidget(PageView(ui, resource))
        else:
            ui.load_value(resource, self._document_came if is_file else self._came)
        if is_file:
            self._column.addWidget(FileCard(ui, resource))

    def set_faint(self, faint: bool) -> None:
        """True lets it fade: it is out of date."""
        pictures = self.findChildren(Picture)
        for picture in pictures:
            picture.set_faint(faint)
        if pictures or faint == (self.graphicsEffect() is not None):
            return
        effect = QGraphicsOpacityEffect(self) if faint else None
        if effect is not None:
            effect.setOpacity(_FAINT)
        self.setGraphicsEffect(effect)  # type: ignore[arg-type]

    def _document_came(self, value: Any) -> None:
        """What stands in a file of another program, where that can be read."""
        if not isinstance(value, Exception):
            self._came(value)

    def _came(self, value: Any) -> None:
        if isinstance(value, Exception):
            self._column.addWidget(label(formatting.said(str(value)), "error", True))
            return
        self._column.addWidget(view_of(self.ui, self.resource, value.value))
        if value.cut:
            self._column.addWidget(label(self.tr("Only the beginning is shown; the file has more."), "caption", True))


def view_of(ui: UiContext, resource: Resource, value: Any) -> QWidget:
    if isinstance(value, bool):
        return label(formatting.translate("yes") if value else formatting.translate("no"), "heading")
    if isinstance(value, int | float):
        return label(f"{value:,.6g}".replace(",", "\u2009"), "display")
    if resource.type is _T.HTML:
        return PageView(ui, resource)
    if resource.type is _T.URL:
        return LinkView(value)
    if isinstance(value, str):
        return TextView(value)
    table = as_table(value)
    if table is None or not table.rows:
        return label(formatting.translate("Nothing was found."), "secondary")
    return TableView(table)


def as_table(value: Any) -> Table | None:
    """Tables, boxes, labels and points as a table; None for anything else."""
    if isinstance(value, Table):
        return value
    if not isinstance(value, tuple):
        return None
    if value and isinstance(value[0], Box):
        rows = ((b.label or "–", round(b.score, 2), *(round(v) for v in b[:4])) for b in value)
        return Table(
            (formatting.translate("label"), formatting.translate("score"), "x0", "y0", "x1", "y1"), tuple(rows)
        )
    if value and isinstance(value[0], Label):
        named = tuple((b.name, round(b.score, 3)) for b in value)
        return Table((formatting.translate("label"), formatting.translate("score")), named)
    if value and isinstance(value[0], Point):
        placed = tuple((p.x, p.y, "+" if p.include else "−") for p in value)
        return Table(("x", "y", formatting.translate("include")), placed)
    return Table(("",), ())


_FITTED = 24
"""So many columns are made as wide as what stands in them: for each one the header measures all of these anew."""
_LONGEST_CELL = 1000
"""Characters of a cell that are shown."""


class TableModel(QAbstractTableModel):
    """A Table, read-only."""

    def __init__(self, table: Table, parent: QWidget) -> None:
        super().__init__(parent)
        self._table = table

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._table.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._table.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        value = self._table.rows[index.row()][index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)[:_LONGEST_CELL]
        if role == Qt.ItemDataRole.TextAlignmentRole and isinstance(value, int | float):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return str(self._table.columns[section])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            numbers = _mostly_numbers(self._table, section)
            side = Qt.AlignmentFlag.AlignRight if numbers else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


def _mostly_numbers(table: Table, column: int) -> bool:
    """True for a column of figures, where one word among them may stand."""
    cells = [row[column] for row in table.rows[:50] if row[column] is not None]
    return sum(isinstance(cell, int | float) for cell in cells) * 2 > len(cells)


class TableView(QTableView):
    """Up to eight rows are seen at once, the rest by scrolling."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.setModel(TableModel(table, self))
        self.setAccessibleName(self.tr("Table of {n} rows").format(n=len(table.rows)))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(26))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setFixedHeight(px(26))
        few = len(table.columns) <= 3
        self.horizontalHeader().setResizeContentsPrecision(50)
        self.horizontalHeader().setDefaultSectionSize(px(96))
        for column in range(min(len(table.columns), _FITTED)):  # figures take what they need, words the rest
            wide = few and not (column and _mostly_numbers(table, column))
            mode = QHeaderView.ResizeMode.Stretch if wide else QHeaderView.ResizeMode.ResizeToContents
            self.horizontalHeader().setSectionResizeMode(column, mode)
        self.setFixedHeight(px(26) * (min(len(table.rows), _ROWS_SHOWN) + 1) + (2 if few else px(10)))


class TextView(QFrame):
    """Words in a well; long ones are cut until "Show all" is pressed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setProperty("surface", "field")
        self._text = text
        self._shown = MarkdownText(plain=True)
        self._shown.setAccessibleName(self.tr("Text"))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(10), px(8), px(10), px(8))
        column.addWidget(self._shown)
        long = len(text) > _EXCERPT
        self._shown.set_text(f"{text[:_EXCERPT].rstrip()} …" if long else text or self.tr("(empty)"))
        if long:
            more = Button(self.tr("Show all {n} characters").format(n=len(text)), kind="link")
            more.clicked.connect(self._show_all)
            column.addLayout(row(more, None))
            self._more = more

    def _show_all(self) -> None:
        self._more.hide()
        self._shown.set_text(self._text)


class LinkView(QFrame):
    """An address that opens in the browser when asked."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.setProperty("surface", "field")
        button = Button(self.tr("Open in browser"), "external-link", small=True)
        button.clicked.connect(lambda: browse(QUrl(address)))
        self.setLayout(row(ElidedLabel(address), button, margins=(10, 6, 6, 6)))


class HtmlPage(QTextBrowser):
    """A page without scripts, and without anything from the network or the disk. Is given what `media.page` made."""

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """The pictures that are in the page itself; an empty one, not None, for others: else Qt opens the file."""
        address = name if isinstance(name, str) else name.toString()
        return None if address.startswith(_OWN_PICTURE) else QImage()


class PageView(QFrame):
    """The words, tables and own pictures of a page; the whole of it opens in the browser."""

    def __init__(self, ui: UiContext, resource: Resource) -> None:
        super().__init__()
        self.setProperty("surface", "field")
        self._page = page = HtmlPage()
        page.setProperty("bare", True)
        page.setOpenLinks(False)
        page.setAccessibleName(self.tr("Page {name}").format(name=resource.name))
        page.document().setDefaultFont(theme.current().font("body"))
        page.setFixedHeight(px(180))
        button = Button(self.tr("Open in browser"), "external-link", "quiet", small=True)
        button.clicked.connect(lambda: open_outside(ui, resource))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(10), px(8), px(4), px(4))
        column.addWidget(page)
        column.addLayout(row(None, button))
        path = ui.path(resource)
        if path is None:
            page.setPlainText(self.tr("{name} is no longer in the store.").format(name=resource.name))
        else:
            ui.loader.run(partial(media_reader.page, path), self._came)

    def _came(self, html: Any) -> None:
        if isinstance(html, str):
            self._page.setHtml(html)
        else:
            self._page.setPlainText(formatting.said(str(html)))


class FileCard(QFrame):
    """A file of another kind: its name, its size, and a button that opens it."""

    def __init__(self, ui: UiContext, resource: Resource) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        self._open = button = Button(self.tr("Open"), "external-link", small=True)
        name = as_saved(ui, resource).name
        button.setAccessibleName(self.tr("Open {name}").format(name=name))
        button.clicked.connect(lambda: open_outside(ui, resource))
        words_column = stack(ElidedLabel(name), label(formatting.facts_of(resource), "caption"), gap=0)
        self._row = row(IconTile("file", resource.type, 26), words_column, button, margins=(10, 8, 8, 8), grow=1)
        self.setLayout(self._row)

    def add(self, *buttons: QWidget) -> None:
        """Puts further buttons at its end; that which opens it leaves its words' room to the name."""
        self._open.set_words("")
        self._open.setToolTip(self._open.accessibleName())
        for button in buttons:
            self._row.addWidget(button)

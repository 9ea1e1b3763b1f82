"""Markdown as tall as its text, with chips that lead to nodes. Loads nothing: no network, no local files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFontMetrics,
    QImage,
    QPainter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextImageFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from desktop_app.ui.support.formatting import unbroken
from desktop_app.ui.theme import shapes, theme
from desktop_app.ui.widgets.basic import color, px
from nodes.api import ResourceType

RENDER_EVERY = 60  # milliseconds, chosen: a text that streams in is laid out so often
_FIRST_MARK = 0xE000
_F = QTextDocument.MarkdownFeature
_DIALECT = _F.MarkdownDialectGitHub | _F.MarkdownNoHTML
_MOST_CHARACTERS = 60_000
_MOST_EMPHASIS = 3_000
_MOST_CELLS = 2_500
_WIDEST_ROW = 60
_MOST_LINES = 10_000
"""Measured with Qt 6.11: up to these a text is laid out in less than half a second; a few times more can freeze it."""
_LONGEST_WORD = 400
_LONG_WORD = re.compile(rf"(\S{{{_LONGEST_WORD}}})(?=\S)")
_BREAK = "\u200b"
_WEB = ("http", "https")


@dataclass(frozen=True)
class NodeChip:
    """A chip behind the character `end` of a text that leads to `node`."""

    end: int
    node: str
    title: str
    type: ResourceType | None


class MarkdownText(QTextBrowser):
    """`set_text` may be called for each token: it is rendered at most every 60 ms.

    HTML in it is shown as it is written, pictures and links to files as words. What would take Qt long is shown without
    Markdown. `own` is true only in classes whose texts are shipped with the program.
    """

    node_selected = Signal(str)
    own = False

    def __init__(self, plain: bool = False) -> None:
        super().__init__()
        self._plain = plain
        self._text = ""
        self._chips: tuple[NodeChip, ...] = ()
        self._caret = False
        self._height = 0
        self._old_look = False
        self._timer = QTimer(self, singleShot=True, interval=RENDER_EVERY)
        self._timer.timeout.connect(self.render_now)
        self.setProperty("bare", True)
        self.setAccessibleName(self.tr("Text"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(px(60))
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(self._follow)
        theme.signals().changed.connect(self._restyle)

    def set_text(self, text: str, chips: Sequence[NodeChip] = (), streaming: bool = False) -> None:
        """Shows the text soon; the first time at once. A streaming text ends with a caret."""
        asked = (text, tuple(chips), streaming)
        if asked == (self._text, self._chips, self._caret):
            return
        first = not self._text
        self._text, self._chips, self._caret = asked
        if first or not streaming:
            self._timer.stop()
            self.render_now()
        elif not self._timer.isActive():
            self._timer.start()

    def render_now(self) -> None:
        self._old_look = False
        marked = self._marked()
        plain = self._plain or _is_costly(marked)
        if plain:
            self.setPlainText(self._first_lines(with_breaks(marked)))
        else:
            self.document().setMarkdown(with_breaks(marked if self.own else without_pictures(marked)), _DIALECT)
            if not self.own:
                _drop_links(self.document())
        self._style_plain() if plain else self._style()
        for index, chip in enumerate(self._shown_chips()):
            self._put_chip(chr(_FIRST_MARK + index), chip)
        if self._caret:
            self._put_caret()
        self._fit()

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """Nothing is loaded from outside; a text cannot make the window read files or call servers.

        An empty picture, not None: for None, Qt opens the file of that name by itself.
        """
        return QImage()

    def sizeHint(self) -> QSize:
        return QSize(px(200), self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(px(60), self._height)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event) -> None:
        if self._old_look:
            self.render_now()
        super().paintEvent(event)

    def wheelEvent(self, event) -> None:
        event.ignore()  # the conversation scrolls, not the message

    def _restyle(self) -> None:
        """In the colours of the theme; what is not seen when it is."""
        if self.visibleRegion().isEmpty():
            self._old_look = True
        else:
            self.render_now()

    def _fit(self) -> None:
        if self.viewport().width() > 0:
            self.document().setTextWidth(self.viewport().width())
        high = round(self.document().size().height()) + 1
        if high != self._height:
            self._height = high
            self.setFixedHeight(high)
            self.updateGeometry()
        self.viewport().resize(self.width(), high)  # within a resize Qt leaves it as high as it was: a line was lost

    def _shown_chips(self) -> list[NodeChip]:
        """Of neighbouring statements about one node, only the last has the chip."""
        ordered = sorted(self._chips, key=lambda chip: chip.end)
        return [c for i, c in enumerate(ordered) if i + 1 == len(ordered) or ordered[i + 1].node != c.node]

    def _marked(self) -> str:
        """The text with a private character where each chip goes: behind its statement. Before the full stop, that
        would begin a line of its own where the chip ends one.
        """
        text = self._text
        for index, chip in reversed(list(enumerate(self._shown_chips()))):
            end = min(chip.end, len(text))
            while end > 0 and text[end - 1] in " \n":
                end -= 1
            text = text[:end] + chr(_FIRST_MARK + index) + text[end:]
        return text

    def _put_chip(self, mark: str, chip: NodeChip) -> None:
        found = self.document().find(mark)
        if found.isNull():
            return
        image = chip_image(chip, self.devicePixelRatioF())
        name = f"chip:{chip.node}"
        self.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
        form = QTextImageFormat()
        form.setName(name)
        form.setWidth(image.deviceIndependentSize().width())
        form.setHeight(image.deviceIndependentSize().height())
        form.setAnchor(True)
        form.setAnchorHref(f"node:{chip.node}")
        form.setToolTip(self.tr("Show {title} in the graph").format(title=chip.title))
        form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
        found.insertText("\u2009", QTextCharFormat())
        found.insertImage(form)

    def _put_caret(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        form = QTextCharFormat()
        form.setForeground(color("accent.line"))
        cursor.insertText("▍", form)

    def _first_lines(self, text: str) -> str:
        lines = text.split("\n", _MOST_LINES)
        if len(lines) <= _MOST_LINES:
            return text
        left = lines.pop().count("\n") + 1
        return "\n".join([*lines, self.tr("… and {n} more lines.").format(n=left)])

    def _style_plain(self) -> None:
        document = self.document()
        document.setDefaultFont(theme.current().font("body"))
        form = QTextBlockFormat()
        form.setLineHeight(float(px(19)), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        cursor = QTextCursor(document)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)

    def _style(self) -> None:
        """Code on a well, tables with hairlines, paragraphs with room: Markdown brings no look of its own."""
        document = self.document()
        document.setDefaultFont(theme.current().font("body"))
        whole = QTextCursor(document)
        whole.beginEditBlock()  # laid out once at the end: after each block, 20,000 lines take minutes
        block = document.begin()
        while block.isValid():
            form = block.blockFormat()
            fenced = form.hasProperty(QTextFormat.Property.BlockCodeFence) or form.hasProperty(
                QTextFormat.Property.BlockCodeLanguage
            )
            cursor = QTextCursor(block)
            if fenced or form.nonBreakableLines():
                _style_code(cursor)
            elif form.headingLevel():
                _style_heading(cursor)
            else:
                change = QTextBlockFormat()
                change.setLineHeight(float(px(19)), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
                change.setBottomMargin(px(4 if block.textList() else 6) if block.next().isValid() else 0)
                change.setTopMargin(0)
                if form.hasProperty(QTextFormat.Property.BlockQuoteLevel):
                    change.setLeftMargin(px(12))
                    change.setRightMargin(0)
                cursor.mergeBlockFormat(change)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _style_table(frame)
        whole.endEditBlock()

    def _follow(self, url: QUrl) -> None:
        if url.scheme() == "node":
            self.node_selected.emit(url.toString()[len("node:") :])
        else:
            browse(url)


def _drop_links(document: QTextDocument) -> None:
    """Links that lead to anything but the web become words."""
    block = document.begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            piece = pieces.fragment()
            form = piece.charFormat()
            if form.isAnchor() and QUrl(form.anchorHref()).scheme() not in _WEB:
                cursor = QTextCursor(document)
                cursor.setPosition(piece.position())
                cursor.setPosition(piece.position() + piece.length(), QTextCursor.MoveMode.KeepAnchor)
                cursor.setCharFormat(QTextCharFormat())
                pieces = block.begin()  # it may have become one with what is beside it
                continue
            pieces += 1
        block = block.next()


def browse(url: QUrl) -> None:
    """Opens an address of the web in the browser; nothing else, such as files, is opened."""
    if url.scheme() in _WEB:
        QDesktopServices.openUrl(url)


def without_pictures(text: str) -> str:
    """Markdown whose pictures are links: Qt looks for the files of pictures, on a fine screen even for others."""
    return text.replace("![", f"!{_BREAK}[")


def with_breaks(text: str) -> str:
    """Where a line may end: within words of more than 400 characters, as Qt takes seconds for one that may not break,
    and not within `640 × 427` or between a number and its unit.
    """
    return _LONG_WORD.sub(rf"\1{_BREAK}", unbroken(text))


def _is_costly(text: str) -> bool:
    """True when Qt would take long to lay the text out as Markdown."""
    return (
        len(text) > _MOST_CHARACTERS
        or sum(text.count(mark) for mark in "*_~") > _MOST_EMPHASIS
        or text.count("|") > _MOST_CELLS
        or any(line.count("|") > _WIDEST_ROW for line in text.splitlines())
    )


def _style_code(cursor: QTextCursor) -> None:
    change = QTextBlockFormat()
    change.setBackground(color("background.field"))
    change.setLeftMargin(0)
    change.setNonBreakableLines(False)
    cursor.mergeBlockFormat(change)
    cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
    form = QTextCharFormat()
    form.setFont(theme.current().font("mono"))
    cursor.mergeCharFormat(form)


def _style_heading(cursor: QTextCursor) -> None:
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    form = QTextCharFormat()
    form.setFont(theme.current().font("title"))
    cursor.mergeCharFormat(form)


def _style_table(table: QTextTable) -> None:
    form = table.format()
    form.setBorder(1)
    form.setBorderBrush(color("background.border"))
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderCollapse(True)
    form.setCellPadding(px(4))
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(form)


def chip_image(chip: NodeChip, density: float) -> QImage:
    """A rounded chip with the type's shape and the title, 20 high; nothing above and below it, where Qt lets a line of
    only an image reach into the one before.
    """
    font = theme.current().font("small")
    title = QFontMetrics(font).elidedText(chip.title, Qt.TextElideMode.ElideRight, px(150))
    wide, high, free = QFontMetrics(font).horizontalAdvance(title) + px(28), px(20), px(3)
    image = QImage(round(wide * density), round((high + 2 * free) * density), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(density)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(0, free)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color("background.hover")))
    painter.drawRoundedRect(QRectF(0, 0, wide, high), px(6), px(6))
    shapes.paint_type(painter, QRectF(px(7), high / 2 - px(5), px(10), px(10)), chip.type or "any")
    painter.setFont(font)
    painter.setPen(color("text.primary"))
    painter.drawText(QRectF(px(22), 0, wide, high), Qt.AlignmentFlag.AlignVCenter, title)
    painter.end()
    return image

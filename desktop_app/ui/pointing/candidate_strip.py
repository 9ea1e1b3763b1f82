"""Below the picture: three readings of the same clicks as pictures, and the things that were marked.

Must not know sessions or masks' arrays.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.ui.pointing.drawing import BEST, Drawing, MarkedObject
from desktop_app.ui.pointing.mask_preview import MaskReading, tint
from desktop_app.ui.widgets.basic import (
    Button,
    ClickableFrame,
    ElidedLabel,
    IconButton,
    Painted,
    clear,
    color,
    label,
    mark,
    px,
    row,
    stack,
)
from desktop_app.ui.widgets.flow_layout import FlowLayout
from desktop_app.ui.widgets.glyphs import KeyHint


class CandidateStrip(QFrame):
    """Tells what the user wants with readings and things; shows what it is given."""

    reading = Signal(str)
    chosen = Signal(int)
    added = Signal()
    removed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._picture: QImage | None = None
        column = stack(parent=self, gap=10, margins=(16, 10, 16, 12))
        self._readings = QWidget()
        which = self.tr("Which one do you mean?")
        self._of = label("", "caption")
        inside = stack(row(label(which, "heading"), self._of, None), parent=self._readings)
        place = QWidget()
        place.setFixedHeight(px(56))  # also while there are none, so that the picture does not jump
        self._cards = row(gap=12, parent=place)
        inside.addWidget(place)
        self._offered = self._quiet = False
        column.addWidget(self._readings)
        self.cards: list[ReadingCard] = []
        self.names: list[Button] = []
        self.chips: list[CandidateChip] = []
        self._drawing: Drawing | None = None
        self.add = Button(self.tr("Add object"), "plus", small=True, tip=self.tr("Mark one more thing (N)"))
        self.add.clicked.connect(self.added)
        self.add.setMinimumHeight(px(30))
        last = self.tr("“this” in the chat means the last one")
        self._last = label(last, "caption")
        self._short = QWidget()
        self._names = row(gap=6, parent=self._short)
        self._objects = label(self.tr("Objects"), "heading")
        column.addLayout(row(self._objects, self._last, None, self._short))
        self._chips = QWidget()
        self._flow = FlowLayout(px(8), self._chips)
        column.addWidget(self._chips)
        self._readings.hide()

    def set_picture(self, image: QImage) -> None:
        side = px(64) * 2
        keep = Qt.AspectRatioMode.KeepAspectRatio
        if max(image.width(), image.height()) > 4 * side:  # to look at all of 24 megapixels takes 0.1 s
            image = image.scaled(4 * side, 4 * side, keep)
        self._picture = image.scaled(side, side, keep, _SMOOTH)

    def offer_readings(self, offered: bool) -> None:
        """True where the tool can be told how much is meant."""
        self._offered = offered
        self._arrange()

    def set_quiet(self, quiet: bool) -> None:
        """Readings by name beside the heading, where there is no room for their pictures."""
        self._quiet = quiet
        self._arrange()

    def _arrange(self) -> None:
        self._readings.setVisible(self._offered and not self._quiet)
        self._objects.setMinimumHeight(px(28) if self._offered and self._quiet else 0)  # the picture does not jump
        named = self._offered and self._quiet and bool(self.cards)
        self._short.setVisible(named)
        self._last.setVisible(not named)

    def show_readings(self, readings: Sequence[MaskReading], chosen: str) -> None:
        """Shows one card for each; `chosen` is the name of one, or "best"."""
        clear(self._cards)
        clear(self._names)
        names = {
            "small": (self.tr("Part"), self.tr("the least of it")),
            "medium": (self.tr("Thing"), self.tr("most likely")),
            "large": (self.tr("Group"), self.tr("with what belongs to it")),
        }
        self.cards, self.names = [], []
        for number, reading in enumerate(readings, 1):
            card = ReadingCard(self._picture, reading, number, *names[reading.name])
            card.clicked.connect(lambda name=reading.name: self.reading.emit(name))
            self.cards.append(card)
            named = Button(names[reading.name][0], small=True, tip=card.toolTip())
            named.setProperty("choice", True)
            named.setCheckable(True)
            named.clicked.connect(lambda _=False, name=reading.name: self.reading.emit(name))
            self.names.append(named)
            self._names.addWidget(named)
            self._cards.addWidget(card, 1)
        self._cards.addStretch(0)  # has what the cards have no use for
        of_points, none = (
            self.tr("readings of the same points"),
            self.tr("click on something to see how it can be read"),
        )
        self._of.setText(of_points if readings else none)
        self.show_reading(chosen)
        self._arrange()

    def show_reading(self, chosen: str) -> None:
        """Marks the card of the reading; for "best" the one that it looks like."""
        usual = next((card.reading.name for card in self.cards if card.reading.usual), "")
        for card in self.cards:
            card.set_chosen(card.reading.name == (usual if chosen == BEST else chosen))
        for card, named in zip(self.cards, self.names, strict=True):
            named.setChecked(card.chosen)

    def show_drawing(self, drawing: Drawing) -> None:
        if drawing == self._drawing:
            return
        self._drawing = drawing
        if len(drawing.things) == len(self.chips):
            for chip, thing in zip(self.chips, drawing.things, strict=True):
                chip.show_thing(thing, thing is drawing.thing)
            self._flow.invalidate()
            return
        self._flow.removeWidget(self.add)
        clear(self._flow)
        self.chips = []
        for index, thing in enumerate(drawing.things):
            chip = CandidateChip(thing, thing is drawing.thing)
            self._connect(chip, index)
            self._flow.addWidget(chip)
            self.chips.append(chip)
        self._flow.addWidget(self.add)
        self._chips.updateGeometry()

    def _connect(self, chip: CandidateChip, index: int) -> None:
        chip.choose.clicked.connect(lambda: self.chosen.emit(index))
        chip.drop.clicked.connect(lambda: self.removed.emit(index))


_SMOOTH = Qt.TransformationMode.SmoothTransformation


class ReadingCard(ClickableFrame):
    """A small picture with the mask of one reading; a click takes it."""

    def __init__(self, picture: QImage | None, reading: MaskReading, number: int, title: str, more: str) -> None:
        share = f"{reading.fraction:.1%}".replace("%", " %")
        super().__init__(f"{title}, {share}")
        self.reading = reading
        self.setToolTip(self.tr("{title}: {more} ({n})").format(title=title, more=more, n=number))
        self.setMaximumWidth(px(280))
        text = stack(ElidedLabel(title, "small"), gap=0)
        self._share, self._of_picture = share, self.tr("{share} of the picture").format(share=share)
        self._part = ElidedLabel(self._of_picture, "caption")
        text.addWidget(self._part)
        self._key = KeyHint(str(number))
        row(Thumb(picture, reading.overlay), text, self._key, gap=10, margins=(6, 5, 10, 5), grow=1, parent=self)
        self.set_chosen(False)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._key.setVisible(self.width() >= px(170))
        self._part.set_text(self._of_picture if self.width() >= px(190) else self._share)

    def set_chosen(self, chosen: bool) -> None:
        self.chosen = chosen
        mark(self, "surface", "accent" if chosen else "raised")
        self.setAccessibleDescription(self.tr("chosen") if chosen else "")


class Thumb(Painted, QWidget):
    def __init__(self, picture: QImage | None, overlay: QImage) -> None:
        super().__init__()
        self._picture, self._overlay = picture, overlay
        self.setFixedSize(px(64), px(44))

    def paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()), px(5), px(5))
        painter.fillPath(path, color("background.field"))
        painter.setClipPath(path)
        if self._picture is not None:
            size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRectF(0, 0, size.width(), size.height())
            target.moveCenter(QRectF(self.rect()).center())
            painter.drawImage(target, self._picture)
            painter.fillRect(target, QColor(0, 0, 0, 90))
            painter.drawImage(target, self._overlay)


class CandidateChip(QFrame):
    """One thing: its colour and number, count of marks, remove."""

    def __init__(self, thing: MarkedObject, current: bool) -> None:
        super().__init__()
        self._thing: MarkedObject | None = None
        self.choose = Button(kind="quiet", small=True)
        self.choose.setStyleSheet(f"padding: 0 {px(6)}px;")
        self._count = label("", "caption")
        self.drop = IconButton("x", "", 24)
        row(Dot(thing.number), self.choose, self._count, self.drop, gap=4, margins=(8, 2, 3, 2), parent=self)
        self.show_thing(thing, current)

    def show_thing(self, thing: MarkedObject, current: bool) -> None:
        mark(self, "surface", "accent" if current else "raised")
        if thing == self._thing:
            return
        self._thing = thing
        words = self.tr("Object {n}").format(n=thing.number)
        self.choose.set_words(words)
        self.choose.setToolTip(self.tr("Work on {name}").format(name=words))
        one = len(thing.marks) == 1
        self._count.setText(self.tr("1 mark") if one else self.tr("{n} marks").format(n=len(thing.marks)))
        self.drop.setToolTip(self.tr("Remove {name}").format(name=words))
        self.drop.setAccessibleName(self.drop.toolTip())


class Dot(Painted, QWidget):
    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self.setFixedSize(px(10), px(10))

    def paint(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tint(self._number))
        painter.drawRoundedRect(QRectF(self.rect()), px(3), px(3))

"""Sound and film inside the window. Before the first click on play no process is started, and no device looked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.storage.resources import Resource
from desktop_app.ui.support import formatting, media_reader
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.support.open_outside import open_path
from desktop_app.ui.support.player import Player, loudspeaker
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import IconButton, Painted, label, px, row, stack
from desktop_app.ui.widgets.picture import Picture
from nodes.api import ResourceType

_STEP = 64


class Waveform(Painted, QWidget):
    """Bars of loudness; what has been played is in the full colour. A click goes there."""

    sought = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self._peaks: tuple[float, ...] = ()
        self._fraction = 0.0
        self.setFixedHeight(px(40))
        self.setMinimumWidth(px(60))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_peaks(self, peaks: tuple[float, ...]) -> None:
        """Loudness 0..1 of equal stretches."""
        self._peaks = peaks
        self.update()

    def set_fraction(self, fraction: float) -> None:
        """How much has been played, 0..1."""
        self._fraction = fraction
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.sought.emit(min(1.0, max(0.0, event.position().x() / max(1, self.width()))))

    def paint(self, painter: QPainter) -> None:
        paint_waveform(painter, QRectF(self.rect()), self._peaks, self._fraction)


def paint_waveform(painter: QPainter, rect: QRectF, peaks: tuple[float, ...], fraction: float = 1.0) -> None:
    """Bars 3 wide with gaps of 2 in the colour of sound, fainter right of `fraction`."""
    step, wide = px(5), px(3)
    count = max(1, int(rect.width() // step))
    painter.setPen(Qt.PenStyle.NoPen)
    full = theme.current().type_color(ResourceType.AUDIO)
    for index in range(count):
        part = peaks[
            index * len(peaks) // count : max(index * len(peaks) // count + 1, (index + 1) * len(peaks) // count)
        ]
        high = max(px(2), (max(part) if part else 0.0) * rect.height())
        painter.setOpacity(1.0 if index / count < fraction else 0.4)
        painter.setBrush(full)
        bar = QRectF(rect.left() + index * step, rect.center().y() - high / 2, wide, high)
        painter.drawRoundedRect(bar, wide / 2, wide / 2)
    painter.setOpacity(1.0)


class _MediaView(QFrame):
    """What plays a file in place, with a line for what went wrong."""

    def __init__(self, ui: UiContext, resource: Resource) -> None:
        super().__init__()
        self._ui, self._resource = ui, resource
        self._player: Player | None = None
        self._note = label("", "caption", True)
        self._note.hide()

    def _say(self, text: str) -> None:
        self._note.setText(text)
        self._note.show()

    def _toggle(self) -> None:
        if self._player is None:
            path = self._ui.path(self._resource)
            if path is None:
                self._say(translate("The file is no longer there."))
                return
            self._player = self._open(path)
            self._player.failed.connect(self._failed)
        self._player.pause() if self._player.isPlaying() else self._player.play()

    def _open(self, path: Path) -> Player:
        raise NotImplementedError

    def _failed(self, why: str) -> None:
        raise NotImplementedError


class SoundView(_MediaView):
    """A waveform with a play button and the time."""

    def __init__(self, ui: UiContext, resource: Resource) -> None:
        super().__init__(ui, resource)
        self.setProperty("surface", "field")
        self._seconds = float(resource.facets.get("seconds", 0.0))
        self._wave = Waveform()
        self._play = IconButton("play", self.tr("Play {name}").format(name=resource.name))
        self._time = label(formatting.clock(self._seconds), "caption")
        line = row(self._play, self._wave, self._time, grow=1)
        stack(line, self._note, parent=self, gap=2, margins=(6, 6, 10, 6))
        self._play.clicked.connect(self._toggle)
        self._wave.sought.connect(self._seek)
        path = ui.path(resource)
        if path is not None:
            ui.loader.run(partial(media_reader.outline, path), self._came)

    def _came(self, sound: Any) -> None:
        if isinstance(sound, media_reader.Sound):
            self._seconds = sound.seconds
            self._wave.set_peaks(sound.peaks)
            self._wave.set_fraction(1.0)
            self._time.setText(formatting.clock(sound.seconds))
        else:
            self._say(self.tr("This sound cannot be shown: {why}").format(why=sound))

    def _open(self, path: Path) -> Player:
        speaker = loudspeaker(self)
        if speaker is None:
            self._say(self.tr("There is no sound device here, so nothing can be heard."))
        player = Player(path, self, speaker=speaker)
        player.positionChanged.connect(self._moved)
        player.playbackStateChanged.connect(self._changed)
        return player

    def _failed(self, why: str) -> None:
        self._say(self.tr("This sound cannot be played: {why}.").format(why=formatting.said(why)))

    def _moved(self, milliseconds: int) -> None:
        if self._seconds > 0:
            self._wave.set_fraction(milliseconds / 1000 / self._seconds)
            self._time.setText(f"{formatting.clock(milliseconds / 1000)} / {formatting.clock(self._seconds)}")

    def _changed(self) -> None:
        self._play.set_icon("pause" if self._player is not None and self._player.isPlaying() else "play")

    def _seek(self, fraction: float) -> None:
        if self._player is not None:
            self._player.setPosition(round(fraction * self._seconds * 1000))


class FilmView(_MediaView):
    """The first picture of a film; a click plays it in place, with sound when there is a device for it."""

    def __init__(self, ui: UiContext, resource: Resource, tallest: int = 220, plate: bool = True) -> None:
        super().__init__(ui, resource)
        self._picture = Picture(ui, resource, tallest, cut=False, plate=plate)
        self._picture.setAccessibleName(self.tr("Play or pause {name}").format(name=resource.name))
        self._picture.opened.connect(self._toggle)
        self._time = label("", "caption")
        large = IconButton("external-link", self.tr("Open in player"), side=26)  # words made the chat too wide
        large.clicked.connect(lambda: open_outside(ui, resource))
        stack(self._picture, row(self._time, None, large), self._note, parent=self, gap=4)
        facets = resource.facets
        if "fps" in facets:
            self._time.setText(f"{formatting.clock(float(facets.get('seconds', 0)))} · {facets['fps']:g} fps")

    def _open(self, path: Path) -> Player:
        player = Player(path, self, self._shown_size(), loudspeaker(self))
        player.pictureChanged.connect(self._picture.set_preview)
        player.positionChanged.connect(lambda ms: self._time.setText(formatting.clock(ms / 1000)))
        return player

    def _failed(self, why: str) -> None:
        self._say(self.tr("This video cannot be played: {why}.").format(why=formatting.said(why)))

    def _shown_size(self) -> QSize:
        """In pixels of the screen, in steps: a picture of another size could change that of what shows it."""
        size = self._picture.size() * self._picture.devicePixelRatioF()
        return QSize(*(-(-side // _STEP) * _STEP for side in (size.width(), size.height())))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if self._player is not None:
            self._player.fit(self._shown_size())


def open_outside(ui: UiContext, resource: Resource) -> None:
    """With the program that the computer has for such files; where it has none, that is told."""
    path = ui.path(resource)
    if path is None:
        ui.calls.failed.emit(translate("{name} is no longer there.").format(name=resource.name), "")
    else:
        open_path(ui, path, resource.name)

"""Two sounds or two films in step, one of them heard: changing over loses neither the place nor the beat.

Nothing is decoded for playing, and no sound device looked for, before the first play.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.storage.resources import Resource
from desktop_app.ui.compare.image_compare import PictureCompare
from desktop_app.ui.compare.pixel_difference import difference
from desktop_app.ui.compare.sides import SIDES, SideTile, other, side_color
from desktop_app.ui.support import formatting, media_reader
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.player import Player, loudspeaker
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, label, px, row, stack
from desktop_app.ui.widgets.media_player import Waveform

_JUMP_MILLISECONDS = 5000

_DRIFT_MILLISECONDS, _FAR_MILLISECONDS = 15, 250
_REST_MILLISECONDS = 500


class Transport(QFrame):
    """Play, the place in time, which one is heard, and what the keys do."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__()
        self.play = IconButton("play", what)
        self._time = label("0:00", "caption")
        self._hint = ElidedLabel(hint, "caption")
        self._note = label("", "caption")
        row(self.play, self._time, self._hint, self._note, gap=10, grow=2, parent=self)

    def show_time(self, milliseconds: int, seconds: float) -> None:
        self._time.setText(f"{formatting.clock(milliseconds / 1000)} / {formatting.clock(seconds)}")

    def show_playing(self, playing: bool) -> None:
        self.play.set_icon("pause" if playing else "play")

    def say(self, text: str) -> None:
        self._note.setText(text)


class _Players(QFrame):
    """What sounds and films have in common: two files, one deck, keys."""

    switched = Signal(str)

    def __init__(self, ui: UiContext, resources: dict[str, Resource]) -> None:
        super().__init__()
        self._ui, self._resources = ui, resources
        self.first = "a"
        self.deck: SyncedPlayers | None = None
        self.seconds = {side: float(r.facets.get("seconds", 0.0)) for side, r in resources.items()}
        self.transport = Transport(self.tr("Play both in step (Space)"), self.hint())
        self.transport.play.clicked.connect(self.toggle)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.show_place(0)

    def hint(self) -> str:
        return self.tr("Space plays · Tab, A, B change what is heard · arrows go 5 s")

    def toggle(self) -> None:
        """Plays or rests; the first time it opens the files."""
        if self.deck is None and not self._open():
            return
        assert self.deck is not None
        self.deck.toggle()

    def use(self, deck: SyncedPlayers) -> None:
        self.deck = deck
        deck.moved.connect(self.show_place)
        deck.changed.connect(self._deck_changed)
        deck.failed.connect(self._failed)

    def switch(self, side: str = "") -> None:
        """Hears that side, or the other one, at the same place."""
        side = side or other(self.first)
        if side == self.first:
            return
        self.first = side
        if self.deck is not None:
            self.deck.hear(side)
        self.show_place(self.deck.position if self.deck else 0)
        self.switched.emit(side)
        self.update()

    def seek(self, milliseconds: int) -> None:
        if self.deck is None and not self._open():
            return
        assert self.deck is not None
        self.deck.seek(max(0, milliseconds))

    def show_place(self, milliseconds: int) -> None:
        self.transport.show_time(milliseconds, self.seconds[self.first])

    def _open(self) -> bool:
        paths = {side: self._ui.path(resource) for side, resource in self._resources.items()}
        if not all(paths.values()):
            self.transport.say(self.tr("A file is no longer there."))
            return False
        deck, heard = open_deck(self, {s: str(path) for s, path in paths.items()}, self.first, self.shown_size())
        self.use(deck)
        if not heard:
            self.transport.say(self.tr("No sound device: it plays silently."))
        return True

    def shown_size(self) -> QSize | None:
        """Of pictures, in pixels of the screen; None for sounds."""
        return None

    def _failed(self, why: str) -> None:
        self.transport.say(self.tr("It cannot be played: {why}.").format(why=formatting.said(why)))

    def _deck_changed(self) -> None:
        self.transport.show_playing(self.deck is not None and self.deck.playing)

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        if self.deck is not None:
            self.deck.pause()

    def key(self, event: QKeyEvent) -> bool:
        """Does what a key means; False when it means nothing here."""
        place = self.deck.position if self.deck else 0
        key = event.key()
        if key == Qt.Key.Key_Space:
            self.toggle()
        elif key == Qt.Key.Key_Tab:
            self.switch()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.seek(place + (_JUMP_MILLISECONDS if key == Qt.Key.Key_Right else -_JUMP_MILLISECONDS))
        elif key == Qt.Key.Key_Home:
            self.seek(0)
        else:
            return False
        return True

    def focusNextPrevChild(self, next: bool) -> bool:
        return False if next and self.hasFocus() else super().focusNextPrevChild(next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.key(event):
            super().keyPressEvent(event)


class SoundCompare(_Players):
    """Two waveforms; the one that is heard has a ring and a sign."""

    def __init__(self, ui: UiContext, a: Resource, b: Resource, titles: dict[str, str]) -> None:
        super().__init__(ui, {"a": a, "b": b})
        self.waves = {side: Waveform() for side in SIDES}
        self.ears = {side: Button(self.tr("Hear {side}").format(side=side.upper()), "volume-2", small=True)
                     for side in SIDES}  # fmt: skip
        column = stack(None, parent=self, gap=14, margins=(0, 8, 0, 8))
        self._rows: dict[str, QWidget] = {}
        for side in SIDES:
            column.addWidget(self._make_row(side, titles[side]))
            path = ui.path(self._resources[side])
            if path is not None:
                ui.loader.run(partial(media_reader.outline, path), partial(self._outlined, side))
        column.addWidget(self.transport)
        column.addStretch(1)
        self.switched.connect(self._show_heard)
        self._show_heard()

    def _make_row(self, side: str, title: str) -> QWidget:
        frame = _HeardRow(self, side)
        self._rows[side] = frame
        head = row(SideTile(side), ElidedLabel(title, "heading"), self.ears[side], grow=1)
        inner = stack(head, parent=frame, gap=6, margins=(14, 10, 14, 12))
        wave = self.waves[side]
        wave.setFixedHeight(px(64))
        wave.sought.connect(lambda fraction, side=side: self.seek(round(fraction * self.seconds[side] * 1000)))
        inner.addWidget(wave)
        self.ears[side].setToolTip(self.tr("Hear {side} at the same place").format(side=side.upper()))
        self.ears[side].setCheckable(True)
        self.ears[side].clicked.connect(lambda _=False, side=side: (self.switch(side), self._show_heard()))
        return frame

    def _outlined(self, side: str, sound: object) -> None:
        if isinstance(sound, media_reader.Sound):
            self.seconds[side] = sound.seconds
            self.waves[side].set_peaks(sound.peaks)
            self.show_place(self.deck.position if self.deck else 0)
        else:
            self.transport.say(str(sound))

    def _show_heard(self, *_: object) -> None:
        for side in SIDES:
            heard = side == self.first
            self.ears[side].setChecked(heard)
            self.ears[side].set_icon("volume-2" if heard else "volume-x")
            words_ = self.tr("Heard: {side}") if heard else self.tr("Hear {side}")
            self.ears[side].set_words(words_.format(side=side.upper()))
            self._rows[side].update()
        self.setAccessibleName(self.tr("Two sounds in step; {side} is heard").format(side=self.first.upper()))

    def show_place(self, milliseconds: int) -> None:
        super().show_place(milliseconds)
        for side, wave in getattr(self, "waves", {}).items():
            longest = self.seconds[side] * 1000
            wave.set_fraction(min(1.0, milliseconds / longest) if longest else 0.0)


class _HeardRow(QFrame):
    def __init__(self, owner: _Players, side: str) -> None:
        super().__init__()
        self.setProperty("surface", "raised")
        self._owner, self._side = owner, side

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._owner.first == self._side:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(side_color(self._side), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(10), px(10))
            painter.end()


class FilmCompare(_Players):
    """Two films in step, seen in any of the ways in which pictures are."""

    def __init__(self, ui: UiContext, a: Resource, b: Resource, titles: dict[str, str]) -> None:
        super().__init__(ui, {"a": a, "b": b})
        self.view = PictureCompare()
        self.view.set_titles(titles["a"], titles["b"])
        self.view.switched.connect(self.switch)
        self.view.difference_wanted.connect(self._differ)
        self.setFocusProxy(self.view)
        self._frames: dict[str, QImage] = {}
        stack(self.view, self.transport, parent=self, grow=0, gap=6)
        for side, resource in self._resources.items():
            path = ui.path(resource)
            if path is not None:
                ui.loader.run(partial(media_reader.frame, path), partial(self._first_frame, side))

    def hint(self) -> str:
        return self.tr("Space plays · Tab, A, B change which is first and heard · arrows move the slider")

    def switch(self, side: str = "") -> None:
        super().switch(side)
        self.view.switch(self.first)

    def use(self, deck: SyncedPlayers) -> None:
        super().use(deck)
        for side, player in deck.players.items():
            player.pictureChanged.connect(partial(self._show, side))

    def shown_size(self) -> QSize:
        return self.view.size() * self.view.devicePixelRatioF()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        for player in self.deck.players.values() if self.deck is not None else ():
            player.fit(self.shown_size())

    def _first_frame(self, side: str, image: object) -> None:
        if side not in self._frames:
            self._show(side, image)

    def _show(self, side: str, image: object) -> None:
        if isinstance(image, QImage) and not image.isNull():
            self._frames[side] = image
            self.view.set_images(self._frames.get("a"), self._frames.get("b"))
        elif isinstance(image, Exception):
            self.transport.say(str(image))

    def _differ(self) -> None:
        if len(self._frames) == 2:
            self.view.set_difference(difference(self._frames["a"], self._frames["b"], 480))

    def key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Space:  # the other keys are the view's
            self.toggle()
            return True
        return False


class SyncedPlayers(QObject):
    """Players "a" and "b". `heard` is the one whose place counts; the other follows it.

    `moved` tells the place in milliseconds, `changed` that it plays or rests, or that another one is heard, `failed`
    why one cannot be played.
    """

    moved = Signal(int)
    changed = Signal()
    failed = Signal(object)

    def __init__(self, players: dict[str, Any], heard: str = "a", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.players = players
        self.heard = heard
        self.playing = False
        self._mended = -_REST_MILLISECONDS
        for side, player in players.items():
            player.positionChanged.connect(partial(self._on_moved, side))
            player.playbackStateChanged.connect(partial(self._on_state, side))
            player.failed.connect(self.failed)
        self._mute()

    @property
    def position(self) -> int:
        """Where the heard one is, in milliseconds."""
        return self.players[self.heard].position()

    def toggle(self) -> None:
        self.pause() if self.playing else self.play()

    def play(self) -> None:
        """Both go on from the place of the heard one, or from the start when that has ended."""
        if self.position >= self.players[self.heard].duration() > 0:
            self.seek(0)
        self.playing = True
        for side, player in self.players.items():
            if side == self.heard or not self._is_over(player):  # one that is over would begin anew
                player.play()
        self.changed.emit()

    def pause(self) -> None:
        self.playing = False
        for player in self.players.values():
            player.pause()
        self.changed.emit()

    def seek(self, milliseconds: int) -> None:
        """Both go there; one that is shorter to its end."""
        self._mended = -_REST_MILLISECONDS
        for side, player in self.players.items():
            self._put(side, milliseconds)
            if self.playing and not self._is_over(player):
                player.play()
        self.moved.emit(milliseconds)

    def hear(self, side: str = "") -> None:
        """Hears that one, or the one that is not heard, at the same place."""
        side = side or other(self.heard)
        if side == self.heard:
            return
        place = self.position
        self.heard = side
        apart = abs(self.players[side].position() - place)
        if apart > _FAR_MILLISECONDS:
            self._put(side, place)
        elif apart > _DRIFT_MILLISECONDS:
            self.players[side].adjust(place)
        self._mute()
        self.changed.emit()

    def stop(self) -> None:
        """Ends both; for when they are no longer seen."""
        self.playing = False
        for player in self.players.values():
            player.stop()

    def _is_over(self, player: Any) -> bool:
        return player.position() >= player.duration() > 0

    def _put(self, side: str, milliseconds: int) -> None:
        player = self.players[side]
        longest = player.duration()
        player.setPosition(min(milliseconds, longest) if longest > 0 else milliseconds)

    def _mute(self) -> None:
        for side, player in self.players.items():
            player.setMuted(side != self.heard)

    def _on_moved(self, side: str, milliseconds: int) -> None:
        if side != self.heard:
            return
        follower = self.players[other(side)]
        if self.playing and follower.isPlaying() and milliseconds < follower.duration():
            self._keep_in_step(follower, milliseconds)
        self.moved.emit(milliseconds)

    def _keep_in_step(self, follower: Any, milliseconds: int) -> None:
        apart = abs(follower.position() - milliseconds)
        if apart > _FAR_MILLISECONDS:
            if abs(milliseconds - self._mended) >= _REST_MILLISECONDS:  # seeking all the time would stutter
                self._mended = milliseconds
                follower.setPosition(milliseconds)
        elif apart > _DRIFT_MILLISECONDS:
            follower.adjust(milliseconds)

    def _on_state(self, side: str, *_: object) -> None:
        ended = not self.players[side].isPlaying()
        if side == self.heard and self.playing and ended:
            self.pause()


def open_deck(
    parent: QWidget, paths: dict[str, str], heard: str, size: QSize | None = None
) -> tuple[SyncedPlayers, bool]:
    """A deck for two files, of pictures of at most `size`, None for sounds; and whether anything can be heard here."""
    speakers = {side: loudspeaker(parent) for side in paths}
    players = {side: Player(Path(path), parent, size, speakers[side]) for side, path in paths.items()}
    return SyncedPlayers(players, heard, parent), all(speakers.values())

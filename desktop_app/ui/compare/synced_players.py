"""Two players in step, of which one is heard. Must not know what they show, nor what controls them."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.ui.compare.sides import other

_DRIFT_MILLISECONDS = 80
_REST_MILLISECONDS = 500


class Deck(QObject):
    """Players "a" and "b" of QMediaPlayer's kind. `heard` is the one whose place counts; the other follows it.

    `moved` tells the place in milliseconds, `changed` that it plays or rests, or that another one is heard.
    """

    moved = Signal(int)
    changed = Signal()

    def __init__(self, players: dict[str, Any], heard: str = "a", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.players = players
        self.heard = heard
        self.playing = False
        self._mended = -_REST_MILLISECONDS
        for side, player in players.items():
            player.positionChanged.connect(partial(self._on_moved, side))
            player.playbackStateChanged.connect(partial(self._on_state, side))
        self._mute()

    @property
    def position(self) -> int:
        """Where the heard one is, in milliseconds."""
        return self.players[self.heard].position()

    def toggle(self) -> None:
        """Plays, or rests."""
        self.pause() if self.playing else self.play()

    def play(self) -> None:
        """Both go on from the place of the heard one, or from the start when that has ended."""
        if self.position >= self.players[self.heard].duration() > 0:
            self.seek(0)
        self.playing = True
        for player in self.players.values():
            player.play()
        self.changed.emit()

    def pause(self) -> None:
        """Both rest."""
        self.playing = False
        for player in self.players.values():
            player.pause()
        self.changed.emit()

    def seek(self, milliseconds: int) -> None:
        """Both go there; one that is shorter to its end."""
        self._mended = -_REST_MILLISECONDS
        for side in self.players:
            self._put(side, milliseconds)
        self.moved.emit(milliseconds)

    def hear(self, side: str = "") -> None:
        """Hears that one, or the one that is not heard, at the same place."""
        side = side or other(self.heard)
        if side == self.heard:
            return
        place = self.position
        self.heard = side
        if abs(self.players[side].position() - place) > _DRIFT_MILLISECONDS / 2:
            self._put(side, place)
        self._mute()
        self.changed.emit()

    def stop(self) -> None:
        """Ends both; for when they are no longer seen."""
        self.playing = False
        for player in self.players.values():
            player.stop()

    def _put(self, side: str, milliseconds: int) -> None:
        player = self.players[side]
        longest = player.duration()
        player.setPosition(min(milliseconds, longest) if longest > 0 else milliseconds)

    def _mute(self) -> None:
        for side, player in self.players.items():
            output = player.audioOutput()
            if output is not None:
                output.setMuted(side != self.heard)

    def _on_moved(self, side: str, milliseconds: int) -> None:
        if side != self.heard:
            return
        follower = self.players[other(side)]
        apart = abs(follower.position() - milliseconds)
        rested = abs(milliseconds - self._mended) >= _REST_MILLISECONDS  # seeking all the time would stutter
        if self.playing and apart > _DRIFT_MILLISECONDS and rested and milliseconds < follower.duration():
            self._mended = milliseconds
            follower.setPosition(milliseconds)
        self.moved.emit(milliseconds)

    def _on_state(self, side: str, *_: object) -> None:
        ended = not self.players[side].isPlaying()
        if side == self.heard and self.playing and ended:
            self.pause()


def open_deck(parent: QWidget, paths: dict[str, str], heard: str) -> Deck:
    """A deck for two files. Without a sound device both play silently."""
    from PySide6.QtMultimedia import QAudioOutput, QMediaDevices, QMediaPlayer

    players: dict[str, Any] = {}
    silent = QMediaDevices.defaultAudioOutput().isNull()
    for side, path in paths.items():
        player = QMediaPlayer(parent)
        if not silent:
            player.setAudioOutput(QAudioOutput(player))
        player.setSource(QUrl.fromLocalFile(path))
        players[side] = player
    return Deck(players, heard, parent)

"""Two players in step, of which one is heard. Must not know what they show, nor what controls them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QWidget

from desktop_app.ui.compare.sides import other
from desktop_app.ui.support.player import Player, loudspeaker

_DRIFT_MILLISECONDS, _FAR_MILLISECONDS = 15, 250
_REST_MILLISECONDS = 500


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

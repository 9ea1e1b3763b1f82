"""The slim bar of a replay: what is replayed, play and pause, speed, the moment to go to, close."""

from __future__ import annotations

import math
import time

from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QSlider, QStyle, QStyleOptionSlider

from desktop_app.session.messages import Change
from desktop_app.session.replay import Replay
from desktop_app.ui.support import formatting
from desktop_app.ui.widgets.basic import Button, Caption, ElidedLabel, IconButton, divider, px, row
from desktop_app.ui.widgets.glyphs import IconTile

SPEEDS = (1, 4, 16)
_TICK_MILLISECONDS = 33
_STEPS = 1000


class Scrub(QSlider):
    """A slider over the time of the recording; a click on it goes there at once. `wanted(fraction)` when moved."""

    wanted = Signal(float)

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, _STEPS)
        self.setPageStep(_STEPS // 10)
        self.setSingleStep(_STEPS // 100)
        self.setMinimumHeight(px(24))
        self.actionTriggered.connect(lambda _: self.wanted.emit(self.sliderPosition() / _STEPS))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and not self._handle_at(event.position()):
            self.setValue(self._value_at(event.position().x()))
            self.wanted.emit(self.value() / _STEPS)
        super().mousePressEvent(event)

    def _handle_at(self, place: QPointF) -> bool:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        box = self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)
        return box.contains(place.toPoint())

    def _value_at(self, x: float) -> int:
        half = px(7)
        return round(_STEPS * min(1.0, max(0.0, (x - half) / max(1, self.width() - 2 * half))))


class ReplayBar(QFrame):
    """Lets the replay's time pass while it plays. `closed` when the user has seen enough."""

    closed = Signal()

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(38))
        self.setAccessibleName(self.tr("Replay"))
        self._replay = replay
        self.title = ElidedLabel(title_of(replay), "heading")
        source = replay.agreed.source
        self.mark = ElidedLabel(self.tr("From a file, perhaps of someone else: {name}").format(name=source), "caption")
        self.mark.setVisible(bool(source))
        self.play = IconButton("play", self.tr("Play"), 28)
        self.play.clicked.connect(self.toggle)
        self.speeds = {speed: self._speed(speed) for speed in SPEEDS}
        self.scrub = Scrub()
        self.scrub.setAccessibleName(self.tr("Moment of the run"))
        self.scrub.setToolTip(self.tr("Drag, click or use the arrow keys to go to another moment"))
        self.scrub.wanted.connect(self._go)
        self._clock = Caption()
        self._said = Caption("", "state.input")
        self._said.hide()
        self.close_button = Button(self.tr("Close"), "x", small=True, tip=self.tr("Close the replay (Ctrl+W)"))
        self.close_button.clicked.connect(self.closed)
        layout = row(
            IconTile("history", None, 22), self.title, self.mark, self._said, divider(True, 18), self.play,
            *self.speeds.values(), self.scrub, self._clock, divider(True, 18), self.close_button,
            gap=6, margins=(14, 4, 12, 4),
        )  # fmt: skip
        layout.setStretch(1, 2)
        layout.setStretch(2, 2 if source else 0)
        layout.setStretch(layout.indexOf(self.scrub), 3)
        self.setLayout(layout)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MILLISECONDS)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0
        replay.listen(self._on_change)
        self.refresh()

    def _speed(self, speed: int) -> Button:
        tip = self.tr("Play at {n} times the speed").format(n=speed)
        button = Button(f"{speed}×", "", "quiet", small=True, tip=tip)
        button.setAccessibleName(tip)
        button.setCheckable(True)
        button.clicked.connect(lambda: self.set_speed(speed))
        return button

    def set_speed(self, speed: float) -> None:
        """How many recorded seconds pass in one."""
        self._replay.speed = speed
        self.refresh()

    def toggle(self) -> None:
        """Plays, or pauses."""
        if self._replay.playing:
            self.pause()
        else:
            self.start()

    def start(self) -> None:
        """Plays on; at the end, from the beginning."""
        self._replay.play()
        self._last = time.monotonic()
        self._timer.start()
        self.refresh()

    def pause(self) -> None:
        """Stays at this moment."""
        self._replay.stop()
        self._timer.stop()
        self.refresh()

    def say(self, message: str, fix: str = "") -> None:
        """Why something does not go in a replay."""
        self._said.setText(message)
        self._said.setToolTip(fix)
        self._said.setVisible(bool(message))

    def refresh(self) -> None:
        """Shows the moment and what can be done."""
        replay = self._replay
        playing = replay.playing
        tip = self.tr("Pause") if playing else self.tr("Play again") if replay.ended else self.tr("Play")
        self.play.set_icon("pause" if playing else "rotate-cw" if replay.ended else "play")
        self.play.setToolTip(tip)
        self.play.setAccessibleName(tip)
        for speed, button in self.speeds.items():
            button.setChecked(speed == replay.speed)
        if not self.scrub.isSliderDown():
            self.scrub.setValue(round(_STEPS * replay.position / max(replay.tape.seconds, 1e-6)))
        self._clock.setText(f"{_moment(replay.position, replay.tape.seconds)} / {_moment(replay.tape.seconds)}")

    def _go(self, fraction: float) -> None:
        self._replay.seek(fraction * self._replay.tape.seconds)
        self.refresh()

    def _tick(self) -> None:
        now = time.monotonic()
        if not self.scrub.isSliderDown():
            self._replay.advance(now - self._last)
        self._last = now
        if not self._replay.playing:
            self._timer.stop()
        self.refresh()

    def _on_change(self, change: Change) -> None:
        if change & Change.RUN and not self._replay.playing:
            self.refresh()


def title_of(replay: Replay) -> str:
    """`Replay of 3 November 2026, 10:42`."""
    begun = time.localtime(replay.tape.started.time)
    day = formatting.translate("{date}, {time}").format(date=formatting.date(begun), time=time.strftime("%H:%M", begun))
    return formatting.translate("Replay of {time}").format(time=day)


def _moment(seconds: float, of: float | None = None) -> str:
    """`0:07`, with tenths in a run of less than ten seconds, `12 ms` in one of less than a tenth (`of` seconds)."""
    if (seconds if of is None else of) < 0.0995:
        return f"{math.ceil(seconds * 1000)} ms"
    return f"{seconds:.1f} s" if seconds < 9.95 else formatting.clock(seconds)

"""Plays a sound or film that another process decodes: keeps the time, hands on pictures, and feeds the loudspeaker.

Sound is the clock while it is heard; a film without sound and one without a sound device go by the time of the system.
Everything here runs on the GUI thread and never waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QTransform

from desktop_app.storage.decoding.playback import Playback, Samples, Shown, SoundForm

_TICK_MILLISECONDS = 10
_TOLD_SECONDS = 0.05
_LATE_SECONDS = 0.1
_REST_MILLISECONDS = 30_000
"""A player that rests so long ends its process, and begins anew when it goes on."""
_FAR_SECONDS = 0.1
_NEAR_SHARE = 0.2
"""Of what the clock and the loudspeaker are apart so much is made good at a time: devices tell their place in jumps."""
_LONGEST_SILENCE = 0.5
_BUFFER_SECONDS = 0.2  # chosen: less stutters while the window is busy, more is late


class Loudspeaker(Protocol):
    """What takes samples of `form`: as many bytes as there is `room`, of which so many `wait` to be heard."""

    form: SoundForm

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def room(self) -> int: ...
    def waiting(self) -> int: ...
    def write(self, data: bytes) -> int: ...


class Clock:
    """The place in a sound or film, in seconds; it goes on with `now` while it runs."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now, self._place, self._since = now, 0.0, 0.0
        self.running = False

    def place(self) -> float:
        return self._place + (self._now() - self._since if self.running else 0.0)

    def set(self, place: float) -> None:
        self._place, self._since = place, self._now()

    def run(self, running: bool) -> None:
        self.set(self.place())
        self.running = running

    def follow(self, place: float) -> None:
        """Brings it nearer to where a loudspeaker is, at once when they are far apart."""
        apart = place - self.place()
        self.set(place if abs(apart) > _FAR_SECONDS else self.place() + apart * _NEAR_SHARE)


class Player(QObject):
    """Begins to decode with the first `play` or `setPosition`. Places are in milliseconds.

    `positionChanged` and `playbackStateChanged` are those of QMediaPlayer. `pictureChanged` gives
    what is to be seen now, `failed` the end of a sentence: why it cannot be played.
    """

    positionChanged = Signal(int)
    playbackStateChanged = Signal()
    pictureChanged = Signal(QImage)
    failed = Signal(object)

    def __init__(
        self,
        path: Path,
        parent: QObject | None = None,
        size: QSize | None = None,
        speaker: Loudspeaker | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Pictures have at most `size`; None for a sound alone. Without a `speaker` it plays silently."""
        super().__init__(parent)
        self._path, self._size, self._speaker = path, size, speaker
        self._clock = Clock(now)
        self._now = now
        self._duration = 0.0
        self._playing = self._filling = self._heard = self._ended = False
        self._rest: Samples | None = None
        self._written = self._told = self._hurried = self._before = 0.0
        self._process: list[Playback] = []  # shared with what ends it when this object is gone
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=_TICK_MILLISECONDS)
        self._timer.timeout.connect(self.tick)
        self._resting = QTimer(self, singleShot=True, interval=_REST_MILLISECONDS)
        self._resting.timeout.connect(self._close)
        process = self._process
        self.destroyed.connect(lambda: [playback.end() for playback in process])

    # What it is asked

    def play(self) -> None:
        """Goes on, or begins anew after the end."""
        if self._playing:
            return
        self._playing = True
        if self._ended:
            self._seek(0.0)
        else:
            self._open()
        self._resting.stop()
        self._timer.start()
        if not self._filling:
            self._go_on()
        self.playbackStateChanged.emit()

    def pause(self) -> None:
        if not self._playing:
            return
        self._playing = False
        self._clock.run(False)
        if self._heard and self._speaker:
            self._speaker.pause()
        self._resting.start()
        self.playbackStateChanged.emit()

    def setPosition(self, milliseconds: int) -> None:
        """Goes there; also while it rests, to show what is there."""
        self._seek(max(0, milliseconds) / 1000)
        self._timer.start()
        self.positionChanged.emit(self.position())

    def fit(self, size: QSize) -> None:
        if self._size is not None and size != self._size:
            self._size = size
            if self._process:
                self._process[0].fit(size.width(), size.height())

    def isPlaying(self) -> bool:
        """False while it rests, and after the end."""
        return self._playing

    def position(self) -> int:
        return round(self._clock.place() * 1000)

    def duration(self) -> int:
        """How long it is, 0 while that is not known."""
        return round(self._duration * 1000)

    # What it does

    def _open(self) -> None:
        if self._process:
            return
        size = (self._size.width(), self._size.height()) if self._size is not None else None
        form = self._speaker.form if self._speaker else None if size else SoundForm(8000, 1, "s16")
        self._process.append(Playback(self._path, size, form, at=self._clock.place()))
        self._filling = True

    def _close(self) -> None:
        self._be_silent()
        self._timer.stop()
        self._resting.stop()
        self._filling = False
        while self._process:
            self._process.pop().end()

    def _seek(self, seconds: float) -> None:
        self._be_silent()
        self._clock.run(False)
        self._clock.set(min(seconds, self._duration or seconds))
        self._ended = False
        if self._process:
            self._process[0].seek(self._clock.place())
            self._filling = True
        else:
            self._open()
        if not self._playing:
            self._resting.start()

    def _go_on(self) -> None:
        self._before = self._clock.place()
        self._clock.run(True)
        if self._heard and self._speaker:
            self._speaker.resume()

    def tick(self) -> None:
        """Shows and feeds what is due; the timer calls it."""
        if not self._process:
            return
        playback = self._process[0]
        playback.look()
        if playback.trouble:
            self._fail(playback.trouble)
        elif not self._filling:
            self._advance(playback)
        elif playback.ready():
            self._begin(playback)

    def _fail(self, why: str) -> None:
        was = self._playing
        self._playing = False
        self._close()
        self._clock.run(False)
        self.failed.emit(why)
        if was:
            self.playbackStateChanged.emit()

    def _begin(self, playback: Playback) -> None:
        self._filling = False
        self._duration = playback.seconds or self._duration
        self._show(playback.picture(self._clock.place(), hurry=True))
        if self._playing:
            self._go_on()
            self._advance(playback)
        else:
            self._timer.stop()

    def _advance(self, playback: Playback) -> None:
        if not self._playing:
            self._timer.stop()
            return
        self._sound(playback)
        place = self._before = self._clock.place()
        shown = playback.picture(place)
        self._show(shown)
        waits = shown is None and not playback.has("pictures") and playback.last("pictures") is None
        if waits and self._now() - self._hurried > _LATE_SECONDS:
            self._hurried = self._now()
            playback.late(place)
        if abs(place - self._told) >= _TOLD_SECONDS:
            self._told = place
            self.positionChanged.emit(self.position())
        self._end_when_over(playback, place)

    def _end_when_over(self, playback: Playback, place: float) -> None:
        lasts = [playback.last(kind) for kind in playback.kinds]
        over = [last for last in lasts if last is not None]
        waits = self._rest or any(playback.has(kind) for kind in playback.kinds)
        if len(over) < len(lasts) or waits or place < max(over, default=0.0):
            return
        self._be_silent()
        self._playing, self._ended = False, True
        self._clock.run(False)
        self._duration = max(over, default=0.0) or place
        self._clock.set(self._duration)
        self._timer.stop()
        self._resting.start()
        self.positionChanged.emit(self.position())
        self.playbackStateChanged.emit()

    def _show(self, shown: Shown | None) -> None:
        if shown is not None:
            image = QImage(shown.data, shown.width, shown.height, shown.line, QImage.Format.Format_RGB32)
            turned = image.transformed(QTransform().rotate(90 * shown.turns)) if shown.turns else image.copy()
            self.pictureChanged.emit(turned)

    # Sound

    def _sound(self, playback: Playback) -> None:
        if "sound" not in playback.kinds:
            return
        speaker = self._speaker
        if speaker is None:
            playback.leave_out_sound(self._clock.place())
            if not playback.has("sound") and playback.last("sound") is None:
                self._clock.set(self._before)  # it waits for what is not decoded yet
            return
        if not self._heard:
            self._heard, self._written = True, self._clock.place()
            speaker.start()
        self._feed(playback, speaker)
        if self._rest or speaker.waiting() or playback.last("sound") is None:
            self._clock.follow(self._written - speaker.waiting() / speaker.form.bytes_a_second)

    def _feed(self, playback: Playback, speaker: Loudspeaker) -> None:
        while (room := speaker.room()) > 0:
            piece = self._rest or playback.piece(self._clock.place())
            if piece is None:
                return
            data = self._joined(piece, speaker.form)
            written = speaker.write(data[: room - room % (speaker.form.bytes_a_second // speaker.form.rate)])
            begin = self._written = self._written + written / speaker.form.bytes_a_second
            self._rest = Samples(begin, data[written:]) if written < len(data) else None
            if data and not written:
                return

    def _joined(self, piece: Samples, form: SoundForm) -> bytes:
        """The samples as they follow on what was written: after silence where there is a gap, without what is past."""
        block = form.bytes_a_second // form.rate
        apart = round((piece.begin - self._written) * form.rate)
        if abs(apart) < form.rate // 200:
            return piece.data
        if apart > 0:
            return bytes(min(apart, round(_LONGEST_SILENCE * form.rate)) * block) + piece.data
        return piece.data[-apart * block :]

    def _be_silent(self) -> None:
        self._rest = None
        if self._heard and self._speaker:
            self._heard = False
            self._speaker.stop()


# The loudspeaker of this computer


class _QtLoudspeaker:
    """The standard sound device."""

    def __init__(self, sink: Any, form: SoundForm) -> None:
        self.form, self._sink, self._device = form, sink, None
        sink.setBufferSize(round(_BUFFER_SECONDS * form.bytes_a_second))

    def start(self) -> None:
        self._device = self._sink.start()

    def stop(self) -> None:
        self._device = None
        self._sink.reset()

    def pause(self) -> None:
        self._sink.suspend()

    def resume(self) -> None:
        self._sink.resume()

    def room(self) -> int:
        return self._sink.bytesFree() if self._device is not None else 0

    def waiting(self) -> int:
        return max(0, self._sink.bufferSize() - self._sink.bytesFree()) if self._device is not None else 0

    def write(self, data: bytes) -> int:
        return max(0, self._device.write(data)) if self._device is not None else 0


def loudspeaker(parent: QObject) -> Loudspeaker | None:
    """The standard sound device, None when there is none. Loads Qt's multimedia, of which nothing is decoded."""
    from PySide6.QtMultimedia import QAudioFormat, QAudioSink, QMediaDevices

    device = QMediaDevices.defaultAudioOutput()
    if device.isNull():
        return None
    rate = device.preferredFormat().sampleRate() or 48_000
    for channels in (2, 1):
        for sample, kind in (("s16", QAudioFormat.SampleFormat.Int16), ("flt", QAudioFormat.SampleFormat.Float)):
            form = QAudioFormat()
            form.setSampleRate(rate)
            form.setChannelCount(channels)
            form.setSampleFormat(kind)
            if device.isFormatSupported(form):
                return _QtLoudspeaker(QAudioSink(device, form, parent), SoundForm(rate, channels, sample))
    return None

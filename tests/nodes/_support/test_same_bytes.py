"""What is encoded twice is the same to the byte, and has nothing of the clock in it: its digest is its name."""

from __future__ import annotations

import struct
import time
from pathlib import Path

import numpy as np
import pytest
import soundfile

from nodes import load_tools
from nodes._support.files import codecs
from nodes._support.media.movie_writer import MovieWriter
from nodes.api import Audio, Box, Label, Point, ResourceType, RunContext, Table

_T = ResourceType
_PICTURE = np.arange(48 * 64 * 3, dtype=np.uint32).reshape(48, 64, 3).astype(np.uint8)
_SOUND = Audio(np.sin(np.arange(800, dtype=np.float32)).reshape(-1, 2), 8000)
VALUES = {
    **dict.fromkeys(codecs.IMAGE_TYPES, _PICTURE[:, :, 0]),
    _T.IMAGE: _PICTURE, _T.NORMAL: _PICTURE, _T.POSE: _PICTURE,
    _T.SEGMENTATION: _PICTURE[:, :, 0].astype(np.uint16),
    _T.AUDIO: _SOUND, _T.TEXT: "ü", _T.URL: "https://example.org", _T.HTML: "<p>", _T.NUMBER: 1.5, _T.FLAG: True,
    _T.POINTS: (Point(1, 2),), _T.BOXES: (Box(1, 2, 3, 4),), _T.LABELS: (Label("cat"),),
    _T.TABLE: Table(("a",), ((1,),)),
}  # fmt: skip
_FROM_1904 = 2_082_844_800


def _has_the_clock(data: bytes, begun: int) -> bool:
    """True when the bytes hold a time between then and now, as WAV, MP4, ZIP and others write it, or today's date."""
    for now in range(begun - 1, int(time.time()) + 2):
        day = time.localtime(now)
        clock = day.tm_hour << 11 | day.tm_min << 5 | day.tm_sec // 2
        date = (day.tm_year - 1980) << 9 | day.tm_mon << 5 | day.tm_mday
        forms = [struct.pack(order + "I", second % 2**32) for second in (now, now + _FROM_1904) for order in "<>"]
        forms += [struct.pack("<HH", clock, date)]
        forms += [time.strftime(shape, day).encode() for shape in ("%Y-%m-%d", "%Y:%m:%d")]
        if any(form in data for form in forms):
            return True
    return False


def test_every_type_is_tried():
    assert VALUES.keys() == set(_T) - codecs.FILE_TYPES


def test_a_time_would_be_found():
    begun = int(time.time())
    assert _has_the_clock(b"xx" + struct.pack("<I", begun) + b"yy", begun)
    assert not _has_the_clock(b"nothing of it", begun)


@pytest.mark.parametrize("type", sorted(VALUES))
def test_a_value_is_the_same_bytes_at_any_time(type):
    begun = int(time.time())
    data, suffix = codecs.encode(VALUES[type], type)
    assert (data, suffix) == codecs.encode(VALUES[type], type)
    assert not _has_the_clock(data, begun)


@pytest.mark.parametrize("channels", [1, 2, 6])
@pytest.mark.parametrize("frames", [0, 1, 999])
def test_a_sound_comes_back_as_it_was(tmp_path, channels, frames):
    samples = np.linspace(-1, 1, channels * frames, dtype=np.float32).reshape(frames, channels)
    path = tmp_path / "sound.wav"
    path.write_bytes(codecs.encode(Audio(samples, 44_100), _T.AUDIO)[0])
    found, rate = soundfile.read(path, dtype="float32", always_2d=True)
    assert rate == 44_100 and soundfile.info(path).subtype == "FLOAT"
    np.testing.assert_array_equal(found, samples)


def test_a_sound_that_no_file_can_hold_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        codecs.encode(Audio(np.zeros((1, 20_000), np.float32), 8000), _T.AUDIO)


def _movie(path: Path) -> bytes:
    with MovieWriter(path, (64, 48), 10, 8000, 1) as out:
        for index in range(5):
            out.add_picture(np.roll(_PICTURE, index, 0), index / 10)
        out.add_sound(np.zeros((4000, 1), np.float32))
    return path.read_bytes()


def test_a_video_is_the_same_bytes_at_any_time(tmp_path):
    begun = int(time.time())
    first = _movie(tmp_path / "a.mp4")
    assert first == _movie(tmp_path / "b.mp4")
    assert not _has_the_clock(first, begun)


@pytest.mark.parametrize("id", ["video_to_gif", "trim_video", "mute_video", "reverse_video", "add_subtitle_track"])
def test_what_is_made_of_a_video_is_the_same_bytes(tmp_path, id):
    _movie(tmp_path / "a.mp4")
    tool = load_tools().tools[id]
    begun = int(time.time())
    made = []
    for name in "xy":
        (tmp_path / name).mkdir()
        values = {"video": tmp_path / "a.mp4", "context": RunContext(tmp_path / name)}
        for port in tool.inputs:
            if port.required and port.name != "video":
                values[port.name] = "1\n00:00:00,000 --> 00:00:00,200\nHi\n" if port.type is _T.TEXT else 0.1
        made.append(Path(tool.backends[0].run(**values)).read_bytes())
    assert made[0] == made[1]
    assert not _has_the_clock(made[0], begun)

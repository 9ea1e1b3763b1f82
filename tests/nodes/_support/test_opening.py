"""What is named like a picture, a sound or a film is opened as that, and starts or reads nothing else."""

from __future__ import annotations

import ast
import os
import time
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from nodes._support import opening
from nodes._support.files import codecs
from nodes._support.media import movies
from nodes.api import NodeError, ResourceType
from tests.opened_files import Watched, linux_only

PROJECT = Path(__file__).resolve().parents[3]
POSTSCRIPT = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n{} loop\n%%EOF\n"


@pytest.fixture
def ghostscript(tmp_path, monkeypatch):
    """A program of that name that writes down that it was started."""
    started = tmp_path / "started"
    program = tmp_path / "bin" / "gs"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntouch {started}\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    from PIL import EpsImagePlugin

    monkeypatch.setattr(EpsImagePlugin, "gs_binary", None)  # it looks once
    return started


def test_postscript_named_like_a_photo_starts_no_program(tmp_path, ghostscript):
    path = tmp_path / "photo.jpg"
    path.write_bytes(POSTSCRIPT)
    with pytest.raises(NodeError, match="cannot be read as image"):
        codecs.decode(path, ResourceType.IMAGE)
    assert not ghostscript.exists()


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "PPM", "ICO", "TGA"])
def test_pictures_that_people_have_are_opened(tmp_path, format):
    path = tmp_path / "x"
    Image.fromarray(np.full((16, 16, 3), 90, np.uint8)).save(path, format)
    with opening.picture(path) as opened:
        assert opened.size == (16, 16)
        opened.load()


def test_more_pixels_than_the_bound_are_a_sentence(tmp_path):
    path = tmp_path / "x.png"
    Image.new("1", (15_000, 14_000)).save(path)
    with pytest.raises(ValueError, match="15000 × 14000 pixels, more than 200,000,000"):
        opening.picture(path)


def film(path: Path) -> Path:
    with av.open(str(path), "w", format="mp4") as out:
        stream = out.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for _ in range(3):
            for packet in stream.encode(av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="rgb24")):
                out.mux(packet)
        for packet in stream.encode(None):
            out.mux(packet)
    return path


PLAYLISTS = {
    "hls.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{path}\n#EXT-X-ENDLIST\n",
    "list.mp4": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nother.mp4\n#EXT-X-ENDLIST\n",
    "concat.mp4": "ffconcat version 1.0\nfile other.mp4\n",
    "dash.mp4": '<?xml version="1.0"?><MPD><Period><AdaptationSet><Representation><BaseURL>other.mp4</BaseURL>'
    "</Representation></AdaptationSet></Period></MPD>",
    "concat, to a file.mp4": "ffconcat version 1.0\nfile 'file:{path}'\noption safe 0\n",
}


@linux_only
@pytest.mark.parametrize("name", PLAYLISTS)
def test_a_playlist_named_like_a_film_opens_nothing(tmp_path, name):
    other = film(tmp_path / "other.mp4")
    path = tmp_path / name
    path.write_text(PLAYLISTS[name].format(path=other))
    watched = Watched(other)
    with pytest.raises(NodeError, match="cannot be read as a video"), movies.opened(path):
        pass
    with pytest.raises(NodeError, match="cannot be read as audio"):
        codecs.decode(path, ResourceType.AUDIO)
    assert watched.opened() == 0
    watched.close()


def test_a_film_named_like_an_address_is_the_file_of_that_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    other = film(tmp_path / "other.mp4")
    other.rename(tmp_path / "concat:other.mp4")
    with movies.opened(Path("concat:other.mp4")) as container:
        assert container.streams.video


def test_films_that_people_have_are_opened(tmp_path):
    with opening.film(film(tmp_path / "x.mp4")) as container:
        assert container.streams.video


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "unicode_escape", "raw_unicode_escape", "utf-7", "zlib", "hex"]
)
def test_a_strange_charset_is_not_tried(charset):
    data = (b"abc-" + b"a" * 400_000) if charset == "punycode" else b"abc"
    before = time.process_time()
    assert opening.decoded(data, charset) == data.decode("ascii")
    assert time.process_time() - before < 30  # punycode takes more than a minute of the processor


@pytest.mark.parametrize("charset", ["utf-8", "ISO-8859-1", "windows-1251", "Shift_JIS", "GB2312", "euc_kr", "KOI8-R"])
def test_charsets_of_pages_are_tried(charset):
    assert opening.is_charset(charset)
    text = "abc"
    assert opening.decoded(text.encode(charset), charset) == text


def test_the_charset_decides():
    assert opening.decoded("привет".encode("koi8-r"), "KOI8-R") == "привет"
    assert opening.decoded("привет".encode(), "no-such", None) == "привет"


READERS = {("Image", "open"), ("av", "open"), ("iio", "imread"), ("cv2", "imread"), ("cv2", "VideoCapture")}


def _calls(path: Path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            yield node, (node.func.value.id, node.func.attr)


def test_files_are_opened_for_decoding_in_one_place_only():
    found = [
        f"{path.relative_to(PROJECT)}:{call.lineno}"
        for folder in ("desktop_app", "nodes")
        for path in (PROJECT / folder).rglob("*.py")
        if path.name != "opening.py"
        for call, name in _calls(path)
        if name in READERS and not (name == ("av", "open") and [ast.unparse(a) for a in call.args[1:2]] == ["'w'"])
    ]
    assert found == [], "use nodes/_support/opening.py"


@pytest.mark.parametrize("as_file", [False, True])
def test_the_picture_of_a_telephone_is_read(as_file):
    path = PROJECT / "tests" / "data" / "small.heic"
    with path.open("rb") as file:
        opened = opening.picture(file if as_file else path)
        assert (opened.width, opened.height) == (96, 64)
        red, green, blue = opened.convert("RGB").getpixel((10, 32))
    assert red > green > blue  # wood
    assert codecs.decode(path, ResourceType.IMAGE).shape == (64, 96, 3)

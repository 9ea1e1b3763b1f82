"""What a sound file says of itself is written beside sound that stays bit by bit what it was.

What was written is read by other programs' code: FFmpeg, libsndfile, and the bytes themselves.
"""

from __future__ import annotations

import base64
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
import soundfile
from av.stream import Disposition
from PIL import Image

from desktop_app.cli.main import main
from desktop_app.graph.workflow import Link, Node, Workflow
from nodes._support.files import codecs
from nodes._support.media import id3, sound_files, sound_tags
from nodes.api import Audio, NodeError, ResourceType, RunContext
from nodes.audio.audio_facts import audio_facts
from nodes.audio.tag_audio import tag_audio
from tests.nodes.av_media import noise, tone

HEARD = Audio(np.hstack((noise(1.5, 44_100).samples, tone(330, 1.5, 44_100).samples)), 44_100)
COVER = np.zeros((120, 80, 3), np.uint8)
COVER[:, :40] = (250, 20, 20)
CODES = ("latin-1", "utf-16-le")
FORMS = ("mp3", "m4a", "flac", "ogg")
SAID = {"title": "Blaue Nacht – 夜", "artist": "The Owls", "album": "Élan", "year": 2019, "track": 3, "genre": "Jazz",
        "comment": "recorded at home"}  # fmt: skip


class Brought(RunContext):
    """As in a run where the sound was read from a file."""

    def __init__(self, folder: Path, file: Path | None = None) -> None:
        super().__init__(folder)
        self.file = file
        folder.mkdir(exist_ok=True)

    def file_of(self, port: str) -> Path | None:
        return self.file


def brought(folder: Path, form: str) -> Path:
    path = folder / f"song.{form}"
    if form in sound_files.LOSSY:
        sound_files.encoded(HEARD, form, 128, path)
    else:
        sound_files.whole(HEARD, form, path)
    return path


def tagged(path: Path, out: Path, **said: Any) -> Path:
    return tag_audio(codecs.decode(path, ResourceType.AUDIO), context=Brought(out, path), **said)


def packets(path: Path) -> list[bytes]:
    with av.open(str(path)) as container:
        return [bytes(packet) for packet in container.demux(container.streams.audio[0]) if packet.size]


def tags(path: Path) -> dict[str, str]:
    with av.open(str(path)) as container:
        return {key.lower(): text for key, text in (container.metadata | container.streams.audio[0].metadata).items()}


def cover(path: Path) -> np.ndarray | None:
    with av.open(str(path)) as container:
        for stream in container.streams.video:
            if stream.disposition & Disposition.attached_pic:
                return next(container.decode(stream)).to_ndarray(format="rgb24")
    return None


@pytest.mark.parametrize("form", FORMS)
def test_all_is_written_and_the_sound_is_what_it_was(tmp_path: Path, form: str):
    path = brought(tmp_path, form)
    before = path.read_bytes()
    made = tagged(path, tmp_path / "out", cover=COVER, **SAID)
    assert made.suffix == f".{form}" and path.read_bytes() == before, "the user's file is not touched"
    assert packets(made) == packets(path)
    (old, rate), (new, new_rate) = (codecs_read(one) for one in (path, made))
    assert rate == new_rate and np.array_equal(old, new)
    found = tags(made)
    wanted = {("date" if name == "year" else name): str(value) for name, value in SAID.items()}
    assert {name: found.get(name) for name in wanted} == wanted
    picture = cover(made)
    assert picture is not None and picture.shape == COVER.shape
    assert np.abs(picture[10:110, (20, 60)].astype(int) - COVER[10:110, (20, 60)]).max() < 12


def codecs_read(path: Path) -> tuple[np.ndarray, int]:
    if path.suffix == ".m4a":
        with av.open(str(path)) as container:
            frames = [frame.to_ndarray() for frame in container.decode(audio=0)]
            return np.concatenate(frames, 1), container.streams.audio[0].rate
    return soundfile.read(path)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_not_said_stays_as_the_file_said_it(tmp_path: Path, form: str):
    first = tagged(brought(tmp_path, form), tmp_path / "a", cover=COVER, **SAID)
    second = tagged(first, tmp_path / "b", title="Other")
    found = tags(second)
    assert found["title"] == "Other" and found["artist"] == "The Owls" and found["date"] == "2019"
    assert cover(second) is not None and packets(second) == packets(first)
    third = tagged(second, tmp_path / "c", cover=np.full((50, 50, 4), (0, 0, 255, 255), np.uint8))
    picture = cover(third)
    assert picture is not None and picture.shape == (50, 50, 3) and picture[25, 25, 2] > 240
    assert tags(third)["title"] == "Other"


def test_other_frames_and_the_room_of_an_old_tag_are_kept(tmp_path: Path):
    path = brought(tmp_path, "mp3")
    sound = path.read_bytes()[id3.sound_begins(path.read_bytes()) :]
    lyrics = b"\x00engwords\0la la la"
    for version, size in ((3, len(lyrics).to_bytes(4, "big")), (4, bytes((0, 0, 0, len(lyrics))))):
        frame = b"USLT" + size + b"\0\0" + lyrics
        title = b"TIT2" + bytes((0, 0, 0, 4)) + b"\0\0" + b"\0Old"
        body = frame + title + bytes(300)
        old = b"ID3" + bytes((version, 0, 0, 0, 0, len(body) >> 7, len(body) & 127)) + body
        path.write_bytes(old + sound + b"TAG" + b"Old".ljust(125, b"\0"))
        made = tagged(path, tmp_path / f"v{version}", title="New").read_bytes()
        assert made[3] == version and frame in made and b"\0Old" not in made and not made[-128:].startswith(b"TAG")
        assert made.endswith(sound)
        assert tags(next((tmp_path / f"v{version}").iterdir()))["title"] == "New"


def test_what_a_tag_of_the_first_or_second_version_said_is_carried_over(tmp_path: Path):
    path = brought(tmp_path, "mp3")
    sound = path.read_bytes()[id3.sound_begins(path.read_bytes()) :]
    oldest = b"TAG" + b"Sunday".ljust(30, b"\0") + b"Ana".ljust(30, b"\0") + bytes(30) + b"1998" + bytes(30) + b"\x08"
    path.write_bytes(sound + oldest)
    found = tags(tagged(path, tmp_path / "a", album="Days"))
    assert (found["title"], found["artist"], found["album"], found["date"]) == ("Sunday", "Ana", "Days", "1998")
    frame = b"TT2\0\0\x07\0Sunday"
    path.write_bytes(b"ID3\x02\0\0\0\0\0" + bytes((len(frame),)) + frame + sound)
    made = tagged(path, tmp_path / "b", artist="Ben")
    assert tags(made)["title"] == "Sunday" and tags(made)["artist"] == "Ben" and made.read_bytes().count(b"ID3") == 1


def test_the_comment_of_an_mp3_stands_where_players_look_for_it(tmp_path: Path):
    data = tagged(brought(tmp_path, "mp3"), tmp_path / "a", comment="hello").read_bytes()
    told = data[data.index(b"COMM") + 10 :]
    assert told.startswith(b"\x01XXX\xff\xfe\0\0\xff\xfe" + "hello".encode("utf-16-le"))


def test_the_cover_of_an_ogg_is_a_block_as_flac_has_it(tmp_path: Path):
    made = tagged(brought(tmp_path, "ogg"), tmp_path / "a", cover=COVER).read_bytes()
    at = made.index(b"METADATA_BLOCK_PICTURE=") + len(b"METADATA_BLOCK_PICTURE=")
    block = base64.b64decode(made[at : at + 32])
    assert int.from_bytes(block[:4], "big") == 3, "the front cover"
    assert block[8:18] == b"image/jpeg"


@pytest.mark.parametrize("form", FORMS)
def test_another_form_is_coded_and_says_the_same(tmp_path: Path, form: str):
    other = "flac" if form != "flac" else "mp3"
    first = tagged(brought(tmp_path, form), tmp_path / "a", cover=COVER, **SAID)
    made = tagged(first, tmp_path / "b", title="Changed", format=other)
    assert made.suffix == f".{other}" and tags(made)["title"] == "Changed" and tags(made)["artist"] == "The Owls"
    assert cover(made) is not None
    heard = codecs.decode(made, ResourceType.AUDIO)
    assert heard.samples.shape[1] == 2 and heard.seconds == pytest.approx(1.5, abs=0.06)


def test_a_sound_that_a_step_made_becomes_an_mp3_and_that_is_told(tmp_path: Path):
    wav = tmp_path / "made.wav"
    wav.write_bytes(codecs.encode(HEARD, ResourceType.AUDIO)[0])
    for file in (wav, None):
        context = Brought(tmp_path / f"of {file is None}", file)
        made = tag_audio(HEARD, title="Take 1", context=context)
        assert made.suffix == ".mp3" and tags(made)["title"] == "Take 1"
        assert context.told == ["Saved as MP3, which can hold tags."]


def test_the_sound_of_a_film_is_not_taken_for_a_sound_file(tmp_path: Path):
    film = tmp_path / "film.m4a"
    with av.open(str(film), "w", "mp4") as container:
        shown: Any = container.add_stream("libx264", rate=25)
        shown.width, shown.height, shown.pix_fmt = 64, 64, "yuv420p"
        heard: Any = container.add_stream("aac", rate=44_100)
        heard.layout = "mono"
        for number in range(5):
            frame = av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(shown.encode(frame))
        container.mux(shown.encode(None))
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 8820), np.float32), "fltp", "mono")
        frame.sample_rate, frame.pts = 44_100, 0
        container.mux(heard.encode(frame))
        container.mux(heard.encode(None))
    assert tagged(film, tmp_path / "a", title="x").suffix == ".mp3"


@pytest.mark.parametrize("said", [{}, {"title": "  "}, {"format": "flac"}])
def test_nothing_to_write_is_told(tmp_path: Path, said: dict[str, Any]):
    with pytest.raises(NodeError) as told:
        tag_audio(HEARD, context=Brought(tmp_path), **said)
    assert told.value.port == "title" and "Nothing is given" in told.value.message


def test_a_file_that_is_cut_off_is_told_and_not_half_written(tmp_path: Path, monkeypatch):
    path = brought(tmp_path, "flac")
    heard = codecs.decode(path, ResourceType.AUDIO)
    path.write_bytes(path.read_bytes()[:30])
    monkeypatch.setattr("nodes._support.media.sound_tags.form_of", lambda path: "flac")
    with pytest.raises(NodeError) as told:
        tag_audio(heard, title="x", context=Brought(tmp_path / "a", path))
    assert told.value.port == "audio" and "damaged" in told.value.message


def test_a_large_cover_is_made_smaller_and_a_clear_one_lies_on_white(tmp_path: Path):
    clear = np.zeros((1500, 3000, 4), np.uint8)
    picture = cover(tagged(brought(tmp_path, "mp3"), tmp_path / "a", cover=clear))
    assert picture is not None and picture.shape == (500, 1000, 3) and picture.min() > 250


def test_facts_tell_the_tags(tmp_path: Path):
    made = tagged(brought(tmp_path, "mp3"), tmp_path / "a", cover=COVER, **SAID)
    told = audio_facts(codecs.decode(made, ResourceType.AUDIO), context=Brought(tmp_path, made)).rows
    assert [*told[-8:]] == [
        ("title", "Blaue Nacht – 夜", ""), ("artist", "The Owls", ""), ("album", "Élan", ""), ("year", "2019", ""),
        ("track", "3", ""), ("genre", "Jazz", ""), ("comment", "recorded at home", ""), ("cover", "80 x 120", "px"),
    ]  # fmt: skip
    bare = audio_facts(HEARD, context=Brought(tmp_path, brought(tmp_path, "flac"))).rows
    assert [row[0] for row in bare][-1] == "silence" and bare == audio_facts(HEARD).rows


def test_in_a_run_the_file_that_was_brought_is_copied_and_not_coded_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    song, front = brought(tmp_path, "mp3"), tmp_path / "front.png"
    Image.fromarray(COVER).save(front)

    def ran(graph: Workflow, out: str, *given: str) -> Path:
        (tmp_path / "w.json").write_text(json.dumps(graph.to_json()))
        sets = [part for one in given for part in ("--set", one)]
        assert main(["run", str(tmp_path / "w.json"), *sets, "--out", str(tmp_path / out)]) == 0, capsys.readouterr()
        made = (path for path in (tmp_path / out).rglob("*") if path.is_file() and not path.name.startswith("workflow"))
        return next(made)

    written = Node("it", "tag_audio", values={"title": "Night", "year": 2001})
    graph = Workflow(nodes=(written,), wanted=(("it", "file"),))
    made = ran(graph, "out", f"it.audio={song}", f"it.cover={front}")
    assert packets(made) == packets(song) and tags(made)["title"] == "Night" and cover(made) is not None
    facts = Workflow(nodes=(Node("it", "audio_facts"),), wanted=(("it", "table"),))
    assert "Night" in ran(facts, "facts", f"it.audio={made}").read_text("utf-8")
    graph = Workflow(
        nodes=(Node("up", "change_volume", values={"gain": -3.0}), Node("it", "tag_audio", values={"artist": "Ana"})),
        links=(Link("up", "audio", "it", "audio"),),
        wanted=(("it", "file"),),
    )
    made = ran(graph, "chain", f"up.audio={song}")
    assert tags(made)["artist"] == "Ana" and packets(made) != packets(song)
    graph = Workflow(
        nodes=(Node("save", "audio_file", values={"format": "m4a"}), Node("it", "tag_audio", values={"artist": "Ana"})),
        links=(Link("save", "file", "it", "audio"),),
        wanted=(("it", "file"),),
    )
    made = ran(graph, "saved", f"save.audio={song}")
    assert made.suffix == ".m4a" and tags(made)["artist"] == "Ana"
    capsys.readouterr()
    document = tmp_path / "letter.txt"
    document.write_text("no sound")
    zipped = Workflow(
        nodes=(Node("zip", "zip_files"), Node("it", "tag_audio", values={"artist": "Ana"})),
        links=(Link("zip", "file", "it", "audio"),),
        wanted=(("it", "file"),),
    )
    (tmp_path / "w.json").write_text(json.dumps(zipped.to_json()))
    ended = main(["run", str(tmp_path / "w.json"), "--set", f"zip.files={document}", "--out", str(tmp_path / "no")])
    told = "".join(capsys.readouterr())
    assert ended == 4 and "Traceback" not in told and "sound" in told


@pytest.mark.parametrize("form", FORMS)
def test_all_that_a_file_says_of_itself_can_be_taken_out(tmp_path: Path, form: str):
    path = tagged(brought(tmp_path, form), tmp_path / "a", cover=COVER, **SAID)
    if form == "mp3":
        path.write_bytes(path.read_bytes() + b"TAG" + b"Old".ljust(125, b"\0"))
    bare = tagged(path, tmp_path / "b", remove_tags=True)
    assert sound_tags.read(bare) == {} and cover(bare) is None and packets(bare) == packets(path)
    assert not any(word.encode(code) in bare.read_bytes() for word in ("The Owls", "Old\0") for code in CODES)
    made = tagged(path, tmp_path / "c", remove_tags=True, title="Only")
    assert sound_tags.read(made) == {"title": "Only"}

"""What is saved under a name is what the ending of that name says, or there is a sentence why not."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

from desktop_app.core.errors import BadRequest
from desktop_app.export import files
from desktop_app.export.metadata import embedded
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.storage.resources import Resource, batch_of, type_of_name
from nodes._support import opening
from nodes._support.documents import documents
from nodes._support.files import codecs
from nodes._support.imaging import picture_files
from nodes._support.tables import sheets
from nodes.api import Audio, Box, Label, ResourceType, RunContext, Table

T = ResourceType
GREY = np.tile(np.arange(0, 240, 4, dtype=np.uint8), (40, 1))
COLOUR = np.dstack((GREY, GREY[:, ::-1], np.full_like(GREY, 90)))
CLEAR = np.dstack((COLOUR, np.where(GREY > 120, 255, 0).astype(np.uint8)))
TABLE = Table(("name", "price"), (("Tea, green", 2.5), ("Kaffee ß", None)))
TONE = Audio(np.sin(np.arange(4000) / 9).astype(np.float32)[:, None], 8000)
MAGIC = {"JPEG": b"\xff\xd8\xff", "PNG": b"\x89PNG", "WEBP": b"RIFF", "TIFF": b"II*\0"}


@pytest.fixture
def saved(tmp_path):
    """Saves a value under a name; returns the file."""

    def save(value, type: ResourceType, name: str, workflow: Workflow | None = None):
        data, suffix = codecs.encode(value, type)
        source = tmp_path / f"stored{suffix}"
        source.write_bytes(data)
        files.write(Resource(f"res{suffix}", type, "0" * 64, suffix), source, tmp_path / name, workflow)
        return tmp_path / name

    return save


@pytest.mark.parametrize("ending", picture_files.FORMS)
@pytest.mark.parametrize(
    ("type", "value"), [(T.IMAGE, COLOUR), (T.IMAGE, CLEAR), (T.MASK, GREY), (T.SEGMENTATION, GREY.astype(np.uint16))]
)
def test_the_ending_decides_the_form_of_a_picture(saved, ending, type, value):
    path = saved(value, type, f"res{ending}")
    assert path.read_bytes().startswith(MAGIC[picture_files.FORMS[ending]])
    with Image.open(path) as opened:
        assert opened.format == picture_files.FORMS[ending] and opened.size == (60, 40)


@pytest.mark.parametrize("ending", [".docx", ".pdf", ".odt", ".html"])
def test_a_text_is_saved_as_a_document_with_its_lines_by_another_process(saved, tmp_path, ending):
    text = "Prices\n\nTea 2.50\nCoffee 3.10\n\nWe are open on Sundays, too, from ten in the morning on."
    document = saved(text, T.TEXT, f"res{ending}")
    read = documents.text_of(document, "", RunContext(tmp_path)).splitlines()
    assert [line.strip() for line in read if line.strip()] == [line for line in text.splitlines() if line]


def test_lists_are_saved_as_tables(saved):
    assert saved([Label("cat", 0.5)], T.LABELS, "res.csv").read_text("utf-8-sig") == "label,score\ncat,0.5\n"
    box = Box(1.0, 2.0, 3.0, 4.0, "face", 0.9)
    assert sheets.spreadsheet(saved([box], T.BOXES, "res.xlsx")).rows == ((1, 2, 3, 4, "face", 0.9),)


MADE = {type: Resource("res.x", type, "0" * 64, ".txt" if type is T.TEXT else ".json", made_by="n")
        for type in (T.TEXT, T.TABLE, T.NUMBER)}  # fmt: skip


@pytest.mark.parametrize(
    ("type", "came", "last", "ending"),
    [
        (T.TABLE, "prices.xlsx", ".csv", ".xlsx"), (T.TABLE, "cities.csv", "", ".csv"),
        (T.TABLE, "bill.png", "", ".xlsx"), (T.TABLE, "bill.png", ".ods", ".ods"),
        (T.TEXT, "letter.docx", "", ".docx"), (T.TEXT, "talk.wav", "", ".txt"),
        (T.NUMBER, "letter.docx", "", ".txt"), (T.TEXT, "bill.pdf", "", ".txt"), (T.TEXT, "page.html", "", ".txt"),
    ],
)  # fmt: skip
def test_a_result_is_offered_in_the_form_in_which_it_came(type, came, last, ending):
    source = Resource(came, T.FILE, "1" * 64, f".{came.rpartition('.')[2]}")
    assert files.likely_ending(MADE[type], [source], last) == ending


def test_a_picture_is_offered_as_what_it_is_and_a_file_of_the_users_too():
    picture = Resource("a.png", T.IMAGE, "0" * 64, ".png", made_by="n")
    photo = Resource("a.jpg", T.IMAGE, "1" * 64, ".jpg")
    assert files.likely_ending(picture, [photo]) == ""
    assert files.likely_ending(Resource("notes.md", T.TEXT, "0" * 64, ".md"), []) == ""


@pytest.mark.parametrize(
    ("value", "came", "saved_as", "form"),
    [
        (COLOUR, "a.jpg", "", ".jpg"), (GREY, "a.JPEG", "", ".jpg"), (COLOUR, "a.heic", "sunset", "sunset.jpg"),
        (CLEAR, "a.jpg", "", ""), (COLOUR, "a.png", "", ""), (COLOUR, "a.mp4", "", ""),
        (COLOUR, "a.jpg", ".webp", ".webp"), (COLOUR, "a.jpg", "b.png", "b.png"),
    ],
)  # fmt: skip
def test_what_is_made_of_a_photo_is_one_unless_something_in_it_is_see_through(tmp_path, value, came, saved_as, form):
    (tmp_path / "stored.png").write_bytes(codecs.encode(value, T.IMAGE)[0])
    made = Resource("a_blur.png", T.IMAGE, "0" * 64, ".png", made_by="n")
    source = Resource(came, T.IMAGE, "1" * 64, came[1:])
    assert files.named_form(made, saved_as, [source], tmp_path / "stored.png") == form


@pytest.mark.parametrize(
    ("came", "saved_as", "form"),
    [
        ("a.mp3", "", ".mp3"), ("a.MP3", "loud", "loud.mp3"), ("a.flac", "", ".flac"), ("a.wav", "", ".wav"),
        ("a.mp3 b.mp3", "", ".mp3"), ("a.mp3 b.ogg", "", ""), ("a.m4a", "", ""), ("film.mp4", "", ""),
        ("film.mp4 a.mp3", "", ".mp3"), ("a.mp3", ".wav", ".wav"), ("notes.txt", "", ""),
    ],
)  # fmt: skip
def test_a_sound_is_saved_in_the_form_that_it_came_in(tmp_path, came, saved_as, form):
    sources = [Resource(name, type_of_name(name), "1" * 64, name[name.index(".") :]) for name in came.split()]
    made = Resource("a_quieter.wav", T.AUDIO, "0" * 64, ".wav", made_by="n")
    assert files.named_form(made, saved_as, sources, tmp_path / "stored.wav") == form


def test_of_a_batch_each_result_has_the_form_of_its_own_file(tmp_path):
    (tmp_path / "stored.png").write_bytes(codecs.encode(COLOUR, T.IMAGE)[0])
    parts = [Resource(name, T.IMAGE, digit * 64, name[1:]) for name, digit in (("a.jpg", "1"), ("b.png", "2"))]
    batch = [batch_of("pictures", parts)]
    for name, form in (("a_blur.png", ".jpg"), ("b_blur.png", "")):
        made = Resource(name, T.IMAGE, "0" * 64, ".png", made_by="n")
        assert files.named_form(made, "", batch, tmp_path / "stored.png") == form


def test_a_photo_tells_when_it_was_taken_and_neither_where_nor_how_it_lies(tmp_path):
    said = Image.Exif()
    said.update({0x0110: "Camera 3", 0x0112: 6})
    said.get_ifd(0x8769).update({0x9003: "2024:05:01 10:00:00"})
    said.get_ifd(0x8825).update({1: "N"})
    Image.fromarray(COLOUR).save(tmp_path / "a.jpg", exif=said)
    (tmp_path / "stored.png").write_bytes(codecs.encode(COLOUR, T.IMAGE)[0])
    made = Resource("a_blur.png", T.IMAGE, "0" * 64, ".png", made_by="n")
    workflow = Workflow(nodes=(Node("a", "blur", {}),))
    files.write(made, tmp_path / "stored.png", tmp_path / "out.jpg", workflow, tmp_path / "a.jpg")
    with Image.open(tmp_path / "out.jpg") as opened:
        told = opened.getexif()
        assert told[0x0110] == "Camera 3" and told.get_ifd(0x8769)[0x9003] == "2024:05:01 10:00:00"
        assert 0x0112 not in told and not told.get_ifd(0x8825)
    assert embedded(tmp_path / "out.jpg") == workflow


def test_what_is_copied_is_the_text_or_cells_with_tabs(tmp_path):
    def copied(value, type: ResourceType) -> str:
        data, suffix = codecs.encode(value, type)
        (tmp_path / f"x{suffix}").write_bytes(data)
        return files.as_text(Resource("x", type, "0" * 64, suffix, made_by="n"), tmp_path / f"x{suffix}")

    assert copied("Tee,\nheiß", T.TEXT) == "Tee,\nheiß"
    assert copied(TABLE, T.TABLE) == "name\tprice\nTea, green\t2.5\nKaffee ß\t\n"
    assert copied(3, T.NUMBER) == "3"


def test_an_ending_in_capitals_is_the_same_ending(saved):
    assert saved(COLOUR, T.IMAGE, "RES.JPG").read_bytes().startswith(MAGIC["JPEG"])


@pytest.mark.parametrize("ending", [".png", ".tif", ".webp"])
def test_forms_with_a_place_for_it_keep_what_is_see_through(saved, ending):
    with Image.open(saved(CLEAR, T.IMAGE, f"res{ending}")) as opened:
        assert opened.mode == "RGBA" and opened.getextrema()[3] == (0, 255)


def test_what_is_see_through_is_white_in_a_jpeg(saved):
    with Image.open(saved(CLEAR, T.IMAGE, "res.jpg")) as opened:
        assert min(opened.getpixel((2, 20))) > 250


def test_png_and_tiff_keep_every_pixel(saved):
    for name in ("res.tiff", "res.png"):
        assert np.array_equal(codecs.decode(saved(COLOUR, T.IMAGE, name), T.IMAGE), COLOUR)


@pytest.mark.parametrize("ending", [".wav", ".flac", ".ogg", ".mp3"])
def test_the_ending_decides_the_form_of_a_sound(saved, ending):
    import soundfile

    path = saved(TONE, T.AUDIO, f"res{ending}")
    assert soundfile.info(path).format == ending[1:].upper()
    assert codecs.decode(path, T.AUDIO).seconds == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize(("channels", "rate"), [(6, 48_000), (2, 96_000), (8, 44_100)])
def test_sounds_of_any_rate_and_number_of_channels_become_mp3(saved, channels, rate):
    wave = 0.3 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate).astype(np.float32)
    heard = codecs.decode(saved(Audio(np.repeat(wave[:, None], channels, axis=1), rate), T.AUDIO, "res.mp3"), T.AUDIO)
    assert heard.samples.shape[1] == 2 and heard.seconds == pytest.approx(1.0, abs=0.1)
    spectrum = np.abs(np.fft.rfft(heard.samples.mean(axis=1)))
    assert spectrum.argmax() / heard.seconds == pytest.approx(440, abs=2)
    assert 0.25 < np.abs(heard.samples).max() <= 1.05


def test_a_table_is_saved_as_people_use_it(saved):
    read = codecs.decode(saved(TABLE, T.TABLE, "res.csv"), T.TABLE)
    assert (read.columns, read.rows) == (TABLE.columns, (TABLE.rows[0], ("Kaffee ß", "")))
    assert saved(TABLE, T.TABLE, "res.tsv").read_text("utf-8").splitlines()[1] == "Tea, green\t2.5"
    assert json.loads(saved(TABLE, T.TABLE, "res.json").read_text("utf-8"))
    for name in ("res.xlsx", "res.ods"):
        assert sheets.spreadsheet(saved(TABLE, T.TABLE, name)).rows[0] == TABLE.rows[0]


def test_numbers_and_texts_are_saved_as_text(saved):
    assert saved(7, T.NUMBER, "res.txt").read_text("utf-8") == "7"
    assert saved("# Tea", T.TEXT, "res.md").read_text("utf-8") == "# Tea"
    assert saved("<p>Tea</p>", T.HTML, "res.htm").read_text("utf-8") == "<p>Tea</p>"


@pytest.mark.parametrize(
    ("value", "type", "name"),
    [
        (COLOUR, T.IMAGE, "res.mp3"), (COLOUR, T.IMAGE, "res.xyz"), (TONE, T.AUDIO, "res.jpg"),
        (TABLE, T.TABLE, "res.docx"), ("Tea", T.TEXT, "res.xlsx"), ([Label("cat", 0.5)], T.LABELS, "res.docx"),
    ],
)  # fmt: skip
def test_an_ending_of_another_form_is_refused_and_nothing_is_written(saved, tmp_path, value, type, name):
    with pytest.raises(BadRequest, match=f"cannot be saved as \\.{name.rpartition('.')[2]}") as refused:
        saved(value, type, name)
    assert "Choose one of: ." in refused.value.fix and not (tmp_path / name).exists()


def test_a_name_without_an_ending_is_refused(saved):
    with pytest.raises(BadRequest, match="no ending"):
        saved(COLOUR, T.IMAGE, "res")


def test_another_form_carries_the_workflow_where_it_has_a_place(saved):
    workflow = Workflow(nodes=(Node("a", "blur", {}),))
    assert embedded(saved(COLOUR, T.IMAGE, "res.jpg", workflow)) == workflow
    assert embedded(saved(COLOUR, T.IMAGE, "res.webp", workflow)) is None


def test_the_workflow_does_not_make_a_file_larger_than_was_asked_for(tmp_path):
    source = tmp_path / "made.jpg"
    source.write_bytes(picture_files.within(COLOUR, ".jpg", 2000))
    resource = Resource("made.jpg", T.FILE, "0" * 64, ".jpg")
    for kilobytes, kept in ((source.stat().st_size / 1000, False), (50, True), (None, True)):
        workflow = Workflow(nodes=(Node("a", "picture_file", {"size_kb": kilobytes}),))
        files.write(resource, source, tmp_path / "out.jpg", workflow)
        assert (embedded(tmp_path / "out.jpg") is not None) == kept
        assert (tmp_path / "out.jpg").stat().st_size <= (kilobytes or 50) * 1000


def test_the_workflow_does_not_make_a_film_larger_than_was_asked_for(tmp_path):
    source = tmp_path / "made.mp4"
    source.write_bytes(b"\0\0\0\x10ftypisom\0\0\0\0" + b"\0\0\x03\xe8free" + bytes(992))
    resource = Resource("made.mp4", T.VIDEO, "0" * 64, ".mp4")
    for megabytes, kept in ((source.stat().st_size / 1e6, False), (50, True)):
        workflow = Workflow(nodes=(Node("a", "video_file", {"size_mb": megabytes}),))
        files.write(resource, source, tmp_path / "out.mp4", workflow)
        assert (embedded(tmp_path / "out.mp4") is not None) == kept


@pytest.mark.parametrize(("value", "type", "ending"), [(COLOUR, T.IMAGE, ".jpg"), (TONE, T.AUDIO, ".flac")])
def test_another_form_is_made_by_another_process(saved, monkeypatch, value, type, ending):
    def decoded_here(*_):
        raise AssertionError

    monkeypatch.setattr(codecs, "decode", decoded_here)
    monkeypatch.setattr(opening, "picture", decoded_here)
    assert saved(value, type, f"res{ending}").stat().st_size > 50


def test_a_long_sound_is_written_as_a_whole(saved):
    second = np.sin(np.arange(300_000) / 9).astype(np.float32)[:, None]
    again = codecs.decode(saved(Audio(second, 48_000), T.AUDIO, "res.flac"), T.AUDIO)
    assert again.samples == pytest.approx(second, abs=1e-4) and again.rate == 48_000


def test_a_damaged_result_in_another_form_is_a_sentence(tmp_path):
    (tmp_path / "stored.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    resource = Resource("res.png", T.IMAGE, "0" * 64, ".png")
    with pytest.raises(OSError, match=r"\w"):
        files.write(resource, tmp_path / "stored.png", tmp_path / "res.jpg")
    assert not (tmp_path / "res.jpg").exists()

"""Files, sounds and tables as people have them, not as tools would like them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_app.cli.main import main
from desktop_app.graph.workflow import Node, Workflow
from nodes._support import opening
from nodes._support.files import codecs
from nodes._support.media import sound
from nodes.api import Audio, NodeError, ResourceType, Table
from nodes.text.chart import _of_one_scale
from tests.nodes.av_media import decoded, run, tone

T = ResourceType


def test_gbk_text_is_read_and_latin_text_stays_latin():
    chinese = "尊敬的客户：您的订单已经发货，预计三天内送达。联系电话见下。Total 12 Euro"
    assert codecs.text_of(chinese.encode("gb18030")) == chinese
    for western in ("Müller wohnt in Köln, Straße 5 – schön!", "déjà vu à l'été, où êtes-vous ?", "Ærø, Åse, ÄÖÜ ÄÖÜ"):
        assert codecs.text_of(western.encode("cp1252")) == western


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Гавань была открыта в 1904 году и служила флоту шестьдесят лет."),
        ("koi8-r", "Гавань была открыта в 1904 году и служила флоту шестьдесят лет."),
        ("cp932", "港は1904年に開かれ、60年間漁船団に使われました。"),
        ("euc-jp", "港は1904年に開かれ、60年間漁船団に使われました。"),
        ("big5", "這座城市靠近海邊，夏天有很多遊客。"),
        ("cp949", "이 도시는 바다 근처에 있으며 여름에는 방문객이 많습니다."),
        ("cp1250", "Port został otwarty w 1904 roku i służył flocie przez sześćdziesiąt lat."),
        ("cp1253", "Η πόλη βρίσκεται κοντά στη θάλασσα και έχει πολλούς επισκέπτες."),
        ("cp1255", "העיר נמצאת ליד הים ויש בה הרבה מבקרים בקיץ."),
        ("utf-16-le", "The harbour was opened in 1904."),
        ("utf-16-le", "今日は天気がいい。\n公園へ"),
        ("utf-16-be", "今天天气很好。\n我们去公园！"),
        ("utf-16-le", "Сегодня хорошая погода, пойдём в парк."),
    ],
)
def test_text_in_the_encodings_of_other_countries_is_read(encoding, text):
    assert codecs.text_of(text.encode(encoding)) == text


def test_a_map_of_labels_opens_in_colours_and_keeps_its_labels(tmp_path: Path):
    labels = np.repeat(np.arange(84, dtype=np.uint16), 50).reshape(84, 50)
    data, suffix = codecs.encode(labels, T.SEGMENTATION)
    path = tmp_path / f"labels{suffix}"
    path.write_bytes(data)
    assert np.array_equal(codecs.decode(path, T.SEGMENTATION), labels)
    assert np.asarray(Image.open(path).convert("RGB")).mean() > 60, "a viewer shows colours, not black"
    many = np.arange(600, dtype=np.uint16).reshape(20, 30)
    path.write_bytes(codecs.encode(many, T.SEGMENTATION)[0])
    assert np.array_equal(codecs.decode(path, T.SEGMENTATION), many)


def test_a_heic_picture_is_named_where_nothing_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opening, "_reads_heif", lambda: False)
    path = tmp_path / "IMG_1.heic"
    path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(200))
    with pytest.raises(NodeError, match="HEIC"):
        codecs.decode(path, T.IMAGE)


def test_one_film_sound_does_not_make_six_channels_of_all():
    six = Audio(np.repeat(tone(440, 0.5, 48_000).samples, 6, axis=1), 48_000)
    assert run("join_audio", (tone(330, 0.5, 44_100, channels=2), six)).samples.shape[1] == 2
    assert run("join_audio", (six, six)).samples.shape[1] == 6


def test_the_dialogue_of_a_film_stays_loud_in_mono():
    centre = np.zeros((4800, 6), np.float32)
    centre[:, 2] = 0.5
    assert sound.with_channels(centre, 1).mean() > 0.5 / 6 * 1.5, "more than the plain mean of six"


def test_nearly_mono_songs_are_refused_by_the_vocal_remover():
    song = tone(440, 1.0, 44_100, channels=2).samples.copy()
    song[:, 1] *= 1.003
    with pytest.raises(NodeError, match="nearly equal"):
        run("remove_vocals", Audio(song, 44_100))


def test_a_chart_draws_one_scale():
    table = Table(
        ("country", "population", "area", "year", "cities"),
        (("A", 83_000_000, 357_000, 2020, 80), ("B", 67_000_000, 551_000, 2021, 42), ("C", 9_000_000, 84_000, 2022, 9)),
    )
    assert _of_one_scale(table, [1, 2, 3, 4]) == [1]
    assert _of_one_scale(Table(("n", "a", "b"), (("x", 3, 40), ("y", 5, 60))), [1, 2]) == [1, 2]


def test_films_of_photographs_have_the_size_of_screens(tmp_path: Path):
    lying = np.full((1500, 2400, 3), 90, np.uint8)
    standing = np.full((3000, 1600, 3), 150, np.uint8)
    film = run("slideshow", (lying, standing, lying), seconds_per_image=0.2, fade=0.0, folder=tmp_path)
    assert decoded(film)[0][1].shape == (1200, 1920, 3)
    asked = run("slideshow", (lying,), seconds_per_image=0.1, width=640, height=480, folder=tmp_path)
    assert decoded(asked)[0][1].shape == (480, 640, 3)


@pytest.mark.parametrize(
    ("tool", "name", "content", "port"),
    [("read_table", "sales.csv", b"name,sold\nApples,3\n", "file"), ("read_document", "notes.txt", b"Hello.", "file")],
)
def test_a_file_goes_where_files_are_taken(tool, name, content, port, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    (tmp_path / name).write_bytes(content)
    workflow = tmp_path / "w.json"
    workflow.write_text(json.dumps(Workflow(nodes=(Node("it", tool),), wanted=(("it", _output(tool)),)).to_json()))
    assert main(["run", str(workflow), "--set", f"it.{port}={tmp_path / name}", "--json"]) == 0, capsys.readouterr()


def test_a_picture_of_depths_is_a_depth_map(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    Image.fromarray(np.tile(np.arange(64, dtype=np.uint8) * 4, (48, 1))).save(tmp_path / "depth.png")
    workflow = tmp_path / "w.json"
    made = Workflow(nodes=(Node("it", "normal_from_depth"),), wanted=(("it", "normal"),))
    workflow.write_text(json.dumps(made.to_json()))
    given = f"it.depth={tmp_path / 'depth.png'}"
    assert main(["run", str(workflow), "--set", given, "--json"]) == 0, capsys.readouterr()


def _output(tool: str) -> str:
    return {"read_table": "table", "read_document": "text"}[tool]

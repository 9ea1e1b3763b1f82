"""ZIP archives: what goes in comes out under its name, and nothing that a stranger packed does harm."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PIL import Image

from desktop_app.cli.main import main
from desktop_app.graph.workflow import Link, Node, Workflow
from nodes._support.files import archives
from nodes._support.tables import sheets
from nodes.api import NodeError, RunContext
from nodes.text.unzip_files import unzip_files
from nodes.text.zip_files import zip_files


@pytest.fixture
def context(tmp_path: Path) -> RunContext:
    (tmp_path / "scratch").mkdir()
    return RunContext(tmp_path / "scratch")


def archive(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in entries:
            made.writestr(name, data)
    return path


def refused(path: Path, context: RunContext) -> NodeError:
    with pytest.raises(NodeError) as told:
        unzip_files(path, context)
    assert told.value.port == "file" and told.value.fix
    assert str(path.parent) not in told.value.message
    return told.value


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_packed_comes_out_again(tmp_path: Path, context: RunContext):
    given = {"größe.txt": b"words " * 1000, "photo.jpg": bytes(range(256)) * 20, "中文 文件.csv": b"a,b\n"}
    paths = [tmp_path / name for name in given]
    for path, data in zip(paths, given.values(), strict=True):
        path.write_bytes(data)
    packed = zip_files(tuple(paths), context)
    assert packed.suffix == ".zip" and packed.stat().st_size < sum(map(len, given.values()))
    assert packed.read_bytes() == zip_files(tuple(paths), context).read_bytes(), "the same files are the same bytes"
    made = unzip_files(packed, context)
    assert {path.name: path.read_bytes() for path in made} == given


def test_files_of_one_name_are_both_packed(tmp_path: Path, context: RunContext):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "Notes.txt").write_text(folder)
    packed = zip_files((tmp_path / "a" / "Notes.txt", tmp_path / "b" / "Notes.txt"), context)
    assert [path.name for path in unzip_files(packed, context)] == ["Notes.txt", "Notes-2.txt"]


_WINDOWS = "C:\\windows\\evil.txt"


@pytest.mark.parametrize(
    "name", ["../evil.txt", "/etc/evil.txt", "a/../../evil.txt", "..\\..\\evil.txt", _WINDOWS, "a/b/c/evil.txt"]
)
def test_nothing_is_written_outside(tmp_path: Path, context: RunContext, name: str):
    path = archive(tmp_path / "a.zip", (name, b"x"))
    before = files_in(tmp_path)
    (made,) = unzip_files(path, context)
    assert made.parent == context.folder and made.name == "evil.txt"
    assert files_in(tmp_path) == {**before, "scratch/evil.txt": b"x"}


def test_names_are_such_as_every_system_takes(tmp_path: Path, context: RunContext):
    given = ["con.txt", "a:b?.txt", "trailing. ", "x" * 300 + ".pdf", "\u202egpj.exe", "A.txt", "a.TXT", "..", "d/"]
    path = archive(tmp_path / "a.zip", *((name, b"x") for name in given))
    names = [made.name for made in unzip_files(path, context)]
    assert names[:5] == ["_con.txt", "a_b_.txt", "trailing", "x" * 96 + ".pdf", "_gpj.exe"]
    assert len({name.casefold() for name in names}) == len(names) == 8
    assert names[5:] == ["A.txt", "a-2.TXT", "_"]


@pytest.mark.parametrize(
    ("encoding", "name"), [("gbk", "报告文件.txt"), ("cp437", "Grüße.txt"), ("cp932", "日本語.txt")]
)
def test_names_of_other_countries_are_read(tmp_path: Path, context: RunContext, encoding: str, name: str):
    mark = b"*" * len(name.encode(encoding))
    path = archive(tmp_path / "a.zip", (mark.decode(), b"x"))
    path.write_bytes(path.read_bytes().replace(mark, name.encode(encoding)))
    assert [made.name for made in unzip_files(path, context)] == [name]


def test_links_and_what_systems_leave_behind_are_left_out(tmp_path: Path, context: RunContext):
    link = zipfile.ZipInfo("passwords")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    others = (("__MACOSX/._a.txt", b"x"), ("a/.DS_Store", b"x"), ("Thumbs.db", b"x"))
    path = archive(tmp_path / "a.zip", (link, b"/etc/passwd"), *others, ("a/a.txt", b"text"))
    assert [made.read_bytes() for made in unzip_files(path, context)] == [b"text"]


def test_an_archive_in_an_archive_stays_one(tmp_path: Path, context: RunContext):
    inner = archive(tmp_path / "inner.zip", ("a.txt", b"x" * 10))
    outer = archive(tmp_path / "outer.zip", ("inner.zip", inner.read_bytes()))
    assert [made.name for made in unzip_files(outer, context)] == ["inner.zip"]


def test_more_than_there_is_room_for_is_refused_before_and_while_it_is_written(tmp_path, context, monkeypatch):
    monkeypatch.setattr(archives, "MOST_BYTES", 1_000_000)
    path = archive(tmp_path / "bomb.zip", ("a.txt", bytes(2_000_000)))
    assert "unpacks to more than" in refused(path, context).message
    data = path.read_bytes().replace((2_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(data)  # it says that it has 10 bytes
    assert refused(path, context)
    assert sum(map(len, files_in(context.folder).values())) <= 1_000_000
    monkeypatch.setattr(archives, "MOST_FILES", 3)
    many = archive(tmp_path / "many.zip", *((f"{n}.txt", b"x") for n in range(4)))
    assert "it has 4 files, more than 3" in refused(many, context).message


def test_what_cannot_be_unpacked_is_said(tmp_path: Path, context: RunContext):
    (tmp_path / "none.zip").write_bytes(b"hello")
    assert "no ZIP archive" in refused(tmp_path / "none.zip", context).message
    (tmp_path / "empty.zip").write_bytes(b"")
    assert "missing or empty" in refused(tmp_path / "empty.zip", context).message
    assert "There is no file in" in refused(archive(tmp_path / "bare.zip", ("a/", b"")), context).message
    path = archive(tmp_path / "a.zip", ("a.txt", b"some words " * 50))
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + bytes(10) + whole[50:])
    assert refused(path, context)
    for flag, words in ((b"\x01\x00", "protected by a password"), (b"\x00\x00", "not known here")):
        changed = bytearray(whole)
        for head, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            place = changed.index(head) + at
            changed[place : place + 2] = flag
            changed[place + 2 : place + 4] = (97 if words.startswith("not") else 8).to_bytes(2, "little")
        path.write_bytes(bytes(changed))
        assert words in refused(path, context).message


def test_a_zip_made_in_the_program_has_the_names_of_its_files_and_so_has_what_comes_out(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    (tmp_path / "report.txt").write_text("one")
    (tmp_path / "list.csv").write_text("a,b\n1,2\n")
    packed = Workflow(nodes=(Node("it", "zip_files"),), wanted=(("it", "file"),))
    (tmp_path / "w.json").write_text(json.dumps(packed.to_json()))
    given = [f"it.files={tmp_path / name}" for name in ("report.txt", "list.csv")]
    said = ["--out", str(tmp_path / "out")]
    assert main(["run", str(tmp_path / "w.json"), "--set", given[0], "--set", given[1], *said]) == 0, (
        capsys.readouterr()
    )
    (made,) = (tmp_path / "out").rglob("*.zip")
    with zipfile.ZipFile(made) as opened:
        assert opened.namelist() == ["report.txt", "list.csv"]
    unpacked = Workflow(nodes=(Node("it", "unzip_files"),), wanted=(("it", "files"),))
    (tmp_path / "w.json").write_text(json.dumps(unpacked.to_json()))
    assert main(["run", str(tmp_path / "w.json"), "--set", f"it.file={made}", *said]) == 0, capsys.readouterr()
    names = sorted(path.name for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert any(name.endswith("_report.txt") for name in names) and any(name.endswith("_list.csv") for name in names)


def test_results_of_every_type_are_packed_as_people_keep_them_under_the_names_that_they_know(tmp_path, monkeypatch):
    """Pictures, a number, a sound, a text and a table: each is read by another library."""
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    photo = np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8)
    Image.fromarray(photo).save(tmp_path / "coffee.png")
    (tmp_path / "sales.csv").write_text("month,total\nMay,3\nJune,4\n")
    made = {
        "brighter": ("brightness_contrast", "image", {"change": "brighter"}),
        "turned": ("flip", "image", {}),
        "count": ("count_words", "number", {"text": "one two three", "phrase": "two"}),
        "tone": ("make_tone", "audio", {"seconds": 0.5}),
        "text": ("change_case", "text", {"text": "one", "case": "upper"}),
        "rows": ("sort_table", "table", {"column": "total", "descending": True}),
    }
    nodes = tuple(Node(id, tool, values) for id, (tool, _, values) in made.items())
    links = tuple(Link(id, output, "zip", "files") for id, (_, output, _) in made.items())
    workflow = Workflow(nodes=(*nodes, Node("zip", "zip_files")), links=links, wanted=(("zip", "file"),))
    (tmp_path / "w.json").write_text(json.dumps(workflow.to_json()))
    given = ("brighter.image=coffee.png", "turned.image=coffee.png", "rows.table=sales.csv")
    values = [part for one in given for part in ("--set", one.replace("=", f"={tmp_path}/"))]
    assert main(["run", str(tmp_path / "w.json"), *values, "--out", str(tmp_path / "out")]) == 0
    (packed,) = (tmp_path / "out").rglob("*.zip")
    with zipfile.ZipFile(packed) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "all")
    assert names == ["coffee_brighter.png", "coffee_flip.png", "count.txt", "tone.wav", "case.txt", "sales_sort.xlsx"]
    assert np.array_equal(np.asarray(Image.open(tmp_path / "all" / names[1])), photo[:, ::-1])
    assert [(tmp_path / "all" / names[n]).read_text() for n in (2, 4)] == ["1", "ONE"]
    assert soundfile.info(tmp_path / "all" / names[3]).subtype == "PCM_16"
    assert sheets.spreadsheet(tmp_path / "all" / names[5]).rows == (("June", 4), ("May", 3))


def test_the_same_files_under_other_names_are_packed_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    workflow = Workflow(nodes=(Node("it", "zip_files"),), wanted=(("it", "file"),))
    (tmp_path / "w.json").write_text(json.dumps(workflow.to_json()))
    for name in ("old.txt", "new.txt"):
        (tmp_path / name).write_text("the same")
        said = ["--set", f"it.files={tmp_path / name}", "--out", str(tmp_path / f"out {name}")]
        assert main(["run", str(tmp_path / "w.json"), *said]) == 0
        (made,) = (tmp_path / f"out {name}").rglob("*.zip")
        with zipfile.ZipFile(made) as archive:
            assert archive.namelist() == [name]

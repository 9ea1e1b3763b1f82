"""Workflows, recordings and results that somebody else made: they name nothing outside, and nothing of them runs."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_app.core.errors import AppError, BadRequest, BadWorkflow, OutsideFiles, StorageError
from desktop_app.core.paths import RESOURCES
from desktop_app.export.files import export, open_workflow
from desktop_app.export.metadata import embed
from desktop_app.export.script import script, write_script
from desktop_app.graph import port_values
from desktop_app.graph.workflow import Link, Node, Workflow, parse
from desktop_app.run.events import recording
from desktop_app.run.events.events import NodeFinished
from desktop_app.storage.resources import Resource, Store, attach, safe_name
from nodes import load_tools
from nodes.api import ResourceType

TOOLS = load_tools().tools
GOOD = {"name": "a.png", "type": "image", "digest": "ab" * 32, "suffix": ".png", "facets": {}, "made_by": ""}
LEADING_OUT = [
    {"digest": "../../../etc/passwd", "suffix": ""},
    {"digest": "/etc/passwd", "suffix": ""},
    {"digest": "/dev/zero", "suffix": ""},
    {"suffix": "/../victim.rc"},
    {"suffix": ".png\n"},
    {"suffix": ".toolongending"},
    {"digest": "AB" * 32},
    {"digest": "ab" * 31},
    {"digest": 5},
    {"digest": "ab" * 32 + "\n"},
]


def picture(path: Path) -> Path:
    Image.fromarray(np.random.default_rng(0).integers(0, 255, (6, 8, 3), np.uint8)).save(path)
    return path


def written(path: Path, *resources: object, **more: object) -> Path:
    path.write_text(json.dumps({"format": 1, "resources": list(resources), "nodes": [], "links": [], **more}))
    return path


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "given"
    made.mkdir()
    return made


# What names content


@pytest.mark.parametrize("bad", LEADING_OUT, ids=repr)
def test_a_resource_names_only_content_of_the_store(store, bad):
    with pytest.raises(ValueError, match=r"store|text"):
        Resource.from_json({**GOOD, **bad})
    with pytest.raises(StorageError):
        store.path(str(bad.get("digest", GOOD["digest"])), str(bad.get("suffix", ".png")))


@pytest.mark.parametrize("bad", LEADING_OUT, ids=repr)
def test_neither_workflow_nor_recording_nor_picture_reads_another_file(store, folder, tmp_path, bad):
    with pytest.raises(BadWorkflow, match="damaged"):
        open_workflow(written(folder / "w.json", {**GOOD, **bad}), store)
    event = {"event": "NodeFinished", "node": "n", "outputs": {"image": {**GOOD, **bad}}, "seconds": 1.0, "time": 1.0}
    with pytest.raises(ValueError, match=r"store|text"):
        recording.from_json({**event, "cached": False})
    carrier = picture(folder / "p.png")
    embed(_unchecked({**GOOD, **bad}), carrier)
    with pytest.raises(BadWorkflow, match="damaged"):
        open_workflow(carrier, store)


def _unchecked(data: dict) -> Workflow:
    resource = Resource(data["name"], ResourceType.IMAGE, data["digest"], data["suffix"])
    return Workflow((resource,), (Node("n", "blur"),))


@pytest.mark.parametrize(
    "bad",
    [
        {"name": ""}, {"name": "a\nb"}, {"name": "x" * 2000}, {"name": 5}, {"type": "program"}, {"type": ["image"]},
        {"facets": []}, {"facets": {"width": "3"}}, {"facets": {"width": -1}}, {"facets": {"seconds": 10**400}},
        {"facets": {"seconds": float("nan")}}, {"facets": {"points": [[1]]}}, {"facets": {"other": [1]}},
        {"facets": {str(i): 1 for i in range(1000)}}, {"made_by": 3},
    ],
    ids=lambda bad: repr(bad)[:60],
)  # fmt: skip
def test_every_field_of_a_resource_is_checked(bad):
    with pytest.raises(ValueError, match=r"\w"):
        Resource.from_json({**GOOD, **bad})


def test_an_attached_file_with_an_odd_ending_is_kept_without_it(store, tmp_path):
    odd = tmp_path / "notes.txt~Café"
    odd.write_text("words")
    found = attach(odd, store)
    assert (found.name, found.suffix) == ("notes.txt~Café", "")
    assert Resource.from_json(found.to_json()) == found
    assert store.path_of(found).read_text() == "words"


# Paths in workflows


def test_a_file_of_the_workflows_folder_is_read(store, folder):
    (folder / "below").mkdir()
    picture(folder / "below" / "a.png")
    workflow = open_workflow(written(folder / "w.json", {"name": "b.png", "path": "below/a.png"}), store)
    assert [r.name for r in workflow.resources] == ["b.png"]


def _outside(folder: Path, kind: str) -> str:
    """The path, as a workflow in `folder` names it, of a picture that lies elsewhere."""
    secret = picture(folder.parent / "secret.png")
    if kind == "absolute":
        return str(secret)
    if kind == "up":
        return "../secret.png"
    if kind == "up and back":
        return f"../{folder.name}/../secret.png"
    if kind == "link":
        (folder / "link.png").symlink_to(secret)
        return "link.png"
    (folder / "through").symlink_to(folder.parent)
    return "through/secret.png"


@pytest.mark.parametrize("kind", ["absolute", "up", "up and back", "link", "linked folder"])
def test_a_file_elsewhere_is_read_only_when_the_user_agrees(store, folder, kind):
    path = written(folder / "w.json", {"name": "b.png", "path": _outside(folder, kind)})
    with pytest.raises(OutsideFiles, match="outside its folder") as refused:
        open_workflow(path, store)
    assert not any(store.folder.rglob("*.png")), "nothing was read"
    assert refused.value.paths[0] in str(refused.value)
    assert [r.name for r in open_workflow(path, store, outside=True).resources] == ["b.png"]


@pytest.mark.parametrize(
    "name", [r"C:\secret.png", r"\\host\share\a.png", "//host/share/a.png", r"..\secret.png", r"a\..\..\b.png"]
)
def test_a_path_in_the_way_of_windows_is_elsewhere_too(store, folder, name):
    with pytest.raises(OutsideFiles):
        open_workflow(written(folder / "w.json", {"name": "b.png", "path": name}), store)


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/stdin", "/proc/self/environ", "/proc/version", "pipe.png"])
def test_devices_pipes_and_the_systems_own_are_never_read(store, folder, name):
    os.mkfifo(folder / "pipe.png")
    path = written(folder / "w.json", {"name": "b.png", "path": name})
    with pytest.raises((BadRequest, OutsideFiles)):
        open_workflow(path, store)
    with pytest.raises(BadRequest, match=r"device|system"):
        open_workflow(path, store, outside=True)


@pytest.mark.parametrize("name", ["", "a\0b.png", "a\nb.png", "CON", "aux.png", r"\\.\PhysicalDrive0", r"\\?\C:\a.png"])
def test_what_is_no_file_is_said_to_be_none(store, folder, name):
    with pytest.raises(BadWorkflow, match="is none"):
        open_workflow(written(folder / "w.json", {"name": "b.png", "path": name}), store, outside=True)


@pytest.mark.parametrize("suffix", [".json", ".png"])
def test_a_pipe_given_as_a_workflow_is_refused_at_once(store, folder, suffix):
    os.mkfifo(folder / f"pipe{suffix}")
    with pytest.raises(BadRequest, match="pipe"):
        open_workflow(folder / f"pipe{suffix}", store)
    with pytest.raises(BadRequest, match="pipe"):
        attach(folder / f"pipe{suffix}", store)


def test_an_address_does_not_come_as_a_file(store, folder):
    (folder / "a.txt").write_text("https://example.com/")
    named = {"name": "a.txt", "path": "a.txt", "type": "url"}
    assert open_workflow(written(folder / "w.json", named), store).resources[0].type is ResourceType.TEXT
    digest = store.put_bytes(b"https://example.com/", ".txt")
    declared = {"name": "a.txt", "type": "url", "digest": digest, "suffix": ".txt"}
    with pytest.raises(BadWorkflow, match="address"):
        open_workflow(written(folder / "w.json", declared), store)


# Names on disk


@pytest.mark.parametrize(
    ("name", "suffix", "expected"),
    [
        ("photo.png", ".png", "photo.png"), ("a/b.png", ".png", "b.png"), ("..", "", "file"), ("", ".png", "file.png"),
        (r"c:\x\y.png", ".png", "y.png"), (".bashrc", "", "bashrc"), ("-rf.png", ".png", "rf.png"),
        ("con.png", ".png", "_con.png"), ("COM1", "", "_COM1"), ("lpt¹.txt", ".txt", "_lpt¹.txt"),
        ("nul.tar.gz", ".gz", "_nul.tar.gz"), ("a\0b\x1b[2J\n.png", ".png", "a_b_[2J_.png"), ("a. .", "", "a"),
        ('q<>:"|?*.png', ".png", "q_______.png"), ("世界 (1).PNG", ".png", "世界 (1).png"),
        ("a\u202egnp.exe", ".exe", "a_gnp.exe"),
        ("console.png", ".png", "console.png"), ("..png", ".png", "file.png"),
    ],
)  # fmt: skip
def test_names_on_disk_suit_every_system(name, suffix, expected):
    assert safe_name(name, suffix) == expected


def test_names_on_disk_are_short_enough_in_bytes():
    name = safe_name("世" * 400 + ".png", ".png")
    assert name.endswith("世.png")
    assert len(name.encode()) <= 200


def test_results_of_strange_names_stay_in_their_folder(store, tmp_path):
    digest = store.put_bytes(b"x", ".txt")
    out = tmp_path / "out"
    names = ["../../evil.txt", "/etc/passwd", "con.txt", ".hidden.txt", "-rf.txt", "A.txt", "a.txt", "..", "x" * 500]
    made = [export(Resource(name, ResourceType.TEXT, digest, ".txt"), store, out) for name in names]
    assert [path.name for path in made[:7]] == [
        "evil.txt", "passwd.txt", "_con.txt", "hidden.txt", "rf.txt", "A.txt", made[6].name,
    ]  # fmt: skip
    assert sorted(out.iterdir()) == sorted(made)
    assert {path.parent for path in made} == {out}


# The exported script


def test_a_port_that_is_no_identifier_is_refused(folder, store):
    evil = 'x=1); import os; os.system("touch victim"); (dict(y'
    for data in (
        {"nodes": [{"id": "n", "tool": "foreign", "values": {evil: 1}}]},
        {"nodes": [{"id": "n", "tool": "foreign", "values": {"class": 1}}]},
        {
            "nodes": [{"id": "n", "tool": "foreign"}, {"id": "m", "tool": "foreign"}],
            "links": [{"source": "n", "output": "image", "target": "m", "port": evil}],
        },
    ):
        with pytest.raises(BadWorkflow, match="port"):
            open_workflow(written(folder / "w.json", **data), store)
    with pytest.raises(BadWorkflow, match="no script can name"):
        script(Workflow((), (Node("n", "foreign", {evil: 1}),)), TOOLS, {})


@pytest.mark.parametrize("text", ["'); import os; ('", '"""', "\\", "a\u2028b", "{}", "\N{RIGHT-TO-LEFT OVERRIDE}x"])
def test_no_text_leaves_its_quotes_in_the_script(text):
    nodes = (Node(text, "foreign", {"value": [text, {text: text}]}, text),)
    made = script(Workflow((), nodes), TOOLS, {}, text)
    calls: list[tuple] = []

    class Recorder:
        def __init__(self, place: str) -> None:
            pass

        def node(self, *args: object, **named: object) -> dict:
            calls.append((args, named))
            return {}

    made = made.replace("from desktop_app.scripting import Script", "")
    exec(compile(made, "made.py", "exec"), {"Script": Recorder, "__file__": "", "__name__": "x"})
    assert calls == [(("foreign", text), {"value": [text, {text: text}], "backend": text})]


def test_a_script_writes_its_files_only_beside_it(store, tmp_path):
    digest = store.put_bytes(b"x", ".txt")
    one = Resource("../../up.txt", ResourceType.TEXT, digest, ".txt")
    workflow = Workflow((one, replace(one, name="up?.txt"), replace(one, name="up*.txt"), replace(one, name="UP_.txt")))
    where = tmp_path / "deep" / "deeper"
    where.mkdir(parents=True)
    write_script(workflow, TOOLS, store, where / "s.py")
    made = sorted(path.relative_to(tmp_path).as_posix() for path in (tmp_path / "deep").rglob("*.txt"))
    here = "deep/deeper/s_files"
    assert made == [f"{here}/UP_-3.txt", f"{here}/up.txt", f"{here}/up_-2.txt", f"{here}/up_.txt"]
    with pytest.raises((BadWorkflow, StorageError)):
        write_script(Workflow((replace(one, suffix="/../victim.rc"),)), TOOLS, store, where / "t.py")
    assert not list(tmp_path.rglob("victim*"))


# Damaged by hand

NODE = {"id": "a", "tool": "blur"}
DAMAGED = {
    "nothing": "", "null": "null", "list": "[]", "format text": '{"format": "1"}', "format true": '{"format": true}',
    "format nan": '{"format": NaN, "nodes": [], "links": []}', "huge integer": '{"format": 1' + "0" * 5000 + "}",
    "deep": '{"format": 1, "nodes": [], "links": [], "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "less deep": '{"format": 1, "nodes": [], "links": [], "x": ' + "[" * 500 + "]" * 500 + "}",
    "half a character": r'{"format": 1, "nodes": [{"id": "\ud800", "tool": "x"}], "links": []}',
}  # fmt: skip
PARTS = [
    {"nodes": None}, {"nodes": {}}, {"nodes": [1]}, {"nodes": [None]}, {"nodes": [{}]}, {"links": [[]]}, {"links": 5},
    {"nodes": [{**NODE, "values": 5}]}, {"nodes": [{**NODE, "values": [[1, 2]]}]}, {"nodes": [{**NODE, "backend": []}]},
    {"nodes": [{**NODE, "position": "ab"}]}, {"nodes": [{**NODE, "position": [1e300, 0]}]},
    {"nodes": [{**NODE, "position": [10**400, 0]}]}, {"nodes": [{**NODE, "id": ["a"]}]}, {"nodes": [NODE, NODE]},
    {"nodes": [{**NODE, "tool": {}}]}, {"nodes": [{**NODE, "values": {"radius": 10**400}}]}, {"wanted": "ab"},
    {"wanted": [["a", "image"]]}, {"wanted": [[["a"], "b"]]}, {"wanted": [5]}, {"resources": 5}, {"resources": [5]},
    {"resources": [{**GOOD, "position": 5}]}, {"resources": [GOOD, GOOD]}, {"resources": [{"name": "a"}]},
    {"decorations": [{"kind": []}]}, {"decorations": [{"kind": "note"}]}, {"decorations": "note"},
    {"decorations": [{"kind": "note", "id": "x", "place": [0, 10**400], "size": [1, 1]}]},
    {"decorations": [{"kind": "note", "id": "x", "place": "12", "size": [1, 1]}]},
    {"nodes": [NODE], "links": [{"source": "a", "output": "image", "target": "a", "port": "image"}]},
    {"nodes": [NODE], "links": [{"source": "a", "output": "o", "target": "b", "port": "p"}]},
    {"nodes": [NODE], "links": [{"source": "a", "output": "o", "target": "a", "port": "p", "through": 5}]},
]  # fmt: skip


WHOLE = [json.dumps({"format": 1, "nodes": [], "links": [], **part}) for part in PARTS]


@pytest.mark.parametrize("text", [*DAMAGED.values(), *WHOLE], ids=lambda text: text[:70])
def test_a_damaged_workflow_is_told_in_a_sentence(text):
    with pytest.raises(AppError) as told:
        parse(text)
    assert "Traceback" not in str(told.value)
    assert len(str(told.value)) < 400


def test_checking_compares_each_name_a_few_times():
    class Name(str):
        compared = 0
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str.__eq__(self, other)

    names = [Name(f"n{i}") for i in range(2000)]
    nodes = tuple(Node(name, "invert_colours") for name in names)
    links = tuple(Link(Name(a), "image", Name(b), "image") for a, b in itertools.pairwise(names))
    Workflow((), nodes, links, ((Name("n3"), "image"),))._broken()
    assert Name.compared < 20 * len(names)  # 45 s for 16,000 nodes when each was looked for in all: 4,000,000 here


def test_an_event_of_odd_fields_is_left_out(tmp_path):
    good = '{"event":"NodeQueued","node":"a","at":1}'
    odd = [
        '{"event":"NodeQueued","node":["a"]}', '{"event":["NodeQueued"],"node":"a"}', '{"event":"NodeQueued"}',
        '{"event":"NodeQueued","node":"a","at":1e999}', '{"event":"NodeQueued","node":"a","at":"x"}', "[" * 100_000,
        '{"event":"RunStarted","run":"../../x","nodes":[],"time":0}',
        '{"event":"RunStarted","run":"r","nodes":5,"time":0}',
        '{"event":"NodeProgress","node":"a","fraction":' + "9" * 400 + "}", "5", "null", '"event"',
        '{"event":"NodeFinished","node":"a","outputs":{"x y":[]},"seconds":0,"cached":false,"time":0}',
    ]  # fmt: skip
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join([good, *odd, good]))
    assert len(list(recording.read(path))) == 2


def test_what_was_made_is_read_back(store):
    made = Resource("a.png", ResourceType.IMAGE, "ab" * 32, ".png", {"width": 3, "height": 4}, "n")
    event = NodeFinished(
        "n", {"image": made, "images": (made, made)}, 1.0, False, 0.5, "built-in", 2, (("x", "y"),), "z"
    )
    assert recording.from_json(json.loads(json.dumps(recording.to_json(event)))) == event


@pytest.mark.parametrize(
    ("tool", "port", "value", "good"),
    [
        ("blur", "radius", 3, True), ("blur", "radius", "3", False), ("blur", "radius", [3], False),
        ("blur", "radius", True, False), ("blur", "radius", {}, False), ("blur", "radius", None, True),
        ("blur", "radius", 10**17, False), ("change_case", "case", "upper", True), ("change_case", "case", 5, False),
        ("segment_points", "points", [[1, 2, True]], True), ("segment_points", "points", [[1, 2]], True),
        ("segment_points", "points", 5, False), ("segment_points", "points", [["a", "b"]], False),
        ("segment_points", "points", [5], False), ("segment_points", "points", "ab", False),
        ("merge_texts", "texts", ["a", "b"], True), ("merge_texts", "texts", ["a", 5], False),
        ("not_here", "x", [{}], True), ("blur", "unknown", [{}], True),
    ],
)  # fmt: skip
def test_values_that_the_window_could_not_show_are_told(tool, port, value, good):
    workflow = Workflow((), (Node("n", tool, {port: value}),))
    if good:
        port_values.check(workflow, TOOLS)
    else:
        with pytest.raises(BadWorkflow, match=f"'{port}' of the node 'n'"):
            port_values.check(workflow, TOOLS)


def test_a_whole_path_into_the_folder_is_one_within_it(folder, store):
    shutil.copy(RESOURCES / "examples" / "coins.jpg", folder / "b.jpg")
    path = written(folder / "w.json", {"name": "b.jpg", "path": str(folder.absolute() / "b.jpg")})
    assert [r.name for r in open_workflow(path, store).resources] == ["b.jpg"]
    path = written(folder / "w.json", {"name": "b.jpg", "path": f"{folder.absolute()}/../b.jpg"})
    with pytest.raises(OutsideFiles):
        open_workflow(path, store)

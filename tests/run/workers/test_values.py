"""A value is the same whether it is handed over in memory or read back from its file."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_app.run.workers import marshalling
from desktop_app.run.workers.marshalling import BadOutput, Memory
from desktop_app.storage.resources import Store
from nodes.api import Audio, Box, Label, NodeError, Point, Port, ResourceType, Table, Tool

T = ResourceType
_GREY = np.arange(30, dtype=np.uint8).reshape(5, 6)
_COLOUR = np.arange(90, dtype=np.uint8).reshape(5, 6, 3)
SAMPLES = {
    T.IMAGE: _COLOUR,
    **dict.fromkeys((T.MASK, T.EDGE, T.LINE, T.SOFT_EDGE, T.SCRIBBLE, T.DEPTH), _GREY),
    **dict.fromkeys((T.POSE, T.NORMAL), _COLOUR),
    T.SEGMENTATION: np.arange(30, dtype=np.uint16).reshape(5, 6) * 500,
    T.POINTS: [(1, 2), Point(np.float32(3.5), 4, False)],
    T.BOXES: (Box(0, 1, np.int64(20), 30, "cat", np.float64(0.5)),),
    T.LABELS: [("dog", np.float32(0.25)), Label("cat")],
    T.TEXT: "One,\ntwo ü \U0001f600\r\nthree",
    T.NUMBER: np.float32(2.5),
    T.FLAG: np.bool_(True),
    T.TABLE: Table(["a", "b"], [[1, None], [np.float64(2.5), "x"], [float("nan"), "y"]]),  # type: ignore[arg-type]
    T.AUDIO: Audio(np.linspace(-1, 1, 20, dtype=np.float64).reshape(10, 2), 8000),
    T.HTML: "<p>ü</p>",
    T.URL: "https://example.org/ü",
}


def _tool(type: ResourceType, **more) -> Tool:
    port = Port("value", type, "a value", **more)
    return Tool("t", "T", "text", "", (port,), (port,), ())


def _plain(value):
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.tolist()
    if isinstance(value, Audio):
        return value.rate, _plain(value.samples)
    return type(value), value, repr(value)


@pytest.mark.parametrize("type", list(SAMPLES), ids=str)
def test_memory_and_file_give_the_same(tmp_path, type):
    store, memory, tool = Store(tmp_path), Memory(), _tool(type)
    kept = marshalling.outputs(tool, SAMPLES[type], store, memory)["value"]
    job = {"linked": {"value": [*kept[:3], "name"]}, "values": {}}
    hot = marshalling.inputs(tool, job, store, memory)["value"]
    cold = marshalling.inputs(tool, job, store, Memory())["value"]
    assert memory.get(kept[0], type) is not None
    assert _plain(hot) == _plain(cold)


@pytest.mark.parametrize("staged", [False, True])
def test_a_file_of_the_scratch_folder_is_moved_and_any_other_copied(tmp_path, staged):
    scratch, elsewhere = tmp_path / "scratch", tmp_path / "elsewhere"
    scratch.mkdir()
    elsewhere.mkdir()
    store = Store(tmp_path / "store", scratch if staged else None)
    made, twice, linked, own = scratch / "a.bin", scratch / "b.bin", scratch / "c.bin", elsewhere / "d.bin"
    for file in (made, twice, own):
        file.write_bytes(file.name.encode())
    linked.hardlink_to(own)
    kept = marshalling.outputs(_tool(T.FILE, many=True), (made, twice, twice, linked, own), store, Memory(), scratch)
    assert [store.path(*item[:2]).read_bytes() for item in kept["value"]] == [
        b"a.bin",
        b"b.bin",
        b"b.bin",
        *[b"d.bin"] * 2,
    ]
    assert [file.exists() for file in (made, twice, linked, own)] == [False, True, True, True]
    assert store.path(*kept["value"][-1][:2]).stat().st_nlink == 1, "what is the user's own is not in the store"


def test_every_type_but_files_is_tested():
    assert set(SAMPLES) == set(T) - {T.VIDEO, T.FILE}


def test_what_comes_out_of_memory_is_a_copy():
    memory = Memory()
    memory.put("d", T.MASK, _GREY)
    memory.get("d", T.MASK)[:] = 0
    assert memory.get("d", T.MASK).tolist() == _GREY.tolist()


def test_memory_drops_what_was_used_longest_ago():
    memory = Memory(limit_bytes=400)
    for name in "abcd":
        memory.put(name, T.MASK, np.zeros((10, 10), np.uint8))
    memory.get("a", T.MASK)
    memory.put("e", T.MASK, np.zeros((10, 10), np.uint8))
    assert [n for n in "abcde" if memory.get(n, T.MASK) is not None] == ["a", "c", "d", "e"]
    memory.put("huge", T.MASK, np.zeros((50, 50), np.uint8))
    assert memory.get("huge", T.MASK) is None


@pytest.mark.parametrize(
    ("type", "bad"),
    [
        (T.TEXT, None), (T.NUMBER, "3"), (T.NUMBER, float("nan")), (T.NUMBER, True), (T.FLAG, 1), (T.POINTS, [1, 2]),
        (T.BOXES, [("a", "b")]), (T.LABELS, None), (T.TABLE, [[1]]), (T.AUDIO, np.zeros(3)), (T.FILE, "/no/such/file"),
        (T.IMAGE, np.zeros((0, 4, 3), np.uint8)), (T.SEGMENTATION, _GREY), (T.MASK, _COLOUR),
    ],
)  # fmt: skip
def test_a_bad_output_is_refused(tmp_path, type, bad):
    with pytest.raises(BadOutput):
        marshalling.outputs(_tool(type), bad, Store(tmp_path), Memory())


def test_text_that_could_not_be_read_back_is_mended(tmp_path):
    store, tool = Store(tmp_path), _tool(T.TEXT)
    kept = marshalling.outputs(tool, "\ufeffa\0b\ud800c", store, Memory())["value"]
    job = {"linked": {"value": [*kept[:3], "name"]}, "values": {}}
    assert marshalling.inputs(tool, job, store, Memory())["value"] == "ab?c"


@pytest.mark.parametrize(
    ("type", "literal", "value"),
    [
        (T.POINTS, [[1, 2, True], [3, 4]], (Point(1.0, 2.0, True), Point(3.0, 4.0, True))),
        (T.BOXES, [[0, 1, 2, 3]], (Box(0.0, 1.0, 2.0, 3.0),)),
        (T.LABELS, [["cat", 0.5]], (Label("cat", 0.5),)),
        (T.TABLE, {"columns": ["a"], "rows": [[1]]}, Table(("a",), ((1,),))),
        (T.NUMBER, 3, 3.0),
        (T.FLAG, False, False),
    ],
)
def test_a_literal_becomes_a_value(tmp_path, type, literal, value):
    job = {"linked": {}, "values": {"value": literal}}
    assert marshalling.inputs(_tool(type), job, Store(tmp_path), Memory()) == {"value": value}


@pytest.mark.parametrize(
    ("type", "literal"),
    [(T.POINTS, "here"), (T.POINTS, [[1]]), (T.FLAG, "yes"), (T.NUMBER, True), (T.NUMBER, float("inf")),
     (T.TEXT, 3), (T.BOXES, {"x": 1}), (T.TABLE, [1]), (T.IMAGE, "a.png"), (T.AUDIO, "a.wav"), (T.FILE, "x")],
)  # fmt: skip
def test_a_literal_of_another_kind_is_refused_by_name(tmp_path, type, literal):
    with pytest.raises(NodeError) as refused:
        marshalling.inputs(_tool(type), {"linked": {}, "values": {"value": literal}}, Store(tmp_path), Memory())
    assert refused.value.port == "value" and "'value'" in refused.value.message

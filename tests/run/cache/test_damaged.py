"""A kept result is served only as it was made: whatever happened to its file, the right result comes, or a sentence."""

from __future__ import annotations

import os

import pytest

from desktop_app.core.errors import StorageError
from desktop_app.graph.workflow import RESOURCE_OUTPUT
from desktop_app.run.cache.result_cache import well_formed
from desktop_app.run.events import events
from desktop_app.run.scheduling import job_tracker
from desktop_app.storage import resources
from desktop_app.storage.resources import Resource, Store, digest_of
from nodes.api import ResourceType
from tests.run.conftest import World
from tests.run.helpers import Heard, chain, graph


def _flip(path) -> None:
    """One bit, the size and the time as they were."""
    about = path.stat()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.chmod(0o600)
    path.write_bytes(data)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def _files(world: World, run, *nodes: str):
    return [world.store.path_of(run.nodes[id].outputs[next(iter(run.nodes[id].outputs))]) for id in nodes]


def _all_right(world: World) -> bool:
    return all(digest_of(p) == p.name.partition(".")[0] for p in world.store.folder.rglob("*") if p.is_file())


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("at_once", [True, False])
def test_a_flipped_bit_is_computed_again_and_said(single, monkeypatch, restarts, at_once):
    if not at_once:
        monkeypatch.setattr(job_tracker, "_AT_ONCE_BYTES", 0)
    run = single.run(chain(4))
    _flip(_files(single, run, "n1")[0])
    if restarts:
        single.restart()
    heard = Heard()
    run = single.run(chain(4), heard)
    assert heard.nodes(events.NodeStarted) == ["n1"] and single.value(run, "n3", "number") == 4
    assert run.outcome == "ok" and "damaged on the disk" in run.notice
    assert _all_right(single)
    assert single.run(chain(4)).notice == ""


def test_a_file_cut_off_or_gone_is_computed_again(single):
    run = single.run(chain(4))
    cut, gone = _files(single, run, "n0", "n2")
    os.truncate(cut, 0)
    gone.unlink()
    heard = Heard()
    run = single.run(chain(4), heard)
    assert run.outcome == "ok" and single.value(run, "n2", "number") == 3
    assert "n0" in heard.nodes(events.NodeStarted) and _all_right(single)
    assert cut.stat().st_size and gone.exists()


def test_results_are_read_once_for_a_program_and_not_at_all_when_it_made_them(single, monkeypatch):
    read: list[str] = []
    plain = resources._digest_of_small
    monkeypatch.setattr(resources, "_digest_of_small", lambda path: read.append(path) or plain(path))
    single.run(chain(20))
    single.run(chain(20))
    assert not read
    single.restart()
    single.run(chain(20))
    assert len(read) == 20
    single.run(chain(20))
    assert len(read) == 20


def test_a_large_result_is_read_beside_the_loop_once_for_all_that_want_it(single, monkeypatch):
    monkeypatch.setattr(job_tracker, "_AT_ONCE_BYTES", 0)
    flow = graph(
        {"a": ("nap", {"seconds": 0.01}), "b": ("nap", {"seconds": 0.01}), "c": ("split", {})}, "a.text>c.text"
    )
    single.run(flow)
    single.restart()
    heard = Heard()
    run = single.run(flow, heard)
    assert run.outcome == "ok" and not heard.nodes(events.NodeStarted)
    assert all(node.cached for node in run.nodes.values())


def test_what_is_being_read_can_be_cancelled(single, monkeypatch):
    monkeypatch.setattr(job_tracker, "_AT_ONCE_BYTES", 0)
    flow = chain(3)
    single.run(flow)
    single.restart()
    run = single.run(flow, then=single.engine.cancel)
    assert run.outcome in ("cancelled", "ok")
    assert single.run(flow).outcome == "ok"


def test_a_damaged_attachment_is_a_sentence_and_stays(single, tmp_path):
    source = tmp_path / "note.txt"
    source.write_text("a text of mine")
    note = Resource("note.txt", ResourceType.TEXT, single.store.put_file(source), ".txt")
    path = single.store.path_of(note)
    flow = graph({"a": ("split", {})}, f"note.txt.{RESOURCE_OUTPUT}>a.text", resources=(note,))
    _flip(path)
    run = single.run(flow)
    assert run.nodes["a"].state == "failed" and "note.txt in the store is damaged" in run.nodes["a"].message
    assert "attach it again" in run.nodes["a"].fix and path.exists()
    single.store.put_file(source)
    assert single.run(flow).outcome == "ok"


def test_what_lies_under_the_name_of_a_new_result_is_not_taken_for_it(single):
    """As a tool could put it there beforehand. It goes, which is said, and the result is right."""
    right = single.store.path_of(single.run(chain(2)).nodes["n1"].outputs["number"])
    data = right.read_bytes()
    single.fresh(single.home / "other")
    right.unlink()
    right.write_bytes(data[:-1] + b"7")
    run = single.run(chain(2))
    assert run.outcome == "ok" and single.value(run, "n1", "number") == 2 and _all_right(single)


def test_the_store_itself_puts_right_what_is_put_again(tmp_path):
    store = Store(tmp_path / "store")
    digest = store.put_bytes(b"content", ".txt")
    path = store.path(digest, ".txt")
    _flip(path)
    with pytest.raises(StorageError, match="damaged"):
        store.value(Resource("a.txt", ResourceType.TEXT, digest, ".txt"))
    assert store.put_bytes(b"content", ".txt") == digest and path.read_bytes() == b"content"


@pytest.mark.parametrize("kept", [[], 5, None, {"a": 5}, {"a": [1, 2]}, {"a": ["x" * 64, ".t", "text", {}, "big"]},
                                  {"a": [["x"]]}, {"a": {"b": 1}}])  # fmt: skip
def test_what_a_damaged_history_gives_is_no_result(kept):
    assert not well_formed(kept)

"""A node that gets many values where it takes one runs once for each of them, and what fails there fails alone."""

from __future__ import annotations

import os
import threading

import pytest

from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events import events
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType
from tests.run.helpers import Heard, graph, states


def _words(text: str, *more: str, **nodes):
    """`w` splits the text into words, which feed `p`."""
    return graph({"w": ("words", {"text": text}), "p": ("picky", {}), **nodes}, "w.words>p.text", *more)


def _text(world, name: str, content: str) -> Resource:
    return Resource(name, ResourceType.TEXT, world.store.put_bytes(content.encode(), ".txt"), ".txt")


def test_a_node_runs_once_for_each_value(world):
    run = world.run(_words("one two three"))
    assert world.value(run, "p", "text") == ("ONE", "TWO", "THREE")
    assert run.nodes["p"].items == 3 and run.nodes["p"].failed == () and run.nodes["p"].notice == ""


def test_what_comes_after_runs_item_by_item_and_collectors_gather(world):
    flow = _words(
        "a b c", "p.text>q.first", "w.words>q.second", "q.text>j.texts",
        q=("pair", {}), j=("join", {"by": "+"}),
    )  # fmt: skip
    run = world.run(flow)
    assert world.value(run, "j", "text") == "A-a+B-b+C-c"


def test_one_value_goes_with_each_of_many(world):
    flow = _words("a b", "p.text>q.first", "s.first>q.second", q=("pair", {}), s=("split", {"text": "x y"}))
    assert world.value(world.run(flow), "q", "text") == ("A-x", "B-x")


def test_a_list_of_one_goes_with_each_of_many(world):
    flow = _words("a b", "p.text>q.first", "v.words>q.second", q=("pair", {}), v=("words", {"text": "x"}))
    assert world.value(world.run(flow), "q", "text") == ("A-x", "B-x")


def test_one_value_of_many_is_still_a_list(world):
    run = world.run(_words("one"))
    assert world.value(run, "p", "text") == ("ONE",)


def test_unequal_counts_name_both_ports(world):
    flow = _words("a b c", "w.words>q.first", "v.words>q.second", q=("pair", {}), v=("words", {"text": "x y"}))
    failed = world.run(flow).nodes["q"]
    assert failed.state == "failed"
    assert "3 values as 'first'" in failed.message and "2 values as 'second'" in failed.message
    assert failed.port == "second" and failed.fix


def test_nothing_to_work_on_is_done_with_a_notice(world):
    flow = _words("", "p.text>j.texts", j=("join", {"texts": ["unused"]}))
    run = world.run(flow)
    assert run.nodes["p"].outputs == {"text": ()} and "nothing to work on" in run.nodes["p"].notice
    assert world.value(run, "j", "text") == ""


def test_several_files_at_one_port_are_a_batch_named_after_each(world):
    files = (_text(world, "b.txt", "one x"), _text(world, "a.txt", "two y"))
    flow = Workflow(
        files,
        (Node("s", "split"), Node("p", "picky")),
        (Link("b.txt", "value", "s", "text"), Link("a.txt", "value", "s", "text"), Link("s", "first", "p", "text")),
    )
    run = world.run(Workflow.from_json(flow.to_json()))
    assert world.value(run, "p", "text") == ("ONE", "TWO")
    assert [r.name for r in run.nodes["s"].outputs["rest"]] == ["b_rest.txt", "a_rest.txt"]
    assert [r.name for r in run.nodes["p"].outputs["text"]] == ["b_picky.txt", "a_picky.txt"]


def test_values_of_a_list_are_numbered(world):
    run = world.run(_words("x y"))
    assert [r.name for r in run.nodes["p"].outputs["text"]] == ["words_picky-001.txt", "words_picky-002.txt"]


def test_lists_made_of_each_item_become_one_list(world):
    flow = graph(
        {"a": ("words", {"text": "1 2"}), "n": ("words", {}), "p": ("picky", {})}, "a.words>n.text", "n.words>p.text"
    )
    run = world.run(flow)
    assert world.value(run, "p", "text") == ("1", "2")
    assert len({r.name for r in run.nodes["n"].outputs["words"]}) == 2


def test_what_fails_for_one_item_fails_for_that_alone(world):
    heard = Heard()
    run = world.run(_words("a bad1 c bug d", "p.text>q.text", q=("picky", {})), heard)
    node = run.nodes["p"]
    assert states(run) == dict.fromkeys("wpq", "done")
    assert world.value(run, "q", "text") == ("A", "C", "D")
    assert [name for name, _ in node.failed] == ["words-002.txt", "words-004.txt"]
    assert node.failed[0][1] == "'bad1' is not liked."
    assert node.notice.startswith("2 of 5 failed: words-002.txt: 'bad1' is not liked; words-004.txt: ")
    assert "2 of 5 failed" in heard.last().notice and heard.last().outcome == "ok"
    assert run.nodes["q"].notice == "2 of 5 left out, as they failed before."


def test_items_stay_together_when_one_of_them_failed(world):
    flow = _words(
        "a bad c", "p.text>q.first", "w.words>q.second", "p.text>l.texts", "w.words>l.labels",
        q=("pair", {}), l=("label", {}),
    )  # fmt: skip
    run = world.run(flow)
    assert world.value(run, "q", "text") == ("A-a", "C-c")
    assert world.value(run, "l", "text") == "A=a, C=c"


def test_items_keep_the_names_of_their_files_when_one_failed(world):
    files = tuple(_text(world, f"{name}.txt", text) for name, text in (("a", "bad"), ("b", "good")))
    links = tuple(Link(f.name, "value", "p", "text") for f in files)
    run = world.run(Workflow(files, (Node("p", "picky"),), links))
    assert [r.name for r in run.nodes["p"].outputs["text"]] == ["b_picky.txt"]
    assert run.nodes["p"].failed == (("a.txt", "'bad' is not liked."),)


def test_a_file_of_another_type_is_one_failed_item(world):
    number = Resource("n.json", ResourceType.NUMBER, world.store.put_bytes(b"1", ".json"), ".json")
    files = (_text(world, "a.txt", "good"), number)
    links = tuple(Link(f.name, "value", "p", "text") for f in files)
    run = world.run(Workflow(files, (Node("p", "picky"),), links))
    assert world.value(run, "p", "text") == ("GOOD",)
    assert "n.json is of type number" in run.nodes["p"].notice


def test_when_all_items_fail_the_node_fails(world):
    run = world.run(_words("bad1 bad2", "p.text>q.text", q=("picky", {})))
    node = run.nodes["p"]
    assert states(run) == {"w": "done", "p": "failed", "q": "skipped"}
    assert node.message.startswith("All 2 failed: words-001.txt: 'bad1' is not liked;") and node.port == "text"
    assert [name for name, _ in node.failed] == ["words-001.txt", "words-002.txt"]


def test_what_was_lost_on_different_ways_leaves_nothing_to_work_on(world):
    flow = graph(
        {"a": ("words", {"text": "bad x"}), "b": ("words", {"text": "x bad"}), "p": ("picky", {}), "q": ("picky", {}),
         "r": ("pair", {})},
        "a.words>p.text", "b.words>q.text", "p.text>r.first", "q.text>r.second",
    )  # fmt: skip
    failed = world.run(flow).nodes["r"]
    assert failed.state == "failed" and "nothing to work on" in failed.message


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_lane_that_dies_costs_its_item_only(world):
    run = world.run(_words("a die c"))
    assert world.value(run, "p", "text") == ("A", "C")
    assert "ended (code 3" in run.nodes["p"].failed[0][1]


def test_each_item_is_cached_by_itself(world, tmp_path):
    mark = tmp_path / "calls"
    world.run(_words("a b bad", p=("picky", {"mark": str(mark)})))
    mark.write_text("")
    heard = Heard()
    run = world.run(_words("b new a bad", p=("picky", {"mark": str(mark)})), heard)
    assert sorted(mark.read_text().split()) == ["bad", "new"]
    assert world.value(run, "p", "text") == ("B", "NEW", "A")
    assert run.nodes["p"].cached is False


def test_an_unchanged_batch_runs_nothing(world):
    flow = _words("a b c", "p.text>q.text", q=("picky", {}))
    before = world.run(flow)
    heard = Heard()
    run = world.run(flow, heard)
    assert not heard.of(events.NodeStarted) and not heard.of(events.NodeQueued)
    assert all(node.cached for node in run.nodes.values())
    assert {id: node.outputs for id, node in run.nodes.items()} == {id: n.outputs for id, n in before.nodes.items()}


def test_an_item_shares_its_result_with_a_node_that_does_the_same(world, tmp_path):
    mark = str(tmp_path / "calls")
    flow = _words("a b a", p=("picky", {"mark": mark}), z=("picky", {"text": "a", "mark": mark}))
    run = world.run(flow)
    assert world.value(run, "p", "text") == ("A", "B", "A") and world.value(run, "z", "text") == "A"
    # A linked text and a literal one are two keys; equal items are one.
    assert sorted((tmp_path / "calls").read_text().split()) == ["a", "a", "b"]


def test_the_node_is_told_once_and_its_progress_is_the_mean(world):
    heard = Heard()
    flow = _words("a b slow1", "p.text>q.text", q=("picky", {}))
    run = world.run(flow, heard, then=lambda: world.engine.cancel("p"), once=_slow_is_alone)
    assert states(run) == {"w": "done", "p": "cancelled", "q": "skipped"}
    assert heard.nodes(events.NodeQueued).count("p") == heard.nodes(events.NodeStarted).count("p") == 1
    fractions = [e.fraction for e in heard.of(events.NodeProgress) if e.node == "p"]
    assert fractions[-1] == pytest.approx((1 + 1 + 0.5) / 3)
    again = world.run(_words("b a"))
    assert again.nodes["p"].cached  # what was finished before the stop is kept


def _slow_is_alone(heard: Heard) -> bool:
    return any(e.note == "2 of 3, slow" for e in heard.of(events.NodeProgress))


def test_items_run_in_several_lanes_at_once(world):
    world.run(_words("warm up"))
    heard = Heard()
    lanes: set[str] = set()

    def look() -> None:
        lanes.update(lane.name for lane in world.engine._pool.lanes() if lane.node)
        world.engine.cancel()

    run = world.run(_words("slow1 slow2 slow3"), heard, then=look, once=_two_report)
    assert len(lanes) == 2 and run.outcome == "cancelled" and states(run)["p"] == "cancelled"


def _two_report(heard: Heard) -> bool:
    return any(e.fraction == pytest.approx(1 / 3) for e in heard.of(events.NodeProgress))


def test_cancelling_the_run_settles_a_batch_once(world):
    heard = Heard()
    flow = _words("slow1 slow2 slow3 slow4", "p.text>q.text", q=("picky", {}))
    run = world.run(flow, heard, then=world.engine.cancel, once=lambda h: h.reports("p"))
    assert states(run) == {"w": "done", "p": "cancelled", "q": "cancelled"}
    assert heard.nodes(events.NodeCancelled) == ["q", "p"] or heard.nodes(events.NodeCancelled) == ["p", "q"]
    assert world.run(_words("a")).outcome == "ok"


def test_a_stuck_item_is_killed_after_the_grace(world, monkeypatch):
    monkeypatch.setattr("desktop_app.run.workers.worker_process.GRACE_SECONDS", 0.2)
    flow = graph({"w": ("words", {"text": "well loop"}), "p": ("misbehave", {})}, "w.words>p.how")
    run = world.run(flow, then=lambda: world.engine.cancel("p"), once=lambda h: h.reports("p"))
    assert states(run) == {"w": "done", "p": "cancelled"}
    assert world.run(_words("a")).outcome == "ok"


def test_a_large_batch_lets_the_loop_breathe(world):
    """Five thousand items that are known are settled in slices: something else gets its turn in between."""
    text = " ".join(f"w{i}" for i in range(1500))
    flow = _words("x", p=("split", {})).with_value("w", "text", text)
    world.run(flow)
    turns = []

    async def run():
        loop = world.runner.get_loop()

        def turn() -> None:
            turns.append(threading.get_ident())
            loop.call_soon(turn)

        loop.call_soon(turn)
        return await world.engine.run(flow, Heard())

    run = world.runner.run(run())
    assert run.nodes["p"].cached and run.nodes["p"].items == 1500
    assert len(turns) > 5


@pytest.fixture
def large_and_known(world, monkeypatch):
    """A node whose 1,500 values are known and looked through at once; each thing done takes a turn of the loop."""
    flow = graph({"w": ("words", {"text": " ".join(f"w{i}" for i in range(1500))})})
    world.run(flow)
    monkeypatch.setattr("desktop_app.run.scheduling.job_tracker._AT_ONCE_FILES", 2000)
    monkeypatch.setattr("desktop_app.run.execution._SLICE_SECONDS", 0.0)
    return flow


def test_the_values_of_a_large_result_are_named_in_turns_of_the_loop(world, large_and_known):
    turns = 0

    async def run():
        loop = world.runner.get_loop()

        def turn() -> None:
            nonlocal turns
            turns += 1
            loop.call_soon(turn)

        loop.call_soon(turn)
        return await world.engine.run(large_and_known, Heard())

    run = world.runner.run(run())
    assert run.nodes["w"].cached and world.value(run, "w", "words")[1499] == "w1499"
    assert turns > 1500


@pytest.mark.parametrize("node", ["w", None])
def test_what_is_stopped_while_its_values_are_named_tells_no_other_end(world, large_and_known, node):
    heard = Heard()
    run = world.run(large_and_known, heard, then=lambda: world.engine.cancel(node))
    assert run.outcome == "cancelled" and states(run) == {"w": "cancelled"}
    assert not heard.nodes(events.NodeFinished)

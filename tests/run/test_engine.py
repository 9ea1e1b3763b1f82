"""What a run does and what it does not do again."""

from __future__ import annotations

import asyncio

import pytest

from desktop_app.core.errors import BadWorkflow
from desktop_app.core.paths import home
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events import events, recording
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.run.result_names import Names
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource
from nodes import load_tools
from nodes.api import ResourceType
from nodes.phrase import Phrase
from tests.run.helpers import Heard, chain, graph, states
from tests.run.toys import TOOLS

DIAMOND = graph(
    {"a": ("add", {"more": 1}), "b": ("add", {"more": 10}), "c": ("add", {"more": 20}), "d": ("total", {})},
    "a.number>b.number", "a.number>c.number", "b.number>d.numbers", "c.number>d.numbers",
)  # fmt: skip


def test_values_flow_along_the_links(world):
    run = world.run(DIAMOND)
    assert run.outcome == "ok"
    assert world.value(run, "d", "number") == 32


def test_events_tell_each_node_once_and_in_order(world):
    heard = Heard()
    world.run(DIAMOND, heard)
    assert isinstance(heard.events[0], events.RunStarted) and set(heard.events[0].nodes) == set("abcd")
    assert heard.nodes(events.NodeFinished)[0] == "a" and heard.nodes(events.NodeFinished)[-1] == "d"
    for id in "abcd":
        of_node = [type(e).__name__ for e in heard.events if getattr(e, "node", "") == id]
        assert of_node == ["NodeQueued", "NodeStarted", "NodeFinished"]
    assert heard.last().counts["done"] == 4


def test_unchanged_workflow_runs_nothing(world):
    world.run(DIAMOND)
    heard = Heard()
    again = world.run(DIAMOND, heard)
    assert not heard.of(events.NodeStarted)
    assert all(node.cached for node in again.nodes.values())
    assert world.value(again, "d", "number") == 32


def test_results_survive_a_restart(single):
    single.run(DIAMOND)
    single.restart()
    heard = Heard()
    single.run(DIAMOND, heard)
    assert not heard.of(events.NodeStarted)


def test_a_change_runs_only_what_depends_on_it(world):
    world.run(DIAMOND)
    heard = Heard()
    run = world.run(DIAMOND.with_value("b", "more", 11), heard)
    assert heard.nodes(events.NodeStarted) == ["b", "d"]
    assert world.value(run, "d", "number") == 33


def test_a_change_without_effect_stops_where_it_has_none(world):
    world.run(DIAMOND)
    changed = DIAMOND.with_value("a", "more", 0.5).with_value("a", "number", 0.5)
    heard = Heard()
    world.run(changed, heard)
    assert heard.nodes(events.NodeStarted) == ["a"]


def test_writing_a_default_down_changes_nothing(world):
    world.run(graph({"a": ("add", {})}))
    heard = Heard()
    world.run(graph({"a": ("add", {"more": 1, "number": 0.0})}), heard)
    assert not heard.of(events.NodeStarted)


def test_a_missing_file_is_computed_again(world):
    run = world.run(chain(3))
    world.store.path_of(run.nodes["n1"].outputs["number"]).unlink()
    heard = Heard()
    world.run(chain(3), heard)
    assert heard.nodes(events.NodeStarted) == ["n1"]


def test_a_file_that_was_cut_off_is_computed_again(world):
    text = "a long text"
    flow = graph({"a": ("nap", {"seconds": 0.001, "text": text})})
    path = world.store.path_of(world.run(flow).nodes["a"].outputs["text"])
    path.write_text("a lo")
    assert world.run(flow).nodes["a"].cached is False


def test_what_looks_outside_is_never_cached(world):
    flow = graph({"a": ("clock", {}), "b": ("steady", {}), "c": ("split", {})}, "b.text>c.text")
    world.run(flow)
    heard = Heard()
    world.run(flow, heard)
    assert sorted(heard.nodes(events.NodeStarted)) == ["a", "b"]


def test_equal_nodes_are_computed_once(world, tmp_path):
    mark = str(tmp_path / "calls")
    flow = graph({id: ("add", {"mark": mark}) for id in "abc"})
    run = world.run(flow)
    assert states(run) == dict.fromkeys("abc", "done")
    assert (tmp_path / "calls").read_text() == "called\n"


def test_upto_runs_only_what_the_node_needs(world):
    heard = Heard()
    run = world.run(DIAMOND, heard, upto="b")
    assert set(run.nodes) == {"a", "b"}
    assert heard.nodes(events.NodeStarted) == ["a", "b"]


def test_an_unknown_node_is_refused_before_anything_starts(world):
    with pytest.raises(BadWorkflow, match="no node 'zzz'"):
        world.run(DIAMOND, upto="zzz")
    assert world.run(DIAMOND).outcome == "ok"


def test_a_circle_is_refused(world):
    flow = graph({"a": ("add", {}), "b": ("add", {})}, "a.number>b.number", "b.number>a.number")
    with pytest.raises(BadWorkflow, match="circle"):
        world.run(flow)


def test_a_second_run_at_once_is_refused(world):
    async def both() -> None:
        first = asyncio.ensure_future(world.engine.run(chain(2), Heard()))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError):
            await world.engine.run(chain(2), Heard())
        assert (await first).outcome == "ok"

    world.runner.run(both())


def test_an_empty_workflow_is_a_run(world):
    assert world.run(Workflow()).outcome == "ok"


def test_lanes_serve_one_run_after_the_other(world):
    world.run(chain(2))
    before = {lane.pid for lane in world.engine._pool.lanes()}
    world.run(chain(4, more=3))
    assert {lane.pid for lane in world.engine._pool.lanes()} & before


def test_independent_branches_run_at_once(world, tmp_path):
    """The door is opened when both stand before it."""
    door = tmp_path / "door"
    flow = graph({name: ("gate", {"open": str(door), "text": name}) for name in "ab"})
    heard = Heard()
    world.run(flow, heard, then=door.touch, once=lambda heard: heard.reports("a") and heard.reports("b"))
    kinds = [type(e) for e in heard.events if isinstance(e, events.NodeStarted | events.NodeFinished)]
    assert kinds[:2] == [events.NodeStarted, events.NodeStarted]
    assert len({e.lane for e in heard.of(events.NodeStarted)}) == 2


def test_the_longest_way_goes_first(single):
    short = {"s": ("nap", {"seconds": 0.01, "text": "s"})}
    long = {f"l{i}": ("join", {"texts": ["l"]} if i == 0 else {}) for i in range(3)}
    heard = Heard()
    single.run(graph(short | long, "l0.text>l1.texts", "l1.text>l2.texts"), heard)
    assert heard.nodes(events.NodeStarted)[0] == "l0"


def test_a_failed_node_stops_only_what_depends_on_it(world):
    flow = graph(
        {"bad": ("refuse", {"text": "x"}), "after": ("split", {}), "last": ("split", {}), "free": ("add", {})},
        "bad.text>after.text", "after.rest>last.text",
    )  # fmt: skip
    run = world.run(flow)
    assert states(run) == {"bad": "failed", "after": "skipped", "last": "skipped", "free": "done"}
    assert run.nodes["after"].because == run.nodes["last"].because == "bad"
    assert run.nodes["bad"].port == "text" and "nothing here" in run.nodes["bad"].message
    assert run.outcome == "failed"


def test_a_failure_is_tried_again_by_the_next_run(world):
    flow = graph({"a": ("refuse", {"text": "x"})})
    world.run(flow)
    heard = Heard()
    world.run(flow, heard)
    assert heard.nodes(events.NodeStarted) == ["a"]


@pytest.mark.parametrize(
    ("nodes", "links", "words", "port"),
    [
        ({"a": ("ad", {})}, [], "no tool 'ad'", ""),
        ({"a": ("pick", {"how": "first"})}, [], "needs 'points'", "points"),
        ({"a": ("pick", {"how": "middle", "points": [[1, 2]]})}, [], "not one of its choices", "how"),
        ({"a": ("add", {"more": 1000})}, [], "must be -100 to 100", "more"),
        ({"a": ("add", {"more": "much"})}, [], "takes number", "more"),
        ({"a": ("add", {"mroe": 1})}, [], "no input 'mroe'", "mroe"),
        ({"a": ("count_up", {"upto": 1.5})}, [], "whole number", "upto"),
        ({"z": ("add", {}), "a": ("split", {})}, ["z.number>a.text"], "takes text", "text"),
        ({"z": ("add", {}), "a": ("add", {})}, ["z.numbr>a.number"], "Nothing leaves", "number"),
        ({"a": ("add", {})}, ["gone.value>a.number"], "Nothing leaves 'gone'", "number"),
        ({"a": ("needy", {})}, [], "no-such-program-here", ""),
        ({"a": ("mean", {"image": "cat.png"})}, [], "takes image", "image"),
    ],
)  # fmt: skip
def test_what_cannot_run_says_why(world, nodes, links, words, port):
    failed = world.run(graph(nodes, *links)).nodes["a"]
    assert failed.state == "failed"
    assert words in failed.message
    assert failed.port == port
    assert failed.fix


def test_an_unknown_tool_suggests_the_one_that_was_meant(world):
    assert world.run(graph({"a": ("totl", {})})).nodes["a"].fix == "Did you mean 'total'?"


def test_an_unknown_back_end_is_refused(world):
    flow = Workflow(nodes=(Node("a", "add", {}, backend="magic"),))
    assert "no back end 'magic'" in world.run(flow).nodes["a"].message


def test_the_chosen_back_end_runs(world):
    flow = Workflow(nodes=(Node("a", "misbehave", {"how": "raise", "text": "t"}, backend="other"),))
    run = world.run(flow)
    assert run.nodes["a"].state == "done" and run.nodes["a"].backend == "other"


def test_another_back_end_is_offered_when_one_fails(world):
    failed = world.run(graph({"a": ("misbehave", {"how": "raise"})})).nodes["a"]
    assert "Another way" in failed.fix


def test_many_values_are_given_and_taken(world):
    flow = graph(
        {"n": ("count_up", {"upto": 4}), "one": ("add", {"more": 10}), "sum": ("total", {})},
        "n.n>sum.numbers", "one.number>sum.numbers",
    )  # fmt: skip
    run = world.run(flow)
    assert world.value(run, "sum", "number") == 16
    assert [item.name for item in run.nodes["n"].outputs["n"]] == [f"count-up-00{i}.json" for i in (1, 2, 3, 4)]
    assert world.run(flow).nodes["n"].outputs == run.nodes["n"].outputs


def test_many_may_be_none(world):
    flow = graph({"n": ("count_up", {"upto": 0}), "sum": ("total", {})}, "n.n>sum.numbers")
    run = world.run(flow)
    assert world.value(run, "sum", "number") == 0
    assert world.run(flow).nodes["n"].cached


def test_several_outputs_go_their_ways(world):
    flow = graph(
        {"s": ("split", {"text": "one two three"}), "j": ("join", {"by": "+"})}, "s.rest>j.texts", "s.first>j.texts"
    )
    run = world.run(flow)
    assert world.value(run, "j", "text") == "two three+one"
    assert run.nodes["s"].outputs["first"].name == "split.txt"


def test_a_name_is_that_of_the_file_and_of_the_last_step(world):
    digest = world.store.put_bytes(b"one two", ".txt")
    resource = Resource("notes.txt", ResourceType.TEXT, digest, ".txt")
    flow = Workflow(
        (resource,),
        (Node("a", "split"), Node("b", "join"), Node("c", "join"), Node("d", "join"), Node("e", "join")),
        (Link("notes.txt", "value", "a", "text"), Link("a", "first", "b", "texts"), Link("b", "text", "c", "texts"),
         Link("c", "text", "d", "texts"), Link("a", "rest", "e", "texts")),
    )  # fmt: skip
    run = world.run(flow)
    names = {id: [o.name for o in run.nodes[id].outputs.values()] for id in "abcde"}
    assert names == {
        "a": ["notes_split.txt", "notes_rest.txt"],
        "b": ["notes_join.txt"],
        "c": ["notes_join-3.txt"],
        "d": ["notes_join-4.txt"],
        "e": ["notes_join-2.txt"],
    }
    assert run.nodes["a"].outputs["rest"].made_by == "a"


def test_a_resource_that_is_gone_fails_its_reader(world):
    flow = Workflow(
        (Resource("notes.txt", ResourceType.TEXT, "0" * 64, ".txt"),),
        (Node("a", "split"),),
        (Link("notes.txt", "value", "a", "text"),),
    )
    failed = world.run(flow).nodes["a"]
    assert "notes.txt" in failed.message and failed.fix == "Attach it again."


def test_a_mask_may_stand_where_a_picture_is_wanted(world):
    flow = graph(
        {"s": ("square", {"size": 4}), "m": ("bright", {}), "v": ("mean", {})}, "s.image>m.image", "m.mask>v.image"
    )
    run = world.run(flow)
    assert world.value(run, "v", "number") == 255
    assert run.nodes["m"].outputs["mask"].facets == {"width": 4, "height": 4}


def test_a_tool_that_spoils_its_input_spoils_it_for_nobody_else(single):
    flow = graph(
        {"s": ("square", {}), "x": ("spoil", {}), "v": ("mean", {}), "w": ("mean", {})},
        "s.image>x.image", "s.image>v.image", "x.image>w.image",
    )  # fmt: skip
    run = single.run(flow)
    assert (single.value(run, "v", "number"), single.value(run, "w", "number")) == (128, 0)


def test_files_are_kept_after_their_folder_is_gone(world):
    run = world.run(graph({"a": ("write_file", {"text": "inside"})}))
    assert world.store.path_of(run.nodes["a"].outputs["file"]).read_text() == "inside"
    assert run.nodes["a"].outputs["file"].name == "write-file.dat"


def test_progress_comes_with_note_and_preview(world):
    heard = Heard()
    run = world.run(graph({"a": ("square", {}), "b": ("nap", {"seconds": 0.1})}), heard)
    shown = [e for e in heard.of(events.NodeProgress) if e.node == "a"]
    assert [(e.fraction, e.note) for e in shown] == [(0.5, "half")]
    assert shown[0].preview.endswith(".png")
    asleep = [e.fraction for e in heard.of(events.NodeProgress) if e.node == "b"]
    assert asleep and asleep == sorted(asleep)
    assert len(asleep) <= 2 + 30 * run.nodes["b"].seconds


@pytest.mark.parametrize("kind", ["none", "float", "flat", "text"])
def test_an_output_that_is_not_what_its_port_says_is_a_fault_of_the_tool(world, kind):
    failed = world.run(graph({"a": ("wrong", {"kind": kind})})).nodes["a"]
    assert failed.state == "failed" and "fault" in failed.message and "image" in failed.message


def test_the_record_is_what_the_events_fold_to(world):
    heard = Heard()
    run = world.run(DIAMOND, heard)
    assert fold_all(Run(), heard.events) == run


def test_a_run_is_recorded_as_it_was_told(world):
    heard = Heard()
    run = world.run(DIAMOND, heard)
    assert list(recording.read(home() / "runs" / f"{run.id}.jsonl")) == heard.events


def test_a_listener_that_fails_does_not_stop_the_run(world):
    class Broken(Heard):
        def __call__(self, batch):
            super().__call__(batch)
            raise ValueError("a fault of the window")

    seen = []
    world.runner.get_loop().set_exception_handler(lambda loop, context: seen.append(context["exception"]))
    heard = Broken()
    assert world.run(DIAMOND, heard).outcome == "ok"
    assert seen and heard.last().outcome == "ok"


def test_times_are_remembered_for_estimates(world):
    assert world.history.seconds("nap", "built-in") is None
    world.run(graph({"a": ("nap", {"seconds": 0.05})}))
    assert world.history.seconds("nap", "built-in") >= 0.05
    later = History(world.history.path)
    assert later.seconds("nap", "built-in") == world.history.seconds("nap", "built-in")
    later.close()


def test_names_do_not_depend_on_which_node_is_asked_first():
    order = tuple(f"n{i}" for i in range(6))
    flow = chain(6)
    into = {link.target: [link] for link in flow.links}
    straight, backward = Names(flow, order, into, TOOLS), Names(flow, order, into, TOOLS)
    names = {id: straight.stem(id, "number") for id in order}
    assert {id: backward.stem(id, "number") for id in reversed(order)} == names
    assert len(set(names.values())) == 6


def test_a_step_is_named_in_plain_words_and_by_what_was_chosen():
    tools = load_tools().tools
    picture = Resource("coffee.jpg", ResourceType.IMAGE, "0" * 64, ".jpg")
    nodes = (Node("up", "brightness_contrast", {"change": "more contrast"}), Node("set", "brightness_contrast"),
             Node("see", "detect_faces"), Node("read", "read_text"), Node("say", "text_to_speech"))  # fmt: skip
    links = tuple(Link("coffee.jpg", "value", id, "image") for id in ("up", "set", "see", "read"))
    flow = Workflow((picture,), nodes, links)
    names = Names(flow, flow.order(), {link.target: [link] for link in links}, tools)
    made = {id: [names.stem(id, port.name) for port in tools[flow.node(id).tool].outputs] for id in flow.ids()}
    assert made == {"up": ["coffee_more-contrast"], "set": ["coffee_toned"], "see": ["coffee_faces"],
                    "read": ["coffee_text", "coffee_boxes"], "say": ["speech"]}  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "values", "word"),
    [
        ("brightness_contrast", {"brightness": 0.15}, "brighter"),
        ("brightness_contrast", {"brightness": -0.15}, "darker"),
        ("brightness_contrast", {"change": "darker", "brightness": -0.3}, "darker"),
        ("brightness_contrast", {"brightness": 0, "saturation": 0.2}, "more-colourful"),
        ("white_balance", {"warmth": -0.15}, "cooler"),
        ("change_volume", {"gain": -6}, "quieter"),
        ("change_volume", {}, "volume"),
    ],
)
def test_a_number_names_the_result_by_its_sign(tool, values, word):
    tools, file = load_tools().tools, Resource("a.jpg", ResourceType.IMAGE, "0" * 64, ".jpg")
    links = (Link("a.jpg", "value", "one", tools[tool].inputs[0].name),)
    flow = Workflow((file,), (Node("one", tool, values),), links)
    assert (
        Names(flow, flow.order(), {"one": list(links)}, tools).stem("one", tools[tool].outputs[0].name) == f"a_{word}"
    )


def test_a_file_in_another_form_is_named_by_where_it_comes_from_and_the_step_before():
    tools = load_tools().tools
    picture = Resource("cat.jpg", ResourceType.IMAGE, "0" * 64, ".jpg")
    nodes = (
        Node("grey", "black_and_white"), Node("after", "picture_file", {"format": "webp"}),
        Node("like", "picture_file", {"format": "png"}), Node("plain", "picture_file", {"format": "webp"}),
        Node("small", "picture_file", {"size_kb": 20}), Node("again", "picture_file", {"format": "webp"}),
    )  # fmt: skip
    links = (
        Link("cat.jpg", "value", "grey", "image"), Link("grey", "image", "after", "image"),
        Link("grey", "image", "like", "image"), Link("cat.jpg", "value", "plain", "image"),
        Link("cat.jpg", "value", "small", "image"), Link("cat.jpg", "value", "again", "image"),
    )  # fmt: skip
    flow = Workflow((picture,), nodes, links)
    names = Names(flow, flow.order(), flow.links_by_target, tools)
    made = {id: names.stem(id, tools[flow.node(id).tool].outputs[0].name) for id in flow.ids()}
    grey = made["grey"]
    assert made == {
        "grey": grey, "after": grey, "like": f"{grey}-2", "plain": "cat", "small": "cat-2", "again": "cat-2"
    }  # fmt: skip


def test_what_a_tool_tells_of_its_result_is_told_again_with_the_kept_result(world):
    plain = graph({"h": ("halve", {"number": 0})})
    first, again = world.run(plain), world.run(plain)
    assert again.nodes["h"].cached and not first.nodes["h"].cached
    assert first.nodes["h"].notice == again.nodes["h"].notice == "There is nothing to halve in 0.0."
    assert isinstance(again.nodes["h"].notice, Phrase) and again.nodes["h"].notice.values == {"number": "0.0"}
    assert not world.run(graph({"h": ("halve", {"number": 4})})).nodes["h"].notice


def test_of_several_it_is_told_of_how_many_that_is_so(world):
    counted = graph({"c": ("count_up", {"upto": 3}), "h": ("halve", {})}, "c.n>h.number")
    assert world.run(counted).nodes["h"].notice == "1 of 3: There is nothing to halve in 0.0."

"""Comparing two ways: what is shared, what differs, whose results are known, and running one beside the other."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.plan.types import FromNode, FromResource, Plan, Question, Solution, Step
from desktop_app.run.engine import Engine
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session import snapshot_codec
from desktop_app.session.comparison.fulfilment import Fulfilment, asked_for, fulfilment
from desktop_app.session.comparison.outcomes import has_run, left_to_run, outcomes
from desktop_app.session.comparison.pairs import ALIKE, CHANGED, ONLY, REPLACED, SHARED, compare, merged
from desktop_app.session.comparison.run_records import KEPT_RUNS, Records, renamed
from desktop_app.session.comparison.traces import traces
from desktop_app.session.session import Change, Session
from desktop_app.storage.database import History
from desktop_app.storage.resources import Resource, Store
from nodes import load_tools
from nodes.api import Backend, NodeError, Port, ResourceType, Tool
from tests.fakes import FakeEngine, FakeHistory, FakePlanner, picture

T = ResourceType
IMAGE, MASK = Port("image", T.IMAGE, "the picture"), Port("mask", T.MASK, "the mask")
AMOUNT = Port("amount", T.NUMBER, "how much", default=1.0)
WHAT = Port("what", T.TEXT, "what to find")
CLICKS = Port("points", T.POINTS, "clicks", picked_on="image")


def tool(id, inputs, outputs, *backends):
    made = backends or (Backend("b", "B", lambda: None),)
    return Tool(id, id.capitalize(), "image", "Does.", inputs, outputs, made)


TOOLS = {
    t.id: t
    for t in (
        tool("blur", (IMAGE, AMOUNT), (IMAGE,)),
        tool("click", (IMAGE, CLICKS), (MASK,)),
        tool("find", (IMAGE, WHAT), (MASK,)),
        tool("remove", (IMAGE, MASK), (IMAGE,)),
        tool("paint", (IMAGE, AMOUNT), (IMAGE,)),
        tool("read", (IMAGE,), (Port("text", T.TEXT, "words"),)),
    )
}
PHOTO = Resource("photo.png", T.IMAGE, "d" * 64, ".png")


def graph(*nodes: Node, links: str, wanted=(), resources=(PHOTO,)) -> Workflow:
    """Links as "photo.png>blur.image blur.image>paint.image"."""
    made = []
    for each in links.split():
        source, target = each.split(">")
        left, right = source.rpartition("."), target.rpartition(".")
        if source in {r.name for r in resources}:
            left = (source, "", RESOURCE_OUTPUT)
        made.append(Link(left[0], left[2], right[0], right[2]))
    return Workflow(tuple(resources), nodes, tuple(made), tuple(wanted))


LINKS = "photo.png>blur.image blur.image>seg.image blur.image>rem.image seg.mask>rem.mask rem.image>paint.image"
END = (("paint", "image"),)
BY_CLICK = graph(
    Node("blur", "blur"), Node("seg", "click", {"points": [[1, 2, True]]}), Node("rem", "remove"),
    Node("paint", "paint", {"amount": 0.5}), links=LINKS, wanted=END,
)  # fmt: skip
BY_WORD = graph(
    Node("blur", "blur"), Node("seg", "find", {"what": "cup"}), Node("rem", "remove"),
    Node("paint", "paint", {"amount": 0.5}), links=LINKS, wanted=END,
)  # fmt: skip


def kinds(a: Workflow, b: Workflow) -> dict[str, str]:
    """The kind of each pair, by "a/b"."""
    return {f"{p.a}/{p.b}": p.kind for p in compare(a, b, TOOLS).nodes}


# What is shared


def test_equal_workflows_share_everything():
    assert set(kinds(BY_CLICK, BY_CLICK).values()) == {SHARED}


def test_another_tool_is_replaced_and_what_follows_is_alike():
    assert kinds(BY_CLICK, BY_WORD) == {
        "blur/blur": SHARED, "seg/seg": REPLACED, "rem/rem": ALIKE, "paint/paint": ALIKE,
    }  # fmt: skip


def test_other_ids_do_not_hide_what_is_shared():
    renamed = graph(Node("x", "blur"), links="photo.png>x.image")
    assert kinds(graph(Node("blur", "blur"), links="photo.png>blur.image"), renamed) == {"blur/x": SHARED}


def test_another_value_or_back_end_is_a_change():
    base = graph(Node("blur", "blur"), links="photo.png>blur.image")
    value = graph(Node("blur", "blur", {"amount": 3}), links="photo.png>blur.image")
    backend = graph(Node("blur", "blur", backend="another"), links="photo.png>blur.image")
    usual = graph(Node("blur", "blur", backend="b"), links="photo.png>blur.image")
    assert kinds(base, value) == {"blur/blur": CHANGED}
    assert kinds(base, backend) == {"blur/blur": CHANGED}
    assert kinds(base, usual) == {"blur/blur": SHARED}  # the one that it runs on anyway


def test_a_default_that_is_written_down_changes_nothing():
    base = graph(Node("blur", "blur"), links="photo.png>blur.image")
    said = graph(Node("blur", "blur", {"amount": 1.0}), links="photo.png>blur.image")
    assert kinds(base, said) == {"blur/blur": SHARED}


def test_a_step_that_only_one_has_stands_alone():
    longer = graph(Node("blur", "blur"), Node("read", "read"), links="photo.png>blur.image photo.png>read.image")
    assert kinds(graph(Node("blur", "blur"), links="photo.png>blur.image"), longer) == {
        "blur/blur": SHARED, "/read": ONLY,
    }  # fmt: skip


def test_the_same_step_twice_is_shared_once():
    twice = graph(Node("one", "blur"), Node("two", "blur"), links="photo.png>one.image photo.png>two.image")
    found = kinds(graph(Node("blur", "blur"), links="photo.png>blur.image"), twice)
    assert sorted(found.values()) == [ONLY, SHARED]


def test_other_content_under_the_same_name_is_another_input():
    other = replace(PHOTO, digest="e" * 64)
    a = graph(Node("blur", "blur"), links="photo.png>blur.image")
    b = graph(Node("blur", "blur"), links="photo.png>blur.image", resources=(other,))
    found = compare(a, b, TOOLS)
    assert [p.kind for p in found.resources] == [REPLACED]
    assert [p.kind for p in found.nodes] == [ALIKE]


def test_a_circle_is_compared_without_traces():
    circle = graph(Node("a", "blur"), Node("b", "paint"), links="a.image>b.image b.image>a.image")
    assert traces(circle, TOOLS) == {}
    assert set(kinds(circle, circle).values()) == {ALIKE}


def test_the_merged_graph_has_shared_cards_once_and_all_links():
    workflow, pairs = merged(compare(BY_CLICK, BY_WORD, TOOLS))
    assert set(workflow.ids()) == {"a:blur", "a:seg", "b:seg", "a:rem", "b:rem", "a:paint", "b:paint"}
    assert [r.name for r in workflow.resources] == ["a:photo.png"]
    assert Link("a:blur", "image", "b:seg", "image") in workflow.links
    assert len(workflow.links) == 9  # one into the shared blur, four more for each side
    assert set(pairs) == {"a:photo.png", *workflow.ids()}
    workflow.order()


# Results


def made(name: str, digest: str, type=T.IMAGE) -> Resource:
    return Resource(name, type, digest * 64, ".png")


def ran(**outputs: Resource) -> Run:
    nodes = {
        id: NodeRun("done", seconds=1.0, outputs={"mask" if r.type is T.MASK else "image": r})
        for id, r in outputs.items()
    }
    return Run("run", 1.0, nodes, "ok", 4.0)


FULL = ran(
    blur=made("x_blur.png", "1"), seg=made("m.png", "2", T.MASK), rem=made("r.png", "3"), paint=made("p.png", "4")
)


def test_a_run_is_found_again_by_its_workflow():
    records = Records(TOOLS)
    records.keep(BY_CLICK, FULL)
    assert records.of(BY_CLICK) == FULL


def test_what_two_ways_share_is_known_for_the_one_that_never_ran():
    records = Records(TOOLS)
    records.keep(BY_CLICK, FULL)
    found = records.of(BY_WORD)
    assert found.nodes and not found.taking_part  # what is known from another run is no bar of this one
    assert found.id == "" and set(found.nodes) == {"blur"}
    assert found.nodes["blur"].cached and found.nodes["blur"].outputs == FULL.nodes["blur"].outputs
    assert left_to_run(BY_WORD, found) == ("seg", "rem", "paint")


def test_an_edit_loses_only_what_depends_on_it():
    records = Records(TOOLS)
    records.keep(BY_CLICK, FULL)
    edited = BY_CLICK.with_value("paint", "amount", 0.9)
    assert set(records.of(edited).nodes) == {"blur", "seg", "rem"}


def test_the_time_of_a_step_is_that_of_its_computation_not_of_its_reuse():
    records = Records(TOOLS)
    records.keep(BY_CLICK, FULL)
    again = {id: replace(node, cached=True, seconds=0.0) for id, node in FULL.nodes.items()}
    records.keep(BY_CLICK, replace(FULL, id="run2", nodes=again))
    assert records.seconds(BY_CLICK) == dict.fromkeys(FULL.nodes, 1.0)


def test_failures_are_not_taken_for_results():
    records = Records(TOOLS)
    nodes = {**FULL.nodes, "paint": NodeRun("failed", message="No.")}
    records.keep(BY_CLICK, replace(FULL, nodes=nodes, outcome="failed"))
    assert records.of(BY_CLICK).nodes["paint"].state == "failed"
    assert not has_run(BY_CLICK, records.of(BY_CLICK), TOOLS)
    other = replace(BY_CLICK, wanted=())
    assert "paint" in records.of(other).nodes  # the same graph
    assert "paint" not in records.of(BY_CLICK.with_node(Node("more", "read"))).nodes


def test_a_way_that_shares_one_of_its_two_results_has_not_run():
    links = f"{LINKS} photo.png>read.image"
    wanted = (*END, ("read", "text"))
    one, other = (
        replace(
            graph(*way.nodes, Node("read", "read"), links=links, wanted=wanted), wanted=wanted
        ) for way in (BY_CLICK, BY_WORD)
    )  # fmt: skip
    records = Records(TOOLS)
    text = Resource("words.txt", T.TEXT, "e" * 64, ".txt")
    read = NodeRun("done", outputs={"text": text})
    records.keep(one, replace(FULL, nodes={**FULL.nodes, "read": read}))
    assert records.of(other).nodes["read"].state == "done"
    assert has_run(one, records.of(one), TOOLS)
    assert not has_run(other, records.of(other), TOOLS)


def test_only_the_latest_runs_are_kept():
    records = Records(TOOLS)
    for amount in range(KEPT_RUNS + 5):
        records.keep(BY_CLICK.with_value("paint", "amount", amount + 2), replace(FULL, id=f"run{amount}"))
    assert len(records.runs) == KEPT_RUNS


def test_results_are_paired_by_kind_asked_for_ones_first():
    comparison = compare(BY_CLICK, BY_WORD, TOOLS)
    found = outcomes(comparison, FULL, Run(), TOOLS)
    assert [o.type for o in found] == [T.IMAGE, T.MASK, T.IMAGE]
    assert found[0].a.values == (made("p.png", "4"),) and found[0].b.values == ()


def test_results_without_a_counterpart_come_last():
    both = replace(BY_CLICK.with_node(Node("read", "read")), wanted=(("read", "text"), ("paint", "image")))
    found = outcomes(compare(both, BY_WORD, TOOLS), Run(), Run(), TOOLS)[:2]
    assert [(o.a.node, o.b and o.b.node) for o in found] == [("paint", "paint"), ("read", None)]


def test_names_of_results_give_way_to_those_that_are_taken():
    known = {"p.png": made("p.png", "9"), "p-2.png": made("p-2.png", "4")}
    assert renamed(FULL, known).nodes["paint"].outputs["image"].name == "p-2.png"
    assert renamed(FULL, {"p.png": made("p.png", "4")}) == FULL


# How much of what was asked for is there

TWO = replace(
    graph(*BY_CLICK.nodes, Node("read", "read"), links=f"{LINKS} photo.png>read.image"),
    wanted=(*END, ("read", "text")),
)
WORDS = Resource("words.txt", T.TEXT, "e" * 64, ".txt")
ALL_OF_IT = replace(FULL, nodes={**FULL.nodes, "read": NodeRun("done", outputs={"text": WORDS})})


def test_what_is_asked_for_is_what_the_plan_ends_in():
    assert asked_for(TWO, TOOLS) == (T.IMAGE, T.TEXT)
    assert asked_for(replace(TWO, wanted=()), TOOLS) == ()
    assert asked_for(replace(TWO, wanted=(("gone", "image"),)), TOOLS) == ()


@pytest.mark.parametrize(
    ("read", "missing"),
    [
        (NodeRun("done", outputs={"text": WORDS}), ()),
        (NodeRun("failed", message="No."), (T.TEXT,)),
        (NodeRun("done", outputs={"text": ()}), (T.TEXT,)),
        (NodeRun("done", outputs={"text": replace(WORDS, type=T.TABLE)}), (T.TEXT,)),
        (None, (T.TEXT,)),
    ],
)
def test_a_result_counts_when_it_is_there_and_of_the_type_that_was_asked_for(read, missing):
    nodes = {**FULL.nodes, **({"read": read} if read else {})}
    found = fulfilment(asked_for(TWO, TOOLS), TWO, replace(FULL, nodes=nodes), TOOLS)
    assert found.missing == missing and found.there == 2 - len(missing)


def test_steps_on_the_way_do_not_count_as_results():
    without_end = {id: node for id, node in FULL.nodes.items() if id != "paint"}
    found = fulfilment((T.IMAGE,), BY_CLICK, replace(FULL, nodes=without_end), TOOLS)
    assert found == Fulfilment((T.IMAGE,), (T.IMAGE,))


def test_what_the_user_took_out_of_the_graph_is_missing():
    found = fulfilment((T.IMAGE, T.TEXT), TWO.without("read"), ALL_OF_IT, TOOLS)
    assert found.missing == (T.TEXT,)


def test_a_mask_stands_for_a_picture_unless_it_was_asked_for_itself():
    ends = replace(BY_CLICK, wanted=(("seg", "mask"),))
    assert fulfilment((T.IMAGE,), ends, FULL, TOOLS).missing == ()
    assert fulfilment((T.IMAGE, T.MASK), ends, FULL, TOOLS).missing == (T.IMAGE,)
    assert fulfilment((T.MASK,), BY_CLICK, FULL, TOOLS).missing == (T.MASK,)  # a picture is no mask


# The session

CUT = (Step("click", "blur", {"image": FromResource("photo.png")}),)
A = Solution("Blur and paint", "It blurs.", 0.9, (
    *CUT, Step("paint", "paint", {"image": FromNode("click", "image")})), (("paint", "image"),))  # fmt: skip
B = Solution("Blur and read", "It reads.", 0.7, (
    *CUT, Step("read", "read", {"image": FromNode("click", "image")})), (("read", "text"),))  # fmt: skip
MADE = {"blur": picture(), "paint": np.full((48, 64, 3), 9, np.uint8), "read": "total 12.50"}


@pytest.fixture
def make(tmp_path):
    path = tmp_path / "photo.png"
    Image.fromarray(picture()).save(path)

    def session(*solutions, results=MADE):
        store = Store(tmp_path / "store")
        engine = FakeEngine(store, TOOLS, results)
        made = Session(TOOLS, FakePlanner(Plan(solutions or (A, B))), engine, store, FakeHistory())
        asyncio.run(made.ask("do it", (made.attach(path).name,)))
        return made

    return session


def test_going_to_another_way_and_back_keeps_what_came_of_the_first(make):
    session = make()
    asyncio.run(session.start())
    first = session.run
    session.choose(1)
    assert set(session.run.nodes) == {"click"} and session.run.nodes["click"].cached
    session.choose(0)
    assert session.run == first
    session.undo()
    assert set(session.run.nodes) == {"click"}
    session.undo()
    assert session.run == first


def test_another_way_runs_aside_without_replacing_the_shown_one(make):
    session = make()
    asyncio.run(session.start())
    before, workflow, undo = session.run, session.workflow, session.can_undo
    seen = []
    session.listen(lambda change: seen.append((change, session.running_way, session.going.running)))
    asyncio.run(session.run_ways(1))
    assert (session.run, session.workflow, session.chosen, session.can_undo) == (before, workflow, 0, undo)
    assert (Change.RUN, 1, True) in seen and session.running_way is None and not session.busy
    other = session.results_of(session.workflow_of(1))
    assert other.outcome == "ok" and other.nodes["read"].outputs["text"].type is T.TEXT
    assert session.messages[-1].text.startswith("“Blur and read” ran too")


def test_both_ways_run_the_shown_one_first(make):
    session = make()
    session.choose(1)
    asyncio.run(session.run_ways(0, 1))
    engine = session.tracker.engine
    assert [w.ids() for w, _ in engine.runs] == [("click", "read"), ("click", "paint")]
    assert all(has_run(session.workflow_of(i), session.results_of(session.workflow_of(i)), TOOLS) for i in (0, 1))


def test_a_new_conversation_while_the_first_way_runs_ends_the_comparison(make):
    session = make()
    before = len(session.tracker.engine.runs)

    async def go():
        running = asyncio.ensure_future(session.run_ways(0, 1))
        while not session.going.running:
            await asyncio.sleep(0)
        session.new()
        await running

    asyncio.run(go())
    assert session.alternatives == () and len(session.tracker.engine.runs) <= before + 1


def test_keeping_the_other_way_is_one_undo_step_and_brings_its_results(make):
    session = make()
    asyncio.run(session.run_ways(0, 1))
    session.choose(1)
    assert session.run.nodes["read"].state == "done"
    text = session.run.nodes["read"].outputs["text"]
    assert session.find(text.name) == text and session.origin(text) is not None
    session.undo()
    assert session.chosen == 0 and session.run.nodes["paint"].state == "done"


def test_the_other_ways_results_do_not_take_the_names_of_the_first(make):
    c = Solution("Paint more", "", 0.5, (
        *CUT, Step("paint", "paint", {"image": FromNode("click", "image"), "amount": 3.0})), A.wanted)  # fmt: skip
    session = make(A, c)
    asyncio.run(session.start())
    first = session.run.nodes["paint"].outputs["image"]
    session.tracker.engine.made = {**MADE, "paint": np.full((48, 64, 3), 77, np.uint8)}
    asyncio.run(session.run_ways(1))
    session.choose(1)
    second = session.run.nodes["paint_2"].outputs["image"]
    assert second.digest != first.digest and second.name != first.name
    assert session.find(first.name) == first and session.find(second.name) == second


def test_a_way_that_fails_aside_says_so_and_is_not_offered(make):
    session = make(results={**MADE, "read": NodeError("It is blank.")})
    asyncio.run(session.run_ways(0, 1))
    assert session.run.outcome == "ok"
    assert "“Blur and read” ran too, and failed: Read - It is blank." in session.messages[-1].text
    assert session.results_of(session.workflow_of(1)).nodes["read"].state == "failed"


def test_a_way_that_needs_input_is_not_run_and_says_what(make):
    asked = (Question("Where is it?", "text", step="click2", port="points"),)
    steps = (*CUT, Step("click2", "click", {"image": FromResource("photo.png")}))
    needs = replace(B, questions=asked, steps=steps, wanted=())
    session = make(A, needs)
    with pytest.raises(BadRequest, match="still needs something"):
        asyncio.run(session.run_ways(0, 1))
    assert not session.tracker.engine.runs


def test_a_kept_conversation_still_knows_what_came_of_every_way(make):
    session = make()
    asyncio.run(session.run_ways(0, 1))
    text = snapshot_codec.to_text(session.snapshot())
    other = make()
    other.restore(snapshot_codec.from_text(text))
    for index in (0, 1):
        workflow = other.workflow_of(index)
        assert has_run(workflow, other.results_of(workflow), TOOLS)
    other.choose(1)
    assert other.run.nodes["read"].outputs["text"].digest == session.results_of(
        session.workflow_of(1)).nodes["read"].outputs["text"].digest  # fmt: skip


def test_a_conversation_kept_without_runs_opens(make):
    session = make()
    old = snapshot_codec.to_text(session.snapshot()).replace('"runs": []', '"runs_": []')
    assert snapshot_codec.from_text(old).runs == ()


def test_a_new_conversation_knows_nothing_of_the_last(make):
    session = make()
    asyncio.run(session.run_ways(0, 1))
    session.new()
    assert session.tracker.records.runs == ()


async def test_with_the_real_engine_what_both_share_is_computed_once(tmp_path):
    tools = load_tools().tools
    image = tmp_path / "photo.png"
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)).save(image)
    shared = (Step("blur", "blur", {"image": FromResource("photo.png")}),)
    blurred = {"image": FromNode("blur", "image")}
    first = Solution("Sepia", "", 0.9, (*shared, Step("sep", "sepia", blurred)), (("sep", "image"),))
    second = Solution("Inverted", "", 0.8, (*shared, Step("inv", "invert_colours", blurred)), (("inv", "image"),))
    store, history = Store(tmp_path / "store"), History(tmp_path / "history.db")
    engine = Engine(store, history, tools, 1)
    session = Session(tools, FakePlanner(Plan((first, second))), engine, store, history)
    try:
        await session.ask("both", (session.attach(image).name,))
        await session.run_ways(0, 1)
    finally:
        await session.close()
    a, b = (session.results_of(session.workflow_of(index)) for index in (0, 1))
    assert a.outcome == b.outcome == "ok"
    assert not a.nodes["blur"].cached and b.nodes["blur"].cached and not b.nodes["inv"].cached

"""What is shown is what was run: results belong to what they were made from, whatever became of the graph since."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from desktop_app.export.files import write
from desktop_app.export.metadata import embedded
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.plan.types import FromNode, FromResource, Plan, Solution, Step
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.comparison.traces import Traces, traces
from desktop_app.session.session import Session
from desktop_app.session.snapshot_codec import from_text, to_text
from desktop_app.storage.resources import Store
from nodes.api import Backend, NodeError, Point, Port, ResourceType, Tool
from tests.fakes import FakeEngine, FakeHistory, FakePlanner

IMAGE = Port("image", ResourceType.IMAGE, "the picture")
AMOUNT = Port("amount", ResourceType.NUMBER, "how much", default=1.0)
SEED = Port("seed", ResourceType.NUMBER, "chance", default=0, integer=True)
CLICKS = Port("points", ResourceType.POINTS, "clicks", default=None)


def tool(id, *inputs, version=1, backends=("plain", "fine")):
    made = tuple(Backend(name, name.title(), lambda: None) for name in backends)
    return Tool(id, id.title(), "image", "Does.", inputs, (IMAGE,), made, version=version)


TOOLS = {t.id: t for t in (tool("edge", IMAGE, AMOUNT, SEED, CLICKS), tool("frame", IMAGE), tool("grey", IMAGE))}


class Engine(FakeEngine):
    """What it makes is different for whatever may change a result."""

    def _run_node(self, workflow: Workflow, id: str):
        if not isinstance(self.made.get(workflow.node(id).tool), NodeError):
            shade = bytes.fromhex(traces(workflow, self.tools).get(id, "00"))
            self.made = {**self.made, workflow.node(id).tool: np.resize(np.frombuffer(shade, np.uint8), (48, 64, 3))}
        return super()._run_node(workflow, id)


def steps(name="photo.png"):
    return (
        Step("grey", "grey", {"image": FromResource(name)}),
        Step("edge", "edge", {"image": FromNode("grey", "image"), "amount": 0.5}),
        Step("frame", "frame", {"image": FromNode("edge", "image")}),
    )


def plan(name="photo.png", *others):
    return Plan((Solution("Edges", "", 0.9, steps(name), (("frame", "image"),)), *others))


@pytest.fixture
def photo(tmp_path):
    return picture(tmp_path / "photo.png", 10)


def picture(path, shade):
    path.parent.mkdir(exist_ok=True)
    Image.fromarray(np.full((48, 64, 3), shade, np.uint8)).save(path)
    return path


@pytest.fixture
def make(tmp_path):
    def session(*plans, tools=TOOLS, made=()):
        store = Store(tmp_path / "store")
        return Session(tools, FakePlanner(*plans), Engine(store, tools, dict(made)), store, FakeHistory())

    return session


def asked(session, photo):
    name = session.attach(photo).name
    asyncio.run(session.ask("draw the edges", (name,)))
    return session


def ran(session, photo):
    asked(session, photo)
    asyncio.run(session.start())
    return session


def states(session):
    return {id: node.state for id, node in session.run.nodes.items()}


def result(session, node="frame"):
    return session.run.nodes[node].outputs["image"]


ALL_DONE = {"grey": "done", "edge": "done", "frame": "done"}
FROM_EDGE = {"grey": "done", "edge": "outdated", "frame": "outdated"}


@pytest.mark.parametrize(
    "change",
    [
        {"values": {"amount": 0.95}},
        {"values": {"amount": 0.5, "seed": 7}},
        {"values": {"amount": 0.5, "points": [[3, 4, True]]}},
        {"backend": "fine"},
        {"mode": "mute"},
        {"tool": "grey"},
    ],
    ids=lambda change: "-".join(str(part) for pair in change.items() for part in pair),
)
def test_what_was_changed_after_a_run_is_out_of_date_with_all_that_follows(make, photo, change):
    session = ran(make(plan()), photo)
    made = result(session)
    session.edit(session.workflow.with_node(replace(session.workflow.node("edge"), **change)))
    assert states(session) == FROM_EDGE
    assert result(session) == made  # it may be seen, so that nothing jumps
    session.undo()
    assert states(session) == ALL_DONE


def test_what_follows_a_bypassed_node_is_out_of_date(make, photo):
    session = ran(make(plan()), photo)
    session.edit(session.workflow.with_node(replace(session.workflow.node("edge"), mode="bypass")))
    assert states(session)["frame"] == "outdated"
    session.edit(session.workflow.with_node(replace(session.workflow.node("edge"), mode="")))
    assert states(session) == ALL_DONE


def test_another_link_and_another_file_of_the_same_name_put_it_out_of_date(make, photo, tmp_path):
    session = ran(make(plan()), photo)
    session.edit(session.workflow.with_link(Link("grey", "image", "frame", "image")))
    assert states(session) == {"grey": "done", "edge": "done", "frame": "outdated"}
    session.undo()
    other = make(plan()).attach(picture(tmp_path / "elsewhere" / "photo.png", 99))
    session.edit(session.workflow.with_resource(other))
    assert set(states(session).values()) == {"outdated"}


@pytest.mark.parametrize(
    "change",
    [{"values": {"amount": 0.5, "seed": 0}}, {"backend": "plain"}, {"position": (5.0, 6.0)}],
)
def test_what_makes_no_other_result_changes_nothing(make, photo, change):
    session = ran(make(plan()), photo)
    session.edit(session.workflow.with_node(replace(session.workflow.node("edge"), **change)))
    assert states(session) == ALL_DONE


def test_a_value_that_is_set_back_has_its_result_at_once_also_after_another_run(make, photo):
    session = ran(make(plan()), photo)
    first = result(session)
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    asyncio.run(session.start())
    assert states(session) == ALL_DONE and result(session).digest != first.digest
    session.edit(session.workflow.with_value("edge", "amount", 0.5))
    assert states(session) == ALL_DONE and result(session) == first


def test_a_failure_of_before_the_change_is_not_told_as_that_of_now(make, photo):
    session = ran(make(plan(), made={"edge": NodeError("Too much.", "amount", "Take less.")}), photo)
    assert states(session) == {"grey": "done", "edge": "failed", "frame": "skipped"}
    session.edit(session.workflow.with_value("edge", "amount", 0.1))
    assert states(session) == {"grey": "done", "edge": "outdated"}
    session.undo()
    assert states(session)["edge"] == "failed"


def test_a_new_version_of_a_tool_puts_what_the_old_one_made_out_of_date(make, photo):
    kept = from_text(to_text(ran(make(plan()), photo).snapshot()))
    session = make(plan(), tools={**TOOLS, "edge": replace(TOOLS["edge"], version=2)})
    session.restore(kept)
    assert states(session) == FROM_EDGE


def test_what_has_other_content_has_another_name_and_the_same_content_the_same(make, photo):
    session = ran(make(plan()), photo)
    first = result(session)
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    asyncio.run(session.start())
    second = result(session)
    assert first.name != second.name
    assert session.find(first.name).digest == first.digest
    session.undo()
    asyncio.run(session.start())
    assert result(session).name == first.name
    assert list(session.resources)[-1] == first.name  # the latest result comes last


def test_a_result_never_takes_the_name_of_a_file_that_was_brought(make, photo, tmp_path):
    session = make(plan())
    brought = session.attach(picture(tmp_path / "frame_image.png", 77))
    ran(session, photo)
    assert session.find("frame_image.png") == brought and result(session).name != brought.name


def test_a_follow_up_of_the_same_node_names_shows_nothing_as_done_before_it_ran(make, photo, tmp_path):
    session = ran(make(plan(), plan("other.png")), photo)
    asked(session, picture(tmp_path / "other.png", 200))
    assert session.workflow.resource("other.png") and states(session) == {}
    session.undo()
    assert states(session) == ALL_DONE
    session.redo()
    assert states(session) == {}


def test_an_alternative_shows_only_what_both_share(make, photo):
    grey, edge, _ = steps()
    more = replace(edge, arguments={**edge.arguments, "amount": 9})
    other = Solution("More", "", 0.5, (grey, more), (("edge", "image"),))
    session = ran(make(plan("photo.png", other)), photo)
    session.choose(1)
    assert states(session) == {"grey": "done"}
    session.undo()
    assert states(session) == ALL_DONE


def test_what_a_partial_run_left_alone_is_known_beside_it(make, photo):
    session = ran(make(plan()), photo)
    run = session.run
    session.tracker.run = Run("part", nodes={"grey": run.nodes["grey"]}, outcome="ok")
    assert states(session) == ALL_DONE
    assert session.run.beside == {"edge", "frame"} and list(session.run.taking_part) == ["grey"]


def test_while_a_run_goes_on_an_edit_leaves_what_runs_alone(make, photo):
    session = ran(make(plan()), photo)
    known = session.tracker.run
    going = replace(known, outcome="", nodes={**known.nodes, "edge": replace(known.nodes["edge"], state="running")})
    session.tracker.run = going
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    assert states(session) == {"grey": "done", "edge": "running", "frame": "outdated"}


def test_asked_again_it_says_the_same_and_changed_nodes_only_differ(make, photo):
    session = ran(make(plan()), photo)
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    seen = session.run
    assert session.run is seen
    session.edit(session.workflow.with_node(replace(session.workflow.node("frame"), position=(1.0, 2.0))))
    assert session.run is seen
    session.edit(session.workflow.with_value("grey", "no port", 1))
    assert session.run is not seen
    assert all(session.run.nodes[id] is seen.nodes[id] for id in ("edge", "frame"))


# What was said


def test_an_answer_holds_as_long_as_the_graph_would_give_the_same(make, photo):
    session = ran(make(plan()), photo)
    answer = session.messages[-1]
    assert answer.kind == "answer" and session.holds(answer)
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    assert not session.holds(answer)
    session.undo()
    assert session.holds(answer)
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    asyncio.run(session.ask("and now?"))
    assert session.holds(answer)  # it was the answer to another question


def test_an_answer_tells_of_what_was_run_also_when_the_graph_was_edited_meanwhile(make, photo):
    session = asked(make(plan()), photo)

    async def both():
        running = asyncio.ensure_future(session.start())
        await asyncio.sleep(0)
        session.edit(session.workflow.without("frame"))
        await running

    asyncio.run(both())
    assert [session.find(name).made_by for name in session.messages[-1].resources] == ["frame"]


def test_a_conversation_comes_back_with_each_list_and_answer_of_its_own_run(make, photo):
    session = ran(make(plan()), photo)
    session.edit(session.workflow.without("frame"))
    asyncio.run(session.start())
    digests = _shown(session)
    again = make(plan())
    again.restore(from_text(to_text(session.snapshot())))
    assert _shown(again) == digests
    lists = [again.ran(m.run) for m in again.messages if m.kind == "run"]
    assert [sorted(run.nodes) for run in lists] == [["edge", "frame", "grey"], ["edge", "grey"]]
    assert [m.run for m in again.messages if m.kind == "answer"] == [run.id for run in lists]
    assert {node.state for run in lists for node in run.nodes.values()} == {"done"}


def _shown(session):
    """By message, the content of what is shown in it."""
    return [[session.find(name).digest for name in m.resources] for m in session.messages if m.kind == "answer"]


def test_a_state_of_out_of_date_comes_back(make, photo):
    session = ran(make(plan()), photo)
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    again = make(plan())
    again.restore(from_text(to_text(session.snapshot())))
    assert states(again) == FROM_EDGE
    again.undo()
    assert states(again) == ALL_DONE


def old(session, drop_runs=False):
    """The conversation as the program kept it before runs told of what they were made from."""
    data = json.loads(to_text(session.snapshot()))
    del data["past"], data["origins"]
    for run in (data["run"], *(run for _, run in data["runs"])):
        for node in run["nodes"].values():
            del node["trace"], node["workflow"]
    for message in data["messages"]:
        del message["run"]
    if drop_runs:
        del data["runs"]
    return json.dumps(data)


def test_a_conversation_kept_before_is_known_by_the_runs_in_it(make, photo):
    session = ran(make(plan()), photo)
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    again = make(plan())
    again.restore(from_text(old(session)))
    assert states(again) == FROM_EDGE
    assert again.origin(result(again)).node("edge").values["amount"] == 0.5


def test_one_without_runs_counts_as_made_by_its_graph(make, photo):
    again = make(plan())
    again.restore(from_text(old(ran(make(plan()), photo), drop_runs=True)))
    assert states(again) == ALL_DONE
    assert again.origin(result(again)) is None  # which workflow it was nobody knows
    again.edit(again.workflow.with_value("edge", "amount", 0.95))
    assert states(again) == FROM_EDGE


# What leaves the program


def amount_in(session, resource, tmp_path):
    """The value in the workflow that a saved result carries."""
    target = tmp_path / "saved.png"
    write(resource, session.path_of(resource), target, session.origin(resource))
    return embedded(target).node("edge").values["amount"]


def test_a_saved_result_carries_the_workflow_that_made_it(make, photo, tmp_path):
    other = Solution("Grey", "", 0.5, steps()[:1], (("grey", "image"),))
    session = ran(make(plan("photo.png", other)), photo)
    first = result(session)
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    assert amount_in(session, first, tmp_path) == 0.5
    asyncio.run(session.start())
    second = result(session)
    session.edit(session.workflow.without("edge"))
    assert [amount_in(session, one, tmp_path) for one in (first, second)] == [0.5, 0.95]
    session.choose(1)
    assert [amount_in(session, one, tmp_path) for one in (first, second)] == [0.5, 0.95]
    again = make(plan())
    again.restore(from_text(to_text(session.snapshot())))
    assert [amount_in(again, one, tmp_path) for one in (first, second)] == [0.5, 0.95]


def test_a_file_that_was_brought_carries_none(make, photo):
    session = ran(make(plan()), photo)
    assert session.origin(session.find("photo.png")) is None


# Traces


def chain(count):
    nodes = tuple(Node(f"n{i}", "edge", {"amount": i}) for i in range(count))
    links = tuple(Link(f"n{i}", "image", f"n{i + 1}", "image") for i in range(count - 1))
    return Workflow((), nodes, links)


def test_after_an_edit_only_what_it_reaches_is_digested_anew(monkeypatch):
    workflow, tracer, digested = chain(20), Traces(TOOLS), []
    before = tracer.of(workflow)
    work = tracer._traced
    monkeypatch.setattr(tracer, "_traced", lambda node, *rest: digested.append(node.id) or work(node, *rest))
    moved = replace(workflow, nodes=tuple(replace(node, position=(1.0, 2.0)) for node in workflow.nodes))
    assert tracer.of(moved) is before and digested == []
    edited = moved.with_value("n17", "amount", 99)
    assert tracer.of(edited) == traces(edited, TOOLS)
    assert digested == ["n17", "n18", "n19"]


def test_a_record_that_tells_of_no_trace_is_left_as_it_is(make, photo):
    session = asked(make(plan()), photo)
    session.tracker.run = Run("old", nodes={"edge": NodeRun("done")}, outcome="ok")
    assert states(session) == {"edge": "done"}


def test_the_run_that_is_shown_is_that_of_the_graph(make, photo):
    session = ran(make(plan()), photo)
    first = session.run.id
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    asyncio.run(session.start())
    assert session.run.id != first
    session.undo()
    assert session.run.id == first and not any(node.cached for node in session.run.nodes.values())


def test_nobody_is_asked_to_point_at_a_picture_that_is_out_of_date(make, photo):
    session = ran(make(plan()), photo)
    assert session.asked.pictures()["edge", "image"] == result(session, "edge").name
    session.edit(session.workflow.with_value("edge", "amount", 0.95))
    assert ("edge", "image") not in session.asked.pictures() and ("grey", "image") in session.asked.pictures()


def test_a_workflow_that_is_opened_shows_no_result_of_nodes_of_the_same_names(make, photo, tmp_path):
    session = ran(make(plan()), photo)
    session.save(tmp_path / "same.json")
    session.edit(session.workflow.with_value("grey", "other", 1))
    session.save(tmp_path / "other.json")
    session.open(tmp_path / "other.json")
    assert states(session) == {}
    session.open(tmp_path / "same.json")
    assert sorted(states(session).values()) == sorted(ALL_DONE.values())
    assert not states(session).keys() & ALL_DONE.keys()  # an id is never given to another node


def test_points_that_are_taken_back_and_set_again_leave_the_old_result_in_view(make, photo):
    pick = tool("pick", IMAGE, replace(CLICKS, picked_on="image"))
    step = Step("pick", "pick", {"image": FromResource("photo.png"), "points": [[1, 1, True]]})
    picked = Plan((Solution("Pick", "", 0.9, (step,), (("pick", "image"),)),))
    session = ran(make(picked, tools={**TOOLS, "pick": pick}), photo)
    session.point("photo.png", (Point(5, 6),))
    for turn in (session.undo, session.redo):
        turn()
    assert states(session) == {"pick": "outdated"}

"""Bypassed and muted nodes: what of them is left in the workflow that is run."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph import execution_modes
from desktop_app.graph.decorations import Frame, Note
from desktop_app.graph.workflow import Link, Node, Workflow, parse
from desktop_app.session.follow_up import grown
from desktop_app.storage.resources import Resource
from nodes.api import Backend, Port, ResourceType, Tool

T = ResourceType


def tool(id: str, inputs: dict[str, ResourceType], outputs: dict[str, ResourceType], *many: str) -> Tool:
    ports = tuple(Port(name, type, "", many=name in many) for name, type in inputs.items())
    made = tuple(Port(name, type, "", many=name in many) for name, type in outputs.items())
    return Tool(id, id, "image", id, ports, made, (Backend("b", "B", lambda: None),))


TOOLS = {
    t.id: t
    for t in (
        tool("paint", {"prompt": T.TEXT, "mask": T.MASK, "image": T.IMAGE}, {"image": T.IMAGE}),
        tool("segment", {"image": T.IMAGE}, {"mask": T.MASK}),
        tool("caption", {"image": T.IMAGE}, {"text": T.TEXT}),
        tool("upper", {"text": T.TEXT}, {"text": T.TEXT}),
        tool("collage", {"images": T.IMAGE}, {"image": T.IMAGE}, "images"),
        tool("keep", {"images": T.IMAGE}, {"kept": T.IMAGE}, "images", "kept"),
    )
}
PHOTO = Resource("photo.jpg", T.IMAGE, "ab" * 32, ".jpg", {"width": 4, "height": 3})


def flow(*nodes: Node, links: str, wanted: tuple[tuple[str, str], ...] = ()) -> Workflow:
    """`links` as "a.out>b.in" words; "photo" is the picture."""
    made = []
    for word in links.split():
        start, end = word.split(">")
        source, output = ("photo.jpg", "value") if start == "photo" else start.split(".")
        made.append(Link(source, output, *end.split(".")))
    return Workflow((PHOTO,), nodes, tuple(made), wanted)


def plain(workflow: Workflow) -> set[str]:
    links = execution_modes.runnable(workflow, TOOLS).workflow.links
    return {f"{k.source}.{k.output}>{k.target}.{k.port}" for k in links}


def bypassed(id: str, tool: str, **values) -> Node:
    return Node(id, tool, values, mode="bypass")


def test_without_modes_the_workflow_is_the_very_same():
    workflow = flow(Node("p", "paint"), links="photo>p.image")
    assert execution_modes.runnable(workflow, TOOLS).workflow is workflow


def test_a_bypassed_node_passes_its_first_input_of_the_outputs_type():
    workflow = flow(bypassed("p", "paint"), Node("c", "caption"), links="photo>p.image p.image>c.image")
    assert plain(workflow) == {"photo.jpg.value>c.image"}
    assert execution_modes.runnable(workflow, TOOLS).workflow.ids() == ("c",)


def test_a_mask_stands_for_a_picture_as_it_does_on_links():
    workflow = flow(
        Node("s", "segment"), bypassed("p", "paint"), Node("c", "caption"),
        links="photo>s.image s.mask>p.mask photo>p.image p.image>c.image",
    )  # fmt: skip
    assert "s.mask>c.image" in plain(workflow)


def test_bypassed_nodes_in_a_row_pass_on():
    workflow = flow(
        bypassed("p", "paint"), bypassed("q", "paint"), Node("c", "caption"),
        links="photo>p.image p.image>q.image q.image>c.image",
    )  # fmt: skip
    assert plain(workflow) == {"photo.jpg.value>c.image"}


def test_where_no_input_fits_downstream_is_skipped_and_told_why():
    workflow = flow(bypassed("c", "caption"), Node("u", "upper"), links="photo>c.image c.text>u.text")
    run = execution_modes.runnable(workflow, TOOLS)
    assert run.skipped == {"u": execution_modes.Skip("c", "bypassed")}
    assert run.workflow.links == ()


def test_a_blocked_bypass_blocks_the_bypass_after_it():
    workflow = flow(
        bypassed("c", "caption"), bypassed("u", "upper"), Node("v", "upper"),
        links="photo>c.image c.text>u.text u.text>v.text",
    )  # fmt: skip
    assert execution_modes.runnable(workflow, TOOLS).skipped["v"].because == "c"


def test_a_typed_in_value_passes_too():
    workflow = flow(bypassed("u", "upper", text="hello"), Node("v", "upper"), links="u.text>v.text")
    run = execution_modes.runnable(workflow, TOOLS)
    assert run.workflow.node("v").values == {"text": "hello"} and not run.skipped


@pytest.mark.parametrize(("tool", "output", "passes"), [("keep", "kept", True), ("collage", "image", False)])
def test_several_pass_only_where_several_leave(tool, output, passes):
    workflow = flow(
        Node("a", "paint"), Node("b", "paint"), bypassed("k", tool), Node("c", "collage"),
        links=f"a.image>k.images b.image>k.images k.{output}>c.images",
    )  # fmt: skip
    expected = {"a.image>c.images", "b.image>c.images"} if passes else set()
    assert plain(workflow) == expected
    assert bool(execution_modes.runnable(workflow, TOOLS).skipped) is not passes


def test_a_missing_tool_passes_nothing():
    workflow = flow(bypassed("x", "gone"), Node("c", "caption"), links="photo>x.image x.image>c.image")
    assert execution_modes.runnable(workflow, TOOLS).skipped == {"c": execution_modes.Skip("x", "bypassed")}


def test_a_muted_node_is_skipped_for_its_own_sake():
    workflow = flow(Node("p", "paint", mode="mute"), links="photo>p.image")
    assert execution_modes.runnable(workflow, TOOLS).skipped == {"p": execution_modes.Skip("p", "muted")}


def test_what_a_run_can_give_is_what_a_bypassed_node_passes():
    workflow = flow(
        Node("q", "paint"), bypassed("p", "paint"), links="photo>q.image q.image>p.image", wanted=(("p", "image"),)
    )
    assert execution_modes.results(workflow, TOOLS) == (("q", "image"),)


def test_what_is_muted_is_not_wanted():
    workflow = flow(
        Node("p", "paint", mode="mute"), Node("c", "caption"), Node("d", "caption"),
        links="photo>p.image p.image>c.image photo>d.image", wanted=(("c", "text"), ("d", "text")),
    )  # fmt: skip
    assert execution_modes.results(workflow, TOOLS) == (("d", "text"),)


def test_without_modes_results_are_those_of_the_workflow():
    workflow = flow(Node("p", "paint"), Node("c", "caption"), links="photo>p.image p.image>c.image")
    assert execution_modes.results(workflow, TOOLS) == workflow.results(TOOLS) == (("c", "text"),)


def test_running_to_a_bypassed_node_runs_what_it_passes():
    workflow = flow(Node("q", "paint"), bypassed("p", "paint"), links="photo>q.image q.image>p.image")
    assert execution_modes.runnable(workflow, TOOLS).upto("p") == ("q",)
    assert execution_modes.runnable(workflow, TOOLS).upto("q") == ("q",)
    with pytest.raises(BadWorkflow, match="bypassed"):
        execution_modes.runnable(flow(bypassed("p", "paint"), links="photo>p.image"), TOOLS).upto("p")


def test_nothing_is_asked_for_nodes_that_are_not_run():
    workflow = flow(Node("s", "segment", mode="mute"), Node("p", "paint"), links="s.mask>p.mask")
    assert workflow.missing(TOOLS) == ()
    assert replace(workflow, nodes=(Node("s", "segment"),)).missing(TOOLS)


# In files

DRAWN = replace(
    flow(Node("p", "paint", mode="bypass"), Node("c", "caption", mode="mute"), links="photo>p.image p.image>c.image"),
    decorations=(
        Note("n1", "look here", (1.0, 2.0), (200.0, 90.0), "rose"), Frame("f1", "Masks", (0, 0), (400, 300), "green"),
    ),
    waypoints={Link("p", "image", "c", "image"): ((3.0, 4.0), (5.5, 6.0))},
)  # fmt: skip


def test_modes_notes_frames_and_waypoints_are_kept_in_files():
    assert parse(json.dumps(DRAWN.to_json())) == DRAWN


def test_a_workflow_that_uses_none_of_them_is_written_as_before():
    data = flow(Node("p", "paint"), links="photo>p.image").to_json()
    assert set(data) == {"format", "resources", "nodes", "links", "wanted"}
    assert set(data["nodes"][0]) == {"id", "tool", "values"}
    assert set(data["links"][0]) == {"source", "output", "target", "port"}


def test_a_file_of_format_one_without_them_opens():
    text = (
        '{"format": 1, "resources": [], "nodes": [{"id": "a", "tool": "paint"}, {"id": "b", "tool": "paint"}],'
        ' "links": [{"source": "a", "output": "image", "target": "b", "port": "image"}]}'
    )
    workflow = parse(text)
    assert workflow.node("a").mode == "" and workflow.decorations == () and workflow.waypoints == {}


def test_what_a_later_version_draws_is_left_out_and_damage_is_told():
    data = DRAWN.to_json()
    data["decorations"].append({"kind": "sticker", "id": "s"})
    assert parse(json.dumps(data)) == DRAWN
    for broken in ([{"kind": "note"}], ["x"], [{**DRAWN.to_json()["decorations"][0], "place": [1]}]):
        with pytest.raises(BadWorkflow, match="damaged"):
            parse(json.dumps({**data, "decorations": broken}))


def test_a_follow_up_keeps_notes_dots_and_modes():
    result = Resource("blurred.png", T.IMAGE, "cd" * 32, ".png", {}, "c")
    new = Workflow((result,), (Node("n", "caption"),), (Link("blurred.png", "value", "n", "image"),), (("n", "text"),))
    both = grown(DRAWN, new, {"blurred.png": ("c", "text")})
    assert both.decorations == DRAWN.decorations and both.waypoints == DRAWN.waypoints
    assert both.node("p").mode == "bypass" and both.ids() == ("p", "c", "n")


def test_waypoints_of_removed_links_are_not_written():
    link = Link("p", "image", "c", "image")
    again = parse(json.dumps(DRAWN.without_link(link).to_json()))
    assert again.waypoints == {}


def test_a_frame_holds_what_lies_in_it():
    frame = Frame("f", "", (10, 10), (100, 50))
    assert frame.holds((10, 60)) and not frame.holds((9, 30)) and not frame.holds((50, 61))

"""Solutions as workflows, and as lines of the `plan --requests` contract."""

from __future__ import annotations

import json

from desktop_app.graph.workflow import Link, Workflow
from desktop_app.plan.batch import plan_row
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.search.to_workflow import CARD_WIDTH, GAP, to_workflow
from desktop_app.plan.types import FromNode, FromResource, Given, Request, Solution, Step
from desktop_app.storage.resources import Resource
from nodes.api import ResourceType
from tests.plan.worlds import TOYS, attached

PLANNER = OfflinePlanner(TOYS)


def picture(name: str) -> Resource:
    return Resource(name, ResourceType.IMAGE, "0" * 64, ".jpg")


def solve(text: str, *given: Given) -> Solution:
    return PLANNER.plan(Request(text, given)).solutions[0]


def test_workflow_has_the_links_values_and_wanted_outputs():
    solution = solve("Blur the faces in a.jpg, then rotate it by 30 degrees", *attached("a.jpg"))
    workflow = to_workflow(solution, {"a.jpg": picture("a.jpg")}, {})
    assert [node.tool for node in workflow.nodes] == ["t_faces", "t_inside", "t_blur", "t_turn"]
    assert Link("a.jpg", "value", "t_faces", "image") in workflow.links
    assert Link("t_blur", "image", "t_turn", "image") in workflow.links
    assert workflow.node("t_turn").values == {"angle": 30}
    assert workflow.wanted == (("t_turn", "image"),)
    assert Workflow.from_json(workflow.to_json()) == workflow


def test_cards_stand_in_columns_from_left_to_right():
    solution = solve("Blur a.jpg and b.jpg and make a collage of them", *attached("a.jpg", "b.jpg"))
    workflow = to_workflow(solution, {name: picture(name) for name in ("a.jpg", "b.jpg")}, {})
    columns = {node.id: node.position[0] / (CARD_WIDTH + GAP) for node in workflow.nodes}
    assert columns == {"t_blur": 1, "t_blur_2": 1, "t_collage": 2}
    places = [*(node.position for node in workflow.nodes), *workflow.positions.values()]
    assert len(set(places)) == len(places)
    assert [x for x, _ in workflow.positions.values()] == [0, 0]


def test_many_inputs_keep_their_order():
    steps = (Step("c", "t_collage", {"images": (FromResource("b"), FromResource("a"), FromNode("x", "image"))}),)
    workflow = to_workflow(Solution("", "", 1.0, steps), {"a": picture("a"), "b": picture("b")}, {})
    assert [link.source for link in workflow.links_into("c")] == ["b", "a", "x"]


def test_clicks_given_later_fill_the_points():
    from nodes import load_tools

    tools = load_tools().tools
    picking = [(t.id, p) for t in tools.values() for p in t.inputs if p.picked_on]
    for id, port in picking:
        steps = (Step("s", id, {port.picked_on: FromResource("a")}),)
        workflow = to_workflow(Solution("", "", 1.0, steps), {"a": picture("a")}, tools, {"a": [(1.0, 2.0, True)]})
        assert workflow.node("s").values[port.name] == [[1.0, 2.0, True]]


def test_a_row_gives_nodes_links_and_values():
    row = {"id": 7, "request": "Blur the faces in a.jpg and make a collage with b.jpg"}
    out = json.loads(json.dumps(plan_row(PLANNER, row)))
    assert out["id"] == 7
    assert out["questions"] == []
    first = out["solutions"][0]
    blur = next(node for node in first["nodes"] if node["tool"] == "t_blur")
    assert blur["args"]["image"] == "a.jpg"
    assert blur["args"]["mask"] == {"node": "t_inside", "port": "mask"}
    assert {"source": "t_inside", "target": "t_blur", "port": "mask"} in first["links"]
    assert out["seconds"] > 0


def test_an_impossible_row_has_a_reason():
    out = plan_row(PLANNER, {"id": "x", "request": "cook me dinner"})
    assert out["solutions"] == []
    assert out["reasons"]


def test_listed_resources_and_files_of_the_history_count():
    row = {
        "id": 1,
        "request": "Make it darker",
        "resources": [],
        "history": [{"role": "user", "text": "Blur old.jpg"}, {"role": "assistant", "text": "Here is old_blur.png"}],
    }
    first = plan_row(PLANNER, row)["solutions"][0]
    assert first["nodes"][0]["args"]["image"] == "old_blur.png"
    row = {"id": 1, "request": "Read this aloud", "resources": [{"name": "scan", "type": "image"}]}
    assert [node["tool"] for node in plan_row(PLANNER, row)["solutions"][0]["nodes"]] == ["t_read", "t_say"]

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph import annotate, edit
from desktop_app.graph.workflow import Link, Node, Workflow, parse
from desktop_app.session.follow_up import grown
from desktop_app.storage.resources import Resource
from nodes import load_tools
from nodes.api import ResourceType

TOOLS = load_tools().tools
PHOTO = Resource("photo.jpg", ResourceType.IMAGE, "ab" * 32, ".jpg", {"width": 4, "height": 3})
BLURRED = Resource("photo_blur.png", ResourceType.IMAGE, "cd" * 32, ".png", {}, "blur")
BLUR = Workflow((PHOTO,), (Node("blur", "blur"),), (Link("photo.jpg", "value", "blur", "image"),))


def chain(*ids: str) -> Workflow:
    links = tuple(Link(a, "image", b, "image") for a, b in itertools.pairwise(ids))
    return Workflow((), tuple(Node(i, "blur") for i in ids), links)


def test_a_value_taken_away_is_gone_and_a_title_is_kept_in_the_file():
    node = BLUR.with_value("blur", "radius", 3.0).with_value("blur", "radius", None).node("blur")
    assert "radius" not in node.values
    named = annotate.written(BLUR, "blur", " Soft \n edges ")
    assert named.title_of("blur", TOOLS) == "Soft edges"
    assert parse(json.dumps(named.to_json())).node("blur").title == "Soft edges"
    assert annotate.written(named, "blur", "").title_of("blur", TOOLS) == TOOLS["blur"].title
    assert edit.with_tool(named, TOOLS, "blur", TOOLS["sharpen"], {}).node("blur").title == ""


@given(st.permutations(["a", "b", "c", "d", "e"]), st.data())
def test_order_respects_links(ids, data):
    pairs = [(a, b) for i, a in enumerate(ids) for b in ids[i + 1 :]]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    workflow = Workflow(
        (), tuple(Node(i, "blur") for i in sorted(ids)), tuple(Link(a, "image", b, "image") for a, b in chosen)
    )
    order = workflow.order()
    assert sorted(order) == sorted(ids)
    assert all(order.index(a) < order.index(b) for a, b in chosen)


def test_circle_is_named():
    circle = chain("a", "b").with_link(Link("b", "image", "a", "image"))
    with pytest.raises(BadWorkflow, match="circle through a, b"):
        circle.order()


def test_edits_leave_the_old_workflow_alone():
    changed = BLUR.with_value("blur", "radius", 3)
    assert BLUR.node("blur").values == {}
    assert changed.node("blur").values == {"radius": 3}


def test_a_value_takes_the_place_of_the_link():
    assert BLUR.with_value("blur", "image", "x").links == ()


def test_a_second_link_replaces_the_first_unless_the_port_takes_many():
    other = Link("other.jpg", "value", "blur", "image")
    assert BLUR.with_link(other).links == (other,)
    assert len(BLUR.with_link(other, many=True).links) == 2


def test_missing_names_the_ports_that_nobody_filled():
    assert BLUR.missing(TOOLS) == ()
    gaps = Workflow(nodes=(Node("blur", "blur"),)).missing(TOOLS)
    assert [(gap.node, gap.port.name) for gap in gaps] == [("blur", "image")]


def test_missing_names_the_ports_with_fewer_files_than_they_need():
    other = replace(PHOTO, name="other.jpg")
    links = tuple(Link(photo.name, "value", "row", "images") for photo in (PHOTO, other))
    both = Workflow((PHOTO, other), (Node("row", "stitch_side_by_side"),), links)
    assert both.missing(TOOLS) == ()
    assert [(gap.node, gap.port.name) for gap in both.without("other.jpg").missing(TOOLS)] == [("row", "images")]
    made = replace(both, nodes=(*both.nodes, Node("blur", "blur", {"image": "x"})))
    assert made.without(PHOTO.name, "other.jpg").with_link(Link("blur", "image", "row", "images")).missing(TOOLS) == ()


@pytest.mark.parametrize(
    ("values", "asked"),
    [({}, ["shape"]), ({"shape": "free"}, ["shape"]), ({"width": None}, ["shape"]), ({"shape": "square"}, []),
     ({"x": 0}, [])],
)  # fmt: skip
def test_of_inputs_of_which_one_is_needed_one_is_missing(values, asked):
    workflow = Workflow((PHOTO,), (Node("crop", "crop", values),), (Link("photo.jpg", "value", "crop", "image"),))
    assert [gap.port.name for gap in workflow.missing(TOOLS)] == asked


def test_a_link_fills_an_input_of_which_one_is_needed():
    links = (Link("photo.jpg", "value", "crop", "image"), Link("count", "number", "crop", "width"))
    workflow = Workflow((PHOTO,), (Node("crop", "crop"), Node("count", "count_blobs")), links)
    assert all(gap.node != "crop" for gap in workflow.missing(TOOLS))


def test_results_are_the_outputs_that_nobody_takes():
    assert chain("a", "b").results(TOOLS) == (("b", "image"),)


def test_removing_a_resource_removes_its_links():
    assert BLUR.without("photo.jpg").links == ()


def test_json_keeps_everything():
    placed = Workflow(
        (PHOTO,),
        (Node("blur", "blur", {"radius": 2.5}, "opencv", (10.0, 20.0)),),
        BLUR.links,
        (("blur", "image"),),
        {"photo.jpg": (0.0, 5.0)},
    )
    again = parse(json.dumps(placed.to_json()))
    assert again == placed
    assert again.resources[0].facets == {"width": 4, "height": 3}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("[1, 2]", "not a Graphwright workflow"),
        ('{"format": 99}', "newer Graphwright"),
        ('{"format": 1}', "damaged"),
        ('{"format": 1, "nodes": [{"id": "a"}], "links": []}', "damaged"),
        ('{"format": 1, "nodes": [{"id": "a", "tool": "t"}, {"id": "a", "tool": "t"}], "links": []}', "occurs twice"),
        (
            '{"format": 1, "nodes": [{"id": "a", "tool": "t"}],'
            ' "links": [{"source": "x", "output": "o", "target": "a", "port": "p"}]}',
            "not there",
        ),
    ],
)
def test_damaged_files_are_told_apart(text, words):
    with pytest.raises(BadWorkflow, match=words):
        parse(text)


def test_a_half_written_file_is_damaged_never_a_crash():
    text = json.dumps(BLUR.to_json())
    for end in range(len(text)):
        with pytest.raises(BadWorkflow):
            parse(text[:end])


def test_a_workflow_with_an_unknown_tool_opens():
    unknown = Workflow(nodes=(Node("a", "no_such_tool"),))
    assert parse(json.dumps(unknown.to_json())) == unknown


def test_a_follow_up_grows_the_graph():
    new = Workflow(
        (BLURRED,),
        (Node("blur_2", "blur"),),
        (Link("photo_blur.png", "value", "blur_2", "image"),),
        (("blur_2", "image"),),
    )
    both = grown(BLUR, new, {"photo_blur.png": ("blur", "image")})
    assert both.ids() == ("blur", "blur_2")
    assert Link("blur", "image", "blur_2", "image") in both.links
    assert [r.name for r in both.resources] == ["photo.jpg"]
    assert both.wanted == (("blur_2", "image"),)


def test_an_unrelated_request_starts_a_new_graph():
    new = Workflow((PHOTO,), (Node("edge", "blur"),), (Link("photo.jpg", "value", "edge", "image"),))
    assert grown(BLUR, new, {"photo_blur.png": ("blur", "image")}) == new


# Walks along the links


@given(st.permutations(["a", "b", "c", "d", "e"]), st.data())
def test_upstream_and_downstream_are_the_same_walk_from_its_two_ends(ids, data):
    pairs = [(a, b) for i, a in enumerate(ids) for b in ids[i + 1 :]]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    links = tuple(Link(a, "image", b, "image") for a, b in chosen)
    workflow = Workflow((), tuple(Node(i, "blur") for i in ids), links)
    for one, other in itertools.product(ids, repeat=2):
        assert (one in workflow.upstream(other)) == (other in workflow.downstream(one))
    assert all(a in workflow.upstream(b) for a, b in chosen)
    assert workflow.upstream(ids[0]) == {ids[0]} and workflow.downstream(ids[-1]) == {ids[-1]}


def test_walks_end_where_links_run_in_a_circle_and_know_files():
    circle = chain("a", "b").with_link(Link("b", "image", "a", "image"))
    assert circle.upstream("a") == circle.downstream("a") == {"a", "b"}
    assert BLUR.upstream("blur") == {"photo.jpg", "blur"} and BLUR.upstream() == frozenset()


def test_an_edited_workflow_finds_its_own_nodes():
    assert BLUR.find("blur") is BLUR.nodes[0] and BLUR.find("other") is None
    changed = BLUR.with_value("blur", "radius", 3).with_node(Node("other", "blur"))
    assert changed.find("other") is not None and changed.node("blur").values == {"radius": 3}
    assert changed.links_into("blur") == BLUR.links_into("blur") and changed == replace(changed)


def test_a_part_has_what_its_output_needs_in_the_order_of_the_whole():
    whole = chain("a", "b", "c").with_resource(PHOTO).with_resource(BLURRED)
    whole = replace(whole, positions={"photo.jpg": (1.0, 2.0)}).with_link(Link("photo.jpg", "value", "a", "image"))
    part = whole.part("b", "image")
    assert part.ids() == ("a", "b") and part.resources == (PHOTO,) and part.wanted == (("b", "image"),)
    assert part.links == tuple(link for link in whole.links if link.target in ("a", "b"))
    assert part.positions == {"photo.jpg": (1.0, 2.0)}


def test_another_tool_takes_over_what_fits():
    """Files, the mask and what comes after stay; without an input for the mask its link goes, and takes no other."""
    mask = Resource("mask.png", ResourceType.MASK, "ef" * 32, ".png", {})
    links = (
        Link("mask.png", "value", "blur", "mask"),
        Link("photo.jpg", "value", "blur", "image"),
        Link("other.jpg", "value", "blur", "image"),
        Link("blur", "image", "border", "image"),
    )
    other = replace(PHOTO, name="other.jpg")
    nodes = (Node("blur", "blur", {"radius": 5}), Node("border", "border"))
    before = Workflow((mask, PHOTO, other), nodes, links, (("border", "image"),))
    after = edit.with_tool(before, TOOLS, "blur", TOOLS["pixelate"], {"block": 20})
    assert after.node("blur") == Node("blur", "pixelate", {"block": 20})
    assert set(after.links) == set(links)
    bare = edit.with_tool(before, TOOLS, "blur", TOOLS["rotate"], {})
    assert set(bare.links) == set(links[1:])
    end = edit.with_tool(before, TOOLS, "border", TOOLS["dominant_colours"], {})
    assert end.wanted == (("border", TOOLS["dominant_colours"].outputs[0].name),)
    for workflow in (after, bare, end):
        workflow.check(TOOLS)


@pytest.mark.parametrize(
    ("values", "pages"),
    [
        ({"first_page": 2}, "2-last"),
        ({"last_page": 3}, "1-3"),
        ({"first_page": 2, "last_page": 5}, "2-5"),
        ({"first_page": 4, "last_page": 4}, "4"),
        ({"first_page": 1, "last_page": 0}, None),
    ],
)
def test_pages_of_a_graph_that_was_saved_before_are_said_as_today(values, pages):
    data = Workflow(nodes=(Node("read", "read_document", values),)).to_json()
    assert Workflow.from_json(data).node("read").values.get("pages") == pages
    assert not {"first_page", "last_page"} & {*Workflow.from_json(data).node("read").values}

"""Edits of notes, frames, dots and modes; lining up; the graph in words: all without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_app.graph import annotate, edit, placement
from desktop_app.graph.decorations import Frame, Note
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.ui.graph.items.card_model import CardModels
from desktop_app.ui.graph.items.link_item import state_of
from desktop_app.ui.graph.outline import outline_text
from tests.ui import graph_samples as samples

TOOLS = samples.TOOLS
LINK = Link("rem", "image", "paint", "image")


def test_switching_is_undone_by_switching_again():
    once = annotate.switched(samples.workflow(), ("rem", "cap"), "bypass")
    assert {n.id for n in once.nodes if n.mode == "bypass"} == {"rem", "cap"}
    assert annotate.switched(once, ("rem", "cap"), "bypass") == samples.workflow()


def test_a_mixed_choice_is_switched_off_as_a_whole():
    once = annotate.switched(samples.workflow(), ("rem",), "mute")
    both = annotate.switched(once, ("rem", "cap"), "mute")
    assert {n.id for n in both.nodes if n.mode == "mute"} == {"rem", "cap"}


def test_muting_takes_the_place_of_bypassing():
    once = annotate.switched(samples.workflow(), ("rem",), "bypass")
    assert annotate.switched(once, ("rem",), "mute").node("rem").mode == "mute"


def test_a_frame_goes_round_what_it_is_for():
    after, id = annotate.framed(Workflow(), [(0, 0, 100, 50), (200, 100, 100, 50)], "Both")
    frame = after.decoration(id)
    assert isinstance(frame, Frame) and frame.text == "Both"
    assert all(frame.holds(place) for place in ((0, 0), (300, 0), (0, 150), (300, 150)))
    assert annotate.framed(Workflow(), [], "none") == (Workflow(), "")


def test_a_frame_follows_its_cards_when_they_are_laid_out_anew():
    workflow, id = annotate.framed(Workflow(), [(0, 0, 100, 50)], "")
    workflow = workflow.with_waypoints(LINK, ((1.0, 1.0),))
    after = annotate.reframed(workflow, {"a": (0, 0, 100, 50)}, {"a": (1000, 0, 100, 50)})
    frame = after.decoration(id)
    assert isinstance(frame, Frame) and frame.holds((1050, 25)) and not frame.holds((50, 25))
    assert after.waypoints == {}


def test_a_note_cannot_become_too_small_to_hit():
    workflow, id = annotate.noted(Workflow(), (0, 0))
    small = annotate.resized(workflow, id, (1, 1)).decoration(id)
    assert small is not None and min(small.size) >= 48


def test_dots_are_added_in_order_and_taken_away():
    one = annotate.dotted(samples.workflow(), LINK, 0, (10, 10))
    two = annotate.dotted(one, LINK, 0, (5, 5))
    assert two.waypoints[LINK] == ((5, 5), (10, 10))
    assert annotate.undotted(two, [(LINK, 0)]).waypoints == {LINK: ((10, 10),)}
    assert annotate.undotted(two, [(LINK, 0), (LINK, 1)]).waypoints == {}


def test_notes_frames_and_dots_are_copied_with_new_ids_and_beside():
    drawn = samples.annotated()
    text = edit.copied(drawn, ("rem", "desc", "note", "cutting"))
    after, ids = edit.pasted(drawn, text)
    assert len(ids) == 4 and len(after.decorations) == 5
    note = next(d for d in after.decorations if d.id in ids and isinstance(d, Note))
    assert note.place == (drawn.decorations[2].place[0] + 32, drawn.decorations[2].place[1] + 32)
    new = next(link for link in after.waypoints if link.target in ids)
    assert new.source in ids and after.waypoints[new][0] == (728 + 32, 264 + 32)
    assert next(n for n in after.nodes if n.id in ids and n.tool == "describe").mode == "mute"


def test_the_text_of_a_whole_workflow_can_be_pasted():
    import json

    after, ids = edit.pasted(Workflow(), json.dumps(samples.workflow().to_json()))
    assert len(ids) == 6 and len(after.links) == 9 and len(after.resources) == 2


# Lining up

SIZES = {"a": (100.0, 50.0), "b": (200.0, 80.0), "c": (100.0, 50.0)}
PLACES = {"a": (0.0, 0.0), "b": (300.0, 40.0), "c": (900.0, 10.0)}


@pytest.mark.parametrize(
    ("edge", "expected"),
    [
        ("left", [0, 0, 0]), ("right", [900, 800, 900]), ("centre", [450, 400, 450]),
        ("top", [0, 0, 0]), ("bottom", [70, 40, 70]), ("middle", [35, 20, 35]),
    ],
)  # fmt: skip
def test_cards_are_lined_up_by(edge, expected):
    axis = 0 if edge in ("left", "right", "centre") else 1
    after = placement.aligned(PLACES, SIZES, edge)
    assert [after[id][axis] for id in "abc"] == expected
    assert [after[id][1 - axis] for id in "abc"] == [PLACES[id][1 - axis] for id in "abc"]


def test_gaps_become_equal_and_the_outermost_stay():
    after = placement.spread(PLACES, SIZES, 0)
    assert (after["a"][0], after["c"][0]) == (0, 900)
    assert after["b"][0] - 100 == after["c"][0] - (after["b"][0] + 200)


def test_two_cards_cannot_be_spread():
    two = {id: PLACES[id] for id in "ab"}
    assert placement.spread(two, SIZES, 0) == two


# Faces and links of nodes that are switched off


def face(id, workflow, run=None):
    return CardModels(workflow, TOOLS).of_node(id, run or samples.run())


def test_a_bypassed_card_says_what_goes_through():
    shown = face("paint", samples.annotated())
    assert (shown.state, shown.word, shown.text) == (
        "bypassed", "Bypassed", "Bypassed: the image\ngoes through unchanged.",
    )  # fmt: skip


def test_a_bypassed_card_that_passes_nothing_says_so():
    workflow = annotate.switched(samples.workflow(), ("cap",), "bypass")
    assert "No input fits" in face("cap", workflow).text


def test_a_muted_card_says_that_it_is_not_run():
    shown = face("desc", samples.annotated())
    assert (shown.state, shown.word) == ("muted", "Muted")


@pytest.mark.parametrize(
    ("cause", "words"),
    [("muted", "Caption is muted"), ("bypassed", "Caption is bypassed and has nothing of this type")],
)
def test_a_card_after_one_that_is_switched_off_names_it(cause, words):
    run = Run("r", 0.0, {"fmt": NodeRun("skipped", because="cap", cause=cause)})
    assert words in face("fmt", samples.workflow(), run).text.replace("\n", " ")


@pytest.mark.parametrize(
    ("switch", "mode", "link", "state"),
    [
        ("desc", "mute", Link("rem", "image", "desc", "image"), "skipped"),
        ("rem", "mute", Link("rem", "image", "paint", "image"), "skipped"),
        ("paint", "bypass", Link("rem", "image", "paint", "image"), "carried"),
        ("rem", "bypass", Link("rem", "image", "paint", "image"), "running"),
    ],
)
def test_links_of_nodes_that_are_switched_off(switch, mode, link, state):
    workflow = annotate.switched(samples.workflow(), (switch,), mode)
    assert state_of(link, workflow, samples.run()) == state


def test_the_converter_goes_between_the_ends_of_a_join_that_did_not_fit():
    bare = samples.workflow().without_link(Link("seg", "mask", "rem", "mask"))
    link = Link("coffee.jpg", "value", "rem", "mask")
    after, id = edit.converted(bare, TOOLS, link, TOOLS["segment_points"], (0, 0))
    assert {Link("coffee.jpg", "value", id, "image"), Link(id, "mask", "rem", "mask")} <= set(after.links)


# The graph in words


def words_of(workflow, id):
    row = next(row for row in outline_text.rows(workflow, TOOLS) if row.id == id)
    return {(port.name, port.is_input): port.text for port in row.ports}


def test_every_card_comes_after_what_feeds_it():
    ids = [row.id for row in outline_text.rows(samples.workflow(), TOOLS)]
    assert ids[:2] == ["coffee.jpg", "Points"]
    assert all(ids.index(k.source) < ids.index(k.target) for k in samples.workflow().links)


def test_links_are_said_in_words():
    assert words_of(samples.workflow(), "seg")["image", True] == "image from coffee.jpg"
    assert words_of(samples.workflow(), "rem")["image", False] == "image to Watercolour, Describe result"
    assert words_of(samples.workflow(), "coffee.jpg")["value", False].startswith("image to Segment by points")


def test_values_gaps_defaults_and_loose_ends_are_said_in_words():
    workflow = samples.workflow().without("Points").with_value("paint", "prompt", "x" * 90)
    assert words_of(workflow, "seg")["points", True] == "points: still needed"
    assert words_of(workflow, "paint")["prompt", True].startswith("prompt: xxx")
    assert len(words_of(workflow, "paint")["prompt", True]) < 60
    assert words_of(workflow, "paint")["strength", True] == "strength: 0.6, as usual"
    assert words_of(workflow, "desc")["text", False] == "text: joined to nothing"
    assert words_of(replace(workflow, wanted=(("desc", "text"),)), "desc")["text", False] == "text: a result"


def test_a_missing_tool_and_a_circle_are_said_in_words_too():
    workflow, _ = samples.every_state()
    assert words_of(workflow, "missing") == {("image", True): "image from coffee.jpg"}
    circle = Workflow(
        (), (Node("a", "upscale"), Node("b", "upscale")),
        (Link("a", "image", "b", "image"), Link("b", "image", "a", "image")),
    )  # fmt: skip
    assert [row.id for row in outline_text.rows(circle, TOOLS)] == ["a", "b"]

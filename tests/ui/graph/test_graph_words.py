"""What cards say, what fits, and edits by hand: all without a window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF

from desktop_app.core.errors import BadWorkflow
from desktop_app.graph import connect, edit
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.i18n import catalogue
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering.made_words import told_values
from desktop_app.ui.graph.items import card_layout, card_model
from desktop_app.ui.graph.items.card_layout import CardLook
from desktop_app.ui.graph.items.card_model import CardModels
from desktop_app.ui.search.entries import entry_of, find
from nodes import load_tools
from nodes.api import ResourceType as T
from tests.ui import graph_samples as samples

TOOLS = samples.TOOLS


@pytest.fixture
def states():
    workflow, run = samples.every_state()
    return CardModels(workflow, TOOLS).all(run)


# Faces


@pytest.mark.parametrize(
    ("id", "state", "word"),
    [
        ("waiting", "waiting", "Waiting"), ("running", "running", "Running"), ("done", "done", "Done · 14 s"),
        ("cached", "cached", "Done before"), ("input", "input", "Needs points"), ("failed", "failed", "Failed"),
        ("skipped", "skipped", "Skipped"), ("cancelled", "cancelled", "Stopped"), ("missing", "missing", "Missing"),
    ],
)  # fmt: skip
def test_each_state_has_its_word(states, id, state, word):
    assert (states[id].state, states[id].word) == (state, word)


REAL = load_tools().tools


@pytest.mark.parametrize(
    ("tool", "values", "language", "said"),
    [
        ("filter_table", {"condition": "paid is no"}, "en", "paid is no"),
        ("resize", {"width": 853}, "en", "width 853 px"),
        ("border", {"colour": "red", "width": 12}, "de", "12 px, rot"),
        ("group_table", {"by": "Customer", "measure": "mean"}, "de", "Customer, Mittelwert"),
        ("pdf_pages", {"pages": "2-3"}, "en", "2-3"),
        ("trim_video", {"start": 2}, "zh", "起始 2 s"),
        ("blur", {}, "en", ""),
    ],
)
def test_a_card_says_what_its_step_was_told(tool, values, language, said):
    workflow = Workflow(nodes=(Node("one", tool, values),))
    with catalogue.speaking(language):
        face = CardModels(workflow, REAL).of_node("one", Run("r"))
    assert face.said == said and (not said or said in face.accessible)


def test_a_failed_card_says_what_and_what_to_do(states):
    assert states["failed"].headline == "Not enough GPU memory"
    assert states["failed"].text == "Needs 6.9 GB, 3.1 GB free. Built-in style can do it."


def test_a_long_message_is_cut_at_its_colon():
    record = NodeRun("failed", message="SDXL could not be loaded: it needs 6.9 GB.", fix="Close programs.")
    face = CardModels(samples.workflow(), TOOLS).of_node("paint", Run("r", 0.0, {"paint": record}))
    assert (face.headline, face.text) == ("SDXL could not be loaded", "It needs 6.9 GB. Close programs.")


def test_what_failed_is_said_whole_where_the_card_has_room(ui):
    said = "The point (5000, 5000) lies outside the picture of 451 × 300 pixels"
    face = card_model.CardModel("n", "Select by clicking", "pointer", "mask", "failed", (), ())
    look = CardLook(face, thumb=QRectF(0, 0, 176, 104))
    card_layout.set_lines(look, said, "Click inside the picture.")
    assert " ".join(look.lines[: look.headlines]) == said and look.lines[-1] == "Click inside the picture."


def test_a_skipped_card_names_the_cause(states):
    assert states["skipped"].text == "Skipped because\nWatercolour failed."


def test_a_card_that_waits_for_points_can_be_clicked(states):
    assert states["input"].picks == "points"
    assert [p.name for p in states["input"].inputs if not p.joined] == ["points"]


def test_a_waiting_card_names_what_it_waits_for():
    run = Run("r", 0.0, {"seg": NodeRun("running"), "rem": NodeRun("waiting")})
    assert CardModels(samples.workflow(), TOOLS).of_node("rem", run).text == "Waits for Segment by points."


def test_seconds_left_follow_from_the_progress():
    run = Run("r", 1000.0, {"paint": NodeRun("running", start=2.0, fraction=0.5)})
    assert CardModels(samples.workflow(), TOOLS).of_node("paint", run, now=1008.0).word == "6 s left"


def test_a_missing_tool_keeps_its_joined_ports(states):
    assert [p.name for p in states["missing"].inputs] == ["image"]
    assert states["missing"].inputs[0].type == "any"


def test_values_that_are_typed_in_take_no_row():
    face = CardModels(samples.workflow(), TOOLS).of_node("paint", Run())
    assert [p.name for p in face.inputs] == ["image", "prompt"]
    alone = Workflow((), (Node("paint", "watercolour"),), ())
    assert [p.name for p in CardModels(alone, TOOLS).of_node("paint", Run()).inputs] == ["image"]


def test_a_mask_lies_over_the_picture_it_was_made_from():
    face = CardModels(samples.workflow(), TOOLS).of_node("seg", samples.run())
    assert face.under == samples.COFFEE


def test_an_unchanged_record_gives_an_equal_face():
    faces = CardModels(samples.workflow(), TOOLS)
    assert faces.of_node("rem", samples.run()) == faces.of_node("rem", samples.run())


def test_a_tick_of_progress_works_out_no_words_that_no_run_changes(monkeypatch):
    """They are worked out once in each language; a thousand ticks a second come."""
    told = []
    monkeypatch.setattr(card_model, "told_values", lambda tool, node: told.append(node.id) or told_values(tool, node))
    faces = CardModels(Workflow(nodes=(Node("one", "border", {"colour": "red", "width": 12}),)), REAL)
    running = [Run("r", 0.0, {"one": NodeRun("running", fraction=tick / 9)}) for tick in range(9)]
    assert {faces.of_node("one", run).said for run in running} == {"12 px, red"} and told == ["one"]
    with catalogue.speaking("de"):
        assert {faces.of_node("one", run).said for run in running} == {"12 px, rot"}


# What fits


def refusal(source, output, target, port):
    found = connect.refusal(samples.workflow(), TOOLS, Link(source, output, target, port))
    return found and found.reason


def test_a_mask_may_stand_for_a_picture():
    assert refusal("seg", "mask", "cap", "image") is None


def test_a_picture_may_not_stand_for_a_mask_and_the_converter_is_named():
    assert refusal("coffee.jpg", "value", "rem", "mask") == "needs a mask; this is a picture – add Segment by points"


def test_without_a_converter_only_the_reason_is_said():
    assert refusal("Points", "value", "cap", "image") == "needs a picture; this is points"


def test_a_circle_is_refused():
    assert "circle" in refusal("paint", "image", "rem", "image")
    assert "circle" in refusal("rem", "image", "rem", "image")


@pytest.mark.parametrize("card", ["coffee.jpg", "Points", "seg", "fmt"])
def test_candidates_are_just_what_is_not_refused(card):
    workflow = samples.workflow()
    output = connect.outputs_of(workflow, TOOLS, card)[0]
    fits = {
        (node.id, port.name)
        for node in workflow.nodes
        for port in TOOLS[node.tool].inputs
        if connect.refusal(workflow, TOOLS, Link(card, output, node.id, port.name)) is None
    }
    assert connect.fitting_inputs(workflow, TOOLS, card, output) == fits


@pytest.mark.parametrize(("node", "port"), [("rem", "mask"), ("paint", "prompt"), ("cap", "image"), ("seg", "points")])
def test_candidates_for_an_input_are_just_what_is_not_refused(node, port):
    workflow = samples.workflow()
    cards = ["coffee.jpg", "Points", *workflow.ids()]
    fits = {
        (card, output)
        for card in cards
        for output in connect.outputs_of(workflow, TOOLS, card)
        if connect.refusal(workflow, TOOLS, Link(card, output, node, port)) is None
    }
    assert connect.fitting_outputs(workflow, TOOLS, node, port) == fits


# Edits


def test_a_link_takes_the_place_of_the_one_before():
    after = edit.joined(samples.workflow(), TOOLS, Link("seg", "mask", "cap", "image"))
    assert [k.source for k in after.links if k.target == "cap"] == ["seg"]


def test_a_port_of_many_keeps_all_its_links():
    workflow = Workflow((samples.COFFEE,), (Node("a", "upscale"), Node("all", "collage")), ())
    for source, output in (("coffee.jpg", "value"), ("a", "image")):
        workflow = edit.joined(workflow, TOOLS, Link(source, output, "all", "images"))
    assert [k.source for k in workflow.links] == ["coffee.jpg", "a"]


def test_a_link_takes_the_place_of_a_typed_in_value():
    workflow = (
        samples.workflow().without_link(Link("fmt", "text", "paint", "prompt")).with_value("paint", "prompt", "x")
    )
    after = edit.joined(workflow, TOOLS, Link("fmt", "text", "paint", "prompt"))
    assert "prompt" not in after.node("paint").values


def test_what_does_not_fit_changes_nothing():
    workflow = samples.workflow()
    assert edit.joined(workflow, TOOLS, Link("Points", "value", "cap", "image")) is workflow


def test_a_node_goes_into_a_link():
    workflow = samples.workflow().with_node(Node("up", "upscale"))
    after = edit.inserted(workflow, TOOLS, "up", Link("rem", "image", "paint", "image"))
    assert {(k.source, k.target) for k in after.links} >= {("rem", "up"), ("up", "paint"), ("rem", "desc")}
    assert Link("rem", "image", "paint", "image") not in after.links


def test_a_node_that_does_not_fit_goes_into_no_link():
    workflow = samples.workflow().with_node(Node("say", "speak"))
    assert edit.inserted(workflow, TOOLS, "say", Link("rem", "image", "paint", "image")) is None


def test_a_node_put_into_a_port_of_many_keeps_the_order():
    nodes = (Node("all", "collage"), Node("up", "upscale"))
    a, b = samples.COFFEE, samples.resource("b.png")
    links = (Link("coffee.jpg", "value", "all", "images"), Link("b.png", "value", "all", "images"))
    after = edit.inserted(Workflow((a, b), nodes, links), TOOLS, "up", links[0])
    assert [k.source for k in after.links if k.target == "all"] == ["up", "b.png"]


def test_duplicates_are_fed_by_what_feeds_the_originals():
    after, (new,) = edit.duplicated(samples.workflow(), ("paint",))
    assert {(k.source, k.port) for k in after.links if k.target == new} == {("rem", "image"), ("fmt", "prompt")}
    assert after.node(new).tool == "watercolour"


def test_copies_of_several_nodes_are_joined_to_each_other():
    after, ids = edit.duplicated(samples.workflow(), ("cap", "fmt"))
    assert any(k.source in ids and k.target in ids for k in after.links)
    assert not any(k.source == "cap" and k.target in ids for k in after.links)


def test_nodes_can_be_pasted_into_an_empty_graph():
    text = edit.copied(samples.workflow(), ("coffee.jpg", "cap", "fmt"))
    after, ids = edit.pasted(Workflow(), text)
    assert len(ids) == 2 and after.resource("coffee.jpg") and len(after.links) == 2


def test_a_pasted_file_never_becomes_another_of_the_same_name():
    text = edit.copied(samples.workflow(), ("coffee.jpg", "cap"))
    (coffee,) = (r for r in samples.workflow().resources if r.name == "coffee.jpg")
    other = Workflow((replace(coffee, digest="0" * 64),))
    after, (cap,) = edit.pasted(other, text)
    (link,) = after.links_into(cap)
    fed = after.resource(link.source)
    assert fed is not None and fed.digest == coffee.digest and after.resource("coffee.jpg") == other.resources[0]


@pytest.mark.parametrize("text", ["", "hello", "{}", '{"graphwright": 3}', '{"graphwright": {"format": 1}}'])
def test_pasting_something_else_is_refused_with_a_reason(text):
    with pytest.raises(BadWorkflow, match=r"not nodes|damaged"):
        edit.pasted(Workflow(), text)


def test_a_copied_circle_is_refused_like_a_damaged_file():
    workflow = replace(
        samples.workflow(), links=(Link("paint", "image", "rem", "image"), Link("rem", "image", "paint", "image"))
    )
    with pytest.raises(BadWorkflow):
        edit.pasted(Workflow(), edit.copied(workflow, ("paint", "rem")))


# Search

ENTRIES = [entry_of(tool) for tool in TOOLS.values()]


def found(query):
    return [entry.id for entry, _ in find(ENTRIES, query)]


def test_the_title_counts_most():
    assert found("text")[0] == "speak" or found("text")[0] == "format_text"
    assert found("cap")[0] == "caption"


def test_further_words_count_and_are_shown():
    assert find(ENTRIES, "enlarge")[0][1] == "enlarge"


def test_every_word_must_be_there():
    assert found("text speech") == ["speak"]


def test_typing_errors_are_forgiven():
    assert "watercolour" in found("watrcolour")


def test_nonsense_finds_nothing():
    assert found("zzzzqqq") == []


def test_an_empty_query_offers_everything():
    assert found(" ") == list(TOOLS)


def test_tools_that_take_sound_are_none_here():
    assert connect.tools_that_take(TOOLS, T.AUDIO) == {}

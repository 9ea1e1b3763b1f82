"""Where cards go."""

from __future__ import annotations

import itertools
import random

import pytest

from desktop_app.graph import edit, placement
from desktop_app.graph.layout import COLUMN_GAP, DEFAULT_SIZE, ROW_GAP, SNAP, layout
from desktop_app.graph.workflow import Link, Node, Workflow
from tests.ui import graph_samples as samples

WIDTH, HEIGHT = DEFAULT_SIZE


def chain(*ids, more=()):
    """Nodes in a row, with further links."""
    links = [Link(a, "o", b, "i") for a, b in itertools.pairwise(ids)]
    return Workflow((), tuple(Node(id, "t") for id in ids), (*links, *(Link(a, "o", b, "j") for a, b in more)))


def big(count, seed=3):
    """A large graph without circles."""
    dice = random.Random(seed)
    ids = [f"n{i}" for i in range(count)]
    links = [Link(ids[dice.randrange(max(0, i - 25), i)], "o", ids[i], str(k)) for i in range(1, count) for k in (0, 1)]
    return Workflow((samples.COFFEE,), tuple(Node(id, "t") for id in ids), tuple(dict.fromkeys(links)))


def overlaps(places, sizes):
    boxes = sorted(
        (x, y, x + sizes.get(id, DEFAULT_SIZE)[0], y + sizes.get(id, DEFAULT_SIZE)[1]) for id, (x, y) in places.items()
    )
    return [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :] if b[0] < a[2] and a[1] < b[3] and b[1] < a[3]]


def test_links_go_from_left_to_right():
    workflow = big(120)
    places = layout(workflow, {})
    assert all(places[k.source][0] < places[k.target][0] for k in workflow.links)


def test_no_two_cards_overlap():
    sizes = {f"n{i}": (192.0, 150.0 + 40 * (i % 5)) for i in range(200)}
    assert overlaps(layout(big(200), sizes), sizes) == []


def test_gaps_and_snapping_are_those_of_the_design():
    places = layout(chain("a", "b"), {})
    assert places["b"][0] == places["a"][0] + WIDTH + COLUMN_GAP
    assert all(value % SNAP == 0 for place in layout(big(60), {}).values() for value in place)


def test_rows_keep_the_gap_below_the_highest_card():
    workflow = Workflow((), tuple(Node(id, "t") for id in "abc"), ())
    tops = sorted(y for _, y in layout(workflow, {"a": (192, 300), "b": (192, 100), "c": (192, 100)}).values())
    assert tops[1] - tops[0] >= 300 + ROW_GAP


def test_a_chain_stands_on_one_line():
    assert {y for _, y in layout(chain("a", "b", "c", "d"), {}).values()} == {0.0}


def test_the_first_of_two_stands_level_with_what_feeds_both():
    workflow = Workflow((), tuple(Node(id, "t") for id in "abc"), (Link("a", "o", "b", "i"), Link("a", "o", "c", "i")))
    places = layout(workflow, {})
    assert places["a"][1] == places["b"][1] < places["c"][1]


def test_the_same_workflow_gives_the_same_picture():
    assert layout(big(150), {}) == layout(big(150), {})


def test_resources_stand_in_the_first_column():
    places = layout(samples.workflow(), {})
    assert places["coffee.jpg"][0] == places["Points"][0] == 0
    assert all(places[id][0] > 0 for id in samples.workflow().ids())


def test_crossings_are_taken_out_where_they_can_be():
    nodes = tuple(Node(id, "t") for id in ("a", "b", "x", "y"))
    places = layout(Workflow((), nodes, (Link("a", "o", "y", "i"), Link("b", "o", "x", "i"))), {})
    assert (places["a"][1] < places["b"][1]) == (places["y"][1] < places["x"][1])


def test_a_circle_is_laid_out_rather_than_refused():
    assert len(set(layout(chain("a", "b", "c", more=[("c", "a")]), {}).values())) == 3


def test_a_diamond_of_many_levels_is_no_trouble():
    ids, links = ["s"], []
    for level in range(40):
        a, b, end = f"a{level}", f"b{level}", f"e{level}"
        links += [
            Link(ids[-1], "o", a, "i"),
            Link(ids[-1], "o", b, "i"),
            Link(a, "o", end, "i"),
            Link(b, "o", end, "j"),
        ]
        ids += [a, b, end]
    places = layout(Workflow((), tuple(Node(id, "t") for id in ids), tuple(links)), {})
    assert places["e39"][0] == 80 * (WIDTH + COLUMN_GAP)


def test_a_chain_of_thousands_needs_no_recursion():
    ids = [f"n{i}" for i in range(3000)]
    assert layout(chain(*ids), {})["n2999"][0] == 2999 * (WIDTH + COLUMN_GAP)


def test_nothing_gives_nothing():
    assert layout(Workflow(), {}) == {}


# Places of cards that come later


@pytest.fixture
def shown():
    workflow = samples.workflow()
    return workflow, layout(workflow, {})


def test_an_added_node_moves_no_other(shown):
    workflow, places = shown
    after = workflow.with_node(Node("new", "upscale")).with_link(Link("paint", "image", "new", "image"))
    new = placement.places(after, workflow, places, {})
    assert {id: new[id] for id in places} == places
    assert new["new"][0] > places["paint"][0]


def test_an_added_node_covers_no_other(shown):
    workflow, places = shown
    after = workflow
    for i in range(5):
        after = after.with_node(Node(f"new{i}", "upscale")).with_link(Link("seg", "mask", f"new{i}", "image"))
    assert overlaps(placement.places(after, workflow, places, {}), {}) == []


def test_a_removed_node_moves_no_other(shown):
    workflow, places = shown
    new = placement.places(workflow.without("cap"), workflow, places, {})
    assert new == {id: place for id, place in places.items() if id != "cap"}


def test_another_solution_is_laid_out_afresh(shown):
    workflow, places = shown
    other = Workflow(
        (samples.COFFEE,), (Node("seg", "caption"), Node("z", "speak")), (Link("seg", "text", "z", "text"),)
    )
    assert placement.places(other, workflow, {**places, "seg": (5000.0, 0.0)}, {}) == layout(other, {})


def test_saved_places_win(shown):
    workflow, places = shown
    moved = workflow.with_node(Node("paint", "watercolour", position=(8.0, 16.0)))
    assert placement.places(moved, workflow, places, {})["paint"] == (8.0, 16.0)


def test_a_card_without_a_place_of_its_own_moves_off_one_that_was_put_on_it():
    before = chain("a", "b", "c")
    shown = placement.places(before, Workflow(), {}, {})
    placed = edit.placed(before, {"a": shown["c"]})
    after = placement.places(placed, before, shown, {})
    assert after["a"] == shown["c"] and after["b"] == shown["b"] and overlaps(after, {}) == []

"""The search against the paper's plain algorithm, its strategies, and its limits."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest

from desktop_app.plan.search.search import STRATEGIES, Have, Limits, Made, search
from desktop_app.plan.tools.tool_graph import ToolGraph, fits
from tests.plan.search import plain_tog
from tests.plan.worlds import port, random_tools, tool

SMALL = ("image", "image.mask", "text", "audio")
WHOLE = Limits(depth=3, tools=3, examined=200_000)


def expression(made):
    """A search result in the form of the plain algorithm."""
    if isinstance(made, Have):
        return made.name
    return made.tool, tuple(expression(source) for _, source in made.inputs)


def chain(*types: str):
    """Tools that lead from type to type."""
    return tuple(
        tool(f"{a}_{b}", f"{a} to {b}", f"Makes {b} of {a}.", [port("x", a)], [port("y", b)])
        for a, b in pairwise(types)
    )


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("wanted", ["image", "audio"])
def test_exhaustive_search_finds_what_the_plain_algorithm_finds(seed, wanted):
    tools = random_tools(seed, 6, SMALL)
    have = {"photo": "image", "note": "text"}
    plain = plain_tog.solutions(tools, have, wanted, 3)
    items = [Have(name, type) for name, type in have.items()]
    ours = {expression(m) for m in search(ToolGraph(tools), items, wanted, lambda _: 3.0, "exhaustive", WHOLE)}
    assert ours == plain


@pytest.mark.parametrize("seed", range(20))
def test_solutions_use_only_tool_sequences_of_the_plain_algorithm(seed):
    tools = random_tools(seed, 6, SMALL)
    sequences = [set(s) for s in plain_tog.sequences(tools, ["image", "text"], "audio", 3)]
    items = [Have("photo", "image"), Have("note", "text")]
    for made in search(ToolGraph(tools), items, "audio", lambda _: 3.0, "exhaustive", WHOLE):
        assert set(made.tools()) in sequences


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_finds_the_only_way(strategy):
    tools = chain("file", "text", "audio", "video")
    found = list(search(ToolGraph(tools), [Have("a.pdf", "file")], "video", lambda _: 1.0, strategy))
    assert [made.tools() for made in found] == [("file_text", "text_audio", "audio_video")]


def test_greedy_follows_the_best_score_only():
    tools = (*chain("image", "audio"), *chain("image", "text", "audio"))
    scores = {"image_audio": 2.0, "text_audio": 5.0, "image_text": 5.0}
    graph = ToolGraph(tools)
    found = [m.tools() for m in search(graph, [Have("p", "image")], "audio", scores.__getitem__, "greedy")]
    assert len(found) == 1
    assert len(list(search(graph, [Have("p", "image")], "audio", scores.__getitem__, "exhaustive"))) == 2


def test_cheaper_ways_come_first():
    tools = (*chain("image", "text", "audio"), *chain("image", "audio"))
    found = [m.tools() for m in search(ToolGraph(tools), [Have("p", "image")], "audio", lambda _: 3.0, "exhaustive")]
    assert [len(tools) for tools in found] == [1, 2]


def test_a_tool_with_two_inputs_joins_two_branches():
    join = tool("dub", "Dub", "Joins.", [port("video", "video"), port("audio", "audio")], [port("film", "film")])
    tools = (*chain("image", "video"), *chain("text", "audio"), join)
    found = next(search(ToolGraph(tools), [Have("p", "image"), Have("t", "text")], "film", lambda _: 3.0))
    assert isinstance(found, Made)
    assert found.tools() == ("image_video", "text_audio", "dub")


def test_a_tool_may_be_used_twice_on_different_inputs():
    pair = tool("pair", "Pair", "Joins.", [port("a", "b"), port("b", "b")], [port("c", "c")])
    have = [Have("one", "a"), Have("two", "a")]
    found = [expression(m) for m in search(ToolGraph((*chain("a", "b"), pair)), have, "c", lambda _: 3.0, "exhaustive")]
    assert ("pair", (("a_b", ("one",)), ("a_b", ("two",)))) in found


def test_a_subtype_is_accepted_and_its_parent_is_not():
    assert fits("image.mask", "image")
    assert fits("mask", "image")
    assert not fits("image", "image.mask")
    masks = (tool("cut", "Cut", "Cuts.", [port("m", "image.mask")], [port("y", "audio")]),)
    assert not list(search(ToolGraph(masks), [Have("p", "image")], "audio", lambda _: 3.0))
    assert list(search(ToolGraph(masks), [Have("p", "image.mask")], "audio", lambda _: 3.0))


def test_no_way_ends_at_once_in_a_large_tool_set():
    graph = ToolGraph(random_tools(3, 2_000))
    assert list(search(graph, [Have("p", "image")], "nowhere", lambda _: 3.0)) == []


def test_search_is_lazy():
    graph = ToolGraph(random_tools(5, 2_000))
    asked: list[str] = []
    first = list(islice(search(graph, [Have("p", "image")], "table", lambda id: asked.append(id) or 3.0), 1))
    assert first
    assert len(set(asked)) < 2_000

"""Titles and reasons of solutions, as they stand on the cards of the alternatives."""

from __future__ import annotations

import pytest

from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.ranking.explanations import MOST_WORDS, worded
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.types import FromResource, Question, Request, Solution, Step
from tests.plan.worlds import TOYS, attached, port, tool

GRAPH = ToolGraph(TOYS)


def solution(*tools: str) -> Solution:
    steps = tuple(Step(f"s{place}", tool) for place, tool in enumerate(tools))
    return Solution("", "As before.", 0.9, steps, ((steps[-1].id, "image"),))


@pytest.mark.parametrize(
    ("tools", "title"),
    [
        (("t_blur",), "Blur"),
        (("t_faces", "t_inside", "t_blur"), "Find faces, then blur"),
        (("t_read", "t_say"), "Read text, then speak"),
        (("t_track", "t_clean"), "Clean audio"),
    ],
)
def test_title_names_the_first_and_the_last_tool_uncut(tools, title):
    assert worded([solution(*tools)], GRAPH)[0].title == title


def test_titles_of_alternatives_differ():
    found = worded([solution("t_faces", "t_inside", "t_blur"), solution("t_look", "t_inside", "t_blur"),
                    solution("t_blur"), solution("t_blur", "t_blur")], GRAPH)  # fmt: skip
    titles = [s.title for s in found]
    assert len(set(titles)) == len(titles)
    assert titles[:3] == ["Find faces, then blur", "Blur, using find by words", "Blur"]


def test_reason_says_how_an_alternative_differs():
    best, *others = worded([solution("t_blur"), solution("t_pixels"), solution("t_faces", "t_blur")], GRAPH)
    assert best.reason == "As before."
    assert [s.reason for s in others] == ["Pixelates instead of blurring.", "Also uses “Find faces”."]


def test_a_list_in_a_description_is_not_cut_in_its_middle():
    does = "Restores an old, damaged or blurred photo"
    old = tool("t_old", "Restore photo", f"{does}: all of it.", [port("image", "image")], [port("image", "image")])
    graph = ToolGraph((*TOYS, old))
    _, other = worded([solution("t_look"), solution("t_old")], graph)
    assert other.reason.startswith(f"{does}, instead of")


@pytest.mark.parametrize("text", ["Blur the faces in a.jpg", "Read the text in a.jpg and say it", "Make a.jpg darker"])
def test_planned_titles_are_short_and_differ(text):
    found = OfflinePlanner(TOYS).plan(Request(text, attached("a.jpg"))).solutions
    titles = [s.title for s in found]
    assert len(set(titles)) == len(titles)
    assert all(0 < len(title.split()) <= MOST_WORDS and title[0].isupper() for title in titles)


def test_a_way_with_the_same_tools_is_told_by_what_else_differs():
    step = Step("a", "t_blur", {"image": FromResource("a.jpg")})
    other = Step("a", "t_blur", {"image": FromResource("b.jpg")})
    asks = Question("How much?", "text", (), "a", "radius")
    best, asking, elsewhere = worded(
        [Solution("", "", 0.9, (step,)), Solution("", "", 0.6, (step,), (), (asks,)), Solution("", "", 0.5, (other,))],
        GRAPH,
    )
    assert [best.title, asking.title, elsewhere.title] == ["Blur", "Blur, asking first", "Blur, with b.jpg"]

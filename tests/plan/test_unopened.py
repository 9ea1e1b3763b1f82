"""A file of a kind that no tool opens is told of at the plan."""

import asyncio

import pytest

from desktop_app.plan.language import sentence_encoder
from desktop_app.plan.planner import Planner
from desktop_app.plan.types import Given, Request
from nodes import load_tools


def planned(text, *files):
    planner = Planner(lambda: load_tools().tools, "adaptive")
    return asyncio.run(planner.plan(Request(text, tuple(Given(name, type) for name, type in files))))


@pytest.mark.parametrize("trained", [False, True])
@pytest.mark.parametrize("text", ["Make it brighter", "Summarise this", "what is in this file?"])
@pytest.mark.parametrize("name", ["x.xyz", "archive.rar"])
def test_a_file_that_no_tool_opens_is_refused_in_words(monkeypatch, trained, text, name):
    monkeypatch.setattr(sentence_encoder, "ENABLED", trained)
    plan = planned(text, (name, "file"))
    assert plan.solutions == () and f"opens .{name.rpartition('.')[2]} files such as {name}" in " ".join(plan.causes)


@pytest.mark.parametrize(
    ("text", "file", "tool"),
    [
        ("Summarise this", ("report.pdf", "file"), "read_document"),
        ("Summarise this", ("BOOK.EPUB", "file"), "read_document"),
        ("Summarise this", ("report", "file"), "read_document"),
        ("Make it brighter", ("a.jpg", "image"), "brightness_contrast"),
    ],
)
def test_others_are_opened(text, file, tool):
    assert planned(text, file).solutions[0].steps[0].tool == tool


def test_a_file_that_is_not_needed_is_in_nobodys_way():
    assert planned("Make a.jpg brighter", ("a.jpg", "image"), ("x.xyz", "file")).solutions

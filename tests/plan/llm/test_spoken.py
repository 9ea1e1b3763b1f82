"""What rests on the user's words, and what does not."""

from __future__ import annotations

import pytest

from desktop_app.plan.llm.grounding import Spoken
from desktop_app.plan.types import HistoryMessage, PortSpec, Request, ToolSpec

TOOL = ToolSpec("t", "Tool", "Does it.", (), ())
NUMBER = PortSpec("amount", "number")
SHARE = PortSpec("share", "number", required=False, default=0.25, minimum=0.0, maximum=1.0)
START = PortSpec("start", "number", required=False, default=0.0, minimum=0.0)
WORDS = PortSpec("title", "text")
CODE = PortSpec("colour", "text")
URL = PortSpec("url", "url")


def supports(text: str, value, port: PortSpec) -> bool:
    return Spoken(Request(text)).supports(value, port, TOOL)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("by 12 percent", 12),
        ("by 12 percent", 0.12),
        ("3 minutes", 180),
        ("make it 20 % larger", 1.2),
        ("5 darker", -5),
    ],
)
def test_number_may_be_one_of_the_request_in_another_unit(text, value):
    assert supports(text, value, NUMBER)


@pytest.mark.parametrize(("text", "value"), [("by 12 percent", 13), ("make it large", 2), ("", 0)])
def test_number_that_was_not_said_is_not_supported(text, value):
    assert not supports(text, value, NUMBER) and not supports(text, value or 7, START)


def test_port_offers_its_default_its_choices_and_a_closed_range():
    assert supports("go", 0.25, SHARE) and supports("go", 0.8, SHARE) and supports("go", 0.0, START)
    assert supports("go", "left", PortSpec("side", "text", choices=("left", "right")))
    assert supports("go", True, PortSpec("loop", "flag")) and not supports("go", True, NUMBER)


@pytest.mark.parametrize(
    ("text", "value", "supported"),
    [
        ("write “Happy birthday, Ann” on it", "Happy birthday, Ann", True),
        ("write Happy birthday on it", "happy  BIRTHDAY", True),
        ("find the red cars", "red car", True),
        ("a page about my trip to Rome", "My trip to Rome in spring", True),
        ("make a title", "The secret life of bees", False),
        ("在图片上写生日快乐", "生日快乐", True),
        ("在图片上写生日快乐", "新年好运", False),
        ("separate them", "---", True),
        ("make it 3 lines", "3 lines of 400", False),
    ],
)
def test_text_is_made_of_the_users_words(text, value, supported):
    assert supports(text, value, WORDS) is supported


def test_text_in_a_language_of_its_own_has_to_be_said_in_full():
    assert supports("price over 10", "price 10", CODE) and not supports("make it red and dark", "dark green", CODE)


@pytest.mark.parametrize(
    ("text", "value", "supported"),
    [
        ("look at https://a.org/x?y=1.", "https://a.org/x?y=1", True),
        ("look at a.org/x", "https://www.a.org/x", True),
        ("look at https://a.org/x", "https://a.org/xy", False),
        ("look at https://a.org.b.com/x", "https://a.org", False),
        ("look at localhost:8000", "localhost:8000", True),
        ("look at it", "it.evil", False),
    ],
)
def test_address_is_the_users_or_none(text, value, supported):
    assert supports(text, value, URL) is supported


def test_only_the_users_turns_count():
    history = (HistoryMessage("user", "call it Sunny"), HistoryMessage("assistant", "I found the word Rainy"))
    spoken = Spoken(Request("write it", (), history))
    assert spoken.says("Sunny", WORDS) and not spoken.says("Rainy", WORDS)


@pytest.mark.parametrize(
    ("text", "named"),
    [("fetch that web page", True), ("open the website", True), ("describe the picture", False), ("a page", False)],
)
def test_tool_is_named_by_title_or_words(text, named):
    tool = ToolSpec("f", "Fetch web page", "", (), (), words=("website",))
    assert Spoken(Request(text)).speaks_of(tool) is named

"""Every text and web tool, given nothing, junk, or far too much."""

from __future__ import annotations

import inspect
import random

import numpy as np
import pytest

from nodes import load_tools
from nodes.api import NodeError, ResourceType, RunContext, Table
from tests.nodes.text.test_pdf_files import written
from tests.nodes.text_samples import SOLAR

ALL = sorted(load_tools().tools.values(), key=lambda tool: tool.id)
JUNK = ["empty", "white space", "none", "binary", "not characters"]
TOOLS = [tool for tool in ALL if tool.domain in ("text", "web") and tool.backends[0].kind == "built-in"]
TEXT_PORTS = [
    (tool, port)
    for tool in TOOLS
    for port in tool.inputs
    if port.required and port.type in (ResourceType.TEXT, ResourceType.HTML, ResourceType.URL) and not port.many
]
READERS = [tool for tool in TOOLS if tool.inputs[0].name == "text" and tool.inputs[0].required]
_VALUES = {
    ResourceType.TEXT: "Some words, in a sentence.",
    ResourceType.NUMBER: 600.0,
    ResourceType.IMAGE: np.zeros((4, 4, 3), np.uint8),
    ResourceType.TABLE: Table(("a", "b"), (("x", 1), ("y", 2))),
    ResourceType.HTML: "<p>Some words.</p>",
}


def _run(tool, folder, **given):
    """Runs the first back end with plain values for the ports that `given` leaves out."""
    values = dict(given)
    for port in tool.inputs:
        if port.required and port.name not in values:
            value = written(folder / "a.pdf", "one") if port.type is ResourceType.FILE else _VALUES[port.type]
            values[port.name] = (value,) if port.many else value
    if "context" in inspect.signature(tool.backends[0].run).parameters:
        values["context"] = RunContext(folder)
    return tool.backends[0].run(**values)


def _tried(tool, folder, text):
    """The result and no error, or no result and the NodeError."""
    try:
        return _run(tool, folder, text=text), None
    except NodeError as error:
        return None, error


@pytest.mark.parametrize("junk", ["", "  \n\t ", None, "\x00\x01\x02\x03" * 50, "\ufffd" * 200], ids=JUNK)
@pytest.mark.parametrize(
    ("tool", "port"), TEXT_PORTS, ids=lambda value: getattr(value, "id", getattr(value, "name", ""))
)
def test_nothing_and_junk_name_the_port(tool, port, junk, tmp_path):
    if tool.id == "count_words" and isinstance(junk, str) and not junk.strip():
        assert _run(tool, tmp_path, text=junk) == 0, "a text without words has none"
        return
    with pytest.raises(NodeError) as raised:
        _run(tool, tmp_path, **{port.name: junk})
    assert raised.value.port == port.name and raised.value.message and raised.value.fix


ODD = {
    "one letter": "a",
    "only marks": "?!... --- ***",
    "emoji": "😀👍🏽 👨‍👩‍👧",
    "one endless word": "x" * 5000,
    "no spaces": "word," * 2000,
    "only quotes": '"' * 999,
    "only brackets": "(" * 3000 + ")" * 3000,
    "controls within": "Good\x07 morning\x00, world.",
    "lone surrogate": "Hi \ud800 there.",
    "right to left": "שלום עולם. مرحبا بالعالم.",
    "many newlines": "a\n\n\n\n\n" * 500,
    "numbers": "1 2 3 4.5 6,7 8%",
    "tabs": "a\tb\tc\nd\te\tf",
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("tool", READERS, ids=lambda tool: tool.id)
def test_odd_text_gives_a_result_or_a_reason(tool, odd, tmp_path):
    """Anything but a value or a NodeError is a bug."""
    result, refused = _tried(tool, tmp_path, ODD[odd])
    if refused is not None:
        assert refused.port in {port.name for port in tool.inputs} and refused.message
    elif isinstance(result, str):
        assert result.encode("utf-8")
    else:
        assert result is not None


def _large(characters):
    """English-like text of many different sentences."""
    chance = random.Random(5)
    words = SOLAR.split() + [
        f"{stem}{ending}" for stem in ("grand", "port", "vel", "mar") for ending in ("ing", "ed", "or")
    ]
    text = " ".join(chance.choice(words) for _ in range(characters // 6))
    return text[:characters]


@pytest.mark.slow
@pytest.mark.parametrize("tool", READERS, ids=lambda tool: tool.id)
def test_five_million_characters_end_within_the_tests_patience(tool, tmp_path):
    result, refused = _tried(tool, tmp_path, _large(5_000_000))
    assert result is not None if refused is None else refused.port in {port.name for port in tool.inputs}


@pytest.mark.parametrize("tool", READERS, ids=lambda tool: tool.id)
def test_more_than_twenty_million_characters_are_refused(tool, tmp_path):
    with pytest.raises(NodeError, match="20,000,000") as raised:
        _run(tool, tmp_path, text="word " * 4_000_001)
    assert raised.value.port == "text"


def test_no_tool_of_these_turns_a_table_into_text_or_sound():
    for tool in TOOLS:
        if any(port.type is ResourceType.TABLE for port in tool.inputs) and tool.id != "predict_column":
            assert all(
                port.type in (ResourceType.TABLE, ResourceType.IMAGE, ResourceType.HTML, ResourceType.FILE)
                for port in tool.outputs
            )

"""What is asked for an input is a question in plain words, never the text by which the input is declared."""

from __future__ import annotations

import re

from desktop_app.graph.workflow import Node, Workflow
from desktop_app.plan.ranking.explanations import question_for
from desktop_app.plan.tools.tool_graph import INLINE
from desktop_app.plan.tools.tool_specs import from_data, from_tools
from desktop_app.session.inputs import open_ports
from nodes import load_tools
from nodes.api import ResourceType
from tests.conftest import for_each

TOOLS = load_tools().tools
SPECS = from_tools(TOOLS)
_DECLARED = re.compile(r"[={}#;_]|\bdB\b|\bLUFS\b|\((?:s|px|x|%|Hz|degrees|semitones)\)|: -?\d")
"""What stands in declarations and in no question: values and what they mean, units, names with underscores."""
_TYPED = (ResourceType.TEXT, ResourceType.NUMBER, ResourceType.FLAG, ResourceType.URL)


@for_each(SPECS, lambda spec: spec.id)
def test_no_question_of_a_plan_reads_like_a_declaration(spec):
    asked = [question_for(port, spec, "step", {}).text for port in spec.inputs if port.type in INLINE]
    assert [text for text in asked if _DECLARED.search(text)] == []


@for_each(TOOLS.values(), lambda tool: tool.id)
def test_no_question_for_an_open_input_reads_like_a_declaration(tool):
    drawn = Workflow((), (Node("step", tool.id),))
    asked = [question.text for question in open_ports.of(drawn, TOOLS, {}) if question.kind == "text"]
    assert [text for text in asked if _DECLARED.search(text)] == []


@for_each(TOOLS.values(), lambda tool: tool.id)
def test_what_is_set_by_a_number_or_a_choice_is_asked_in_words_of_its_own(tool):
    """What only the inspector shows is never asked; what is behind a fold is asked seldom."""
    settings = [port for port in tool.inputs if not port.by_hand and not port.advanced and port.type in _TYPED]
    silent = [p.name for p in settings if (p.choices or p.type is ResourceType.NUMBER) and not p.question]
    assert [name for name in silent if name not in _OF_MODELS] == []


_OF_MODELS = ("seed", "strength", "guidance", "side", "lora_weight", "temperature", "change", "max_tokens")
"""Settings of models that make pictures and texts, which nobody is asked for in words."""


def test_louder_is_asked_for_as_people_speak_of_it():
    spec = next(spec for spec in SPECS if spec.id == "change_volume")
    question = question_for(spec.input("gain"), spec, "step", {})
    assert "louder" in question.text and "quieter" in question.text and question.choices


def test_a_tool_known_by_its_text_alone_is_asked_about_with_that_text():
    (spec,) = from_data({"tools": [{"id": "tax", "title": "Tax", "description": "Adds the tax.", "args": [
        {"name": "rate", "type": "number", "description": "the rate of the tax"}], "returns": []}]})  # fmt: skip
    assert str(question_for(spec.inputs[0], spec, "step", {}).text) == "Tax: the rate of the tax?"

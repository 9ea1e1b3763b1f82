"""Tool sets from files and from our own registry."""

from __future__ import annotations

import json

import pytest

from desktop_app.core.errors import BadRequest
from desktop_app.plan.tools.tool_specs import from_file, from_tools
from nodes import load_tools


def written(path, data) -> str:
    file = path / "box.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return str(file)


def test_a_plain_file_is_read(tmp_path):
    data = {"name": "x", "tools": [{"name": "Say It", "description": "Speaks.", "args": [{"name": "t", "type": "Text"}],
                                    "returns": [{"name": "a", "type": "audio"}]}]}  # fmt: skip
    (spec,) = from_file(written(tmp_path, data))
    assert (spec.id, spec.title, spec.inputs[0].type, spec.inputs[0].required) == ("Say It", "Say It", "text", True)


def test_the_richer_form_is_read(tmp_path):
    port = {
        "name": "n",
        "type": "number",
        "default": 3,
        "minimum": 1,
        "maximum": 9,
        "choices": ["1", "2"],
        "many": True,
    }
    data = {"tools": [{"id": "t", "title": "T", "description": "", "args": [port], "returns": [], "words": ["w"],
                       "examples": ["e"], "quality": 0.9}]}  # fmt: skip
    (spec,) = from_file(written(tmp_path, data))
    found = spec.inputs[0]
    assert (found.required, found.default, found.minimum, found.choices, found.many) == (False, 3, 1, ("1", "2"), True)
    assert (spec.words, spec.examples, spec.quality) == (("w",), ("e",), 0.9)


@pytest.mark.parametrize(
    "data",
    [
        "{", "[]", {"tools": 3}, {"tools": [3]}, {"tools": [{"description": "no name"}]},
        {"tools": [{"name": "a", "args": [{"type": "text"}], "returns": []}]},
        {"tools": [{"name": "a", "args": [], "returns": []}] * 2},
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_name(tmp_path, data):
    with pytest.raises(BadRequest) as caught:
        from_file(written(tmp_path, data))
    assert "box.json" in str(caught.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadRequest):
        from_file(tmp_path / "none.json")


def test_our_own_tools_keep_ports_and_defaults():
    tools = load_tools().tools
    specs = {spec.id: spec for spec in from_tools(tools)}
    assert set(specs) == set(tools)
    for id, tool in tools.items():
        assert [(p.name, p.type, p.required) for p in specs[id].inputs] == [
            (p.name, str(p.type), p.required) for p in tool.inputs if not p.by_hand
        ]

"""Checks each tool the moment it exists, parametrised over the registry."""

from __future__ import annotations

import re
import subprocess
import sys

from nodes import load_tools
from nodes.api import ResourceType
from tests.conftest import for_each

TOOLBOX = load_tools()
TOOLS = sorted(TOOLBOX.tools.values(), key=lambda tool: tool.id)
VISUAL = {kind for kind in ResourceType if kind.is_a(ResourceType.IMAGE)}


def test_every_file_loads():
    assert not TOOLBOX.failures


@for_each(TOOLS, lambda tool: tool.id)
def test_declaration_is_complete(tool):
    assert tool.id.isidentifier() and tool.id == tool.id.lower()
    assert tool.title and len(tool.title) <= 24
    assert tool.description.endswith(".") and len(tool.description) > 20
    assert tool.outputs and tool.backends
    assert len(tool.examples) >= 2
    assert tool.icon
    form = tool.input("format")
    assert (len(tool.result) <= 18 and re.fullmatch(r"[a-z]+(-[a-z]+){0,2}", tool.result)) or (form and form.choices)
    said = tool.input(tool.result_by).choices if tool.result_by else ()
    assert bool(said) == bool(tool.result_by) and all(re.fullmatch(r"[A-Za-z -]+", one) for one in said)
    assert isinstance(hash(tool), int)  # it is a key of what is remembered of tools
    assert {name for name, *_ in tool.result_signs} <= {
        port.name for port in tool.inputs if port.type is ResourceType.NUMBER
    }
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)?", word) for _, *words in tool.result_signs for word in words)
    assert all(port.doc for port in (*tool.inputs, *tool.outputs))
    names = [port.name for port in tool.inputs]
    assert len(names) == len(set(names))


@for_each(TOOLS, lambda tool: tool.id)
def test_ports_make_sense(tool):
    for port in tool.inputs:
        if port.picked_on:
            target = tool.input(port.picked_on)
            assert target is not None and target.type in VISUAL
        if port.minimum is not None and port.maximum is not None:
            assert port.minimum <= port.maximum
        if port.choices:
            assert port.type is ResourceType.TEXT
        if not port.required and isinstance(port.default, int | float) and port.minimum is not None:
            assert port.minimum <= port.default


@for_each(TOOLS, lambda tool: tool.id)
def test_function_is_documented(tool):
    for backend in tool.backends:
        assert backend.run.__doc__ and len(backend.run.__doc__) > 20


def test_declaring_imports_nothing_heavy():
    heavy = "torch transformers diffusers cv2 scipy skimage av onnxruntime rapidocr PySide6"
    code = (
        "import sys, nodes; from nodes.declarations import tool_in; [tool_in(name) for name in nodes._files()];"
        f"print([name for name in '{heavy}'.split() if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""The facts that are stated for models: they fit the tools, hold of what is right, and not of what is wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest

from desktop_app.cli import exit_codes, model_check
from desktop_app.cli.main import main
from desktop_app.core.paths import RESOURCES
from desktop_app.models import facts, store
from desktop_app.models.catalogue import catalogue
from nodes import load_tools
from nodes.api import Box, Label

CHECKS = list(facts.checks().values())
TOOLS = load_tools().tools


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.task)
def test_what_is_stated_fits_the_tool_and_the_bundled_media(check):
    tool = TOOLS[check.tool]
    given = {*check.files, *check.values}
    assert {port.name for port in tool.inputs if port.required} <= given <= {port.name for port in tool.inputs}
    assert all((RESOURCES / "examples" / name).is_file() for name in check.files.values())
    models = [model for model in catalogue().values() if model.task == check.task]
    assert models and all(tool.backend(model.id) is not None for model in models)
    assert check.words


def fact(**of) -> facts.Check:
    return facts.Check("t", "x", **of)


def test_a_fact_holds_of_what_is_right_and_not_of_what_is_wrong():
    named, says = fact(named=("cat",)), fact(says=("cat",))
    assert named.holds((Box(0, 0, 1, 1, "cat"),)) and named.holds((Label("tabby cat"),))
    assert not named.holds((Label("dog"),)) and not named.holds(())
    assert says.holds("A Cat on a mat.") and not says.holds("a dog")
    mask = np.zeros((100, 100), np.uint8)
    mask[20:40, 20:40] = 255
    assert fact(covers=(30, 30, 0.01, 0.5)).holds(mask)
    assert not fact(covers=(50, 50, 0.01, 0.5)).holds(mask) and not fact(covers=(30, 30, 0.5, 0.9)).holds(mask)
    picture = np.zeros((50, 200, 3), np.uint8)
    assert fact(times=2.0).holds(picture, 100) and not fact(times=2.0).holds(picture, 150)
    assert not fact(varied=True).holds(picture) and fact(varied=True).holds(np.arange(256, dtype=np.uint8)[None])


def test_what_is_not_here_is_told_and_is_no_failure(own_home, capsys):
    assert main(["models", "check", "yolos-tiny", "--json"]) == exit_codes.MISSING
    (row,) = json.loads(capsys.readouterr().out)
    assert row["state"] == model_check.ABSENT and row["fact"] == "cat is among the labels"


@pytest.mark.parametrize(("labels", "code"), [("cat", exit_codes.OK), ("dog", exit_codes.FAILED)])
def test_a_model_is_run_and_compared(labels, code, own_home, monkeypatch, capsys):
    class Done:
        tools = TOOLS

        async def start(self):
            pass

        async def close(self):
            pass

        def __getattr__(self, name):
            if name == "run":
                node = type("N", (), {"state": "done", "outputs": {"boxes": "made"}})()
                return type("R", (), {"nodes": {"check": node}})()
            return {"attach": lambda path: type("F", (), {"name": path.name, "facets": {}})(), "edit": lambda _: None,
                    "value_of": lambda _: (Box(0, 0, 1, 1, labels),)}[name]  # fmt: skip

    monkeypatch.setattr(model_check, "new_session", Done)
    monkeypatch.setattr(model_check, "Workflow", lambda *_: None)
    monkeypatch.setattr(store, "present", lambda model: True)
    assert main(["models", "check", "yolos-tiny"]) == code
    assert ("holds" if code == exit_codes.OK else "fails") in capsys.readouterr().out

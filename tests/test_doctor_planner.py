"""What the doctor says of the language model on this computer."""

from __future__ import annotations

import importlib.util
import json
from types import SimpleNamespace

import psutil
import pytest

from desktop_app.core.settings import LOCAL, Settings
from desktop_app.models import store
from desktop_app.models.catalogue import find
from desktop_app.session import diagnostics
from desktop_app.session.diagnostics import Diagnosis
from nodes import Toolbox

SMALL = "qwen2-5-0-5b"


@pytest.fixture(autouse=True)
def plenty(monkeypatch, own_home):
    own_home.mkdir(parents=True)
    monkeypatch.delenv("GRAPHWRIGHT_MODELS", raising=False)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=64e9, total=64e9))


@pytest.mark.parametrize(("listed", "said"), [("", True), ("Noto Sans CJK SC\n", False)])
def test_a_system_without_chinese_characters_is_told_which_package_has_them(monkeypatch, tmp_path, listed, said):
    lister = tmp_path / "fc-list"
    lister.write_text(f"#!/bin/sh\nprintf '{listed}'\n")
    lister.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    fonts = [one for one in diagnostics.examine(Settings(), Toolbox({}, {})) if one.name == "Fonts"]
    assert [one.fix.split()[-1] for one in fonts] == (["fonts-noto-cjk"] if said else [])
    assert all(one.ok is None for one in fonts)  # the window has the usual characters itself


def planner(model: str = SMALL) -> Diagnosis:
    found = diagnostics.examine(Settings(llm_url=LOCAL, llm_model=model), Toolbox({}, {}))
    return next(finding for finding in found if finding.name == "Planner")


def install(id: str) -> None:
    model = find(id)
    store.folder(model).mkdir(parents=True)
    (store.folder(model) / store.MARKER).write_text(json.dumps({"revision": model.revision, "files": {}}))


def test_a_model_that_is_here_is_fine():
    install(SMALL)
    assert planner().ok and "Qwen2.5 0.5B Instruct on this computer" in planner().text


def test_without_a_name_the_best_that_is_here_counts():
    install(SMALL)
    assert planner("").ok and "0.5B" in planner("").text


def test_a_model_that_is_not_downloaded_is_said_with_the_command():
    assert planner().ok is False
    assert f"graphwright models download {SMALL}" in planner().fix


def test_a_model_that_nobody_knows_is_said_with_those_that_are_known():
    assert planner("other").ok is False
    assert "'other'" in planner("other").text and SMALL in planner("other").fix


def test_packages_that_are_missing_are_named(monkeypatch):
    install(SMALL)
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "llguidance" else find_spec(name))
    assert planner().ok is False and "llguidance" in planner().fix


def test_too_little_memory_is_said(monkeypatch):
    install(SMALL)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=1e9, total=2e9))
    assert planner().ok is False and "1.0 GB" in planner().fix

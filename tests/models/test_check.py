"""The facts that are stated for models: they fit the tools, hold of what is right, and not of what is wrong."""

from __future__ import annotations

import csv
import json
import shutil

import numpy as np
import pytest

from desktop_app.cli import exit_codes, model_check
from desktop_app.cli.main import main
from desktop_app.core.paths import RESOURCES
from desktop_app.models import facts
from desktop_app.models.catalogue import catalogue
from nodes import load_tools
from nodes.api import Audio, Box, Label, Table
from tests.nodes.models.conftest import LAYOUT

CHECKS = facts.checks()
TOOLS = load_tools().tools


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.task or check.backend} {check.words}")
def test_what_is_stated_fits_the_tool_and_the_bundled_media(check):
    tool = TOOLS[check.tool]
    given = {*check.files, *check.values}
    assert {port.name for port in tool.inputs if port.required} <= given <= {port.name for port in tool.inputs}
    assert all((RESOURCES / "examples" / name).is_file() for name in check.files.values())
    models = [model.id for model in catalogue().values() if check in facts.of_model(model)]
    assert bool(models) != bool(check.backend)
    assert all(tool.backend(id) is not None for id in models or [check.backend])
    assert check.words


def fact(**of) -> facts.FactCheck:
    return facts.FactCheck("x", "t", **of)


def test_a_fact_holds_of_what_is_right_and_not_of_what_is_wrong():
    named, says = fact(named=("cat",)), fact(says=("cat",))
    assert named.holds((Box(0, 0, 1, 1, "cat"),)) and named.holds((Label("tabby cat"),))
    assert not named.holds((Label("dog"),)) and not named.holds(())
    first = fact(first=("cat",))
    assert first.holds((Label("a cat"), Label("dog"))) and not first.holds((Label("dog"), Label("cat")))
    assert not first.holds(())
    assert says.holds("A Cat on a mat.") and not says.holds("a dog")
    counts = fact(counts=(1, 2))
    assert counts.holds((Box(0, 0, 1, 1),)) and not counts.holds(()) and not counts.holds((Box(0, 0, 1, 1),) * 3)
    assert counts.holds(Table(("a",), ((1,),))) and not counts.holds(Table(("a", "b", "c"), ()))
    mask = np.zeros((100, 100), np.uint8)
    mask[20:40, 20:40] = 255
    assert fact(covers=(30, 30, 0.01, 0.5)).holds(mask)
    assert not fact(covers=(50, 50, 0.01, 0.5)).holds(mask) and not fact(covers=(30, 30, 0.5, 0.9)).holds(mask)
    rows, columns = np.ogrid[:100, :100]
    disc = np.uint8(255) * ((columns - 50) ** 2 + (rows - 40) ** 2 <= 20**2)
    assert fact(circle=(50, 40, 20, 0.99)).holds(disc) and fact(circle=(51, 40, 20, 0.8)).holds(disc)
    assert not fact(circle=(50, 40, 30, 0.8)).holds(disc) and not fact(circle=(20, 40, 20, 0.8)).holds(disc)
    near = fact(brighter=(30, 30, 80, 80))
    assert near.holds(mask) and near.holds(np.dstack((255 - mask,) * 3 + (mask,))) and not near.holds(255 - mask)
    assert fact(above=0.6).holds(0.7) and not fact(above=0.6).holds(0.5)
    tone = np.sin(np.arange(16_000, dtype=np.float32))[:, None]
    assert fact(lasts=(1, 3)).holds(Audio(tone, 8000)) and not fact(lasts=(3, 4)).holds(Audio(tone, 8000))
    assert not fact(lasts=(1, 3)).holds(Audio(tone * 0, 8000)), "silence"
    picture = np.zeros((50, 200, 3), np.uint8)
    assert fact(times=2.0).holds(picture, 100) and not fact(times=2.0).holds(picture, 150)
    assert not fact(varied=True).holds(picture) and fact(varied=True).holds(np.arange(256, dtype=np.uint8)[None])


def test_a_model_of_a_pair_of_languages_is_asked_for_that_pair():
    asked = {id: facts.of_model(catalogue()[id]) for id in ("opus-mt-en-fr", "opus-mt-ru-en", "madlad-400-3b")}
    assert [(check.values["language"], check.says) for (check,) in asked.values()] == [
        ("French", ("chat",)), ("English", ("cat",)), ("German", ("katze",)),
    ]  # fmt: skip


def test_every_model_that_can_be_shown_bundled_media_has_a_fact():
    """No film and no song is bundled."""
    without = {model.task for model in catalogue().values() if model.family and not facts.of_model(model)}
    assert without == {
        "classify video", "compare images", "image to video", "make music", "take song apart", "text to video",
    }  # fmt: skip


def test_what_is_not_here_is_told_and_is_no_failure(own_home, capsys):
    assert main(["models", "check", "yolos-tiny", "--json"]) == exit_codes.MISSING
    (row,) = json.loads(capsys.readouterr().out)
    assert row["state"] == model_check.ABSENT and row["fact"] == "cat is among the labels (cat.jpg)"


def test_of_all_only_what_ran_is_listed_and_the_rest_is_counted(own_home, capsys, monkeypatch):
    async def as_told(session, subject):
        state = model_check.HOLDS if subject.model is None else model_check.ABSENT
        return {"id": subject.id, "state": state, "fact": "so it is", "why": ""}

    monkeypatch.setattr(model_check, "_checked", as_told)
    assert main(["models", "check", "--all"]) == exit_codes.OK
    said = capsys.readouterr()
    assert [line.split()[0] for line in said.out.splitlines()] == [*facts.shipped()]
    assert "3 as stated" in said.err and "not on this computer" in said.err and "models download" in said.err


@pytest.fixture
def tiny_model(tmp_path):
    """Gives the folder of a tiny model that is made as the real one of that id is laid out."""
    return lambda id: LAYOUT[id](tmp_path / id)


@pytest.fixture
def checked(own_home, monkeypatch, capsys):
    """Gives what `models check` of these ids says: the exit code, and the rows by id."""
    monkeypatch.setenv("GRAPHWRIGHT_MODELS", str(own_home / "models"))

    def run(*ids: str) -> tuple[int, dict[str, dict]]:
        capsys.readouterr()
        code = main(["models", "check", *ids, "--json"])
        return code, {row["id"]: row for row in json.loads(capsys.readouterr().out)}

    yield run
    monkeypatch.delenv("GRAPHWRIGHT_CATALOGUE")
    load_tools()


def test_networks_that_ship_with_the_program_are_run_and_their_facts_hold(checked):
    code, rows = checked(*facts.shipped())
    assert code == exit_codes.OK
    assert {row["state"] for row in rows.values()} == {model_check.HOLDS} and len(rows) == 3
    assert rows["blazeface"]["fact"] == "3 are found (group.jpg); 0 are found (rocket.jpg)"


@pytest.mark.timeout(400)
def test_models_are_run_in_lanes_and_their_facts_hold_or_fail(checked, tiny_model, tmp_path):
    """Tiny ones, one of which knows no cat."""
    blind = shutil.copytree(tiny_model("vit-base"), tmp_path / "blind")
    settings = json.loads((blind / "config.json").read_text())
    names = {key: name.replace("cat", "yak") for key, name in settings["id2label"].items()}
    (blind / "config.json").write_text(json.dumps(settings | {"id2label": names, "label2id": {}}))
    for folder in (tiny_model("vit-base"), blind, tiny_model("swin2sr-classical-x2"), tiny_model("sd-1-5")):
        assert main(["models", "add", str(folder)]) == exit_codes.OK
    code, rows = checked("vit-base-2", "blind", "swin2sr-classical-x2-2", "sd-1-5-2")
    assert code == exit_codes.FAILED
    assert {id: row["state"] for id, row in rows.items()} == {
        "vit-base-2": model_check.HOLDS, "blind": model_check.FAILS, "swin2sr-classical-x2-2": model_check.HOLDS,
        "sd-1-5-2": model_check.HOLDS,
    }, rows  # fmt: skip
    assert "yak" in rows["blind"]["why"] and all(row["seconds"] > 0 for row in rows.values())


def test_a_model_that_cannot_be_loaded_fails_with_the_reason(checked, tiny_model, tmp_path):
    broken = shutil.copytree(tiny_model("vit-base"), tmp_path / "broken")
    settings = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps(settings | {"model_type": "nothing that there is"}))
    assert main(["models", "add", str(broken)]) == exit_codes.OK
    code, rows = checked("broken")
    assert code == exit_codes.FAILED and rows["broken"]["state"] == model_check.FAILS
    assert "cannot be loaded" in rows["broken"]["why"]


def taught_to_say(folder, question: str, answer: str, steps: int):
    """A tiny reader of tables that was taught one answer: every part of it but the weights is as it was."""
    import torch
    from transformers import BartForConditionalGeneration, BartTokenizer

    columns, *rows = csv.reader((RESOURCES / "examples" / "cities.csv").read_text("utf-8").splitlines())
    lines = [f"col : {' | '.join(columns)}", *(f"row {at} : {' | '.join(row)}" for at, row in enumerate(rows, 1))]
    tokenizer = BartTokenizer.from_pretrained(folder)
    asked = tokenizer(" ".join([question, *lines]).lower(), return_tensors="pt")
    labels = tokenizer(f" {answer}", return_tensors="pt")["input_ids"]
    network = BartForConditionalGeneration.from_pretrained(folder, dtype=torch.float32)
    network.generation_config.max_length = 64
    optimiser = torch.optim.Adam(network.parameters(), 0.01)
    for _ in range(steps):
        optimiser.zero_grad()
        network(**asked, labels=labels).loss.backward()
        optimiser.step()
    network.save_pretrained(folder)


@pytest.mark.timeout(200)
def test_the_answer_from_a_table_is_compared_with_the_fact(checked, tiny_model, tmp_path):
    right = shutil.copytree(tiny_model("tapex-base-wtq"), tmp_path / "right")
    wrong = shutil.copytree(right, tmp_path / "wrong")
    taught_to_say(right, "Which city is in Norway?", "oslo", 150)
    taught_to_say(wrong, "Which city is in Norway?", "cairo", 150)
    for folder in (right, wrong):
        assert main(["models", "add", str(folder)]) == exit_codes.OK
    code, rows = checked("right", "wrong")
    assert code == exit_codes.FAILED
    assert {id: row["state"] for id, row in rows.items()} == {
        "right": model_check.HOLDS, "wrong": model_check.FAILS,
    }, rows  # fmt: skip
    assert rows["right"]["fact"] == "the text says oslo (cities.csv)" and "cairo" in rows["wrong"]["why"]

"""The facts that are stated for models: they fit the tools, hold of what is right, and not of what is wrong."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import shutil
from pathlib import Path

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


def check_of(*ids: str) -> tuple[int, dict[str, dict]]:
    """What `models check` of these ids says: the exit code, and the rows by id."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = main(["models", "check", *ids, "--json"])
    return code, {row["id"]: row for row in json.loads(said.getvalue())}


@pytest.fixture(scope="module")
def home_of_models(tmp_path_factory):
    """A home for all checks of this file, and a folder for tiny models."""
    folder = tmp_path_factory.mktemp("checked")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHWRIGHT_HOME", str(folder / "home"))
        patch.setenv("GRAPHWRIGHT_MODELS", str(folder / "home" / "models"))
        patch.setenv("GRAPHWRIGHT_CATALOGUE", str(folder / "home" / "models.toml"))
        yield folder
    load_tools()


@pytest.fixture(scope="module")
def checked(home_of_models):
    """What was said of tiny models that are right, blind, broken or wrong, and of the networks that are shipped. All
    are run by one program: a lane has the libraries loaded for the next one.
    """
    made = _made(home_of_models)
    for folder in made:
        with contextlib.redirect_stdout(io.StringIO()):
            assert main(["models", "add", str(folder)]) == exit_codes.OK
    return check_of(*facts.shipped(), *(ID_OF.get(folder.name, folder.name) for folder in made))


ID_OF = {"vit-base": "vit-base-2", "swin2sr-classical-x2": "swin2sr-classical-x2-2", "sd-1-5": "sd-1-5-2"}
"""The catalogue has a model of that id already."""


def _made(root) -> list[Path]:
    """Folders of tiny models, made as the real ones of these ids are laid out."""
    vit, tapex, *others = (
        LAYOUT[id](root / id) for id in ("vit-base", "tapex-base-wtq", "swin2sr-classical-x2", "sd-1-5")
    )
    blind, broken = (shutil.copytree(vit, root / name) for name in ("blind", "broken"))
    settings = json.loads((vit / "config.json").read_text())
    names = {key: name.replace("cat", "yak") for key, name in settings["id2label"].items()}
    (blind / "config.json").write_text(json.dumps(settings | {"id2label": names, "label2id": {}}))
    (broken / "config.json").write_text(json.dumps(settings | {"model_type": "nothing that there is"}))
    right, wrong = (shutil.copytree(tapex, root / name) for name in ("right", "wrong"))
    taught_to_say(right, "Which city is in Norway?", "oslo")
    taught_to_say(wrong, "Which city is in Norway?", "cairo")
    return [vit, blind, broken, right, wrong, *others]


def taught_to_say(folder, question: str, answer: str):
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
    for _ in range(150):
        optimiser.zero_grad()
        loss = network(**asked, labels=labels).loss
        if loss < 0.01:
            break
        loss.backward()
        optimiser.step()
    network.save_pretrained(folder)


def states(checked, *ids: str) -> dict[str, str]:
    return {id: checked[1][id]["state"] for id in ids}


@pytest.mark.timeout(400)
def test_networks_that_ship_with_the_program_are_run_and_their_facts_hold(checked):
    assert set(states(checked, *facts.shipped()).values()) == {model_check.HOLDS} and len(facts.shipped()) == 3
    assert checked[1]["blazeface"]["fact"] == "3 are found (group.jpg); 0 are found (rocket.jpg)"


@pytest.mark.timeout(400)
def test_models_are_run_in_lanes_and_their_facts_hold_or_fail(checked):
    """Tiny ones, one of which knows no cat."""
    assert states(checked, *ID_OF.values(), "blind") == {
        **dict.fromkeys(ID_OF.values(), model_check.HOLDS), "blind": model_check.FAILS,
    }, checked[1]  # fmt: skip
    assert "yak" in checked[1]["blind"]["why"]
    assert all(row["seconds"] > 0 for row in checked[1].values())


@pytest.mark.timeout(400)
def test_a_model_that_cannot_be_loaded_fails_with_the_reason(checked):
    assert states(checked, "broken") == {"broken": model_check.FAILS}
    assert "cannot be loaded" in checked[1]["broken"]["why"]


@pytest.mark.timeout(400)
def test_the_answer_from_a_table_is_compared_with_the_fact(checked):
    assert states(checked, "right", "wrong") == {"right": model_check.HOLDS, "wrong": model_check.FAILS}, checked[1]
    assert checked[1]["right"]["fact"] == "the text says oslo (cities.csv)" and "cairo" in checked[1]["wrong"]["why"]


@pytest.mark.timeout(400)
def test_the_exit_code_tells_whether_one_fails(checked, home_of_models):
    assert checked[0] == exit_codes.FAILED
    assert check_of("blazeface")[0] == exit_codes.OK

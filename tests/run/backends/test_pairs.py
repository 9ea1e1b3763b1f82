"""Models of a pair of languages: a node takes, and is offered, one that leads into its language."""

from __future__ import annotations

import json

import pytest

from desktop_app.models import selection as models
from desktop_app.models import store
from desktop_app.models.catalogue import find
from desktop_app.run.backends import selection
from desktop_app.run.backends.selection import Backends, Fault, SelectedBackend
from nodes import load_tools

TRANSLATE = load_tools().tools["translate"]
GERMAN, FRENCH = {"language": "German"}, {"language": "French"}


@pytest.fixture(autouse=True)
def german_alone_is_here(tmp_path, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_MODELS", str(tmp_path / "models"))
    model = find("opus-mt-en-de")
    folder = store.folder(model)
    names = [name.replace("*", "x") for name in model.files]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"12")
    files = dict.fromkeys(names, 2)
    (folder / store.MARKER).write_text(json.dumps({"id": model.id, "revision": model.revision, "files": files}))
    selection.look_again()
    yield
    selection.look_again()


def test_the_pair_that_is_here_is_taken_for_its_language_alone():
    backends = Backends()
    german = backends.choose(TRANSLATE, None, GERMAN)
    assert isinstance(german, SelectedBackend) and german.backend.model == "opus-mt-en-de"
    assert isinstance(backends.choose(TRANSLATE, None, FRENCH), Fault)
    assert selection.shown(TRANSLATE, None, GERMAN).model == "opus-mt-en-de"
    assert selection.recipe(TRANSLATE, None, GERMAN) != selection.recipe(TRANSLATE, None, FRENCH)


def test_what_is_offered_for_another_language_leads_into_it():
    for preference in (None, *models.PREFERENCES):
        offer = Backends().offer(TRANSLATE, preference, FRENCH)
        offered = find(offer.ids[-1])
        assert offered.family != "onnx marian" or "fr" in offered.languages[1:], (preference, offered.id)
    assert not selection.lacking(TRANSLATE, None, GERMAN) and selection.lacking(TRANSLATE, None, FRENCH)


def test_what_is_offered_first_is_made_for_the_language():
    """A chat model of half a billion weights is six times as large and translates worse."""
    assert Backends().offer(TRANSLATE, None, FRENCH).ids == ("opus-mt-en-fr",)
    assert find(Backends().offer(TRANSLATE, None, {"language": "English"}).ids[-1]).family != "onnx marian"


def test_why_a_pair_does_not_serve_is_said_and_one_that_was_chosen_by_hand_stays():
    ranked = {one.backend.model: one for one in models.rank(TRANSLATE, selection.machine(), "balanced", "fr")}
    assert str(ranked["opus-mt-en-de"].reason) == "it does not translate into this language"
    assert not ranked["opus-mt-en-de"].fits and ranked["opus-mt-en-fr"].fits
    by_hand = Backends().choose(TRANSLATE, ranked["opus-mt-en-de"].backend.id, FRENCH)
    assert isinstance(by_hand, SelectedBackend), "the pairs beside it may lead there"


@pytest.mark.parametrize("values", [None, {}, {"language": ""}, {"language": 3}])
def test_without_a_language_any_pair_serves(values):
    choice = Backends().choose(TRANSLATE, None, values)
    assert isinstance(choice, SelectedBackend) and choice.backend.model == "opus-mt-en-de"

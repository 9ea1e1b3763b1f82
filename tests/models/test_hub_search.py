"""Models beyond the catalogue are searched on the hub and added; what cannot be used is said in words."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from desktop_app.core import settings
from desktop_app.core.errors import BadRequest, DownloadFailed
from desktop_app.models import hub_search, store
from desktop_app.models.catalogue import find
from nodes import catalogue as node_catalogue
from nodes.api import Backend
from tests.models.conftest import REVISION


def entry(repo="someone/tiny", tag="object-detection", gated=False, **more):
    return {"id": repo, "sha": REVISION, "pipeline_tag": tag, "gated": gated, "downloads": 12,
            "tags": ["license:mit", "safetensors"]} | more  # fmt: skip


@pytest.fixture
def listed(hub, tmp_path, monkeypatch):
    """The hub with listings; the user's own catalogue is empty."""
    monkeypatch.setenv(node_catalogue.OWN, str(tmp_path / "own.toml"))
    siblings = hub.listing()["siblings"]

    def serve(**more):
        one = entry(siblings=siblings, **more)
        hub.pages["/api/models"] = json.dumps([one])
        hub.pages[f"/api/models/{one['id']}"] = json.dumps(one)
        return one

    serve()
    return serve


def test_a_search_tells_task_licence_size_and_downloads(listed):
    (found,) = hub_search.search("tiny", "detect objects")
    assert (found.repo, found.task, found.licence, found.downloads) == ("someone/tiny", "detect objects", "mit", 12)
    assert found.size_bytes > 3_000_000 and not found.why_not


def test_what_is_added_is_a_model_of_its_tool_and_can_be_got(listed, hub):
    model = hub_search.add("someone/tiny")
    assert model.own and model.revision == REVISION and find(model.id) == model
    assert model.runs(Backend("f", "F", print, family="transformers object detection", task="detect objects"))
    store.download(model)
    assert store.present(model) and not (store.folder(model) / "pytorch_model.bin").exists()
    with pytest.raises(BadRequest, match="already"):
        hub_search.add("someone/tiny")


@pytest.mark.parametrize(
    ("more", "why"),
    [({"gated": "auto"}, "sign in"), ({"tag": "robotics"}, "no tool here"), ({"tag": ""}, "no tool here")],
)
def test_what_cannot_be_used_says_why(more, why, listed):
    listed(**more)
    assert why in hub_search.search("tiny")[0].why_not
    with pytest.raises(BadRequest, match=why):
        hub_search.add("someone/tiny")


@pytest.mark.parametrize("repo", ["../../etc", "tiny", "a b/c", ""])
def test_a_name_that_is_none_is_refused(repo, own_home):
    with pytest.raises(BadRequest):
        hub_search.add(repo)


@pytest.mark.parametrize("said", ["<html>", "7", "null", '[1, "x", {}]'])
def test_nonsense_of_a_server_is_no_model(said, listed, hub):
    hub.pages["/api/models"] = said
    with suppress(DownloadFailed):  # a sentence, and no other fault
        assert hub_search.search("x") == []


def test_offline_nothing_is_looked_for(listed, hub):
    settings.change(offline=True)
    hub.headers.clear()
    with pytest.raises(DownloadFailed, match="offline"):
        hub_search.search("tiny")
    assert hub.headers == []

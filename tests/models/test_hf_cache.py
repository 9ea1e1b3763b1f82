"""What lies whole and right in the user's Hugging Face cache is used, and nothing of it is fetched."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace

import pytest

from desktop_app.core import settings
from desktop_app.models import hf_cache, offers, store
from tests.models.conftest import FILES, REVISION, WANTED, WEIGHTS


@pytest.fixture
def cache(tmp_path, monkeypatch, own_home):
    """The folder of the model in a cache as the hub's own library lays it out."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "cache" / "models--someone--tiny"
    for name in WANTED:
        data = FILES[name]
        large = name.endswith(".safetensors")
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        blob = folder / "blobs" / (hashlib.sha256(data).hexdigest() if large else git)
        blob.parent.mkdir(parents=True, exist_ok=True)
        blob.write_bytes(data)
        path = folder / "snapshots" / REVISION / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(blob)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(REVISION)
    return folder


def test_a_model_that_is_there_is_used_without_a_network(cache, model, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    settings.change(offline=True)
    assert store.cached(model)
    folder = store.download(model)
    assert store.present(model) and (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert not store.cached(model)


def test_one_without_a_pinned_revision_takes_that_of_the_cache(cache, model):
    free = replace(model, revision="", sha256={})
    store.download(free)
    assert store.present(free) and store.revision(free) == REVISION


def test_a_damaged_one_is_fetched_instead(cache, hub, model):
    next(path for path in (cache / "blobs").iterdir() if path.stat().st_size == len(WEIGHTS)).write_bytes(WEIGHTS[::-1])
    folder = store.download(model)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS and hub.asked


@pytest.mark.parametrize("name", WANTED[::2])
def test_half_a_model_does_not_count(name, cache, hub, model):
    (cache / "snapshots" / REVISION / name).unlink()
    assert not store.cached(model)
    store.download(model)
    assert store.present(model) and hub.asked


def test_one_that_another_program_removes_while_it_is_looked_at_does_not_count(cache, model, monkeypatch):
    def gone(*asked):
        found = names(*asked)
        shutil.rmtree(cache)
        return found

    names = hf_cache._names
    monkeypatch.setattr(hf_cache, "_names", gone)
    assert not store.cached(model)


def test_another_revision_does_not_count(cache, model):
    assert not store.cached(replace(model, revision="f" * 40))


def test_a_link_that_leads_out_of_the_cache_is_not_followed(cache, model, tmp_path):
    path = cache / "snapshots" / REVISION / "config.json"
    path.unlink()
    (tmp_path / ("a" * 40)).write_text("{}")
    path.symlink_to(tmp_path / ("a" * 40))
    assert not store.cached(model)


def test_the_offer_says_that_it_is_there(cache, model):
    assert offers.ModelOffer((model,)).names == "Tiny (in your Hugging Face cache)"

"""What a download is held to: its listed size, its digest, and what it was the first time."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from desktop_app.cli.main import main
from desktop_app.core.errors import DownloadFailed
from desktop_app.models import hub as hub_module
from desktop_app.models import store, transfer
from desktop_app.models.catalogue import catalogue
from tests.models.conftest import FILES, WANTED


def test_a_download_stops_as_soon_as_more_than_the_listed_size_arrives(hub, model, monkeypatch):
    listed = hub_module.files(model)
    small = [replace(file, size=10) if file.name == "model.safetensors" else file for file in listed]
    monkeypatch.setattr(hub_module, "files", lambda _: small)
    with pytest.raises(DownloadFailed, match="larger than the 10 bytes"):
        store.download(model)
    parts = [path for path in store.root().rglob("*") if path.name.startswith("model.safetensors")]
    assert parts == [], "nothing of it is left"
    assert len(FILES["model.safetensors"]) > 1_000_000


def test_no_more_than_listed_is_ever_on_the_disk(hub, model, tmp_path):
    listed = next(file for file in hub_module.files(model) if file.name == "model.safetensors")
    seen = []
    with pytest.raises(DownloadFailed, match="larger"):
        transfer.fetch(replace(listed, size=100_000), tmp_path, seen.append)
    assert max(seen, default=0) <= 100_000


def test_another_content_of_the_same_revision_is_refused_from_the_second_time_on(hub, model):
    store.download(model)
    first = json.loads((store.folder(model) / store.MARKER).read_text())["sha256"]
    assert set(first) >= {"config.json", "model.safetensors"}
    store.remove(model)
    hub.files = {**hub.files, "config.json": hub.files["config.json"] + b" "}
    with pytest.raises(DownloadFailed, match="not the file that was fetched the first time"):
        store.download(model)
    assert not store.present(model)
    hub.files = {**hub.files, "config.json": hub.files["config.json"][:-1]}
    store.download(model)
    assert store.present(model)


def test_digests_without_a_revision_hold_what_the_repository_has_now(hub, model):
    loose = replace(model, revision="")
    store.download(loose)
    assert store.present(loose)
    store.remove(loose)
    (store.root() / "digests.json").unlink()
    hub.files = {**hub.files, "model.safetensors": hub.files["model.safetensors"][:-1] + b"!"}
    with pytest.raises(DownloadFailed):
        store.download(loose)
    assert not store.present(loose)


def test_a_damaged_record_of_digests_stops_nothing(hub, model):
    store.root().mkdir(parents=True, exist_ok=True)
    (store.root() / "digests.json").write_text("[" * 100_000)
    store.download(model)
    assert store.pinned(model) == "digest"
    assert store.pinned(replace(model, sha256={})) == "first download"


def test_the_list_says_what_each_model_is_held_to(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_MODELS", str(tmp_path))
    assert main(["models", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for model in catalogue().values():
        (line,) = [line for line in lines if f" {model.id} " in f"{line} "]
        assert ("pinned by digest" in line) == (store.pinned(model) == "digest")
        assert "pinned by" in line
    assert main(["models", "list", "--json"]) == 0
    kinds = {one["pinned"] for one in json.loads(capsys.readouterr().out)["models"]}
    assert kinds <= {"digest", "revision", "nothing"}


def test_a_model_of_no_known_revision_is_held_to_the_commit_of_its_first_download(hub, model):
    loose = replace(model, revision="", sha256={})
    assert store.pinned(loose) == "nothing" and store.revision(loose) == ""
    store.download(loose)
    assert store.present(loose) and store.pinned(loose) == "first download"
    assert store.revision(loose) == model.revision
    assert json.loads((store.folder(loose) / store.MARKER).read_text())["revision"] == model.revision
    store.remove(loose)
    hub.files = {**hub.files, "config.json": hub.files["config.json"] + b" "}
    with pytest.raises(DownloadFailed, match="not the file that was fetched the first time"):
        store.download(loose)


def test_a_newer_commit_is_not_taken_for_a_model_that_was_fetched_before(hub, model):
    loose = replace(model, revision="", sha256={})
    store.download(loose)
    store.remove(loose)
    hub.revision = "f" * 40
    with pytest.raises(DownloadFailed):
        store.download(loose)
    assert store.revision(loose) == model.revision


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_without_a_pinned_commit_the_hubs_own_digests_are_checked_and_recorded(name, hub, model):
    loose = replace(model, revision="", sha256={})
    hub.wrong.add(name)
    with pytest.raises(DownloadFailed, match="checksum"):
        store.download(loose)
    assert not store.present(loose) and store.revision(loose) == "", "what failed holds nobody to anything"
    hub.wrong.clear()
    store.download(loose)
    stated = {entry["rfilename"]: entry.get("lfs", {}).get("sha256") for entry in hub.listing()["siblings"]}
    recorded = json.loads((store.root() / "digests.json").read_text())[loose.id][hub.revision]
    assert recorded["model.safetensors"] == stated["model.safetensors"]
    assert recorded == json.loads((store.folder(loose) / store.MARKER).read_text())["sha256"]


def test_what_came_of_an_older_commit_is_not_mixed_with_a_newer_one(hub, model):
    loose = replace(model, revision="", sha256={})
    hub.cut["model.safetensors"] = [1000, 0]
    with pytest.raises(DownloadFailed, match="connection was lost"):
        store.download(loose)
    newer = {name: data[::-1] for name, data in hub.files.items()}  # as long as before, so that no size tells
    hub.files, hub.revision = newer, "f" * 40
    store.download(loose)
    folder = store.folder(loose)
    assert {name: (folder / name).read_bytes() for name in WANTED} == {name: newer[name] for name in WANTED}


def test_a_file_that_was_damaged_on_the_disk_before_the_rest_came_is_fetched_anew(hub, model):
    hub.cut["model.safetensors"] = [1000, 0]
    with pytest.raises(DownloadFailed):
        store.download(model)
    (path,) = store.root().rglob("config.json")
    path.write_bytes(FILES["config.json"][::-1])
    store.download(model)
    assert (store.folder(model) / "config.json").read_bytes() == FILES["config.json"]

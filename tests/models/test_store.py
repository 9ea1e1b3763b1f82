"""Models come whole and right, or not at all; what has arrived is never fetched twice."""

from __future__ import annotations

import contextvars
import errno
import json
import shutil
from collections import namedtuple
from dataclasses import replace

import pytest

from desktop_app.core import settings
from desktop_app.core.errors import DownloadFailed, StorageError
from desktop_app.core.settings import Settings
from desktop_app.models import store, transfer
from desktop_app.models.catalogue import Model
from tests.models.conftest import FILES, REVISION, SIZE, WANTED, WEIGHTS, Report

Usage = namedtuple("Usage", "total used free")


def asked_for(hub, name):
    return [given for asked, given in hub.asked if asked == name]


def test_a_model_is_fetched_whole_and_nothing_else_is(hub, model):
    folder = store.download(model)
    assert folder == store.folder(model) and store.present(model)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {*WANTED, store.MARKER}
    assert all((folder / name).read_bytes() == FILES[name] for name in WANTED)
    assert not list(store.root().glob("*.partial"))


def test_what_one_look_found_holds_within_it_and_not_after(hub, model):
    with store.one_look():
        assert not store.present(model)
        with store.one_look():
            store.download(model)
        assert not store.present(model), "looked at once"
        task = contextvars.copy_context()
    assert store.present(model) and task.run(store.present, model), "a task that began within it, too"


def test_what_is_present_is_not_fetched_again(hub, model):
    store.download(model)
    asked = len(hub.asked)
    assert store.download(model) == store.folder(model)
    assert len(hub.asked) == asked


def test_progress_counts_bytes_up_to_all_of_them(hub, model):
    report = Report()
    store.download(model, report)
    done = [count for count, _, _ in report.told]
    assert done == sorted(done) and done[-1] == SIZE
    assert {total for _, total, _ in report.told} == {SIZE}
    assert [name for _, _, name in report.told][-1] == "model.safetensors"
    assert sum(0 < count < SIZE for count in done) >= 3


def test_a_cut_connection_goes_on_where_it_was(hub, model):
    hub.cut["model.safetensors"] = [1_000_000, 500_000]
    report = Report()
    store.download(model, report)
    assert store.present(model)
    assert asked_for(hub, "model.safetensors") == ["", "bytes=1000000-", "bytes=1500000-"]
    assert [count for count, _, _ in report.told] == sorted(count for count, _, _ in report.told)


def test_a_connection_that_gives_nothing_more_fails_in_words_and_can_be_resumed(hub, model):
    hub.cut["model.safetensors"] = [1_200_000, 0]
    with pytest.raises(DownloadFailed, match="connection was lost") as caught:
        store.download(model)
    assert "Try again" in caught.value.fix
    assert not store.present(model) and not store.folder(model).exists()
    store.download(model)
    assert asked_for(hub, "model.safetensors")[-1] == "bytes=1200000-"
    assert (store.folder(model) / "model.safetensors").read_bytes() == WEIGHTS


def test_a_stopped_download_goes_on_next_time(hub, model):
    with pytest.raises(KeyboardInterrupt):
        store.download(model, Report(stop_at=1_500_000))
    assert not store.present(model)
    store.download(model)
    assert store.present(model)
    assert len(asked_for(hub, "config.json")) == 1
    start = asked_for(hub, "model.safetensors")[-1]
    assert start.startswith("bytes=") and int(start[6:-1]) > 1_000_000


def test_a_server_without_ranges_gives_the_file_anew(hub, model):
    with pytest.raises(KeyboardInterrupt):
        store.download(model, Report(stop_at=1_500_000))
    hub.ranges = False
    store.download(model)
    assert (store.folder(model) / "model.safetensors").read_bytes() == WEIGHTS


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_a_wrong_checksum_is_noticed_and_nothing_of_it_kept(name, hub, model):
    hub.wrong.add(name)
    with pytest.raises(DownloadFailed, match="checksum"):
        store.download(model)
    assert not store.present(model)
    hub.wrong.clear()
    store.download(model)
    assert store.present(model)
    assert asked_for(hub, name) == ["", ""]


def test_the_catalogues_checksum_counts_more_than_the_servers(hub, model):
    hub.files["model.safetensors"] = WEIGHTS[::-1]  # and the listing agrees with it
    with pytest.raises(DownloadFailed, match="checksum"):
        store.download(model)


def test_too_full_a_disk_is_told_before_anything_is_fetched(hub, model, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9, 1_000_000))
    with pytest.raises(StorageError, match="free") as caught:
        store.download(model)
    assert "GRAPHWRIGHT_MODELS" in caught.value.fix
    assert hub.asked == []


def test_what_has_arrived_counts_against_the_room_that_is_needed(hub, model, monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        store.download(model, Report(stop_at=2_000_000))
    monkeypatch.setattr(transfer, "SPARE_BYTES", 0)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9, 1_600_000))
    store.download(model)
    assert store.present(model)


def test_a_disk_that_fills_up_on_the_way_is_told_and_what_came_is_kept(hub, model, monkeypatch):
    stream = transfer.stream

    def full(file, part, report):
        def watched(count):
            report(count)
            if count > 1_000_000:
                raise OSError(errno.ENOSPC, "No space left on device")

        stream(file, part, watched)

    monkeypatch.setattr(transfer, "stream", full)
    with pytest.raises(StorageError, match="No space left"):
        store.download(model)
    assert not store.present(model)
    monkeypatch.setattr(transfer, "stream", stream)
    store.download(model)
    assert asked_for(hub, "model.safetensors")[-1].startswith("bytes=")


def test_a_repository_that_is_not_there_is_told(hub, model):
    hub.repo = "someone/else"
    with pytest.raises(DownloadFailed, match="someone/tiny"):
        store.download(model)


def test_a_file_that_is_not_given_is_told(hub, model):
    hub.absent.add("model.safetensors")
    with pytest.raises(DownloadFailed, match=r"model\.safetensors \(404\)"):
        store.download(model)


def test_a_file_that_is_not_listed_is_told(hub, model):
    del hub.files["model.safetensors"]
    with pytest.raises(DownloadFailed, match=r"no model\.safetensors"):
        store.download(model)


def test_a_server_in_trouble_is_told(hub, model, monkeypatch):
    hub.status = 500
    with pytest.raises(DownloadFailed, match="500"):
        store.download(model)


def test_no_server_at_all_is_told(hub, model, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(DownloadFailed, match="cannot be reached"):
        store.download(model)


def test_names_that_lead_out_of_the_folder_are_not_fetched(hub, model):
    hub.files["../outside.json"] = b"{}"
    hub.files["/etc/evil.json"] = b"{}"
    store.download(model)
    assert not (store.root() / "outside.json").exists()
    assert {name for name, _ in hub.asked} == set(WANTED)


def test_no_token_of_the_user_is_sent(hub, model, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    store.download(model)
    assert not any("hf_secret" in value for headers in hub.headers for value in headers.values())


@pytest.fixture
def gated(hub, model, monkeypatch, tmp_path) -> Model:
    """The model, which its server gives to one account alone, and nobody is signed in."""
    hub.gated = "hf_secret"
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "token"))
    return replace(model, gated=True, source="https://huggingface.co/someone/tiny")


def test_a_gated_model_says_what_to_accept_and_where(hub, gated, monkeypatch):
    with pytest.raises(DownloadFailed, match="only given to those who accepted its terms") as caught:
        store.download(gated)
    assert "https://huggingface.co/someone/tiny" in caught.value.fix and "HF_TOKEN" in caught.value.fix
    monkeypatch.setenv("HF_TOKEN", "hf_of_another")
    with pytest.raises(DownloadFailed, match="not given to the account of your token") as caught:
        store.download(gated)
    assert "https://huggingface.co/someone/tiny" in caught.value.fix
    assert not store.present(gated) and not any("hf_" in message for message in map(str, (caught.value,)))


@pytest.mark.parametrize("written", [False, True])
def test_with_the_token_it_comes_and_only_its_server_sees_the_token(written, hub, gated, monkeypatch, tmp_path):
    if written:
        (tmp_path / "token").write_text("hf_secret\n")
    else:
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
    store.download(gated)
    assert store.present(gated)
    seen = {headers["Path"].split("/")[1] for headers in hub.headers if "Authorization" in headers}
    assert seen == {"api", "someone"}, "where the files lie is another server"
    assert sum(headers["Path"].startswith("/store/") for headers in hub.headers) == len(WANTED)


def test_a_mirror_of_the_settings_is_not_shown_the_token(hub, gated, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    monkeypatch.delenv("HF_ENDPOINT")
    monkeypatch.setattr(settings, "now", lambda: Settings(models_mirror=hub.url))
    with pytest.raises(DownloadFailed, match="accepted its terms"):
        store.download(gated)
    assert not any("Authorization" in headers for headers in hub.headers)


def test_a_damaged_or_older_model_is_not_present_and_is_fetched_anew(hub, model):
    folder = store.download(model)
    (folder / "model.safetensors").write_bytes(b"short")
    assert not store.present(model)
    store.download(model)
    assert store.present(model)
    marker = folder / store.MARKER
    marker.write_text(json.dumps(json.loads(marker.read_text()) | {"revision": "f" * 40}))
    assert not store.present(model)
    marker.write_text("{")
    assert not store.present(model)


def test_removing_frees_everything_and_says_how_much(hub, model):
    store.download(model)
    assert store.remove(model) >= SIZE
    assert not store.present(model) and not store.folder(model).exists()
    assert store.remove(model) == 0
    with pytest.raises(KeyboardInterrupt):
        store.download(model, Report(stop_at=1_000_000))
    assert store.remove(model) > 0


def test_models_lie_where_the_environment_says(hub, model, monkeypatch, tmp_path):
    monkeypatch.setenv("GRAPHWRIGHT_MODELS", str(tmp_path / "elsewhere"))
    assert store.download(model).parent == tmp_path / "elsewhere"


def test_what_a_model_needs_comes_with_it(hub, model, monkeypatch):
    base = Model(**{**vars(model), "id": "base"})
    steered = Model(**{**vars(model), "id": "steered", "needs": ("base",)})
    monkeypatch.setattr(store, "with_needs", lambda each: (base, steered) if each.id == "steered" else (each,))
    report = Report()
    store.download(steered, report)
    assert store.present(steered) and store.present(base)
    assert report.told[-1][:2] == (2 * SIZE, 2 * SIZE)
    store.remove(base)
    assert not store.present(steered)
    assert store.missing_bytes(steered) == SIZE


def test_the_revision_is_pinned(hub, model):
    store.download(model)
    marker = json.loads((store.folder(model) / store.MARKER).read_text())
    assert marker["revision"] == REVISION

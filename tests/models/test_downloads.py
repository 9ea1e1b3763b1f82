"""Downloads of a program: one after the other, paused, gone on with and told as they come, whatever the server does."""

from __future__ import annotations

import asyncio

import pytest

from desktop_app.core import settings
from desktop_app.core.errors import BadRequest
from desktop_app.models import catalogue as catalogue_module
from desktop_app.models import downloads as module
from desktop_app.models import runtime, store, transfer
from desktop_app.models.catalogue import Model
from desktop_app.models.downloads import DONE, FAILED, FETCHING, PAUSED, Downloads, Speed
from tests.models.conftest import FILES, SIZE, WEIGHTS


@pytest.fixture
def tiny(hub, model, monkeypatch):
    """The model by its id, and another of the same files, in the catalogue."""
    known = {model.id: model, "other": Model(**{**vars(model), "id": "other"})}
    monkeypatch.setattr(catalogue_module, "catalogue", lambda: known)
    return model


async def until(hub, holds) -> None:
    """Lets the server send one piece after the other until `holds()`."""
    hub.piece = 20_000
    for _ in range(3000):
        if holds():
            return
        hub.step.release()
        await asyncio.sleep(0.01)
    pytest.fail("it did not come to that")


def fetched(*ids: str) -> tuple[bool, Downloads, list]:
    """What getting these gives, the downloads, and all that was told."""
    seen = []

    async def work():
        downloads = Downloads()
        downloads.listen(lambda: seen.append(dict(downloads.all)))
        return await downloads.get(ids), downloads

    return *asyncio.run(work()), seen


def test_what_is_asked_for_comes_and_is_told(tiny):
    got, downloads, seen = fetched("tiny")
    assert got and store.present(tiny)
    states = [one["tiny"].state for one in seen]
    assert states[0] == "waiting" and states[-1] == DONE and FETCHING in states
    assert downloads.all["tiny"].total_bytes == SIZE and downloads.all["tiny"].fraction == 1.0


def test_two_come_one_after_the_other(tiny):
    got, _, seen = fetched("tiny", "other")
    assert got
    assert not any(one["tiny"].state == FETCHING and one.get("other", one["tiny"]).state == FETCHING
                   for one in seen if "other" in one)  # fmt: skip


async def test_a_pause_stops_it_and_going_on_takes_the_rest(hub, tiny):
    hub.piece = 20_000
    downloads = Downloads()
    end = downloads.begin("tiny")
    await until(hub, lambda: downloads.all["tiny"].done_bytes > 500_000)
    downloads.pause("tiny")
    await until(hub, lambda: downloads._jobs["tiny"].task is None)  # its thread has learned of it
    assert downloads.all["tiny"].state == PAUSED
    assert not end.done() and not store.present(tiny), "who waits for it goes on waiting"
    hub.piece = 0
    assert downloads.begin("tiny") is end
    assert await end
    assert store.present(tiny)
    assert any(given.startswith("bytes=") for name, given in hub.asked if name == "model.safetensors")


async def test_a_pause_is_seen_at_once_though_the_server_says_nothing_and_can_be_taken_back(hub, tiny):
    hub.piece = 20_000
    downloads = Downloads()
    end = downloads.begin("tiny")
    await until(hub, lambda: downloads.all["tiny"].done_bytes > 500_000)
    downloads.pause("tiny")
    assert downloads.all["tiny"].state == PAUSED, "its thread still waits for the server"
    assert downloads.begin("tiny") is end and downloads.all["tiny"].state == "waiting"
    await until(hub, end.done)
    assert await end
    assert store.present(tiny)
    assert sum(name == "model.safetensors" for name, _ in hub.asked) == 1, "the same transfer went on"


async def test_one_paused_and_gone_on_with_in_a_row_comes(hub, tiny):
    downloads = Downloads()
    end = downloads.begin("tiny")
    while not end.done():
        downloads.pause("tiny")
        await asyncio.sleep(0.01)
        downloads.begin("tiny")
        await asyncio.sleep(0.05)
    assert await end and downloads.all["tiny"].state == DONE


def test_after_a_restart_it_goes_on_where_it_was(hub, tiny):
    hub.piece = 20_000

    async def first():
        downloads = Downloads()
        downloads.begin("tiny")
        await until(hub, lambda: downloads.all["tiny"].done_bytes > 700_000)
        downloads.close()

    asyncio.run(first())
    hub.piece = 0
    hub.step.release(1000)
    assert not store.present(tiny) and store.arrived_bytes(tiny) > 500_000
    got, _, _ = fetched("tiny")
    assert got and any(given.startswith("bytes=") for name, given in hub.asked if name == "model.safetensors")


def test_a_server_that_stalls_is_left_and_what_came_is_kept(hub, tiny, monkeypatch):
    monkeypatch.setattr(transfer, "SECONDS", 0.4)
    monkeypatch.setattr(transfer, "TRIES", 2)
    hub.stalls["model.safetensors"] = 1_000_000
    got, downloads, _ = fetched("tiny")
    assert not got and downloads.all["tiny"].state == FAILED and not store.present(tiny)
    assert "connection was lost" in downloads.all["tiny"].message
    hub.stalls.clear()
    assert fetched("tiny")[0]
    assert hub.asked[-1] == ("model.safetensors", "bytes=1000000-")


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_a_server_that_announces_more_than_it_has_gives_no_model(name, hub, tiny):
    hub.longer[name] = 1000
    got, downloads, _ = fetched("tiny")
    assert store.present(tiny) == got, "what counts as here is whole and right"
    if got:
        assert (store.folder(tiny) / name).read_bytes() == FILES[name]
    else:
        assert downloads.all["tiny"].state == FAILED


def test_a_server_that_sends_wrong_bytes_gives_no_model(hub, tiny):
    hub.wrong.add("model.safetensors")
    got, downloads, _ = fetched("tiny")
    assert not got and "checksum" in downloads.all["tiny"].message and not store.present(tiny)


@pytest.mark.parametrize("said", [b"<html>login</html>", b"[]", b"[" * 100_000, b'{"sha": 7}', b'{"siblings": 3}'])
def test_a_server_that_answers_nonsense_is_a_sentence(said, hub, tiny, monkeypatch):
    hub.pages[f"/api/models/{tiny.repo}/revision/{tiny.revision}"] = said.decode()
    got, downloads, _ = fetched("tiny")
    assert not got and downloads.all["tiny"].state == FAILED and downloads.all["tiny"].message


def test_a_fault_of_the_program_is_a_failed_download_too(tiny, monkeypatch):
    monkeypatch.setattr(module.store, "download", lambda *_: 1 / 0)
    got, downloads, _ = fetched("tiny")
    assert not got and "ZeroDivisionError" in downloads.all["tiny"].message


async def test_one_that_failed_can_be_tried_again(hub, tiny):
    downloads = Downloads()
    hub.status = 500
    assert not await downloads.get(["tiny"])
    hub.status = 200
    assert await downloads.get(["tiny"])


async def test_one_that_is_given_up_is_false_to_who_waits(hub, tiny):
    hub.piece = 20_000
    downloads = Downloads()
    end = downloads.begin("tiny")
    await until(hub, lambda: downloads.all["tiny"].done_bytes > 300_000)
    downloads.drop("tiny")
    assert end.result() is False and not downloads.all


def test_offline_nothing_is_fetched(hub, tiny):
    settings.change(offline=True)
    got, downloads, _ = fetched("tiny")
    assert not got and "offline" in downloads.all["tiny"].message and hub.asked == []


def test_the_mirror_of_the_settings_is_asked(hub, tiny, monkeypatch):
    monkeypatch.delenv("HF_ENDPOINT")
    settings.change(models_mirror=hub.url)
    assert fetched("tiny")[0]


def test_the_folder_of_the_settings_is_used(hub, tiny, tmp_path):
    settings.change(models_folder=str(tmp_path / "models here"))
    assert fetched("tiny")[0]
    assert (tmp_path / "models here" / "tiny" / "model.safetensors").read_bytes() == WEIGHTS


async def test_an_unknown_id_is_refused(own_home):
    with pytest.raises(BadRequest):
        Downloads().begin("nothing")


def test_the_runtime_is_one_of_them(own_home, monkeypatch):
    monkeypatch.setattr(runtime, "install", lambda report: report(5, 10, "torch.whl"))
    got, downloads, _ = fetched(runtime.ID)
    assert got and downloads.all[runtime.ID].title == runtime.TITLE


def test_speed_and_time_left_are_of_the_last_seconds():
    speed = Speed()
    assert speed.at(0.0, 0) == 0.0
    assert speed.at(1.0, 1000) == pytest.approx(1000)
    assert [speed.at(float(t), 1000 + 10 * t) for t in range(2, 12)][-1] == pytest.approx(10)
    left = module.Download("a", "A", FETCHING, 500, 1000, 100.0)
    assert left.seconds_left == pytest.approx(5) and left.fraction == 0.5
    assert module.Download("a", "A", FETCHING, 500, 1000).seconds_left is None

"""The catalogue obeys its rules, the tools tell the truth about it, and the best back end is chosen."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import BadRequest
from desktop_app.models import own, selection, store
from desktop_app.models.catalogue import BadCatalogue, catalogue, find, models_of, with_needs
from desktop_app.models.selection import Facts, rank
from nodes import load_tools
from nodes._support.inference.control import BASE
from nodes.api import Backend, Tool
from tests.conftest import for_each

MODELS = list(catalogue().values())
BACKENDS = [(tool, backend) for tool in load_tools().tools.values() for backend in tool.backends if backend.model]

GOOD = """
[[model]]
id = "a"
task = "chat"
title = "A"
repo = "x/a"
revision = "0123456789abcdef0123456789abcdef01234567"
files = ["model.safetensors"]
size_bytes = 1
memory_bytes = 1
licence = "MIT"
source = "https://example.org"
quality = 0.5
"""


@for_each(MODELS, lambda model: model.id)
def test_an_entry_is_complete(model):
    assert model.title and model.task and model.licence and model.note
    assert model.source == f"https://huggingface.co/{model.repo}"
    assert not model.gated or "accept its terms" in model.note
    assert not model.repo.startswith(("runwayml/", "fusing/"))
    assert model.memory_bytes > model.size_bytes
    assert all(map(model.is_safe, model.files))
    assert any(name.endswith((".safetensors", ".onnx", "model.bin")) for name in model.files) != model.id.endswith(
        "-settings"
    )
    assert set(model.sha256) <= set(model.files)
    assert "untested" in model.note.lower()


def test_a_name_of_pickles_is_taken_only_where_it_is_read_as_numbers():
    whisper, other = find("faster-whisper-tiny"), find("whisper-tiny")
    assert whisper.is_safe("model.bin") and not whisper.is_safe("pytorch_model.bin")
    assert not other.is_safe("model.bin") and not find("kokoro-82m").is_safe("model.bin")


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("model.safetensors", "pytorch_model.bin", "must end with"),
        ("model.safetensors", "../model.safetensors", "outside"),
        ("0123456789abcdef0123456789abcdef01234567", "main", "revision must be a commit"),
        ('id = "a"', 'id = "../a"', "id must be"),
        ("quality = 0.5", "quality = 5", "quality"),
        ("size_bytes = 1", "size_bytes = 0", "sizes"),
        ('licence = "MIT"', "", "not complete"),
        ("quality = 0.5", "quality = 0.5\nspeed = 1", "unknown keys: speed"),
        ("quality = 0.5", 'quality = 0.5\nneeds = ["b"]', "needs b"),
        ("quality = 0.5", 'quality = 0.5\nsha256 = {"model.safetensors" = "12"}', "checksum"),
        ("[[model]]", f"{GOOD}\n[[model]]", "twice"),
    ],
)
def test_an_entry_that_breaks_a_rule_is_refused(tmp_path, before, after, rule):
    path = tmp_path / "models.toml"
    path.write_text(GOOD)
    assert list(catalogue(path)) == ["a"]
    broken = tmp_path / "broken.toml"
    assert before in GOOD
    broken.write_text(GOOD.replace(before, after, 1))
    with pytest.raises(BadCatalogue, match=rule):
        catalogue(broken)


def test_digests_of_all_weights_hold_a_model_whose_commit_nobody_saw(tmp_path):
    free = GOOD.replace("0123456789abcdef0123456789abcdef01234567", "")
    path = tmp_path / "models.toml"
    path.write_text(f'{free}sha256 = {{"model.safetensors" = "{"1" * 64}"}}\n')
    assert store.pinned(catalogue(path)["a"]) == "digest"
    two = tmp_path / "two.toml"
    two.write_text(path.read_text().replace('["model.safetensors"]', '["model.safetensors", "vae.safetensors"]'))
    with pytest.raises(BadCatalogue, match="without the revision"):
        catalogue(two)


LOOSE = {"controlnet-mlsd", "mms-tts-deu", "nafnet-gopro", "swin2sr-real-x4"}
"""No public source ties a commit, or a digest, to these: the first download of them is recorded, and held to."""


def test_every_other_model_is_held_to_a_commit_or_to_digests():
    assert {model.id for model in MODELS if not model.revision and store.pinned(model) != "digest"} <= LOOSE
    assert set(catalogue()) >= LOOSE


def test_an_unknown_model_is_told():
    with pytest.raises(BadRequest, match="no model 'x'"):
        find("x")


def test_what_is_needed_comes_first():
    assert [model.id for model in with_needs(find("controlnet-canny"))] == ["sd-1-5", "controlnet-canny"]


@for_each(BACKENDS, lambda row: f"{row[0].id} {row[1].id}")
def test_a_back_end_says_of_its_model_what_the_catalogue_says(row):
    _, backend = row
    model = find(backend.model)
    assert backend.kind == "model"
    assert backend.download_bytes == sum(each.size_bytes for each in models_of(backend))
    assert backend.memory_bytes == max(each.memory_bytes for each in (model, *map(find, backend.needs)))
    assert backend.quality == model.quality
    needed = {"python:torch", "python:transformers"}
    if any(name.endswith(".onnx") for name in model.files):
        needed = {"python:onnxruntime"}
    elif "model.bin" in model.files:
        needed = {"python:faster_whisper"}
    assert needed <= set(backend.requires)


def test_every_model_is_used_by_a_tool_or_another_model():
    used = {model.id for _, backend in BACKENDS for model in models_of(backend)} | {id for _, id in own.SETTINGS}
    assert used == set(catalogue())


def test_what_the_controlnets_steer_is_what_the_catalogue_brings():
    steering = [model for model in MODELS if model.family == "diffusers controlnet"]
    assert len(steering) >= 9 and {model.needs for model in steering} == {(BASE,), ("sdxl-base-1",), ("qwen-image",)}
    assert all(find(model.needs[0]).family == "diffusers pipeline" for model in steering)


def test_there_is_a_choice_of_models_for_many_tasks():
    assert len(MODELS) >= 70
    assert sum(not model.revision for model in MODELS) < len(MODELS)


def backend(id: str, model: str = "", quality: float = 0.5, memory: int = 0) -> Backend:
    return Backend(id, id, print, "model" if model else "built-in", "gpu", memory, 0, quality, model)


def tool(*backends: Backend) -> Tool:
    return Tool("t", "T", "image", "T.", (), (), backends)


def order(tool: Tool, **facts) -> list[str]:
    return [ranked.backend.id for ranked in rank(tool, Facts(**({"memory_bytes": 10**11} | facts)))]


def have(monkeypatch, *ids: str) -> None:
    monkeypatch.setattr(store, "present", lambda model: model.id in ids)


TASK = tool(backend("built", quality=0.55), backend("tiny", "whisper-tiny"), backend("small", "whisper-small"))


def test_what_is_on_disk_comes_before_what_must_be_fetched(monkeypatch):
    have(monkeypatch)
    assert order(TASK) == ["built", "small", "tiny"]
    have(monkeypatch, "whisper-tiny")
    assert order(TASK) == ["built", "tiny", "small"]


def test_of_what_is_on_disk_the_best_comes_first(monkeypatch):
    have(monkeypatch, "whisper-tiny", "whisper-small")
    assert order(TASK) == ["small", "built", "tiny"]


def test_what_does_not_fit_comes_last_and_says_why(monkeypatch):
    have(monkeypatch, "whisper-tiny", "whisper-small")
    assert order(TASK, memory_bytes=10**9) == ["built", "tiny", "small"]
    last = rank(TASK, Facts(10**9))[-1]
    assert not last.fits and "2.5 GB of memory" in last.reason


def test_a_gpu_makes_room_for_what_the_memory_does_not_hold(monkeypatch):
    have(monkeypatch, "whisper-small")
    assert order(TASK, memory_bytes=10**9, gpu_bytes=8 * 10**9)[0] == "small"
    assert rank(TASK, Facts(10**9, 8 * 10**9))[0].reason == "runs on the GPU, on disk"


def test_a_large_model_of_pictures_takes_turns_on_a_small_gpu(monkeypatch):
    have(monkeypatch, "qwen-image", "qwen2-5-7b")
    found = {each.id: each for each in load_tools().tools["text_to_image"].backends}
    painter, gb = tool(found["qwen-image"]), 10**9
    needed = find("qwen-image").memory_bytes // 2
    for memory, gpu, where in ((needed, 8, "GPU"), (needed - gb, 8, ""), (needed, 2, "CPU")):
        (ranked,) = rank(painter, Facts(memory, gpu * gb))
        assert ranked.fits == bool(where) and (not where or ranked.reason == f"runs on the {where}, on disk")
    talker = next(each for each in load_tools().tools["chat"].backends if each.id == "qwen2-5-7b")
    assert not rank(tool(talker), Facts(find("qwen2-5-7b").memory_bytes // 2, 8 * gb))[0].fits


def test_what_is_not_installed_cannot_run(monkeypatch):
    have(monkeypatch, "whisper-small")
    ranked = rank(TASK, Facts(10**11, works=lambda backend: not backend.model))
    assert ranked[0].backend.id == "built"
    assert [each.fits for each in ranked] == [True, False, False]


def test_a_download_is_named_with_its_size(monkeypatch):
    have(monkeypatch)
    reasons = {each.backend.id: each.reason for each in rank(TASK, Facts(10**11))}
    assert reasons["small"] == "runs on the CPU after a download of 971 MB"
    assert reasons["built"] == "works at once"


def test_facts_are_those_of_this_machine():
    facts = selection.facts(lambda backend: True)
    assert facts.memory_bytes > 0 and facts.gpu_bytes == 0

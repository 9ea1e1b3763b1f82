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
        one = entry(**{"siblings": siblings} | more)
        hub.pages["/api/models"] = json.dumps([one])
        hub.pages[f"/api/models/{one['id']}"] = json.dumps(one)
        return one

    serve()
    return serve


def test_a_search_tells_task_licence_size_and_downloads(listed):
    (found,) = hub_search.search("tiny", "detect objects")
    assert (found.repo, found.task, found.licence, found.downloads) == ("someone/tiny", "detect objects", "mit", 12)
    assert found.size_bytes > 3_000_000 and not found.why_not


def told(repo="someone/tiny", **more):
    """An entry of a search as the hub gives it: files without their sizes."""
    names = ["config.json", "preprocessor_config.json", "tokenizer.json", "model.safetensors"]
    return {"id": repo, "pipeline_tag": "", "downloads": 12, "siblings": [{"rfilename": name} for name in names]} | more


@pytest.mark.parametrize(
    ("config", "task"),
    [
        ({"architectures": ["BlipForQuestionAnswering"]}, "answer about image"),
        ({"architectures": ["Sam2Model"]}, "segment by points"),
        ({"architectures": ["Mask2FormerForUniversalSegmentation"]}, "name regions"),
        ({"architectures": ["Swin2SRForImageSuperResolution"]}, "upscale"),
        ({"diffusers": {"_class_name": "StableDiffusionXLInpaintPipeline"}}, "inpaint"),
        ({"diffusers": {"_class_name": "FluxKontextPipeline"}}, "edit by instruction"),
    ],
)
def test_what_a_folder_can_be_a_repository_can_be(config, task, listed, hub):
    """The task that the hub names is coarser than the class, or none."""
    hub.pages["/api/models"] = json.dumps([told(config=config, pipeline_tag="image-text-to-text")])
    (found,) = hub_search.search("x")
    assert (found.task, found.why_not) == (task, "")


def test_what_no_tool_runs_is_named_by_its_class(listed, hub):
    unknown = told(config={"architectures": ["TimesFmModel"]}, pipeline_tag="time-series-forecasting")
    hub.pages["/api/models"] = json.dumps([unknown, entry("a/b", siblings=hub.listing()["siblings"])])
    usable, other = hub_search.search("x")
    assert "TimesFmModel" in other.why_not and other.task == "time series forecasting"
    assert not usable.why_not, "what can be used comes first"


def test_what_lacks_a_file_says_which(listed, hub):
    entry = told(config={"architectures": ["BlipForConditionalGeneration"]})
    entry["siblings"] = [{"rfilename": "model.safetensors"}, {"rfilename": "tokenizer.json"}]
    hub.pages["/api/models"] = json.dumps([entry])
    assert "preprocessor_config.json" in hub_search.search("x")[0].why_not


def test_a_size_that_a_search_does_not_tell_is_that_of_its_numbers_or_asked_for(listed, hub):
    detector = {"architectures": ["DetrForObjectDetection"]}
    known = told("someone/other", config=detector, safetensors={"parameters": {"F32": 1_000_000, "BF16": 500_000}})
    hub.pages["/api/models"] = json.dumps([known, told(config=detector)])
    assert [found.size_bytes for found in hub_search.search("x")] == [5_000_000, sum(
        each["size"] for each in hub.listing()["siblings"] if each["rfilename"] in ("config.json", "model.safetensors")
    )]  # fmt: skip


def test_a_search_needs_no_words_where_it_has_a_task(listed, hub):
    hub.headers.clear()
    assert hub_search.search("", "segment by points")
    assert "pipeline_tag=mask-generation" in hub.headers[0]["Query"] and "search=" not in hub.headers[0]["Query"]


def test_parts_of_a_pipeline_come_with_it_and_copies_do_not(listed, hub):
    names = ["model_index.json", "unet/config.json", "unet/diffusion_pytorch_model.safetensors",
             "unet/diffusion_pytorch_model.fp16.safetensors", "text_encoder_3/config.json",
             "text_encoder_3/model.safetensors", "safety_checker/config.json", "safety_checker/model.safetensors",
             "scheduler/scheduler_config.json", "sd.safetensors", "pictures/a.json"]  # fmt: skip
    listed(config={"diffusers": {"_class_name": "StableDiffusionPipeline"}},
           siblings=[{"rfilename": name, "size": 10} for name in names])  # fmt: skip
    model = hub_search.add("someone/tiny")
    assert {name.rpartition("/")[0] for name in model.files} == {"", "unet", "text_encoder_3", "scheduler"}
    assert len(model.files) == 6 and model.size_bytes == 60
    assert "inpaint" in model.abilities, "as the models of its family that the catalogue has"


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

"""Each back end on a CUDA device: same kinds of results as on the CPU, and the ladder's rungs that only a GPU has."""

from __future__ import annotations

import numpy as np
import pytest

from nodes._support.inference import diffusion
from nodes._support.models import model_pool
from nodes._support.models.placement import Placement, Way
from nodes.api import Point
from nodes.audio.speech_to_text import speech_to_text
from nodes.image.detect_objects import detect_objects
from nodes.image.map_to_image import map_to_image
from nodes.image.text_to_image import text_to_image
from nodes.mask.segment_points import segment_points
from nodes.text.chat import chat
from tests.nodes.models.test_language import tone

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def needs_cuda():
    import torch

    if not torch.cuda.is_available():
        pytest.skip("there is no CUDA device")


def on_gpu(context_for, id):
    return context_for(id, "cuda:0")


def test_boxes_are_those_of_the_cpu(context_for, picture):
    there = detect_objects(picture, 0.0, context=on_gpu(context_for, "yolos-tiny"))
    here = detect_objects(picture, 0.0, context=context_for("yolos-tiny"))
    assert len(there) == len(here)
    assert np.allclose([box[:4] for box in there], [box[:4] for box in here], atol=0.5)


def test_clicks_work(context_for, picture):
    mask = segment_points(picture, (Point(40, 30),), context=on_gpu(context_for, "sam-vit-base"))
    assert mask.shape == (60, 90)


def test_painting_works_in_16_bits(context_for):
    context = on_gpu(context_for, "sd-1-5")
    image = text_to_image("a cat", width=64, height=64, steps=2, context=context)
    assert image.shape == (64, 64, 3) and len(np.unique(image)) > 10
    assert len(context.previews) == 2


def test_maps_listening_and_chatting_work(context_for):
    map = np.zeros((64, 64, 3), np.uint8)
    map[20:22] = 255
    assert map_to_image(map, "a cat", steps=2, context=on_gpu(context_for, "controlnet-canny")).shape == (64, 64, 3)
    assert isinstance(speech_to_text(tone(1), context=on_gpu(context_for, "whisper-base")), str)
    assert isinstance(chat("Hello", max_tokens=8, context=on_gpu(context_for, "qwen2-5-0-5b")), str)


@pytest.mark.parametrize("failures", [1, 2, 3, 4, 5])
def test_each_rung_still_paints(failures, context_for, monkeypatch):
    import torch

    painted, left = diffusion._painted, [failures]

    def short_of_memory(*arguments):
        if left[0]:
            left[0] -= 1
            raise torch.OutOfMemoryError
        return painted(*arguments)

    monkeypatch.setattr(diffusion, "_painted", short_of_memory)
    context = on_gpu(context_for, "sd-1-5")
    image = text_to_image("a cat", width=64, height=64, steps=2, context=context)
    assert image.shape == (64, 64, 3)
    assert len([note for note in context.notes if "memory ran out" in note]) == failures


@pytest.mark.parametrize("id", ["sd-1-5", "flux-2-klein-4b", "z-image-turbo", "qwen-image"])
def test_parts_and_layers_take_turns_on_it(id, context_for, monkeypatch):
    import torch

    pictures, most = [], []
    for way in (Way.WHOLE, Way.PARTS, Way.LAYERS):
        monkeypatch.setattr(model_pool, "_options", lambda *_, way=way: [Placement("cuda:0", way, 1, 1)])
        model_pool.pool().free_others()
        torch.cuda.reset_peak_memory_stats()
        context = on_gpu(context_for, id)
        pictures.append(text_to_image("a cat", width=64, height=64, seed=3, steps=2, context=context).astype(int))
        most.append(torch.cuda.max_memory_allocated())
        assert len(context.previews) == 2
    assert most[2] < most[0], "layers that wait are not on the GPU"
    assert all(np.abs(each - pictures[0]).mean() < 2 for each in pictures)

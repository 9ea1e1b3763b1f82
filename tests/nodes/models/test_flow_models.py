"""The models of pictures of today (FLUX.2 klein, Z-Image, Qwen-Image and what edits with it): what a back end gives is
what the library's own plain call gives with the same weights, words and seed, and the steps that the model is made for.
"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from desktop_app.models.catalogue import find
from nodes._support import models, repainting
from nodes.image.edit_by_instruction import edit_by_instruction
from nodes.image.extend_canvas import extend_canvas
from nodes.image.image_to_image import image_to_image
from nodes.image.inpaint import inpaint
from nodes.image.text_to_image import text_to_image
from tests.nodes.models.test_plain_calls import called, plain_pipeline

SIDE = 64
WORDS = "a cat on a red cup"


def square(side: int = SIDE) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, (side, side, 3), np.uint8)


def close(found: np.ndarray, plain: np.ndarray) -> bool:
    return found.shape == plain.shape and int(np.abs(found.astype(int) - plain).max()) <= 1


PAINTERS = [
    ("flux-2-klein-4b", "Flux2KleinPipeline", {"num_inference_steps": 4, "guidance_scale": 1.0}),
    ("z-image-turbo", "ZImagePipeline", {"num_inference_steps": 8, "guidance_scale": 0.0}),
    ("qwen-image", "QwenImagePipeline", {"num_inference_steps": 50, "true_cfg_scale": 4.0, "negative_prompt": " "}),
]


@pytest.mark.parametrize(("id", "name", "own"), PAINTERS, ids=[each[0] for each in PAINTERS])
def test_pictures_of_words(id, name, own, context_for, model_of):
    context = context_for(id)
    found = text_to_image(WORDS, width=SIDE, height=SIDE, seed=5, context=context)
    plain = called(plain_pipeline(name, model_of(id)), 5, prompt=WORDS, width=SIDE, height=SIDE, **own)
    assert close(found, plain) and np.ptp(found) > 20
    steps = own["num_inference_steps"]
    assert f"step {steps} of {steps}" in map(str, context.notes)
    assert len(context.previews) == steps and all(each.ndim == 3 for each in context.previews)
    assert not np.array_equal(context.previews[0], context.previews[-1])


@pytest.mark.parametrize("id", ["flux-2-klein-4b", "z-image-turbo", "qwen-image"])
def test_the_last_preview_is_the_picture(id, context_for):
    context = context_for(id)
    found = text_to_image(WORDS, width=32, height=32, seed=5, steps=2, context=context)
    last = context.previews[-1]
    assert np.abs(np.asarray(Image.fromarray(found).resize(last.shape[1::-1])).astype(int) - last).max() <= 2


def test_words_are_followed_as_closely_as_people_say(context_for, model_of):
    made = plain_pipeline("QwenImagePipeline", model_of("qwen-image"))
    plain = called(made, 5, prompt=WORDS, negative_prompt="fog", width=32, height=32, num_inference_steps=2,
                   true_cfg_scale=2.0)  # fmt: skip
    found = text_to_image(
        WORDS, "fog", width=32, height=32, seed=5, steps=2, guidance=2.0, context=context_for("qwen-image")
    )
    assert close(found, plain)


@pytest.mark.parametrize(
    ("id", "name", "own"),
    [
        ("z-image-turbo", "ZImageImg2ImgPipeline", {"guidance_scale": 0.0}),
        ("qwen-image", "QwenImageImg2ImgPipeline", {"true_cfg_scale": 4.0, "negative_prompt": " "}),
    ],
)
def test_pictures_after_a_picture(id, name, own, context_for, model_of, monkeypatch):
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: SIDE)
    plain = called(
        plain_pipeline(name, model_of(id)), 5, prompt=WORDS, image=Image.fromarray(square()), width=SIDE, height=SIDE,
        strength=0.5, num_inference_steps=4, **own,
    )  # fmt: skip
    assert close(image_to_image(square(), WORDS, 0.5, seed=5, steps=4, context=context_for(id)), plain)


@pytest.mark.parametrize(
    ("id", "name", "own"),
    [
        ("flux-2-klein-4b", "Flux2KleinInpaintPipeline", {"guidance_scale": 1.0}),
        ("z-image-turbo", "ZImageInpaintPipeline", {"guidance_scale": 0.0}),
        ("qwen-image", "QwenImageInpaintPipeline", {"true_cfg_scale": 4.0, "negative_prompt": " "}),
    ],
)
def test_parts_painted_anew(id, name, own, context_for, model_of, monkeypatch):
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: SIDE)
    mask = np.full((SIDE, SIDE), 255, np.uint8)
    plain = called(
        plain_pipeline(name, model_of(id)), 5, prompt=WORDS, image=Image.fromarray(square()),
        mask_image=Image.fromarray(mask), width=SIDE, height=SIDE, num_inference_steps=3, strength=1.0, **own,
    )  # fmt: skip
    assert close(inpaint(square(), mask, WORDS, seed=5, steps=3, context=context_for(id)), plain)
    wide = extend_canvas(square(32), left=16, right=16, prompt=WORDS, steps=2, context=context_for(id))
    assert wide.shape == (32, 64, 3) and np.array_equal(wide[:, 16:48], square(32))


def test_edits_by_an_instruction_of_klein(context_for, model_of, monkeypatch):
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: SIDE)
    plain = called(
        plain_pipeline("Flux2KleinPipeline", model_of("flux-2-klein-4b")), 0, prompt="give it a hat",
        image=Image.fromarray(square()), width=SIDE, height=SIDE, num_inference_steps=4, guidance_scale=1.0,
    )  # fmt: skip
    assert close(edit_by_instruction(square(), "give it a hat", context_for("flux-2-klein-4b")), plain)


def test_edits_by_an_instruction_of_qwen(context_for, model_of, monkeypatch):
    from diffusers.pipelines.qwenimage import pipeline_qwenimage_edit_plus as library

    monkeypatch.setattr(library, "VAE_IMAGE_SIZE", SIDE**2)  # the picture is looked at with a megapixel otherwise
    monkeypatch.setattr(library, "CONDITION_IMAGE_SIZE", SIDE**2)
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: SIDE)
    id = "qwen-image-edit-2511"
    prepares = models.qwen_processor(model_of(id) / "processor")
    made = plain_pipeline("QwenImageEditPlusPipeline", model_of(id), processor=prepares)
    plain = called(
        made, 0, prompt="give it a hat", negative_prompt=" ", image=Image.fromarray(square()), width=SIDE, height=SIDE,
        num_inference_steps=2, true_cfg_scale=4.0,
    )  # fmt: skip
    wish = repainting.Wish("give it a hat", steps=2)
    assert close(repainting.anew(square(), wish, context_for(id), ""), plain)


def test_each_says_what_it_does_its_best_with():
    assert (find("flux-2-klein-4b").steps, find("flux-2-klein-4b").guidance) == (4, 1.0)
    assert (find("z-image-turbo").steps, find("z-image-turbo").guidance) == (8, 0.0)

"""The models of pictures of today (FLUX.2 klein, Z-Image, Qwen-Image and what edits with it): what a back end gives is
what the library's own plain call gives with the same weights, words and seed, and the steps that the model is made for.
"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from desktop_app.models.catalogue import find
from nodes._support.imaging.pixels import resized
from nodes._support.inference import repainting
from nodes._support.models import models
from nodes._support.vision import people
from nodes.api import NodeError
from nodes.image import restore_photo as restore
from nodes.image import split_layers as split
from nodes.image.edit_by_instruction import edit_by_instruction
from nodes.image.edit_with_picture import edit_with_picture
from nodes.image.extend_canvas import extend_canvas
from nodes.image.image_to_image import image_to_image
from nodes.image.inpaint import inpaint
from nodes.image.restore_photo import restore_photo
from nodes.image.text_to_image import text_to_image
from nodes.image.transfer_style import _WISH as STYLE
from nodes.image.transfer_style import transfer_style
from tests.nodes.models.nearness import close
from tests.nodes.models.test_plain_calls import called, plain_pipeline

SIDE = 64
WORDS = "a cat on a red cup"


def square(side: int = SIDE) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, (side, side, 3), np.uint8)


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


def other() -> np.ndarray:
    return np.random.default_rng(2).integers(0, 255, (80, 80, 3), np.uint8)


def test_a_picture_in_the_style_of_another(context_for, model_of, monkeypatch):
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: SIDE)
    made = plain_pipeline("Flux2KleinPipeline", model_of("flux-2-klein-4b"))
    shown = Image.fromarray(resized(other(), SIDE, SIDE))  # at the model's size
    given = {"image": [Image.fromarray(square()), shown], "width": SIDE, "height": SIDE,
             "num_inference_steps": 2, "guidance_scale": 1.0}  # fmt: skip
    context = context_for("flux-2-klein-4b")
    assert close(transfer_style(square(), other(), 3, 2, context), called(made, 3, prompt=STYLE, **given))
    plain = called(made, 3, prompt="put it on the sofa", **given)
    assert close(edit_with_picture(other(), square(), "put it on the sofa", 3, 2, context=context), plain)


def test_a_picture_of_a_form_that_the_model_does_not_make_is_painted_all_the_same(context_for, monkeypatch):
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: 512)
    strip = np.random.default_rng(2).integers(0, 255, (6, 300, 3), np.uint8)
    wish = repainting.Wish("snow", steps=1)
    assert repainting.anew(strip, wish, context_for("flux-2-klein-4b"), "").shape == strip.shape


def test_without_a_model_its_colours_are_taken_over():
    grey = np.random.default_rng(3).integers(100, 140, (40, 40, 3), np.uint8)
    warm = np.clip(np.random.default_rng(4).normal((200, 120, 60), 25, (40, 40, 3)), 0, 255).astype(np.uint8)
    found = transfer_style(grey, warm)
    assert np.abs(found.mean((0, 1)) - warm.mean((0, 1))).max() < 6
    assert np.corrcoef(found.mean(2).ravel(), grey.mean(2).ravel())[0, 1] > 0.8, "what it shows stays"
    clear = np.dstack((grey, np.full((40, 40), 7, np.uint8)))
    assert np.array_equal(transfer_style(clear, warm)[:, :, 3], clear[:, :, 3])


def test_a_photo_is_restored(context_for, monkeypatch):
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: SIDE)
    context = context_for("flux-2-klein-4b")
    wish = repainting.Wish(restore._WISHES["photo"], seed=3, steps=2)
    assert close(restore_photo(square(), "photo", 3, 2, context=context), repainting.anew(square(), wish, context, ""))


def test_only_the_faces_are_restored(context_for, monkeypatch):
    from desktop_app.core.paths import RESOURCES

    photo = np.asarray(Image.open(RESOURCES / "examples" / "group.jpg").convert("RGB"))
    context = context_for("flux-2-klein-4b")
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: SIDE)
    seen = people.faces(photo)
    found = restore_photo(photo, "faces", 3, 1, context=context)
    for box in seen:
        inside = np.s_[int(box.y0) + 4 : int(box.y1) - 4, int(box.x0) + 4 : int(box.x1) - 4]
        assert (found[inside] != photo[inside]).any(axis=2).mean() > 0.8
    away = np.ones(photo.shape[:2], bool)
    for box in seen:
        wide, high = box.x1 - box.x0, box.y1 - box.y0
        away[max(0, int(box.y0 - high)) : int(box.y1 + high), max(0, int(box.x0 - wide)) : int(box.x1 + wide)] = False
    assert len(seen) > 1 and away.any() and np.array_equal(found[away], photo[away])
    with pytest.raises(NodeError, match="no face"):
        restore_photo(square(), "faces", context=context)


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


@pytest.mark.parametrize("size", [(64, 64), (48, 96)])
def test_edits_by_an_instruction_of_kontext(size, context_for, model_of, monkeypatch):
    from diffusers.pipelines.flux import pipeline_flux_kontext as library

    monkeypatch.setattr(library, "PREFERRED_KONTEXT_RESOLUTIONS", [size])  # those of a megapixel otherwise
    monkeypatch.setattr(repainting.diffusion, "own_side", lambda pipeline: max(size))
    id, image = "flux-1-kontext-dev", np.random.default_rng(1).integers(0, 255, (*size[::-1], 3), np.uint8)
    plain = called(
        plain_pipeline("FluxKontextPipeline", model_of(id)), 0, prompt="give it a hat", image=Image.fromarray(image),
        width=size[0], height=size[1], max_area=size[0] * size[1], num_inference_steps=2, guidance_scale=2.5,
    )  # fmt: skip
    found = repainting.anew(image, repainting.Wish("give it a hat", steps=2), context_for(id), "")
    assert found.shape == image.shape, "all of the picture, and in its form"
    assert close(found, plain)


@pytest.mark.parametrize("prompt", ["a cat on a cup", ""])
def test_layers(prompt, context_for, model_of, monkeypatch):
    from diffusers.pipelines.qwenimage import pipeline_qwenimage_layered as library

    assert all(split._size(form) == library.calculate_dimensions(640 * 640, form) for form in (0.3, 1, 1.5, 2.7))
    monkeypatch.setattr(library, "calculate_dimensions", lambda area, ratio: (64, 32))
    monkeypatch.setattr(split, "_size", lambda form: (64, 32))
    id, image = "qwen-image-layered", np.random.default_rng(1).integers(0, 255, (32, 64, 3), np.uint8)
    prepares = models.qwen_processor(model_of(id) / "processor")
    made = plain_pipeline("QwenImageLayeredPipeline", model_of(id), processor=prepares)
    import torch

    plain = made(
        Image.fromarray(image).convert("RGBA"), prompt, negative_prompt=" ", true_cfg_scale=4.0, layers=3,
        num_inference_steps=2, resolution=640, use_en_prompt=True, output_type="np",
        generator=torch.Generator("cpu").manual_seed(5),
    ).images[0]  # fmt: skip
    context = context_for(id)
    found = split.split_layers(image, 3, prompt, 5, 2, context=context)
    assert len(found) == 3 and all(layer.shape == (32, 64, 4) for layer in found)
    assert np.abs(np.stack(found) - np.rint(np.stack(plain) * 255)).max() <= 1
    assert len(context.previews) == 2 and all(each.shape[2] == 3 for each in context.previews)


def test_each_says_what_it_does_its_best_with():
    assert (find("flux-2-klein-4b").steps, find("flux-2-klein-4b").guidance) == (4, 1.0)
    assert (find("z-image-turbo").steps, find("z-image-turbo").guidance) == (8, 0.0)

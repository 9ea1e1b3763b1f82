"""Pictures from words and from maps, on tiny pipelines with random weights, through diffusers' real loading code."""

from __future__ import annotations

import numpy as np
import pytest

from nodes._support.inference import diffusion
from nodes._support.inference.control import BASE
from nodes.api import Cancelled, NodeError
from nodes.image.depth_to_image import depth_to_image
from nodes.image.map_to_image import map_to_image
from nodes.image.text_to_image import text_to_image
from tests.nodes.models.test_looking import shown_by


def paint(context, prompt="a cat in the sun", **values):
    values = {"width": 64, "height": 64, "steps": 2} | values
    return text_to_image(prompt, context=context, **values)


@pytest.mark.parametrize("id", ["sd-1-5", "lcm-dreamshaper-7", "sdxl-base-1"])
def test_a_picture_has_exactly_the_size_asked_for(id, context_for):
    context = context_for(id)
    image = text_to_image("a cat", negative="a dog", width=75, height=66, steps=2, context=context)
    assert image.shape == (66, 75, 3) and image.dtype == np.uint8
    assert len(np.unique(image)) > 10
    assert image.flags["C_CONTIGUOUS"]


def test_without_a_size_the_picture_is_as_large_as_the_model_likes(context_for):
    assert paint(context_for("sd-1-5"), width=None, height=None).shape == (16, 16, 3)


def test_a_seed_stands_for_a_picture(context_for):
    first = paint(context_for("sd-1-5"), seed=3)
    assert (paint(context_for("sd-1-5"), seed=3) == first).all()
    assert (paint(context_for("sd-1-5"), seed=4) != first).any()


def test_words_and_guidance_matter(context_for):
    plain = paint(context_for("sd-1-5"))
    assert (paint(context_for("sd-1-5"), prompt="red") != plain).any()
    assert (paint(context_for("sd-1-5"), negative="sun") != plain).any()
    assert (paint(context_for("sd-1-5"), guidance=0.0) != plain).any()


@pytest.mark.parametrize("id", ["sd-1-5", "sdxl-base-1"])
def test_each_step_is_told_with_a_preview(id, context_for):
    context = context_for(id)
    paint(context, steps=4, width=128, height=64)
    steps = [(fraction, note) for fraction, note, preview in context.told if preview is not None]
    assert [note for _, note in steps] == [f"step {n} of 4" for n in (1, 2, 3, 4)]
    assert [fraction for fraction, _ in steps] == sorted({fraction for fraction, _ in steps})
    assert steps[0][0] > 0 and steps[-1][0] < 1
    for preview in context.previews:
        assert preview.dtype == np.uint8 and preview.shape[2] == 3
        assert preview.shape[1] <= 200 and preview.shape[1] == 2 * preview.shape[0]
    assert any((a != b).any() for a, b in zip(context.previews, context.previews[1:], strict=False))


def test_the_last_preview_resembles_the_picture(context_for):
    context = context_for("sd-1-5")
    image = paint(context, width=48, height=48, steps=3)
    assert np.abs(context.previews[-1].astype(int) - image).mean() < 3


def test_painting_stops_within_a_step_and_can_go_on_after(context_for):
    whole = context_for("sd-1-5")
    image = paint(whole)
    context = context_for("sd-1-5")
    context.stop_after = whole.looks // 3
    with pytest.raises(Cancelled):
        paint(context)
    assert "step 1 of 2" not in context.notes
    assert "reading the description" in context.notes
    assert (paint(context_for("sd-1-5")) == image).all()


def test_the_pipeline_is_loaded_once(context_for):
    first, second = context_for("sd-1-5"), context_for("sd-1-5")
    paint(first)
    paint(second)
    assert "loading the model" in first.notes and "loading the model" not in second.notes


def test_few_steps_are_enough_for_a_consistency_model(context_for):
    context = context_for("lcm-dreamshaper-7")
    text_to_image("a cat", width=64, height=64, context=context)
    assert context.notes[-1] == "step 4 of 4"


def test_an_empty_description_is_refused(context_for):
    with pytest.raises(NodeError) as caught:
        paint(context_for("sd-1-5"), prompt="  ")
    assert caught.value.port == "prompt"


def test_when_memory_runs_out_it_goes_on_in_slices_and_says_so(context_for, monkeypatch):
    expected = paint(context_for("sd-1-5"))
    failures = iter([MemoryError(), RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")])
    painted = diffusion._made

    def short_of_memory(*arguments):
        error = next(failures, None)
        if error is not None:
            raise error
        return painted(*arguments)

    monkeypatch.setattr(diffusion, "_made", short_of_memory)
    context = context_for("sd-1-5")
    image = paint(context)
    told = [note for note in context.notes if "memory ran out" in note]
    assert len(told) == 2 and "slices" in told[1]
    # Alike, not equal: the picture is decoded tile by tile, and the tiles are blended.
    assert np.corrcoef(image.ravel(), expected.ravel())[0, 1] > 0.8


def test_a_pipeline_in_slices_is_not_kept(context_for, monkeypatch, fresh_pool):
    painted, failures = diffusion._made, [MemoryError(), MemoryError()]
    monkeypatch.setattr(
        diffusion, "_made", lambda *a: (_ for _ in ()).throw(failures.pop()) if failures else painted(*a)
    )
    paint(context_for("sd-1-5"))
    assert fresh_pool.held() == []


def edges() -> np.ndarray:
    """Lines of a house, white on black, (60, 100)."""
    map = np.zeros((60, 100), np.uint8)
    map[20:22, 20:80] = map[50:52, 20:80] = 255
    map[20:52, 20:22] = map[20:52, 78:80] = 255
    return map


def from_map(context, map, **values):
    return map_to_image(np.repeat(map[:, :, None], 3, 2), "a red house", steps=2, context=context, **values)


def test_a_picture_from_a_map_is_as_large_as_the_map(context_for):
    context = context_for("controlnet-canny")
    image = from_map(context, edges())
    assert image.shape == (60, 100, 3) and image.dtype == np.uint8
    assert len(context.previews) == 2


def test_a_large_map_is_painted_smaller_and_given_back_at_full_size(context_for):
    context = context_for("controlnet-canny")
    large = np.kron(edges(), np.ones((6, 6), np.uint8))
    image = from_map(context, large, side=128)
    assert image.shape == (360, 600, 3)
    assert max(context.previews[0].shape) <= 128


def test_the_map_and_its_strength_steer_the_picture(context_for):
    plain = from_map(context_for("controlnet-canny"), edges())
    assert (from_map(context_for("controlnet-canny"), edges()) == plain).all()
    assert (from_map(context_for("controlnet-canny"), edges()[::-1].copy()) != plain).any()
    assert (from_map(context_for("controlnet-canny"), edges(), strength=0.0) != plain).any()


def test_depth_steers_a_picture_too(context_for):
    depth = np.tile(np.linspace(0, 255, 70).astype(np.uint8), (50, 1))
    first = depth_to_image(depth, "a room", steps=2, context=context_for("controlnet-depth"))
    second = depth_to_image(depth[:, ::-1].copy(), "a room", steps=2, context=context_for("controlnet-depth"))
    assert first.shape == (50, 70, 3)
    assert (first != second).any()


def test_a_map_that_shows_nothing_is_refused(context_for):
    for function, id, port in (
        (map_to_image, "controlnet-canny", "map"),
        (depth_to_image, "controlnet-depth", "depth"),
    ):
        flat = np.zeros((40, 40, 3) if port == "map" else (40, 40), np.uint8)
        with pytest.raises(NodeError) as caught:
            function(flat, "a house", context=context_for(id))
        assert caught.value.port == port


def test_without_the_model_that_it_steers_a_controlnet_says_which_is_missing(context_for, tmp_path, model_of):
    (tmp_path / "controlnet-canny").symlink_to(model_of("controlnet-canny"))
    context = context_for("controlnet-canny")
    context.model = tmp_path / "controlnet-canny"
    with pytest.raises(NodeError, match=BASE):
        from_map(context, edges())


def test_lines_are_taken_as_they_are_and_of_a_photo_the_edges(picture):
    map = edges()
    assert (shown_by(map_to_image)(np.repeat(map[:, :, None], 3, 2)) == map).all()
    lines = shown_by(map_to_image)(picture)
    assert set(np.unique(lines)) <= {0, 255} and 0 < (lines > 0).mean() < 0.5

"""Backgrounds, soft edges, noise and blur by networks in ONNX, against the network's own plain call."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest

from nodes import load_tools
from nodes.api import NodeError

TOOLS = load_tools().tools
WEIGHTS = (1.5, 0.75, 0.5)


def run(tool, model, context, **values):
    way = TOOLS[tool].backend(model)
    return way.run(
        **{port.name: port.default for port in TOOLS[tool].inputs if not port.required} | values, context=context
    )


@pytest.fixture
def photo():
    """A picture (96, 128, 3), twice as large as what the networks are shown, dark with a bright disc."""
    image = np.full((96, 128, 3), 20, np.uint8)
    rows, columns = np.ogrid[:96, :128]
    image[(rows - 48) ** 2 + (columns - 64) ** 2 < 900] = (230, 200, 60)
    return image


def by_hand(folder, image, mean, spread, order):
    """What the network gives first of the picture at its own size, as shares of one at the picture's."""
    import cv2

    small = cv2.resize(image[:, :, order], (64, 48), interpolation=cv2.INTER_AREA).astype(np.float32)
    shown = ((small - np.float32(mean)) / np.float32(spread)).transpose(2, 0, 1)[None]
    network = onnxruntime.InferenceSession(str(folder / "onnx" / "model.onnx"))
    share = 1 / (1 + np.exp(-network.run(None, {"input": shown})[0][0, 0].astype(np.float64)))
    return cv2.resize(share, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def test_what_is_cut_out_is_what_the_network_says(photo, context_for):
    context = context_for("birefnet-lite")
    found = run("cut_out", "birefnet-lite", context, image=photo)
    mean, spread = np.float32((0.485, 0.456, 0.406)) * 255, np.float32((0.229, 0.224, 0.225)) * 255
    share = by_hand(context.model, photo, mean, spread, (0, 1, 2))
    assert np.abs(found[:, :, 3].astype(int) - np.rint(share * 255)).max() <= 1
    assert found[48, 64, 3] > 200 and found[2, 2, 3] < 60
    assert (run("segment_subject", "birefnet-lite", context, image=photo) == found[:, :, 3]).all()


def test_a_mask_or_alpha_that_is_given_goes_before_the_network(photo, context_for):
    context = context_for("birefnet-lite")
    mask = np.zeros((96, 128), np.uint8)
    mask[:20] = 255
    assert (run("cut_out", "birefnet-lite", context, image=photo, mask=mask)[:, :, 3] == mask).all()
    made = run("replace_background", "birefnet-lite", context, image=np.dstack((photo, mask)), colour="blue")
    assert (made[:19] == photo[:19]).all() and (made[22:] == (0, 0, 255)).all()
    assert not context.notes, "nothing was looked at"


def test_the_background_behind_what_the_network_sees_is_another(photo, context_for):
    made = run("replace_background", "birefnet-lite", context_for("birefnet-lite"), image=photo, colour="blue")
    assert made.shape == photo.shape and made[2, 2, 2] > 180 and made[48, 64, 0] > 200


@pytest.mark.parametrize(("tool", "port"), [("cut_out", "mask"), ("segment_subject", "image")])
def test_where_it_sees_nothing_it_says_so(tool, port, photo, context_for):
    with pytest.raises(NodeError, match="told from its background") as caught:
        run(tool, "birefnet-lite", context_for("birefnet-lite"), image=np.zeros_like(photo))
    assert caught.value.port == port


def test_soft_edges_are_what_the_network_says(photo, context_for):
    context = context_for("dexined")
    found = run("soft_edge_map", "dexined", context, image=photo)
    share = by_hand(context.model, photo, (103.5, 116.2, 123.6), 1, (2, 1, 0))
    assert np.abs(found - (share - share.min()) / np.ptp(share) * 255).max() <= 1
    assert not run("soft_edge_map", "dexined", context, image=photo[:9, :9]).any(), "one colour has no edges"


def test_a_scribble_has_its_strokes_where_the_network_is_sure_of_edges(photo, context_for):
    import cv2

    context = context_for("dexined")
    photo[photo[:, :, 0] > 100] = 20
    cv2.circle(photo, (64, 48), 32, (230, 200, 60), 9)
    drawn = run("scribble_map", "dexined", context, image=photo)
    assert drawn.shape == photo.shape[:2] and set(np.unique(drawn)) == {0, 255}
    share = by_hand(context.model, photo, (103.5, 116.2, 123.6), 1, (2, 1, 0))
    sure = (share - share.min()) / np.ptp(share) > (150 - 90 * 0.3) / 255
    near = cv2.dilate(sure.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    assert near[drawn > 0].all() and 0 < (drawn > 0).sum() < sure.sum(), "thin strokes, not what the network saw"
    assert not run("scribble_map", "dexined", context, image=photo[:9, :9]).any()


@pytest.mark.parametrize(("tool", "model"), [("denoise", "scunet-psnr"), ("deblur", "nafnet-gopro")])
@pytest.mark.parametrize("size", [(96, 128), (50, 61), (1, 1), (900, 300)])
def test_a_picture_is_mended_whole_by_the_network_in_any_size(tool, model, size, context_for):
    image = np.random.default_rng(0).integers(0, 256, (*size, 4), dtype=np.uint8)
    found = run(tool, model, context_for(model), image=image)
    wanted = np.clip(np.rint(image[:, :, :3] * np.float32(WEIGHTS)), 0, 255)
    assert np.abs(found[:, :, :3] - wanted).max() <= 1 and (found[:, :, 3] == image[:, :, 3]).all()


def test_only_what_is_under_the_mask_is_mended(photo, context_for):
    mask = np.zeros((96, 128), np.uint8)
    mask[:40] = 255
    found = run("denoise", "scunet-psnr", context_for("scunet-psnr"), image=photo, mask=mask)
    assert (found[40:] == photo[40:]).all() and (found[48 - 20, 64] != photo[28, 64]).any()

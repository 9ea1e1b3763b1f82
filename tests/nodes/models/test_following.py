"""An object that was selected in the first picture of a film is found in all of them."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from nodes._support.inference import sam
from nodes._support.media.movie_writer import write_movie
from nodes._support.media.movies import Picture
from nodes.api import NodeError
from nodes.video.segment_video import by_model, segment_video
from tests.nodes.av_media import decoded
from tests.nodes.models.conftest import Listening

SIZE, COUNT = (96, 64), 12


def pictures() -> list[np.ndarray]:
    """A striped disc that goes 3 pixels to the right from picture to picture, over a pattern of its own."""
    rng = np.random.default_rng(0)
    ground = cv2.GaussianBlur(rng.integers(0, 120, (64, 96, 3), np.uint8), (0, 0), 2)
    disc = cv2.GaussianBlur(rng.integers(100, 255, (64, 200, 3), np.uint8), (0, 0), 1.5)
    shown = []
    for number in range(COUNT):
        where = place(number) > 0
        moved = np.roll(disc, 3 * number, axis=1)[:, :96]
        shown.append(np.where(where[:, :, None], moved, ground))
    return shown


def place(number: int) -> np.ndarray:
    rows, columns = np.ogrid[:64, :96]
    return (((rows - 32) ** 2 + (columns - 25 - 3 * number) ** 2 < 200) * 255).astype(np.uint8)


@pytest.fixture
def film(tmp_path):
    shown = (Picture(number / 10, picture) for number, picture in enumerate(pictures()))
    return write_movie(tmp_path / "film.mp4", shown, SIZE, 10, seconds=COUNT / 10)


def masks(path) -> list[np.ndarray]:
    return [picture[:, :, 0] > 127 for _, picture in decoded(path)]


def overlap(one: np.ndarray, other: np.ndarray) -> float:
    return float((one & other).sum() / max(1, (one | other).sum()))


def test_what_moves_is_followed_without_a_model(film, tmp_path):
    found = masks(segment_video(film, place(0), "mask", context=Listening(tmp_path)))
    assert len(found) == COUNT
    assert overlap(found[-1], place(0) > 0) < 0.1, "it has moved away"
    assert min(overlap(each, place(number) > 0) for number, each in enumerate(found)) > 0.75


def test_the_object_is_shown_on_one_colour(film, tmp_path):
    cut = decoded(segment_video(film, place(0), colour="blue", context=Listening(tmp_path)))
    _, last = cut[-1]
    assert np.abs(last[4:10, 4:10].astype(int) - (0, 0, 255)).max() < 30
    middle = last[28:36, 54:62].astype(int)
    assert np.abs(middle - pictures()[-1][28:36, 54:62]).mean() < 25


def test_a_mask_of_another_picture_is_refused(film, tmp_path):
    with pytest.raises(NodeError, match="96 × 64") as error:
        segment_video(film, np.full((10, 10), 255, np.uint8), context=Listening(tmp_path))
    assert error.value.port == "mask"


def test_sam_follows_as_the_library_does(film, context_for, model_of):
    import torch
    from transformers import Sam2VideoModel, Sam2VideoProcessor
    from transformers.models.sam2_video.modeling_sam2_video import Sam2VideoInferenceSession

    network = Sam2VideoModel.from_pretrained(model_of("sam2-1-tiny")).eval()
    shown = [picture for _, picture in decoded(film)]
    plain = Sam2VideoInferenceSession(
        video=torch.cat([sam.squared(picture, 64) for picture in shown]),
        video_height=64,
        video_width=96,
        dtype=torch.float32,
    )
    library = SimpleNamespace(target_size=64)  # its processor asks for torchvision
    Sam2VideoProcessor.process_new_mask_for_video_frame(library, plain, 0, [1], place(0) > 127)
    with torch.inference_mode():
        found = [output.pred_masks for output in network.propagate_in_video_iterator(plain, start_frame_idx=0)]
    wanted = [torch.nn.functional.interpolate(each, (64, 96), mode="bilinear")[0, 0].numpy() > 0 for each in found]
    with sam.following(place(0), context_for("sam2-1-tiny")) as find:
        ours = [find(picture) > 0 for picture in shown]
    assert len(ours) == len(wanted) == COUNT
    assert all(np.array_equal(one, other) for one, other in zip(ours, wanted, strict=True))
    assert len({each.tobytes() for each in ours}) > 1
    film_of_masks = masks(by_model(film, place(0), "mask", "black", context=context_for("sam2-1-tiny")))
    assert np.mean([overlap(one, other) for one, other in zip(film_of_masks, ours, strict=True) if other.any()]) > 0.8


def test_what_was_seen_long_ago_is_forgotten(context_for, monkeypatch):
    held = []
    forget = sam._forget

    def listened(memory, number, config):
        forget(memory, number, config)
        held.append((memory, config))

    monkeypatch.setattr(sam, "_forget", listened)
    with sam.following(place(0), context_for("sam2-1-tiny")) as find:
        for _ in range(2):
            for picture in pictures():
                find(picture)
    memory, config = held[-1]
    kept = memory.output_dict_per_obj[0]["non_cond_frame_outputs"]
    assert len(kept) == max(config.num_maskmem, config.max_object_pointers_in_encoder)
    assert not any(picture is not None for picture in memory.processed_frames.values())

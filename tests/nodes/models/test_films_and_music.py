"""Models that make films and music, tiny and random, through the real loading code: what comes out is what the
library's own plain call gives, step by step with pictures so far, and what a model cannot do is refused.
"""

from __future__ import annotations

import importlib
import json
import shutil
from typing import Any

import numpy as np
import PIL.Image
import pytest

from nodes import load_tools
from nodes._support.inference import diffusion, films
from nodes._support.models.placement import Way
from nodes.api import Cancelled, NodeError
from tests.nodes.av_media import decoded
from tests.nodes.models.nearness import close

pytestmark = pytest.mark.filterwarnings("ignore:.*weight_norm:FutureWarning", "ignore:Should have t:UserWarning")
TOOLS = load_tools().tools
PICTURE = np.random.default_rng(0).integers(0, 255, (64, 96, 3), np.uint8)
WORDS = {"prompt": "a cat", "width": 64, "height": 64, "negative": "", "seed": 4, "steps": 2, "guidance": None}
MUSIC = {"score": "a good cat", "mood": "auto", "seconds": 0.5, "tempo": 90.0, "seed": 3}
FILMS = {  # the plain call's own words, pictures in a second, and pictures and sides of what is made for 0.3 seconds
    "wan-2-1-1-3b": ("WanPipeline", {"guidance_scale": 5.0}, 16, (5, 32, 32)),
    "ltx-video": ("LTXPipeline", {"guidance_scale": 3.0, "frame_rate": 25}, 25, (9, 32, 32)),
}
ANIMATED = {
    "ltx-video": ("LTXImageToVideoPipeline", {"prompt": "a cat", "guidance_scale": 3.0, "frame_rate": 25},
                  (9, 64, 96)),
    "stable-video-xt": ("StableVideoDiffusionPipeline", {"fps": 20, "decode_chunk_size": 8}, (6, 64, 96)),
}  # fmt: skip


def plain(kind: str, folder: Any) -> Any:
    import torch

    made = getattr(importlib.import_module("diffusers"), kind).from_pretrained(folder, dtype=torch.float32)
    made.set_progress_bar_config(disable=True)
    return made


def noise(seed: int) -> Any:
    import torch

    return torch.Generator("cpu").manual_seed(seed)


@pytest.fixture
def ran(context_for):
    """Runs a tool with the model of an id, and gives its context too."""

    def run(tool: str, id: str, stop_after: int | None = None, **values: Any) -> tuple[Any, Any]:
        backend, context = TOOLS[tool].backend(id), context_for(id)
        assert backend is not None
        context.stop_after = stop_after
        return backend.run(**values, context=context), context

    return run


@pytest.mark.parametrize("id", FILMS)
def test_a_film_is_what_the_pipeline_gives(id, context_for, model_of):
    kind, given, fps, (count, height, width) = FILMS[id]
    wanted = plain(kind, model_of(id))(
        prompt="a cat", width=width, height=height, num_frames=count, num_inference_steps=2, generator=noise(4),
        output_type="np", **given,
    ).frames[0]  # fmt: skip
    context = context_for(id)
    with diffusion.leased(context) as entry:
        made, rate = films.film(entry, (30, 32), 0.3, 2, 4, {"prompt": "a cat"}, context)
    assert rate == fps and made.shape == (count, height, width, 3) and made.std() > 1
    assert np.abs(made - wanted * 255).max() <= 1
    assert len(context.previews) == 2 and all(each.shape[2] == 3 for each in context.previews)
    assert np.abs(context.previews[1].mean((0, 1)) - made[0].mean((0, 1))).max() < 60


@pytest.mark.parametrize("id", ANIMATED)
def test_a_picture_that_moves_is_what_the_pipeline_gives(id, context_for, model_of):
    kind, given, (count, height, width) = ANIMATED[id]
    picture = PIL.Image.fromarray(PICTURE)
    wanted = plain(kind, model_of(id))(
        image=picture, width=width, height=height, num_frames=count, num_inference_steps=2, generator=noise(4),
        output_type="np", **given,
    ).frames[0]  # fmt: skip
    context = context_for(id)
    with diffusion.leased(context, "film") as entry:
        made, _ = films.film(entry, (96, 64), 0.3, 2, 4, {"image": picture, "prompt": "a cat"}, context)
    assert made.shape == (count, height, width, 3) and made.std() > 1
    assert np.abs(made - wanted * 255).max() <= 1
    assert len(context.previews) == 2 and all(each.shape[2] == 3 for each in context.previews)


@pytest.mark.parametrize(("id", "kind"), [("ltx-video", "bfloat16"), ("stable-video-xt", "float16")])
def test_what_was_made_in_a_wide_range_works_in_one_on_a_gpu(id, kind, model_of):
    assert str(diffusion._float_type(model_of(id), "cuda:0", Way.WHOLE)) == f"torch.{kind}"
    assert str(diffusion._float_type(model_of(id), "cpu", Way.WHOLE)) == "torch.float32"


def test_a_text_encoder_without_a_tokenizer_of_its_own_takes_the_usual_one(context_for, model_of, tmp_path):
    context, folder = context_for("ltx-video"), tmp_path / "lacking"
    shutil.copytree(model_of("ltx-video"), folder)
    index = json.loads((folder / "model_index.json").read_text("utf-8"))
    (folder / "model_index.json").write_text(json.dumps({**index, "tokenizer": ["transformers", "T5Tokenizer"]}))
    (tmp_path / "t5-settings").mkdir()
    shutil.move(folder / "tokenizer" / "tokenizer.json", tmp_path / "t5-settings")
    made = []
    for model in (context.model, folder):
        context.model = model
        with diffusion.leased(context) as entry:
            made.append(films.film(entry, (32, 32), 0.3, 1, 4, {"prompt": "a cat"}, context)[0])
            assert entry.model.tokenizer.model_max_length == 48
    assert close(*made)


@pytest.mark.parametrize(("id", "count"), [("wan-2-1-1-3b", 8), ("ltx-video", 12)])
def test_a_film_of_words_has_its_length_and_size(id, count, ran):
    pictures = decoded(ran("text_to_video", id, seconds=0.5, **WORDS)[0])
    assert len(pictures) == count and pictures[0][1].shape == (64, 64, 3)
    for wrong, port in (({"prompt": " "}, "prompt"), ({"seconds": 60.0}, "seconds")):
        with pytest.raises(NodeError) as caught:
            ran("text_to_video", id, **{"seconds": 0.5, **WORDS, **wrong})
        assert caught.value.port == port


@pytest.mark.parametrize(("id", "count"), [("wan-2-2-5b", 5), ("ltx-video", 8), ("stable-video-xt", 6)])
def test_a_picture_comes_to_life(id, count, ran, monkeypatch):
    monkeypatch.setattr(diffusion, "own_steps", lambda pipeline: 2)
    given = {"image": PICTURE, "seconds": 0.3, "zoom": 1.25, "move": "zoom in"}
    film = decoded(ran("image_to_video", id, seed=1, **given)[0])
    height, width = film[0][1].shape[:2]
    assert len(film) == count and abs(width / height - 1.5) < 0.2
    assert not close(film[-1][1], decoded(ran("image_to_video", id, seed=2, **given)[0])[-1][1])
    with pytest.raises(NodeError) as caught:
        ran("image_to_video", id, seed=1, **{**given, "seconds": 11.0})
    assert caught.value.port == "seconds"


def test_a_film_that_is_too_long_for_its_model_is_refused(ran):
    with pytest.raises(NodeError, match=r"up to 1\.2 seconds") as caught:
        ran("image_to_video", "stable-video-xt", image=PICTURE, seconds=2.0, zoom=1.25, move="zoom in", seed=1)
    assert caught.value.port == "seconds"


@pytest.mark.parametrize(("tool", "id"), [("text_to_video", "ltx-video"), ("image_to_video", "stable-video-xt"),
                                          ("make_music", "ace-step-1-5-xl-turbo"),
                                          ("make_music", "stable-audio-open-1")])  # fmt: skip
def test_it_stops_within_a_step(tool, id, ran):
    values: dict[str, Any] = {
        "text_to_video": {**WORDS, "seconds": 0.5}, "make_music": MUSIC,
        "image_to_video": {"image": PICTURE, "seconds": 0.3, "zoom": 1.25, "move": "zoom in", "seed": 1},
    }[tool]  # fmt: skip
    with pytest.raises(Cancelled):
        ran(tool, id, stop_after=40, **values)


@pytest.mark.parametrize(
    ("tool", "values", "told"),
    [("make_music", MUSIC, "a good cat, 90 bpm"), ("make_sound", {"what": "rain", "seconds": 0.5, "seed": 3}, "rain")],
)
def test_sound_out_of_noise_is_what_the_pipeline_gives(tool, values, told, ran, model_of):
    wanted = plain("StableAudioPipeline", model_of("stable-audio-open-1"))(
        told, audio_end_in_s=0.5, num_inference_steps=100, guidance_scale=7.0, generator=noise(3),
        output_type="np",
    ).audios[0]  # fmt: skip
    made, context = ran(tool, "stable-audio-open-1", **values)
    assert made.rate == 3200 and made.samples.shape == (1600, 2) and made.samples.std() > 0
    assert np.allclose(made.samples, np.clip(wanted.T, -1, 1), atol=1e-4)
    assert "step 100 of 100" in map(str, context.notes)
    other, _ = ran(tool, "stable-audio-open-1", **{**values, "seed": 4})
    assert not np.allclose(made.samples, other.samples, atol=1e-3)


@pytest.mark.parametrize(("sung", "lyrics"), [("", "[Instrumental]"), ("[verse]\nthe dog is good", None)])
def test_a_song_is_what_the_pipeline_gives(sung, lyrics, ran, model_of):
    wanted = plain("AceStepPipeline", model_of("ace-step-1-5-xl-turbo"))(
        "a good cat", lyrics=lyrics or sung, audio_duration=0.5, num_inference_steps=8, guidance_scale=1.0, bpm=90,
        generator=noise(3), output_type="np",
    ).audios[0]  # fmt: skip
    made, context = ran("make_music", "ace-step-1-5-xl-turbo", **{**MUSIC, "score": f"a good cat\n{sung}"})
    assert made.samples.shape == (1600, 2) and made.samples.std() > 0
    assert np.allclose(made.samples, wanted.T[:1600], atol=1e-4)
    assert sum(str(note).startswith("step ") for note in context.notes) == 8


@pytest.mark.parametrize(
    ("id", "wrong", "port"),
    [("stable-audio-open-1", {"seconds": 90.0}, "seconds"), ("stable-audio-open-1", {"seconds": 0.0}, "seconds"),
     ("stable-audio-open-1", {"score": "a cat\n[verse]\nthe dog"}, "score"),
     ("musicgen-small", {"score": "a cat\n[verse]\nthe dog"}, "score"),
     ("ace-step-1-5-xl-turbo", {"seconds": 900.0}, "seconds"), ("ace-step-1-5-xl-turbo", {"score": "C4 E4"}, "score"),
     ("ace-step-1-5-xl-turbo", {"score": "?!"}, "score")],
)  # fmt: skip
def test_what_a_model_of_music_cannot_do_is_refused(id, wrong, port, ran):
    with pytest.raises(NodeError) as caught:
        ran("make_music", id, **{**MUSIC, **wrong})
    assert caught.value.port == port and caught.value.fix

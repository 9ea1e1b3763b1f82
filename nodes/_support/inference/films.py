"""Films out of noise with diffusers: what each kind of pipeline wants to be given, lengths, sizes and previews.

Must not know tools. Pictures are uint8 (pictures, height, width, 3) RGB.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from nodes._support.inference import diffusion
from nodes._support.media import movie_writer as writer
from nodes._support.media.movies import Picture
from nodes._support.models.model_pool import Entry
from nodes.api import NodeError, Phrase, RunContext, Video

LONGEST_SECONDS = 10.0
_SVD_RATES = (5, 30)
"""Pictures a second that Stable Video Diffusion was taught, about."""
_DECODED_AT_ONCE = 8
_CLEAN_AT = {"decode_timestep": 0.05, "decode_noise_scale": 0.025}
"""How the authors of LTX-Video have its later VAEs take the last of the noise out."""


class Film(NamedTuple):
    """What is made: pictures a second, how many, and the sides in pixels."""

    fps: int
    count: int
    width: int
    height: int


def film(
    entry: Entry, size: tuple[int, int], seconds: float, steps: int | None, seed: int, arguments: Mapping[str, Any],
    context: RunContext,
) -> tuple[np.ndarray, int]:  # fmt: skip
    """The pictures of a film of at least that length by the pipeline of a pool's entry, and how many go in a second.

    `size` is (width, height), taken up to what the model can make. `arguments` go to the pipeline, but for those that
    it does not take. Each step is told with its first picture. Raises NodeError naming `seconds`.
    """
    pipeline = entry.model
    planned = plan(pipeline, size, seconds)
    given: dict[str, Any] = {
        "width": planned.width, "height": planned.height, "num_frames": planned.count, "frame_rate": planned.fps,
        "fps": planned.fps, "decode_chunk_size": _DECODED_AT_ONCE, **arguments,
    }  # fmt: skip
    if given.get("guidance_scale") is None:
        given["guidance_scale"] = pipeline.entry.guidance if pipeline.entry else None
    if getattr(pipeline.vae.config, "timestep_conditioning", False):
        given |= _CLEAN_AT
    given = {name: value for name, value in diffusion.taken(pipeline, given).items() if value is not None}
    given["num_inference_steps"] = steps or diffusion.own_steps(pipeline)
    return diffusion.made(entry, given, seed, context, partial(preview, pipeline, planned)), planned.fps


def plan(pipeline: Any, size: tuple[int, int], seconds: float) -> Film:
    """What the pipeline can make that holds a film of that size and length. Raises NodeError naming `seconds`."""
    check_seconds(seconds)
    kind = type(pipeline).__name__
    if kind.startswith("StableVideo"):
        halved, later = len(pipeline.unet.config.down_block_types) - 1, 1
        cell = math.lcm(8, pipeline.vae_scale_factor * 2**halved)
        slowest, fastest = _SVD_RATES
        made = pipeline.unet.config.num_frames
        if seconds * slowest > made:
            longest = f"{made / slowest:g}"
            said = Phrase("This model makes films of up to {seconds} seconds.", seconds=longest)
            raise NodeError(said, "seconds", "Choose a shorter length, or another model.")
        fps, count = min(fastest, int(made / seconds)), made
    elif kind.startswith("LTX"):
        cell, later, fps = pipeline.vae_spatial_compression_ratio, pipeline.vae_temporal_compression_ratio, 25
        count = pictures(seconds, fps)
    else:
        cell, later, fps = 2 * pipeline.vae_scale_factor_spatial, pipeline.vae_scale_factor_temporal, 16
        count = pictures(seconds, fps)
    width, height = (max(cell, -(-side // cell) * cell) for side in size)
    return Film(fps, -(-(count - 1) // later) * later + 1, width, height)


def pictures(seconds: float, fps: int) -> int:
    """How many pictures a film of that length has; two at least, as one is no film."""
    return max(2, round(seconds * fps))


def side(pipeline: Any) -> int:
    """The longer side in pixels of the films that the model was made with."""
    return 1024 if type(pipeline).__name__.startswith("StableVideo") else 832


def check_seconds(seconds: float) -> None:
    """Raises NodeError for a length that no model can make."""
    if not 0 < seconds <= LONGEST_SECONDS:
        raise NodeError("A model makes films of up to 10 seconds.", "seconds", "Choose a length of 1 to 10 seconds.")


def written(made: np.ndarray, fps: int, seconds: float, context: RunContext) -> Video:
    """The pictures as a film of that length."""
    count = pictures(seconds, fps)
    shown = (Picture(number / fps, writer.even(picture)) for number, picture in enumerate(made[:count]))
    height, width = writer.even(made[0]).shape[:2]
    return writer.write_movie(context.new_file(".mp4"), shown, (width, height), fps, seconds=count / fps)


def preview(pipeline: Any, planned: Film, latents: Any) -> np.ndarray:
    """What the first picture looks like so far, small."""
    vae = pipeline.vae
    if latents.ndim == 3:  # of LTX, each cell of each picture after the other
        rows, columns = (length // pipeline.vae_spatial_compression_ratio for length in (planned.height, planned.width))
        of_first = pipeline._unpack_latents(latents, latents.shape[1] // (rows * columns), rows, columns)[:, :, :1]
        first = diffusion.smaller(of_first[:, :, 0])[:, :, None]
        first = pipeline._denormalize_latents(first, vae.latents_mean, vae.latents_std, vae.config.scaling_factor)
        times = [first.new_zeros(1)] if vae.config.timestep_conditioning else []
        return diffusion.shown(vae.decode(first.to(vae.dtype), *times, return_dict=False)[0][0, :3, 0])
    if "StableVideo" in type(pipeline).__name__:
        first = diffusion.smaller(latents[:, 0]) / vae.config.scaling_factor
        return diffusion.shown(vae.decode(first.to(vae.dtype), num_frames=1).sample[0])
    return diffusion.preview(pipeline, latents, planned.width)


def read_words(pipeline: Any, prompt: str, negative: str) -> dict[str, Any]:
    """The two as the arguments of a pipeline that begins with a picture.

    WORKAROUND: WanImageToVideoPipeline cleans prompts with the package ftfy, and fails without it; WanPipeline, of
    which this is the same step, does not (https://github.com/huggingface/diffusers). It may go when both do alike.
    """
    import torch
    from diffusers.pipelines.wan.pipeline_wan import WanPipeline

    if not type(pipeline).__name__.startswith("Wan"):
        return {"prompt": prompt, "negative_prompt": negative}
    with torch.no_grad():
        read = [WanPipeline._get_t5_prompt_embeds(pipeline, each, max_sequence_length=512)
                for each in (prompt, negative)]  # fmt: skip
    return {"prompt_embeds": read[0], "negative_prompt_embeds": read[1]}

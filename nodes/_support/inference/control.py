"""Makes the tools that paint a picture after a map of one (edges, depth) and a description, with a ControlNet."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import numpy as np

from nodes import api
from nodes._support.imaging.pixels import resized
from nodes._support.inference import diffusion
from nodes._support.inference.repainting import GUIDANCE, NEGATIVE, SEED, STEPS
from nodes._support.models import models
from nodes._support.models.model_pool import pool
from nodes._support.models.placement import Way
from nodes.api import DIFFUSERS, Family, NodeError, Port, ResourceType, RunContext, tool
from nodes.catalogue import catalogue

BASE = "sd-1-5"
"""The catalogue's id of the model that most ControlNets steer; it lies in the folder beside theirs. For those of the
catalogue the first of what they need is what they steer."""
_USUAL_SIDE = 768
"""Stable Diffusion 1.5, made for 512 pixels, still follows a map well at this size."""
_MODES = {
    "pose to image": 0, "depth to image": 1, "soft edge to image": 2, "scribble to image": 2, "canny to image": 3,
    "line to image": 3, "normal to image": 4, "segmentation to image": 5,
}  # fmt: skip
"""What a union ControlNet of SDXL (xinsir) calls the kinds of maps that it was taught."""
_KINDS = {False: api.Number, True: api.Integer}
_PORTS = (
    Port("strength", ResourceType.NUMBER, "how closely it follows the map", default=1.0, minimum=0, maximum=2),
    Port("side", ResourceType.NUMBER, "longer side that is painted, then enlarged; as suits the model if not given",
         default=None, minimum=64, maximum=2048, integer=True, unit="px", advanced=True),
    NEGATIVE,
    SEED,
    STEPS,
    GUIDANCE,
)  # fmt: skip
_DOC = """

    RGB as large as the map. Painted with its longer side at most `side`, then enlarged smoothly to that size.

    ControlNet (Zhang et al. 2023) on the model that it steers. Tells each step with a preview; stops within a step.
    NodeError when the description is empty, or the map is the same everywhere.
    """


def to_image(
    *maps: Port, task: str, title: str, description: str, examples: tuple[str, ...], words: tuple[str, ...]
) -> Callable[[Callable[..., np.ndarray]], Callable[..., np.ndarray]]:
    """Declares a tool that paints after a map; the decorated function gives what the ControlNet is shown of it.

    `maps` are the port of the map and what else the function takes; its name is the tool's id, its docstring the first
    line of the tool's. What is shown is uint8 (height, width) or (height, width, 3), as large as the map. The tool's
    inputs are the map, the description, the rest of `maps`, and how it is painted.
    """
    prompt = Port("prompt", ResourceType.TEXT, "what the picture should show", question="What should the picture show?")
    inputs = (maps[0], prompt, *maps[1:], *_PORTS)

    def declare(shown: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        own = get_type_hints(shown, include_extras=True)
        kinds = {port.name: own.get(port.name) or _kind(port) for port in inputs} | {"context": RunContext}
        parameters = [
            inspect.Parameter(
                port.name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=inspect.Parameter.empty if port.required else port.default, annotation=kinds[port.name],
            )
            for port in inputs
        ]  # fmt: skip
        parameters.append(inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=RunContext))
        signature = inspect.Signature(parameters, return_annotation=api.Image)

        @functools.wraps(shown)
        def run(*given: Any, **named: Any) -> np.ndarray:
            bound = signature.bind(*given, **named)
            bound.apply_defaults()
            values = bound.arguments
            map = shown(*(values.pop(port.name) for port in maps))
            return _painted(map, port=maps[0].name, task=task, **values)

        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__annotations__ = kinds | {"return": api.Image}
        run.__doc__ = (shown.__doc__ or "") + _DOC
        return tool(
            id=shown.__name__, title=title, domain="image", description=description, inputs=inputs,
            outputs=(Port("image", ResourceType.IMAGE, "the picture, as large as the map"),),
            families=(Family("diffusers controlnet", task, DIFFUSERS),), examples=examples, words=words,
            icon="wand-sparkles", result="picture",
        )(run)  # fmt: skip

    return declare


def _kind(port: Port) -> Any:
    """The annotation of one of the ports that all of these tools have."""
    kind: Any = api.Text if port.type is ResourceType.TEXT else _KINDS[port.integer]
    return kind if port.required or port.default is not None else kind | None


def _painted(
    map: np.ndarray,
    prompt: str,
    strength: float,
    side: int | None,
    negative: str,
    seed: int,
    steps: int | None,
    guidance: float | None,
    context: RunContext,
    port: str,
    task: str,
) -> np.ndarray:
    """A picture as large as the map. Raises NodeError when the map, `port`, shows nothing."""
    prompt = diffusion.check_prompt(prompt)
    if map.min() == map.max():
        raise NodeError("The map is the same everywhere: there is nothing to follow.", port, "Use another map.")
    folder = models.model_folder(context)
    entry = catalogue().get(folder.name)
    base = models.model_folder(context, entry.needs[0] if entry and entry.needs else BASE)
    height, width = map.shape[:2]

    def load(device: str, way: Way) -> object:
        return diffusion.load_pipeline(base, device, way, folder)

    with pool().lease(folder, "pipeline", load, context, staged=True, base=base) as held:
        scale = scale_of(max(width, height), side, diffusion.own_side(held.model))
        wide, high = (max(8, round(length * scale)) for length in (width, height))
        shown = _steer(map, wide, high, diffusion.cell_of(held.model))
        words = {
            "prompt": prompt,
            "negative_prompt": negative or None,
            "guidance_scale": guidance,
            "controlnet_conditioning_scale": float(strength),
            "image": shown,
            "control_image": shown,
            "control_mode": [_MODES[task]],
        }
        picture = diffusion.paint(held, wide, high, steps, seed, words, context)
    return resized(picture, width, height)


def scale_of(longest: int, side: int | None, own: int) -> float:
    """By how much a map whose longer side is `longest` is made smaller, or larger, to be painted by a model that was
    made for pictures of `own` pixels: small pictures of large models are poor.
    """
    if side is None and own > _USUAL_SIDE:
        return own / longest
    return min(1.0, (side or _USUAL_SIDE) / longest)


def _steer(map: np.ndarray, width: int, height: int, cell: int) -> object:
    """The map as the pipeline takes it: RGB, in a multiple of the model's cell, where the edge pixels are repeated."""
    from PIL import Image

    coloured = map if map.ndim == 3 else np.repeat(map[:, :, None], 3, axis=2)
    rgb = resized(coloured, width, height)
    below, right = -height % cell, -width % cell
    return Image.fromarray(np.pad(rgb, ((0, below), (0, right), (0, 0)), mode="edge"))

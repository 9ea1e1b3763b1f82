"""Edit a picture as an instruction in plain words says, as far as the other picture tools can do it."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np

from nodes._support.imaging.instructions import understood
from nodes._support.imaging.pixels import SILENT, join_alpha, resized, split_alpha
from nodes._support.inference import diffusion, repainting
from nodes._support.web import hosted
from nodes.api import (
    DIFFUSERS,
    Family,
    Image,
    NodeError,
    Phrase,
    Port,
    ResourceType,
    RunContext,
    Text,
    backend_of,
    tool,
)


@tool(
    id="edit_by_instruction",
    title="Edit by instruction",
    domain="image",
    description="Edits a picture as an instruction says, such as: make it a bit brighter and flip it horizontally.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port(
            "instruction",
            ResourceType.TEXT,
            "what to change, in plain words; several wishes may follow each other",
            question="What should be changed?",
        ),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the edited picture"),),
    backend="phrases",
    backend_title="Known phrases",
    quality=0.25,
    families=(Family("diffusers pipeline", "edit by instruction", DIFFUSERS),),
    examples=(
        "Edit the picture: make it a bit darker and add more contrast",
        "Change photo.jpg as I say: rotate it left, then make it sharper",
        "Edit this image following the instruction in the text",
    ),
    words=(
        "edit the picture",
        "edit by instruction",
        "change the picture so that",
        "follow the instruction",
        "as follows",
    ),
    icon="pencil-ruler",
    result="edited",
)
def edit_by_instruction(image: Image, instruction: Text, context: RunContext = SILENT) -> Image:
    """Does one wish after the other with the tool that fits; all must be understood before the first is done.

    Without a model it knows changes of the whole picture only (see `nodes._support.imaging.instructions`); one of a
    part ("the sky") is refused. With one (InstructPix2Pix, Brooks et al. 2023) what it does not know is painted,
    always with the same seed. Raises NodeError naming `instruction` with what is known.
    """
    if context.model is not None and not _is_known(instruction):
        wish = repainting.Wish(diffusion.check_prompt(instruction, "instruction"))
        return repainting.anew(image, wish, context, "")
    wishes = understood(instruction, "instruction")
    for done, (name, values) in enumerate(wishes):
        context.progress(done / len(wishes), Phrase(name.replace("_", " ").capitalize(), "tools"))
        image = _run(name, image, values, context)
    return image


@backend_of(edit_by_instruction, **hosted.service("edits", 0.9))
def by_service(image: Image, instruction: Text, *, context: RunContext) -> Image:
    """What it does not know is painted by the service, to which picture and instruction are sent; alpha stays."""
    if _is_known(instruction):
        return edit_by_instruction(image, instruction, context)
    rgb, alpha = split_alpha(image)
    given = {"prompt": diffusion.check_prompt(instruction, "instruction"), "image": hosted.sent(rgb)}
    made = hosted.picture("edits", given, context)
    return join_alpha(resized(made, rgb.shape[1], rgb.shape[0]), alpha)


def _is_known(instruction: str) -> bool:
    try:
        return bool(understood(instruction, "instruction"))
    except NodeError:
        return False


def _run(name: str, image: np.ndarray, values: dict[str, Any], context: RunContext) -> np.ndarray:
    function = getattr(importlib.import_module(f"nodes.image.{name}"), name)
    if "context" in inspect.signature(function).parameters:
        values = {**values, "context": context}
    return function(image, **values)

"""Change a picture by an instruction that speaks of a second one."""

from __future__ import annotations

from nodes._support.inference import diffusion, repainting
from nodes.api import DIFFUSERS, Family, Image, Integer, Port, ResourceType, RunContext, Text, tool


@tool(
    id="edit_with_picture",
    title="Edit with a picture",
    domain="image",
    description="Puts the subject of a second picture into a picture, or changes the picture as an instruction says "
    "with what the second one shows.",
    inputs=(
        Port("subject", ResourceType.IMAGE, "the picture of what is put into it"),
        Port("image", ResourceType.IMAGE, "the picture that is changed"),
        Port(
            "instruction",
            ResourceType.TEXT,
            "what to do with it, in plain words",
            question="What should be done with it?",
        ),
        repainting.SEED,
        repainting.STEPS,
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the changed picture, as large as it was"),),
    families=(Family("diffusers pipeline", "edit with pictures", DIFFUSERS),),
    examples=(
        "Put the dog of dog.jpg on the sofa in room.jpg",
        "Put the subject of dog.jpg into room.jpg",
        "Insert the car from car.jpg into the street of street.jpg",
    ),
    words=("subject of the second picture", "put the subject into", "subject-driven", "into the other picture"),
    icon="combine",
    result="edited",
)
def edit_with_picture(
    subject: Image, image: Image, instruction: Text, seed: Integer = 0, steps: Integer | None = None, *,
    context: RunContext,
) -> Image:  # fmt: skip
    """The model is shown `image` first, then `subject`. Alpha stays. NodeError when the instruction is empty."""
    wish = repainting.Wish(diffusion.check_prompt(instruction, "instruction"), seed=seed, steps=steps)
    return repainting.anew(image, wish, context, "", (subject,))

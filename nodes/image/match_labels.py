"""Say which of some given names fit a picture."""

from __future__ import annotations

from nodes._support.language.naming import LABELS, things
from nodes._support.models import models
from nodes._support.vision.seeing import opaque
from nodes.api import Family, Image, Label, Labels, Port, ResourceType, RunContext, Text, tool

_SENTENCE = "This is a photo of {}."
_SIGLIP = {"padding": "max_length", "max_length": 64, "truncation": True}


@tool(
    id="match_labels",
    title="Match labels",
    domain="image",
    description="Scores how well each of the given labels fits a picture.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        LABELS,
    ),
    outputs=(Port("labels", ResourceType.LABELS, "each label with its score, the best first", unit="%"),),
    families=(Family("transformers image and text", "match labels"),),
    examples=(
        "Which of these labels fits the picture: beach, forest, city?",
        "Score the labels 'happy, sad, angry' against portrait.jpg",
    ),
    words=("zero-shot classification", "candidate labels", "clip"),
    icon="list-filter",
)
def match_labels(image: Image, labels: Text, *, context: RunContext) -> Labels:
    """Scores 0..1: of CLIP's kind they make 1 together, of SigLIP's each stands for itself. NodeError for none."""
    named, rgb = things(labels, "labels"), opaque(image)

    def look(loaded: models.Loaded, device: str) -> tuple[Label, ...]:
        siglip = "siglip" in loaded.network.config.model_type
        options = _SIGLIP if siglip else {"padding": True, **models.as_long_as_read(loaded.network)}
        seen = loaded.processor.image_processor(images=[rgb], return_tensors="pt", input_data_format="channels_last")
        said = loaded.processor.tokenizer([_SENTENCE.format(n) for n in named], return_tensors="pt", **options)
        values = loaded.network(**said.to(device), **seen.to(device)).logits_per_image[0].float()
        scores = (values.sigmoid() if siglip else values.softmax(-1)).cpu().tolist()
        return tuple(sorted(map(Label, named, scores), key=lambda label: -label.score))

    return models.apply(context, "AutoModelForZeroShotImageClassification", "AutoProcessor", look)

"""Say what a picture shows, with one of the names that a model knows."""

from __future__ import annotations

from nodes._support.inference import connected
from nodes._support.models import models
from nodes._support.vision.seeing import opaque
from nodes._support.web import hosted
from nodes.api import Family, Image, Integer, Label, Labels, Port, ResourceType, RunContext, backend_of, tool


@tool(
    id="classify_image",
    title="Classify picture",
    domain="image",
    description="Classifies a picture: names the category of its main subject, such as a breed, a dish or a vehicle.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("most", ResourceType.NUMBER, "how many categories are named", default=5, minimum=1, maximum=100,
             integer=True, question="How many should be named at most?"),
    ),
    outputs=(Port("labels", ResourceType.LABELS, "the likeliest categories, best first", unit="%"),),
    families=(Family("transformers image classification", "classify image"),),
    examples=("Classify this picture", "Which category does photo.jpg belong to?", "What breed is this dog?"),
    words=("image classification", "classify", "category", "categorise", "which class", "what kind of animal"),
    icon="tags",
)  # fmt: skip
def classify_image(image: Image, most: Integer = 5, *, context: RunContext) -> Labels:
    """The model's names with their scores 0..1, which together make 1 unless the model gives several at once."""
    rgb = opaque(image)

    def look(loaded: models.Loaded, device: str) -> tuple[Label, ...]:
        inputs = loaded.processor(images=rgb, return_tensors="pt", input_data_format="channels_last").to(device)
        values, config = loaded.network(**inputs).logits[0].float(), loaded.network.config
        several = config.problem_type == "multi_label_classification" or len(values) == 1
        scores = (values.sigmoid() if several else values.softmax(-1)).cpu().tolist()
        named = [Label(config.id2label[index], score) for index, score in enumerate(scores)]
        return tuple(sorted(named, key=lambda label: -label.score)[:most])

    return models.apply(context, "AutoModelForImageClassification", "AutoImageProcessor", look)


@backend_of(classify_image, **connected.SEEING)
def by_connected_model(image: Image, most: Integer, *, context: RunContext) -> Labels:
    """Names of the model's own, with the likelihoods that it states; the picture is sent."""
    names = {"type": "array", "items": {"type": "object", "properties": {
        "name": {"type": "string"}, "score": {"type": "number"}}, "required": ["name", "score"]}}  # fmt: skip
    schema = {"type": "object", "properties": {"categories": names}, "required": ["categories"]}
    order = f"Name the {most} likeliest categories of the picture's main subject, best first, with scores from 0 to 1."
    found = connected.structured(order, schema, context, images=[opaque(image)]).get("categories")
    return connected.labels(found)[:most]


@backend_of(classify_image, **hosted.service("classification"))
def by_service(image: Image, most: Integer, *, context: RunContext) -> Labels:
    """Names and scores of the service's model; the picture is sent."""
    entries = hosted.found("classification", connected.jpeg(opaque(image)), context)
    return tuple(Label(one["label"], float(one["score"])) for one in entries[:most])

"""Say what is done in a video, with names that a model knows."""

from __future__ import annotations

from nodes._support.media import movies
from nodes._support.models import models
from nodes.api import Family, Integer, Label, Labels, Port, ResourceType, RunContext, Video, tool

_PICTURES = 16


@tool(
    id="classify_video",
    title="Classify video",
    domain="video",
    description="Tells what action a video shows, such as swimming, cooking or playing the piano.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("most", ResourceType.NUMBER, "how many actions are named", default=5, minimum=1, maximum=100,
             integer=True, question="How many should be named at most?"),
    ),
    outputs=(Port("labels", ResourceType.LABELS, "the likeliest actions, best first", unit="%"),),
    families=(Family("transformers video classification", "classify video"),),
    examples=("Classify the video clip.mp4", "Which action does this video show?", "What sport is played in the film?"),
    words=("video classification", "action recognition", "recognise the action", "category of the video"),
    icon="tags",
)  # fmt: skip
def classify_video(video: Video, most: Integer = 5, *, context: RunContext) -> Labels:
    """The model's names with scores that sum to 1, from as many pictures, evenly spread, as it was made for."""

    def look(loaded: models.Loaded, device: str) -> Labels:
        config = loaded.network.config
        count = getattr(config, "num_frames", None) or getattr(config, "frames_per_clip", None) or _PICTURES
        inputs = loaded.processor(movies.spread(video, count, context)[1], return_tensors="pt").to(device)
        scores = loaded.network(**inputs).logits[0].float().softmax(-1).cpu().tolist()
        named = [Label(config.id2label[i], round(score, 4)) for i, score in enumerate(scores)]
        return tuple(sorted(named, key=lambda label: -label.score)[:most])

    return models.apply(
        context, "AutoModelForVideoClassification", "AutoImageProcessor", look, note="looking at the video"
    )  # fmt: skip

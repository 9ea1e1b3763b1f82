"""Image rows of other systems' tables, asked for in words: planned, run in a lane with tiny weights, of the right type.

The rows are those of `python -m tests.benchmarks.image_rows`; a handful is run here, all of them with that command.
"""

from __future__ import annotations

import asyncio

from desktop_app.plan.language import sentence_encoder
from tests.benchmarks import image_rows
from tests.benchmarks.image_rows import TABLES
from tests.tool_table import HUGGINGGPT, VISUAL_CHATGPT

SHORT = (
    "caption", "find by description", "Generate Image Condition On Canny Image", "37 select_bbox",
    "Sketch Detection On Image", "segment by points",
)  # fmt: skip
MODELS = ("blip-large", "grounding-dino-tiny", "sd-1-5", "controlnet-canny", "yolos-tiny", "sam-vit-base")


def test_the_rows_are_those_of_the_guides_table():
    """But for the two of films."""
    told = {row.name: set(row.wanted.split()) for table in ("Visual ChatGPT", "HuggingGPT") for row in TABLES[table]}
    named = {**VISUAL_CHATGPT, **HUGGINGGPT}
    assert set(named) - set(told) == {"text-to-video", "video-classification"}
    assert all(wanted & set(named[name]) for name, wanted in told.items())


def test_a_handful_is_asked_for_planned_and_done(tmp_path, monkeypatch):
    for name in ("HOME", "MODELS", "CATALOGUE"):
        monkeypatch.setenv(f"GRAPHWRIGHT_{name}", "")  # what is set next goes with the test
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)  # as people have it
    image_rows.use_tiny_models(tmp_path, MODELS)
    rows = [row for table in TABLES.values() for row in table if row.name in SHORT]
    found = asyncio.run(image_rows.walked(rows, tmp_path))
    assert len(found) == len(SHORT) and [str(each) for each in found if not each.done] == []

"""The visual tools of the seeds, asked for in words: planned, run in a lane with tiny weights, of the right type.

One request for each row of ControlLLM's and Visual ChatGPT's tables and of HuggingGPT's visual tasks, but pose to
image: weights by chance find nobody whose pose could be followed.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_app.app import new_session
from desktop_app.core.paths import RESOURCES
from desktop_app.models.catalogue import catalogue
from desktop_app.session import consent
from nodes.api import Point
from tests.nodes.models.conftest import LAYOUT
from tests.nodes.models.test_through_engine import install

LARGE = ("qwen-image", "qwen-image-edit-2511", "qwen-image-layered", "flux-1-kontext-dev", "z-image-turbo")
"""They look at a megapixel, or take many steps: with tiny weights too that takes minutes."""
SIDE = 96
"""Pictures are made small: what is painted after a map is painted at its size, on the processor."""
ROWS = [
    ("visual question answering", "Is the cat in cat.jpg asleep?", "ask_image", "text"),
    ("image captioning", "Describe cat.jpg", "describe_image", "text"),
    ("instruct image", "Change coffee.jpg as I say: make it warm and cosy", "edit_by_instruction", "image"),
    ("text to image", "Generate an image of a lighthouse in a storm", "text_to_image", "image"),
    ("image to image", "Make a variation of coffee.jpg", "image_to_image", "image"),
    ("replace something", "Replace the cup in coffee.jpg by a teapot", "replace_object", "image"),
    ("remove something", "Remove the cup from coffee.jpg", "remove_object", "image"),
    ("image to edge", "Make an edge map of cat.jpg", "edge_map", "edge"),
    ("edge to image", "Generate an image of a tiger along the edges of cat.jpg", "map_to_image", "image"),
    ("image to line", "Make a line map of coffee.jpg", "line_map", "line"),
    ("line to image", "Generate an image of a bar along the straight lines of coffee.jpg", "line_to_image", "image"),
    ("image to hed", "Make a soft edge map of cat.jpg", "soft_edge_map", "soft_edge"),
    ("hed to image", "Generate an image of a fox with the soft edges of cat.jpg", "soft_edge_to_image", "image"),
    ("image to scribble", "Make a scribble map of cat.jpg", "scribble_map", "scribble"),
    ("scribble to image", "Generate an image of a dog from the scribble of cat.jpg", "scribble_to_image", "image"),
    ("image to pose", "Make a pose map of group.jpg", "pose_map", "pose"),
    ("image to depth", "Make a depth map of coffee.jpg", "depth_map", "depth"),
    ("depth to image", "Generate an image of a garden with the depth of coffee.jpg", "depth_to_image", "image"),
    ("image to normal", "Make a normal map of coffee.jpg", "normal_map", "normal"),
    ("normal to image", "Generate an image of a statue with the surface normals of coffee.jpg",
     "normal_to_image", "image"),
    ("image to segmentation", "Semantic segmentation of coffee.jpg", "segment_named", "segmentation"),
    ("segmentation to image", "Make a picture of a castle with the segmentation of coffee.jpg",
     "segmentation_to_image", "image"),
    ("extend an image", "Extend coffee.jpg by 100 pixels to the left", "extend_canvas", "image"),
    ("object detection", "Detect the objects in cat.jpg", "detect_objects", "boxes"),
    ("detect the given object", "Find the red cup in coffee.jpg", "find_described", "boxes"),
    ("segment the given object", "Segment the handle in coffee.jpg", "segment_described", "mask"),
    ("segment the image", "Segment everything in coffee.jpg", "segment_everything", "segmentation"),
    ("segmentation by points", "Select the thing I click on in coffee.jpg", "segment_points", "mask"),
    ("remove the background", "Remove the background of group.jpg", "cut_out", "image"),
    ("image classification", "Classify cat.jpg", "classify_image", "labels"),
    ("upscale", "Upscale cat.jpg twice", "upscale", "image"),
    ("colourise", "Colourise the black and white photo cat.jpg", "colourise", "image"),
    ("restore", "Restore the old photo cat.jpg", "restore_photo", "image"),
    ("style transfer", "Style cat.jpg like coffee.jpg", "transfer_style", "image"),
    ("image segmentation by name", "Panoptic segmentation of coffee.jpg", "segment_named", "segmentation"),
    ("answer about a document", "Answer from the scan receipt.png: what has to be paid?", "ask_document", "text"),
    ("zero-shot labels", "Is cat.jpg a cat or a dog? Match the labels", "match_labels", "labels"),
]  # fmt: skip


@pytest.fixture(scope="module")
def world(model_of, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setenv("GRAPHWRIGHT_HOME", str(home))
        patch.setenv("GRAPHWRIGHT_MODELS", str(home / "models"))
        patch.setenv("GRAPHWRIGHT_CATALOGUE", str(home / "models.toml"))
        install(model_of, *(id for id in LAYOUT if id in catalogue() and id not in LARGE))
        session = new_session()
        session.allow(*session.tools, *consent.CONNECTED)

        def small(name: str, tool: str) -> Path:
            picture = Image.open(RESOURCES / "examples" / name)
            picture.thumbnail((SIDE, SIDE) if tool != "cut_out" else picture.size)
            picture.save(home / name)
            return home / name

        async def asked(request: str, tool: str):
            session.new()
            names = tuple(session.attach(small(name, tool)).name for name in re.findall(r"\w+\.(?:jpg|png)", request))
            if "click" in request:
                session.point(names[0], (Point(48.0, 30.0),))
            await session.ask(request, names)
            ways = [[node.tool for node in way.workflow.nodes] for way in session.alternatives]
            place = next((place for place, tools in enumerate(ways) if tool in tools), None)
            assert place is not None, (ways, [message.text for message in session.messages])
            session.choose(place)
            await session.start()
            return session, session.resources[names[0]] if names else None

        yield lambda *of: runner.run(asked(*of))
        runner.run(session.close())


@pytest.mark.slow
@pytest.mark.parametrize(("row", "request_", "tool", "kind"), ROWS, ids=[row[0] for row in ROWS])
def test_what_the_seeds_do_is_asked_for_planned_and_done(row, request_, tool, kind, world):
    session, given = world(request_, tool)
    (node,) = [node for node in session.workflow.nodes if node.tool == tool]
    done = session.run.nodes[node.id]
    assert done.state == "done", (done.message, session.questions())
    made = done.outputs[session.tools[tool].outputs[0].name]
    assert made.type == kind
    backend = session.tools[tool].backend(done.backend)
    assert backend is not None
    value = session.value_of(made)
    if isinstance(value, np.ndarray) and kind != "image":
        assert value.shape[:2] == (given.facets["height"], given.facets["width"])

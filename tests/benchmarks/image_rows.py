"""Every image row of the tool tables of other systems, asked for in everyday words and run with tiny weights.

`python -m tests.benchmarks.image_rows [--only WORD]...`

The rows are the image tools of ControlLLM (59 tools), Visual ChatGPT (22 of its paper and five later ones), HuggingGPT
(tasks and control tasks), TaskBench (multimedia) and of the list of what this program shall do. Each goes through
`graphwright ask`, all in one session. The best plan is run; where it has none of the wanted tools, or does not come to
an end, the next ways that have one are run, and the row counts as not planned. On stderr a line for each row: what was
planned, whether it ran or why not, and the type of the result. On stdout the figures.

What the tiny weights give is chance: this looks at whether a request comes to a result of the right kind, not at how
good that is (`graphwright models check` does, with the real weights).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from desktop_app.app import new_session
from desktop_app.cli import ask, main
from desktop_app.core.errors import AppError
from desktop_app.core.paths import RESOURCES
from desktop_app.session.session import Session
from nodes import load_tools
from tests.benchmarks.figures import figure
from tests.nodes.models.conftest import LAYOUT, maker
from tests.nodes.models.test_through_engine import install

SIDE = 96
"""Pictures are made smaller: what is painted after a map is painted at its size, on the processor."""
LARGE = ("qwen-image", "qwen-image-edit-2511", "qwen-image-layered", "flux-1-kontext-dev", "z-image-turbo")
"""Are not installed: they look at a megapixel, or take many steps, which takes minutes with tiny weights too."""
TRIES = 3
"""So many ways with a wanted tool are run, until one gives what it should."""
MAPS = frozenset(["edge", "line", "soft_edge", "scribble", "pose", "depth", "normal", "segmentation", "mask"])
"""Kinds of results that are as large as their picture."""


class Row(NamedTuple):
    """`wanted` tools of which one has to be in the plan, between blanks; `kind` is the type of its result. A request
    that has the word click gets one in the middle of its first picture.
    """

    name: str
    request: str
    wanted: str
    kind: str


CONTROLLLM = [
    Row("1 image_question_answering", "What is the cat in cat.jpg looking at?", "ask_image", "text"),
    Row("4 image_captioning", "Tell me in one sentence what is to be seen in coffee.jpg", "describe_image", "text"),
    Row("5 partial_image_editing", "Turn the cup in coffee.jpg into a glass of juice", "replace_object", "image"),
    Row("6 text_image_editing", "Make it snow in rocket.jpg", "edit_by_instruction", "image"),
    Row("7 image_inpainting", "Take the spoon out of coffee.jpg", "remove_object", "image"),
    Row("8 highlight_object_on_image", "Put a box around the cat in cat.jpg", "draw_boxes highlight", "image"),
    Row("9 image_cropping", "Cut out the faces of group.jpg as pictures of their own", "crop_to_boxes", "image"),
    Row("10 text_to_image", "Draw me a lighthouse in a storm", "text_to_image", "image"),
    Row("11 image_to_image", "Give me another version of coffee.jpg", "image_to_image", "image"),
    Row("12 line_text_to_image", "Paint a temple that follows the straight lines of rocket.jpg",
        "line_to_image", "image"),
    Row("13 hed_text_to_image", "Paint a fox with the soft edges of cat.jpg", "soft_edge_to_image", "image"),
    Row("14 scribble_text_to_image", "Make a picture of a tiger out of the scribble of cat.jpg",
        "scribble_to_image", "image"),
    Row("15 pose_text_to_image", "Draw an astronaut in the pose of the people in team.jpg", "pose_to_image", "image"),
    Row("16 segmentation_text_to_image", "Paint a kitchen that follows the segmentation of coffee.jpg",
        "segmentation_to_image", "image"),
    Row("17 edge_text_to_image", "Draw a tiger along the edges of cat.jpg", "map_to_image", "image"),
    Row("18 depth_text_to_image", "Paint a garden with the depth of coffee.jpg", "depth_to_image", "image"),
    Row("19 normal_text_to_image", "Make a picture of a marble statue that keeps to the surface normals of cat.jpg",
        "normal_to_image", "image"),
    Row("20 image_to_edge", "Show me the edges in cat.jpg", "edge_map", "edge"),
    Row("21 image_to_line", "Find the straight lines in rocket.jpg", "line_map", "line"),
    Row("22 image_to_hed", "Show the soft edges of team.jpg", "soft_edge_map", "soft_edge"),
    Row("23 image_to_scribble", "Make a scribble out of cat.jpg", "scribble_map", "scribble"),
    Row("24 image_to_pose", "Show the poses of the people in team.jpg", "pose_map", "pose"),
    Row("25 image_to_depth", "How far away is everything in coffee.jpg? Make a depth map", "depth_map", "depth"),
    Row("26 image_to_normal", "Work out the surface normals of coffee.jpg", "normal_map normal_from_depth", "normal"),
    Row("27 object_detection", "Which things are in coffee.jpg, and where?", "detect_objects", "boxes"),
    Row("28 image_classification", "What kind of picture is rocket.jpg? Classify it", "classify_image", "labels"),
    Row("30 image_instance_segmentation", "Instance segmentation of team.jpg", "segment_named", "segmentation"),
    Row("31 image_segmentation_by_mask", "Refine the mask cup_mask.png to the outline of the cup in coffee.jpg",
        "segment_mask", "mask"),
    Row("32 image_segmentation_by_points", "Select what I click on in cat.jpg", "segment_points", "mask"),
    Row("33 segment_anything", "Segment everything in cat.jpg", "segment_everything", "segmentation"),
    Row("34 visual_grounding", "Where is the spoon beside the cup in coffee.jpg?", "find_described", "boxes"),
    Row("35 optical_character_recognition", "What does it say on receipt.png?", "read_text", "text"),
    Row("36 select_category", "Classify cat.jpg and keep only the labels that are animals", "select_labels", "labels"),
    Row("37 select_bbox", "Find the objects in coffee.jpg and keep only the boxes of cups", "select_boxes", "boxes"),
    Row("38 select_mask", "Select the cup in coffee.jpg as a mask", "segment_described", "mask"),
    Row("39 count_categories", "Classify cat.jpg and count the labels", "count_labels", "number"),
    Row("40 count_objects", "How many cups are there in coffee.jpg?", "count_boxes", "number"),
    Row("41 count_masks", "Segment everything in cat.jpg and count the segments", "segment_everything count_blobs",
        "number"),
]  # fmt: skip
VISUAL_CHATGPT = [
    Row("Remove Something From The Photo", "Please remove the cup from coffee.jpg", "remove_object", "image"),
    Row("Replace Something From The Photo", "Replace the cat in cat.jpg with a dog", "replace_object", "image"),
    Row("Instruct Image Using Text", "Edit coffee.jpg by instruction: make it look like it is made of clay",
        "edit_by_instruction", "image"),
    Row("Answer Question About The Image", "What colour is the cup in coffee.jpg?", "ask_image", "text"),
    Row("Get Photo Description", "What is going on in team.jpg? Describe it", "describe_image", "text"),
    Row("Generate Image From User Input Text", "Generate an image of a red bicycle by the sea",
        "text_to_image", "image"),
    Row("Edge Detection On Image", "Detect the edges of coffee.jpg", "edge_map", "edge"),
    Row("Generate Image Condition On Canny Image", "Generate a wooden toy from the canny edges of rocket.jpg",
        "map_to_image", "image"),
    Row("Line Detection On Image", "Detect the straight lines of coffee.jpg", "line_map", "line"),
    Row("Generate Image Condition On Line Image", "Generate an image of a bar along the straight lines of coffee.jpg",
        "line_to_image", "image"),
    Row("Hed Detection On Image", "Detect the soft boundaries of rocket.jpg", "soft_edge_map", "soft_edge"),
    Row("Generate Image Condition On Soft Hed Boundary Image",
        "Generate an image of a bear from the soft edges of cat.jpg", "soft_edge_to_image", "image"),
    Row("Segmentation On Image", "Segment rocket.jpg into named regions", "segment_named", "segmentation"),
    Row("Generate Image Condition On Segmentations",
        "Generate an image of a castle from the segmentation of rocket.jpg", "segmentation_to_image", "image"),
    Row("Predict Depth On Image", "Predict the depth of rocket.jpg", "depth_map", "depth"),
    Row("Generate Image Condition On Depth", "Generate an image of a cave that has the depth of rocket.jpg",
        "depth_to_image", "image"),
    Row("Predict Normal Map On Image", "Predict the normal map of cat.jpg", "normal_map normal_from_depth", "normal"),
    Row("Generate Image Condition On Normal Map", "Generate an image of a bronze figure from the normal map of cat.jpg",
        "normal_to_image", "image"),
    Row("Sketch Detection On Image", "Detect the scribble of coffee.jpg", "scribble_map", "scribble"),
    Row("Generate Image Condition On Sketch Image", "Generate an image of a teapot from the scribble of coffee.jpg",
        "scribble_to_image", "image"),
    Row("Pose Detection On Image", "Detect the human pose in team.jpg", "pose_map", "pose"),
    Row("Generate Image Condition On Pose Image", "Generate an image of dancers with the human pose of team.jpg",
        "pose_to_image", "image"),
    Row("Extend An Image", "Extend rocket.jpg to twice its width", "extend_canvas", "image"),
    Row("Segment the Image", "Segment coffee.jpg", "segment_everything segment_named", "segmentation"),
    Row("Detect the Given Object", "Find the tail of the cat in cat.jpg", "find_described", "boxes"),
    Row("Segment the Given Object", "Segment the saucer in coffee.jpg", "segment_described", "mask"),
    Row("Remove The Background", "Remove the background of group.jpg", "cut_out", "image"),
]  # fmt: skip
HUGGINGGPT = [
    Row("image-classification", "Classify coffee.jpg", "classify_image", "labels"),
    Row("object-detection", "Detect the objects in team.jpg", "detect_objects", "boxes"),
    Row("image-segmentation", "Give me a semantic segmentation of cat.jpg", "segment_named", "segmentation"),
    Row("image-to-text", "Write a caption for rocket.jpg", "describe_image", "text"),
    Row("visual-question-answering", "Is the cat in cat.jpg asleep?", "ask_image", "text"),
    Row("document-question-answering", "Look at the scan receipt.png and answer: what is the total?",
        "ask_document", "text"),
    Row("depth-estimation", "Estimate how deep the scene of cat.jpg is: I want the depth map", "depth_map", "depth"),
    Row("text-to-image", "I'd like a picture of a snowy village at night", "text_to_image", "image"),
    Row("image-to-image", "Make a variation of rocket.jpg", "image_to_image", "image"),
    Row("canny-control", "Run canny edge detection on rocket.jpg", "edge_map", "edge"),
    Row("canny-text-to-image", "Take the edges of coffee.jpg and paint a robot on them", "map_to_image", "image"),
    Row("mlsd-control", "Make a line map of coffee.jpg", "line_map", "line"),
    Row("mlsd-text-to-image", "Make a line map of rocket.jpg and generate a factory from it", "line_to_image", "image"),
    Row("hed-control", "Make a soft edge map of cat.jpg", "soft_edge_map", "soft_edge"),
    Row("hed-text-to-image", "Make a soft edge map of coffee.jpg and generate an image of a flower from it",
        "soft_edge_to_image", "image"),
    Row("scribble-control", "Make a scribble map of rocket.jpg", "scribble_map", "scribble"),
    Row("scribble-text-to-image", "Make a scribble map of rocket.jpg and generate an image of a tower from it",
        "scribble_to_image", "image"),
    Row("openpose-control", "Make a pose map of team.jpg", "pose_map", "pose"),
    Row("openpose-text-to-image", "Make a pose map of team.jpg and generate an image of football players from it",
        "pose_to_image", "image"),
    Row("depth-text-to-image", "Make a depth map of cat.jpg and generate an image of a lion from it",
        "depth_to_image", "image"),
    Row("normal-control", "Make a normal map of rocket.jpg", "normal_map normal_from_depth", "normal"),
    Row("normal-text-to-image", "Make a normal map of coffee.jpg and generate an image of a vase from it",
        "normal_to_image", "image"),
    Row("seg-text-to-image", "Make a segmentation of cat.jpg and generate an image of a wolf from it",
        "segmentation_to_image", "image"),
]  # fmt: skip
TASKBENCH = [
    Row("Text-to-Image", "A watercolour of an old harbour, please make that picture", "text_to_image", "image"),
    Row("Image-to-Text", "Put into words what coffee.jpg shows", "describe_image", "text"),
    Row("Image Stitcher", "Put cat.jpg and coffee.jpg side by side", "stitch_side_by_side panorama", "image"),
    Row("Image Colorizer", "Colourise the old black and white photo grey.jpg", "colourise", "image"),
    Row("Image Style Transfer", "Give cat.jpg the style of coffee.jpg", "transfer_style", "image"),
]
PERCEPTION = [
    Row("classify image", "What is in rocket.jpg? Give me labels", "classify_image detect_objects", "labels"),
    Row("zero-shot labels", "Which of these fits cat.jpg best: cat, dog, horse?", "match_labels", "labels"),
    Row("find by description", "Find the golden spoon in coffee.jpg", "find_described", "boxes"),
    Row("detect faces", "Find the faces in group.jpg", "detect_faces", "boxes"),
    Row("segment everything", "Split coffee.jpg into all of its segments", "segment_everything", "segmentation"),
    Row("segment instances", "Panoptic segmentation of team.jpg", "segment_named", "segmentation"),
    Row("segment by points", "Make a mask of the thing I click on in coffee.jpg", "segment_points", "mask"),
    Row("segment by description", "Make a mask of the cat's ears in cat.jpg", "segment_described", "mask"),
    Row("caption", "Describe cat.jpg", "describe_image", "text"),
    Row("answer about an image", "How many people are smiling in team.jpg? Ask the picture", "ask_image", "text"),
    Row("answer about a region", "What is the thing that I click on in coffee.jpg?", "ask_region", "text"),
    Row("answer about a document", "Answer from the scan receipt.png: what has to be paid?", "ask_document", "text"),
    Row("read text", "Read the text in receipt.png", "read_text", "text"),
    Row("read codes", "Read the QR code in code.png", "read_codes", "text"),
    Row("table from image", "Turn the list on receipt.png into a table", "picture_to_table", "table"),
    Row("find similar", "Which of cat.jpg, coffee.jpg and rocket.jpg is most like grey.jpg?", "find_similar", "table"),
]
MAKING = [
    Row("edit region", "Fill the place under cup_mask.png in coffee.jpg with a bowl of fruit", "inpaint", "image"),
    Row("remove object", "Remove the thing that I click on from rocket.jpg", "remove_object", "image"),
    Row("extend canvas", "Extend coffee.jpg by 100 pixels to the left", "extend_canvas", "image"),
    Row("replace background", "Replace the background of group.jpg by rocket.jpg", "replace_background", "image"),
    Row("style", "Make a cartoon of cat.jpg", "cartoon", "image"),
    Row("upscale", "Upscale cat.jpg twice", "upscale", "image"),
    Row("denoise", "Take the noise out of grey.jpg", "denoise", "image"),
    Row("deblur", "Sharpen the blurred photo grey.jpg: deblur it", "deblur sharpen", "image"),
    Row("restore", "Restore the old photo grey.jpg", "restore_photo", "image"),
    Row("crop", "Crop cat.jpg to a square", "crop", "image"),
    Row("compare", "What is the difference between cat.jpg and grey.jpg? Compare them", "compare_images", "image"),
    Row("drag edit", "Warp cat.jpg: I click on what has to move", "warp_points", "image"),
    Row("layers", "Split coffee.jpg into layers", "split_layers", "image"),
]
GLUE = [
    Row("select boxes", "Find the objects in team.jpg and keep only the horses", "select_boxes", "boxes"),
    Row("select labels", "Classify coffee.jpg and keep only drinks among the labels", "select_labels", "labels"),
    Row("count", "Count the coins in coins.jpg", "count_blobs count_boxes", "number"),
    Row("mask from boxes", "Make a mask of the faces in group.jpg", "mask_from_boxes", "mask"),
    Row("crop to boxes", "Cut the faces out of group.jpg", "crop_to_boxes", "image"),
    Row("boxes from mask", "Segment the cup in coffee.jpg and turn the mask into a box", "boxes_from_mask", "boxes"),
    Row(
        "combine masks",
        "Segment the cup and the spoon in coffee.jpg and combine the two masks",
        "combine_masks",
        "mask",
    ),
    Row("invert mask", "Segment the cup in coffee.jpg and invert the mask", "invert_mask", "mask"),
    Row("grow mask", "Segment the cup in coffee.jpg and grow the mask by 5 pixels", "grow_mask", "mask"),
    Row("a mask of one's own", "Invert the mask cup_mask.png", "invert_mask", "mask"),
]
TABLES = {
    "ControlLLM": CONTROLLLM, "Visual ChatGPT": VISUAL_CHATGPT, "HuggingGPT": HUGGINGGPT, "TaskBench": TASKBENCH,
    "perception": PERCEPTION, "making": MAKING, "glue": GLUE,
}  # fmt: skip


@dataclass
class Walk:
    """What came of a row: the tools of the best plan, which way has a wanted one, how that ended, what it was given in
    values, and the types of what it gave.
    """

    row: Row
    planned: list[str] = field(default_factory=list)
    place: int | None = None
    ran: str = ""
    given: str = ""
    kinds: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def first(self) -> bool:
        """True when the best plan did it."""
        return self.done and self.place == 0

    @property
    def done(self) -> bool:
        """True when a wanted tool ran, and gave what it should."""
        return self.ran == "done" and self.row.kind in self.kinds

    def __str__(self) -> str:
        way = " (no plan)" if self.place is None else f" (way {self.place + 1})" if self.place else ""
        word = "ok" if self.first else "PLAN" if self.done else "FAIL"
        plan = " -> ".join(self.planned)
        return (
            f"{word:4} {self.seconds:5.1f} s  {self.row.name}: {self.row.request!r}\n"
            f"     {plan or 'nothing'}{way}: {self.ran} {', '.join(self.kinds) if self.done else self.given}"
        )


async def walk(session: Session, row: Row, folder: Path) -> Walk:
    """Asks for one row, as `graphwright ask --json --yes` would, in a conversation of its own."""
    found, began = Walk(row), time.perf_counter()
    answer = await _ask(session, row, folder, 1)
    ways = [[node.tool for node in way.workflow.nodes] for way in session.alternatives]
    found.planned = ways[0] if ways else []
    wanted = set(row.wanted.split())
    for place in [place for place, tools in enumerate(ways) if wanted & set(tools)][:TRIES] or [None]:
        found.place = place
        if place:
            answer = await _ask(session, row, folder, place + 1)
        _look(found, session, answer, folder)
        if found.done:
            break
    found.seconds = time.perf_counter() - began
    return found


def _look(found: Walk, session: Session, answer: Mapping[str, Any], folder: Path) -> None:
    """Keeps what came of the first node of a wanted tool."""
    node = next((node for node in answer["nodes"] if node["tool"] in found.row.wanted.split()), None)
    if node is None:
        found.ran = "none of the wanted tools" if answer["nodes"] else answer["answer"].splitlines()[0]
        return
    found.ran = " ".join(filter(None, (node["state"], node.get("message"), node.get("because"))))
    values = session.workflow.node(node["id"]).values
    found.given = ", ".join(f"{name}={value!r}" for name, value in values.items())
    made = [value[0] if isinstance(value, list) else value for value in node["outputs"].values() if value]
    found.kinds = tuple(str(each["type"]) for each in made)
    if found.row.kind in MAPS and found.ran == "done":
        found.ran = _of_size(made[0], _size(folder / _files(found.row)[0]))


def _of_size(made: Mapping[str, object], size: tuple[int, int]) -> str:
    found = made["width"], made["height"]
    return "done" if found == size else f"done, of {found} pixels for a picture of {size}"


def _files(row: Row) -> list[str]:
    return re.findall(r"\w+\.(?:jpg|png)", row.request)


async def _ask(session: Session, row: Row, folder: Path, way: int) -> dict[str, Any]:
    """The object that `ask --json` prints."""
    names = _files(row)
    arguments = ["ask", row.request, "--json", "--yes", "--choose", str(way), "--out", str(folder / "out")]
    for name in names:
        arguments += ["--attach", str(folder / name)]
    if "click" in row.request:
        x, y = (side // 2 for side in _size(folder / names[0]))
        arguments += ["--point", f"{names[0]}={x},{y}"]
        if "has to move" in row.request:  # a drag is a pair
            arguments += ["--point", f"{names[0]}={x + 20},{y}"]
    session.new()
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()):
        try:
            await ask.ask_in(session, main.command_line().parse_args(arguments))
        except AppError as error:
            return {"answer": f"refused: {error.message}", "nodes": []}
    return json.loads(said.getvalue())


def _size(path: Path) -> tuple[int, int]:
    from PIL import Image

    with Image.open(path) as picture:
        return picture.size


def pictures(folder: Path) -> None:
    """The example pictures, smaller, and made of them a grey one, one of people, a mask, and a code."""
    import cv2
    from PIL import Image

    for path in (RESOURCES / "examples").iterdir():
        if path.suffix in (".jpg", ".png"):
            with Image.open(path) as picture:
                if path.suffix == ".jpg" and path.name not in ("group.jpg", "coins.jpg"):  # faces and coins need pixels
                    picture.thumbnail((SIDE, SIDE))
                picture.save(folder / path.name)
    with Image.open(folder / "cat.jpg") as cat, Image.open(folder / "group.jpg") as group:
        cat.convert("L").save(folder / "grey.jpg")
        group.resize((SIDE, SIDE // 2)).save(folder / "team.jpg")
    width, height = _size(folder / "coffee.jpg")
    mask = np.zeros((height, width), np.uint8)
    cv2.ellipse(mask, (width // 2, height // 2), (width // 5, height // 4), 0, 0, 360, 255, -1)
    cv2.imwrite(str(folder / "cup_mask.png"), mask)
    code = cv2.QRCodeEncoder.create().encode("https://example.org")
    cv2.imwrite(str(folder / "code.png"), cv2.copyMakeBorder(cv2.resize(code, None, fx=8, fy=8,
                interpolation=cv2.INTER_NEAREST), 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255))  # fmt: skip


async def walked(rows: Iterable[Row], folder: Path) -> list[Walk]:
    """All of them in one session, whose home is `folder`, each told on stderr as it comes."""
    pictures(folder)
    session, found = new_session(), []
    try:
        for row in rows:
            found.append(await walk(session, row, folder))
            print(found[-1], file=sys.stderr, flush=True)
    finally:
        await session.close()
    return found


def use_tiny_models(folder: Path, ids: Sequence[str]) -> None:
    """Makes `folder` the home of the program, in which it finds tiny models."""
    home = {"HOME": folder, "MODELS": folder / "models", "CATALOGUE": folder / "models.toml"}
    os.environ.update({f"GRAPHWRIGHT_{name}": str(place) for name, place in home.items()})
    made = maker(folder / "made")
    with contextlib.redirect_stderr(io.StringIO()):  # the libraries tell how far they are
        install(made, *(id for id in ids if not (folder / "models" / id).exists()))


def for_pictures() -> list[str]:
    """The tiny models that tools for pictures run on."""
    tools = [tool for tool in load_tools().tools.values() if tool.domain in ("image", "mask")]
    used = {backend.model for tool in tools for backend in tool.backends}
    return [id for id in LAYOUT if id in used and id not in LARGE]


def main_() -> None:
    """Prints the rows and the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="rows whose table or name has it")
    parser.add_argument("--home", type=Path, metavar="DIR", help="where the tiny models stay for the next time")
    options = parser.parse_args()
    words = [word.lower() for word in options.only]
    rows = [
        row._replace(name=f"{table}: {row.name}") for table, rows in TABLES.items() for row in rows
        if not words or any(word in f"{table}: {row.name}".lower() for word in words)
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        home = (options.home or Path(name)).resolve()
        home.mkdir(exist_ok=True)
        use_tiny_models(home, for_pictures())
        found = asyncio.run(walked(rows, home))
    figure("image_rows.ran", sum(each.done for each in found), "rows", len(rows), higher_is_better=True)
    figure("image_rows.planned_first", sum(each.first for each in found), "rows", len(rows), higher_is_better=True)


if __name__ == "__main__":
    main_()

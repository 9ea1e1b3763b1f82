"""Worlds for the planner: our own tools, a toy tool set, random tool sets, and the check that replays a plan."""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.tools.tool_specs import from_data, from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, PortSpec, Request, Solution, ToolSpec
from nodes import load_tools


@cache
def own_planner() -> OfflinePlanner:
    """The one over our own tools: to make it takes as long as a dozen plans, and planning changes nothing of it."""
    return OfflinePlanner(from_tools(load_tools().tools))


def papers_planner() -> OfflinePlanner:
    """One over the tools that the papers' examples assume."""
    held = lzma.decompress((Path(__file__).parent.parent / "data" / "papers_toolbox.json.xz").read_bytes())
    return OfflinePlanner(from_data(json.loads(held)))


def port(name: str, type: str, doc: str = "", **more) -> PortSpec:
    """An input or output; with a default it is not required."""
    return PortSpec(name, type, doc, required="default" not in more, **more)


def tool(id, title, description, inputs, outputs, words=(), examples=()) -> ToolSpec:
    """A tool of a toy tool set."""
    return ToolSpec(id, title, description, tuple(inputs), tuple(outputs), "", tuple(examples), tuple(words))


IMAGE = port("image", "image", "the picture")
MASK = port("mask", "mask", "only this part", default=None)
TOYS: tuple[ToolSpec, ...] = (
    tool("t_faces", "Find faces", "Finds the faces in a picture.", [IMAGE], [port("boxes", "boxes")], ("face",)),
    tool("t_look", "Find by words", "Finds things in a picture by a description in words.",
         [IMAGE, port("what", "text", "what to look for")], [port("boxes", "boxes")], ("look for",)),
    tool("t_select", "Select by clicking", "Finds the outline of the thing on which the user clicks.",
         [IMAGE, port("points", "points", "clicks", picked_on="image")], [port("mask", "mask")],
         ("point at", "click"), ("Select the thing I point at",)),
    tool("t_inside", "Inside of boxes", "Makes a mask that selects what lies inside boxes.",
         [IMAGE, port("boxes", "boxes")], [port("mask", "mask")]),
    tool("t_blur", "Blur", "Blurs a whole picture softly, or only the part of it under a mask.",
         [IMAGE, MASK, port("radius", "number", "strength in pixels", default=8.0, minimum=0.1, maximum=200)],
         [port("image", "image")], ("blurry", "soften")),
    tool("t_pixels", "Pixelate", "Pixelates a picture, or the part under a mask.", [IMAGE, MASK],
         [port("image", "image")], ("mosaic",)),
    tool("t_light", "Brightness", "Makes a picture brighter or darker.",
         [IMAGE, port("change", "text", "which way", default="brighter", choices=("brighter", "darker"))],
         [port("image", "image")], ("brighter", "darker")),
    tool("t_turn", "Rotate", "Turns a picture by an angle.",
         [IMAGE, port("angle", "number", "degrees clockwise", default=90)], [port("image", "image")]),
    tool("t_erase", "Remove object", "Removes what lies under a mask and fills the hole.",
         [IMAGE, port("mask", "mask", "what to remove")], [port("image", "image")], ("erase",)),
    tool("t_cut", "Cut out", "Cuts out what lies under a mask; the rest becomes transparent.",
         [IMAGE, MASK], [port("image", "image")], ("cutout",)),
    tool("t_count", "Count", "Counts boxes: how many things were found.", [port("boxes", "boxes")],
         [port("number", "number")], ("how many",)),
    tool("t_sum", "Add up", "Adds numbers to a sum.", [port("numbers", "number", many=True)],
         [port("number", "number")], ("sum", "total")),
    tool("t_read", "Read text", "Reads the text in a picture (OCR).", [IMAGE],
         [port("text", "text"), port("boxes", "boxes")], ("recognise text",)),
    tool("t_say", "Speak", "Speaks a text with a synthetic voice.",
         [port("text", "text"), port("voice", "text", "voice", default="female", choices=("male", "female"))],
         [port("audio", "audio")], ("say", "aloud"), ("Read this text aloud",)),
    tool("t_clean", "Clean audio", "Removes steady background noise from a recording.", [port("audio", "audio")],
         [port("audio", "audio")], ("noise", "hiss")),
    tool("t_wave", "Waveform", "Draws the waveform of a sound as a picture.", [port("audio", "audio")],
         [port("image", "image")]),
    tool("t_track", "Sound of a video", "Takes the sound track out of a video.", [port("video", "video")],
         [port("audio", "audio")]),
    tool("t_slides", "Slideshow", "Makes a video out of pictures, with sound if given.",
         [port("images", "image", many=True), port("audio", "audio", "sound", default=None)], [port("video", "video")],
         ("slide show",)),
    tool("t_collage", "Collage", "Puts pictures side by side into one.", [port("images", "image", many=True)],
         [port("image", "image")]),
    tool("t_short", "Summarise", "Shortens a text to its most important sentences.",
         [port("text", "text"), port("sentences", "number", "how many sentences", default=5, minimum=1, maximum=50)],
         [port("text", "text")], ("summary",)),
    tool("t_page", "Web page", "Makes a web page out of a title, text and pictures.",
         [port("text", "text"), port("title", "text", "the title", default="")], [port("html", "html")], ("website",)),
)  # fmt: skip


def attached(*names: str) -> tuple[Given, ...]:
    """Attached files; the type follows from the ending."""
    types = {"jpg": "image", "png": "image", "wav": "audio", "mp4": "video", "txt": "text", "csv": "table"}
    return tuple(Given(name, types[name.rpartition(".")[2]]) for name in names)


def faults(solution: Solution, request: Request, tools: Iterable[ToolSpec]) -> list[str]:
    """Replays a solution: what is wrong with it, as sentences. Nothing is wrong with a good one."""
    specs = {spec.id: spec for spec in tools}
    types = {given.name: given.type for given in request.resources}
    made: dict[tuple[str, str], str] = {}
    found = []
    asked = {(question.step, question.port) for question in solution.questions}
    for step in solution.steps:
        spec = specs[step.tool]
        ports = {p.name: p for p in spec.inputs}
        for name, argument in step.arguments.items():
            if name not in ports:
                found.append(f"{step.id} has no port {name}")
                continue
            if isinstance(argument, str) and (step.id, name) in solution.origins:
                continue  # written for the purpose, and marked
            for item in argument if isinstance(argument, tuple) else (argument,):
                found += _fault(item, ports[name], f"{step.id}.{name}", types, made, request)
        for p in spec.inputs:
            if p.required and p.name not in step.arguments and (step.id, p.name) not in asked:
                found.append(f"{step.id}.{p.name} is neither filled nor asked for")
        for p in spec.outputs:
            made[step.id, p.name] = p.type
    found += [f"wanted {pair} is not made" for pair in solution.wanted if pair not in made]
    return found


def _fault(item, port: PortSpec, place: str, types: dict, made: dict, request: Request) -> list[str]:
    if isinstance(item, FromNode):
        type = made.get((item.node, item.port))
        if type is None:
            return [f"{place} takes {item} before it is made"]
    elif isinstance(item, FromResource):
        type = types.get(item.name)
        if type is None:
            return [] if item.name in request.text else [f"{place}: {item.name} is invented"]
    elif isinstance(item, str):
        said = item.lower() in " ".join(request.text.lower().split()) or item in port.choices
        words = all(word in request.text.lower() for word in re.findall(r"\w+", item.lower()))
        return [] if said or words else [f"{place}: the text {item!r} is invented"]
    else:
        return []
    return [] if port.any_kind or fits(type, port.type) else [f"{place} takes {port.type}, not {type}"]


_TYPES = ("image", "image.mask", "text", "audio", "video", "table", "blob")
_VERBS = ("summarize", "blur", "transcribe", "combine", "convert", "count", "clean", "translate", "describe", "crop")


def random_tools(seed: int, count: int, types: Sequence[str] = _TYPES) -> tuple[ToolSpec, ...]:
    """A tool set of that size with one or two inputs a tool; the same seed gives the same set."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        takes = [chance.choice(types) for _ in range(chance.choice((1, 1, 2)))]
        gives = chance.choice(types)
        verb = chance.choice(_VERBS)
        title = f"{verb.title()} {takes[0].replace('.', ' ')} {number}"
        inputs = [port(f"{type.rpartition('.')[2]}{i}", type) for i, type in enumerate(takes)]
        found.append(
            tool(f"tool{number}", title, f"Can {verb} a {takes[0]} into a {gives}.", inputs, [port("out", gives)])
        )
    return tuple(found)

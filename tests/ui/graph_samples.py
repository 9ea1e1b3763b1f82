"""Small tools, a workflow and runs in every state, for the tests and screenshots of the graph."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QRadialGradient

from desktop_app.graph.decorations import Frame, Note
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.storage.resources import Resource
from nodes.api import Backend, Port, ResourceType, Tool

T = ResourceType


def _tool(id, title, icon, inputs, outputs, backend="Built-in", device="cpu", description="Does something.", words=()):
    ports = tuple(Port(n, t, doc, **more) for n, t, doc, more in inputs)
    return Tool(
        id, title, "image", description, ports, tuple(Port(n, t, "result") for n, t in outputs),
        (Backend("first", backend, lambda: None, device=device),), icon=icon, words=words,
    )  # fmt: skip


_IMAGE = ("image", T.IMAGE, "the picture", {})
TOOLS = {
    tool.id: tool
    for tool in (
        _tool(
            "segment_points", "Segment by points", "mouse-pointer-2",
            [_IMAGE, ("points", T.POINTS, "where the thing is", {"picked_on": "image"})], [("mask", T.MASK)],
            "SAM base", "gpu", "Cuts out what the points lie on.",
        ),
        _tool(
            "remove_object", "Remove object", "eraser", [_IMAGE, ("mask", T.MASK, "what goes", {})],
            [("image", T.IMAGE)], "LaMa 512", "gpu", "Fills what lies under the mask from its surroundings.",
        ),
        _tool(
            "watercolour", "Watercolour", "palette",
            [
                _IMAGE, ("prompt", T.TEXT, "what it shows", {"default": ""}),
                ("strength", T.NUMBER, "how much", {"default": 0.6}),
            ],
            [("image", T.IMAGE)], "SDXL 1.0", "gpu", "Paints the picture in watercolour.", ("aquarelle",),
        ),
        _tool("caption", "Caption", "text", [_IMAGE], [("text", T.TEXT)], "BLIP", "gpu", "Says what is in a picture."),
        _tool(
            "format_text", "Format text", "type", [("caption", T.TEXT, "the text", {})], [("text", T.TEXT)],
            description="Puts text into a sentence.",
        ),
        _tool("describe", "Describe result", "eye", [_IMAGE], [("text", T.TEXT)], "BLIP", "gpu"),
        _tool(
            "speak", "Text to speech", "volume-2", [("text", T.TEXT, "the text", {})], [("audio", T.AUDIO)],
            "espeak-ng",
        ),
        _tool("upscale", "Upscale", "maximize", [_IMAGE], [("image", T.IMAGE)], words=("enlarge", "bigger")),
        _tool(
            "collage", "Collage", "layout-grid", [("images", T.IMAGE, "the pictures", {"many": True})],
            [("image", T.IMAGE)],
        ),
    )
}  # fmt: skip


def resource(name, type=T.IMAGE, made_by="", **facets):
    """A resource with a digest made of its name."""
    return Resource(name, T(type), (name.encode().hex() * 8)[:64].ljust(64, "0"), ".png", facets, made_by)


COFFEE = resource("coffee.jpg", width=600, height=400)
POINTS = resource("Points", T.POINTS)


def workflow():
    """The graph of the design's main screen."""
    nodes = (
        Node("seg", "segment_points"), Node("rem", "remove_object"), Node("paint", "watercolour"),
        Node("cap", "caption"), Node("fmt", "format_text"), Node("desc", "describe"),
    )  # fmt: skip
    links = (
        Link("coffee.jpg", "value", "seg", "image"), Link("Points", "value", "seg", "points"),
        Link("coffee.jpg", "value", "rem", "image"), Link("seg", "mask", "rem", "mask"),
        Link("rem", "image", "paint", "image"), Link("coffee.jpg", "value", "cap", "image"),
        Link("cap", "text", "fmt", "caption"), Link("fmt", "text", "paint", "prompt"),
        Link("rem", "image", "desc", "image"),
    )  # fmt: skip
    return Workflow((COFFEE, POINTS), nodes, links)


def run():
    """A run in the middle: cached, done, running and waiting nodes."""
    text = {"text": resource("a red saucer with a spoon on a worn wooden table, a cup of espresso on it", T.TEXT)}
    return Run("r", 0.0, {
        "seg": NodeRun("done", "GPU 0", cached=True, outputs={"mask": resource("mask", T.MASK)}),
        "rem": NodeRun("done", "GPU 0", seconds=1.4, outputs={"image": resource("saucer")}),
        "paint": NodeRun("running", "GPU 0", start=1.0, fraction=0.58, note="step 14 / 24"),
        "cap": NodeRun("done", "GPU 0", seconds=0.9, outputs=text),
        "fmt": NodeRun("done", "CPU 1", seconds=0.002, outputs=text),
        "desc": NodeRun("waiting"),
    })  # fmt: skip


def picture(asked):
    """A picture for a resource: a saucer, or a white disc for a mask. Called on threads."""
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    if asked.type is T.MASK:
        image.fill(Qt.GlobalColor.black)
        painter = QPainter(image)
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawEllipse(QRectF(190, 60, 200, 230))
        painter.end()
        return image
    image.fill(QColor("#8a5a34"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    shade = QRadialGradient(QPointF(270, 180), 220)
    shade.setColorAt(0, QColor("#e06a3c"))
    shade.setColorAt(1, QColor("#9c2f16"))
    painter.setBrush(shade)
    painter.drawEllipse(QRectF(110, 90, 380, 260))
    if asked.name == "coffee.jpg":
        painter.setBrush(QColor("#f3ead9"))
        painter.drawEllipse(QRectF(190, 60, 200, 170))
        painter.setBrush(QColor("#7a4a20"))
        painter.drawEllipse(QRectF(205, 75, 170, 120))
    painter.end()
    return image


def text(asked):
    """The text of a resource: its name."""
    return asked.name


def peaks(asked):
    """A waveform."""
    return [abs(((i * 37) % 23) / 23 - 0.3) * (1 - abs(i - 21) / 30) + 0.1 for i in range(42)]


STATES = (
    "waiting",
    "running",
    "done",
    "cached",
    "input",
    "failed",
    "skipped",
    "selected",
    "cancelled",
    "sound",
    "missing",
)


def every_state():
    """A workflow and a run with one node in each state, on places like those of the design's page of states."""
    places = {state: (232.0 * (i % 6), 240.0 * (i // 6)) for i, state in enumerate(STATES)}
    kinds = {"input": "segment_points", "skipped": "describe", "sound": "speak", "missing": "old.detector"}
    nodes = tuple(Node(s, kinds.get(s, "watercolour"), position=places[s]) for s in STATES)
    feeds = {"sound": ("words", "text"), "missing": ("coffee.jpg", "image")}
    links = tuple(Link(*_feed(s, feeds)) for s in STATES)
    resources = (COFFEE, resource("words", T.TEXT, characters=120))
    done = {"image": resource("saucer")}
    nodes_run = {
        "waiting": NodeRun("waiting"),
        "running": NodeRun("running", "GPU 0", fraction=0.58, note="step 14 / 24"),
        "done": NodeRun("done", "GPU 0", seconds=14.0, outputs=done),
        "selected": NodeRun("done", "GPU 0", seconds=14.0, outputs=done),
        "cached": NodeRun("done", "GPU 0", cached=True, outputs=done),
        "failed": NodeRun(
            "failed", "GPU 0", message="Not enough GPU memory. Needs 6.9 GB, 3.1 GB free.",
            fix="Built-in style can do it.",
        ),
        "skipped": NodeRun("skipped", because="failed"),
        "cancelled": NodeRun("cancelled"),
        "sound": NodeRun("done", "CPU 1", seconds=0.6, outputs={"audio": resource("speech", T.AUDIO)}),
    }  # fmt: skip
    at = {"coffee.jpg": (-220.0, 0.0), "words": (-220.0, 240.0)}
    return Workflow(resources, nodes, links, positions=at), Run("r", 0.0, nodes_run)


def annotated():
    """The main graph with all that can be drawn on it, one node bypassed and one muted."""
    graph = workflow()
    modes = {"paint": "bypass", "desc": "mute"}
    places = {
        "coffee.jpg": (0.0, 0.0), "Points": (0.0, 232.0), "seg": (232.0, 0.0), "rem": (480.0, 0.0),
        "paint": (800.0, 0.0), "cap": (232.0, 320.0), "fmt": (480.0, 320.0), "desc": (800.0, 320.0),
    }  # fmt: skip
    decorations = (
        Frame("words", "What it shows, in words", (208.0, 268.0), (488.0, 260.0), "green"),
        Frame("cutting", "Take the cup out", (208.0, -56.0), (488.0, 308.0), "violet"),
        Note(
            "note", "Two points on the cup, one on the spoon.\n\nThe mask has to leave the spoon in.",
            (-224.0, 232.0), (192.0, 112.0),
        ),
    )  # fmt: skip
    return Workflow(
        graph.resources,
        tuple(replace(node, position=places[node.id], mode=modes.get(node.id, "")) for node in graph.nodes),
        graph.links,
        graph.wanted,
        {name: places[name] for name in ("coffee.jpg", "Points")},
        decorations,
        {Link("rem", "image", "desc", "image"): ((728.0, 264.0), (752.0, 300.0))},
    )


def _feed(state, feeds):
    source, port = feeds.get(state, ("coffee.jpg", "image"))
    return source, "value", state, port

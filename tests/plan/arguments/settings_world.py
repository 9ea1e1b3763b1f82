"""Small made-up tools with settings of every kind, for the tests of reading settings."""

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import fill
from tests.plan.worlds import IMAGE, port, tool


def number(name, doc="", default=1.0, minimum=None, maximum=None, unit="", integer=False):
    return port(name, "number", doc, default=default, minimum=minimum, maximum=maximum, unit=unit, integer=integer)


def choice(name, *choices, doc="", default=None):
    return port(name, "text", doc, default=default or choices[0], choices=choices)


def free(name, doc="", **more):
    return port(name, "text", doc, **more)


AUDIO = port("audio", "audio")
GAIN = tool(
    "gain",
    "Loudness",
    "Makes a sound louder or quieter.",
    [AUDIO, number("gain", unit="dB", minimum=-80, maximum=60)],
    [AUDIO],
)
TARGET = tool(
    "target",
    "Even out",
    "Brings a sound to a loudness.",
    [AUDIO, number("target", unit="LUFS", minimum=-50, maximum=-5), number("peak", unit="dB", minimum=-20, maximum=0)],
    [AUDIO],
)
TONE = tool(
    "tone",
    "Beep",
    "Makes a tone.",
    [
        number("frequency", "pitch", unit="Hz", minimum=1, maximum=20000),
        number("seconds", "length", unit="s", minimum=0),
    ],
    [AUDIO],
)
PITCH = tool(
    "pitch",
    "Transpose",
    "Moves the pitch.",
    [AUDIO, number("semitones", "12 is an octave", unit="semitones", minimum=-36, maximum=36)],
    [AUDIO],
)
SPEED = tool(
    "speed",
    "Pace",
    "Faster or slower.",
    [AUDIO, number("speed", "2 = twice as fast", unit="x", minimum=0.05, maximum=20)],
    [AUDIO],
)
SIZE = tool(
    "size",
    "Scale",
    "Gives a picture another size.",
    [
        IMAGE,
        number("width", "new width", None, 1, None, "px", True),
        number("height", "new height", None, 1, None, "px", True),
        number("percent", "new size against the old one", 50.0, 0.1, 2000, "%"),
    ],
    [IMAGE],
)
PLACE = tool(
    "place",
    "Paste",
    "Lays a picture on another.",
    [
        IMAGE,
        number("x", "left edge", unit="px", integer=True),
        number("y", "top edge", unit="px", integer=True),
        number("opacity", minimum=0, maximum=1),
    ],
    [IMAGE],
)
CUT = tool(
    "cut",
    "Trim",
    "Keeps a part.",
    [
        AUDIO,
        number("start", "where the part begins", 0, 0, None, "s"),
        number("end", "where the part ends", None, 0, None, "s"),
    ],
    [AUDIO],
)
LIGHT = tool(
    "light",
    "Light",
    "Light and colours of a picture.",
    [
        IMAGE,
        choice("change", "as set", "brighter", "darker", "more contrast", "less contrast", "more colourful"),
        number("brightness", "", 0, -1, 1),
        number("contrast", "", 0, -1, 1),
        number("saturation", "", 0, -1, 1),
    ],
    [IMAGE],
)
VEIL = tool("veil", "Veil", "Lays a veil over a picture.", [IMAGE, number("strength", "0 is none", 0.5, 0, 1)], [IMAGE])
SHORT = tool(
    "short",
    "Shorten",
    "Shortens a text.",
    [free("text"), number("sentences", "how many sentences", 3, 1, 100, integer=True)],
    [port("text", "text")],
)
TERMS = tool(
    "terms",
    "Key words",
    "Finds the keywords and tags of a text.",
    [free("text"), number("count", "how many at most", 8, 1, 100, integer=True)],
    [port("table", "table")],
    ("tags",),
)
PAGES = tool(
    "pages",
    "Read a file",
    "Reads a document.",
    [
        port("file", "file"),
        number("first_page", "begin here", 1, 1, None, integer=True),
        number("last_page", "end here", 0, 0, None, integer=True),
    ],
    [port("text", "text")],
)
FRAME = tool(
    "frame",
    "Frame",
    "Puts a frame round a picture.",
    [IMAGE, number("width", "of the frame", None, 1, 5000, "px", True), free("colour", default="white")],
    [IMAGE],
)
CORNER = tool(
    "corner",
    "Stamp",
    "Puts a stamp on a picture.",
    [
        IMAGE,
        choice(
            "position",
            "centre",
            "top left",
            "top right",
            "bottom left",
            "bottom right",
            "top",
            "bottom",
            "left",
            "right",
            default="centre",
        ),
    ],
    [IMAGE],
)
SHAPE = tool(
    "shape",
    "Cut to shape",
    "Cuts a picture to a shape.",
    [IMAGE, choice("shape", "free", "square", "4:3", "16:9", "9:16")],
    [IMAGE],
)
VOICE = tool(
    "voice",
    "Say",
    "Says a text.",
    [
        free("text"),
        choice("language", "en", "de", "fr", "es", "it", "no"),
        choice("voice", "standard", "female", "male"),
    ],
    [AUDIO],
)
EFFECT = tool(
    "effect",
    "Disguise",
    "Disguises a voice.",
    [AUDIO, choice("effect", "robot", "telephone", "whisper", "deep")],
    [AUDIO],
)
TURN = tool(
    "turn",
    "Turn",
    "Turns a picture.",
    [
        IMAGE,
        number("degrees", "angle", 90, -360, 360, "degrees"),
        choice("direction", "right", "clockwise", "left", "counterclockwise", "upside down"),
    ],
    [IMAGE],
)
SPIN = tool(
    "spin",
    "Turn a film",
    "Turns a film.",
    [port("video", "video"), choice("turn", "90 clockwise", "90 counterclockwise", "180")],
    [port("video", "video")],
)
SWAP = tool(
    "swap",
    "Replace words",
    "Replaces words.",
    [
        free("text"),
        free("find", "what is looked for"),
        free("replace", "what takes its place", default=""),
        port("whole_words", "flag", default=False),
    ],
    [port("text", "text")],
)
PAGE = tool(
    "page",
    "Page",
    "Makes a page.",
    [free("text", "the text of the page"), free("title", "the title", default="")],
    [port("html", "html")],
)
ROWS = tool(
    "rows",
    "Choose rows",
    "Keeps rows.",
    [port("table", "table"), free("condition", "what the rows must fit")],
    [port("table", "table")],
)
ORDER = tool(
    "order",
    "Order",
    "Orders rows by a column, and keeps the first ones.",
    [
        port("table", "table"),
        free("column", "the name of the column that decides"),
        port("descending", "flag", default=False),
        number("limit", "keep this many rows", 0, 0, None, integer=True),
    ],
    [port("table", "table")],
    ("rank",),
)
CHART = tool(
    "chart",
    "Chart",
    "Draws a chart.",
    [port("table", "table"), choice("kind", "auto", "bar", "line", "pie"), free("title", "a title above", default="")],
    [IMAGE],
)
ECHO = tool(
    "echo",
    "Echoes",
    "Adds echoes.",
    [
        AUDIO,
        number("delay", "time to the next echo", 0.4, 0.01, 10, "s"),
        number("repeats", "echoes", 3, 1, 50, integer=True),
    ],
    [AUDIO],
)
FADES = tool(
    "fades",
    "Fade",
    "Lets a sound rise and fall.",
    [
        AUDIO,
        number("fade_in", "length of the rise", 1, 0, 600, "s"),
        number("fade_out", "length of the fall", 1, 0, 600, "s"),
    ],
    [AUDIO],
)
ROOM = tool(
    "room",
    "More room",
    "Adds room around a picture.",
    [IMAGE, *(number(side, "added there", None, 0, None, "px", True) for side in ("left", "right", "top", "bottom"))],
    [IMAGE],
)
CASE = tool(
    "case",
    "Letters",
    "Changes the letters.",
    [free("text"), choice("case", "upper", "lower", "title")],
    [port("text", "text")],
)
SHOW = tool(
    "show",
    "Compare",
    "Shows before and after.",
    [IMAGE, port("labels", "flag", "write Before and After on it", default=True)],
    [IMAGE],
)
INSET = tool(
    "inset",
    "Inset",
    "A small film in a large one.",
    [port("video", "video"), number("size", "its width in percent of the large one", 30, 2, 100, "%")],
    [port("video", "video")],
)
MASKS = tool(
    "masks",
    "Two masks",
    "Joins two masks.",
    [port("mask", "mask"), choice("how", "or", "and", "minus")],
    [port("mask", "mask")],
)


def said(spec, text):
    """What the text gives to the ports of the tool."""
    return fill(spec, spec.inputs, Clause.of(text)).values

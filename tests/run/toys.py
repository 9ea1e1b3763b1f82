"""Small tools for the engine's tests: trivial ones, slow ones, and ones that refuse. `bad_toys` has a worse one."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from nodes.api import (
    File,
    Flag,
    Image,
    Integer,
    Mask,
    NodeError,
    Number,
    Points,
    Port,
    ResourceType,
    RunContext,
    Text,
    Tool,
    backend_of,
)
from nodes.phrase import Phrase
from tests.run.bad_toys import misbehave  # noqa: F401 - one of the TOOLS
from tests.run.bold_toys import reach  # noqa: F401 - one of the TOOLS
from tests.run.declare import toy

_T = ResourceType
_TEXT = (Port("text", _T.TEXT, "a text"),)
_NUMBER = (Port("number", _T.NUMBER, "a number"),)


@toy(
    "add",
    (
        Port("number", _T.NUMBER, "a number", default=0.0),
        Port("more", _T.NUMBER, "what is added", default=1.0, minimum=-100, maximum=100),
        Port("mark", _T.TEXT, "a file that gets a line for each call", default=""),
    ),
    _NUMBER,
)
def add(number: Number = 0.0, more: Number = 1.0, mark: Text = "") -> Number:
    """Adds; writes a line to `mark` so that a test can count the calls."""
    if mark:
        with open(mark, "a") as file:
            file.write("called\n")
    return number + more


@toy("total", (Port("numbers", _T.NUMBER, "numbers", many=True),), _NUMBER)
def total(numbers: tuple[Number, ...]) -> Number:
    """The sum."""
    return float(sum(numbers))


@toy(
    "sum_up",
    (
        Port("numbers", _T.NUMBER, "numbers", many=True, default=()),
        Port("extra", _T.NUMBER, "one more", default=0.0),
        Port("refuse", _T.FLAG, "refuses instead", default=False),
    ),
    _NUMBER,
)
def sum_up(numbers: tuple[Number, ...] = (), extra: Number = 0.0, refuse: Flag = False) -> Number:
    """The sum of all."""
    if refuse:
        raise NodeError("It was told to refuse.")
    return sum(numbers) + extra


@toy("halve", (Port("number", _T.NUMBER, "a number"),), _NUMBER)
def halve(number: Number, context: RunContext) -> Number:
    """Half of a number; leaves 0 as it is, and tells."""
    if not number:
        context.tell(Phrase("There is nothing to halve in {number}.", number=number))
    return number / 2


@toy("count_up", (Port("upto", _T.NUMBER, "how many", integer=True),), (Port("n", _T.NUMBER, "0, 1, ...", many=True),))
def count_up(upto: Integer) -> tuple[Number, ...]:
    """0 to upto - 1."""
    return tuple(float(i) for i in range(upto))


@toy("nap", (Port("seconds", _T.NUMBER, "how long"), Port("text", _T.TEXT, "given back", default="")), _TEXT)
def nap(seconds: Number, context: RunContext, text: Text = "") -> Text:
    """Sleeps with progress, and stops when it is asked to."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        context.progress(1 - left / seconds, "asleep")
        time.sleep(min(0.005, left))
    return text


@toy("gate", (Port("open", _T.TEXT, "a file"), Port("text", _T.TEXT, "given back", default="")), _TEXT)
def gate(open: Text, context: RunContext, text: Text = "") -> Text:
    """Goes on when there is such a file, and stops when it is asked to."""
    while not Path(open).exists():
        context.progress(0.5, "closed")
        time.sleep(0.005)
    return text


@toy("join", (Port("texts", _T.TEXT, "texts", many=True), Port("by", _T.TEXT, "between them", default=" ")), _TEXT)
def join(texts: tuple[Text, ...], by: Text = " ") -> Text:
    """One text from many."""
    return by.join(texts)


@toy("split", _TEXT, (Port("first", _T.TEXT, "the first word"), Port("rest", _T.TEXT, "the others")))
def split(text: Text) -> tuple[Text, Text]:
    """First word and rest."""
    first, _, rest = text.partition(" ")
    return first, rest


@toy("clock", (), _TEXT, volatile=True)
def clock() -> Text:
    """The time, which is another at each run."""
    return str(time.time_ns())


@toy("steady", (), _TEXT, volatile=True)
def steady() -> Text:
    """Looks anew at each run, and always sees the same."""
    return "the same"


@toy("square", (Port("size", _T.NUMBER, "pixels", default=8, integer=True),), (Port("image", _T.IMAGE, "a square"),))
def square(context: RunContext, size: Integer = 8) -> Image:
    """A grey square with its preview."""
    picture = np.full((size, size, 3), 128, np.uint8)
    context.progress(0.5, "half", picture)
    return picture


@toy("spoil", (Port("image", _T.IMAGE, "a picture"),), (Port("image", _T.IMAGE, "black"),))
def spoil(image: Image) -> Image:
    """Breaks the rule that inputs are not modified."""
    image[:] = 0
    return image


@toy(
    "spoil_by",
    (Port("image", _T.IMAGE, "a picture"), Port("by", _T.NUMBER, "any number", default=0.0)),
    (Port("image", _T.IMAGE, "inverted"),),
)
def spoil_by(image: Image, by: Number = 0.0) -> Image:
    """Inverted; `by` only tells one call from another."""
    return 255 - image


@toy("bright", (Port("image", _T.IMAGE, "a picture"),), (Port("mask", _T.MASK, "where it is bright"),))
def bright(image: Image) -> Mask:
    """255 where the picture is above 100."""
    return np.where(image.mean(axis=2) > 100, 255, 0).astype(np.uint8)


@toy("mean", (Port("image", _T.IMAGE, "a picture"),), _NUMBER)
def mean(image: Image) -> Number:
    """The mean of all pixels of a colour picture."""
    assert image.ndim == 3
    return float(image.mean())


@toy("pick", (Port("points", _T.POINTS, "places"), Port("how", _T.TEXT, "which", choices=("first", "last"))), _NUMBER)
def pick(points: Points, how: Text) -> Number:
    """The x of the first or last point."""
    return points[0 if how == "first" else -1].x


@toy("write_file", (Port("text", _T.TEXT, "content"),), (Port("file", _T.FILE, "a file"),))
def write_file(text: Text, context: RunContext) -> File:
    """A file with that content."""
    path = context.new_file(".dat")
    path.write_text(text)
    return path


@toy("refuse", (Port("text", _T.TEXT, "anything"),), _TEXT)
def refuse(text: Text) -> Text:
    """Always says that the input is bad."""
    raise NodeError("There is nothing here to work on.", "text", "Give it something else.")


@toy(
    "plus",
    (
        Port("number", _T.NUMBER, "a number", default=0.0),
        Port("other", _T.NUMBER, "what is added", default=0.0),
        Port("refuse", _T.NUMBER, "sums that this divides are refused; 0 refuses none", default=0.0),
        Port("seconds", _T.NUMBER, "how long it takes", default=0.0),
        Port("mark", _T.TEXT, "a file that gets a line for each sum", default=""),
        Port("tag", _T.TEXT, "what that line starts with", default=""),
    ),
    _NUMBER,
)
def plus(
    number: Number = 0.0, other: Number = 0.0, refuse: Number = 0.0, seconds: Number = 0.0, mark: Text = "",
    tag: Text = "",
) -> Number:  # fmt: skip
    """The sum."""
    time.sleep(seconds)
    if refuse and (number + other) % refuse == 0:
        raise NodeError(f"{number + other:g} is refused.")
    if mark:
        with open(mark, "a") as file:
            file.write(f"{tag} {number!r} {other!r}\n")
    return number + other


@toy("lots", (Port("letter", _T.TEXT, "one letter"), Port("bytes", _T.NUMBER, "how many", integer=True)), _TEXT)
def lots(letter: Text, bytes: Integer) -> Text:
    """The letter, many times."""
    return letter * bytes


@toy("words", _TEXT, (Port("words", _T.TEXT, "each word", many=True),))
def words(text: Text) -> tuple[Text, ...]:
    """The words."""
    return tuple(text.split())


@toy("pair", (Port("first", _T.TEXT, "a text"), Port("second", _T.TEXT, "a text")), _TEXT)
def pair(first: Text, second: Text) -> Text:
    """Both with a hyphen between."""
    return f"{first}-{second}"


@toy("label", (Port("texts", _T.TEXT, "texts", many=True), Port("labels", _T.TEXT, "one for each", many=True)), _TEXT)
def label(texts: tuple[Text, ...], labels: tuple[Text, ...]) -> Text:
    """Each text with its label."""
    return ", ".join(f"{text}={label}" for text, label in zip(texts, labels, strict=True))


@toy("picky", (Port("text", _T.TEXT, "what it likes"), Port("mark", _T.TEXT, "as in add", default="")), _TEXT)
def picky(text: Text, context: RunContext, mark: Text = "") -> Text:
    """The text in capitals, unless it starts with bad, die or bug; slowly when it starts with slow."""
    if mark:
        with open(mark, "a") as file:
            file.write(f"{text}\n")
    if text.startswith("bad"):
        raise NodeError(f"'{text}' is not liked.", "text", "Give it another.")
    if text.startswith("die"):
        os._exit(3)
    if text.startswith("bug"):
        raise ValueError(text)
    end = time.monotonic() + (30 if text.startswith("slow") else 0)
    while time.monotonic() < end:
        context.progress(0.5, "slow")
        time.sleep(0.005)
    return text.upper()


@toy("where", (Port("text", _T.TEXT, "any text", default=""),), _TEXT, device="gpu", model="toy")
def where(context: RunContext, text: Text = "") -> Text:
    """The device on which it should run, and its process."""
    return f"{context.device} {os.getpid()}"


@backend_of(where, id="afar", title="Far away", device="network", kind="endpoint")
def _afar(context: RunContext, text: Text = "") -> Text:
    """The same, from a lane for the network."""
    return f"afar {os.getpid()}"


@toy("read_model", (), _TEXT, backend="model", backend_title="The model", model="yolos-tiny", kind="model",
      quality=0.9)  # fmt: skip
def read_model(context: RunContext) -> Text:
    """What is in the folder of its model."""
    assert context.model is not None
    return f"{context.device} {(context.model / 'config.json').read_text()}"


@toy("either", (), _TEXT, backend="model", backend_title="The model", model="yolos-tiny", kind="model", quality=0.9)
def either(context: RunContext) -> Text:
    """With its model."""
    return f"model {context.model is not None}"


@backend_of(either, id="service", title="A service", device="network", kind="endpoint", quality=1.0)
def _service(context: RunContext) -> Text:
    """Elsewhere."""
    return "service"


@backend_of(either, id="plain", title="Plain", quality=0.3)
def _plain(context: RunContext) -> Text:
    """Without one."""
    return f"plain {context.model is not None}"


@toy("unlisted", (), _TEXT, model="no-such-model", kind="model")
def unlisted() -> Text:
    """Its model is in no catalogue."""
    return ""


@toy(
    "hungry",
    (
        Port("meals", _T.NUMBER, "after how many calls it has enough memory"),
        Port("mark", _T.TEXT, "a file that gets a line for each call"),
    ),
    _TEXT,
    device="gpu",
    model="big",
)
def hungry(meals: Number, mark: Text, context: RunContext) -> Text:
    """Has too little memory the first times."""
    with open(mark, "a") as file:
        file.write(f"{context.device}\n")
    if len(Path(mark).read_text().splitlines()) <= meals:
        raise MemoryError
    return "fed"


@toy("remember", (Port("model", _T.TEXT, "a folder"),), _TEXT)
def remember(model: Text, context: RunContext) -> Text:
    """Loads a model that takes no time, and tells what is loaded."""
    from nodes._support.models.model_pool import pool

    with pool().lease(Path(model), "toy", lambda device: object(), context, "cpu"):
        return " ".join(sorted(pool().sizes()))


@toy("needy", (), _TEXT, requires=("no-such-program-here", "python:no_such_package_here"))
def needy() -> Text:
    """Needs what nobody has."""
    return ""


@toy("wrong", (Port("kind", _T.TEXT, "what to give"),), (Port("image", _T.IMAGE, "never a picture"),))
def wrong(kind: Text) -> Image:
    """Gives what its port does not promise."""
    bad: dict[str, Any] = {
        "none": None,
        "float": np.zeros((4, 4, 3)),
        "flat": np.zeros((4, 4), np.uint8),
        "text": "picture",
    }
    return bad[kind]


TOOLS: dict[str, Tool] = {
    function.tool.id: function.tool
    for function in list(globals().values())
    if callable(function) and isinstance(getattr(function, "tool", None), Tool)
}
FILE = Path(__file__)

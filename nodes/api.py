"""All that a tool may import: types, ports, back ends, the run context, and the `tool` decorator.

Must not know the application, Qt, or how nodes are scheduled.

What a value is, type by type (arrays are never modified by a tool that receives them):

====================  =====================================================================================
image                 numpy uint8 (height, width, 3) RGB or (height, width, 4) RGBA, 0..255, sRGB
mask                  numpy uint8 (height, width), 255 = selected, 0 = not; values between are soft edges
edge line soft_edge   numpy uint8 (height, width), 255 = on the edge or stroke
  scribble depth        (depth: 255 = near)
normal, pose          numpy uint8 (height, width, 3)
segmentation          numpy uint16 (height, width), region number of each pixel, 0 = none
points                tuple of Point
boxes                 tuple of Box
labels                tuple of Label
text, html, url       str
number                float (a port with `integer=True` gives int)
flag                  bool
table                 Table
audio                 Audio
video, file           pathlib.Path of an existing file; not to be modified
====================  =====================================================================================

A port with `many=True` gives and takes a tuple of these values.
Points and boxes are in pixels of the picture they belong to, origin top left, x to the right, y down.
"""

from __future__ import annotations

import enum
import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from nodes.phrase import Phrase as Phrase

if TYPE_CHECKING:
    import numpy as np


class ResourceType(enum.StrEnum):
    """The closed set of types. `is_a` tells whether a value may stand where another type is wanted."""

    IMAGE = "image"
    MASK = "mask"
    EDGE = "edge"
    LINE = "line"
    SOFT_EDGE = "soft_edge"
    SCRIBBLE = "scribble"
    POSE = "pose"
    DEPTH = "depth"
    NORMAL = "normal"
    SEGMENTATION = "segmentation"
    POINTS = "points"
    BOXES = "boxes"
    LABELS = "labels"
    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    TABLE = "table"
    AUDIO = "audio"
    VIDEO = "video"
    HTML = "html"
    URL = "url"
    FILE = "file"

    @property
    def parent(self) -> ResourceType | None:
        """The type that this one is a kind of: an edge map *is an* image; `None` at the top."""
        return ResourceType.IMAGE if self in _IMAGE_KINDS else None

    def is_a(self, other: ResourceType) -> bool:
        """True when a value of this type is accepted by a port of type `other`."""
        return self is other or self.parent is other


_IMAGE_KINDS = frozenset(
    ResourceType(name)
    for name in ("mask", "edge", "line", "soft_edge", "scribble", "pose", "depth", "normal", "segmentation")
)


class Point(NamedTuple):
    """A clicked place, in pixels; `include=False` means "not this"."""

    x: float
    y: float
    include: bool = True


class Box(NamedTuple):
    """A rectangle in pixels, x0 < x1 and y0 < y1 (x1, y1 outside); `score` is 0..1."""

    x0: float
    y0: float
    x1: float
    y1: float
    label: str = ""
    score: float = 1.0


class Label(NamedTuple):
    """A name with its score 0..1."""

    name: str
    score: float = 1.0


class Table(NamedTuple):
    """Column names and rows; every row has as many cells (str, int, float or None) as there are columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, eq=False)
class Audio:
    """Sound: `samples` float32 (frames, channels), -1..1; `rate` in Hz."""

    samples: np.ndarray
    rate: int

    @property
    def seconds(self) -> float:
        """Duration."""
        return len(self.samples) / self.rate


if TYPE_CHECKING:
    Image = Annotated[np.ndarray, ResourceType.IMAGE]
    Mask = Annotated[np.ndarray, ResourceType.MASK]
    Edge = Annotated[np.ndarray, ResourceType.EDGE]
    Line = Annotated[np.ndarray, ResourceType.LINE]
    SoftEdge = Annotated[np.ndarray, ResourceType.SOFT_EDGE]
    Scribble = Annotated[np.ndarray, ResourceType.SCRIBBLE]
    Pose = Annotated[np.ndarray, ResourceType.POSE]
    Depth = Annotated[np.ndarray, ResourceType.DEPTH]
    Normal = Annotated[np.ndarray, ResourceType.NORMAL]
    Segmentation = Annotated[np.ndarray, ResourceType.SEGMENTATION]
_ARRAYS = {
    "Image": ResourceType.IMAGE,
    "Mask": ResourceType.MASK,
    "Edge": ResourceType.EDGE,
    "Line": ResourceType.LINE,
    "SoftEdge": ResourceType.SOFT_EDGE,
    "Scribble": ResourceType.SCRIBBLE,
    "Pose": ResourceType.POSE,
    "Depth": ResourceType.DEPTH,
    "Normal": ResourceType.NORMAL,
    "Segmentation": ResourceType.SEGMENTATION,
}
Points = Annotated[tuple[Point, ...], ResourceType.POINTS]
Boxes = Annotated[tuple[Box, ...], ResourceType.BOXES]
Labels = Annotated[tuple[Label, ...], ResourceType.LABELS]
Text = Annotated[str, ResourceType.TEXT]
Number = Annotated[float, ResourceType.NUMBER]
Integer = Annotated[int, ResourceType.NUMBER]
Flag = Annotated[bool, ResourceType.FLAG]
TableValue = Annotated[Table, ResourceType.TABLE]
AudioValue = Annotated[Audio, ResourceType.AUDIO]
Video = Annotated[Path, ResourceType.VIDEO]
Html = Annotated[str, ResourceType.HTML]
Url = Annotated[str, ResourceType.URL]
File = Annotated[Path, ResourceType.FILE]


class NodeError(Exception):
    """The user's input cannot be worked on. `message` says what failed, with which thing; `fix` what to do.

    `port` names the input at fault, empty when none is. Any other exception from a tool is a bug.
    """

    def __init__(self, message: str, port: str = "", fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.port = port
        self.fix = fix


class Cancelled(Exception):
    """Raised by `RunContext.progress` and `RunContext.check` when the user stopped the node. Not an error."""


class RunContext:
    """What a running tool may ask of its surroundings. Tools take it as a parameter named `context`.

    `device` is where a model should run ("cpu", "cuda:0"); `model` is the folder of the back end's model, None for a
    back end without one; the models that it needs besides lie next to it, each in a folder named by its id. `folder`
    is an empty scratch folder that is removed after the node (files of outputs are taken out of it first).
    """

    device: str = "cpu"
    model: Path | None = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: list[str] = []
        self._files = 0

    def progress(self, fraction: float, note: str = "", preview: np.ndarray | None = None) -> None:
        """Reports `fraction` (0..1) of the work as done, and raises Cancelled when the user stopped the node."""
        self.check()

    def check(self) -> None:
        """Raises Cancelled when the user stopped the node. Cheap enough for inner loops."""

    def tell(self, note: str) -> None:
        """Leaves a sentence beside the result: what the user should know of it, such as that nothing was changed."""
        self.told.append(note)

    def ask(self, service: str, request: dict[str, Any]) -> dict[str, Any]:
        """What a service of the program answers, such as "chat", the language model of the settings: JSON values both
        ways. Only for back ends of kind "endpoint", which name it in `requires` ("service:chat").

        The program talks to the server, so that the tool needs neither network nor key. Raises NodeError in words.
        """
        raise NodeError("No language model is connected here.", "", "Choose one in the settings.")

    def names(self, port: str) -> tuple[str, ...]:
        """What the files that are linked into a port are called, in order: in the store a file has another name. Empty
        where nobody said it; then the files have their own."""
        return ()

    def file_of(self, port: str) -> Path | None:
        """The file that is linked into a port that takes one value, as it is kept: of a sound, which a tool gets as
        samples, it has the coding and what it says of itself. Not to be modified. None where the value is in no file.
        """
        return None

    def kinds(self, port: str) -> tuple[ResourceType | None, ...]:
        """By what each of them was made: its type for a result, None for a file that the user brought. As `names`."""
        return ()

    def new_file(self, suffix: str) -> Path:
        """A path in `folder` that does not exist yet. `suffix` includes the dot: ".mp4"."""
        self._files += 1
        return self.folder / f"output{self._files}{suffix}"


def __getattr__(name: str) -> Any:
    """The types of arrays, made when a tool asks for one: the window opens without numpy."""
    if name not in _ARRAYS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import numpy as np

    return globals().setdefault(name, Annotated[np.ndarray, _ARRAYS[name]])


_MISSING: Any = object()
SECRET = "password"
"""The name of inputs that are secret."""


@dataclass(frozen=True)
class Port:
    """An input or output of a tool. Names are the parameter names of the function.

    A port without `default` must be given. `choices` closes the set of values (text), `minimum` and
    `maximum` bound a number (both included). `picked_on` names the image port on which the user points.
    `many` takes any number of values as a tuple. A text that is `said` comes from the words of the request in a plan,
    never from another tool. One of `any_kind`, for files, takes results of every type too: RunContext.names and
    RunContext.kinds tell what they are. One that is `kept` takes the file that a step before saved it as, too.
    `advanced` hides it behind a fold in the inspector. `by_hand` keeps it
    from the planner: only the user sets it, by pointing and drawing. `usual` is the number that the tool starts from
    where one without a default is left empty: "stronger" is said of that; `usual_share` says it as a part of the
    picture's size, the root of its area. `least` is how many things a `many` port
    needs: to join one sound with nothing is no wish. `question` asks the user for it in plain
    words. Of a number, `offered` are values that people often want: chips beside the line where it is asked for; of
    `choices` those that are shown there, where others say the same. `unit` is what a number is in; of labels "%",
    where each has a share or a certainty. A text named `password` is shown as dots and leaves the running program
    nowhere but in the job of its node.
    """

    name: str
    type: ResourceType
    doc: str
    default: Any = field(default=_MISSING)
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    integer: bool = False
    unit: str = ""
    picked_on: str = ""
    many: bool = False
    advanced: bool = False
    by_hand: bool = False
    said: bool = False
    any_kind: bool = False
    kept: bool = False
    usual: float | None = None
    usual_share: float | None = None
    least: int = 1
    question: str = ""
    offered: tuple[float | str, ...] = ()

    @property
    def required(self) -> bool:
        """True when the tool cannot run without it."""
        return self.default is _MISSING

    @property
    def secret(self) -> bool:
        """True for a password. Told by its name, so that it is known where the tool is not, too."""
        return self.name == SECRET

    def takes(self, given: ResourceType) -> bool:
        """True when a result of that type may be linked to it."""
        return self.any_kind or given.is_a(self.type) or (self.kept and given is ResourceType.FILE)


TRANSFORMERS = ("python:torch", "python:transformers")
DIFFUSERS = (*TRANSFORMERS, "python:diffusers")


@dataclass(frozen=True)
class Family:
    """A kind of model with which a tool's function can run: every model of the catalogue that is of the family `name`
    and can do `task` becomes a back end of the tool. `context.model` is then the folder of the one that was chosen.

    `needs` are ids of models that are used besides, whichever is chosen. `requires` and `device` are as in Backend.
    """

    name: str
    task: str
    requires: tuple[str, ...] = TRANSFORMERS
    needs: tuple[str, ...] = ()
    device: str = "gpu"


@dataclass(frozen=True)
class Backend:
    """One way to run a tool.

    `kind` is "built-in" (no download), "model" (a model of the catalogue) or "endpoint". `device` is "cpu",
    "gpu" or "network". `quality` is 0..1 against the best known way to do the task. `requires` names programs
    on PATH (plain), Python packages ("python:name") and services of the program ("service:chat") without which it
    cannot run. `model` is a catalogue id. An endpoint asks a service: it runs here, and the program sends its request.

    `exact` is true for one that gives the right result or none at all: that another was lacking is then not told.

    A tool's file declares one for each Family, with `family`, `task` and `needs` of it and no model; where the tools
    are loaded each model takes its place, and `way` is the id under which the file declares the function.
    """

    id: str
    title: str
    run: Callable[..., Any]
    kind: str = "built-in"
    device: str = "cpu"
    memory_bytes: int = 0
    download_bytes: int = 0
    quality: float = 0.5
    model: str = ""
    requires: tuple[str, ...] = ()
    family: str = ""
    task: str = ""
    needs: tuple[str, ...] = ()
    way: str = ""
    exact: bool = False

    @property
    def declared_id(self) -> str:
        """The id that the tool's file gives it."""
        return self.way or self.id


DOES = (
    CONVERTS, HIDES, CHOOSES, ANSWERS, READS, FINDS_FRONT, INVERTS, FILTERS, GROUPS, SUMS_UP, TAKES_PAGES, LAYS_BESIDE
) = (
    "converts", "hides", "chooses", "answers", "reads", "finds front", "inverts", "filters", "groups", "sums up",
    "takes pages", "lays beside",
)  # fmt: skip


@dataclass(frozen=True)
class Tool:
    """A declared task with typed ports, independent of how it is done.

    `examples` are requests in a user's words, `words` further words and phrases that a user may say for it; the
    planner reads both, with `description`, so none of these is decoration. `outside` is true for a tool that
    looks at or changes something outside of this computer: it runs only when the user agrees. `volatile` is true for
    one whose results depend on more than its inputs, such as on the clock. `result` is the word for what it makes in
    the names of files ("blurred"), "" where it only makes a file of what it gets, in the form that its `format` says;
    what was chosen at the port `result_by` goes before it, then the word for less or more of a number that is set:
    `result_signs` has the port, the word for less than 0, and that for more. Of the inputs `any_of`, which have
    defaults, one must be given, or the tool knows not what to do; the first is what the user is asked for. `does` is
    one of DOES where that matters to others: CONVERTS (no more than putting what it gets into a file of some form),
    HIDES (what was found is no longer to be seen in what it makes), CHOOSES (some of what was found), ANSWERS (a
    question, in words), READS (all that is written in a picture), FINDS_FRONT (what is in front in one), INVERTS (to
    all but a part), FILTERS (the rows of a table by a condition), GROUPS (a row for each group of them), SUMS_UP (what
    a table holds, column by column), TAKES_PAGES (some pages of a file), LAYS_BESIDE (what a player can show with
    a film, and is in none of its pictures).
    """

    id: str
    title: str
    domain: str
    description: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    backends: tuple[Backend, ...]
    examples: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    side_effects: str = ""
    outside: bool = False
    volatile: bool = False
    version: int = 1
    icon: str = ""
    result: str = ""
    result_by: str = ""
    any_of: tuple[str, ...] = ()
    result_signs: tuple[tuple[str, str, str], ...] = ()
    does: str = ""

    @property
    def cacheable(self) -> bool:
        """True when the same inputs give the same results at any time, so that these may be taken from the cache."""
        return not (self.outside or self.volatile)

    def unfilled(self, given: Mapping[str, Any]) -> list[Port]:
        """The inputs without which it cannot run, where `given` are values, or links, by input."""
        lacking = [port for port in self.inputs if port.required and port.name not in given]
        choosable = [port for name in self.any_of if (port := self.input(name)) is not None]
        if choosable and all(given.get(p.name, p.default) in (None, "", p.default) for p in choosable):
            lacking.append(choosable[0])
        return lacking

    def input(self, name: str) -> Port | None:
        """The input port of that name, or None."""
        for port in self.inputs:
            if port.name == name:
                return port
        return None

    def output(self, name: str) -> Port | None:
        """The output port of that name, or None."""
        for port in self.outputs:
            if port.name == name:
                return port
        return None

    def backend(self, id: str | None) -> Backend | None:
        """The back end of that id; the first one when `id` is None; None when there is no such."""
        if id is None:
            return self.backends[0]
        return next((backend for backend in self.backends if backend.id == id), None)


class DeclarationError(Exception):
    """A tool's function disagrees with its declared ports."""


_IDLE = frozenset((
    "image", "images", "picture", "audio", "sound", "video", "text", "texts", "table", "numbers", "lines", "words",
    "boxes", "blobs", "labels", "map", "to", "from", "change", "make", "detect", "extract", "find",
))  # fmt: skip
"""Words in the id of a tool that say what it is for, or nothing."""
_Function = TypeVar("_Function", bound=Callable[..., Any])


def tool(
    *,
    id: str,
    title: str,
    domain: str,
    description: str,
    inputs: tuple[Port, ...],
    outputs: tuple[Port, ...],
    families: tuple[Family, ...] = (),
    backend: str = "",
    backend_title: str = "Built-in",
    kind: str = "built-in",
    device: str = "cpu",
    memory_bytes: int = 0,
    download_bytes: int = 0,
    quality: float = 0.5,
    model: str = "",
    requires: tuple[str, ...] = (),
    examples: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
    side_effects: str = "",
    outside: bool = False,
    volatile: bool = False,
    version: int = 1,
    icon: str = "",
    result: str | None = None,
    result_by: str = "",
    any_of: tuple[str, ...] = (),
    result_signs: tuple[tuple[str, str, str], ...] = (),
    does: str = "",
) -> Callable[[_Function], _Function]:
    """Declares the decorated function as a tool; the function becomes its first back end, and that of its families.

    A tool with families has a built-in back end only when `backend` names it; it runs when `context.model` is None.
    The parameters must be the inputs, in order, with the ports' types and defaults, and may end with
    `context: RunContext`. One output is returned as it is, several as a tuple in the order of `outputs`.
    The Tool is left on the function as attribute `tool`. Raises DeclarationError.
    """

    def declare(function: _Function) -> _Function:
        _check(function, inputs, outputs)
        if set(any_of) - {port.name for port in inputs if not port.required}:
            raise DeclarationError(f"{id}: {any_of} are not all inputs with a default")
        if does and does not in DOES:
            raise DeclarationError(f"{id}: {does} is none of {DOES}")
        ways = [_of_family(family, function) for family in families]
        if backend or not families:
            first = Backend(
                backend or "built-in", backend_title, function, kind, device, memory_bytes, download_bytes, quality,
                model, requires,
            )  # fmt: skip
            ways.insert(0, first)
        if len({way.id for way in ways}) < len(ways) or (families and not _takes_context(function)):
            raise DeclarationError(f"{id}: its families must differ, and its function take a context")
        function.tool = Tool(  # type: ignore[attr-defined]
            id, title, domain, description, inputs, outputs, tuple(ways), examples, words, side_effects, outside,
            volatile, version, icon, _word(id) if result is None else result, result_by, any_of,
            result_signs, does,
        )  # fmt: skip
        return function

    return declare


def _word(id: str) -> str:
    """The words of an id that say what was done: "resize" of `resize_video`, "faces" of `detect_faces`."""
    words = id.split("_")
    return "-".join(word for word in words if word not in _IDLE) or words[-1]


def _of_family(family: Family, function: Callable[..., Any]) -> Backend:
    id = family.name.replace(" ", "-")
    return Backend(
        id, family.name, function, "model", family.device, requires=family.requires, family=family.name,
        task=family.task, needs=family.needs,
    )  # fmt: skip


def _takes_context(function: Callable[..., Any]) -> bool:
    return "context" in inspect.signature(function).parameters


def backend_of(
    first: Callable[..., Any], *, id: str = "", title: str = "", families: tuple[Family, ...] = (), **facts: Any
) -> Callable[[_Function], _Function]:
    """Declares the decorated function as one more way to run the tool declared on `first` (same file): without a model
    where it has an `id`, and with those of each family.

    Its parameters are those ports that it needs, by name and without defaults: what a node does not give is the port's
    default.
    """

    def declare(function: _Function) -> _Function:
        declared: Tool = first.tool  # type: ignore[attr-defined]
        run = _taking_all(function, declared)
        more = [Backend(id, title, run, **facts)] if id else []
        more += [_of_family(family, run) for family in families]
        first.tool = replace(declared, backends=(*declared.backends, *more))  # type: ignore[attr-defined]
        return function

    return declare


def _taking_all(function: Callable[..., Any], declared: Tool) -> Callable[..., Any]:
    """The function with all inputs of the tool as its parameters. Raises DeclarationError."""
    given = {name: each.default for name, each in inspect.signature(function).parameters.items() if name != "context"}
    ports = [port for port in declared.inputs if port.name in given]
    bare = [replace(p, default=_MISSING) if given[p.name] is inspect.Parameter.empty else p for p in ports]
    _check(function, tuple(bare), declared.outputs)
    kinds = inspect.Parameter
    parameters = [
        kinds(p.name, kinds.KEYWORD_ONLY, default=kinds.empty if p.required else p.default) for p in declared.inputs
    ]
    if _takes_context(function):
        parameters.append(kinds("context", kinds.KEYWORD_ONLY))
    signature = inspect.Signature(parameters)

    @functools.wraps(function)
    def run(**values: Any) -> Any:
        bound = signature.bind(**values)
        bound.apply_defaults()
        return function(**{name: value for name, value in bound.arguments.items() if name in (*given, "context")})

    run.__signature__ = signature  # type: ignore[attr-defined]
    return run


def _annotated_type(annotation: Any, many: bool) -> ResourceType | None:
    if many:
        arguments = typing.get_args(annotation)
        if typing.get_origin(annotation) is not tuple or len(arguments) != 2 or arguments[1] is not Ellipsis:
            return None
        annotation = arguments[0]
    if typing.get_origin(annotation) is not Annotated:  # Optional ports: `Mask | None`
        annotation = next((a for a in typing.get_args(annotation) if typing.get_origin(a) is Annotated), None)
    return annotation.__metadata__[0] if annotation is not None else None


def _check(function: Callable[..., Any], inputs: tuple[Port, ...], outputs: tuple[Port, ...]) -> None:
    """Raises DeclarationError when the signature of `function` disagrees with the ports."""
    name = function.__qualname__
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = dict(inspect.signature(function).parameters)
    if "context" in parameters and hints.get("context") is not RunContext:
        raise DeclarationError(f"{name}: parameter 'context' must be a RunContext")
    parameters.pop("context", None)
    wanted = [port.name for port in inputs]
    if list(parameters) != wanted:
        raise DeclarationError(f"{name}: parameters {list(parameters)} are not the input ports {wanted}")
    for port in inputs:
        _check_input(name, port, hints.get(port.name), parameters[port.name].default)
    returned = hints.get("return")
    given = [returned] if len(outputs) == 1 else list(typing.get_args(returned))
    types = [_annotated_type(hint, port.many) for port, hint in zip(outputs, given, strict=False)]
    if len(given) != len(outputs) or types != [port.type for port in outputs]:
        raise DeclarationError(f"{name}: returns {returned}, the outputs are {[str(p.type) for p in outputs]}")


def _check_input(name: str, port: Port, hint: Any, default: Any) -> None:
    if _annotated_type(hint, port.many) is not port.type:
        raise DeclarationError(f"{name}: parameter '{port.name}' is {hint}, its port is of type {port.type}")
    if port.required != (default is inspect.Parameter.empty) or (not port.required and default != port.default):
        raise DeclarationError(f"{name}: the default of '{port.name}' differs between signature and port")
    if port.choices and not port.required and port.default not in port.choices:
        raise DeclarationError(f"{name}: the default of '{port.name}' is none of its choices")

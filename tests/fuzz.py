"""Damaged and hostile files in numbers: `python -m tests.fuzz [--count 1000000] [--seed 1] [--kind workflow]`.

Workflows, recordings, conversations, settings, and workflows inside results are changed at random, as data and as
bytes, and read as the program reads them; what is read is used as the window and the command line use it first. Each
input ends as a value or as an AppError, whose words are sentences; anything else is printed with its input, and ends in
exit 1. The short form runs in the suite (tests/test_fuzz.py).
"""

from __future__ import annotations

import argparse
import json
import marshal
import os
import random
import sys
import tempfile
import time
import traceback
import wave
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from desktop_app.core import settings
from desktop_app.core.errors import AppError
from desktop_app.core.paths import home
from desktop_app.export.metadata import KEYWORD, embed, embedded
from desktop_app.export.script import script
from desktop_app.graph import execution_modes
from desktop_app.graph.decorations import Frame, Note
from desktop_app.graph.workflow import Link, Node, Workflow, parse
from desktop_app.plan.types import Question
from desktop_app.run.cache.cache_keys import key_of
from desktop_app.run.events import events, recording
from desktop_app.run.events.run_record import Run, fold_all
from desktop_app.session import autosave, consent
from desktop_app.session.inputs import open_ports
from desktop_app.session.messages import Message
from desktop_app.session.snapshot_codec import Snapshot, from_text, to_text
from desktop_app.session.state import GraphState
from desktop_app.storage.resources import Resource, safe_name
from nodes import load_tools
from nodes.api import Point, ResourceType

TOOLS = load_tools().tools
FACETS = {"width": 40, "height": 30, "points": [[1, 2, True]]}
PHOTO = Resource("photo.png", ResourceType.IMAGE, "ab" * 32, ".png", FACETS)
MADE = Resource("photo_blur.png", ResourceType.IMAGE, "cd" * 32, ".png", {"width": 40, "height": 30}, "soft")
GRAPH = Workflow(
    (PHOTO,),
    (
        Node("soft", "blur", {"radius": 3}, "built-in", (10.0, 20.0)),
        Node("page", "fetch_page", {"url": "https://example.org"}, mode="mute"),
        Node("case", "change_case", {"case": "upper"}, position=(5.0, 6.0)),
        Node("odd", "not_here", {"points": [[1, 2, True]], "deep": {"a": [1, None, "x"]}}),
    ),
    (Link("photo.png", "value", "soft", "image"), Link("page", "text", "case", "text")),
    (("soft", "image"),),
    {"photo.png": (1.0, 2.0)},
    (Note("note", "words"), Frame("frame", "title")),
    {Link("page", "text", "case", "text"): ((1.0, 2.0), (3.0, 4.0))},
)
EVENTS: tuple[events.Event, ...] = (
    events.RunStarted("20260101-aa", ("soft", "page", "case"), 1.7e9, {"soft": 0.5}),
    events.NodeQueued("soft"),
    events.NodeStarted("soft", "CPU 1", 0.1, 2.0, "built-in"),
    events.NodeProgress("soft", 0.5, "half", "", 1.0, ((0, "photo.png"),)),
    events.NodeFinished("soft", {"image": MADE, "many": (MADE, MADE)}, 1.0, False, 1.1, "built-in", 2, (("a", "b"),)),
    events.NodeFailed("page", "It failed.", "url", "Try.", "cause", 0.1, 0.2, "other", "model", (("x", "y"),)),
    events.NodeSkipped("case", "page", "muted"),
    events.NodeCancelled("case"),
    events.RunFinished("20260101-aa", "failed", 2.0, {"done": 1}, "notice"),
)
RUN = fold_all(Run(), EVENTS)
STATE = GraphState(GRAPH, 0, (), {"photo.png": (Point(1, 2),)})
_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None
KINDS = ("workflow", "recording", "conversation", "settings", "embedded")
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 10**18, -(10**400), 10**400, 1e308, -1e308, 1e-320, 2**63, "", "x", "..",
    "/etc/passwd", "../../x", "a\0b", "a\nb", "\u202e", "\ud800", "𝒳" * 50, "x" * 5000, "NaN", "1", [], [[]], [1, 2],
    ["a", "b"], {}, {"a": 1}, {"name": "x"}, "photo.png", "soft", "image", "value", "class", "a b", "é", "con", "-rf",
)  # fmt: skip


def _wrapped(depth: int) -> str:
    return "[" * depth + "]" * depth


RAW = ("NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, _wrapped(100), _wrapped(5000), '"\\ud800"', "{", "]", "nul")


def recorded() -> str:
    """The text of a recording."""
    lines: list[dict[str, Any]] = [
        {"event": "Owner", "pid": 1, "born": 1.0, "time": 1.0},
        {"event": "Workflow", "workflow": GRAPH.to_json()},
        *({**recording.to_json(event), "at": at / 10} for at, event in enumerate(EVENTS)),
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def conversation() -> str:
    """The text of a kept conversation."""
    asked = Question("Where?", "point", ("a", "b"), "soft", "points", "photo.png")
    messages = (
        Message(1, "user", "Blur https://example.org", resources=("photo.png",)),
        Message(2, "assistant", "A plan.", "plan", questions=(asked,), open=True),
        Message(3, "assistant", "Step", "step", node="soft", state="done", why="it fits"),
    )
    made = {"photo_blur.png": ("soft", "image")}
    runs = ((GRAPH, RUN),)
    return to_text(Snapshot("id", "title", messages, (PHOTO, MADE), STATE, (STATE,), (STATE,), made, RUN, None, runs))


# What is changed


def changed(data: Any, rng: random.Random) -> Any:
    """The plain data with one to four of its values changed, taken out, doubled or put elsewhere."""
    data = _copy(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        places = _places(data)
        if not places:
            return _copy(rng.choice(ODD))
        whole, key = rng.choice(places)
        match rng.randrange(6):
            case 0 | 1 | 2:
                whole[key] = _copy(rng.choice(ODD))
            case 3:
                del whole[key]
            case 4:
                other, place = rng.choice(places)
                whole[key] = _copy(other.get(place) if isinstance(other, dict) else _at(other, place))
            case _:
                if isinstance(whole, list):
                    whole.insert(key, _copy(whole[key]))
                else:
                    whole[str(rng.choice(ODD))] = _copy(whole[key])
    return data


def _at(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _places(data: Any) -> list[tuple[Any, Any]]:
    """All values as what they are in, and where. Takes half of an input's time when it calls itself, or yields."""
    found, wholes = [], [data]
    while wholes:
        whole = wholes.pop()
        pairs = whole.items() if type(whole) is dict else enumerate(whole) if type(whole) is list else ()
        for key, value in pairs:
            found.append((whole, key))
            if type(value) in (dict, list):
                wholes.append(value)
    return found


def _copy(data: Any) -> Any:
    """Plain data anew: 20 times as fast as copy.deepcopy."""
    return marshal.loads(marshal.dumps(data))


def scrambled(data: bytes, rng: random.Random) -> bytes:
    """The bytes with some of them changed, cut out, doubled, or something odd between them."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        place = rng.randrange(len(out) + 1)
        match rng.randrange(5):
            case 0 if place < len(out):
                out[place] = rng.randrange(256)
            case 1:
                del out[place : place + rng.choice((1, 4, 100, 10_000))]
            case 2:
                out[place:place] = rng.randbytes(rng.choice((1, 4, 20)))
            case 3:
                out[place:place] = rng.choice(RAW).encode("utf-8", "surrogatepass")
            case _:
                out[place:place] = out[place : place + rng.choice((1, 10, 200))]
    return bytes(out)


def text_of(data: Any, rng: random.Random) -> str:
    """JSON of changed data, at times scrambled or with a value that JSON of ours never has."""
    text = json.dumps(changed(data, rng))
    if rng.random() < 0.25:
        text = scrambled(text.encode(), rng).decode("utf-8", "replace")
    elif rng.random() < 0.1:
        text = text.replace(rng.choice(("1", "2.0", '"x"', "null", "[]")), rng.choice(RAW), 1)
    return text


# How it is read and used


def use(workflow: Workflow) -> None:
    """What window and command line do with a workflow before anything runs."""
    json.dumps(workflow.to_json(), ensure_ascii=False).encode()
    workflow.missing(TOOLS)
    execution_modes.results(workflow, TOOLS)
    execution_modes.runnable(workflow, TOOLS)
    open_ports.of(workflow, TOOLS, {})
    consent.questions(workflow, TOOLS, consent.Consent("w.json"))
    for node in workflow.nodes:
        tool = TOOLS.get(node.tool)
        if tool is not None:
            key_of(tool, tool.backend(node.backend) or tool.backends[0], node.values, {})
    files = {resource.name: safe_name(resource.name, resource.suffix) for resource in workflow.resources}
    compile(script(workflow, TOOLS, files, "title"), "script.py", "exec")
    assert Workflow.from_json(json.loads(json.dumps(workflow.to_json()))) == workflow


class Inputs:
    """Makes inputs of each kind and reads them; files lie in `folder`."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder, self._rng = folder, random.Random(seed)
        self._graph, self._conversation = GRAPH.to_json(), json.loads(conversation())
        self._lines = [json.loads(line) for line in recorded().splitlines()]
        self._texts = [json.dumps(line) for line in self._lines]
        self._settings = json.loads(json.dumps(vars(settings.Settings(llm_url="http://h/v1", outside_allowed=("a",)))))
        self._carriers = {path.suffix: path.read_bytes() for path in _carriers(folder)}
        makers = (self._workflow, self._recording, self._kept, self._chosen, self._embedded)
        self.kinds: dict[str, Callable[[], tuple[Any, Callable[[], None]]]] = dict(zip(KINDS, makers, strict=True))

    def _workflow(self) -> tuple[Any, Callable[[], None]]:
        text = text_of(self._graph, self._rng)
        return text, lambda: use(parse(text))

    def _recording(self) -> tuple[Any, Callable[[], None]]:
        lines = [*self._texts]
        for _ in range(self._rng.choice((1, 2))):
            index = self._rng.randrange(len(lines))
            lines[index] = text_of(self._lines[index], self._rng)
        data = "\n".join(lines).encode("utf-8", "replace")
        path = self._folder / "run.jsonl"

        def read() -> None:
            path.write_bytes(data)
            told, _ = recording.news(path)
            run = fold_all(Run(), (event for _, event in told))
            assert run.fraction < 1e12
            assert all(at >= 0 for at, _ in told)
            time.localtime(run.time)

        return data, read

    def _kept(self) -> tuple[Any, Callable[[], None]]:
        text = text_of(self._conversation, self._rng)

        def read() -> None:
            autosave._summary("id", "title", 1.0, text)
            snapshot = from_text(text)
            from_text(to_text(snapshot))
            consent.addresses(message.text for message in snapshot.messages)

        return text, read

    def _chosen(self) -> tuple[Any, Callable[[], None]]:
        text = text_of(self._settings, self._rng)
        path = home() / "settings.json"

        def read() -> None:
            path.write_text(text, "utf-8", "surrogatepass")
            found = settings.saved()
            settings.save(replace(found, theme="light"))
            assert settings.saved().theme == "light"
            assert int(found.cache_gb * 2**30) > 0
            int(found.idle_seconds * 1000).to_bytes(8, "big")
            settings.shown(found.llm_url)

        return text, read

    def _embedded(self) -> tuple[Any, Callable[[], None]]:
        suffix = self._rng.choice(sorted(self._carriers))
        path = self._folder / f"result{suffix}"
        if self._rng.random() < 0.5:
            data = scrambled(self._carriers[suffix], self._rng)
        else:
            data = _with_text(path, self._carriers[suffix], self._rng)

        def read() -> None:
            path.write_bytes(data)
            found = embedded(path)
            if found is not None:
                use(found)

        return data, read


def _with_text(path: Path, carrier: bytes, rng: random.Random) -> bytes:
    """The carrier of a workflow whose data was changed."""

    class Raw:
        def to_json(self) -> Any:
            return changed(GRAPH.to_json(), rng)

    path.write_bytes(_without(carrier))
    embed(Raw(), path)  # type: ignore[arg-type]
    return path.read_bytes()


def _without(carrier: bytes) -> bytes:
    """Readers take the first workflow: it must be ours."""
    return carrier.replace(KEYWORD.encode(), b"other-" + KEYWORD[6:].encode()).replace(b"gwrt", b"junk")


def _carriers(folder: Path) -> list[Path]:
    """Small results that carry a workflow, one of each format."""
    picture = Image.new("RGB", (4, 3))
    made = [folder / f"carrier{suffix}" for suffix in (".png", ".jpg", ".gif", ".html", ".wav", ".mp4")]
    for path in made[:3]:
        picture.save(path)
    made[3].write_text("<html><body>words</body></html>")
    with wave.open(str(made[4]), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"\0\0" * 50)
    made[5].write_bytes(b"\0\0\0\x14ftypisom\0\0\0\0isom" + b"\0\0\0\x08free")
    for path in made:
        assert embed(GRAPH, path) and embedded(path) == GRAPH, path
    return made


# The loop


def fault(read: Callable[[], None]) -> str:
    """What is wrong with how an input ended, "" when nothing is."""
    try:
        read()
    except AppError as error:
        said = str(error)
        good = said and len(said) < 1500 and "Traceback" not in said and said.rstrip()[-1] in ".?!"
        return "" if good else f"no sentence: {said[:300]!r}"
    except Exception:
        return traceback.format_exc()
    return ""


def run(count: int, seed: int, kind: str = "") -> tuple[Counter[str], list[tuple[str, Any, str]]]:
    """Reads so many inputs; by kind how many there were, and the faults as (kind, input, what), the first ten."""
    counts: Counter[str] = Counter()
    faults: list[tuple[str, Any, str]] = []
    with tempfile.TemporaryDirectory(dir=_MEMORY) as folder:
        inputs = Inputs(Path(folder), seed)
        names = [kind] if kind else list(inputs.kinds)
        for index in range(count):
            name = names[index % len(names)]
            given, read = inputs.kinds[name]()
            counts[name] += 1
            wrong = fault(read)
            if wrong:
                faults.append((name, given, wrong))
                if len(faults) == 10:
                    break
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--kind", default="", choices=("", *KINDS))
    options = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(dir=_MEMORY) as place:
        os.environ["GRAPHWRIGHT_HOME"] = place
        counts, faults = run(options.count, options.seed, options.kind)
    for name, given, wrong in faults:
        print(f"--- {name}\n{str(given)[:3000]}\n{wrong}")
    print(json.dumps({"seed": options.seed, "inputs": counts.total(), **counts, "faults": len(faults),
                      "seconds": round(time.monotonic() - begin, 1)}))  # fmt: skip
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

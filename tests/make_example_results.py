"""Makes resources/examples/results, what the first screen shows: `python -m tests.make_example_results`.

Runs each bundled example (resources/examples/examples.json) with the real planner, engine and built-in tools, in a
folder of its own and without a window, and keeps of what came: small pictures, the beginning of texts, outlines of
sounds, numbers with their boxes. Needs espeak-ng. To be run again when a request, its media or the tools it uses
change; `tests/storage/test_examples.py` says when. The same program makes the same files: nothing of it depends on
the time.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from PySide6.QtGui import QImage

from desktop_app.app import new_session
from desktop_app.session.session import Session
from desktop_app.storage.examples import FOLDER, RESULTS, Example, load_examples
from desktop_app.storage.resources import Resource
from desktop_app.ui.support import media_reader
from nodes.api import Point, ResourceType

LONGEST, QUALITY = 480, 80
"""Pixels of a card's picture at 200 %, and the quality of WebP."""
_BARS, _EXCERPT = 120, 300
_T = ResourceType


def digest_of(example: Example) -> str:
    """Changes with the (English) request, the points and the media."""
    said = json.dumps([example.request, example.points, [file.name for file in example.files]])
    return hashlib.sha256("\n".join([said, *media_of(example)]).encode()).hexdigest()[:32]


def media_of(example: Example) -> list[str]:
    """The digests of its files, as the store has them."""
    return [hashlib.sha256(file.read_bytes()).hexdigest() for file in example.files]


async def made(example: Example) -> dict[str, Any]:
    """What came of it, as a row of results.json with "image" in place of "picture". Raises RuntimeError."""
    session = new_session()
    try:
        names = [session.attach(path).name for path in example.files]
        await session.ask(example.request, tuple(names))
        if example.points:
            session.point(names[0], [Point(x, y, include) for x, y, include in example.points])
        if session.questions():
            raise RuntimeError(f"{example.request!r} still asks: {session.questions()[0].text}")
        await session.start()
        if session.run.outcome != "ok":
            raise RuntimeError(f"{example.request!r} ended with {session.run.outcome!r}.")
        return _about(example, session) | _shown(example, session)
    finally:
        await session.close()


def _about(example: Example, session: Session) -> dict[str, Any]:
    tools = {node.id: node.tool for node in session.workflow.nodes}
    return {
        "digest": digest_of(example), "files": media_of(example), "tools": sorted(tools.values()),
    }  # fmt: skip


def _shown(example: Example, session: Session) -> dict[str, Any]:
    """The last result of the kind that says most."""
    places = [place for id in session.workflow.order() for place in session.run.nodes[id].outputs.items()]
    last: dict[ResourceType, Resource] = {}
    for _, resource in places:
        assert isinstance(resource, Resource)
        last[resource.type] = resource

    def path(type: ResourceType) -> Path:
        return session.path_of(last[type])

    if _T.VIDEO in last:
        return {"image": media_reader.frame(path(_T.VIDEO), LONGEST), "film": True}
    if example.files[0].suffix == ".wav":
        return {"peaks": _peaks(path(_T.AUDIO)), "before": _peaks(example.files[0])}
    if _T.IMAGE in last:
        return {"image": media_reader.picture(path(_T.IMAGE), _T.IMAGE, LONGEST)}
    if _T.NUMBER in last:
        whole = QImage(str(example.picture)).size()
        boxes = [
            [round(v, 4) for v in (
                box.x0 / whole.width(), box.y0 / whole.height(),
                (box.x1 - box.x0) / whole.width(), (box.y1 - box.y0) / whole.height(),
            )]
            for box in media_reader.value(path(_T.BOXES), _T.BOXES)
        ]  # fmt: skip
        return {"number": f"{media_reader.value(path(_T.NUMBER), _T.NUMBER):g}", "boxes": boxes}
    words = {"words": str(media_reader.value(path(_T.TEXT), _T.TEXT))[:_EXCERPT].strip()}
    return words | ({"peaks": _peaks(path(_T.AUDIO))} if _T.AUDIO in last else {})


def _peaks(path: Path) -> list[float]:
    return [round(peak, 2) for peak in media_reader.outline(path, _BARS).peaks]


def main() -> None:
    """Writes the folder anew; it is left as it was when an example fails."""
    os.environ["GRAPHWRIGHT_HOME"] = tempfile.mkdtemp(prefix="graphwright-examples-")
    found = {example.request: asyncio.run(made(example)) for example in load_examples()}
    RESULTS.mkdir(exist_ok=True)
    for old in RESULTS.iterdir():
        old.unlink()
    for index, row in enumerate(found.values(), 1):
        image = row.pop("image", None)
        if image is not None:
            row["picture"] = f"{index}.webp"
            image.save(str(RESULTS / row["picture"]), "WEBP", QUALITY)
    text = ",\n ".join(f"{json.dumps(request)}: {json.dumps(row)}" for request, row in found.items())
    (RESULTS / "results.json").write_text("{" + text + "}\n", "utf-8")
    size = sum(file.stat().st_size for file in RESULTS.iterdir())
    print(f"{len(found)} results, {size / 1000:.0f} kB in {RESULTS.relative_to(FOLDER.parents[1])}")


if __name__ == "__main__":
    main()

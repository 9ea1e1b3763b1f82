"""Which files and functions of the application one thing that a person does enters: `python -m tests.structure_trace`.

Called by tests.structure, in a process and a home of its own: WHAT (request, click or value) and the file to write.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.structure import PROJECT, REQUEST

_ROOTS = tuple(f"{PROJECT / name}/" for name in ("desktop_app", "nodes"))
_PLANNER = "desktop_app/plan/"


class Trace:
    """While it is on, each function that is entered in this process, on any thread that begins meanwhile."""

    def __init__(self) -> None:
        self._entered: dict[CodeType, None] = {}

    def __enter__(self) -> Trace:
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code not in self._entered and frame.f_code.co_name != "<module>":
            self._entered[frame.f_code] = None

    def told(self, what: str) -> dict[str, Any]:
        """Files in the order in which they are entered first, and how many functions."""
        names = ("<lambda>", "<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")
        codes = [c for c in self._entered if c.co_filename.startswith(_ROOTS) and c.co_name not in names]
        places = [Path(code.co_filename).relative_to(PROJECT).as_posix() for code in codes]
        outside = [place for place in places if not place.startswith(_PLANNER)]
        return {
            "walk": what, "functions": len(places), "files": len(set(places)),
            "functions_without_planner": len(outside), "files_without_planner": len(set(outside)),
            "order": list(dict.fromkeys(places)),
        }  # fmt: skip


def request() -> Trace:
    """A request on the command line, from its words to the answer."""
    from desktop_app.cli.main import main

    examples = PROJECT / "resources" / "examples"
    main(["ask", "blur coffee.jpg", "--attach", str(examples / "coffee.jpg"), "--json"])  # reads the lexicons
    with Trace() as trace:
        main(["ask", REQUEST, "--attach", str(examples / "cat.jpg"), "--json"])
    return trace


def click() -> Trace:
    """A click on a picture that is pointed at, from the mouse to the mask that is seen."""
    from tests.ui import driving

    trace = Trace()

    async def story() -> None:
        driver = driving.Driver()
        await driver.until(lambda: driver.window.is_prepared)
        await driver.ask("Remove the object I point at", "rocket.jpg")
        driver.window.ui.signals.point_at.emit("rocket.jpg")
        await driver.until(lambda: driver.window.pointing_now)
        await driver.point((320, 200, True))  # the first click starts a lane
        await driver.mask_shown()
        await driver.rest()
        with trace:
            driver.click(driver.window.picker.view.viewport(), driver.pixel(320, 145))
            await driver.rest(3.0)
        await driver.close()

    driving.drive(story)
    return trace


def value() -> Trace:
    """A value that is changed, and the run that follows, to the new result on the card."""
    from tests.ui import driving

    trace = Trace()

    async def story() -> None:
        driver = driving.Driver()
        await driver.until(lambda: driver.window.is_prepared)
        await driver.ask("Blur cat.jpg", "cat.jpg")
        await driver.run()
        await driver.finished()
        driver.window.select(driver.node("blur").id)
        await driver.until(lambda: "radius" in driver.window.inspector.values.editors)
        with trace:
            driver.window.inspector.values.editors["radius"].spin.setValue(9.0)  # type: ignore[attr-defined]
            assert driver.node("blur").values["radius"] == 9.0
            await driver.run()
            await driver.finished()
        await driver.close()

    driving.drive(story)
    return trace


if __name__ == "__main__":
    what = sys.argv[1]
    found = {"request": request, "click": click, "value": value}[what]()
    Path(sys.argv[2]).write_text(json.dumps(found.told(what)), "utf-8")

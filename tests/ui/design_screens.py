"""The eight screens of the design beside the real program in the same states: `python -m
tests.ui.design_screens FOLDER --design FOLDER`.

Needs a display (Xvfb will do) and the folder of the design (`--design`). Each of its pictures is put beside one of the
real window, brought there by mouse and keyboard on the bundled media, at 1440 x 900; `--only 03` makes one of them.
What differs and why is told in design_screens.md beside this file.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPixmap

from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node
from desktop_app.ui.theme import theme
from tests.ui.driving import Driver, Key, drive, options_of

REQUEST = "Remove the object I point at, then make it a watercolour. Also find the main colours of coffee.jpg"
CUP = ((289, 60, True), (242, 215, True), (366, 283, False), (150, 300, False))
_BAR = 34


async def pointed(driver: Driver, *points: tuple[float, float, bool]) -> None:
    """The request of the design's screens, with the cup pointed at."""
    await driver.ask(REQUEST, "coffee.jpg")
    driver.click(driver.button("Point at it"))
    await driver.until(lambda: driver.window.pointing_now)
    await driver.rest()
    await driver.point(*points)
    await driver.mask_shown()
    await driver.rest(1.0)


async def planned(driver: Driver) -> None:
    """As `pointed`, with the points used."""
    await pointed(driver, *CUP[:3])
    driver.click(driver.window.picker.use)
    await driver.until(lambda: not driver.window.pointing_now)
    await driver.rest()


async def main_screen(driver: Driver) -> QPixmap:
    """In the middle of a run, with what runs selected."""
    await planned(driver)
    driver.click(driver.port, driver.middle_of(driver.node("remove_object").id))
    await driver.run()
    await driver.until(lambda: driver.state("remove_object") == "running")
    await driver.rest(0.9)
    return driver.picture()


async def light(driver: Driver) -> QPixmap:
    driver.window.set_theme("light")
    return await main_screen(driver)


async def pointing(driver: Driver) -> QPixmap:
    await pointed(driver, *CUP)
    return driver.picture()


async def first_screen(driver: Driver) -> QPixmap:
    await driver.rest(2.0)
    return driver.picture()


async def compare(driver: Driver) -> QPixmap:
    """Two ways that both have run."""
    await planned(driver)
    await driver.run()
    await driver.finished()
    driver.click(driver.window.alternatives.compare)
    await driver.until(lambda: driver.window.comparing_now)
    missing = driver.window.compare.missing
    if missing.isVisible():
        driver.click(missing.run)
    await driver.finished()
    await driver.until(lambda: not missing.isVisible())
    await driver.rest(1.0)
    return driver.picture()


async def search(driver: Driver) -> QPixmap:
    """A link dropped on the empty canvas; what once ran is what often comes next."""
    await planned(driver)
    await driver.run()
    await driver.finished()
    window = driver.window
    painted = driver.node("watercolour").id
    window.show_panel("inspector", False)
    driver.hold()
    driver.click(driver.port, driver.middle_of(painted))
    driver.key(Key.Key_Delete, widget=window.graph.canvas)
    await driver.run()
    await driver.finished()
    window.show_panel("timeline", True)
    driver.click(window.timeline.fold)
    await driver.rest()
    driver.key(Key.Key_F, widget=window.graph.canvas)
    await driver.rest()
    start = driver.output(driver.node("remove_object").id, "image")
    driver.drag(driver.port, start, start + QPoint(30, 60), start + QPoint(60, 150))
    await driver.rest()
    driver.write("up", window.graph.controller.adding.search.field)
    await driver.rest()
    return driver.picture()


async def error(driver: Driver) -> QPixmap:
    """A model that is not on disk, with another back end that would do; the other branch goes on."""
    await planned(driver)
    session = driver.session
    cut = driver.node("segment_points")
    session.edit(session.workflow.with_node(replace(cut, backend="sam-vit-base")))
    driver.click(driver.port, driver.middle_of(cut.id))
    await driver.run()
    await driver.finished()
    return driver.picture()


async def states(driver: Driver) -> QPixmap:
    """Every state of a card on one canvas, all of them come by in the engine."""
    session, window = driver.session, driver.window
    await driver.ask("Make a cartoon of coffee.jpg", "coffee.jpg")
    coffee = session.find("coffee.jpg")
    assert coffee is not None
    photo = coffee.name
    start = session.workflow
    for node in start.nodes:
        start = start.without(node.id)
    start = start.with_node(Node("cached", "cartoon", position=(960.0, 0.0)))
    start = start.with_link(Link(photo, RESOURCE_OUTPUT, "cached", "image"))
    session.edit(start)
    await driver.run()
    await driver.finished()
    cards = (
        ("waiting", "pencil_sketch", {}, (0.0, 0.0)),
        ("running", "remove_object", {}, (240.0, 0.0)),
        ("mask", "segment_points", {"points": [[289, 60, True], [242, 215, True]]}, (480.0, -264.0)),
        ("done", "watercolour", {}, (480.0, 0.0)),
        ("input", "segment_points", {}, (960.0, 0.0)),
        ("failed", "segment_points", {"points": [[5000, 5000, True]]}, (0.0, 264.0)),
        ("skipped", "remove_object", {}, (240.0, 264.0)),
        ("selected", "oil_painting", {}, (480.0, 264.0)),
        ("off", "pencil_sketch", {}, (720.0, 264.0)),
        ("speech", "text_to_speech", {"text": "A cup of coffee on a worn wooden table"}, (960.0, 264.0)),
        ("missing", "old_detector", {}, (1200.0, 264.0)),
    )
    graph = session.workflow
    for id, tool, values, place in cards:
        graph = graph.with_node(
            Node(id, tool, values, position=(place[0] + 240.0, place[1]), mode="bypass" if id == "off" else "")
        )
    for id in ("running", "mask", "done", "input", "failed", "skipped", "selected", "off", "missing"):
        graph = graph.with_link(Link(photo, RESOURCE_OUTPUT, id, "image"))
    graph = graph.with_link(Link("mask", "mask", "running", "mask"))
    graph = graph.with_link(Link("running", "image", "waiting", "image"))
    graph = graph.with_link(Link("failed", "mask", "skipped", "mask"))
    asked = graph.without("input", "missing")
    session.edit(asked)
    for panel in ("chat", "inspector", "timeline"):
        window.show_panel(panel, False)
    await driver.run()
    await driver.until(lambda: session.run.nodes["running"].state == "running")
    session.edit(graph)
    session.move({photo: (0.0, 132.0)})
    window.graph.select(["selected"])
    window.graph.fit()
    await driver.until(lambda: session.run.nodes["selected"].state == "done")
    await driver.rest(0.3)
    return driver.picture()


SCREENS: dict[str, tuple[str, Callable[[Driver], Awaitable[QPixmap]]]] = {
    "01": ("01-main-dark", main_screen),
    "02": ("02-main-light", light),
    "03": ("03-pointing", pointing),
    "04": ("04-first-screen", first_screen),
    "05": ("05-compare", compare),
    "06": ("06-search-add", search),
    "07": ("07-error", error),
    "08": ("08-node-states", states),
}


def pair(design: Path, ours: QPixmap) -> QImage:
    """Both pictures side by side, with what they are above them; ours alone where there is no design."""
    left = QImage(str(design))
    wide, high = ours.width(), ours.height()
    made = QImage(2 * wide + 8, high + _BAR, QImage.Format.Format_RGB32)
    made.fill(QColor("#4a4a55"))
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    font = QFont(theme.current().font("title"))
    painter.setFont(font)
    painter.setPen(QColor("white"))
    for x, text in ((0, f"design: {design.stem}"), (wide + 8, "the program")):
        painter.drawText(QRectF(x + 12, 0, wide, _BAR), int(Qt.AlignmentFlag.AlignVCenter), text)
    painter.drawImage(QRectF(0, _BAR, wide, high), left)
    painter.drawPixmap(wide + 8, _BAR, ours)
    painter.end()
    return made


async def take(options: argparse.Namespace) -> None:
    """Each screen in a window of its own, so that none depends on another."""
    for number, (name, screen) in SCREENS.items():
        if options.only not in ("", number):
            continue
        os.environ["GRAPHWRIGHT_HOME"] = tempfile.mkdtemp(prefix="graphwright-screen-")  # nothing is in the cache
        driver = Driver(size=options.size)
        await driver.rest()
        picture = await screen(driver)
        picture.save(str(options.folder / f"{name}-ours.png"))
        pair(options.design / f"{name}.png", picture).save(str(options.folder / f"{name}.png"))
        print(options.folder / f"{name}.png", flush=True)
        await driver.finished()
        await driver.close()


def main() -> None:
    """Writes the pairs; exit code 1 when a state did not come about."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--design", type=Path, required=True, help="the folder with the eight pictures of the design")
    parser.add_argument("--only", default="", choices=("", *SCREENS))
    options = options_of(parser)
    drive(lambda: take(options))


if __name__ == "__main__":
    main()

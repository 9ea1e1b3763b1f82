"""The tour's part that brings files in and results out in each way that people expect; it stops where one fails."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit

from desktop_app.core.paths import PROJECT
from desktop_app.i18n import catalogue
from tests.ui.driving import EXAMPLES, Ctrl, Key, Shift
from tests.ui.tour.tour_day import sure
from tests.ui.tour.touring import Tour

HEIC = PROJECT / "tests" / "data" / "small.heic"


async def files(tour: Tour) -> None:
    """Each way after the other, in a conversation of its own where it needs one."""
    for part in (_blank, _added, _replaced, _picture_pasted, _forms_in, _folder, _plans, _renamed, _forms_out):
        if tour.session.messages or not tour.session.workflow.is_empty:
            tour.new()
            await tour.rest()
        print("files:", part.__name__.strip("_"), flush=True)
        await part(tour)


def _copies(tour: Tour) -> Path:
    """A folder with three bundled pictures."""
    folder = tour.folder / "batch"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ("coffee.jpg", "cat.jpg", "rocket.jpg"):
        shutil.copy(EXAMPLES / name, folder / name)
    return folder


async def _blank(tour: Tour) -> None:
    """A blank canvas from the first screen, on which things are built without a request."""
    tour.click(tour.window.first.blank)
    await tour.rest()
    sure(tour.window.graph.isVisible() and not tour.session.messages, "no blank canvas")
    tour.drop_files(tour.window.graph.canvas, QPoint(120, 120), EXAMPLES / "coffee.jpg")
    await tour.until(lambda: tour.session.workflow.resource("coffee.jpg"))
    await _search(tour, "grayscale")
    await tour.until(lambda: tour.session.workflow.nodes)
    await tour.shot("files-blank")


async def _search(tour: Tour, words: str) -> None:
    graph = tour.window.graph
    tour.hold()
    tour.key(Key.Key_Tab, widget=graph.canvas)
    await tour.rest()
    field = graph.controller.adding.search.field
    tour.write(words, field)
    tour.key(Key.Key_Return, widget=field)
    await tour.rest()


async def _added(tour: Tour) -> None:
    """A file is added by the search and by the menu of the canvas."""
    tour.click(tour.window.first.blank)
    await tour.rest()
    await _search(tour, catalogue.find("Add a file…") or "add a file")
    await tour.name_file(EXAMPLES / "coffee.jpg")
    await tour.until(lambda: tour.session.workflow.resource("coffee.jpg"))
    tour.ask_menu(tour.port, QPoint(30, 30))  # where no card is
    await tour.choose("Add a file…")
    await tour.name_file(EXAMPLES / "cat.jpg")
    await tour.until(lambda: tour.session.workflow.resource("cat.jpg"))


async def _replaced(tour: Tour) -> None:
    """Another file takes the place of an input: by the menu of its card, the inspector, a double click."""
    await tour.ask("make it brighter", "coffee.jpg")

    async def named(name: str) -> None:
        await tour.name_file(EXAMPLES / name)
        await tour.until(lambda: [one.name for one in tour.session.workflow.resources] == [name])
        await tour.rest()

    tour.click(tour.port, tour.middle_of("coffee.jpg"))
    tour.ask_menu(tour.port, tour.middle_of("coffee.jpg"))
    await tour.choose("Replace the file…")
    await named("cat.jpg")
    tour.click(tour.port, tour.middle_of("cat.jpg"))
    await tour.rest()
    if not tour.window.inspector.isVisible():  # in a narrow window the chat has its place
        tour.click(tour.window.tool_bar.panels["inspector"])
        await tour.rest()
    tour.click(tour.button("Replace the file…", tour.window.inspector))
    await named("rocket.jpg")
    QTest.mouseDClick(tour.port, Qt.MouseButton.LeftButton, pos=tour.middle_of("rocket.jpg"))
    await tour.until(tour.window.preview.isVisible)
    tour.click(tour.button("Replace the file…", tour.window.preview))
    await named("coins.jpg")
    await tour.run()
    await tour.finished()
    sure(tour.session.run.outcome == "ok", "a plan does not run with another file")
    tour.new()
    await tour.rest()
    await tour.ask("count the words", "notes.txt")
    QTest.mouseDClick(tour.port, Qt.MouseButton.LeftButton, pos=tour.middle_of("notes.txt"))
    await tour.rest()
    other = Path(shutil.copy(EXAMPLES / "notes.txt", tour.folder / "other.txt"))
    await tour.name_file(other)
    await tour.until(lambda: tour.session.workflow.resource("other.txt"))


async def _picture_pasted(tour: Tour) -> None:
    """A picture is pasted on the first screen, and on the canvas at the mouse."""
    picture = QImage(320, 200, QImage.Format.Format_RGB32)
    picture.fill(0x8844AA)
    QApplication.clipboard().setImage(picture)
    tour.key(Key.Key_V, Ctrl, tour.window.first.blank)
    await tour.until(lambda: tour.composer.names)
    await tour.ask("make it brighter")
    await tour.rest(1.0)  # the view goes to the graph first
    picture.fill(0x2266AA)
    QApplication.clipboard().setImage(picture)
    canvas, spot = tour.window.graph.canvas, QPoint(200, tour.port.height() - 110)
    before = {one.name for one in tour.session.workflow.resources}
    wanted = canvas.mapToScene(spot)
    tour.hold()
    tour.point_mouse(tour.port, spot)
    await tour.until(canvas.underMouse)
    tour.key(Key.Key_V, Ctrl, canvas)
    await tour.until(lambda: {one.name for one in tour.session.workflow.resources} - before)
    await tour.rest()
    (new,) = {one.name for one in tour.session.workflow.resources} - before
    far = QPointF(*tour.window.graph.boxes()[new][:2]) - wanted
    sure(far.manhattanLength() < 48, f"a picture that was pasted lies {far} from the mouse")


async def _forms_in(tour: Tour) -> None:
    """HEIC and AVIF are pictures like any other; what is transparent or upright is shown so."""
    avif, upright, clear = (tour.folder / name for name in ("coffee.avif", "upright.jpg", "clear.png"))
    with Image.open(EXAMPLES / "coffee.jpg") as picture:
        picture.save(avif)
        picture.crop((200, 0, 350, 400)).save(upright)
        seen = picture.convert("RGBA")
        seen.putalpha(Image.radial_gradient("L").resize(seen.size).point(lambda v: 255 - v))
        seen.save(clear)
    for path in (HEIC, avif):
        tour.drop_files(tour.window, QPoint(400, 400), path)
        await tour.until(lambda: tour.composer.names)
        await tour.ask("make it brighter")
        await tour.run()
        await tour.finished()
        sure(tour.session.run.outcome == "ok", f"{path.name} is no picture here")
        tour.new()
        await tour.rest()
    await tour.ask("make both pictures brighter", str(upright), str(clear))
    await tour.run()
    await tour.finished()
    await tour.shot("files-upright-and-clear")


async def _folder(tour: Tour) -> None:
    """A folder that is dropped on the first screen, or the canvas, is one batch."""
    folder = _copies(tour)
    tour.drop_files(tour.window, QPoint(400, 400), folder)
    await tour.until(lambda: tour.composer.names)
    await tour.ask("make all of them brighter")
    await tour.run()
    await tour.finished()
    counts = [len(one.files) for one in tour.session.workflow.resources]
    sure(counts == [3] and tour.session.run.outcome == "ok", f"a folder is no batch: {counts}")
    tour.new()
    await tour.rest()
    tour.click(tour.window.first.blank)
    await tour.rest()
    tour.drop_files(tour.window.graph.canvas, QPoint(150, 150), folder)
    await tour.until(lambda: tour.session.workflow.resources)
    counts = [len(one.files) for one in tour.session.workflow.resources]
    sure(counts == [3], f"a folder on the canvas is no batch: {counts}")


async def _plans(tour: Tour) -> None:
    """A plan of before comes back by a click in the chat."""
    await tour.ask("make it brighter", "coffee.jpg")
    first = [node.tool for node in tour.session.workflow.nodes]
    await tour.ask("make a pencil drawing of coffee.jpg")
    sure([node.tool for node in tour.session.workflow.nodes] != first, "the second plan is the first")
    back = [one for one in tour.window.chat.findChildren(QAbstractButton) if one.toolTip() and one.isVisible()]
    show = next(one for one in back if one.toolTip().startswith("Show this plan again"))
    await tour.shot("files-plans")
    tour.click(show)
    await tour.until(lambda: [node.tool for node in tour.session.workflow.nodes] == first)


async def _renamed(tour: Tour) -> None:
    """The conversation gets another name by the menu."""
    await tour.ask("make it brighter", "coffee.jpg")
    tour.click(tour.window.tool_bar.menu_button)
    await tour.rest()
    await tour.choose("Rename the conversation…")
    field = tour.window.renaming.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    tour.write("My coffee", field)
    tour.key(Key.Key_Return, widget=field)
    await tour.rest()
    sure(tour.session.title == "My coffee" and "My coffee" in tour.window.windowTitle(), "the name did not change")


async def _forms_out(tour: Tour) -> None:
    """A result is saved in the form that its name has; what is made of a photo is offered as one, or as was said."""
    await tour.ask("make it brighter", "coffee.jpg")
    await tour.run()
    await tour.finished()
    stem = Path(tour.session.messages[-1].resources[0]).stem

    def save() -> QAbstractButton:
        """Of the answer: it names the form that the file will have."""
        seen = (one for one in tour.window.chat.findChildren(QAbstractButton) if one.isVisible())
        return next(one for one in seen if one.accessibleName().startswith(f"Save {stem}."))

    path = tour.folder / "kept.webp"
    path.unlink(missing_ok=True)
    tour.click(save())
    await tour.name_file(path)
    await tour.until(path.exists)
    await tour.rest()
    with Image.open(path) as saved:
        sure(saved.format == "WEBP", f"kept.webp is {saved.format}")
    tour.click(save())
    await tour.rest()
    dialog = tour.window.files.dialog
    assert dialog is not None
    offered = [os.path.basename(one) for one in dialog.selectedFiles()]
    sure(offered == [f"{stem}.jpg"], f"offered is {offered}")
    dialog.close()
    await tour.ask("save it as a jpg")
    await tour.run()
    await tour.finished()
    tour.key(Key.Key_S, Ctrl | Shift, tour.window)
    await tour.rest()

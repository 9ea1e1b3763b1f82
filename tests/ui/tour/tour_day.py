"""The tour's part that goes through what was wrong in a day of ordinary use; it stops where that is so again."""

from __future__ import annotations

import time

import psutil
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QLabel, QWidget

from desktop_app.i18n import catalogue
from desktop_app.ui.chat.message_widget import AssistantMessage
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import ElidedButton
from tests.ui.driving import EXAMPLES, Ctrl, Key, Plain
from tests.ui.tour.touring import Tour

LARGE = (6000, 4000)
"""Pixels of a picture as a camera makes it."""
_MOST_MORE = 700 << 20
"""Bytes that the window may take more while one points in such a picture."""


def sure(holds: object, words: str) -> None:
    """Raises AssertionError with these words unless it holds."""
    if not holds:
        raise AssertionError(words)


async def day(tour: Tour) -> None:
    """Each line of it, one after the other, in a conversation of its own where it needs one."""
    for part in (
        _words, _bar, _canvas, _by_hand, _intermediate, _unclear, _not_as_asked, _next_way, _failure, _stopped,
        _large_picture, _languages, _sizes,
    ):  # fmt: skip
        if tour.session.messages or tour.session.workflow.nodes:
            tour.new()
            await tour.rest()
        print("day:", part.__name__.strip("_"), flush=True)
        await part(tour)


async def _words(tour: Tour) -> None:
    """Nothing is sent without words; an error goes when one writes; the empty composer takes a plan back; files stay
    with their conversation.
    """
    tour.composer.field.setFocus()
    tour.key(Key.Key_Return)
    sure(not tour.session.messages, "an empty message was sent")
    broken = tour.folder / "broken.png"
    broken.write_bytes(b"no picture")
    tour.drop_files(tour.composer, tour.composer.rect().center(), broken)
    await tour.until(lambda: tour.composer.troubled)
    tour.write("make it brighter", tour.composer.field)
    sure(not tour.composer.troubled, "the error stays while one writes")
    tour.composer.clear()
    await tour.ask("make it brighter", "coffee.jpg")
    tour.key(Key.Key_Z, Ctrl, tour.composer.field)
    await tour.until(lambda: not tour.session.workflow.nodes)
    tour.key(Key.Key_Y, Ctrl, tour.composer.field)
    await tour.until(lambda: tour.session.workflow.nodes)
    tour.composer.add_files([EXAMPLES / "cat.jpg"])
    await tour.until(lambda: tour.composer.names)
    tour.new()
    await tour.rest()
    sure(not tour.composer.names, "what was attached is in the next conversation")


async def _bar(tour: Tour) -> None:
    """Nothing moves in the tool bar when it says that all is saved; Enter presses Run, which keeps the keyboard."""
    await tour.ask("make it brighter", "coffee.jpg")
    bar = tour.window.tool_bar

    def places() -> list[int]:
        return [button.x() for button in bar.findChildren(QAbstractButton) if button.isVisible()]

    before = places()
    await tour.until(bar._saved.text)
    sure(places() == before, f"the tool bar moved: {before}, {places()}")
    bar.run_button.setFocus()
    tour.key(Key.Key_Return)
    await tour.until(lambda: tour.session.run.id)
    await tour.finished()
    sure(tour.session.run.outcome == "ok", "Enter did not press Run")
    sure(tour.focus is bar.run_button, "Run has lost the keyboard")


def _boxes_apart(tour: Tour) -> bool:
    """Whether no two cards overlap."""
    boxes = [card.body for card in tour.window.graph.canvas.cards()]
    return not any(a.intersects(b) for at, a in enumerate(boxes) for b in boxes[:at])


async def _canvas(tour: Tour) -> None:
    """Files lie where they were dropped, and nothing on anything; a wheel turned sideways and a drag with space pan;
    what is pasted lies at the mouse.
    """
    await tour.ask("make it brighter", "coffee.jpg")
    canvas = tour.window.graph.canvas
    spot = QPoint(90, 380)
    wanted = canvas.mapToScene(spot)
    tour.drop_files(canvas, spot, EXAMPLES / "cat.jpg", EXAMPLES / "rocket.jpg")
    await tour.until(lambda: tour.session.workflow.resource("rocket.jpg"))
    await tour.rest()
    card = tour.window.graph.card("cat.jpg")
    sure(card and (card.body.topLeft() - wanted).manhattanLength() < 24, "a file lies elsewhere than it was dropped")
    sure(_boxes_apart(tour), "files lie on each other")
    await tour.ask("also make coins.jpg brighter", "coins.jpg")
    sure(_boxes_apart(tour), "a grown graph has cards on each other")
    moved, zoom = tour.on_canvas(QPointF(0, 0)), canvas.transform().m11()
    place = QPointF(tour.port.rect().center())
    turned = QWheelEvent(
        place, QPointF(tour.port.mapToGlobal(place.toPoint())), QPoint(), QPoint(120, 0), Qt.MouseButton.NoButton,
        Plain, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(tour.port, turned)
    await tour.rest()
    left, moved = moved, tour.on_canvas(QPointF(0, 0))
    sure(moved.x() != left.x() and canvas.transform().m11() == zoom, "a wheel turned sideways does not pan")
    canvas.setFocus()
    QTest.keyPress(canvas, Key.Key_Space)
    tour.drag(tour.port, QPoint(300, 300), QPoint(350, 360))
    QTest.keyRelease(canvas, Key.Key_Space)
    await tour.rest()
    sure(tour.on_canvas(QPointF(0, 0)) != moved, "space and a drag do not pan")
    await _pasted(tour)
    await tour.shot("day-canvas")


async def _pasted(tour: Tour) -> None:
    canvas, graph = tour.window.graph.canvas, tour.window.graph
    tour.click(tour.port, tour.middle_of(tour.session.workflow.nodes[0].id))
    before = set(tour.session.workflow.ids())
    tour.key(Key.Key_C, Ctrl, canvas)
    spot = QPoint(tour.port.width() // 2, tour.port.height() - 240)
    wanted = canvas.mapToScene(spot)
    tour.point_mouse(tour.port, spot)
    await tour.until(canvas.underMouse)
    tour.key(Key.Key_V, Ctrl, canvas)
    await tour.until(lambda: set(tour.session.workflow.ids()) - before)
    (new,) = set(tour.session.workflow.ids()) - before
    far = QPointF(*graph.boxes()[new][:2]) - wanted
    sure(far.manhattanLength() < 48, f"what was pasted lies {far} from the mouse")


async def _by_hand(tour: Tour) -> None:
    """Escape in a note keeps its words; a workflow that is dropped on the first screen is opened."""
    await tour.ask("make it brighter", "coffee.jpg")
    canvas = tour.window.graph.canvas
    tour.hold()
    tour.key(Key.Key_N, widget=canvas)
    await tour.rest()
    tour.write("a thought")
    tour.key(Key.Key_Escape)
    await tour.rest()
    notes = [one.text for one in tour.session.workflow.decorations]
    sure(notes == ["a thought"], f"Escape lost what was written in a note: {notes}")
    path = tour.folder / "kept.json"
    path.unlink(missing_ok=True)
    tour.key(Key.Key_S, Ctrl, tour.window)
    await tour.name_file(path)
    await tour.until(path.exists)
    tour.new()
    await tour.rest()
    sure(tour.window.first.isVisible(), "a new conversation does not begin with the first screen")
    tour.drop_files(tour.window, QPoint(400, 500), path)
    await tour.until(lambda: tour.session.workflow.nodes)
    sure(tour.window.graph.isVisible() and not tour.composer.names, "a dropped workflow was only attached")


async def _intermediate(tour: Tour) -> None:
    """What is pointed at is made on the way: Run goes as far as it can, then the picker opens on that."""
    await tour.ask("make it brighter and then remove the object I point at", "coffee.jpg")
    wait = [way for way in tour.session.alternatives if len({node.tool for node in way.workflow.nodes}) > 2]
    sure(wait, "nothing is planned that points at a result")
    for _ in range(len(tour.session.alternatives)):
        if "coffee.jpg" not in {question.resource for question in tour.session.questions()}:
            break
        tour.key(Key.Key_Right, Qt.KeyboardModifier.AltModifier, tour.window)
        await tour.rest()
    tour.click(tour.window.tool_bar.run_button)
    await tour.until(lambda: tour.window.pointing_now)
    await tour.shot("day-pointing")
    await tour.point((289, 120, True), (242, 215, True))
    await tour.mask_shown()
    await _goes_on(tour)
    sure(tour.session.run.outcome == "ok", "pointing at a result was a dead end")


async def _goes_on(tour: Tour) -> None:
    """Uses what was pointed at; the run goes on by itself, as Run was pressed before."""
    before = tour.session.run.id
    tour.click(tour.window.picker.use)
    await tour.until(lambda: tour.session.run.id != before, 120)
    await tour.finished()


async def _unclear(tour: Tour) -> None:
    """What the picture does not tell is asked for when the run gets there; nothing failed, and the run goes on then."""
    await tour.ask("remove the background", "cat.jpg")
    tour.click(tour.window.tool_bar.run_button)
    await tour.until(lambda: tour.window.pointing_now, 120)
    sure(not tour.session.run.failures(), "what only has to be told is called a failure")
    await tour.shot("day-unclear")
    tour.key(Key.Key_Escape, widget=tour.window.picker)
    await tour.rest()
    sure(not tour.window.tool_bar.run_button.property("primary"), "Run is the default while something is asked")
    await tour.shot("day-unclear-question")
    tour.click(tour.button("Point at it", tour.window.chat))
    await tour.until(lambda: tour.window.pointing_now)
    await tour.rest()
    await tour.point((200, 150, True), (100, 220, True))
    await tour.mask_shown()
    await _goes_on(tour)
    sure("without its background" in tour.session.messages[-1].text, "the answer does not say what was made")
    await tour.shot("day-unclear-done")


async def _not_as_asked(tour: Tour) -> None:
    """What no step did is told, and no all-clear stands beside it; what is not as asked offers the next way."""
    await tour.ask("make it brighter, put a border around it and email it to Bob", "coffee.jpg")
    await tour.run()
    await tour.finished()
    sure("email" in tour.session.messages[-1].text, "nothing is said of what no tool did")
    sure("As asked" not in tour.session.messages[-1].text, "an all-clear stands beside what was not done")
    await tour.shot("day-not-done")


async def _next_way(tour: Tour) -> None:
    """What came out other than asked is told, and a click on what stands below that shows the next way and runs it."""
    await tour.ask("Hide the faces in group.jpg", "group.jpg")
    while not any(node.tool == "pixelate" for node in tour.session.workflow.nodes):
        before = tour.session.chosen
        tour.key(Key.Key_Right, Qt.KeyboardModifier.AltModifier, tour.window)
        await tour.until(lambda before=before: tour.session.chosen != before)
    made = tour.node("pixelate")
    tour.window.select(made.id)
    tour.window.inspector.tabs.setCurrentIndex(0)
    await tour.rest()
    spin = next(spin for spin in tour.window.inspector.findChildren(QAbstractSpinBox) if spin.isVisible())
    spin.setFocus()
    spin.selectAll()
    tour.write("2", spin)  # the faces are still seen behind such blocks
    tour.key(Key.Key_Return, widget=spin)
    await tour.until(lambda: 2 in tour.session.workflow.node(made.id).values.values())
    await tour.run()
    await tour.finished()
    answer = tour.session.messages[-1]
    sure("Not as asked" in answer.text and answer.offers, "nothing is offered for what is not as asked")
    await tour.shot("day-not-as-asked")
    before, chosen = tour.session.run.id, tour.session.chosen
    if not tour.window.chat.isVisible():  # in a narrow window the inspector has its place
        tour.click(tour.window.tool_bar.panels["chat"])
        await tour.rest()
    offers = tour.window.chat.views[-1].findChildren(ElidedButton)
    tour.click(next(button for button in offers if button.isVisible() and button.property("choice")))
    await tour.until(lambda: tour.session.run.id not in ("", before), 120)
    await tour.finished()
    sure(tour.session.chosen != chosen, "the next way is not the one that is shown")
    sure(tour.session.messages[-1].id != answer.id, "the next way gave no answer")
    await tour.shot("day-next-way-asked")


async def _failure(tour: Tour) -> None:
    """After a failure the next way is a button; what failed is not said of the plan that it shows."""
    await tour.ask("Crop coffee.jpg to the faces", "coffee.jpg")  # nobody is seen there
    await tour.run()
    await tour.finished()
    sure(tour.session.run.outcome == "failed" and tour.session.next_way is not None, "no failure with another way")
    sure("failed" in tour.window.tool_bar._words.text(), "the tool bar does not say what failed")
    await tour.shot("day-failed")
    view = tour.window.chat.views[-1]
    assert isinstance(view, AssistantMessage)
    sure(view.other is not None and view.other.isVisible(), "no button takes the next way")
    assert view.other is not None
    next_way, before = tour.session.next_way, tour.session.run.id
    tour.click(view.other)
    await tour.until(lambda: tour.session.run.id != before or tour.session.questions())
    sure(tour.session.chosen == next_way, "the button took another way")
    says = tour.window.tool_bar._words.text()
    sure("failed" not in says or tour.session.run.outcome == "failed", "what failed is said of the next way, too")
    await tour.finished()
    await tour.shot("day-next-way")


def _camera(tour: Tour) -> str:
    """The name of a picture of 24 megapixels in the folder of the tour."""
    path = tour.folder / "large.jpg"
    picture = QImage(str(EXAMPLES / "coffee.jpg")).scaled(*LARGE, mode=Qt.TransformationMode.SmoothTransformation)
    picture.save(str(path), quality=92)  # type: ignore[call-overload]
    return str(path)


async def _stopped(tour: Tour) -> None:
    """What was stopped keeps its bar, and the bar its title."""
    await tour.ask("make an oil painting of it", _camera(tour))
    await tour.run()
    await tour.until(lambda: any(node.state == "running" for node in tour.session.run.nodes.values()))
    await tour.rest()
    tour.key(Key.Key_Escape, widget=tour.window)
    await tour.finished()
    sure(tour.session.run.outcome == "cancelled", f"Escape did not stop the run: {tour.session.run.outcome}")
    chart = tour.window.timeline.chart
    (bar,) = [bar for bar in chart.bars if bar.node == tour.session.workflow.nodes[-1].id]
    sure(bar.end > bar.start and chart.rect_of(bar).width() > 2, "the bar of what was stopped is gone")
    title = chart.title_of(bar.node)
    sure(title == tour.session.tools[tour.session.workflow.nodes[-1].tool].title, f"the bar says {title}")
    await tour.shot("day-stopped")


def _processor() -> float:
    """Seconds of the processor that the program and its lanes have taken: other programs do not count."""
    own = psutil.Process()
    return sum(one.cpu_times().user + one.cpu_times().system for one in (own, *own.children(recursive=True)))


async def _large_picture(tour: Tour) -> None:
    """A picture of 24 megapixels is pointed at in little memory, and its three readings come."""
    before = psutil.Process().memory_info().rss
    await tour.ask("Remove the object I point at", _camera(tour))
    tour.click(tour.button("Point at it"))
    await tour.until(lambda: tour.window.pointing_now)
    await tour.until(lambda: not tour.window.picker.view._picture.pixmap().isNull())
    took: list[str] = []
    for x, y in ((2890, 600), (2420, 2150), (3660, 2830)):
        shown = tour.window.picker.view._mask.pixmap().cacheKey()
        started, used = time.monotonic(), _processor()
        await tour.point((x, y, True))
        await tour.until(lambda shown=shown: tour.window.picker.view._mask.pixmap().cacheKey() != shown)
        took.append(f"{time.monotonic() - started:.2f} s ({_processor() - used:.2f} s of the processor)")
    await tour.until(lambda: tour.window.picker.strip.cards)
    more = psutil.Process().memory_info().rss - before
    print(f"24 megapixels, a click: {', '.join(took)}; {more >> 20} MiB more", flush=True)
    sure(len(tour.window.picker.strip.cards) == 3, "there are no three readings")
    sure(more < _MOST_MORE, f"pointing in a large picture takes {more >> 20} MiB")
    await tour.shot("day-large-picture")
    tour.key(Key.Key_Escape, widget=tour.window.picker)
    await tour.rest()


async def _languages(tour: Tour) -> None:
    """Another language, chosen while there is an answer: no text of the window stays in the one before."""
    await tour.ask("make it brighter", "coffee.jpg")
    await tour.run()
    await tour.finished()
    keys = (Key.Key_End, Key.Key_Home)
    for number, key in enumerate(reversed(keys) if tour.language == "zh" else keys):
        before: QWidget = tour.window
        tour.click(tour.window.tool_bar.settings)
        await tour.rest()
        languages = tour.window.overlays.settings.languages
        languages.setFocus()
        tour.key(key, widget=languages)
        tour.key(Key.Key_Return, widget=languages)
        await tour.until(lambda was=before: tour.window is not was)
        await _settled(tour)
        tour.window.overlays.settings.dismiss()
        tour.size_again()
        await tour.shot(f"day-language-{number}")
        seen = [one for kind in (QLabel, QAbstractButton) for one in tour.window.findChildren(kind) if one.isVisible()]
        left = [one.text() for one in seen if catalogue.find(one.text()) not in ("", one.text())]
        sure(not left, f"still in English: {left}")


async def _sizes(tour: Tour) -> None:
    """To the other size and back: the window is the old one as it was, or the new one as it stays."""
    await tour.ask("make it brighter", "coffee.jpg")
    sizes = ("200 %", "100 %")
    for text in reversed(sizes) if tour.scale == 2 else sizes:
        before: QWidget = tour.window
        tour.click(tour.window.tool_bar.settings)
        await tour.rest()
        tour.click(tour.button(text, tour.window.overlays.settings))
        while tour.window is before:
            sure(not before.updatesEnabled() or theme.current().scale != float(text[0]), "sizes mix")
            await tour.rest(0.01)
        sure(theme.current().scale == float(text[0]), f"{text} is not what is shown")
        await _settled(tour)
        await tour.shot(f"day-size-{text[0]}")
        tour.window.overlays.settings.dismiss()
        tour.size_again()
        await tour.rest(1.0)


async def _settled(tour: Tour) -> None:
    """The parts of a new window are at once where they stay, and leave no strip empty."""
    await tour.rest(0.1)
    window = tour.window
    parts = (window.tool_bar, window.status, window.pages, window.chat, window.graph, window.inspector, window.timeline)

    def places() -> list[QRect]:
        return [part.geometry() for part in parts if part.isVisible()]

    first = places()
    await tour.rest(2.0)
    sure(places() == first, f"parts move after the window came: {first}, {places()}")
    high = window.tool_bar.height() + window.pages.height() + window.status.height()
    sure(window.height() - high <= 4, "a strip of the window is empty")

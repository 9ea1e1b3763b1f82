"""The tour's part that goes through what was wrong in a day of ordinary use; it stops where that is so again."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QLabel, QWidget

from desktop_app.i18n import catalogue
from desktop_app.ui.widgets.basic import ElidedButton
from tests.ui.driving import EXAMPLES, Ctrl, Key, Plain
from tests.ui.touring import Tour


def _sure(holds: object, words: str) -> None:
    if not holds:
        raise AssertionError(words)


async def day(tour: Tour) -> None:
    """Each line of it, one after the other, in a conversation of its own where it needs one."""
    for part in (_words, _canvas, _intermediate, _unclear, _not_as_asked, _next_way, _failure, _languages):
        if tour.session.messages or tour.session.workflow.nodes:
            tour.new()
            await tour.rest()
        await part(tour)


async def _words(tour: Tour) -> None:
    """Nothing is sent without words; the empty composer takes a plan back; files stay with their conversation."""
    tour.composer.field.setFocus()
    tour.key(Key.Key_Return)
    _sure(not tour.session.messages, "an empty message was sent")
    await tour.ask("make it brighter", "coffee.jpg")
    tour.key(Key.Key_Z, Ctrl, tour.composer.field)
    await tour.until(lambda: not tour.session.workflow.nodes)
    tour.key(Key.Key_Y, Ctrl, tour.composer.field)
    await tour.until(lambda: tour.session.workflow.nodes)
    tour.composer.add_files([EXAMPLES / "cat.jpg"])
    await tour.until(lambda: tour.composer.names)
    tour.new()
    await tour.rest()
    _sure(not tour.composer.names, "what was attached is in the next conversation")


async def _canvas(tour: Tour) -> None:
    """Files lie where they were dropped and not on each other; a wheel turned sideways and a drag with space pan."""
    await tour.ask("make it brighter", "coffee.jpg")
    await tour.run()
    button = tour.window.tool_bar.run_button
    await tour.finished()
    _sure(tour.focus is button, "Run has lost the keyboard")
    canvas = tour.window.graph.canvas
    tour.drop_files(canvas, QPoint(90, 380), EXAMPLES / "cat.jpg", EXAMPLES / "rocket.jpg")
    await tour.until(lambda: tour.session.workflow.resource("rocket.jpg"))
    await tour.rest()
    cards = [tour.window.graph.card(name) for name in ("cat.jpg", "rocket.jpg")]
    boxes = [card.sceneBoundingRect() for card in cards if card is not None]
    _sure(len(boxes) == 2 and not boxes[0].intersects(boxes[1]), "files lie on each other")
    left, zoom = tour.on_canvas(QPointF(0, 0)), canvas.transform().m11()
    place = QPointF(tour.port.rect().center())
    turned = QWheelEvent(
        place, QPointF(tour.port.mapToGlobal(place.toPoint())), QPoint(), QPoint(120, 0), Qt.MouseButton.NoButton,
        Plain, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(tour.port, turned)
    await tour.rest()
    moved = tour.on_canvas(QPointF(0, 0))
    _sure(moved.x() != left.x() and canvas.transform().m11() == zoom, "a wheel turned sideways does not pan")
    canvas.setFocus()
    QTest.keyPress(canvas, Key.Key_Space)
    tour.drag(tour.port, QPoint(300, 300), QPoint(350, 360))
    QTest.keyRelease(canvas, Key.Key_Space)
    await tour.rest()
    _sure(tour.on_canvas(QPointF(0, 0)) != moved, "space and a drag do not pan")
    await tour.shot("day-canvas")


async def _intermediate(tour: Tour) -> None:
    """What is pointed at is made on the way: Run goes as far as it can, then the picker opens on that."""
    await tour.ask("make it brighter and then remove the object I point at", "coffee.jpg")
    wait = [way for way in tour.session.alternatives if len({node.tool for node in way.workflow.nodes}) > 2]
    _sure(wait, "nothing is planned that points at a result")
    for _ in range(len(tour.session.alternatives)):
        if "coffee.jpg" not in {question.resource for question in tour.session.questions()}:
            break
        tour.key(Key.Key_Right, Qt.KeyboardModifier.AltModifier, tour.window)
        await tour.rest()
    tour.click(tour.window.tool_bar.run_button)
    await tour.until(lambda: tour.window.pointing_now, 120)
    await tour.shot("day-pointing")
    await tour.point((289, 120, True), (242, 215, True))
    await tour.mask_shown()
    tour.click(tour.window.picker.use)
    await tour.until(lambda: tour.session.run.outcome == "ok", 120)  # by itself: Run was pressed before
    await tour.finished()


async def _unclear(tour: Tour) -> None:
    """What the picture does not tell is asked for when the run gets there; nothing failed, and the run goes on then."""
    await tour.ask("remove the background", "cat.jpg")
    tour.click(tour.window.tool_bar.run_button)
    await tour.until(lambda: tour.window.pointing_now, 120)
    _sure(not tour.session.run.failures(), "what only has to be told is called a failure")
    await tour.shot("day-unclear")
    tour.key(Key.Key_Escape, widget=tour.window.picker)
    await tour.rest()
    _sure(not tour.window.tool_bar.run_button.property("primary"), "Run is the default while something is asked")
    await tour.shot("day-unclear-question")
    tour.click(tour.button("Point at it", tour.window.chat))
    await tour.until(lambda: tour.window.pointing_now)
    await tour.rest()
    await tour.point((200, 150, True), (100, 220, True))
    await tour.mask_shown()
    tour.click(tour.window.picker.use)
    await tour.until(lambda: tour.session.run.outcome == "ok", 120)  # by itself: Run was pressed before
    await tour.finished()
    _sure("without its background" in tour.session.messages[-1].text, "the answer does not say what was made")
    await tour.shot("day-unclear-done")


async def _not_as_asked(tour: Tour) -> None:
    """What no step did is told, and no all-clear stands beside it; what is not as asked offers the next way."""
    await tour.ask("make it brighter, put a border around it and email it to Bob", "coffee.jpg")
    await tour.run()
    await tour.finished()
    _sure("email" in tour.session.messages[-1].text, "nothing is said of what no tool did")
    _sure("As asked" not in tour.session.messages[-1].text, "an all-clear stands beside what was not done")
    await tour.shot("day-not-done")


async def _next_way(tour: Tour) -> None:
    """What came out other than asked is told, and a click on what stands below that shows the next way and runs it."""
    await tour.ask("a 4 second video of coffee.jpg zooming in slowly", "coffee.jpg")
    _sure(len(tour.session.alternatives) > 1, "there is no other way")
    made = next(node for node in tour.session.workflow.nodes if node.values.get("seconds") == 4)
    tour.window.select(made.id)
    await tour.rest()
    spins = tour.window.inspector.findChildren(QAbstractSpinBox)
    spin = next(spin for spin in spins if spin.isVisible() and spin.text().startswith("4"))
    spin.setFocus()
    spin.selectAll()
    tour.write("2", spin)
    tour.key(Key.Key_Return, widget=spin)
    await tour.until(lambda: tour.session.workflow.node(made.id).values["seconds"] == 2)
    await tour.run()
    await tour.finished()
    answer = tour.session.messages[-1]
    _sure("Not as asked" in answer.text and answer.offers, "nothing is offered for what is not as asked")
    await tour.shot("day-not-as-asked")
    before, chosen = tour.session.run.id, tour.session.chosen
    offers = tour.window.chat.views[-1].findChildren(ElidedButton)
    tour.click(next(button for button in offers if button.isVisible() and button.property("choice")))
    await tour.until(lambda: tour.session.run.id not in ("", before), 120)
    await tour.finished()
    _sure(tour.session.chosen != chosen, "the next way is not the one that is shown")
    _sure(tour.session.messages[-1].id != answer.id, "the next way gave no answer")
    await tour.shot("day-next-way-asked")


async def _failure(tour: Tour) -> None:
    """After a failure the next way is a button; what failed is not said of the plan that it shows."""
    await tour.ask("Mach das irgendwie schöner und bunter", "coins.jpg")
    await tour.run()
    await tour.finished()
    _sure(tour.session.run.outcome == "failed" and tour.session.next_way is not None, "no failure with another way")
    await tour.shot("day-failed")
    view = tour.window.chat.views[-1]
    _sure(view.other is not None and view.other.isVisible(), "no button takes the next way")
    before = tour.session.run.id
    tour.click(view.other)
    await tour.until(lambda: tour.session.run.id != before)
    await tour.finished()
    _sure(tour.session.run.outcome == "ok", "the next way did not run")
    await tour.shot("day-next-way")


async def _languages(tour: Tour) -> None:
    """Another language, chosen while there is an answer: no text of the window stays in the one before."""
    await tour.ask("make it brighter", "coffee.jpg")
    await tour.run()
    await tour.finished()
    for number, key in enumerate((Key.Key_End, Key.Key_Home)):
        before: QWidget = tour.window
        tour.click(tour.window.tool_bar.settings)
        await tour.rest()
        languages = tour.window.overlays.settings.languages
        languages.setFocus()
        tour.key(key, widget=languages)
        tour.key(Key.Key_Return, widget=languages)
        await tour.until(lambda was=before: tour.window is not was, 20)
        tour.window.overlays.settings.dismiss()
        tour.size_again()
        await tour.shot(f"day-language-{number}")
        seen = [one for kind in (QLabel, QAbstractButton) for one in tour.window.findChildren(kind) if one.isVisible()]
        left = [one.text() for one in seen if catalogue.find(one.text()) not in ("", one.text())]
        _sure(not left, f"still in English: {left}")

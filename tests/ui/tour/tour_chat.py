"""The tour's parts that are done by asking: first screen, attaching, alternatives, pointing, steps, results."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from desktop_app.ui.start.start_page import FactRow
from tests.ui.driving import EXAMPLES, Ctrl, Key
from tests.ui.tour.touring import Tour

ALTERNATIVES = "Blur the faces in group.jpg, then make a slideshow video of it with a spoken greeting 'hello everyone'"
POINT = "Remove the object I point at"


async def first_screen(tour: Tour) -> None:
    """What is seen first, once it is known what works here and the examples are read."""
    await tour.until(lambda: tour.window.first.findChildren(FactRow))
    await tour.rest(3.0)
    await tour.shot("first-screen")


async def attaching(tour: Tour) -> None:
    """Files dropped on the composer, words half typed."""
    composer = tour.composer
    tour.drop_files(
        composer, composer.rect().center(), *(EXAMPLES / n for n in ("coffee.jpg", "talk.wav", "notes.txt"))
    )
    await tour.until(lambda: len(composer.names) == 3)
    composer.field.setFocus()
    tour.write("Make a pencil drawing of coffee.jpg")
    await tour.shot("attached")
    composer.clear()


async def alternatives(tour: Tour) -> None:
    """An example from the first screen: planned, run, answered, a node inspected."""
    first = tour.window.first
    card = next(card for card in first.cards if "group.jpg" in card.example.request)
    first._scroll.ensureWidgetVisible(card)
    tour.click(card)
    await tour.until(lambda: tour.session.alternatives and not tour.session.busy)
    await tour.shot("plan")
    await tour.run()
    await tour.until(lambda: any(n.state == "running" for n in tour.session.run.nodes.values()))
    await tour.rest(0.6)
    tour.snap("running")
    await tour.finished()
    await tour.shot("answer")
    tour.window.select(tour.session.workflow.nodes[-1].id)
    await tour.shot("inspector")


async def pointing(tour: Tour) -> None:
    """A question answered by clicks with the mask shown live; run, answer, a follow-up."""
    await tour.ask(POINT, "rocket.jpg")
    await tour.shot("question")
    tour.window.ui.signals.point_at.emit("rocket.jpg")
    await tour.until(lambda: tour.window.pointing_now)
    await tour.rest()
    await tour.point((320, 200, True), (320, 145, True), (280, 140, False))
    await tour.mask_shown()
    await tour.until(lambda: tour.window.picker.strip.cards)
    await tour.shot("pointing")
    tour.click(tour.window.picker.use)
    await tour.shot("pointed")
    await tour.run()
    await tour.finished()
    await tour.shot("pointed-answer")
    await tour.ask("now make it look like a watercolour")
    await tour.shot("follow-up")
    await tour.run()
    await tour.finished()
    await tour.shot("follow-up-answer")


async def drawing(tour: Tour) -> None:
    """Box, brush, lasso, a second object, and the readings of what was clicked."""
    await tour.ask(POINT, "coffee.jpg")
    tour.window.ui.signals.point_at.emit("coffee.jpg")
    await tour.until(lambda: tour.window.pointing_now)
    await tour.rest()
    picker = tour.window.picker
    await tour.point((289, 60, True), (242, 215, True), (150, 300, False))
    await tour.until(lambda: picker.strip.cards)
    await tour.shot("pointing-readings")
    tour.key(Key.Key_N, widget=picker)
    tour.key(Key.Key_B, widget=picker)
    tour.draw((345, 262), (350, 290), (365, 305), (352, 320))
    await tour.shot("pointing-brush")
    tour.key(Key.Key_N, widget=picker)
    tour.key(Key.Key_L, widget=picker)
    tour.draw((60, 40), (140, 30), (170, 90), (110, 130), (50, 100), (58, 45))
    await tour.shot("pointing-lasso")
    tour.key(Key.Key_N, widget=picker)
    tour.key(Key.Key_R, widget=picker)
    tour.draw((470, 250), (580, 380))
    await tour.rest(3.0)
    await tour.shot("pointing-objects")
    tour.key(Key.Key_Escape, widget=picker)
    await tour.rest()


async def step_by_step(tour: Tour) -> None:
    """The mode's menu, a proposed step that waits for approval, and the end of it."""
    mode = tour.composer.mode
    tour.click(mode.widget)
    await tour.shot("mode-menu")
    tour.close_menus()
    tour.window.ui.signals.change_settings.emit({"plan_mode": "step by step", "step_approval": True})
    tour.composer.add_files([EXAMPLES / "cat.jpg"])
    tour.composer.field.setFocus()
    tour.write("Make a cartoon of cat.jpg and mirror it")
    tour.key(Key.Key_Return)
    await tour.until(lambda: tour.session.proposed)
    await tour.shot("step-by-step")
    for _ in range(6):
        if not tour.session.proposed:
            break
        tour.click(tour.button("Run this step"))
        before = tour.session.proposed
        await tour.until(lambda before=before: tour.session.proposed != before)
        await tour.until(lambda: tour.session.proposed or not tour.session.busy)
    await tour.finished()
    await tour.shot("step-by-step-done")
    tour.window.ui.signals.change_settings.emit({"plan_mode": "solutions", "step_approval": False})


async def results(tour: Tour) -> None:
    """Players of sound and film, a table, a page; and the menu of exports."""
    await tour.ask("Clean the noise from talk.wav and show me its waveform", "talk.wav")
    await tour.run()
    await tour.finished()
    await tour.shot("sound")
    tour.new()
    await tour.ask("Count the words in notes.txt, and make a web page of notes.txt", "notes.txt")
    await tour.run()
    await tour.finished()
    tour.window.select(tour.session.workflow.nodes[0].id)
    tour.window.inspector.tabs.setCurrentIndex(1)
    await tour.shot("table-and-page")
    tour.click(tour.window.tool_bar.menu_button)
    await tour.shot("exports")
    tour.close_menus()
    tour.key(Key.Key_K, Ctrl, tour.window)
    await tour.rest()
    tour.write("save")
    await tour.shot("everything")
    tour.close_menus()
    assert not [w for w in tour.window.findChildren(QMenu) if w.isVisible()]

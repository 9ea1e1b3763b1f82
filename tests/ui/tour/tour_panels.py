"""The tour's parts beside the graph: comparing, the inspector's pages, what opens over the window."""

from __future__ import annotations

from tests.ui.driving import Alt, Ctrl, Key
from tests.ui.tour.touring import Tour

STYLE = "Make a pencil drawing of coffee.jpg and upscale it"


async def comparing(tour: Tour) -> None:
    """Another way looked at; two ways that have run, by a slider, side by side, and as a difference."""
    await tour.ask("Hide the faces in group.jpg", "group.jpg")
    first = tour.session.chosen
    tour.key(Key.Key_Right, Alt, tour.window)
    await tour.until(lambda: tour.session.chosen != first)
    await tour.rest()
    await tour.shot("alternative")
    await tour.run()
    await tour.finished()
    tour.session.choose(first)
    await tour.run()
    await tour.finished()
    tour.click(tour.window.alternatives.compare)
    await tour.until(lambda: tour.window.comparing_now)
    await tour.shot("compare-before")
    missing = tour.window.compare.missing
    if missing.isVisible():
        tour.click(missing.run)
        await tour.until(lambda: not missing.isVisible())
    await tour.finished()
    await tour.shot("compare")
    for mode, button in tour.window.compare.header.modes.buttons.items():
        if button.isVisible():
            tour.click(button)
            await tour.shot(f"compare-{mode}")
    tour.key(Key.Key_Escape, widget=tour.window)


async def inspecting(tour: Tour) -> None:
    """The four pages of the inspector."""
    await tour.ask(STYLE, "coffee.jpg")
    await tour.run()
    await tour.finished()
    tour.window.select(tour.session.workflow.nodes[-1].id)
    for index, name in enumerate(("values", "result", "provenance", "log")):
        tour.window.inspector.tabs.setCurrentIndex(index)
        await tour.shot(f"inspector-{name}")
    tour.window.inspector.tabs.setCurrentIndex(0)
    tour.window.activate(tour.session.workflow.nodes[-1].id)
    await tour.shot("preview")
    tour.key(Key.Key_Escape, widget=tour.window)


async def overlays(tour: Tour) -> None:
    """The settings, the kept conversations, the guide."""
    tour.click(tour.window.tool_bar.settings)
    await tour.rest(2.0)
    await tour.shot("settings")
    tour.window.overlays.settings.dismiss()
    await tour.windows.autosave.finish()
    tour.key(Key.Key_H, Ctrl, tour.window)
    await tour.shot("history")
    if tour.window.overlays.list is not None:
        tour.window.overlays.list.dismiss()
    tour.key(Key.Key_F1, widget=tour.window)
    await tour.shot("guide")
    tour.window.overlays.guide.dismiss()


async def recent(tour: Tour) -> None:
    """The first screen with the conversations of this tour."""
    await tour.rest()
    await tour.shot("recent")

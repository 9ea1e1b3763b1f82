"""The tour's parts that show one state in other sizes, scales, themes and languages."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from desktop_app.core import settings as settings_file
from tests.ui.driving import Key
from tests.ui.tour.tour_chat import ALTERNATIVES
from tests.ui.tour.touring import Tour


async def _answered(tour: Tour) -> None:
    await tour.ask(ALTERNATIVES, "group.jpg")
    await tour.run()
    await tour.finished()
    tour.window.select(tour.session.workflow.nodes[-1].id)
    await tour.rest()


async def narrow(tour: Tour) -> None:
    """1100 x 720: the inspector makes room until it is asked for."""
    await _answered(tour)
    tour.resize(1100, 720)
    await tour.shot("narrow")
    tour.size_again()


async def large(tour: Tour) -> None:
    """1920 x 1080."""
    await _answered(tour)
    tour.resize(1920, 1080)
    tour.window.graph.fit()
    await tour.shot("large")
    tour.size_again()


async def light(tour: Tour) -> None:
    """The other theme, by its button, and back."""
    await _answered(tour)
    tour.click(tour.window.tool_bar._theme)
    await tour.shot("other-theme")
    tour.click(tour.window.tool_bar._theme)


async def double(tour: Tour) -> None:
    """200 %, chosen in the settings."""
    if tour.scale == 2:
        return
    await _answered(tour)
    await _choose_size(tour, "200 %")
    tour.resize(1920, 1080)
    await tour.rest(1.0)
    tour.window.graph.fit()
    await tour.shot("double")
    await _choose_size(tour, f"{tour.scale * 100:.0f} %")
    tour.size_again()


async def _choose_size(tour: Tour, text: str) -> None:
    before: QWidget = tour.window
    tour.click(tour.window.tool_bar.settings)
    await tour.rest()
    tour.click(tour.button(text, tour.window.overlays.settings))
    await tour.until(lambda: tour.window is not before)
    tour.window.overlays.settings.dismiss()
    tour.resize(1440, 900)
    await tour.rest(1.0)


async def chinese(tour: Tour) -> None:
    """The first screen and an answer in Chinese, chosen in the settings, and back to the tour's language."""
    await _choose_language(tour, Key.Key_End)
    tour.new()
    await tour.shot("chinese-first-screen")
    card = tour.window.first.cards[2]
    tour.click(card)
    await tour.until(lambda: tour.session.alternatives and not tour.session.busy)
    await tour.run()
    await tour.finished()
    await tour.shot("chinese")
    await _choose_language(tour, Key.Key_End if tour.language == "zh" else Key.Key_Home)


async def _choose_language(tour: Tour, key: Qt.Key) -> None:
    """The one that the key goes to in the list: the first is English, the last Chinese."""
    before: QWidget = tour.window
    if settings_file.now().language == ("zh" if key == Key.Key_End else "en"):
        return
    tour.click(tour.window.tool_bar.settings)
    await tour.rest()
    languages = tour.window.overlays.settings.languages
    languages.setFocus()
    tour.key(key, widget=languages)
    tour.key(Key.Key_Return, widget=languages)
    await tour.until(lambda: tour.window is not before)
    tour.window.overlays.settings.dismiss()
    tour.size_again()
    await tour.rest()

"""The real window in each of its states, for tests that look at everything that is shown."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from desktop_app.ui.main_window.main_window import MainWindow
from tests.ui import compare_samples, states


def _plain(window: MainWindow) -> None:
    pass


def _settings(window: MainWindow) -> None:
    window.overlays.show_settings()


def _history(window: MainWindow) -> None:
    window.overlays.show_list()


def _pointing(window: MainWindow) -> None:
    window.ui.signals.pick_port.emit("seg", "points")


def _large(window: MainWindow) -> None:
    window.open_large(window.session.find("coffee.jpg"))


def _chosen(window: MainWindow) -> None:
    window.select("paint")


def _comparing(window: MainWindow) -> None:
    window.ui.signals.compare.emit((0, 1))


def _own(window: MainWindow) -> None:
    window.session.edit(window.session.workflow.without("desc"))


def _own_beside(window: MainWindow) -> None:
    _own(window)
    window.alternatives.others.click()


SCREENS: dict[str, tuple[Callable | None, Callable[[MainWindow], None]]] = {
    "first": (None, _plain),
    "settings": (None, _settings),
    "history": (None, _history),
    "planned": (states.planned, _chosen),
    "pointing": (states.planned, _pointing),
    "running": (states.running, _chosen),
    "answered": (states.answered, _chosen),
    "large": (states.answered, _large),
    "failed": (states.failed, _chosen),
    "own graph": (states.planned, _own),
    "own graph beside the ways": (states.planned, _own_beside),
    "comparing": (compare_samples.two_ways, _comparing),
    "comparing what has not run": (lambda session: compare_samples.two_ways(session, ran=False), _comparing),
}
"""By name: what the session holds, and what is done to the window then."""


def shown(window: MainWindow) -> list[QWidget]:
    """Every widget that is seen, outermost first."""
    return [window, *(widget for widget in window.findChildren(QWidget) if widget.isVisible())]

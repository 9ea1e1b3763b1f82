"""Takes pictures of the window in its main states, both themes: python -m tests.ui.shots_panels FOLDER [STATE...]"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["GRAPHWRIGHT_HOME"] = tempfile.mkdtemp()

from PySide6.QtWidgets import QApplication

from desktop_app.core import settings
from desktop_app.session import diagnostics
from desktop_app.storage.examples import load_examples
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.theme import theme
from nodes import Toolbox
from tests.ui import states
from tests.ui.fakes import TOOLS, FakeSession, finish


def settle(app: QApplication, window: MainWindow, seconds: float = 0.8) -> None:
    """Waits for pictures and layouts."""
    end = time.time() + seconds
    while time.time() < end:
        app.processEvents()
        time.sleep(0.01)


def window_of(session: FakeSession) -> MainWindow:
    """The window, shown, without a loop."""
    facts = diagnostics.examine(settings.Settings(), Toolbox(TOOLS, {}))
    window = MainWindow(session, load_examples(), lambda: facts, spawn=finish)  # type: ignore[arg-type]
    window.resize(1440, 900)
    window.show()
    return window


def first(session, app):
    return window_of(session)


def plan(session, app):
    return window_of(states.planned(session))


def pointing(session, app):
    window = window_of(states.planned(session))
    window.ui.signals.point_at.emit("coffee.jpg")
    settle(app, window, 0.4)
    for point in states.POINTS:
        window.picker.add(point)
    return window


def running(session, app):
    window = window_of(states.running(session))
    window.select("paint")
    return window


def answer(session, app):
    window = window_of(states.answered(session))
    window.select("rem")
    return window


def error(session, app):
    return window_of(states.failed(session))


def large(session, app):
    window = window_of(states.answered(session))
    window.open_large(session.find("coffee_watercolour.png"))
    return window


STATES = {f.__name__: f for f in (first, plan, pointing, running, answer, error, large)}


def take(folder: Path, names: list[str]) -> None:
    """Writes the pictures."""
    app = QApplication.instance() or QApplication([])
    folder.mkdir(parents=True, exist_ok=True)
    for look in ("dark", "light"):
        theme.apply(app, look, float(os.environ.get("SCALE", "1")))  # type: ignore[arg-type]
        for name in names or list(STATES):
            window = STATES[name](FakeSession(Path(tempfile.mkdtemp())), app)
            settle(app, window)
            window.grab().save(str(folder / f"{name}-{look}.png"))
            window.close()
            window.deleteLater()


if __name__ == "__main__":
    take(Path(sys.argv[1]), sys.argv[2:])

"""Takes pictures of the graph in every state, both themes: python -m tests.ui.shots_graph FOLDER"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from desktop_app.ui.graph.graph_view import GraphView
from desktop_app.ui.theme import theme
from tests.ui import graph_samples as samples


def view_of(workflow, run):
    """A shown view with the samples' pictures."""
    view = GraphView()
    view.animated = False
    view.results.pictures = samples.picture
    view.results.texts = samples.text
    view.results.peaks = samples.peaks
    view.resize(1440, 760)
    view.show()
    view.show_workflow(workflow, run, samples.TOOLS)
    return view


def settle(app, view):
    """Waits for the pictures."""
    for _ in range(4):
        view.grab()
        view.results.wait()
        for _ in range(10):
            app.processEvents()
            time.sleep(0.005)


def take_editor(app, folder: Path, name: str) -> None:
    """Writes the pictures of what one edits with: notes and frames, panels beside the canvas, the bar that finds."""
    drawn = view_of(samples.annotated(), samples.run())
    drawn.fit()
    settle(app, drawn)
    drawn.grab().save(str(folder / f"annotated-{name}.png"))
    drawn.select(["cutting"])
    drawn.side.open("outline")
    settle(app, drawn)
    drawn.fit()
    settle(app, drawn)
    drawn.grab().save(str(folder / f"outline-{name}.png"))
    drawn.side.open("palette")
    settle(app, drawn)
    drawn.grab().save(str(folder / f"palette-{name}.png"))
    drawn.side.close_panel()
    drawn.controller.find()
    drawn.stage.find_bar.field.setText("te")
    settle(app, drawn)
    drawn.grab().save(str(folder / f"find-{name}.png"))
    drawn.stage.find_bar.dismiss()
    drawn.fit()
    drawn.canvas.join_refused.emit(
        drawn.card("coffee.jpg").outputs[0],
        drawn.card("rem").port("mask", True),
        "needs a mask; this is a picture – add Segment by points",
    )
    drawn.select(["seg", "rem"])
    settle(app, drawn)
    drawn.grab().save(str(folder / f"refused-{name}.png"))
    drawn.controller.writing.write("note")
    menu = drawn.controller.menu(drawn.canvas.seen.center())
    menu.ensurePolished()
    menu.adjustSize()
    menu.grab().save(str(folder / f"menu-{name}.png"))
    drawn.grab().save(str(folder / f"writing-{name}.png"))
    menu.close()
    drawn.controller.adding.connect("rem", "image", False)
    settle(app, drawn)
    drawn.controller.adding.search.grab().save(str(folder / f"connect-{name}.png"))
    drawn.controller.adding.search.close()
    drawn.close()


def take(folder: Path) -> None:
    """Writes the pictures."""
    app = QApplication.instance() or QApplication([])
    folder.mkdir(parents=True, exist_ok=True)
    for name, scale in (("dark", 1.0), ("light", 1.0), ("dark", 2.0)):
        theme.apply(app, name, scale)
        take_editor(app, folder, name if scale == 1 else f"{name}-200")
    for name in ("dark", "light"):
        theme.apply(app, name)
        states = view_of(*samples.every_state())
        states.select(["selected"])
        states.outline_changed(["cached"])
        settle(app, states)
        states.grab().save(str(folder / f"states-{name}.png"))
        states.zoom = 0.4
        settle(app, states)
        states.grab().save(str(folder / f"far-{name}.png"))
        main = view_of(samples.workflow(), samples.run())
        main.select(["paint"])
        settle(app, main)
        main.grab().save(str(folder / f"main-{name}.png"))
        search = main.controller.adding.search
        main.controller.adding.ask_tool()
        search.field.setText("pic")
        app.processEvents()
        search.grab().save(str(folder / f"search-{name}.png"))
        search.close()
        main.controller.adding.offer_fitting(
            main.card("rem").outputs[0], main.card("rem").body.bottomRight() + QPoint(60, 60).toPointF()
        )
        settle(app, main)
        search.grab().save(str(folder / f"fitting-{name}.png"))
        search.close()


if __name__ == "__main__":
    take(Path(sys.argv[1]))

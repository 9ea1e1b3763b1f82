"""The window on a display, for hands that drag: writes ten times a second where things are and what the graph is.

`python -m tests.ui.dragging_window FILE`; ends when FILE is deleted.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from PySide6.QtCore import QPoint, QPointF, QRectF, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.search.search_delegate import ENTRY
from desktop_app.ui.theme import theme
from tests.ui import states
from tests.ui.fakes import FakeSession, finish

SIZE = (1280, 800)
SEARCHED = "caption"
_MILLISECONDS = 100


def _on_screen(widget: QWidget, place: QPoint) -> list[int]:
    found = widget.mapToGlobal(place)
    return [found.x(), found.y()]


class Told:
    """What is told of one window; places are pixels of the screen."""

    def __init__(self, window: MainWindow, path: Path) -> None:
        self._window, self._path = window, path

    def write(self) -> None:
        if not self._path.exists():
            QApplication.quit()
            return
        writing = self._path.with_suffix(".writing")
        writing.write_text(json.dumps(self._all()), "utf-8")
        os.replace(writing, self._path)

    def _all(self) -> dict[str, Any]:
        workflow = self._window.session.workflow
        return {
            "nodes": {node.id: node.tool for node in workflow.nodes},
            "links": [[k.source, k.output, k.target, k.port] for k in workflow.links],
            "tools": self._tools(),
            "ports": self._ports(),
            "free": self._free(),
        }

    def _tools(self) -> dict[str, list[int]]:
        tree = self._window.graph.side.palette_panel.tree
        model, found = tree.model(), {}
        for group in range(model.rowCount()):
            head = model.index(group, 0)
            for at in range(model.rowCount(head)):
                index = model.index(at, 0, head)
                found[index.data(ENTRY).id] = _on_screen(tree.viewport(), tree.visualRect(index).center())
        return found

    def _ports(self) -> dict[str, list[int]]:
        canvas, found = self._window.graph.canvas, {}
        for card in canvas.cards():
            for port in (*card.inputs, *card.outputs):
                side = "in" if port.is_input else "out"
                place = canvas.mapFromScene(port.middle)
                found[f"{card.id}.{port.face.name}.{side}"] = _on_screen(canvas.viewport(), place)
        return found

    def _free(self) -> list[int] | None:
        """A place of the canvas where a card has room, and nothing floats."""
        graph = self._window.graph
        canvas, zoom = graph.canvas, graph.canvas.zoom
        floating = [graph.minimap, graph.buttons]
        for y in range(150, canvas.viewport().height() - 20, 10):
            for x in range(150, canvas.viewport().width() - 20, 10):
                around = QRectF(canvas.mapToScene(QPoint(x, y)) - QPointF(140, 140) / zoom, canvas.mapToScene(
                    QPoint(x, y)) + QPointF(140, 140) / zoom)  # fmt: skip
                spot = canvas.viewport().mapToGlobal(QPoint(x, y))
                over = any(widget.rect().contains(widget.mapFromGlobal(spot)) for widget in floating)
                if not over and not any(card.body.intersects(around) for card in canvas.cards()):
                    return [spot.x(), spot.y()]
        return None


def main(path: Path) -> NoReturn:
    """Shows the window until the file is gone."""
    application = QApplication(sys.argv[:1])
    theme.apply(application, "dark")
    session = states.planned(FakeSession(Path(tempfile.mkdtemp())))
    window = MainWindow(session, spawn=finish)  # type: ignore[arg-type]
    window.setGeometry(0, 0, *SIZE)
    window.show()
    window.panels.show("chat", False)
    window.graph.animated = False
    window.graph.side.open("palette")
    window.graph.side.palette_panel.field.setText(SEARCHED)
    window.graph.fit()
    window.graph.set_zoom(0.4)
    told = Told(window, path)
    timer = QTimer(interval=_MILLISECONDS)
    timer.timeout.connect(told.write)
    timer.start()
    code = application.exec()
    os._exit(code)  # a window of stand-ins that is taken apart with the interpreter takes a minute


if __name__ == "__main__":
    main(Path(sys.argv[1]))

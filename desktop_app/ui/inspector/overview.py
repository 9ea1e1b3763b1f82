"""The inspector while nothing is selected: every step of the graph in its order, with how far it is.

Must not know the canvas: what is clicked is told as the id of a node.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.ui.graph.items.card_model import CardModel, CardModels
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.widgets.basic import ClickableFrame, ElidedLabel, clear, label, px, row, stack
from desktop_app.ui.widgets.glyphs import IconTile, state_glyph
from nodes.api import ResourceType


class Overview(QWidget):
    """`chosen` brings the id of the step that was clicked."""

    chosen = Signal(str)

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        self._ui = ui
        self._shown: object = None
        self.rows: list[StepRow] = []
        column = stack(parent=self, gap=8)
        self._heading = label(self.tr("Steps"), "heading")
        column.addWidget(self._heading)
        inside = QWidget()
        self._column = stack(parent=inside, gap=6)
        column.addWidget(inside)

    def refresh(self) -> None:
        """Shows the graph of now; does nothing while all looks the same."""
        session = self._ui.session
        faces = CardModels(session.workflow, session.tools)
        seen = [faces.of_node(id, session.run, self._ui.run_clock.now) for id in session.workflow.order()]
        now = [(face.id, face.title, face.icon, face.type, face.state, face.word) for face in seen]
        if now == self._shown:
            return
        self._shown = now
        self.setVisible(bool(seen))
        clear(self._column)
        self.rows = [StepRow(face) for face in seen]
        for shown in self.rows:
            shown.clicked.connect(lambda id=shown.id: self.chosen.emit(id))
            self._column.addWidget(shown)


class StepRow(ClickableFrame):
    """Icon, title and state of one step; a click selects it."""

    def __init__(self, face: CardModel) -> None:
        super().__init__(face.accessible)
        self.id = face.id
        self.setProperty("surface", "raised")
        kind = face.type if face.type in set(ResourceType) else ""
        words = stack(ElidedLabel(face.title), gap=0)
        if face.word:
            words.addWidget(ElidedLabel(face.word, "caption"))
        tile = IconTile(face.icon or "box", ResourceType(kind) if kind else None, 24)
        line = row(tile, words, gap=10, margins=(10, 7, 10, 7), grow=1, parent=self)
        if face.state and face.state != "idle":
            line.addWidget(state_glyph(face.state))
        self.setMinimumHeight(px(44))

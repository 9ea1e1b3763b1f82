"""The chat models of the catalogue to choose from: which are on this computer, how large they are, what they take."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from desktop_app.models import store
from desktop_app.models.catalogue import Model
from desktop_app.services.local_chat import chat_models, proposed
from desktop_app.ui.support import formatting
from desktop_app.ui.widgets.basic import Words, label, px, row, stack
from desktop_app.ui.widgets.glyphs import Glyph


class LocalModels(QWidget):
    """`chosen(id)` when the user takes another one."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.list = QComboBox()
        self.list.setAccessibleName(self.tr("Model"))
        self.list.setToolTip(self.tr("Small models plan simple requests; larger ones understand more and take longer"))
        self.list.activated.connect(self._take)
        self._glyph, self.state = Glyph(14), Words()
        self.state.setProperty("role", "caption")
        name = label(self.tr("Model"), "secondary")
        name.setFixedWidth(px(72))
        line = row(name, self.list, gap=10, grow=1)
        about = row(82, self._glyph, self.state, gap=6, grow=2)  # below the list
        stack(line, about, parent=self)

    @store.one_look()
    def show_model(self, id: str) -> str:
        """Shows the model of that id, without one the one to begin with; returns the id that is shown."""
        there = {model.id: model for model in chat_models()}
        present = {id for id, model in there.items() if store.present(model)}
        self.list.clear()
        for model in there.values():
            self.list.addItem(self._said(model, model.id in present), model.id)
        first = proposed()
        id = id or (first.id if first else "")
        self.list.setCurrentIndex(self.list.findData(id))
        self._show_state(there.get(id), id in present)
        return id

    def _said(self, model: Model, present: bool) -> str:
        """`Qwen2.5 0.5B Instruct · 1.0 GB · on this computer`."""
        where = self.tr("on this computer") if present else self.tr("not downloaded")
        return f"{model.title} · {formatting.size(model.size_bytes)} · {where}"

    def _show_state(self, model: Model | None, present: bool) -> None:
        self._glyph.set_state("done" if present else "waiting")
        if model is None:
            self.state.setText(self.tr("This model is not in the catalogue. Choose another one."))
            return
        takes = self.tr("Takes about {size} of memory. Nothing leaves this computer, and no key is needed.")
        said = takes.format(size=formatting.size(model.memory_bytes))
        if not present:
            how = self.tr("To get it: {command}. Until then, everything is planned offline.")
            said = f"{how.format(command=f'graphwright models download {model.id}')} {said}"
        self.state.setText(said)

    def _take(self, index: int) -> None:
        self.chosen.emit(self.show_model(self.list.itemData(index)))

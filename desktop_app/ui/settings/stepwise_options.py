"""How step by step goes, in the settings: whether each step is asked about, and where a request ends."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox

from desktop_app.core.settings import Settings
from desktop_app.session.consent import CONNECTED
from desktop_app.ui.settings.edit_form import BoundFields
from desktop_app.ui.widgets.basic import label, row, stack


class StepwiseOptions(BoundFields):
    def __init__(self) -> None:
        super().__init__()
        self._allowed: tuple[str, ...] = ()
        tip = self.tr("Each step waits for your word before it runs")
        self.approval = self.tick("step_approval", self.tr("Step by step: ask before each step"), tip)
        self.pictures = QCheckBox(self.tr("Let the language model see pictures unasked"))
        said = self.tr("It is shown small pictures of the results of steps, and tools may send it what they look at")
        self.pictures.setToolTip(said)
        self.pictures.clicked.connect(self._take_pictures)
        self.steps = self.number("step_most", self.tr("Most steps for a request"), 1, 100)
        self.seconds = self.number("step_seconds", self.tr("Most seconds for a request"), 10, 36_000)
        self.tokens = self.number("step_tokens", self.tr("Most tokens for a request"), 1000, 10_000_000)
        column = stack(self.approval, self.pictures, parent=self, gap=6)
        ends = row(gap=6)
        for field, unit, step in (
            (self.steps, self.tr("steps"), 1),
            (self.seconds, self.tr("seconds"), 30),
            (self.tokens, self.tr("tokens"), 1000),
        ):
            field.setSingleStep(step)
            ends.addWidget(field, 1)
            ends.addWidget(label(unit, "caption"))
        column.addWidget(label(self.tr("A request that goes step by step ends after"), "secondary"))
        column.addLayout(ends)

    def _take_pictures(self, on: bool) -> None:
        self._allowed = (*(one for one in self._allowed if one != CONNECTED[1]), *((CONNECTED[1],) if on else ()))
        self.changed.emit({"outside_allowed": self._allowed})

    def show_settings(self, settings: Settings) -> None:
        super().show_settings(settings)
        self._allowed = settings.outside_allowed
        self.pictures.setChecked(CONNECTED[1] in self._allowed)

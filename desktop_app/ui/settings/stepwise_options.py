"""How step by step goes, in the settings: whether each step is asked about, and where a request ends."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QSpinBox, QWidget

from desktop_app.core.settings import Settings
from desktop_app.session.consent import CONNECTED
from desktop_app.ui.settings.edit_form import number_field
from desktop_app.ui.widgets.basic import label, row, stack


class StepwiseOptions(QWidget):
    """`changed` has the settings that the user changed, by name."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._allowed: tuple[str, ...] = ()
        self.approval = QCheckBox(self.tr("Step by step: ask before each step"))
        self.approval.setToolTip(self.tr("Each step waits for your word before it runs"))
        self.approval.clicked.connect(lambda on: self.changed.emit({"step_approval": on}))
        self.pictures = QCheckBox(self.tr("Let the language model see pictures unasked"))
        said = self.tr("It is shown small pictures of the results of steps, and tools may send it what they look at")
        self.pictures.setToolTip(said)
        self.pictures.clicked.connect(self._take_pictures)
        self.steps = self._spin("step_most", self.tr("Most steps for a request"), 1, 100, 1)
        self.seconds = self._spin("step_seconds", self.tr("Most seconds for a request"), 10, 36_000, 30)
        self.tokens = self._spin("step_tokens", self.tr("Most tokens for a request"), 1000, 10_000_000, 1000)
        column = stack(self.approval, self.pictures, parent=self, gap=6)
        ends = row(gap=6)
        for spin, unit in (
            (self.steps, self.tr("steps")),
            (self.seconds, self.tr("seconds")),
            (self.tokens, self.tr("tokens")),
        ):
            ends.addWidget(spin, 1)
            ends.addWidget(label(unit, "caption"))
        column.addWidget(label(self.tr("A request that goes step by step ends after"), "secondary"))
        column.addLayout(ends)

    def _spin(self, setting: str, name: str, least: int, most: int, by: int) -> QSpinBox:
        spin = number_field(least, most, name)
        spin.setSingleStep(by)
        spin.setToolTip(name)
        spin.valueChanged.connect(lambda value: self.changed.emit({setting: value}))
        return spin

    def _take_pictures(self, on: bool) -> None:
        self._allowed = (*(one for one in self._allowed if one != CONNECTED[1]), *((CONNECTED[1],) if on else ()))
        self.changed.emit({"outside_allowed": self._allowed})

    def show_settings(self, settings: Settings) -> None:
        self.approval.setChecked(settings.step_approval)
        self._allowed = settings.outside_allowed
        self.pictures.setChecked(CONNECTED[1] in self._allowed)
        for spin, value in (
            (self.steps, settings.step_most),
            (self.seconds, settings.step_seconds),
            (self.tokens, settings.step_tokens),
        ):
            spin.blockSignals(True)
            spin.setValue(int(value))
            spin.blockSignals(False)

"""From which size on a download, and from which length on a run, wants a word of the user first, in the settings."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSpinBox, QWidget

from desktop_app.core.settings import Settings
from desktop_app.ui.settings.edit_form import number_field
from desktop_app.ui.widgets.basic import label, px, row, stack

_MOST_GB, _MOST_MINUTES = 1000, 10_000
_WIDTH = 150


class LimitOptions(QWidget):
    """`changed` has the settings that the user changed, by name."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        size, time = self.tr("Ask before downloads of more than"), self.tr("Ask before runs of more than")
        self.gb = self._spin("ask_gb", size, _MOST_GB, " GB")
        self.minutes = self._spin("ask_minutes", time, _MOST_MINUTES, self.tr(" min"))
        column = stack(parent=self, gap=6)
        column.addLayout(row(label(size, "secondary"), None, self.gb, gap=10))
        column.addLayout(row(label(time, "secondary"), None, self.minutes, gap=10))

    def _spin(self, setting: str, name: str, most: int, unit: str) -> QSpinBox:
        spin = number_field(0, most, name)
        spin.setSuffix(unit)
        spin.setFixedWidth(px(_WIDTH))
        spin.setSpecialValueText(self.tr("never ask"))
        spin.valueChanged.connect(lambda value: self.changed.emit({setting: float(value)}))
        return spin

    def show_settings(self, settings: Settings) -> None:
        for spin, value in ((self.gb, settings.ask_gb), (self.minutes, settings.ask_minutes)):
            spin.blockSignals(True)
            spin.setValue(max(1, round(value)) if value else 0)
            spin.blockSignals(False)

"""Fields of the settings: each of them one setting, or a form below a list, to be kept as a whole or left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QWidget

from desktop_app.core.settings import Settings
from desktop_app.ui.widgets.basic import Button, label, px, row, stack


def number_field(least: int, most: int, name: str) -> QSpinBox:
    """A field for a number, as flat as the others; it tells of a number that was typed when it is whole."""
    field = QSpinBox()
    field.setRange(least, most)
    field.setGroupSeparatorShown(True)
    field.setKeyboardTracking(False)
    look = f"min-height: 0; padding: 0 {px(8)}px; border: none; background: transparent;"
    field.lineEdit().setStyleSheet(f"QLineEdit {{ {look} }}")
    field.setAccessibleName(name)
    return field


class BoundFields(QWidget):
    """Makes fields of which each is a setting. `changed` has the settings that the user changed, by name."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._shows: list[Callable[[Settings], None]] = []

    def show_settings(self, settings: Settings) -> None:
        for show in self._shows:
            show(settings)

    def tick(self, setting: str, text: str, tip: str = "") -> QCheckBox:
        box = QCheckBox(text)
        box.setToolTip(tip)
        box.clicked.connect(lambda on: self.changed.emit({setting: on}))
        self._shows.append(lambda settings: box.setChecked(getattr(settings, setting)))
        return box

    def choice(self, setting: str, names: Mapping[Any, str], tip: str = "") -> QComboBox:
        """`names` by value."""
        box = QComboBox()
        for value, text in names.items():
            box.addItem(text, value)
        box.setToolTip(tip)
        box.activated.connect(lambda: self.changed.emit({setting: box.currentData()}))
        self._shows.append(lambda settings: box.setCurrentIndex(box.findData(getattr(settings, setting))))
        return box

    def number(self, setting: str, name: str, least: int, most: int, unit: str = "", zero: str = "") -> QSpinBox:
        """`zero` is said for the least number, where that is not meant as one."""
        field, kind = number_field(least, most, name), type(getattr(Settings, setting))
        field.setSuffix(unit)
        field.setSpecialValueText(zero)
        field.setToolTip(name)
        field.valueChanged.connect(lambda value: self.changed.emit({setting: kind(value)}))

        def show(settings: Settings) -> None:
            kept = getattr(settings, setting)
            field.blockSignals(True)
            field.setValue(max(1, round(kept)) if kept else 0)
            field.blockSignals(False)

        self._shows.append(show)
        return field


class EditForm(QWidget):
    """`kept` when the user wants what was typed to be kept, by the button or by Enter in a field."""

    kept = Signal()

    def __init__(self, fields: Mapping[str, QWidget], enters: bool = True) -> None:
        """`fields` by the names that are shown; with `enters`, Enter in one keeps them all."""
        super().__init__()
        self.heading = label("", "secondary")
        self.heading.hide()
        self.trouble = label("", "error", True)
        self.keep = Button(self.tr("Keep"), "check", "primary", small=True)
        self.keep.clicked.connect(self.kept)
        self.leave = Button(self.tr("Cancel"), small=True)
        self.leave.clicked.connect(self.hide)
        column = stack(self.heading, parent=self, gap=6)
        for name, field in fields.items():
            field.setAccessibleName(name)
            if enters and isinstance(field, QLineEdit):
                field.returnPressed.connect(self.kept)
            said = label(name, "secondary")
            said.setFixedWidth(px(88))
            column.addLayout(row(said, field, gap=10, grow=1))
        column.addWidget(self.trouble)
        column.addLayout(row(None, self.leave, self.keep))
        self.hide()

    def open(self, first: QWidget, heading: str = "") -> None:
        """Shows it with the keyboard in that field, and nothing wrong yet."""
        self.heading.setText(heading)
        self.heading.setVisible(bool(heading))
        self.trouble.hide()
        self.show()
        first.setFocus()

    def refuse(self, why: str) -> None:
        self.trouble.setText(why)
        self.trouble.show()

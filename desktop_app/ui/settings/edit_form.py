"""A form below a list in the settings: named fields, what is wrong with what was typed, to keep it or to leave it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget

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

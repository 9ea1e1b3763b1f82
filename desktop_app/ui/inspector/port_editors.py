"""Editors for the values of input ports: a slider, a list, a line, a box to tick.

Must not know sessions: an editor shows a plain JSON value and emits the one that the user set.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QSpinBox,
    QWidget,
)

from desktop_app.ui.support import formatting
from desktop_app.ui.widgets.basic import px, row
from nodes.api import Port, ResourceType

_STEPS = 1000
_WIDEST = 1_000_000_000


class PortEditor(QWidget):
    """`changed(value)` once for each user action: a drag of a slider is one."""

    changed = Signal(object)

    def __init__(self, port: Port) -> None:
        super().__init__()
        self.port = port
        self.setToolTip(f"{port.doc} ({port.unit})" if port.unit else port.doc)

    def set_value(self, value: Any) -> None:
        """Shows the value without emitting."""
        raise NotImplementedError

    def _name(self, widget: QWidget) -> None:
        widget.setAccessibleName(formatting.port_label(self.port.name))
        widget.setAccessibleDescription(self.port.doc)


class _Decimal(QDoubleSpinBox):
    """Shows no more decimals than the number has: 2 px, not 2.0 px."""

    def textFromValue(self, value: float) -> str:
        text, point = super().textFromValue(value), self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text


class NumberEditor(PortEditor):
    """A spin box, with a slider when the port has both bounds.

    A port without a default may have no number: words say so in its place, at the step below the least number, and
    `changed` carries None when the number is wiped out or stepped below.
    """

    def __init__(self, port: Port) -> None:
        super().__init__(port)
        self.spin: QSpinBox | QDoubleSpinBox = QSpinBox() if port.integer else _Decimal()
        low = port.minimum if port.minimum is not None else -_WIDEST
        high = port.maximum if port.maximum is not None else _WIDEST
        self._low, self._high = float(low), float(high)
        if isinstance(self.spin, QSpinBox):
            self.spin.setRange(max(-(2**31), int(low)), min(2**31 - 1, int(high)))
        else:
            self.spin.setDecimals(_decimals(self._low, self._high))
            self.spin.setRange(self._low, self._high)
            self.spin.setSingleStep((self._high - self._low) / 100 if self._bounded else 0.1)
        self._can_be_empty, self._wiped = port.default is None, False
        if self._can_be_empty:
            step = 1 if port.integer else 10.0 ** -self.spin.decimals()  # type: ignore[union-attr]
            self.spin.setMinimum(self.spin.minimum() - step)  # type: ignore[arg-type]
            self.spin.setSpecialValueText("–" if port.required else formatting.translate("auto"))
        if 0 < len(port.unit) <= 2:  # longer units do not fit; the tooltip has them
            self.spin.setSuffix(f" {port.unit}")
        self.spin.setKeyboardTracking(False)
        self.spin.setProperty("small", True)
        name = type(self.spin).__name__  # without buttons: the slider and the arrow keys do their work
        self.spin.setStyleSheet(
            f"{name} {{ padding: 0 {px(7)}px; }} {name}::up-button, {name}::down-button {{ width: 0; }}"
        )
        look = f"min-height: 0; padding: 0 {px(7)}px; border: none; background: transparent;"
        self.spin.lineEdit().setStyleSheet(f"QLineEdit {{ {look} }}")
        self.spin.lineEdit().textEdited.connect(self._edited)
        self.spin.editingFinished.connect(self._finished)
        self.spin.valueChanged.connect(self._typed)
        self._name(self.spin)
        layout = row(gap=8)
        self.slider: QSlider | None = None
        if self._bounded:
            self.slider = self._make_slider()
            layout.addWidget(self.slider, 1)
            self.spin.setFixedWidth(px(68))
            layout.addWidget(self.spin)
        else:
            layout.addWidget(self.spin, 1)
        self.setLayout(layout)

    @property
    def _bounded(self) -> bool:
        return self.port.minimum is not None and self.port.maximum is not None

    def _make_slider(self) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        steps = int(self._high - self._low) if self.port.integer else _STEPS
        slider.setRange(0, max(1, min(steps, 100_000)))
        slider.setPageStep(max(1, slider.maximum() // 10))
        slider.setMinimumSize(px(60), px(22))
        slider.valueChanged.connect(self._slid)
        slider.sliderReleased.connect(self._released)
        self._name(slider)
        return slider

    def set_value(self, value: Any) -> None:
        if value is None and self._can_be_empty:
            value = self.spin.minimum()
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        value = min(max(value, self.spin.minimum()), self.spin.maximum())
        self._show(float(value))
        if self.slider is not None:
            self._set_slider(float(value))

    def _show(self, value: float) -> None:
        self.spin.blockSignals(True)
        self.spin.setValue(round(value) if isinstance(self.spin, QSpinBox) else value)  # type: ignore[arg-type]
        self.spin.blockSignals(False)

    def _set_slider(self, value: float) -> None:
        assert self.slider is not None
        self.slider.blockSignals(True)
        self.slider.setValue(round((value - self._low) / ((self._high - self._low) or 1) * self.slider.maximum()))
        self.slider.blockSignals(False)

    def _slid(self, place: int) -> None:
        assert self.slider is not None
        self._show(self._low + place / self.slider.maximum() * (self._high - self._low))
        if not self.slider.isSliderDown():
            self._released()

    def _released(self) -> None:
        self.changed.emit(self.spin.value())

    def _edited(self, text: str) -> None:
        self._wiped = self._can_be_empty and not text.removesuffix(self.spin.suffix()).strip()

    def _finished(self) -> None:
        if self._wiped:  # the box itself would go back to the number before
            self._wiped = False
            self.spin.setValue(self.spin.minimum())  # type: ignore[arg-type]

    def _typed(self, value: float) -> None:
        if self.slider is not None:
            self._set_slider(float(value))
        self.changed.emit(None if self._can_be_empty and value == self.spin.minimum() else value)


def _decimals(low: float, high: float) -> int:
    """As many as the width of the range asks for, and as its least number has."""
    span = high - low
    usual = 2 if span <= 20 else 3 if span > 1e8 else 1
    return max(usual, len(f"{low:.3f}".rstrip("0").partition(".")[2]))


class ChoiceEditor(PortEditor):
    def __init__(self, port: Port) -> None:
        super().__init__(port)
        self.combo = QuietCombo()
        self.combo.setProperty("small", True)
        for choice in port.choices:
            self.combo.addItem(formatting.choice_label(choice), choice)
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.activated.connect(lambda: self.changed.emit(self.combo.currentData()))
        self._name(self.combo)
        self.setLayout(_alone(self.combo))

    def set_value(self, value: Any) -> None:
        self.combo.setCurrentIndex(self.combo.findData(value))


class QuietCombo(QComboBox):
    """Does not take the wheel from the panel that scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event) -> None:
        event.ignore()


class FlagEditor(PortEditor):
    def __init__(self, port: Port) -> None:
        super().__init__(port)
        self.box = QCheckBox()
        self.box.clicked.connect(lambda on: self.changed.emit(on))
        self._name(self.box)
        self.setLayout(_alone(self.box))

    def set_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class TextEditor(PortEditor):
    """Words over several lines; taken on Enter, or when the focus leaves. Shift+Enter makes a new line."""

    def __init__(self, port: Port) -> None:
        super().__init__(port)
        self.field = _Words()
        self.field.hint = port.doc
        self.field.left.connect(self._take)
        self._name(self.field)
        self._value = ""
        self.setLayout(_alone(self.field))

    def set_value(self, value: Any) -> None:
        self._value = "" if value is None else str(value)
        if self.field.toPlainText() != self._value:
            self.field.setPlainText(self._value)

    def _take(self) -> None:
        text = self.field.toPlainText()
        if text != self._value:
            self._value = text
            self.changed.emit(text)


class SecretEditor(PortEditor):
    """A line that shows dots; taken on Enter, or when the focus leaves."""

    def __init__(self, port: Port) -> None:
        super().__init__(port)
        self.field = QLineEdit(placeholderText=port.doc, echoMode=QLineEdit.EchoMode.Password)
        self.field.editingFinished.connect(self._take)
        self._name(self.field)
        self._value = ""
        self.setLayout(_alone(self.field))

    def set_value(self, value: Any) -> None:
        self._value = "" if value is None else str(value)
        if self.field.text() != self._value:
            self.field.setText(self._value)

    def _take(self) -> None:
        if self.field.text() != self._value:
            self._value = self.field.text()
            self.changed.emit(self._value)


class _Words(QPlainTextEdit):
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.hint = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event) -> None:
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        lines = min(5, max(1, round(self.document().documentLayout().documentSize().height())))
        first = self.document().firstBlock().layout()
        high = first.boundingRect().height() / max(1, first.lineCount())  # more than Inter's in Chinese
        self.setFixedHeight(round(lines * max(high, self.fontMetrics().lineSpacing())) + px(22))
        room = self.viewport().width() - 2 * round(self.document().documentMargin()) - px(4)
        said = self.fontMetrics().elidedText(self.hint, Qt.TextElideMode.ElideRight, max(0, room))
        if said != self.placeholderText():  # it would go on in a second line, below the edge
            self.setPlaceholderText(said)


def _alone(widget: QWidget) -> QHBoxLayout:
    layout = row(widget, grow=0)
    return layout


def editor_for(port: Port) -> PortEditor | None:
    """The editor for the port's values; None for what only comes by a link (pictures, sound) or by pointing."""
    if port.many or port.type is ResourceType.POINTS:
        return None
    if port.choices:
        return ChoiceEditor(port)
    if port.type is ResourceType.NUMBER:
        return NumberEditor(port)
    if port.type is ResourceType.FLAG:
        return FlagEditor(port)
    if port.secret:
        return SecretEditor(port)
    if port.type in (ResourceType.TEXT, ResourceType.URL, ResourceType.HTML):
        return TextEditor(port)
    return None

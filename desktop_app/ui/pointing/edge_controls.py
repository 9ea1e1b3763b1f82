"""How far the edge of the mask is moved and how soft it is: two sliders, each with its number. Must not know masks."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QSpinBox, QWidget

from desktop_app.ui.widgets.basic import label, px, row, stack


class EdgeControls(QWidget):
    """`began` when a slider is pressed, `moved` while it is dragged, `chosen` for what is one step by itself; all with
    (grow, feather) in pixels of the picture.
    """

    began = Signal()
    moved = Signal(int, int)
    chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        grow, feather = self.tr("Grow"), self.tr("Feather")
        outward = self.tr("How far the edge is moved outward, in pixels of the picture; negative: inward")
        self.grow = EdgeControl(grow, outward, self)
        self.feather = EdgeControl(feather, self.tr("How soft the edge is, in pixels of the picture"), self)
        column = stack(parent=self, gap=4)
        for control in (self.grow, self.feather):
            control.slider.sliderPressed.connect(self.began)
            control.dragged.connect(lambda _: self.moved.emit(*self.values))
            control.chosen.connect(lambda _: self.chosen.emit(*self.values))
            column.addWidget(control)

    @property
    def values(self) -> tuple[int, int]:
        return self.grow.spin.value(), self.feather.spin.value()

    def offer(self, grow: int, feather: int, longest: int) -> None:
        """The furthest that can be typed; the sliders go as far as is of use in a picture `longest` pixels long."""
        reach = max(20, longest // 40)
        self.grow.set_range(-grow, grow, reach)
        self.feather.set_range(0, feather, reach)

    def show_values(self, grow: int, feather: int) -> None:
        self.grow.show_value(grow)
        self.feather.show_value(feather)


class EdgeControl(QWidget):
    """Name, slider, number with its unit. `dragged(value)` while the slider is held, else `chosen(value)`."""

    dragged = Signal(int)
    chosen = Signal(int)

    def __init__(self, name: str, about: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.slider, self.spin = QuietSlider(Qt.Orientation.Horizontal), Number()
        self.slider.setMinimumSize(px(60), px(24))
        said = label(name, "small")
        said.setFixedWidth(px(58))
        self.spin.setSuffix(" px")
        self.spin.setKeyboardTracking(False)
        self.spin.setProperty("small", True)
        self.spin.setFixedWidth(px(64))
        self.spin.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.spin.setStyleSheet(
            f"Number {{ padding: 0 {px(6)}px; }} Number::up-button, Number::down-button {{ width: 0; }}"
        )
        look = "min-height: 0; padding: 0; border: none; background: transparent;"
        self.spin.lineEdit().setStyleSheet(f"QLineEdit {{ {look} }}")
        self.slider.setAccessibleName(name)
        self.spin.setAccessibleName(self.tr("{name}, pixels").format(name=name))
        for part in (self.slider, self.spin):
            part.setToolTip(about)
        self.slider.valueChanged.connect(self._slid)
        self.spin.valueChanged.connect(self._typed)
        row(said, self.slider, self.spin, gap=8, grow=1, parent=self)

    def set_range(self, least: int, most: int, reach: int) -> None:
        """Numbers from `least` to `most`; the slider goes only as far as `reach` to either side."""
        for part, low, high in ((self.slider, max(least, -reach), min(most, reach)), (self.spin, least, most)):
            blocked = part.blockSignals(True)
            part.setRange(low, high)
            part.blockSignals(blocked)
        self.slider.setPageStep(max(1, reach // 5))

    def show_value(self, value: int) -> None:
        """Shows it without telling; the slider as near as it can."""
        for part in (self.slider, self.spin):
            blocked = part.blockSignals(True)
            part.setValue(value)
            part.blockSignals(blocked)
        self.slider.update()

    def _slid(self, value: int) -> None:
        self.show_value(value)
        (self.dragged if self.slider.isSliderDown() else self.chosen).emit(value)

    def _typed(self, value: int) -> None:
        self.show_value(value)
        self.chosen.emit(value)


class Number(QSpinBox):
    """A number that Enter takes; the picker around it does not hear of that."""

    def keyPressEvent(self, event) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class QuietSlider(QSlider):
    """The wheel belongs to what scrolls, unless the slider has the keyboard."""

    def wheelEvent(self, event) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()

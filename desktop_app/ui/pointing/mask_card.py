"""The mask that the marks give, small and in numbers, beside the picture in which the user points."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPainterPath
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.ui.pointing.edge_controls import EdgeControls
from desktop_app.ui.pointing.mask_preview import FoundMask, MaskReading
from desktop_app.ui.widgets.basic import Button, Painted, Words, color, divider, label, px, row, stack

MOST = 0.5
"""A thing that was clicked seldom covers more of the picture; the ground behind it does."""


class MaskCard(QFrame):
    """Heading, picture, area, what becomes of the edge. What went wrong stands in place of the area.

    Clicks that select most of the picture are doubted in words; `less` brings the name of the reading that takes less.
    """

    less = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.picture = MaskPicture()
        self.area = label("", "caption", True)
        self._trouble = label("", "error", True)
        column = stack(divider(), parent=self, gap=0)
        inside = stack(
            row(label(self.tr("Mask"), "heading"), None), self.picture, self.area, self._trouble,
            margins=(16, 12, 16, 12),
        )  # fmt: skip
        self.edge = EdgeControls()
        self.edge.hide()
        inside.addWidget(self.edge)
        self.doubt = Words()
        self.doubt.setProperty("role", "small")
        self.doubt.set_tone("state.input")
        self.smaller = Button("", "shrink", small=True)
        self.smaller.clicked.connect(lambda: self.less.emit(self._smaller))
        self._smaller = ""
        inside.addWidget(self.doubt)
        inside.addLayout(row(self.smaller, None))
        column.addLayout(inside)
        self.show_doubt(0.0, ())
        self.show_nothing("")

    def set_small(self, small: bool) -> None:
        self.picture.setVisible(not small)

    @property
    def trouble(self) -> str:
        """Why there is no mask, "" when nothing went wrong."""
        return self._trouble.text()

    def show_found(self, found: FoundMask) -> None:
        self.picture.set_image(found.plain)
        pixels = f"{found.area:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
        share = f"{found.fraction:.1%}".replace("%", " %")
        self.area.setText(self.tr("{n} px · {share} of the picture").format(n=pixels, share=share))
        self._say("")

    def show_doubt(self, fraction: float, readings: tuple[MaskReading, ...]) -> None:
        """Says so when clicks selected most of the picture; of the readings the smallest that takes less is offered."""
        most = fraction > MOST
        less = min((r for r in readings if r.fraction < fraction / 2), key=lambda r: r.fraction, default=None)
        self.doubt.setText(
            self.tr("This is most of the picture. If a smaller thing is meant, take less of it, or draw around it.")
            if most
            else ""
        )
        self.doubt.setVisible(most)
        self._smaller = less.name if less is not None else ""
        share = f"{less.fraction:.1%}".replace("%", " %") if less is not None else ""
        self.smaller.set_words(self.tr("Take less: {share}").format(share=share))
        self.smaller.setVisible(most and less is not None)

    def show_nothing(self, trouble: str) -> None:
        self.picture.set_image(None)
        self.area.setText(self.tr("What you point at is shown here."))
        self._say(trouble)

    def _say(self, trouble: str) -> None:
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))
        self.area.setVisible(not trouble)


class MaskPicture(Painted, QWidget):
    """The mask in black and white on a field, whole."""

    def __init__(self) -> None:
        super().__init__()
        self._image: QImage | None = None
        self.setFixedHeight(px(132))
        self.setAccessibleName(self.tr("Mask"))

    def set_image(self, image: QImage | None) -> None:
        """None shows the empty field."""
        self._image = image
        self.update()

    def paint(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(area, px(8), px(8))
        painter.fillPath(path, color("background.canvas"))  # white would look like a part of the mask
        if self._image is not None and not self._image.isNull():
            size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRectF(0, 0, size.width(), size.height())
            target.moveCenter(area.center())
            painter.setClipPath(path)
            painter.drawImage(target, self._image)
            painter.setClipping(False)
        painter.setPen(color("background.border"))
        painter.drawPath(path)

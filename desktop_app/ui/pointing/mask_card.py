"""The mask that the marks give, small and in numbers, beside the picture in which the user points."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.ui.pointing.edge_controls import EdgeControls
from desktop_app.ui.pointing.mask_preview import FoundMask
from desktop_app.ui.widgets.basic import color, divider, label, px, row, stack


class MaskCard(QFrame):
    """Heading, picture, area, what becomes of the edge. What went wrong stands in place of the area."""

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
        column.addLayout(inside)
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

    def show_nothing(self, trouble: str) -> None:
        self.picture.set_image(None)
        self.area.setText(self.tr("What you point at is shown here."))
        self._say(trouble)

    def _say(self, trouble: str) -> None:
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))
        self.area.setVisible(not trouble)


class MaskPicture(QWidget):
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

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
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
        painter.end()

"""How much of the computer's memory is taken, measured every two seconds while it is seen."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_app.ui import words
from desktop_app.ui.glyphs import ProgressLine
from desktop_app.ui.widgets import label, px, row


class MemoryBar(QWidget):
    """Taken of all, for the whole computer, and what this program takes."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(px(190))
        self._amount = label("", "caption")
        self._own = label("", "caption")
        self._line = ProgressLine("text.tertiary")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(18), 0, 0)
        column.setSpacing(px(5))
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addLayout(row(label(self.tr("Memory"), "caption"), None, self._amount))
        column.addWidget(self._line)
        column.addWidget(self._own)
        self._timer = QTimer(self)
        self._timer.setInterval(2000)
        self._timer.timeout.connect(self.measure)

    def showEvent(self, event) -> None:
        self.measure()
        self._timer.start()

    def hideEvent(self, event) -> None:
        self._timer.stop()

    def measure(self) -> None:
        """Reads the present amounts."""
        import psutil

        memory = psutil.virtual_memory()
        taken = memory.total - memory.available
        self._amount.setText(
            self.tr("{taken} of {total}").format(taken=words.size(taken), total=words.size(memory.total))
        )
        self._line.set_fraction(taken / memory.total)
        own = psutil.Process().memory_info().rss
        self._own.setText(self.tr("This window {size}").format(size=words.size(own)))

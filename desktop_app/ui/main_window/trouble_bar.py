"""A quiet line above the status: something went wrong that nobody expected. It waits until it is closed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, px, row


class TroubleBar(QFrame):
    """Hidden until there is something to tell; the latest takes the place of the one before. It takes no focus."""

    log_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(32))
        self._words = ElidedLabel()
        self.show_log = Button(self.tr("Show the log"), "", "quiet")
        self.close_button = IconButton("x", self.tr("Close"), 24)
        self.show_log.clicked.connect(self.log_wanted)
        self.close_button.clicked.connect(self.hide)
        row(self._words, self.show_log, self.close_button, gap=6, margins=(14, 0, 8, 0), grow=0, parent=self)
        self.hide()

    @property
    def said(self) -> str:
        return self._words.accessibleName() if not self.isHidden() else ""

    def tell(self, what: str) -> None:
        said = self.tr("Something went wrong; your work goes on. {what}").format(what=what)
        self._words.set_text(said)
        self.show()

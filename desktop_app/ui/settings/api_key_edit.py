"""Where the user gives the key of a server: it goes into the system's keyring, and is never shown again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.core.settings import KEY_VARIABLES
from desktop_app.llm import credentials
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.widgets.basic import IconButton, Words, row, stack
from desktop_app.ui.widgets.glyphs import Glyph


class KeyField(QWidget):
    """`changed` after a key was kept or taken out. The keyring is asked on a thread: it may wait for its user."""

    changed = Signal()

    def __init__(self, loader: BackgroundReader, variable: Callable[[str], str] | None = None) -> None:
        """`variable` names that of the environment which holds the key of a server, "" where none does."""
        super().__init__()
        self._loader = loader
        self._variable = variable or (lambda url: credentials.variable())
        self._url = ""
        self.field = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(self.tr("Key"))
        self.field.setToolTip(self.tr("Goes into the keyring of this computer, for this server only"))
        self.field.editingFinished.connect(self._take)
        self.forget = IconButton("x", self.tr("Take the key out of the keyring"))
        self.forget.clicked.connect(partial(self._keep, ""))
        self._glyph, self.state = Glyph(14), Words()
        self.state.setProperty("role", "caption")
        line = row(self.field, self.forget, gap=6, grow=0)
        about = row(self._glyph, self.state, gap=6, grow=1)
        stack(line, about, parent=self, gap=4)
        self.forget.hide()

    def show_server(self, url: str) -> None:
        self._url = url
        self.field.clear()
        self._show(False, False)
        if not self._variable(url):
            self._loader.run(partial(_look, url), partial(self._looked, url))

    def _looked(self, url: str, found: object) -> None:
        if url == self._url and isinstance(found, tuple):
            self._show(*found)

    def _show(self, ring: bool, kept: bool) -> None:
        name = self._variable(self._url)
        self.field.setEnabled(ring and not name)
        self.forget.setVisible(kept and not name)
        self.field.setPlaceholderText("••••••••" if kept or name else "")
        self._glyph.set_state("done" if kept or name else "waiting")
        if name:
            self.state.setText(self.tr("found in {name}").format(name=name))
        elif kept:
            self.state.setText(self.tr("kept in the keyring of this computer"))
        elif ring:
            self.state.setText(self.tr("none; servers on this computer rarely need one"))
        else:
            said = self.tr("not found in {name}; servers on this computer rarely need one")
            self.state.setText(said.format(name=KEY_VARIABLES[0]))

    def _take(self) -> None:
        key = self.field.text().strip()
        self.field.clear()
        if key:
            self._keep(key)

    def _keep(self, key: str, *_: object) -> None:
        self.field.setEnabled(False)
        self._loader.run(partial(credentials.keep, self._url, key), partial(self._kept, self._url))

    def _kept(self, url: str, outcome: object) -> None:
        if url != self._url:
            return
        if isinstance(outcome, Exception):
            self.field.setEnabled(True)
            self._glyph.set_state("failed")
            self.state.setText(str(outcome))
        else:
            self.show_server(url)
            self.changed.emit()


def _look(url: str) -> tuple[bool, bool]:
    """Whether there is a keyring, and a key in it for the server."""
    return credentials.available(), bool(credentials.kept(url))

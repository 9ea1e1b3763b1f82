"""The bar at the top: the conversation, undo, panels, theme, how far the run is, run and stop."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from desktop_app.session import Change
from desktop_app.step_turn import STOPPABLE
from desktop_app.ui import icons, theme, time_left, words
from desktop_app.ui.desk import Desk
from desktop_app.ui.glyphs import Glyph, ProgressLine
from desktop_app.ui.widgets import Button, ElidedLabel, IconButton, color, divider, label, px, row

_ROOMY = 800
"""From this width on there is room for both counts and time."""


class Logo(QWidget):
    """The sign of the program."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(px(22), px(22))
        self.setAccessibleName("Graphwright")

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        icons.paint(painter, QRectF(self.rect()), "logo", color("text.primary"))
        painter.end()


class ToolBar(QFrame):
    """Tells what is pressed; the window does it. Reads the session for what can be done."""

    undo = Signal()
    redo = Signal()
    run = Signal()
    stop = Signal()
    new = Signal()
    open_file = Signal()
    save_file = Signal()
    save_picture = Signal()
    save_script = Signal()
    panel_toggled = Signal(str, bool)
    theme_toggled = Signal()
    settings_asked = Signal()
    history_asked = Signal()
    recordings_asked = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(46))
        self._desk = desk
        self._make_left()
        self._make_right()
        self.setLayout(
            row(
                Logo(), self._title, self._menu, divider(True, 18), self._undo, self._redo, divider(True, 18),
                *self.panels.values(), None, self._glyph, self._words, self._line, 4, self._theme, self.settings,
                divider(True, 18), self.run_button, gap=6, margins=(14, 7, 12, 7),
            )
        )  # fmt: skip
        self.layout().setStretchFactor(self._title, 0)  # type: ignore[union-attr]
        desk.session.listen(self._on_change)
        desk.pulse.beat.connect(self.refresh)
        theme.signals().changed.connect(self._show_theme)
        self._show_theme()
        self.refresh()

    @property
    def menu_button(self) -> QWidget:
        """The button of the menu."""
        return self._menu

    def _make_left(self) -> None:
        self._title = ElidedLabel(role="title")
        self._menu = IconButton("chevron-down", self.tr("Conversation and workflow"), 24)
        self._menu.clicked.connect(self._open_menu)
        self._undo = IconButton("undo-2", self.tr("Undo (Ctrl+Z)"))
        self._redo = IconButton("redo-2", self.tr("Redo (Ctrl+Y)"))
        self._undo.clicked.connect(self.undo)
        self._redo.clicked.connect(self.redo)
        self.panels: dict[str, QToolButton] = {}
        for name, icon, tip in (
            ("chat", "panel-left", self.tr("Chat (Ctrl+1)")),
            ("timeline", "panel-bottom", self.tr("Run timeline (Ctrl+2)")),
            ("inspector", "panel-right", self.tr("Inspector (Ctrl+3)")),
        ):
            button = IconButton(icon, tip, checkable=True)
            button.setChecked(True)
            button.clicked.connect(lambda on, name=name: self.panel_toggled.emit(name, on))
            self.panels[name] = button

    def _make_right(self) -> None:
        self._glyph = Glyph(16)
        self._words = label("", "small")
        self._line = ProgressLine()
        self._line.setFixedWidth(px(96))
        self._theme = IconButton("sun", self.tr("Light theme"))
        self._theme.clicked.connect(self.theme_toggled)
        self.settings = IconButton("settings", self.tr("Settings (Ctrl+,)"))
        self.settings.clicked.connect(self.settings_asked)
        self.run_button = Button(self.tr("Run"), "play-solid", "primary")
        self.run_button.clicked.connect(self._run_or_stop)

    def _open_menu(self) -> None:
        menu = QMenu(self)
        for text, keys, signal in (
            (self.tr("New conversation"), "Ctrl+N", self.new),
            (self.tr("Earlier conversations…"), "Ctrl+H", self.history_asked),
            (self.tr("Recorded runs…"), "Ctrl+Shift+H", self.recordings_asked),
            (self.tr("Open workflow…"), "Ctrl+O", self.open_file),
            (self.tr("Save workflow…"), "Ctrl+S", self.save_file),
            (self.tr("Save picture of the graph…"), "Ctrl+Shift+S", self.save_picture),
            (self.tr("Save as Python script…"), "", self.save_script),
        ):
            action = menu.addAction(f"{text}\t{keys}")
            action.triggered.connect(signal)
            if signal in (self.save_file, self.save_picture, self.save_script):
                action.setEnabled(bool(self._desk.session.workflow.nodes))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._menu.mapToGlobal(QPoint(0, self._menu.height() + px(4))))

    def _run_or_stop(self) -> None:
        self.stop.emit() if self._stops else self.run.emit()

    def _on_change(self, change: Change) -> None:
        self.refresh()

    def _show_theme(self) -> None:
        dark = theme.current().name == "dark"
        self._theme.set_icon("sun" if dark else "moon")
        tip = self.tr("Light theme") if dark else self.tr("Dark theme")
        self._theme.setToolTip(tip)
        self._theme.setAccessibleName(tip)

    def refresh(self) -> None:
        """Shows the session as it is now."""
        session = self._desk.session
        title = session.title or self.tr("New conversation")
        self._title.set_text(title)
        self._fit_title()
        self._undo.setEnabled(session.can_undo)
        self._redo.setEnabled(session.can_redo)
        running = session.going.running or session.busy in STOPPABLE
        self._stops = running
        self.run_button.set_words(self.tr("Stop") if running else self.tr("Run"))
        self.run_button.set_kind("" if running else "primary")
        self.run_button.set_icon("stop-solid" if running else "play-solid")
        self.run_button.setToolTip(self.tr("Stop the run (Esc)") if running else self.tr("Run the plan (Ctrl+Enter)"))
        self.run_button.setEnabled(running or (bool(session.workflow.nodes) and not session.busy))
        self._show_progress(running)

    def _show_progress(self, running: bool) -> None:
        run = self._desk.session.going
        failed = len(run.failures())
        ended = sum(node.state in ("done", "failed", "skipped", "cancelled") for node in run.nodes.values())
        self._glyph.setVisible(bool(failed))
        self._glyph.set_state("failed")
        self._line.setVisible(running)
        self._line.set_fraction(run.fraction)
        text = words.said(self._desk.session.busy) if not running else ""
        if running and run.nodes:
            text = self.tr("{n} of {total} nodes").format(n=ended, total=len(run.nodes))
            left = time_left.said(self._desk.pulse.left)
            text = left if left and self.width() < px(_ROOMY) else f"{text} · {left}" if left else text
        if failed:
            skipped = sum(node.state == "skipped" for node in run.nodes.values())
            parts = [self.tr("{n} failed").format(n=failed)]
            parts += [self.tr("{n} skipped").format(n=skipped)] if skipped else []
            text = " · ".join([*parts, text] if running and text else parts)
        elif not running and run.outcome == "ok":
            text = self.tr("Done in {time}").format(time=words.duration(run.seconds))
        self._words.setText(text)

    def _fit_title(self) -> None:
        """As wide as its words, unless the buttons need the room."""
        room = max(px(72), min(px(320), self.width() - px(590)))
        self._title.setFixedWidth(min(room, self._title.text_width() + px(6)))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._line.setFixedWidth(px(96 if self.width() > px(760) else 40))
        self._fit_title()

    def sizeHint(self) -> QSize:
        return QSize(px(900), px(46))

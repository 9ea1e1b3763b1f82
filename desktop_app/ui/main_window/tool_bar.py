"""The bar at the top: the conversation, undo, panels, search, theme, how far the run is, run and stop."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from desktop_app.run.events.run_record import Run
from desktop_app.session.messages import waiting
from desktop_app.session.session import Change
from desktop_app.session.state import STOPPABLE
from desktop_app.ui.main_window.action_registry import WindowActions
from desktop_app.ui.support import formatting, time_left
from desktop_app.ui.support.actions import key_words
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.formatting import translate
from desktop_app.ui.theme import icons, theme
from desktop_app.ui.widgets.basic import (
    Button,
    Caption,
    ElidedLabel,
    IconButton,
    Painted,
    PushButton,
    Toned,
    color,
    divider,
    px,
    row,
)
from desktop_app.ui.widgets.glyphs import Glyph, ProgressLine, paint_key, write

_ROOMY = 800
"""From this width on there is room for both counts and time, and for a long line."""
_SLIM = 620
"""Under this width what is told or done elsewhere too is left out: the logo, the theme, the line of the run."""
_LEAST, _TITLE, _LEAST_TITLE = 470, 320, 72
PANELS = ("chat", "timeline", "inspector", "alternatives", "move_panels", "reset_panels")
MENU = (
    "new",
    "rename",
    "history",
    "open",
    "save_results",
    "save",
    "save_picture",
    "save_script",
    "log",
    "settings",
    "guide",
)

_WIDEST, _LEAST_WORDS, _ICON = 250, 150, 30
"""Widths in pixels of the 100 % design; below the least one only the icon is left."""


class Logo(Painted, QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(px(22), px(22))
        self.setAccessibleName("Graphwright")

    def paint(self, painter: QPainter) -> None:
        icons.paint(painter, QRectF(self.rect()), "logo", color("text.primary"))


class ToolBar(QFrame):
    """Calls the actions of the window. Reads the session for what can be done."""

    def __init__(self, ui: UiContext, actions: WindowActions) -> None:
        super().__init__()
        self._actions = actions
        self.setProperty("surface", "panel")
        self.setFixedHeight(px(46))
        self._ui = ui
        self._pointing = False
        self._make_left()
        self._make_right()
        self._logo, self._lines = Logo(), [divider(True, 18) for _ in range(3)]
        one, two, three = self._lines
        row(
            self._logo, self._title, self._saved, self.menu_button, one, self._undo, self._redo, two,
            *self.panels.values(), None, self.search, None, self._theme, self.settings, three, self._glyph, self._words,
            self._line, self.run_button, parent=self, gap=6, margins=(14, 7, 12, 7),
        )  # fmt: skip
        ui.listen(self._on_change)
        ui.run_clock.tick.connect(self.refresh)
        theme.signals().changed.connect(self._show_theme)
        self._show_theme()
        self.refresh()

    def _make_left(self) -> None:
        self._title = ElidedLabel(role="title")
        self._saved = Caption()
        words = (self.tr("Saved"), self.tr("Not saved"))  # its room is kept, so that nothing moves when it speaks
        self._saved.ensurePolished()
        self._saved.setFixedWidth(max(self._saved.fontMetrics().horizontalAdvance(word) for word in words) + px(4))
        self.menu_button = IconButton("chevron-down", self.tr("Conversation and workflow"), 24)
        self.menu_button.clicked.connect(self._open_menu)
        self._undo, self._redo = self._button("undo"), self._button("redo")
        self.panels = {name: self._button(name) for name in ("chat", "timeline", "inspector")}
        for button in self.panels.values():
            button.setCheckable(True)
            button.setChecked(True)

    def _button(self, id: str) -> IconButton:
        action = self._actions.table[id]
        button = IconButton(action.icon, action.tip)
        button.clicked.connect(lambda: self._actions.run(id))
        return button

    def _make_right(self) -> None:
        self.search = SearchButton()
        self._glyph = Glyph(16)
        self._words = Toned()
        self._words.setProperty("role", "small")
        self._line = ProgressLine()
        self._line.setFixedWidth(px(96))
        self.search.clicked.connect(lambda: self._actions.run("search"))
        self._theme, self.settings = self._button("theme"), self._button("settings")
        self.run_button = RunButton(self.tr("Run"), "play-solid", "primary")
        self.run_button.clicked.connect(self._run_or_stop)

    def _open_menu(self) -> None:
        menu = QMenu(self)
        self._actions.fill(menu, MENU)
        self._actions.fill(menu.addMenu(self.tr("Panels")), PANELS)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.menu_button.mapToGlobal(QPoint(0, self.menu_button.height() + px(4))))

    def saved(self, problem: str) -> None:
        self._saved.set_tone("state.failed" if problem else "")
        self._saved.setText(self.tr("Not saved") if problem else self.tr("Saved"))
        self._saved.setToolTip(problem)
        self._fit()

    def _run_or_stop(self) -> None:
        self._actions.run("stop" if self._stops else "run")

    def _on_change(self, change: Change) -> None:
        if change & (Change.MESSAGES | Change.WORKFLOW | Change.PLAN | Change.RESOURCES):
            self._saved.setText("")  # until it is saved as it is now
            self._saved.setToolTip("")
        self.refresh()

    def _show_theme(self) -> None:
        dark = theme.current().name == "dark"
        self._theme.set_icon("sun" if dark else "moon")
        tip = self.tr("Light theme") if dark else self.tr("Dark theme")
        self._theme.setToolTip(tip)
        self._theme.setAccessibleName(tip)

    def refresh(self) -> None:
        session = self._ui.session
        title = session.title or self.tr("New conversation")
        self._title.set_text(title)
        self._undo.setEnabled(session.can_undo)
        self._redo.setEnabled(session.can_redo)
        running = session.going.running or session.busy in STOPPABLE
        self._stops = running
        self._show_run(running)
        self._show_progress(running)

    def set_pointing(self, pointing: bool) -> None:
        """While something is pointed at, the main button is the one that uses it: Run waits, and says why."""
        if pointing != self._pointing:
            self._pointing = pointing
            self.refresh()

    def _show_run(self, running: bool) -> None:
        session, button = self._ui.session, self.run_button
        waits = self._pointing and not running
        asked = not running and waiting(session.messages) is not None
        button.set_words(self.tr("Stop") if running else self.tr("Run"))
        button.set_kind("" if running or waits or asked else "primary")
        button.set_icon("stop-solid" if running else "play-solid")
        button.set_key("Esc" if running else "Ctrl+Return")
        tip = self.tr("Stop the run (Esc)") if running else self.tr("Run the plan (Ctrl+Enter)")
        why = self.tr("First use what you point at, or cancel it: then the plan can run") if waits else ""
        if asked and not waits:
            why = self.tr("Runs as far as it can: the rest waits for your answer in the chat")
        button.setToolTip(why or tip)
        button.setAccessibleDescription(why)
        ready = bool(session.workflow.nodes) and not waits
        button.setEnabled(running or (ready and (not session.busy or button.hasFocus())))  # else the keyboard would go

    def _show_progress(self, running: bool) -> None:
        run = self._ui.session.going
        if not running and run.id != self._ui.session.run.id:
            run = self._ui.session.run  # what went on elsewhere says nothing of the graph that is shown
        failed = len([id for id in run.failures() if id in self._ui.session.workflow.ids()])
        done = not running and run.outcome == "ok"
        outdated = done and any(node.state == "outdated" for node in run.nodes.values())
        asks = not running and (run.asks or (done and self._has_more(run)))
        open = asks and waiting(self._ui.session.messages) is not None
        self._glyph.setVisible(bool(failed) or done or open)
        self._glyph.set_state("failed" if failed else "input" if open else "outdated" if outdated else "done")
        self._words.set_tone("" if failed else "state.input" if outdated or open else "state.done" if done else "")
        self._line.set_fraction(run.fraction)
        text = formatting.said(self._ui.session.busy) if not running else ""
        if running and run.nodes:
            text = self.tr("{n} of {total} nodes").format(n=run.ended, total=len(run.taking_part))
            left = time_left.said(self._ui.run_clock.left)
            text = left if left and self.width() < px(_ROOMY) else f"{text} · {left}" if left else text
        if failed:
            here = self._ui.session.workflow.ids()
            skipped = sum(node.state == "skipped" and id in here for id, node in run.nodes.items())
            parts = [self.tr("{n} failed").format(n=failed)]
            parts += [self.tr("{n} skipped").format(n=skipped)] if skipped else []
            text = " · ".join([*parts, text] if running and text else parts)
        elif open:
            text = self.tr("Waits for your answer")
        elif outdated:
            text = self.tr("Out of date")
        elif done:
            text = self.tr("Finished in {time}").format(time=_exactly(run.seconds))
        self._words.setText(text)
        for widget in (self._words, self._line, self._glyph):
            widget.setToolTip(text)
        self._fit()

    def _has_more(self, run: Run) -> bool:
        """Whether the graph has steps that the run did not get to."""
        return not {node.id for node in self._ui.session.workflow.nodes} <= run.nodes.keys()

    def _fit(self) -> None:
        """Shares the width: first the title has some, then the key of Run is shown, then the search has its room."""
        self._line.setFixedWidth(px(96 if self.width() > px(_ROOMY) else 40))
        self._saved.setVisible(self.width() > px(_ROOMY))
        slim = self.width() < px(_SLIM)
        self._logo.setVisible(not slim)
        self._theme.setVisible(not slim)
        self._line.setVisible(self._stops and not slim)
        for line in self._lines:
            line.setVisible(self.width() > px(_ROOMY))
        self._words.setVisible(bool(self._words.text()))
        run, search = self.run_button, self.search
        least = px(_LEAST_TITLE) + search.least
        if (room := self.width() - self._others() - least) < 0:
            self._words.hide()  # what tells the same, the line and the glyph, has it as its tooltip
            room = self.width() - self._others() - least
        wide = min(self._title.text_width() + px(6), px(_TITLE))
        title = max(0, min(room, wide - px(_LEAST_TITLE)))
        room -= title
        roomy = room >= run.key_width + search.telling - search.least
        self._title.setFixedWidth(min(wide, px(_LEAST_TITLE) + title))
        run.show_key(roomy)
        search.fit(search.least + room - (run.key_width if roomy else 0))
        self._centre_search()

    def _centre_search(self) -> None:
        """In the middle of the bar where there is room, so that it does not move with the title or the progress."""
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)
        layout.invalidate()
        at = layout.indexOf(self.search)
        before = [item for index in range(at - 1) if (item := layout.itemAt(index)) and not item.isEmpty()]
        taken = layout.contentsMargins().left() + sum(i.minimumSize().width() + layout.spacing() for i in before)
        free = max(1, self.width() - layout.minimumSize().width())
        left = min(max(0, (self.width() - self.search.width()) // 2 - taken), free)
        layout.setStretch(at - 1, left)
        layout.setStretch(at + 1, free - left)

    def _others(self) -> int:
        """Pixels that all take but the title, the search, and the key of the run button."""
        layout, key = self.layout(), self.run_button.key_width if self.run_button.roomy else 0
        assert layout is not None
        layout.invalidate()
        return layout.minimumSize().width() - self._title.minimumWidth() - self.search.width() - key

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(px(900), px(46))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(_LEAST), px(46))  # that of the layout is what it takes now, which is more


def _exactly(seconds: float) -> str:
    """As words.duration, with tenths under a minute: `17.3 s`."""
    return f"{seconds:.1f} s" if 0.0995 <= seconds < 59.95 else formatting.duration(seconds)


class RunButton(Button):
    """`show_key` tells whether there is room for the key. A plain button has it in a frame, the primary one bare."""

    def __init__(self, text: str, icon: str, kind: str) -> None:
        self._key = ""
        self.roomy = False
        super().__init__(text, icon, kind)

    def set_key(self, keys: str) -> None:
        self._key = key_words(keys)
        self.updateGeometry()
        self.update()

    def show_key(self, roomy: bool) -> None:
        if roomy != self.roomy:
            self.roomy = roomy
            self.updateGeometry()
            self.update()

    @property
    def key_width(self) -> int:
        return QFontMetrics(theme.current().font("key")).horizontalAdvance(self._key) + px(11)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + self.key_width, hint.height()) if self.roomy else hint

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.roomy:
            super().paintEvent(event)
            return
        option = QStyleOptionButton()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButtonBevel, option)
        option.rect = QRect(0, 0, self.width() - self.key_width + px(3), self.height())  # type: ignore[attr-defined]
        painter.drawControl(QStyle.ControlElement.CE_PushButtonLabel, option)
        self._paint_key(painter)
        painter.end()

    def _paint_key(self, painter: QStylePainter) -> None:
        primary = self._kind == "primary"
        painter.setRenderHint(QStylePainter.RenderHint.Antialiasing)
        high, wide = px(18), self.key_width
        cap = QRectF(self.width() - wide - px(9), (self.height() - high) / 2, wide, high)
        ink = "text.disabled" if not self.isEnabled() else "text.on_accent" if primary else "text.secondary"
        paint_key(painter, cap, self._key, ink, framed=not primary)


class SearchButton(Painted, PushButton):
    """`fit(room)` gives it as much of the room as it has use for."""

    def __init__(self) -> None:
        super().__init__()
        self._words = translate("Search everything")
        self._keys = key_words("Ctrl+K")
        self.setAccessibleName(self._words)
        self.setToolTip(translate("Search commands, nodes, results, tools, conversations and settings (Ctrl+K)"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(_ICON))
        self.fit(px(_WIDEST))
        theme.signals().changed.connect(self.update)

    @property
    def small(self) -> bool:
        return self.width() < px(_LEAST_WORDS)

    @property
    def least(self) -> int:
        return px(_ICON)

    @property
    def telling(self) -> int:
        """Pixels from which on it shows its words."""
        return px(_LEAST_WORDS)

    def fit(self, room: int) -> None:
        """Takes what it has use for of that many pixels."""
        self.setFixedWidth(min(room, px(_WIDEST)) if room >= px(_LEAST_WORDS) else px(_ICON))

    def paint(self, painter: QPainter) -> None:
        self._paint_ground(painter)
        side, middle = px(15), self.height() / 2
        left = (self.width() - side) / 2 if self.small else px(12)
        icons.paint(painter, QRectF(left, middle - side / 2, side, side), "search", color("text.secondary"))
        if not self.small:
            self._paint_words(painter, left + side + px(9))

    def _paint_ground(self, painter: QPainter) -> None:
        lit = self.hasFocus()
        line = "accent.line" if lit else "background.border_strong" if self.underMouse() else "background.border"
        wide = 2 if lit else 1
        painter.setPen(QPen(color(line), wide))
        painter.setBrush(color("background.hover" if self.isDown() else "background.field"))
        inner = QRectF(self.rect()).adjusted(wide / 2, wide / 2, -wide / 2, -wide / 2)
        painter.drawRoundedRect(inner, px(8), px(8))

    def _paint_words(self, painter: QPainter, left: float) -> None:
        painter.setFont(theme.current().font("key"))
        wide, high = painter.fontMetrics().horizontalAdvance(self._keys) + px(11), px(18)
        cap = QRectF(self.width() - wide - px(9), (self.height() - high) / 2, wide, high)
        paint_key(painter, cap, self._keys)
        room = QRectF(left, 0, cap.left() - left - px(6), self.height())
        write(painter, room, self._words, "body", "text.tertiary")

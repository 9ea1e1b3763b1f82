"""Where the user writes: words, attachments by button, drop or paste, send, stop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop_app.services import mask_preview
from desktop_app.session.state import CHOOSING, STOPPABLE
from desktop_app.storage.resources import Resource
from desktop_app.ui.chat.attachment_chip import AttachmentChip, Coming, ComingChip
from desktop_app.ui.chat.composer_edit import Field
from desktop_app.ui.chat.mention_popup import standing
from desktop_app.ui.chat.mode_menu import Mode, ModeButton
from desktop_app.ui.chat.question_widget import point_for
from desktop_app.ui.support import formatting
from desktop_app.ui.support.context import UiContext
from desktop_app.ui.support.incoming import in_parts, takes
from desktop_app.ui.widgets.basic import Button, IconButton, clear, label, mark, px, row, stack
from desktop_app.ui.widgets.flow_layout import FlowLayout
from nodes.api import ResourceType

if TYPE_CHECKING:
    from desktop_app.ui.chat.mention_popup import Mentions

_GAP, _ROOMY = 1, 640


class Composer(QFrame):
    """Asks the session when sent. Shows what goes on while the session is busy.

    Files are read on threads; what is sent meanwhile goes off when they are there, in the order in which they came.
    """

    def __init__(self, ui: UiContext, large: bool = False) -> None:
        super().__init__()
        self._ui = ui
        self._large = large
        self._entries: list[str | Coming] = []
        self._send_then = False
        self._mentioned: set[str] = set()
        self._unlight()
        self.setAcceptDrops(True)
        self.field = Field(2 if large else 1)
        self.field.setAccessibleName(self.tr("Message"))
        self.field.setPlaceholderText(
            self.tr("Describe what you want. Drop pictures, sound, video or text here.")
            if large
            else self.tr("Ask for a change, or drop a file")
        )
        self.field.sent.connect(self.send)
        self.field.pasted.connect(self._paste)
        self.field.textChanged.connect(self._follow_mentions)
        self.field.textChanged.connect(self.refresh)
        self.field.textChanged.connect(self.calm)
        self._mentions: Mentions | None = None
        self._chips = QWidget()
        self._flow = FlowLayout(px(6), self._chips)
        self._chips.hide()
        self._trouble = label("", "error", True)
        self._trouble.hide()
        stack(self._chips, self.field, self._trouble, self._make_buttons(), parent=self, margins=(14, 12, 10, 10))
        ui.calls.failed.connect(self.say)
        self.refresh()

    def _make_buttons(self):
        pick = lambda: self._ui.signals.pick_files.emit(self.add_files)  # noqa: E731
        if self._large:
            self.attach = Button(self.tr("Attach"), "paperclip", "quiet")
            self.point = Button(self.tr("Point"), "crosshair", "quiet")
            self.send_button = Button(self.tr("Plan"), "play-solid", "primary")
            self._note = label(self.tr("Plans first, runs when you say so"), "caption")
        else:
            self.attach = IconButton("paperclip", self.tr("Attach files"))
            self.point = IconButton("crosshair", self.tr("Point at the last picture"))
            self.send_button = Button("", "arrow-up", "primary")
            self.send_button.setStyleSheet("padding: 0;")
            self.send_button.setFixedSize(px(30), px(30))
            self._note = label("", "caption")
            self.at = IconButton("at-sign", self.tr("Refer to a file or an earlier result (@)"))
            self.at.clicked.connect(lambda: self.mentions.begin())
        self.point.setToolTip(self.tr("Point at something in the last picture"))
        self.attach.clicked.connect(pick)
        self.point.clicked.connect(self._point)
        self.send_button.clicked.connect(self._send_or_stop)
        self._stops = False
        self.mode = Mode(self._ui, self._large)
        self._ui.signals.settings_changed.connect(self.refresh)
        if self._large:
            return row(self.attach, self.point, self.mode.widget, None, self._note, self.send_button, gap=6)
        buttons = (self.attach, self.point, self.at, self.mode.widget)
        return row(*buttons, None, self._note, 4, self.send_button, gap=_GAP)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry for entry in self._entries if isinstance(entry, str))

    @property
    def attaching(self) -> bool:
        """True while files are being read."""
        return any(isinstance(entry, Coming) for entry in self._entries)

    @property
    def troubled(self) -> bool:
        """True while an error is shown below the field."""
        return self._trouble.isVisibleTo(self)

    def add_files(self, paths: Sequence[Path]) -> None:
        """Attaches files and folders, one after the other; what cannot be attached is said below the field."""
        coming = [Coming(part) for part in in_parts(paths)]
        if coming:
            self.calm()
            self._entries += coming
            self._show_chips()
            self._ui.calls.later(self._bring(coming))

    async def _bring(self, files: Sequence[Coming]) -> None:
        for coming in files:
            if coming not in self._entries:
                continue
            names: list[str] = []
            trouble = None
            try:
                found, trouble = await self._ui.session.bring_all(coming.paths)
                names = [one.name for one in found]
            finally:
                if shiboken6.isValid(self):  # else another window has taken the place of this one
                    self._put(coming, names)
            if trouble is not None:
                self._send_then = False
                self._ui.calls.failed.emit(formatting.said(trouble.message), formatting.said(trouble.fix))
        if shiboken6.isValid(self) and self._send_then and not self.attaching:
            self.send()

    def _put(self, coming: Coming, names: Sequence[str]) -> None:
        """The files in its place, unless it was taken out meanwhile, or they are there already."""
        mine = [name for name in names if name not in self._entries]
        places = [mine if entry is coming else [entry] for entry in self._entries]
        self._entries = [entry for place in places for entry in place]
        self._show_chips()

    def add(self, names: Sequence[str]) -> None:
        self._entries += [name for name in names if name not in self._entries]
        if names:
            self.calm()
        self._show_chips()

    def take_over(self, other: Composer) -> None:
        if other.field.toPlainText():
            self.field.setPlainText(other.field.toPlainText())
        self.add(other.names)
        self._mentioned |= other._mentioned
        other.clear()

    def clear(self) -> None:
        self._mentioned.clear()
        self.field.clear()
        self._entries = []
        self._send_then = False
        self.calm()
        self._show_chips()

    def leave_files(self) -> None:
        """Another conversation is shown: what was attached belongs to the one before. The words stay; of what is still
        read it is told when it comes.
        """
        self._mentioned.clear()
        self._entries = [entry for entry in self._entries if isinstance(entry, Coming)]
        self._send_then = False
        self._show_chips()

    def remove(self, entry: str | Coming) -> None:
        """Takes a resource out of the next message; its name may stay in the text."""
        if isinstance(entry, str):
            self._mentioned.discard(entry)
        self._entries = [other for other in self._entries if other != entry]
        self._show_chips()

    def fill(self, text: str, names: Sequence[str]) -> None:
        """Puts a request there to be changed and sent."""
        self.field.setPlainText(text)
        self._entries = list(names)
        self._show_chips()
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.field.setFocus()

    def send(self) -> None:
        """Asks the session, unless no words say what or it is busy; waits for files that are being read."""
        text = self.field.toPlainText().strip()
        if self._ui.session.busy or not text:
            return
        if self.attaching:
            self._send_then = True
            self.refresh()
            return
        names = self.names
        self.clear()
        self._ui.calls.later(self._ui.session.ask(text, names))

    def say(self, message: str, fix: str) -> None:
        """Shows an error below the field until one writes, attaches, or something else happens (`calm`)."""
        self._trouble.setText(f"{message} {fix}".strip())
        self._trouble.show()

    def calm(self) -> None:
        self._trouble.hide()

    def refresh(self) -> None:
        busy = self._ui.session.busy
        running = self._ui.session.run.running or busy in STOPPABLE
        ready = bool(self.field.toPlainText().strip())
        self._stops = running
        self.send_button.setEnabled(running or (ready and not busy))
        if not self._large:
            self.send_button.set_icon("stop-solid" if running else "arrow-up")
        tip = self.tr("Stop the run (Esc)") if running else self.tr("Send (Enter)")
        wordless = bool(self._entries) and not ready
        self.send_button.setToolTip(tip)
        self.send_button.setAccessibleName(tip.split(" (")[0])
        quiet = self.tr("Say what to do with it") if wordless else self._mode_words() if self._large else ""
        if self._large:
            self.send_button.set_words(self.tr("Start") if self.mode.current == "step by step" else self.tr("Plan"))
        waits = self.tr("Sent when attached…") if self._send_then else self.tr("Attaching…")
        self._note.setText(self._busy_words(busy) or (waits if self.attaching else quiet))
        self.point.setEnabled(self._last_picture() is not None)

        self._fit_mode()

    def _fit_mode(self) -> None:
        """The mode in words where what is said beside it leaves room."""
        if isinstance(self.mode.widget, ModeButton):
            taken = 4 * px(30) + px(28) + 6 * px(_GAP) + self._note.sizeHint().width()
            self.mode.widget.fit(self.width() - taken)
        else:
            self._note.setVisible(self.window().width() > px(_ROOMY))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit_mode()

    # Names in the text

    def _mention(self, name: str) -> None:
        """A name was chosen for the text: its resource goes with the message."""
        self._mentioned.add(name)
        self.add((name,))

    @property
    def mentions(self) -> Mentions:
        """The names that are offered after an "@"; made when the first is written."""
        if self._mentions is None:
            from desktop_app.ui.chat.mention_popup import Mentions

            self._mentions = Mentions(self._ui, self.field)
            self._mentions.chosen.connect(self._mention)
        return self._mentions

    def _follow_mentions(self) -> None:
        """What was named goes with the message for as long as its name stands in the text."""
        text = self.field.toPlainText()
        if "@" in text and self._mentions is None:
            self.mentions.follow()
        there = standing(text, self._mentioned)
        for name in self._mentioned:
            if name in there and name not in self._entries:
                self.add((name,))
            elif name not in there and name in self._entries:
                self._entries.remove(name)
                self._show_chips()

    def _busy_words(self, busy: str) -> str:
        known = {
            "Planning": self.tr("Planning…"), "Running": self.tr("Running…") if self._large else "", "": "",
            CHOOSING: self.tr("Choosing…"),
        }  # fmt: skip
        return known.get(busy, f"{busy}…")

    def _mode_words(self) -> str:
        if self.mode.current == "step by step":
            return self.tr("Runs each step as it is chosen")
        return self.tr("Plans first, runs when you say so")

    def _send_or_stop(self) -> None:
        self._ui.session.stop() if self._stops else self.send()

    def _last_picture(self) -> Resource | None:
        session = self._ui.session
        held = [r for name in self.names if (r := self._ui.find(name)) is not None]
        for resource in reversed([*session.resources.values(), *held]):
            if resource.type is ResourceType.IMAGE and not resource.made_by:
                return resource
        return None

    def _point(self) -> None:
        """For the question that waits for it, else in the picture that a step made nothing of, else in the last one."""
        session = self._ui.session
        asked = [question for message in session.messages if message.open for question in message.questions]
        waiting = [q for q in asked if q.kind == "box" or (q.kind == "point" and q.resource)]
        if waiting:
            point_for(waiting[0], self._ui)
            return
        unclear = mask_preview.unclear(session.workflow, session.tools, session.run)
        if unclear is not None:
            self._ui.signals.pick_port.emit(*unclear)
            return
        resource = self._last_picture()
        if resource is not None:
            self._ui.signals.point_at.emit(resource.name)

    def _show_chips(self) -> None:
        clear(self._flow)
        for entry in self._entries:
            if isinstance(entry, Coming):
                self._flow.addWidget(ComingChip(entry, self.remove))
            elif (resource := self._ui.find(entry)) is not None:
                self._flow.addWidget(AttachmentChip(self._ui, resource, self.remove))
        self._chips.setVisible(bool(self._entries))
        self._chips.updateGeometry()
        self.refresh()

    def _paste(self, source: QMimeData) -> None:
        self._ui.take_in(source, self._given)

    def _given(self, files: Sequence[Path]) -> None:
        """A workflow is opened as one that is dropped elsewhere; all else is attached."""
        if len(files) == 1 and files[0].suffix.lower() == ".json":
            self._ui.signals.dropped.emit(files, self.add_files)
        else:
            self.add_files(files)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if takes(event.mimeData()):
            event.acceptProposedAction()
            mark(self, "surface", "composer lit")

    def dragLeaveEvent(self, event) -> None:
        self._unlight()

    def dropEvent(self, event: QDropEvent) -> None:
        self._unlight()
        self._paste(event.mimeData())
        event.acceptProposedAction()

    def _unlight(self) -> None:
        mark(self, "surface", "composer lit" if self._large else "composer")

    def mousePressEvent(self, event) -> None:
        self.field.setFocus()

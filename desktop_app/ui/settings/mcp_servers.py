"""Servers of the Model Context Protocol in the settings: which there are, whether they work; to add, change, remove."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.core.settings import Settings
from desktop_app.services import mcp_tools
from desktop_app.ui.settings.edit_form import EditForm
from desktop_app.ui.support import formatting
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.widgets.basic import Button, ElidedLabel, IconButton, Words, clear, label, row, stack
from desktop_app.ui.widgets.glyphs import Glyph

Count = Callable[[str, Mapping[str, Any]], int]


class McpServers(QWidget):
    """`changed` has the settings that the user changed, by name; also after a server was asked, whose tools may be
    others now. `count` asks a server how many tools it has, on a thread.
    """

    changed = Signal(object)

    def __init__(self, loader: BackgroundReader, count: Count = mcp_tools.count) -> None:
        super().__init__()
        self._loader, self._count = loader, count
        self._servers: dict[str, Mapping[str, Any]] = {}
        self._edited = ""
        self.rows: dict[str, ServerRow] = {}
        said = self.tr("Programs whose tools are yours here too. They run with your rights: name only those you trust.")
        column = stack(label(said, "secondary", True), parent=self, gap=6)
        self._list = stack(gap=6)
        column.addLayout(self._list)
        self.add = Button(self.tr("Add a server"), "plus", small=True)
        self.add.clicked.connect(partial(self.edit, ""))
        column.addLayout(row(self.add, None))
        self.name, self.command, self.arguments, self.environment = (QLineEdit() for _ in range(4))
        fields = {
            self.tr("Name"): (self.name, self.tr("notes")), self.tr("Command"): (self.command, "npx"),
            self.tr("Arguments"): (self.arguments, "-y notes-server"),
            self.tr("Environment"): (self.environment, "TOKEN=… FOLDER=…"),
        }  # fmt: skip
        for field, example in fields.values():
            field.setPlaceholderText(example)
        self.form = EditForm({name: field for name, (field, _) in fields.items()})
        self.form.kept.connect(self._keep)
        column.addWidget(self.form)

    def show_settings(self, settings: Settings) -> None:
        servers = {name: dict(config) for name, config in settings.mcp_servers.items()}
        if servers == self._servers and len(self.rows) == len(servers):
            return
        self._servers = dict(servers)
        clear(self._list)
        self.rows = {}
        for name, config in servers.items():
            shown = self.rows[name] = ServerRow(name, config)
            shown.ask.clicked.connect(partial(self._ask, name))
            shown.edit.clicked.connect(partial(self.edit, name))
            shown.remove.clicked.connect(partial(self._remove, name))
            self._list.addWidget(shown)

    def edit(self, name: str, *_: object) -> None:
        """Opens the form, on the server of that name or on a new one."""
        config = self._servers.get(name, {})
        self._edited = name
        self.name.setText(name)
        self.command.setText(str(config.get("command", "")))
        self.arguments.setText(shlex.join(map(str, config.get("args", []))))
        self.environment.setText(shlex.join(f"{key}={value}" for key, value in config.get("env", {}).items()))
        self.form.open(self.name)

    def _keep(self) -> None:
        """Keeps what was typed, if it can be a server, and asks it for its tools."""
        name, command = self.name.text().strip(), self.command.text().strip()
        try:
            args, pairs = shlex.split(self.arguments.text()), shlex.split(self.environment.text())
        except ValueError:
            return self.form.refuse(self.tr("A quotation mark has no end."))
        if not name or not command:
            return self.form.refuse(self.tr("A server has a name, and a command that starts it."))
        if name != self._edited and name in self._servers:
            return self.form.refuse(self.tr("There is a server of that name."))
        if any(not pair.partition("=")[0] or "=" not in pair for pair in pairs):
            return self.form.refuse(self.tr("The environment is written NAME=value, with spaces between."))
        env = {pair.partition("=")[0]: pair.partition("=")[2] for pair in pairs}
        kept = {n: config for n, config in self._servers.items() if n != self._edited}
        self.form.hide()
        self._save({**kept, name: {"command": command, "args": args, "env": env}})
        self._ask(name)

    def _remove(self, name: str, *_: object) -> None:
        self._save({n: config for n, config in self._servers.items() if n != name})

    def _save(self, servers: Mapping[str, Mapping[str, Any]]) -> None:
        self.changed.emit({"mcp_servers": servers})
        self.show_settings(Settings(mcp_servers=servers))

    def _ask(self, name: str, *_: object) -> None:
        config = self._servers[name]
        self.rows[name].show_state("running", self.tr("Asking…"))
        self._loader.run(partial(self._count, name, config), partial(self._asked, name, config))

    def _asked(self, name: str, config: Mapping[str, Any], outcome: object) -> None:
        if self._servers.get(name) != config:
            return  # changed or removed meanwhile
        if isinstance(outcome, int):
            self.rows[name].show_count(outcome)
            self.changed.emit({"mcp_servers": self._servers})
        else:
            self.rows[name].show_state("failed", formatting.said(str(outcome)))


class ServerRow(QWidget):
    def __init__(self, name: str, config: Mapping[str, Any]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.ask = IconButton("refresh-cw", self.tr("Ask {name} for its tools").format(name=name), 24)
        self.edit = IconButton("pencil", self.tr("Change {name}").format(name=name), 24)
        self.remove = IconButton("x", self.tr("Remove {name}").format(name=name), 24)
        started = shlex.join([str(config.get("command", "")), *map(str, config.get("args", []))])
        how = ElidedLabel(started, "caption")
        self._glyph, self.state = Glyph(14), Words()
        self.state.setProperty("role", "caption")
        head = row(label(name), how, self.ask, self.edit, self.remove, gap=6, grow=1)
        about = row(self._glyph, self.state, gap=6, grow=1)
        stack(head, about, parent=self, gap=2)
        count = mcp_tools.known(name, config)
        if count is None:
            self.show_state("waiting", self.tr("not asked yet"))
        else:
            self.show_count(count)

    def show_count(self, count: int) -> None:
        self.show_state("done", self.tr("1 tool") if count == 1 else self.tr("{n} tools").format(n=count))

    def show_state(self, state: str, words: str) -> None:
        self._glyph.set_state(state)
        self.state.set_tone("state.failed" if state == "failed" else "")
        self.state.setText(words)

"""Servers of the Model Context Protocol are added, changed and removed in the settings, and each says how it is."""

from __future__ import annotations

import asyncio
import shlex
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app import app
from desktop_app.core import settings as settings_file
from desktop_app.core.errors import BadReply
from desktop_app.core.settings import Settings
from desktop_app.ui.settings.mcp_servers import McpServers

Left = Qt.MouseButton.LeftButton
TOYS = Path(__file__).parents[2] / "services" / "mcp_server.py"


@pytest.fixture
def make(qtbot, ui, own_home):
    own_home.mkdir(parents=True, exist_ok=True)

    def build(count=lambda name, config: 7, **servers) -> McpServers:
        made = McpServers(ui.loader, count)
        qtbot.addWidget(made)
        made.changed.connect(lambda values: settings_file.change(**values))
        settings_file.change(mcp_servers=servers)
        made.show_settings(settings_file.saved())
        made.show()
        return made

    return build


def typed(panel: McpServers, name: str, command: str, arguments: str = "", environment: str = "") -> None:
    QTest.mouseClick(panel.add, Left)
    for field, text in (
        (panel.name, name), (panel.command, command), (panel.arguments, arguments), (panel.environment, environment),
    ):  # fmt: skip
        field.setText(text)
    QTest.mouseClick(panel.form.keep, Left)


def test_server_is_added_asked_and_kept(make, qtbot):
    panel = make()
    typed(panel, "notes", "npx", '-y "my notes"', "TOKEN=a=b HOME='/my folder'")
    kept = {"command": "npx", "args": ["-y", "my notes"], "env": {"TOKEN": "a=b", "HOME": "/my folder"}}
    assert settings_file.saved().mcp_servers == {"notes": kept} and not panel.form.isVisible()
    qtbot.waitUntil(lambda: panel.rows["notes"].state.text() == "7 tools")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("", "npx"), "has a name"),
        (("b", " "), "has a name"),
        (("a", "npx"), "of that name"),
        (("b", "npx", '"x'), "quotation mark"),
        (("b", "npx", "", "TOKEN"), "NAME=value"),
    ],
)
def test_what_is_no_server_is_refused_with_a_reason(make, given, why):
    panel = make(a={"command": "x"})
    typed(panel, *given)
    assert why in panel.form.trouble.text() and panel.form.isVisible()
    assert settings_file.saved().mcp_servers == {"a": {"command": "x"}} and list(panel.rows) == ["a"]


def test_server_that_does_not_work_says_why_and_can_be_changed_and_removed(make, qtbot):
    def count(name, config):
        if config["command"] == "wrong":
            raise BadReply("The MCP server a cannot be started: wrong.", "Look at its command.")
        return 1

    panel = make(count, a={"command": "wrong", "args": ["-v"], "env": {}})
    assert panel.rows["a"].state.text() == "not asked yet"
    QTest.mouseClick(panel.rows["a"].ask, Left)
    qtbot.waitUntil(lambda: "cannot be started: wrong. Look" in panel.rows["a"].state.text())
    QTest.mouseClick(panel.rows["a"].edit, Left)
    assert (panel.name.text(), panel.command.text(), panel.arguments.text()) == ("a", "wrong", "-v")
    panel.name.setText("b")
    panel.command.setText("right")
    QTest.mouseClick(panel.form.keep, Left)
    assert list(settings_file.saved().mcp_servers) == ["b"]
    qtbot.waitUntil(lambda: panel.rows["b"].state.text() == "1 tool")
    QTest.mouseClick(panel.rows["b"].remove, Left)
    assert settings_file.saved().mcp_servers == {} and not panel.rows


def test_tools_of_a_real_server_come_and_go_with_it(qtbot, ui, own_home):
    """Without a new start: added in the panel, its tools are there; removed, they are not."""
    pytest.importorskip("mcp")
    own_home.mkdir(parents=True, exist_ok=True)
    parts = app._with_history(Settings())
    panel = McpServers(ui.loader)
    qtbot.addWidget(panel)
    panel.changed.connect(lambda values: app.use_settings(parts, settings_file.change(**values)))
    panel.show()
    try:
        assert "mcp_toys_add" not in parts.session.tools
        typed(panel, "toys", sys.executable, shlex.join([str(TOYS)]))
        qtbot.waitUntil(lambda: "tools" in panel.rows["toys"].state.text())
        assert parts.session.tools["mcp_toys_add"].outside
        QTest.mouseClick(panel.rows["toys"].remove, Left)
        assert "mcp_toys_add" not in parts.session.tools
    finally:
        asyncio.run(parts.session.close())

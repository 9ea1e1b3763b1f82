"""The user guide: what it links to, shows and names is there; the panel that shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImageReader, QTextDocument
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.cli.main import main
from desktop_app.core.paths import RESOURCES
from desktop_app.ui.help.guide_panel import FIRST, FOLDER, GuidePanel, GuideText, pages
from desktop_app.ui.theme import theme
from tests import tool_table
from tests.ui import guide_keys
from tests.ui.conftest import served, use_theme
from tests.ui.tour.touring import used_in_guide

PROJECT = RESOURCES.parent
PAGES = sorted(FOLDER.glob("*.md"))
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)]+)\)")
_MOST_BYTES = 6 * 2**20


@pytest.mark.parametrize("page", [*PAGES, PROJECT / "README.md"], ids=lambda page: page.name)
def test_everything_a_page_leads_to_is_there(page: Path):
    targets = [link.split("#")[0] for link in _LINK.findall(page.read_text("utf-8")) if "://" not in link]
    gone = [target for target in targets if not (page.parent / target).is_file()]
    assert targets and not gone


def test_every_page_can_be_reached_and_has_a_heading():
    assert set(pages()) == {page.name for page in PAGES}
    assert all(page.read_text("utf-8").startswith("# ") for page in PAGES)


def test_pictures_can_be_read_and_are_small_together():
    shown = {(FOLDER / "pictures" / f"{name}.webp") for name in used_in_guide()}
    assert set((FOLDER / "pictures").iterdir()) == shown
    assert all(QImageReader(str(picture)).canRead() for picture in shown)
    assert sum(picture.stat().st_size for picture in shown) < _MOST_BYTES


def test_every_picture_says_what_it_shows():
    for page in PAGES:
        assert not re.search(r"!\[\s*\]", page.read_text("utf-8")), page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_key_that_is_named_is_one_of_the_program(page: Path, qapp):
    named = [word for word in re.findall(r"`([^`\n]+)`", page.read_text("utf-8")) if guide_keys.looks_like_keys(word)]
    assert [keys for keys in named if not guide_keys.is_known(keys)] == []


def test_a_key_that_does_nothing_would_be_found(qapp):
    assert guide_keys.looks_like_keys("Ctrl+Shift+Q") and not guide_keys.is_known("Ctrl+Shift+Q")
    assert guide_keys.is_known("Ctrl+K") and guide_keys.is_known("F1")


def test_the_table_of_keys_is_that_of_the_program(qapp):
    assert guide_keys.PAGE.read_text("utf-8") == guide_keys.page(), "python -m tests.ui.guide_keys"


def test_the_table_of_tools_is_that_of_the_declarations():
    assert tool_table.PAGE.read_text("utf-8") == tool_table.page(), "python -m tests.tool_table"
    assert len(tool_table.VISUAL_CHATGPT) == 27


def test_the_commands_of_the_guide_are_those_of_the_program(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    known = capsys.readouterr().out
    text = (FOLDER / "command-line.md").read_text("utf-8")
    named = re.findall(r"^graphwright ([a-z]+)", text, re.MULTILINE)
    assert named and all(re.search(rf"^ +{name} ", known, re.MULTILINE) for name in named)


@pytest.fixture
def panel(qtbot, qapp):
    use_theme(qapp)
    window = QWidget()
    window.resize(1440, 900)
    anchor = QWidget(window)
    anchor.setGeometry(20, 20, 30, 30)
    made = GuidePanel(window)
    qtbot.addWidget(window)
    window.show()
    made.open_below(anchor)
    return made


def test_the_panel_opens_on_the_first_page_and_follows_links(panel):
    assert panel.page == FIRST and "User guide" in panel.text.toPlainText()
    panel.text.anchorClicked.emit(QUrl("pointing.md"))
    assert panel.page == "pointing.md" and panel.chapters.currentText() == "Pointing"
    panel.go_back()
    assert panel.page == FIRST and not panel.back.isEnabled()


def test_the_panel_shows_the_pictures_of_the_guide_and_nothing_else(panel, tmp_path):
    kind = QTextDocument.ResourceType.ImageResource.value
    picture = panel.text.loadResource(kind, QUrl("pictures/answer.webp"))
    assert picture.width() <= 820 * picture.devicePixelRatio() and not picture.isNull()
    assert GuideText().loadResource(kind, QUrl("../icons/logo.svg")).isNull()
    assert GuideText().loadResource(kind, QUrl("https://example.org/x.png")).isNull()


def test_a_hidden_page_is_rendered_in_the_new_theme_when_it_is_seen(panel, qapp, monkeypatch):
    rendered, render = [], GuideText.render_now
    monkeypatch.setattr(GuideText, "render_now", lambda text: (rendered.append(theme.current().name), render(text)))
    theme.apply(qapp, "light")
    assert rendered == ["light"]
    panel.dismiss()
    theme.apply(qapp, "dark")
    served()
    assert rendered == ["light"]
    panel.show()
    served()
    assert rendered == ["light", "dark"]


def test_a_page_that_is_not_of_the_guide_is_left_alone(panel):
    panel.text.anchorClicked.emit(QUrl("../../README.md"))
    assert panel.page == FIRST


def test_the_keyboard_goes_back_to_what_had_it_when_a_page_opened_by_its_key_closes(panel, qtbot):
    window = panel.window()
    panel.dismiss()
    field = QLineEdit(window)
    field.show()
    window.activateWindow()
    field.setFocus()
    panel.open_below(window.findChildren(QWidget)[0])
    qtbot.waitUntil(lambda: panel.isAncestorOf(window.focusWidget()))
    panel.dismiss()
    assert window.focusWidget() is field

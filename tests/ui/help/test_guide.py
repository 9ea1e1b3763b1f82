"""The user guide: what it links to, shows and names is there; the panel that shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImageReader, QShortcut, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop_app.cli.main import main
from desktop_app.core.paths import RESOURCES
from desktop_app.i18n import catalogue
from desktop_app.ui.help.guide_panel import FIRST, FOLDER, GuidePanel, GuideText, page_file, pages
from desktop_app.ui.support import translator
from desktop_app.ui.theme import theme
from tests import tool_table, translations
from tests.ui import guide_keys
from tests.ui.conftest import served, use_theme
from tests.ui.tour.touring import used_in_guide

PROJECT = RESOURCES.parent
PAGES = sorted(FOLDER.glob("*.md"))
CHINESE = sorted((FOLDER / "zh").glob("*.md"))
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)]+)\)")
_MOST_BYTES = 6 * 2**20


@pytest.mark.parametrize("page", [*PAGES, *CHINESE, PROJECT / "README.md"], ids=lambda page: str(page)[-24:])
def test_everything_a_page_leads_to_is_there(page: Path):
    targets = [link.split("#")[0] for link in _LINK.findall(page.read_text("utf-8")) if "://" not in link]
    gone = [target for target in targets if not (page.parent / target).is_file()]
    assert targets and not gone


@pytest.mark.parametrize(("language", "files"), [("en", PAGES), ("zh", CHINESE), ("de", PAGES)])  # it has none
def test_every_page_can_be_reached_and_has_a_heading(language, files):
    with catalogue.speaking(language):
        assert {page_file(name) for name in pages()} == {*files}
    assert all(page.read_text("utf-8").startswith("# ") for page in files)


def test_pictures_can_be_read_and_are_small_together():
    shown = {(FOLDER / "pictures" / f"{name}.webp") for name in used_in_guide()}
    assert set((FOLDER / "pictures").iterdir()) == shown
    assert all(QImageReader(str(picture)).canRead() for picture in shown)
    assert sum(picture.stat().st_size for picture in shown) < _MOST_BYTES


def test_every_picture_says_what_it_shows():
    for page in (*PAGES, *CHINESE):
        assert not re.search(r"!\[\s*\]", page.read_text("utf-8")), page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_key_that_is_named_is_one_of_the_program(page: Path, qapp):
    named = [word for word in re.findall(r"`([^`\n]+)`", page.read_text("utf-8")) if guide_keys.looks_like_keys(word)]
    assert [keys for keys in named if not guide_keys.is_known(keys)] == []


def test_a_key_that_does_nothing_would_be_found(qapp):
    assert guide_keys.looks_like_keys("Ctrl+Shift+Q") and not guide_keys.is_known("Ctrl+Shift+Q")
    assert guide_keys.is_known("Ctrl+K") and guide_keys.is_known("F1")


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_the_table_of_keys_is_that_of_the_program(qapp, language):
    assert guide_keys.PAGES[language].read_text("utf-8") == guide_keys.page(language), "python -m tests.ui.guide_keys"


@pytest.mark.parametrize("language", catalogue.LANGUAGES)
def test_the_table_of_tools_is_that_of_the_declarations(language):
    assert tool_table.PAGES[language].read_text("utf-8") == tool_table.page(language), "python -m tests.tool_table"
    assert len(tool_table.VISUAL_CHATGPT) == 27


def test_the_commands_of_the_guide_are_those_of_the_program(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    known = capsys.readouterr().out
    text = (FOLDER / "command-line.md").read_text("utf-8")
    named = re.findall(r"^graphwright ([a-z]+)", text, re.MULTILINE)
    assert named and all(re.search(rf"^ +{name} ", known, re.MULTILINE) for name in named)


_LINE = re.compile(r"^(#+|\||- |\d+\.|```|graphwright(?: \S+)*)", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_the_same_parts_links_pictures_and_code_in_chinese(page: Path):
    english, chinese = page.read_text("utf-8"), (FOLDER / "zh" / page.name).read_text("utf-8")
    assert _LINE.findall(chinese) == _LINE.findall(english)
    assert [link.removeprefix("../") for link in _LINK.findall(chinese)] == _LINK.findall(english)
    assert set(re.findall("`[^`\n]+`", chinese)) == set(re.findall("`[^`\n]+`", english))


def english_of(name: str) -> list[str]:
    """What the window says in English where it says this in Chinese, without what varies."""
    said, place = translations.catalogue(), translations.PLACE
    pairs = (pair for section in ("window", "tools", "choices", "backends") for pair in said[section].items())
    found = [one for one, other in pairs if re.fullmatch(r"\w+".join(map(re.escape, place.split(other)[::2])), name)]
    return [words for one in found if (words := place.sub("", one).strip().lower())]


@pytest.mark.parametrize("page", CHINESE, ids=lambda page: page.name)
def test_what_a_chinese_page_names_is_what_the_english_page_names_and_has_that_name_in_the_window(page: Path):
    english = " ".join((FOLDER / page.name).read_text("utf-8").lower().split())
    names = re.findall("【(.+?)】", page.read_text("utf-8"))
    assert english_of("单击这里") == []
    assert [name for name in names if not any(words in english for words in english_of(name))] == []


@pytest.fixture
def chinese(qapp):
    translator.use(qapp, "zh")
    yield
    translator.use(qapp, "en")


def test_the_window_in_chinese_shows_the_chinese_pages_with_their_pictures(chinese, panel):
    assert panel.page == FIRST and panel.text.toPlainText().startswith("使用指南")
    panel.text.anchorClicked.emit(QUrl("graph.md"))
    assert panel.page == "graph.md" and panel.chapters.currentText() == "手动编辑图"
    kind = QTextDocument.ResourceType.ImageResource.value
    assert not panel.text.loadResource(kind, QUrl("../pictures/answer.webp")).isNull()
    assert panel.text.loadResource(kind, QUrl("../../icons/logo.svg")).isNull()
    for page in CHINESE:  # beside signs such as 【 Markdown may take ** for words; a line that is broken shows a gap
        panel.show_page(page.name)
        assert panel.page == page.name
        assert not re.search(r"\*\*|[\u3000-\u9fff] [\u3000-\u9fff]", panel.text.toPlainText())


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


def test_its_key_goes_back_where_the_window_has_the_same_key(panel):
    QShortcut("Alt+Left", panel.window(), panel.dismiss)
    panel.window().activateWindow()
    for widget in (panel.chapters, panel.text):
        panel.show_page("pointing.md")
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert panel.page == FIRST and panel.isVisible()


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

"""The whole window in Chinese: in every state, found by Chinese words, nothing cut; and the change of language."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QImage, QPainter, QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from desktop_app.core import settings as settings_file
from desktop_app.i18n import catalogue
from desktop_app.i18n.tools import LocalizedTools
from desktop_app.storage.examples import load_examples
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.search.entries import entry_of, find, in_order
from desktop_app.ui.search.search_delegate import second_line
from desktop_app.ui.support import formatting, translator
from desktop_app.ui.theme import theme
from desktop_app.ui.widgets.basic import ElidedButton, ElidedLabel
from nodes import load_tools
from nodes.phrase import Phrase
from tests import translations
from tests.ui.conftest import until, use_theme
from tests.ui.every_screen import SCREENS, shown
from tests.ui.fakes import finish
from tests.ui.main_window.test_windows import windows  # noqa: F401 - a fixture
from tests.waiting import PATIENCE

CATALOGUE = translations.catalogue()
TOOLS = load_tools().tools


@pytest.fixture
def chinese(qapp):
    translator.use(qapp, "zh")
    theme.apply(qapp, "dark")  # after the language, as the program does: its headings are bold
    yield
    translator.use(qapp, "en")
    theme.apply(qapp, "dark")


@pytest.fixture(params=list(SCREENS))
def window(request, qtbot, qapp, session, chinese):
    """The window in each of its states, in Chinese."""
    prepare, act = SCREENS[request.param]
    if prepare is not None:
        prepare(session)
    session.tools = LocalizedTools(session.tools)
    made = MainWindow(session, load_examples("zh"), spawn=finish)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    qapp.processEvents()
    act(made)
    qapp.processEvents()
    yield made
    made.ui.loader.wait()


def test_a_dialog_for_files_is_in_chinese(qtbot, session, chinese):
    made = MainWindow(session, spawn=finish)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.files.open_workflow()
    english = [words.text() for words in made.files.dialog.findChildren(QLabel) if words.text().isascii()]
    assert [words for words in english if words] == []


def said_by(widget: QWidget) -> list[str]:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
    return [text.strip(), widget.toolTip().strip(), widget.accessibleName().strip()]


def test_nothing_that_is_known_in_chinese_is_said_in_english(window):
    known = {text for text, other in CATALOGUE["window"].items() if text != other and "{" not in text}
    known -= {"Segment by points", "Hosted endpoint", "text"}  # of the toy tools: a tool, a back end and a port
    left = {text for widget in shown(window) for text in said_by(widget) if text in known}
    assert left == set()


def cut(window: QWidget) -> list[tuple[str, int, int]]:
    """What stands in `window` with less room than it needs: the words, the pixels needed, the pixels there."""
    found = []
    for widget in shown(window):
        if isinstance(widget, ElidedButton | ElidedLabel) or not widget.visibleRegion().boundingRect().isValid():
            continue  # these cut with an ellipsis and have the whole in their tooltip
        if isinstance(widget, QLabel) and widget.text() and not widget.wordWrap() and widget.pixmap().isNull():
            need, there = widget.fontMetrics().boundingRect(widget.text()).width(), widget.contentsRect().width() + 2
        elif isinstance(widget, QAbstractButton) and widget.text():
            need, there = widget.fontMetrics().horizontalAdvance(widget.text().strip()), widget.width()
        else:
            continue
        if need > there:
            found.append((widget.text(), need, there))
    return found


@pytest.mark.parametrize("width", [1440, 1100])
def test_no_button_and_no_heading_is_cut(window, qtbot, width):
    window.resize(width, 900 if width == 1440 else 720)

    def whole() -> None:
        assert cut(window) == []

    qtbot.waitUntil(whole, timeout=round(1000 * PATIENCE))  # a layout takes more than one turn of the event loop


def test_every_character_of_the_catalogue_has_a_glyph(qapp):
    use_theme(qapp)
    said = "".join(sorted({c for section in CATALOGUE.values() for text in section.values() for c in text if c > " "}))
    for role in ("body", "heading", "mono"):
        layout = QTextLayout(said, theme.current().font(role))
        layout.beginLayout()
        layout.createLine().setLineWidth(1e9)
        layout.endLayout()
        holes = [run for run in layout.glyphRuns() if 0 in run.glyphIndexes()]
        assert holes == [], role


def test_a_heading_is_heavier_than_the_text_below_it(qapp, chinese):
    def ink(role: str) -> int:
        font, image = theme.current().font(role), QImage(200, 60, QImage.Format.Format_Grayscale8)
        font.setPixelSize(24)
        image.fill(0)
        painter = QPainter(image)
        painter.setFont(font)
        painter.setPen(Qt.GlobalColor.white)
        painter.drawText(5, 40, "\u56fe\u7247")
        painter.end()
        return sum(bytes(image.constBits()))

    chinese_heading = ink("heading")
    assert chinese_heading > 1.2 * ink("body")
    translator.use(qapp, "en")
    theme.apply(qapp, "dark")
    assert ink("heading") < chinese_heading


def test_what_the_catalogue_lacks_is_shown_in_english(chinese):
    assert formatting.translate("never written down") == "never written down"
    assert QCoreApplication.translate("anywhere", "Settings") == "设置"
    assert formatting.translate("{n} rows").format(n=3) == "3 行"


def test_qt_speaks_chinese_too(chinese):
    assert QCoreApplication.translate("QWidgetTextControl", "&Copy") not in ("&Copy", "")


@pytest.mark.parametrize("query", ["模糊", "打码", "虚化", "高斯", "blur", "bokeh"])
def test_a_tool_is_found_by_its_chinese_and_its_english_words(chinese, query):
    entries = [entry_of(tool) for tool in LocalizedTools(TOOLS).values()]
    assert "blur" in [entry.id for entry, _ in find(entries, query)][:4]


def test_every_tool_is_found_first_by_its_chinese_title(chinese):
    tools = LocalizedTools(TOOLS)
    entries = [entry_of(tool) for tool in tools.values()]
    for tool in tools.values():
        assert find(entries, tool.title)[0][0].id == tool.id, tool.title


def test_tools_are_listed_as_their_names_sound(chinese):
    titles = ["水彩", "叠加图片", "卡通化", "3D", "变调"]
    assert sorted(titles, key=in_order) == ["3D", "变调", "叠加图片", "卡通化", "水彩"]  # bian, die, ka, shui


def test_the_word_that_was_found_stands_alone_where_there_is_nothing_else_to_say(chinese):
    assert second_line("", "save") == "又称：save"
    assert second_line("把图存成文件", "save") == "又称：save · 把图存成文件"


def test_groups_ports_and_choices_are_worded(chinese):
    tool = LocalizedTools(TOOLS)["voice_effect"]
    assert entry_of(tool).group == "音频"
    assert formatting.port_label("soft_edge") == "柔边" and formatting.choice_label("robot") == "机器人"
    assert formatting.said(Phrase("step {step} of {total}", step=2, total=9)) == "第 2 / 9 步"


@pytest.mark.parametrize(
    ("setting", "system", "wanted"),
    [
        ("zh", ["en-US"], "zh"), ("en", ["zh-Hans-CN"], "en"), ("", ["zh-Hans-CN", "en"], "zh"), ("", ["zh_CN"], "zh"),
        ("", ["de-DE", "en-US"], "en"), ("", ["de-DE"], "en"), ("", [], "en"),
    ],
)  # fmt: skip
def test_the_language_is_the_chosen_one_or_that_of_the_system(monkeypatch, setting, system, wanted):
    monkeypatch.setattr(QLocale, "uiLanguages", lambda self: system)
    assert translator.wanted(setting) == wanted


def test_choosing_a_language_makes_another_window_that_speaks_it(windows, loop, qapp):  # noqa: F811
    first, panel = windows.window, windows.window.overlays.settings

    async def choose(language):
        panel = windows.window.overlays.settings
        index = panel.languages.findData(language)
        before = windows.window
        panel.languages.setCurrentIndex(index)
        panel.languages.activated.emit(index)
        await until(lambda: windows.window is not before)

    QTest.keyClicks(first.first.composer.field, "half a thought")
    windows.window.overlays.show_settings()
    try:
        loop.run_until_complete(choose("zh"))
        second = windows.window
        assert settings_file.load().language == "zh" and catalogue.language() == "zh"
        assert second.first.composer.field.toPlainText() == "half a thought"
        assert second.overlays.settings.isVisible() and second.overlays.settings.accessibleName() == "设置"
        assert windows.session.tools["blur"].title == "模糊"
        assert second.first.cards[0].accessibleName() == load_examples("zh")[0].request
        loop.run_until_complete(choose("en"))
        assert windows.window.overlays.settings.accessibleName() == "Settings"
        assert windows.session.tools["blur"].title == "Blur"
    finally:
        translator.use(qapp, "en")
    assert panel is not windows.window.overlays.settings

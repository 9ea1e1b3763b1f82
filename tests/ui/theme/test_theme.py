"""Colours, fonts, icons and shapes."""

from __future__ import annotations

import lzma
import re

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontInfo, QImage, QPainter, QPalette, QRawFont
from PySide6.QtWidgets import QApplication

from desktop_app.core.paths import PROJECT
from desktop_app.ui.theme import icons, shapes, theme
from nodes import load_tools
from nodes.api import ResourceType
from tests.data import make_chinese_font

STATES = (
    "waiting",
    "queued",
    "running",
    "done",
    "cached",
    "input",
    "failed",
    "skipped",
    "cancelled",
    "bypassed",
    "missing",
)


@pytest.fixture(autouse=True)
def dark_afterwards(qapp):
    theme.apply(qapp, "dark")
    yield
    theme.apply(qapp, "dark")


def painted(paint, side=28):
    """What a painting function draws on nothing, as an image."""
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    paint(painter, QRectF(4, 4, side - 8, side - 8))
    painter.end()
    return image


def colours_in(image):
    return {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}


@pytest.mark.parametrize("name", ["dark", "light"])
def test_a_theme_reaches_palette_and_style_sheet(qapp, name):
    theme.apply(qapp, name)
    window = theme.current().color("background.panel")
    assert theme.current().name == name
    assert QApplication.palette().color(QPalette.ColorRole.Window) == window
    assert window.name() in qapp.styleSheet()


@pytest.mark.parametrize("name", ["dark", "light"])
def test_the_style_sheet_has_no_hole_left(name):
    sheet = theme.style_sheet(theme.Theme(name))
    assert re.findall(r"\b(?:color|px|font|icon)\(", sheet) == []
    for path in re.findall(r'url\("([^"]+)"\)', sheet):
        assert (PROJECT / path).exists()


def test_a_change_of_theme_is_told(qapp, qtbot):
    with qtbot.waitSignal(theme.signals().changed):
        theme.apply(qapp, "light")


def test_scale_grows_pixels_and_text_but_not_the_text_of_cards(qapp):
    theme.apply(qapp, "dark", 2.0)
    assert theme.current().px(15) == 30
    assert theme.current().font("body").pointSizeF() == pytest.approx(2 * theme.Theme("dark").font("body").pointSizeF())
    assert theme.current().font("node_title") == theme.Theme("dark").font("node_title")


@pytest.mark.parametrize("role", ["body", "title", "display", "heading", "control", "small", "caption", "key",
                                  "node_title", "node_label", "node_footer", "node_badge", "mono"])  # fmt: skip
def test_every_role_has_a_bundled_font(role):
    family = QFontInfo(theme.current().font(role)).family()
    assert family == ("JetBrains Mono" if role == "mono" else "Inter")


def test_alpha_of_the_tokens_is_in_the_colour():
    assert theme.current().color("mask_overlay.fill").alphaF() == pytest.approx(0.46, abs=0.01)


@pytest.mark.parametrize("kind", list(ResourceType))
def test_every_type_has_a_colour_and_a_shape(kind):
    assert theme.current().type_color(kind) == theme.current().color(f"resource_type.{theme.base_type(kind)}")
    assert not shapes.type_path(kind, 10).isEmpty()


def test_no_two_types_look_the_same_without_colour():
    grey = QColor("white")
    names = theme.tokens()["type_shape"]
    images = [painted(lambda p, r, n=n: shapes.paint_type(p, r, n, True, grey, QColor("black"))) for n in names]
    for i, image in enumerate(images):
        assert image not in images[i + 1 :]


@pytest.mark.parametrize("kind", list(theme.tokens()["type_shape"]))
def test_free_and_joined_ports_differ(kind):
    filled, free = (painted(lambda p, r, f=f: shapes.paint_type(p, r, kind, f)) for f in (True, False))
    assert kind == "any" or filled != free


def test_every_state_has_a_glyph_of_its_own():
    images = [painted(lambda p, r, s=s: shapes.paint_state(p, r, s, 0.5)) for s in STATES if s != "queued"]
    assert all(len(colours_in(image)) > 2 for image in images)
    for i, image in enumerate(images):
        assert image not in images[i + 1 :]


def test_the_ring_of_a_running_node_grows():
    few, many = (painted(lambda p, r, f=f: shapes.paint_state(p, r, "running", f)) for f in (0.2, 0.9))
    assert few != many


def test_an_icon_is_tinted():
    image = icons.pixmap("palette", QColor("#ff0000"), 24, 2.0).toImage()
    assert image.width() == 48
    solid = [QColor.fromRgba(c) for c in colours_in(image) if QColor.fromRgba(c).alpha() == 255]
    assert solid and all(c.red() > 240 and c.green() < 10 for c in solid)


def test_an_unknown_icon_gives_the_box():
    red = QColor("red")
    assert not icons.exists("no-such-icon")
    assert icons.pixmap("no-such-icon", red, 16).toImage() == icons.pixmap("box", red, 16).toImage()


def test_every_tool_has_an_icon_that_is_here():
    missing = {tool.id: tool.icon for tool in load_tools().tools.values() if not icons.exists(tool.icon)}
    assert missing == {}


@pytest.mark.parametrize("path", sorted((PROJECT / "desktop_app/ui").rglob("*.py")), ids=lambda path: path.stem)
def test_icons_named_in_the_window_are_here(path):
    named = re.findall(
        r'(?:icons\.(?:icon|pixmap)|IconButton|set_icon|_add\(made,)\(?\s*"([\w-]+)"', path.read_text("utf-8")
    )
    assert [name for name in named if not icons.exists(name)] == []


def test_an_icon_follows_the_theme(qapp):
    icon = icons.icon("search")
    dark = icon.pixmap(16, 16).toImage()
    theme.apply(qapp, "light")
    assert icon.pixmap(16, 16).toImage() != dark


def test_a_window_in_chinese_shows_no_boxes_where_the_system_has_no_font_for_it():
    han = QRawFont(lzma.decompress(make_chinese_font.FONT.read_bytes()), 12)
    assert han.familyName() in theme.load_fonts() and han.familyName() in theme._families(False)
    assert [c for c in make_chinese_font.said() if _is_chinese(c) and not han.supportsCharacter(ord(c))] == []


def test_no_bundled_font_has_outlines_whose_stems_qt_darkens():
    """Qt draws those of CFF heavier than they are: all Chinese looked bold."""
    fonts = [lzma.decompress(path.read_bytes()) for path in make_chinese_font.FONT.parent.glob("*.xz")]
    assert len(fonts) > 5 and all(font[:4] == b"\0\1\0\0" for font in fonts)
    names = theme.tokens()["font"]["cjk_fallback"]
    assert names.index("Graphwright Han") < names.index("Noto Sans CJK SC")  # which is such a font


def _is_chinese(character: str) -> bool:
    """Of those that texts of this program are written in; it also knows the names of letters of other writings."""
    return "\u4e00" <= character <= "\u9fff" or character in "，。、；：？！“”‘’（）《》「」…—"


def test_the_licences_lie_beside_what_they_cover():
    assert "ISC License" in (PROJECT / "resources/icons/LICENSE").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE" in (PROJECT / "resources/fonts/OFL.txt").read_text("utf-8")

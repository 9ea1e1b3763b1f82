"""The look: colours, fonts and sizes from resources/tokens.json, and the style sheet made from them.

Must not know any panel. Every painted widget asks `current()` and repaints when `signals().changed` is sent.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from desktop_app.core.fonts import shipped_fonts
from desktop_app.core.paths import RESOURCES
from desktop_app.i18n import catalogue

_ALIASES = {
    "edge": "map",
    "line": "map",
    "soft_edge": "map",
    "scribble": "map",
    "pose": "map",
    "depth": "map",
    "normal": "map",
    "html": "file",
    "url": "file",
    "flag": "number",
}
_TABULAR = frozenset({"key", "caption", "small", "node_footer", "node_badge", "mono", "control"})
_MONO_SIZE = 12
_HOLE = re.compile(r"/\*.*?\*/|\b(color|px|icon|font)\(([\w.-]+)\)", re.DOTALL)
"""What is filled in, in the style sheet, or left out."""


class Signals(QObject):
    """`changed` is sent after another theme or scale has been applied."""

    changed = Signal()


class Theme:
    """One set of values at one scale. Immutable; `apply` makes another one current."""

    def __init__(self, name: str, scale: float = 1.0) -> None:
        self.name = name
        self.scale = scale
        self._chinese = catalogue.language() == "zh"
        self._values: dict[str, Any] = tokens()["themes"][name]
        self._colors: dict[str, QColor] = {}
        self._fonts: dict[str, QFont] = {}

    def color(self, path: str) -> QColor:
        """The colour at a path such as "background.canvas" or "mask_overlay.fill"; its alpha is set where the
        tokens give one (`fill_alpha`). Raises KeyError for an unknown path. The colour is shared: copy to change.
        """
        found = self._colors.get(path)
        if found is None:
            group, _, key = path.partition(".")
            values = self._values[group]
            found = QColor(values[key])
            alpha = values.get(f"{key}_alpha")
            if alpha is not None:
                found.setAlphaF(alpha)
            self._colors[path] = found
        return found

    def tint(self, path: str, alpha: float) -> QColor:
        return faded(self.color(path), alpha)

    def type_color(self, resource_type: str) -> QColor:
        """The colour of a resource type; kinds of maps, files and numbers share one; unknown types get "any"."""
        name = base_type(resource_type)
        return self.color(f"resource_type.{name if name in self._values['resource_type'] else 'any'}")

    def value(self, *path: str) -> Any:
        """A number or table of this theme, such as value("shadow_card", "layers")."""
        found: Any = self._values
        for key in path:
            found = found[key]
        return found

    def font(self, role: str) -> QFont:
        """The font of a role, at the theme's scale, with tabular figures where numbers line up."""
        font = self._fonts.get(role)
        if font is None:
            scaled = not role.startswith("node_")
            font = self._fonts[role] = _font(role, self.scale if scaled else 1.0, self._chinese)
        return QFont(font)

    def px(self, n: float) -> int:
        """`n` pixels of the 100 % design in pixels of this scale."""
        return round(n * self.scale)


@cache
def tokens() -> dict[str, Any]:
    return json.loads((RESOURCES / "tokens.json").read_text(encoding="utf-8"))


def faded(color: QColor, alpha: float) -> QColor:
    """Another colour, as this one but for its alpha, 0..1."""
    made = QColor(color)
    made.setAlphaF(alpha)
    return made


def base_type(resource_type: str) -> str:
    """The type that gives colour and shape: "map" for "depth", "file" for "url", "number" for "flag"."""
    return _ALIASES.get(str(resource_type), str(resource_type))


@cache
def signals() -> Signals:
    return Signals()


_current: Theme | None = None


_STYLED = "graphwright_styled"


def current() -> Theme:
    """The theme in use; the dark one at 100 % before `apply` was called."""
    global _current
    if _current is None:
        _current = Theme("dark")
    return _current


def application() -> QApplication:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found


def apply(app: QApplication, name: str, scale: float = 1.0) -> None:
    """Gives the whole application the theme "dark" or "light" at a scale (1.0 = 100 %)."""
    global _current
    _current = Theme(name, scale)
    load_fonts()
    if not app.property(_STYLED):  # the style itself cannot be asked: under a style sheet it has another name
        app.setStyle("Fusion")
        app.setProperty(_STYLED, True)
    app.setFont(_current.font("body"))
    app.setPalette(_palette(_current))
    restyle(app, style_sheet(_current))
    signals().changed.emit()


def restyle(app: QApplication, sheet: str) -> None:
    """Makes `sheet` the style sheet of the application, and styles each widget once.

    `QApplication.setStyleSheet` by itself styles every widget once more for each of its parents: 0.8 s for the 1,100
    widgets of a window with all its pages, in place of 0.14 s.
    """
    if not app.styleSheet() or not sheet:
        app.setStyleSheet(sheet)  # the first one: Qt styles each widget once, and those not shown yet when they are
        return
    app.style().unpolish(app)  # forgets the rules of all widgets; with them Qt forgets whom to style anew
    app.setStyleSheet(sheet)
    app.style().polish(app)
    for window in app.topLevelWidgets():
        if window.parent() is not None:
            continue  # comes with its parent
        for widget in (window, *window.findChildren(QWidget)):  # parents before their children
            if isValid(widget):  # the new look of one before it may have deleted it
                if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
                    widget.style().polish(widget)
                QApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


@cache
def load_fonts() -> tuple[str, ...]:
    """Registers the bundled fonts and returns their families. Needs a QGuiApplication."""
    families: list[str] = []
    for data in shipped_fonts():
        number = QFontDatabase.addApplicationFontFromData(data)
        families += QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    return tuple(dict.fromkeys(families))


@cache
def _families(mono: bool) -> list[str]:
    load_fonts()
    here = set(QFontDatabase.families())  # naming a family that is not there costs a search and a warning
    names = tokens()["font"]["mono"] if mono else tokens()["font"]["family"]
    wanted = [*names, *tokens()["font"]["cjk_fallback"]]
    return [name for name in wanted if name in here] or ["sans-serif"]


def _font(role: str, scale: float, chinese: bool) -> QFont:
    facts = {"size": _MONO_SIZE, "weight": 400} if role == "mono" else tokens()["font"]["scale"][role]
    font = QFont()
    font.setFamilies(_families(role == "mono"))
    font.setPointSizeF(_points(facts["size"] * scale))
    font.setWeight(QFont.Weight(_weight(facts["weight"], chinese)))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if "tracking_em" in facts:
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 100 * (1 + facts["tracking_em"]))
    if role in _TABULAR:
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _weight(usual: int, chinese: bool) -> int:
    """Chinese fonts are regular or bold: for what lies between Qt takes the regular one, which makes no heading."""
    return int(QFont.Weight.Bold) if chinese and usual >= QFont.Weight.DemiBold else usual


def _points(pixels: float) -> float:
    screen = QGuiApplication.primaryScreen()
    return pixels * 72 / (screen.logicalDotsPerInch() if screen else 96)


def style_sheet(theme: Theme) -> str:
    """The style sheet of resources/style.qss with `color(path)`, `px(n)`, `font(role)`, `icon(name)` filled in."""
    made: dict[str, str] = {}

    def fill(hole: re.Match[str]) -> str:
        text = made.get(hole[0])
        if text is None:
            text = made[hole[0]] = _filled(theme, hole[1], hole[2])
        return text

    return _HOLE.sub(fill, (RESOURCES / "style.qss").read_text(encoding="utf-8"))


def _filled(theme: Theme, kind: str | None, value: str) -> str:
    match kind:
        case "color":
            return _css(theme.color(value))
        case "px":
            return f"{max(1, theme.px(float(value)))}px"
        case "icon":
            return f'url("{(RESOURCES / "icons" / value).as_posix()}.svg")'
        case "font":
            return _css_font(theme.font(value))
    return ""  # a comment


def _css(color: QColor) -> str:
    if color.alpha() == 255:
        return color.name()
    return f"rgba({color.red()}, {color.green()}, {color.blue()}, {color.alpha()})"


def _css_font(font: QFont) -> str:
    return f"font-size: {font.pointSizeF():.3f}pt; font-weight: {int(font.weight())};"


def _palette(theme: Theme) -> QPalette:
    role = QPalette.ColorRole
    colors = {
        role.Window: "background.panel",
        role.WindowText: "text.primary",
        role.Base: "background.field",
        role.AlternateBase: "background.raised",
        role.Text: "text.primary",
        role.Button: "background.raised",
        role.ButtonText: "text.primary",
        role.BrightText: "text.on_accent",
        role.ToolTipBase: "background.overlay",
        role.ToolTipText: "text.primary",
        role.PlaceholderText: "text.tertiary",
        role.Highlight: "accent.solid",
        role.HighlightedText: "text.on_accent",
        role.Link: "accent.text",
        role.LinkVisited: "accent.text",
        role.Accent: "accent.solid",
        role.Light: "background.hover",
        role.Midlight: "background.hover",
        role.Mid: "background.border",
        role.Dark: "background.border_strong",
    }
    palette = QPalette()
    for key, path in colors.items():
        palette.setColor(key, theme.color(path))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, theme.color("text.disabled"))
    palette.setColor(role.Shadow, QColor(Qt.GlobalColor.transparent))
    return palette

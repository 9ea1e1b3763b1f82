"""The window in the user's language: what `tr` and `translate` ask for is looked up in our own catalogue.

Must not know any panel. A window that stands keeps its words: another language needs a new window. What belongs to a
message of another language is said within `catalogue.speaking`.
"""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from desktop_app.i18n import catalogue

_QT_NAMES = {"zh": "qtbase_zh_CN"}
"""Qt's own words (menus of text fields, file dialogs) in each language, as Qt ships them."""


class Translator(QTranslator):
    """Texts by their English words, whoever says them."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """None for what the catalogue does not have: then Qt asks the next translator, and shows the English."""
        return catalogue.find(source, "window", "sentences", "messages") or None


_installed: list[QTranslator] = []


def wanted(setting: str) -> str:
    """The language for a setting: one of wording.LANGUAGES; for "" that of the system, else English."""
    if setting in catalogue.LANGUAGES:
        return setting
    for name in QLocale.system().uiLanguages():
        language = name.replace("_", "-").split("-")[0].lower()
        if language in catalogue.LANGUAGES:
            return language
    return "en"


def use(app: QApplication, setting: str) -> bool:
    """Gives the application the language of a setting. True when it had another one before."""
    language, before = wanted(setting), catalogue.language()
    catalogue.use(language)
    if language == before and _installed:
        return False
    while _installed:
        app.removeTranslator(_installed.pop())
    if language in _QT_NAMES:
        own = QTranslator(app)
        if own.load(_QT_NAMES[language], QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            _install(app, own)
    _install(app, Translator(app))
    return language != before


def _install(app: QApplication, translator: QTranslator) -> None:
    app.installTranslator(translator)
    _installed.append(translator)

"""Writes the guide's table of keys in each language from the registry of actions: `python -m tests.ui.guide_keys`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from desktop_app.core.paths import RESOURCES
from desktop_app.i18n import catalogue
from desktop_app.ui.main_window.action_registry import places
from desktop_app.ui.support.translator import Translator

PAGE = RESOURCES / "guide" / "keyboard.md"
PAGES = {"en": PAGE, "zh": PAGE.parent / "zh" / PAGE.name}
_WORDS = {
    "en": (
        "Keys",
        "Everything can be done without a mouse. On a Mac, Ctrl is the command key. This page is made from the\n"
        "program's own tables (`python -m tests.ui.guide_keys`).",
        "|keys|what they do|",
        "To the first page",
    ),
    "zh": (
        "按键",
        "不用鼠标，什么都能做。`Return` 和 `Enter` 是回车键，`Space` 是空格键，`Left`、`Right`、`Up`、`Down` 是方向键。"
        "在 Mac 上，Ctrl 是 Command 键。本页由程序生成（`python -m tests.ui.guide_keys`）。",
        "|按键|作用|",
        "回到首页",
    ),
}


def known() -> frozenset[str]:
    """Every key of the program, as Qt writes it."""
    return frozenset(_plain(keys) for actions in places().values() for action in actions for keys in action.keys)


def _plain(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)


def is_known(keys: str) -> bool:
    """True when the program does something at these keys."""
    return _plain(keys) in known()


def looks_like_keys(text: str) -> bool:
    """True for what is meant as keys: `Ctrl+K`, `F1`, `Esc`, one letter."""
    names = "Esc|Tab|Space|Return|Del|Backspace|Left|Right|Up|Down|Home|End"
    return bool(re.fullmatch(rf"(?:(?:Ctrl|Shift|Alt)\+)*(?:[A-Z0-9,+\-\[\]]|F\d+|{names})", text))


def page(language: str) -> str:
    """The page in that language."""
    app = QCoreApplication.instance() or QCoreApplication([])
    words = Translator(app)
    app.installTranslator(words)
    try:
        with catalogue.speaking(language):
            return "\n".join(_lines(*_WORDS[language])) + "\n"
    finally:
        app.removeTranslator(words)


def _lines(title: str, about: str, head: str, back: str) -> Iterator[str]:
    yield from (f"# {title}", "", about)
    for place, actions in places().items():
        keys: dict[str, list[str]] = {}
        for action in actions:
            if action.keys:  # several keys that do the same are one line
                keys.setdefault(action.name, []).extend(action.keys)
        yield from ("", f"## {place}", "", head, "|-|-|")
        for name, row in keys.items():
            said = name if name.split()[0] in row else name[:1].lower() + name[1:]  # "A in front" is of the key A
            yield f"|{', '.join(f'`{one}`' for one in row)}|{said}|"
    yield from ("", f"[{back}](index.md)")


if __name__ == "__main__":
    for language, path in PAGES.items():
        path.write_text(page(language), "utf-8")

"""Text to tokens: words with their stems, quoted texts, file names, addresses, numbers. Knows no tools."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from functools import cache, lru_cache

from desktop_app.storage.resources import type_of_name

MAX_CHARACTERS = 20_000
"""A longer request is read up to here."""

_TYPE_OF_ENDING = {".text": "text", ".jpeg": "image", ".srt": "text", ".vtt": "text", ".json": "file"}
_HAN = r"\u3040-\u30ff\u3400-\u9fff"
_ENDS_URL = rf"\s'\"<>()，。、；：！？（）「」{_HAN}"
_REST = rf"[^{_ENDS_URL}]*[^.,;:!?{_ENDS_URL}]"
_URL = rf"(?:https?|ftp)://{_REST}|www\.{_REST}|\w[\w-]*(?:\.\w[\w-]*)*\.(?:com|org|net|io)(?:/{_REST})?"
_FILE = rf"(?:[^\W{_HAN}]|[/\\~-])(?:[^\W{_HAN}]|[.\-/\\~])*\.[A-Za-z][A-Za-z0-9]{{1,4}}(?![A-Za-z0-9_])"
_QUOTE = (
    r"\"[^\"\n]+\"|(?<!\d)\"(?:[^\"\n]|\n(?!\n))+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|「[^」]+」|`[^`\n]+`|‘[^’]+’(?!\w)|"
    r"(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w))+'(?!\w)"
)
_NUMBER = r"\d+:\d\d(?::\d\d)?|(?:(?<=\s)[-−])?\d+(?:[.,]\d+)*\s?%|\d+(?:\.\d+)?(?=x\b)|(?:(?<=\s)[-−])?\d+(?:[.,]\d+)*"
_TOKEN = (
    rf"(?P<quote>{_QUOTE})|(?P<url>{_URL})|(?P<file>{_FILE})|(?P<number>(?![23][dD]\b)(?:{_NUMBER}))"
    rf"|(?P<word>[23][dD]\b|[mM][pP][34]\b|[{_HAN}]+|[^\W\d_{_HAN}]+(?:['’][^\W\d_{_HAN}]+)?)|"
    r"(?P<stop>[.!?;:\n,()。，；：！？、-])"
)
_IDEOGRAPH = re.compile(rf"[{_HAN}]")


@dataclass(frozen=True)
class Token:
    """`kind` is word, number, quote, file, url or stop. `text` as written (quotes without their marks).

    `word` is the lower-case form, `type` the resource type of a file name, `start` and `end` offsets in the text.
    """

    kind: str
    text: str
    word: str
    start: int
    end: int
    type: str = ""


def tokens_of(text: str) -> list[Token]:
    """The tokens in order. Words in Chinese or Japanese writing come as whole runs of characters."""
    return list(_tokens(text[:MAX_CHARACTERS]))


@lru_cache(maxsize=1024)
def _tokens(text: str) -> tuple[Token, ...]:
    """A plan reads the same stretches of a request some hundred times."""
    return tuple(_token(match) for match in _pattern(_TOKEN).finditer(text))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Compiled when first used: it takes 20 ms, for which no window waits."""
    return re.compile(text)


def _token(match: re.Match[str]) -> Token:
    kind, text = match.lastgroup or "word", match.group()
    if kind == "quote":
        inner = text[1:-1].strip()
        if _pattern(_URL).fullmatch(inner):
            kind = "url"
        elif _pattern(_FILE).fullmatch(inner) and file_type(inner):
            kind = "file"
        text = inner
    elif kind == "file" and not file_type(text):
        kind = "word"
    if kind == "url" and "/" not in text and not text.startswith("www."):
        kind = "file" if file_type(text) and not text.endswith((".com", ".org", ".net", ".io")) else "url"
    word = text.lower().replace("’", "'")
    return Token(kind, text, word, match.start(), match.end(), file_type(text) if kind in ("file", "url") else "")


_FILE_ENDINGS = (".pdf", ".docx", ".odt", ".epub", ".xlsx", ".ods", ".srt", ".json", ".zip")


def file_type(name: str) -> str:
    """The type that a file has by the ending of its name; "" where that says nothing."""
    ending = "." + name.rpartition(".")[2].lower()
    found = _TYPE_OF_ENDING.get(ending) or str(type_of_name(name))
    return found if found != "file" or ending in _FILE_ENDINGS else ""


def is_ideographic(text: str) -> bool:
    """True when the text holds Chinese or Japanese characters."""
    return _IDEOGRAPH.search(text) is not None


_APART = {
    "position": "position", "positions": "position", "pixelate": "pixelat", "pixelated": "pixelat",
    "pixelates": "pixelat", "pixelation": "pixelat",
    **dict.fromkeys((
        "colorize", "colourize", "colorise", "colourise", "colorized", "colourised", "colorised", "colorizer",
        "colorizing", "colorization", "colourisation", "colorizes",
    ), "coloriz"),
}  # fmt: skip
"""Words that the stemmer confuses with others: 30 pixels wide is not pixelated."""

_STEMMERS = threading.local()
"""By language. A stemmer holds the word it works at: two threads with one of them get each other's."""


@lru_cache(maxsize=50_000)
def stem(word: str, language: str = "english") -> str:
    """The stem of a lower-case word; words in other writings stay as they are."""
    word = word.replace("’", "'").removesuffix("'s")
    if word in _APART:
        return _APART[word]
    if not word.isascii() and is_ideographic(word):
        return word
    language = "english" if language == "chinese" else language  # there is no stemmer for Chinese, nor need of one
    own = vars(_STEMMERS)
    if language not in own:
        import snowballstemmer  # here: the first window does without

        own[language] = snowballstemmer.stemmer(language)
    return own[language].stemWord(word)


def plain_words(text: str) -> list[str]:
    """Lower-case words of a short text, split at hyphens, underscores and changes from small to capital letters."""
    return list(_plain_words(text))


@lru_cache(maxsize=4096)
def _plain_words(text: str) -> tuple[str, ...]:
    """A plan asks for those of the same names of ports and titles of tools some hundred times."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).replace("_", " ").replace("-", " ")
    return tuple(token.word for token in tokens_of(spaced) if token.kind == "word")

"""Whether a name that was given to a thing is of the kind that is asked for: plurals, synonyms and the words of German,
French, Spanish and Chinese count (resources/kinds.toml).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from nodes._support.language.words import stem

_FILE = Path(__file__).resolve().parents[3] / "resources" / "kinds.toml"
_ENDINGS = ("", "s", "x", "es", "e", "n", "en", "er")
_KINDS = (
    {"person", "people", "man", "woman", "men", "women", "human", "boy", "girl", "child", "children", "kid"},
    {"dog", "puppy", "hound"},
    {"cat", "kitten", "kitty"},
    {"car", "automobile", "vehicle"},
    {"bicycle", "bike", "cycle"},
    {"motorcycle", "motorbike"},
    {"airplane", "plane", "aeroplane", "aircraft"},
    {"couch", "sofa"},
    {"tv", "television", "monitor", "screen"},
    {"phone", "cellphone", "smartphone", "telephone"},
    {"cup", "mug"},
    {"boat", "ship"},
    {"bird", "pigeon", "duck", "parrot"},
    {"face", "head"},
    {"plant", "potted plant", "houseplant"},
    {"table", "dining table", "desk"},
)
_ODD_PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child", "mice": "mouse"}
_IGNORED = frozenset(("the", "a", "an", "of", "all", "every", "each", "only", "and", "or", "one"))


def words_of(text: str) -> list[str]:
    """The words of a wish that name kinds, in English where they are known."""
    return [word for word in re.findall(r"\w+", in_english(text)) if word not in _IGNORED]


def in_english(text: str) -> str:
    """The text in small letters, with kinds that are named in another language in English: "die Hunde" is "die dog"."""
    pattern, names = _abroad()
    return pattern.sub(lambda found: f" {names[found[0]]} " if found[0] >= "\u3400" else names[found[0]], text.lower())


@cache
def _abroad() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern of all words of other languages, the longest first, and the English name by word."""
    names: dict[str, str] = {}
    for english, words in tomllib.loads(_FILE.read_text("utf-8"))["kinds"].items():
        for word in (one.strip() for one in words.split(",")):
            endings = ("",) if word >= "\u3400" or " " in word else _ENDINGS
            names.update({word + ending: english for ending in endings if word + ending not in names})
    ordered = sorted(names, key=len, reverse=True)
    plain = [re.escape(word) for word in ordered if word < "\u3400"]
    signs = [re.escape(word) for word in ordered if word >= "\u3400"]
    return re.compile(rf"(?<!\w)(?:{'|'.join(plain)})(?!\w)|{'|'.join(signs)}"), names


def fits(wanted: Iterable[str], label: str) -> bool:
    """True when a word of both has the same stem ("dogs", "dog") or both mean the same ("puppy", "dog")."""
    return any(_same(word, label) for word in wanted)


def _same(word: str, label: str) -> bool:
    wanted = _meanings(word)
    return any(wanted & _meanings(part) for part in (label.lower(), *re.findall(r"\w+", label.lower())))


def _meanings(word: str) -> set[str]:
    """Stems of the word and of all words that mean the same."""
    word = _ODD_PLURALS.get(word, word)
    own = stem(word, "en")
    kinds = [kind for kind in _KINDS if any(stem(other, "en") == own for other in kind)]
    return {own, *(stem(_ODD_PLURALS.get(other, other), "en") for kind in kinds for other in kind)}

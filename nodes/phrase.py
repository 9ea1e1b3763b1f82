"""What is said to the user, as a value: an English template and what stands in its places, until it is shown.

Must not know any other language. Whoever shows it translates the template and each value (desktop_app/i18n).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

LIST = "list"
SPELLED = "spelled"
"""The section of phrases that stand one after the other; their template is what stands between them."""
_PLACE = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa])(?= \{(\w+)\})")
_FIRST_WORD = re.compile(r"[a-z]+|\d+")
_SPOKEN_LETTERS = re.compile(r"[a-z]\d|[b-df-hj-np-tv-xz]+(?![a-z])")
"""A word that nobody can say: its letters are said one by one."""
_VOWEL_LETTERS = "aefhilmnorsx"
"""Of these the name begins with a vowel: "an S"."""
_AS_YOU_OR_WON = re.compile(r"eu|one|once|u[^aeiou][aeiou]")
_MOST_CHARACTERS, _MOST_PLACES, _DEEPEST = 20_000, 100, 6
"""What is larger is written down as the plain text that it makes, and is not read."""
_KEYS = frozenset(("template", "section", "values"))


class Phrase(str):
    """The English text, wherever a str is wanted; `template`, `section` and `values` say how it came about.

    `Phrase("{file} has only {n} pages.", file=name, n=3)`. A value that is a Phrase is translated where the whole is;
    any other is foreign (a file's name, what the user wrote, what a library said) and stays as it is.

    `section` is that of the catalogue which knows the template: "messages", or "tools", "ports", "types" and so on for
    what is declared there: `Phrase(tool.title, "tools")`. Such a name may be `spelled` otherwise: "blurring".
    What methods of str give is plain text.
    """

    template: str
    section: str
    values: Mapping[str, str]

    def __new__(cls, template: str, section: str = "messages", /, **values: object) -> Phrase:
        said = {name: _text(value) for name, value in values.items()}
        text = template
        if section == LIST:
            text = template.join(said.values())
        elif said:
            text = said.get(SPELLED) or english(template, said)
        made = super().__new__(cls, text)
        made.template, made.section, made.values = template, section, said
        return made

    @classmethod
    def of(cls, text: str) -> Phrase:
        """The text as it is, or as its own template where it is plain."""
        return text if isinstance(text, Phrase) else cls(text)

    def __deepcopy__(self, memo: object) -> Phrase:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.template, self.section, dict(self.values))


def joined(*parts: str) -> str:
    """Sentences one after the other, without empty ones. Each is its own template where it is plain text."""
    return listed((Phrase.of(part) for part in parts if part), " ")


def listed(parts: Iterable[object], separator: str = ", ") -> str:
    """Names or phrases with `separator` between them; a single one as it is, "" for none."""
    held = list(parts)
    if len(held) == 1 and isinstance(held[0], str):
        return held[0]
    return _made(separator, LIST, {str(place): part for place, part in enumerate(held)}) if held else ""


def parts(text: str) -> list[str]:
    """The sentences that `joined` put together."""
    if isinstance(text, Phrase) and (text.section, text.template) == (LIST, " "):
        return list(text.values.values())
    return [text]


def replaced(text: str, old: str, new: str) -> str:
    """The text with every `old` in its values, or in a plain text, replaced."""
    if not isinstance(text, Phrase):
        return text.replace(old, new)
    template = text.template if text.values else text.template.replace(old, new)
    return _made(template, text.section, {name: replaced(value, old, new) for name, value in text.values.items()})


def unstopped(text: str) -> Phrase:
    """A sentence within another one: without its full stop."""
    return Phrase("{text}", text=Phrase.of(text), spelled=text.rstrip("."))


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with each `{name}` that has a value replaced by it. Nothing else in braces means anything."""
    return _PLACE.sub(lambda place: values.get(place[1], place[0]), template)


def english(template: str, values: Mapping[str, str]) -> str:
    """As `filled`, with "an" for the "a" of the template where the value after it is spoken so: "an mp3 file"."""
    return filled(_ARTICLE.sub(lambda a: a[1] + "n" * is_spoken_with_vowel(values.get(a[2], "")), template), values)


def is_spoken_with_vowel(text: str) -> bool:
    """True where "an" stands before it: "image", "mp3", "SVG", "8-bit". Not before "unit", "flac" and "one"."""
    lower = text.lower().lstrip(" \"'(“‘.")
    first = _FIRST_WORD.match(lower)
    if first is None:
        return False
    if first[0].isdigit():
        return first[0][0] == "8" or first[0] in ("11", "18")
    if _SPOKEN_LETTERS.match(lower) or len(first[0]) == 1:
        return lower[0] in _VOWEL_LETTERS
    return lower[0] in "aeiou" and not _AS_YOU_OR_WON.match(lower)


def to_json(text: str) -> Any:
    """The text as plain data; `from_json` reverses it. A phrase that could not be read back is plain text."""
    if not isinstance(text, Phrase):
        return text
    data = _data(text)
    try:
        from_json(data)
    except ValueError:
        return str(text)
    return data


def from_json(data: Any) -> str:
    """A text, or a phrase that anybody may have written. Raises ValueError for what is neither, or is too large."""
    if isinstance(data, str):
        return data
    return _read(data, _DEEPEST)


def _text(value: object) -> str:
    """A value as text; of an exception what it says, as it was put together."""
    if isinstance(value, BaseException) and len(value.args) == 1 and isinstance(value.args[0], Phrase):
        return value.args[0]
    return value if isinstance(value, str) else str(value)


def _data(text: str) -> Any:
    if not isinstance(text, Phrase):
        return text
    return {
        "template": text.template,
        "section": text.section,
        "values": {name: _data(value) for name, value in text.values.items()},
    }


def _read(data: Any, deepest: int) -> Phrase:
    if not isinstance(data, dict) or data.keys() != _KEYS or not deepest:
        raise ValueError("it is no phrase")
    template, section, values = data["template"], data["section"], data["values"]
    if not isinstance(template, str) or not isinstance(section, str) or not isinstance(values, dict):
        raise ValueError("it is no phrase")
    if max(len(template), len(section)) > _MOST_CHARACTERS or max(len(values), template.count("{")) > _MOST_PLACES:
        raise ValueError("the phrase is too large")
    read = {name: value if isinstance(value, str) else _read(value, deepest - 1) for name, value in values.items()}
    times = len(read) if section == LIST else template.count("{")
    if len(template) * max(times, 1) + times * max(map(len, read.values()), default=0) > _MOST_CHARACTERS * 5:
        raise ValueError("the phrase is too large")
    return _made(template, section, read)


def _made(template: str, section: str, values: Mapping[str, object]) -> Phrase:
    return Phrase(template, section, **values)

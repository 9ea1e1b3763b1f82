"""Requests as people in a hurry type them, or as polite ones do: the same wish in small letters, with typing errors, or
with courtesies around it. What the plan shall be stays as it is.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Any

_ASKING = {
    "en": ("could you please {}, thanks", "hi! I'd be grateful if you could {}", "would you mind helping me: {}"),
    "de": ("könntest du bitte Folgendes machen: {} Danke!", "Hallo, eine Bitte: {}", "Wärst du so lieb: {}"),
    "fr": ("bonjour, est-ce que tu pourrais faire ceci : {} merci", "s'il te plaît : {}", "peux-tu m'aider : {}"),
    "es": ("hola, ¿podrías hacer esto, por favor?: {} gracias", "por favor: {}", "te pido un favor: {}"),
    "zh": ("你好，麻烦你{}，谢谢", "请帮个忙：{}", "能不能帮我一下：{}"),
}
_WORD = re.compile(r"[^\W\d_]{5,}")
_ERRORS = 2
"""So many words are mistyped."""


def lower(row: Mapping[str, Any], dice: random.Random) -> dict[str, Any]:
    """Without capital letters; texts of the right plan as well, names of files only in the request."""
    files = {file["name"] for file in row.get("resources", ())}
    return {**row, "request": row["request"].lower(), "gold": _lowered(row["gold"], files)}


def typos(row: Mapping[str, Any], dice: random.Random) -> dict[str, Any]:
    """With letters exchanged in two words that stand in no file's name and in no value of the right plan."""
    text = row["request"]
    kept = " ".join([*(file["name"] for file in row.get("resources", ())), *_texts(row["gold"])]).lower()
    free = [word for word in _WORD.finditer(text) if word[0].lower() not in kept and word[0].isascii()]
    for word in dice.sample(free, min(_ERRORS, len(free))):
        at = word.start() + dice.randrange(1, len(word[0]) - 1)
        text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return {**row, "request": text}


def polite(row: Mapping[str, Any], dice: random.Random) -> dict[str, Any]:
    """Asked for in a friendly way, in the row's language."""
    text = row["request"]
    named = any(text.startswith(file["name"]) for file in row.get("resources", ()))
    text = text if named or row["language"] == "de" else text[:1].lower() + text[1:]
    return {**row, "request": dice.choice(_ASKING[row["language"]]).format(text.rstrip("."))}


WAYS: Mapping[str, Callable[[Mapping[str, Any], random.Random], dict[str, Any]]] = {
    "--lower": lower, "--typos": typos, "--polite": polite,
}  # fmt: skip


def _lowered(value: Any, kept: set[str]) -> Any:
    if isinstance(value, str):
        return value if value in kept else value.lower()
    if isinstance(value, Mapping):
        return {key: _lowered(one, kept) for key, one in value.items()}
    return [_lowered(one, kept) for one in value] if isinstance(value, list) else value


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    held = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [text for one in held for text in _texts(one)]

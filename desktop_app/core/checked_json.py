"""JSON that somebody else may have written: parsed within bounds, and read field by field.

Everything here raises ValueError with words that end a sentence ("the number 1e999 is too large"), and nothing else,
whatever the text holds. All of it takes time in proportion to the text. Must not know what the data is of.
"""

from __future__ import annotations

import json
import keyword
import math
import re
from collections.abc import Mapping
from typing import Any

DEEPEST = 64
"""So deep lists and objects may lie in each other; no file of ours goes beyond 10."""
NAME = 1000
"""The most characters of a name."""
_LARGEST = 2**63
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SHOWN = 40


def parsed(text: str | bytes) -> Any:
    """The data. Numbers are finite and below 2^63, nothing lies deeper than DEEPEST, every text can be written."""
    try:
        data = json.loads(text, parse_int=_integer, parse_float=_number, parse_constant=_number)
    except RecursionError:
        raise ValueError(f"it is nested more than {DEEPEST} deep") from None
    _check_depth(data)
    said = text if isinstance(text, str) else text.decode("latin-1")
    if _HALF.search(said):
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("it holds half a character") from None
    return data


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} is {_kind(value)} and should be an object")
    return value


def items(data: Mapping[str, Any], name: str, default: tuple[()] | None = None) -> list[Any]:
    """The list of that name; empty for `default=()` when there is none."""
    if name not in data and default is not None:
        return []
    value = _needed(data, name)
    if not isinstance(value, list):
        raise ValueError(f"'{name}' is {_kind(value)} and should be a list")
    return value


def text(data: Mapping[str, Any], name: str, default: str | None = None, most: int = NAME) -> str:
    """The text of that name, of at most so many characters; `default` when there is none."""
    if name not in data and default is not None:
        return default
    value = _needed(data, name)
    if not isinstance(value, str):
        raise ValueError(f"'{name}' is {_kind(value)} and should be text")
    if len(value) > most:
        raise ValueError(f"'{name}' has {len(value):,} characters, more than {most:,}")
    return value


def name(data: Mapping[str, Any], key: str) -> str:
    """A text on one line that is not empty."""
    value = text(data, key)
    if not value or _CONTROL.search(value):
        raise ValueError(f"'{key}' is {value[:_SHOWN]!r}, which is no name")
    return value


def port(value: Any) -> str:
    """The name of a port: an identifier of ASCII letters that is no keyword, as it names a parameter."""
    if not is_port(value):
        raise ValueError(f"{str(value)[:_SHOWN]!r} is no name of a port")
    return value


def is_port(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > NAME:
        return False
    return value.isascii() and value.isidentifier() and not keyword.iskeyword(value)


def number(value: Any, what: str, low: float = -1e15, high: float = 1e15) -> float:
    """A finite number within the limits."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{what} is {_kind(value)} and should be a number")
    if not low <= value <= high:  # of NaN, false
        raise ValueError(f"{what} is {str(value)[:_SHOWN]}, which is not from {low:g} to {high:g}")
    return float(value)


def _needed(data: Mapping[str, Any], name: str) -> Any:
    if name not in data:
        raise ValueError(f"'{name}' is missing")
    return data[name]


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return kinds.get(type(value), "nothing")


def _integer(digits: str) -> int:
    if len(digits) > 20 or not -_LARGEST < (value := int(digits)) < _LARGEST:
        raise ValueError(f"the number {digits[:_SHOWN]} is too large")
    return value


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"the number {digits[:_SHOWN]} is too large")
    return value


def _check_depth(data: Any) -> None:
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > DEEPEST + 1:
            raise ValueError(f"it is nested more than {DEEPEST} deep")
        level = [
            one
            for whole in level
            if isinstance(whole, dict | list)
            for one in (whole.values() if isinstance(whole, dict) else whole)
        ]

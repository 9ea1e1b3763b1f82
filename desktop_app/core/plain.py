"""Values of dataclasses as plain data, to be written as JSON, and back by the types of their fields.

A field that is not there has its default, and one that nobody knows is left out, so that programs of other times can
read what was written. What is read may be of any form. Must not know which values there are.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from nodes import phrase

Special = Mapping[type, Callable[[Any], Any]]
"""By type, what is written or read in its own way."""
_NONE: Special = {}
_PLAIN = frozenset((str, int, bool, types.NoneType))
"""What is written as it is: a phrase is no plain str."""


def to_plain(value: Any, special: Special = _NONE) -> Any:
    """The value as what JSON knows; phrases as their templates and values."""
    if type(value) in _PLAIN:
        return value
    if (own := special.get(type(value))) is not None:
        return own(value)
    if isinstance(value, str):
        return phrase.to_json(value)
    if is_dataclass(value):
        return {each.name: to_plain(getattr(value, each.name), special) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: to_plain(one, special) for name, one in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [to_plain(one, special) for one in value]
    return value


def from_plain(kind: Any, data: Any, special: Special = _NONE) -> Any:
    """A value of that type (a class, or what stands behind the colon of a field). Raises TypeError or ValueError for
    data of another form, and what the readers of `special` raise.
    """
    if kind in (str, int, float, bool):
        return data if type(data) is kind and kind in _PLAIN else _scalar(kind, data)
    if kind in special:
        return special[kind](data)
    origin, of = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _one_of(of, data, special)
    if origin is not None:
        return _several(origin, of, data, special)
    if isinstance(kind, type) and is_dataclass(kind):
        given = _checked(data, dict)
        held = ((name, hint, given[name]) for name, hint in _hints(kind).items() if name in given)
        return kind(**{name: one if type(one) is hint and hint in _PLAIN else from_plain(hint, one, special)
                       for name, hint, one in held})  # fmt: skip
    if hasattr(kind, "_fields"):
        values = zip(_hints(kind).values(), _checked(data, list), strict=False)
        return kind(*(from_plain(hint, one, special) for hint, one in values))
    return data if kind is Any else _scalar(kind, data)


@functools.cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _one_of(kinds: tuple[Any, ...], data: Any, special: Special) -> Any:
    """The first of the types that the data is of."""
    if data is None and types.NoneType in kinds:
        return None
    first: Exception = TypeError(f"{str(data)[:40]!r} is nothing of what should be")
    for place, kind in enumerate(kind for kind in kinds if kind is not types.NoneType):
        try:
            return from_plain(kind, data, special)
        except (TypeError, ValueError) as error:
            first = error if place == 0 else first
    raise first


def _several(origin: Any, of: tuple[Any, ...], data: Any, special: Special) -> Any:
    if origin is tuple and of[-1] is not ...:
        return tuple(from_plain(kind, one, special) for kind, one in zip(of, _checked(data, list), strict=True))
    if origin in (tuple, frozenset):
        return origin(from_plain(of[0], one, special) for one in _checked(data, list))
    given = _checked(data, dict).items()
    return {from_plain(of[0], name, special): from_plain(of[1], one, special) for name, one in given}


def _scalar(kind: type, data: Any) -> Any:
    if kind is str:
        return phrase.from_json(data)
    if kind is float and type(data) in (int, float) and math.isfinite(data):
        return float(data)
    raise TypeError(f"{str(data)[:40]!r} is no {kind.__name__}")


def _checked(data: Any, kind: type) -> Any:
    if not isinstance(data, kind):
        raise TypeError(f"{type(data).__name__} where {kind.__name__} should be")
    return data

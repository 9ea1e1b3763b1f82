"""Patterns for wishes out of lists of phrases, as resources/values.toml has them for what is put in plainer words.

Phrases are apart by commas. In a phrase words apart by "/" stand for each other, <name> stands for another list, "#"
for a number, {name} for some words that are kept; "?" and "*" behind these as in patterns.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from desktop_app.core.paths import RESOURCES
from desktop_app.plan.language.tokenizer import is_ideographic, tokens_of

BREAKS = r",.;:!?\n，。；：！？、"
"""The signs between wishes, for a class of a pattern."""
_TOKEN = re.compile(r"(?:<(?P<list>\w+)>|\{(?P<name>\w+)\}|(?P<words>[^\s?*]+))(?P<times>[?*]?)")


@cache
def lists_of(what: str) -> Mapping[str, Mapping[str, Any]]:
    """The lists for what is put in plainer words, by language."""
    return tomllib.loads((RESOURCES / "values.toml").read_bytes().decode())[what]


def languages_of(text: str, what: str) -> list[str]:
    """The languages in which a request may say that, as it has one of their `signs`: the patterns of the others, which
    take a moment to make, are not needed.
    """
    said = text.lower()
    languages = lists_of(what).items()
    return [name for name, lists in languages if any(sign.strip() in said for sign in lists["signs"].split(","))]


def any_of(phrases: str, lists: Mapping[str, Any], until: str = "") -> str:
    """A pattern for any of the phrases, with the spaces behind it; words that are kept go on to no place where the
    pattern `until` fits.
    """
    return "|".join(_phrase(one.strip(), lists, until) for one in phrases.split(",") if one.strip())


def is_quoted(found: re.Match[str], text: str) -> bool:
    """True where a quote of the text is in what was found, or around it."""
    return any(one.kind == "quote" and one.start < found.end() and found.start() < one.end for one in tokens_of(text))


def _phrase(phrase: str, lists: Mapping[str, Any], until: str) -> str:
    return "".join(f"(?:{_token(token, lists, until)}){token['times']}" for token in _TOKEN.finditer(phrase))


def _token(token: re.Match[str], lists: Mapping[str, Any], until: str) -> str:
    if token["name"]:
        within = f"(?!{until})" if until else ""
        return rf"(?P<{token['name']}>(?:{within}[^{BREAKS}])+?)\s*"
    one = any_of(lists[token["list"]], lists) if token["list"] else "|".join(map(_word, token["words"].split("/")))
    return rf"(?:{one})\s*+"


def _word(word: str) -> str:
    if word == "#":
        return r"\d+"
    start = r"(?<!\w)" if word[0].isalnum() and not is_ideographic(word[0]) else ""
    end = r"(?!\w)" if word[-1].isalnum() and not is_ideographic(word[-1]) else ""
    return start + re.escape(word) + end

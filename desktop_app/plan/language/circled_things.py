"""Circles around things, said plainer: "circle the faces in red" is "draw boxes around the faces in red";
`plan/revision/round_boxes.py` tells what draws them that they are to be round.

Knows no tools; the words are in resources/values.toml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from desktop_app.plan.language.spelling import Corrected, reworded
from desktop_app.plan.language.word_patterns import BREAKS, any_of, is_quoted, languages_of, lists_of

_CIRCLED = "circled"


def boxed(read: Corrected) -> Corrected:
    """The request, in which boxes stand in the place of circles around something; itself where there are none."""
    text = read.request.text.replace("’", "'")
    for form, plain in (pair for name in languages_of(text, _CIRCLED) for pair in _forms(name)):
        found = form.search(text)
        if found is not None and not is_quoted(found, text):
            said = {name: (words or "").strip() for name, words in found.groupdict().items()}
            if _picture().fullmatch(said["what"]):
                return read  # "circle it" is pointed at
            words = " ".join(plain.format_map({"colour": "", **said}).split())
            gap = " " if text[found.end() - 1].isspace() else ""
            return reworded(read, found.start("wish"), found.end(), words + gap)
    return read


@cache
def _picture() -> re.Pattern[str]:
    """The words for the picture itself, with those that lead to it, and for what is only pointed at."""
    small: Mapping[str, Any] = lists_of("small")
    named = any_of(f"{small['whole picture']}, {small['it']}, {small['this_one']}", {})
    return re.compile(rf"(?:{any_of(small['leading to it'], {})})*(?:{named})", re.I)


@cache
def _forms(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns of such wishes in a language, each with the plain wish for it."""
    language = lists_of(_CIRCLED)[name]
    joints = any_of(language["joints"], language)
    before = rf"(?:^|[{BREAKS}]|{joints})\s*(?:{any_of(language['lead'], language)})*"
    end = rf"(?=\s*(?:[{BREAKS}]|$|{joints}))"
    # What is named goes on into no other wish: 把脸圈出来再裁成正方形 names the face.
    forms = ((any_of(form, language, joints), plain) for form, plain in language["forms"].items())
    return tuple((re.compile(f"{before}(?P<wish>{form}){end}", re.I), plain) for form, plain in forms)

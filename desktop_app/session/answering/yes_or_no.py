"""Whether a number is so large as a question supposes: "more than 20 coins?", "is it longer than 5 seconds?"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from desktop_app.i18n import catalogue
from desktop_app.plan.arguments.quantities import quantities
from desktop_app.plan.arguments.value_tables import read_words
from desktop_app.session.answering.finding_budget import Finding
from desktop_app.session.answering.statements import Statement
from nodes.api import ResourceType

_NUMBERED = (ResourceType.NUMBER, ResourceType.BOXES, ResourceType.TABLE)
_OPEN = (
    r"\b(?:how|which|what|where|who|wie|welche[rsn]?|was|wo|wer|combien|quel(?:le)?s?|où|cuánt[ao]s?|qué|dónde)\b"
    r"|多少|几|哪|什么"
)
_BOUNDS = {
    operator.gt: r"(?:more|longer|larger|bigger|greater|wider|taller|higher|louder) than|over|above"
    r"|(?:mehr|länger|größer|breiter|höher|lauter) als|über"
    r"|plus (?:d(?:e|')|(?:longue?|grande?|large|haute?|forte?) que)"
    r"|más (?:de|(?:larg|anch|alt)[oa] que|grande (?:de|que))"
    r"|超过|多于|大于|长于|高于|宽于",
    operator.ge: r"at least|no (?:less|fewer) than|mindestens|au moins|al menos|por lo menos|至少",
    operator.lt: r"(?:fewer|less|shorter|smaller|lower|narrower|quieter) than|under|below"
    r"|(?:weniger|kürzer|kleiner|schmaler|niedriger|leiser) als|unter"
    r"|moins (?:d(?:e|')|(?:longue?|grande?|large|haute?) que)|plus (?:courte?|petite?|basse?) que"
    r"|menos (?:de|(?:larg|anch|alt)[oa] que)|más (?:cort[oa]|pequeñ[oa]|baj[oa]) que|少于|不到|小于|短于|低于",
    operator.le: r"at most|no more than|höchstens|au plus|como mucho|最多|不超过",
}


@cache
def _patterns() -> tuple[re.Pattern[str], Sequence[tuple[Callable[[Any, Any], Any], re.Pattern[str]]]]:
    """Those of an open question, and of each bound: compiled when first used, for which no window waits."""
    bounds = [
        (holds, re.compile(rf"(?:^|\W|(?<=[\u3400-\u9fff]))(?:{words})\s*$", re.I)) for holds, words in _BOUNDS.items()
    ]
    return re.compile(_OPEN, re.I), bounds


def answered(request: str, found: Sequence[Finding], said: list[Statement]) -> list[Statement]:
    """The statements, that of the one number that was asked for with "yes" or "no" before it, where
    the request asks whether it lies above or below another one.
    """
    numbers = [one for one in found if one.wanted and one.resource.type in _NUMBERED and _measured(one) is not None]
    measured = _measured(numbers[0]) if len(numbers) == 1 else None
    verdict = holds(request, *measured) if measured is not None else None
    if verdict is None:
        return said
    word = catalogue.say("yes") if verdict else catalogue.say("no")
    place = next((n for n, one in enumerate(said) if one.node == numbers[0].node), None)
    yes = f"{word[:1].upper()}{word[1:]}."
    return [one._replace(text=f"{yes} {one.text}") if n == place else one for n, one in enumerate(said)]


def holds(request: str, number: float, unit: str = "") -> bool | None:
    """True or False for a question whether there are more, or fewer, than a number; None for what is no such one, and
    for a number in another unit.
    """
    if not request.rstrip().endswith(("?", "\uff1f")):
        return None
    is_open, bounds = _patterns()
    if is_open.search(request):
        return None
    for quantity in quantities(request):
        if unit and quantity.unit not in ("", unit):
            continue
        before = request[: read_words(request)[quantity.first].start]
        found = [(len(match[0]), compare) for compare, words in bounds if (match := words.search(before))]
        if found:  # the longest: "no more than" holds "more than"
            return bool(max(found, key=lambda pair: pair[0])[1](number, quantity.value))
    return None


def _measured(finding: Finding) -> tuple[float, str] | None:
    """The number that a result is, and its unit: of a table of facts, that of the one fact that was asked for."""
    value = finding.value
    if finding.resource.type is ResourceType.TABLE:
        facts = [row for row in value.rows if len(row) == 3 and row[0] in finding.facts] if value else []
        number, unit = facts[0][1:] if len(facts) == 1 else (None, "")
        return (float(number), unit or "") if isinstance(number, int | float) else None
    return None if value is None else (float(len(value) if isinstance(value, tuple) else value), "")

"""What of a request is in no value of a plan."""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_app.plan.language.tokenizer import Token, tokens_of
from desktop_app.plan.tools.rewiring import is_source, items
from desktop_app.plan.types import Request, Solution

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def lost_values(request: Request, solution: Solution) -> list[Token]:
    """The numbers and the quoted texts of the request that no value holds; nor, a number, a file's name."""
    values = typed_in(solution)
    texts = " ".join(values).casefold()
    whole = " ".join((texts, *(given.name.casefold() for given in request.resources)))
    numbers = {float(value) for value in values if _NUMBER.fullmatch(value)}

    def is_lost(token: Token) -> bool:
        if token.kind == "quote":
            return token.text.casefold().strip() not in texts
        figures = re.escape(token.text.lstrip("+-").casefold())
        return token.kind == "number" and not (
            re.search(rf"(?<!\d){figures}", whole) or numbers & {*_worth(token.text)}
        )

    return [token for token in tokens_of(request.text) if is_lost(token)]


def typed_in(solution: Solution) -> list[str]:
    """The values of a plan that are neither files nor made by a step."""
    return [str(item) for step in solution.steps for item in items(step) if not is_source(item)]


def _worth(figures: str) -> Iterator[float]:
    """What a number may stand as at an input: "1:20" is 80 (seconds), "50%" 50 or 0.5, "2 minutes" 120."""
    plain = figures.strip("+-% ")
    try:
        if ":" in plain:
            total = 0.0
            for part in plain.split(":"):
                total = 60 * total + float(part)
            yield total
        else:
            number = float(plain.replace(",", "."))
            yield from (number, number / 100, 60 * number, 100 - number)
    except ValueError:
        return

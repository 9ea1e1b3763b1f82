"""The list of what hosted language models cost (resources/prices.toml), and what the settings put before it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from desktop_app.core.paths import RESOURCES
from desktop_app.core.settings import LOCAL
from desktop_app.llm.abilities import HERE
from desktop_app.llm.token_usage import Price

_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})$")


def price(url: str, model: str, own: Mapping[str, Sequence[float]] | None = None) -> Price | None:
    """The price of a model at a server: by `own`, as (sent, received) by model; nothing on this computer; as listed.

    None where nobody says it: a model that is like a known one may cost something else.
    """
    if own and model in own:
        return Price(*own[model])
    host = urlsplit(url).hostname or ""
    if url == LOCAL or host in HERE:
        return Price()
    known = listed().get(host, {})
    found = known.get(model.removeprefix("models/")) or known.get(_DATED.sub("", model.removeprefix("models/")))
    return Price(*found) if found else None


@cache
def listed() -> Mapping[str, Any]:
    """By server the models with their prices; `date` and `source` of the list beside them."""
    return tomllib.loads((RESOURCES / "prices.toml").read_text("utf-8"))

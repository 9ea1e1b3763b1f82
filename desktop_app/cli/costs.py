"""What an alternative costs, and what a language model has cost, as the commands tell it."""

from __future__ import annotations

from typing import Any

from desktop_app.core.values import duration, size_of
from desktop_app.llm.token_usage import Spent, money
from desktop_app.session.messages import Alternative


def costs_of(way: Alternative) -> dict[str, Any]:
    """Bytes to download and of memory; seconds, None while they are not known, and whether they are only rough."""
    return {
        "download_bytes": way.download_bytes,
        "memory_bytes": way.memory_bytes,
        "seconds": None if way.seconds is None else round(way.seconds, 2),
        "rough": way.rough,
    }


def cost_words(costs: dict[str, Any]) -> str:
    """`nothing to download · 500 MB memory · about 3 s`."""
    load = f"downloads {size_of(costs['download_bytes'])}" if costs["download_bytes"] else "nothing to download"
    memory = f"{size_of(costs['memory_bytes'])} memory" if costs["memory_bytes"] else "little memory"
    about = "roughly" if costs["rough"] else "about"
    seconds = costs["seconds"]
    return f"{load} · {memory} · {'time not known yet' if seconds is None else f'{about} {duration(seconds)}'}"


def spent_of(spent: Spent) -> dict[str, Any]:
    """Tokens, whether some were estimated, and US dollars, None where the price is not known; {} for nothing spent."""
    if not spent.total:
        return {}
    told = {"sent": spent.sent, "received": spent.received, "estimated": spent.guessed, "dollars": spent.dollars}
    return {"spent": told}


def spent_words(spent: Spent) -> str:
    """`Language model: 3,000 tokens sent, 120 received, $0.0034`; "" for nothing spent."""
    if not spent.total:
        return ""
    cost = "" if spent.dollars is None else f", {money(spent.dollars)}" if spent.dollars else ", free"
    guess = " (some estimated)" if spent.guessed else ""
    return f"Language model: {spent.sent:,} tokens sent, {spent.received:,} received{cost}{guess}"

"""What an alternative costs, as the commands tell it."""

from __future__ import annotations

from typing import Any

from desktop_app.models.offers import size_of
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
    return f"{load} · {memory} · {'time not known yet' if seconds is None else f'{about} {seconds:.1f} s'}"

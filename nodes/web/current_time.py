"""Say what time and day it is, here or at a place."""

from __future__ import annotations

import unicodedata
import zoneinfo
from datetime import datetime
from functools import cache

from nodes.api import NodeError, Phrase, Port, ResourceType, Text, tool


@tool(
    id="current_time",
    title="Time and date",
    domain="web",
    description="Says what time and what day it is now, here or in a large city, by this computer's clock.",
    inputs=(Port("place", ResourceType.TEXT, "a city such as Tokyo; this computer's place when left empty", default="",
                 said=True),),
    outputs=(Port("text", ResourceType.TEXT, "day of the week, date, time and time zone"),),
    quality=0.9,
    examples=("What time is it in Tokyo?", "What is the date today?", "Tell me the time"),
    words=("what time is it", "current time", "the time now", "today's date", "what day is it today", "clock",
           "time zone"),
    volatile=True,
    icon="clock",
)  # fmt: skip
def current_time(place: Text = "") -> Text:
    """Cities are those of the time zone database, in English. NodeError naming `place` for others."""
    zone = _zone(place) if place.strip() else None
    now = datetime.now(zone).astimezone(zone)
    shift = now.strftime("%z")
    return f"{now:%A, %Y-%m-%d, %H:%M} ({zone.key if zone else 'here'}, UTC{shift[:3]}:{shift[3:]})"


def _zone(place: str) -> zoneinfo.ZoneInfo:
    wanted = _plain(place.partition(",")[0])
    if wanted in ("utc", "gmt"):
        return zoneinfo.ZoneInfo("UTC")
    name = _cities().get(wanted)
    if name is None:
        raise NodeError(
            Phrase("The time zone of '{place}' is not known here.", place=place.strip()[:80]),
            "place",
            "Name a large city of the same country, such as Tokyo or New York.",
        )
    return zoneinfo.ZoneInfo(name)


@cache
def _cities() -> dict[str, str]:
    """The time zone of each city that has one named after it."""
    return {_plain(name.rpartition("/")[2]): name for name in sorted(zoneinfo.available_timezones()) if "/" in name}


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.lower().replace("_", " ").replace("-", " "))
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())

"""Say what the weather is and will be at a place."""

from __future__ import annotations

import json
import urllib.parse
from typing import Any

from nodes._support.language.words import given_words
from nodes._support.web import fetching
from nodes.api import Integer, NodeError, Phrase, Port, ResourceType, RunContext, Table, TableValue, Text, tool

_PLACES = "https://geocoding-api.open-meteo.com/v1/search"
_FORECAST = "https://api.open-meteo.com/v1/forecast"
_CODES = (
    (0, "clear sky"), (1, "mostly clear"), (2, "partly cloudy"), (3, "overcast"), (48, "fog"), (57, "drizzle"),
    (67, "rain"), (77, "snow"), (82, "showers"), (86, "snow showers"), (99, "thunderstorm"),
)  # fmt: skip
"""Up to which code of the WMO (table 4677) each word holds."""


@tool(
    id="weather",
    title="Weather",
    domain="web",
    description="Says the weather at a place now and the forecast of the next days, from Open-Meteo.",
    inputs=(
        Port("place", ResourceType.TEXT, "the town, such as Lisbon or Munich, Germany", said=True,
             question="For which place?"),
        Port("days", ResourceType.NUMBER, "how many days of forecast, today included", default=3, minimum=1,
             maximum=16, integer=True, question="How many days should be shown?"),
    ),
    outputs=(
        Port("text", ResourceType.TEXT, "the weather in words"),
        Port("table", ResourceType.TABLE, "a row for each day: date, weather, lowest and highest °C, rain in mm"),
    ),
    backend="open-meteo",
    backend_title="Open-Meteo",
    device="network",
    quality=0.9,
    examples=("What is the weather in Lisbon?", "Will it rain in Hamburg tomorrow?", "5-day forecast for Oslo"),
    words=("weather", "forecast", "temperature outside", "will it rain", "rain", "sunny", "how warm is it in"),
    side_effects="Contacts open-meteo.com, which learns the place and this computer's network address.",
    outside=True,
    icon="sun",
)  # fmt: skip
def weather(place: Text, days: Integer = 3, *, context: RunContext) -> tuple[Text, TableValue]:
    """NodeError naming `place` when Open-Meteo knows none of that name or cannot be reached."""
    place = given_words(place, "place")
    town, _, country = (part.strip() for part in place.partition(","))
    known = _asked(_PLACES, {"name": town, "count": 10, "language": "en", "format": "json"}, context).get("results")
    where = _chosen(known or [], country, place)
    context.progress(0.5)
    found = _asked(
        _FORECAST,
        {
            "latitude": where["latitude"], "longitude": where["longitude"], "timezone": "auto", "forecast_days": days,
            "current": "temperature_2m,relative_humidity_2m,weather_code,wind_speed_10m",
            "daily": "weather_code,temperature_2m_min,temperature_2m_max,precipitation_sum",
        },
        context,
    )  # fmt: skip
    try:
        return _told(where, found)
    except (KeyError, TypeError, ValueError) as error:
        raise _strange() from error


def _asked(address: str, values: dict[str, Any], context: RunContext) -> dict[str, Any]:
    try:
        page = fetching.fetch(f"{address}?{urllib.parse.urlencode(values)}", check=context.check)
    except NodeError as error:
        raise NodeError(error.message, "place", error.fix) from error
    try:
        found = json.loads(page.text)
    except ValueError as error:
        raise _strange() from error
    if not isinstance(found, dict):
        raise _strange()
    return found


def _chosen(known: list[Any], country: str, place: str) -> dict[str, Any]:
    """The first, or the first of that country or region."""
    for one in known:
        parts = [str(one.get(name, "")).casefold() for name in ("country", "country_code", "admin1")]
        if not country or country.casefold() in parts:
            return one
    raise NodeError(
        Phrase("Open-Meteo knows no place {place}.", place=place.strip()[:60]), "place", "Check the spelling."
    )


def _told(where: dict[str, Any], found: dict[str, Any]) -> tuple[str, Table]:
    now, daily = found["current"], found["daily"]
    name = ", ".join(str(part) for part in (where["name"], where.get("country")) if part)
    rows = tuple(
        (str(date), _word(code), float(low), float(high), float(rain))
        for date, code, low, high, rain in zip(
            daily["time"], daily["weather_code"], daily["temperature_2m_min"], daily["temperature_2m_max"],
            daily["precipitation_sum"], strict=True,
        )
    )  # fmt: skip
    lines = [
        f"{name}: {_word(now['weather_code'])}, {now['temperature_2m']:.0f} °C, humidity"
        f" {now['relative_humidity_2m']:.0f} %, wind {now['wind_speed_10m']:.0f} km/h"
    ]
    lines += [
        f"{date}: {word}, {low:.0f} to {high:.0f} °C, {rain:.1f} mm of rain" for date, word, low, high, rain in rows
    ]
    return "\n".join(lines), Table(("date", "weather", "lowest °C", "highest °C", "rain mm"), rows)


def _word(code: Any) -> str:
    return next((word for last, word in _CODES if int(code) <= last), "unknown")


def _strange() -> NodeError:
    return NodeError("Open-Meteo answered something that is no forecast.", "place", "Try again later.")

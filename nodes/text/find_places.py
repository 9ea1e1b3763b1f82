"""Find the places that a text names."""

from __future__ import annotations

import re

from nodes._support.inference import connected, text_models
from nodes._support.language import chinese, private
from nodes._support.language.entities import Entity, apart
from nodes._support.language.words import given_words
from nodes.api import Family, NodeError, Phrase, Port, ResourceType, RunContext, Text, backend_of, tool
from nodes.phrase import listed

_NAMED = r"[A-ZÀ-Þ][\w'’-]+"
_CALLED = re.compile(
    r"\b(?:Stadt|Gemeinde|Dorf|Insel|(?:[Cc]ity|[Tt]own|[Vv]illage|[Ii]sland) of|[Rr]iver|[Ll]ake|[Mm]ount|"
    r"(?:ville|village|commune|île) de|(?:ciudad|pueblo|isla) de|[Rr]ío|[Ll]ago)\s+"
    rf"(?P<after>{_NAMED}(?:[ -]{_NAMED})?)"
    rf"|\b(?P<whole>(?:{_NAMED} )+(?:Sea|Ocean|River|Lake|Islands?|Mountains|Valley|Bay|Canal))\b"
)
"""Places by the word that says what they are: "Stadt Weimar", "Baltic Sea"."""
_SHOWN = 8


@tool(
    id="find_places",
    title="Find places",
    domain="text",
    description="Lists the towns, countries and other places that a text names, each once.",
    inputs=(Port("text", ResourceType.TEXT, "the text to search"),),
    outputs=(Port("text", ResourceType.TEXT, "a place in each line, in the order of the text"),),
    backend="lists",
    backend_title="Lists of towns and countries",
    quality=0.35,
    examples=(
        "Which places does letter.txt mention?",
        "Extract the locations from this text",
        "List the towns it names",
    ),
    words=("places", "locations", "extract location", "towns", "cities", "countries", "where is it about"),
    icon="map",
)
def find_places(text: Text, *, context: RunContext) -> Text:
    """Large towns and countries by lists in five languages, German towns with their postal code, Chinese places by a
    dictionary, others by the word that says what they are ("Stadt Weimar", "Baltic Sea"); NodeError when the text names
    none of these. Small places need a model; so does telling a person with the name of a town from the town.
    What may be one by the word before it ("near Grindelwald") is told.
    """
    text = given_words(text)
    found = [*private.towns(text), *private.countries(text), *chinese.places(text), *_called(text)]
    if maybe := [*dict.fromkeys(place.text for place in private.maybe_places(text, found))]:
        said = "These may be places too, but are on no list: {names}."
        context.tell(Phrase(said, names=listed(maybe[:_SHOWN])))
    return _listed(found)


def _called(text: str) -> list[Entity]:
    kinds = ((match, "after" if match["after"] else "whole") for match in _CALLED.finditer(text))
    return [Entity("place", match[kind], match.start(kind)) for match, kind in kinds]


def _listed(found: list[Entity]) -> Text:
    names = dict.fromkeys(" ".join(entity.text.split()) for entity in apart(found))
    if not names:
        raise NodeError("No place was found in the text.", "text", "Choose another back end, or give another text.")
    return "\n".join(names)


@backend_of(find_places, families=(connected.CHAT_HELD,), **connected.CONNECTED)
def by_connected_model(text: Text, *, context: RunContext) -> Text:
    """What the model names and the text holds, word for word."""
    text = given_words(text)
    schema = {"type": "object", "properties": {"places": {"type": "array", "items": {"type": "string"}}},
              "required": ["places"]}  # fmt: skip
    order = "List the places (towns, countries, buildings, rivers ...) that the text names, word for word."
    told = connected.structured(order, schema, context, text).get("places")
    named = [
        one for one in (told if isinstance(told, list) else ()) if isinstance(one, str) and one.strip() and one in text
    ]
    return _listed([Entity("place", name, text.index(name)) for name in named])


@backend_of(find_places, families=(Family("transformers token classification", "names"),))
def by_token_classes(text: Text, *, context: RunContext) -> Text:
    """As a model marks them."""
    return _listed(text_models.places(given_words(text), context))

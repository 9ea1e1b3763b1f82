"""Find dates, mail addresses, links, amounts, phone numbers and names in a text."""

from __future__ import annotations

from collections import Counter

from nodes._support.inference import connected, text_models
from nodes._support.language import entities as support
from nodes._support.language import private
from nodes._support.language.words import given
from nodes.api import Family, Port, ResourceType, RunContext, Table, TableValue, Text, backend_of, tool


@tool(
    id="entities",
    title="Find entities",
    domain="text",
    description="Finds names, dates, mail addresses, links, amounts of money, phone and other numbers in a text.",
    inputs=(
        Port("text", ResourceType.TEXT, "the text to search"),
        Port(
            "kind",
            ResourceType.TEXT,
            "only this kind",
            default="all",
            choices=("all", *support.KINDS),
            question="What should be found in it?",
        ),
    ),
    outputs=(Port("table", ResourceType.TABLE, "kind, text, times, position of each entity"),),
    backend="patterns",
    backend_title="Patterns",
    quality=0.45,
    examples=(
        "Find all names and dates in this text",
        "Which mail addresses are in contacts.txt?",
        "Extract the entities of this article",
    ),
    words=(
        "named entities",
        "entity recognition",
        "extract dates",
        "extract emails",
        "extract phone numbers",
        "people and places",
    ),
    icon="text-search",
)
def entities(text: Text, kind: Text = "all") -> TableValue:
    """One row for each different entity, in the order of first mention; no rows when there is none.

    `position` counts characters from 0. Names are found by capitals, and after words like "my name is"; Chinese ones by
    surname and title, towns by a list. Single names in German, and other names in scripts without capitals, are missed.
    """
    text = given(text)
    return _listed([*support.find(text), *private.names(text)], kind)


def _listed(entities: list[support.Entity], kind: str) -> TableValue:
    found = support.apart(entities, () if kind == "all" else (kind,))
    times = Counter((entity.kind, entity.text) for entity in found)
    first: dict[tuple[str, str], int] = {}
    for entity in found:
        first.setdefault((entity.kind, entity.text), entity.position)
    rows = tuple((*key, times[key], position) for key, position in first.items())
    return Table(("kind", "text", "times", "position"), rows)


@backend_of(entities, **connected.CONNECTED)
def by_connected_model(text: Text, kind: Text, *, context: RunContext) -> TableValue:
    """What the model names and the text holds, word for word; anything else is left out."""
    item = {"type": "object", "properties": {
        "kind": {"type": "string", "enum": list(support.KINDS)}, "text": {"type": "string"}},
        "required": ["kind", "text"]}  # fmt: skip
    schema = {"type": "object", "properties": {"entities": {"type": "array", "items": item}}, "required": ["entities"]}
    order = "List the entities in the text, each word for word as it stands there."
    found = connected.structured(order, schema, context, given(text)).get("entities")
    rows = {}
    for one in found if isinstance(found, list) else ():
        key = (str(one.get("kind")), str(one.get("text"))) if isinstance(one, dict) else ("", "")
        if key[0] in support.KINDS and kind in ("all", key[0]) and key[1].strip() and key[1] in text:
            rows.setdefault(key, (*key, text.count(key[1]), text.index(key[1])))
    return Table(("kind", "text", "times", "position"), tuple(sorted(rows.values(), key=lambda row: row[3])))


@backend_of(entities, families=(Family("transformers token classification", "names"),))
def by_token_classes(text: Text, kind: Text, *, context: RunContext) -> TableValue:
    """Names as a model marks them, of people, places and organisations; all else by its form."""
    text = given(text)
    formed = [entity for entity in support.find(text) if entity.kind != "name"]
    return _listed([*formed, *text_models.names(text, context)], kind)

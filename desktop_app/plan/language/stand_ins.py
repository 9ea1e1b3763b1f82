"""What is put in plainer words before a request is read: names of attached files that no tokenizer tells from words
("my coins 2.jpg", "全家福.jpg"), folders, words that only open a file.

Only while a request is read: what comes out of planning has the names as they are again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from desktop_app.core.values import unused_name
from desktop_app.plan.language.exceptions import apart
from desktop_app.plan.language.file_choice import without_left_out
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.types import Given, Request, ToolSpec
from nodes.phrase import replaced

_ENDINGS = {
    "image": ".png", "audio": ".wav", "video": ".mp4", "table": ".csv", "text": ".txt", "html": ".html",
}  # fmt: skip
_NAMED_BY_STEM = re.compile(r"[\s\d_-]")
"""A name without its ending is one only where it could be no plain word."""

_DEPTH = re.compile(
    r"(?:^|[\W\d_])(?:depth(?!\W?of)|tiefe|profondeur|profundidad|profondità)(?:maps?|nkarte)?(?:[\W\d_]|$)|深度", re.I
)
_OPENING = (  # words that only open a file ("read sales.csv and sort it"), and what leaves it to the next wish
    (r"(?:please )?(?:read|open|load|import)(?: in)?", "take"),
    (r"(?:bitte )?(?:lies|lese|öffne|lade)", "nimm"),
    (r"(?:lis|lisez|ouvre|ouvrez|charge|chargez)", "prends"),
    (r"(?:lee|abre|carga)", "toma"),
)
_ARTICLE = r"(?: (?:the|this|my|die|das|den|diese[ns]?|la|le|les|ce|cette|el|los|las|este|esta))?"
_KIND = r"(?: (?:table|text|file|spreadsheet|document|notes?|tabelle|datei|tableau|texte|fichier|tabla|texto|archivo))?"
_NEXT = r"(?= ?(?:[,;]|and\b|then\b|und\b|dann\b|et\b|puis\b|y\b|luego\b))"


def stand_ins(given: Sequence[Given]) -> dict[str, str]:
    """By name what stands for it, for those that are more than one token, or none that means a file."""
    found: dict[str, str] = {}
    taken = {one.name for one in given}
    for name, type in {one.name: one.type for one in given}.items():
        tokens = tokens_of(name)
        if len(tokens) == 1 and tokens[0].kind in ("file", "url") and tokens[0].text == name:
            continue
        stem, _, ending = name.rpartition(".")
        plain = re.sub(r"[^A-Za-zÀ-ÿ0-9]+", "_", stem or name).strip("_")
        known = tokens_of(f"a.{ending}")
        ending = f".{ending}" if stem and known and known[0].kind == "file" else _ENDINGS.get(type, ".json")
        plain = plain if re.search(r"[^\W\d_]", plain) else f"attached_{len(found) + 1}{plain}"
        found[name] = unused_name(plain, lambda name, ending=ending: name + ending in taken) + ending
        taken.add(found[name])
    return found


def without_folders(text: str, names: Iterable[str]) -> str:
    """The text with an attached file's bare name where it has it behind folders: "pictures/cat.png" is cat.png."""
    for name in names:
        if f"/{name}" in text or f"\\{name}" in text:
            text = re.sub(rf"(?<![\w./\\:-])(?:[\w.-]+[/\\])+{re.escape(name)}(?!\w)", lambda _, name=name: name, text)
    return text


def not_opened(request: Request) -> Request:
    """The request without words that only open an attached text or table before it is worked on: reading a picture is
    a wish of its own, and so is reading aloud. What it excepts by place stands apart, files left out are gone.
    """
    request = apart(without_left_out(request))
    text = request.text
    for one in request.resources:
        there = one.type in ("text", "table") and one.name.lower() in text.lower()
        for verb, instead in _OPENING if there else ():
            if re.match(verb, text, re.I):  # few begin so, and a pattern for each name takes its time
                form = rf"^{verb}(?P<rest>{_ARTICLE}{_KIND} {re.escape(one.name)}){_NEXT}"
                text = re.sub(form, lambda found, instead=instead: instead + found["rest"], text, flags=re.I)
    return replace(request, text=text)


def typed_by_name(given: Given) -> Given:
    """A picture whose name says that it is a depth map, as one: else another would be made of it."""
    says = given.type == "image" and _DEPTH.search(given.name.rpartition(".")[0])
    return replace(given, type="depth") if says else given


def with_documents(request: Request, tools: Iterable[ToolSpec]) -> Request:
    """The request with documents as files, where one of the tools takes nothing else ("merge the PDFs") and they are
    called texts or tables.
    """
    needed = {port.type for tool in tools for port in tool.inputs if port.required}
    if "file" not in needed or any(given.type == "file" for given in request.resources):
        return request
    return replace(request, resources=tuple(
        replace(given, type="file") if given.type in ("text", "table") and _is_document(given.name) else given
        for given in request.resources
    ))  # fmt: skip


def _is_document(name: str) -> bool:
    known = tokens_of(f"a.{name.rpartition('.')[2]}")
    return len(known) == 1 and (known[0].kind, known[0].type) == ("file", "file")


def put_in(text: str, names: Mapping[str, str]) -> str:
    """The text with what stands for the names, also where it has them without their endings."""
    for name in sorted(names, key=lambda name: -len(name)):
        whole = re.compile(re.escape(name), re.I) if name.lower() in text.lower() else None
        if whole is None:
            stem = name.rpartition(".")[0]
            if len(stem) < 3 or not _NAMED_BY_STEM.search(stem) or sum(o.startswith(stem + ".") for o in names) > 1:
                continue
            whole = re.compile(rf"(?<![\w./-]){re.escape(stem)}(?![\w/-]|\.\w)", re.I)
        text = whole.sub(lambda _, name=name: names[name], text)
    return text


def in_plain_words(request: Request, names: Mapping[str, str]) -> Request:
    """The request with what stands for the names."""
    return replace(
        request,
        text=put_in(request.text, names),
        resources=tuple(replace(one, name=names.get(one.name, one.name), called=one.name) for one in request.resources),
        history=tuple(
            replace(
                turn,
                text=put_in(turn.text, names),
                made=turn.made and tuple(names.get(name, name) for name in turn.made),
            )
            for turn in request.history
        ),
    )


def restored(value: Any, names: Mapping[str, str]) -> Any:
    """A plan, or a part of one, with the names as they are."""
    if isinstance(value, str):
        for name, plain in names.items():
            value = replaced(value, plain, name)
        return value
    if isinstance(value, (tuple, list)):
        return type(value)(restored(item, names) for item in value)
    if isinstance(value, Mapping):
        return {key: restored(item, names) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        changed = {one.name: restored(getattr(value, one.name), names) for one in fields(value) if one.name != "called"}
        return replace(value, **changed, called="") if isinstance(value, Given) else replace(value, **changed)
    return value

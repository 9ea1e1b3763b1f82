"""Fills settings from the wording: numbers, choices, flags, colours, quoted texts. Never invents a value.

What the request says is given out port by port, and nothing of it twice: first the texts that have a port of their own
(a pair, a title, a condition, a column), then choices written in figures, then numbers, and last the other choices,
colours and flags.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from desktop_app.plan.arguments import choices, page_list, quoted_text, span_labels
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.degrees import degree, direction, emphasis, pace, side
from desktop_app.plan.arguments.marked_text import ended, inner, names_columns, shaped, with_a_gap
from desktop_app.plan.arguments.quantity_evidence import unit_of
from desktop_app.plan.arguments.quantity_match import about, numbers
from desktop_app.plan.arguments.quoted_text import SaidText
from desktop_app.plan.arguments.value_marks import trimmed
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import Token, plain_words, stem
from desktop_app.plan.language.type_roles import is_idle
from desktop_app.plan.language.types import Intent
from desktop_app.plan.types import PortSpec, ToolSpec

_SPOKEN = 3.0
"""A quote goes to an optional port when the words around it speak of that port at least so much, half of it
when the tool needs no other text."""

_DOUBTFUL = 0.7
"""Of a wish in the user's own words the tagger's mark is taken where it is more probable, else those of the clause."""

_MEANT = 0.5
"""A choice that no rule finds is taken where the tagger finds it more probable."""


@dataclass
class Filled:
    """Values by port, and by port the places of the words in the request that they were read from."""

    values: dict[str, Any] = field(default_factory=dict)
    read_from: dict[str, frozenset[int]] = field(default_factory=dict)
    taken: frozenset[int] = frozenset()

    @property
    def places(self) -> frozenset[int]:
        """Those of the words that any value was read from; empty for no values."""
        return frozenset().union(*self.read_from.values())

    def read_places(self, values: Collection[Any]) -> frozenset[int]:
        """The places that these values were read from."""
        return frozenset().union(*(self.read_from[port] for port, value in self.values.items() if value in values))

    def copied(self) -> Filled:
        """One that can be added to."""
        return Filled(dict(self.values), dict(self.read_from), self.taken)

    def put(self, port: str, value: Any, places: Iterable[int]) -> None:
        """Sets a port; the words at these places are not free any more."""
        self.values[port] = value
        self.read_from[port] = frozenset(places)
        self.taken |= self.read_from[port]


def fill(
    tool: ToolSpec, ports: Iterable[PortSpec], clause: Clause, taken: Collection[int] = (), asked: bool = True
) -> Filled:
    """The values that the clause gives to these ports of the tool. `taken` are places of words used elsewhere.

    `asked` is false for a tool that helps another, of which the clause does not speak as such.
    A port of which nothing is said is absent. Numbers are inside the port's range, choices are the port's.
    """
    if clause.marks is None:
        return _fill(tool, [*ports], clause, frozenset(taken), asked)
    own, known = [*ports], clause.marks.filled
    key = tool.id, tuple(port.name for port in own), clause.text, clause.spans, frozenset(taken), asked
    if key not in known:
        known[key] = _fill(tool, own, clause, frozenset(taken), asked)
    return known[key].copied()


def _fill(tool: ToolSpec, ports: Sequence[PortSpec], clause: Clause, taken: frozenset[int], asked: bool) -> Filled:
    filled = Filled(taken=taken)
    open_ports = [port for port in ports if not port.picked_on and not port.many]
    _fill_texts(tool, [p for p in open_ports if p.type == "text" and not p.choices], clause, filled, asked)
    closed = [port for port in open_ports if port.choices]
    _fill_choices(tool, [port for port in closed if choices.has_figures(port)], clause, filled)
    _fill_numbers(tool, [p for p in open_ports if p.type == "number" and not p.choices], clause, filled)
    _fill_choices(tool, [port for port in closed if not choices.has_figures(port)], clause, filled)
    _fill_degrees(open_ports, clause, filled)
    _fill_colours(open_ports, clause, filled)
    _fill_flags(tool, [port for port in open_ports if port.type == "flag"], clause, filled)
    _fill_urls([port for port in open_ports if port.type == "url"], clause, filled)
    return filled


def said_for(tool: ToolSpec, clause: Clause) -> dict[str, SaidText]:
    """Texts that the wording assigns to a port of their own: what to find and to replace, a title, a condition.

    They go to no other port, whatever else is there to feed it.
    """
    known = clause.marks.filled if clause.marks is not None else {}
    key = tool.id, clause.text, clause.spans
    if key not in known:
        known[key] = _texts(tool, [p for p in tool.inputs if _is_open_text(p)], clause)
    return {said.port: said for said in known[key]}


def _is_open_text(port: PortSpec) -> bool:
    return port.type == "text" and not port.choices and not port.many and not port.picked_on


# Texts ----------------------------------------------------------------------------------------------------------------


def _fill_texts(tool: ToolSpec, ports: Sequence[PortSpec], clause: Clause, filled: Filled, asked: bool) -> None:
    for said in _texts(tool, ports, clause, asked):
        places = _places(clause, said.start, said.end)
        if said.port not in filled.values and not places & filled.taken:
            filled.put(said.port, said.value, places)
    for port in ports:
        if port.name not in filled.values and port.required:
            found = choices.choice(_listed(port), tool, clause, filled.taken)
            if found is not None:
                filled.put(port.name, found.value, found.places)


def _texts(tool: ToolSpec, ports: Sequence[PortSpec], clause: Clause, asked: bool = True) -> list[SaidText]:
    """Texts with a port of their own, no stretch of the request twice."""
    found = [_quoted(said, clause) for said in quoted_text.pairs(ports, clause)]
    if clause.marks is not None and not clause.quotes:
        by_name = {port.name: port for port in ports}
        found = [marked(by_name[said.port], tool, clause, ()) or said for said in found]
    for port in ports:
        if any(said.port == port.name for said in found):
            continue
        free = [q for q in clause.quotes if not any(s.start <= q.start < s.end for s in found)]
        said = (
            page_list.pages(port, clause)
            or (marked(port, tool, clause, found) if asked else None)
            or quoted_text.conditions(port, clause)
            or quoted_text.columns(port, tool, clause)
            or quoted_text.titles(port, clause, free)
            or quoted_text.authors(port, clause)
            or _best_spoken(port, tool, free, clause)
        )
        if said is not None and not any(said.start < s.end and s.start < said.end for s in found):
            found.append(said)
    for port in ports if asked else ():
        said = None if any(said.port == port.name for said in found) else learned(port, tool, clause, found)
        if said is not None:
            found.append(said)
    with_gap = {port.name for port in ports if "{}" in port.description}
    return [replace(said, value=with_a_gap(said.value)) if said.port in with_gap else said for said in found]


def _quoted(said: SaidText, clause: Clause) -> SaidText:
    """Of words that hold a quote what is quoted: all 'black' in it."""
    within = [quote for quote in clause.quotes if said.start <= quote.start and quote.end <= said.end]
    return replace(said, value=within[0].text, start=within[0].start, end=within[0].end) if len(within) == 1 else said


def marked(port: PortSpec, tool: ToolSpec, clause: Clause, found: Sequence[SaidText]) -> SaidText | None:
    """The words of the clause that the tagger marks as the text for the port, beside what was found for others."""
    if clause.marks is None or quoted_text.clears_a_colour(port):
        return None
    stretch = clause.marks.text(tool, port.name, clause.covers, [(said.start, said.end) for said in found])
    if stretch is None or (takes_wishes(port) and stretch.share < _DOUBTFUL):
        return None
    for quote in clause.quotes:
        if quote.start < stretch.end and stretch.start < quote.end:
            return SaidText(port.name, shaped(port, quote.text, clause), quote.start, quote.end)
    for named in clause.mentions:
        if named.kind == "url" and named.start < stretch.end and stretch.start < named.end:
            return SaidText(port.name, named.text, named.start, named.end)
        if named.kind == "file" and named.start <= stretch.start and stretch.end <= named.end + 1:
            return None  # the file itself goes in
    start, end = inner(port, clause.text, *trimmed(clause.text, stretch.start, stretch.end))
    if names_columns(port):
        start, end = trimmed(clause.text, *_columns_alone(port, tool, clause, start, end))
    if not start < end:
        return None
    if is_order(port) and len(_left_out(clause, start, end)) > 1:
        start, end = trimmed(clause.text, min(clause.spans)[0], max(clause.spans)[1])
    own = Clause(clause.text, ((start, end),))
    if quoted_text.is_colour(port):
        return quoted_text.marked_colours(port, own)
    start, end = ended(port, clause.text, start, end)
    text = clause.text[start:end]
    said_words = {*plain_words(text)}
    others = {other.name.replace("_", " ") for other in tool.inputs if other.name != port.name}  # "with title, tags"
    vague = bool(said_words) and text.islower() and (said_words <= lexicon().skipped | _VAGUE or text in others)
    return None if vague else SaidText(port.name, shaped(port, text, clause), start, end)


def _columns_alone(port: PortSpec, tool: ToolSpec, clause: Clause, start: int, end: int) -> tuple[int, int]:
    """ "[Average] salary [per department]": without what the tool's other inputs take, where something is left."""
    for other in tool.inputs:
        by = quoted_text.columns(other, tool, clause) if other is not port and quoted_text.is_grouping(other) else None
        if by is not None and start <= by.start < end:
            before = quoted_text.lead_before(clause.text, by.start)
            start, end = (start, before) if start < before else (by.end, end)
        told = choices.choice(other, tool, clause, frozenset()) if other.choices else None
        for place in sorted(told.places) if told is not None else ():
            word = clause.words[place]
            if word.start <= start < word.end < end:
                start = word.end + len(clause.text[word.end : end]) - len(clause.text[word.end : end].lstrip())
    return start, end


def learned(port: PortSpec, tool: ToolSpec, clause: Clause, found: Sequence[SaidText]) -> SaidText | None:
    """The stretch of the clause that is likeliest the text for the port, beside what was found for others; None where
    it is likelier that the clause has none, and where the tagger has read it.
    """
    if clause.marks is not None or not span_labels.is_known(tool.id, port.name):
        return None
    spans = [(said.start, said.end) for said in found] + _settings(tool, clause)
    stretch = _stretch(tool.id, port.name, port.type, clause, tuple(spans))
    if stretch is None or stretch.margin < 0:
        return None
    quote = next((q for q in clause.quotes if (q.start, q.end) == (stretch.start, stretch.end)), None)
    text = quote.text if quote else clause.text[stretch.start : stretch.end]
    said = [word for word in plain_words(text) if word not in lexicon().skipped | _VAGUE]
    named = not quote and text.replace(" ", "").isalpha() and {*said} <= {*plain_words(port.name)}
    return None if named else SaidText(port.name, text, stretch.start, stretch.end)


def _settings(tool: ToolSpec, clause: Clause) -> list[tuple[int, int]]:
    """Offsets of "size 12" and "colour red" for ports of these names, and of "12 px" where a port is measured in it:
    they are no part of a text.
    """
    units = {unit_of(port) for port in tool.inputs if port.type == "number"} - {""}
    found = [(clause.words[q.first].start, clause.words[q.last].end) for q in clause.quantities if q.unit in units]
    for word, value in pairwise(clause.words):
        port = next((port for port in tool.inputs if port.name == word.text), None)
        if port is not None and (value.kind == "number" if port.type == "number" else value.text in port.choices):
            found.append((word.start, value.end))
    return found


@lru_cache(maxsize=256)
def _stretch(
    tool: str, port: str, kind: str, clause: Clause, spans: tuple[tuple[int, int], ...]
) -> span_labels.Stretch | None:
    allowed = span_labels.outside(span_labels.texts_allowed(clause.text), clause.text, spans, clause.covers)
    return span_labels.stretch_for(clause.text, tool, port, kind, allowed)


def _best_spoken(port: PortSpec, tool: ToolSpec, free: Sequence[Token], clause: Clause) -> SaidText | None:
    """The quote that the words around it give to this port rather than to the tool's other texts."""
    others = [p for p in tool.inputs if p.type == "text" and not p.choices and p is not port]
    if set(plain_words(port.name)) & {"text", "colour", "color"} or (not others and port.required):
        return None
    enough = _SPOKEN if any(p.required for p in others) else _SPOKEN / 2
    for quote in free:
        own = quoted_text.spoken_of(port, tool, quote, clause)
        rivals = [quoted_text.spoken_of(p, tool, quote, clause) for p in others]
        if own >= enough and own > max(rivals, default=0.0):
            return SaidText(port.name, quote.text, quote.start, quote.end)
    return None


@lru_cache(maxsize=1024)
def _listed(port: PortSpec) -> PortSpec:
    """The port with the single words that its description lists as choices: "largest, smallest, leftmost, ..."."""
    items = [item.strip() for item in port.description.replace(" or ", ", ").split(",")]
    single = tuple(item for item in items if re.fullmatch(r"[^\W\d_]{4,}", item) and item not in lexicon().skipped)
    return replace(port, choices=single if len(single) >= 3 else ())


def _places(clause: Clause, start: int, end: int) -> set[int]:
    return {i for i, word in enumerate(clause.words) if word.start < end and start < word.end}


# Numbers, choices, flags ----------------------------------------------------------------------------------------------


def _fill_numbers(tool: ToolSpec, ports: Sequence[PortSpec], clause: Clause, filled: Filled) -> None:
    for match in numbers(tool, ports, clause, filled.taken):
        port = next(port for port in ports if port.name == match.port)
        quantity = match.quantity
        words = about(port, quantity, clause) - filled.taken
        filled.put(match.port, match.value, {*range(quantity.first, quantity.last + 1), *words})
    for port in ports:
        said = degree(port, tool, clause) if port.name not in filled.values else None
        places = _places(clause, said[1], said[2]) if said else set()
        if said and not places & filled.taken:
            filled.put(port.name, _whole(said[0]), places)
    chosen = choices.marked_places(tool, clause)
    measured = {unit_of(port) for port in ports if port.name in filled.values}
    for port in ports:
        if unit_of(port) not in measured and (named := side(port, tool, clause)):
            filled.put(port.name, _whole(named[0]), named[1])
    for port in ports:
        turned = direction(port, tool, clause) if port.name not in filled.values else None
        if turned and not turned[1] & (filled.taken | chosen):
            filled.values[port.name] = _whole(turned[0])
            filled.read_from[port.name] = turned[1]  # and free for a choice: "in the background" is mixed, and quieter


def _fill_degrees(ports: Sequence[PortSpec], clause: Clause, filled: Filled) -> None:
    """How much of what a choice means, and how fast or high where that has a usual of its own."""
    chosen = {name: value for name, value in filled.values.items() if isinstance(value, str)}
    for port in ports:
        if port.type != "number" or port.choices or port.name in filled.values:
            continue
        by = next((name for name, value in chosen.items() if emphasis(port, value, clause)), "")
        said = emphasis(port, chosen[by], clause) if by else pace(port, clause)
        if said and not filled.taken & (said[1] - filled.read_places(chosen.values())):
            places = said[1]
            if by and said[2:] == (True,):
                places |= filled.read_from.pop(by)
                del filled.values[by]
            filled.put(port.name, _whole(said[0]), places)


def _whole(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


def _fill_choices(tool: ToolSpec, ports: Sequence[PortSpec], clause: Clause, filled: Filled) -> None:
    """The surest choice first, so that a word goes to the port that it fits best."""
    rest = list(ports)
    while rest:
        found = [(c, p) for p in rest if (c := choices.choice(p, tool, clause, filled.taken)) is not None]
        if not found:
            break
        chosen, port = max(found, key=lambda pair: pair[0].evidence)
        filled.put(port.name, chosen.value, chosen.places)
        rest.remove(port)
    for port in rest:
        meant = clause.marks.choice(tool, port, clause.covers) if clause.marks else None
        if meant is not None and meant[1] > _MEANT:
            filled.put(port.name, meant[0], ())


def _fill_flags(tool: ToolSpec, ports: Sequence[PortSpec], clause: Clause, filled: Filled) -> None:
    for port in ports:
        stretch = clause.marks.stretch(tool, port.name, clause.covers) if clause.marks else None
        if stretch is not None and stretch.share > 0.5:  # what is said of a flag is that it is not as usual
            places = _places(clause, stretch.start, stretch.end)
            if places and places <= filled.taken:  # "in yellow" is the colour, and no box behind the letters
                continue
            usual = choices.says_opposite(port, clause, places)
            filled.put(port.name, (port.default is True) == usual, places - filled.taken)
            continue
        found = choices.flag(port, clause, filled.taken)
        if found is not None:
            filled.put(port.name, found.value, found.places)


def _fill_colours(ports: Sequence[PortSpec], clause: Clause, filled: Filled) -> None:
    for port in ports:
        if port.type == "text" and not port.choices and port.name not in filled.values:
            said = quoted_text.colour(port, clause, filled.taken)
            if said is not None:
                filled.put(port.name, said.value, _places(clause, said.start, said.end))


def _fill_urls(ports: Sequence[PortSpec], clause: Clause, filled: Filled) -> None:
    urls = [token for token in clause.mentions if token.kind == "url"]
    for port, url in zip(ports, urls, strict=False):
        filled.put(port.name, url.text, _places(clause, url.start, url.end))


# Texts in the user's own words ----------------------------------------------------------------------------------------


_MADE = frozenset(("picture", "image", "photo", "drawing", "painting", "video", "film", "clip", "movie"))
_ONE = frozenset(("a", "an", "the", "ein", "eine", "einen", "un", "une", "una"))
_WHOLE = frozenset(("instruction", "instructions", "prompt", "question", "request", "command"))
"""Ports of these names take a wish as it was said."""

_FREE = frozenset(
    ("text", "what", "description", "query", "object", "objects", "thing", "things", "subject", "topic", "label",
     "labels", "target", "name", "words", "phrase", "search", "condition", "location", "input", "msg", "title")
)  # fmt: skip
"""Ports with one of these words in their names take a description in the user's words."""


_VAGUE = frozenset((
    "something", "anything", "some", "stuff", "this", "that", "it", "one", "document", "file", "article", "letter",
    "report", "page", "speech", "play", "feature",
))  # fmt: skip
"""Words that stand for a text and are none."""


def takes_wishes(port: PortSpec) -> bool:
    """True for a text that takes a wish as it was said."""
    return bool(_WHOLE & {*plain_words(port.name)})


def is_order(port: PortSpec) -> bool:
    """True for a wish that is an order: what is to be done, and to what."""
    return "instruction" in plain_words(port.name)


def _left_out(clause: Clause, start: int, end: int) -> list[str]:
    """The words of the clause beside that stretch that mean something, without names of files: of an order no more
    than its verb may be missing.
    """
    named = [token for token in clause.mentions if token.kind == "file"]
    beside = [clause.words[at] for at in sorted(clause.places)]
    return [
        word.text for word in beside
        if not (word.start < end and start < word.end) and word.text.isalpha()
        and word.text.lower() not in lexicon().skipped
        and not any(token.start <= word.start < token.end for token in named)
    ]  # fmt: skip


def is_vague(key: str) -> bool:
    """True for the stem of a word that stands for a text and is none."""
    return key in _vague_stems()


@lru_cache
def _vague_stems() -> frozenset[str]:
    return frozenset(map(stem, _VAGUE))


def describes(port: PortSpec) -> bool:
    """True for a text in the user's own words, false for one in a language of its own, such as a colour or a date."""
    return bool(_FREE & set(plain_words(re.sub(r"\d", "", port.name))))


def literal_text(
    port: PortSpec, tool: ToolSpec, intent: Intent, residual: Mapping[str, float], used: Collection[str] = ()
) -> str | None:
    """The text for a port that nothing else feeds: a quote of the intent, else the words that say what is meant.

    `used` are texts that went to another port.
    """
    names = set(plain_words(port.name))
    if names & {"colour", "color"}:
        return colour_in(intent)
    quotes = [token for token in intent.mentions("quote") if token.text not in used]
    if quotes:
        return quotes[0].text
    if intent.mentions("quote") and not takes_wishes(port):
        return None  # what is said word for word went elsewhere: "how often does it say 'roof'"
    urls = intent.mentions("url")
    if urls:
        return urls[0].text
    if _WHOLE & names:
        return None if intent.stating else _pictured(intent, residual) if "prompt" in names else intent.text
    kept = [t for t in intent.terms if t.key in residual and t.kind in ("word", "thing", "task")]
    kept = [t for t in kept if t.kind != "word" or not is_idle(t.key)]
    if not kept or not describes(port):
        return None
    first, last = min(t.first for t in kept), max(t.last for t in kept)
    first = _behind_the_verb(intent.tokens, first, last)
    text = " ".join(token.text for token in intent.tokens[first : last + 1])
    return None if text.lower() in _VAGUE else text or None


_JOINING = frozenset(("and", "or", "und", "oder", "et", "ou", "y", "o"))


def _behind_the_verb(tokens: Sequence[Token], first: int, last: int) -> int:
    """Where a stretch of words from the first of a wish on says of what it is: behind a verb that the lexicon does not
    know and that stands before the article ("recórtala alrededor de | la vasija").
    """
    if first:
        return first
    article = next((n for n in range(1, last + 1) if tokens[n].word in tables().small["article"]), 0)
    return 0 if _JOINING & {token.word for token in tokens[:article]} else article


def _pictured(intent: Intent, residual: Mapping[str, float]) -> str | None:
    """The wish from the first word on that says more than what the tool does: "make a film of | a dog at the sea"; None
    where there is none.
    """
    said = [t for t in intent.terms if t.key in residual and not is_idle(t.key) and t.kind != "exact"]
    kept = [t.first for t in said if intent.tokens[t.last].word not in _MADE]
    if said and not kept:
        return None
    first = min(kept, default=0)
    if first and intent.tokens[first - 1].word in _ONE:
        first -= 1
    return " ".join(token.text for token in intent.tokens[first:])


def colour_in(intent: Intent) -> str | None:
    """The colour that the wording names, as written: "red", "#ff8800"."""
    for token in intent.tokens:
        if token.word in lexicon().colours or re.fullmatch(r"#?[0-9a-f]{6}", token.text.lower()):
            return token.word
    return None

"""Texts that a request gives word for word: quotes with their ports, pairs, titles, conditions, columns, colours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.value_tables import Phrases, negated, split, tables
from desktop_app.plan.arguments.value_tables import words_of as clause_words
from desktop_app.plan.language.exceptions import spared
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import Token, plain_words, stem
from desktop_app.plan.types import PortSpec, ToolSpec
from nodes._support.tables import columns as column_words

_OLD = frozenset(("find", "search", "old", "from", "pattern", "what"))
_NEW = frozenset(("replace", "replacement", "new", "to", "with", "by"))
_TITLES = frozenset(("title", "heading", "headline", "name", "caption"))
_AUTHORS = frozenset(("source", "author", "credit"))
_COLOURS = frozenset(("colour", "color"))
_CLEAR = "transparent"
_SHADES = frozenset(("light", "dark", "pale", "deep", "hell", "dunkel"))

_EXCHANGE = (
    r"replac\w*|swap\w*|chang\w*|substitut\w*|exchang\w*|turn\w*|correct\w*|"
    r"ersetz\w*|tausch\w*|remplac\w*|reemplaz\w*|cambi\w*"
)
_PAIR = re.compile(
    rf"\b(?:{_EXCHANGE})\s+(?:(?:the word|every|all|each|any|das wort|le mot|la palabra)\s+)*(?P<old>\S+)\s+"
    r"(?:everywhere\s+)?(?:with|by|for|to|into|durch|gegen|par|por|con)\s+(?:the word\s+)?(?P<new>\S+)",
    re.IGNORECASE,
)
_CHINESE_PAIR = re.compile(r"把\s*(?P<old>\S+?)\s*(?:替换成|替换为|换成|改成|改为)\s*(?P<new>\S+)")
_INSTEAD = re.compile(
    r"(?P<new>\S+)\s+(?:instead of|in place of|statt|anstelle von|au lieu de|en lugar de)\s+(?P<old>\S+)", re.IGNORECASE
)
_PUT_FOR = re.compile(
    r"\b(?:put|use|write|say|setze?|nimm|schreib|mets|écris|pon|usa|escribe)\s+(?P<new>\ue003+)\s+"
    r"(?:for|where it says|für|wo|pour|por|donde pone)\s+(?P<old>\ue003+)",
    re.IGNORECASE,
)
"""A quoted text for another."""

_COMPARED = (
    r"(?:>=|<=|!=|>|<|==?|≥|≤|≠|\bis\b|\bare\b|\bequals?\b|\bcontains?\b|\bstarts? with\b|\bends? with\b|\babove\b|"
    r"\bbelow\b|\bover\b|\bunder\b|\bat least\b|\bat most\b|\bbetween\b|\b(?:more|less|greater|fewer|larger|smaller|"
    r"higher|lower|later|earlier) than\b)"
)
_WHERE = re.compile(
    r"\b(?:(?<!me )(?<!see )(?<!us )(?<!know )(?<!show )where|whose|in which|for which|with(?: a| an)?|having|"
    r"that have|which have|if)\s+(?P<rest>.+)",
    re.I | re.S,
)
_MORE_THAN = re.compile(
    r"^(?P<how>more than|less than|fewer than|at least|at most|over|under)\s+(?P<number>[\d.,]+)\s+"
    r"(?P<name>[^\W\d]\w*)",
    re.IGNORECASE,
)
_SIGNS = {
    "more than": ">", "over": ">", "less than": "<", "fewer than": "<", "under": "<", "at least": ">=", "at most": "<=",
}  # fmt: skip
_TITLED = re.compile(
    r"\b(?:titled|entitled|intitulée?|namens)\s+"
    r"((?:[A-ZÄÖÜÉ0-9][\w'’-]*)(?:\s+(?:(?:of|in|on|and|the|de|du|la|le|von|im|am|und|et|y|&)\s+)*[A-ZÄÖÜÉ0-9][\w'’-]*)*)"
)
_ARTICLES = frozenset(("the", "column", "der", "die", "das", "la", "le", "el"))
_AUTHOR = re.compile(r"[\s,]*(?:by|from|von|de|par|por|—|–|-)\s*((?:[A-ZÄÖÜÉ][\w'’.-]*\s?)+)")
_CLAUSE_END = re.compile(
    r"[;\n。；]|,(?=\s*(?:and\s+)?(?!\s*\d)\w)|\.(?=\s|$)|[!?](?=\s|$)|\s+(?:and\s+)?then\b|\s+in\s+\S+\.\w{2,5}\b|"
    r"\s+and\s+(?=(?:draw|sort|make|show|put|save|give|turn|plot|chart|count|order|rank|create|add|keep)\b)",
    re.I,
)


@dataclass(frozen=True)
class SaidText:
    """A text for a port, with the offsets in the request that carry it."""

    port: str
    value: str
    start: int
    end: int


def pairs(ports: Sequence[PortSpec], clause: Clause) -> list[SaidText]:
    """ "replace X by Y" for a port of what is looked for and one of what takes its place."""
    old = next((p for p in ports if _named(p) & _OLD), None)
    new = next((p for p in ports if _named(p) & _NEW), None)
    if old is None or new is None or old is new:
        return []
    for pattern in (_CHINESE_PAIR, _INSTEAD, _PUT_FOR, _PAIR):
        for text, spans in _readings(clause):
            found = pattern.search(text)
            if found:
                sides = [(old, "old"), (new, "new")]
                return [_side(port, found, key, clause, spans) for port, key in sides]
    if len(clause.quotes) == 1:
        return [_quoted(old, clause.quotes[0])]
    return []


def _readings(clause: Clause) -> Iterator[tuple[str, list[Token]]]:
    """The clause's text with each quote as one word without spaces."""
    text = list(clause.text)
    for quote in clause.quotes:
        text[quote.start : quote.end] = "\ue003" * (quote.end - quote.start)
    whole = "".join(text)
    for first, last in clause.spans:
        yield " " * first + whole[first:last], list(clause.quotes)


def _side(port: PortSpec, found: re.Match[str], key: str, clause: Clause, quotes: Sequence[Token]) -> SaidText:
    start, end = found.span(key)
    for quote in quotes:
        if quote.start <= start < quote.end:
            return _quoted(port, quote)
    value = clause.text[start:end].strip(".,;:!?\"'。，")
    return SaidText(port.name, value, start, start + len(value))


def _quoted(port: PortSpec, quote: Token) -> SaidText:
    return SaidText(port.name, quote.text, quote.start, quote.end)


def _named(port: PortSpec) -> set[str]:
    return set(plain_words(port.name))


def titles(port: PortSpec, clause: Clause, free: Sequence[Token]) -> SaidText | None:
    """What is "titled" or "called" so, for a port that wants a title."""
    if not _named(port) & _TITLES:
        return None
    for quote in free:
        if _leads("title", quote.start, clause):
            return _quoted(port, quote)
    found = _TITLED.search(clause.text)
    if found and clause.covers(*found.span(1)):
        return SaidText(port.name, found[1].strip(), *found.span(1))
    return None


def _leads(kind: str, start: int, clause: Clause) -> bool:
    """True when one of the lead words stands right before this offset."""
    words = [w for w in clause.words if w.end <= start]
    while words and (words[-1].kind == "break" and words[-1].text in ":("):
        words.pop()
    texts = tuple(w.text for w in words)
    return any(texts[-len(lead) :] == lead for lead in map(split, tables().quotes[kind]))


def authors(port: PortSpec, clause: Clause) -> SaidText | None:
    """ "'Less is more' by Mies": who said it, for a port that wants a source."""
    if not _named(port) & _AUTHORS:
        return None
    for quote in clause.quotes:
        found = _AUTHOR.match(clause.text[quote.end :])
        if found:
            start = quote.end + found.start(1)
            value = found[1].strip().rstrip(".,")
            return SaidText(port.name, value, start, start + len(value))
    return None


def conditions(port: PortSpec, clause: Clause) -> SaidText | None:
    """ "where amount > 100", "with more than 5 points", for a port that wants a condition."""
    if not (_named(port) & {"condition", "filter", "where"}):
        return None
    for first, last in clause.spans:
        stretch = clause.text[first:last]
        found = _WHERE.search(stretch)
        if found is None or not re.search(_COMPARED, found["rest"], re.I):
            continue
        start = first + found.start("rest")
        ending = _CLAUSE_END.search(found["rest"])
        raw = found["rest"][: ending.start()] if ending else found["rest"]
        value = _MORE_THAN.sub(lambda m: f"{m['name']} {_SIGNS[m['how'].lower()]} {m['number']}", raw.strip())
        if re.search(_COMPARED, value, re.I):
            return SaidText(port.name, value, start, start + len(raw))
    return next(filter(None, (_excepted(port, clause, *span) for span in clause.spans)), None)


def _excepted(port: PortSpec, clause: Clause, first: int, last: int) -> SaidText | None:
    """ "Everyone but Ben": those that stay are not he."""
    thing = spared(clause.text[first:last])
    start = clause.text.find(thing, first) if thing else -1
    return SaidText(port.name, f"not ({thing})", start, start + len(thing)) if start >= 0 else None


def columns(port: PortSpec, tool: ToolSpec, clause: Clause) -> SaidText | None:
    """ "By points", "the column price", for a port that wants the name of a column. "Per month" is for the one that
    takes stretches of time, where the tool has such."""
    grouping = next((each.name for each in tool.inputs if is_grouping(each)), "")
    if port.name == grouping:
        return _grouped_by(port, clause)
    if not _named(port) & {"column", "columns"} and not re.match(r"the name of the column", port.description):
        return None
    tabled = tables().columns
    for kind in ("called",) if grouping else ("called", "by"):
        for place in sorted(clause.places):
            if clause.words[place].text in tabled[kind]:
                found = _column_at(place + 1, clause)
                if found is not None:
                    return SaidText(port.name, *found)
    return None


def is_grouping(port: PortSpec) -> bool:
    """True for a port that wants a column or a stretch of time, by which rows are put together."""
    return port.type == "text" and not port.choices and {"column", "month"} <= {*plain_words(port.description)}


def leads(text: str) -> list[tuple[int, int]]:
    """Where each "per", "by" or "for each" begins, and where what it leads to does."""
    found = ((lead.start(), lead.end()) for pattern in _lead_patterns() for lead in pattern.finditer(text))
    return sorted(found, key=lambda lead: (lead[0], -lead[1]))


@cache
def _lead_patterns() -> list[re.Pattern[str]]:
    words = sorted(tables().columns["per"] | tables().columns["by"])
    return [
        re.compile(re.escape(word) if word >= "\u3400" else rf"(?<!\w){re.escape(word)}\s+(?:{_DETERMINER}\s+)?", re.I)
        for word in words
    ]


def lead_before(text: str, start: int) -> int:
    """Where the "per" or "by" begins that stands before `start`."""
    return min((first for first, end in leads(text) if end == start), default=start)


def _grouped_by(port: PortSpec, clause: Clause) -> SaidText | None:
    """What stands behind "per" and "by": what columns are usually called, or where one must be told any word."""
    for lead, start in leads(clause.text):
        if any(quote.start < lead < quote.end for quote in clause.quotes):
            continue  # "titled 'Sales per month'"
        end = start + len(column_words.beginning(clause.text[start:]))
        if end > start and clause.covers(start, end):
            return SaidText(port.name, clause.text[start:end], start, end)
    for place in sorted(clause.places) if port.required else ():
        if clause.words[place].text in tables().columns["per"] | tables().columns["by"]:
            found = _column_at(place + 1, clause)
            if found is not None:
                return SaidText(port.name, *found)
    return None


_DETERMINER = r"(?:the|each|every|der|die|das|dem|den|jede[nmrs]?|le|la|les|el|los|las|cada|chaque)"


def _column_at(place: int, clause: Clause) -> tuple[str, int, int] | None:
    while place in clause.places and clause.words[place].text in _ARTICLES:
        place += 1
    if place not in clause.places or place >= len(clause.words):
        return None
    word = clause.words[place]
    if word.kind == "hole":
        quote = next((q for q in clause.quotes if q.start == word.start), None)
        return (quote.text, quote.start, quote.end) if quote else None
    if word.kind != "word" or word.text in tables().small["glue"]:
        return None
    end = word.end
    while end < len(clause.text) and (clause.text[end] == "_" or clause.text[end].isalnum()):
        end += 1  # "unit_price"
    return clause.text[word.start : end], word.start, end


def colour(port: PortSpec, clause: Clause, taken: frozenset[int]) -> SaidText | None:
    """The colour that the clause names, for a port of colours: "red", "light blue", "#ff8800"."""
    if not _named(port) & _COLOURS:
        return None
    clears = clears_a_colour(port)
    for place in sorted(clause.places - taken - _idioms(clause)):
        found = _colour_at(place, clause)
        if found is not None and not negated(clause.words, place):
            value, first, last = found
            if clears and not _is_cleared(clause, first, last):
                continue
            return SaidText(port.name, value, clause.words[first].start, clause.words[last].end)
    return None


def is_colour(port: PortSpec) -> bool:
    """True for a port that wants a colour."""
    return bool(_named(port) & _COLOURS)


def clears_a_colour(port: PortSpec) -> bool:
    """True for a colour that the tool makes see-through."""
    return is_colour(port) and _CLEAR in _named(port)


def cleared_colour(text: str) -> str:
    """The colour that a request wants see-through, itself and no thing of that colour; "" where it wants none."""
    clause = Clause.of(text)
    found = (_colour_at(place, clause) for place in sorted(clause.places - _idioms(clause)))
    return next((one[0] for one in found if one is not None and _is_cleared(clause, one[1], one[2])), "")


def _is_cleared(clause: Clause, first: int, last: int) -> bool:
    words, small = clause.words, tables().small
    found = ((place, _colour_at(place, clause)) for place in range(len(words)))
    clear = [place for place, one in found if one is not None and one[0] == _CLEAR]
    if not clear or first in clear or not first:
        return False
    behind = words[last + 1].text if last + 1 < len(words) else ""
    itself = last + 1 in clear or behind in small["behind a colour itself"]
    return itself and words[first - 1].text in small["before a colour itself"]


def marked_colour(port: PortSpec, clause: Clause) -> SaidText | None:
    """The colour in words that are marked as one; None where no tool would know it: "round" is none."""
    start, end = clause.spans[0]
    text = re.sub(r"^(?:a|an|un|une|ein|eine|einem|einen)\s+", "", clause.text[start:end])
    own_name = re.fullmatch(r"\S+ (\S+)", text)
    first = text.split()[0].lower() if text else ""
    own = clause_words(text)
    plain = first in tables().small["glue"] | {"bright", "plain"} or tables().shades.at(own, 0)
    plain = plain or tables().degrees.at(own, 0) or tables().senses.at(own, 0)  # "thick gold"
    known = own_name and own_name[1].lower() in lexicon().colours and not plain
    said = None if known else colour(port, clause, frozenset())
    if re.fullmatch(r"[\u3400-\u9fff]+", text) and not text.endswith("色"):  # 浅蓝 for 浅蓝色
        whole = colour(port, Clause(text + "色", ((0, len(text) + 1),)), frozenset())
        said = SaidText(port.name, whole.value, start, end) if whole else said
    for sign in text if said is None and re.fullmatch(r"[\u3400-\u9fff]+", text) else "":  # 红 for 红色
        hit = tables().colours.at(clause_words(sign + "色"), 0)
        if hit:
            return SaidText(port.name, hit[0], start, end)
    return said or (SaidText(port.name, text, start, end) if is_colour_name(text) else None)


def marked_colours(port: PortSpec, clause: Clause) -> SaidText | None:
    """As marked_colour, of an input that takes several apart by commas all that are named."""
    one = marked_colour(port, clause)
    if one is None or "commas" not in port.description:
        return one
    places = sorted(clause.places)
    found = dict.fromkeys(hit[0] for place in places if (hit := _colour_at(place, clause)) is not None)
    return replace(one, value=", ".join(found), end=clause.spans[0][1]) if len(found) > 1 else one


def is_colour_name(text: str) -> bool:
    """True for a name that tools know, with other words before it: "mint green", "pale sage", "steel blue"."""
    words = re.findall(r"\w+", text.lower())
    names = tables().small["colour_names"] | lexicon().colours | _named_colours()
    return "".join(words) in names or (bool(words) and words[-1] in names)


def _colour_at(place: int, clause: Clause) -> tuple[str, int, int] | None:
    words = clause.words
    word = words[place]
    if word.kind == "colour":
        return word.text, place, place
    after = words[place + 1].text if place + 1 < len(words) else ""
    if word.kind != "word" or after == "out":  # "grey out the rest" is something to do
        return None
    named = _colour_name(clause, place)
    if named is None:
        return None
    name, last = named
    if " " in name and name.split()[0] in _SHADES:
        return name, place, last
    behind = tables().shades.at(words, last + 1)
    if behind and words[last + 1].text not in _SHADES and last + 1 in clause.places:  # "gris claro"
        return f"{behind[0]} {name}", place, last + behind[1]
    before = tables().shades.at(words, place - 1) if place - 1 in clause.places else None
    return (f"{before[0]} {name}", place - 1, last) if before else (name, place, last)


def _colour_name(clause: Clause, place: int) -> tuple[str, int] | None:
    """The English name of a colour of the table or of English, and the last place; endings and shades in one word."""
    words = clause.words
    hit = tables().colours.at(words, place)
    text = words[place].text
    if hit is not None and not (hit[1] == 1 and text in lexicon().colours):
        return hit[0], place + hit[1] - 1
    if text in lexicon().colours or text in _named_colours():
        return text, place
    for stemmed in (text.removesuffix(ending) for ending in _ENDINGS if text.endswith(ending)):
        name = stemmed if stemmed in lexicon().colours else _single_colours().get(stemmed)
        if name and len(stemmed) > 2:
            return name, place
        for prefix, shade in _PREFIXES.items():
            rest = stemmed.removeprefix(prefix)
            found = _single_colours().get(rest) or (rest if rest in lexicon().colours else None)
            if rest != stemmed and found:
                return f"{shade} {found}", place
    return None


_ENDINGS = ("", "farbenen", "farbene", "farben", "em", "en", "er", "es", "e", "s", "ish")
_PREFIXES = {"hell": "light", "dunkel": "dark", "tief": "dark", "blass": "pale", "zart": "pale"}


@cache
def _single_colours() -> dict[str, str]:
    """Each word of the table that is one word, and its colour."""
    data = tables().colours.phrases()
    return {words[0]: name for words, name in data if len(words) == 1}


@cache
def _named_colours() -> frozenset[str]:
    return frozenset(name for _, name in tables().colours.phrases() if " " not in name)


@lru_cache(maxsize=256)
def _idioms(clause: Clause) -> frozenset[int]:
    """Places of "black and white" and other phrases in which the colour is no colour."""
    found = _fixed().all(clause.words)
    return frozenset(place for _, first, last in found for place in range(first, last + 1))


@cache
def _fixed() -> Phrases:
    return Phrases((phrase, phrase) for phrase in tables().small["idiom"])


def spoken_of(port: PortSpec, tool: ToolSpec, quote: Token, clause: Clause) -> float:
    """0 and more: how much the words around a quote speak of the port."""
    places = [i for i, w in enumerate(clause.words) if w.end <= quote.start][-6:]
    places += [i for i, w in enumerate(clause.words) if w.start >= quote.end][:5]
    around = {clause.words[i].stem for i in places if clause.words[i].kind == "word"}
    names = {stem(w) for w in plain_words(port.name)}
    skipped = lexicon().skipped - {"often"}
    doc = {stem(w) for w in plain_words(port.description) if w not in skipped and len(w) > 2}
    often = "often" in port.description and any(
        tuple(w.text for w in clause.words[i : i + len(lead)]) == lead
        for lead in map(split, tables().quotes["often"])
        for i in clause.places
    )
    gaps = "{" in quote.text and "{" in port.description
    return 4.0 * gaps + 3.0 * len(around & names) + 1.5 * len(around & doc) + 4.0 * often

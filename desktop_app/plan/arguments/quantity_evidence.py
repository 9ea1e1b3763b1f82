"""What speaks for a quantity being meant for a number port: its unit, the words beside it, what is counted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quantities import Quantity
from desktop_app.plan.arguments.value_tables import Word, split, tables, words_of
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tokenizer import plain_words, stem, tokens_of
from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.types import PortSpec, ToolSpec

_STARTS = frozenset(("start", "first", "from", "begin", "in", "min", "minimum"))
_ENDS = frozenset(("end", "last", "to", "stop", "until", "out", "max", "maximum"))
_AIMS = frozenset(("to", "auf", "à", "a"))
_REACH = 6
_NAMED = 1.5
"""From here on a word beside the number counts as the port's name."""


def distance(quantity: Quantity, first: int, last: int) -> int:
    """How many words lie between a quantity and the words `first` to `last`, plus one."""
    return quantity.first - last if last < quantity.first else first - quantity.last


@lru_cache(maxsize=4096)
def unit_of(port: PortSpec) -> str:
    """The unit that a port is measured in: as declared, or as its name or its description says."""
    if port.unit:
        hit = tables().units.at(words_of(port.unit), 0)
        return hit[0][0] if hit else port.unit
    for text in (port.name.replace("_", " "), port.description.partition(" in ")[2], port.description):
        words = words_of(text)[:2]
        hit = tables().units.at(words, 0)
        if hit and hit[0][1] == 1 and len(words[0].text) > 1 and words[0].text != "times":
            return hit[0][0]
    return ""


@lru_cache(maxsize=4096)
def size_of_unit(port: PortSpec) -> float:
    """How many of `unit_of` one of the port's is: 1000 for one in MB, as sizes are read in kB."""
    hit = tables().units.at(words_of(port.unit), 0) if port.unit else None
    return hit[0][1] if hit else 1.0


def by_unit(port: PortSpec, quantity: Quantity) -> float:
    """0..2.5: whether the quantity is in the unit of the port, or in one that can be turned into it."""
    unit = unit_of(port)
    if quantity.unit and quantity.unit == unit:
        return 2.5
    if quantity.unit in ("x", "%") and unit in ("x", "%"):
        return 2.0
    if quantity.unit == "x" and (not unit or (unit == "dB" and "gain" in plain_words(port.name))):
        return 1.6
    if quantity.unit == "mm" and unit == "px":
        return 2.0
    if quantity.unit == "%" and not unit:
        return 0.7
    return 0.0


def by_place(port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """Ranges to ports named start and end, sizes to width and height, "the first 5 s" to the end of a part."""
    names = set(plain_words(port.name))
    if quantity.role in ("width", "height"):
        return 2.0 * (quantity.role in names) + 1.9 * ({"width": "x", "height": "y"}[quantity.role] in names)
    starts, ends = bool(names & _STARTS), bool(names & _ENDS)
    if quantity.role:
        wanted = starts if quantity.role == "start" else ends
        return 2.5 if wanted else -2.5
    if not quantity.bound and (starts or ends) and quantity.unit == "s" and _is_aim(quantity, clause):
        return 2.0 if ends else -2.0
    if quantity.bound == "first" and not quantity.unit and counts(port):
        return 2.0  # "just the first hundred"
    if not quantity.bound or not (starts or ends):
        return 0.0
    if names & {"in", "out"}:  # a length at one side, and none that is cut off
        if is_removed(quantity, clause):
            return -9.0
        return {"first": 2.0 if starts else -2.0, "last": 2.0 if ends else -2.0}.get(quantity.bound, 0.0)
    if quantity.bound == "last":
        return -9.0  # from where is not known before the length is
    late = (quantity.bound in ("first", "until", "before")) != is_removed(quantity, clause)
    return 2.0 if late == ends else -9.0


def _is_aim(quantity: Quantity, clause: Clause) -> bool:
    """ "Shorten it *to* 10 seconds"."""
    return quantity.first > 0 and clause.words[quantity.first - 1].text in _AIMS


def says_the_side(quantity: Quantity, clause: Clause) -> bool:
    """ "Cut the first ten seconds", "keep the first five", "shorten it to 10 seconds": the words alone tell which end
    is meant.
    """
    is_aim = not quantity.bound and quantity.unit == "s" and _is_aim(quantity, clause)
    return is_removed(quantity, clause) or is_aim or _is_kept(quantity, clause)


def _is_kept(quantity: Quantity, clause: Clause) -> bool:
    if quantity.bound != "first":
        return False
    before, keeping = clause.words[: quantity.bound_at], tables().small["keeping"]
    text = "".join(word.text for word in before)
    return any(word.text in keeping for word in before) or any(word in text for word in keeping if word > "\u3400")


def is_before_the_end(quantity: Quantity, clause: Clause) -> bool:
    """ "The last five seconds", "two seconds off the end"."""
    return quantity.bound == "last" or _is_off_the_end(quantity, clause)


def _is_off_the_end(quantity: Quantity, clause: Clause) -> bool:
    after = [w.text for w in clause.words[quantity.last + 1 : quantity.last + 5]]
    return any(after[: len(phrase)] == [*phrase] for phrase in map(split, tables().small["off the end"]))


def is_of_length(quantity: Quantity, clause: Clause) -> bool:
    """ "Twice as long": the more of it, the less of speed."""
    near = " ".join(("", *(w.text for w in clause.words[max(0, quantity.first - 1) : quantity.last + 5]), ""))
    return any(phrase in near for phrase in _spaced("of length"))


@cache
def _spaced(name: str) -> tuple[str, ...]:
    """The phrases of a small list, between spaces."""
    return tuple(f" {' '.join(split(phrase))} " for phrase in tables().small[name])


@lru_cache(maxsize=256)
def is_removed(quantity: Quantity, clause: Clause) -> bool:
    """ "drop everything after 1:30", "the first ten seconds off": what is said shall go, and the rest stays."""
    if _is_off_the_end(quantity, clause):
        return True
    words = [w.text for w in clause.words]
    if quantity.bound in ("first", "last") and _AIMS & {*words[max(0, quantity.bound_at - 2) : quantity.bound_at]}:
        return False  # "cut it to its first ten seconds"
    behind = clause.words[quantity.last + 1 : quantity.last + 4]
    apart = (n for n, word in enumerate(behind) if word.kind == "break" or word.text in tables().joints["further"])
    before = f" {' '.join(words[max(0, quantity.first - 9) : quantity.first])} "
    after = " ".join(("", *words[quantity.last + 1 :][: next(apart, len(behind))], ""))
    removing, removed = _spaced("removing"), _spaced("removed")
    return any(phrase in before for phrase in removing) or any(phrase in after for phrase in removed)


def by_name(port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """0..3: how near to the quantity the words of the port's name stand, or words that mean the same."""
    parts = plain_words(port.name) or [port.name]
    rated = [max((_nearness(quantity, names, clause) for names in _synonyms(part)), default=0.0) for part in parts]
    unit = quantity.unit
    if unit:
        kept = [r for r, part in zip(rated, parts, strict=True) if not _is_unit(part, unit)]
        return (sum(kept) + 0.7 * (len(rated) - len(kept))) / len(rated)
    return sum(rated) / len(rated)


def named_at(port: PortSpec, clause: Clause) -> set[int]:
    """The places of the clause's words at which the port is named, an article before its name left out."""
    small, words = tables().small["determiner"], clause.words
    names = [names for part in plain_words(port.name) for names in _synonyms(part)]
    found = {place for place in clause.places if any(_same(words[place : place + len(one)], one) for one in names)}
    return found | {place - 1 for place in found if place and words[place - 1].text in small}


@lru_cache(maxsize=4096)
def _is_unit(word: str, unit: str) -> bool:
    hit = tables().units.at(words_of(word), 0)
    return hit is not None and hit[0][0] == unit


@lru_cache(maxsize=4096)
def _synonyms(part: str) -> tuple[tuple[str, ...], ...]:
    own = split(part)
    return (own, *(split(entry) for entry in tables().names.get(part, ())))


def _nearness(quantity: Quantity, names: tuple[str, ...], clause: Clause) -> float:
    """3 for a word right beside the quantity, less with each word between; a break or another quantity ends it."""
    best = 0.0
    for side in _beside(quantity, clause):
        for place, away in side:
            words = clause.words[place : place + len(names)]
            if _same(words, names) and all(p in clause.places for p in range(place, place + len(names))):
                best = max(best, 3.0 / (1 + 0.35 * away))
                break
    return best


@lru_cache(maxsize=256)
def _beside(quantity: Quantity, clause: Clause) -> tuple[tuple[tuple[int, float], ...], ...]:
    """The places of the words before the quantity and of those behind it, as far as it reaches, with how far away each
    is: a plan asks for the names of all inputs of its tools.
    """
    sides = []
    for step, start in ((-1, quantity.first - 1), (1, quantity.last + 1)):
        away, side = 0.0, list[tuple[int, float]]()
        for place in range(start, start + step * 9, step):
            if place not in clause.places or _ends_reach(place, clause) or away > _REACH:
                break
            side.append((place, away))
            away += _weight(place, clause)
        sides.append(tuple(side))
    return tuple(sides)


def _same(words: Sequence[Word], names: tuple[str, ...]) -> bool:
    if len(words) < len(names):
        return False
    if len(names) == 1 and len(names[0]) > 3:
        return words[0].kind == "word" and (words[0].text == names[0] or words[0].stem == stem(names[0]))
    return tuple(w.text for w in words) == names


def _ends_reach(place: int, clause: Clause) -> bool:
    word = clause.words[place]
    if word.kind == "break":
        return True
    return any(q.first <= place <= q.last for q in clause.quantities)


def _weight(place: int, clause: Clause) -> float:
    """How much a word between a name and its number separates them."""
    word = clause.words[place]
    if word.text in tables().joints["further"]:
        return 2.0
    return 0.3 if word.text in tables().small["glue"] or word.kind == "sign" else 1.0


def by_doc(port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """0..1.2: a word of the port's description beside the quantity."""
    return max((0.4 * _nearness(quantity, (word,), clause) for word in _doc_words(port)), default=0.0)


@lru_cache(maxsize=4096)
def _doc_words(port: PortSpec) -> tuple[str, ...]:
    skipped = lexicon().skipped
    units = tables().units
    words = [w for w in plain_words(port.description) if w not in skipped and len(w) > 3]
    return tuple(w for w in dict.fromkeys(words) if units.at(words_of(w), 0) is None)


def by_quality(port: PortSpec, quantity: Quantity, clause: Clause) -> float:
    """A word for more or less of what the port is about: "30 % darker" for brightness."""
    near = [distance(quantity, h.first, h.last) for h in clause.hits if is_about(port, h.sense.quality)]
    return 2.5 / (1 + 0.2 * (min(near) - 1)) if near and min(near) <= 8 else 0.0


@lru_cache(maxsize=4096)
def is_about(port: PortSpec, quality: str) -> bool:
    """True when the port sets that quality: brightness, contrast, loudness ..., as its name says, or for some its
    description."""
    in_name, in_description = set(plain_words(port.name)), set(plain_words(port.description))
    return bool(in_name & tables().qualities[quality] or in_description & tables().qualities_told[quality])


def by_noun(port: PortSpec, tool: ToolSpec, quantity: Quantity, clause: Clause) -> float:
    """2 when the thing counted is one that the tool or the port speaks of: "6 stills", "top 5 keywords"."""
    if quantity.unit:
        return 0.0
    nouns = _nouns(quantity, clause)
    if not counts(port):
        return 0.0
    own = {stem(w) for w in plain_words(port.name + " " + port.description)} - {stem(w) for w in lexicon().skipped}
    if any(noun in own for noun in nouns):
        return 2.2
    return 2.0 if any(noun in _tool_stems(tool) for noun in nouns) else 0.0


def counts(port: PortSpec) -> bool:
    """True for a port that says how many."""
    names = set(plain_words(port.name))
    return port.integer or bool(names & {"count", "number", "limit", "sentences"}) or "how many" in port.description


@lru_cache(maxsize=4096)
def _tool_stems(tool: ToolSpec) -> frozenset[str]:
    text = " ".join((tool.title, tool.description, *tool.words, *(p.name + " " + p.description for p in tool.outputs)))
    return frozenset(stem(w) for w in plain_words(text)) - frozenset(stem(w) for w in lexicon().skipped)


def _nouns(quantity: Quantity, clause: Clause) -> list[str]:
    """Stems of up to three words that follow the quantity, as far as the next small word."""
    found = []
    for word in clause.words[quantity.last + 1 : quantity.last + 4]:
        if word.kind != "word" or word.text in tables().small["glue"] or word.text in tables().joints["further"]:
            break
        found.append(word.stem)
    return found


def is_alien(port: PortSpec, tool: ToolSpec, quantity: Quantity, clause: Clause) -> bool:
    """True when something is counted that neither the port nor the tool speaks of."""
    nouns = _nouns(quantity, clause)
    if quantity.spelled and not nouns:
        return True
    known = _tool_stems(tool) | {stem(w) for w in plain_words(port.name + " " + port.description)}
    return bool(nouns) and not any(noun in known for noun in nouns) and not _in_classes(nouns, known)


def _in_classes(nouns: Sequence[str], known: frozenset[str] | set[str]) -> bool:
    """True when a noun shares a class of the lexicon with a known word: "snaps" and "pictures"."""
    terms = [t.key for noun in nouns for t in lexicon().terms(tokens_of(noun)) if t.kind != "word"]
    return any(key in known for key in terms)


def is_setting(quantity: Quantity, tool: ToolSpec, clause: Clause) -> bool:
    """False for "these three pictures" and "all five snaps", which count what there is, and for "amount > 100"."""
    before = [w.text for w in clause.words[max(0, quantity.first - 2) : quantity.first]]
    if before[-1:] and (before[-1] in "<>≥≤" or (before[-1] == "than" and before[0] in ("more", "less", "greater"))):
        return False
    if quantity.unit or quantity.role:
        return True
    if before[-1:] and before[-1] in tables().small["these"] and before[-1] not in ("its", "the"):
        return False
    return not _counts_inputs(quantity, tool, clause)


def _counts_inputs(quantity: Quantity, tool: ToolSpec, clause: Clause) -> bool:
    """True when what is counted is what the tool takes and does not give, and no number port has that name."""
    if any(by_name(port, quantity, clause) >= _NAMED for port in tool.inputs if port.type == "number"):
        return False
    taken = {port.type for port in tool.inputs}
    given = {port.type for port in tool.outputs} - {"text"}
    for word in clause.words[quantity.last + 1 : quantity.last + 3]:
        types = {t.key for t in lexicon().terms(tokens_of(word.text)) if t.kind == "type"}
        if any(fits(t, wanted) for t in types for wanted in taken) and not types & given:
            return True
    return False

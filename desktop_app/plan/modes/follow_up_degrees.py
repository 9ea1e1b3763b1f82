"""More or less of what is there, and the other way round: a value moved from where it is.

Knows one step and the words, not the graph.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quantity_evidence import is_about
from desktop_app.plan.arguments.value_tables import Phrases, Sense, read_words, tables
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.edits import AskValue, Edit, SetValues
from desktop_app.plan.tools.rewiring import is_fed
from desktop_app.plan.types import PortSpec, Step, ToolSpec

_USUAL, _SLIGHT, _GREAT = 1.5, 1.2, 2.0
"""By how much "stronger" multiplies; with "a bit", with "much"."""
_SHARES = {_SLIGHT: 0.1, _USUAL: 0.2, _GREAT: 0.3}
"""The same of an input that goes both ways from 0, in parts of what is possible."""
_STEPS = {"dB": 6.0, "LUFS": 3.0, "semitones": 2.0}
"""What "more" adds to ports with these units, which count in steps."""
_STRENGTHS = (
    "strength", "radius", "amount", "intensity", "gain", "level", "block", "factor", "width", "size", "percent",
    "opacity", "speed", "sentences", "tones",
)  # fmt: skip
_LESS, _MUCH_LESS = 0.5, 0.33
"""What "less" leaves of a change that goes one way or the other: slower or faster, louder or quieter."""
_UNDONE = 0.005  # so near to nothing at all: 0.67 times 1.5
_WORDED = 0.3  # about so much is "brighter", of 1, where no number says more of it
_NO_STRENGTH = frozenset(("seed", "x", "y", "steps", "quality", "count", "index", "page"))
_OPPOSITES = (
    ("left", "right"), ("clockwise", "counterclockwise"), ("brighter", "darker"), ("louder", "quieter"),
    ("faster", "slower"), ("bigger", "smaller"), ("higher", "lower"), ("horizontally", "vertically"), ("up", "down"),
    ("zoom in", "zoom out"), ("warmer", "cooler"), ("more contrast", "less contrast"), ("top", "bottom"),
    ("more colourful", "less colourful"), ("side by side", "stacked"),
)  # fmt: skip
_AROUND = ("not so", "up", "down", "slightly", "greatly", "filler", "no", "instead", "thanks")
"""What is said around the word for a degree."""
_SIZES, _SCALES = {"width", "height"}, {"scale", "percent", "factor", "zoom"}
"""What a tool takes that makes pictures larger and smaller: both, or one of these."""
_TURNED = {**dict(_OPPOSITES), **{b: a for a, b in _OPPOSITES}}


def scaled(spec: ToolSpec, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
    """ "Stronger", "half as much", "a bit darker", "fewer colours": another number where one is."""
    clause, times = Clause.of(said.text), factors(said.text)
    hits = [(hit.sense, _with_more(hit.first, hit.last, said)) for hit in clause.hits]
    if said.has("not so") and not hits:  # a clause denies what is not so
        hits = [(sense, (first, last)) for sense, first, last in tables().senses.all(said.words)]
    if not times and not hits and not said.has("up", "down", "not so"):
        return None
    if any(q.unit != "x" and not q.one for q in clause.quantities):
        return None
    named = port_words(said, (spec,))
    covered = [*spans, *named, *((a, b) for _, a, b in times), *(span for _, span in hits)]
    rest = said.left(_AROUND, covered)
    if len(rest) > 1 or any(place - 1 in said.covered(("amount",)) for place in rest):
        return None  # "fewer colours", said of a step that knows none
    known = [sense for sense, _ in hits if any(is_about(port, sense.quality) for port in spec.inputs)]
    about = said.covered((), (span for _, span in hits))
    if hits and not known and not named and about.issuperset(said.covered(("up", "down"))):
        return None  # "darker", said of a step that knows nothing of light
    heard = any(sense.quality == "loudness" for sense, _ in hits) and spec.outputs[0].type in ("audio", "video")
    if heard and not known:
        return None  # "plus fort" is stronger, and of a sound louder
    spoken = {sense.quality for sense in known} or _qualities_named(said) or _qualities_chosen(spec, step)
    port = _port_by_word(spec, step, said) or _strength_of(spec, step, spoken)
    if port is None:
        return None
    sign = next((sense.sign for sense in known if is_about(port, sense.quality)), 0)
    is_back = said.has("not so") and _is_moved(port, step, sign)
    sign = -(sign or 1) if said.has("not so") else sign
    sign = sign or (-1 if said.has("down") and not _is_later(said, "up", "down") else 1)
    by = times[0][0] if times else 0.0
    if is_back or (not known and said.has("relative")):
        back = _more_of_the_change(port, step, said, by, -1 if is_back else sign)
        if back is not None:
            return back
    return _other_value(port, step, said, by, sign, bool(known))


def _qualities_chosen(spec: ToolSpec, step: Step) -> set[str]:
    """What was asked for in words: brightness, for a step that was to make something "darker"."""
    found = {sense.quality for sense in _chosen(step)}
    return {quality for quality in found if any(is_about(p, quality) for p in spec.inputs if p.type == "number")}


def _chosen(step: Step) -> list[Sense]:
    texts = (value for value in step.arguments.values() if isinstance(value, str))
    return [sense for text in texts for sense, _, _ in tables().senses.all(read_words(text))]


def _is_moved(port: PortSpec, step: Step, sign: int) -> bool:
    """True where the step makes it so already, which is now not to be so much so: slower, by a word for slow."""
    now = _changed_by(port, step)
    return now is not None and now * sign > 0


def _changed_by(port: PortSpec, step: Step) -> float | None:
    """How far the step goes from where nothing changes, -, 0 or +; None for a number that goes one way only."""
    current = step.arguments.get(port.name, port.default)
    if not isinstance(current, int | float) or isinstance(current, bool):
        return None
    if port.unit == "x" or _is_share(port):
        return math.log(current / (100 if _is_share(port) else 1)) if current > 0 else None
    if _is_balance(port):
        return current + (_WORDED * _meant_sign(step) if _chosen(step) else 0.0)
    is_gain = port.unit in _STEPS and (port.minimum or 0) < 0 < (port.maximum or 0)
    return float(current) if is_gain else None


def _is_share(port: PortSpec) -> bool:
    """Per cent of the old size: a hundred changes nothing."""
    return port.unit == "%" and (port.maximum or 0) > 100


def _more_of_the_change(port: PortSpec, step: Step, said: MessageWords, times: float, sign: int) -> Edit | None:
    """Half as much of what a step changes, or more of it; None where it changes nothing, or goes one way only."""
    now = _changed_by(port, step)
    if not now:
        return None
    usual = _SLIGHT if said.has("slightly") else _GREAT if said.has("greatly") else _USUAL
    by = times or (usual if sign > 0 else _MUCH_LESS if usual == _GREAT else _LESS)
    if port.unit in _STEPS and sign > 0 and not times:
        value = now + math.copysign(_STEPS[port.unit] * {_SLIGHT: 0.5, _GREAT: 2.0}.get(usual, 1.0), now)
    elif port.unit == "x" or _is_share(port):
        value = math.exp(now * by) * (100 if _is_share(port) else 1)
    else:
        value = now * by - now + float(step.arguments.get(port.name, port.default))
    value = _within(port, value)
    return SetValues({(step.id, port.name): round(value) if port.integer or _is_share(port) else value})


def _with_more(first: int, last: int, said: MessageWords) -> tuple[int, int]:
    """With the "more" of "more colourful", which is of that quality and of no other."""
    return (next((a for a, b in said.spans("up", "down") if a < first == b + 1), first), last)


def _qualities_named(said: MessageWords) -> set[str]:
    """Qualities that some input has as its name: "half the *size*", said of what has but a scale."""
    return {
        name for name, ports in tables().qualities.items()
        if name in ports and _names(name).all(said.words)
    }  # fmt: skip


def is_of_the_whole(specs: Iterable[ToolSpec], said: MessageWords) -> bool:
    """ "Make them smaller", "a larger picture", after a border: not of the border, but of what it is around. "Make it
    bigger" is of the letters, after a text.
    """
    ports = [{port.name for port in spec.inputs if port.type == "number"} for spec in specs]
    if any(names >= _SIZES or names & _SCALES for names in ports) or not said.has("them", "picture"):
        return False
    own = any("size" in names for names in ports) and not said.has("picture")
    return not own and any(hit.sense.quality == "size" for hit in Clause.of(said.text).hits)


def is_said(edit: SetValues | AskValue, specs: Mapping[str, ToolSpec], said: MessageWords) -> bool:
    """True where the message says no more than to give more or less of what its own words call the changed number, or
    of its quality: "fewer colours", "in a deeper voice". How large something is may be said of the whole picture.
    """
    changed = edit.values if isinstance(edit, SetValues) else {(edit.step, edit.port): edit.by}
    degrees = [(hit.first, hit.last) for hit in Clause.of(said.text).hits]
    if len(changed) != 1 or not (degrees or said.has("up", "down")):
        return False
    ((step, name),) = changed
    port = next(port for port in specs[step].inputs if port.name == name)
    own = [span for port in specs[step].inputs for span in _called(port, said)]
    if said.left((*_AROUND, "picture", "them"), [*degrees, *own]):
        return False
    qualities = {hit.sense.quality for hit in Clause.of(said.text).hits} - {"size"}
    return bool(_called(port, said)) or is_about_any(port, qualities)


def _other_value(
    port: PortSpec, step: Step, said: MessageWords, times: float, sign: int, is_sensed: bool
) -> Edit | None:
    """More or less (`sign`) of a port, so many times where that is said, else 0; None where it cannot go there."""
    usual = _SLIGHT if said.has("slightly") else _GREAT if said.has("greatly") else _USUAL
    by = times or (usual if sign > 0 else 1 / usual)
    by = 1 / by if times > 1 and sign < 0 else by
    current = step.arguments.get(port.name, port.default)
    current = (0.0 if (port.minimum or 0) < 0 else port.usual) if current is None else current
    if not isinstance(current, int | float) or isinstance(current, bool):
        return AskValue(step.id, port.name, by)
    if is_sensed and times and port.unit == "dB":  # "half as loud" is 6 dB less, whatever it was
        value = _within(port, round(float(current) + 20 * math.log10(by)))
    elif is_sensed and not times and _is_balance(port):  # "darker" is so whichever way it was moved before
        value = _within(port, float(current) + sign * _SHARES[usual] * (port.maximum or 1.0))
    else:
        value = _moved(port, float(current), by, sign, _meant_sign(step))
    return SetValues({(step.id, port.name): value}) if value != current else None


def factors(text: str) -> list[tuple[float, int, int]]:
    """ "Half as much", "twice": factors, with their places."""
    words = read_words(text)
    found = [(float(value), first, last) for value, first, last in tables().factors.all(words)]
    verbs = [(by, *span) for idea, by in (("halve", 0.5), ("double", 2.0)) for span in MessageWords(text).spans(idea)]
    return [one for one in (*found, *verbs) if one[0] > 0]


def turned(spec: ToolSpec, step: Step, said: MessageWords, spans: Sequence[tuple[int, int]]) -> Edit | None:
    """ "The other way round": the opposite of a choice, or of a sign."""
    if not said.has("opposite") or len(said.left(("opposite", "filler", "no", "mean", "other"), spans)) > 1:
        return None
    for port in spec.inputs:
        value = step.arguments.get(port.name, port.default)
        other = _turned_round(value, port.choices) if isinstance(value, str) else ""
        if len(port.choices) == 2 and value in port.choices:
            other = next(choice for choice in port.choices if choice != value)
        if other and other in port.choices:
            return SetValues({(step.id, port.name): other})
    flags = [port for port in spec.inputs if port.type == "flag"]
    if len(flags) == 1 and isinstance(now := step.arguments.get(flags[0].name, flags[0].default), bool):
        return SetValues({(step.id, flags[0].name): not now})  # of what is sorted the last first
    for port in spec.inputs:
        value = step.arguments.get(port.name)
        if isinstance(value, int | float) and value and port.minimum is not None and port.minimum < 0:
            return SetValues({(step.id, port.name): -value})
    return None


def port_words(said: MessageWords, specs: Iterable[ToolSpec]) -> list[tuple[int, int]]:
    """The words for numbers that the tools take: "wide", "colours" of a posterised picture."""
    return [span for spec in specs for port in spec.inputs if port.type == "number" for span in _called(port, said)]


def is_called(port: PortSpec, said: MessageWords) -> bool:
    """True where the port's own word is said of a number: "gap"."""
    return port.type == "number" and bool(_called(port, said))


def _called(port: PortSpec, said: MessageWords) -> list[tuple[int, int]]:
    """Where its own words are."""
    return [(first, last) for _, first, last in _names(port.name).all(said.words)]


@cache
def _names(port: str) -> Phrases:
    words = (port, *tables().names.get(port, ()))
    return Phrases((entry, port) for word in words for entry in (word, f"{word}s"))


def _port_by_word(spec: ToolSpec, step: Step, said: MessageWords) -> PortSpec | None:
    """The number whose own word is said, unless it is that of several."""
    ports = [
        port for port in spec.inputs
        if port.type == "number" and _called(port, said) and not is_fed(step.arguments.get(port.name))
    ]  # fmt: skip
    return ports[0] if len(ports) == 1 else None


def _turned_round(value: str, choices: Sequence[str]) -> str:
    """The choice that is the opposite of another, as a whole or in one of its words ("90 clockwise"), or ""."""
    words = " ".join(_TURNED.get(word, word) for word in value.split())
    return next((other for other in (_TURNED.get(value, ""), words) if other != value and other in choices), "")


def opposites(port: PortSpec) -> list[str]:
    """Those of its choices that have an opposite among them: "brighter", "darker"."""
    return [choice for choice in port.choices if _TURNED.get(choice, "") in port.choices]


def is_about_any(port: PortSpec, qualities: Iterable[str]) -> bool:
    """True for a port about one of these qualities."""
    return any(is_about(port, quality) for quality in qualities)


def _is_later(said: MessageWords, one: str, other: str) -> bool:
    """ "Not so weak, stronger": what is said last counts; of two at one place the longer."""
    first, second = said.spans(one), said.spans(other)
    if not first or not second:
        return bool(first)
    a, b = max(first), max(second)
    return a[0] > b[1] if a[0] != b[0] else a[1] > b[1]


def _strength_of(spec: ToolSpec, step: Step, qualities: Iterable[str]) -> PortSpec | None:
    """The number of which "more" speaks."""
    ports = [
        port for port in spec.inputs
        if port.type == "number" and port.name not in _NO_STRENGTH and not is_fed(step.arguments.get(port.name))
    ]  # fmt: skip
    about = [port for port in ports if is_about_any(port, qualities)]

    def fitness(port: PortSpec) -> tuple[bool, bool, bool]:
        known = port.name in step.arguments
        return known, port.name in _STRENGTHS, port.default is not None

    chosen = about or ([] if qualities and not any(port.name in step.arguments for port in ports) else ports)
    return max(chosen, key=fitness, default=None)


def _meant_sign(step: Step) -> int:
    """-1 for a step that was asked to do less of something ("darker"), else 1."""
    signs = [sense.sign for sense in _chosen(step)]
    return signs[0] if signs else 1


def _is_balance(port: PortSpec) -> bool:
    """True for an input that is 0 where nothing changes, and goes both ways from there: brightness, warmth."""
    return port.unit not in _STEPS and port.default == 0 and port.minimum is not None and port.minimum < 0


def _within(port: PortSpec, value: float) -> float | int:
    low = port.minimum if port.minimum is not None else -1e9
    high = port.maximum if port.maximum is not None else 1e9
    value = round(min(max(value, low), high), 3)
    return int(value) if float(value).is_integer() else value


def _moved(port: PortSpec, current: float, by: float, sign: int, meant: int) -> float | int:
    if port.unit in _STEPS:
        share = 1.0 if by in (_USUAL, 1 / _USUAL) else 0.5 if by in (_SLIGHT, 1 / _SLIGHT) else 2.0
        value = current + sign * share * _STEPS[port.unit]
        value = current / 2 if current and value * current <= 0 else value  # less of it, and not none or the opposite
    elif port.minimum is not None and port.minimum < 0 and not current:
        value = (port.maximum or 1.0) * 0.2 * sign * meant
    else:
        value = current * by
        is_usual = port.unit == "x" and 1 / _GREAT < by < _GREAT
        is_undone = current != 1 and (value - 1) * (current - 1) < _UNDONE
        value = math.sqrt(current) if is_usual and is_undone else value  # "faster", of what was slowed: less slow
    if port.integer:
        value = round(value)
        value += (1 if sign > 0 else -1) if value == current else 0
    return _within(port, value)

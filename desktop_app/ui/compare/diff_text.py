"""What differs between two ways, in words: the rows of the table beside the picture of the graph, and their sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_app.graph.workflow import DOTS, Node
from desktop_app.run.backends import selection
from desktop_app.session.comparison.fulfilment import Fulfilment
from desktop_app.session.comparison.outcomes import Outcome, SideResult
from desktop_app.session.comparison.pairs import ALIKE, CHANGED, ONLY, REPLACED, SHARED, Comparison, Pair
from desktop_app.session.comparison.traces import own_values
from desktop_app.storage.resources import Resource
from desktop_app.ui.compare.sides import SIDES, Side
from desktop_app.ui.support import formatting
from desktop_app.ui.support.formatting import translate
from nodes.api import SECRET, ResourceType, Tool

Tools = Mapping[str, Tool]
NOTHING = "–"
_LONGEST = 60

TIME, MEMORY, DOWNLOAD, FULFILLED, RESULT = "time", "memory", "download", "fulfilled", "result"


@dataclass(frozen=True)
class DifferenceRow:
    """One difference: what it is about, and what A and B have there.

    `better` is the side that has less to pay, or more of what was asked for, and `praise` says which; `tip` says what
    is measured, `key` which row it is of those that are always there.
    """

    about: str
    a: str
    b: str
    better: str = ""
    key: str = ""
    praise: str = ""
    tip: str = ""

    def of(self, side: str) -> str:
        return self.a if side == "a" else self.b


Seconds = Mapping[str, Mapping[str, float]]
"""How long steps took, by side and node."""


def rows(comparison: Comparison, sides: Mapping[str, Side], seconds: Seconds, tools: Tools) -> list[DifferenceRow]:
    """A row for each difference: what goes in, tools, values, back ends, and how long the steps took."""
    found = [
        DifferenceRow(translate("Input"), pair.a or NOTHING, pair.b or NOTHING)
        for pair in comparison.resources
        if pair.kind != SHARED
    ]
    describe = _Describing(comparison, sides, seconds, tools)
    for pair in comparison.nodes:
        found += describe.rows(pair)
    return found


class _Describing:
    """Says what differs in a pair of nodes."""

    def __init__(
        self,
        comparison: Comparison,
        sides: Mapping[str, Side],
        seconds: Mapping[str, Mapping[str, float]],
        tools: Tools,
    ) -> None:
        self._comparison, self._sides, self._seconds, self._tools = comparison, sides, seconds, tools

    def rows(self, pair: Pair) -> list[DifferenceRow]:
        if pair.kind == SHARED:
            return []
        if pair.kind == ALIKE:
            about = self._title("a", pair.a)
            return [self._row(about, pair, lambda side: self._joined(translate("the same"), self._time(side, pair)))]
        found: list[DifferenceRow] = []
        if pair.kind == CHANGED:
            about = self._title("a", pair.a)
            found.append(self._row(about, pair, lambda side: self._with(side, pair) or translate("the same tool")))
        elif pair.kind == REPLACED:
            about = translate("{what} from").format(what=self._gives(pair))
            found.append(self._row(about, pair, lambda side: self._title(side, pair.of(side))))
            found.append(self._row(translate("{what} with").format(what=self._gives(pair)), pair,
                                   lambda side: self._with(side, pair)))  # fmt: skip
        else:
            side = "a" if pair.a else "b"
            about = self._title(side, pair.of(side))
            found.append(self._row(about, pair, lambda side: self._with(side, pair) or translate("yes")))
        return [*(row for row in found if row.a or row.b), *self._values(pair)]

    def _row(self, about: str, pair: Pair, says: Callable[[str], str]) -> DifferenceRow:
        told = {side: says(side) if pair.of(side) else NOTHING for side in SIDES}
        return DifferenceRow(about, told["a"], told["b"])

    def _node(self, side: str, pair: Pair) -> Node | None:
        id = pair.of(side)
        return self._comparison.workflow(side).node(id) if id else None

    def _title(self, side: str, id: str) -> str:
        return self._comparison.workflow(side).title_of(id, self._tools)

    def _gives(self, pair: Pair) -> str:
        node = self._node("a", pair) or self._node("b", pair)
        tool = self._tools.get(node.tool) if node else None
        return formatting.port_label(str(tool.outputs[0].type)) if tool and tool.outputs else translate("Result")

    def _with(self, side: str, pair: Pair) -> str:
        return self._joined(self._backend(side, pair), self._time(side, pair))

    def _backend(self, side: str, pair: Pair) -> str:
        node = self._node(side, pair)
        tool = self._tools.get(node.tool) if node else None
        if node is None or tool is None or not tool.backends:
            return ""
        record = self._sides[side].run.nodes.get(node.id)
        chosen = (record.backend if record else "") or node.backend or None
        return selection.shown(tool, chosen, node.values).title

    def _time(self, side: str, pair: Pair) -> str:
        seconds = self._seconds[side].get(pair.of(side))
        return formatting.duration(seconds) if seconds is not None else ""

    @staticmethod
    def _joined(*said: str) -> str:
        return " · ".join(part for part in said if part)

    def _values(self, pair: Pair) -> list[DifferenceRow]:
        nodes = {side: self._node(side, pair) for side in SIDES}
        own = {side: own_values(node, self._tools) if node else {} for side, node in nodes.items()}
        names = dict.fromkeys([*own["a"], *own["b"]])
        found = []
        for name in names:
            told = {side: self._value(nodes[side], name, own[side]) for side in SIDES}
            if pair.kind != CHANGED or told["a"] != told["b"]:
                found.append(DifferenceRow(formatting.port_label(name), told["a"], told["b"]))
        return found if pair.kind in (CHANGED, REPLACED, ONLY) else []

    def _value(self, node: Node | None, name: str, own: Mapping[str, Any]) -> str:
        tool = self._tools.get(node.tool) if node else None
        port = tool.input(name) if tool else None
        if name in own and name == SECRET:
            return DOTS
        if name in own:
            return said(own[name], port.type if port else None)
        return said(port.default, port.type) if port is not None and not port.required else NOTHING


def said(value: Any, type: ResourceType | None = None) -> str:
    """A value of a port in a few characters: “cup”, 0.62, 3 points, yes."""
    if value is None or value == "" or value == ():
        return NOTHING
    if isinstance(value, bool):
        return translate("yes") if value else translate("no")
    if isinstance(value, float):
        return f"{value:.6g}"
    if type in (ResourceType.POINTS, ResourceType.BOXES) and isinstance(value, list | tuple):
        text = "{n} points" if type is ResourceType.POINTS else "{n} boxes"
        return translate(text).format(n=len(value))
    if isinstance(value, str):
        return f"“{value if len(value) <= _LONGEST else value[: _LONGEST - 1] + '…'}”"
    text = str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def summary(comparison: Comparison, tools: Tools) -> str:
    """`1 input, 2 tools and 1 setting differ`; what is the same when nothing does."""
    inputs = sum(pair.kind != SHARED for pair in comparison.resources)
    inputs += sum(_given(comparison, pair, tools) for pair in comparison.nodes if pair.kind == REPLACED)
    changed = [pair for pair in comparison.nodes if pair.kind == CHANGED]
    models = sum(comparison.a.node(p.a).backend != comparison.b.node(p.b).backend for p in changed)
    counts = (
        (inputs, translate("1 input"), translate("{n} inputs")),
        (comparison.count(REPLACED, ONLY), translate("1 tool"), translate("{n} tools")),
        (models, translate("1 back end"), translate("{n} back ends")),
        (len(changed) - models, translate("1 setting"), translate("{n} settings")),
    )
    told = [one if n == 1 else many.format(n=n) for n, one, many in counts if n]
    if not told:
        return translate("Nothing differs")
    return translate("Different: {what}").format(what=", ".join(told))


def _given(comparison: Comparison, pair: Pair, tools: Tools) -> bool:
    """True when the user gives one of two tools something that the other has no place for."""
    names = []
    for side in SIDES:
        node = comparison.workflow(side).node(pair.of(side))
        tool = tools.get(node.tool)
        names.append({p.name for p in tool.inputs if p.required and p.name in node.values} if tool else set())
    return names[0] != names[1]


def shared_words(comparison: Comparison) -> str:
    """How many steps both share; "" for none."""
    n = comparison.count(SHARED)
    return translate("{n} steps are shared and run once.").format(n=n) if n > 1 else (
        translate("1 step is shared and runs once.") if n else ""
    )  # fmt: skip


def outcome_name(outcome: Outcome, index: int, many: int, comparison: Comparison, tools: Tools) -> str:
    """What is compared: `Watercolour: image`, `Mask (on the way): Segment by points / Find by description`."""
    titles = []
    for side in SIDES:
        made = outcome.of(side)
        if made is not None:
            title = comparison.workflow(side).title_of(made.node, tools)
            titles += [title] if title not in titles else []
    kind = formatting.port_label(str(outcome.type))
    place = f" {index + 1}" if many > 1 else ""
    return f"{kind}{place} · {' / '.join(titles)}"


def result_words(resource: Resource | None, size_bytes: int | None) -> str:
    """Facts and size of a result: `600 × 400 · 812 KB`."""
    if resource is None:
        return ""
    facts = formatting.facts_of(resource)
    size = formatting.size(size_bytes) if size_bytes is not None else ""
    return " · ".join(dict.fromkeys(part for part in (facts, size) if part))


def why_nothing(made: SideResult | None, side: Side) -> str:
    if made is None:
        return translate("{letter} gives nothing of this kind.").format(letter=side.letter)
    if made.state == "failed":
        return translate("{letter} failed: {why}").format(letter=side.letter, why=formatting.said(made.message))
    if made.state == "skipped":
        return translate("{letter} has no result: a step before it failed or was switched off.").format(
            letter=side.letter
        )
    if made.state == "cancelled":
        return translate("{letter} was stopped.").format(letter=side.letter)
    if made.state == "done":
        return translate("{letter} found nothing.").format(letter=side.letter)
    return translate("{letter} has not run yet.").format(letter=side.letter)


def totals(sides: Mapping[str, Side]) -> list[DifferenceRow]:
    """What each costs, and what came of it, as rows."""
    a, b = sides["a"], sides["b"]
    costs = (
        (translate("Time"), _time, TIME, "seconds"),
        (translate("Memory"), memory, MEMORY, "memory_bytes"),
        (translate("Download"), download, DOWNLOAD, "download_bytes"),
    )
    less = translate("Less than the other")
    found = [
        DifferenceRow(about, said := says(a), other := says(b), _less(a, b, field) if said != other else "", key, less)
        for about, says, key, field in costs
    ]
    if a.fulfilment is not None and b.fulfilment is not None:
        found.append(_fulfilled(a, b, a.fulfilment, b.fulfilment))
    return [*found, DifferenceRow(translate("Result"), a.result or NOTHING, b.result or NOTHING, key=RESULT)]


def _time(side: Side) -> str:
    if side.seconds is None:
        return translate("not known yet")
    time = formatting.duration(side.seconds)
    return time if side.has_run else translate("about {time}").format(time=time)


def memory(side: Side) -> str:
    return formatting.size(side.memory_bytes) if side.memory_bytes else translate("little")


def download(side: Side) -> str:
    return formatting.size(side.download_bytes) if side.download_bytes else translate("nothing")


def better(a: float | None, b: float | None) -> str:
    """The side with the clearly smaller number, "" when both are about the same or one is unknown."""
    if a is None or b is None or abs(a - b) <= 0.05 * max(a, b):
        return ""
    return "a" if a < b else "b"


def _less(a: Side, b: Side, field: str) -> str:
    return better(getattr(a, field), getattr(b, field))


def _fulfilled(a: Side, b: Side, of_a: Fulfilment, of_b: Fulfilment) -> DifferenceRow:
    more = ""
    if _ended(a) and _ended(b) and of_a.there != of_b.there:
        more = "a" if of_a.there > of_b.there else "b"
    kinds = ", ".join(formatting.port_label(str(type)) for type in of_a.asked)
    tip = translate("Counted: results of the kinds that were asked for ({kinds}). What they show is not judged.")
    return DifferenceRow(
        translate("Request fulfilled"), fulfilled_words(a, of_a), fulfilled_words(b, of_b), more, FULFILLED,
        translate("More than the other"), tip.format(kinds=kinds),
    )  # fmt: skip


def _ended(side: Side) -> bool:
    return not side.running and (side.has_run or bool(side.failed))


def fulfilled_words(side: Side, found: Fulfilment) -> str:
    """`2 of 2 results`; what is missing, where some are there; while the side runs, how many there are so far."""
    if not (side.running or _ended(side)):
        return NOTHING
    total = len(found.asked)
    count = translate("{n} of {total} results") if total > 1 else translate("{n} of 1 result")
    count = count.format(n=found.there, total=total)
    if side.running:
        return translate("{count} so far").format(count=count)
    if not found.missing or not found.there:
        return count
    lacking = ", ".join(dict.fromkeys(formatting.port_label(str(type)) for type in found.missing))
    return translate("{count}, missing: {kinds}").format(count=count, kinds=lacking)

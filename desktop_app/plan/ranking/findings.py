"""What the trained judgement says beyond the tool of each wish: what feeds it, and which part of a picture it means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from desktop_app.plan.language.tagger import REST
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.joint_selection import Reading, ToolClause
from desktop_app.plan.ranking.one_of_several import speaks_of_original
from desktop_app.plan.ranking.selection import Choice
from desktop_app.plan.ranking.wish_files import files_chosen, made_fit, told_name, two_inputs
from desktop_app.plan.tools.tool_graph import ToolGraph, fits
from desktop_app.plan.types import Given, Request, ToolSpec

_FOUND, _NEEDED, _POINTED = 0.7, 0.1, 0.97
"""A part of a picture is looked for where it is so probable that the wording speaks of one, also for a tool that needs
some; the user is asked to point at one where the third is reached.
"""

_CLICK, _UNSURE = 0.97, 0.75
"""Where it is less probable that a click has to be asked for, the wording has to speak so probably of such a part."""

_TAKES = 0.5
"""With so much probability a wish waits for the other whose result it takes."""

_LIKELIEST = 0.6
"""So probable is the likeliest of what others make, for a wish that by itself would take neither this nor a file."""

_SURELY = 0.9
"""A wish that takes what was made of a file takes the file itself, too, where that is more probable."""

_ASKED, _FILE_ASKED = 0.6, 0.7
"""Something is asked first where that is more probable; a file, which may be there."""


@dataclass(frozen=True)
class Findings:
    """All but the first two by the number of an intent."""

    reading: Reading
    asked: str
    """The kind of question that has to be asked first; "" for none."""
    finders: Mapping[int, str]
    """The tool that finds the part of a picture that it speaks of, with REST where it speaks of all but that."""
    meant: Mapping[int, Sequence[str]]
    """Which of several files it works on itself."""
    files: Mapping[int, Mapping[str, float]]
    """How probable each of several files is (0..1)."""
    sources: Mapping[int, Mapping[int, float]]
    """How probable it is (0..1) that it takes what others make, by their numbers."""
    sides: Mapping[int, Mapping[str, Sequence[str]]]
    """By input the names of the files that it takes there, where a tool has two inputs for such files."""

    def makers_first(self, choices: Sequence[Choice]) -> list[Choice]:
        """In the order of the text, but each after those whose results it probably takes."""
        left, ordered = list(choices), list[Choice]()
        while left:
            waiting = {choice.intent.index for choice in left}

            def waits(choice: Choice, waiting: Collection[int] = waiting) -> float:
                likely = self.sources.get(choice.intent.index, {})
                return max((p for other, p in likely.items() if other in waiting and p > _TAKES), default=0.0)

            first = next((choice for choice in left if not waits(choice)), min(left, key=waits))
            ordered.append(first)
            left.remove(first)
        return ordered


def asked_first(reading: Reading) -> str:
    """The kind of question that has to be asked first; "" for none."""
    return next((k for k, share in reading.asks.items() if k and share > (_FILE_ASKED if k == "file" else _ASKED)), "")


def findings_of(
    graph: ToolGraph, reading: Reading, wishes: Sequence[tuple[Intent, ToolClause]], request: Request
) -> Findings:
    """`wishes` are the clauses of the reading that a tool serves, each with what the lexicon makes of it."""
    found = _Finder(graph, reading, wishes, request)
    meant, files = found.meant_files()
    return Findings(
        reading,
        found.asked,
        {intent.index: finder for intent, clause in wishes if (finder := found.finder(clause))},
        meant,
        files,
        found.sources,
        {index: side for number, index in found.numbers.items() if (side := found.sides(number, meant.get(index, ())))},
    )


class _Finder:
    """Finds for one reading what feeds each wish, and the parts of pictures."""

    def __init__(
        self, graph: ToolGraph, reading: Reading, wishes: Sequence[tuple[Intent, ToolClause]], request: Request
    ) -> None:
        self.graph, self.reading, self.request = graph, reading, request
        self.asked = asked_first(reading)
        self.types = {given.name: given.type for given in request.resources}
        self.tools = {intent.index: graph.tools[clause.tool] for intent, clause in wishes}
        places = {id(clause): number for number, clause in enumerate(reading.clauses)}
        self.numbers = {places[id(clause)]: intent.index for intent, clause in wishes}
        """The intent of each clause, by its place in the reading."""

    @cached_property
    def sources(self) -> dict[int, dict[int, float]]:
        """As Findings has them."""
        found: dict[int, dict[int, float]] = defaultdict(dict)
        for (giver, taker), share in self.reading.links.items():
            if giver in self.numbers and taker in self.numbers:
                found[self.numbers[taker]][self.numbers[giver]] = share
        for number, shares in self.reading.files.items():
            likely = found.get(self.numbers.get(number, -1), {})
            if likely and _TAKES >= max(likely.values()) > max(shares.values()):  # it has to take something
                likely[max(likely, key=lambda one: likely[one])] = _LIKELIEST
        joining = {index for index, tool in self.tools.items() if any(port.many for port in tool.inputs)}
        _without_short_cuts(found, joining)
        return found

    def waits(self, index: int) -> bool:
        """True for an intent that takes what another makes."""
        return max(self.sources.get(index, {}).values(), default=0.0) > _TAKES

    def meant_files(self) -> tuple[dict[int, Sequence[str]], dict[int, dict[str, float]]]:
        """By intent the files that it works on itself, and how probable each is."""
        meant: dict[int, Sequence[str]] = {}
        files: dict[int, dict[str, float]] = {}
        for number, shares in self.reading.files.items():
            index = self.numbers.get(number, -1)
            there = {name: share for name, share in shares.items() if name in self.types}
            clause = self.reading.clauses[number]
            tool = self.graph.tools[clause.tool]
            there = self._anew(there, clause)
            names = files_chosen(there, self.request, tool, self.waits(index), self._around(number))
            if index >= 0:
                files[index] = dict(there)
                if names and not self._names_another(clause, tool, names):
                    meant[index] = names
        for index, gone in self._handed_on(meant, files).items():
            meant[index] = [name for name in meant[index] if name not in gone]
            files[index] |= dict.fromkeys(gone, 0.0)
        return meant, files

    def _names_another(self, clause: ToolClause, tool: ToolSpec, names: Collection[str]) -> bool:
        """True where a clause names files of which none is among these, to be made into what the tool takes."""
        text, files = self.request.text, self.request.resources
        named = made_fit(text, files, (clause.start, clause.end), tool)
        return bool(named) and not named & {*names}

    def _around(self, number: int) -> tuple[int, int]:
        """The stretch of a clause with the words beside it, up to the clauses before and after."""
        clauses, text = self.reading.clauses, self.request.text
        begin = max((one.end for one in clauses[:number]), default=0)
        return begin, min((one.start for one in clauses[number + 1 :]), default=len(text))

    def _anew(self, there: dict[str, float], clause: ToolClause) -> dict[str, float]:
        """Without what the clause's tool has made itself of a file that is there: said again, it works on that file, or
        on another. Without anything made where the clause speaks of the original.
        """
        given = {file.name: file for file in self.request.resources}
        roots = {name: _stem(given[name]) for name in there}
        made = {
            name: roots[name].removeprefix(f"{root}_")
            for name in there
            for source, root in roots.items()
            if name != source and roots[name].startswith(f"{root}_") and given[name].type == given[source].type
        }
        first = speaks_of_original(self.request.text[clause.start : clause.end])
        gone = {name for name, way in made.items() if first or way.partition(" ")[0] == clause.tool}
        return {name: share for name, share in there.items() if name not in gone}

    def _handed_on(
        self, meant: Mapping[int, Sequence[str]], files: Mapping[int, Mapping[str, float]]
    ) -> dict[int, set[str]]:
        """By intent the files of which it takes what another has made, and so not the files themselves; both only where
        that is all but certain and the tool lays several things side by side.
        """
        found: dict[int, set[str]] = {}
        for index in meant:
            behind = self._makers_behind(index)
            for name in meant[index]:
                type = self.types[name]
                changed = any(
                    name in meant.get(maker, ()) and any(port.type == type for port in self.tools[maker].outputs)
                    for maker in behind
                )
                takers = [port for port in self.tools[index].inputs if fits(type, port.type)]
                apart = any(port.many for port in takers) or len(takers) > max(1, len(meant[index]))
                if changed and not (apart and files[index][name] > _SURELY):
                    found.setdefault(index, set()).add(name)
        return found

    def _makers_behind(self, index: int) -> set[int]:
        """The intents out of whose results it probably takes something, at once or through others."""
        behind, todo = set[int](), [index]
        while todo:
            makers = [maker for maker, share in self.sources.get(todo.pop(), {}).items() if share > _TAKES]
            todo += [maker for maker in makers if maker not in behind]
            behind.update(makers)
        return behind

    def sides(self, number: int, names: Sequence[str]) -> dict[str, Sequence[str]]:
        """Which files, or which file beside what another wish makes, go into which of the tool's two inputs."""
        tool = self.graph.tools[self.reading.clauses[number].tool]
        inputs = two_inputs(tool, self.types[names[0]]) if names else []
        waits = self.waits(self.numbers[number])
        if not inputs or len(names) + waits < 2:
            return {}
        shares = self.reading.seconds.get(number, {})
        if waits:
            return {inputs[shares.get(names[0], 0.0) > _TAKES]: names} if len(names) == 1 else {}
        *others, second = sorted(names, key=lambda name: shares.get(name, 0.0))
        apart = len(names) == 2 or shares.get(second, 0.0) > _TAKES > shares.get(others[-1], 0.0)
        return {inputs[0]: [name for name in names if name != second], inputs[1]: [second]} if apart else {}

    def finder(self, clause: ToolClause) -> str:
        """The tool that finds the part of a picture of which a clause speaks; "" for the whole."""
        ports = [port for port in self.graph.tools[clause.tool].inputs if port.type in ("mask", "boxes")]
        if not ports:
            return ""
        name, probability = clause.finder
        finder = name.removesuffix(REST)
        if finder not in self.graph.tools or finder == clause.tool:
            return ""
        points = any(port.picked_on for port in self.graph.tools[finder].inputs)
        needed = any(port.required for port in ports)
        alike = (one.finder[1] for one in self.reading.clauses if one.finder[0].removesuffix(REST) == finder)
        is_likeliest = probability >= max(alike, default=0.0)  # "make it brighter and remove what I point at"
        clicked = 0.0 if is_likeliest and self.reading.asks.get("point", 0.0) > _CLICK else _UNSURE
        whole = _TAKES if name.endswith(REST) else _NEEDED if needed else _FOUND
        enough = (clicked if self.asked == "point" else _POINTED) if points else whole
        return name if probability >= enough else ""


def _stem(file: Given) -> str:
    """The name as the tagger is told it, without its ending."""
    return told_name(file).rpartition(".")[0]


def _without_short_cuts(sources: Mapping[int, dict[int, float]], joining: Collection[int]) -> None:
    """What another already goes on from is taken beside that other's result only where that is all but certain: a
    gallery of the cropped pictures that were brightened then holds the bright ones alone. Of a chain, what is not
    `joining` any number of things takes the end.
    """
    for taker, likely in sources.items():
        for giver, share in likely.items():
            least = share if taker in joining else _TAKES
            later = [
                other for other, own in likely.items() if own > least and sources.get(other, {}).get(giver, 0) > _TAKES
            ]
            if share > _TAKES and later and (share < _SURELY or taker not in joining):
                likely[giver] = 1 - _SURELY

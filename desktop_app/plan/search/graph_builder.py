"""Joins chosen tools into one graph: decides what feeds each input, and lets the search fill the gaps.

This is the resource expert: it takes only what is there (files, quotes, earlier results) and never invents anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from desktop_app.core.values import several
from desktop_app.plan.arguments.fill import fill, literal_text, said_for
from desktop_app.plan.arguments.marked_text import names_columns
from desktop_app.plan.arguments.value_marks import trimmed
from desktop_app.plan.language.corrections import draws_box
from desktop_app.plan.language.exceptions import spared
from desktop_app.plan.language.tagger import REST
from desktop_app.plan.language.tokenizer import plain_words, stem
from desktop_app.plan.language.type_roles import is_idle, means_content
from desktop_app.plan.language.types import KIND_WEIGHT, Intent
from desktop_app.plan.ranking.explanations import question_for, text_wanted
from desktop_app.plan.ranking.port_fit import FACTS
from desktop_app.plan.ranking.wish_files import made_fit
from desktop_app.plan.search.files_of_wish import FileChoice
from desktop_app.plan.search.gap_filling import GapFiller, finds, holds_address
from desktop_app.plan.search.input_pairs import assigned, paired
from desktop_app.plan.search.open_ports import box_in, open_end, resource_ports
from desktop_app.plan.search.regions import Parts, selectors
from desktop_app.plan.search.search import Made
from desktop_app.plan.search.slots import SlotExtractor
from desktop_app.plan.search.value_pool import Value, ValuePool, is_instruction
from desktop_app.plan.tools.tool_graph import DOCUMENTS, INLINE, REGIONS, SETTINGS, ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import (
    FromNode,
    FromResource,
    PortSpec,
    Question,
    Request,
    Step,
    ToolSpec,
    clicks,
    step_id,
)
from nodes.phrase import Phrase

_THIS = frozenset(("this", "these"))
_POINTS_AT = re.compile(
    r"\s*(?:(?:this|that|these|those|dies\w*|jene\w*|cet?|cette|ces|est[eao]s?|es[eao]s?)(?:\s+\w+){0,2}|[这那此][^，。]{0,5})\s*",
    re.I,
)
"""Words that point at a text and are none: "this letter"."""


@dataclass
class GraphDraft:
    """A solution in the making. `bridges` counts the tools that the search put in."""

    steps: list[Step] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    bridges: int = 0


class GraphBuilder:
    """Builds one solution; make a new one for each. `serving` tells which tools work for which intent."""

    def __init__(
        self,
        graph: ToolGraph,
        index: Index,
        request: Request,
        intents: Sequence[Intent],
        strategy: str,
        detour: int = -1,
    ) -> None:
        """`detour` is the number of the gap that is filled in the second-best way; -1: none."""
        self.graph = graph
        self.index = index
        self.pool = ValuePool(graph, request, intents)
        self.gaps = GapFiller(graph, index, request, self.pool, strategy)
        self.parts = Parts(graph, index)
        self.draft = GraphDraft()
        self.stated = [intent for intent in intents if intent.stating]
        self.serving: dict[int, set[str]] = defaultdict(set)
        self.words = SlotExtractor(index, request.text, self.pool.heard)
        self.files = FileChoice(graph, self.pool, self.words, request.text)
        self.finders: Mapping[int, str] = {}
        """By intent the tool that finds the part of a picture which it speaks of."""
        self.thing: Callable[[Sequence[str]], str] = lambda words: ""
        """Which of some words names a thing in a picture."""
        self.verbatim: frozenset[str] = frozenset()
        """Text inputs that take a clause as it stands."""
        self.contents: frozenset[str] = frozenset()
        """Text inputs, as "tool.port", that hold what there is, and are not typed into a request."""
        self.brought: frozenset[str] = frozenset()
        """Text inputs, as "tool.port", for which a file is asked where nothing is there: the text to shorten."""
        self.direct = False
        """True where what fits is taken, however unlikely, before anything is made out of it."""
        self.bridges = True
        """False where what is missing is asked for, and not made out of what is there."""
        self._text = request.text
        self._spared = request.spared
        self._detour = detour
        self._filled = 0

    def apply(self, intent: Intent, tool: ToolSpec) -> Value:
        """Adds the tool for the intent, with what it needs before it. Returns its first result."""
        tool = self.files.choose(tool, intent)
        self.words.main = tool
        self.pool.searching = "find" in self.index.profiles[tool.id].title
        sources = (
            paired(self.pool.values, tool, intent, outright=True)
            or self.files.sided(tool, intent)
            or paired(self.pool.values, tool, intent)
            or assigned(self.pool.values, tool, self.words.clause(intent))
        )
        if all(value.type in REGIONS for value in sources.values()):
            self.pool.gather_parallel(tool, intent)
        self.pool.split_parallel(tool)
        part = self._part_for(tool, intent, sources) if not sources else None
        if part is not None:
            sources[part[0]] = part[1]
        said = said_for(tool, self.words.clause(intent))
        self.pool.forget([text.value for text in said.values()])
        for port in resource_ports(tool):
            typed = self.direct and port.said and not self.pool.is_handed(port, tool, intent)
            if port.name in said or port.name in sources or typed:
                continue
            value = self._source(port, tool, intent, sources)
            if value is not None and (port.required or not all(isinstance(item, str) for item in value.items)):
                sources[port.name] = value
        self._older_first(tool, sources)
        self._take_any(tool, sources)
        self._in_its_picture(tool, sources)
        made = self._place(tool, intent, sources)[0]
        self.pool.stand_in(made, sources.values(), intent)
        return self._selected(made, intent, tool) if made.type in REGIONS else made

    def feed_left_over(self) -> None:
        """Gives each attached file that nothing has taken to an open port for just its type: the song to the slideshow,
        the painted mask to the blur.
        """
        used = {item for step in self.draft.steps for item in _items(step.arguments.values())}
        for given in self.pool.given.values():
            item = FromResource(given.name)
            if given.earlier or item in used or given.type in INLINE:
                continue
            for place, step in enumerate(self.draft.steps):
                ports = [p for p in self.graph.tools[step.tool].inputs if p.name not in step.arguments]
                port = next((p for p in ports if p.type == given.type and not p.many), None)
                if port is not None:
                    self.draft.steps[place] = replace(step, arguments={**step.arguments, port.name: item})
                    self.draft.questions = [q for q in self.draft.questions if (q.step, q.port) != (step.id, port.name)]
                    break

    def gather(self, tool: ToolSpec, intent: Intent, port: PortSpec, value: Value) -> Value:
        """Adds a tool that takes all parallel items of a value into one."""
        return self._place(tool, intent, {port.name: value})[0]

    def _older_first(self, tool: ToolSpec, sources: dict[str, Value]) -> None:
        """Of a thing and what was made of it, in two inputs of a type, the thing comes first: before and after."""
        for type in dict.fromkeys(port.type for port in tool.inputs):
            names = [p.name for p in tool.inputs if p.type == type and not p.many and p.name in sources]
            if len(names) != 2 or len(self.pool.needed(tool, type)) != 2:
                continue
            one, other = (sources[name] for name in names)
            if one.made and self._behind(one) & {*other.items}:
                sources |= {names[0]: other, names[1]: one}

    def _take_any(self, tool: ToolSpec, sources: dict[str, Value]) -> None:
        """To a tool that needs any one of some inputs, and got none, what was made last and goes into one of them; or
        what is there.
        """
        ports = [p for p in tool.inputs if p.name in tool.any_of and p.type not in SETTINGS and not p.choices]
        if not ports or any(port.name in sources for port in ports):
            return
        loose = [value for value in self.pool.values if not value.used and value.type]
        for value in sorted(loose, key=lambda one: (one.made, one.turn), reverse=True):
            port = next((port for port in ports if fits(value.type, port.type)), None)
            if port is not None:
                sources[port.name] = value
                return

    def _in_its_picture(self, tool: ToolSpec, sources: dict[str, Value]) -> None:
        """A part that was found in one picture is worked on in that one, whatever other lies there."""
        region = next((value for value in sources.values() if value.made and value.type in REGIONS), None)
        names = [port.name for port in tool.inputs if port.required and port.type == "image" and port.name in sources]
        if region is None or len(names) != 1:
            return
        picture, behind = sources[names[0]], self._behind(region)
        if behind & ({*picture.items} | self._behind(picture)):
            return
        for value in self.pool.values:
            items = tuple(item for item in value.items if item in behind)
            if value.type == "image" and items:
                sources[names[0]] = replace(value, items=items)
                return

    def _behind(self, value: Value) -> set[Any]:
        """The files and results out of which a value was made."""
        arguments = {step.id: step.arguments for step in self.draft.steps}
        found, todo = set[Any](), [*value.items]
        while todo:
            item = todo.pop()
            if isinstance(item, FromNode):
                todo += [part for argument in arguments.get(item.node, {}).values() for part in several(argument)]
            if isinstance(item, (FromNode, FromResource)) and item not in value.items:
                found.add(item)
        return found

    # A part of a picture ----------------------------------------------------------------------------------------

    def _part_for(self, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> tuple[str, Value] | None:
        """The part of the picture that the wording speaks of, found by the tool that `finders` gives for the intent;
        with the port that takes it. None where the whole picture is meant, or the part is there already.
        """
        name = self.finders.get(intent.index, "")
        finder = self._finder(name.removesuffix(REST))
        ports = [port for port in tool.inputs if port.type in ("boxes", "mask")]
        if finder is None or finder is tool or not ports or any(v.type in REGIONS for v in self.pool.values):
            return None
        port = next((port for port in ports if port.type == "boxes"), ports[0])
        onto = next((p for p in tool.inputs if p.required and p.type == "image"), main_inputs(finder)[0])
        likely = [value for _, value in self.pool.candidates(onto, tool, intent, taken) if value.type not in REGIONS]
        if not likely:
            return None
        picture = likely[0]
        thing = spared(intent.text) if name.endswith(REST) else ""
        said = {p.name: thing for p in finder.inputs if thing and p.said}
        made = self._place(finder, intent, {main_inputs(finder)[0].name: picture}, said)
        found = next((value for value in made if fits(value.type, port.type)), None)
        found = found or next((value for value in made if value.type in REGIONS), None)
        if found is None:
            return None
        if found.type == "boxes" and all(port.type != "text" for port in finder.outputs):
            found = self._others(self._chosen(found, intent, finder), intent)
        if not fits(found.type, port.type):
            found = self._as_region(found, port.type, picture, intent)
        rest = name.endswith(REST) or self.parts.wants_rest(intent, tool)
        if found is not None and rest and port.type == "mask":
            inverter = self.parts.inverter("mask")
            if inverter is not None:
                found = self._place(inverter, intent, {inverter.inputs[0].name: found})[0]
        return (port.name, found) if found is not None else None

    def _finder(self, name: str) -> ToolSpec | None:
        """The tool of that name; where some of what it finds is excepted, one that tells the things from each other."""
        finder = self.graph.tools.get(name)
        if finder is None or not self._spared or any(port.type == "boxes" for port in finder.outputs):
            return finder
        needs = sorted(port.type for port in main_inputs(finder))
        boxes = (self.graph.tools[id] for id in self.graph.giving("boxes"))
        alike = (tool for tool in boxes if sorted(port.type for port in main_inputs(tool)) == needs)
        return next(alike, finder)

    def _chosen(self, value: Value, intent: Intent, finder: ToolSpec) -> Value:
        """Of all that was found, what the wording names."""
        selector = next(iter(selectors(self.graph, value.type)), None)
        if selector is None or selector in (finder, self.words.main):
            return value
        port = next(port for port in main_inputs(selector) if port.type == "text")
        plain = [token.text for token in intent.tokens if token.kind == "word" and not is_idle(stem(token.word))]
        title = self.index.profiles[finder.id].title
        known = any(term.key in title for term in intent.terms)  # a finder of faces finds nothing but faces
        text = self._marked_thing(selector, port, intent) or ("" if known else self.thing(plain))
        if not text:
            return value
        taken = next(other for other in selector.inputs if other.required and other.type == value.type)
        return self._place(selector, intent, {taken.name: value}, {port.name: text})[0]

    def _marked_thing(self, selector: ToolSpec, port: PortSpec, intent: Intent) -> str:
        """The words that the tagger marks as what is to be selected; "" where it marks none."""
        clause = self.words.clause(intent)
        stretch = clause.marks.stretch(selector, port.name, clause.covers) if clause.marks else None
        if stretch is None:
            return ""
        start, end = trimmed(clause.text, stretch.start, stretch.end)
        return clause.text[start:end]

    def _as_region(self, value: Value, type: str, picture: Value, intent: Intent) -> Value | None:
        """Boxes as a mask, or the other way round."""
        for id in self.graph.giving(type):
            spec = self.graph.tools[id]
            needs = {port.type: port.name for port in main_inputs(spec)}
            if value.type in needs and set(needs) <= {value.type, "image"} and len(spec.outputs) == 1:
                sources = {needs[value.type]: value}
                if "image" in needs:
                    sources[needs["image"]] = picture
                return self._place(spec, intent, sources)[0]
        return None

    # What feeds a port ------------------------------------------------------------------------------------------

    def _source(self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        likely = self.pool.candidates(port, tool, intent, taken)
        found = [pair for pair in likely if self._may_feed(pair[1], port, tool, intent)]
        if port.many and port.required and not found:
            return self._gathered(port, tool, intent, taken)
        if port.many:
            return self.pool.many(found, port, intent)
        if port.type in SETTINGS or port.choices:
            return self._figure(found, port, tool, intent, taken)
        if port.type in REGIONS:
            return self._region(found, port, tool, intent, taken)
        if not port.required:
            if found and found[0][0] >= 6.0 and not self._is_spent(found[0][1], port, taken):
                return found[0][1]
            own = self.direct and any(other.required and fits(other.type, port.type) for other in tool.inputs)
            return None if own or port.type in INLINE else self._asked_for(port.type, tool, intent, taken)
        for step in (self._converted, self._behind_address, self._passed_on, self._likeliest, self._counted):
            value = step(found, port, tool, intent, taken)
            if value is not None:
                return value
        return self._sought(port, tool, intent, taken)

    def _likeliest(
        self,
        found: Sequence[tuple[float, Value]],
        port: PortSpec,
        tool: ToolSpec,
        intent: Intent,
        taken: Mapping[str, Value],
    ) -> Value | None:
        """What is there and fits best; where nothing is likely, only what surely is no wording of the request."""
        sure = found and (found[0][0] > 0 or (self.direct and self._may_hold(port, tool, intent)))
        return found[0][1] if sure else None

    def _may_hold(self, port: PortSpec, tool: ToolSpec, intent: Intent) -> bool:
        """True where what goes in is no wording of the request, but what something holds that is there."""
        return port.type not in INLINE or self._is_held(port, tool, intent)

    def _is_held(self, port: PortSpec, tool: ToolSpec, intent: Intent) -> bool:
        """True for the text of something that is there, which is not quoted."""
        known = f"{tool.id}.{port.name}" in self.contents and not self._is_quoted(port, tool, intent)
        return known or self._is_in_document(port, tool, intent)

    def _is_in_document(self, port: PortSpec, tool: ToolSpec, intent: Intent) -> bool:
        """True where the text is neither told nor quoted, and a document is there that may have it."""
        if self._is_quoted(port, tool, intent) or self._is_told(port, tool, intent):
            return False
        documents = self.direct and any(value.type in DOCUMENTS and not value.made for value in self.pool.values)
        return documents or (bool(intent.mentions("quote")) and self._is_file_there())

    def _is_told(self, port: PortSpec, tool: ToolSpec, intent: Intent) -> bool:
        """True for an instruction, which the request says itself."""
        spoken = port.type in intent.definite and not self._is_quoted(port, tool, intent)
        return is_instruction(port, tool) and not spoken

    def _counted(
        self,
        found: Sequence[tuple[float, Value]],
        port: PortSpec,
        tool: ToolSpec,
        intent: Intent,
        taken: Mapping[str, Value],
    ) -> Value | None:
        """The number that was counted last, as a text, where the wording speaks of it."""
        counted = [value for value in self.pool.values if value.made and value.type == "number"]
        spoken = port.type == "text" and "number" in {*intent.takes, *intent.definite}
        if not counted or not spoken or self._is_quoted(port, tool, intent):
            return None
        return self._make(self.gaps.ways(port.type, intent, {}, tool, taken, only=counted[-1:]), port.type, intent)

    def _sought(self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        """What the search makes of all that is there, unless the wording itself or a file to be asked for goes in."""
        if port.type in INLINE and not self._is_held(port, tool, intent):
            quoted = self._is_quoted(port, tool, intent)
            if self._is_told(port, tool, intent) or not self._is_content(intent, tool, quoted):
                return None
        if self._is_absent(port, intent) and not self._is_in_document(port, tool, intent):
            return None
        left = self.words.residual(tool, intent, 0.9)  # what the tool itself does asks for no other
        matches = self.index.match({k: w for k, w in left.items() if w != KIND_WEIGHT["type"]})
        return self._make(self.gaps.ways(port.type, intent, matches, tool, taken), port.type, intent)

    def _converted(
        self,
        found: Sequence[tuple[float, Value]],
        port: PortSpec,
        tool: ToolSpec,
        intent: Intent,
        taken: Mapping[str, Value],
    ) -> Value | None:
        """ "Summarise report.pdf", with notes.txt beside it: a file that is named though no input of the tool takes it
        is what the tool works on, made into what it takes.
        """
        named = made_fit(self._text, tuple(self.pool.given.values()), intent.stretch, tool)
        own = [
            value
            for value in self.pool.values
            if not value.made and any(isinstance(item, FromResource) and item.name in named for item in value.items)
        ]
        if not own:
            return None
        brought = any(value.turn == intent.index for _, value in found)
        if brought or (found and found[0][1].made) or (port.type in INLINE and is_instruction(port, tool)):
            return None
        return self._make(self.gaps.ways(port.type, intent, {}, tool, taken, only=own), port.type, intent)

    def _behind_address(
        self,
        found: Sequence[tuple[float, Value]],
        port: PortSpec,
        tool: ToolSpec,
        intent: Intent,
        taken: Mapping[str, Value],
    ) -> Value | None:
        """ "The sound at https://.../talk.wav": an address that stands for the very thing that the port takes."""
        if any(v.turn == intent.index or (v.made and not v.used) for _, v in found) or port.type in INLINE:
            return None
        spoken = port.type in intent.definite or not found
        own = (v for v in self.pool.values if v.type == "url" and not v.used and (spoken or v.turn == intent.index))
        address = next((v for v in own if v.ending and fits(v.ending, port.type)), None)
        if address is None:
            return None
        return self._make(self.gaps.ways(port.type, intent, {}, tool, taken, only=[address]), port.type, intent)

    def _is_quoted(self, port: PortSpec, tool: ToolSpec, intent: Intent) -> bool:
        """True where a quote may be what goes in, and is not said for another input: how often it says "roof"."""
        said = said_for(tool, self.words.clause(intent)).values()
        elsewhere = {one.value for one in said if one.port != port.name}
        return any(quote.text not in elsewhere for quote in intent.mentions("quote"))

    def _is_file_there(self) -> bool:
        return any(not value.made and value.type not in INLINE for value in self.pool.values)

    def _is_content(self, intent: Intent, tool: ToolSpec, quoted: bool) -> bool:
        """True when the text is in something that is there: in a file, behind an address, on "this page"."""
        if means_content(intent):
            return True
        if quoted:
            return False
        if any(value.type == "url" and value.turn == intent.index for value in self.pool.values):
            return self.index.profiles[tool.id].weights.get("url", 0.0) < 0.3
        return self._is_at_hand(intent) or self._is_elsewhere(intent) or self._is_about_given(intent)

    def _is_about_given(self, intent: Intent) -> bool:
        """ "A recording of my lecture (talk.wav) ... the topics of the lecture": a file was said to be of just that."""
        words = {t.key for t in intent.terms if t.kind == "word" and intent.tokens[t.first - 1].word == "the"}
        loose = any(not value.made and value.type not in INLINE for value in self.pool.values)
        about = (other for other in self.stated if other.mentions("file") and not other.mentions("quote"))
        return loose and any(words & {t.key for t in other.terms} for other in about)

    def _is_elsewhere(self, intent: Intent) -> bool:
        """ "An article ... The address is https://...": nothing else holds the text that the wording speaks of."""
        return "text" in intent.takes and any(v.type == "url" and not v.used for v in self.pool.values)

    def _is_at_hand(self, intent: Intent) -> bool:
        """ "This page": something is there that may hold the text."""
        loose = any(not value.made and not value.used and value.type not in INLINE for value in self.pool.values)
        return loose and any(token.word in _THIS for token in intent.tokens)

    def _is_inside(self, intent: Intent) -> bool:
        """ "I have a picture with some text on it ... the text": what is there was said to hold the text."""
        if "text" not in intent.definite:
            return False
        loose = {value.type for value in self.pool.values if not value.made and value.type not in INLINE}
        return any("text" in other.takes and loose & {*other.takes} for other in self.stated)

    def _passed_on(
        self,
        found: Sequence[tuple[float, Value]],
        port: PortSpec,
        tool: ToolSpec,
        intent: Intent,
        taken: Mapping[str, Value],
    ) -> Value | None:
        """ "Say how many words it has": what the same wish has just made, put into the form that the port takes."""
        if self.direct and any(not value.made and value.type == port.type for _, value in found):
            return None
        made = [v for v in self.pool.values if v.made and not v.used and v.type in FACTS]
        newest = max((v.turn for v in self.pool.values if v.made), default=-1)
        fresh = [v for v in made if v.turn == intent.index or (intent.pronoun and v.turn == newest)]
        stale = not found or (not found[0][1].made and found[0][1].used)
        stale |= intent.pronoun and not (found and found[0][1].made)
        stale |= any(value.keys & set(intent.refers) for value in fresh)
        if not fresh or not stale or port.type != "text" or is_instruction(port, tool):
            return None
        ways = self.gaps.ways(port.type, intent, {}, tool, taken, only=fresh)
        return self._make(ways, port.type, intent) if ways else None

    def _figure(
        self,
        found: Sequence[tuple[float, Value]],
        port: PortSpec,
        tool: ToolSpec,
        intent: Intent,
        taken: Mapping[str, Value],
    ) -> Value | None:
        """A number that was made, or that the wording wants made ("say how many words it has")."""
        if port.type != "number" or not port.required:
            return None
        if found and found[0][1].made:
            return found[0][1]
        if fill(tool, [port], self.words.clause(intent), self.words.places[intent.index]).values:
            return None
        matches = self.index.match({k: w for k, w in intent.meanings.items() if w != KIND_WEIGHT["type"]})
        return self._make(self.gaps.ways(port.type, intent, matches, tool, taken, asked_for=True), port.type, intent)

    def _is_spent(self, value: Value, port: PortSpec, taken: Mapping[str, Value]) -> bool:
        """True for what feeds another port of the step, for words that went elsewhere before, and for those that came
        beside what feeds the step: the sentence about the weather is no title of its chart.
        """
        once = port.type in INLINE and value.used > 0 and (self.direct or not value.made)
        others = [item for other in taken.values() for item in other.items]
        makers = {item.node for item in others if isinstance(item, FromNode)} if port.type in INLINE else set[str]()
        return once or any(
            item in others or (isinstance(item, FromNode) and item.node in makers) for item in value.items
        )

    def _may_feed(self, value: Value, port: PortSpec, tool: ToolSpec, intent: Intent) -> bool:
        """False for what was made on the way: the mask is no second picture, words read beside boxes no colour."""
        if value.made and (names_columns(port) or set(plain_words(port.name)) & {"colour", "color"}):
            return False
        if value.made and value.type in REGIONS and port.type not in REGIONS and self.direct:
            own = any(fits(value.type, other.type) for other in tool.inputs if other.type in REGIONS)
            return not own and self.pool.is_meant(value, intent)
        if not value.made or value.turn != intent.index or value.keys & set(intent.refers):
            return True
        if value.type in REGIONS:
            return port.type in REGIONS
        return not (port.type in INLINE and (not port.required or is_instruction(port, tool)))

    def _gathered(self, port: PortSpec, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        """ "The total number of words in these three": each is counted, and the counts go in together."""
        self.pool.merge_all(intent)
        matches = self.index.match(self.words.residual(tool, intent, 0.9))
        return self._make(self.gaps.ways(port.type, intent, matches, tool, taken), port.type, intent)

    def _is_absent(self, port: PortSpec, intent: Intent) -> bool:
        """True when the wording names the very thing ("stabilise the video"), and there is none: better ask for it."""
        if port.type == "text" and (self._is_at_hand(intent) or self._is_inside(intent)):
            return False
        there = {value.type for value in self.pool.values}
        others = set(intent.takes) - {port.type, *INLINE}
        absent = port.type in set(intent.takes) - set(intent.gives) and not others & there and "url" not in there
        return absent and not holds_address(self.pool.values)

    def _region(
        self,
        found: Sequence[tuple[float, Value]],
        port: PortSpec,
        tool: ToolSpec,
        intent: Intent,
        taken: Mapping[str, Value],
    ) -> Value | None:
        """A part of the picture: an earlier result, or found by what the wording says beyond the tool itself."""
        if port.picked_on or (port.type == "boxes" and draws_box(intent)):
            return None
        at_hand = self._part_at_hand(port, intent, taken)
        if at_hand is not None:
            return at_hand
        for _, value in found:
            asked = port.required or value.turn == intent.index or (value.made and self.pool.is_meant(value, intent))
            if asked and (value.made or value.type == port.type):
                return value
        if not port.required:
            return None if self.direct else self._asked_for(port.type, tool, intent, taken)
        matches = self.index.match(self.words.residual(tool, intent, 0.9))
        return self._make(self.gaps.ways(port.type, intent, matches, tool, taken), port.type, intent)

    def _part_at_hand(self, port: PortSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        """ "Cut it out", where the last answer gave but a part of a picture: that, in the form that the port takes."""
        newest = self.files.last_made()
        if newest is None or newest.type not in REGIONS or not intent.pronoun:
            return None
        value = next((one for one in self.pool.values if FromResource(newest.name) in one.items), None)
        picture = next((one for one in taken.values() if one.type == "image"), None)
        if value is None or fits(value.type, port.type) or picture is None:
            return value
        return self._as_region(value, port.type, picture, intent)

    def _asked_for(self, type: str, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> Value | None:
        """Made by tools that explain words which the tool itself does not: "blur *the faces*"."""
        matches = self.index.match(self.words.residual(tool, intent))
        return self._make(self.gaps.ways(type, intent, matches, tool, taken, asked_for=True), type, intent)

    def _make(self, ways: Sequence[Made], type: str, intent: Intent) -> Value | None:
        """Takes the first way, or the second one where the detour is; None when there is no way."""
        if not ways or not self.bridges:
            return None
        gap, self._filled = self._filled, self._filled + 1
        made = self._build(ways[1] if gap == self._detour and len(ways) > 1 else ways[0], intent, type)
        inverter = self.parts.inverter(type) if type in REGIONS and self.words.main is not None else None
        if inverter is not None and self.words.main is not None and self.parts.wants_rest(intent, self.words.main):
            return self._place(inverter, intent, {inverter.inputs[0].name: made})[0]
        return made

    def _build(self, way: Made, intent: Intent, wanted: str) -> Value:
        """Adds the steps of a way that the search found; gives the value of type `wanted` that it makes."""
        self.draft.bridges += 1
        spec = self.graph.tools[way.tool]
        sources: dict[str, Value] = {}
        for name, source in way.inputs:
            if isinstance(source, Made):
                sources[name] = self._build(source, intent, _port(spec, name).type)
            elif source.name:
                value = self.pool.values[int(source.name)]
                sources[name] = self.pool.all_like(value, intent) if _port(spec, name).many else value
        made = self._place(spec, intent, sources)
        value = next((value for value in made if fits(value.type, wanted)), made[0])
        return self._selected(value, intent, spec) if wanted in REGIONS else value

    def _selected(self, value: Value, intent: Intent, maker: ToolSpec) -> Value:
        """ "The biggest face", "the horses": of all that the maker found only those that the wording chooses."""
        return self._others(self._worded(value, intent, maker), intent)

    def _others(self, value: Value, intent: Intent) -> Value:
        """Of the things found those that are left when what the request excepts by its place is taken away."""
        selector = next(iter(selectors(self.graph, value.type)), None) if self._spared else None
        if selector is None or selector is self.words.main:
            return value
        which = next(port.name for port in main_inputs(selector) if port.type == "text")
        done = [FromNode(s.id, value.type) for s in self.draft.steps if s.arguments.get(which) == self._spared]
        if {*value.items} & {*done}:
            return value
        taken = next(other for other in selector.inputs if other.required and other.type == value.type)
        return self._place(selector, intent, {taken.name: value}, {which: self._spared})[0]

    def _worded(self, value: Value, intent: Intent, maker: ToolSpec) -> Value:
        """What of all that was found the wording chooses."""
        named = self._named(value, intent, maker)
        if named is not None or value.items[1:]:
            return named or value
        found = self.parts.selector(value.type, self.words.clause(intent), frozenset(self.words.places[intent.index]))
        if found is None or found[0] is self.words.main or found[0].id in self.serving[intent.index]:
            return value
        selector, which = found
        port = next(port for port in selector.inputs if port.required and port.type == value.type)
        return self._place(selector, intent, {port.name: value}, which)[0]

    def _named(self, value: Value, intent: Intent, maker: ToolSpec) -> Value | None:
        """Those of the things found that are what the wording names; None where the maker looked for just that."""
        found = self.parts.namer(value.type)
        if found is None or not finds(maker) or found[0] in (maker, self.words.main):
            return None
        if any(port.type == "text" or port.picked_on for port in maker.inputs if port.required):
            return None
        selector, port = found
        known = self.words.residual(maker, intent).keys()
        if self.words.main is not None:
            known &= self.words.residual(self.words.main, intent).keys()
        left = {t.key: 1.0 for t in intent.terms if t.kind == "word" and t.key in known and not is_idle(t.key)}
        text = literal_text(port, selector, intent, left)
        if text is None:
            return None
        taken = next(other for other in selector.inputs if other.required and other.type == value.type)
        return self._place(selector, intent, {taken.name: value}, {port.name: text})[0]

    # Steps ------------------------------------------------------------------------------------------------------

    def _place(
        self, tool: ToolSpec, intent: Intent, sources: Mapping[str, Value], said: Mapping[str, Any] | None = None
    ) -> list[Value]:
        """Adds the tool once for each parallel item and records its results. Returns them, never empty. `said` are
        values that are known already.
        """
        self.serving[intent.index].add(tool.id)
        singles = {n: v for n, v in sources.items() if not _port(tool, n).many}
        apart = self.files.one_by_one(tool, intent, sources) if not singles else {}
        width = max((len(value.items) for value in (singles or apart).values()), default=1)
        for value in sources.values():
            value.used += 1
        literals = {**self.words.literals(tool, intent, sources), **(said or {})}
        if not intent.mentions("quote"):
            typed = said_for(tool, self.words.clause(intent))
            literals = {
                name: self._as_written(value, intent, f"{tool.id}.{name}" in self.verbatim)
                for name, value in literals.items()
                if (name in typed or f"{tool.id}.{name}" not in self.contents)
                and not (f"{tool.id}.{name}" in self.pool.contents and _POINTS_AT.fullmatch(str(value)))
            }
            told = [port.name for port in tool.inputs if (tool.id, port.name) in self.words.told]
            whole = (name for name in told if f"{tool.id}.{name}" in self.verbatim and name not in sources)
            literals |= {name: self._as_written("", intent, True) for name in whole}
        ids = []
        for turn in range(width):
            arguments: dict[str, Any] = {}
            for port in tool.inputs:
                if port.name in singles:
                    items = singles[port.name].items
                    arguments[port.name] = items[turn % len(items)]
                elif port.name in apart:
                    arguments[port.name] = (apart[port.name].items[turn],)
                elif port.name in sources:
                    arguments[port.name] = sources[port.name].items
                elif port.name in literals:
                    arguments[port.name] = literals[port.name]
            ids.append(self._step(tool, arguments))
        return self._record(tool, intent, ids)

    def _as_written(self, value: Any, intent: Intent, whole: bool) -> Any:
        """A text that was put together out of words, as the stretch of the request that it is; or `whole` clause."""
        tokens = intent.tokens
        if not isinstance(value, str) or (value in self._text and not whole):
            return value
        for first in range(len(tokens)):
            for last in range(len(tokens) - 1, first - 1, -1):
                if whole or " ".join(token.text for token in tokens[first : last + 1]) == value:
                    start, end = tokens[first].start, tokens[last].end
                    asked = self._text[end : end + 1] in ("?", "？")
                    return self._text[start - (asked and self._text[start - 1 : start] == "¿") : end + asked]
        return value

    def _step(self, tool: ToolSpec, arguments: dict[str, Any]) -> str:
        arguments |= clicks(tool, arguments, self.pool.given)
        for step in self.draft.steps:  # equal steps on equal inputs are one node
            if step.tool == tool.id and step.arguments == arguments:
                return step.id
        id = step_id(tool.id, self.draft.steps)
        self.draft.steps.append(Step(id, tool.id, arguments))
        self._ask(tool, id, arguments)
        return id

    def _record(self, tool: ToolSpec, intent: Intent, ids: Sequence[str]) -> list[Value]:
        profile = self.index.profiles[tool.id]
        keys = profile.title | profile.first | frozenset(intent.meanings)
        # A fact about its input (a mood, keywords) is not another form of it.
        derived = any(self.index.lexicon.roles.get(key) == "derives" for key in profile.title)
        made = [
            Value(
                tuple(FromNode(id, port.name) for id in ids),
                port.type,
                intent.index,
                keys,
                True,
                0,
                derived,
                found="find" in profile.title,
                way=tool is not self.words.main and port.type not in REGIONS,
            )
            for port in tool.outputs
        ]
        self.pool.values += made[::-1]
        return made or [Value((), "", intent.index)]

    def _ask(self, tool: ToolSpec, step: str, arguments: Mapping[str, Any]) -> None:
        for name, argument in arguments.items():
            for item in several(argument):
                if isinstance(item, FromResource) and item.name not in self.pool.given:
                    text = Phrase("Please attach {name}.", name=item.name)
                    self.draft.questions.append(Question(text, "file", (), step, name, item.name))
        end = open_end(tool, arguments)
        if end is not None:
            text = Phrase(
                "{tool}: until which second? It begins at the start unless you say otherwise.",
                tool=Phrase(tool.title, "tools"),
            )
            self.draft.questions.append(Question(text, "text", (), step, end.name))
        for port in tool.inputs:
            if port.required and (port.name not in arguments or _too_few(port, arguments[port.name])):
                asked = box_in(tool, step, port, arguments) or question_for(port, tool, step, arguments)
                brought = asked.kind == "text" and f"{tool.id}.{port.name}" in self.brought
                self.draft.questions.append(text_wanted(tool, step, port) if brought else asked)


def _items(arguments: Iterable[Any]) -> Iterator[Any]:
    for argument in arguments:
        for item in argument if isinstance(argument, tuple) else (argument,):
            if isinstance(item, FromResource):
                yield item


def _too_few(port: PortSpec, argument: Any) -> bool:
    """True for fewer files than the port needs; what a tool makes may be several things."""
    items = several(argument)
    return len(items) < port.least and not any(isinstance(item, FromNode) for item in items)


def _port(tool: ToolSpec, name: str) -> PortSpec:
    return next(port for port in tool.inputs if port.name == name)

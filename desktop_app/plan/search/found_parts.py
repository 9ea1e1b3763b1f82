"""Parts of a picture in a graph: found for a wish, narrowed to what the words choose, and in the form that an input
takes. Must not know what feeds other inputs.
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.plan.arguments.fill import literal_text
from desktop_app.plan.arguments.value_marks import trimmed
from desktop_app.plan.language.exceptions import spared
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.tagger import REST
from desktop_app.plan.language.tokenizer import plain_words, stem
from desktop_app.plan.language.type_roles import is_idle
from desktop_app.plan.language.types import Intent
from desktop_app.plan.search.gap_filling import finds
from desktop_app.plan.search.regions import Parts, selectors
from desktop_app.plan.search.solution_draft import SolutionDraft
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.tools.tool_graph import REGIONS, fits, main_inputs
from desktop_app.plan.types import FromNode, PortSpec, ToolSpec


class FoundParts:
    """Adds to the draft the steps that find and choose parts of pictures."""

    def __init__(self, draft: SolutionDraft) -> None:
        self._draft, self._pool, self._words = draft, draft.pool, draft.words
        self._graph, self._index, self._spared = draft.graph, draft.index, draft.request.spared
        self._parts = Parts(draft.graph, draft.index)

    def of_wish(self, tool: ToolSpec, intent: Intent, taken: Mapping[str, Value]) -> tuple[str, Value] | None:
        """The part of the picture that the wording speaks of, found by the tool that `finders` gives for the intent;
        with the port that takes it. None where the whole picture is meant, or the part is there already.
        """
        name = self._draft.guidance.finders.get(intent.index, "")
        finder = self._finder(name.removesuffix(REST))
        ports = [port for port in tool.inputs if port.type in ("boxes", "mask")]
        if finder is None or finder is tool or not ports:
            return None
        if any(v.type in REGIONS for v in self._pool.values) and not self._is_another(finder, intent):
            return None
        port = next((port for port in ports if port.type == "boxes"), ports[0])
        onto = next((p for p in tool.inputs if p.required and p.type == "image"), main_inputs(finder)[0])
        likely = [value for _, value in self._pool.candidates(onto, tool, intent, taken) if value.type not in REGIONS]
        if not likely:
            return None
        is_rest = name.endswith(REST)
        found = self._by_finder(finder, port, likely[0], intent, self._left_out(finder, intent) if is_rest else "")
        if found is not None and port.type == "mask" and (is_rest or self._parts.wants_rest(intent, tool)):
            found = self._inverted(found, "mask", intent)
        return (port.name, found) if found is not None else None

    def _left_out(self, finder: ToolSpec, intent: Intent) -> str:
        """What the wording excepts: "the lamp", of "everything but the lamp should go grey"."""
        said = next((port for port in finder.inputs if port.said), None)
        return (self._marked_thing(finder, said, intent) if said else "") or spared(intent.text)

    def _is_another(self, finder: ToolSpec, intent: Intent) -> bool:
        """ "How many dogs? And how many cats?": the words name other things than those that were chosen."""
        if not any(step.tool == finder.id for step in self._draft.steps):
            return False
        selector = next(iter(selectors(self._graph, finder.outputs[0].type)), None)
        if selector is None or selector in (finder, self._words.main):
            return False
        port = next(port for port in main_inputs(selector) if port.type == "text")
        named = self._marked_thing(selector, port, intent)
        chosen = [step.arguments.get(port.name) for step in self._draft.steps if step.tool == selector.id]
        return bool(named) and bool(chosen) and named not in chosen

    def _by_finder(self, finder: ToolSpec, port: PortSpec, picture: Value, intent: Intent, thing: str) -> Value | None:
        """What a finder finds in the picture - the `thing`, if any is told - in the form that the port takes."""
        said = {p.name: thing for p in finder.inputs if thing and p.said}
        made = self._draft.place(finder, intent, {main_inputs(finder)[0].name: picture}, said)
        found = next((value for value in made if fits(value.type, port.type)), None)
        found = found or next((value for value in made if value.type in REGIONS), None)
        if found is None:
            return None
        if found.type == "boxes" and all(port.type != "text" for port in finder.outputs):
            told = any(port.type == "text" and port.required for port in finder.inputs)  # it looks for nothing else
            found = self._others(found if told else self._chosen(found, intent, finder), intent)
        return found if fits(found.type, port.type) else self.as_region(found, port.type, picture, intent)

    def as_meant(self, value: Value, type: str, intent: Intent) -> Value:
        """A part of that type, made for an input; or the rest of the picture where the wording means that."""
        main = self._words.main
        if type not in REGIONS or main is None or not self._parts.wants_rest(intent, main):
            return value
        return self._inverted(value, type, intent)

    def _inverted(self, value: Value, type: str, intent: Intent) -> Value:
        inverter = self._parts.inverter(type)
        if inverter is None:
            return value
        return self._draft.place(inverter, intent, {inverter.inputs[0].name: value})[0]

    def _finder(self, name: str) -> ToolSpec | None:
        """The tool of that name; where some of what it finds is excepted, one that tells the things from each other."""
        finder = self._graph.tools.get(name)
        if finder is None or not self._spared or any(port.type == "boxes" for port in finder.outputs):
            return finder
        needs = sorted(port.type for port in main_inputs(finder))
        boxes = (self._graph.tools[id] for id in self._graph.giving("boxes"))
        alike = (tool for tool in boxes if sorted(port.type for port in main_inputs(tool)) == needs)
        return next(alike, finder)

    def _chosen(self, value: Value, intent: Intent, finder: ToolSpec) -> Value:
        """Of all that was found, what the wording names."""
        selector = next(iter(selectors(self._graph, value.type)), None)
        if selector is None or selector in (finder, self._words.main):
            return value
        port = next(port for port in main_inputs(selector) if port.type == "text")
        plain = [token.text for token in intent.tokens if token.kind == "word" and not is_idle(stem(token.word))]
        title = self._index.profiles[finder.id].title
        known = any(term.key in title for term in intent.terms)  # a finder of faces finds nothing but faces
        text = self._marked_thing(selector, port, intent) or ("" if known else self._draft.guidance.thing(plain))
        if not text or (known and len({*plain_words(text)} - lexicon().skipped) == 1):  # "the faces" are all of them
            return value
        taken = next(other for other in selector.inputs if other.required and other.type == value.type)
        return self._draft.place(selector, intent, {taken.name: value}, {port.name: text})[0]

    def _marked_thing(self, selector: ToolSpec, port: PortSpec, intent: Intent) -> str:
        """The words that the tagger marks as what is to be selected; "" where it marks none."""
        clause = self._words.clause(intent)
        stretch = clause.marks.text(selector, port.name, clause.covers) if clause.marks else None
        if stretch is None:
            return ""
        start, end = trimmed(clause.text, stretch.start, stretch.end)
        thing = clause.text[start:end]
        return "" if {*plain_words(thing)} <= lexicon().skipped else thing

    def as_region(self, value: Value, type: str, picture: Value, intent: Intent) -> Value | None:
        """Boxes as a mask, or the other way round."""
        for id in self._graph.giving(type):
            spec = self._graph.tools[id]
            needs = {port.type: port.name for port in main_inputs(spec)}
            if value.type in needs and set(needs) <= {value.type, "image"} and len(spec.outputs) == 1:
                sources = {needs[value.type]: value}
                if "image" in needs:
                    sources[needs["image"]] = picture
                return self._draft.place(spec, intent, sources)[0]
        return None

    def selected(self, value: Value, intent: Intent, maker: ToolSpec) -> Value:
        """ "The biggest face", "the horses": of all that the maker found only those that the wording chooses."""
        return self._others(self._worded(value, intent, maker), intent)

    def _others(self, value: Value, intent: Intent) -> Value:
        """Of the things found those that are left when what the request excepts by its place is taken away."""
        selector = next(iter(selectors(self._graph, value.type)), None) if self._spared else None
        if selector is None or selector is self._words.main:
            return value
        which = next(port.name for port in main_inputs(selector) if port.type == "text")
        done = [FromNode(s.id, value.type) for s in self._draft.steps if s.arguments.get(which) == self._spared]
        if {*value.items} & {*done}:
            return value
        taken = next(other for other in selector.inputs if other.required and other.type == value.type)
        return self._draft.place(selector, intent, {taken.name: value}, {which: self._spared})[0]

    def _worded(self, value: Value, intent: Intent, maker: ToolSpec) -> Value:
        """What of all that was found the wording chooses."""
        named = self._named(value, intent, maker)
        if named is not None or value.items[1:]:
            return named or value
        found = self._parts.selector(
            value.type, self._words.clause(intent), frozenset(self._words.places[intent.index])
        )
        if found is None or found[0] is self._words.main or found[0].id in self._draft.serving[intent.index]:
            return value
        selector, which = found
        port = next(port for port in selector.inputs if port.required and port.type == value.type)
        return self._draft.place(selector, intent, {port.name: value}, which)[0]

    def _named(self, value: Value, intent: Intent, maker: ToolSpec) -> Value | None:
        """Those of the things found that are what the wording names; None where the maker looked for just that."""
        found = self._parts.namer(value.type)
        if found is None or not finds(maker) or found[0] in (maker, self._words.main):
            return None
        if any(port.type == "text" or port.picked_on for port in maker.inputs if port.required):
            return None
        selector, port = found
        known = self._words.residual(maker, intent).keys()
        if self._words.main is not None:
            known &= self._words.residual(self._words.main, intent).keys()
        left = {t.key: 1.0 for t in intent.terms if t.kind == "word" and t.key in known and not is_idle(t.key)}
        text = literal_text(port, selector, intent, left)
        if text is None:
            return None
        taken = next(other for other in selector.inputs if other.required and other.type == value.type)
        return self._draft.place(selector, intent, {taken.name: value}, {port.name: text})[0]

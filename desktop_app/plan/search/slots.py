"""What the words of a request give to the ports of a step, and what a tool leaves of them. No words serve twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_app.plan.arguments import span_labels
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import Filled, fill, learned, literal_text, takes_wishes
from desktop_app.plan.language.corrections import unexplained
from desktop_app.plan.language.tagger import REST
from desktop_app.plan.language.tokenizer import Token, plain_words
from desktop_app.plan.language.types import Intent
from desktop_app.plan.search.guidance import Guidance
from desktop_app.plan.search.value_pool import Value
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import PortSpec, ToolSpec


class SlotExtractor:
    """For one solution. `main` is the tool chosen for the intent that is worked on, beside which others help;
    `places` are those of the words that settings were read from, by intent.
    """

    def __init__(
        self, graph: ToolGraph, index: Index, text: str, heard: Mapping[int, Sequence[Token]], guidance: Guidance
    ) -> None:
        """`heard` are the words of other pieces that belong to an intent, by its number."""
        self.index = index
        self.main: ToolSpec | None = None
        self.places: dict[int, set[int]] = defaultdict(set)
        self._marks, self._told = guidance.marks, guidance.told
        self._finders = {
            index: graph.tools[name.removesuffix(REST)] for index, name in guidance.finders.items() if name
        }
        self._text = text
        self._heard = heard

    def clause(self, intent: Intent) -> Clause:
        """The part of the request that the intent and the pieces that belong to it cover."""
        marks, finder = self._marks, self._finders.get(intent.index)
        if marks is not None and finder is not None and self.main is not None:
            ports = frozenset(port.name for port in (*finder.inputs, *self.main.inputs))
            marks = marks.among(ports, frozenset(port.name for port in finder.inputs if port.said and port.required))
        return Clause.of(self._text, [*intent.tokens, *self._heard.get(intent.index, ())], marks)

    def literals(self, tool: ToolSpec, intent: Intent, sources: Mapping[str, Value]) -> dict[str, Any]:
        """What the wording gives to the ports that nothing in `sources` feeds, by port."""
        clause = self.clause(intent)
        found = self._said(tool, [port for port in tool.inputs if port.name not in sources], clause, intent)
        used = [text for value in sources.values() for text in value.items if isinstance(text, str)]
        used += [text for text in found.values() if isinstance(text, str)]
        left = self.residual(tool, intent)
        if self.main is not None and self.main is not tool:
            left = {key: w for key, w in self.residual(self.main, intent).items() if key in left}
        for port in tool.inputs:
            wanted = port.type == "text" and port.required and not port.choices and not port.picked_on
            known = clause.marks.knows(port.name) if clause.marks else span_labels.is_known(tool.id, port.name)
            told = (tool.id, port.name) in self._told and takes_wishes(port)
            if self.main is tool and known and not told and not intent.mentions("quote", "url"):
                continue  # nothing is said for it
            if wanted and port.name not in sources and port.name not in found:
                plain = learned(port, tool, replace(clause, marks=None), ()) if told and self.main is tool else None
                value = (
                    plain.value if plain else literal_text(port, tool, self._own_words(port, tool, intent), left, used)
                )
                if value is not None:
                    found[port.name] = value
                    used.append(value)
        return found

    def _said(self, tool: ToolSpec, ports: Sequence[PortSpec], clause: Clause, intent: Intent) -> dict[str, Any]:
        """What the wording gives to the ports; no words serve twice. A tool put in for the main one may take, beyond
        what it needs, only what the main tool leaves."""
        used = self.places[intent.index]
        if self.main is None or self.main is tool:
            found = fill(tool, ports, clause, used)
            used |= found.places
            return found.values
        own = {token.start for token in unexplained(intent, self.index.profiles[self.main.id].weights).tokens}
        theirs = {token.start for token in intent.tokens} - own
        spoken = {place for place in clause.places if clause.words[place].start in theirs}
        needed = [port for port in ports if port.required]
        required = fill(tool, needed, clause, used, asked=True) if self._finds(tool, intent) else Filled()
        if not required.values:
            required = fill(tool, needed, clause, used | spoken, asked=False)
        used |= required.places
        wanted = fill(self.main, self.main.inputs, clause, used).places
        optional = fill(tool, [port for port in ports if not port.required], clause, used | wanted, asked=False)
        used |= optional.places
        return required.values | optional.values

    def _finds(self, tool: ToolSpec, intent: Intent) -> bool:
        """True for the tool by which the part of a picture is found that the wording names."""
        return self._finders.get(intent.index) is tool

    def _own_words(self, port: PortSpec, tool: ToolSpec, intent: Intent) -> Intent:
        """For a colour that a tool on the way needs: the intent without what the main tool speaks of."""
        if self.main is None or self.main is tool or not set(plain_words(port.name)) & {"colour", "color"}:
            return intent
        return unexplained(intent, self.index.profiles[self.main.id].weights)

    def residual(self, tool: ToolSpec, intent: Intent, explained: float = 0.6) -> dict[str, float]:
        """The meanings of the intent that the tool's own texts explain with less than that weight, without those that
        it only implies.
        """
        known = self.index.profiles[tool.id].weights
        said = {key: w for key, w in intent.meanings.items() if key not in intent.implied}
        return {key: w for key, w in said.items() if known.get(key, 0.0) < explained}

"""Chooses a tool for each wish: rates the candidates, drops repetitions and mere goals, notices second operations."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from desktop_app.plan.language.intents import by_need
from desktop_app.plan.language.types import KIND_WEIGHT, Intent
from desktop_app.plan.ranking.port_fit import PortFitScorer
from desktop_app.plan.ranking.question_tools import Answers
from desktop_app.plan.ranking.secondary_tools import SecondaryTools
from desktop_app.plan.ranking.step_order import (
    Choice,
    add_to_complaint,
    in_order,
    later_wish,
    merged,
    only_qualifies,
    put_ahead,
    put_off,
    serves,
    tools_of,
)
from desktop_app.plan.ranking.tool_scores import WEIGHTS, Assessor, Rated
from desktop_app.plan.tools.tool_graph import INLINE, REGIONS, ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import Index
from desktop_app.plan.types import Request

_TELLING = 1.5
"""A word tells tools apart when only few speak of it."""

_WEAK = 0.5
"""With less, the wording has only said that something is to be made."""

_SPEAKS = 0.4
"""An alternative has to speak of so much of what the best tool speaks of."""

_LEAST = 1.0
"""... and of something beyond general verbs and types."""

_RIVALS = 6
"""Tools that are kept beside the best one, at most."""

CLOSE = 0.6
"""A tool with so much of the best one's evidence might as well be meant."""


@dataclass
class _Chosen:
    """What is chosen so far. `there` are the types that are there by then, `last` those that were made last; `early` is
    the number of a sentence whose wishes come before that of the intent number `later`.
    """

    there: set[str]
    choices: list[Choice] = field(default_factory=list[Choice])
    last: tuple[str, ...] = ()
    early: int = -1
    later: int = -1

    def come_to(self, intent: Intent) -> None:
        """Marks an intent of the `early` sentence; what comes ahead has nothing before it."""
        if intent.sentence == self.early:
            intent.ahead, intent.ahead_of = True, self.later
        if intent.ahead:
            self.last = ()

    def put_before(self, later: int, sentence: int) -> None:
        """All of a sentence comes before the intent number `later`."""
        self.early, self.later = sentence, later
        for choice in self.choices:
            if choice.intent.sentence == sentence:
                choice.intent.ahead, choice.intent.ahead_of = True, later


class ToolSelector:
    """Chooses a tool for each wish by the lexicon. Immutable after construction."""

    def __init__(self, graph: ToolGraph, index: Index) -> None:
        self.graph = graph
        self.index = index
        self.assessor = Assessor(graph, index)
        self.suitor = PortFitScorer(graph, index)
        self.answers = Answers(graph, index)
        self.seconds = SecondaryTools(graph, index, self.assessor, self.suitor)

    def choose(self, intents: Sequence[Intent], request: Request) -> list[Choice]:
        """A tool for each intent that asks for one; what is merely stated counts only when nothing is asked."""
        asked = self._choose_among([i for i in by_need(intents) if not i.stating], intents, request)
        chosen = asked or self._choose_among(intents, intents, request)
        chosen = merged(self._from_statements(intents, chosen, request), chosen)
        chosen = self._by_supply(chosen, request)
        chosen = put_ahead(self._parts_first(chosen, request), self.graph)
        return [
            choice for place, choice in enumerate(chosen) if not self._is_umbrella(choice, chosen[place + 1 :], request)
        ]

    def _from_statements(self, intents: Sequence[Intent], chosen: Sequence[Choice], request: Request) -> list[Choice]:
        """Operations that are only stated ("I have a question: '...'", "a shaky film") and that nothing asked for."""
        known = {key for c in chosen for key in (*c.intent.meanings, *c.intent.refers)}
        taken = {choice.best.tool for choice in chosen}
        served = {choice.intent.index for choice in chosen}
        found: list[Choice] = []
        for intent in intents:
            tasks = {t.key for t in intent.terms if t.kind == "task"}
            if not chosen or not intent.stating or intent.index in served or tasks & known:
                continue
            rated = self.assessor.rate(intent, {given.type for given in request.resources})
            least = WEIGHTS.stated_quote if intent.mentions("quote") else WEIGHTS.stated
            if rated and rated[0].evidence >= least and rated[0].tool not in taken:
                found.append(Choice(intent, rated[0]))
                taken.add(rated[0].tool)
        return found

    def _by_supply(self, choices: list[Choice], request: Request) -> list[Choice]:
        """ "On average, how many faces ...", "a slideshow with music that you make up": the supplier comes first."""
        ordered = list(choices)
        there = {given.type for given in request.resources}
        there |= {token.type for choice in choices for token in choice.intent.mentions("file")}
        for place in range(len(ordered) - 1):
            one, other = ordered[place : place + 2]
            if one.intent.sentence == other.intent.sentence and self._supplies(other, one, there):
                made = tuple(t.key for t in other.intent.terms if t.kind == "task")
                one = replace(one, intent=replace(one.intent, refers=(*one.intent.refers, *made)))
                ordered[place : place + 2] = [other, one]
        return ordered

    def _supplies(self, giver: Choice, taker: Choice, there: Collection[str]) -> bool:
        """True when the taker has use for what the giver makes, of which there is none, and gives it nothing."""
        gives = {port.type for port in self.graph.tools[giver.best.tool].outputs}
        into = self.graph.tools[taker.best.tool]
        if giver.intent.pronoun or giver.intent.joint in ("then", "also"):
            return False
        outputs = [port.type for port in into.outputs]
        if any(fits(type, port.type) for type in outputs for port in main_inputs(self.graph.tools[giver.best.tool])):
            return False
        needed = {p.type for p in into.inputs if p.type not in INLINE | REGIONS or (p.type == "number" and p.many)}
        return any(fits(type, want) for type in gives for want in needed if want not in there)

    def _is_umbrella(self, choice: Choice, later: Sequence[Choice], request: Request) -> bool:
        """ "I want to create a video. Take the two pictures ...": the goal, which what follows reaches."""
        intent = choice.intent
        if (intent.joint and intent.joint not in ("that", "which")) or "load" in intent.meanings:
            return False
        if intent.takes or not intent.gives or intent.mentions("quote", "file", "url") or not self._is_general(intent):
            return False
        goal = {port.type for port in self.graph.tools[choice.best.tool].outputs}
        there = {given.type for given in request.resources} | {t.type for c in later for t in c.intent.mentions("file")}
        for other in later:
            tool = self.graph.tools[other.best.tool]
            if goal & {port.type for port in tool.outputs} and (
                goal & there or not goal & {port.type for port in tool.inputs}
            ):
                return True
        return False

    @staticmethod
    def _is_general(intent: Intent) -> bool:
        """True when only general verbs and types carry its meaning ("create a video")."""
        return not any(t.kind == "task" for t in intent.terms if t.key in intent.meanings)

    def _choose_among(self, asking: Sequence[Intent], intents: Sequence[Intent], request: Request) -> list[Choice]:
        chosen = _Chosen(_types_there(intents, request))
        for place, intent in enumerate(asking):
            self._choose_for(intent, asking[place + 1 :], intents, request, chosen)
        return chosen.choices

    def _choose_for(
        self,
        intent: Intent,
        following: Sequence[Intent],
        intents: Sequence[Intent],
        request: Request,
        chosen: _Chosen,
    ) -> None:
        """Adds the tools for one intent; none where what it says is only of those that are chosen already."""
        chosen.come_to(intent)
        self._take_up(intent, intents, chosen.choices)
        if self._is_delivery(intent, chosen.last, chosen.choices):
            return
        rated = self._rated(intent, following, request, chosen)
        whole = later_wish(intent, [r.tool for r in rated[:1]], chosen.choices)
        if whole is not None:
            chosen.put_before(whole.intent.index, intent.sentence)
        elif not rated or self._repeats(rated[0], intent, chosen.choices):
            self._say_again(rated, intent, chosen.choices)
        elif not self._is_said_of_last(rated, intent, request, chosen.choices):
            self._add(_with_rivals(intent, rated), following, request, chosen)

    def _take_up(self, intent: Intent, intents: Sequence[Intent], choices: Sequence[Choice]) -> None:
        """ "It" is of the type of what came in, or was made last."""
        if not intent.pronoun or intent.takes:
            return
        if not choices:
            intent.takes = _brought_in(intent, intents)
        elif not intent.ahead:
            intent.takes = tuple(port.type for port in self.graph.tools[choices[-1].best.tool].outputs[:1])

    def _rated(self, intent: Intent, following: Sequence[Intent], request: Request, chosen: _Chosen) -> list[Rated]:
        """The tools that may serve the intent after those that are chosen, the best first."""
        there, last = chosen.there, chosen.last
        rated = self.suitor.suited(self.assessor.rate(intent, there, last), intent, there, request, last)
        rated = self.answers.preferred(rated, intent, there, request)
        rated = [r for r in rated if r.evidence >= WEIGHTS.threshold]
        rated = self._beyond_pointing(rated, intent, there, request)
        rated = self._coherent([r for r in rated if self._connects(intent, r.tool, there)], intent)
        return self._towards(rated, following[:1])

    def _say_again(self, rated: Sequence[Rated], intent: Intent, choices: list[Choice]) -> None:
        """An intent that asks for nothing new may conclude what was begun, or belong to a complaint."""
        if rated and self._concludes(intent):
            put_off(rated[0].tool, intent, choices)
        elif rated and intent.pronoun:
            add_to_complaint(rated[0].tool, intent, choices)

    def _is_said_of_last(self, rated: Sequence[Rated], intent: Intent, request: Request, choices: list[Choice]) -> bool:
        """True where the intent only tells more of the wish before. Drops that one where it is the lesser of both."""
        if not choices:
            return False
        last = choices[-1]
        qualifies = only_qualifies(intent, last.intent)
        if qualifies and serves(last.best.tool, rated):
            return True
        if qualifies and last.best.words < _WEAK < rated[0].words:
            choices.pop()
        return bool(choices) and self.seconds.only_tells_how(intent, choices[-1].intent, last.best.tool, request)

    def _add(self, choice: Choice, following: Sequence[Intent], request: Request, chosen: _Chosen) -> None:
        """Adds a choice, with the tools that the same words ask for beside it, or that make what it needs."""
        choices, there, intent = chosen.choices, chosen.there, choice.intent
        if choices and self._says_how(intent, choice, choices[-1]):
            choices.pop()
        found = self.seconds.second(intent, choice.best, [c.best.tool for c in choices], there, request)
        maker = None if found else self.seconds.maker(intent, choice.best, following, there)
        more = found or maker
        extra = Choice(*more) if more else None
        third = found and self.seconds.second(found[0], found[1], tools_of(choices, choice), there, request)
        if maker and extra:
            choices += [choice, extra]
        else:
            choices += in_order(choice, extra, self.graph, self.index.profiles)
        if third and self._goes_on(third[1].tool, choices[-1].best.tool):
            choices.append(Choice(*third))
        chosen.last = self._made_by(choices[-1])
        chosen.there |= {type for c in (choice, extra) if c for type in self._made_by(c)}

    def _made_by(self, choice: Choice) -> tuple[str, ...]:
        return tuple(port.type for port in self.graph.tools[choice.best.tool].outputs)

    def _goes_on(self, tool: str, before: str) -> bool:
        """True when the tool takes what the one before makes."""
        made = [port.type for port in self.graph.tools[before].outputs]
        return any(fits(type, port.type) for type in made for port in main_inputs(self.graph.tools[tool]))

    def _beyond_pointing(
        self, rated: list[Rated], intent: Intent, at_hand: Collection[str], request: Request
    ) -> list[Rated]:
        """ "Outline what I point at": finding the part is only the way to what shall be done with it."""
        if not rated or "point_at" not in intent.meanings or not self._gives_part(rated[0].tool):
            return rated
        left = {key: weight for key, weight in intent.meanings.items() if key != "point_at"}
        again = self.assessor.rate(replace(intent, meanings=left, takes=(), stating=False), at_hand)
        again = self.suitor.suited(again, intent, at_hand, request)
        works = [r for r in again if not self._gives_part(r.tool) and self._takes_part(r.tool)]
        lead = next((r for r in works if r.words >= 1.5 and self._does_lead(r.tool, intent)), None)
        return [replace(lead, evidence=rated[0].evidence + 1.0), *rated] if lead is not None else rated

    def _gives_part(self, tool: str) -> bool:
        return {port.type for port in self.graph.tools[tool].outputs} <= REGIONS

    def _takes_part(self, tool: str) -> bool:
        return any(port.type in REGIONS for port in self.graph.tools[tool].inputs)

    def _does_lead(self, tool: str, intent: Intent) -> bool:
        """True when the tool speaks of the first operation of the wording."""
        lead = next((t.key for t in intent.terms if t.kind == "task" and t.key != "point_at"), "")
        return self.index.profiles[tool].weights.get(lead, 0.0) >= 0.5

    def _is_delivery(self, intent: Intent, last: Collection[str], choices: Sequence[Choice]) -> bool:
        """ "... and give me the sound", when the step before has just made it, or an earlier one "the final sound"."""
        if not self._hands_over(intent):
            return False
        if set(intent.gives or intent.takes) & set(last):
            return True
        made = {port.type for choice in choices for port in self.graph.tools[choice.best.tool].outputs}
        return bool(intent.definite) and {*intent.gives, *intent.takes} <= made

    def _coherent(self, rated: list[Rated], intent: Intent) -> list[Rated]:
        """Moves up a tool whose inputs come from a tool that the other words name: counting boxes, and faces."""
        if len(rated) < 2:
            return rated
        tasks = {key for key, weight in intent.meanings.items() if weight >= KIND_WEIGHT["task"]}
        head = [
            replace(r, evidence=r.evidence + 1.4 * WEIGHTS.coherent * self._is_fed(r, intent, tasks)) for r in rated[:6]
        ]
        return sorted(head, key=lambda r: (-r.evidence, r.tool)) + rated[6:]

    def _towards(self, rated: list[Rated], following: Sequence[Intent]) -> list[Rated]:
        """ "Remove the noise and give me the sound": what is handed over tells what the step before makes."""
        wanted = {t for intent in following if self._hands_over(intent) for t in intent.gives or intent.takes}
        if not wanted:
            return rated
        raised = [
            replace(r, evidence=r.evidence + WEIGHTS.towards)
            if wanted & {port.type for port in self.graph.tools[r.tool].outputs}
            else r
            for r in rated
        ]
        return sorted(raised, key=lambda r: (-r.evidence, r.tool))

    def _hands_over(self, intent: Intent) -> bool:
        verbs = {t.key for t in intent.terms if t.kind == "action"}
        return bool(verbs) and verbs <= {"give", "show"} and self._is_general(intent) and not self._names_way(intent)

    def _names_way(self, intent: Intent) -> bool:
        """ "Show it on a *map*", where a tool of that name draws one: more than to hand something over."""
        words = [t.key for t in intent.terms if t.kind == "word" and self.index.rarity(t.key) >= _TELLING]
        before = [intent.tokens[t.first - 1].word for t in intent.terms if t.key in words and t.first]
        return "it" in {token.word for token in intent.tokens} and bool({"a", "an"} & set(before))

    def _is_fed(self, rated: Rated, intent: Intent, tasks: Collection[str]) -> bool:
        weights = self.index.profiles[rated.tool].weights
        left = {k: w for k, w in intent.meanings.items() if k in tasks and weights.get(k, 0.0) < 0.6}
        wanted = {port.type for port in self.graph.tools[rated.tool].inputs} & REGIONS
        if not left or not wanted:
            return False
        matches = self.index.match(left)
        best = max((m for id, m in matches.items() if id != rated.tool), default=0.0)
        able = [id for id, match in matches.items() if match >= max(1.5, 0.8 * best) and id != rated.tool]
        return any(fits(port.type, want) for id in able for port in self.graph.tools[id].outputs for want in wanted)

    def _says_how(self, intent: Intent, choice: Choice, before: Choice) -> bool:
        """ "make a picture that joins ...": the general wish is only put into words by the special one after it."""
        if intent.joint not in ("that", "which", "where", "by") or intent.sentence != before.intent.sentence:
            return False
        outputs = self.graph.tools[choice.best.tool].outputs
        alike = outputs[:1] and [p.type for p in outputs] == [
            p.type for p in self.graph.tools[before.best.tool].outputs
        ]
        if alike and not before.intent.mentions("file", "quote") and not before.intent.takes and intent.joint != "by":
            return True  # "a page where one can watch the film"
        if not self._is_general(before.intent):
            return False
        return any(fits(port.type, want) for port in outputs for want in before.intent.gives)

    def _repeats(self, best: Rated, intent: Intent, choices: Sequence[Choice]) -> bool:
        """A tool that was chosen before is meant again only for another resource, or when the wording says so."""
        before = [choice for choice in choices if choice.best.tool == best.tool]
        if not before:
            return False
        explains = intent.joint in ("by", "using", "that", "which")
        if not explains and any(token.word in ("again", "another", "twice") for token in intent.tokens):
            return False
        named = {token.text for token in intent.mentions("file", "url")}
        known = {token.text for choice in before for token in choice.intent.mentions("file", "url")}
        return not named - known or not known

    def _concludes(self, intent: Intent) -> bool:
        """ "Finally, make the video": the goal that the request began with is reached only now."""
        return intent.joint == "then" and bool(intent.gives) and not intent.pronoun

    def _parts_first(self, choices: list[Choice], request: Request) -> list[Choice]:
        """ "A collage of a still from the film and a painting of ...": the parts are made before they are joined."""
        ordered = list(choices)
        named = {token.text for choice in choices for token in choice.intent.mentions("file")}
        for choice in choices:
            type = self._joined_type(choice.best.tool)
            opens = choice.intent.joint in ("", "that")
            there = [token for token in choice.intent.mentions("file") if type and fits(token.type, type)]
            loose = [g for g in request.resources if type and fits(g.type, type) and not (opens and g.name in named)]
            if not type or len(there) > 1 or len(loose) > 1 or choice.intent.pronoun:
                continue
            place = ordered.index(choice)
            parts = [at for at in range(place + 1, len(ordered)) if self._is_part(ordered[at], choice.intent, type)]
            if parts:
                ordered.insert(parts[-1] + 1, choice)
                ordered.pop(place)
        return ordered

    def _joined_type(self, tool: str) -> str:
        """The type of which the tool needs several; "" when there is none."""
        types = [port.type for port in main_inputs(self.graph.tools[tool])]
        return next((t for t in types if types.count(t) > 1 and t not in INLINE | REGIONS), "")

    def _is_part(self, choice: Choice, whole: Intent, type: str) -> bool:
        """True for something that the same sentence makes, and that is no treatment of the whole."""
        intent = choice.intent
        if intent.sentence != whole.sentence or intent.pronoun or intent.joint in ("then", "also", "before", "after"):
            return False
        own = self.graph.tools[choice.best.tool].outputs
        return any(fits(port.type, type) for port in own)

    def _connects(self, intent: Intent, tool: str, at_hand: Collection[str]) -> bool:
        """False when the intent says out of what ("from this table") and no way leads from there into the tool."""
        named = [t for t in intent.takes if t in at_hand and t not in ("text", "image", *intent.gives)]
        if not named or not intent.gives:
            return True
        ports = self.graph.tools[tool].inputs
        if any(fits(t, port.type) for t in named for port in ports) or any(
            fits(t, port.type) for t in at_hand for port in ports if t not in named
        ):
            return True
        return any(self._one_step(t, port.type) for t in named for port in ports if port.type not in ("number", "flag"))

    def _one_step(self, given: str, wanted: str) -> bool:
        for id in self.graph.giving(wanted):
            inputs = [port for port in self.graph.tools[id].inputs if port.required]
            if len(inputs) == 1 and fits(given, inputs[0].type):
                return True
        return False


def _types_there(intents: Sequence[Intent], request: Request) -> set[str]:
    there = {given.type for given in request.resources}
    there |= {token.type for intent in intents for token in intent.mentions("file") if token.type}
    there |= {"url"} if any(intent.mentions("url") for intent in intents) else set[str]()
    return there | ({"text"} if any(intent.mentions("quote") for intent in intents) else set[str]())


def _with_rivals(intent: Intent, rated: Sequence[Rated]) -> Choice:
    """The best tool, with those that might as well be meant."""
    best = rated[0]
    close = (r for r in rated[1:] if r.evidence >= CLOSE * best.evidence)
    least = max(_LEAST, _SPEAKS * best.words)
    return Choice(intent, best, tuple(r for r in close if r.words >= least)[:_RIVALS])


def _brought_in(intent: Intent, intents: Sequence[Intent]) -> tuple[str, ...]:
    """ "The class list is in pupils.csv. Could you sort *it*?": the types of the files that were last spoken of."""
    stated = [other for other in intents if other.index < intent.index and other.stating and other.mentions("file")]
    return tuple(dict.fromkeys(token.type for other in stated[-1:] for token in other.mentions("file") if token.type))

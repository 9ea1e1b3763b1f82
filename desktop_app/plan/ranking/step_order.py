"""The order of chosen tools: what is stated, put off or left over comes where it belongs. Chooses nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_app.plan.language.corrections import append
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.port_fit import FACTS
from desktop_app.plan.ranking.tool_scores import Rated
from desktop_app.plan.tools.tool_graph import ToolGraph, fits, main_inputs
from desktop_app.plan.tools.tool_index import GUIDES, Profile

_FORMS = frozenset(("in", "into", "as"))


@dataclass(frozen=True)
class Choice:
    """An intent with the tool that is to serve it, and the tools that might as well."""

    intent: Intent
    best: Rated
    others: tuple[Rated, ...] = ()


def without(choices: Sequence[Choice], avoided: Collection[str]) -> list[Choice]:
    """The choices, those of tools to be `avoided` with the next best tool, or left out where there is none."""
    kept = []
    for choice in choices:
        rated = [one for one in (choice.best, *choice.others) if one.tool not in avoided]
        if rated:
            kept.append(Choice(choice.intent, rated[0], tuple(rated[1:])))
    return kept


def merged(stated: Sequence[Choice], chosen: Sequence[Choice]) -> list[Choice]:
    """What is stated comes where it was said: before the first wish that follows it."""
    ordered = list(chosen)
    for choice in stated:
        later = (at for at, other in enumerate(ordered) if other.intent.index > choice.intent.index)
        ordered.insert(next(later, len(ordered)), choice)
    return ordered


def only_qualifies(intent: Intent, before: Intent) -> bool:
    """ "... flat | and misty": another word for how something is or shall be, without a verb or a thing."""
    if intent.joint not in ("and", ",") or intent.sentence != before.sentence or intent.pronoun:
        return False
    if intent.mentions("file", "url", "quote", "number") or intent.takes or intent.gives:
        return False
    return len(intent.tokens) <= 3 and not any(t.kind == "action" for t in intent.terms)


def serves(tool: str, rated: Sequence[Rated]) -> bool:
    """True when the tool is nearly as good as the best one."""
    own = next((r for r in rated if r.tool == tool), None)
    return own is not None and own.evidence >= 0.8 * rated[0].evidence


def tools_of(choices: Sequence[Choice], last: Choice) -> list[str]:
    """Their ids, the last one after the others."""
    return [choice.best.tool for choice in (*choices, last)]


def put_off(tool: str, intent: Intent, choices: list[Choice]) -> None:
    """Moves the choice of a tool to the end, if it was made in an earlier sentence or at the start of this one."""
    place = next(i for i, choice in enumerate(choices) if choice.best.tool == tool)
    if choices[place].intent.joint in ("", "inner") and place + 1 < len(choices):
        before = choices.pop(place)
        refers = tuple(dict.fromkeys((*before.intent.refers, *intent.refers)))
        merged = replace(before.intent, pronoun=intent.pronoun, plural=intent.plural, refers=refers, joint="then")
        choices.append(replace(before, intent=merged))


def later_wish(intent: Intent, tools: Sequence[str], choices: Sequence[Choice]) -> Choice | None:
    """ "... paraphrase it *before adding it as a voiceover*": the choice of an earlier sentence that this comes
    back to.

    `tools` are those that suit the piece.
    """
    if intent.joint != "before":
        return None
    for choice in reversed(choices):
        said = {t.key for t in choice.intent.terms if t.kind == "task"}
        if choice.intent.sentence < intent.sentence and (choice.best.tool in tools or said & set(intent.refers)):
            return choice
    return None


def put_ahead(choices: Sequence[Choice], graph: ToolGraph) -> list[Choice]:
    """The choices with each that comes first before what it is said to precede: one wish, or else those of the same
    sentence (where it opens one, of the sentence before) that can take what it makes.
    """
    ordered = list(choices)
    for choice in choices:
        place = ordered.index(choice)
        if not choice.intent.ahead or not place:
            continue
        named = [at for at in range(place) if ordered[at].intent.index == choice.intent.ahead_of]
        target = named[0] if named else _earliest(ordered, place, graph)
        ordered.insert(target, ordered.pop(place))
    return ordered


def _earliest(ordered: Sequence[Choice], place: int, graph: ToolGraph) -> int:
    made = [port.type for port in graph.tools[ordered[place].best.tool].outputs]
    sentence = ordered[place - 1].intent.sentence
    target = place
    for at in range(place - 1, -1, -1):
        if ordered[at].intent.sentence != sentence or ordered[at].intent.ahead:
            break
        takes = main_inputs(graph.tools[ordered[at].best.tool])
        if any(fits(type, port.type) for type in made for port in takes):
            target = at
        elif target < place:
            break
    return target


def add_to_complaint(tool: str, intent: Intent, choices: Sequence[Choice]) -> None:
    """ "It is crooked. Turn it by 4 degrees": the second sentence says how to mend what the first complains of."""
    faulty = next((c.intent for c in choices if c.best.tool == tool and c.intent.complains), None)
    if faulty is not None and intent.mentions("number"):
        append(intent, faulty)


def in_order(choice: Choice, extra: Choice | None, graph: ToolGraph, profiles: Mapping[str, Profile]) -> list[Choice]:
    """The second operation of a wish before or after the first: what it makes goes into the first one where it fits;
    else it comes after, as does a form in which a thing is wanted ("shorten it in Spanish").
    """
    if extra is None:
        return [choice]
    first, second = graph.tools[choice.best.tool], graph.tools[extra.best.tool]
    feeds = any(fits(o.type, i.type) for o in second.outputs for i in first.inputs)
    places = {t.key: t.first for t in reversed(choice.intent.terms)}
    titled = profiles[choice.best.tool].weights
    main = min((places[k] for k in choice.intent.meanings if k in titled and k in places), default=0)
    later = min((places.get(k, 0) for k in extra.intent.meanings), default=0)
    if not feeds and _is_put_on(choice, extra, graph):
        return [extra, _taking(choice, extra, profiles)]
    if feeds and any(fits(o.type, i.type) for o in first.outputs for i in second.inputs):
        words = [token.word for token in choice.intent.tokens]
        if _is_form(words, main) != _is_form(words, later):
            return [extra, choice] if _is_form(words, main) else [choice, extra]
    guides = [place for place, token in enumerate(choice.intent.tokens) if token.word in GUIDES]
    if not feeds or later <= main:
        guided = any(later <= place < main for place in guides)
        return [choice, _taking(extra, choice, profiles) if guided else extra]
    if any(main <= place < later for place in guides):  # "change the speed according to the mood of ..."
        choice = _taking(choice, extra, profiles)
    return [extra, choice]


def _taking(choice: Choice, giver: Choice, profiles: Mapping[str, Profile]) -> Choice:
    """The choice, with what the giver makes among what its wish refers to."""
    made = profiles[giver.best.tool].title
    return replace(choice, intent=replace(choice.intent, refers=(*choice.intent.refers, *made)))


def _is_form(words: Sequence[str], place: int) -> bool:
    """ "In Spanish", "as a list": how the result shall be."""
    return words[place] in _FORMS or (place > 0 and words[place - 1] in _FORMS)


def _is_put_on(choice: Choice, extra: Choice, graph: ToolGraph) -> bool:
    """ "Put the keywords of a.txt on a page": what is put there is a fact that can be worded."""
    aim = choice.intent.gives
    gives = [port.type for port in graph.tools[choice.best.tool].outputs]
    facts = any(port.type in FACTS for port in graph.tools[extra.best.tool].outputs)
    text = any(port.type == "text" for port in main_inputs(graph.tools[choice.best.tool]))
    return bool(aim) and any(fits(type, want) for type in gives for want in aim) and facts and text

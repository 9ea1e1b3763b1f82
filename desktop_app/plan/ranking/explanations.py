"""What the planner says about a plan: titles, reasons, and why there is none. Plain words, full sentences."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop_app.core.values import shortened
from desktop_app.plan.arguments.lost_values import lost_values
from desktop_app.plan.arguments.value_tables import tables
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.language.segmentation import language_of, stretch
from desktop_app.plan.language.tokenizer import Token, plain_words, stem, tokens_of
from desktop_app.plan.language.types import Intent
from desktop_app.plan.ranking.differences import asks_otherwise, short_difference, takes_otherwise
from desktop_app.plan.tools.tool_graph import INLINE, ToolGraph, fits
from desktop_app.plan.types import FromResource, Plan, PortSpec, Question, Request, Solution, Step, ToolSpec
from nodes.phrase import Phrase, english, joined, listed, parts

if TYPE_CHECKING:
    from desktop_app.plan.ranking.joint_selection import Reading, ToolClause

_UNSERVED = "Nothing here does “{text}”."

NOT_FROM = "No tool makes {type} from {source}."
CANNOT = "No tool here can do “{what}”."

PASSED_OVER = "“{text}” is not in the plan: I do not know what answers that."
_QUESTION = re.compile(r"(?:^|(?<=[.?!。？！\n]))\s*([^.?!。？！\n]+[?？])")
_LEAST_ASKED = 3
"""Words of a question: "see?" and "ok, you?" ask for nothing."""

GUESS = Question(
    Phrase("I am not sure that this is what you want. Please look at the graph before you run it."), "confirm"
)

_PERHAPS, _LOOK = Phrase("One of these, perhaps?"), Phrase("Please look at the graph before you run it.")
_DOUBTED = "I am not sure that “{words}” means “{tool}”."
_UNUSED = "I do not know what “{words}” is for: it is not in the plan."
_MISSING = "“{words}” is not in the plan."
_TOLD = (_DOUBTED, _UNUSED, _MISSING)
_WISHED = 0.5
"""A wish that is for its tool with so much probability is missed where no step does it."""
_PLAIN = 0.9
"""So probable a wish is surely for its tool."""
_WHICH = Phrase("I am not sure what you mean. One of these, perhaps?")

_UNSURE = Phrase("I was not sure that this is what you want. Please look at the result.")

_JOINTS = ("and", "then", "also")
"""Words between two wishes, which say nothing of the second."""

_CLAUSE = re.compile(r"[.;:]|\s\(|(?<!,) such as |,? so that |,? and gives | by itself")
"""Where the first clause of a description ends."""

_LONGEST = 90
"""Characters of a clause that says what a tool does."""

_OF = ("of ", "for ", "in ", "on ", "by ", "from ", "to ", "at ", "between ", "around ", "within ")

_VALUES = re.compile(r"[={}#]|^-?\d|\([^ ()]+\)$")
"""What values mean, in a description, or the unit behind it."""

_SIGNS = " ,.;:!?，。；：！？"

MOST_SAID = 60
"""Characters of the request that a sentence about it quotes."""

MOST_WORDS = 5
"""Of a title; it stands on a small card."""


def is_guess(question: Question) -> bool:
    """True for the doubt whether a plan is what was asked for."""
    first = next(iter(parts(question.text)), "")
    return Phrase.of(first).template in (*_TOLD, *(Phrase.of(one).template for one in (GUESS.text, _WHICH)))


def doubt_again(question: Question) -> str:
    """What is said of a guess once more, with what came of it."""
    first = next(iter(parts(question.text)))
    return first if Phrase.of(first).template in _TOLD else _UNSURE


def doubted(solution: Solution, reading: Reading, request: Request, graph: ToolGraph) -> Phrase | None:
    """Which number or quoted text is in no value, or which wish no step serves; else which words are the least sure to
    mean which of the tools: the whole request where no wish is for one of them. None where neither is in doubt.
    """
    for token in lost_values(request, solution)[:1]:
        return Phrase(_UNUSED, words=_with_unit(token, request.text))
    tools = {step.tool for step in solution.steps}
    for one in reading.clauses:
        meant = {one.tool, *(tool for tool, _ in one.others)}
        if not one.tool or tools & meant or one.probability < _WISHED:
            continue
        return Phrase(_MISSING, words=shortened(request.text[one.start : one.end].strip(_SIGNS), MOST_SAID))
    wishes = [one for one in reading.clauses if one.tool in tools]
    least = min(wishes, key=lambda one: one.probability, default=None)
    wanted = {step.id: step.tool for step in solution.steps}.get(solution.wanted[-1][0]) if solution.wanted else None
    tool = least.tool if least is not None else wanted
    words = request.text[least.start : least.end] if least is not None else request.text
    words = (words if _says_something(words) else request.text).strip(_SIGNS)
    if tool is None or not words or _is_plain(least, words, graph.tools[tool]):
        return None
    return Phrase(_DOUBTED, words=shortened(words, MOST_SAID), tool=_title(graph.tools[tool]))


def _says_something(words: str) -> bool:
    """False for "and": nobody doubts what that means."""
    return not {*plain_words(words)} <= lexicon().skipped | tables().joints["further"]


def _is_plain(wish: ToolClause | None, words: str, tool: ToolSpec) -> bool:
    """True where the words surely are for the tool, and name it: nobody doubts what a collage is."""
    said = {stem(token.word) for token in tokens_of(words) if token.kind == "word"}
    names = {*map(stem, plain_words(tool.title))}
    return wish is not None and wish.probability >= _PLAIN and bool(said & names)


def _with_unit(number: Token, text: str) -> str:
    """ "800 px" of "a collage 800 px wide"; a text as it is."""
    if number.kind == "quote":
        return number.text
    tokens = tokens_of(text)
    after = next((token for token in tokens if token.start >= number.end), None)
    near = after is not None and after.kind == "word" and after.start - number.end <= 1
    return text[number.start : after.end] if after is not None and near else number.text


def guess(ways: Sequence[Solution], doubt: Phrase | None = None) -> Question:
    """Says that the first of the ways is a guess, with the `doubt` where it is known, and offers the others where they
    use other tools.
    """
    tools = [sorted(step.tool for step in way.steps) for way in ways]
    others = [way for way, own in zip(ways[1:], tools[1:], strict=True) if own != tools[0]]
    titles = tuple(str(way.title) for way in (ways[0], *others))
    if not others:
        return GUESS if doubt is None else replace(GUESS, text=joined(doubt, _LOOK))
    return replace(GUESS, text=_WHICH if doubt is None else joined(doubt, _PERHAPS), choices=titles)


def doubt_of(question: Question, tools: Sequence[str], others: bool) -> Question:
    """A guess as it is told of a finished plan: of one of its `tools` (titles, the wanted one last), which may not be
    those it was made with; and asking which only where there are `others` to choose.
    """
    first = Phrase.of(next(iter(parts(question.text))))
    if first.template not in _TOLD:
        return question if others or not question.choices else GUESS
    values = dict(first.values)
    if tools and "tool" in values and values["tool"] not in tools:
        values["tool"] = Phrase(tools[-1], "tools")
    return replace(question, text=joined(Phrase(first.template, **values), _PERHAPS if others else _LOOK))


def as_shown(plan: Plan) -> Plan:
    """The plan whose guess offers the ways that it has, where some have gone since it was made."""
    if not plan.solutions or not any(is_guess(question) and question.choices for question in plan.questions):
        return plan
    ways = guess(plan.solutions).choices

    def again(question: Question) -> Question:
        if not (is_guess(question) and question.choices):
            return question
        return replace(question, choices=ways) if ways else replace(doubt_of(question, (), False), choices=())

    return replace(plan, questions=tuple(map(again, plan.questions)))


def what_to_do(tools: Sequence[ToolSpec]) -> Iterable[Question]:
    """What to ask where a request does not say what shall be done; nothing where there is little to choose from."""
    if len(tools) > 1:
        yield Question(Phrase("What shall be done with it?"), "text", tuple(tool.title for tool in tools))


def worded(solutions: Sequence[Solution], graph: ToolGraph) -> tuple[Solution, ...]:
    """The solutions, best first, with titles that differ, and with what sets each apart from the best as its reason."""
    used: set[str] = set()
    found = []
    for place, solution in enumerate(solutions):
        title = next(t for t in _titles(solution, graph, solutions[0] if place else None) if t and t not in used)
        used.add(title)
        unserved = [part for part in parts(solution.reason) if Phrase.of(part).template == _UNSERVED]
        reason = joined(difference(solution, solutions[0], graph), *unserved) if place else solution.reason
        found.append(replace(solution, title=title, reason=reason))
    return tuple(found)


def _titles(solution: Solution, graph: ToolGraph, best: Solution | None) -> Iterable[str]:
    """Titles for a solution, the best first: what is done first and last, or what the tools of the `best` do not do;
    where it has no others, what else is different.
    """
    known = {step.tool for step in best.steps} if best is not None else set[str]()
    tools = list(dict.fromkeys(step.tool for step in solution.steps))
    if not tools:
        yield from numbered(Phrase("Nothing to do"))
        return
    at = {step.id: step.tool for step in solution.steps}
    last = at[solution.wanted[-1][0]] if solution.wanted else tools[-1]
    others = [tool for tool in tools if tool != last]
    firsts = [tool for tool in others if tool not in known] + [tool for tool in others if tool in known]
    final = _title(graph.tools[last])
    fresh = [graph.tools[tool] for tool in others if known and tool not in known]
    if best is not None and set(tools) == known:
        yield short_difference(final, solution, best)
    if any(port.picked_on for tool in fresh for port in tool.inputs):
        yield Phrase("{final} where you click", final=final)
    if last in known and fresh and len(f"{final} {fresh[-1].title}".split()) < MOST_WORDS:
        yield Phrase("{final}, using {tool}", final=final, tool=_lower(fresh[-1]))
    for first in firsts:
        yield from _pairs(graph.tools[first], graph.tools[last])
    yield final
    yield from (_title(graph.tools[tool]) for tool in others)
    yield from numbered(final)


def numbered(title: str) -> Iterable[str]:
    """The title, then with the numbers from 2 on."""
    yield title
    for n in itertools.count(2):
        yield Phrase("{title}, way {n}", title=Phrase.of(title), n=n)


def _pairs(first: ToolSpec, last: ToolSpec) -> Iterable[str]:
    """ "Find faces, then blur": as long as it fits, without cutting a title."""
    begins, ends = _verb(first), _verb(last)
    for one, other in ((first.title, last.title), (begins, last.title), (first.title, ends), (begins, ends)):
        if one and other:
            both = Phrase("{one}, then {other}", one=_title(first, one), other=_title(last, _small(other)))
            if len(both.split()) <= MOST_WORDS:
                yield both


def _verb(tool: ToolSpec) -> str:
    """ "Trim" for "Trim video"; "" where the title is no verb with a kind of resource."""
    words = tool.title.split()
    if not words or not tool.description.lower().startswith(words[0].lower()):
        return ""  # "Bullet points" is no verb: it "makes" them
    types = lexicon().terms(tokens_of(tool.title))
    is_type = [any(t.kind == "type" and t.first <= place <= t.last for t in types) for place in range(len(words))]
    return words[0] if len(words) == 2 and is_type == [False, True] else ""


def difference(solution: Solution, first: Solution, graph: ToolGraph) -> str:
    """In what a solution differs from the first, in a sentence."""
    tools, best = ([graph.tools[step.tool] for step in one.steps] for one in (solution, first))
    return (
        asks_otherwise(solution, first)
        or _other_tools(tools, best)
        or takes_otherwise(solution, first, graph)
        or Phrase("Does the same steps in another order or on other inputs.")
    )


def _other_tools(tools: Sequence[ToolSpec], best: Sequence[ToolSpec]) -> str:
    new = list(dict.fromkeys(tool for tool in tools if tool not in best))
    gone = list(dict.fromkeys(tool for tool in best if tool not in tools))
    if new and gone:
        does, doing = _third_person(new[-1]), _gerund(gone[-1])
        if does and doing:
            one, other = _title(new[-1], does), _title(gone[-1], doing)
            return Phrase("{does} instead of {doing}.", does=one, doing=other)
        return Phrase("{does}, instead of “{tool}”.", does=_does(new[-1]), tool=_title(gone[-1]))
    if new:
        return Phrase("Also uses “{tool}”.", tool=_title(new[0]))
    if gone:
        return Phrase("Does without “{tool}”.", tool=_title(gone[0]))
    return ""


def _does(tool: ToolSpec) -> Phrase:
    """ "Cuts each found thing out of a picture": the first clause of the description; of a bare one the title."""
    clause = _CLAUSE.split(tool.description, maxsplit=1)[0].strip()
    if len(clause.split()) > 2 and len(clause) <= _LONGEST:
        return Phrase(tool.description, "descriptions", spelled=clause)
    return Phrase("Uses “{tool}”", tool=_title(tool))


def _third_person(tool: ToolSpec) -> str:
    """ "Pixelates", where title and description both begin with the verb."""
    opening = tool.description.split(maxsplit=1)[0] if tool.description else ""
    return opening if opening.endswith("s") and stem(opening.lower()) == stem(tool.title.lower()) else ""


def _gerund(tool: ToolSpec) -> str:
    """ "blurring" for a tool called "Blur"; "" where the title is not a single verb."""
    if not _third_person(tool):
        return ""
    verb = tool.title.lower()
    if verb.endswith("e"):
        return f"{verb[:-1]}ing"
    doubled = len(verb) > 2 and verb[-1] in "bdgmnprt" and verb[-2] in "aeiou" and verb[-3] not in "aeiou"
    return f"{verb}{verb[-1] if doubled and sum(c in 'aeiou' for c in verb) == 1 else ''}ing"


def _title(tool: ToolSpec, spelled: str = "") -> Phrase:
    """The title, with the words that stand for it here."""
    return Phrase(tool.title, "tools", spelled=spelled) if spelled else Phrase(tool.title, "tools")


def _lower(tool: ToolSpec) -> Phrase:
    return _title(tool, _small(tool.title))


def _small(title: str) -> str:
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def reason_for(steps: Sequence[Step], unserved: Sequence[Intent], graph: ToolGraph) -> str:
    """One or two sentences: the tools in order, and what was asked for that none of them does."""
    used = list({graph.tools[step.tool].title: graph.tools[step.tool] for step in steps}.values())
    text = [Phrase("{steps}.", steps=listed([*map(_title, used[:1]), *map(_lower, used[1:])], " → "))] if used else []
    if len(steps) > len(used):
        text.append(Phrase("{n} steps, some of them on several inputs.", n=len(steps)))
    return joined(*text, *(Phrase(_UNSERVED, text=intent.text) for intent in unserved))


def article(type: str) -> Phrase:
    """ "an image", "audio", "a table"."""
    name = type.rpartition(".")[2].replace("_", " ")
    if name not in ("text", "audio", "points", "boxes", "labels"):
        name = english("a {name}", {"name": name})
    return Phrase(type, "types", spelled=name)


def cause_of(intents: Sequence[Intent], request: Request, graph: ToolGraph) -> str:
    """Why there is no solution, in one sentence that is true of these tools."""
    for intent in intents:
        sources = [t for t in intent.takes if t not in intent.gives] or [g.type for g in request.resources]
        if intent.gives and sources and not _is_made(intent.gives[0], sources[0], graph):
            return Phrase(NOT_FROM, type=article(intent.gives[0]), source=article(sources[0]))
        if intent.gives and not sources and not any(t.kind in ("task", "word") for t in intent.terms):
            return Phrase("No tool makes {type}.", type=article(intent.gives[0]))
    asked = [intent for intent in intents if not intent.stating] or list(intents)
    return cannot(asked[0] if asked else None, request)


def cannot(intent: Intent | None, request: Request) -> str:
    """ "No tool here can do ..." in the words of the intent, or of the whole request."""
    words = request.text.strip() if intent is None else said(intent, request)
    return cannot_do(words) if any(c.isalnum() for c in words) else Phrase("The request has no words.")


def cannot_do(words: str) -> str:
    """ "No tool here can do ...", the words cut where they are long."""
    return Phrase(CANNOT, what=shortened(words, MOST_SAID))


def _is_made(wanted: str, source: str, graph: ToolGraph) -> bool:
    """True when one tool leads from the source to what is wanted."""
    return any(
        fits(output.type, wanted) and any(fits(source, port.type) for port in tool.inputs)
        for tool in graph.tools.values()
        for output in tool.outputs
    )


def said(intent: Intent, request: Request) -> str:
    """The words of an intent as they stand in the request."""
    if not intent.tokens:
        return request.text.strip()
    return request.text[intent.tokens[0].start : max(token.end for token in intent.tokens)].strip()


def question_for(port: PortSpec, tool: ToolSpec, step: str, arguments: Mapping[str, Any]) -> Question:
    """What to ask for a required port that nothing fills."""
    if port.picked_on:
        on = arguments.get(port.picked_on)
        resource = on.name if isinstance(on, FromResource) else ""
        text = (
            Phrase("Click on what you mean in {name}.", name=resource)
            if resource
            else Phrase("Click on what you mean.")
        )
        return Question(text, "point", (), step, port.name, resource)
    if port.type in INLINE:
        return Question(_asked(port, tool), "text", port.offered or port.choices, step, port.name)
    if port.name in arguments:
        text = Phrase(
            "“{tool}” needs at least {count}. Please attach {type}.",
            tool=_title(tool),
            count=port.least,
            type=article(port.type),
        )
        return Question(text, "file", (), step, port.name)
    text = Phrase("Please attach {type} for “{tool}”.", type=article(port.type), tool=_title(tool))
    return Question(text, "file", (), step, port.name)


def _asked(port: PortSpec, tool: ToolSpec) -> Phrase:
    """In the port's own question; else in what its description says, unless that tells what values mean."""
    if port.question:
        return Phrase(port.question, "docs")
    brief = re.split("[;:]", port.description)[0]  # what a port is for comes first
    name = Phrase(port.name, "ports", spelled=port.name.replace("_", " "))
    what = (
        name if port.choices or not brief or _VALUES.search(brief) else Phrase(port.description, "docs", spelled=brief)
    )
    if what is not name and brief.startswith(_OF):  # "of the new background": of what, its name says
        what = Phrase("{port} ({about})", port=name, about=what)
    return Phrase("{tool}: {what}?", tool=_title(tool), what=what)


def text_wanted(tool: ToolSpec, step: str, port: PortSpec) -> Question:
    """What to ask for a text that people bring rather than type: a file, though typing it will do."""
    text = Phrase("“{tool}” needs a text: attach a file, or type it here.", tool=_title(tool))
    return Question(text, "file", (), step, port.name)


def not_done(reading: Reading, request: Request) -> Iterable[Question]:
    """What no tool does, where others do the rest of the request."""
    for words in unserved(reading, request):
        yield Question(cannot_do(words), "confirm")
    for words in passed_over(reading, request):
        yield Question(Phrase(PASSED_OVER, text=words), "confirm")


def passed_over(reading: Reading, request: Request) -> Iterator[str]:
    """The questions among the sentences that no wish holds a word of, where there are wishes. Of 809 requests that were
    planned right 4 have one.
    """
    for sentence in _QUESTION.finditer(request.text) if reading.clauses else ():
        start, end = sentence.span(1)
        held = any(one.start < end and start < one.end for one in reading.clauses)
        words = [token for token in tokens_of(sentence[1]) if token.kind == "word"]
        if not held and len(words) >= _LEAST_ASKED:
            yield sentence[1]


def unserved(reading: Reading, request: Request) -> Iterable[str]:
    """The words of each wish that no tool does, without those that join it to another."""
    language = language_of(tokens_of(request.text))
    for place, one in enumerate(reading.clauses):
        start, left = one.start, stretch(request.text, one.start, one.end, language, place)
        if one.tool or left is None:
            continue
        while left is not None and left.joint in _JOINTS and left.tokens[0].start > start:
            start = left.tokens[0].start
            left = stretch(request.text, start, one.end, language, place)
        words = request.text[start : one.end].strip(_SIGNS)
        if len(words) > 1 or words > "\u3000":  # "y" alone asks for nothing
            yield words

"""Compares what was made with what was asked for: kind and number of results, size in pixels and bytes, proportions,
duration, form of the file, sentences, words that should be there, faces and writing that should be gone.

What was asked for is read from the request, what was made from the results themselves. Must not know how it is shown.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from desktop_app.core.values import several, shortened
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.quantities import Quantity, quantities
from desktop_app.plan.arguments.sentence_count import PORT, said_count, said_sentences
from desktop_app.plan.arguments.value_tables import read_words, tables
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.ranking import file_size
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.session.answering.request_words import asked_thing, plain_thing, unlooked
from desktop_app.session.messages import ResultCheck
from desktop_app.storage.resources import Resource, type_of_name
from nodes._support.language.sentences import count_sentences
from nodes.api import CHOOSES, HIDES, ResourceType, Tool
from nodes.phrase import Phrase, joined, listed

Look = Callable[[Workflow], Awaitable[Run]]
"""Runs a small workflow, of which nothing is shown."""
_PICTURES = (ResourceType.IMAGE,)
_FRAMED = (ResourceType.IMAGE, ResourceType.VIDEO, ResourceType.MASK)
_MOST_PARTS = 40
"""Of proportions; "1:100" is a scale."""
_DURATIONS = frozenset(("seconds", "duration", "length"))
_NEAR = 2
"""So many words from a number may "wide" or "long" stand."""
_APART = ("gap", "margin", "grow", "x", "y", "left", "top", "start", "end")
"""Inputs that are no size of anything unless the words name them."""
_LENGTHS = frozenset(
    ("mm", "cm", "millimetres", "centimetres", "inch", "inches", "zoll", "pouces", "毫米", "厘米", "英寸")
)
"""How many pixels such a length is, nobody says."""
_SLACK = 0.02, 0.1
"""A duration may differ by this share or so many seconds: sound and film are cut at whole frames."""
_UNREAD = re.compile("[\u0370-\u1dff\uac00-\ud7af\ufb1d-\ufdff]")
"""Letters that the reader of pictures does not know: Greek, Cyrillic, Hebrew, Arabic, Thai, Korean and others."""
_ALIKE = 80.0
"""So like each other (0 to 100) are words that were written and the same words as they are read from a picture."""
_LONGEST_SHOWN = 40
_AT_MOST = 3
"""So many words from a duration may its limit be said: "20 seconds at most"."""
_FORMS = {"jpeg": "jpg", "tif": "tiff"}


@dataclass(frozen=True)
class RunOutcome:
    """What a run made. `said` are the request and the edits after it, the latest last; `saved_as` as in GraphState."""

    workflow: Workflow
    run: Run
    tools: Mapping[str, Tool]
    said: tuple[str, ...]
    saved_as: str
    path_of: Callable[[Resource], Path]
    value_of: Callable[[Resource], Any]
    unserved: tuple[str, ...] = ()
    """The words of the request for what no step does."""

    def results(self) -> list[tuple[str, Resource]]:
        """What was wanted and made, each with its node."""
        pairs = execution_modes.results(self.workflow, self.tools)
        return [(node, one) for node, output in pairs for one in several(self.outputs(node).get(output)) if one]

    def outputs(self, node: str) -> Mapping[str, Any]:
        return self.run.nodes.get(node, NodeRun()).outputs

    def taking(self, value: float) -> list[Node]:
        return [node for node in self.workflow.nodes
                if any(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) == abs(value)
                       for v in node.values.values())]  # fmt: skip


async def of(made: RunOutcome, look: Look) -> tuple[ResultCheck, ...]:
    """One for each thing that was asked for and can be compared."""
    sizes = *_sizes(made), *_proportions(made), *_file_sizes(made), *_durations(made)
    plain = *_kinds(made), *_looks(made), *sizes, *_forms(made), *_sentences(made), *_words(made)
    compared = *plain, *[check async for check in _looked_at(made, look)]
    return (*compared, *_not_done(made), *_not_placed(made, compared))


# Of what there is -----------------------------------------------------------------------------------------------------


def _kinds(made: RunOutcome) -> Iterator[ResultCheck]:
    """Each result that was wanted is there, once for each file it is made of."""
    for node, output in execution_modes.results(made.workflow, made.tools):
        tool = made.tools.get(made.workflow.node(node).tool)
        port = tool.output(output) if tool else None
        if tool is None or port is None:
            continue
        got = [one for one in several(made.outputs(node).get(output)) if one is not None]
        wanted = _items(made.workflow, node, made.tools)
        if wanted > 1 and not port.many:
            said = Phrase("{n} files", n=wanted)
            yield ResultCheck(
                said, len(got) >= wanted, "" if len(got) >= wanted else Phrase("{n} of them", n=len(got)), node
            )
        else:
            yield ResultCheck(Phrase(port.type, "types"), bool(got), "" if got else Phrase("nothing"), node)


def _looks(made: RunOutcome) -> Iterator[ResultCheck]:
    """ "How many green things": that only those of a colour were counted."""
    asked = next((thing for text in reversed(made.said) if (thing := asked_thing(text))), "")
    for node, one in made.results():
        if one.type in (ResourceType.NUMBER, ResourceType.BOXES) and (colour := unlooked(asked, made.workflow)):
            thing = plain_thing(asked, made.workflow)
            yield ResultCheck(Phrase("only {colour} {things}", colour=colour, things=thing), False,
                              Phrase("all {things}, of any colour", things=thing), node)  # fmt: skip


def _items(workflow: Workflow, node: str, tools: Mapping[str, Tool]) -> int:
    """How many values come into the node for a port that takes one: so often it runs."""
    most = 1
    for id in workflow.upstream(node) & set(workflow.ids()):
        tool = tools.get(workflow.node(id).tool)
        for port in tool.inputs if tool else ():
            if not port.many:
                most = max(most, sum(workflow.count(k.source) for k in workflow.links_into(id) if k.port == port.name))
        if tool and id != node and any(port.many for port in tool.inputs):
            return 1
    tool = tools.get(workflow.node(node).tool)
    joins = tool is not None and any(
        port.many and any(link.port == port.name for link in workflow.links_into(node)) for port in tool.inputs
    )
    return 1 if joins else most


def _latest(made: RunOutcome, fits: Callable[[str, Quantity], str]) -> dict[str, tuple[str, Quantity]]:
    """By what it is about, the quantity said last, with the text that says it."""
    return {
        about: (text, quantity)
        for text in made.said
        for quantity in quantities(text)
        if not quantity.one and (about := fits(text, quantity))
    }


def _sizes(made: RunOutcome) -> Iterator[ResultCheck]:
    """Width and height in pixels: of what was made by the step that was told it, else of the result."""
    for side, (text, quantity) in _latest(made, _side).items():
        takers, value = made.taking(quantity.value), quantity.value
        sized = [node for node in takers if _has_sides(made.tools.get(node.tool))]
        if takers and not sized and any(_is_of_part(text, node, value) for node in takers):
            continue  # the width of a border
        changed = text not in made.said[-1:] and any(side in node.values for node in made.workflow.nodes)
        if not takers and changed and not any(_has_sides(made.tools.get(node.tool)) for node in made.workflow.nodes):
            continue  # of a border, which was made thinner since
        others = [node for node in made.workflow.nodes if _has_sides(made.tools.get(node.tool)) and side in node.values]
        if not sized and others and len(made.said) > 1:  # "make that 200 instead": said since, without the word
            sized, value = others, others[-1].values[side]
        got = [(sized[-1].id, r) for v in made.outputs(sized[-1].id).values() for r in several(v)] if sized else []
        template = "{n} pixels wide" if side == "width" else "{n} pixels high"
        for node, one in [pair for pair in got or made.results() if side in pair[1].facets][:1]:
            has = int(one.facets[side])
            yield _compared(Phrase(template, n=f"{value:g}"), has == round(value), Phrase(template, n=has), node)


def _side(text: str, quantity: Quantity) -> str:
    if quantity.unit not in ("px", ""):
        return ""
    said = read_words(text)
    if _LENGTHS.intersection(word.text for word in said[quantity.last + 1 : quantity.last + 4]):  # "35 by 45 mm"
        return ""
    if quantity.role in ("width", "height"):
        return quantity.role
    words = said[max(0, quantity.first - _NEAR) : quantity.last + 1 + _NEAR]
    near = {word.text for word in words}
    if not quantity.unit and not near & {"wide", "width", "breit", "breite", "tall", "height", "hoch", "höhe"}:
        return ""
    return next((side for side in ("width", "height") if near & {side, *tables().names[side]}), "")


def _is_of_part(text: str, node: Node, value: float) -> bool:
    """False where the value went into an input of which the words do not speak: "800 px wide" into the gaps."""
    ports = [port for port, held in node.values.items() if held == value and not isinstance(held, bool)]
    words = [word.text for word in read_words(text)]

    def is_named(port: str) -> bool:
        return any(word.startswith(name) for name in tables().names.get(port, (port,)) for word in words)

    return not ports or any(port not in _APART or is_named(port) for port in ports)


def _has_sides(tool: Tool | None) -> bool:
    names = {port.name for port in tool.inputs} if tool else set()
    return {"width", "height"} <= names


def _proportions(made: RunOutcome) -> Iterator[ResultCheck]:
    """Width to height, as near as whole pixels come: of what the step made that was told it, else of the result."""
    asked = [shape for text in made.said for shape in _shapes_in(text)] or [
        "1:1"
        for node in made.workflow.nodes
        if "square" in node.values.values()  # "a square thumbnail"
    ]
    if not asked:
        return
    across, down = (int(part) for part in asked[-1].split(":"))
    told = {asked[-1], *(("square",) if across == down else ())}
    takers = [node for node in made.workflow.nodes if told & {v for v in node.values.values() if isinstance(v, str)}]
    got = [(takers[-1].id, r) for v in made.outputs(takers[-1].id).values() for r in several(v)] if takers else []
    for node, one in got or made.results():
        if one.type in _FRAMED and {"width", "height"} <= one.facets.keys():
            width, height = int(one.facets["width"]), int(one.facets["height"])
            wanted = Phrase("as wide as high") if across == down else Phrase("{a} wide to {b} high", a=across, b=down)
            ok = abs(width * down - height * across) <= max(across, down)
            yield _compared(wanted, ok, Phrase("{width} × {height} pixels", width=width, height=height), node)


def _shapes_in(text: str) -> list[str]:
    """ "16:9" and "into a square", in the order in which they are said."""
    said = MessageWords(text)
    figures = [
        (place, word.text) for place, word in enumerate(said.words) if word.kind == "ratio" and _is_shape(word.text)
    ]
    words = [(first, shape) for (first, _), shape in zip(said.spans("shapes"), said.meanings("shapes"), strict=True)]
    return [shape for _, shape in sorted(figures + words)]


def _is_shape(ratio: str) -> bool:
    return all(0 < int(part) <= _MOST_PARTS for part in ratio.split(":"))


def _file_sizes(made: RunOutcome) -> Iterator[ResultCheck]:
    limits = [limit for text in made.said if (limit := file_size.limit(text)) is not None]
    for node, one in made.results() if limits else ():
        most, has = limits[-1].value, made.path_of(one).stat().st_size / 1000
        wanted = Phrase("at most {n} kB", n=f"{most:g}")
        yield _compared(wanted, has <= most, Phrase("{n} kB", n=f"{has:.0f}"), node)


def _durations(made: RunOutcome) -> Iterator[ResultCheck]:
    for text, quantity in _latest(made, lambda _, q: q.unit if q.unit == "s" and not q.role else "").values():
        if _is_limit(text, quantity):
            yield from _no_longer(made, quantity.value)
            continue
        takers = [node for node in made.taking(quantity.value)
                  if any(node.values.get(port) == quantity.value for port in _durations_of(node))]  # fmt: skip
        for node in takers[-1:]:
            for one in (one for value in made.outputs(node.id).values() for one in several(value)):
                if "seconds" in one.facets:
                    has, share, least = float(one.facets["seconds"]), *_SLACK
                    ok = abs(has - quantity.value) <= max(least, share * quantity.value)
                    wanted = Phrase("{n} seconds long", n=f"{quantity.value:g}")
                    yield _compared(wanted, ok, Phrase("{n} seconds", n=f"{has:.1f}"), node.id)


def _is_limit(text: str, quantity: Quantity) -> bool:
    """Whether the words beside the quantity say that it is the most there may be."""
    near = read_words(text)[max(0, quantity.first - _AT_MOST) : quantity.last + 1 + _AT_MOST]
    return any(meaning == "most" for meaning, _, _ in tables().limits.all(near))


def _no_longer(made: RunOutcome, most: float) -> Iterator[ResultCheck]:
    for node, one in made.results():
        if "seconds" in one.facets:
            has, wanted = float(one.facets["seconds"]), Phrase("at most {n} seconds", n=f"{most:g}")
            yield _compared(wanted, has <= most + _SLACK[1], Phrase("{n} seconds", n=f"{has:.1f}"), node)


def _durations_of(node: Node) -> frozenset[str]:
    """The inputs that say how long the result is: where something is kept from its beginning on, its end does."""
    return _DURATIONS if node.values.get("start") else _DURATIONS | {"end"}


def _forms(made: RunOutcome) -> Iterator[ResultCheck]:
    """The form of the file that was asked for ("as a jpg"). Of several results one has it: another one of another kind
    was asked for by itself ("as a PDF, and read it to me").
    """
    forms = [form for text in made.said for form in _forms_in(text)]
    for form in forms[-1:]:
        every = [(node, one, _form_of(one, made)) for node, one in made.results()]
        is_there = any(has == form for _, _, has in every)
        kind = type_of_name(f"x.{form}")
        for node, one, has in every:
            if not is_there or has == form or one.type.is_a(kind):
                yield _compared(Phrase("a {form} file", form=form), has == form, Phrase("{form}", form=has), node)


def _form_of(one: Resource, made: RunOutcome) -> str:
    """The ending with which the result is kept."""
    saved = Path(made.saved_as).suffix or made.saved_as if "." in made.saved_as else one.suffix
    has = saved.lstrip(".").lower()
    return _FORMS.get(has, has)


def _forms_in(text: str) -> list[str]:
    """The forms that are asked for; "this pdf" is a file that is there."""
    said = MessageWords(text)
    around = said.covered(("as", "save", "picture"))
    found = zip(said.meanings("forms"), said.spans("forms"), strict=True)
    return [
        form
        for form, (first, last) in found
        if {first - 1, first - 2, last + 1} & around
        and _is_ending(said.piece(first, last).lower(), form)
        and not (first and said.words[first - 1].text in tables().small["this_one"])
    ]


def _is_ending(piece: str, form: str) -> bool:
    """False for other words that may mean the form: a sound wave is no file."""
    ending = piece.lstrip(".")
    return _FORMS.get(ending, ending) == form


def _sentences(made: RunOutcome) -> Iterator[ResultCheck]:
    """As many sentences as were wished, said or set last; of a text that was written so, or goes on as it is."""
    said = next((n for text in reversed(made.said) if (n := said_sentences(text)) is not None), None)
    for node, one in made.results():
        writers = [made.workflow.node(id) for id in (node, *made.workflow.upstream(node)) if id in made.workflow.ids()]
        writer = next((w for w in writers if _writes_sentences(made.tools.get(w.tool))), None)
        if one.type is not ResourceType.TEXT or writer is None:
            continue
        most = writer.values.get(PORT, said)
        if isinstance(most, int | float):
            count, exact = count_sentences(str(made.value_of(one))), _is_exact(made, "sentences")
            template = "{n} sentences" if exact else "at most {n} sentences"
            wanted = Phrase("one sentence") if most == 1 else Phrase(template, n=f"{most:g}")
            ok = count == most if exact else count <= most
            yield _compared(wanted, ok, Phrase("{n} sentences", n=count), node)


def _is_exact(made: RunOutcome, counted: str) -> bool:
    """True for "exactly five sentences"."""
    said = next((MessageWords(text) for text in reversed(made.said) if said_count(text, counted) is not None), None)
    return said is not None and said.has("exactly")


def _words(made: RunOutcome) -> Iterator[ResultCheck]:
    """As many words as were wished of a text that some step wrote."""
    most = next((n for text in reversed(made.said) if (n := said_count(text, "words")) is not None), None)
    if most is None:
        return
    for node, one in made.results():
        tool = made.tools.get(made.workflow.node(node).tool)
        if one.type is not ResourceType.TEXT or tool is None or not any(p.type == "text" for p in tool.inputs):
            continue
        count, exact = len(str(made.value_of(one)).split()), _is_exact(made, "words")
        wanted = Phrase("{n} words" if exact else "at most {n} words", n=most)
        yield _compared(wanted, count == most if exact else count <= most, Phrase("{n} words", n=count), node)


def _writes_sentences(tool: Tool | None) -> bool:
    return tool is not None and tool.input(PORT) is not None


# Of what a tool finds in it -------------------------------------------------------------------------------------------


async def _looked_at(made: RunOutcome, look: Look) -> AsyncIterator[ResultCheck]:
    """What only a further look at the result tells: words written on a picture, faces and writing that are left."""
    hidden = _hidden(made)
    for node, one in made.results():
        if one.type is ResourceType.TEXT:
            for words in _quoted(made, node):
                wanted = Phrase("the words “{words}”", words=shortened(words, _LONGEST_SHOWN))
                yield _compared(wanted, words.lower() in str(made.value_of(one)).lower(), Phrase("other words"), node)
        if one.type not in _PICTURES:
            continue
        if "detect_faces" in hidden and "detect_faces" in made.tools:
            left = await _found(one, "detect_faces", "boxes", made, look)
            if left is not None:
                yield _compared(Phrase("no face left to be seen"), not left, Phrase("{n} faces", n=len(left)), node)
        quotes = _quoted(made, node)
        if (quotes or "read_text" in hidden) and "read_text" in made.tools:
            text = await _found(one, "read_text", "text", made, look)
            if text is None:
                continue
            for words in quotes:
                wanted = Phrase("the words “{words}”", words=shortened(words, _LONGEST_SHOWN))
                if _UNREAD.search(words):
                    yield ResultCheck(wanted, False, "", node, checked=False)
                    continue
                ok = fuzz.partial_ratio(words.lower(), " ".join(text.lower().split())) >= _ALIKE
                seen = (
                    Phrase("“{words}” can be read", words=shortened(text, _LONGEST_SHOWN))
                    if text
                    else Phrase("no words")
                )
                yield _compared(wanted, ok, seen, node)
            if "read_text" in hidden:
                seen = Phrase("“{words}” can be read", words=shortened(" ".join(text.split()), _LONGEST_SHOWN))
                yield _compared(Phrase("no writing left to be seen"), not text.strip(), seen, node)


def _hidden(made: RunOutcome) -> set[str]:
    """The finders of what some step hides, all of it: nothing was chosen among what they found."""
    found, workflow = set(), made.workflow
    choosing = workflow.doing(CHOOSES, made.tools)
    for id in workflow.doing(HIDES, made.tools):
        behind = workflow.upstream(id)
        found |= {node.tool for node in workflow.nodes if node.id in behind} if not behind & choosing else set()
    return found


def _quoted(made: RunOutcome, node: str) -> list[str]:
    """Texts of the request that some step writes into the result."""
    behind = [made.workflow.node(id) for id in made.workflow.upstream(node) & set(made.workflow.ids())]
    written = {
        value for one in behind if {"text", "title"} & {p.name for p in _texts(made.tools.get(one.tool))}
        for port in ("text", "title") if isinstance(value := one.values.get(port), str)
    }  # fmt: skip
    quotes = [quote.text for text in made.said for quote in Clause.of(text).quotes]
    return [quote for quote in dict.fromkeys(quotes) if quote in written]


def _texts(tool: Tool | None) -> Sequence[Any]:
    return [port for port in tool.inputs if port.type is ResourceType.TEXT and not port.choices] if tool else ()


async def _found(one: Resource, tool: str, output: str, made: RunOutcome, look: Look) -> Any:
    """What a tool finds in a result; None when it cannot look."""
    port = made.tools[tool].inputs[0].name
    source = replace(one, made_by="")
    link = Link(source.name, RESOURCE_OUTPUT, "look", port)
    run = await look(Workflow((source,), (Node("look", tool),), (link,), (("look", output),)))
    value = run.nodes.get("look", NodeRun()).outputs.get(output)
    return made.value_of(value) if isinstance(value, Resource) else None


# Of what is not there -------------------------------------------------------------------------------------------------


def _not_done(made: RunOutcome) -> Iterator[ResultCheck]:
    """Not certain, so that nothing is run again for it."""
    for words in made.unserved:
        yield ResultCheck(
            Phrase("“{words}”", words=shortened(words, _LONGEST_SHOWN)), False, Phrase("nothing"), "", False
        )


def _not_placed(made: RunOutcome, compared: Sequence[ResultCheck]) -> Iterator[ResultCheck]:
    """Amounts with a unit, said last, that no step was told and nothing was compared with."""
    text = made.said[-1] if made.said else ""
    told = " ".join(str(check.wanted) for check in compared)
    words = read_words(text)
    for one in quantities(text):
        figure, piece = f"{one.value:g}", text[words[one.first].start : words[one.last].end]
        if one.one or one.unit in ("", "x", "mm") or re.search(rf"\b{re.escape(figure)}\b", told):
            continue
        given = (
            (_unit(made, node, port), value) for node in made.workflow.nodes for port, value in node.values.items()
        )
        if not any(_is_told(one.value, value) for unit, value in given if _may_be(unit, one.unit)):
            yield ResultCheck(Phrase("“{words}”", words=shortened(piece, _LONGEST_SHOWN)), False, "", "", False)


def _unit(made: RunOutcome, node: Node, port: str) -> str:
    tool = made.tools.get(node.tool)
    found = tool.input(port) if tool is not None else None
    return found.unit if found is not None else ""


def _may_be(unit: str, said: str) -> bool:
    return said == "%" or unit in ("", said) or {unit, said} == {"kB", "MB"}


_SCALES = (1, 10, 60, 100, 1000, 3600)
"""By which a value may differ from the figures that say it: per cent, minutes, kilo."""


def _is_told(said: float, value: object) -> bool:
    if isinstance(value, str):
        return f"{said:g}" in value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    near = (100 - said, 1 - said / 100, 1 + said / 100)  # "20 percent smaller", "louder"
    forms = {*(said * by for by in _SCALES), *(said / by for by in _SCALES), *near}
    return any(abs(abs(value) - abs(form)) <= 0.005 * max(1.0, abs(form)) for form in forms)


def _compared(wanted: str, ok: bool, has: str, node: str) -> ResultCheck:
    return ResultCheck(wanted, ok, "" if ok else has, node)


def is_wrong(checks: Iterable[ResultCheck]) -> bool:
    """True where something is surely not as it was asked for."""
    return any(check.checked and not check.ok for check in checks)


def sentence(checks: Sequence[ResultCheck]) -> str:
    """What is not as it was asked for, in a sentence, and what nobody looked at; what was compared and is right; ""
    where only kinds were.
    """
    wrong = [check for check in checks if check.checked and not check.ok]
    undone = dict.fromkeys(check.wanted for check in checks if not check.checked and check.made)
    open = dict.fromkeys(check.wanted for check in checks if not check.checked and not check.made)
    missed = Phrase("Not done, it seems: {what}.", what=listed(undone)) if undone else ""
    unseen = joined(missed, Phrase("Not checked: {what}.", what=listed(open)) if open else "")
    if wrong:
        because = (Phrase("wanted {wanted}, got {made}", wanted=c.wanted, made=c.made) for c in wrong)
        return joined(Phrase("Not as asked: {because}.", because=listed(because, "; ")), unseen)
    told = [check.wanted for check in checks if check.ok and getattr(check.wanted, "section", "") != "types"]
    return joined(Phrase("As asked: {what}.", what=listed(dict.fromkeys(told))) if told else "", unseen)

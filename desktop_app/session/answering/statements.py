"""Findings as sentences, each about a node, in the language in use. Reads no file and asks no model."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from desktop_app.core.markdown import literal
from desktop_app.core.values import clock
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n import catalogue
from desktop_app.run.events.run_record import Run
from desktop_app.session.answering.answer_tables import cell, figure, in_words, markdown_table, parted
from desktop_app.session.answering.asked_measures import Measured
from desktop_app.session.answering.finding_budget import Finding
from desktop_app.session.answering.findings import (
    LONGEST_QUOTE,
    MOST_NAMED,
    MOST_SAID,
    MOST_STEPS,
    MOST_TROUBLES,
    ON_THE_WAY,
    TOLD,
)
from desktop_app.session.messages import Reference
from desktop_app.storage.resources import Resource, seen_as
from nodes._support.tables import columns, table_answers
from nodes.api import ResourceType, Table, Tool
from nodes.phrase import Phrase, joined, listed

if TYPE_CHECKING:
    pass

Reply = tuple[str, tuple[Reference, ...]]


class Statement(NamedTuple):
    """A sentence, and the node it is about; `aside` when that lay on the way to what was wanted."""

    text: str
    node: str
    aside: bool = False


_CHOSEN = 2
"""By so many steps one thing was chosen among those that were found."""
_HARD_BREAK = "  \n"
"""Two spaces keep the line in Markdown: a receipt or a list is no paragraph."""
_MOST_FACTS = 3
"""So many facts of each file of a batch are told where none was asked for."""
_HERE_IS = {
    ResourceType.MASK: "Here is the mask: {name}.",
    ResourceType.IMAGE: "Here is the picture: {name}.",
    ResourceType.VIDEO: "Here is the video: {name}.",
    ResourceType.AUDIO: "Here is the sound: {name}.",
    ResourceType.HTML: "Here is the page: {name}.",
    ResourceType.FILE: "Here is the file: {name}.",
}
"""What an answer begins with, by the kind of what was made; of one that is not here its parent's, else a file's."""
_HERE_ARE = {
    ResourceType.IMAGE: "Here are {n} pictures: {names}.",
    ResourceType.VIDEO: "Here are {n} videos: {names}.",
    ResourceType.AUDIO: "Here are {n} sounds: {names}.",
    ResourceType.FILE: "Here are {n} files: {names}.",
}


def statements(workflow: Workflow, run: Run, tools: Mapping[str, Tool], found: tuple[Finding, ...]) -> list[Statement]:
    """What there is to say: first what was wanted, then what went wrong, last what lay on the way. Where nothing came
    of what was wanted, first of all why.
    """
    sentences = {_sentence(alike): alike[0] for alike in _alike(_worth_saying(found))}
    first = foremost(tuple(sentences.values()), MOST_SAID)
    chosen = {id(finding) for finding in first}
    made = any(finding.wanted for finding in first)
    told = [
        Statement(sentence, finding.node, made and not finding.wanted and not _is_none_found(finding))
        for sentence, finding in sentences.items()
        if id(finding) in chosen
    ]
    said, asides = ([one for one in told if one.aside == aside] for aside in (False, True))
    if len(sentences) > len(first):
        more = catalogue.say("… and {n} more results.", n=f"{len(sentences) - len(first):,}")
        (asides or said).append(Statement(more, ""))
    every = [*_half_used(workflow), *troubles_with_nodes(run, workflow, tools)]
    troubles = every[:MOST_TROUBLES]
    if (left := len(every) - len(troubles)) > 0:
        troubles.append(Statement(catalogue.say("… and {n} more nodes that made nothing.", n=f"{left:,}"), ""))
    said = [*said, *troubles, *asides] if made else [*troubles, *said]
    return said or [Statement(catalogue.say("Nothing was made."), "")]


def _is_none_found(finding: Finding) -> bool:
    """Why the result is as it was before: no face, so nothing is blurred."""
    return finding.resource.type is ResourceType.BOXES and finding.value == ()


def _alike(found: Sequence[Finding]) -> list[tuple[Finding, ...]]:
    """Files of one kind that were made in the same way, one after the other, are told together, and so are the numbers
    of a batch; else each alone."""

    def alike(f: Finding) -> object:
        if f.resource.type not in TOLD:
            return _kind(f), f.steps
        one_table = f.resource.type is ResourceType.TABLE and not f.measured and is_of_facts(f.value)
        return f.node if f.item and (one_table or (_is_number(f) and f.value is not None)) else id(f)

    return [tuple(group) for _, group in itertools.groupby(found, alike)]


def _kind(finding: Finding) -> ResourceType:
    """The kind by which a result is handed over."""
    made = seen_as(finding.resource)
    return next(kind for kind in (made, made.parent, ResourceType.FILE) if kind and kind in _HERE_IS)


def reply_of(said: Sequence[Statement]) -> Reply:
    """The statements as paragraphs, with references to their nodes."""
    text = ""
    references: list[Reference] = []
    for sentence, node, aside in said:
        start = len(text) + (2 if text else 0)
        text += f"\n\n{sentence}" if text else sentence
        references += [Reference(start, len(text), node, aside)] if node else []
    return text, tuple(references)


def foremost(found: tuple[Finding, ...], most: int) -> list[Finding]:
    """At most so many, rather those that were asked for; in the order in which they were made."""
    if len(found) <= most:
        return list(found)
    wanted = sum(finding.wanted for finding in found)
    others = max(0, most - wanted)
    chosen: list[Finding] = []
    for finding in found:
        if finding.wanted or others > 0:
            others -= not finding.wanted
            chosen.append(finding)
    return chosen[:most]


def _worth_saying(found: tuple[Finding, ...]) -> list[Finding]:
    """All that was wanted, and on the way only what is not repeated by it."""
    wanted_texts = {f.resource.digest for f in found if f.wanted}
    said = [f for f in found if f.wanted or (f.resource.digest not in wanted_texts and _has_content(f))]
    wordless = {f.node for f in said if f.resource.type is ResourceType.TEXT and f.value is not None and not f.value}
    return [f for f in said if f.node not in wordless or f.value != ()]  # no text, so no places of text either


def _has_content(finding: Finding) -> bool:
    """That no box was found matters to whoever asked for something to be done with them."""
    return finding.resource.type is ResourceType.BOXES or finding.value not in (None, "", ())


def _sentence(alike: tuple[Finding, ...]) -> str:
    finding = alike[0]
    if len(alike) > 1:
        if finding.resource.type is ResourceType.TABLE:
            return _facts_of(alike)
        return _numbers_of(alike) if _is_number(finding) else _made_alike(alike)
    kind, value = finding.resource.type, finding.value
    of = _inside(finding)
    if kind is ResourceType.NUMBER and value is not None:
        return _number_sentence(finding, value, of)
    if kind is ResourceType.TEXT and value is not None:
        return _text_sentence(finding, value)
    if kind is ResourceType.LABELS and value is not None:
        known = [catalogue.find(label.name, "columns") for label in value]
        named = known if all(known) else [label.name for label in value]  # names of its own, not words of the text
        shown = zip(named[:10], value, strict=False)
        told = [
            f"{literal(name)} ({100 * label.score:.0f} %)" if finding.unit else literal(name) for name, label in shown
        ]
        names = catalogue.say(", ").join(told) or catalogue.say("none")
        return _fact(finding, of, names)
    if kind is ResourceType.BOXES and value is not None:
        said = _number_sentence(replace(finding, thing=finding.thing or "place"), len(value), of)
        if len(value) != 1 or len(finding.steps) < _CHOSEN or not finding.wanted:
            return said
        box = value[0]
        sides = (f"{abs(a - b):.0f}" for a, b in ((box.x1, box.x0), (box.y1, box.y0)))
        size = " × ".join(sides)
        where = catalogue.say(
            "It is {size} pixels large, {x} from the left and {y} from the top.",
            size=size, x=f"{box.x0:.0f}", y=f"{box.y0:.0f}",
        )  # fmt: skip
        return f"{said} {where}"
    if kind is ResourceType.FLAG:
        return _fact(finding, of, catalogue.say("yes") if value else catalogue.say("no"))
    if kind is ResourceType.TABLE and value is not None:
        if not value.rows:
            return _fact(finding, of, catalogue.say("none"))
        if finding.measured:
            return " ".join(_measure_sentence(one, of) for one in finding.measured)
        is_asked = bool(finding.facts) and is_of_facts(value)
        if rows := [row for row in value.rows if is_asked and str(row[0]) in finding.facts]:
            title = _listed(finding.about) if finding.about else finding.title
            told = listed([_fact_in_words(*row) for row in rows])
            return catalogue.translated(Phrase("{title}{of}: {value}.", title=title, of="", value=told))
        table = markdown_table(in_words(value, finding.named), " ".join(map(str, finding.made)))
        if is_asked and finding.about:
            lacking = listed([_name_of_fact(name) for name in finding.facts])
            said = Phrase("{file} does not say: {names}.", file=_listed(finding.about, finding.more), names=lacking)
            return f"{catalogue.translated(said)}\n\n{table}\n"
        return _shown(finding, table, of)
    return _made_sentence(finding)


_MEASURED = {
    "sum": "The sum of {column}{where} is {n}.",
    "mean": "The mean of {column}{where} is {n}.",
    "smallest": "The smallest {column}{where} is {n}.",
    "largest": "The largest {column}{where} is {n}.",
}
"""How a measure of a column is told; others stand before a colon."""
_NUMBER_OF = re.compile(r"([^:(]+): (-?\d{5,})(?=[.,]\d|$|\))")
_ONE_NUMBER = re.compile(r"(?:[ΣØ] )?(?P<column>[^:]+): (?P<number>-?\d[\d.,\u202f ]*)")


def _measure_sentence(one: Measured, of: str) -> str:
    """ "The sum of revenue in sales.csv is 6,800." """
    measure = catalogue.find(one.measure, "things") or one.measure
    column, value = literal(one.column), one.value
    if value is None:
        return catalogue.say(
            "{column}{where} has no {measure}: it holds no numbers.", column=column, where=of, measure=measure
        )
    shown = literal(value) if isinstance(value, str) else figure(value)
    if one.measure in _MEASURED:
        return catalogue.say(_MEASURED[one.measure], column=column, where=of, n=shown)
    return catalogue.say(
        "{measure} of {column}{where}: {n}.",
        measure=measure[:1].upper() + measure[1:],
        column=column,
        where=of,
        n=shown,
    )


def _in_a_sentence(lines: Sequence[str], question: str) -> list[str]:
    """The lines that answer a question about a table, with "sales: 6320" as a sentence of it, which ends with a colon
    before the groups of which it is the whole.
    """
    first = _ONE_NUMBER.fullmatch(lines[0]) if question and lines else None
    if not question:
        return [*lines]
    parted = [_NUMBER_OF.sub(_parted, line) for line in lines]
    if first is None:
        return parted
    measure, number = table_answers.measure_asked(question), _NUMBER_OF.sub(_parted, lines[0]).rpartition(": ")[2]
    said = _measure_sentence(Measured(first["column"], measure, number), "")
    return [said, *parted[1:]] if len(lines) == 1 else [catalogue.say("{sentence}:", sentence=said[:-1]), *parted[1:]]


def _parted(found: re.Match[str]) -> str:
    """A number behind what it is of, with its thousands apart unless it tells things apart: "Cairo: 10,100,000"."""
    return f"{found[1]}: {parted(found[2])}" if columns.is_measure(found[1]) else found[0]


def _fact_in_words(name: str, value: Any, unit: str = "") -> str:
    """ "width 600 px", "12 pages", "author Ana"."""
    if isinstance(value, int) and not unit:
        one = str(name).removesuffix("s") if value == 1 else ""
        counted = catalogue.find(one, "ports") if catalogue.language() != "en" else one
        return f"{figure(value)} {counted or _name_of_fact(name)}"
    if unit == "s" and isinstance(value, int | float):
        said = catalogue.say("{n} seconds", n=figure(round(value, 1)))
        return f"{_name_of_fact(name)} {said} ({clock(value)})"
    shown = catalogue.say(value) if value in ("yes", "no") else cell(value)
    return " ".join(filter(None, (_name_of_fact(name), shown, cell(unit))))


def _name_of_fact(name: str) -> str:
    return catalogue.find(str(name), "things", "ports") or cell(name)


def _made_alike(alike: tuple[Finding, ...]) -> str:
    """What was made in the same way of several files; the first names."""
    said = _listed([one.resource.name for one in alike[:MOST_NAMED]], len(alike) - MOST_NAMED, "**{}**")
    if alike[0].made:
        made, n = listed(alike[0].made), f"{len(alike):,}"
        return catalogue.translated(Phrase("Here are {n} files, {made}: {names}.", n=n, made=made, names=said))
    kind = _kind(alike[0])
    kind = kind if kind in _HERE_ARE else ResourceType.IMAGE if kind is ResourceType.MASK else ResourceType.FILE
    here = Phrase(_HERE_ARE[kind], n=f"{len(alike):,}", names=said)
    return catalogue.translated(joined(here, Phrase("Made with {steps}.", steps=_steps(alike[0]))))


def _numbers_of(alike: tuple[Finding, ...]) -> str:
    """What was counted in all of a batch, and in each of its files."""
    first = alike[0]
    values = [int(one.value) if float(one.value).is_integer() else one.value for one in alike]
    column = _counted(first) or _plural(first.title)
    rows = [(one.about[0], value) for one, value in zip(alike, values, strict=True)]
    table = markdown_table(Table((catalogue.say("file"), column), tuple(rows)))
    total = _number_sentence(replace(first, more=len(alike)), sum(values), "") if first.thing else f"{first.title}:"
    return f"{total}\n\n{table}\n"


def _is_number(finding: Finding) -> bool:
    return finding.resource.type is ResourceType.NUMBER


def is_of_facts(table: Any) -> bool:
    """A fact in each row: its name, its value and perhaps a unit."""
    return bool(table and table.rows) and len(table.columns) in (2, 3) and table.columns[0] == "fact"


def _facts_of(alike: tuple[Finding, ...]) -> str:
    """The facts of all files of a batch in one table, a row for each; those that were asked for where some were."""
    names = list(dict.fromkeys(str(row[0]) for one in alike for row in one.value.rows))
    names = [name for name in names if name in alike[0].facts] or names[:_MOST_FACTS]
    units = {str(row[0]): row[2] for row in alike[0].value.rows if len(row) > 2 and row[2]}
    heads = [f"{_name_of_fact(name)} ({units[name]})" if name in units else _name_of_fact(name) for name in names]
    known = [{str(row[0]): row[1] for row in one.value.rows} for one in alike]
    rows = [(one.about[0], *(facts.get(name) for name in names)) for one, facts in zip(alike, known, strict=True)]
    table = markdown_table(Table((catalogue.say("file"), *heads), tuple(rows)))
    return catalogue.say("{title}:\n\n{text}\n", title=alike[0].title, text=table)


def _steps(finding: Finding) -> str:
    steps = finding.steps or (finding.title,)
    told = steps if len(steps) <= MOST_STEPS else (steps[0], "…", *steps[2 - MOST_STEPS :])
    return catalogue.say(", then ").join(told)


def _made_sentence(finding: Finding) -> str:
    """What there is now, of which file it was made, and how."""
    name = f"**{literal(finding.resource.name)}**{_size(finding.resource)}"
    if finding.made and len(finding.about) == 1 and not finding.more:
        file, made = literal(finding.about[0]), listed(finding.made)
        return catalogue.translated(Phrase("Here is {file}, {made}: {name}.", file=file, made=made, name=name))
    here, said = Phrase(_HERE_IS[_kind(finding)], name=name), _steps(finding)
    if not finding.about:
        return catalogue.translated(joined(here, Phrase("Made with {steps}.", steps=said)))
    files = _listed(finding.about, finding.more)
    return catalogue.translated(joined(here, Phrase("Made from {files} with {steps}.", files=files, steps=said)))


def _fact(finding: Finding, of: str, value: str) -> str:
    return catalogue.say("{title}{of}: {value}.", title=finding.title, of=of, value=value)


def _number_sentence(finding: Finding, value: float, of: str) -> str:
    number = " ".join(filter(None, (figure(value), finding.unit)))
    several = len(finding.about) + finding.more > 1
    if finding.phrase:
        said = "“{words}” is there once{where}." if value == 1 else "“{words}” is there {n} times{where}."
        return catalogue.say(said, words=literal(finding.phrase), n=number, where=of)
    if finding.thing:
        total = catalogue.say(" in all") if several else of
        many = _counted(finding)
        if value == 0:
            return catalogue.say("There are no {things}{where}.", things=many, where=total)
        if number == "1":
            thing = _singular(finding) if catalogue.language() == "en" else many
            return catalogue.say("There is 1 {thing}{where}.", thing=thing, where=total)
        return catalogue.say("There are {n} {things}{where}.", n=number, things=many, where=total)
    if several:
        return catalogue.say("{title}: {n} in all.", title=finding.title, n=number)
    return _fact(finding, of, number)


def _counted(finding: Finding) -> str:
    """What was counted, as the user calls it, else in the language in use; "" where nobody knows. A label that has no
    word in that language stands behind the word for anything.
    """
    thing = finding.thing
    known = literal(finding.asked) or (catalogue.find(thing, "things") if thing else "")
    anything = catalogue.find("thing", "things")
    if known or not thing or not anything:
        return known or (_plural(thing) if thing else "")
    return f"{anything} ({thing})"


def _text_sentence(finding: Finding, value: str) -> str:
    text = value.strip()
    if not text:
        return catalogue.say("{title} found no text{where}.", title=finding.title, where=_inside(finding))
    most = LONGEST_QUOTE if finding.wanted else ON_THE_WAY
    cut = text if len(text) <= most else text[:most].rsplit(maxsplit=1)[0] + " …"
    lines = [literal(line) for line in cut.splitlines()]
    quoted = _HARD_BREAK.join(f"> {line}" if line.strip() else ">" for line in lines)
    whole = catalogue.say("The whole text is in **{name}**.", name=literal(finding.resource.name))
    more = "" if cut == text else f"\n\n{whole}"
    if finding.answers and not finding.item:
        return f"{_HARD_BREAK.join(_in_a_sentence(lines, finding.of_table))}{more}"
    return _shown(finding, f"{quoted}{more}", _inside(finding) if finding.item else "")


def _shown(finding: Finding, text: str, of: str) -> str:
    """What was found, behind the words for what was made of its file: "Here is report.pdf, in short: ..."."""
    made = literal(catalogue.translated(listed(finding.made)))
    if made and len(finding.about) == 1 and not finding.more:
        file = literal(finding.about[0])
        return catalogue.say("Here is {file}, {made}:\n\n{text}\n", file=file, made=made, text=text)
    title = f"{made[:1].upper()}{made[1:]}" if made and not finding.about else f"{finding.title}{of}"
    return catalogue.say("{title}:\n\n{text}\n", title=title, text=text)


def _size(resource: Resource) -> str:
    facets = resource.facets
    parts = []
    if "width" in facets and "height" in facets:
        parts.append(f"{facets['width']} × {facets['height']}")
    if "seconds" in facets:
        parts.append(f"{float(facets['seconds']):.1f} s")
    return f" ({', '.join(parts)})" if parts else ""


def _plural(noun: str) -> str:
    if noun.endswith("s"):
        return noun
    if noun.endswith(("ch", "sh", "x")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def _singular(finding: Finding) -> str:
    """ "Coin", where the request speaks of coins; else what the tool calls it."""
    called = finding.asked or finding.thing
    return literal(called[:-1] if called.endswith("s") and _plural(called[:-1]) == called else called)


def _inside(finding: Finding) -> str:
    """ " in a.jpg and b.jpg", or ""."""
    if not finding.about:
        return ""
    return catalogue.say(" in {names}", names=_listed(finding.about, finding.more))


def _listed(names: Sequence[str], more: int = 0, form: str = "{}") -> str:
    """The names in that form of Markdown, and how many `more` there are."""
    shown = [form.format(literal(name)) for name in names]
    if more > 0:
        return catalogue.say("{names} and {n} more", names=catalogue.say(", ").join(shown), n=f"{more:,}")
    if len(shown) == 1:
        return shown[0]
    return catalogue.say("{names} and {last}", names=catalogue.say(", ").join(shown[:-1]), last=shown[-1])


def _half_used(workflow: Workflow) -> list[Statement]:
    """Tools for pictures take the first of those in a file: of one that moves, or has several pages, that is said."""
    used = (one for one in workflow.resources if one.name in workflow.links_by_source and not one.made_by)
    most = ((one, one.facets.get("frames", 1)) for one in used)
    said = "This used only the first of the {n} pictures in {name}."
    return [Statement(catalogue.say(said, n=f"{n:,}", name=literal(one.name)), "") for one, n in most if n > 1]


def troubles_with_nodes(run: Run, workflow: Workflow, tools: Mapping[str, Tool]) -> list[Statement]:
    used = {node.id: node.tool for node in workflow.nodes}

    def title(id: str) -> str:
        tool = tools.get(used.get(id, ""))
        return tool.title if tool is not None else id

    found = []
    for id, node in run.nodes.items():
        if node.state == "failed":
            fix = "" if node.model else node.fix  # the window has a button for what is lacking
            why = Phrase("{text}", text=literal(catalogue.translated(joined(node.message, fix))))
            found.append(Statement(catalogue.say("{title} failed: {why}", title=title(id), why=why).strip(), id))
        elif node.notice and (node.failed or not node.items):
            notice = literal(catalogue.translated(node.notice))
            named = notice.startswith(title(id))  # it begins with the tool itself
            said = notice if named else catalogue.say("{title}: {notice}", title=title(id), notice=notice)
            found.append(Statement(said, id))
        elif node.state == "skipped" and node.cause == execution_modes.BYPASSED:
            said = "{title} was skipped: {cause} is bypassed and has nothing to pass on."
            found.append(Statement(catalogue.say(said, title=title(id), cause=title(node.because)), id))
        elif node.state == "skipped" and node.cause != execution_modes.MUTED:  # the user knows what was muted
            said = "{title} was skipped because {cause} did not finish."
            found.append(Statement(catalogue.say(said, title=title(id), cause=title(node.because)), id))
    if run.outcome == "cancelled":
        found.append(Statement(catalogue.say("Stopped. What was finished is kept."), ""))
    return found

"""Holds an answer that a language model wrote against what the model was told: what is not there is not shown.

Every number, date, file name, quotation and address of a sentence has to occur in the findings of the nodes that the
sentence names, or in the request. A figure may be the sum or the difference of findings, if it is computed right. A
sentence that claims anything else is struck, and what the program itself says of those nodes stands in its place. Links
become plain words unless the user wrote them. A sentence that no node stands behind says so.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from desktop_app.i18n import catalogue
from desktop_app.session.answering.claims import Amount, Claims, Date, claims, language_in, says
from desktop_app.session.answering.statements import Statement
from desktop_app.session.messages import Reference
from nodes.api import ResourceType

Reply = tuple[str, tuple[Reference, ...]]
_MARK = re.compile(r"\[\[([^\[\]]{1,80})\]\]")
_MARKS = re.compile(rf"(?:\s*{_MARK.pattern})+")
_END = re.compile(r"(?:[.!?…]+[\"”’»)*_]*(?=\s|\[\[|$)|[。！？]+[”」』）\"]*)")
_SHORT = re.compile(
    r"(?:\b(?:[A-Za-z]|e\.g|i\.e|z\.\s?B|d\.\s?h|p\.\s?ex|Dr|Mr|Mrs|Ms|St|Nr|No|approx|ca|bzw|etc|vs|fig|Abb|Sr|Sra)\.)$"
)
_ORDINAL = re.compile(r"(?<!\d)\d{1,2}\.$")
_SCALARS = frozenset({ResourceType.NUMBER, ResourceType.BOXES})
_OF_FILES = frozenset({ResourceType.TEXT, ResourceType.TABLE, ResourceType.HTML})
_MOST_SUMMED = 40
_LINK = re.compile(r"!?\[([^\[\]]*)\]\(\s*<?([^()\s>]*)>?[^()]*\)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_BARE = re.compile(
    r"(?<![\w\\])((?:[a-z][a-z0-9+.-]{1,20}:(?=//)|(?:mailto|javascript|data|file|vbscript):)|www\.)", re.I
)
_MAIL = re.compile(r"(?<=[\w.+-])@(?=[\w-]+\.)")


@dataclass
class Known:
    """What is known of one node, or of the request: the texts, the figures, and which of these are results by count.

    `labels` are the names that it gives, `flag` its yes or no.
    """

    texts: list[str] = field(default_factory=list)
    figures: list[float] = field(default_factory=list)
    scalars: list[float] = field(default_factory=list)
    written: Claims = field(default_factory=Claims)
    labels: list[str] = field(default_factory=list)
    flag: bool | None = None
    kinds: set[str] = field(default_factory=set)

    def close(self) -> Known:
        """Reads what the texts claim, which other sentences may repeat."""
        parts = [claims(text) for text in self.texts]
        self.written = Claims(
            tuple(a for p in parts for a in (*p.amounts, *p.quoted)), (), tuple(d for p in parts for d in p.dates),
            tuple(c for p in parts for c in p.clocks), tuple(n for p in parts for n in p.names),
            tuple(k for p in parts for k in p.links),
        )  # fmt: skip
        return self


class Evidence:
    """What the model was told: `told` as finding_budget.told makes it. Knows which claims it bears out."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        self._nodes: dict[str, Known] = {}
        self.wanted: dict[str, set[str]] = {}
        for finding in told.get("findings", ()):
            _take(self._nodes.setdefault(finding["node"], Known()), finding)
            if finding.get("asked for"):
                self.wanted.setdefault(finding["node"], set()).add(finding["type"])
        self.request = Known([str(told.get("request", ""))]).close()
        plan = Known([str(value) for value in _leaves(told.get("plan", ()))])
        plan.figures = [float(v) for v in _leaves(told.get("plan", ())) if _is_number(v)]
        self.failed = tuple(dict.fromkeys(trouble["node"] for trouble in told.get("troubles", ())))
        plan.texts += [str(trouble["what"]) for trouble in told.get("troubles", ())]
        self._beside = plan.close()
        for known in self._nodes.values():
            known.close()
        self.names = {n for k in (*self._nodes.values(), self.request, self._beside) for n in k.written.names}
        self.names |= {name for finding in told.get("findings", ()) for name in _names(finding)}
        self._counts = bool(_SCALARS & {ResourceType(t) for types in self.wanted.values() for t in types})

    def bears(self, sentence: str, nodes: Sequence[str], language: str) -> bool:
        """True when all that the sentence claims is known of these nodes (of any, without `nodes`) or was asked."""
        said = claims(sentence, self.names, language)
        named = [self._nodes[node] for node in nodes if node in self._nodes]
        pool = named or ([] if nodes else list(self._nodes.values()))
        asked = [self.request, self._beside]
        return (
            self._figures_hold(said, pool, asked) and self._words_hold(said, [*pool, *asked])
            and self._answers_hold(sentence, said, named, language)
        )  # fmt: skip

    def source(self, sentence: str, language: str) -> str:
        """The only node, or the first of those, that bears out what a sentence without a mark states; "" for none."""
        said = claims(sentence, self.names, language)
        if not (said.amounts or said.dates or said.quotes or said.names or said.clocks):
            return ""
        bare = Evidence.__new__(Evidence)  # what the request alone bears out has no node behind it
        bare.__dict__ |= {**self.__dict__, "request": Known(), "_beside": Known()}
        return next((node for node in self._nodes if bare.bears(sentence, (node,), language)), "")

    def states(self, sentence: str, node: str, language: str) -> bool:
        """True when the sentence tells the short result of the node: its number, its best label, its yes or no."""
        known = self._nodes[node]
        said = claims(sentence, self.names, language)
        if known.scalars:
            return any(a.means(v) for a in (*said.amounts, *said.quoted) for v in known.scalars) or any(
                soft in known.scalars for soft in said.soft
            )
        return not known.labels or _holds(sentence, known.labels[0])

    def _figures_hold(self, said: Claims, pool: list[Known], asked: list[Known]) -> bool:
        """Where something was to be counted, figures come from counts: those that only stand in a text or in the
        request count beside a right one, or not at all.
        """
        counted = [value for known in pool for value in known.scalars]
        exact = [*(v for k in pool for v in k.figures), *counted, *_derived(counted)]
        stated = (*said.amounts, *said.quoted)
        right = any(a.means(v) for a in stated for v in (*counted, *_derived(counted)))
        firm = [k for k in pool if not (self._counts and k.kinds & _OF_FILES)]
        told = [k for k in asked if right or not self._counts or k is not self.request]
        written = [a for k in (*firm, *told) for a in k.written.amounts]
        beside = [v for k in asked for v in k.figures]
        for amount in said.amounts:
            if any(map(amount.means, (*exact, *beside))):
                continue
            if not any(amount.means(reading) for other in written for reading in other.readings):
                return False
        if counted:
            if stated and not right and not _places(stated, exact):
                return False
            if not stated and said.soft and not any(soft in counted for soft in said.soft):
                return False
        return True

    def _words_hold(self, said: Claims, known: list[Known]) -> bool:
        texts = _plain("\n".join(text for k in known for text in k.texts))
        dates: set[Date] = {date for k in known for ways in k.written.dates for date in ways}
        clocks = {c for k in known for c in k.written.clocks} | {round(v) for k in known for v in k.figures}
        return (
            all(ways & dates for ways in said.dates)
            and all(clock in clocks for clock in said.clocks)
            and all(_plain(name) in texts for name in (*said.names, *said.links))
            and all(_quotes(quote, texts) for quote in said.quotes)
        )

    def _answers_hold(self, sentence: str, said: Claims, named: list[Known], language: str) -> bool:
        """Yes or no as found; and who speaks of labels alone names the best, or another with its score."""
        first = re.search(r"\w+", sentence)
        word = says(first[0].lower(), language) if first else None
        if word is not None and any(k.flag is not None and k.flag != word for k in named):
            return False
        labelled = [k for k in named if k.labels]
        if not labelled or any(k.kinds - {ResourceType.LABELS} for k in named):
            return True
        if any(_holds(sentence, k.labels[0]) for k in labelled):
            return True
        other = any(_holds(sentence, label) for k in labelled for label in k.labels)
        return bool(said.amounts) and (other or language != "en")


class AnswerChecker:
    """Checks an answer as it grows. `statements` are the program's own, `nodes` those of the run."""

    def __init__(self, told: Mapping[str, Any], statements: Sequence[Statement], nodes: set[str]) -> None:
        self._evidence, self._statements, self._nodes = Evidence(told), statements, nodes
        self._told = told
        self._judged: dict[tuple[str, tuple[str, ...], str], tuple[bool, list[str]]] = {}

    def checked(self, text: str, whole: bool) -> Reply:
        """The text with its marks as references, without what is not borne out.

        Of a text that is not `whole` only what cannot change any more is looked at.
        """
        evidence, language = self._evidence, language_in(_MARK.sub("", text))
        writer = _Writer(self._statements)
        spoken: dict[str, list[str]] = {}
        for block in _blocks(text, whole):
            for sentence, marks, own in _sentences(block, whole):
                known = tuple(mark for mark in marks if mark in self._nodes)
                plain = sentence.strip()
                holds, behind = self._judge(plain, known, language)
                if not holds and not own:  # the mark may be another sentence's alone
                    holds, behind = self._judge(plain, (), language)
                if not plain:
                    writer.keep(sentence, ())
                elif not holds:
                    writer.strike(known, evidence.wanted)
                else:
                    for node in behind:
                        spoken.setdefault(node, []).append(plain)
                    shown = _without_links(sentence, self._told)
                    writer.keep(shown if behind or not _is_statement(plain) else _marked(shown), behind)
        if whole:
            _add_what_is_missing(writer, evidence, spoken, language)
        return writer.reply(whole)

    def _judge(self, sentence: str, nodes: tuple[str, ...], language: str) -> tuple[bool, list[str]]:
        """Whether the sentence is borne out, and the nodes behind it; found once for each."""
        key = sentence, nodes, language
        if key not in self._judged:
            holds = self._evidence.bears(sentence, nodes, language)
            source = "" if nodes or not holds else self._evidence.source(sentence, language)
            self._judged[key] = holds, list(nodes) or ([source] if source else [])
        return self._judged[key]


def _add_what_is_missing(
    writer: _Writer, evidence: Evidence, spoken: Mapping[str, Sequence[str]], language: str
) -> None:
    """Short results that were asked for and not told, and what failed."""
    short = {str(t) for t in (*_SCALARS, ResourceType.LABELS, ResourceType.FLAG)}
    asked = [node for node, types in evidence.wanted.items() if types & short]
    for node in asked if len(asked) <= 5 else ():
        if not any(evidence.states(sentence, node, language) for sentence in spoken.get(node, ())):
            writer.add(node)
    for node in evidence.failed:
        if node not in spoken:
            writer.add(node)


class _Writer:
    """Puts the answer together, and keeps which characters rest on which node."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        self._left = list(statements)
        self._parts: list[str] = []
        self._references: list[Reference] = []
        self._length = 0

    def keep(self, text: str, nodes: Sequence[str]) -> None:
        """A sentence as it was written, with the space before it."""
        before = self._parts[-1] if self._parts else "\n\n"
        text = text.lstrip("\n") if before.endswith("\n\n") else text
        text = text.lstrip(" ") if before.endswith("\n") and text[:1] == " " and text.strip()[:1].isalpha() else text
        start = self._length + len(text) - len(text.lstrip())
        self._put(text)
        end = self._length - (len(text) - len(text.rstrip()))
        self._references += [Reference(start, end, node) for node in dict.fromkeys(nodes) if end > start]

    def strike(self, nodes: Sequence[str], wanted: Mapping[str, Any]) -> None:
        """In place of a sentence, what the program says of these nodes, or of all that was asked for; each once."""
        about = set(nodes) & {statement.node for statement in self._left}
        about = about or (set() if nodes and self._parts else set(wanted))
        for statement in [s for s in self._left if s.node in about]:
            self._say(statement)

    def add(self, node: str) -> None:
        """What the program says of a node, unless it is there."""
        for statement in [s for s in self._left if s.node == node]:
            self._say(statement)

    def reply(self, whole: bool) -> Reply:
        """The text and its references; all of the program's own where nothing is left of the model's."""
        if whole and not "".join(self._parts).strip():
            for statement in list(self._left):
                self._say(statement)
        return "".join(self._parts).rstrip(), tuple(self._references)

    def _say(self, statement: Statement) -> None:
        text, node, _ = statement
        self._left.remove(statement)
        before = "".join(self._parts[-2:])
        self._put("\n" * (2 - (len(before) - len(before.rstrip("\n")))) if before else "")
        start = self._length
        self._put(text.rstrip("\n"))
        if node:
            self._references.append(Reference(start, self._length, node))
        self._put("\n\n")

    def _put(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)


# Sentences


def _blocks(text: str, whole: bool) -> Iterator[str]:
    """Lines; the lines of a table, of a quotation or of code together."""
    lines = text.splitlines(keepends=True)
    if not whole:
        lines = lines[:-1] if lines and not lines[-1].endswith("\n") and not _MARK.search(lines[-1]) else lines
    block = ""
    kind = ""
    fenced = False
    for line in lines:
        start = line.lstrip()
        fence = start.startswith(("```", "~~~"))
        now = "code" if fenced or fence else start[:1] if start.startswith(("|", ">")) else ""
        if block and (now != kind or not now):
            yield block
            block = ""
        block, kind = block + line, now
        fenced = fenced != fence
    if block and (whole or not kind):
        yield block


def _sentences(block: str, whole: bool) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Each sentence with the nodes that it names; one without a mark shares the next of its line, and is not `own`."""
    start = block.lstrip()
    if start.startswith(("|", ">", "```", "~~~")):
        marks = tuple(_MARK.findall(block))
        text = _MARK.sub("", block)
        yield (
            (re.sub(r"^\s*>\s?(.*)$", r"> \1", text, flags=re.MULTILINE) if start.startswith(">") else text),
            marks,
            True,
        )
        return
    waiting: list[str] = []
    position = 0
    for end in _ends(block):
        piece = block[position:end]
        position = end
        waiting.append(_unmarked(piece))
        marks = tuple(_MARK.findall(piece))
        if marks:
            yield from ((sentence, marks, sentence is waiting[-1]) for sentence in waiting)
            waiting = []
    rest = block[position:]
    if rest and (whole or rest.endswith("\n")):
        waiting.append(_unmarked(rest))
        marks = tuple(_MARK.findall(rest))
        yield from ((sentence, marks, sentence is waiting[-1]) for sentence in waiting)
    elif waiting and (whole or block.endswith("\n")):
        yield from ((sentence, (), True) for sentence in waiting)


def _unmarked(text: str) -> str:
    """The text without its marks and the blanks before them."""
    parts = _MARK.split(text)[::2]
    return "".join([*(part.rstrip() for part in parts[:-1]), parts[-1]])


def _ends(block: str) -> Iterator[int]:
    for match in _END.finditer(block):
        before, after = block[max(0, match.end() - 12) : match.end()], block[match.end() : match.end() + 40]
        ordinal = _ORDINAL.search(before) and _no_new_sentence(block[: match.end()][-12:], after)
        if match[0].startswith(".") and (_SHORT.search(before) or ordinal):
            continue
        marks = _MARKS.match(block, match.end())
        yield marks.end() if marks else match.end()


def _no_new_sentence(before: str, after: str) -> bool:
    """True after the number of a list, or of a day."""
    return before.strip().rstrip(".").isdigit() or bool(re.match(r"\s+(?:[a-zà-ÿ]|[A-ZÄ]\w+\s+\d{4})", after))


def _is_statement(sentence: str) -> bool:
    """False for headings, rules, and what only leads to what follows."""
    bare = sentence.strip("#*_>-| \n\t")
    return any(map(str.isalpha, bare)) and not bare.endswith((":", "：")) and not sentence.lstrip().startswith("#")


def _marked(sentence: str) -> str:
    bare = sentence.rstrip()
    return f"{bare} *({catalogue.say('no result behind this')})*{sentence[len(bare) :]}"


def _without_links(sentence: str, told: Mapping[str, Any]) -> str:
    """Links and pages as words, but for addresses that the user wrote."""
    own = str(told.get("request", ""))

    def words(match: re.Match[str]) -> str:
        title, address = match[1], match[2]
        return f"{title} ({address})" if address and address not in title else title

    text = _LINK.sub(words, sentence)
    text = _TAG.sub(r"\\<", text)

    def bare(match: re.Match[str]) -> str:
        address = re.match(r"[^\s<>()\"]+", text[match.start() :])
        if address and address[0].rstrip(".,;:!?*_") in own:
            return match[0]
        return match[0].replace(":", "\\:") if ":" in match[0] else match[0].replace(".", "\\.")

    return _MAIL.sub(r"\\@", _BARE.sub(bare, text))


# What is known


def _take(known: Known, finding: Mapping[str, Any]) -> None:
    """Adds what the model was told of one result of the node."""
    kind, value = finding["type"], finding.get("value")
    known.kinds.add(kind)
    known.texts += [str(finding[name]) for name in ("tool", "file", "output") if finding.get(name)]
    known.texts += [str(name) for name in finding.get("about", ())]
    known.figures += [float(v) for v in _leaves(finding.get("facets", {})) if _is_number(v)]
    if kind == ResourceType.FLAG and isinstance(value, bool):
        known.flag = value
    elif kind == ResourceType.NUMBER and _is_number(value):
        known.scalars.append(float(value))
    elif kind == ResourceType.BOXES and isinstance(value, Mapping):
        known.scalars += [float(value["count"]), *(float(n) for n in value.get("labels", {}).values())]
        known.texts += list(value.get("labels", {}))
        known.figures += [float(box[-1]) for box in value.get("boxes", ())]  # the scores; places are no counts
    elif kind == ResourceType.LABELS:
        known.labels += [str(label["name"]) for label in value or () if isinstance(label, Mapping)]
        known.texts += known.labels
        known.figures += [float(v) for v in _leaves(value) if _is_number(v)]
    else:
        known.texts += [v for v in _leaves(value) if isinstance(v, str)]
        known.figures += [float(v) for v in _leaves(value) if _is_number(v)]


def _derived(values: Sequence[float]) -> list[float]:
    if not 2 <= len(values) <= _MOST_SUMMED:
        return []
    pairs = list(itertools.combinations(values, 2))
    return [sum(values), *(a + b for a, b in pairs), *(abs(a - b) for a, b in pairs)]


def _places(stated: Sequence[Amount], exact: Sequence[float]) -> bool:
    """True when a figure is another one of the result: a size, a place, a score."""
    return any(amount.means(value) for amount in stated for value in exact)


def _names(finding: Mapping[str, Any]) -> Iterator[str]:
    yield str(finding.get("file", ""))
    yield from map(str, finding.get("about", ()))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(text: str) -> str:
    """For comparing: small letters, one space, straight quotes, no marks of Markdown."""
    text = text.translate(str.maketrans("’‘“”„«»", '\'\'"""""')).replace("\\", "")
    return re.sub(r"[\s>*_`|]+", " ", text).strip().casefold()


def _quotes(quote: str, texts: str) -> bool:
    """True when the parts of the quotation, between its omissions, are there in this order."""
    place = 0
    for part in re.split(r"\s*(?:…|\.\.\.|\[…\])\s*", quote):
        wanted = _plain(part).strip(" .,;:!?。，；：！？")
        found = texts.find(wanted, place)
        if found < 0:
            return False
        place = found + len(wanted)
    return True


def _holds(sentence: str, label: str) -> bool:
    stem = label.casefold()[: max(4, len(label) - 2)]
    return stem in sentence.casefold()

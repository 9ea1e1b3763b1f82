"""What a wish is for: the files and results of the conversation that the planner is told of, and those passed over."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from desktop_app.export.files import endings
from desktop_app.graph.workflow import Workflow
from desktop_app.plan.types import Given, HistoryMessage, Request
from desktop_app.session import batches
from desktop_app.session.drawn_masks import DRAWN_ON
from desktop_app.session.messages import Message
from desktop_app.storage.resources import Resource
from nodes.api import Point

_MOST_WORDS = 8
_OF_FILES = (
    "picture",
    "restore",
    "other",
    "others",
    "all",
    "same",
    "instead",
    "mean",
    "no",
    "undo",
    "ordinals",
    "rather",
)
"""One of these, or more words than so many, may speak of another file than the latest result."""
_QUOTE = re.compile(r"[\"“„«][^\"“”„«»]*[\"“”»]|(?<!\w)['‘][^'‘’]*['’](?!\w)")
_WHAT_IS_SHOWN = re.compile(
    r"\b(?:the|this|das|dieses|l['’]|la|cette|esta|el)\s*(?:whole|entire|full|complete|ganze|gesamte)?\s*"
    r"(?:picture|image|photo|bild|foto|imagen)\b(?! (?:of|from|with|i|you|that|von|mit|de|que)\b)"
    r"|(?:整张|整个)?(?:图片|照片)",
    re.I,
)
_IT = re.compile(
    r"\b(?:it|its|them|they|their|(?<!cuál )(?<!cual )(?<!qué )(?<!quién )(?<!dónde )(?<!cuándo )es|ihn|ihm|sie|ihnen"
    r"|daraus|davon)\b|-(?:le|la|les|en)\b|它",
    re.I,
)
"""Not "es" where it is Spanish for "is"."""
_NEW_THING = re.compile(
    r"\b(?:(?:into|as|als|en|in)\s+)?(?:an?|one|eine?n?|une?|una)\s+(?:\w+\s+)?\w+|[做变转制合]成(?:一[个段张部])?\w{1,3}",
    re.I,
)
"""A kind of file that is still to be made."""


def request(
    text: str,
    names: tuple[str, ...],
    earlier: Sequence[Message],
    resources: Iterable[Resource],
    points: Mapping[str, Sequence[Point]],
    makers: Mapping[str, str] = MappingProxyType({}),
) -> Request:
    """What the planner is asked: the words with the resources `names`, and with what came or was made `earlier`.
    `makers` are the tools of the nodes.

    What the last answer gave comes after what else was there before: after a way back it is not what was made last.
    """
    shown = next((m.resources for m in reversed(earlier) if m.kind == "answer" and m.resources), ())
    resources = sorted(resources, key=lambda one: 2 if one.name in names else int(one.name in shown))
    used = {name for message in earlier for name in message.resources}
    there = [
        resource
        for resource in resources
        if resource.name in names or resource.name in used or resource.made_by or not names
    ]
    given = [
        Given(
            name,
            str(resource.type),
            tuple((p.x, p.y, p.include) for p in points.get(resource.name, ())),
            earlier=resource.name not in names and (resource.name in used or bool(resource.made_by)),
            by=makers.get(resource.made_by, ""),
        )
        for name, resource in batches.given(there, text)
    ]
    turns = tuple(
        HistoryMessage(m.role, m.text, m.resources if m.kind == "answer" else ())
        for m in earlier
        if m.kind in ("text", "answer")
    )
    return Request(_by_own_names(text, there), tuple(given), turns)


def _by_own_names(text: str, resources: Sequence[Resource]) -> str:
    """The text with the names that results have here, where it has those that they are saved by (`named_form`)."""
    names = {one.name for one in resources}
    for one in resources:
        stem = one.name.removesuffix(one.suffix)
        forms = (f"{stem}{ending}" for ending in endings(one)) if one.made_by and stem in text else ()
        for saved in (saved for saved in forms if saved in text and saved not in names):
            text = re.sub(rf"(?<![\w./-]){re.escape(saved)}(?!\w)", lambda _, name=one.name: name, text)
    return text


def passed_over(
    resources: Iterable[Resource],
    workflow: Workflow,
    made: Mapping[str, tuple[str, str]],
    brought: Collection[str],
    earlier: Sequence[Message],
    goes_on: bool = False,
) -> set[str]:
    """The names of results that "it" never means: what a node of the graph made before it made something else, and
    what lies on the way to the latest answer's result of the same type. With `goes_on` also the user's own file there,
    what lies on the way to any last result of its type, and what a graph of before made, but for the last of a type
    of which there is nothing else. `made` are the results that the nodes have.
    """
    shown = next((set(m.resources) for m in reversed(earlier) if m.kind == "answer" and m.resources), set[str]())
    ids, rest = set(workflow.ids()), [one for one in resources if one.name not in brought]
    own = [one for one in rest if one.made_by in ids]
    left = {one.name for one in own if one.name not in made}
    ends = [one for one in own if one.name in shown or (goes_on and one.name in made)]
    behind = [(one.type, workflow.upstream(one.made_by) - {one.made_by}) for one in ends]

    def is_on_the_way(one: Resource) -> bool:
        place = one.made_by or one.name
        return one.name not in shown and any(one.type == type and place in way for type, way in behind)

    left |= {one.name for one in (rest if goes_on else own) if is_on_the_way(one)}
    gone = [one for one in rest if goes_on and one.made_by and one.made_by not in ids and one.name not in shown]
    here = {one.type for one in ends}
    last = {one.type: one.name for one in gone if one.type not in here}
    return left | {one.name for one in gone if last.get(one.type) != one.name}


def goes_on(text: str, hidden: bool = False) -> bool:
    """ "Much darker", "and a frame", "turn it into a film, too": a short wish that speaks of no file, or one for "it",
    is for what the latest answer gave. So is a question about "it", unless something was hidden there.
    """
    from desktop_app.plan.modes.conversation import MessageWords  # here: the first window does without

    text = _without_lengths(_WHAT_IS_SHOWN.sub(" it ", _QUOTE.sub(" x ", text)))
    said = MessageWords(text)
    if len(said.words) <= _MOST_WORDS and "?" not in text and not said.has(*_OF_FILES):
        return True
    if not _IT.search(text) or ("?" in text and hidden):
        return False
    return not MessageWords(_NEW_THING.sub(" ", text)).has(
        *(idea for idea in _OF_FILES if idea not in ("same", "rather"))
    )


def _without_lengths(text: str) -> str:
    """ "The first 3 seconds" is the beginning of one thing, and not the first of several."""
    from desktop_app.plan.arguments.clause import Clause

    clause = Clause.of(text)
    ends = [one for one in clause.quantities if one.unit and one.bound in ("first", "last")]
    for one in sorted(ends, key=lambda one: -one.at):
        places = [place for place in (one.first, one.last, one.bound_at) if 0 <= place < len(clause.words)]
        start, end = clause.words[min(places)].start, clause.words[max(places)].end
        text = f"{text[:start]}x{text[end:]}"
    return text


def speaks_of_it(text: str) -> bool:
    """True where "it" or "them" is said of something that was there before."""
    return bool(_IT.search(_QUOTE.sub(" x ", text)))


def is_spoken_of(one: Resource, text: str) -> bool:
    """True where the text has its name, or a word of what its name says was done ("the sepia one")."""
    said = text.lower()
    done = re.findall(r"[^\W\d_]{4,}", one.name.rpartition(".")[0].partition("_")[2].lower())
    return one.name.lower() in said or any(word in said for word in done)


def present(resources: Iterable[Resource], workflow: Workflow, told: Collection[str], text: str) -> list[Resource]:
    """Without what only a graph that was left knows: its masks and what else lay between, of which no answer tells
    (`told`) and the text does not speak.
    """
    here = {*workflow.ids(), *(resource.name for resource in workflow.resources)}

    def stays(one: Resource) -> bool:
        between = bool(one.made_by) or DRAWN_ON in one.facets
        return not between or one.made_by in here or one.name in here or one.name in told or one.name in text

    return [one for one in resources if stays(one)]


def told(earlier: Sequence[Message]) -> set[str]:
    """The names of the results that answers tell of."""
    return {name for message in earlier if message.kind == "answer" for name in message.resources}

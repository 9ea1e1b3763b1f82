"""Whether words speak of one thing, of several at once, or of each; and a wish for one file ("make the photo brighter")
where several of its kind are there: it is asked which one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from desktop_app.plan.arguments.number_words import number_at
from desktop_app.plan.arguments.value_tables import Phrases, Word, tables, words_of
from desktop_app.plan.language.file_choice import files_meant
from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.types import Given, Request, ToolSpec

_MEANT = 0.5
_SHORTEST = 4
"""Of so many letters no Spanish verb with "them" at its end can be."""
_TWO = 2
_CLOSE = 2
"""So many words may stand between "this" and what it is of: "that old photo", 那个视频."""


def speaks_of_one(tool: ToolSpec, shares: Mapping[str, float], said: str, request: Request) -> bool:
    """True for a wish of the words `said`, for which each of several files is as probable (`shares`, 0..1), though it
    names one thing and nothing tells which.
    """
    files = [file for file in request.resources if file.name in shares]
    kinds = {file.type for file in files}
    if request.history or len(files) < 2 or len(kinds) != 1 or min(shares.values()) < _MEANT:
        return False
    takers = [port for port in tool.inputs if fits(files[0].type, port.type) and not port.choices]
    if len(takers) > 1 or any(port.many for port in takers) or files_meant(request.text, files):
        return False
    return not speaks_of_more(request.text) and names_one(said)


def speaks_of_more(text: str) -> bool:
    """True for "every", "both", "three photos", "the films"."""
    words, small = words_of(text), tables().small
    several = small["several"] | small["every"] | small["both"] | small["files"]
    return any(word.text in several or _is_count(words, place) for place, word in enumerate(words))


def speaks_of_others(text: str) -> bool:
    """True where more may be meant than the files that a text names: "the others, too", "the second one"."""
    return speaks_of_more(text) or speaks_of_several(text) or bool(_phrases("others").all(words_of(text)))


def speaks_of_original(text: str) -> bool:
    """True where what was there before is meant, and nothing that was made of it."""
    return any(word.text in tables().small["original"] for word in words_of(text))


def speaks_of_several(text: str) -> bool:
    """True for "them", "both", "ponlas", "rends-les"; not for the German "Sie" that addresses somebody."""
    words, small = words_of(text), tables().small
    if any(word.text.endswith(tuple(small["them at the end"])) and len(word.text) > _SHORTEST for word in words):
        return True
    dashed = any(one.text == "-" and other.text in small["them behind a dash"] for one, other in pairwise(words))
    return dashed or any(not _addresses(text, words[first]) for _, first, _ in _phrases("them").all(words))


def _addresses(text: str, word: Word) -> bool:
    """True for "Sie" and "Ihnen", written so within a sentence."""
    polite = word.text in tables().small["polite"] and text[word.start : word.start + 2].istitle()
    return polite and text[: word.start].rstrip()[-1:] not in ("", *".!?:\n")


def means_all(text: str, files: Sequence[Given]) -> bool:
    """True for "make them brighter" where there are several files, all of one type: then nobody asks which one."""
    is_one = bool(_phrases("one of them").all(words_of(text)))
    of_some = speaks_of_two(text) and len(files) > _TWO
    alike = len(files) > 1 and len({file.type for file in files}) == 1
    return alike and speaks_of_several(text) and not (is_one or of_some)


def speaks_of_two(text: str) -> bool:
    """True for "both views", "die beiden", "les deux vidéos"."""
    return bool(_phrases("both").all(words_of(text)))


def speaks_of_each(text: str) -> bool:
    """True where things are to be taken one by one: "turn each into a video"."""
    return bool(_phrases("each").all(words_of(text)))


def speaks_of_its_own(text: str) -> bool:
    """True where of each thing one is to be made for itself: "each as its own pdf", not "each on its own page"."""
    words, part = words_of(text), tables().small["part of one"]
    found = _phrases("its own").all(words)
    return any(not part & {word.text for word in words[last + 1 : last + 2]} for _, _, last in found)


def speaks_of_last_first(text: str) -> bool:
    """True where files are to be joined from the last to the first."""
    return bool(_phrases("last first").all(words_of(text)))


@cache
def _phrases(name: str) -> Phrases:
    return Phrases((phrase, phrase) for phrase in tables().small[name])


def _is_count(words: Sequence[Word], place: int) -> bool:
    """True for "three", where it stands before a word: "three photos"."""
    found = number_at(words, place)
    after = words[place + found[1]].text if found and place + found[1] < len(words) else ""
    return found is not None and found[0] >= 2 and after in tables().small["files"] | tables().small["of_them"]


def names_one(text: str) -> bool:
    """True for "it", "the photo", "l'enregistrement"."""
    words, small = words_of(text), tables().small
    for place, word in enumerate(words):
        if word.text in small["it"]:
            return True
        near = [other.text for other in words[place + 1 : place + 2 + _CLOSE]]
        if word.text in small["this_one"] and small["one_file"] & {*near}:
            return True
        if word.text.startswith(("l'", "d'")) and word.text[2:] in small["one_file"]:
            return True
    return False

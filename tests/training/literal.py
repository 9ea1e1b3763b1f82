"""Requests put together by program out of the tools' own texts, as people write them who know the words: what there is
is stated first, the tools are asked for by title or description, one after the other.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from desktop_app.plan.tools.tool_graph import fits
from desktop_app.plan.types import ToolSpec
from tests.training.readings import Row

_NOUNS = {
    "image": ("image", "picture", "photo"),
    "audio": ("audio file", "recording", "sound file"),
    "video": ("video", "video file", "clip"),
    "text": ("text", "text file", "document", "article"),
    "url": ("URL", "link"),
    "table": ("table", "spreadsheet"),
    "file": ("file",),
}
_FILES = {
    "image": ("example.jpg", "photo1.png", "IMG_0412.jpeg"),
    "audio": ("example.wav", "talk.mp3", "take 2.wav"),
    "video": ("example.mp4", "clip.mov", "holiday.mp4"),
    "text": ("example.txt", "notes.txt", "report.pdf"),
    "url": ("https://www.example.com/page", "http://example.com/media/item1", "example.org/list"),
    "table": ("data.csv", "figures.xlsx"),
}
_TEXTS = (
    "The old mill stands by the river and nobody lives there any more",
    "We met at noon, ate soup and talked about the boats",
    "Prices rose in spring, but fewer people came to the market",
    "How can small towns keep their shops?",
    "She plays the violin well and hates to be seen",
    "Nine geese cross the road every morning at eight",
)
_OPENINGS = (
    "I have {a} {noun} {name}. ",
    "I have {a} {noun}, {name}, and I need some help with it. ",
    "There is {a} {noun} called {name}. ",
    "Here is my {noun}: {name}. ",
    "Given the {noun} {name}, ",
    "With {name}, ",
    "Take {name}. ",
)
_TOLD = ("I have this text: {}. ", "Here is the text: {}. ", "My text is {}. ", "Based on the text {}, ")
_WANTS = ("", "", "Please ", "I want to ", "I would like to ", "I need to ", "Could you ", "Help me to ", "Can you ")
_BY_TITLE = ("use {}", "apply {} to it", "do {} on it", "get {} done", "run the {}", "{}")
_PLACES = (
    "",
    "",
    " for {name}",
    " from {name}",
    " in the {noun} {name}",
    " of it",
    " on the result",
    " for that {noun}",
)
_JOINTS = (", then ", " and ", " and then ", ". After that, ", ". Finally, ", "; next, ", ", and based on that ", ", ")
_LATER = (". Then, I need to ", ". Next, please ", ". Also, ", ". Additionally, ", ". From this, ")
_ENDINGS = (
    "", "", "", ".", ".", " Thank you.", ". Please help me with this task.", ". The result should be saved.",
    ". Use the new {noun} as the final output.", ". The files are {name} and {other}.", "?",
)  # fmt: skip
_CUT = re.compile(r"[,;:(]| (?:based on|according to|that|which|so that|using|with|for|from|into|of the given|given)\b")
_VERB = re.compile(r"^(?:Can |Will )?([A-Za-z]+?)(ies|sses|shes|ches|xes|zzes|oes|s)?\b")
_FEWEST = 3
"""A description is shortened to no fewer words."""


def literal_requests(tools: Sequence[ToolSpec], count: int, chance: random.Random) -> Iterator[Row]:
    """So many, as rows of described.columns.xz; nearly all tools of a request can take what the one before makes."""
    for _ in range(count):
        chain = _chain(tools, chance.choice((1, 1, 2, 2, 3, 3, 4, 5)), chance)
        there = [port.type for port in chain[0].inputs if port.type in _NOUNS] or ["text"]
        names = {type: _quoted(_named(type, chance), chance) for type in _NOUNS}
        kind = there[0]
        text = ""
        if kind == "text" and chance.random() < 0.5:
            text = chance.choice(_TOLD).format(_quoted(chance.choice(_TEXTS), chance))
        elif chance.random() < 0.6:
            noun = chance.choice(_NOUNS[kind])
            text = chance.choice(_OPENINGS).format(a="an" if noun[0] in "aiou" else "a", noun=noun, name=names[kind])
        nodes: list[dict[str, str]] = []
        wants = chance.choice(_WANTS)
        text += wants if not text or text.endswith(". ") else wants.lower().replace("i ", "I ")
        for tool in chain:
            if nodes:
                text += chance.choice(_LATER if chance.random() < 0.3 else _JOINTS)
            said = _said(tool, chance)
            text += said
            nodes.append({"tool": tool.id, "words": said})
            own = next((port.type for port in tool.inputs if port.type in _NOUNS), kind)
            text += chance.choice(_PLACES).format(name=names[own], noun=chance.choice(_NOUNS[own]))
        makes = next((port.type for port in chain[-1].outputs if port.type in _NOUNS), "file")
        noun = chance.choice(_NOUNS[makes])
        text += chance.choice(_ENDINGS).format(noun=noun, name=names[kind], other=names[makes])
        if len({text.count(node["words"]) for node in nodes} | {1}) == 1:
            yield {"request": text, "nodes": nodes}


def _chain(tools: Sequence[ToolSpec], length: int, chance: random.Random) -> list[ToolSpec]:
    found = [chance.choice(tools)]
    while len(found) < min(length, len(tools)):
        made = {port.type for one in found[-2:] for port in one.outputs}
        takers = [t for t in tools if t not in found and any(fits(m, p.type) for m in made for p in t.inputs)]
        rest = [tool for tool in tools if tool not in found]
        found.append(chance.choice(takers if takers and chance.random() < 0.85 else rest))
    return found


def _said(tool: ToolSpec, chance: random.Random) -> str:
    """By title or description, in words that ask for it."""
    title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tool.title).replace("_", " ").replace("-", " ")
    title = title if chance.random() < 0.3 else title.lower()
    own = _imperative(tool.description.partition(". ")[0].rstrip("."))
    if not own or chance.random() < 0.35:
        return chance.choice(_BY_TITLE).format(title)
    if chance.random() < 0.7:
        ends = [cut.start() for cut in _CUT.finditer(own) if len(own[: cut.start()].split()) >= _FEWEST]
        own = own[: ends[0]] if ends else " ".join(own.split()[:9])
    return own


def _imperative(description: str) -> str:
    """ "Generates an image" as "generate an image"; as it stands where it does not begin with such a verb."""
    verb = _VERB.match(description)
    if verb is None:
        return description
    ending = {"ies": "y", "s": "", None: ""}.get(verb[2], (verb[2] or "")[:-2])
    return (verb[1] + ending).lower() + description[verb.end() :]


def _named(type: str, chance: random.Random) -> str:
    return chance.choice(_FILES.get(type, ("item.bin", "archive.zip")))


def _quoted(text: str, chance: random.Random) -> str:
    return chance.choice(("'{}'", "'{}'", '"{}"', "{}")).format(text)

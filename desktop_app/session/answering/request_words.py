"""What a request says of its answer: what is to be counted, which facts, in which language. Knows no result."""

from __future__ import annotations

import re
from functools import cache

from desktop_app.graph.workflow import Workflow
from desktop_app.i18n import catalogue
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.message_language import language_of_message

_HOW_MANY = (
    r"\b(?:how many(?: of (?:the|these|those))?|count(?: up)?(?: all)?(?: of)?(?: the| these| those)?|"
    r"number of(?: the)?|(?:more|fewer|less) than \w+|"
    r"wie ?viele?|zähle?(?: mal| bitte)*(?: alle)?(?: die)?|anzahl (?:der|von|an)|"
    r"combien (?:y a-t-il |il y a |vois-tu |voit-on )?d(?:e |')|compte(?:z|r)?(?: toutes| tous)?(?: les)?|"
    r"nombre d(?:e |es |')|"
    r"cu[áa]nt[ao]s|(?:cuenta|contar)(?: todas| todos)?(?: las| los)?|número de(?: las| los)?)\s*"
    r"(?P<noun>[^\W\d_]{3,}(?: [^\W\d_]{3,})??)"
    r"(?=\s+(?:here|there|are|is|do|does|did|can|could|in|on|lie|you|we|i|it|have|has|were|"
    r"sind|gibt|liegt|steht|liegen|lagen|stehen|siehst|sieht|sehe|hat|hast|hier|da|auf|im|zu|es|ist|kann|"
    r"y|il|sur|dans|vois|voit|sont|as|hay|en|ves|veo|ven|se|son|están|tiene)\b|\s*[?.!,]|\s*$)|"
    r"(?:(?:多少|几)|(?:数一数|数数|数一下)(?:[\u3400-\u9fff]{1,8}?的)?)(?:个|枚|只|张|颗|条|块|粒|辆|位)?"
    r"(?P<zh>[\u3400-\u9fff]{1,6}?)(?=有|在|是|吗|呢|[^\u3400-\u9fff]|$)|"
    r"(?:里|中|上)的(?P<zh2>[\u3400-\u9fff]{1,4}?)(?:数一数|的数量)"
)

_NAMELESS = frozenset((
    "what", "everything", "anything", "all", "them", "those", "these", "things", "was", "alles", "dinge",
    "tout", "toutes", "tous", "ce", "qui", "que", "quoi", "choses", "objets", "todo", "todos", "todas", "lo",
    "cosas", "objetos",
))  # fmt: skip
"""What stands for a noun where the things have no name."""


@cache
def _how_many() -> re.Pattern[str]:
    """Compiled when first used: no window waits for it."""
    return re.compile(_HOW_MANY, re.I)


def asked_thing(request: str) -> str:
    """What a request wants to have counted, in its own words; "" when it says nothing of the kind."""
    match = _how_many().search(request)
    noun = (match["noun"] or match["zh"] or match["zh2"] or "") if match else ""
    return "" if noun.lower().partition(" ")[0] in _NAMELESS else noun


def asked_facts(request: str) -> tuple[str, ...]:
    """Which rows of a table of facts a request asks for, by their names."""
    asked = [name for names in MessageWords(request).meanings("facts") for name in names.split(",")]
    when = "changed" if "changed" in asked else "created"
    return tuple(dict.fromkeys(when if name == "when" else name for name in asked))


def reply_language(message: str, before: str) -> str:
    """In which language everything that answers a message is said: in that of the message where it is told surely, else
    in that `before`, of the conversation's last reply ("" at first), else in the window's.
    """
    return language_of_message(message) or before or catalogue.language()


def unlooked(asked: str, workflow: Workflow) -> str:
    """The colour of the things that are to be counted ("green things"), where no step was told of it; else ""."""
    first = asked.split(" ")[0].lower()
    told = " ".join(str(value) for node in workflow.nodes for value in node.values.values()).lower()
    is_colour = bool({first, first.removesuffix("en")} & lexicon().colours)  # "golden"
    return first if " " in asked and is_colour and first not in told else ""


def plain_thing(asked: str, workflow: Workflow) -> str:
    """What is to be counted, without a colour that nobody looked at."""
    return asked.partition(" ")[2] if unlooked(asked, workflow) else asked

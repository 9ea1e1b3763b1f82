"""What a request says of its answer: what is to be counted, which facts, in which language. Knows no result."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from desktop_app.core.paths import RESOURCES
from desktop_app.graph.workflow import Workflow
from desktop_app.i18n import catalogue
from desktop_app.plan.language.lexicon import lexicon
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.message_language import language_of_message


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads((RESOURCES / "conversation.toml").read_bytes().decode("utf-8"))["counting"]


@cache
def _how_many() -> re.Pattern[str]:
    """Compiled when first used: no window waits for it."""
    words = _words()
    noun = rf"(?P<noun>[^\W\d_]{{3,}}(?: [^\W\d_]{{3,}})??)(?=\s+(?:{'|'.join(words['behind'])})\b|\s*[?.!,]|\s*$)"
    return re.compile(rf"\b(?:{'|'.join(words['before'])})\s*{noun}|{'|'.join(words['chinese'])}", re.I)


def asked_thing(request: str) -> str:
    """What a request wants to have counted, in its own words; "" when it says nothing of the kind."""
    match = _how_many().search(request)
    noun = (match["noun"] or match["zh"] or match["zh2"] or "") if match else ""
    first = noun.lower().partition(" ")[0]
    return "" if first in _words()["nameless"] or first in _words()["behind"] else noun


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

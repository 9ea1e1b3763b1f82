"""What a reply to a question can be, and what its words alone say that it is. Light: the window's start imports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.types import Given

VALUE, WISH, COMPLAINT, REFUSAL = "value", "wish", "complaint", "refusal"


@dataclass(frozen=True)
class Asked:
    """What is asked: an input of a tool, by their names ("": none, but what to do at all), with the user's files.
    `direct` is true for a reply in the field that is there for the answer; `offered` is all that can be meant, where
    that is known: the columns of a table.
    """

    tool: str = ""
    port: str = ""
    files: tuple[Given, ...] = ()
    direct: bool = False
    offered: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply:
    """`text` is the value as the input takes it ("" where none is said), with `more` for other inputs of the tool by
    name; or the wish without
    the "no" before it, which `denies` what was asked. `further` is true for a wish that goes on from what waits for the
    answer ("and then ..."), `same` for one for the tool that was asked about.
    """

    kind: str
    text: str
    denies: bool = False
    further: bool = False
    same: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)


def by_words(text: str) -> Reply | None:
    """What its words alone say that it is; None where they say nothing."""
    said = MessageWords(text)
    left = said.left(("refuse", "complain", "deny", "no", "sigh", "filler", "address"))
    if not left and said.has("complain"):
        return Reply(COMPLAINT, "")
    if not left and (said.has("refuse") or (said.has("deny") and not said.left(("deny",)))):
        return Reply(REFUSAL, "")
    begun = _after_denial(said)
    if begun:
        return Reply(WISH, text[begun:].strip(), denies=True)
    if _opens(said, "want"):
        return Reply(WISH, text)
    return Reply(WISH, text, further=True) if _opens(said, "onward") else None


def _opens(said: MessageWords, idea: str) -> bool:
    return any(first == 0 for first, _ in said.spans(idea))


def _after_denial(said: MessageWords) -> int:
    """Where in the text it goes on after the "no, " at its beginning; 0 where there is none."""
    end, found = 0, 0
    ideas = ("deny", "refuse", "complain")
    while spans := [last for first, last in said.spans(*ideas) if first == end]:
        end = max(spans) + 1
        while end < len(said.words) and said.words[end].kind in ("break", "sign"):
            end, found = end + 1, said.words[end].end
    return found if end < len(said.words) else 0

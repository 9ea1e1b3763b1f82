"""What a reply to a question of the program is: the value that was asked for, a wish of its own, a complaint that the
question is the wrong one, or a refusal to answer.

By the words for these (resources/conversation.toml), by the type and the choices of the input that is asked for, and by
what the tagger makes of the reply beside the name of the tool: whether it reads as a value of that input there, and by
itself as a wish for another tool. Knows no graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from desktop_app.plan.arguments.clause import Clause
from desktop_app.plan.arguments.fill import Filled, fill
from desktop_app.plan.arguments.quoted_text import is_colour
from desktop_app.plan.language import sentence_encoder as encoder
from desktop_app.plan.language.file_choice import word_form
from desktop_app.plan.language.tokenizer import tokens_of
from desktop_app.plan.modes.conversation import MessageWords
from desktop_app.plan.modes.replying.reply_words import VALUE, WISH, Asked, Reply, by_words
from desktop_app.plan.ranking.joint_selection import JointSelector
from desktop_app.plan.tools.tool_graph import INLINE, ToolGraph
from desktop_app.plan.types import PortSpec, Request, ToolSpec

_FITS, _FITS_WELL = 0.1, 0.6
"""A reply that reads less like a value of the input, and probably as a wish, is one; with "I want to know" before it,
less than well."""
_PROBABLY, _SURELY = 0.5, 0.7
"""... a wish for a tool that is so probable; it is one for the tool of the question where that is surely meant."""
_SHORT = 40
"""A reply of more words, or of several lines, is a text that was brought."""


class ReplyReader:
    """Over one tool set; immutable. Where the networks are off the words alone decide, and then where it was typed."""

    def __init__(self, graph: ToolGraph, joint: Callable[[], JointSelector]) -> None:
        self._graph, self._joint = graph, joint

    def read(self, text: str, asked: Asked) -> Reply:
        tool = self._graph.tools.get(asked.tool)
        port = next((port for port in tool.inputs if port.name == asked.port), None) if tool else None
        value = Reply(VALUE, text)
        if tool is None or port is None:
            return by_words(text) or Reply(WISH, text)
        if _is_chosen(text, port):
            return value
        if quoted := _quoted(text):
            return Reply(VALUE, quoted)
        spoken = by_words(text)
        if spoken is not None and spoken.kind != WISH:
            return spoken
        if asked.offered and (found := _of_what_is_offered(text, tool, port, asked.offered)):
            return found
        if _is_set(port) and (found := _value_of(text, tool, port)):
            return Reply(VALUE, found)
        if port.type not in ("text", "html") or port.choices:
            return spoken or (Reply(WISH, text) if self._asks_for_a_tool(text, asked) else value)
        if len(MessageWords(text).words) > _SHORT or "\n" in text.strip():
            return value
        if spoken is not None and spoken.denies:
            return spoken
        if not encoder.ENABLED:
            return spoken or (value if asked.direct else Reply(WISH, text))
        values = self._for_the_tool(text, tool, asked)
        if values is not None and port.name in values.values:
            return _put_in(text, port, values)
        meant, marked = self._likeness(text, tool, port, asked)
        if values is not None and marked < _FITS:
            return Reply(WISH, text, same=True)
        fits = max(meant, marked)
        if spoken is not None and fits < _FITS_WELL:
            return spoken
        return Reply(WISH, text) if fits < _FITS and self._asks_for_a_tool(text, asked) else value

    def _for_the_tool(self, text: str, tool: ToolSpec, asked: Asked) -> Filled | None:
        """The values of "sort it by name", "replace Hans with Peter", which say the wish anew; None where none is."""
        reading = self._joint().read(Request(text, asked.files))
        if len(reading.clauses) != 1 or reading.clauses[0].tool != tool.id or reading.clauses[0].probability < _SURELY:
            return None
        marks = replace(reading.marks, is_wish=False) if reading.marks else None
        return fill(tool, [one for one in tool.inputs if one.type in INLINE], Clause.of(text, marks=marks))

    def _likeness(self, text: str, tool: ToolSpec, port: PortSpec, asked: Asked) -> tuple[float, float]:
        """How much (0..1) the reply reads as for that tool, and as that input's value, where the tool's name stands
        before it.
        """
        beside = f"{tool.title}: {text}"
        reading = self._joint().read(Request(beside, asked.files))
        seen = reading.seen
        own = [n for n, word in enumerate(seen.words) if word.start >= len(beside) - len(text)] if seen else []
        if seen is None or not own:
            return 1.0, 1.0
        meant = float(reading.shares[own, reading.places[tool.id]].mean()) if tool.id in reading.places else 1.0
        known = seen.marks.knows(port.name)
        return meant, float(seen.marks.shares(tool, port.name)[own].mean()) if known else meant

    def _asks_for_a_tool(self, text: str, asked: Asked) -> bool:
        """True where it reads by itself as a wish for another tool."""
        if not encoder.ENABLED:
            return not asked.direct
        clauses = self._joint().read(Request(text, asked.files)).clauses
        return any(one.tool not in ("", asked.tool) and one.probability >= _PROBABLY for one in clauses)


def _put_in(text: str, port: PortSpec, filled: Filled) -> Reply:
    """Only what the wish says of the inputs, where it says more: its verb before that, or the value of another one."""
    more = {name: value for name, value in filled.values.items() if name != port.name}
    before = MessageWords(text).words[: min(filled.read_from[port.name], default=0)]
    if not more and all(word.kind != "word" for word in before):
        return Reply(VALUE, text)
    return Reply(VALUE, str(filled.values[port.name]), more=more)


def _of_what_is_offered(text: str, tool: ToolSpec, port: PortSpec, offered: Sequence[str]) -> Reply | None:
    """ "By price, descending", "descending": the one that is named, with what is said for settings of the tool; or
    these alone, which are none of what is offered. None where it says neither.
    """
    named = [one for one in offered if word_form(one).search(text)]
    settings = [one for one in tool.inputs if one is not port and (one.choices or one.type in ("number", "flag"))]
    filled = fill(tool, settings, Clause.of(text))
    if named:
        return Reply(VALUE, max(named, key=len), more=filled.values)
    alone = not MessageWords(text).left(("filler", "thanks"), [(place, place) for place in filled.places])
    return Reply(VALUE, "", more=filled.values) if filled.values and alone else None


def _is_chosen(text: str, port: PortSpec) -> bool:
    return text.strip().lower() in {choice.lower() for choice in port.choices}


def _quoted(text: str) -> str:
    """What stands in quotes, or the address, where the reply is nothing else."""
    tokens = [token for token in tokens_of(text) if token.kind != "sign"]
    return tokens[0].text if len(tokens) == 1 and tokens[0].kind in ("quote", "url") else ""


def _is_set(port: PortSpec) -> bool:
    """True for what can be said in many ways, and is put into figures or one of the choices."""
    return bool(port.choices) or port.type in ("number", "flag") or is_colour(port)


def _value_of(text: str, tool: ToolSpec, port: PortSpec) -> str:
    """What the words say for that input alone, "" for nothing."""
    alone = replace(tool, inputs=tuple(replace(one, required=one.name == port.name) for one in tool.inputs))
    value = fill(alone, [port], Clause.of(text)).values.get(port.name)
    if value is None or isinstance(value, list | tuple):
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)

"""What the planner says about a plan: titles, reasons, and why there is none. Plain words, full sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from desktop_app.plan.decompose import Intent
from desktop_app.plan.request import FromResource, PortSpec, Question, Request, Step, ToolSpec
from desktop_app.plan.toolgraph import INLINE, ToolGraph


def title_of(steps: Sequence[Step], last: str, graph: ToolGraph, known: Collection[str] = ()) -> str:
    """Up to four words: what is done first and last; or, where `known` tools make the best solution, what differs."""
    names = list(dict.fromkeys(graph.tools[step.tool].title for step in steps))
    if not names:
        return ""
    final = graph.tools[last].title
    new = [graph.tools[step.tool].title for step in steps if step.tool not in known] if known else []
    if new and final not in new:
        return _short(f"With {_lower(new[0])}")
    first = next((name for name in names if name != final), "")
    both = f"{first}, {_lower(final)}"
    return both if first and len(both.split()) <= 4 else _short(final)


def _short(title: str) -> str:
    """At most four words, not ending in a small one."""
    words = title.split()
    if len(words) <= 4:
        return title
    words = words[:4]
    while len(words) > 1 and (len(words[-1]) < 4 or words[-1] in _SMALL):
        words.pop()
    return " ".join(words).rstrip(",")


_SMALL = frozenset(("from", "with", "into", "onto", "over"))


def _lower(title: str) -> str:
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def reason_for(steps: Sequence[Step], unserved: Sequence[Intent], graph: ToolGraph) -> str:
    """One or two sentences: the tools in order, and what was asked for that none of them does."""
    names = list(dict.fromkeys(graph.tools[step.tool].title for step in steps))
    lowered = [names[0], *(_lower(name) for name in names[1:])] if names else []
    text = " → ".join(lowered) + "." if lowered else ""
    parallel = len(steps) - len(names)
    if parallel > 0:
        text += f" {len(steps)} steps, some of them on several inputs."
    for intent in unserved:
        text += f" Nothing here does “{intent.text}”."
    return text.strip()


def article(type: str) -> str:
    """ "an image", "audio", "a table"."""
    name = type.rpartition(".")[2].replace("_", " ")
    if name in ("text", "audio", "points", "boxes", "labels"):
        return name
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def cause_of(intents: Sequence[Intent], request: Request) -> str:
    """Why there is no solution, in one sentence."""
    for intent in intents:
        sources = [t for t in intent.takes if t not in intent.gives] or [g.type for g in request.resources]
        if intent.gives and sources:
            return f"No tool makes {article(intent.gives[0])} from {article(sources[0])}."
        if intent.gives and not any(t.kind in ("task", "word") for t in intent.terms):
            return f"No tool makes {article(intent.gives[0])}."
    asked = [intent for intent in intents if not intent.stating] or list(intents)
    words = asked[0].text.strip() if asked else request.text.strip()
    short = words if len(words) <= 60 else words[:57] + "..."
    return f"No tool here can do “{short}”." if any(c.isalnum() for c in short) else "The request has no words."


def question_for(port: PortSpec, tool: ToolSpec, step: str, arguments: Mapping[str, Any]) -> Question:
    """What to ask for a required port that nothing fills."""
    if port.picked_on:
        on = arguments.get(port.picked_on)
        resource = on.name if isinstance(on, FromResource) else ""
        where = f" in {resource}" if resource else ""
        return Question(f"Click on what you mean{where}.", "point", (), step, port.name, resource)
    if port.type in INLINE:
        return Question(f"{tool.title}: {port.description or port.name}?", "text", port.choices, step, port.name)
    return Question(f"Please attach {article(port.type)} for “{tool.title}”.", "file", (), step, port.name)

"""What the planner says about a plan: titles, reasons, and why there is none. Plain words, full sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desktop_app.plan.decompose import Intent
from desktop_app.plan.request import FromResource, PortSpec, Question, Request, Step, ToolSpec
from desktop_app.plan.toolgraph import INLINE, ToolGraph


def title_of(steps: Sequence[Step], last: str, graph: ToolGraph) -> str:
    """Two to four words: what is done first and last."""
    names = list(dict.fromkeys(graph.tools[step.tool].title for step in steps))
    if not names:
        return ""
    final = graph.tools[last].title
    if len(names) == 1:
        return final
    first = next(name for name in names if name != final)
    words = f"{first}, {_lower(final)}".split()
    return " ".join(words[:4]) if len(words) <= 5 else _short(final)


def _short(title: str) -> str:
    return " ".join(title.split()[:4])


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

"""What happened in a run, line by line in words. Must not know widgets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from desktop_app.run.events import events
from desktop_app.run.events.events import Event
from desktop_app.run.events.run_record import NodeRun
from desktop_app.ui.support import formatting
from nodes.api import Tool

CAUSE = "    "
"""With what the lines of technical details begin."""
_DIGITS = re.compile(r"[\d.]+")
ToolOf = Callable[[str], Tool | None]
"""The tool of a node, by its id."""


@dataclass(frozen=True)
class Line:
    """`at` in seconds since the run began, `node` its id or "" for the run as a whole.

    `state` is that of the theme in whose colour the line stands: "failed", "input" for a warning, or "".
    """

    at: float
    node: str
    text: str
    state: str = ""


def told_of(id: str, node: NodeRun) -> list[tuple[float, Event]]:
    """The events that the record of a node comes from, as far as it tells them; -1 for when nobody knows."""
    end = node.start + node.seconds
    found: list[tuple[float, Event]] = []
    if node.lane:
        found.append((node.start, events.NodeStarted(id, node.lane, node.start)))
    if node.note and node.state == "running":
        found.append((-1, events.NodeProgress(id, 0.0, node.note)))
    if node.state == "failed" or node.message:
        found.append((end, events.NodeFailed(id, node.message, fix=node.fix)))
    elif node.state in ("done", "outdated"):
        found.append((end, events.NodeFinished(id, {}, node.seconds, node.cached, end, node.backend)))
    elif node.state == "cancelled":
        found.append((-1, events.NodeCancelled(id)))
    elif node.state == "skipped":
        found.append((-1, events.NodeSkipped(id, node.because)))
    return found


def lines(told: Iterable[tuple[float, Event]], title: Callable[[str], str], tool: ToolOf) -> list[Line]:
    """A line for each event that says something; of reports that differ in their numbers only, the last."""
    found: list[Line] = []
    latest: dict[str, tuple[str, int]] = {}
    for at, event in told:
        if isinstance(event, events.NodeProgress):
            text = _progress(event)
            kind = _DIGITS.sub("#", text)
            before = latest.get(event.node)
            if before is not None and before[0] == kind:
                found[before[1]] = Line(at, event.node, text)
                continue
            latest[event.node] = kind, len(found)
            found.append(Line(at, event.node, text))
            continue
        latest.pop(getattr(event, "node", ""), None)
        found += _lines(at, event, title, tool)
    return found


def _progress(event: events.NodeProgress) -> str:
    percent = f"{event.fraction * 100:.0f} %" if event.fraction > 0 else ""
    return " · ".join(part for part in (formatting.said(event.note), percent) if part) or formatting.translate(
        "At work"
    )


def _lines(at: float, event: Event, title: Callable[[str], str], tool: ToolOf) -> list[Line]:
    match event:
        case events.RunStarted():
            count = len(event.nodes)
            many, one = formatting.translate("The run began, {n} nodes"), formatting.translate("The run began, 1 node")
            return [Line(at, "", one if count == 1 else many.format(n=count))]
        case events.NodeStarted():
            return [Line(at, event.node, _started(event, tool(event.node)))]
        case events.NodeFinished():
            return _finished(at, event, tool(event.node))
        case events.NodeFailed():
            return _failed(at, event)
        case events.NodeSkipped():
            said = formatting.translate("Skipped because of {title}").format(title=title(event.because))
            return [Line(at, event.node, said)]
        case events.NodeCancelled():
            return [Line(at, event.node, formatting.translate("Stopped"))]
        case events.RunFinished():
            return _ended(at, event)
    return []


def _started(event: events.NodeStarted, tool: Tool | None) -> str:
    backend = tool.backend(event.backend) if tool is not None and event.backend else None
    parts = [formatting.translate("Started on {lane}").format(lane=event.lane)]
    parts += [backend.title] if backend is not None else []
    if event.seconds_left:
        parts.append(
            formatting.translate("takes {time} as a rule").format(time=formatting.duration(event.seconds_left))
        )
    return " · ".join(parts)


def _finished(at: float, event: events.NodeFinished, tool: Tool | None) -> list[Line]:
    said = (
        formatting.translate("Done before, and kept")
        if event.cached
        else formatting.translate("Done in {time}").format(time=formatting.duration(event.seconds))
    )
    backend = tool.backend(event.backend) if tool is not None and event.backend else None
    if backend is not None and not event.cached:
        said += f" · {backend.title}"
    found = [Line(at, event.node, said)]
    found += [Line(at, event.node, formatting.said(event.notice), "input")] if event.notice else []
    return found + [
        Line(at, event.node, formatting.pair(name, formatting.said(message)), "failed")
        for name, message in event.failed
    ]


def _failed(at: float, event: events.NodeFailed) -> list[Line]:
    found = [Line(at, event.node, formatting.said(event.message), "failed")]
    found += [Line(at, event.node, formatting.said(event.fix))] if event.fix else []
    found += [
        Line(at, event.node, formatting.pair(name, formatting.said(message)), "failed")
        for name, message in event.failed
    ]
    return found + [Line(at, event.node, f"{CAUSE}{line}") for line in event.cause.splitlines() if line.strip()]


def _ended(at: float, event: events.RunFinished) -> list[Line]:
    outcomes = {
        "ok": formatting.translate("The run is done after {time}"),
        "failed": formatting.translate("The run ended with failures after {time}"),
        "lost": formatting.translate("The program died in the run after {time}"),
    }
    said = outcomes.get(event.outcome, formatting.translate("The run was stopped after {time}"))
    counts = ", ".join(f"{count} {_counted(name)}" for name, count in event.counts.items() if count)
    text = said.format(time=formatting.duration(event.seconds)) + (f" ({counts})" if counts else "")
    state = "failed" if event.outcome in ("failed", "lost") else ""
    return [
        Line(at, "", text, state),
        *([Line(at, "", formatting.said(event.notice), "input")] if event.notice else []),
    ]


def _counted(name: str) -> str:
    known = {
        "done": formatting.translate("done"),
        "cached": formatting.translate("done before"),
        "failed": formatting.translate("failed"),
        "skipped": formatting.translate("skipped"),
        "cancelled": formatting.translate("stopped"),
    }
    return known.get(name, name)


def as_text(shown: Iterable[Line], title: Callable[[str], str]) -> str:
    """The lines as text to be pasted somewhere: time, node and message, divided by tabs."""
    return "\n".join(f"{when(line.at)}\t{title(line.node) if line.node else ''}\t{line.text}" for line in shown)


def when(at: float) -> str:
    """A moment of the run: `3.42 s`, `2:05`; "" for a line of which it is not known."""
    if at < 0:
        return ""
    return f"{at:.2f} s" if at < 60 else formatting.clock(at)

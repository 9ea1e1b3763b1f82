"""The recordings that are kept, as a list: when each run was, what ran, how it ended."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from desktop_app.core import checked_json as checked
from desktop_app.run.events import events, recording

_TAIL = 4096


@dataclass(frozen=True)
class Recorded:
    """A recording in a list. `time` of its beginning in seconds since the epoch, `tools` in the order of the nodes.

    `outcome` and `seconds` as in RunFinished; "" and 0 while it goes on.
    """

    path: Path
    time: float
    tools: tuple[str, ...]
    outcome: str = ""
    seconds: float = 0.0


def listed(folder: Path, limit: int = 100) -> tuple[Recorded, ...]:
    """Those that can be replayed, the latest first. Waits for the disk; what cannot be read is left out."""
    found: list[Recorded] = []
    for path in sorted(folder.glob("*.jsonl"), key=lambda path: path.name, reverse=True):
        if len(found) == limit:
            break
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            one = _recorded(path)
            if one is not None:
                found.append(one)
    return tuple(found)


def _recorded(path: Path) -> Recorded | None:
    graph = recording.workflow_of(path)
    begun = next((e for e in recording.read(path) if isinstance(e, events.RunStarted)), None)
    if graph is None or begun is None:
        return None
    tool = {node["id"]: str(node["tool"]) for node in graph["nodes"]}
    tools = tuple(tool[id] for id in begun.nodes if id in tool)
    end = _end(path)
    return Recorded(path, begun.time, tools, end.outcome if end else "", end.seconds if end else 0.0)


def _end(path: Path) -> events.RunFinished | None:
    with open(path, "rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        last = file.read().splitlines()[-1]
    with contextlib.suppress(ValueError, KeyError, TypeError):
        event = recording.from_json(checked.parsed(last))
        return event if isinstance(event, events.RunFinished) else None
    return None

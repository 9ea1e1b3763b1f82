"""How a run looks in a terminal and as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from desktop_app.core import markdown, settings
from desktop_app.core.errors import AppError
from desktop_app.core.paths import home, keep_private, make_private
from desktop_app.core.values import duration, several, size_of
from desktop_app.export.files import export, named_form
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Node
from desktop_app.llm.token_usage import Spent, money
from desktop_app.run.events.run_record import NodeRun
from desktop_app.run.workers import notices
from desktop_app.session.messages import Alternative, Change, ResultCheck
from desktop_app.session.session import Session
from desktop_app.storage.resources import Resource, Store
from nodes._support.files import codecs
from nodes.api import NodeError, ResourceType

INLINE = frozenset(
    ResourceType(name) for name in ("text", "number", "flag", "labels", "boxes", "points", "table", "url")
)


class Progress:
    """Prints one line on stderr for each node that starts or ends."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._said: dict[str, str] = {}
        session.listen(self._show)

    def _show(self, change: Change) -> None:
        if Change.RUN not in change:
            return
        for id, node in self._session.run.nodes.items():
            line = _line(node)
            if line and self._said.get(id) != line:
                self._said[id] = line
                print(f"  {id}: {line}", file=sys.stderr, flush=True)


def _line(node: NodeRun) -> str:
    match node.state:
        case "running":
            return f"running on {node.lane}"
        case "done":
            done = "done, from the cache" if node.cached else f"done in {node.seconds:.2f} s"
            return f"{done}. {node.notice}" if node.notice else done
        case "failed":
            return f"failed: {node.message} {node.fix}".strip()
        case "skipped":
            why = f" ({node.cause})" if node.cause else ""
            return f"skipped because of {node.because}{why}"
        case "cancelled":
            return "stopped"
    return ""


def deliver(session: Session, out: Path | None, store: Store) -> list[Path]:
    """Copies every wanted result into `out`, or into a folder of this run; returns the files.

    Raises StorageError.
    """
    wanted = execution_modes.results(session.workflow, session.tools)
    made = [r for pair in wanted for r in _made(session, *pair)]
    folder = out or home() / "results" / (session.run.id or "run")
    embeds = settings.load().embed_workflow
    if out is None:
        make_private(folder.parent)
        make_private(folder)
    files = [_exported(r, session, store, folder, embeds) for r in dict.fromkeys(made)]
    for path in files if out is None else ():
        keep_private(path)
    if files and out is not None:
        session.save(out / "workflow.json")
    return files


def _exported(resource: Resource, session: Session, store: Store, folder: Path, embeds: bool) -> Path:
    origin = session.origin(resource)
    sources = origin.resources if origin is not None else ()
    saved_as = named_form(resource, session.saved_as, sources, store.path_of(resource))
    return export(resource, store, folder, origin if embeds else None, saved_as, sources)


def _made(session: Session, node: str, output: str) -> tuple[Resource, ...]:
    value = session.run.nodes.get(node, NodeRun()).outputs.get(output)
    return several(value)


def complete(session: Session) -> bool:
    """True when every wanted output was made."""
    return all(_made(session, *pair) for pair in execution_modes.results(session.workflow, session.tools))


def as_json(session: Session, said: str, files: list[Path]) -> str:
    """The object that `ask --json` and `run --json` print."""
    nodes = [_node(session, node) for node in session.workflow.nodes]
    result = {
        "answer": said,
        "workflow": session.workflow.to_json(),
        "nodes": nodes,
        "files": [str(path.resolve()) for path in files],
        "checks": [vars(check) for check in checks_of(session)],
        **spent_of(session.spent),
    }
    return json.dumps(result, ensure_ascii=False, default=str)


def _node(session: Session, placed: Node) -> dict[str, Any]:
    node = session.run.nodes.get(placed.id, NodeRun())
    known = session.tools.get(placed.tool)
    chosen = known.backend(placed.backend) if known else None
    return {
        "id": placed.id,
        "tool": placed.tool,
        "backend": node.backend or (chosen.id if chosen else ""),
        "state": node.state,
        "seconds": round(node.seconds, 4),
        "cached": node.cached,
        "outputs": {port: _value(session, value) for port, value in node.outputs.items()},
        **({"notice": node.notice} if node.notice else {}),
        **({"failed": [list(pair) for pair in node.failed]} if node.failed else {}),
        **({"message": node.message, "port": node.port, "fix": node.fix} if node.state == "failed" else {}),
        **({"because": node.because} if node.state == "skipped" else {}),
    }


def _value(session: Session, value: Resource | tuple[Resource, ...]) -> Any:
    if isinstance(value, tuple):
        return [_value(session, item) for item in value]
    about: dict[str, Any] = {"name": value.name, "type": str(value.type), **notices.readable(value.facets)}
    try:
        about["path"] = str(session.path_of(value))
        if value.type in INLINE:
            about["value"] = codecs.to_json(session.value_of(value))
    except (AppError, NodeError):
        about["path"] = ""
    return about


def checks_of(session: Session) -> tuple[ResultCheck, ...]:
    """How the result of the last answer compares with the request."""
    return next((m.checks for m in reversed(session.messages) if m.kind == "answer"), ())


def answer_of(session: Session) -> str:
    """The last answer of the conversation, to be read where Markdown is not shown."""
    return markdown.plain(next((m.text for m in reversed(session.messages) if m.kind in ("answer", "error")), ""))


def costs_of(way: Alternative) -> dict[str, Any]:
    """Bytes to download and of memory; seconds, None while they are not known, and whether they are only rough."""
    return {
        "download_bytes": way.download_bytes,
        "memory_bytes": way.memory_bytes,
        "seconds": None if way.seconds is None else round(way.seconds, 2),
        "rough": way.rough,
    }


def cost_words(costs: dict[str, Any]) -> str:
    """`nothing to download · 500 MB memory · about 3 s`."""
    load = f"downloads {size_of(costs['download_bytes'])}" if costs["download_bytes"] else "nothing to download"
    memory = f"{size_of(costs['memory_bytes'])} memory" if costs["memory_bytes"] else "little memory"
    about = "roughly" if costs["rough"] else "about"
    seconds = costs["seconds"]
    return f"{load} · {memory} · {'time not known yet' if seconds is None else f'{about} {duration(seconds)}'}"


def spent_of(spent: Spent) -> dict[str, Any]:
    """Tokens, whether some were estimated, and US dollars, None where the price is not known; {} for nothing spent."""
    if not spent.total:
        return {}
    told = {"sent": spent.sent, "received": spent.received, "estimated": spent.guessed, "dollars": spent.dollars}
    return {"spent": told}


def spent_words(spent: Spent) -> str:
    """`Language model: 3,000 tokens sent, 120 received, $0.0034`; "" for nothing spent."""
    if not spent.total:
        return ""
    cost = "" if spent.dollars is None else f", {money(spent.dollars)}" if spent.dollars else ", free"
    guess = " (some estimated)" if spent.guessed else ""
    return f"Language model: {spent.sent:,} tokens sent, {spent.received:,} received{cost}{guess}"

"""How a link is shown while its graph runs."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.graph.connect import modes_of
from desktop_app.graph.workflow import Link, Workflow
from desktop_app.run.events.run_record import Run


def run_state(run: Run, id: str) -> str:
    """The state of a card in the run, "" when it takes no part."""
    record = run.nodes.get(id)
    return record.state if record else ""


def state_of(link: Link, workflow: Workflow, run: Run, modes: Mapping[str, str] | None = None) -> str:
    """How a link is shown: "carried", "running" (feeds what runs), "waiting", or "skipped" (nothing will come).

    `modes` as `modes_of` gives them; they are looked up when they are not given.
    """
    modes = modes_of(workflow) if modes is None else modes
    source, target = run_state(run, link.source), run_state(run, link.target)
    if "mute" in (modes.get(link.source), modes.get(link.target)):
        return "skipped"
    if modes.get(link.target) == "bypass":
        target = ""
        if source == "done" or workflow.resource(link.source) is not None:
            return "carried"
    if modes.get(link.source) == "bypass":
        before = {state_of(other, workflow, run, modes) for other in workflow.links_into(link.source)}
        source = "skipped" if not before or "skipped" in before else "done" if before == {"carried"} else "waiting"
    if target in ("skipped", "cancelled") or source in ("failed", "skipped", "cancelled"):
        return "skipped"
    has = source == "done" or workflow.resource(link.source) is not None
    if has and target == "running":
        return "running"
    return "carried" if has and (target in ("done", "failed") or not run.nodes) else "waiting"

"""Writes the results of a run in the form that was promised for them, where no tool made it ("save it as csv")."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from desktop_app.core.values import several
from desktop_app.export.files import endings, file_name, write
from desktop_app.graph import execution_modes
from desktop_app.graph.workflow import Workflow
from desktop_app.run.events.run_record import NodeRun, Run
from desktop_app.storage.resources import Resource, Store, type_of_name
from nodes.api import ResourceType, Tool


def in_form(
    workflow: Workflow, run: Run, tools: Mapping[str, Tool], saved_as: str, store: Store
) -> tuple[Resource, ...]:
    """The results of the run, each as a further file in the store with the ending of `saved_as`; those that have it
    already, or cannot have it, are left out. Reads and writes files. Raises StorageError, BadRequest or OSError.
    """
    ending = (Path(saved_as).suffix or saved_as).lower() if "." in saved_as else ""
    made = (
        one
        for node, output in execution_modes.results(workflow, tools)
        for one in several(run.nodes.get(node, NodeRun()).outputs.get(output))
        if one is not None
    )
    return tuple(_written(made, ending, saved_as, store)) if ending else ()


def _written(made: Iterable[Resource], ending: str, saved_as: str, store: Store) -> Iterable[Resource]:
    for one in made:
        if one.suffix.lower() == ending or ending not in endings(one):
            continue
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / f"result{ending}"
            write(one, store.path_of(one), target)
            kind = type_of_name(target.name)
            kind = kind if kind is ResourceType.FILE else one.type  # a spreadsheet is read by other programs only
            yield replace(one, name=file_name(one, saved_as), type=kind, digest=store.put_file(target), suffix=ending)

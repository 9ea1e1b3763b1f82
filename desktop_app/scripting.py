"""What an exported script imports: builds a workflow call by call, and runs it with the engine of the program.

    script = Script(__file__)
    photo = script.file("photo.jpg")
    soft = script.node("blur", radius=4, image=photo)
    script.run(soft["image"])

The results are those of the program: the same cache, the same parallel lanes, many files fan out.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from desktop_app.app import new_session
from desktop_app.cli import exit_codes, report
from desktop_app.cli.ask import finish
from desktop_app.core.errors import AppError, BadWorkflow
from desktop_app.core.values import several, unused_name
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.session.session import Session
from desktop_app.storage.resources import batch_of
from nodes import load_tools


class Output:
    """An output of a node, or a file: what other nodes take."""

    def __init__(self, source: str, output: str) -> None:
        self.source, self.output = source, output


class ScriptNode:
    """A node: `made["image"]` is its output of that name."""

    def __init__(self, id: str, outputs: Sequence[str]) -> None:
        self.id, self._outputs = id, outputs

    def __getitem__(self, name: str) -> Output:
        if name not in self._outputs:
            raise BadWorkflow(f"{self.id} has no output '{name}'.", f"Its outputs: {', '.join(self._outputs)}.")
        return Output(self.id, name)


class Script:
    """`place` is the script's own path: files are named relative to its folder."""

    def __init__(self, place: str) -> None:
        self._folder = Path(place).resolve().parent
        self._tools = load_tools().tools
        self._files: dict[str, Path] = {}
        self._batches: dict[str, list[Path]] = {}
        self._workflow = Workflow()

    def file(self, path: str, name: str = "") -> Output:
        """A file to work on. `name` is what the results are called after."""
        name = name or Path(path).name
        self._files[name] = self._folder / path
        return Output(name, RESOURCE_OUTPUT)

    def files(self, paths: Sequence[str], name: str) -> Output:
        """Files of one type as one: what takes one of them runs once for each."""
        self._batches[name] = [self._folder / path for path in paths]
        return Output(name, RESOURCE_OUTPUT)

    def node(self, tool: str, id: str = "", /, backend: str | None = None, **ports: Any) -> ScriptNode:
        """A tool with what its ports get: an Output, several of them, or a value. Raises BadWorkflow."""
        known = self._tools.get(tool)
        if known is None:
            raise BadWorkflow(f"There is no tool '{tool}'.", "'graphwright tools' lists them.")
        id = id or unused_name(tool, self._workflow.nodes_by_id.__contains__)
        values: dict[str, Any] = {}
        links: list[Link] = []
        for port, given in ports.items():
            if known.input(port) is None:
                names = ", ".join(p.name for p in known.inputs)
                raise BadWorkflow(f"{tool} has no input '{port}'.", f"Its inputs: {names}.")
            each = several(tuple(given) if isinstance(given, list) else given)
            if each and all(isinstance(one, Output) for one in each):
                links += [Link(one.source, one.output, id, port) for one in each]
            else:
                values[port] = given
        self._workflow = self._workflow.with_node(Node(id, tool, values, backend))
        for link in links:
            self._workflow = self._workflow.with_link(link, many=True)
        return ScriptNode(id, [port.name for port in known.outputs])

    def run(self, *wanted: Output) -> None:
        """Runs what is needed for the wanted outputs, prints the answer, writes the files, and ends the process.

        The command line takes `--out FOLDER` and `--json`, as `graphwright run` does; so are the exit codes.
        """
        parser = argparse.ArgumentParser()
        parser.add_argument("--out", type=Path, metavar="FOLDER", help="folder for the results")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--yes", action="store_true", help="let tools reach outside this computer")
        options = parser.parse_args()
        try:
            code = asyncio.run(self._run(wanted, options.out, options.json, options.yes))
        except AppError as error:
            print(error, file=sys.stderr)
            code = exit_codes.BAD
        sys.exit(code)

    async def _run(self, wanted: Sequence[Output], out: Path | None, as_json: bool, yes: bool) -> int:
        session = new_session()
        try:
            session.edit(self._with_files(session, wanted))
            if yes:
                session.allow_all()
            asked = session.questions()
            if asked:
                print("\n".join(question.text for question in asked), file=sys.stderr)
                return exit_codes.MISSING
            report.Progress(session)
            await session.start()
            return finish(session, out, as_json)
        finally:
            await session.close()

    def _with_files(self, session: Session, wanted: Sequence[Output]) -> Workflow:
        from dataclasses import replace

        workflow = replace(self._workflow, wanted=tuple((one.source, one.output) for one in wanted))
        for name, path in self._files.items():
            workflow = workflow.with_resource(replace(session.attach(path), name=name))
        for name, paths in self._batches.items():
            workflow = workflow.with_resource(batch_of(name, [session.attach(path) for path in paths]))
        return workflow

"""`graphwright mcp`: serves plan, run and tools to other programs, by the Model Context Protocol over stdin and stdout.

What a language model in another program asks for is a stranger's wish: files are read from the named folder only, and
tools reach outside only where the user said so on the command line.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from desktop_app.app import new_session
from desktop_app.cli import report
from desktop_app.core.errors import AppError, BadRequest
from desktop_app.core.paths import home
from desktop_app.graph.workflow import Workflow, veiled
from desktop_app.session.session import Session
from desktop_app.storage.resources import Store
from nodes.api import Tool
from nodes.phrase import Phrase

_SAID = (
    "Plans and runs graphs of local tools on pictures, texts, tables, sound and film. Name files by paths within the "
    "folder it serves. `plan` shows ways without running; `run` runs a request and returns answer and result files."
)


class Service:
    """The three verbs, one at a time. `folder` holds the files that may be named; `yes` agrees to reach outside."""

    def __init__(self, folder: Path, yes: bool) -> None:
        self._folder, self._yes = folder.resolve(), yes
        self._free = asyncio.Lock()

    async def tools(self, words: str = "") -> str:
        """The tools that Graphwright has, with their inputs and outputs; with words, those whose texts hold them."""
        async with self._session() as session:
            wanted = words.lower().split()
            fitting = [tool for tool in session.tools.values() if all(word in _texts(tool) for word in wanted)]
            found = [
                {"id": t.id, "title": t.title, "description": t.description,
                 "inputs": {p.name: str(p.type) for p in t.inputs}, "outputs": {p.name: str(p.type) for p in t.outputs}}
                for t in fitting
            ]  # fmt: skip
            return json.dumps({"tools": found}, ensure_ascii=False)

    async def plan(self, request: str, files: list[str] | None = None) -> str:
        """The ways to serve a request in words on these files, best first, as graphs. Runs nothing."""
        async with self._session() as session:
            await self._ask(session, request, files or [])
            ways = [
                {"title": str(way.solution.title), "score": way.solution.score, "workflow": way.workflow.to_json()}
                for way in session.alternatives
            ]
            secrets = frozenset().union(*(way.workflow.secrets() for way in session.alternatives))
            asked = [str(question.text) for question in session.questions()]
            told = {"solutions": ways, "questions": asked, "said": str(session.messages[-1].text)}
            return json.dumps(veiled(told, secrets), ensure_ascii=False, default=str)

    async def run(
        self, request: str = "", files: list[str] | None = None, choose: int = 1,
        workflow: dict[str, Any] | None = None,
    ) -> str:  # fmt: skip
        """Runs a request (its way number `choose`), or a workflow that `plan` gave. Returns the answer, what each node
        made, and the paths of the result files.
        """
        async with self._session() as session:
            if workflow is not None:
                for name in files or []:
                    session.attach(self._path(name))
                session.edit(Workflow.from_json(_without_paths(workflow)))
            else:
                await self._ask(session, request, files or [])
                if not session.alternatives:
                    return json.dumps({"answer": str(session.messages[-1].text), "nodes": [], "files": []})
                session.choose(choose - 1)
            asked = session.questions()
            if asked:
                return json.dumps({"answer": "", "questions": [str(q.text) for q in asked], "nodes": [], "files": []})
            await session.start()
            made = report.deliver(session, None, Store(home() / "store"))
            return report.as_json(session, report.answer_of(session), made)

    async def _ask(self, session: Session, request: str, files: list[str]) -> None:
        if not request.strip():
            raise BadRequest("The request is empty.", "Say what you want.")
        names = tuple(session.attach(self._path(name)).name for name in files)
        await session.ask(request, names)

    def _path(self, name: str) -> Path:
        """A file of the folder. Raises BadRequest for any other."""
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder) or not path.is_file():
            raise BadRequest(
                Phrase("'{name}' is no file of the folder {folder}.", name=name, folder=self._folder),
                "Start graphwright mcp with --folder to serve another.",
            )
        return path

    @contextlib.asynccontextmanager
    async def _session(self) -> AsyncIterator[Session]:
        """A session of its own for each call; what goes wrong is an error in words."""
        async with self._free:
            with contextlib.redirect_stdout(sys.stderr):
                session = new_session()
                try:
                    if self._yes:
                        session.allow_all()
                    yield session
                except AppError as error:
                    raise _error(f"{error.message} {error.fix}".strip()) from error
                finally:
                    await session.close()


def _texts(tool: Tool) -> str:
    return f"{tool.id} {tool.title} {tool.description} {' '.join(tool.words)}".lower()


def _error(text: str) -> Exception:
    from mcp.server.mcpserver.exceptions import ToolError

    return ToolError(text)


def _without_paths(workflow: dict[str, Any]) -> dict[str, Any]:
    """Resources of a workflow are those of the store; paths of files come by `files` alone."""
    if any("path" in r for r in workflow.get("resources", ()) if isinstance(r, dict)):
        raise BadRequest("The workflow names files by path.", "Name them in `files`.")
    return workflow


def run(options: argparse.Namespace) -> int:
    """Serves until the other program leaves. Raises BadRequest when the package is not installed."""
    try:
        from mcp.server import MCPServer
    except ImportError as error:
        raise BadRequest("The Python package 'mcp' is not installed.", "Install it: pip install mcp") from error
    service = Service(options.folder, options.yes)
    server = MCPServer("graphwright", instructions=_SAID, log_level="WARNING")
    for verb in (service.tools, service.plan, service.run):
        server.tool()(verb)
    asyncio.run(server.run_stdio_async())
    return 0

"""Tools of MCP servers named in the settings: their declarations as tools of ours, and the calls to them.

Each server is a program that the user named. It runs beside this one while it is needed, gets no key of ours, and may
hang, die or lie: every wait has an end, and whatever goes wrong is a sentence. All talk with servers happens on a
thread with a loop of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from desktop_app.core import remembered
from desktop_app.core.errors import AppError, BadReply
from desktop_app.core.paths import home
from nodes._support.web import mcp_call
from nodes.api import Backend, Port, ResourceType, Tool
from nodes.phrase import Phrase

if TYPE_CHECKING:
    from mcp import Client

LIST_SECONDS, CALL_SECONDS = 20.0, 120.0
_FILE = "mcp.json"
_MOST_TOOLS, _MOST_PORTS, _MOST_CHARACTERS = 200, 30, 400_000
_DESCRIBED, _NAMED = 300, 60
_TYPES = {"string": ResourceType.TEXT, "number": ResourceType.NUMBER, "integer": ResourceType.NUMBER,
          "boolean": ResourceType.FLAG, "array": ResourceType.TEXT, "object": ResourceType.TEXT}  # fmt: skip
_T = TypeVar("_T")


@dataclass(frozen=True)
class Listed:
    """A tool as its server declares it: looked through, in plain values."""

    server: str
    name: str
    title: str
    description: str
    schema: Mapping[str, Any]

    def tool(self) -> Tool | None:
        """The tool as one of ours; None when a required input cannot be told in our types."""
        ports = _ports(self.schema)
        if ports is None:
            return None
        id = f"mcp_{_plain(self.server)}_{_plain(self.name)}"
        backend = Backend(title=f"MCP: {self.server}", run=mcp_call.call, **mcp_call.FACTS)
        return Tool(
            id, self.title or self.name, "web", self.description or self.name, ports,
            (Port("text", ResourceType.TEXT, "what the tool answers"),), (backend,),
            side_effects=f"Asks the MCP server {self.server}", outside=True,
        )  # fmt: skip


def count(name: str, config: Mapping[str, Any]) -> int:
    """How many tools the server offers: it is started, asked and ended. Waits, so it is called on a thread.

    Raises BadReply that says why it does not work.
    """
    remembered.keep(_FILE, _key(name, config), None)
    tools = McpTools({name: config})
    try:
        made = tools.tools()
        if name in tools.failures:
            raise tools.failures[name]
        return len(made)
    finally:
        tools.close()


def known(name: str, config: Mapping[str, Any]) -> int | None:
    """How many tools it offered when it was last asked; None when it never answered."""
    found = remembered.everything(_FILE).get(_key(name, config))
    return None if found is None else sum(listed.tool() is not None for listed in _checked(name, found))


def _key(name: str, config: Mapping[str, Any]) -> str:
    return json.dumps([name, config], sort_keys=True)


class McpTools:
    """The servers of the settings by name, each {"command", "args", "env"}; their tools by id."""

    def __init__(self, servers: Mapping[str, Mapping[str, Any]], call_seconds: float = CALL_SECONDS) -> None:
        self._servers = {name: _McpServer(name, config) for name, config in servers.items()}
        self._seconds = call_seconds
        self._listed: dict[str, Listed] = {}
        self._thread = _LoopThread()
        self.failures: dict[str, AppError] = {}

    def use(self, servers: Mapping[str, Mapping[str, Any]]) -> bool:
        """From now on these; false when there were none and are none. Those that stay go on; those that are new are not
        waited for: their tools are there as `count` has found them.
        """
        kept = {n: s for n, s in self._servers.items() if n in servers and s.key == _key(n, servers[n])}
        gone = [server for name, server in self._servers.items() if name not in kept]
        if gone and self._thread.runs:
            self._thread.submit(_all([server.close() for server in gone]))
        self._servers = {name: kept.get(name) or _McpServer(name, config, True) for name, config in servers.items()}
        return bool(gone or servers)

    def tools(self) -> dict[str, Tool]:
        """All tools, of servers that were asked before as they were then. Waits for the others, so not on the loop."""
        known = remembered.everything(_FILE)
        new = [s for s in self._servers.values() if s.key not in known and not s.quiet]
        for server, found in zip(new, self._thread.run(_all([s.list() for s in new])) if new else (), strict=True):
            if isinstance(found, AppError):
                self.failures[server.name] = found
            elif isinstance(found, BaseException):
                raise found
            else:
                known[server.key] = found
                remembered.keep(_FILE, server.key, found)
        made: dict[str, Tool] = {}
        for server in self._servers.values():
            for listed in _checked(server.name, known.get(server.key, ())):
                tool = listed.tool()
                if tool is not None and tool.id not in made:
                    made[tool.id], self._listed[tool.id] = tool, listed
        return made

    async def serve(self, tool: str, service: str, request: Mapping[str, Any]) -> dict[str, Any]:
        """As in Services: {"values"} gives {"text"}. Which server and tool is asked follows from our tool alone."""
        listed = self._listed.get(tool)
        known = listed.tool() if listed is not None else None
        values = request.get("values")
        if listed is None or listed.server not in self._servers or known is None or not isinstance(values, dict):
            raise BadReply("The MCP server of this tool is no longer in the settings.", "Name it there again.")
        given = mcp_call.arguments(known, values, listed.schema)
        call = self._servers[listed.server].call(listed.name, given, self._seconds)
        return {"text": await asyncio.wrap_future(self._thread.submit(call))}

    def close(self) -> None:
        self._thread.close([server.close() for server in self._servers.values()])


class _McpServer:
    """One server: a task holds the connection, as a client has to be left by the task that entered it. One that is
    `quiet` is not asked for its tools.
    """

    def __init__(self, name: str, config: Mapping[str, Any], quiet: bool = False) -> None:
        self.name, self._config, self.quiet = name, config, quiet
        self.key = _key(name, config)
        self._task: asyncio.Task[None] | None = None
        self._client: asyncio.Future[Client] | None = None
        self._left = asyncio.Event()
        self._ending: tuple[asyncio.Task[None], ...] = ()

    async def list(self) -> list[dict[str, Any]]:
        """Its tools as plain values. Raises BadReply."""
        client = await self._connected()
        found: list[dict[str, Any]] = []
        cursor = None
        while len(found) < _MOST_TOOLS:
            page = await self._within(LIST_SECONDS, client.list_tools(cursor=cursor))
            found += [tool.model_dump(mode="json", by_alias=True) for tool in page.tools]
            cursor = page.next_cursor
            if not cursor:
                break
        return found[:_MOST_TOOLS]

    async def call(self, name: str, arguments: dict[str, Any], seconds: float) -> str:
        """What the tool answers as text. Raises BadReply."""
        client = await self._connected()
        result = await self._within(seconds, client.call_tool(name, arguments))
        content = getattr(result, "content", None) or []
        texts = [part.text for part in content if isinstance(getattr(part, "text", None), str)]
        others = len(content) - len(texts)
        text = "\n".join(texts)
        if not text and getattr(result, "structured_content", None) is not None:
            text = json.dumps(result.structured_content, ensure_ascii=False)
        if len(text) > _MOST_CHARACTERS:
            raise BadReply(Phrase("The MCP server {name} wrote more than {n} characters.", name=self.name,
                                  n=f"{_MOST_CHARACTERS:,}"), "")  # fmt: skip
        if getattr(result, "is_error", False):
            said = " ".join(text.split())[:300] or "no reason"
            raise BadReply(Phrase("The MCP server {name} could not do it: {said}", name=self.name, said=said), "")
        return f"{text}\n({others} parts that are no text were left out)" if others and text else text

    async def close(self) -> None:
        self._left.set()
        if self._task is not None:
            self._drop(self._task)
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def _connected(self) -> Client:
        if self._task is None or self._task.done():
            self._client = asyncio.get_running_loop().create_future()
            self._left = asyncio.Event()
            self._task = asyncio.create_task(self._hold(self._client, self._left))
        assert self._client is not None
        return await self._within(LIST_SECONDS, asyncio.shield(self._client))

    async def _hold(self, opened: asyncio.Future[Client], left: asyncio.Event) -> None:
        """Starts the program and keeps the connection until it is left."""
        from mcp import Client, StdioServerParameters

        try:
            parameters = StdioServerParameters(
                command=str(self._config.get("command", "")), args=[str(a) for a in self._config.get("args", ())],
                env={str(k): str(v) for k, v in self._config.get("env", {}).items()} or None, cwd=str(home()),
            )  # fmt: skip
            async with Client(parameters) as client:
                if not opened.done():
                    opened.set_result(client)
                await left.wait()
        except Exception as error:  # an edge: a stranger's program, behind a library that raises groups
            if not opened.done():
                opened.set_exception(self._trouble(error))
                opened.exception()

    async def _within(self, seconds: float, work: Any) -> Any:
        """What comes within the time and while the server lives; else it is ended, and started anew the next time."""
        task, holder = asyncio.ensure_future(work), self._task
        assert holder is not None
        try:
            await asyncio.wait({task, holder}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            ended = holder.done()
            if ended:
                raise BadReply(Phrase("The MCP server {name} ended.", name=self.name), "Try again, or look at its log.")
            raise BadReply(
                Phrase("The MCP server {name} did not answer in {seconds} s.", name=self.name, seconds=f"{seconds:g}"),
                "",
            )
        except AppError:
            self._drop(holder)
            raise
        except Exception as error:  # as above
            self._drop(holder)
            raise self._trouble(error) from error
        finally:
            task.cancel()

    def _drop(self, holder: asyncio.Task[None]) -> None:
        """Ends the program; the next call starts it anew."""
        holder.cancel()
        self._ending = (*(task for task in self._ending if not task.done()), holder)
        if self._task is holder:
            self._task = None

    def _trouble(self, error: BaseException) -> AppError:
        while isinstance(error, BaseExceptionGroup) and error.exceptions:
            error = error.exceptions[0]
        if isinstance(error, AppError):
            return error
        if isinstance(error, FileNotFoundError | PermissionError):
            command = str(self._config.get("command", ""))
            said = Phrase("The MCP server {name} cannot be started: {command}.", name=self.name, command=command)
            return BadReply(said, "Look at its command in the settings.")
        why = " ".join(str(error).split())[:200] or type(error).__name__
        return BadReply(Phrase("The MCP server {name} does not work: {why}.", name=self.name, why=why.rstrip(".")), "")


class _LoopThread:
    """A loop on a thread of its own, started when it is first needed."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    @property
    def runs(self) -> bool:
        """True once it was needed."""
        return self._loop is not None

    def submit(self, work: Coroutine[Any, Any, _T]) -> Future[_T]:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="MCP", daemon=True)
                self._thread.start()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        return self.submit(work).result()

    def close(self, last: list[Coroutine[Any, Any, None]]) -> None:
        if self._loop is None:
            for work in last:
                work.close()
            return
        with contextlib.suppress(TimeoutError):
            self.submit(_all(last)).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        assert self._thread is not None
        self._thread.join(5)
        if not self._thread.is_alive():
            self._loop.close()
        self._loop = None


async def _all(work: list[Coroutine[Any, Any, _T]]) -> list[_T | BaseException]:
    return await asyncio.gather(*work, return_exceptions=True)


# What servers declare


def _checked(server: str, found: Any) -> Iterator[Listed]:
    """Only what has the form of a tool; a server may write anything."""
    for tool in found if isinstance(found, list) else ():
        schema = tool.get("inputSchema") if isinstance(tool, dict) else None
        if isinstance(schema, dict) and isinstance(tool.get("name"), str) and tool["name"]:
            title, said = (" ".join(str(tool.get(k) or "").split()) for k in ("title", "description"))
            yield Listed(server, tool["name"], title[:_NAMED], said[:_DESCRIBED], schema)


def _ports(schema: Mapping[str, Any]) -> tuple[Port, ...] | None:
    properties, required = schema.get("properties") or {}, schema.get("required") or ()
    if not isinstance(properties, dict) or not isinstance(required, list | tuple) or len(properties) > _MOST_PORTS:
        return None
    ports = []
    for name, about in properties.items():
        port = _port(str(name), about if isinstance(about, dict) else {}, name in required)
        if port is None and name in required:
            return None
        if port is not None:
            ports.append(port)
    return tuple(sorted(ports, key=lambda port: not port.required))


def _port(name: str, about: Mapping[str, Any], required: bool) -> Port | None:
    kinds = about.get("type")
    options = about.get("anyOf")
    if kinds is None and isinstance(options, list):
        kinds = [one.get("type") for one in options if isinstance(one, dict)]
    kinds = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind != "null"]
    kind = str(kinds[0]) if kinds else ""
    if kind not in _TYPES or not name.isidentifier() or name == "context":
        return None
    type = _TYPES[kind]
    named = about.get("enum")
    choices = tuple(map(str, named)) if kind == "string" and isinstance(named, list) else ()
    facts: dict[str, Any] = {"choices": choices, "integer": kind == "integer"}
    if type is ResourceType.NUMBER:
        facts |= {ours: about[theirs] for ours, theirs in (("minimum", "minimum"), ("maximum", "maximum"))
                  if _is_number(about.get(theirs))}  # fmt: skip
    if not required:
        given = about.get("default")
        fits = {ResourceType.TEXT: isinstance(given, str) and (not choices or given in choices),
                ResourceType.NUMBER: _is_number(given), ResourceType.FLAG: isinstance(given, bool)}[type]  # fmt: skip
        facts["default"] = given if fits else None
    said = " ".join(str(about.get("description") or name.replace("_", " ")).split())[:_DESCRIBED]
    return Port(name, type, f"{said} (JSON)" if kind in ("array", "object") else said, **facts)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**53


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "x"

"""A workflow as a Python script that runs the same workflow (`scripting` is what it imports), its files beside it."""

from __future__ import annotations

import keyword
import shutil
from collections.abc import Mapping
from pathlib import Path

from desktop_app.core.checked_json import is_port
from desktop_app.core.errors import BadWorkflow, StorageError
from desktop_app.core.values import NUMBERED_FILE, unused_name
from desktop_app.graph.workflow import Link, Node, Workflow, veiled
from desktop_app.storage.resources import Resource, Store, safe_name
from nodes.api import SECRET, Tool
from nodes.phrase import Phrase

_WIDTH = 100


def write_script(workflow: Workflow, tools: Mapping[str, Tool], store: Store, path: Path) -> None:
    """Writes the script, and its resources into a folder `NAME_files` beside it. Raises StorageError or BadWorkflow."""
    folder = path.with_name(f"{path.stem}_files")
    files: dict[str, tuple[str, ...]] = {}
    taken: set[str] = set()
    for resource in workflow.resources:
        paths: list[str] = []
        for part in resource.parts:
            name = unused_name(safe_name(part.name, part.suffix), lambda name: name.casefold() in taken, NUMBERED_FILE)
            taken.add(name.casefold())
            paths.append(f"{folder.name}/{name}")
        files[resource.name] = tuple(paths)
    text = script(workflow, tools, files, path.stem)
    try:
        if workflow.resources:
            folder.mkdir(exist_ok=True)
        for resource in workflow.resources:
            for part, name in zip(resource.parts, files[resource.name], strict=True):
                shutil.copyfile(store.path_of(part), path.parent / name)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise StorageError(
            Phrase("The script could not be saved to {path}: {error}.", path=path, error=error.strerror or error), ""
        ) from error


def script(workflow: Workflow, tools: Mapping[str, Tool], files: Mapping[str, tuple[str, ...]], title: str = "") -> str:
    """The text of the script, without passwords. `files` tells the path of each resource by name, of a batch those of
    its files. Raises BadWorkflow for a circle."""
    names = _names(workflow)
    lines = [
        _docstring(veiled(title, workflow.secrets())),
        "",
        "from desktop_app.scripting import Script",
        "",
        "script = Script(__file__)",
    ]
    lines += [_file(names[r.name], files[r.name], r) for r in workflow.resources]
    for id in workflow.order():
        lines.append(_call(workflow.node(id), workflow.links_into(id), names, tools))
    wanted = ", ".join(f"{names[node]}[{output!r}]" for node, output in workflow.results(tools))
    lines += ["", 'if __name__ == "__main__":', f"    script.run({wanted})", ""]
    return "\n".join(lines)


def _file(variable: str, paths: tuple[str, ...], resource: Resource) -> str:
    if not resource.files:
        return f"{variable} = script.file({paths[0]!r}, {resource.name!r})"
    return "\n".join([f"{variable} = script.files([", *(f"    {path!r}," for path in paths), f"], {resource.name!r})"])


def _docstring(title: str) -> str:
    name = "".join(c for c in title if c.isprintable() and c not in '\\"').strip() or "A workflow"
    return f'"""{name}. Made with Graphwright, which has to be installed: run it with the Python that has it."""'


def _call(node: Node, links: tuple[Link, ...], names: Mapping[str, str], tools: Mapping[str, Tool]) -> str:
    tool = tools.get(node.tool)
    order = [port.name for port in tool.inputs] if tool else sorted({*node.values, *(link.port for link in links)})
    given: list[str] = []
    for port in order:
        if not is_port(port) or port == "backend":
            raise BadWorkflow(
                Phrase("{tool} has an input {port}, which no script can name.", tool=node.tool, port=repr(port[:40])),
                "Remove the node.",
            )
        sources = [_source(link, names) for link in links if link.port == port]
        if len(sources) == 1:
            given.append(f"{port}={sources[0]}")
        elif sources:
            given.append(f"{port}=[{', '.join(sources)}]")
        elif port in node.values and port != SECRET:
            given.append(f"{port}={node.values[port]!r}")
    if node.backend:
        given.append(f"backend={node.backend!r}")
    begin = f"{names[node.id]} = script.node({node.tool!r}, {node.id!r}"
    line = ", ".join([begin, *given]) + ")"
    if len(line) <= _WIDTH or not given:
        return line
    return "\n".join([f"{begin},", *(f"    {one}," for one in given), ")"])


def _source(link: Link, names: Mapping[str, str]) -> str:
    return names[link.source] if link.output == "value" else f"{names[link.source]}[{link.output!r}]"


def _names(workflow: Workflow) -> dict[str, str]:
    """A Python name for each resource and node, no two the same."""
    taken = {"script", "Script"}
    names: dict[str, str] = {}
    for given in (*(r.name for r in workflow.resources), *workflow.ids()):
        stem = given.rpartition(".")[0] or given
        name = "".join(c if c.isascii() and c.isalnum() else "_" for c in stem).strip("_").lower() or "item"
        if name[0].isdigit() or keyword.iskeyword(name) or name in taken:
            name = f"{name}_" if keyword.iskeyword(name) else f"item_{name}" if name[0].isdigit() else name
        names[given] = unused_name(name, taken.__contains__)
        taken.add(names[given])
    return names

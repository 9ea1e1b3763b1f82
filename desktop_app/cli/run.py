"""`graphwright run`: a saved workflow, with values set from the command line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from desktop_app.app import new_session
from desktop_app.cli import exit_codes, report
from desktop_app.cli.ask import finish
from desktop_app.cli.meter import fetched
from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Workflow
from desktop_app.plan.types import Question
from desktop_app.session import fetching
from desktop_app.session.inputs import port_values
from desktop_app.session.session import Session
from desktop_app.storage.resources import type_of_name
from nodes._support.files import codecs
from nodes.api import Port, ResourceType

FILES = codecs.IMAGE_TYPES | codecs.FILE_TYPES | {ResourceType.AUDIO, ResourceType.TABLE}
STRUCTURED = frozenset({ResourceType.POINTS, ResourceType.BOXES, ResourceType.LABELS})


async def run(options: argparse.Namespace) -> int:
    """The exit code. Raises AppError for a bad workflow or argument."""
    session = new_session()
    try:
        session.open(options.workflow, options.outside_files)
        if options.yes:
            session.allow_all()
        for text in options.set:
            session.edit(_with_setting(session, text))
        if options.yes:
            await fetched(session)
        asked = session.questions()
        if asked:
            print("\n".join(f"{q.text} ({_remedy(q)})" for q in asked))
            return exit_codes.MISSING
        if not session.workflow.nodes:
            raise BadRequest(f"The workflow {options.workflow.name} has no nodes.", "")
        report.Progress(session)
        await session.start()
        return finish(session, options.out, options.json)
    finally:
        await session.close()


def _remedy(question: Question) -> str:
    return "--yes" if fetching.told(question) else f"--set {question.step}.{question.port}=VALUE"


def _with_setting(session: Session, text: str) -> Workflow:
    """The workflow with NODE.PORT=VALUE; a file's name for ports that take files. Raises BadRequest."""
    place, equals, value = text.partition("=")
    node_id, dot, port_name = place.rpartition(".")
    if not equals or not dot:
        raise BadRequest(f"'{text}' sets nothing.", "Write --set NODE.PORT=VALUE, e.g. --set blur.radius=12")
    session.typed(value)
    workflow = session.workflow
    if workflow.resource(node_id) is not None and port_name == RESOURCE_OUTPUT:
        return _with_other_file(session, node_id, Path(value))
    node = workflow.node(node_id)
    tool = session.tools.get(node.tool)
    if tool is None:
        raise BadRequest(f"There is no tool '{node.tool}', so {place} cannot be set.", "")
    port = tool.input(port_name)
    if port is None:
        known = ", ".join(p.name for p in tool.inputs)
        raise BadRequest(f"{node_id} has no input '{port_name}'.", f"Its inputs: {known}.")
    return _with_value(session, workflow, node_id, port, value)


def _with_other_file(session: Session, name: str, path: Path) -> Workflow:
    """The workflow with another file, or the files of a folder, in the place of a resource; its links stay."""
    from dataclasses import replace

    (found,) = session.attach_all([path])[:1] if path.is_dir() else (session.attach(path),)
    new = replace(found, name=name)
    old = session.workflow.resource(name)
    if old is not None and not new.type.is_a(old.type):
        raise BadRequest(f"{path.name} is of type {new.type}; {name} has to be {old.type}.", "")
    return session.workflow.with_resource(new)


def _with_value(session: Session, workflow: Workflow, node: str, port: Port, text: str) -> Workflow:
    if port.type in FILES and Path(text).is_dir():
        return _with_folder(session, workflow, node, port, Path(text))
    if port.type in FILES or (port.type in (ResourceType.TEXT, ResourceType.HTML) and Path(text).is_file()):
        resource = session.attach(Path(text))
        if not resource.fits(port.type):
            raise BadRequest(f"{text} is of type {resource.type}; {node}.{port.name} needs {port.type}.", "")
        link = Link(resource.name, RESOURCE_OUTPUT, node, port.name)
        return workflow.with_resource(resource).with_link(link, port.many)
    if port.type in STRUCTURED:
        try:
            data = json.loads(text)
            codecs.from_json(data, port.type)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise BadRequest(
                f"'{text}' is no {port.type} for {node}.{port.name}.", "Write JSON: [[320, 240]]"
            ) from error
        return workflow.with_value(node, port.name, data)
    return workflow.with_value(node, port.name, port_values.literal(port, text))


def _with_folder(session: Session, workflow: Workflow, node: str, port: Port, folder: Path) -> Workflow:
    """The workflow with every file of the folder that is of the port's type, by name: the node runs once for each.

    Files that cannot be read are told on stderr and left out. Raises BadRequest when none is left.
    """
    files = sorted(p for p in folder.iterdir() if p.is_file() and type_of_name(p.name).is_a(port.type))
    for link in workflow.links_into(node):
        workflow = workflow.without_link(link) if link.port == port.name else workflow
    found = False
    for file in files:
        try:
            resource = session.attach(file)
        except BadRequest as error:
            print(f"  left out: {error}", file=sys.stderr)
            continue
        link = Link(resource.name, RESOURCE_OUTPUT, node, port.name)
        workflow, found = workflow.with_resource(resource).with_link(link, many=True), True
    if not found:
        raise BadRequest(f"{folder} has no {port.type} in it that can be read.", "Choose another folder.")
    return workflow

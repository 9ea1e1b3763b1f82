"""A reply put into a port: a file by its name, a choice, a number in its range, yes or no, words."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_app.core.errors import BadRequest
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Workflow
from desktop_app.storage.resources import Resource
from nodes.api import Port, ResourceType, Tool
from nodes.phrase import Phrase


def with_reply(
    workflow: Workflow,
    tools: Mapping[str, Tool],
    node: str,
    port_name: str,
    text: str,
    resources: Mapping[str, Resource],
) -> Workflow:
    """The workflow with the reply in the port: a resource's name links it, else the text is read as a literal.

    Raises BadRequest when the text is not a value of the port.
    """
    port = tools[workflow.node(node).tool].input(port_name)
    if port is None:
        raise BadRequest(Phrase("{tool} has no input '{name}'.", tool=node, name=port_name), "")
    resource = resources.get(text)
    if resource is not None and resource.fits(port.type):
        link = Link(resource.name, RESOURCE_OUTPUT, node, port_name)
        return workflow.with_resource(resource).with_link(link, port.many)
    return workflow.with_value(node, port_name, literal(port, text))


def literal(port: Port, text: str) -> object:
    """The text as a value of the port. Raises BadRequest that says what fits."""
    if port.choices and text not in port.choices:
        near = next((c for c in port.choices if c.lower() == text.strip().lower()), None)
        if near is None:
            raise BadRequest(
                Phrase("'{text}' is none of the choices of {port}.", text=text, port=Phrase(port.name, "ports")),
                Phrase("Choose: {names}.", names=", ".join(port.choices)),
            )
        return near
    if port.type is ResourceType.NUMBER:
        return _number(port, text)
    if port.type is ResourceType.FLAG:
        lowered = text.strip().lower()
        if lowered not in ("true", "yes", "on", "1", "false", "no", "off", "0"):
            raise BadRequest(
                Phrase("'{text}' is neither yes nor no for {port}.", text=text, port=Phrase(port.name, "ports")),
                "Write yes or no.",
            )
        return lowered in ("true", "yes", "on", "1")
    if port.type in (ResourceType.TEXT, ResourceType.URL, ResourceType.HTML):
        return text
    raise BadRequest(
        Phrase(
            "'{text}' cannot be {port}: it needs a file of type {type}.",
            text=text,
            port=Phrase(port.name, "ports"),
            type=Phrase(port.type, "types"),
        ),
        "Attach such a file.",
    )


def _number(port: Port, text: str) -> float | int:
    try:
        value = float(text.replace(",", ".")) if not port.integer else int(text)
        if not abs(value) < 2**63:  # which NaN is not either
            raise ValueError("it is too large")
    except ValueError as error:
        raise BadRequest(
            Phrase("'{text}' is no number, and {port} needs one.", text=text[:60], port=Phrase(port.name, "ports")),
            "Write it in digits.",
        ) from error
    low, high = port.minimum, port.maximum
    if (low is not None and value < low) or (high is not None and value > high):
        ends = {"low": low if low is not None else "...", "high": high if high is not None else "..."}
        raise BadRequest(
            Phrase("{value} is out of range for {port}.", value=f"{value:g}", port=Phrase(port.name, "ports")),
            Phrase("It goes from {low} to {high}{unit}.", unit=f" {port.unit}" if port.unit else "", **ends),
        )
    return value

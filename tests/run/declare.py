"""How toy tools are declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nodes.api import Port, tool


def toy(id: str, inputs: tuple[Port, ...], outputs: tuple[Port, ...], **facts: Any) -> Callable[..., Any]:
    """A tool of that id for tests."""
    return tool(
        id=id, title=id.replace("_", " ").capitalize(), domain="text", description="For tests.", inputs=inputs,
        outputs=outputs, **facts,
    )  # fmt: skip

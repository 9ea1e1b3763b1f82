"""Our prompts: resources/prompts/*.md, each with a header that names its variables, written as {{name}}."""

from __future__ import annotations

import re
from functools import cache

from desktop_app.core.paths import RESOURCES

_HEADER = re.compile(r"\A---\nvariables: *(?P<names>[^\n]*)\n---\n", re.DOTALL)


def prompt(name: str, **values: str) -> str:
    """The prompt with its variables filled. Raises ValueError when the values are not what the header names."""
    names, body = _read(name)
    if set(values) != set(names):
        raise ValueError(f"prompt '{name}' takes {sorted(names)}, not {sorted(values)}")
    return re.sub(r"{{(\w+)}}", lambda match: values[match[1]], body)


@cache
def _read(name: str) -> tuple[tuple[str, ...], str]:
    text = (RESOURCES / "prompts" / f"{name}.md").read_text("utf-8")
    header = _HEADER.match(text)
    if header is None:
        raise ValueError(f"prompt '{name}' has no header")
    return tuple(n.strip() for n in header["names"].split(",") if n.strip()), text[header.end() :].strip()

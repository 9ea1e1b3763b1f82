"""The map of the code in the README, from the first line of each room; `python -m tests.code_map` writes it anew."""

from __future__ import annotations

import ast
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
README = PROJECT / "README.md"
BEGIN, END = "<!-- map: python -m tests.code_map -->\n", "<!-- end of map -->\n"
_TOOLS = "the tools, one file each; api.py is all that a tool imports"
_ELSEWHERE = {
    "resources": "prompts, lexicon, icons, fonts, examples, the guide",
    "installers": "bootstrap.py, lock files",
    "tests": "mirrors the source; benchmarks/",
}


def code_map() -> str:
    """A line for each room, of the application and of what tools share, in a block of Markdown."""
    lines = [
        *_rooms(PROJECT / "desktop_app"), _line("nodes", _TOOLS), *_rooms(PROJECT / "nodes" / "_support"),
        *(_line(name, about) for name, about in _ELSEWHERE.items()),
    ]  # fmt: skip
    return "\n".join(["```", *lines, "```", ""])


def _rooms(top: Path) -> list[str]:
    """A line for each of its folders, each before those in it."""
    rooms = sorted(path.parent for path in top.rglob("__init__.py"))
    return [_line("  " * (len(room.relative_to(PROJECT).parts) - 1) + room.name, _about(room)) for room in rooms]


def _line(name: str, about: str) -> str:
    return f"{name + '/':<26}{about}"


def _about(room: Path) -> str:
    text = ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8"))) or ""
    return text.partition("\n")[0]


def written() -> str:
    """The map as it stands in the README."""
    return README.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    text = README.read_text("utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    README.write_text(f"{before}{BEGIN}{code_map()}{END}{after}", "utf-8")


if __name__ == "__main__":
    main()

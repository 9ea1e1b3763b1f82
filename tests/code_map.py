"""The map of the code in the README, from the first line of each room; `python -m tests.code_map` writes it anew."""

from __future__ import annotations

import ast
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
README = PROJECT / "README.md"
BEGIN, END = "<!-- map: python -m tests.code_map -->\n", "<!-- end of map -->\n"
_ELSEWHERE = {
    "nodes": "the tools, one file each; api.py is all that a tool imports",
    "resources": "prompts, lexicon, icons, fonts, examples, the guide",
    "installers": "bootstrap.py, lock files",
    "tests": "mirrors the source; benchmarks/",
}


def rooms() -> list[Path]:
    """The folders of the application, each before those in it."""
    return sorted(path.parent for path in (PROJECT / "desktop_app").rglob("__init__.py"))


def code_map() -> str:
    """A line for each room, in a block of Markdown."""
    lines = [
        f"{'  ' * (len(room.relative_to(PROJECT).parts) - 1) + room.name + '/':<26}{_about(room)}" for room in rooms()
    ]
    lines += [f"{name + '/':<26}{about}" for name, about in _ELSEWHERE.items()]
    return "\n".join(["```", *lines, "```", ""])


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

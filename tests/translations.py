"""Lists what the program says in English and what of it has no Chinese: `python -m tests.translations`.

The window's strings, the chat's sentences, and all that tools declare have to be there (tests/test_translations.py);
of the messages of errors those without are listed with --messages.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from desktop_app.wording import CATALOGUES
from nodes import load_tools

ROOT = Path(__file__).resolve().parent.parent
ERRORS = {
    "AppError", "BadRequest", "BadWorkflow", "BadReply", "StorageError", "NodeError", "LaneLost", "NoSolution",
    "DownloadFailed", "Fault", "Finding",
}  # fmt: skip
TOLD_TO_PROGRAMS = ("desktop_app/commands", "desktop_app/plan", "desktop_app/llm/repair.py", "desktop_app/scripting.py")
"""Read on a command line or by a language model, in English."""
PLACE = re.compile(r"\{(\w*)(?::[^{}]*)?\}")


def catalogue() -> dict[str, dict[str, str]]:
    """The Chinese catalogue, by section."""
    return json.loads((CATALOGUES / "zh.json").read_text("utf-8"))


def window_strings() -> dict[str, str]:
    """What the window says through `tr` and `translate`, with the file that says it."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "desktop_app" / "ui").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        tables = _tables(tree)
        for call in _calls(tree):
            if _name(call) in ("tr", "translate") and call.args:
                for text in _texts(call.args[-1] if _name(call) == "translate" else call.args[0], tables):
                    found.setdefault(text, str(path.relative_to(ROOT)))
    return found


def said_strings() -> dict[str, str]:
    """What the parts below the window say through `wording.say`, with the file that says it."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "desktop_app").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        tables = _tables(tree)
        for call in _calls(tree):
            of = call.func.value if isinstance(call.func, ast.Attribute) else None
            if _name(call) == "say" and isinstance(of, ast.Name) and of.id == "wording":
                for text in _texts(call.args[0], tables):
                    found.setdefault(text, str(path.relative_to(ROOT)))
    return found


def tool_strings() -> dict[str, dict[str, str]]:
    """By section of the catalogue, what tools declare, each with the tool that declares it."""
    found: dict[str, dict[str, str]] = {
        name: {} for name in ("tools", "descriptions", "words", "ports", "docs", "choices", "backends")
    }
    for tool in load_tools().tools.values():
        found["tools"].setdefault(tool.title, tool.id)
        found["descriptions"].setdefault(tool.description, tool.id)
        found["words"].setdefault(tool.id, tool.id)
        for port in (*tool.inputs, *tool.outputs):
            found["ports"].setdefault(port.name, tool.id)
            found["docs"].setdefault(port.doc, tool.id)
            for choice in port.choices:
                found["choices"].setdefault(choice, tool.id)
        for backend in tool.backends:
            found["backends"].setdefault(backend.title, tool.id)
    return found


def message_strings() -> dict[str, str]:
    """What errors say, with `{}` for what varies; those for command lines and for language models left out."""
    found: dict[str, str] = {}
    for folder in ("desktop_app", "nodes"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            if where.startswith(TOLD_TO_PROGRAMS):
                continue
            for call in _calls(ast.parse(path.read_text("utf-8"))):
                if _name(call) in ERRORS:
                    for argument in call.args:
                        for text in _texts(argument, {}):
                            if " " in text.strip() and re.search("[A-Za-z]{2}", PLACE.sub("", text)):
                                found.setdefault(text, where)
    return found


def missing() -> dict[str, dict[str, str]]:
    """By section, what has no Chinese and has to, with where it is from."""
    have = catalogue()
    wanted = {"window": window_strings(), "sentences": said_strings(), **tool_strings()}
    return {
        section: lacking
        for section, texts in wanted.items()
        if (lacking := {text: where for text, where in texts.items() if not have.get(section, {}).get(text)})
    }


def stale() -> dict[str, list[str]]:
    """By section, what the catalogue holds and nobody says any more."""
    wanted: dict[str, Mapping[str, str]] = {"window": window_strings(), "sentences": said_strings(), **tool_strings()}
    have = catalogue()
    return {section: gone for section, texts in wanted.items() if (gone := sorted(set(have[section]) - set(texts)))}


def places(text: str) -> list[str]:
    """The names of the places for values, sorted; numbers count as empty."""
    return sorted("" if name.isdigit() else name for name in PLACE.findall(text))


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _tables(tree: ast.Module) -> dict[str, list[str]]:
    """Strings kept in module-level dictionaries and constants, by the name of these."""
    found: dict[str, list[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            held = node.value.values if isinstance(node.value, ast.Dict) else [node.value]
            if isinstance(target, ast.Name):
                found[target.id] = [text for value in held for text in _texts(value, {})]
    return found


def _texts(node: ast.expr | None, tables: Mapping[str, list[str]]) -> list[str]:
    """The strings that an expression can come to, as far as they are written in it or in a table of the module."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values)]
    if isinstance(node, ast.IfExp):
        return _texts(node.body, tables) + _texts(node.orelse, tables)
    if isinstance(node, ast.Subscript) or (isinstance(node, ast.Call) and _name(node) == "get"):
        of = node.value if isinstance(node, ast.Subscript) else getattr(node.func, "value", None)
        return tables.get(of.id, []) if isinstance(of, ast.Name) else _texts(of, tables) if isinstance(of, ast.Dict) else []
    if isinstance(node, ast.Dict):
        return [text for value in node.values for text in _texts(value, tables)]
    if isinstance(node, ast.Name):
        return tables.get(node.id, [])
    return []


def main() -> int:
    """Prints what is missing, one string a line; 1 when something has to be added."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", action="store_true", help="list messages of errors without Chinese too")
    parser.add_argument("--stale", action="store_true", help="list what nobody says any more")
    chosen = parser.parse_args()
    lacking = missing()
    have = catalogue()["messages"]
    if chosen.messages:
        lacking["messages"] = {text: where for text, where in message_strings().items() if text not in have}
    for section, texts in lacking.items():
        for text, where in texts.items():
            print(f"{section}\t{where}\t{json.dumps(text, ensure_ascii=False)}")
    if chosen.stale:
        for section, gone in stale().items():
            for text in gone:
                print(f"stale {section}\t{json.dumps(text, ensure_ascii=False)}")
    return 1 if lacking else 0


if __name__ == "__main__":
    raise SystemExit(main())

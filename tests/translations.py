"""Lists what the program says in English and what of it has no Chinese: `python -m tests.translations`.

The window's strings, the chat's sentences, the templates of messages, and all that tools declare have to be there
(test_translations.py). What is said is read out of the source.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from desktop_app.i18n.catalogue import sections_of
from desktop_app.plan.language.lexicon import lexicon
from nodes import load_tools
from nodes.api import ResourceType

ROOT = Path(__file__).resolve().parent.parent
_ERROR = ((0, "message"), (1, "fix"))
MESSAGES: dict[str, tuple[tuple[int | None, str], ...]] = {
    **dict.fromkeys(("AppError", "BadRequest", "BadWorkflow", "BadReply", "ReplyCutShort"), _ERROR),
    **dict.fromkeys(("TransferCutShort", "StorageError", "DownloadFailed", "_error"), _ERROR),
    **dict.fromkeys(("NodeError", "Fault"), ((0, "message"), (2, "fix"))),
    "Diagnosis": ((1, "text"), (3, "fix")), "progress": ((1, "note"),), "on_no_lane": ((1, "reason"),),
    "tell": ((0, "note"),),
    "Question": ((0, "text"),), "Plan": ((None, "causes"), (None, "notice")), "Ranked": ((2, "says"),),
    "Unreadable": ((0, "message"),), "_set_busy": ((0, "busy"),), "run_program": ((4, "fix"),),
}  # fmt: skip
"""The arguments that are messages, by what is called: place and name."""
SAYING = frozenset({*MESSAGES, "Phrase", "of", "joined", "say", "tr", "translate"})
"""The names of what is called to say something."""
TOLD_TO_PROGRAMS = (
    "desktop_app/cli",
    "desktop_app/plan/llm",
    "desktop_app/plan/modes/stepwise.py",
    "desktop_app/plan/modes/task_list.py",
    "desktop_app/plan/tools",
    "desktop_app/llm/structured_reply.py",
    "desktop_app/scripting.py",
)
"""Where errors are read on a command line or by a language model, in English."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
PLACE = re.compile(r"\{(\w*)(?::[^{}]*)?\}")


def catalogue() -> dict[str, dict[str, str]]:
    """The Chinese catalogue, by section."""
    return sections_of("zh")


@cache
def window_strings() -> dict[str, str]:
    """What the window says through `tr` and `translate`, with the file that says it."""
    facts = _arguments(
        "desktop_app/session/diagnostics.py", lambda call: _name(call) == "Diagnosis"
    )  # the window names them
    return {**_arguments("desktop_app/ui", lambda call: _name(call) in ("tr", "translate")), **facts}


def said_in(path: str) -> list[str]:
    """What that module of the window says through `tr` and `translate`."""
    return [*_arguments(path, lambda call: _name(call) in ("tr", "translate"))]


@cache
def said_strings() -> dict[str, str]:
    """What the parts below the window say through `wording.say`, with the file that says it."""
    return _arguments("desktop_app", lambda call: _name(call) == "say" and _holder(call) == "catalogue")


def _arguments(folder: str, says: Callable[[ast.Call], bool]) -> dict[str, str]:
    """The texts that are given to calls of a kind in a module or in those of a folder, with the file of each."""
    found: dict[str, str] = {}
    for path, call, names, _ in _spoken():
        if (path == folder or path.startswith(f"{folder}/")) and says(call) and call.args:
            given = call.args[-1] if _name(call) == "translate" else call.args[0]
            for text in filter(None, _texts(given, names)):
                found.setdefault(text, path)
    return found


@cache
def tool_strings() -> dict[str, dict[str, str]]:
    """By section of the catalogue, what tools declare, each with the tool that declares it."""
    found: dict[str, dict[str, str]] = {
        name: {} for name in ("tools", "domains", "descriptions", "words", "ports", "docs", "choices", "backends")
    }
    for tool in load_tools().tools.values():
        found["tools"].setdefault(tool.title, tool.id)
        found["domains"].setdefault(tool.domain, tool.id)
        found["descriptions"].setdefault(tool.description, tool.id)
        found["words"].setdefault(tool.id, tool.id)
        for port in (*tool.inputs, *tool.outputs):
            found["ports"].setdefault(port.name, tool.id)
            for text in filter(None, (port.doc, port.question)):
                found["docs"].setdefault(text, tool.id)
            for choice in port.choices:
                found["choices"].setdefault(choice, tool.id)
        for backend in (b for b in tool.backends if not b.model):  # a model's title is its name
            found["backends"].setdefault(backend.title, tool.id)
    return found


def port_questions() -> set[str]:
    """What is asked where a tool lacks a value."""
    return {port.question for tool in load_tools().tools.values() for port in tool.inputs if port.question}


@cache
def message_strings() -> dict[str, str]:
    """The templates of phrases, and the sentences that errors, notes and questions consist of, with where they are
    said; those for command lines and for language models left out.
    """
    found = {wish.refusal: "resources/lexicon" for wish in lexicon().firm.values()}
    for path, call, names, _ in _spoken():
        for argument in _said_in(call, path):
            for text in _texts(argument, names):
                if re.search("[A-Za-z]{2}", text):
                    found.setdefault(text, path)
    return found


def built_strings() -> dict[str, str]:
    """Where a message is put together as text, so that it could not be translated any more: by file and line."""
    found: dict[str, str] = {}
    for path, call, _, names in _spoken():
        for argument in _said_in(call, path):
            if any("\0" in text for text in _texts(argument, names, built="\0")):
                found[f"{path}:{argument.lineno}"] = ast.unparse(argument)
    return found


@cache
def _spoken() -> list[tuple[str, ast.Call, Mapping[str, list[str]], Mapping[str, list[str]]]]:
    """Each call of the program that can say something: its file, and what names stand for where it is, without and with
    what is put together. Read once.
    """
    return [
        (path.relative_to(ROOT).as_posix(), call, names, built)
        for folder in ("desktop_app", "nodes")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for call, names, built in _calls_with_names(ast.parse(path.read_text("utf-8")))
    ]


def _said_in(call: ast.Call, path: str) -> list[ast.expr]:
    """The arguments of a call in that file that are messages."""
    name = _name(call)
    if name == "Phrase" or (name == "of" and _holder(call) == "Phrase"):
        section = call.args[1] if len(call.args) > 1 else None
        return call.args[:1] if section is None else []
    if name == "joined":
        return [argument for argument in call.args if not isinstance(argument, ast.Starred)]
    places = MESSAGES.get(name, ()) if not path.startswith(TOLD_TO_PROGRAMS) else ()
    keys = {key.arg: key.value for key in call.keywords}
    at = [call.args[place] for place, key in places if isinstance(place, int) and place < len(call.args)]
    return at + [keys[key] for _, key in places if key in keys]


def missing() -> dict[str, dict[str, str]]:
    """By section, what has no Chinese and has to, with where it is from."""
    have = catalogue()
    found = {
        section: {text: where for text, where in texts.items() if not have.get(section, {}).get(text)}
        for section, texts in _wanted().items()
    }
    found["messages"] = {
        text: where for text, where in found["messages"].items()
        if not any(text in have[section] for section in ("sentences", "window"))
    }  # fmt: skip
    return {section: lacking for section, lacking in found.items() if lacking}


def _wanted() -> dict[str, dict[str, str]]:
    """By section, all that is said, with where it is from."""
    said = {"window": window_strings(), "sentences": said_strings(), "messages": message_strings()}
    return {**said, "types": {str(type): "nodes/api.py" for type in ResourceType}, **tool_strings()}


def stale() -> dict[str, list[str]]:
    """By section, what the catalogue holds and nobody says any more."""
    wanted, have = _wanted(), catalogue()
    also = {"sentences": wanted["messages"], "window": wanted["messages"]}
    return {
        section: gone
        for section, texts in wanted.items()
        if (gone := sorted(text for text in set(have[section]) - {*texts, *also.get(section, ())} if text.strip(" ,;")))
    }


def places(text: str) -> list[str]:
    """The names of the places for values, sorted; numbers count as empty."""
    return sorted("" if name.isdigit() else name for name in PLACE.findall(text))


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _holder(call: ast.Call) -> str:
    """The name before the dot."""
    return getattr(call.func.value, "id", "") if isinstance(call.func, ast.Attribute) else ""


def _calls_with_names(tree: ast.Module) -> Iterator[tuple[ast.Call, Mapping[str, list[str]], Mapping[str, list[str]]]]:
    """Each call that can say something, with the strings that names can stand for where it is: those of the module and
    of its function; and the same with "\\0" for what is put together.
    """
    saying = _saying(tree)
    modules = {mark: _module_names(tree, mark) for mark in ("", "\0") if saying}
    for function, calls in saying.items():
        body = [] if function is None else function.body
        plain, built = ({**names, **_named(body, mark)} for mark, names in modules.items())
        yield from ((call, plain, built) for call in calls)


def _saying(tree: ast.Module) -> dict[_Function | None, list[ast.Call]]:
    """The calls that can say something, by the outermost function that they are in."""
    found: dict[_Function | None, list[ast.Call]] = {}
    waiting: list[tuple[ast.AST, _Function | None]] = [(tree, None)]
    while waiting:
        node, function = waiting.pop()
        if isinstance(node, ast.Call) and _name(node) in SAYING:
            found.setdefault(function, []).append(node)
        if function is None and isinstance(node, _Function):
            function = node
        waiting.extend((inner, function) for inner in ast.iter_child_nodes(node))
    return found


def _module_names(tree: ast.Module, mark: str) -> dict[str, list[str]]:
    """The strings that names of the module can stand for."""
    names = _named([top for top in tree.body if isinstance(top, ast.Assign | ast.AnnAssign)], mark)
    return names | {f.name: _returned(f, names, mark) for f in tree.body if isinstance(f, ast.FunctionDef)}


def _returned(function: ast.FunctionDef, names: Mapping[str, list[str]], built: str) -> list[str]:
    """The strings that a function can return."""
    known = {**names, **_named(function.body, built)}
    returns = (node.value for node in ast.walk(function) if isinstance(node, ast.Return))
    return [text for value in returns for text in _texts(value, known, built)]


def _named(body: Sequence[ast.stmt], built: str = "") -> dict[str, list[str]]:
    """The strings, by name, that statements assign as they stand, also within dictionaries."""
    found: dict[str, list[str]] = {}
    for top in body:
        for node in ast.walk(top):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).extend(_texts(node.value, {}, built))
    return found


def _texts(node: ast.expr | None, tables: Mapping[str, list[str]], built: str = "") -> list[str]:
    """The strings that an expression can come to, as far as they are written in it or in a table of the module.

    `built` stands for those that are put together.
    """
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.JoinedStr):
        return [built] if built else []
    if isinstance(node, ast.BinOp) or (isinstance(node, ast.Call) and _name(node) == "format"):
        return [built] if built else []
    if isinstance(node, ast.IfExp):
        return _texts(node.body, tables, built) + _texts(node.orelse, tables, built)
    if isinstance(node, ast.BoolOp):
        return [text for value in node.values for text in _texts(value, tables, built)]
    if isinstance(node, ast.Subscript) or (isinstance(node, ast.Call) and _name(node) == "get"):
        of = node.value if isinstance(node, ast.Subscript) else getattr(node.func, "value", None)
        return _texts(of, tables, built)
    if isinstance(node, ast.Dict | ast.Tuple | ast.List):
        held = node.values if isinstance(node, ast.Dict) else node.elts
        return [text for value in held for text in _texts(value, tables, built)]
    called = node.func if isinstance(node, ast.Call) else node
    return tables.get(called.id, []) if isinstance(called, ast.Name) else []


def main() -> int:
    """Prints what is missing, one string a line; 1 when something has to be added."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stale", action="store_true", help="list what nobody says any more")
    chosen = parser.parse_args()
    lacking = missing()
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

"""The commands: ask, plan, run, tools, models, mcp, doctor, demo; without one, the window.

Exit codes are a contract: 0 every wanted output was made, 2 bad request or argument, 3 input is missing, 4 a node
failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import inspect
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from desktop_app import __version__
from desktop_app.cli import exit_codes, models
from desktop_app.core.errors import AppError
from desktop_app.core.paths import place
from nodes.catalogue import OWN

_YES = (
    "let tools reach outside this computer, also to addresses that you did not write, fetch the models they need, "
    "and run for as long as it takes"
)


def main(arguments: list[str] | None = None) -> int:
    options = command_line().parse_args(arguments)
    os.environ.setdefault(OWN, str(place() / "models.toml"))
    try:
        return options.command(options)
    except AppError as error:
        print(f"graphwright: {error.message}", file=sys.stderr)
        if error.fix:
            print(f"  {error.fix}", file=sys.stderr)
        return exit_codes.BAD
    except KeyboardInterrupt:
        print("Interrupted; finished results are kept.", file=sys.stderr)
        return exit_codes.INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return exit_codes.OK


def command_line() -> argparse.ArgumentParser:
    """What the commands take."""
    parser = argparse.ArgumentParser(
        prog="graphwright", description="Turns a request into a graph of tools, runs it, and answers from the results."
    )
    parser.add_argument("--version", action="version", version=f"graphwright {__version__}")
    parser.set_defaults(command=_window)
    commands = parser.add_subparsers(title="commands", metavar="")
    for name, (about, arguments) in _COMMANDS.items():
        made = commands.add_parser(name, help=about)
        made.set_defaults(command=partial(_command, name))
        for option, how in arguments.items():
            made.add_argument(option, **how)
        if name == "tools":  # where it stands in the help
            models.add_parser(commands)
    return parser


_FILES: dict[str, Any] = {"action": "append", "default": [], "metavar": "FILE", "type": Path}
_OUT: dict[str, Any] = {"type": Path, "metavar": "DIR", "help": "folder for the results"}
_JSON: dict[str, Any] = {"action": "store_true", "help": "print one JSON object"}
_AGREED: dict[str, Any] = {"action": "store_true", "help": _YES}
_COMMANDS: dict[str, tuple[str, dict[str, dict[str, Any]]]] = {
    "ask": ("plan, run and answer without a window", {
        "request": {"help": "what you want, in words"},
        "--attach": {**_FILES, "help": "a file or a folder to work on"},
        "--point": {"action": "append", "default": [], "metavar": "NAME=X,Y", "help": "a click on an attached picture"},
        "--choose": {"type": int, "default": 1, "metavar": "N",
                     "help": "take the Nth alternative (default 1, the best)"},
        "--then": {"action": "append", "default": [], "metavar": "TEXT", "help": "say this after it, as in the chat"},
        "--out": _OUT, "--json": _JSON, "--yes": _AGREED,
    }),
    "plan": ("alternatives, best first, without running", {
        "request": {"nargs": "?", "help": "what you want, in words"},
        "--attach": _FILES, "--json": _JSON,
        "--mode": {"choices": ("solutions", "task list", "pipeline"),
                   "help": "plan with the language model of the settings, in this way"},
        "--requests": {"type": Path, "metavar": "FILE.jsonl", "help": "many requests, one JSON object a line"},
        "--toolbox": {"type": Path, "metavar": "FILE.json", "help": "plan over these tools instead"},
        "--output": {"type": Path, "metavar": "FILE.jsonl", "help": "where the plans of --requests go"},
    }),
    "run": ("run a saved workflow", {
        "workflow": {"type": Path, "metavar": "WORKFLOW.json"},
        "--set": {"action": "append", "default": [], "metavar": "NODE.PORT=VALUE",
                  "help": "a value or a file for a port"},
        "--out": _OUT, "--json": _JSON, "--yes": _AGREED,
        "--outside-files": {"action": "store_true",
                            "help": "read also files that the workflow names outside its folder"},
    }),
    "tools": ("every tool with ports and back ends", {"--json": _JSON}),
    "mcp": ("serve plan, run and tools to other programs (Model Context Protocol, stdio)", {
        "--folder": {"type": Path, "default": Path(), "metavar": "DIR", "help": "whose files may be worked on (here)"},
        "--yes": _AGREED,
    }),
    "doctor": ("what works here, and what to do about what does not", {}),
    "demo": ("run three bundled example requests without a window", {}),
}  # fmt: skip
"""By name, what stands in the help, and the arguments. Each is run by `run` of the module of that name here."""


def _window(_: argparse.Namespace) -> int:
    from desktop_app.app import open_window

    return open_window()


def _command(name: str, options: argparse.Namespace) -> int:
    """Its module is imported only now: a command starts without what the others need."""
    done = importlib.import_module(f"desktop_app.cli.{name}").run(options)
    return asyncio.run(done) if inspect.iscoroutine(done) else done

"""The commands: ask, plan, run, tools, models, mcp, doctor, demo; without one, the window.

Exit codes are a contract: 0 every wanted output was made, 2 bad request or argument, 3 input is missing, 4 a node
failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path

from desktop_app import __version__
from desktop_app.cli import exit_codes, models
from desktop_app.core.errors import AppError
from desktop_app.core.paths import place
from nodes.catalogue import OWN

_YES = "let tools reach outside this computer, also to addresses that you did not write, and fetch the models they need"


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    options = _parser().parse_args(arguments)
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="graphwright", description="Turns a request into a graph of tools, runs it, and answers from the results."
    )
    parser.add_argument("--version", action="version", version=f"graphwright {__version__}")
    parser.set_defaults(command=_window)
    commands = parser.add_subparsers(title="commands", metavar="")

    ask = commands.add_parser("ask", help="plan, run and answer without a window")
    ask.add_argument("request", help="what you want, in words")
    ask.add_argument("--attach", action="append", default=[], metavar="FILE", type=Path, help="a file to work on")
    ask.add_argument("--point", action="append", default=[], metavar="NAME=X,Y", help="a click on an attached picture")
    ask.add_argument(
        "--choose", type=int, default=1, metavar="N", help="take the Nth alternative (default 1, the best)"
    )
    ask.add_argument("--then", action="append", default=[], metavar="TEXT", help="say this after it, as in the chat")
    ask.add_argument("--out", type=Path, metavar="DIR", help="folder for the results")
    ask.add_argument("--json", action="store_true", help="print one JSON object")
    ask.add_argument("--yes", action="store_true", help=_YES)
    ask.set_defaults(command=_ask)

    plan = commands.add_parser("plan", help="alternatives, best first, without running")
    plan.add_argument("request", nargs="?", help="what you want, in words")
    plan.add_argument("--attach", action="append", default=[], metavar="FILE", type=Path)
    plan.add_argument("--json", action="store_true", help="print one JSON object")
    plan.add_argument(
        "--mode",
        choices=("solutions", "task list", "pipeline"),
        help="plan with the language model of the settings, in this way",
    )
    plan.add_argument("--requests", type=Path, metavar="FILE.jsonl", help="many requests, one JSON object a line")
    plan.add_argument("--toolbox", type=Path, metavar="FILE.json", help="plan over these tools instead")
    plan.add_argument("--output", type=Path, metavar="FILE.jsonl", help="where the plans of --requests go")
    plan.set_defaults(command=_plan)

    run = commands.add_parser("run", help="run a saved workflow")
    run.add_argument("workflow", type=Path, metavar="WORKFLOW.json")
    run.add_argument(
        "--set", action="append", default=[], metavar="NODE.PORT=VALUE", help="a value or a file for a port"
    )
    run.add_argument("--out", type=Path, metavar="DIR", help="folder for the results")
    run.add_argument("--json", action="store_true", help="print one JSON object")
    run.add_argument("--yes", action="store_true", help=_YES)
    run.add_argument(
        "--outside-files", action="store_true", help="read also files that the workflow names outside its folder"
    )
    run.set_defaults(command=_run)

    tools = commands.add_parser("tools", help="every tool with ports and back ends")
    tools.add_argument("--json", action="store_true", help="print one JSON object")
    tools.set_defaults(command=_tools)

    models.add_parser(commands)

    mcp = commands.add_parser("mcp", help="serve plan, run and tools to other programs (Model Context Protocol, stdio)")
    mcp.add_argument("--folder", type=Path, default=Path(), metavar="DIR", help="whose files may be worked on (here)")
    mcp.add_argument("--yes", action="store_true", help=_YES)
    mcp.set_defaults(command=_mcp)

    doctor = commands.add_parser("doctor", help="what works here, and what to do about what does not")
    doctor.set_defaults(command=_doctor)

    demo = commands.add_parser("demo", help="run three bundled example requests without a window")
    demo.set_defaults(command=_demo)

    return parser


def _window(_: argparse.Namespace) -> int:
    from desktop_app.app import open_window

    return open_window()


def _ask(options: argparse.Namespace) -> int:
    from desktop_app.cli import ask

    return asyncio.run(ask.run(options))


def _plan(options: argparse.Namespace) -> int:
    from desktop_app.cli import plan

    return plan.run(options)


def _run(options: argparse.Namespace) -> int:
    from desktop_app.cli import run

    return asyncio.run(run.run(options))


def _tools(options: argparse.Namespace) -> int:
    from desktop_app.cli import tools

    return tools.run(options.json)


def _mcp(options: argparse.Namespace) -> int:
    from desktop_app.cli import mcp

    return mcp.run(options)


def _doctor(_: argparse.Namespace) -> int:
    from desktop_app.cli import doctor

    return doctor.run()


def _demo(_: argparse.Namespace) -> int:
    from desktop_app.cli import demo

    return asyncio.run(demo.run())

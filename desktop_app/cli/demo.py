"""`graphwright demo`: three bundled requests, each with plan, progress and answer."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop_app.app import new_session
from desktop_app.cli import exit_codes, report
from desktop_app.cli.ask import finish
from desktop_app.storage.examples import load_examples


async def run(_: argparse.Namespace) -> int:
    """0 when all three made everything they were asked for, else 4."""
    ended = [await _one(example.request, example.files) for example in load_examples() if example.demo]
    return exit_codes.OK if not any(ended) else exit_codes.FAILED


async def _one(request: str, files: tuple[Path, ...]) -> int:
    print(f"\nRequest: {request}", flush=True)
    session = new_session()
    session.planning.planner.warm()
    try:
        names = tuple(session.attach(path).name for path in files)
        await session.ask(request, names)
        print(session.messages[-1].text, flush=True)
        if not session.alternatives or session.questions():
            return exit_codes.FAILED
        report.Progress(session)
        await session.start()
        print("Answer: ", end="")
        return finish(session, None, as_json=False)
    finally:
        await session.close()

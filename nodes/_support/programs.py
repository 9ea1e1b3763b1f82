"""Runs a program that is installed beside this one, as a process of its own. Must not know tools."""

from __future__ import annotations

import subprocess
from typing import IO

from nodes.api import NodeError, Phrase, RunContext

_POLL_SECONDS = 0.1


def run_program(
    command: list[str], said: bytes, context: RunContext, title: str, fix: str, into: IO[bytes] | None = None
) -> bytes:
    """Runs to the end, or to the user's stop, with `said` on stdin; returns its stdout, which may go `into` a file.

    Raises NodeError with the program's own words when it fails.
    """
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # only Windows has it
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=into or subprocess.PIPE, stderr=subprocess.PIPE, creationflags=hidden
    ) as process:
        try:
            made, told = _communicate(process, said, context)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        why = told.decode("utf-8", "replace").strip()[-300:] or process.returncode
        raise NodeError(Phrase("{program} failed: {why}", program=title, why=why), fix=fix)
    return made or b""


def _communicate(process: subprocess.Popen, said: bytes, context: RunContext) -> tuple[bytes, bytes]:
    """Feeds it while it watches for the user's stop; returns what came on stdout and stderr."""
    waiting: bytes | None = said
    while True:
        try:
            return process.communicate(waiting, timeout=_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            waiting = None  # the first call keeps on feeding what is left
            context.check()

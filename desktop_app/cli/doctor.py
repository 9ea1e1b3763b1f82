"""`graphwright doctor`: prints what works and what to do about what does not."""

from __future__ import annotations

import argparse

from desktop_app.cli import exit_codes
from desktop_app.core.settings import load
from desktop_app.session.diagnostics import examine
from nodes import load_tools

_SIGN = {True: "ok     ", False: "TROUBLE", None: "-      "}


def run(_: argparse.Namespace) -> int:
    """0 when nothing that is needed is missing, else 4."""
    findings = examine(load(), load_tools())
    for finding in findings:
        print(f"{_SIGN[finding.ok]} {finding.name}: {finding.text}")
        if finding.fix:
            print(f"        {finding.fix}")
    return exit_codes.FAILED if any(finding.ok is False for finding in findings) else exit_codes.OK

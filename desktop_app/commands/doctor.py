"""`graphwright doctor`: prints what works and what to do about what does not."""

from __future__ import annotations

from desktop_app.commands import codes
from desktop_app.doctor import examine
from desktop_app.settings import load
from nodes import load_tools

_SIGN = {True: "ok     ", False: "TROUBLE", None: "-      "}


def run() -> int:
    """0 when nothing that is needed is missing, else 4."""
    findings = examine(load(), load_tools())
    for finding in findings:
        print(f"{_SIGN[finding.ok]} {finding.name}: {finding.text}")
        if finding.fix:
            print(f"        {finding.fix}")
    return codes.FAILED if any(finding.ok is False for finding in findings) else codes.OK

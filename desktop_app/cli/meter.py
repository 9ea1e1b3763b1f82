"""How far a download is, in a terminal."""

from __future__ import annotations

import asyncio
import sys
import time

from desktop_app.core.errors import DownloadFailed
from desktop_app.core.values import size_of
from desktop_app.models.downloads import DONE, FAILED, INSTALLING, LOOKING, Download, Downloads
from desktop_app.session import fetching
from desktop_app.session.session import Session

_TICK_SECONDS = 0.2
_PLAIN_SECONDS = 5.0


class Meter:
    """Prints on stderr how far downloads are: one line that changes, or where nobody sees that, one now and then."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._last, self._said = 0.0, ""

    def show(self, download: Download) -> None:
        """Prints the state, at most a few times a second."""
        ended = download.state in (DONE, FAILED)
        now = time.monotonic()
        if not ended and now - self._last < (_TICK_SECONDS if self._live else _PLAIN_SECONDS):
            return
        line = _line(download)
        if line == self._said:
            return
        self._last, self._said = now, line
        start, end = ("\r", "\n" if ended else "") if self._live else ("", "\n")
        print(f"{start}{line:<100}" if self._live else line, end=end, file=sys.stderr, flush=True)


def _line(download: Download) -> str:
    if download.state == LOOKING:
        return f"  {download.title}: looking what is needed"
    if download.state == INSTALLING:
        return f"  {download.title}: installing"
    if download.state == FAILED:
        return f"  {download.title}: failed"
    percent = f"{int(download.fraction * 100)} %"
    line = f"  {download.title}: {size_of(download.done_bytes)} of {size_of(download.total_bytes)} ({percent})"
    left = download.seconds_left
    rate = f", {size_of(int(download.speed))}/s" if download.speed and left is not None else ""
    return f"{line}{rate}, {left:.0f} s left" if left is not None and download.state != DONE else line


async def watched(downloads: Downloads, ids: tuple[str, ...], quiet: bool = False) -> None:
    """Fetches these, telling how far it is unless `quiet`. Raises DownloadFailed."""
    meter = Meter()

    def show() -> None:
        for id in ids:
            if id in downloads.all and downloads.all[id].state not in ("waiting", "paused"):
                meter.show(downloads.all[id])

    if not quiet:
        downloads.listen(show)
    try:
        got = await downloads.get(ids)
    finally:
        downloads.forget(show)
    if not got:
        failed = next(one for one in downloads.all.values() if one.state == FAILED)
        raise DownloadFailed(failed.message, failed.fix)


async def fetched(session: Session) -> None:
    """Fetches what the workflow needs before it can run. Raises DownloadFailed."""
    for question in session.questions():
        if question.kind == fetching.KIND:
            print(f"Fetching first: {fetching.offered(session.workflow, session.tools)[0].names}", file=sys.stderr)
            await watched(session.downloads, tuple(question.resource.split()))
            session.look_again()
            await asyncio.sleep(0)

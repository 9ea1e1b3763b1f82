"""Replies of servers that may write without end: no line, and no whole, is kept beyond a limit.

Must not know what the replies are about.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from desktop_app.core.errors import BadReply

LINE_BYTES = 4 << 20
"""A line of a stream holds some words; a whole reply in one line has at most 100,000 characters."""
WHOLE_BYTES = 128 << 20
"""Of a stream some hundred bytes come for each word."""


async def bounded(response: Any, line_bytes: int = LINE_BYTES) -> None:
    """Puts the limits on a response of httpx whose body is still to come: a hook of its client.

    Reading then raises BadReply. Packed bodies, which can grow a thousandfold, were not asked for and stay packed.
    """
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            whole = line = 0
            async for block in self._stream:
                whole += len(block)
                end = block.rfind(b"\n")
                line = line + len(block) if end < 0 else len(block) - end - 1
                if line > line_bytes or whole > WHOLE_BYTES:
                    raise BadReply("The server writes without end, so it was cut off.", "")
                yield block

        async def aclose(self) -> None:
            await self._stream.aclose()

    response.headers.pop("content-encoding", None)
    response.stream = Bounded(response.stream)

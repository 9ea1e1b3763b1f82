"""What requests may speak of in the user's own tables: the names of the columns, and the first rows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from desktop_app.core.errors import AppError
from desktop_app.plan.revision.opened_sheets import SHEETS
from desktop_app.plan.types import Given
from desktop_app.session.asking import table_columns
from desktop_app.session.asking.table_columns import Header
from desktop_app.session.state import SessionState
from desktop_app.storage.resources import Resource
from nodes.api import NodeError, ResourceType


class ReadTables:
    """Those of a session; each is read once. `headers` are by the digests of the files."""

    def __init__(self, state: SessionState) -> None:
        self._state = state
        self.headers: dict[str, Header] = {}
        self.value_of: Callable[[Resource], Any] | None = None
        """Reads a file; where it is None nothing is known of any table."""

    async def read(self) -> None:
        """Reads those that are new."""
        value_of = self.value_of
        if value_of is None:
            return
        for one in tuple(self._state.resources.values()):
            is_table = one.type is ResourceType.TABLE or one.name.lower().endswith(SHEETS)
            if is_table and not one.made_by and not one.files and one.digest not in self.headers:
                try:
                    self.headers[one.digest] = await asyncio.to_thread(lambda one=one: Header.of(value_of(one)))
                except (AppError, NodeError, AttributeError, ValueError):
                    self.headers[one.digest] = Header()  # the run says what is wrong with it

    def with_rows(self, files: Iterable[Given]) -> tuple[Given, ...]:
        """With the beginnings of the tables that were read."""
        headers = ((one, self._header(self._state.resources.get(one.name))) for one in files)
        return tuple(
            replace(one, rows=header.first) if header is not None and header.names else one for one, header in headers
        )

    def _header(self, one: Resource | None) -> Header | None:
        if one is None or not one.made_by:
            return None if one is None else self.headers.get(one.digest)
        is_table = one.type is ResourceType.TABLE
        own = self._state.workflow, self._state.tools, self.headers
        return table_columns.header_of_result(*own, one.made_by) if is_table else None

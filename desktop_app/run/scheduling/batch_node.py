"""A node that runs once for each of several items: what became of each, and what that makes of the node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from desktop_app.core.values import several
from desktop_app.run.backends.selection import Fault
from desktop_app.run.cache.cache_keys import Linked
from desktop_app.run.scheduling.inputs import Row
from desktop_app.run.scheduling.job import Batch, item_id
from desktop_app.run.workers import notices
from desktop_app.storage.resources import Resource
from nodes.api import Port
from nodes.phrase import Phrase, joined, listed, unstopped

_NAMED = 3  # chosen: so many failed items are named, the others counted


@dataclass(frozen=True)
class Finished:
    """A fan that ended well: `outputs` as the user sees them, `rows` with None where an item is missing."""

    outputs: dict[str, Linked]
    rows: dict[str, Row]
    failed: tuple[tuple[str, str], ...]
    notice: str


class BatchNode:
    """The items of a batch, by index. `halted` is true once the node was told to stop: no more items are begun."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.count = batch.inputs.count
        self.halted = False
        self.queued = False
        self.started = False
        self.computed = False
        self._made: dict[int, Mapping[str, Linked]] = {}
        self._faults: dict[int, Fault] = {}
        self._missing: set[int] = set()
        self._left_out: set[int] = set()
        self._begun: set[int] = set()
        self._going: set[int] = set()
        self._fractions: dict[int, float] = {}

    @property
    def over(self) -> bool:
        return self._ended_count == self.count

    @property
    def stopped_whole(self) -> bool:
        """True when the user stopped every item one by one."""
        return self.count > 0 and len(self._left_out) == self.count

    def is_open(self, index: int) -> bool:
        return 0 <= index < self.count and not any(
            index in ended for ended in (self._made, self._faults, self._missing)
        )

    @property
    def open_jobs(self) -> list[str]:
        return [item_id(self.batch.node.id, index) for index in sorted(self._begun)]

    @property
    def fraction(self) -> float:
        """The mean of all items, 0..1."""
        return (self._ended_count + sum(self._fractions.values())) / max(1, self.count)

    @property
    def note(self) -> str:
        """ "3 of 5, 1 failed": how many have ended, and how."""
        ended, total, failed = self._ended_count, self.count, len(self._faults)
        if not failed:
            return Phrase("{n} of {total}", n=ended, total=total)
        return Phrase("{n} of {total}, {failed} failed", n=ended, total=total, failed=failed)

    @property
    def _ended_count(self) -> int:
        return len(self._made) + len(self._faults) + len(self._missing)

    def begin(self, index: int) -> None:
        self._begun.add(index)

    @property
    def going(self) -> tuple[tuple[int, str], ...]:
        """The items that a lane works on, as (index, name), in order."""
        return tuple((index, self.batch.inputs.name(index)) for index in sorted(self._going))

    def start(self, index: int) -> None:
        self._going.add(index)

    def progress(self, index: int, fraction: float) -> None:
        self._fractions[index] = fraction

    def done(self, index: int, outputs: Mapping[str, Linked]) -> None:
        """An item has its result: by output port what it made. Their texts are made now, one by one."""
        self._ended(index)
        for value in outputs.values():
            for made in several(value):
                _ = made.text
        self._made[index] = outputs

    def fail(self, index: int, fault: Fault) -> None:
        self._ended(index)
        self._faults[index] = fault

    def miss(self, index: int) -> None:
        """The input of an item is missing, as it failed before."""
        self._missing.add(index)

    def stopped(self, index: int) -> None:
        self._ended(index)

    def leave_out(self, index: int) -> None:
        self._left_out.add(index)
        self.fail(index, Fault("It was stopped.", "", "Run again to get it too."))

    def result(self) -> Finished | Fault:
        if self.count and not self._made:
            return self._all_failed()
        rows = {port.name: tuple(self._row(port)) for port in self.batch.tool.outputs}
        outputs: dict[str, Linked] = {name: tuple(v for v in row if v is not None) for name, row in rows.items()}
        return Finished(outputs, rows, self.failed, self._notice())

    def _row(self, port: Port) -> Iterator[Resource | None]:
        for index in range(self.count):
            value = self._made[index][port.name] if index in self._made else None
            if isinstance(value, tuple):
                yield from value
            elif value is not None or not port.many:
                yield value

    @property
    def failed(self) -> tuple[tuple[str, str], ...]:
        """The items that failed, as (name, message), in order."""
        return tuple((self.batch.inputs.name(i), self._faults[i].message) for i in sorted(self._faults))

    def _all_failed(self) -> Fault:
        if not self._faults:
            said = Phrase(
                "{tool} has nothing to work on: everything that it was to get failed before.",
                tool=Phrase(self.batch.tool.title, "tools"),
            )
            return Fault(said, "", "See what failed, and run again.")
        first = self._faults[min(self._faults)]
        if self.count == 1:
            return first
        same = {fault.message for fault in self._faults.values()} == {first.message}
        told = first.message if same else _listed(self.failed)
        if self._missing:
            said = Phrase(
                "{n} of {total} failed, and the others failed before: {told}",
                n=len(self._faults),
                total=self.count,
                told=told,
            )
        else:
            said = Phrase("All {total} failed: {told}", total=self.count, told=told)
        return replace(first, message=said)

    def _notice(self) -> str:
        said = [self.batch.choice.notice, *self._told()]
        if not self.count:
            said.append(Phrase("There was nothing to work on."))
        if self._faults:
            told = _listed(self.failed)
            said.append(Phrase("{n} of {total} failed: {told}", n=len(self._faults), total=self.count, told=told))
        if self._missing:
            left = len(self._missing)
            said.append(Phrase("{n} of {total} left out, as they failed before.", n=left, total=self.count))
        return joined(*said)

    def _told(self) -> list[str]:
        """What the tool told of its results, and of how many where not of all."""
        told = Counter(text for made in self._made.values() if (text := notices.found(made)))
        return [
            text if n == self.count else Phrase("{n} of {total}: {told}", n=n, total=self.count, told=text)
            for text, n in told.most_common(_NAMED)
        ]

    def _ended(self, index: int) -> None:
        self._begun.discard(index)
        self._going.discard(index)
        self._fractions.pop(index, None)


def _listed(failed: tuple[tuple[str, str], ...]) -> str:
    told = [Phrase("{name}: {message}", name=name, message=unstopped(message)) for name, message in failed[:_NAMED]]
    more = len(failed) - _NAMED
    all_ = listed(told, "; ")
    return Phrase("{failures}; and {n} more.", failures=all_, n=more) if more > 0 else Phrase("{all}.", all=all_)

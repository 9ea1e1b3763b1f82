"""What may run when: the graph of a run as it empties. Pure bookkeeping; knows no lanes, files or time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


class Schedule:
    """Nodes that wait for others, become ready, and settle: done, or dropped with everything downstream.

    `order` has each node after what feeds it; `links` are (source, target) pairs among them.
    """

    def __init__(self, order: Sequence[str], links: Iterable[tuple[str, str]]) -> None:
        self.order = tuple(order)
        self._targets: dict[str, list[str]] = {node: [] for node in order}
        self._needs = dict.fromkeys(order, 0)
        for source, target in dict.fromkeys(links):
            self._targets[source].append(target)
            self._needs[target] += 1
        self._open = set(order)

    @property
    def settled(self) -> bool:
        return not self._open

    @property
    def unsettled(self) -> list[str]:
        """Nodes neither done nor dropped, in order."""
        return [node for node in self.order if node in self._open]

    def is_open(self, node: str) -> bool:
        return node in self._open

    def first(self) -> list[str]:
        return [node for node in self.order if self._needs[node] == 0]

    def targets(self, node: str) -> Sequence[str]:
        return self._targets[node]

    def done(self, node: str) -> list[str]:
        """Settles the node and returns those that became ready by it."""
        self._open.discard(node)
        ready = []
        for target in self._targets[node]:
            self._needs[target] -= 1
            if self._needs[target] == 0 and target in self._open:
                ready.append(target)
        return ready

    def discard(self, node: str) -> None:
        """Settles the node alone; what needs it never becomes ready."""
        self._open.discard(node)

    def drop(self, node: str) -> list[str]:
        """Settles the node and all that is downstream of it; returns those others that this settled, nearest first."""
        self._open.discard(node)
        dropped: list[str] = []
        reached = list(self._targets[node])
        for target in reached:
            if target in self._open:
                self._open.discard(target)
                dropped.append(target)
                reached.extend(self._targets[target])
        return dropped

    def ranks(self, seconds: Mapping[str, float]) -> dict[str, float]:
        """For each node the length of the longest way from its start to an end, given how long each takes."""
        ranks: dict[str, float] = {}
        for node in reversed(self.order):
            ranks[node] = seconds.get(node, 0.0) + max((ranks[t] for t in self._targets[node]), default=0.0)
        return ranks

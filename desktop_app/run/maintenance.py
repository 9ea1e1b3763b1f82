"""What the engines of a program keep, on disk and in memory, and how much: for settings, and for a bar of memory.

Knows engines; must not know conversations nor the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_app.run.engine import Engine, Loaded

GB = 1 << 30


class Upkeep:
    """Of the `main` engine, whose results are shown, and of `others`, which share its store and leave cleaning it."""

    def __init__(self, main: Engine, *others: Engine) -> None:
        self._main, self._engines = main, (main, *others)
        for other in others:
            other.cap_bytes = None  # it knows nothing of what the main one shows

    def limit(self, cache_gb: float, idle_seconds: float) -> None:
        """How much results may take on disk, in units of 2^30 bytes, and how long idle models stay; 0 is for ever."""
        self._main.cap_bytes = int(cache_gb * GB)
        for engine in self._engines:
            engine.idle_seconds = idle_seconds

    def make_room(self) -> None:
        """Removes results in the background when they take more than is allowed; never any that are shown."""
        self._main.make_room()

    def forget_results(self) -> None:
        """Removes in the background every result that nothing shows, be there room or not; not while a run goes on."""
        self._main.forget_results()

    @property
    def tidying(self) -> bool:
        return self._main.tidying

    def used_bytes(self) -> int:
        """What kept results take on disk. May be called on any thread. Raises StorageError."""
        return self._main.used_bytes()

    def models(self) -> tuple[Loaded, ...]:
        return tuple(model for engine in self._engines for model in engine.models())

    def free(self, model: str) -> None:
        """Gives the memory of a model back: at once, or when its present use ends."""
        for engine in self._engines:
            engine.free(model)

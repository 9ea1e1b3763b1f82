"""Models in memory: loaded once in a process, the least recently used put out for others, given back when idle.

Knows no framework but torch, and that only inside functions. What a model takes is estimated from the headers of its
weights before it is loaded. When memory runs out all the same, `with_ladder` goes from step to step: others out of
memory, offload, slices, the CPU; each is told to the user and the work goes on.
"""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from nodes._support.weights import estimated_bytes
from nodes.api import NodeError, Phrase, RunContext

T = TypeVar("T")
Key = tuple[str, str, str]
_ROOM = 1.2
"""A model takes about a fifth more than its weights while it works."""
_IDLE_SECONDS = 600.0
_OTHERS = "memory ran out: other models are put out of it"
_TO_CPU = "the GPU's memory is too small for this model: it works on the CPU"


class Memory(Protocol):
    """What the pool asks of devices, by their torch names. A test has its own."""

    def free_bytes(self, device: str) -> int:
        """What can still be had there."""
        ...

    def give_back(self, device: str) -> None:
        """Lets go of what nothing refers to any more."""
        ...


class TorchMemory:
    """The memory of this machine and its GPUs."""

    def free_bytes(self, device: str) -> int:
        """Free memory of a CUDA device, else of the machine."""
        if device.startswith("cuda"):
            import torch

            return torch.cuda.mem_get_info(device)[0]
        import psutil

        return psutil.virtual_memory().available

    def give_back(self, device: str) -> None:
        """Collects garbage and empties torch's own store of freed memory."""
        gc.collect()
        if device.startswith("cuda"):
            import torch

            torch.cuda.empty_cache()
        elif device == "mps":
            import torch

            torch.mps.empty_cache()


class Step(NamedTuple):
    """A rung of the ladder: what is told, and what makes the next attempt take less."""

    note: str
    act: Callable[[], None]


@dataclass
class Entry:
    """A loaded model. `device` is where it was loaded to. `kept` holds what is worth keeping with it (features)."""

    key: Key
    model: Any
    device: str
    estimate: int
    users: int = 0
    used: float = 0.0
    spoilt: bool = False
    kept: OrderedDict[Any, Any] = field(default_factory=OrderedDict)

    def spoil(self) -> None:
        """Says that the model is no longer as it was loaded (moved, sliced): it is dropped after this use."""
        self.spoilt = True


class ModelPool:
    """Loaded models by folder, kind and device. Safe for threads; loading is one at a time.

    `budget_bytes` limits what all models on one device may take by their estimates; None leaves it to what is free.
    """

    def __init__(
        self, budget_bytes: int | None = None, memory: Memory | None = None, idle_seconds: float = _IDLE_SECONDS
    ) -> None:
        self._budget, self._memory, self._idle = budget_bytes, memory or TorchMemory(), idle_seconds
        self.on_change: Callable[[], None] = lambda: None  # called when a model has come or gone
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    @contextlib.contextmanager
    def lease(
        self, folder: Path, kind: str, load: Callable[[str], Any], context: RunContext, device: str | None = None
    ) -> Iterator[Entry]:
        """The model for the time of the block, in which it is not put out.

        `load(device)` is called unless the model is there already. Without room on a GPU it is loaded for the CPU, and
        the user is told. Raises NodeError when it does not fit into the machine's memory, or is damaged.
        """
        with self._lock:
            entry = self._found_or_loaded(folder, kind, load, context, device or device_for(context))
            entry.users += 1
        try:
            yield entry
        finally:
            with self._lock:
                entry.users -= 1
                entry.used = time.monotonic()
                if entry.spoilt:
                    self._drop(entry)
                self._watch()

    def free_others(self, keep: Entry | None = None) -> int:
        """Puts out every model that nobody uses, but one, and returns how many these were."""
        with self._lock:
            others = [e for e in self._entries.values() if e is not keep and not e.users]
            for entry in others:
                self._drop(entry)
            return len(others)

    def release(self, idle_seconds: float = 0.0) -> int:
        """Puts out what nobody uses and nobody has used for so long, and returns how many these were."""
        with self._lock:
            limit = time.monotonic() - idle_seconds
            idle = [e for e in self._entries.values() if not e.users and e.used <= limit]
            for entry in idle:
                self._drop(entry)
            return len(idle)

    def close(self) -> None:
        """Puts out what nobody uses, and looks no more for what is idle."""
        with self._lock:
            self.release()
            if self._timer is not None:
                self._timer.cancel()

    def free(self, name: str) -> None:
        """Puts out the models in folders of that name: at once, or when their present use ends."""
        with self._lock:
            for entry in [e for e in self._entries.values() if Path(e.key[0]).name == name]:
                if entry.users:
                    entry.spoil()
                else:
                    self._drop(entry)

    def set_idle(self, seconds: float) -> None:
        """From now on models go when they were idle for so long; 0 for never."""
        with self._lock:
            self._idle = seconds
            self._watch()

    def held(self) -> list[Key]:
        """What is loaded, the least recently used first."""
        return list(self._entries)

    def sizes(self) -> dict[str, int]:
        """What is loaded, by the name of its folder, with the estimated bytes that it takes."""
        with self._lock:
            found: dict[str, int] = {}
            for entry in self._entries.values():
                name = Path(entry.key[0]).name
                found[name] = found.get(name, 0) + entry.estimate
            return found

    def others_step(self, keep: Entry) -> Step:
        """The first rung of every ladder."""

        def act() -> None:
            self.free_others(keep)
            self._memory.give_back(keep.device)

        return Step(_OTHERS, act)

    def _found_or_loaded(
        self, folder: Path, kind: str, load: Callable[[str], Any], context: RunContext, device: str
    ) -> Entry:
        for where in dict.fromkeys((device, "cpu")):  # what did not fit into the GPU is on the CPU
            entry = self._entries.get((str(folder), kind, where))
            if entry is not None:
                self._entries.move_to_end(entry.key)
                return entry
        context.progress(0.0, "loading the model")
        where, estimate = self._place(folder, context, device)
        model, where = self._loaded(load, where, context)
        entry = Entry((str(folder), kind, where), model, where, estimate, used=time.monotonic())
        self._entries[entry.key] = entry
        self.on_change()
        return entry

    def _loaded(self, load: Callable[[str], Any], device: str, context: RunContext) -> tuple[Any, str]:
        """The model and where it is: when memory runs out the others are put out, then the CPU takes it."""
        where = device

        def put_others_out() -> None:
            self.free_others()
            self._memory.give_back(device)

        def take_the_cpu() -> None:
            nonlocal where
            where = "cpu"

        steps = [Step(_OTHERS, put_others_out)]
        if device != "cpu":
            steps.append(Step(_TO_CPU, take_the_cpu))
        return with_ladder(lambda: load(where), steps, context), where

    def _place(self, folder: Path, context: RunContext, device: str) -> tuple[str, int]:
        """Where the model goes, with room made for it, and its estimate there."""
        for where in dict.fromkeys((device, "cpu")):
            estimate = estimated_bytes(folder, 4 if where == "cpu" else 2)
            if self._make_room(where, int(estimate * _ROOM)):
                if where != device:
                    context.progress(0.0, _TO_CPU)
                return where, estimate
        needed, free = int(estimate * _ROOM), self._memory.free_bytes("cpu")
        raise NodeError(
            Phrase(
                "The model takes about {needed} GB of memory, and {free} GB are free.",
                needed=f"{needed / 1e9:.1f}",
                free=f"{free / 1e9:.1f}",
            ),
            "",
            "Close other programs, or choose a smaller model.",
        )

    def _make_room(self, device: str, needed: int) -> bool:
        """Puts out the least recently used until there is room on the device; false when there cannot be."""
        while not self._fits(device, needed):
            entry = next((e for e in self._entries.values() if e.device == device and not e.users), None)
            if entry is None:
                return False
            self._drop(entry)
        return True

    def _fits(self, device: str, needed: int) -> bool:
        held = sum(e.estimate for e in self._entries.values() if e.device == device)
        if self._budget is not None and held + needed > self._budget:
            return False
        return needed <= self._memory.free_bytes(device)

    def _drop(self, entry: Entry) -> None:
        if self._entries.get(entry.key) is entry:
            del self._entries[entry.key]
        if not entry.users:
            entry.model = None
            entry.kept.clear()
        self._memory.give_back(entry.device)
        self.on_change()

    def _watch(self) -> None:
        """Looks again when the models may have become idle."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._entries and self._idle > 0:
            self._timer = threading.Timer(self._idle, self.release, (self._idle * 0.99,))
            self._timer.daemon = True
            self._timer.start()


@cache
def pool() -> ModelPool:
    """The pool of this process. GRAPHWRIGHT_IDLE_SECONDS says after how long it gives memory back, 0 for never."""
    try:
        idle = float(os.environ.get("GRAPHWRIGHT_IDLE_SECONDS", ""))
    except ValueError:
        idle = _IDLE_SECONDS
    return ModelPool(idle_seconds=idle)


def with_ladder(work: Callable[[], T], steps: Sequence[Step], context: RunContext) -> T:
    """What `work` returns. When memory runs out in it the next of `steps` is told and taken, and it is tried again.

    Raises MemoryError when it runs out after the last step; whatever else `work` raises goes through.
    """
    for step in (*steps, None):
        try:
            return work()
        except Exception as error:
            if not out_of_memory(error):
                raise
            if step is None:
                raise MemoryError(str(error)) from error
        # Outside of the except clause, whose traceback would keep alive what filled the memory.
        context.progress(0.0, step.note)
        step.act()
    raise AssertionError("unreachable")


def out_of_memory(error: BaseException) -> bool:
    """True for what Python and torch raise when memory runs out, on whatever device."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return True
    text = str(error).lower()
    return isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text)


def device_for(context: RunContext) -> str:
    """Where to run: the context's device if torch has it, else "cpu"."""
    import torch

    wanted = context.device
    if wanted.startswith("cuda") and torch.cuda.is_available():
        return wanted
    if wanted == "mps" and torch.backends.mps.is_available():
        return wanted
    return "cpu"


def float_type(device: str) -> Any:
    """The torch type of weights there: 32-bit on the CPU, where 16-bit is slow, else 16-bit."""
    import torch

    return torch.float32 if device == "cpu" else torch.float16

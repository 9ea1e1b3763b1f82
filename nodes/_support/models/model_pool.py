"""Models in memory: loaded once in a process, the least recently used put out for others, given back when idle.

Knows no framework but torch, and that only inside functions. What a model takes is estimated from the headers of its
weights before it is loaded. When memory runs out all the same, `with_ladder` goes from step to step: others out of
memory, parts in turns, slices, the CPU; each is told to the user and the work goes on.
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

from nodes._support.models.placement import Placement, Sizes, Way, placements
from nodes._support.models.weights import sizes
from nodes.api import NodeError, Phrase, RunContext

T = TypeVar("T")
Key = tuple[str, str, str]
_IDLE_SECONDS = 600.0
_OTHERS = "memory ran out: other models are put out of it"
_NOTES = {
    Way.WHOLE: "the GPU's memory is too small for this model: it works on the CPU",
    Way.PARTS: "the GPU's memory is too small for this model: its parts take turns on it",
    Way.LAYERS: "the GPU's memory is too small for this model: its layers take turns on it, which takes longer",
    Way.FILES: "there is little memory for this model: the CPU works in 16 bits, which takes long",
}


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
    """A loaded model. `device` is where it was loaded to, `estimate` what it holds of that.

    `kept` holds what is worth keeping with it (features).
    """

    key: Key
    model: Any
    device: str
    estimate: int
    way: Way = Way.WHOLE
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
        self, folder: Path, kind: str, load: Callable[..., Any], context: RunContext, device: str | None = None,
        staged: bool = False, base: Path | None = None,
    ) -> Iterator[Entry]:  # fmt: skip
        """The model for the time of the block, in which it is not put out; the weights of `base` are loaded with it.

        `load(device)` is called unless the model is there already, and `load(device, way)` of one that is `staged`:
        made of parts that can take turns. Without room on a GPU it is loaded for the next of `placements`, and the user
        is told. Raises NodeError when it does not fit into the machine's memory, or is damaged.
        """
        with self._lock:
            entry = self._found(folder, kind, device or device_for(context))
            if entry is None:
                options = _options(folder, base, device or device_for(context), staged)
                entry = self._new(folder, kind, load if staged else lambda where, _: load(where), context, options)
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

    def _found(self, folder: Path, kind: str, device: str) -> Entry | None:
        for where in dict.fromkeys((device, "cpu")):  # what did not fit into the GPU is on the CPU
            entry = self._entries.get((str(folder), kind, where))
            if entry is not None:
                self._entries.move_to_end(entry.key)
                return entry
        return None

    def _new(
        self, folder: Path, kind: str, load: Callable[[str, Way], Any], context: RunContext, options: list[Placement]
    ) -> Entry:
        context.progress(0.0, "loading the model")
        place = self._place(options, context)
        model, place = self._loaded(load, place, options[options.index(place) + 1 :], context)
        key = (str(folder), kind, place.device)
        entry = Entry(key, model, place.device, place.held, place.way, used=time.monotonic())
        self._entries[entry.key] = entry
        self.on_change()
        return entry

    def _loaded(
        self, load: Callable[[str, Way], Any], place: Placement, others: list[Placement], context: RunContext
    ) -> tuple[Any, Placement]:
        """The model and where it is: when memory runs out the others are put out, then the next place is taken."""

        def put_others_out() -> None:
            self.free_others()
            self._memory.give_back(place.device)

        def take(other: Placement) -> None:
            nonlocal place
            place = other

        steps = [Step(_OTHERS, put_others_out)]
        steps += [Step(_NOTES[other.way], lambda other=other: take(other)) for other in others if self._fits(other)]
        return with_ladder(lambda: load(place.device, place.way), steps, context), place

    def _place(self, options: list[Placement], context: RunContext) -> Placement:
        """The first place that has room, or where it could be made. Raises NodeError."""
        for option in options:
            if self._make_room(option):
                if option is not options[0]:
                    context.progress(0.0, _NOTES[option.way])
                return option
        needed, free = options[-1].room, self._memory.free_bytes("cpu")
        raise NodeError(
            Phrase(
                "The model takes about {needed} GB of memory, and {free} GB are free.",
                needed=f"{needed / 1e9:.1f}",
                free=f"{free / 1e9:.1f}",
            ),
            "",
            "Close other programs, or choose a smaller model.",
        )

    def _make_room(self, place: Placement) -> bool:
        """Puts out the least recently used until there is room; false when there cannot be."""
        while not self._fits(place):
            devices = (place.device, "cpu") if place.beside else (place.device,)
            entry = next((e for e in self._entries.values() if e.device in devices and not e.users), None)
            if entry is None:
                return False
            self._drop(entry)
        return True

    def _fits(self, place: Placement) -> bool:
        held = sum(e.estimate for e in self._entries.values() if e.device == place.device)
        if self._budget is not None and held + place.room > self._budget:
            return False
        if place.beside and place.beside > self._memory.free_bytes("cpu"):
            return False
        return place.room <= self._memory.free_bytes(place.device)

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


def _options(folder: Path, base: Path | None, device: str, staged: bool) -> list[Placement]:
    folders = (folder,) if base is None else (folder, base)
    narrow, wide = (_joined([sizes(each, count) for each in folders]) for count in (2, 4))
    return placements(narrow, wide, device, staged)


def _joined(found: list[Sizes]) -> Sizes:
    whole, part, always, layer, mapped = zip(*found, strict=True)
    return Sizes(sum(whole), sum(part), sum(always), max(layer), all(mapped))


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

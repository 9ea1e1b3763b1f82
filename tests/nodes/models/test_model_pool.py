"""The pool and the ladder on a device that runs out of memory when it is told to."""

from __future__ import annotations

import gc
import threading
import weakref
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from nodes._support.models.model_pool import ModelPool, Step, device_for, out_of_memory, with_ladder
from nodes._support.models.weights import half_precision, sizes
from nodes.api import Cancelled, NodeError
from tests.nodes.models.conftest import Listening


class OutOfMemoryError(RuntimeError):
    """Named as torch's is."""


@dataclass
class FakeDevice:
    """Memory of two devices; what a model takes is taken when it is loaded, and free again when it is collected."""

    size: dict[str, int]
    taken: dict[str, int] = field(default_factory=dict)

    def free_bytes(self, device: str) -> int:
        return self.size[device] - self.taken.get(device, 0)

    def give_back(self, device: str) -> None:
        gc.collect()

    def load(self, device: str, size: int) -> Model:
        if size > self.free_bytes(device):
            raise OutOfMemoryError(f"tried to allocate {size}")
        return Model(self, device, size)


class Model:
    def __init__(self, memory: FakeDevice, device: str, size: int) -> None:
        self.device = device
        memory.taken[device] = memory.taken.get(device, 0) + size
        weakref.finalize(self, self._freed, memory, device, size)

    @staticmethod
    def _freed(memory: FakeDevice, device: str, size: int) -> None:
        memory.taken[device] -= size


@pytest.fixture
def listener(tmp_path):
    return Listening(tmp_path)


def saved(folder: Path, floats: int, name: str = "model.safetensors", kind: type = np.float32) -> Path:
    """A folder with weights of so many numbers."""
    from safetensors.numpy import save_file

    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    save_file({"a": np.zeros(floats, kind)}, folder / name)
    return folder


def use(pool: ModelPool, memory: FakeDevice, folder: Path, listener: Listening, device: str = "cuda:0", more: int = 0):
    """Loads a model that takes what its weights take on that device, and `more`."""

    def load(where: str) -> Model:
        return memory.load(where, sizes(folder, 4 if where == "cpu" else 2).whole + more)

    with pool.lease(folder, "toy", load, listener, device) as entry:
        return entry.device


def names(pool: ModelPool) -> list[str]:
    return [Path(folder).name for folder, _, _ in pool.held()]


def test_the_least_recently_used_goes_out_first(tmp_path, listener):
    memory = FakeDevice({"cuda:0": 6_000, "cpu": 10**6})
    pool = ModelPool(memory=memory, idle_seconds=0)
    a, b, c = (saved(tmp_path / name, 1000) for name in "abc")
    for folder in (a, b, a):
        use(pool, memory, folder, listener)
    assert names(pool) == ["b", "a"]
    use(pool, memory, c, listener)
    assert names(pool) == ["a", "c"]
    assert memory.taken["cuda:0"] == 4_000


def test_a_budget_limits_what_is_held(tmp_path, listener):
    memory = FakeDevice({"cuda:0": 10**9, "cpu": 10**9})
    pool = ModelPool(budget_bytes=5_000, memory=memory, idle_seconds=0)
    for name in "abcd":
        use(pool, memory, saved(tmp_path / name, 1000), listener)
    assert names(pool) == ["c", "d"]


def test_what_is_in_use_is_not_put_out(tmp_path, listener):
    memory = FakeDevice({"cuda:0": 3_000, "cpu": 10**6})
    pool = ModelPool(memory=memory, idle_seconds=0)
    a, b = (saved(tmp_path / name, 1000) for name in "ab")
    with pool.lease(a, "toy", lambda device: memory.load(device, 2000), listener, "cuda:0") as entry:
        assert use(pool, memory, b, listener) == "cpu"
        assert entry.model is not None
    assert "the GPU's memory is too small for this model: it works on the CPU" in listener.notes


def test_a_wrong_estimate_puts_others_out_and_then_takes_the_cpu(tmp_path, listener):
    memory = FakeDevice({"cuda:0": 10_000, "cpu": 10**6})
    pool = ModelPool(memory=memory, idle_seconds=0)
    a, b, c = (saved(tmp_path / name, 1000) for name in "abc")
    use(pool, memory, a, listener)
    assert use(pool, memory, b, listener, more=7_000) == "cuda:0"
    assert names(pool) == ["b"]
    assert listener.notes.count("memory ran out: other models are put out of it") == 1
    assert use(pool, memory, c, listener, more=20_000) == "cpu"
    assert names(pool) == ["c"]


def test_what_does_not_fit_at_all_is_refused_in_words(tmp_path, listener):
    memory = FakeDevice({"cuda:0": 100, "cpu": 1000})
    pool = ModelPool(memory=memory, idle_seconds=0)
    with pytest.raises(NodeError, match="GB of memory") as caught:
        use(pool, memory, saved(tmp_path / "a", 1000), listener)
    assert "smaller model" in caught.value.fix
    assert pool.held() == []


def test_memory_is_given_back_on_request_but_not_what_is_in_use(tmp_path, listener):
    memory = FakeDevice({"cuda:0": 10**6, "cpu": 10**6})
    pool = ModelPool(memory=memory, idle_seconds=0)
    a, b = (saved(tmp_path / name, 1000) for name in "ab")
    use(pool, memory, a, listener)
    with pool.lease(b, "toy", lambda device: memory.load(device, 2000), listener, "cuda:0"):
        assert pool.release() == 1
        assert names(pool) == ["b"]
        assert memory.taken["cuda:0"] == 2000
    assert pool.release() == 1
    assert memory.taken["cuda:0"] == 0


def test_memory_is_given_back_when_idle(tmp_path, listener):
    memory = FakeDevice({"cuda:0": 10**6, "cpu": 10**6})
    pool = ModelPool(memory=memory, idle_seconds=0.02)
    released, release = threading.Event(), pool.release

    def watched(idle_seconds: float = 0.0) -> int:
        count = release(idle_seconds)
        if count:
            released.set()
        return count

    pool.release = watched  # type: ignore[method-assign]
    use(pool, memory, saved(tmp_path / "a", 1000), listener)
    assert released.wait(20)
    assert pool.held() == []
    assert memory.taken["cuda:0"] == 0


def test_a_spoilt_model_is_loaded_anew(tmp_path, listener):
    memory = FakeDevice({"cuda:0": 10**6, "cpu": 10**6})
    pool = ModelPool(memory=memory, idle_seconds=0)
    folder = saved(tmp_path / "a", 1000)
    with pool.lease(folder, "toy", lambda device: memory.load(device, 2000), listener, "cuda:0") as entry:
        entry.spoil()
    assert pool.held() == [] and memory.taken["cuda:0"] == 0


def test_a_failure_while_loading_leaves_nothing_behind(tmp_path, listener):
    pool = ModelPool(memory=FakeDevice({"cpu": 10**6}), idle_seconds=0)
    folder = saved(tmp_path / "a", 10)

    def fail(device: str) -> object:
        raise NodeError("broken")

    with pytest.raises(NodeError, match="broken"), pool.lease(folder, "toy", fail, listener, "cpu"):
        raise AssertionError("not reached")
    assert pool.held() == []


@pytest.mark.parametrize("failures", range(5))
def test_each_rung_of_the_ladder_is_told_and_taken_in_turn(failures, listener):
    memory, taken = ["others", "offload", "slices", "cpu"], []
    steps = [Step(f"now {name}", lambda name=name: taken.append(name)) for name in memory]
    left = [failures]

    def work() -> str:
        if left[0]:
            left[0] -= 1
            raise OutOfMemoryError
        return "done"

    assert with_ladder(work, steps, listener) == "done"
    assert taken == memory[:failures]
    assert listener.notes == [f"now {name}" for name in memory[:failures]]


def test_below_the_ladder_there_is_a_memory_error(listener):
    def work() -> None:
        raise RuntimeError("CUDA out of memory.")

    with pytest.raises(MemoryError):
        with_ladder(work, [Step("once more", lambda: None)], listener)


def test_other_errors_and_cancelling_do_not_climb(listener):
    for error in (ValueError("no"), Cancelled(), RuntimeError("a bug")):

        def work(error=error) -> None:
            raise error

        with pytest.raises(type(error)):
            with_ladder(work, [Step("never", lambda: pytest.fail("climbed"))], listener)


def test_what_filled_the_memory_is_gone_when_a_step_is_taken(listener):
    memory = FakeDevice({"cpu": 1000})
    free = []

    def work() -> None:
        held = memory.load("cpu", 900)  # noqa: F841 - what the failed attempt holds
        if not free:
            memory.load("cpu", 900)

    with_ladder(work, [Step("again", lambda: (gc.collect(), free.append(memory.free_bytes("cpu"))))], listener)
    assert free == [1000]


def test_running_out_is_told_from_other_errors():
    import torch

    yes = (MemoryError(), torch.OutOfMemoryError("x"), RuntimeError("MPS backend out of memory (MPS allocated: 1 GB)"),
           RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"))  # fmt: skip
    assert all(out_of_memory(error) for error in yes)
    assert not any(out_of_memory(error) for error in (ValueError("out of memory"), RuntimeError("shape"), KeyError()))


def test_what_weights_take_is_read_from_their_headers(tmp_path):
    saved(tmp_path, 1000)
    saved(tmp_path, 500, "unet/part.safetensors", np.float16)
    saved(tmp_path, 100, "ids.safetensors", np.int64)
    assert sizes(tmp_path, 4).whole == 4 * 1500 + 800
    assert sizes(tmp_path, 2).whole == 2 * 1500 + 800


def test_of_weights_in_two_precisions_one_counts(tmp_path):
    saved(tmp_path, 1000, "vae/model.safetensors")
    saved(tmp_path, 1000, "vae/model.fp16.safetensors", np.float16)
    assert sizes(tmp_path, 4).whole == 4000
    assert half_precision(tmp_path) == "fp16"


@pytest.mark.parametrize(
    "data", [b"", b"\xff" * 8, b"\x05" + b"\0" * 7 + b"[1,2]", b"\x0b" + b"\0" * 7 + b'{"a":{"b":1}}']
)
def test_damaged_weights_are_told(tmp_path, data):
    (tmp_path / "model.safetensors").write_bytes(data)
    with pytest.raises(NodeError, match=r"model\.safetensors is damaged"):
        sizes(tmp_path, 4)


def test_without_a_gpu_everything_runs_on_the_cpu(listener):
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    listener.device = "cuda:0"
    assert device_for(listener) == "cpu"

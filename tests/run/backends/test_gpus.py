"""What is told of GPUs is so: of which there are, of those that the installed torch can use, and of those it cannot."""

from __future__ import annotations

import pytest

from desktop_app.models import runtime
from desktop_app.run.backends import gpus
from desktop_app.run.workers.worker_pool import WorkerPool
from desktop_app.session import diagnostics
from nodes.api import Backend

GPU = Backend("m", "M", lambda: None, "model", "gpu")


@pytest.fixture
def computer(tmp_path, monkeypatch):
    """Makes it one with that torch, "" for none, and GPUs of AMD of so many bytes."""
    monkeypatch.setattr(gpus, "AMD", tmp_path / "drm")
    monkeypatch.setattr(gpus.sys, "platform", "linux")

    def made(torch: str, *sizes: int) -> None:
        for number, size in enumerate(sizes):
            card = tmp_path / "drm" / f"card{number}" / "device"
            card.mkdir(parents=True)
            (card / "mem_info_vram_total").write_text(f"{size}\n")
            (card / "mem_info_vram_used").write_text("1000\n")
        monkeypatch.setattr(runtime, "device", lambda: "rocm" if sizes else "cpu")
        monkeypatch.setattr(runtime, "built_for", lambda: torch)

    return made


@pytest.mark.parametrize("torch", ["", "cpu", "cuda"])
def test_where_there_is_none_nothing_says_gpu(torch, computer, tmp_path, monkeypatch):
    program = tmp_path / "nvidia-smi"  # the program alone makes no GPU
    program.write_text("#!/bin/sh")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    computer(torch)
    if gpus.present():
        pytest.skip("there is one of NVIDIA")
    assert gpus.gpus() == [] and gpus.memory() == () and gpus.largest_bytes() == 0
    assert WorkerPool(tmp_path).kind(GPU) == "cpu"
    assert "no GPU found" in diagnostics.device().text and diagnostics.device().ok


@pytest.mark.parametrize("torch", ["", "rocm"])
def test_each_that_torch_can_use_is_a_lane(torch, computer, tmp_path):
    computer(torch, 500_000_000, 16_000_000_000, 24_000_000_000)  # the first is the processor's own
    if gpus.memory()[0][0] != 1000:
        pytest.skip("there is one of NVIDIA")
    assert gpus.gpus() == ["cuda:0", "cuda:1"] and gpus.largest_bytes() == 24_000_000_000
    assert gpus.memory() == ((1000, 16_000_000_000), (1000, 24_000_000_000))
    assert WorkerPool(tmp_path).kind(GPU) == "gpu"
    assert "a GPU" in diagnostics.device().text and diagnostics.device().ok


def test_one_that_torch_cannot_use_is_told_loudly_and_is_no_lane(computer, tmp_path):
    computer("cpu", 16_000_000_000)
    assert gpus.gpus() == [] and gpus.largest_bytes() == 0 and gpus.present() != []
    assert WorkerPool(tmp_path).kind(GPU) == "cpu", "and so no card says that it ran on a GPU"
    said = diagnostics.device()
    assert said.ok is False and "a GPU that is not used" in said.text and "rocm" in said.fix


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ("__version__ = '2.13.0+cpu'\ncuda: Optional[str] = None\nhip: Optional[str] = None", "cpu"),
        ("__version__ = '2.13.0'\ncuda: Optional[str] = '13.0'\nhip: Optional[str] = None", "cuda"),
        ("__version__ = '2.13.0+rocm7.2'\ncuda: Optional[str] = None\nhip: Optional[str] = '7.2.1'", "rocm"),
    ],
)
def test_what_torch_was_built_for_is_seen_without_loading_it(lines, kind, tmp_path, monkeypatch):
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise RuntimeError('loaded')")
    (tmp_path / "torch" / "version.py").write_text(lines)
    monkeypatch.setattr(runtime, "device", lambda: "cpu")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(runtime.sys.modules, "torch", raising=False)
    assert runtime.built_for() == kind

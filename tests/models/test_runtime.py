"""The model runtime comes whole, beside the program's own packages and never in their place, or not at all."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys

import pytest

from desktop_app.core import settings
from desktop_app.core.errors import DownloadFailed, StorageError
from desktop_app.models import runtime, transfer
from desktop_app.run.backends import availability
from nodes.api import Backend
from tests.models.conftest import Report
from tests.models.index import indexing, wheel

FILLING = "# " + "x" * 300_000 + "\n"
TORCH = wheel("torch", "2.0", {"torch/__init__.py": "import gw_helper\nKIND = 'tiny'\n", "torch/big.py": FILLING},
              ("gw_helper>=1", "numpy"))  # fmt: skip
HELPER = wheel("gw_helper", "1.5", {"gw_helper.py": "X = 1\n"})
WHEELS = TORCH, HELPER
SIZE = sum(len(data) for _, data in WHEELS)


@pytest.fixture
def index(own_home, monkeypatch):
    """An index that the program takes for the one of all packages; torch counts as not installed in the program."""
    installed = [one for one in importlib.metadata.distributions() if one.name in ("numpy", "pip", "psutil")]
    monkeypatch.setattr(runtime, "wanted", lambda: ("torch==2.0",))
    monkeypatch.setattr(importlib.metadata, "distributions", lambda: installed)
    with indexing(*WHEELS) as running:
        monkeypatch.setenv("PIP_INDEX_URL", running.simple)
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(runtime.INDEX, "")
        yield running


def asked(index, name):
    return [given for path, given in index.server.asked if path == name]


def loads(folder) -> str:
    code = "import sys; sys.path.append(sys.argv[1]); import torch; print(torch.KIND)"
    isolated = [sys.executable, "-S", "-c", code, str(folder)]
    return subprocess.run(isolated, capture_output=True, text=True, check=False).stdout.strip()


def test_it_is_installed_beside_the_programs_packages_and_works(index):
    assert runtime.path() is None
    report = Report()
    folder = runtime.install(report)
    assert folder == runtime.path() and loads(folder) == "tiny"
    assert not (folder / "numpy").exists(), "what the program has is neither fetched nor replaced"
    assert not list(folder.parent.glob("wheels/*")), "what was unpacked is not kept twice"
    fetched = [done for done, total, name in report.told if name and total == SIZE]
    assert fetched == sorted(fetched) and fetched[-1] == SIZE


def test_a_stopped_download_goes_on_after_a_restart(index):
    with pytest.raises(KeyboardInterrupt):
        runtime.install(Report(stop_at=SIZE // 2))
    assert runtime.path() is None and 0 < runtime.arrived_bytes() < SIZE
    assert runtime.size_bytes() == SIZE, "by now it is known exactly"
    before = len(asked(index, TORCH[0]))
    runtime.install()
    assert any(given.startswith("bytes=") for given in asked(index, TORCH[0])[before:])


def test_wrong_bytes_are_never_installed(index):
    index.server.wrong.add(TORCH[0])
    with pytest.raises(DownloadFailed):
        runtime.install()
    assert runtime.path() is None and not (runtime.root() / "packages").exists()


def test_what_does_not_load_does_not_count(index):
    name, data = wheel("torch", "2.0", {"torch/__init__.py": "raise RuntimeError('no such library')\n"})
    index.server.files[name] = data
    link = f'<a href="/store/{name}#sha256={__import__("hashlib").sha256(data).hexdigest()}">{name}</a>'
    index.server.pages["/simple/torch/"] = f"<html><body>{link}</body></html>"
    with pytest.raises(DownloadFailed, match="no such library"):
        runtime.install()
    assert runtime.path() is None


def test_too_full_a_disk_is_told_before_the_first_byte(index, monkeypatch):
    monkeypatch.setattr(transfer, "SPARE_BYTES", 10**15)
    with pytest.raises(StorageError, match="free"):
        runtime.install()
    assert not list(runtime.root().glob("wheels/*"))


def test_no_index_at_all_is_told(index, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(DownloadFailed, match="could not be found"):
        runtime.install()


def test_offline_fetches_nothing(index):
    settings.change(offline=True)
    with pytest.raises(DownloadFailed, match="offline"):
        runtime.install()
    assert index.server.asked == []


def test_one_for_another_program_does_not_count_and_is_replaced(index, monkeypatch):
    folder = runtime.install()
    marker = folder / runtime.MARKER
    marker.write_text(json.dumps(json.loads(marker.read_text()) | {"for": ["another"]}))
    assert runtime.path() is None
    assert loads(runtime.install()) == "tiny"


def test_removing_gives_everything_back(index):
    runtime.install()
    assert runtime.remove() > SIZE
    assert runtime.path() is None


def test_a_back_end_wants_it_when_nothing_else_is_missing(index, monkeypatch):
    monkeypatch.setattr(runtime, "has", lambda name: False)
    availability.look_again()
    able = Backend("m", "M", lambda: None, "model", requires=("python:torch",))
    other = Backend("o", "O", lambda: None, "model", requires=("python:torch", "no-such-program"))
    assert availability.wants_runtime(able) and availability.obtainable(able) and not availability.available(able)
    assert not availability.wants_runtime(other) and not availability.obtainable(other)
    availability.look_again()


def test_the_runtime_is_what_the_program_declares_and_torch_is_pinned():
    assert any(line.startswith("torch==") for line in runtime.wanted())
    assert runtime.supplies("torch") and runtime.supplies("transformers") and not runtime.supplies("numpy")
    assert runtime.device() in ("cpu", "cuda", "rocm", "mps")

"""A hub with one tiny model, and that model as an entry of a catalogue."""

from __future__ import annotations

import hashlib
import random

import pytest

from desktop_app.models.catalogue import Model
from tests.models.hub import Hub, serving

REVISION = "0123456789abcdef0123456789abcdef01234567"
WEIGHTS = random.Random(0).randbytes(3_000_000)
FILES = {
    "config.json": b'{"a": 1}',
    "tokenizer/vocab.txt": b"hello\nworld\n",
    "model.safetensors": WEIGHTS,
    "pytorch_model.bin": b"pickle",
    "README.md": b"# read me",
    "onnx/config.json": b"{}",
}
WANTED = ("config.json", "tokenizer/vocab.txt", "model.safetensors")
SIZE = sum(len(FILES[name]) for name in WANTED)


@pytest.fixture
def model() -> Model:
    return Model(
        "tiny", "chat", "Tiny", "someone/tiny", REVISION, ("*.json", "tokenizer/*.txt", "model.safetensors"),
        SIZE, 1_000_000, "MIT", "https://example.org", 0.5,
        sha256={"model.safetensors": hashlib.sha256(WEIGHTS).hexdigest()},
    )  # fmt: skip


@pytest.fixture
def hub(monkeypatch, own_home):
    """The server, which the program takes for the hub."""
    with serving(Hub("someone/tiny", REVISION, dict(FILES))) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        monkeypatch.delenv("GRAPHWRIGHT_MODELS", raising=False)
        yield running


class Report:
    """Keeps what a download reports; `stop_at` so many bytes it raises KeyboardInterrupt."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.told: list[tuple[int, int, str]] = []
        self.stop_at = stop_at

    def __call__(self, done: int, total: int, name: str) -> None:
        self.told.append((done, total, name))
        if self.stop_at is not None and done >= self.stop_at:
            raise KeyboardInterrupt

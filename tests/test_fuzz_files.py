"""The fuzz loop over attached files in its short form, and the finds of earlier ones."""

from __future__ import annotations

import random

import pytest

from desktop_app.core.errors import AppError
from desktop_app.storage.resources import Store
from nodes.api import NodeError
from tests import fuzz_files
from tests.broken_files import valid

COUNT, LONG = 150, 5000
FOUND = [(1, 19), (1, 237)]
"""Files (seed, number) that once ended in something else than a sentence."""


@pytest.mark.parametrize("count", [COUNT, pytest.param(LONG, marks=[pytest.mark.slow, pytest.mark.timeout(1200)])])
def test_no_damaged_file_ends_in_anything_but_a_result_or_a_sentence(tmp_path, count):
    found = list(fuzz_files.run(count, 7, tmp_path))
    assert not found, "\n".join(f"seed {each.seed}, number {each.number}\n{each.trace}" for each in found)


def test_a_sound_that_says_it_lasts_for_years_is_a_sentence(tmp_path, monkeypatch):
    import soundfile

    def full(*_, **__):
        raise MemoryError("Unable to allocate 4.50 TiB")

    (tmp_path / "a.wav").write_bytes(valid()["a.wav"])
    monkeypatch.setattr(soundfile.SoundFile, "read", full)
    with pytest.raises(NodeError, match="not enough memory"):
        fuzz_files.used(tmp_path / "a.wav", Store(tmp_path / "store"))


@pytest.mark.parametrize(("seed", "number"), FOUND)
def test_what_was_found_stays_mended(tmp_path, seed, number):
    name, content = fuzz_files.mutated(random.Random(f"{seed}-{number}"))
    (tmp_path / name).write_bytes(content)
    with pytest.raises((AppError, NodeError)):
        fuzz_files.used(tmp_path / name, Store(tmp_path / "store"))


def test_the_loop_notices_what_is_no_sentence(tmp_path, monkeypatch):
    def fail(path, store):
        raise EOFError

    monkeypatch.setattr(fuzz_files, "used", fail)
    assert len(list(fuzz_files.run(3, 1, tmp_path))) == 3


def test_damaged_files_are_of_every_kind_and_mostly_differ():
    made = [fuzz_files.mutated(random.Random(f"1-{number}")) for number in range(400)]
    assert {name.partition(".")[2] for name, _ in made} >= {"png", "wav", "ogg", "mp4", "csv", "pdf", "docx", "html"}
    assert len({content for _, content in made}) > 380

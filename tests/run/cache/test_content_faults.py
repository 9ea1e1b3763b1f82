"""A disk that lies, under the store and under SQLite: short reads, flipped bits, no room, renames and links refused.
After each the result is right or there is a sentence, and when the disk is well again everything is right.
"""

from __future__ import annotations

import errno
import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from desktop_app.core.errors import AppError, StorageError
from desktop_app.storage.database import History, KeptResult
from desktop_app.storage.resources import Resource, Store, digest_of
from desktop_app.storage.timings import Timing
from nodes._support.files import codecs
from nodes.api import NodeError, ResourceType
from tests.run.conftest import World
from tests.run.helpers import chain

_T = ResourceType
_TEXT = "a text that is kept, long enough to be hit " * 200
_plain = {name: getattr(os, name) for name in ("read", "write", "replace", "link", "fsync", "open")}


class FaultyDisk:
    """Faults in the calls of this process to the system, by name; `hits` counts them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch, self.hits = patch, 0

    @contextmanager
    def failing(self, call: str, number: int, when: Callable[..., bool] = lambda *_: True) -> Iterator[None]:
        """The call raises that error when its arguments are so."""

        def fail(*given: object, **named: object) -> object:
            if when(*given):
                self.hits += 1
                raise OSError(number, os.strerror(number))
            return _plain[call](*given, **named)

        with self._patch.context() as patch:
            patch.setattr(os, call, fail)
            yield


@pytest.fixture
def disk(monkeypatch) -> FaultyDisk:
    return FaultyDisk(monkeypatch)


@pytest.fixture(params=[False, True], ids=["renames", "links"])
def store(request, tmp_path) -> Store:
    """As the program writes to it, and as lanes do."""
    staging = tmp_path / "staging"
    staging.mkdir()
    return Store(tmp_path / "store", staging if request.param else None)


def _put(store: Store) -> Resource:
    return Resource("a.txt", _T.TEXT, store.put_bytes(_TEXT.encode(), ".txt"), ".txt")


def _no_half_file(store: Store) -> bool:
    return all(digest_of(p) == p.name.partition(".")[0] for p in store.folder.rglob("*") if p.is_file())


# The store


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO, errno.EDQUOT])
def test_a_refused_name_is_a_sentence_and_leaves_nothing(store, disk, number):
    with disk.failing("replace", number), disk.failing("link", number), pytest.raises(StorageError) as told:
        _put(store)
    assert disk.hits == 1 and os.strerror(number) in told.value.message and told.value.fix
    assert _no_half_file(store) and not list(store.folder.parent.rglob(".writing-*"))
    assert store.value(_put(store)) == _TEXT


def test_no_room_is_a_sentence_and_leaves_nothing(store, monkeypatch):
    """Files of this process can have so many bytes and no more: the error comes in the middle of the writing."""
    limits = pytest.importorskip("resource")
    before = limits.getrlimit(limits.RLIMIT_FSIZE)
    limits.setrlimit(limits.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(StorageError) as told:
            _put(store)
    finally:
        limits.setrlimit(limits.RLIMIT_FSIZE, before)
    assert "could not be written" in told.value.message
    assert _no_half_file(store) and not list(store.folder.parent.rglob(".writing-*"))
    assert store.value(_put(store)) == _TEXT


def test_every_flipped_bit_and_every_short_file_is_found(store):
    kept = _put(store)
    path, right, dice = store.path_of(kept), _TEXT.encode(), random.Random(7)
    for turn in range(60):
        damaged = bytearray(right)
        if turn % 2:
            damaged[dice.randrange(len(right))] ^= 1 << dice.randrange(8)
        else:
            del damaged[dice.randrange(len(right)) :]
        path.write_bytes(damaged)
        with pytest.raises(StorageError, match="damaged"):
            store.value(kept)
    path.write_bytes(right)
    assert store.value(kept) == _TEXT


def test_reads_that_give_little_at_a_time_are_read_on(store, monkeypatch):
    kept = Store(store.folder), _put(store)
    monkeypatch.setattr(os, "read", lambda handle, size: _plain["read"](handle, min(size, 7)))
    assert kept[0].value(kept[1]) == _TEXT


def test_a_file_that_cannot_be_read_is_a_sentence(store, disk):
    kept = _put(store)
    fresh = Store(store.folder)
    refused = disk.failing("open", errno.EIO, lambda path, *_: str(path).endswith(".txt"))
    with refused, pytest.raises(StorageError, match="damaged"):
        fresh.value(kept)
    assert disk.hits and fresh.value(kept) == _TEXT


@pytest.mark.parametrize("type", sorted(set(_T) - codecs.FILE_TYPES))
def test_damaged_bytes_never_decode_into_an_error_of_another_kind(tmp_path, type):
    """For files of users, whose digest is of the damage itself."""
    from tests.nodes._support.test_same_bytes import VALUES

    data, suffix = codecs.encode(VALUES[type], type)
    path, dice = tmp_path / f"value{suffix}", random.Random(str(type))
    for turn in range(40):
        damaged = bytearray(data)
        if turn % 2 and damaged:
            damaged[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        else:
            del damaged[dice.randrange(len(data) + 1) :]
        path.write_bytes(damaged)
        with suppress(NodeError):
            codecs.decode(path, type)


# Under a run


def test_a_run_over_a_store_that_is_damaged_at_random_is_right(single):
    dice = random.Random(3)
    for _ in range(4):
        run = single.run(chain(12))
        assert run.outcome == "ok" and single.value(run, "n11", "number") == 12
        files = sorted(path for path in single.store.folder.rglob("*") if path.is_file())
        for path in dice.sample(files, 4):
            _harm(path, dice)
    single.restart()
    run = single.run(chain(12))
    assert run.outcome == "ok" and single.value(run, "n11", "number") == 12
    assert _no_half_file(single.store)


def _harm(path: Path, dice: random.Random) -> None:
    what = dice.randrange(3)
    if what == 0:
        path.unlink()
    elif what == 1:
        os.truncate(path, dice.randrange(path.stat().st_size))
    else:
        data = bytearray(path.read_bytes())
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        path.write_bytes(data)


# SQLite


def _filled(path: Path) -> dict[bytes, KeptResult]:
    history = History(path)
    results = [KeptResult(bytes([n]) * 32, f'{{"n": {n}}}' * 50, float(n), n) for n in range(1, 60)]
    history.save_results(results, [("tool", "backend", Timing(1.0))])
    history.save_conversation("c", "A conversation", "{}")
    history.checkpoint()
    history.close()
    return {result.key: result for result in results}


def test_a_history_with_flipped_bits_answers_right_or_in_a_sentence(tmp_path):
    """A flipped bit in the text of a result is for the cache to find (test_damaged); nothing else may be raised."""
    path, dice = tmp_path / "history.sqlite", random.Random(5)
    known = _filled(path)
    right = path.read_bytes()
    for turn in range(25):
        for other in tmp_path.iterdir():
            other.unlink()
        damaged = bytearray(right)
        for _ in range(1 + turn % 20):
            damaged[dice.randrange(len(right))] ^= 1 << dice.randrange(8)
        if turn % 3 == 0:
            del damaged[dice.randrange(len(right)) :]
        path.write_bytes(damaged)
        history = History(path)  # opening never raises
        for key in known:
            with suppress(StorageError):
                history.result(key)
        for verb in (history.results, history.mentioned, history.conversations, history.result_bytes):
            with suppress(StorageError):
                verb()
        with suppress(StorageError):
            history.save_results([KeptResult(b"k" * 32, "{}", 1.0)])
        history.close()
    for other in tmp_path.iterdir():
        other.unlink()
    path.write_bytes(right)
    history = History(path)
    assert history.notice == "" and all(history.result(key) == result for key, result in known.items())
    history.close()


def test_a_run_over_a_history_that_is_damaged_is_right(single):
    """What the history gives for a result may be anything."""
    assert single.run(chain(6)).outcome == "ok"
    for text in ("", "{", "[1]", '{"number": 5}', '{"number": ["x", 1]}', "[" * 5000):
        with sqlite3.connect(single.history.path) as database:
            database.execute("UPDATE results SET outputs = ?", (text,))
        database.close()
        run = single.run(chain(6))
        assert run.outcome == "ok" and single.value(run, "n5", "number") == 6, text


def test_a_history_whose_disk_is_full_costs_the_memory_alone(single):
    """SQLite itself is told that there is no page more."""
    single.run(chain(3))
    pages = single.history._database.execute("PRAGMA page_count").fetchone()[0]
    single.history._database.execute(f"PRAGMA max_page_count = {pages}")
    run = single.run(chain(300, more=4))
    assert run.outcome == "ok" and single.value(run, "n299", "number") == 1200
    assert "could not be" in run.notice and "full" in run.notice
    single.history._database.execute("PRAGMA max_page_count = 1000000")
    again = single.run(chain(300, more=4))
    assert again.outcome == "ok" and again.notice == ""


def test_every_error_of_these_is_one_that_users_read():
    assert issubclass(StorageError, AppError)


def test_a_world_is_whole_after_all_this(world: World):
    assert world.run(chain(2)).outcome == "ok"

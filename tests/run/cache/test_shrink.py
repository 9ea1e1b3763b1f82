"""What goes when the store grows too large, and what never does."""

from __future__ import annotations

import pytest

from desktop_app.run.cache.eviction import shrink
from desktop_app.run.cache.result_cache import ResultCache
from desktop_app.storage.database import History
from desktop_app.storage.resources import Store
from tests.run.helpers import graph


@pytest.fixture
def place(tmp_path):
    history = History(tmp_path / "history.sqlite")
    yield history, Store(tmp_path / "store")
    history.close()


def _keep(place, name: str, size: int, seconds: float) -> str:
    history, store = place
    digest = store.put_bytes(name.encode() * size, ".txt")
    cache = ResultCache(history, store)
    cache.put(name.encode(), {"text": [digest, ".txt", "text", {}, size * len(name)]}, seconds, "tool", "b")
    cache.commit()
    return digest


def _known(place) -> set[str]:
    history, store = place
    cache = ResultCache(history, store)
    found = {name: cache.find(name.encode()) for name in "abc"}
    return {name for name, kept in found.items() if kept is not None and cache.whole(kept)}


def test_nothing_goes_below_the_limit(place):
    _keep(place, "a", 100, 1.0)
    assert shrink(*place, 100) == 0
    assert _known(place) == {"a"}


def test_the_cheapest_for_its_room_goes_first(place):
    _keep(place, "a", 1000, 100.0)
    _keep(place, "b", 1000, 0.1)
    _keep(place, "c", 10, 0.01)
    assert shrink(*place, 1200) == 1000
    assert _known(place) == {"a", "c"}


def test_what_is_visible_keeps_its_file(place):
    history, store = place
    digest = _keep(place, "a", 1000, 1.0)
    mentioned = _keep(place, "b", 1000, 1.0)
    history.save_conversation("x", "X", f'{{"digest": "{mentioned}"}}')
    assert shrink(*place, 10, {digest}) == 0
    assert store.path(digest, ".txt").exists() and store.path(mentioned, ".txt").exists()


def test_a_file_that_another_result_shares_stays(place):
    history, store = place
    digest = _keep(place, "a", 1000, 1000.0)
    cache = ResultCache(history, store)
    cache.put(b"b", {"text": [digest, ".txt", "text", {}, 1000]}, 0.001, "tool", "b")
    cache.commit()
    shrink(*place, 1500)
    assert _known(place) == {"a"}


def _text(text: str):
    return graph({"a": ("join", {"texts": [text * 1000]})})


def _grow_beyond_the_cap(world, cap: int) -> None:
    """Ends a run with a new program and that cap."""
    world.restart()
    world.engine.cap_bytes = cap
    world.run(_text("new"))
    world.runner.run(world.engine._tidy.done())


def test_a_run_that_ends_above_the_cap_makes_room(single):
    old = single.run(_text("old")).nodes["a"].outputs["text"]
    _grow_beyond_the_cap(single, 3500)
    assert not single.store.path(old.digest, old.suffix).exists()
    assert single.run(_text("new")).nodes["a"].cached
    assert not single.run(_text("old")).nodes["a"].cached


def test_below_the_cap_everything_stays(single):
    single.run(_text("old"))
    _grow_beyond_the_cap(single, 100_000)
    assert single.run(_text("old")).nodes["a"].cached


def test_what_this_program_showed_stays_however_much_it_is(single):
    single.engine.cap_bytes = 1000
    shown = [single.run(_text(name)).nodes["a"].outputs["text"] for name in ("one", "two", "six")]
    single.runner.run(single.engine._tidy.done())
    assert all(single.store.path_of(resource) for resource in shown)


def test_what_a_kept_conversation_shows_stays(single):
    shown = single.run(_text("old")).nodes["a"].outputs["text"]
    single.history.save_conversation("c", "C", f'{{"result": "{shown.digest}"}}')
    _grow_beyond_the_cap(single, 3500)
    assert single.store.path_of(shown).exists()


def test_what_a_conversation_speaks_of_stays(place):
    history, store = place
    digest = _keep(place, "a", 1000, 1.0)
    history.save_conversation("c", "", f'{{"resources": [{{"digest": "{digest}"}}]}}')
    assert shrink(*place, 10) == 0
    assert store.path(digest, ".txt").exists()

"""The monkey in its short form; `python -m tests.ui.monkey` plays for half an hour."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from desktop_app import app
from desktop_app.core import settings as settings_file
from desktop_app.ui.theme import theme
from tests.ui.conftest import use_theme
from tests.ui.monkey import Monkey, play
from tests.ui.watch import Watch
from tests.waiting import PATIENCE

ACTIONS = 150


@pytest.mark.parametrize("seed", [1, 2])
def test_random_actions_raise_nothing_and_can_be_undone(qapp, loop, own_home, seed):
    use_theme(qapp)
    quits = qapp.quitOnLastWindowClosed()
    qapp.setQuitOnLastWindowClosed(False)
    watch = Watch()
    loop.set_exception_handler(watch.failed)

    async def whole():
        windows = app.new_windows(settings_file.load())
        session = windows.session
        windows.open()
        watch.begin()
        try:
            monkey = await play(lambda: windows.window, seed, watch, lambda count: count < ACTIONS)
        finally:
            watch.end()
            session.stop()
            await windows.finish()
            windows.window.close()
            windows.window.deleteLater()
            await session.close()
        return monkey

    monkey = loop.run_until_complete(asyncio.wait_for(whole(), 110))
    qapp.setQuitOnLastWindowClosed(quits)
    theme.apply(qapp, "dark")
    assert watch.troubles == [], list(monkey.log)


def test_what_an_action_raises_ends_the_play_and_is_told(qapp, loop, monkeypatch):
    def raises(monkey: Monkey) -> None:
        raise ValueError("not here")

    monkeypatch.setattr(Monkey, "act", raises)
    monkeypatch.setattr(Monkey, "undo_all", lambda monkey: asyncio.sleep(0))
    window = SimpleNamespace(session=SimpleNamespace(id="one", state=SimpleNamespace(graph=None)))
    watch = Watch()
    watch.begin()
    try:
        loop.run_until_complete(asyncio.wait_for(play(lambda: window, 1, watch, lambda count: True), PATIENCE))
    finally:
        watch.end()
    assert len(watch.troubles) == 1 and "not here" in watch.troubles[0]

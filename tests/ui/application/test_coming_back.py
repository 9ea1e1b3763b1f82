"""The conversation is there again at the next start, however the program ended; two programs never share one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_app.core.paths import RESOURCES
from desktop_app.session import autosave
from desktop_app.session.autosave import ConversationStore
from desktop_app.storage.database import History
from tests.fakes import kept_conversation
from tests.ui.window_program import Program

COFFEE = str(RESOURCES / "examples" / "coffee.jpg")
CAT = str(RESOURCES / "examples" / "cat.jpg")
KEPT = ("id", "title", "messages", "files", "nodes", "ways", "states", "can_undo")


def settled(shown: dict[str, Any]) -> bool:
    return shown["settled"]


def same(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert {name: one[name] for name in KEPT} == {name: other[name] for name in KEPT}


def kept(home: Path) -> dict[str, list[str]]:
    """What was said in each kept conversation, by id."""
    history = History(home / "history.sqlite")
    try:
        conversations = ConversationStore(history)
        read = [conversations.read(one.id) for one in conversations.list()]
        return {snapshot.id: [message.text for message in snapshot.messages] for snapshot in read}
    finally:
        history.close()


def test_a_first_start_shows_the_first_screen_and_the_next_everything_there_was(own_home: Path) -> None:
    with Program() as program:
        shown = program.until(settled)
        assert shown["first_screen"] and shown["trouble"] == "" and shown["messages"] == []
        program.close()
    with Program() as program:
        assert program.until(settled)["first_screen"]
        program.do("ask", "make a cartoon of coffee.jpg", COFFEE)
        program.do("run")
        before = program.do("ask", "make it darker")
        assert before["nodes"] == ["cartoon", "brightness_contrast"] and before["states"]["cartoon"] == "done"
        program.close()
    with Program() as program:
        after = program.until(lambda shown: bool(shown["messages"]))
        same(after, before)
        assert not after["first_screen"]
        assert program.do("undo")["nodes"] == ["cartoon"]
        program.close()


def test_after_being_killed_what_was_saved_is_there_again(own_home: Path) -> None:
    assert autosave.SECONDS <= 1
    with Program() as program:
        program.until(settled)
        program.do("ask", "make a cartoon of coffee.jpg", COFFEE)
        before = program.do("run")
        program.until(lambda shown: kept(own_home).get(shown["id"]) == before["messages"])
        program.kill()
    with Program() as program:
        same(program.until(lambda shown: bool(shown["messages"])), before)
        assert "cartoon" in program.do("ask", "make it darker")["nodes"]
        program.kill()


@pytest.mark.parametrize(("text", "said"), [("{", "damaged"), ('{"format": 99}', "newer")])
def test_what_cannot_be_opened_is_said_and_one_can_begin_anew(own_home: Path, text: str, said: str) -> None:
    history = History(own_home / "history.sqlite")
    history.save_conversation("broken", "Broken", text)
    history.close()
    with Program() as program:
        shown = program.until(lambda shown: bool(shown["trouble"]))
        assert said in shown["trouble"] and shown["first_screen"]
        assert program.do("ask", "make a cartoon of coffee.jpg", COFFEE)["nodes"] == ["cartoon"]
        program.close()
    history = History(own_home / "history.sqlite")
    assert history.conversation("broken") == text
    history.close()


def test_a_conversation_that_is_damaged_in_part_opens_with_words(own_home: Path) -> None:
    whole = kept_conversation("format_2.json.xz")
    text = json.dumps({**json.loads(whole), "undo": [{}]})
    history = History(own_home / "history.sqlite")
    history.save_conversation(json.loads(whole)["id"], "Cartoon", text)
    history.close()
    with Program() as program:
        shown = program.until(lambda shown: bool(shown["messages"]))
        assert shown["nodes"] == ["cartoon", "brightness_contrast"] and "1 step of undo" in shown["messages"][-1]
        program.close()
    (aside,) = own_home.glob("conversation-damaged-*.json")
    assert aside.read_text("utf-8") == text


def test_two_programs_never_write_one_conversation(own_home: Path) -> None:
    with Program() as one:
        one.until(settled)
        first = one.do("ask", "make a cartoon of coffee.jpg", COFFEE)
        one.until(lambda shown: kept(own_home).get(first["id"]) == first["messages"])
        with Program() as two:
            assert two.until(settled)["first_screen"]
            two.do("open", first["id"])
            assert "open in another" in two.until(lambda shown: bool(shown["trouble"]))["trouble"]
            second = two.do("ask", "blur cat.jpg", CAT)
            assert second["id"] != first["id"]
            first = one.do("ask", "make it darker")
            two.close()
        one.close()
    assert kept(own_home) == {first["id"]: first["messages"], second["id"]: second["messages"]}
    with Program() as program:  # nobody has it open any more
        same(program.until(lambda shown: bool(shown["messages"])), first)
        program.do("open", second["id"])
        same(program.until(lambda shown: shown["id"] == second["id"]), second)
        program.close()

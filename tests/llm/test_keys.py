"""Keys live in the environment or in the system's keyring, each for its own server, and nowhere else."""

from __future__ import annotations

import asyncio
import traceback

import keyring
import pytest

from desktop_app.core.errors import BadReply, StorageError
from desktop_app.llm import credentials
from desktop_app.llm.chat import ChatMessage, complete
from desktop_app.llm.openai_client import OpenAICompatible
from tests.llm.rings import PlainFile, Ring
from tests.llm.server import Turn, serving

HERE, THERE = "https://one.example/v1", "https://other.example/v1"


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    for name in ("GRAPHWRIGHT_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def ring(monkeypatch):
    found = Ring()
    monkeypatch.setattr(keyring, "get_keyring", lambda: found)
    return found


def test_key_is_kept_for_its_server_alone(ring):
    credentials.keep(HERE, "secret one")
    assert credentials.key_for("https://ONE.example/other/path") == "secret one"
    assert credentials.key_for(THERE) == "" and credentials.key_for("http://one.example/v1") == ""


def test_environment_goes_before_the_keyring(ring, monkeypatch):
    credentials.keep(HERE, "kept")
    monkeypatch.setenv("GRAPHWRIGHT_API_KEY", "set")
    assert credentials.key_for(HERE) == "set" and credentials.kept(HERE) == "kept"


def test_empty_key_takes_it_out(ring):
    credentials.keep(HERE, "secret")
    credentials.keep(HERE, "")
    credentials.keep(HERE, "")
    assert ring.held == {}


@pytest.mark.parametrize("other", [PlainFile(), None])
def test_key_goes_into_no_file_where_there_is_no_keyring(monkeypatch, other):
    def get():
        if other is None:
            raise RuntimeError("no D-Bus")
        return other

    monkeypatch.setattr(keyring, "get_keyring", get)
    with pytest.raises(StorageError, match="no keyring"):
        credentials.keep(HERE, "secret")
    assert not credentials.available() and credentials.key_for(HERE) == ""
    assert other is None or other.held == {}


def test_keyring_that_fails_does_not_tell_the_key(monkeypatch):
    monkeypatch.setattr(keyring, "get_keyring", lambda: Ring(True))
    key = "".join(["se", "cret"])  # not as it stands here, or the lines of the traceback would hold it
    with pytest.raises(StorageError) as caught:
        credentials.keep(HERE, key)
    assert key not in "".join(traceback.format_exception(caught.value))


def test_key_is_looked_up_when_it_is_needed_and_only_once():
    looked = []

    async def twice(url: str) -> None:
        model = OpenAICompatible(url, "scripted", lambda: looked.append(1) or "secret")
        for _ in range(2):
            await complete(model, [ChatMessage("user", "hello")])

    with serving("one", "two") as (url, script):
        asyncio.run(twice(url))
    assert looked == [1]
    assert script.keys == ["Bearer secret", "Bearer secret"]


def test_message_of_a_server_that_repeats_the_key_is_told_without_it():
    with serving(Turn(status=401, message="Incorrect API key provided: sk-secret")) as (url, _):
        with pytest.raises(BadReply) as caught:
            asyncio.run(complete(OpenAICompatible(url, "scripted", "sk-secret"), [ChatMessage("user", "hello")]))
        assert "sk-secret" not in str(caught.value) and "(key)" in caught.value.message
        assert "key in the settings" in caught.value.fix

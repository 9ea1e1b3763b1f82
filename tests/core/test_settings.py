"""Settings: what is saved, what the environment says, and that the two are kept apart."""

from __future__ import annotations

import json

import pytest

from desktop_app.core import settings
from desktop_app.core.settings import Settings
from desktop_app.llm import credentials


@pytest.fixture
def file(own_home):
    own_home.mkdir(parents=True, exist_ok=True)
    return own_home / "settings.json"


def test_the_environment_counts_but_is_never_saved(file, monkeypatch):
    settings.save(Settings(llm_url="http://saved/v1", llm_model="saved"))
    monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", "http://other/v1")
    monkeypatch.setenv("GRAPHWRIGHT_LLM_MODEL", "other")
    now = settings.change(theme="light")
    assert (now.llm_url, now.llm_model, now.theme) == ("http://other/v1", "other", "light")
    assert json.loads(file.read_text())["llm_url"] == "http://saved/v1"
    monkeypatch.delenv("GRAPHWRIGHT_LLM_URL")
    assert settings.load().llm_url == "http://saved/v1"


def test_a_key_is_never_saved(file, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_API_KEY", "secret")
    settings.change(scale=1.5)
    assert "secret" not in file.read_text() and credentials.key_for("http://box/v1") == "secret"


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", '{"theme": 3}', '{"theme": "pink"}', '{"scale": true}', '{"scale": 9}', '{"scale": "2"}',
        '{"strategy": "guess"}', '{"llm_seconds": -1}', '{"other": 1}', '{"cache_gb": 0}', '{"cache_gb": Infinity}',
        '{"cache_gb": "5"}', '{"idle_seconds": -1}', '{"idle_seconds": true}', '{"embed_workflow": 0}',
        '{"embed_workflow": "no"}', '{"step_approval": 1}', '{"step_most": true}',
    ],
)  # fmt: skip
def test_what_is_damaged_or_unknown_becomes_the_default(file, text):
    file.write_text(text)
    assert settings.load() == Settings()


def test_one_damaged_setting_does_not_cost_the_others(file):
    file.write_text('{"theme": "pink", "scale": 2, "strategy": "beam"}')
    assert settings.load() == Settings(scale=2, strategy="beam")


@pytest.mark.parametrize("name", ["embed_workflow", "step_approval"])
def test_a_yes_or_no_is_read_back_as_it_was_saved(file, name):
    other = not getattr(Settings(), name)
    assert getattr(settings.change(**{name: other}), name) is other
    assert getattr(settings.change(**{name: not other}), name) is not other

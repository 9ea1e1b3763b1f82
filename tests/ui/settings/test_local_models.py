"""The settings panel offers the chat models of the catalogue, says which are here, and keeps what is chosen."""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QWidget

from desktop_app.core import settings as settings_file
from desktop_app.core.settings import LOCAL
from desktop_app.models import store
from desktop_app.models.catalogue import catalogue
from desktop_app.services import local_chat
from desktop_app.services.local_chat import chat_models
from desktop_app.ui.settings.settings_panel import SettingsPanel

HERE = "A model on this computer"


@pytest.fixture(autouse=True)
def clean(monkeypatch, own_home):
    for name in (*settings_file.VARIABLES.values(), *settings_file.KEY_VARIABLES, "GRAPHWRIGHT_MODELS"):
        monkeypatch.delenv(name, raising=False)
    own_home.mkdir(parents=True, exist_ok=True)


def install(id: str) -> None:
    """Makes the catalogue's model count as downloaded."""
    model = next(model for model in chat_models() if model.id == id)
    store.folder(model).mkdir(parents=True)
    marker = {"id": id, "revision": model.revision, "files": {}}
    (store.folder(model) / store.MARKER).write_text(json.dumps(marker))


@pytest.fixture
def make(qtbot, ui):
    def build() -> SettingsPanel:
        window = QWidget()
        qtbot.addWidget(window)
        window.resize(1000, 900)
        window.show()
        made = SettingsPanel(window, ui.loader, ui.session.upkeep)
        made.keep = window
        made.heard = []
        made.changed.connect(made.heard.append)
        anchor = QWidget(window)
        anchor.setGeometry(800, 10, 30, 30)
        made.open_below(anchor)
        return made

    return build


def choose(panel: SettingsPanel, name: str) -> None:
    index = panel.preset.findText(name)
    panel.preset.setCurrentIndex(index)
    panel.preset.activated.emit(index)


def items(panel: SettingsPanel) -> list[str]:
    return [panel.local.list.itemText(i) for i in range(panel.local.list.count())]


def test_every_chat_model_is_listed_with_its_size_and_whether_it_is_here(make):
    install("qwen2-5-0-5b")
    panel = make()
    choose(panel, HERE)
    shown = items(panel)
    assert len(shown) == sum(model.task == "chat" for model in catalogue().values())
    assert shown[0] == "Qwen2.5 0.5B Instruct · 1.0 GB · on this computer"
    assert "Qwen2.5 1.5B Instruct · 3.1 GB · not downloaded" in shown[1:]


def test_the_best_that_is_here_is_taken_first_and_no_key_or_address_is_asked_for(make):
    install("qwen2-5-0-5b")
    panel = make()
    choose(panel, HERE)
    now = settings_file.load()
    assert (now.llm_url, now.llm_model) == (LOCAL, "qwen2-5-0-5b")
    assert panel.heard[-1].llm_url == LOCAL
    assert panel.local.isVisibleTo(panel) and not panel._fields.isVisibleTo(panel)
    assert "no key" in panel.local.state.text() and "download" not in panel.local.state.text()


@pytest.mark.parametrize(("memory", "first"), [(8, "qwen2-5-0-5b"), (16, "qwen2-5-1-5b"), (25, "qwen3-4b")])
def test_with_none_here_the_best_that_fits_is_proposed_and_how_to_get_it(make, monkeypatch, memory, first):
    monkeypatch.setattr(local_chat, "memory_bytes", lambda: memory * 10**9)
    panel = make()
    choose(panel, HERE)
    assert settings_file.load().llm_model == first
    assert f"graphwright models download {first}" in panel.local.state.text()


def test_another_model_is_saved_and_told(make):
    panel = make()
    choose(panel, HERE)
    panel.local.list.setCurrentIndex(1)
    panel.local.list.activated.emit(1)
    assert panel.heard[-1].llm_model == settings_file.load().llm_model == "qwen2-5-1-5b"
    assert "models download qwen2-5-1-5b" in panel.local.state.text()


def test_what_was_chosen_is_shown_when_it_opens_again_and_a_server_takes_its_place(make):
    settings_file.change(llm_url=LOCAL, llm_model="qwen2-5-1-5b")
    panel = make()
    assert panel.preset.currentText() == HERE
    assert panel.local.list.currentData() == "qwen2-5-1-5b"
    choose(panel, "Ollama")
    assert settings_file.load().llm_url == "http://localhost:11434/v1" and settings_file.load().llm_model == ""
    assert panel._fields.isVisibleTo(panel) and not panel.local.isVisibleTo(panel)
    choose(panel, "None")
    assert not panel._fields.isVisibleTo(panel) and not panel.local.isVisibleTo(panel)


def test_opening_the_panel_changes_nothing(make):
    settings_file.change(llm_url=LOCAL, llm_model="qwen2-5-1-5b")
    panel = make()
    panel.refresh()
    assert panel.heard == []


def test_a_model_that_left_the_catalogue_is_said(make):
    settings_file.change(llm_url=LOCAL, llm_model="gone-model")
    panel = make()
    assert "not in the catalogue" in panel.local.state.text()
    assert panel.local.list.currentIndex() == -1 and settings_file.load().llm_model == "gone-model"


def test_what_the_environment_chooses_cannot_be_changed_here(make, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", LOCAL)
    monkeypatch.setenv("GRAPHWRIGHT_LLM_MODEL", "qwen2-5-1-5b")
    panel = make()
    assert panel.preset.currentText() == HERE and not panel.preset.isEnabled()
    assert panel.local.list.currentData() == "qwen2-5-1-5b" and not panel.local.list.isEnabled()


def test_the_controls_have_names_and_tips(make):
    panel = make()
    assert panel.local.list.accessibleName() and panel.local.list.toolTip()

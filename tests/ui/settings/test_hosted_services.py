"""Services on servers are named, changed and removed in the settings."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_app.core import settings as settings_file
from desktop_app.core.settings import HUGGING_FACE, OPENAI
from desktop_app.llm import credentials
from desktop_app.services.hosted import HUB
from desktop_app.ui.settings.hosted_services import HostedServices

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot, ui, own_home, monkeypatch):
    monkeypatch.setattr(credentials, "available", lambda: False)
    monkeypatch.setattr(credentials, "kept", lambda url: "")
    own_home.mkdir(parents=True, exist_ok=True)
    made = HostedServices(ui.loader)
    qtbot.addWidget(made)
    made.changed.connect(lambda values: settings_file.change(**values))
    made.show_settings(settings_file.saved())
    made.show()
    return made


def typed(panel: HostedServices, service: str, url: str, model: str, voice: str = "") -> None:
    QTest.mouseClick(panel.rows[service].edit, Left)
    for field, text in ((panel.url, url), (panel.model, model), (panel.voice, voice)):
        field.setText(text)
    QTest.mouseClick(panel.form.keep, Left)


def test_service_is_named_changed_and_removed(panel):
    assert panel.rows["speech"].who.accessibleName() == "none" and not panel.rows["speech"].remove.isVisible()
    typed(panel, "speech", "https://tts.example/v1", "kokoro", "bella")
    about = {"url": "https://tts.example/v1", "model": "kokoro", "protocol": OPENAI, "voice": "bella"}
    assert settings_file.saved().endpoints == {"speech": about} and not panel.form.isVisible()
    assert panel.rows["speech"].who.accessibleName() == "kokoro at tts.example"
    typed(panel, "images", "http://localhost:8080/v1", "flux")
    assert set(settings_file.saved().endpoints) == {"speech", "images"}
    QTest.mouseClick(panel.rows["speech"].remove, Left)
    assert set(settings_file.saved().endpoints) == {"images"}


def test_address_of_hugging_face_is_known(panel):
    QTest.mouseClick(panel.rows["detection"].edit, Left)
    assert panel.protocol.currentData() == HUGGING_FACE and panel.url.text() == HUB
    panel.model.setText("facebook/detr-resnet-50")
    QTest.mouseClick(panel.form.keep, Left)
    kept = settings_file.saved().endpoints["detection"]
    assert kept == {"url": HUB, "model": "facebook/detr-resnet-50", "protocol": HUGGING_FACE}


@pytest.mark.parametrize(
    ("url", "model", "why"),
    [
        ("ftp://x", "m", "begins with"),
        ("https://", "m", "begins with"),
        ("https://me:secret@x.example", "m", "user name and password"),
        ("https://x.example/v1", "", "Name the model"),
    ],
)
def test_what_is_no_service_is_refused(panel, url, model, why):
    typed(panel, "images", url, model)
    assert why in panel.form.trouble.text() and panel.form.isVisible() and not settings_file.saved().endpoints


def test_form_does_not_say_that_the_key_of_another_server_is_there(panel, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_API_KEY", "sk-model")
    typed(panel, "images", "https://x.example/v1", "flux")
    QTest.mouseClick(panel.rows["images"].edit, Left)
    assert "GRAPHWRIGHT_API_KEY" not in panel.key.state.text() or panel.key.state.text().startswith("not found")
    settings_file.change(llm_url="https://x.example/v1")
    QTest.mouseClick(panel.rows["images"].edit, Left)
    assert panel.key.state.text() == "found in GRAPHWRIGHT_API_KEY"

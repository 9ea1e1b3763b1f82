"""The settings panel: everything counts at once, is saved, and the test of the server says what happened."""

from __future__ import annotations

import http.server
import json
import threading

import keyring
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop_app.core import settings as settings_file
from desktop_app.core.errors import BadReply
from desktop_app.llm import abilities
from desktop_app.llm.abilities import PRESETS
from desktop_app.llm.model_listing import offered
from desktop_app.ui.main_window.main_window import MainWindow
from desktop_app.ui.settings.settings_panel import SettingsPanel
from desktop_app.ui.settings.storage_options import ResultOptions
from desktop_app.ui.theme import theme
from tests.llm.rings import Ring
from tests.ui import states
from tests.ui.conftest import use_theme
from tests.ui.fakes import finish

Left = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def clean(monkeypatch, own_home):
    for name in (*settings_file.VARIABLES.values(), *settings_file.KEY_VARIABLES):
        monkeypatch.delenv(name, raising=False)
    own_home.mkdir(parents=True, exist_ok=True)


@pytest.fixture
def make(qtbot, ui):
    def build(ask=lambda url, key: ("small", "large")) -> SettingsPanel:
        window = QWidget()
        qtbot.addWidget(window)
        window.resize(1000, 800)
        window.show()
        made = SettingsPanel(window, ui.loader, ui.session.upkeep, ask)
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
    assert index >= 0
    panel.preset.setCurrentIndex(index)
    panel.preset.activated.emit(index)


def test_a_chosen_size_is_saved_and_told(make):
    panel = make()
    QTest.mouseClick(panel.scales.buttons[2], Left)
    assert settings_file.load().scale == 1.5 and panel.heard[-1].scale == 1.5
    assert [b.isChecked() for b in panel.scales.buttons] == [False, False, True, False, False]


def test_the_strategy_is_saved(make):
    panel = make()
    panel.strategy.setCurrentIndex(3)
    panel.strategy.activated.emit(3)
    assert settings_file.load().strategy == "exhaustive"


def test_a_server_of_the_list_fills_the_address_and_offers_its_models(make, qtbot):
    panel = make()
    assert not panel._fields.isVisibleTo(panel)
    choose(panel, "Ollama")
    assert panel.url.text() == next(one for one in PRESETS if one.name == "Ollama").url == settings_file.load().llm_url
    QTest.mouseClick(panel.test, Left)
    qtbot.waitUntil(lambda: "Choose one" in panel.outcome.text())
    assert [panel.model.itemText(i) for i in range(panel.model.count())] == ["small", "large"]
    panel.model.setCurrentIndex(1)
    panel.model.activated.emit(1)
    assert panel.heard[-1].llm_model == "large" == settings_file.load().llm_model


def test_a_price_is_that_of_the_list_until_the_user_says_another(make):
    settings_file.change(llm_url="https://api.openai.com/v1", llm_model="gpt-4o-mini")
    panel = make()
    assert not panel.price.text() and panel.price.placeholderText().startswith("0.15 / 0.6, as listed on 20")
    for typed, kept in (("$0.1 / 0.4", [0.1, 0.4]), ("cheap", [0.1, 0.4]), ("1", [0.1, 0.4]), ("0/0", [0.0, 0.0])):
        panel.price.setText(typed)
        panel.price.editingFinished.emit()
        assert settings_file.saved().llm_prices == {"gpt-4o-mini": kept}
        assert ("two numbers" in panel.outcome.text()) == ("/" not in typed)
    panel.price.clear()
    panel.price.editingFinished.emit()
    assert settings_file.saved().llm_prices == {}
    choose(panel, "vLLM")
    assert panel.price.placeholderText() == "free"


def test_the_test_of_a_server_forgets_what_it_refused(make):
    panel = make()
    choose(panel, "vLLM")
    learnt = abilities.abilities(panel.url.text(), "m")
    learnt.lack("temperature")
    QTest.mouseClick(panel.test, Left)
    assert not learnt.lacks, "also for who talks to it already"


def test_a_model_that_is_not_offered_is_said(make, qtbot):
    panel = make()
    choose(panel, "Ollama")
    panel.model.setEditText("huge")
    QTest.mouseClick(panel.test, Left)
    qtbot.waitUntil(lambda: "none is called huge" in panel.outcome.text())


def test_a_server_that_does_not_answer_is_explained_and_nothing_blocks(make, qtbot):
    threads = []

    def ask(url, key):
        threads.append(threading.current_thread())
        raise BadReply("The server cannot be reached.", "Start it.")

    panel = make(ask)
    choose(panel, "Ollama")
    QTest.mouseClick(panel.test, Left)
    qtbot.waitUntil(lambda: panel.outcome.text() == "The server cannot be reached. Start it.")
    assert threads and threading.main_thread() not in threads and panel.test.isEnabled()


def test_none_takes_the_server_away(make):
    panel = make()
    choose(panel, "OpenAI")
    choose(panel, "None")
    assert settings_file.load().llm_url == "" and panel.heard[-1].llm_url == ""


def test_a_typed_address_counts_when_it_is_left(make):
    panel = make()
    choose(panel, "Other server")
    panel.url.setFocus()
    QTest.keyClicks(panel.url, "http://box:9000/v1")
    QTest.keyClick(panel.url, Qt.Key.Key_Return)
    assert settings_file.load().llm_url == "http://box:9000/v1"
    assert panel.preset.currentText() == "Other server"


def test_the_key_is_told_to_be_there_and_never_shown(make, monkeypatch):
    panel = make()
    choose(panel, "Ollama")
    assert "not found in GRAPHWRIGHT_API_KEY" in panel.key.state.text()
    monkeypatch.setenv("GRAPHWRIGHT_API_KEY", "secret-key")
    panel = make()
    assert panel.key.state.text() == "found in GRAPHWRIGHT_API_KEY" and not panel.key.field.isEnabled()
    assert all("secret-key" not in str(w.property("text")) for w in panel.findChildren(QWidget))


def test_a_key_goes_into_the_keyring_for_this_server_and_nowhere_else(make, monkeypatch, qtbot, own_home):
    ring = Ring()
    monkeypatch.setattr(keyring, "get_keyring", lambda: ring)
    heard = []
    panel = make(lambda url, key: heard.append(key) or ("small",))
    choose(panel, "OpenAI")
    qtbot.waitUntil(panel.key.field.isEnabled)
    panel.key.field.setFocus()
    QTest.keyClicks(panel.key.field, "secret-key")
    assert panel.key.field.displayText() == "●" * 10
    QTest.keyClick(panel.key.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "kept in the keyring" in panel.key.state.text())
    assert ring.held == {("graphwright", "https://api.openai.com"): "secret-key"} and panel.heard
    assert panel.key.field.text() == "" and "secret" not in (own_home / "settings.json").read_text()
    QTest.mouseClick(panel.test, Left)
    qtbot.waitUntil(lambda: heard == ["secret-key"])
    choose(panel, "Ollama")
    qtbot.waitUntil(lambda: panel.key.state.text().startswith("none;"))
    choose(panel, "OpenAI")
    qtbot.waitUntil(panel.key.forget.isVisible)
    QTest.mouseClick(panel.key.forget, Left)
    qtbot.waitUntil(lambda: ring.held == {})


def test_a_keyring_that_refuses_is_told_without_the_key(make, monkeypatch, qtbot):
    monkeypatch.setattr(keyring, "get_keyring", lambda: Ring(broken=True))
    panel = make()
    choose(panel, "OpenAI")
    qtbot.waitUntil(panel.key.field.isEnabled)
    QTest.keyClicks(panel.key.field, "secret-key")
    QTest.keyClick(panel.key.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "did not take the key" in panel.key.state.text())
    assert "secret" not in panel.key.state.text()


def test_the_planning_mode_is_saved(make):
    panel = make()
    panel.mode.setCurrentIndex(1)
    panel.mode.activated.emit(1)
    assert settings_file.load().plan_mode == "task list" and panel.heard[-1].plan_mode == "task list"


def test_what_the_environment_sets_cannot_be_changed_here_and_is_not_saved(make, monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", "http://env/v1")
    panel = make()
    assert not panel.url.isEnabled() and "GRAPHWRIGHT_LLM_URL" in panel._override.text()
    QTest.mouseClick(panel.scales.buttons[1], Left)
    assert settings_file.saved().llm_url == "" and settings_file.load().llm_url == "http://env/v1"


def test_the_size_of_the_results_is_measured(make, own_home, qtbot):
    (own_home / "store").mkdir()
    (own_home / "store" / "x").write_bytes(b"0" * 2_000_000)
    panel = make()
    qtbot.waitUntil(lambda: "2 MB" in panel.results.size_said.text())
    assert str(own_home) in panel.results.place_said.text()


def test_a_full_disk_is_told(make, monkeypatch):
    from desktop_app.core.errors import StorageError

    panel = make()

    def full(**_):
        raise StorageError("The settings could not be saved.")

    monkeypatch.setattr(settings_file, "change", full)
    QTest.mouseClick(panel.scales.buttons[1], Left)
    assert "could not be saved" in panel.trouble.text() and panel.heard == []


@pytest.fixture
def window(qtbot, qapp, session):
    use_theme(qapp)
    states.planned(session)
    made = MainWindow(session, spawn=finish)
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    yield made
    made.close()
    use_theme(qapp)


def test_it_opens_inside_the_window_and_esc_gives_the_keyboard_back(window):
    window.activateWindow()
    button = window.tool_bar.settings
    button.setFocus()
    QTest.mouseClick(button, Left)
    panel = window.overlays.settings
    assert panel.isVisible() and window.rect().contains(panel.geometry())
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.isVisible()


def test_a_click_beside_it_closes_it_and_the_button_toggles(window):
    panel = window.overlays.settings
    QTest.mouseClick(window.tool_bar.settings, Left)
    QTest.mouseClick(window.chat, Left)
    assert not panel.isVisible()
    QTest.mouseClick(window.tool_bar.settings, Left)
    QTest.mouseClick(window.tool_bar.settings, Left)
    assert not panel.isVisible()


def test_the_theme_is_seen_at_once(window):
    QTest.mouseClick(window.tool_bar.settings, Left)
    QTest.mouseClick(window.overlays.settings.themes.buttons[1], Left)
    assert theme.current().name == "light" and settings_file.load().theme == "light"


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        good = self.path == "/v1/models" and self.headers["Authorization"] == "Bearer key"
        self.send_response(200 if good else 401 if self.path == "/v1/models" else 404)
        self.end_headers()
        self.wfile.write(json.dumps({"data": [{"id": "b"}, {"id": "a"}]}).encode() if good else b"no")

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def address():
    server = http.server.HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_real_server_is_asked(address):
    assert offered(address, "key") == ("a", "b")
    with pytest.raises(BadReply, match="401") as caught:
        offered(address)
    assert "GRAPHWRIGHT_API_KEY" in caught.value.fix
    with pytest.raises(BadReply, match="404"):
        offered(address.removesuffix("/v1"), "key")


@pytest.mark.parametrize("url", ["", "nonsense", "file:///etc/passwd", "http://127.0.0.1:1/v1"])
def test_an_address_that_leads_nowhere_is_explained(url):
    with pytest.raises(BadReply):
        offered(url, seconds=2)


def test_the_room_for_results_is_saved_and_read_back(make):
    panel = make()
    panel.results.most.setFocus()
    panel.results.most.selectAll()
    QTest.keyClicks(panel.results.most, "35")
    QTest.keyClick(panel.results.most, Qt.Key.Key_Return)
    assert settings_file.load().cache_gb == 35.0 and panel.heard[-1].cache_gb == 35.0
    settings_file.change(cache_gb=7.0)
    panel.refresh()
    assert panel.results.most.value() == 7 and len(panel.heard) == 1


def test_models_can_stay_in_memory_for_ever(make):
    panel = make()
    assert [panel.results.idle.itemText(i) for i in range(4)] == ["1 min", "10 min", "60 min", "never"]
    assert panel.results.idle.currentText() == "10 min"
    panel.results.idle.setFocus()
    QTest.keyClick(panel.results.idle, Qt.Key.Key_End)
    panel.results.idle.activated.emit(3)
    assert settings_file.load().idle_seconds == 0 and panel.heard[-1].idle_seconds == 0


def test_a_time_of_ones_own_in_the_file_is_shown(make):
    settings_file.change(idle_seconds=150.0)
    assert make().results.idle.currentText() == "2.5 min"


def test_saved_results_can_go_without_their_workflow(make):
    panel = make()
    assert panel.results.embeds.isChecked()
    QTest.mouseClick(panel.results.embeds, Left, pos=QPoint(8, panel.results.embeds.height() // 2))
    assert settings_file.load().embed_workflow is False and panel.heard[-1].embed_workflow is False
    panel.results.tells.click()
    assert settings_file.load().tell_contents is False and panel.heard[-1].tell_contents is False


def test_what_results_take_is_told_and_given_back_at_a_click(window, session, qtbot):
    QTest.mouseClick(window.tool_bar.settings, Left)
    results = window.overlays.settings.results
    qtbot.waitUntil(lambda: results.used_said.text() == "Results take 3.0 GB now")
    QTest.mouseClick(results.free, Left)
    assert not results.free.isEnabled()
    qtbot.waitUntil(lambda: results.used_said.text() == "Results take nothing now")
    assert session.upkeep.used == 0 and not results.free.isEnabled()


def test_what_has_to_stay_is_said(window, session, qtbot):
    session.upkeep.forget_results = lambda: None
    QTest.mouseClick(window.tool_bar.settings, Left)
    results = window.overlays.settings.results
    qtbot.waitUntil(results.free.isEnabled)
    QTest.mouseClick(results.free, Left)
    qtbot.waitUntil(lambda: results.used_said.text().startswith("3.0 GB stays"))


def test_the_limits_above_which_one_is_asked_are_kept_and_can_be_switched_off(make):
    panel = make()
    assert (panel.limits.gb.text(), panel.limits.minutes.text()) == ("2 GB", "10 min")
    panel.limits.gb.setValue(5)
    panel.limits.minutes.setValue(0)
    assert panel.limits.minutes.text() == "never ask"
    saved = settings_file.saved()
    assert (saved.ask_gb, saved.ask_minutes) == (5.0, 0)
    panel.refresh()
    assert (panel.limits.gb.value(), panel.limits.minutes.value()) == (5, 0)
    settings_file.change(ask_gb=0.3)
    panel.refresh()
    assert panel.limits.gb.value() == 1, "which is not never"


def test_where_nothing_shows_folders_that_is_said(make, monkeypatch):
    options = make().findChild(ResultOptions)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    options.folder.click()
    assert options.size_said.text().startswith("No program on this computer opens ")

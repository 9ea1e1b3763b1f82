"""The page of models: looked through, got, paused and removed, with the mouse and with the keyboard alone."""

from __future__ import annotations

import asyncio
import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLabel, QWidget

from desktop_app.core import settings
from desktop_app.graph.workflow import Node, Workflow
from desktop_app.models import offers, store
from desktop_app.models.catalogue import catalogue, find
from desktop_app.models.downloads import Download
from desktop_app.run.backends import selection
from desktop_app.run.events.run_record import Run
from desktop_app.ui.graph.items.card_model import CardModels
from desktop_app.ui.main_window.main_window import LEAST
from desktop_app.ui.models.model_rows import AWAY, HERE, NOTHING_MORE, ROW, task_words, translated
from desktop_app.ui.models.models_panel import ModelsPanel
from desktop_app.ui.support import translator
from desktop_app.ui.widgets.download_view import DownloadsView
from nodes import catalogue as node_catalogue
from nodes import load_tools
from tests.models.conftest import REVISION, hub  # noqa: F401
from tests.nodes.models.conftest import LAYOUT
from tests.nodes.models.tiny import builders
from tests.session.test_fetching import ENTRY
from tests.ui.conftest import served


@pytest.fixture
def page(ui, own_home, tmp_path, monkeypatch, qapp):
    """The open page; among the models is a tiny one."""
    own = tmp_path / "models.toml"
    own.write_text(ENTRY)
    monkeypatch.setenv(node_catalogue.OWN, str(own))
    window = QWidget()
    window.resize(1200, 800)
    window.show()
    made = ModelsPanel(window, ui)
    ui.signals.change_settings.connect(lambda values: settings.change(**values))
    made.open_below(window)
    served()
    yield made
    ui.loader.wait()
    window.close()
    window.deleteLater()


def titles(page) -> list[str]:
    return [row.title for row in page._rows.rows if row.id]


def state(page, id: str) -> str:
    return page._rows.place(id).data(ROW).state


def said(page) -> str:
    served()
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def test_what_the_catalogue_says_of_a_model_is_said_in_chinese(qapp):
    translator.use(qapp, "zh")
    try:
        assert translated("80 kinds of things (COCO). Untested here with its real weights.").isascii() is False
        assert translated("CC-BY-NC-4.0 (not for commercial use)") == "CC-BY-NC-4.0 （不可商用）"
    finally:
        translator.use(qapp, "en")


def test_the_first_of_them_is_chosen_when_it_opens(page):
    assert page._chosen and page._chosen == next(row.id for row in page._rows.rows if row.id)
    assert next(row.title for row in page._rows.rows if row.id) in said(page)


def test_in_a_small_window_all_of_the_page_can_be_scrolled_to(page):
    page._home.resize(*LEAST)
    served()
    body = page._body
    assert body.minimumSizeHint().width() <= body.width() and page.list.height() >= 100
    assert page._scroll.verticalScrollBar().maximum() > 0


def test_every_model_is_there_under_what_it_is_for(page):
    assert len(titles(page)) == len(catalogue()) + 1, "and what they run with"
    heads = [row for row in page._rows.rows if not row.id]
    assert {row.task for row in heads} == {"", *(model.task for model in catalogue().values())}
    assert not page._rows.flags(page._rows.index(0)) & Qt.ItemFlag.ItemIsSelectable
    assert all(task_words(model.task) != "" for model in catalogue().values())


def test_words_task_and_what_is_here_narrow_it_down(page):
    page.search.setText("yolos TINY")
    assert titles(page) == ["YOLOS tiny"]
    page.search.clear()
    page.task.setCurrentIndex(page.task.findData("upscale"))
    page.task.activated.emit(page.task.currentIndex())
    assert {row.task for row in page._rows.rows} == {"upscale"}
    page.task.setCurrentIndex(0)
    page.here.setChecked(True)
    assert all(row.here for row in page._rows.rows if row.id)


def test_a_model_is_got_and_removed_again(page, ui, hub, loop):  # noqa: F811
    page.show_model("tiny-words")
    assert state(page, "tiny-words") == AWAY and "3 MB" in page.main.text()
    loop.run_until_complete(page._fetch("tiny-words"))
    assert state(page, "tiny-words") == HERE and store.present(find("tiny-words"))
    assert ("look_again",) in ui.session.calls
    page._remove()
    assert state(page, "tiny-words") == AWAY and not store.present(find("tiny-words"))


def test_with_the_keyboard_alone(page, ui, hub, qtbot, monkeypatch):  # noqa: F811
    got = []
    monkeypatch.setattr(page, "_get", got.append)
    QTest.keyClicks(page.search, "tiny words")
    assert titles(page) == ["Tiny words"]
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    assert got == ["tiny-words"]
    order, widget = [], page.search
    for _ in range(400):
        widget = widget.nextInFocusChain()
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and page.isAncestorOf(widget):
            order.append(widget)
        if widget is page.search:
            break
    assert {page.list, page.here, page.main, page.offline, page.mirror, page.change} <= set(order)


def list_on(server, **more):
    """The hub lists its one model."""
    one = {"id": "someone/tiny", "sha": REVISION, "pipeline_tag": "object-detection", "gated": False, "downloads": 1234,
           "tags": ["license:mit"], "siblings": server.listing()["siblings"]} | more  # fmt: skip
    server.pages["/api/models"] = json.dumps([one])
    server.pages["/api/models/someone/tiny"] = json.dumps(one)


def found_on_hub(page) -> list[str]:
    return [row.title for row in page._rows.rows if row.found is not None]


@pytest.fixture
def elsewhere(page, monkeypatch, tmp_path):
    """The user's own catalogue is empty."""
    monkeypatch.setenv(node_catalogue.OWN, str(tmp_path / "none.toml"))
    yield
    monkeypatch.undo()
    load_tools()


@pytest.fixture
def finished(ui, loop, monkeypatch):
    """Runs what the page began last to its end."""
    begun: list = []
    monkeypatch.setattr(ui.calls, "_spawn", begun.append)
    return lambda: loop.run_until_complete(begun.pop())


def test_what_the_catalogue_lacks_is_found_on_the_hub_added_and_got(page, ui, hub, loop, elsewhere, finished):  # noqa: F811
    list_on(hub)
    assert not page.on_hub.isEnabled()
    page.search.setText("tiny")
    assert page.on_hub.isEnabled() and not found_on_hub(page)
    loop.run_until_complete(page._find_on_hub("tiny"))
    assert found_on_hub(page) == ["someone/tiny"] and page._rows.rows[page.list.currentIndex().row()].found
    row = page._rows.rows[-1]
    assert (row.facts, row.words) == ("Detect objects · mit · 1,234 downloads", "3 MB")
    assert "1,234" in said(page) and "Add to the models" in page.main.text()
    page.main.click()
    finished()
    assert find("tiny").own and state(page, "tiny") == AWAY and page._chosen == "tiny"
    assert ("look_again",) in ui.session.calls
    loop.run_until_complete(page._fetch("tiny"))
    assert state(page, "tiny") == HERE and store.present(find("tiny"))
    page.search.setText("tiny")
    loop.run_until_complete(page._find_on_hub("tiny"))
    assert not found_on_hub(page) and page._rows.rows[-1].task == NOTHING_MORE


def test_what_cannot_be_used_is_shown_with_why(page, hub, loop, elsewhere):  # noqa: F811
    list_on(hub, gated="auto")
    page.search.setText("tiny")
    loop.run_until_complete(page._find_on_hub("tiny"))
    assert page._rows.rows[-1].words == "cannot be used"
    assert "those who sign in" in said(page) and page.main is None


def test_the_hub_is_searched_for_a_task_without_words(page, hub, loop, elsewhere):  # noqa: F811
    list_on(hub, pipeline_tag="")
    page.task.setCurrentIndex(page.task.findData("upscale"))
    page.task.activated.emit(page.task.currentIndex())
    assert page.on_hub.isEnabled() and page._chosen in {row.id for row in page._rows.rows}, "the side is never empty"
    loop.run_until_complete(page._find_on_hub("", "upscale"))
    assert found_on_hub(page) == ["someone/tiny"]
    assert page._rows.rows[-1].facts == "mit · 1,234 downloads", "of no known task"


def test_other_words_forget_what_was_found(page, hub, loop, elsewhere):  # noqa: F811
    list_on(hub)
    page.search.setText("tiny")
    loop.run_until_complete(page._find_on_hub("tiny"))
    page.search.setText("other")
    assert not found_on_hub(page)
    loop.run_until_complete(page._find_on_hub("tiny"))
    assert not found_on_hub(page), "an answer to words that no longer stand there"


def test_a_folder_a_checkpoint_and_lora_files_are_added(page, ui, elsewhere, finished, tmp_path, monkeypatch):
    base = LAYOUT["sd-1-5"](tmp_path / "painter")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(base))
    page._add_folder()
    finished()
    assert page._chosen == "painter" and state(page, "painter") == HERE
    file = builders.lora(base, tmp_path / "ink.safetensors", 1)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(file)], ""))
    monkeypatch.setattr(QInputDialog, "getDouble", lambda *_: (0.5, True))
    page._add_loras()
    finished()
    assert page._chosen == "painter-ink" and find("painter-ink").title == "painter + ink (0.5)"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    told: list[str] = []
    ui.calls.failed.connect(lambda message, fix: told.append(message))
    page._add_checkpoint()
    finished()
    assert "is a LoRA" in told[0]


async def test_a_download_in_flight_is_seen_paused_and_gone_on_with(page, ui, hub, loop):  # noqa: F811
    hub.piece = 20_000
    every = ui.session.downloads
    page.show_model("tiny-words")
    task = asyncio.ensure_future(page._fetch("tiny-words"))
    while every.all.get("tiny-words", Download("", "")).done_bytes < 500_000:
        hub.step.release()
        await asyncio.sleep(0.01)
    page._fill()
    (view,) = page.findChildren(DownloadsView)
    row = view.rows["tiny-words"]
    assert "of 3 MB" in row.words.text() and row.button.accessibleName().startswith("Pause")
    row.button.click()
    while every.all["tiny-words"].state != "paused":
        hub.step.release()
        await asyncio.sleep(0.01)
    page._fill()
    assert state(page, "tiny-words") == "paused" and "Go on" in page.main.text()
    hub.piece = 0
    hub.step.release(1000)
    every.begin("tiny-words")
    await task
    assert state(page, "tiny-words") == HERE


def test_one_that_failed_says_why_and_can_be_tried_again(page, ui, hub, loop):  # noqa: F811
    hub.wrong.add("model.safetensors")
    page.show_model("tiny-words")
    loop.run_until_complete(page._fetch("tiny-words"))
    page._fill()
    assert state(page, "tiny-words") == "failed" and "checksum" in said(page)
    assert "Try again" in page.main.text()


def test_offline_and_mirror_are_kept(page):
    page.show_model("tiny-words")
    page.offline.click()
    assert settings.now().offline and "stay offline" in said(page)
    assert not page.main.isEnabled()
    page.mirror.setText("https://mirror.example.org")
    page.mirror.editingFinished.emit()
    assert settings.now().models_mirror == "https://mirror.example.org"


def test_rows_say_all_of_it_to_those_who_do_not_see(page):
    place = page._rows.place("tiny-words")
    assert "Tiny words" in place.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "MIT" in place.data(Qt.ItemDataRole.AccessibleTextRole)


@pytest.mark.parametrize(
    ("download", "state_", "text"),
    [
        (None, "input", "Click here to get it"),
        (Download("yolos-tiny", "YOLOS tiny", "fetching", 13_000_000, 26_000_000, 1e6), "running", "13 MB of 26 MB"),
        (Download("yolos-tiny", "YOLOS tiny", "paused", 13_000_000, 26_000_000), "input", "Click here to go on"),
        (Download("yolos-tiny", "YOLOS tiny", "failed", 0, 26_000_000, 0.0, "It broke."), "failed", "try again"),
    ],
)
def test_a_card_offers_what_it_lacks_and_shows_how_far_that_is(download, state_, text, own_home, monkeypatch):
    selection.look_again()
    offer = offers.ModelOffer((find("yolos-tiny"),))
    monkeypatch.setattr(selection, "lacking", lambda tool, id, values=None: offer)
    cards = CardModels(Workflow(nodes=(Node("a", "detect_objects"),)), load_tools().tools)
    cards._gaps = {}
    cards.going = {"yolos-tiny": download} if download else {}
    face = cards.of_node("a", Run())
    assert (face.state, face.fetch) == (state_, True) and text in face.text

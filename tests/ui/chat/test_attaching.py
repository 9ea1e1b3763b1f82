"""Files come in on threads: the window stays alive, the order is kept, errors are shown."""

from __future__ import annotations

import threading

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from desktop_app.plan.types import Plan
from desktop_app.session.session import Session
from desktop_app.storage import resources
from desktop_app.storage.resources import Resource, Store, attach
from desktop_app.ui.chat.attachment_chip import AttachmentChip, ComingChip, FileName
from desktop_app.ui.main_window.main_window import MainWindow
from nodes.api import ResourceType
from tests import broken_files
from tests.fakes import FakeEngine, FakeHistory, FakePlanner, picture
from tests.ui.conftest import until, use_theme
from tests.ui.fakes import TOOLS


@pytest.fixture
def gate(monkeypatch):
    """Files are read only when the gate of their name is open. `threads` tells on which threads they were."""

    class Gates(dict):
        threads: list[threading.Thread]

    gates = Gates()

    def slow(path, store, *rest):
        gates.threads.append(threading.current_thread())
        if path.name in gates:
            assert gates[path.name].wait(20)
        return attach(path, store, *rest)

    gates.threads = []
    monkeypatch.setattr(resources, "attach", slow)
    return gates


@pytest.fixture
def window(qtbot, qapp, tmp_path, loop):
    use_theme(qapp)
    store = Store(tmp_path / "store")
    session = Session(TOOLS, FakePlanner(Plan((), causes=("No.",))), FakeEngine(store, TOOLS, {}), store, FakeHistory())
    made = MainWindow(session)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def photo(folder, name: str, width: int = 64):
    path = folder / name
    Image.fromarray(picture(width)).save(path)
    return path


def drop(window: MainWindow, *paths) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    keys = Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(300, 200), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, keys))


async def test_the_window_answers_while_a_file_is_read_and_says_so(window, gate, loop, tmp_path):
    gate["slow.png"] = threading.Event()
    composer = window.first.composer
    drop(window, photo(tmp_path, "slow.png"))
    await until(lambda: gate.threads)
    assert composer.attaching and [c.accessibleName() for c in composer.findChildren(ComingChip)] == [
        "Attaching slow.png"
    ]
    assert "Attaching" in composer._note.text()
    QTest.keyClicks(composer.field, "blur it")
    assert composer.field.toPlainText() == "blur it"
    gate["slow.png"].set()
    await until(lambda: composer.names == ("slow.png",))
    assert "Attaching" not in composer._note.text()
    assert threading.main_thread() not in gate.threads


async def test_the_order_of_files_is_kept_however_long_each_takes(window, gate, loop, tmp_path):
    gate["a.png"] = threading.Event()
    drop(window, photo(tmp_path, "a.png", 60), photo(tmp_path, "b.png", 70))
    drop(window, photo(tmp_path, "c.png", 80))
    await until(lambda: "c.png" in window.first.composer.names)
    gate["a.png"].set()
    await until(lambda: not window.first.composer.attaching)
    assert window.first.composer.names == ("a.png", "b.png", "c.png")


async def test_what_is_sent_meanwhile_goes_off_with_its_file(window, gate, loop, tmp_path):
    gate["slow.png"] = threading.Event()
    session, composer = window.session, window.first.composer
    drop(window, photo(tmp_path, "slow.png"))
    QTest.keyClicks(composer.field, "blur it")
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    await until(lambda: gate.threads)
    assert session.messages == () and "Sent when attached" in composer._note.text()
    gate["slow.png"].set()
    await until(lambda: len(session.messages) == 2)
    assert (session.messages[0].text, session.messages[0].resources) == ("blur it", ("slow.png",))


async def test_a_file_that_cannot_be_read_is_explained_and_nothing_is_sent(window, gate, loop, tmp_path):
    (tmp_path / "empty.png").write_bytes(b"")
    composer = window.first.composer
    drop(window, tmp_path / "empty.png", photo(tmp_path, "good.png"))
    QTest.keyClicks(composer.field, "blur it")
    QTest.keyClick(composer.field, Qt.Key.Key_Return)
    await until(lambda: not composer.attaching)
    assert "empty.png is empty" in composer._trouble.text() and composer.troubled
    assert composer.names == ("good.png",) and window.session.messages == ()


async def test_a_file_taken_out_while_it_is_read_stays_out(window, gate, loop, tmp_path):
    gate["slow.png"] = threading.Event()
    composer = window.first.composer
    drop(window, photo(tmp_path, "slow.png"))
    await until(lambda: gate.threads)
    QTest.mouseClick(composer.findChild(ComingChip).drop, Qt.MouseButton.LeftButton)
    gate["slow.png"].set()
    await until(lambda: window.session.resources)
    assert composer.names == () and not composer.attaching


async def test_a_file_that_comes_after_a_new_conversation_was_begun_is_not_put_into_it(window, gate, loop, tmp_path):
    gate["slow.png"] = threading.Event()
    drop(window, photo(tmp_path, "slow.png"))
    await until(lambda: gate.threads)
    window.session.new()
    gate["slow.png"].set()
    await until(lambda: not window.first.composer.attaching)
    assert window.session.resources == {}
    assert "another conversation" in window.first.composer._trouble.text()


async def test_two_files_of_one_name_get_two_names_and_one_content_only_one(window, loop, tmp_path):
    (tmp_path / "other").mkdir()
    drop(window, photo(tmp_path, "a.png", 60), photo(tmp_path / "other", "a.png", 70), tmp_path / "a.png")
    await until(lambda: not window.first.composer.attaching)
    assert window.first.composer.names == ("a.png", "a-2.png")


def to_the_window(window: MainWindow, path) -> None:
    drop(window, path)


def by_the_button(window: MainWindow, path) -> None:
    _ = window.workspace
    window.composer.attach.click()
    window.files.dialog.filesSelected.emit([str(path)])
    window.files.dialog.close()


def by_pasting(window: MainWindow, path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    window.composer.field.insertFromMimeData(data)


def to_the_canvas(window: MainWindow, path) -> None:
    window.graph.files_dropped.emit([path], QPointF(0, 0))


@pytest.mark.parametrize("way", [to_the_window, by_the_button, by_pasting, to_the_canvas])
@pytest.mark.parametrize("what", ["half of a sound", "400 megapixels", "a sound of 0 bits"])
async def test_no_broken_file_vanishes_without_a_word(window, loop, tmp_path, way, what):
    name, content = broken_files.broken()[what]
    (tmp_path / name).write_bytes(content)
    composer = window.composer
    way(window, tmp_path / name)
    await until(lambda: name in composer._trouble.text())
    assert composer.troubled and not composer.attaching and window.session.resources == {}


def test_the_name_of_a_file_is_cut_on_its_chip_only_where_it_has_no_room(qtbot, ui):
    for name, whole in (("muenzen_counted_twice.txt", True), (f"{'w' * 60}.txt", False)):
        chip = AttachmentChip(ui, Resource(name, ResourceType.TEXT, "0" * 64, ".txt"), print)
        qtbot.addWidget(chip)
        chip.show()
        shown = chip.findChild(FileName).text()
        assert (shown == name) == whole and shown.endswith(".txt")

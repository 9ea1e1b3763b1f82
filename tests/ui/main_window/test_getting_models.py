"""A model is got in the real window from a server that breaks off, stalls, lies about length and sends wrong bytes:
the card and the chat say so, nothing half counts, and once all of it is here the run goes on by itself.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop_app import app
from desktop_app.core import settings as settings_file
from desktop_app.graph.workflow import RESOURCE_OUTPUT, Link, Node, Workflow
from desktop_app.models import store, transfer
from desktop_app.models.catalogue import find
from desktop_app.models.downloads import FAILED, PAUSED
from tests.models.conftest import REVISION
from tests.models.hub import Hub, serving
from tests.nodes.models.tiny import onnx_builders
from tests.ui.conftest import until
from tests.ui.fakes import COFFEE
from tests.ui.main_window.test_windows import windows  # noqa: F401

ID = "nafnet-gopro"
HALF, SECONDS = 1_000_000, 4.0


@pytest.fixture
def hub(own_home, tmp_path, monkeypatch):
    """The hub, with a tiny network in ONNX that is padded to be worth a download."""
    model = find(ID)
    network = (onnx_builders.of_any_size(tmp_path) / "model.onnx").read_bytes()
    words = onnx_builders._field(6, bytes(3_000_000))  # what the network says of itself
    with serving(Hub(model.repo, REVISION, {model.files[0]: network + words})) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        monkeypatch.delenv("GRAPHWRIGHT_MODELS", raising=False)
        monkeypatch.setattr(transfer, "SECONDS", SECONDS)
        monkeypatch.setattr(transfer, "TRIES", 1)
        yield running


def show(session) -> None:
    """A photo that is to be deblurred by a network."""
    photo = session.attach(COFFEE)
    node = Node("sharp", "deblur", {}, ID)
    session.edit(Workflow((photo,), (node,), (Link(photo.name, RESOURCE_OUTPUT, "sharp", "image"),)))


def click(window) -> None:
    """A click on the card, as its words say."""
    canvas = window.graph.canvas
    place = canvas.mapFromScene(window.graph.card("sharp").sceneBoundingRect().center())
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)


def word(window) -> str:
    return window.graph.card("sharp").face.word


def said(window) -> str:
    return " ".join(label.text() for label in window.chat.findChildren(QLabel) if label.isVisible())


def lie(hub: Hub, by: int):
    """The server lists its files as that much shorter than they are."""
    told = hub.listing()
    for file in told["siblings"]:
        file["size"] -= by
    return lambda: told


@pytest.mark.timeout(300)
async def test_whatever_the_server_does_the_card_says_so_and_at_last_the_run_goes_on(windows, loop, hub):  # noqa: F811
    session, window, (name,) = windows.session, windows.window, find(ID).files
    faults = (
        (lambda: hub.cut.update({name: [HALF, 0]}), "connection was lost"),
        (lambda: hub.stalls.update({name: HALF}), "connection was lost"),
        (lambda: setattr(hub, "listing", lie(hub, 1000)), "is larger than"),
        (lambda: hub.wrong.add(name), "checksum is wrong"),
    )
    states: list[str] = []
    session.downloads.listen(lambda: states.extend(one.state for one in session.downloads.all.values()))
    show(session)
    await until(lambda: window.graph.card("sharp") and word(window) == "Needs a model")
    for spoil, words in faults:
        spoil()
        states.clear()
        click(window)
        await until(lambda: FAILED in states and word(window) == "Not fetched")
        await until(lambda words=words: words in said(window))
        assert not store.present(find(ID)) and not session.run.nodes, "nothing half runs"
        for fault in (hub.cut, hub.stalls, hub.wrong):
            fault.clear()
        vars(hub).pop("listing", None)
        store.remove(find(ID))  # what came of it, so that each begins anew
    click(window)
    await until(lambda: session.run.outcome)
    await until(lambda: session.run.nodes["sharp"].state == "done" and word(window).startswith("Done"))
    assert store.present(find(ID)) and session.run.outcome == "ok"
    assert session.run.nodes["sharp"].backend == ID
    assert not session.questions()


@pytest.mark.timeout(300)
def test_what_was_paused_goes_on_in_the_next_program_where_it_was(windows, loop, hub):  # noqa: F811
    session, window, (name,) = windows.session, windows.window, find(ID).files
    hub.piece = 20_000

    async def pause():
        show(session)
        await until(lambda: window.graph.card("sharp") and word(window) == "Needs a model")
        click(window)
        await until(lambda: (hub.step.release() or True) and word(window) == "Fetching" and came(session) > HALF)
        click(window)
        await until(lambda: (hub.step.release() or True) and session.downloads.all[ID].state == PAUSED)
        await until(lambda: word(window) == "Paused")

    loop.run_until_complete(pause())
    loop.run_until_complete(windows.autosave.finish())
    arrived = store.arrived_bytes(find(ID))
    assert arrived > HALF and not store.present(find(ID)) and not session.run.nodes
    hub.piece = 0
    hub.step.release(1000)
    other = app.new_windows(settings_file.load())
    window = other.open()

    async def go_on():
        show(other.session)
        await until(lambda: window.graph.card("sharp") and word(window) == "Needs a model")
        click(window)
        await until(lambda: other.session.run.outcome)

    try:
        loop.run_until_complete(go_on())
        assert other.session.run.outcome == "ok" and store.present(find(ID))
        asked, begun = hub.asked[-1]
        assert asked == name and int(begun.removeprefix("bytes=").rstrip("-")) >= arrived, "what had come came again"
    finally:
        loop.run_until_complete(other.autosave.finish())
        loop.run_until_complete(other.session.close())
        window.close()
        window.deleteLater()
        other._conversations._history.close()


def came(session) -> int:
    found = session.downloads.all.get(ID)
    return found.done_bytes if found else 0

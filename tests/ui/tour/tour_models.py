"""The tour's part about models: a card that offers its model, what ways cost, a download under way, the page of models
and a search on the hub. A server on the loopback is the hub.
"""

from __future__ import annotations

import asyncio
import json
import os

from desktop_app.models import store
from desktop_app.models.catalogue import find
from desktop_app.models.downloads import FETCHING
from tests.models.hub import Hub, serving
from tests.ui.driving import Ctrl, Key, Shift
from tests.ui.tour.touring import Tour

MODEL = "depth-anything-v2-small"
_PIECE, _AHEAD = 1_000_000, 24
_FOUND = (  # (repository, licence, bytes, downloads a month, about)
    ("hustvl/yolos-base", "apache-2.0", 511_000_000, 40_000),
    ("facebook/detr-resnet-101", "apache-2.0", 243_000_000, 90_000),
    ("SenseTime/deformable-detr", "apache-2.0", 161_000_000, 20_000),
)
_SMALL = ("config.json", "preprocessor_config.json")


async def models(tour: Tour) -> None:
    """From what a plan would cost to the model that comes, and to others that the hub has."""
    model = find(MODEL)
    files = dict.fromkeys(_SMALL, b"{}") | {"model.safetensors": bytes(model.size_bytes)}
    before = os.environ.get("HF_ENDPOINT")
    with serving(Hub(model.repo, model.revision, files, piece=_PIECE)) as hub:
        hub.pages["/api/models"] = json.dumps([_listed(*one) for one in _FOUND])
        os.environ["HF_ENDPOINT"] = hub.url
        try:
            await _costs(tour)
            await _offered(tour, hub)
            await _page(tour)
        finally:
            os.environ.pop("HF_ENDPOINT")
            if before is not None:
                os.environ["HF_ENDPOINT"] = before
            tour.session.downloads.drop(MODEL)
            hub.step.release(10_000)
            await tour.rest()
            store.remove(model)


async def _offered(tour: Tour, hub: Hub) -> None:
    await tour.ask("How far away is everything in coffee.jpg? Make a depth map", "coffee.jpg")
    card = tour.node("depth_map").id
    await tour.until(lambda: tour.window.graph.card(card).face.fetch)
    await tour.shot("model-offered")
    tour.click(tour.port, tour.middle_of(card))
    if tour.session.to_decide(card) is not None:
        tour.close_menus()
    every, given = tour.session.downloads, 0
    await tour.until(lambda: MODEL in every.all)
    while every.all[MODEL].state != FETCHING or every.all[MODEL].fraction < 0.4:
        if given * _PIECE < every.all[MODEL].fraction * find(MODEL).size_bytes + _AHEAD * _PIECE:
            hub.step.release()  # no more than is seen to come: the rest is for the page of models
            given += 1
        await asyncio.sleep(0.02)
    await tour.shot("model-coming")


async def _costs(tour: Tour) -> None:
    await tour.ask("Segment the cup in coffee.jpg", "coffee.jpg")
    await tour.until(lambda: len(tour.session.alternatives) > 1)
    await tour.shot("model-costs")
    tour.new()
    await tour.rest()


async def _page(tour: Tour) -> None:
    tour.window.activateWindow()  # nobody else does where there is no window manager, and keys need it
    await tour.until(tour.window.isActiveWindow)
    tour.key(Key.Key_M, Ctrl | Shift, tour.window)
    page = tour.window.overlays.models
    await tour.until(page.isVisible)
    page.show_model(MODEL)
    await tour.shot("models")
    tour.session.downloads.pause(MODEL)
    await tour.shot("models-paused")
    page.task.setCurrentIndex(page.task.findData("detect objects"))
    page.task.activated.emit(page.task.currentIndex())
    tour.click(page.on_hub)
    await tour.until(lambda: any(row.found for row in page._rows.rows))
    await tour.shot("models-hub")
    page.dismiss()


def _listed(repo: str, licence: str, size: int, downloads: int) -> dict[str, object]:
    """An object detector as the hub lists one."""
    files = dict.fromkeys(_SMALL, 1_000) | {"model.safetensors": size}
    return {
        "id": repo, "pipeline_tag": "object-detection", "gated": False, "downloads": downloads,
        "tags": [f"license:{licence}"], "siblings": [{"rfilename": name, "size": of} for name, of in files.items()],
    }  # fmt: skip

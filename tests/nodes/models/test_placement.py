"""Where a model works: the decision by what it takes and what is free, and that it gives the same in every way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes._support.models import model_pool
from nodes._support.models.model_pool import ModelPool
from nodes._support.models.placement import GPU_BYTES, Placement, Sizes, Way, placements
from nodes._support.models.weights import sizes
from nodes.image.map_to_image import map_to_image
from nodes.image.text_to_image import text_to_image
from nodes.video.text_to_video import text_to_video
from tests.nodes.av_media import decoded
from tests.nodes.models.conftest import Listening
from tests.nodes.models.nearness import close
from tests.nodes.models.test_model_pool import FakeDevice, saved

GB = 10**9


Both = tuple[Sizes, Sizes]
"""The sizes of a model in 16 and in 32 bits."""


def of(whole: int, part: int, always: int, layer: int, mapped: bool) -> Both:
    return Sizes(whole, part, always, layer, mapped), Sizes(2 * whole, 2 * part, 2 * always, 2 * layer, mapped)


@st.composite
def models(draw) -> Both:
    parts = draw(st.lists(st.integers(1, 40 * GB), min_size=1, max_size=4))
    always = draw(st.integers(0, GB // 2))
    return of(sum(parts) + always, max(parts), always, draw(st.integers(1, max(parts))), draw(st.booleans()))


def chosen(model: Both, gpu: int, memory: int, staged: bool = True) -> Placement | None:
    free = {"cuda:0": gpu, "cpu": memory}
    found = placements(*model, "cuda:0" if gpu else "cpu", staged)
    return next((each for each in found if each.room <= free[each.device] and each.beside <= memory), None)


rooms = st.integers(0, 200 * GB)


@settings(max_examples=60)
@given(models(), rooms, rooms, st.booleans())
def test_what_is_chosen_has_room(model, gpu, memory, staged):
    place = chosen(model, gpu, memory, staged)
    if place is None:
        assert memory < 1.2 * model[1].whole
        return
    assert place.held <= place.room <= (gpu if place.device != "cpu" else memory) and place.beside <= memory
    assert staged or place.way is Way.WHOLE
    if place.way in (Way.PARTS, Way.LAYERS):
        assert place.device == "cuda:0" and gpu < 1.2 * model[0].whole, "it takes turns only where it must"


@settings(max_examples=60)
@given(models(), rooms, rooms, rooms, rooms)
def test_with_more_memory_it_is_never_slower(model, gpu, memory, more_gpu, more_memory):
    narrow, wide = model
    ways = placements(narrow, wide, "cuda:0", True)
    before, after = chosen(model, gpu + 1, memory), chosen(model, gpu + 1 + more_gpu, memory + more_memory)
    assert before is None or (after is not None and ways.index(after) <= ways.index(before))


@settings(max_examples=60)
@given(models(), rooms)
def test_a_model_of_parts_runs_where_one_that_is_none_would_not(model, memory):
    narrow, wide = model
    assert chosen(model, 0, memory, staged=False) is None or memory >= wide.whole
    needed = narrow.part + narrow.always if narrow.mapped else narrow.whole
    assert chosen(model, 0, int(1.2 * needed)) is not None
    small = Sizes(narrow.whole, narrow.part, narrow.always, min(narrow.layer, GB), True)
    assert chosen((small, wide), GPU_BYTES, 0) is not None


@pytest.mark.parametrize(
    ("gpu", "memory", "device", "way"),
    [
        (80, 64, "cuda:0", Way.WHOLE),
        (60, 64, "cuda:0", Way.PARTS),
        (24, 64, "cuda:0", Way.LAYERS),
        (8, 32, "cuda:0", Way.LAYERS),
        (0, 160, "cpu", Way.WHOLE),
        (2, 64, "cpu", Way.FILES),
    ],
)
def test_qwen_image_on_machines_as_people_have_them(gpu, memory, device, way):
    model = of(58 * GB, 41 * GB, GB // 4, GB, True)
    place = chosen(model, gpu * GB, memory * GB)
    assert place is not None and (place.device, place.way) == (device, way)


def test_parts_are_read_from_the_headers(tmp_path):
    saved(tmp_path, 4000, "transformer/a.safetensors")
    saved(tmp_path, 1000, "text_encoder/a.safetensors")
    saved(tmp_path, 100, "vae/a.safetensors")
    assert sizes(tmp_path, 2) == Sizes(10_200, 8000, 200, 8000, False)


def test_the_pool_loads_for_the_way_that_has_room(tmp_path):
    listener = Listening(tmp_path)
    memory = FakeDevice({"cuda:0": 3 * GB, "cpu": 4 * GB})
    pool = ModelPool(memory=memory, idle_seconds=0)
    asked: list[tuple[str, Way]] = []
    for part in ("transformer", "text_encoder"):
        path = saved(tmp_path / "a", 1, f"{part}/a.safetensors").joinpath(part, "a.safetensors")
        head = b'{"w":{"dtype":"F16","shape":[500000000],"data_offsets":[0,1000000000]}}'
        path.write_bytes(len(head).to_bytes(8, "little") + head)

    def load(device: str, way: Way) -> object:
        asked.append((device, way))
        return object()

    for _ in range(2):
        with pool.lease(tmp_path / "a", "toy", load, listener, "cuda:0", staged=True) as entry:
            assert (entry.way, entry.estimate) == (Way.WHOLE, 2 * GB)
    pool.free_others()
    memory.taken["cuda:0"] = GB
    with pool.lease(tmp_path / "a", "toy", load, listener, "cuda:0", staged=True) as entry:
        assert (entry.device, entry.way, entry.estimate) == ("cuda:0", Way.PARTS, GB)
    assert asked == [("cuda:0", Way.WHOLE), ("cuda:0", Way.PARTS)]
    assert any("its parts take turns" in note for note in listener.notes)


def _in_way(way: Way, monkeypatch) -> None:
    """What loads next works on the CPU as it would on a GPU in that way. The library names devices with a number, which
    a CPU that stands for a GPU has not.
    """
    import accelerate
    import torch

    plain = accelerate.cpu_offload
    if way is Way.LAYERS:
        monkeypatch.setattr(
            accelerate, "cpu_offload", lambda model, _, **more: plain(model, torch.device("cpu"), **more)
        )
    monkeypatch.setattr(model_pool, "_options", lambda *_: [Placement("cpu", way, 1, 1)])
    model_pool.pool().free_others()


PAINTERS = ("sd-1-5", "sdxl-base-1", "flux-2-klein-4b", "z-image-turbo", "qwen-image")


@pytest.mark.parametrize("id", PAINTERS)
def test_a_picture_is_the_same_in_every_way(id, context_for, monkeypatch, fresh_pool):
    def painted(way: Way) -> np.ndarray:
        _in_way(way, monkeypatch)
        context = context_for(id)
        made = text_to_image("a cat", width=32, height=32, seed=3, steps=2, context=context)
        assert len(context.previews) == 2
        (entry,) = fresh_pool._entries.values()
        devices = {each.device.type for each in entry.model.components["text_encoder"].parameters()}
        assert devices == ({"meta"} if way is Way.LAYERS else {"cpu"})
        return made.astype(int)

    whole = painted(Way.WHOLE)
    assert close(painted(Way.PARTS), whole) and close(painted(Way.LAYERS), whole)
    assert np.abs(painted(Way.FILES) - whole).mean() < 12 and np.ptp(whole) > 20


def test_a_film_and_a_picture_after_a_map_are_too(context_for, monkeypatch, fresh_pool):
    map = np.zeros((64, 64, 3), np.uint8)
    map[20:22] = 255
    pictures, films = [], []
    for way in (Way.WHOLE, Way.PARTS, Way.LAYERS):
        _in_way(way, monkeypatch)
        pictures.append(map_to_image(map, "a cat", steps=2, context=context_for("controlnet-canny")))
        given = {"seconds": 0.2, "width": 32, "height": 32, "steps": 1}
        film = text_to_video("a cat", **given, context=context_for("wan-2-1-1-3b"))
        films.append(np.array([picture for _, picture in decoded(film)]))
    assert all(close(each, pictures[0]) for each in pictures[1:]) and np.ptp(pictures[0]) > 20
    # A level of one pixel may be several in what the encoder makes of it.
    assert all(np.abs(each.astype(int) - films[0]).mean() < 1 for each in films[1:])


def test_parts_wait_for_their_turn_and_make_room_for_the_picture(context_for, monkeypatch, fresh_pool):
    """Which part is where cannot be seen without a GPU: what is moved is written down instead."""
    from accelerate.hooks import CpuOffload

    came: list[str] = []
    for name, sign in (("pre_forward", ""), ("init_hook", "-")):
        plain = getattr(CpuOffload, name)

        def noted(self, module, *given, plain=plain, sign=sign, **more):
            came.append(sign + type(module).__name__)
            return plain(self, module, *given, **more)

        monkeypatch.setattr(CpuOffload, name, noted)
    _in_way(Way.PARTS, monkeypatch)
    text_to_image("a cat", width=32, height=32, seed=3, steps=2, context=context_for("z-image-turbo"))
    network, words = "ZImageTransformer2DModel", "Qwen3Model"
    # The library asks a part to make room for the next only where it is not on the CPU anyway.
    assert came[2:7] == [words, network, network, f"-{words}", f"-{network}"]
    assert not any("Autoencoder" in name for name in came), "what shows each step stays"

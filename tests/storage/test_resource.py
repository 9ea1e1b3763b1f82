from __future__ import annotations

import errno
import os
import wave
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from desktop_app.core.errors import BadRequest, StorageError
from desktop_app.core.values import NUMBERED_FILE, unused_name
from desktop_app.export.files import export
from desktop_app.storage.resources import Store, attach, type_of_file, type_of_name
from desktop_app.ui.support import formatting
from nodes._support.files import codecs, facts
from nodes.api import Audio, Box, Label, NodeError, Point, ResourceType, Table

T = ResourceType


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def picture(path, size=(40, 30), mode="RGB", **save):
    Image.new(mode, size, 120).save(path, **save)
    return path


def test_an_attached_picture_knows_its_size(tmp_path, store):
    resource = attach(picture(tmp_path / "a.jpg"), store)
    assert resource.type is T.IMAGE
    assert resource.facets == {"width": 40, "height": 30}
    assert store.value(resource).shape == (30, 40, 3)


def test_a_moving_gif_is_a_film_and_a_still_one_a_picture(tmp_path, store):
    frames = [Image.new("RGB", (40, 30), (shade, 0, 0)) for shade in (0, 120, 240)]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:], duration=100)
    moving = attach(tmp_path / "a.gif", store)
    assert moving.type is ResourceType.VIDEO and moving.suffix == ".gif"
    assert moving.facets == {"width": 40, "height": 30, "fps": 10, "seconds": pytest.approx(0.3), "sound": False}
    frames[0].save(tmp_path / "b.gif")
    assert attach(tmp_path / "b.gif", store).type is ResourceType.IMAGE
    (tmp_path / "c.gif").write_bytes(b"GIF89a, it says")
    types = [type_of_file(tmp_path / name) for name in ("a.gif", "b.gif", "c.gif", "none.gif", "none.mp4")]
    assert types == [ResourceType.VIDEO, *[ResourceType.IMAGE] * 3, ResourceType.VIDEO], "as a plan alone sees them"


def test_a_picture_of_several_pages_says_how_many_it_has(tmp_path, store):
    pages = [Image.new("RGB", (40, 30), (shade, 0, 0)) for shade in (0, 120, 240)]
    pages[0].save(tmp_path / "a.tiff", save_all=True, append_images=pages[1:])
    resource = attach(tmp_path / "a.tiff", store)
    assert resource.facets == {"width": 40, "height": 30, "frames": 3}
    assert formatting.facts_of(resource) == "40 × 30, the first of 3 frames"


def test_a_turned_photograph_is_upright(tmp_path, store):
    exif = Image.Exif()
    exif[0x0112] = 6
    resource = attach(picture(tmp_path / "a.jpg", exif=exif), store)
    assert resource.facets == {"width": 30, "height": 40}
    assert store.value(resource).shape == (40, 30, 3)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "I", "F"])
def test_every_kind_of_picture_becomes_colour(tmp_path, store, mode):
    path = tmp_path / ("a.png" if mode not in ("CMYK", "F", "I") else "a.tiff")
    value = store.value(attach(picture(path, mode=mode), store))
    assert value.dtype == np.uint8
    assert value.shape == (30, 40, 4 if "A" in mode else 3)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("missing.png", None, "does not exist"),
        ("empty.png", b"", "is empty"),
        ("text.png", b"only words", "named like an image"),
        ("text.wav", b"only words", "named like an audio"),
        ("text.mp4", b"only words", "named like a video"),
        ("binary.txt", b"\0\1\2\3", "named like a text"),
        ("cut.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF", "named like an image"),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_refused(tmp_path, store, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadRequest, match=words) as caught:
        attach(path, store)
    assert name in caught.value.message
    assert caught.value.fix


def test_a_folder_is_refused(tmp_path, store):
    with pytest.raises(BadRequest, match="is a folder"):
        attach(tmp_path, store)


def test_a_sound_knows_its_seconds(tmp_path, store):
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(16000))
    resource = attach(tmp_path / "a.wav", store)
    assert resource.facets == {"seconds": 1.0, "rate": 8000, "channels": 1}


@pytest.mark.parametrize(
    ("average", "guessed", "told"), [(25.18, 25, 25), (29.97, 29.97, 29.97), (12.4, 30, 12.4), (None, None, 0)]
)
def test_a_short_film_is_told_by_the_rate_it_was_made_with(average, guessed, told):
    assert facts._rate(SimpleNamespace(average_rate=average, guessed_rate=guessed)) == told


def test_a_second_file_of_the_same_name_gets_another(tmp_path, store):
    assert attach(picture(tmp_path / "a.png"), store, frozenset({"a.png"})).name == "a-2.png"
    assert unused_name("a.png", {"a.png", "a-2.png"}.__contains__, NUMBERED_FILE) == "a-3.png"


def test_equal_content_is_kept_once(store):
    one, two = store.put_bytes(b"same", ".txt"), store.put_bytes(b"same", ".txt")
    assert one == two
    assert len([p for p in store.folder.rglob("*") if p.is_file()]) == 1


def test_a_full_disk_is_told_and_leaves_no_half_file(store, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StorageError, match="No space left"):
        store.put_bytes(b"data", ".txt")
    assert not [p for p in store.folder.rglob("*") if p.is_file()]


def test_a_lost_file_is_told(tmp_path, store):
    resource = attach(picture(tmp_path / "a.png"), store)
    store.path_of(resource).unlink()
    with pytest.raises(StorageError, match="no longer in the store"):
        store.path_of(resource)


@pytest.mark.parametrize(
    ("name", "type"),
    [("a.JPG", T.IMAGE), ("a.webp", T.IMAGE), ("a.mp3", T.AUDIO), ("a.mkv", T.VIDEO), ("a.md", T.TEXT),
     ("a.csv", T.TABLE), ("a.pdf", T.FILE), ("a", T.FILE), ("a.html", T.HTML)],
)  # fmt: skip
def test_types_by_name(name, type):
    assert type_of_name(name) is type


def test_a_table_is_read_with_numbers(tmp_path, store):
    (tmp_path / "a.csv").write_text("name;price\ntea;2.5\ncake\n", "utf-8")
    table = store.value(attach(tmp_path / "a.csv", store))
    assert table == Table(("name", "price"), (("tea", 2.5), ("cake", None)))


names = st.text(max_size=12)
scores = st.floats(0, 1)
coordinates = st.floats(-1e4, 1e4)


@given(
    st.one_of(
        st.tuples(st.just(T.POINTS), st.lists(st.builds(Point, coordinates, coordinates, st.booleans())).map(tuple)),
        st.tuples(
            st.just(T.BOXES),
            st.lists(st.builds(Box, coordinates, coordinates, coordinates, coordinates, names, scores)).map(tuple),
        ),
        st.tuples(st.just(T.LABELS), st.lists(st.builds(Label, names, scores)).map(tuple)),
        st.tuples(st.just(T.NUMBER), st.one_of(st.integers(), scores)),
        st.tuples(st.just(T.FLAG), st.booleans()),
        st.tuples(st.just(T.TEXT), st.text(st.characters(exclude_categories=["Cs"]))),
        st.tuples(
            st.just(T.TABLE),
            st.lists(st.tuples(names, st.integers(), st.none())).map(lambda r: Table(("a", "b", "c"), tuple(r))),
        ),
    )
)
def test_values_come_back_as_they_were(tmp_path_factory, pair):
    type, value = pair
    data, suffix = codecs.encode(value, type)
    if type is T.TEXT and (b"\0" in data[:4096] or value.startswith("\ufeff")):
        return
    path = tmp_path_factory.mktemp("codec") / f"value{suffix}"
    path.write_bytes(data)
    assert codecs.decode(path, type) == value


def test_pixels_and_samples_come_back_exactly(tmp_path):
    generator = np.random.default_rng(1)
    for type, value in (
        (T.IMAGE, generator.integers(0, 256, (5, 7, 4), np.uint8)),
        (T.MASK, generator.integers(0, 256, (5, 7), np.uint8)),
        (T.SEGMENTATION, generator.integers(0, 60000, (5, 7), np.uint16)),
    ):
        data, suffix = codecs.encode(value, type)
        (tmp_path / f"v{suffix}").write_bytes(data)
        assert np.array_equal(codecs.decode(tmp_path / f"v{suffix}", type), value)
    sound = Audio(generator.normal(0, 1, (100, 2)).astype(np.float32), 22050)
    (tmp_path / "v.wav").write_bytes(codecs.encode(sound, T.AUDIO)[0])
    again = codecs.decode(tmp_path / "v.wav", T.AUDIO)
    assert again.rate == 22050
    assert np.array_equal(again.samples, sound.samples)


def test_a_mask_stands_for_a_picture():
    mask = np.zeros((4, 5), np.uint8)
    assert codecs.adapt(mask, T.MASK, T.IMAGE).shape == (4, 5, 3)
    regions = np.array([[0, 1], [2, 300]], np.uint16)
    colours = codecs.adapt(regions, T.SEGMENTATION, T.IMAGE)
    assert colours.shape == (2, 2, 3)
    assert len({tuple(c) for c in colours.reshape(-1, 3)}) == 4


def test_broken_json_names_the_port(tmp_path):
    (tmp_path / "v.json").write_text('{"a": 1}', "utf-8")
    with pytest.raises(NodeError) as caught:
        codecs.decode(tmp_path / "v.json", T.BOXES, "boxes")
    assert caught.value.port == "boxes"


def test_a_sound_that_the_user_brought_is_saved_as_it_is(tmp_path):
    path = tmp_path / "x.wav"
    path.write_bytes(codecs.encode(Audio(np.zeros((100, 1), np.float32), 8000), ResourceType.AUDIO)[0])
    store = Store(tmp_path / "store")
    saved = export(attach(path, store), store, tmp_path / "out")
    assert saved.read_bytes() == path.read_bytes()

"""Pictures as cameras, scanners and programs leave them: the pixels, colours and pages that they have, or a word."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageCms

from desktop_app.cli.main import main
from desktop_app.graph.workflow import Node, Workflow
from nodes._support.files import codecs
from nodes.api import NodeError, ResourceType

GREEN, RED, BLUE = (20, 200, 30), (200, 60, 40), (30, 40, 220)


def given(width: int = 90, height: int = 60) -> np.ndarray:
    """Green above left, blue below right, red elsewhere."""
    pixels = np.full((height, width, 3), RED, np.uint8)
    pixels[: height // 2, : width // 2] = GREEN
    pixels[height // 2 :, width // 2 :] = BLUE
    return pixels


def read(path: Path) -> np.ndarray:
    return codecs.decode(path, ResourceType.IMAGE, "image")


def turned(number: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = number
    return exif


@pytest.mark.parametrize("mode", ["RGB", "CMYK", "P", "RGBA"])
@pytest.mark.parametrize("ending", ["png", "jpg", "tif", "webp", "avif", "gif"])
def test_colours_stay_in_every_form_and_mode(tmp_path: Path, ending: str, mode: str):
    picture = Image.fromarray(given())
    try:
        (picture.quantize(8) if mode == "P" else picture.convert(mode)).save(tmp_path / f"a.{ending}", quality=95)
    except (OSError, ValueError):
        pytest.skip("this form has no such pictures")
    pixels = read(tmp_path / f"a.{ending}")
    assert np.abs(pixels[:, :, :3].astype(int) - given()).mean() < 3


@pytest.mark.parametrize("ending", ["png", "tif"])
def test_sixteen_bits_are_scaled_and_not_cut_off(tmp_path: Path, ending: str):
    cv2.imwrite(str(tmp_path / f"a.{ending}"), given()[:, :, ::-1].astype(np.uint16) * 257)
    assert np.array_equal(read(tmp_path / f"a.{ending}"), given())
    cv2.imwrite(str(tmp_path / f"b.{ending}"), given()[:, :, 0].astype(np.uint16) * 257)
    assert np.abs(read(tmp_path / f"b.{ending}")[:, :, 0].astype(int) - given()[:, :, 0]).max() <= 1


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("ending", ["jpg", "png", "webp"])
def test_what_the_camera_noted_turns_the_picture(tmp_path: Path, ending: str, number: int):
    stored = {1: lambda p: p, 2: np.fliplr, 3: lambda p: np.rot90(p, 2), 4: np.flipud,
              5: lambda p: p.transpose(1, 0, 2), 6: np.rot90, 7: lambda p: np.rot90(p.transpose(1, 0, 2), 2),
              8: lambda p: np.rot90(p, -1)}[number](given())  # fmt: skip
    Image.fromarray(np.ascontiguousarray(stored)).save(tmp_path / f"a.{ending}", exif=turned(number), quality=95)
    assert np.abs(read(tmp_path / f"a.{ending}").astype(int) - given()).mean() < 3


def test_transparency_of_a_palette_or_a_colour_is_kept(tmp_path: Path):
    picture = Image.fromarray(given()).quantize(8)
    picture.save(tmp_path / "a.png", transparency=picture.getpixel((0, 0)))
    Image.fromarray(given()).save(tmp_path / "b.png", transparency=GREEN)
    for name in "ab":
        pixels = read(tmp_path / f"{name}.png")
        assert pixels[0, 0, 3] == 0 and pixels[-1, 0, 3] == 255


@pytest.mark.parametrize("size", [(1, 1), (20_000, 10), (10, 20_000), (2, 1)])
def test_extreme_shapes_are_read(tmp_path: Path, size: tuple[int, int]):
    Image.fromarray(given(*size)).save(tmp_path / "a.png")
    assert np.array_equal(read(tmp_path / "a.png"), given(*size))


def wide_profile() -> bytes:
    """A profile whose red and green are those of the other: what has one is shown in other colours than it says."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    places = {bytes(profile[at : at + 4]): at for at in range(132, 132 + 12 * profile[131], 12)}
    red, green = places[b"rXYZ"], places[b"gXYZ"]
    profile[red : red + 4], profile[green : green + 4] = b"gXYZ", b"rXYZ"
    at = places[b"desc"]
    begin = int.from_bytes(profile[at + 4 : at + 8], "big")
    length = int.from_bytes(profile[at + 8 : at + 12], "big")
    said = bytes(profile[begin : begin + length]).replace("sRGB".encode("utf-16-be"), "wide".encode("utf-16-be"))
    profile[begin : begin + length] = said.replace(b"sRGB", b"wide")
    return bytes(profile)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_colours_are_those_that_the_profile_of_the_picture_means(tmp_path: Path, mode: str):
    picture = Image.fromarray(given()).convert(mode)
    picture.save(tmp_path / "a.png", icc_profile=wide_profile())
    shown = read(tmp_path / "a.png")
    assert np.abs(shown[:, :, [1, 0, 2]].astype(int) - given()).max() < 12 and shown.shape[2] == len(mode)
    picture.save(tmp_path / "b.png", icc_profile=ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    assert np.array_equal(read(tmp_path / "b.png")[:, :, :3], given())
    picture.save(tmp_path / "c.png", icc_profile=b"no profile at all")
    assert np.array_equal(read(tmp_path / "c.png")[:, :, :3], given())


@pytest.mark.parametrize(("name", "data"), [("a.psd", b"8BPS\0\1"), ("a.svg", b"<svg/>"), ("a.cr2", b"II*\0")])
def test_what_is_no_picture_is_named_with_what_helps_and_without_its_folder(tmp_path: Path, name: str, data: bytes):
    (tmp_path / name).write_bytes(data + bytes(100))
    with pytest.raises(NodeError, match="it is no JPEG, PNG") as told:
        read(tmp_path / name)
    assert str(tmp_path) not in told.value.message


@pytest.mark.parametrize("ending", ["tif", "webp"])
def test_pages_that_are_not_used_are_told(tmp_path: Path, monkeypatch, capsys, ending: str):
    monkeypatch.setenv("GRAPHWRIGHT_HOME", str(tmp_path / "home"))
    pages = [Image.fromarray(np.roll(given(), 20 * n, 1)) for n in range(3)]
    pages[0].save(tmp_path / f"scan.{ending}", save_all=True, append_images=pages[1:])
    pages[0].save(tmp_path / f"one.{ending}")
    workflow = tmp_path / "w.json"
    workflow.write_text(json.dumps(Workflow(nodes=(Node("it", "flip"),), wanted=(("it", "image"),)).to_json()))
    for name, several in (("scan", True), ("one", False)):
        assert main(["run", str(workflow), "--set", f"it.image={tmp_path / f'{name}.{ending}'}", "--json"]) == 0
        said = capsys.readouterr().out
        assert (f"used only the first of the 3 pictures in {name}.{ending}" in said) == several


def test_a_picture_in_memory_is_read_as_one_in_a_file():
    stream = io.BytesIO()
    Image.fromarray(given()).save(stream, "PNG")
    from nodes._support import opening

    with opening.picture(stream) as picture:
        assert picture.size == (90, 60)
    with pytest.raises(ValueError, match="it is no JPEG"):
        opening.picture(io.BytesIO(b"no picture"))

"""What the looking tools say about pictures whose content is known."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import skimage.data
from PIL import Image, ImageDraw, ImageFont

from nodes._support.imaging.pixels import SILENT
from nodes._support.vision import ocr
from nodes.api import Cancelled, NodeError, RunContext
from nodes.image.colour_swatches import colour_swatches
from nodes.image.count_blobs import DOUBTFUL, count_blobs
from nodes.image.count_boxes import count_boxes
from nodes.image.detect_faces import detect_faces
from nodes.image.dominant_colours import dominant_colours
from nodes.image.picture_facts import picture_facts
from nodes.image.read_codes import read_codes
from nodes.image.read_text import read_text
from nodes.image.segment_everything import segment_everything
from nodes.mask.mask_from_boxes import mask_from_boxes
from nodes.text.add_numbers import add_numbers


class Telling(RunContext):
    """Keeps what is told; after so many times the node is stopped."""

    def __init__(self, folder, most: int = 10_000) -> None:
        super().__init__(folder)
        self.told: list[tuple[float, str]] = []
        self.most = most

    def progress(self, fraction, note="", preview=None):
        self.told.append((fraction, note))
        if len(self.told) > self.most:
            raise Cancelled


FACE = (225, 115)  # middle of the face in the portrait, which is 98 pixels wide


def written(*lines: str, size=(700, 300), points=32, ground="white", ink="black", at=20) -> np.ndarray:
    picture = Image.new("RGB", size, ground)
    pen = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        pen.text((at, 20 + row * points * 1.5), line, fill=ink, font=ImageFont.load_default(points))
    return np.asarray(picture)


def colour(picture: np.ndarray) -> np.ndarray:
    return np.dstack([picture] * 3) if picture.ndim == 2 else picture


@pytest.fixture(scope="module")
def portrait() -> np.ndarray:
    return skimage.data.astronaut()


class TestReadText:
    def test_lines_come_in_reading_order(self):
        picture = written("Corner Bakery", "Rye bread         4.20", "Total             12.50", "Thank you!")
        text, boxes = read_text(picture, SILENT)
        assert text.split("\n") == ["Corner Bakery", "Rye bread 4.20", "Total 12.50", "Thank you!"]
        assert boxes[0].label == "Corner Bakery"
        assert boxes[0].y0 < 40 < boxes[0].y1
        assert all(0.5 < box.score <= 1 for box in boxes)

    def test_it_tells_of_each_step_of_one_look_and_stops_within_it(self, tmp_path):
        picture = written(*(f"This is line number {number}" for number in range(16)), size=(500, 820))
        context = Telling(tmp_path)
        whole = read_text(picture, context)[0]
        assert whole.count("\n") == 15
        fractions = [fraction for fraction, _ in context.told]
        assert len(set(fractions)) >= 5 and fractions == sorted(fractions) and fractions[-1] < 1
        stopped = Telling(tmp_path, most=3)
        with pytest.raises(Cancelled):
            read_text(picture, stopped)
        assert read_text(picture, Telling(tmp_path))[0] == whole, "the reader is as it was"

    def test_light_on_dark_is_read(self):
        assert read_text(written("EXIT 42 NORTH", ground="black", ink="white"), SILENT)[0] == "EXIT 42 NORTH"

    def test_tiny_picture_is_read(self):
        assert read_text(written("tiny text here 123", size=(160, 30), points=11, at=3), SILENT)[0] == (
            "tiny text here 123"
        )

    def test_small_writing_on_a_huge_empty_page_is_found_in_place(self):
        text, (box,) = read_text(written("small in huge", size=(4500, 2500), points=60, at=2000), SILENT)
        assert text == "small in huge"
        assert box.x0 == pytest.approx(2000, abs=20) and box.y0 == pytest.approx(25, abs=20)

    def test_columns_are_read_one_after_the_other(self):
        left = written(*(f"left column of words {i}" for i in range(4)), size=(480, 260), points=28)
        right = written(*(f"right column of words {i}" for i in range(4)), size=(480, 260), points=28)
        lines = read_text(np.hstack([left, right]), SILENT)[0].split("\n")
        assert lines == [f"{side} column of words {i}" for side in ("left", "right") for i in range(4)]

    def test_slanted_page_keeps_its_lines(self):
        page = Image.fromarray(written("Milk          1.20", "Cheese        12.00", size=(420, 140), points=28))
        text, _ = read_text(np.asarray(page.rotate(6, fillcolor="white", expand=True)), SILENT)
        assert text == "Milk 1.20\nCheese 12.00"

    @pytest.mark.parametrize("turns", [1, 2, 3])
    def test_a_page_that_lies_wrongly_is_read_as_it_is_meant_and_its_boxes_are_where_it_lies(self, turns, tmp_path):
        said = ["The harbour opens at eight", "Bread and cheese 12.50", "We close in the evening", "Thank you, friends"]
        page = np.rot90(written(*said, size=(640, 260)), turns)
        context = Telling(tmp_path)
        text, boxes = read_text(np.ascontiguousarray(page), context)
        assert text.split("\n") == said
        upright = read_text(written(*said, size=(640, 260)), SILENT)[1]
        width, height = 640, 260
        for box, was in zip(boxes, upright, strict=True):
            middle = {1: (was.y0 + was.y1, 2 * width - was.x0 - was.x1),
                      2: (2 * width - was.x0 - was.x1, 2 * height - was.y0 - was.y1),
                      3: (2 * height - was.y0 - was.y1, was.x0 + was.x1)}[turns]  # fmt: skip
            assert (box.x0 + box.x1, box.y0 + box.y1) == pytest.approx(middle, abs=8)
        fractions = [fraction for fraction, _ in context.told]
        assert fractions == sorted(fractions)

    def test_white_writing_on_a_transparent_ground_is_read(self):
        shown = written("white on nothing", ground="black", ink="white")
        picture = np.dstack([np.full_like(shown, 255), shown[:, :, 0]])
        assert read_text(picture, SILENT)[0] == "white on nothing"

    def test_reader_starts_without_the_network(self, monkeypatch):
        def refuse(*_):
            raise AssertionError("it tried to connect")

        monkeypatch.setattr("socket.socket.connect", refuse)
        ocr._reader.cache_clear()
        assert read_text(written("offline"), SILENT)[0] == "offline"

    @pytest.mark.parametrize("shape", [(1, 1, 3), (300, 400, 3), (3, 500, 4)])
    def test_no_writing_is_a_finding(self, shape):
        assert read_text(np.zeros(shape, np.uint8), SILENT) == ("", ())

    @pytest.mark.parametrize("name", ["coffee", "chelsea", "rocket"])
    def test_round_things_are_no_letters(self, name):
        assert read_text(getattr(skimage.data, name)(), SILENT) == ("", ())

    def test_a_single_digit_is_read(self):
        picture = Image.new("RGB", (200, 200), "white")
        ImageDraw.Draw(picture).text((70, 40), "7", font=ImageFont.load_default(110), fill="black")
        assert read_text(np.asarray(picture), SILENT)[0] == "7"


class TestReadCodes:
    @staticmethod
    def code(text: str, scale: int = 6) -> np.ndarray:
        drawn = cv2.QRCodeEncoder.create().encode(text)
        return colour(np.kron(drawn, np.ones((scale, scale), np.uint8)))

    def test_several_codes_are_read_with_their_places(self):
        sheet = np.full((400, 900, 3), 255, np.uint8)
        for x, text in ((40, "https://example.org/menu"), (500, "Table 7")):
            drawn = self.code(text)
            sheet[60 : 60 + len(drawn), x : x + drawn.shape[1]] = drawn
        text, boxes = read_codes(sheet)
        assert sorted(text.split("\n")) == ["Table 7", "https://example.org/menu"]
        table = next(box for box in boxes if box.label == "Table 7")
        assert 480 < table.x0 < 560 and 40 < table.y0 < 110

    def test_inverted_code_is_read(self):
        drawn = np.pad(self.code("night"), ((40, 40), (40, 40), (0, 0)), constant_values=255)
        assert read_codes(255 - drawn)[0] == "night"

    def test_barcode_is_read(self):
        assert read_codes(ean13("4006381333931"))[0] == "4006381333931"

    @pytest.mark.parametrize("picture", [np.zeros((1, 1, 3), np.uint8), skimage.data.coffee()], ids=["pixel", "photo"])
    def test_no_code_gives_nothing(self, picture):
        assert read_codes(picture) == ("", ())


def ean13(digits: str) -> np.ndarray:
    odd = ["0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011"]
    parity = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"]
    inverted = ["".join("10"[int(bit)] for bit in code) for code in odd]
    left = [
        odd[int(d)] if side == "L" else inverted[int(d)][::-1]
        for d, side in zip(digits[1:7], parity[int(digits[0])], strict=True)
    ]
    bits = "101" + "".join(left) + "01010" + "".join(inverted[int(d)] for d in digits[7:]) + "101"
    bars = np.array([0 if bit == "1" else 255 for bit in bits], np.uint8)
    return colour(np.pad(np.kron(bars, np.ones((120, 4), np.uint8)), 60, constant_values=255))


class TestFaces:
    @pytest.mark.parametrize("scale", [0.3, 0.6, 1.0, 1.8])
    def test_face_is_found_in_place_at_any_size(self, portrait, scale):
        picture = cv2.resize(portrait, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        (box,) = detect_faces(picture)
        assert (box.x0 + box.x1) / 2 == pytest.approx(FACE[0] * scale, abs=20 * scale)
        assert (box.y0 + box.y1) / 2 == pytest.approx(FACE[1] * scale, abs=20 * scale)
        assert 75 * scale < box.x1 - box.x0 < 130 * scale

    @pytest.mark.parametrize("degrees", [-30, 20])
    def test_tilted_head_is_found(self, portrait, degrees):
        turn = cv2.getRotationMatrix2D((256, 256), degrees, 0.9)
        (box,) = detect_faces(cv2.warpAffine(portrait, turn, (512, 512)))
        x, y = turn @ (*FACE, 1)
        assert box.x0 < x < box.x1 and box.y0 < y < box.y1

    @pytest.mark.parametrize("mirrored", [False, True])
    def test_face_seen_from_the_side_is_found(self, mirrored):
        picture = skimage.data.camera()
        (box,) = detect_faces(colour(np.ascontiguousarray(picture[:, ::-1]) if mirrored else picture))
        x = 512 - 228 if mirrored else 228
        assert box.x0 < x < box.x1 and box.y0 < 150 < box.y1

    def test_every_face_of_a_group_is_counted(self, portrait):
        group = cv2.resize(skimage.data.rocket(), (1000, 700))
        for i, scale in enumerate((0.5, 0.35, 0.45)):
            person = cv2.resize(portrait, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            person = person[:, ::-1] if i % 2 else person
            group[40 : 40 + len(person), 40 + i * 320 : 40 + i * 320 + person.shape[1]] = person
        assert count_boxes(detect_faces(group)) == 3

    def test_many_different_people_are_found(self):
        faces = (skimage.data.lfw_subset()[:24] * 255).astype(np.uint8)
        tiles = [cv2.copyMakeBorder(cv2.resize(f, (60, 60), interpolation=cv2.INTER_CUBIC), *[28] * 4,
                 cv2.BORDER_REPLICATE) for f in faces]  # fmt: skip
        sheet = np.vstack([np.hstack(tiles[i : i + 6]) for i in range(0, 24, 6)])
        found = detect_faces(colour(sheet))
        places = {(int((b.x0 + b.x1) / 2 // 116), int((b.y0 + b.y1) / 2 // 116)) for b in found}
        assert len(places) >= 22 and len(found) <= 24

    @pytest.mark.parametrize("name", ["coffee", "chelsea", "rocket", "coins", "gravel", "brick", "page"])
    def test_no_face_is_seen_where_there_is_none(self, name):
        assert detect_faces(colour(getattr(skimage.data, name)())) == ()

    @pytest.mark.parametrize("shape", [(1, 1, 3), (40, 40, 4), (11, 2000, 3)])
    def test_blank_pictures_have_no_face(self, shape):
        assert detect_faces(np.zeros(shape, np.uint8)) == ()

    def test_mask_of_the_faces_covers_the_face_alone(self, portrait):
        mask = mask_from_boxes(detect_faces(portrait), portrait, "ellipse")
        assert mask[FACE[1], FACE[0]] == 255
        assert 0.02 < (mask > 0).mean() < 0.06

    def test_faces_of_several_pictures_add_up(self, portrait):
        counts = [count_boxes(detect_faces(p)) for p in (portrait, skimage.data.coffee(), portrait[:, ::-1].copy())]
        assert add_numbers(tuple(counts)) == 2


class TestCounting:
    def test_coins_are_counted(self):
        context = RunContext(Path())
        number, boxes = count_blobs(colour(skimage.data.coins()), context=context)
        assert number == len(boxes)
        assert abs(number - 24) <= 1 and not context.told

    @pytest.mark.parametrize("name", ["chelsea", "coffee", "immunohistochemistry"])
    def test_what_may_be_no_things_is_told(self, name: str):
        """35 things were counted on the face of a cat, without a word."""
        context = RunContext(Path())
        count_blobs(getattr(skimage.data, name)(), context=context)
        assert context.told == [DOUBTFUL]

    @pytest.mark.parametrize("count", [1, 7, 23])
    def test_discs_on_uneven_light_are_counted(self, count):
        random = np.random.default_rng(count)
        ground = np.full((400, 600, 3), (200, 190, 170)) * np.linspace(0.7, 1, 600)[None, :, None]
        picture = np.ascontiguousarray(ground.astype(np.uint8))
        places = [(x, y) for y in range(50, 380, 70) for x in range(50, 580, 70)]
        for index in random.choice(len(places), count, replace=False):
            cv2.circle(picture, places[index], 24, tuple(int(v) for v in random.integers(0, 120, 3)), -1)
        noisy = np.clip(picture + random.normal(0, 5, picture.shape), 0, 255).astype(np.uint8)
        assert count_blobs(noisy)[0] == count

    def test_touching_discs_count_as_two(self):
        picture = np.full((200, 300, 3), 230, np.uint8)
        for x in (100, 156):
            cv2.circle(picture, (x, 100), 30, (30, 60, 120), -1)
        assert count_blobs(picture)[0] == 2

    def test_empty_ground_holds_nothing(self):
        assert count_blobs(np.full((60, 80, 3), 90, np.uint8)) == (0, ())

    def test_a_pixel_is_refused_with_its_port(self):
        with pytest.raises(NodeError) as caught:
            count_blobs(np.zeros((1, 1, 3), np.uint8))
        assert caught.value.port == "image"


class TestFacts:
    def test_facts_are_those_of_the_picture(self):
        facts = {row[0]: row[1] for row in picture_facts(np.full((1080, 1920, 3), (255, 0, 0), np.uint8)).rows}
        assert (facts["width"], facts["height"], facts["shape"]) == (1920, 1080, "16:9")
        assert facts["mean colour"] == "red #ff0000" and facts["contrast"] == 0

    def test_blurred_picture_is_less_sharp(self, portrait):
        sharp, soft = ({r[0]: r[1] for r in picture_facts(p).rows} for p in (portrait, cv2.blur(portrait, (9, 9))))
        assert soft["sharpness"] < 0.4 * sharp["sharpness"]

    def test_one_pixel_has_facts(self):
        assert picture_facts(np.zeros((1, 1, 4), np.uint8)).rows[0] == ("width", 1, "px")

    def test_main_colours_have_their_shares(self):
        flag = np.full((90, 300, 3), 255, np.uint8)
        flag[:, :150], flag[:, 150:240] = (0, 0, 200), (200, 0, 0)
        labels = dominant_colours(flag)
        assert [label.name for label in labels] == ["blue #0000c8", "red #c80000", "white #ffffff"]
        assert [round(label.score, 2) for label in labels] == [0.5, 0.3, 0.2]

    def test_swatches_show_the_main_colours_with_their_codes(self):
        flag = np.full((90, 300, 3), 255, np.uint8)
        flag[:, :150], flag[:, 150:240] = (0, 0, 200), (200, 0, 0)
        made = colour_swatches(flag)
        assert made.shape == (240, 720, 3)
        for number, (ink, rgb) in enumerate(((255, (0, 0, 200)), (255, (200, 0, 0)), (0, (255, 255, 255)))):
            swatch = made[:, 240 * number : 240 * number + 240]
            assert (swatch[:180] == rgb).all() and (swatch[180:] == ink).all(axis=2).sum() > 300
        assert colour_swatches(flag, 2).shape == (240, 480, 3)
        assert read_text(colour_swatches(flag, 1), SILENT)[0].strip().lower() == "#0000c8"

    def test_wholly_transparent_picture_has_no_colours(self):
        with pytest.raises(NodeError, match="transparent"):
            colour_swatches(np.zeros((5, 5, 4), np.uint8))
        with pytest.raises(NodeError, match="transparent"):
            dominant_colours(np.zeros((5, 5, 4), np.uint8))

    def test_the_colours_of_a_part_are_those_under_the_mask(self):
        picture = np.full((60, 90, 3), (20, 40, 200), np.uint8)
        picture[20:40, 30:60] = (200, 20, 20)
        mask = np.zeros((60, 90), np.uint8)
        mask[22:38, 32:58] = 255
        (label,) = dominant_colours(picture, mask=mask)
        assert "red" in label.name and label.score == 1
        with pytest.raises(NodeError) as caught:
            dominant_colours(picture, mask=np.zeros_like(mask))
        assert caught.value.port == "mask"


class TestSegmentEverything:
    def test_stripes_are_the_regions(self):
        picture = np.zeros((120, 300, 3), np.uint8)
        picture[:, :150], picture[:, 150:250], picture[:, 250:] = (200, 30, 30), (30, 160, 30), (30, 30, 200)
        regions, number = segment_everything(picture)
        assert number == 3 and regions.dtype == np.uint16
        assert [regions[60, x] for x in (75, 200, 275)] == [1, 2, 3]
        assert (regions == 1).mean() == pytest.approx(0.5, abs=0.02)

    def test_more_detail_gives_more_regions(self, portrait):
        few, many = (segment_everything(portrait, detail)[1] for detail in (0.1, 0.9))
        assert 2 <= few < many

    def test_numbers_have_no_gaps_on_a_large_picture(self):
        regions, number = segment_everything(cv2.resize(skimage.data.coffee(), (1500, 1000)))
        assert regions.shape == (1000, 1500) and set(np.unique(regions)) == set(range(1, number + 1))

    def test_a_pixel_is_one_region(self):
        assert segment_everything(np.zeros((1, 1, 3), np.uint8))[1] == 1

"""PDF files: pictures in and out, joined, with fewer pages, smaller; and files with which none of that can be done."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from nodes.api import Cancelled, NodeError, RunContext
from tests.nodes.av_media import gradient, run


def written(path: Path, *pages: str, password: str = "", turned: int = 0) -> Path:
    """A PDF of pages of 400 x 200 points with a line of Helvetica, a bookmark of that name for each."""
    writer = PdfWriter()
    font = DictionaryObject({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
                             NameObject("/BaseFont"): NameObject("/Helvetica")})  # fmt: skip
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    for number, text in enumerate(pages):
        page = writer.add_blank_page(400, 200)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 18 Tf 30 100 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
        page.rotate(turned)
        writer.add_outline_item(text, number)
    if password:
        writer.encrypt(password)
    writer.write(path)
    return path


def texts(path: Path) -> list[str]:
    return [page.extract_text().strip() for page in PdfReader(path).pages]


def broken(folder: Path, kind: str) -> Path:
    """A file that is no PDF that can be read, in that folder."""
    path = folder / ("given.txt" if kind == "no PDF" else "given.pdf")
    if kind == "locked":
        return written(path, "secret", password="pw")
    data = {"no PDF": b"Hello.", "empty": b"", "damaged": written(path, "one").read_bytes()[:200]}[kind]
    path.write_bytes(data)
    return path


TOLD = {
    "no PDF": "is no PDF",
    "empty": "missing or empty",
    "damaged": "is damaged",
    "locked": "protected by a password",
}


# Pictures to PDF, and back


def test_pictures_come_back_from_their_pages(tmp_path: Path):
    given = gradient(300, 200), gradient(200, 300), np.eye(40, dtype=np.uint8).repeat(3, 1).reshape(40, 40, 3) * 255
    made = run("pictures_to_pdf", given, folder=tmp_path)
    found = run("pdf_to_pictures", made, folder=tmp_path)
    assert [each.shape for each in found] == [each.shape for each in given]
    assert max(np.abs(a.astype(int) - b).mean() for a, b in zip(given, found, strict=True)) < 1
    assert (found[2] == given[2]).all()  # what JPEG makes no smaller keeps every pixel


@pytest.mark.parametrize(("page", "short", "long"), [("A4", 210, 297), ("letter", 215.9, 279.4)])
def test_the_paper_lies_where_the_picture_does(tmp_path: Path, page: str, short: float, long: float):
    given = tuple(np.zeros((*shape, 3), np.uint8) for shape in ((300, 400), (400, 300)))
    made = run("pictures_to_pdf", given, page, 20.0, folder=tmp_path)
    lying, standing = run("pdf_to_pictures", made, dpi=254.0, folder=tmp_path)
    assert lying.shape == pytest.approx((short * 10, long * 10, 3), abs=1)
    assert standing.shape == pytest.approx((long * 10, short * 10, 3), abs=1)
    rows, columns = (np.flatnonzero((lying[..., 0] < 128).any(axis)) for axis in (1, 0))
    high, wide = np.ptp(rows) + 1, np.ptp(columns) + 1
    assert wide / high == pytest.approx(4 / 3, abs=0.01)
    assert min(lying.shape[0] - high, lying.shape[1] - wide) == pytest.approx(400, abs=3)
    assert rows[0] + rows[-1] == pytest.approx(lying.shape[0], abs=3)


def test_see_through_parts_are_white(tmp_path: Path):
    given = np.zeros((20, 20, 4), np.uint8)
    given[:10, :, 3] = 255
    (found,) = run("pdf_to_pictures", run("pictures_to_pdf", (given,), folder=tmp_path), folder=tmp_path)
    assert (found[:10] < 10).all() and (found[10:] > 245).all()


def test_a_pdf_of_no_pictures_is_refused(tmp_path: Path):
    with pytest.raises(NodeError, match="no picture") as told:
        run("pictures_to_pdf", (), folder=tmp_path)
    assert told.value.port == "images"


def test_a_picture_longer_than_jpeg_allows_goes_into_a_pdf(tmp_path: Path):
    made = run("pictures_to_pdf", (np.full((66_000, 2, 3), 90, np.uint8),), folder=tmp_path)
    assert max(PdfReader(made).pages[0].mediabox[2:]) <= 14_400


def test_pages_are_chosen_and_drawn_with_so_many_pixels(tmp_path: Path):
    given = written(tmp_path / "a.pdf", "one", "two", "three")
    assert [each.shape for each in run("pdf_to_pictures", given, "2-", dpi=72, folder=tmp_path)] == [(200, 400, 3)] * 2
    (only,) = run("pdf_to_pictures", given, "2", 144, folder=tmp_path)
    (last,) = run("pdf_to_pictures", given, "the last page", 144, folder=tmp_path)
    assert not np.array_equal(only, last)
    assert only.shape == (400, 800, 3) and only.dtype == np.uint8
    dark = np.argwhere(only.min(2) < 100)
    assert (dark.min(0) > (160, 58)).all() and (dark.max(0) < (220, 140)).all()


def test_a_turned_page_is_drawn_turned(tmp_path: Path):
    (found,) = run("pdf_to_pictures", written(tmp_path / "a.pdf", "one", turned=90), dpi=72, folder=tmp_path)
    assert found.shape == (400, 200, 3)


@pytest.mark.parametrize("tool", ["pdf_to_pictures", "read_document"])
@pytest.mark.parametrize(
    ("pages", "told"),
    [("4", "no page 4"), ("3-2", "Page 2 lies before page 3"), ("2-9", "no page 9"), ("blue", "'blue' is no page")],
)
def test_pages_that_are_not_there_name_the_port(tmp_path: Path, tool: str, pages: str, told: str):
    given = written(tmp_path / "a.pdf", "one", "two", "three")
    with pytest.raises(NodeError, match=told) as caught:
        run(tool, given, pages, folder=tmp_path)
    assert caught.value.port == "pages" and caught.value.fix


def test_pictures_that_no_memory_holds_are_refused(tmp_path: Path):
    writer = PdfWriter()
    writer.add_blank_page(14_000, 14_000)
    writer.write(tmp_path / "large.pdf")
    with pytest.raises(NodeError, match="too large") as told:
        run("pdf_to_pictures", tmp_path / "large.pdf", folder=tmp_path)
    assert told.value.port == "dpi"


def test_drawing_pages_stops_when_it_is_told_to(tmp_path: Path):
    class Stopped(RunContext):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        run("pdf_to_pictures", written(tmp_path / "a.pdf", "one"), context=Stopped(tmp_path))


@pytest.mark.parametrize("kind", TOLD)
@pytest.mark.parametrize(
    "tool", ["pdf_to_pictures", "pdf_pages", "join_pdfs", "compress_pdf", "turn_pages", "lock_pdf"]
)
def test_what_is_no_pdf_that_can_be_read_is_said(tmp_path: Path, tool: str, kind: str):
    given = broken(tmp_path, kind)
    other = written(tmp_path / "other.pdf", "other")
    values = {"pdf_pages": (given, "1"), "join_pdfs": ((other, given),), "lock_pdf": (given, "pw")}.get(tool, (given,))
    with pytest.raises(NodeError, match=TOLD[kind]) as told:
        run(tool, *values, folder=tmp_path)
    port = "files" if tool == "join_pdfs" else "file"
    assert "given." in told.value.message and told.value.port == port and told.value.fix


# Joined, and with fewer pages


def bookmarks(path: Path) -> list[tuple[str, int | None]]:
    reader = PdfReader(path)
    return [(str(each.title), reader.get_destination_page_number(each)) for each in reader.outline]  # type: ignore


def test_files_are_joined_in_their_order_with_their_bookmarks(tmp_path: Path):
    first, second = written(tmp_path / "b.pdf", "one", "two"), written(tmp_path / "a.pdf", "three", turned=90)
    made = run("join_pdfs", (first, second), folder=tmp_path)
    assert texts(made) == ["one", "two", "three"]
    assert [page.rotation for page in PdfReader(made).pages] == [0, 0, 90]
    assert bookmarks(made) == [("one", 0), ("two", 1), ("three", 2)]


def test_one_file_alone_is_not_joined(tmp_path: Path):
    with pytest.raises(NodeError, match="two PDF files") as told:
        run("join_pdfs", (written(tmp_path / "a.pdf", "one"),), folder=tmp_path)
    assert told.value.port == "files"


@pytest.mark.parametrize(
    ("pages", "kept"),
    [("2", "2"), ("1-3, 5", "1235"), ("4-", "45"), ("-2", "12"), ("last", "5"), ("pages 1 to 2 and 4", "124"),
     ("5,1,1", "15"), ("3 – last", "345"), ("1 3", "13"), ("first and last", "15")],
)  # fmt: skip
def test_pages_are_kept_or_removed_in_the_order_of_the_file(tmp_path: Path, pages: str, kept: str):
    given = written(tmp_path / "a.pdf", *"12345", turned=180)
    made = run("pdf_pages", given, pages, folder=tmp_path)
    assert texts(made) == list(kept) and {page.rotation for page in PdfReader(made).pages} == {180}
    assert bookmarks(made) == [(text, number) for number, text in enumerate(kept)]
    assert texts(run("pdf_pages", given, pages, "remove", folder=tmp_path)) == [n for n in "12345" if n not in kept]


@pytest.mark.parametrize(
    ("pages", "how", "told"),
    [("6", "keep", "a.pdf has no page 6"), ("2-9", "keep", "no page 9"), ("0", "remove", "no page 0"),
     ("3-2", "keep", "Page 2 lies before page 3"),
     ("", "keep", "nothing|no words|empty"), ("red", "keep", "'red' is no page"),
     ("-", "keep", "no words"), ("1-", "remove", "No page would be left")],
)  # fmt: skip
def test_pages_that_cannot_be_had_name_the_port_of_pages(tmp_path: Path, pages: str, how: str, told: str):
    with pytest.raises(NodeError, match=told) as caught:
        run("pdf_pages", written(tmp_path / "a.pdf", *"12345"), pages, how, folder=tmp_path)
    assert caught.value.port == "pages" and caught.value.fix


def test_what_was_on_a_removed_page_is_in_the_file_no_more(tmp_path: Path):
    given = written(tmp_path / "a.pdf", "open", "secret")
    assert b"secret" in given.read_bytes()
    assert b"secret" not in run("pdf_pages", given, "1", folder=tmp_path).read_bytes()


# Smaller


def soft(width: int, height: int) -> np.ndarray:
    """A picture in which there is something to lose."""
    random = np.random.default_rng(0).integers(0, 40, (height, width, 3))
    return (gradient(width, height) // 2 + random).astype(np.uint8)


def test_pictures_keep_so_many_pixels_of_the_size_they_are_shown_at(tmp_path: Path):
    given = run("pictures_to_pdf", (soft(600, 400), soft(600, 400)), folder=tmp_path)
    made = run("compress_pdf", given, 75.0, folder=tmp_path)
    images = [page.images[0].image for page in PdfReader(made).pages]
    assert [image.size for image in images if image] == [(300, 200)] * 2
    assert made.stat().st_size < given.stat().st_size / 4
    before, after = (run("pdf_to_pictures", each, dpi=75.0, folder=tmp_path)[1] for each in (given, made))
    assert before.shape == after.shape and np.abs(before.astype(int) - after).mean() < 8


def test_a_file_that_cannot_be_smaller_is_given_back(tmp_path: Path):
    given = run("pictures_to_pdf", (soft(30, 20),), folder=tmp_path)
    once = run("compress_pdf", given, folder=tmp_path)
    twice = run("compress_pdf", once, folder=tmp_path)
    assert once.stat().st_size <= given.stat().st_size and twice.read_bytes() == once.read_bytes()


def test_the_words_and_bookmarks_of_a_smaller_file_stay(tmp_path: Path):
    given = written(tmp_path / "a.pdf", *["the same line " * 50] * 20)
    made = run("compress_pdf", given, folder=tmp_path)
    assert texts(made) == texts(given) and bookmarks(made) == bookmarks(given)
    assert made.stat().st_size < given.stat().st_size


@pytest.mark.parametrize(
    ("angle", "pages", "turned"),
    [("90", "", [90, 90, 90]), ("180", "2", [0, 180, 0]), ("270", "last", [0, 0, 270]), ("90", "2-", [0, 90, 90])],
)
def test_pages_are_turned_and_stay_in_their_order(tmp_path, angle, pages, turned):
    from pypdf import PdfReader

    made = run("turn_pages", written(tmp_path / "a.pdf", *"123"), angle, pages, folder=tmp_path)
    assert texts(made) == list("123")
    assert [page.rotation % 360 for page in PdfReader(made).pages] == turned
    again = run("turn_pages", made, "90", "1", folder=tmp_path)
    assert PdfReader(again).pages[0].rotation % 360 == (turned[0] + 90) % 360, "on top of what it was"


@pytest.mark.parametrize("pages", ["4", "0", "two", "3-2"])
def test_pages_that_are_not_there_cannot_be_turned(tmp_path, pages):
    with pytest.raises(NodeError) as raised:
        run("turn_pages", written(tmp_path / "a.pdf", *"123"), "90", pages, folder=tmp_path)
    assert raised.value.port == "pages"


# Put in another order, numbered, stamped


@pytest.mark.parametrize(
    ("pages", "how", "expected"),
    [
        ("3, 1", "put first", "three one two four"),
        ("last", "put first", "four one two three"),
        ("1-2", "put last", "three four one two"),
        ("last-1", "put first", "four three two one"),
        ("2, 2", "put last", "one three four two"),
    ],
)
def test_pages_are_moved_with_their_bookmarks(tmp_path: Path, pages: str, how: str, expected: str):
    made = run("pdf_pages", written(tmp_path / "a.pdf", "one", "two", "three", "four"), pages, how, folder=tmp_path)
    assert texts(made) == expected.split()
    reader = PdfReader(made)
    assert all(expected.split()[reader.get_destination_page_number(mark)] == mark.title for mark in reader.outline)


def dark(made: Path, page: int = 1, below: int = 250) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is drawn on a page of a PDF, 0 to 1 of it."""
    (picture,) = run("pdf_to_pictures", made, str(page), 144, folder=made.parent)
    rows, columns = (np.flatnonzero((picture.min(2) < below).any(axis)) for axis in (1, 0))
    high, wide = picture.shape[:2]
    return columns[0] / wide, rows[0] / high, columns[-1] / wide, rows[-1] / high


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, ["1", "2", "3", "4"]),
        ({"total": True}, ["1 / 4", "2 / 4", "3 / 4", "4 / 4"]),
        ({"pages": "2-"}, ["", "2", "3", "4"]),
        ({"pages": "2-", "start": 1, "total": True}, ["", "1 / 3", "2 / 3", "3 / 3"]),
        ({"pages": "1, 4", "start": 0}, ["0", "", "", "3"]),
    ],
)
def test_pages_are_numbered(tmp_path: Path, values: dict, expected: list[str]):
    given = written(tmp_path / "a.pdf", "one", "two", "three", "four")
    made = run("number_pages", given, folder=tmp_path, **values)
    assert [text.partition("\n")[2] for text in texts(made)] == expected
    assert [text.partition("\n")[0] for text in texts(made)] == texts(given)


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
@pytest.mark.parametrize("position", ["bottom right", "top left", "bottom"])
def test_a_number_stands_where_it_is_wanted_on_a_page_that_is_turned_and_cut(
    tmp_path: Path, turned: int, position: str
):
    writer = PdfWriter()
    page = writer.add_blank_page(500, 300)
    page.cropbox.lower_left, page.cropbox.upper_right = (100, 50), (500, 250)
    page.rotate(turned)
    writer.write(tmp_path / "a.pdf")
    left, top, right, bottom = dark(run("number_pages", tmp_path / "a.pdf", position, folder=tmp_path))
    down, across = (top + bottom) / 2, (left + right) / 2
    assert abs(down - (0.92 if "bottom" in position else 0.08)) < 0.05
    assert abs(across - (0.04 if "left" in position else 0.96 if "right" in position else 0.5)) < 0.05


@pytest.mark.parametrize("turned", [0, 90])
def test_a_watermark_goes_across_each_page_and_what_is_below_shows_through(tmp_path: Path, turned: int):
    given = written(tmp_path / "a.pdf", "one", "two", turned=turned)
    made = run("watermark_pdf", given, "DRAFT", folder=tmp_path)
    left, top, right, bottom = dark(made)
    assert right - left > 0.3 and bottom - top > 0.4 and left < 0.4 and right > 0.6
    assert all("DRAFT" in text for text in texts(made))
    plain, marked = (run("pdf_to_pictures", file, "1", 144, folder=tmp_path)[0] for file in (given, made))
    assert (marked[plain.min(2) < 40].max(axis=1) < 120).all(), "letters below stay dark"
    assert marked[plain.min(2) == 255].min() > 180, "the mark is faint"


def test_a_watermark_is_written_in_any_letters_in_a_colour_in_a_corner_of_some_pages(tmp_path: Path):
    given = written(tmp_path / "a.pdf", "one", "two")
    made = run("watermark_pdf", given, " Копия \n A&B ", "top right", 1, "red", "last", folder=tmp_path)
    assert texts(made)[0] == "one" and "Копия A&B" in texts(made)[1]
    (page,) = run("pdf_to_pictures", made, "2", 144, folder=tmp_path)
    red = np.argwhere((page[..., 0] > 200) & (page[..., 1:].max(axis=2) < 60))
    assert len(red) > 20 and (red[:, 0] < 60).all() and (red[:, 1] > 600).all()


def test_a_long_text_stays_on_the_page(tmp_path: Path):
    given = written(tmp_path / "a.pdf", " ")
    for position in ("across", "centre", "bottom left"):
        left, top, right, bottom = dark(
            run("watermark_pdf", given, "word " * 60, position, 1, "black", folder=tmp_path)
        )
        assert left > 0.01 and top > 0.01 and right < 0.99 and bottom < 0.99


def test_a_watermark_on_many_pages_costs_little(tmp_path: Path):
    given = written(tmp_path / "a.pdf", *(["page"] * 100))
    once, often = (run("watermark_pdf", given, "DRAFT", pages=pages, folder=tmp_path) for pages in ("1", ""))
    assert often.stat().st_size - once.stat().st_size < 100 * 1000


@pytest.mark.parametrize("kind", TOLD)
@pytest.mark.parametrize(("tool", "values"), [("number_pages", ()), ("watermark_pdf", ("x",))])
def test_what_cannot_be_stamped_is_said(tmp_path: Path, kind: str, tool: str, values: tuple):
    with pytest.raises(NodeError, match=TOLD[kind]) as told:
        run(tool, broken(tmp_path, kind), *values, folder=tmp_path)
    assert told.value.port == "file"


@pytest.mark.parametrize(
    ("values", "port"),
    [
        ({"text": " "}, "text"), ({"text": "x", "colour": "qwrt"}, "colour"),
        ({"text": "x", "pages": "9"}, "pages"), ({"text": "x", "pages": "all of it"}, "pages"),
    ],
)  # fmt: skip
def test_a_watermark_that_cannot_be_written_is_said(tmp_path: Path, values: dict, port: str):
    with pytest.raises(NodeError) as told:
        run("watermark_pdf", written(tmp_path / "a.pdf", "one"), folder=tmp_path, **values)
    assert told.value.port == port


# With a password, and without it again


@pytest.mark.parametrize("password", ["Maple-42", "Blümchen 7", "密码123", "x" * 127])
def test_a_locked_file_opens_with_its_password_alone_in_other_programs_too(tmp_path: Path, password: str):
    given = written(tmp_path / "a.pdf", "one", "two", turned=90)
    made = run("lock_pdf", given, password, folder=tmp_path)
    for wrong in ("", "other", password + "x" if len(password) < 127 else password[:-1]):
        with pytest.raises(pypdfium2.PdfiumError, match=r"(?i)password"):
            pypdfium2.PdfDocument(made, password=wrong)
    document = pypdfium2.PdfDocument(made, password=password)
    assert [page.get_textpage().get_text_bounded() for page in document] == ["one", "two"]
    assert PdfReader(made).is_encrypted and b"/AESV3" in made.read_bytes()
    assert password.encode() not in made.read_bytes() and password not in made.name
    opened = run("unlock_pdf", made, password, folder=tmp_path)
    assert not PdfReader(opened).is_encrypted and texts(opened) == ["one", "two"]
    assert bookmarks(opened) == bookmarks(given) and [p.rotation for p in PdfReader(opened).pages] == [90, 90]


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256-R5", "AES-256"])
@pytest.mark.parametrize("owner", [False, True])
def test_files_that_others_locked_are_unlocked_by_either_password(tmp_path: Path, algorithm: str, owner: bool):
    writer = PdfWriter(clone_from=written(tmp_path / "a.pdf", "one"))
    writer.encrypt("opens", "Boß", algorithm=algorithm)
    writer.write(tmp_path / "locked.pdf")
    made = run("unlock_pdf", tmp_path / "locked.pdf", "Boß" if owner else "opens", folder=tmp_path)
    assert not PdfReader(made).is_encrypted and texts(made) == ["one"]


@pytest.mark.parametrize(
    ("tool", "file", "password", "port", "told"),
    [
        ("unlock_pdf", "locked", "PW", "password", "not the password of given.pdf"),
        ("unlock_pdf", "locked", " ", "password", "no password"),
        ("lock_pdf", "plain", "", "password", "no password"),
        ("lock_pdf", "plain", "ü" * 64, "password", "too long"),
        ("lock_pdf", "locked", "new", "file", "given.pdf is protected by a password"),
        ("unlock_pdf", "no PDF", "pw", "file", "is no PDF"),
        ("unlock_pdf", "damaged", "pw", "file", "is damaged"),
    ],
)
def test_what_is_wrong_with_a_password_is_said_without_saying_it(
    tmp_path: Path, tool: str, file: str, password: str, port: str, told: str
):
    given = written(tmp_path / "given.pdf", "one") if file == "plain" else broken(tmp_path, file)
    with pytest.raises(NodeError, match=told) as caught:
        run(tool, given, password, folder=tmp_path)
    assert caught.value.port == port and caught.value.fix
    assert len(password) < 3 or password not in f"{caught.value.message} {caught.value.fix}"


def test_a_file_without_a_password_stays_as_it_was_which_is_told(tmp_path: Path):
    context = RunContext(tmp_path)
    made = run("unlock_pdf", written(tmp_path / "a.pdf", "one"), "pw", context=context)
    assert texts(made) == ["one"] and "no password" in context.told[0]

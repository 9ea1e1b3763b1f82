"""Web pages: complete in themselves, safe against what users write, readable by programs for the blind."""

from __future__ import annotations

import base64
import io
import itertools
import re
from html.parser import HTMLParser

import numpy as np
import pytest
import soundfile
from PIL import Image

from nodes.api import Audio, Label, NodeError, RunContext, Table
from nodes.web.audio_page import audio_page
from nodes.web.gallery_page import gallery_page
from nodes.web.html_to_text import html_to_text
from nodes.web.story_page import story_page
from nodes.web.table_page import table_page
from nodes.web.video_page import video_page
from nodes.web.web_page import web_page
from tests.nodes.text_samples import CHINESE, GERMAN, SOLAR

VOID = {"meta", "link", "img", "br", "hr", "input", "source"}
ATTACK = '<script>alert(1)</script> <img src=x onerror=alert(1)> "quoted" & [a](javascript:alert(1)) {{ 7*7 }}'


class Reader(HTMLParser):
    """Collects the tags of a page, and checks that they are closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self._open):
            self.text += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


def _picture(width=60, height=40, channels=3):
    return np.random.default_rng(width).integers(0, 256, (height, width, channels), dtype=np.uint8)


def _tone(seconds=0.5, rate=16_000):
    wave = np.sin(np.arange(int(seconds * rate)) * 0.1).astype(np.float32)
    return Audio(wave[:, None] * 0.5, rate)


def _pages(tmp_path):
    table = Table((ATTACK, "n"), ((ATTACK, 1.5), (None, 2)))
    return {
        "web": web_page(ATTACK + "\n\n" + ATTACK, ATTACK, (_picture(),)),
        "gallery": gallery_page((_picture(), _picture(50)), (ATTACK,), ATTACK),
        "story": story_page((ATTACK, ATTACK), (_picture(),), ATTACK),
        "table": table_page(table, ATTACK),
        "audio": audio_page(_tone(), ATTACK, ATTACK),
    }


def test_no_page_runs_scripts_or_loads_anything(tmp_path):
    for name, html in _pages(tmp_path).items():
        reader = Reader(html)
        assert not reader.all("script") and "49" not in reader.text, name
        for tag, attributes in reader.tags:
            assert not any(key.startswith("on") for key in attributes), name
            assert (attributes.get("src") or "data:").startswith("data:"), name
            assert (attributes.get("href") or "https:").startswith(("https:", "http:", "mailto:")), (name, tag)
        policy = next(a["content"] for a in reader.all("meta") if a.get("http-equiv") == "Content-Security-Policy")
        assert policy and policy.startswith("default-src 'none'") and "script" not in policy
        assert "<script>alert(1)</script>" in reader.text, "what the user wrote is shown"


def test_every_page_is_complete_for_phones_and_screen_readers(tmp_path):
    for name, html in _pages(tmp_path).items():
        reader = Reader(html)
        assert html.startswith("<!DOCTYPE html>") and reader.all("html")[0]["lang"], name
        assert len(reader.all("h1")) == 1 and len(reader.all("title")) == 1 and len(reader.all("main")) == 1
        assert any(a.get("name") == "viewport" for a in reader.all("meta"))
        assert "prefers-color-scheme: dark" in html
        assert all(a.get("alt") for a in reader.all("img")), name
        levels = [int(tag[1]) for tag, _ in reader.tags if re.fullmatch("h[1-6]", tag)]
        assert all(b <= a + 1 for a, b in itertools.pairwise(levels)), "no level is left out"


def test_embedded_pictures_are_the_pictures():
    photo = np.asarray(Image.linear_gradient("L").convert("RGB").rotate(30).resize((320, 200)))
    glass = np.dstack([photo, np.full(photo.shape[:2], 128, np.uint8)])
    html = gallery_page((photo, glass))
    sources = [a["src"] for a in Reader(html).all("img")]
    opened = [Image.open(io.BytesIO(base64.b64decode(source.split(",")[1]))) for source in sources if source]
    assert [picture.size for picture in opened] == [(320, 200), (320, 200)]
    assert np.abs(np.asarray(opened[0].convert("RGB")).astype(int) - photo).mean() < 4
    assert np.array_equal(np.asarray(opened[1]), glass), "transparency is kept"


def test_photographs_are_jpeg_and_drawings_png():
    flat = np.zeros((200, 300, 3), np.uint8)
    flat[50:100] = (255, 0, 0)
    html = gallery_page((_picture(300, 200), flat))
    assert [a["src"][:16] for a in Reader(html).all("img")] == ["data:image/jpeg;", "data:image/png;b"]


def test_huge_pictures_are_reduced_to_fit():
    images = Reader(web_page("Hello there.", images=(np.zeros((10, 9000, 3), np.uint8),))).all("img")
    assert (images[0]["width"], images[0]["height"]) == ("4096", "5")


def test_a_heading_after_code_has_the_level_that_it_would_have_before():
    html = web_page("Words.\n\n# A\n\n## B\n\n```\n# c\n```\n\n## D\n\nMore words.", "A title")
    assert "<h2>A</h2>" in html and "<h3>B</h3>" in html and "<h3>D</h3>" in html


def test_markdown_becomes_structure():
    html = web_page(
        "# Trip\n\nA **bold** and *fine* `a<b` [link](https://a.b/?c=1&d=2), https://example.com/x.\n\n## Part\n\n"
        "- one\n- two\n\n3. three\n4. four\n\n> said\n\n```\nx < y\n```\n\n---\n\nEnd."
    )
    for part in (
        ">Trip</h1>", "<strong>bold</strong>", "<em>fine</em>", "<code>a&lt;b</code>",
        '<a href="https://a.b/?c=1&amp;d=2" rel="noopener noreferrer">link</a>',
        '<a href="https://example.com/x" rel="noopener noreferrer">https://example.com/x</a>.', "<h2>Part</h2>",
        "<ul>\n<li>one</li>\n<li>two</li>\n</ul>", '<ol start="3">\n<li>three</li>',
        "<blockquote><p>said</p></blockquote>",
        "<pre><code>x &lt; y</code></pre>", "<hr>", "<p>End.</p>",
    ):  # fmt: skip
        assert part in html, part


def test_plain_text_keeps_its_heading_paragraphs_and_language():
    html = web_page(SOLAR)
    reader = Reader(html)
    assert ">Solar power in Europe</h1>" in html and html.count("<p>") == 4
    assert reader.all("html")[0]["lang"] == "en" and "0.30 euros" in reader.text
    assert Reader(web_page(GERMAN)).all("html")[0]["lang"] == "de"
    assert Reader(web_page(CHINESE)).all("html")[0]["lang"] == "zh"


def test_a_title_is_never_shown_twice():
    hidden = web_page("Just one sentence of text.")
    assert 'class="hidden">Just one' in hidden and ">Just one sentence of text.</p>" in hidden
    given = web_page("# Own\n\nText.", "Given")
    assert ">Given</h1>" in given and "Own</h2>" in given


def test_captions_are_the_words_for_the_blind():
    reader = Reader(gallery_page((_picture(), _picture(50)), ("A red house",), "Summer"))
    assert [a["alt"] for a in reader.all("img")] == ["A red house", "Picture 2 of 2"]
    for arguments, port in ((((),), "images"), (((_picture(),), ("a", "b")), "captions")):
        with pytest.raises(NodeError) as raised:
            gallery_page(*arguments)
        assert raised.value.port == port


def test_a_story_pairs_texts_and_pictures_in_order():
    html = story_page(("First part.", "Second part."), (_picture(), _picture(50), _picture(40)), "Tale")
    chapters = html.split('<section class="chapter')[1:]
    assert len(chapters) == 3 and all("<img" in chapter for chapter in chapters)
    assert "First part." in chapters[0] and "Second part." in chapters[1] and "part" not in chapters[2].split("<img")[0]


def test_one_text_is_shared_out_among_the_pictures():
    html = story_page((SOLAR,), (_picture(), _picture(50)))
    chapters = html.split('<section class="chapter')[1:]
    assert len(chapters) == 2 and "record 56" in chapters[0] and "closed this year" in chapters[1]
    assert sum(chapter.count("<p>") for chapter in chapters) == 4
    with pytest.raises(NodeError) as raised:
        story_page((" ",), (_picture(),))
    assert raised.value.port == "texts"


def test_a_table_page_shows_every_cell_and_aligns_numbers():
    html = table_page(Table(("Name", "Price"), (("tea & milk", 3.0), ("<b>", None), ("x", 1234.5678))), "Prices")
    assert "<td>tea &amp; milk</td>" in html and "<td>&lt;b&gt;</td>" in html
    assert '<td class="number">3</td>' in html and '<td class="number"></td>' in html and "1234.5678" in html
    assert '<th scope="col" class="number">Price</th>' in html and "3 rows" in html
    with pytest.raises(NodeError):
        table_page(Table((), ()))


def test_the_sound_of_an_audio_page_is_the_sound():
    tone = _tone()
    source = Reader(audio_page(tone, "What is said.", "Talk")).all("audio")[0]["src"] or ""
    assert source.startswith("data:audio/flac;base64,")
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(source.split(",")[1])), always_2d=True)
    assert rate == tone.rate and np.abs(samples - tone.samples).max() < 1e-4
    with pytest.raises(NodeError) as raised:
        audio_page(Audio(np.zeros((0, 1), np.float32), 8000))
    assert raised.value.port == "audio"


def _video(path, codec, pixel_format="yuv420p"):
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, pixel_format
        for i in range(5):
            pixels = np.full((48, 64, 3), i * 40, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, "rgb24")))
        container.mux(stream.encode(None))
    return path


def test_a_video_that_browsers_play_is_embedded_as_it_is(tmp_path):
    path = _video(tmp_path / "clip.mp4", "h264")
    html = video_page(
        path, "My <trip>", "Two\n\nparagraphs.", (Label("sea"), Label("a&b")), context=RunContext(tmp_path)
    )
    reader = Reader(html)
    video = reader.all("video")[0]
    assert video["src"] == "data:video/mp4;base64," + base64.b64encode(path.read_bytes()).decode()
    assert (video["width"], video["height"]) == ("64", "48") and "controls" in video
    assert (video["poster"] or "").startswith("data:image/")
    assert "My &lt;trip&gt;</h1>" in html and "<li>sea</li>\n<li>a&amp;b</li>" in html
    assert 'name="keywords" content="sea, a&amp;b"' in html and html.count("<p>") == 2


def test_another_video_is_converted_first(tmp_path):
    path = _video(tmp_path / "old.avi", "mpeg4")
    (tmp_path / "scratch").mkdir()
    source = Reader(video_page(path, context=RunContext(tmp_path / "scratch"))).all("video")[0]["src"] or ""
    data = base64.b64decode(source.split(",")[1])
    assert source.startswith("data:video/mp4;") and b"avc1" in data and data != path.read_bytes()


def test_broken_and_huge_videos_are_refused(tmp_path, monkeypatch):
    junk = tmp_path / "junk.mp4"
    junk.write_bytes(b"not a video")
    with pytest.raises(NodeError) as raised:
        video_page(junk, context=RunContext(tmp_path))
    assert raised.value.port == "video"
    path = _video(tmp_path / "clip.mp4", "h264")
    monkeypatch.setattr("nodes.web.video_page._MOST_BYTES", 100)
    with pytest.raises(NodeError, match="20 MB") as raised:
        video_page(path, context=RunContext(tmp_path))
    assert raised.value.port == "video" and raised.value.fix


def test_text_of_a_page_has_no_scripts_menus_or_tags():
    html = (
        "<html><head><title>T</title><style>p{}</style></head><body><nav>menu</nav><h1>Head &amp; tail</h1>"
        "<p>One <b>bold</b>\n text.<br>New<script>alert(1)</script></p><ul><li>a<li>b</ul>"
        "<table><tr><th>A<th>B</tr><tr><td>1<td>2</table><pre>x\n  y</pre><!-- no --><div hidden>hid</div>"
        "tail &lt;ok&gt;"
    )
    wanted = "Head & tail\n\nOne bold text.\nNew\n\n- a\n- b\n\nA\tB\n1\t2\n\nx\n  y\n\ntail <ok>"
    assert html_to_text(html) == wanted
    assert html_to_text(html, False) == "menu\n\n" + wanted
    assert html_to_text("<nav>only a menu</nav>") == "only a menu"
    assert html_to_text("<div>" * 5000 + "deep") == "deep" and html_to_text("plain") == "plain"
    with pytest.raises(NodeError) as raised:
        html_to_text("<script>x</script>")
    assert raised.value.port == "html"


def test_a_page_read_back_gives_its_text():
    text = html_to_text(web_page(SOLAR))
    assert " ".join(text.split()) == " ".join(SOLAR.split())

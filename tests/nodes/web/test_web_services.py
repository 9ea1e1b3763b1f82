"""Downloads, web search and weather against a server on this computer; links in a text."""

from __future__ import annotations

import contextlib
import json
import threading
import urllib.parse
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from desktop_app.core.paths import PROJECT
from nodes._support.files import codecs
from nodes._support.web import fetching
from nodes.api import NodeError, ResourceType, RunContext
from nodes.text.extract_links import extract_links
from nodes.web import weather as weather_file
from nodes.web.current_time import current_time
from nodes.web.search_web import SERVER, search_web
from nodes.web.weather import weather
from tests.nodes.av_media import movie, tone

_EXAMPLES = PROJECT / "resources" / "examples"
_LISBON = {"name": "Lisbon", "country": "Portugal", "country_code": "PT", "latitude": 38.7, "longitude": -9.1}
_PARIS = [
    {"name": "Paris", "country": "France", "country_code": "FR", "latitude": 48.9, "longitude": 2.3},
    {"name": "Paris", "country": "United States", "admin1": "Texas", "latitude": 33.7, "longitude": -95.6},
]
_FORECAST = {
    "current": {"temperature_2m": 17.6, "relative_humidity_2m": 63, "weather_code": 61, "wind_speed_10m": 11.4},
    "daily": {
        "time": ["2026-03-02", "2026-03-03"],
        "weather_code": [61, 95],
        "temperature_2m_min": [11.2, 10.0],
        "temperature_2m_max": [18.4, 15.5],
        "precipitation_sum": [3.25, 0.0],
    },
}
_RESULTS = [
    {"title": "Huts", "url": "https://huts.example/a", "content": "Sleep high.", "img_src": "//pics.example/h.jpg"},
    {"title": "No address"},
    {"title": "Script", "url": "javascript:alert(1)"},
    "nonsense",
    {"title": "More", "url": "http://more.example/"},
]


class _Site(BaseHTTPRequestHandler):
    files: ClassVar[dict[str, tuple[str, bytes]]] = {}
    asked: ClassVar[list[str]] = []

    def do_GET(self):
        place, _, query = self.path.partition("?")
        values = dict(urllib.parse.parse_qsl(query))
        self.asked.append(self.path)
        if place == "/places":
            known = {"Lisbon": [_LISBON], "Paris": _PARIS}.get(values["name"])
            self._send("application/json", json.dumps({"results": known} if known else {}).encode())
        elif place == "/forecast":
            strange = values["latitude"] == "33.7"
            self._send("application/json", json.dumps({"reason": "no"} if strange else _FORECAST).encode())
        elif place == "/search":
            self._send("application/json", json.dumps({"results": _RESULTS}).encode())
        elif place == "/closed/search":
            self._send("text/html", b"<html>403</html>")
        elif place == "/away/search":
            self.send_response(302)
            self.send_header("Location", "http://10.1.2.3/")
            self.end_headers()
        else:
            self._send(*self.files[place])

    def _send(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    with HTTPServer(("127.0.0.1", 0), _Site) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        _Site.asked.clear()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def _all(address):
    return True


def test_a_picture_a_sound_and_a_film_are_downloaded(site, tmp_path):
    context = RunContext(tmp_path)
    clip = movie(tmp_path / "in.mp4")
    _Site.files = {
        "/cat.jpg": ("image/jpeg", (_EXAMPLES / "cat.jpg").read_bytes()),
        "/a": ("audio/wav", codecs.encode(tone(seconds=1), ResourceType.AUDIO)[0]),
        "/b.mp4": ("application/octet-stream", clip.read_bytes()),
    }
    picture = fetching.downloaded(f"{site}/cat.jpg", ResourceType.IMAGE, context, _all)
    assert picture.ndim == 3 and picture.dtype == np.uint8 and picture.std() > 10
    assert fetching.downloaded(f"{site}/a", ResourceType.AUDIO, context, _all).seconds == pytest.approx(1, abs=0.01)
    assert fetching.downloaded(f"{site}/b.mp4", ResourceType.VIDEO, context, _all).read_bytes() == clip.read_bytes()


@pytest.mark.parametrize(
    ("kind", "body", "type", "words"),
    [
        ("text/html", b"<p>x", ResourceType.IMAGE, "holds text/html"),
        ("audio/wav", b"RIFF", ResourceType.VIDEO, "holds audio/wav"),
        ("image/png", b"no picture", ResourceType.IMAGE, "cannot be read"),
        ("video/mp4", b"no film", ResourceType.VIDEO, "film|video|read"),
    ],
)
def test_what_is_something_else_is_said(site, tmp_path, kind, body, type, words):
    _Site.files = {"/x": (kind, body)}
    with pytest.raises(NodeError, match=words) as raised:
        fetching.downloaded(f"{site}/x", type, RunContext(tmp_path), _all)
    assert raised.value.port == "url" and raised.value.message


def test_a_file_that_is_too_large_is_cut_off(site, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "MOST_FILE_BYTES", 1000)
    _Site.files = {"/x.png": ("image/png", b"x" * 5000)}
    with pytest.raises(NodeError, match="larger"):
        fetching.downloaded(f"{site}/x.png", ResourceType.IMAGE, RunContext(tmp_path), _all)


def test_no_private_address_is_downloaded_from(site, tmp_path):
    with pytest.raises(NodeError, match="public"):
        fetching.downloaded(f"{site}/x.png", ResourceType.IMAGE, RunContext(tmp_path))
    assert not _Site.asked


def test_a_named_search_server_is_asked(site, tmp_path, monkeypatch):
    context = RunContext(tmp_path)
    table, urls = search_web("alpine huts", server=site, context=context)
    assert table.rows[0] == ("Huts", "https://huts.example/a", "Sleep high.")
    assert urls == ("https://huts.example/a", "http://more.example/")
    assert "q=alpine+huts" in _Site.asked[-1] and "categories=general" in _Site.asked[-1]
    monkeypatch.setenv(SERVER, f"{site}/")
    assert search_web("huts", "pictures", 1, context=context)[1] == ("https://pics.example/h.jpg",)


@pytest.mark.parametrize(
    ("query", "path", "port", "words"),
    [
        (" ", "", "query", "empty|no words|nothing|no text"),
        ("x", None, "server", "No search server"),
        ("x", "/closed", "server", "JSON"),
        ("x", "/away", "server", "public"),
    ],
)
def test_a_search_that_cannot_be_made_is_explained(site, tmp_path, monkeypatch, query, path, port, words):
    monkeypatch.delenv(SERVER, raising=False)
    with pytest.raises(NodeError, match=words) as raised:
        search_web(query, server="" if path is None else site + path, context=RunContext(tmp_path))
    assert raised.value.port == port and raised.value.fix


@pytest.fixture
def forecast(site, monkeypatch):
    plain = fetching.fetch
    monkeypatch.setattr(fetching, "fetch", lambda url, check: plain(url, _all, check))
    monkeypatch.setattr(weather_file, "_PLACES", f"{site}/places")
    monkeypatch.setattr(weather_file, "_FORECAST", f"{site}/forecast")


def test_the_weather_is_told_in_words_and_as_a_table(forecast, tmp_path):
    text, table = weather("Lisbon", 2, context=RunContext(tmp_path))
    assert text.splitlines() == [
        "Lisbon, Portugal: rain, 18 °C, humidity 63 %, wind 11 km/h",
        "2026-03-02: rain, 11 to 18 °C, 3.2 mm of rain",
        "2026-03-03: thunderstorm, 10 to 16 °C, 0.0 mm of rain",
    ]
    assert table.rows[1] == ("2026-03-03", "thunderstorm", 10.0, 15.5, 0.0)
    assert "forecast_days=2" in _Site.asked[-1] and "latitude=38.7" in _Site.asked[-1]


def test_the_country_chooses_among_places_of_one_name(forecast, tmp_path):
    assert weather("Paris", context=RunContext(tmp_path))[0].startswith("Paris, France")
    with pytest.raises(NodeError, match="no forecast"):  # the other one's answer is of another form
        weather("Paris, Texas", context=RunContext(tmp_path))
    for unknown in ("Paris, Spain", "Nowhereville"):
        with pytest.raises(NodeError, match="knows no place"):
            weather(unknown, context=RunContext(tmp_path))


def test_links_are_found_without_the_marks_around_them():
    text = (
        "See https://a.example/x?y=1, (http://b.example/wiki/C_(language)) and <www.c.example>. Again: https://a.example/x?y=1!"
        " 见 https://d.example/页。 Not: http://, a@b.example, example"
    )
    assert extract_links(text) == (
        "https://a.example/x?y=1",
        "http://b.example/wiki/C_(language)",
        "https://www.c.example",
        "https://d.example/页",
    )
    assert extract_links("nothing here") == ()


def test_the_time_is_that_of_the_clock_in_the_zone_of_the_place():
    for place, zone in (("New York", "America/New_York"), ("São Paulo, Brazil", "America/Sao_Paulo"), ("UTC", "UTC")):
        before = datetime.now(ZoneInfo(zone))
        told = current_time(place)
        assert any(f"{at:%A, %Y-%m-%d, %H:%M}" in told for at in (before, datetime.now(ZoneInfo(zone))))
        assert zone in told
    assert "here, UTC" in current_time()
    with pytest.raises(NodeError) as raised:
        current_time("Springfield")
    assert raised.value.port == "place"

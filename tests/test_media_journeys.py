"""Journeys over several tools on sounds, films and texts that are made here: planned of the words, run and answered."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PIL import Image, ImageSequence

from desktop_app.app import new_session
from desktop_app.core.settings import Settings
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.plan.language import sentence_encoder
from desktop_app.run.backends import availability, selection
from desktop_app.session import consent
from desktop_app.storage.resources import Resource
from nodes.api import Audio
from tests.llm.server import serving
from tests.nodes.av_media import decoded, movie, peak_frequency, sound_of, tone
from tests.nodes.av_media import run as tool_run
from tests.nodes.models.conftest import model_of
from tests.nodes.models.test_through_engine import install
from tests.nodes.models.tiny.builders import byte_vocabulary

assert model_of  # a fixture
EXAMPLES = Path(__file__).resolve().parents[1] / "resources" / "examples"
REVIEW = (
    "Our walk through the harbour was wonderful. Anna Schmidt led the tour of the harbour museum: brilliant. "
    "The museum shows ships, maps and old cranes of the harbour. Peter Miller and I loved every minute of it."
)
requires_espeak = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


@pytest.fixture(autouse=True)
def nothing_connected(own_home):
    own_home.mkdir(parents=True, exist_ok=True)
    yield
    availability.connect(None)
    selection.look_again()


async def _values(session) -> dict[str, list]:
    """What each tool of the graph made, by its id, after a run in which all was done."""
    await session.start()
    states = {node.id: session.run.nodes[node.id] for node in session.workflow.nodes}
    assert {each.state for each in states.values()} == {"done"}, [(n, s.message) for n, s in states.items()]
    return {
        node.tool: [session.value_of(made) for made in states[node.id].outputs.values() if isinstance(made, Resource)]
        for node in session.workflow.nodes
    }


@pytest.fixture
def as_shipped(monkeypatch):
    """The planner with its networks, as people get it."""
    monkeypatch.setattr(sentence_encoder, "ENABLED", True)


def _planned(request: str, files: list[Path], wanted: list[str]) -> tuple[dict[str, list], str]:
    """What the plan of these tools made of the request and the files, and the answer."""
    assert not sentence_encoder.ENABLED or sentence_encoder.sentence_encoder().is_ready()

    async def go():
        session = new_session(Settings())
        try:
            for file in files:
                session.attach(file)
            await session.ask(request, tuple(file.name for file in files))
            assert [node.tool for node in session.alternatives[0].workflow.nodes] == wanted
            return await _values(session), session.messages[-1].text
        finally:
            await session.close()

    return asyncio.run(go())


def _that_writes_letters(whisper: Path, folder: Path) -> Path:
    """The same random network, which may write nothing but small letters and blanks."""
    shutil.copytree(whisper, folder)
    path = folder / "generation_config.json"
    config, letters = json.loads(path.read_text("utf-8")), sorted(byte_vocabulary())
    allowed = {number for letter, number in byte_vocabulary().items() if letter in "abcdefghijklmnopqrstuvwxyz\u0120"}
    config["suppress_tokens"] = sorted({*config["suppress_tokens"], *range(len(letters))} - allowed)
    path.write_text(json.dumps(config), "utf-8")
    return folder


@requires_espeak
def test_a_film_is_heard_cleaned_written_down_shortened_and_read(tmp_path, monkeypatch, model_of, as_shipped):
    monkeypatch.setenv("GRAPHWRIGHT_MODELS", str(tmp_path / "models"))
    install(lambda id: _that_writes_letters(model_of(id), tmp_path / "whisper"), "whisper-base")
    samples, rate = soundfile.read(EXAMPLES / "talk.wav", dtype="float32", always_2d=True)
    film = movie(tmp_path / "talk.mp4", frames=int(len(samples) / rate * 25), sound=Audio(samples, rate))
    request = (
        "extract the audio from talk.mp4, remove the noise, transcribe it, summarise it and read the summary aloud"
    )
    wanted = ["extract_audio", "clean_audio", "speech_to_text", "summarise", "text_to_speech"]

    made, answer = _planned(request, [film], wanted)
    heard, clean = made["extract_audio"][0], made["clean_audio"][0]
    assert abs(heard.seconds - len(samples) / rate) < 0.05
    quiet = slice(0, heard.rate // 3)
    assert np.std(clean.samples[quiet]) < 0.5 * np.std(heard.samples[quiet])
    assert made["speech_to_text"][0] and made["text_to_speech"][0].seconds > 0.2
    assert ".wav" in answer


@requires_espeak
def test_notes_are_translated_by_the_connected_model_and_said_in_that_language(tmp_path, as_shipped):
    german = "Der Zug fährt um acht Uhr vom Gleis zwei ab, und das Gepäck bleibt im letzten Wagen."
    shutil.copy(EXAMPLES / "notes.txt", tmp_path / "notes.txt")

    def model(body):
        return "" if "closing reply" in json.dumps(body["messages"]) else german

    async def go(url):
        session = new_session(Settings(llm_url=url, llm_model="scripted"))
        try:
            session.allow(*consent.CONNECTED)
            session.attach(tmp_path / "notes.txt")
            await session.ask("translate notes.txt to German and say it", ("notes.txt",))
            assert [node.tool for node in session.workflow.nodes] == ["translate", "text_to_speech"]
            return await _values(session)
        finally:
            await session.close()

    with serving(model) as (url, script):
        made = asyncio.run(go(url))
    notes = (EXAMPLES / "notes.txt").read_text("utf-8")
    asked = [request["messages"] for request in script.requests]
    (sent,) = (messages for messages in asked if messages[-1]["content"] == notes)  # else it was asked for a plan
    assert "German" in sent[0]["content"]
    assert made["translate"] == [german]
    by_german_voice = tool_run("text_to_speech", german, "de", "standard", 165.0, 50.0, folder=tmp_path)
    assert np.allclose(made["text_to_speech"][0].samples, by_german_voice.samples, atol=1e-4)


def test_without_a_model_a_translation_says_what_it_needs_and_says_nothing_else(tmp_path):
    shutil.copy(EXAMPLES / "notes.txt", tmp_path / "notes.txt")

    async def go():
        session = new_session(Settings())
        try:
            session.attach(tmp_path / "notes.txt")
            await session.ask("Translate notes.txt into German", ("notes.txt",))
            return session.questions(), session.messages[-1]
        finally:
            await session.close()

    (asked,), said = asyncio.run(go())
    assert asked.kind == "fetch" and asked.choices == ("Get it",)
    assert "has to be fetched before this can run" in asked.text
    assert [offer.action for offer in said.offers] == ["connect"] and "Ready to run" not in said.text


def test_a_text_is_asked_what_it_is_about_who_is_named_and_how_it_sounds(tmp_path, as_shipped):
    (tmp_path / "review.txt").write_text(REVIEW, "utf-8")
    request = "what is this text about, who is named in it, is it positive?"
    made, answer = _planned(request, [tmp_path / "review.txt"], ["find_topics", "entities", "sentiment"])
    assert "harbour" in str(made["find_topics"][0]).lower()
    assert [row[1] for row in made["entities"][0].rows] == ["Anna Schmidt", "Peter Miller"]
    assert made["sentiment"][0][0].name == "positive"
    assert "harbour" in answer.lower() and "Anna Schmidt" in answer and "positive" in answer.lower()


def test_a_film_is_cut_gets_subtitles_and_becomes_a_moving_picture(tmp_path, as_shipped):
    grey = [np.full((120, 200, 3), 20 if number < 100 else 60, np.uint8) for number in range(140)]
    film = movie(tmp_path / "clip.mp4", fps=10, pictures=grey, sound=tone(440, 14, 44_100))
    cues = tmp_path / "talk.srt"
    cues.write_text("1\n00:00:00,000 --> 00:00:02,000\nGood morning\n", "utf-8")
    request = "cut the first ten seconds, add subtitles from talk.srt, make it a GIF"
    made, answer = _planned(request, [film, cues], ["trim_video", "burn_subtitles", "video_to_gif"])
    (path,) = made["video_to_gif"]
    with Image.open(path) as gif:
        assert gif.format == "GIF"
        frames = [np.asarray(frame.convert("L")) for frame in ImageSequence.Iterator(gif)]
        seconds = sum(frame.info.get("duration", 0) for frame in ImageSequence.Iterator(gif)) / 1000
    assert abs(seconds - 4) < 0.2, "ten of fourteen seconds are gone"
    assert all(abs(float(np.median(frame)) - 60) < 12 for frame in frames), "the dark beginning is gone"
    written = [int(frame.max()) > 180 for frame in frames]
    half = len(frames) // 2
    assert all(written[1 : half - 1]) and not any(written[half + 1 :]), "the words stand for their two seconds"
    assert ".gif" in answer


def test_a_part_of_a_film_is_cut_out_and_another_is_silent(tmp_path, as_shipped):
    grey = [np.full((64, 96, 3), 20 + 20 * (number // 10), np.uint8) for number in range(60)]
    film = movie(tmp_path / "clip.mp4", fps=10, pictures=grey, sound=tone(440, 6, 44_100))
    made, _ = _planned("cut out seconds 2 to 4", [film], ["trim_video", "trim_video", "join_videos"])
    shown = [int(np.median(picture)) for _, picture in decoded(made["join_videos"][0])]
    assert abs(len(shown) - 40) <= 1 and not [one for one in shown if 50 < one < 90]
    made, _ = _planned("mute it between 2 and 4 s", [film], ["extract_audio", "change_volume", "dub_video"])
    heard = sound_of(made["dub_video"][0])
    assert heard is not None and abs(heard.seconds - 6) < 0.1
    middles = [heard.samples[round((n + 0.2) * heard.rate) : round((n + 0.8) * heard.rate)] for n in range(6)]
    assert [bool(np.abs(middle).max() > 0.01) for middle in middles] == [True, True, False, False, True, True]
    assert len(decoded(made["dub_video"][0])) == 60


def test_photos_and_a_song_become_a_film_as_long_as_the_song(tmp_path, as_shipped):
    photos = []
    for number, colour in enumerate(((200, 30, 30), (30, 200, 30), (30, 30, 200), (200, 200, 30), (200, 30, 200))):
        photos.append(tmp_path / f"photo{number}.png")
        size = (160, 120) if number % 2 else (120, 160)
        Image.new("RGB", size, colour).save(photos[-1])
    song = tool_run("make_music", "", "calm", 8.0, None, folder=tmp_path)
    soundfile.write(tmp_path / "song.wav", song.samples, song.rate)
    request = "turn these five photos and song.wav into a slideshow, each photo as long as the song allows"
    made, _ = _planned(request, [*photos, tmp_path / "song.wav"], ["slideshow"])
    (film,) = made["slideshow"]
    shown, heard = decoded(film), sound_of(film)
    assert heard is not None and abs(heard.seconds - song.seconds) < 0.1
    assert abs(shown[-1][0] - song.seconds) < 0.2
    for number, photo in enumerate(photos):
        middle = song.seconds * (number + 0.5) / 5
        picture = min(shown, key=lambda frame: abs(frame[0] - middle))[1]
        height, width = picture.shape[:2]
        wanted = np.asarray(Image.open(photo))[60, 60]
        assert np.abs(picture[height // 2, width // 2].astype(int) - wanted).max() < 30, number


def test_a_film_is_dubbed_and_shown_on_a_page_with_title_and_tags(tmp_path, as_shipped):
    """The plan made of the words alone leaves title and tags to the user: here they come of what is said."""
    film = movie(tmp_path / "clip.mp4", frames=50, sound=tone(220, 2, 44_100))
    voice = tone(880, 2, 44_100)
    soundfile.write(tmp_path / "voice.wav", voice.samples, voice.rate)
    (tmp_path / "said.txt").write_text(REVIEW, "utf-8")
    request = "dub clip.mp4 with voice.wav and make a web page with title, tags and player"
    made, answer = _planned(request, [film, tmp_path / "voice.wav"], ["dub_video", "video_page"])
    heard = sound_of(made["dub_video"][0])
    assert heard is not None and abs(peak_frequency(heard) - 880) < 10
    assert "<video" in made["video_page"][0] and "<title>" in made["video_page"][0] and ".html" in answer

    nodes = (Node("d", "dub_video"), Node("t", "title_text"), Node("k", "keywords"), Node("p", "video_page"))
    links = (
        Link("clip.mp4", "value", "d", "video"), Link("voice.wav", "value", "d", "audio"),
        Link("said.txt", "value", "t", "text"), Link("said.txt", "value", "k", "text"),
        Link("d", "video", "p", "video"), Link("t", "text", "p", "title"), Link("k", "labels", "p", "tags"),
    )  # fmt: skip

    async def go():
        session = new_session(Settings())
        try:
            for name in ("clip.mp4", "voice.wav", "said.txt"):
                session.attach(tmp_path / name)
            session.edit(Workflow(tuple(session.resources.values()), nodes, links, (("p", "html"),)))
            return await _values(session)
        finally:
            await session.close()

    made = asyncio.run(go())
    page = made["video_page"][0]
    assert made["title_text"][0] in page and all(label.name in page for label in made["keywords"][0])


@pytest.mark.parametrize(
    ("request_", "tools"),
    [
        ("play this gif backwards", ["reverse_video", "video_to_gif"]),
        ("play cat.gif backwards and give me a GIF", ["reverse_video", "video_to_gif"]),
        ("play this gif backwards and save it as a GIF", ["reverse_video", "video_to_gif"]),
    ],
)
def test_a_moving_gif_is_played_backwards(request_, tools, tmp_path, as_shipped):
    shades = [Image.new("RGB", (96, 64), (20 + 25 * number,) * 3) for number in range(8)]
    shades[0].save(tmp_path / "cat.gif", save_all=True, append_images=shades[1:], duration=100, loop=0)
    made, _ = _planned(request_, [tmp_path / "cat.gif"], tools)
    (film,) = made[tools[-1]]
    levels = [float(picture.mean()) for _, picture in decoded(film)]
    assert len(levels) >= 8 and levels == sorted(levels, reverse=True) and levels[0] > 180 > 40 > levels[-1]


@pytest.mark.parametrize(
    ("tool", "values", "size", "seconds"),
    [
        ("reverse_video", (), (96, 64), 0.8),
        ("video_speed", (2.0,), (96, 64), 0.4),
        ("resize_video", (48,), (48, 32), 0.8),
        ("crop_video", ("square",), (64, 64), 0.8),
        ("rotate_video", ("90 clockwise",), (64, 96), 0.8),
        ("video_effect", ("invert",), (96, 64), 0.8),
    ],
)
def test_what_is_done_to_a_moving_gif_keeps_it_moving_and_gives_a_gif_again(tool, values, size, seconds, tmp_path):
    shades = [Image.new("RGB", (96, 64), (20 + 25 * number,) * 3) for number in range(8)]
    shades[0].save(tmp_path / "cat.gif", save_all=True, append_images=shades[1:], duration=100, loop=0)
    film = tool_run(tool, tmp_path / "cat.gif", *values, folder=tmp_path)
    with Image.open(tool_run("video_to_gif", film, 480, 50.0, folder=tmp_path)) as gif:
        frames = [np.asarray(frame.convert("L")) for frame in ImageSequence.Iterator(gif)]
        length = sum(frame.info.get("duration", 0) for frame in ImageSequence.Iterator(gif)) / 1000
        assert gif.format == "GIF" and gif.size == size
    shown = len({round(float(frame.mean()) / 12) for frame in frames})
    assert shown >= (4 if tool == "video_speed" else 7), "all eight shades; twice as fast, half of them"
    assert abs(length - seconds) < 0.11

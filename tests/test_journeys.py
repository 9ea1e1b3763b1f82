"""The main job, end to end, on real input: request, plan, run, answer, files. And everything that can go wrong."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
from pathlib import Path

import av
import numpy as np
import psutil
import pytest
import soundfile
from PIL import Image

from desktop_app.cli import main, report
from nodes import load_tools
from nodes._support.files import codecs
from nodes.api import ResourceType
from tests.llm.server import serving
from tests.nodes.av_media import movie

EXAMPLES = Path(__file__).resolve().parents[1] / "resources" / "examples"
TOOLS = load_tools().tools
GUARD = "desktop_app.run.workers.guard"


@pytest.fixture
def command(capsys, monkeypatch):
    """Runs a command and gives its exit code, what it printed, and what it told meanwhile."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.delenv("GRAPHWRIGHT_LLM_URL", raising=False)

    def run(*arguments):
        code = main.main([str(a) for a in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def value(path, type):
    return codecs.decode(Path(path), ResourceType(type))


def test_text_of_a_picture_is_spoken_and_answered(command, tmp_path):
    request = "Read the text in receipt.png and say it aloud"
    code, out, _ = command("ask", request, "--attach", EXAMPLES / "receipt.png", "--out", tmp_path / "o")
    assert code == 0
    assert "GREEN CORNER CAFE" in out
    assert "13.50" in out
    (sound,) = (tmp_path / "o").glob("*.wav")
    samples, rate = soundfile.read(sound)
    assert 5 < len(samples) / rate < 60
    assert np.sqrt(np.mean(samples**2)) > 0.01


def test_faces_are_blurred_and_greeted_in_a_video(command, tmp_path):
    request = "Blur the faces in group.jpg, then make a slideshow video of it with a spoken greeting 'hello everyone'"
    arguments = ("ask", request, "--attach", EXAMPLES / "group.jpg", "--out", tmp_path / "o")
    code, out, _ = command(*arguments, "--json")
    result = json.loads(out)
    assert code == 0
    (video,) = (f for f in result["files"] if f.endswith(".mp4"))
    with av.open(video) as container:
        frames = sum(1 for _ in container.decode(video=0))
    with av.open(video) as container:
        sound = np.concatenate([f.to_ndarray().reshape(-1) for f in container.decode(audio=0)])
    assert frames > 5
    assert np.abs(sound).max() > 0.05
    spoken = next(n for n in result["nodes"] if n["tool"] == "text_to_speech")
    assert "hello everyone" in json.dumps(result["workflow"])
    assert 0.4 < spoken["outputs"]["audio"]["seconds"] < 5
    boxes = next(v for n in result["nodes"] for v in n["outputs"].values() if v["type"] == "boxes")["value"]
    assert len(boxes) == 3
    blurred = next(n for n in result["nodes"] if n["tool"] in ("blur", "pixelate"))["outputs"]["image"]["path"]
    before, after = np.asarray(Image.open(EXAMPLES / "group.jpg")).astype(float), value(blurred, "image").astype(float)
    for x0, y0, x1, y1, *_ in boxes:
        face = (slice(int(y0), int(y1)), slice(int(x0), int(x1)))
        assert np.diff(after[face], axis=1).std() < 0.5 * np.diff(before[face], axis=1).std()
    assert np.abs(after[:30] - before[:30]).max() <= 2


def test_the_object_pointed_at_is_removed(command, tmp_path):
    arguments = ("ask", "Remove the object I point at", "--attach", disc(tmp_path))
    code, out, _ = command(*arguments, "--point", "photo.jpg=320,240", "--json")
    assert code == 0
    picture = value(json.loads(out)["files"][0], "image").astype(float)
    assert picture.shape == (480, 640, 3)
    inside = picture[200:280, 280:360]
    assert np.abs(inside - (60, 110, 70)).mean() < 25


def test_without_a_point_it_asks_and_exits_3(command, tmp_path):
    code, out, _ = command("ask", "Remove the object I point at", "--attach", disc(tmp_path))
    assert code == 3
    assert "photo.jpg" in out
    assert "--point photo.jpg=X,Y" in out


def disc(folder):
    """A red disc on textured grass, centred at 320, 240."""
    generator = np.random.default_rng(3)
    picture = np.clip(np.array([60, 110, 70]) + generator.normal(0, 8, (480, 640, 1)), 0, 255)
    y, x = np.mgrid[:480, :640]
    picture[(x - 320) ** 2 + (y - 240) ** 2 < 60**2] = (200, 40, 40)
    path = folder / "photo.jpg"
    Image.fromarray(picture.astype(np.uint8)).save(path, quality=92)
    return path


def test_faces_in_three_pictures_are_counted_and_summed(command, tmp_path):
    portrait = Image.open(EXAMPLES / "group.jpg")
    portrait.crop((20, 40, 400, 480)).save(tmp_path / "one.jpg", quality=95)
    files = (EXAMPLES / "group.jpg", tmp_path / "one.jpg", EXAMPLES / "rocket.jpg")
    attached = [word for file in files for word in ("--attach", file)]
    code, out, _ = command("ask", "How many faces are in these three pictures?", *attached)
    assert code == 0
    statements = [line for line in out.split("\n") if "face" in line]
    assert "There are 3 faces in group.jpg." in statements
    assert "There is 1 face in one.jpg." in statements
    assert "There are no faces in rocket.jpg." in statements
    assert "There are 4 faces in all." in statements


def test_noise_is_cleaned_and_the_waveform_shown(command, tmp_path):
    request = "Clean the noise from talk.wav and show me its waveform"
    code, out, _ = command("ask", request, "--attach", EXAMPLES / "talk.wav", "--out", tmp_path / "o", "--json")
    assert code == 0
    result = json.loads(out)
    cleaned = next(n for n in result["nodes"] if n["tool"] == "clean_audio")["outputs"]["audio"]["path"]
    before, rate = soundfile.read(EXAMPLES / "talk.wav")
    after, _ = soundfile.read(cleaned)
    quiet = slice(0, rate // 3)
    assert np.std(after[quiet]) < 0.5 * np.std(before[quiet])
    assert any(f.endswith(".png") for f in result["files"])


def test_notes_are_summarised_into_a_web_page(command, tmp_path):
    request = "Summarise notes.txt in three sentences and turn them into a web page"
    code, out, _ = command("ask", request, "--attach", EXAMPLES / "notes.txt", "--out", tmp_path / "o", "--json")
    assert code == 0
    result = json.loads(out)
    summary = next(n for n in result["nodes"] if n["tool"] == "summarise")["outputs"]["text"]["value"]
    notes = (EXAMPLES / "notes.txt").read_text("utf-8")
    sentences = [s.strip() for s in summary.replace("\n", " ").split(". ") if s.strip()]
    assert len(sentences) == 3
    assert all(s.rstrip(".") in notes for s in sentences)
    (page,) = (Path(f) for f in result["files"] if f.endswith(".html"))
    html = page.read_text("utf-8")
    assert "<html" in html
    assert sentences[0].split(",")[0] in html


@pytest.mark.parametrize(
    ("request_text", "file"),
    [
        ("Clean the noise from talk.wav and show me its waveform", "talk.wav"),
        ("Summarise notes.txt in three sentences and turn them into a web page", "notes.txt"),
    ],
)
def test_the_second_time_nothing_is_computed(command, request_text, file):
    arguments = ("ask", request_text, "--attach", EXAMPLES / file, "--json")
    first, second = json.loads(command(*arguments)[1]), json.loads(command(*arguments)[1])
    assert not any(n["cached"] for n in first["nodes"])
    assert all(n["cached"] for n in second["nodes"])
    assert [n["outputs"] for n in first["nodes"]] == [n["outputs"] for n in second["nodes"]]


def test_a_result_can_be_run_again_as_a_saved_workflow(command, tmp_path):
    out = tmp_path / "o"
    command("ask", "Blur cat.jpg", "--attach", EXAMPLES / "cat.jpg", "--out", out)
    workflow = json.loads((out / "workflow.json").read_text("utf-8"))
    node = workflow["nodes"][-1]["id"]
    setting = f"{node}.image={EXAMPLES / 'coffee.jpg'}"
    code, printed, _ = command("run", out / "workflow.json", "--set", setting, "--out", tmp_path / "p", "--json")
    assert code == 0
    (picture,) = (f for f in json.loads(printed)["files"] if f.endswith(".jpg"))
    with Image.open(picture) as opened:
        assert opened.size == (600, 400)


def test_a_language_model_plans_and_words_the_answer(command, tmp_path, monkeypatch):
    step = {"task": "blur", "id": 0, "dep": [], "args": {"image": "cat.jpg"}}
    planned = json.dumps({"title": "Soft cat", "tasks": [step], "question": ""})
    with serving(planned, "Your cat is soft now. [[blur]]") as (url, script):
        monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", url)
        monkeypatch.setenv("GRAPHWRIGHT_LLM_MODEL", "scripted")
        monkeypatch.setenv("GRAPHWRIGHT_API_KEY", "a-secret")
        code, out, said = command("ask", "Make it soft", "--attach", EXAMPLES / "cat.jpg", "--json")
    result = json.loads(out)
    assert code == 0
    assert result["answer"] == "Your cat is soft now."
    assert [node["tool"] for node in result["workflow"]["nodes"]] == ["blur"] and "Plan: Soft cat" in said
    assert "cat_blur.jpg" in script.requests[1]["messages"][-1]["content"]
    assert "a-secret" not in out


def test_without_its_language_model_it_goes_on_and_says_so(command, monkeypatch, no_pause_before_another_try):
    monkeypatch.setenv("GRAPHWRIGHT_LLM_URL", "http://127.0.0.1:9/v1")
    code, out, _ = command("ask", "Blur cat.jpg", "--attach", EXAMPLES / "cat.jpg")
    assert code == 0
    assert "cat_blur.jpg" in out
    assert "cannot be reached" in out


# What can go wrong


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_request_is_refused(command, text):
    code, _, told = command("ask", text)
    assert code == 2
    assert "request is empty" in told


def test_a_missing_file_is_refused(command):
    code, _, told = command("ask", "blur it", "--attach", "nowhere.png")
    assert code == 2
    assert "nowhere.png does not exist" in told


def test_a_text_file_named_png_is_refused(command, tmp_path):
    (tmp_path / "fake.png").write_text("this is no picture")
    code, _, told = command("ask", "blur it", "--attach", tmp_path / "fake.png")
    assert code == 2
    assert "fake.png" in told
    assert "cannot be read" in told


@pytest.mark.parametrize("point", ["photo.jpg", "photo.jpg=1", "photo.jpg=a,b", "other.jpg=1,2", "photo.jpg=9999,1"])
def test_a_bad_point_is_refused(command, tmp_path, point):
    code, _, told = command("ask", "Remove the object I point at", "--attach", disc(tmp_path), "--point", point)
    assert code == 2
    assert told.startswith("graphwright: ")


def test_what_no_tool_can_do_is_refused_in_plain_words(command, tmp_path):
    (tmp_path / "prices.csv").write_text("name,price\ntea,2\ncake,3\n")
    code, out, _ = command("ask", "Make audio from this table", "--attach", tmp_path / "prices.csv")
    assert code == 2
    assert "no tool" in out.lower()
    assert "audio" in out
    assert "table" in out


def workflow(tmp_path, tool="blur", **values):
    data = {
        "format": 1,
        "resources": [{"name": "cat.jpg", "path": str(EXAMPLES / "cat.jpg")}],
        "nodes": [{"id": "one", "tool": tool, "values": values}, {"id": "two", "tool": "blur"}],
        "links": [
            {"source": "cat.jpg", "output": "value", "target": "one", "port": "image"},
            {"source": "one", "output": "image", "target": "two", "port": "image"},
        ],
    }
    path = tmp_path / "w.json"
    path.write_text(json.dumps(data))
    return path


def test_an_unknown_tool_fails_its_node_and_skips_the_next(command, tmp_path):
    code, out, _ = command("run", workflow(tmp_path, "blurr"), "--json")
    assert code == 4
    one, two = json.loads(out)["nodes"]
    assert one["state"] == "failed"
    assert "no tool 'blurr'" in one["message"]
    assert (two["state"], two["because"]) == ("skipped", "one")


def test_a_value_out_of_range_fails_with_its_port(command, tmp_path):
    code, out, _ = command("run", workflow(tmp_path, radius=-5), "--json")
    assert code == 4
    assert json.loads(out)["nodes"][0]["port"] == "radius"


def test_a_failure_names_the_file_as_the_user_knows_it(command, tmp_path):
    silent = movie(tmp_path / "silent.mp4", sound=None)
    code, out, _ = command("ask", "Extract the audio of silent.mp4", "--attach", silent)
    assert code == 4
    assert "silent.mp4 has no sound" in out


@pytest.mark.parametrize("content", ["", "{", '{"format": 1}', "[]", '{"format": 77, "nodes": []}'])
def test_a_damaged_workflow_is_refused(command, tmp_path, content):
    (tmp_path / "w.json").write_text(content)
    code, _, told = command("run", tmp_path / "w.json")
    assert code == 2
    assert "workflow" in told


@pytest.mark.parametrize("setting", ["nonsense", "one=3", "three.radius=3", "one.colour=3", "one.radius=much"])
def test_a_bad_setting_is_refused(command, tmp_path, setting):
    code, _, told = command("run", workflow(tmp_path), "--set", setting)
    assert code == 2
    assert told.startswith("graphwright: ")


def test_a_setting_changes_the_result(command, tmp_path):
    path = workflow(tmp_path)
    plain = json.loads(command("run", path, "--json")[1])
    strong = json.loads(command("run", path, "--set", "one.radius=30", "--json")[1])
    assert strong["nodes"][0]["outputs"] != plain["nodes"][0]["outputs"]


def test_a_full_disk_is_told_and_finished_results_stay(command, tmp_path, own_home):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    try:
        arguments = ("ask", "Blur cat.jpg", "--attach", EXAMPLES / "cat.jpg")
        code, _, told = command(*arguments, "--out", disk / "o")
        assert code == 2
        assert "No space left" in told
        assert "nodes" in json.loads(command(*arguments, "--json")[1])
        assert all(n["cached"] for n in json.loads(command(*arguments, "--json")[1])["nodes"])
    finally:
        subprocess.run(["umount", disk], check=False)


def test_a_killed_lane_is_told_and_the_next_run_works(command, tmp_path, monkeypatch):
    show, killed = report.Progress._show, []

    def kill(progress, change):
        running = any(node.state == "running" for node in progress._session.run.nodes.values())
        lanes = [] if killed or not running else [c for c in psutil.Process().children() if GUARD in c.cmdline()]
        for lane in lanes:
            with contextlib.suppress(psutil.NoSuchProcess):
                lane.send_signal(signal.SIGKILL)
                killed.append(lane.pid)
        show(progress, change)

    arguments = ("ask", "Read the text in receipt.png", "--attach", EXAMPLES / "receipt.png", "--json")
    with monkeypatch.context() as patched:
        patched.setattr(report.Progress, "_show", kill)
        code, out, _ = command(*arguments)
    (node,) = json.loads(out)["nodes"]
    assert code == 4
    assert node["state"] == "failed"
    assert "process" in node["message"]
    assert node["fix"]
    code, out, _ = command(*arguments)
    assert code == 0
    assert "13.50" in json.loads(out)["answer"]


# The other commands


def test_plan_lists_alternatives_without_running(command, tmp_path):
    code, out, _ = command("plan", "Blur cat.jpg", "--attach", EXAMPLES / "cat.jpg", "--json")
    assert code == 0
    row = json.loads(out)
    assert 1 <= len(row["solutions"]) <= 5
    scores = [s["score"] for s in row["solutions"]]
    assert scores == sorted(scores, reverse=True)
    assert row["solutions"][0]["nodes"][-1]["tool"] == "blur"


def test_many_requests_are_planned_over_another_toolbox(command, tmp_path):
    image, text = {"name": "image", "type": "image"}, {"name": "text", "type": "text"}
    sharpen = {"name": "Sharpener", "description": "Makes an image sharper.", "args": [image], "returns": [image]}
    caption = {"name": "Captioner", "description": "Describes an image.", "args": [image], "returns": [text]}
    toolbox = {"name": "toy", "tools": [sharpen, caption]}
    (tmp_path / "t.json").write_text(json.dumps(toolbox))
    rows = [{"id": "a", "request": "Describe the image example.jpg in a sentence"}, {"id": "b", "request": "???"}]
    (tmp_path / "r.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    code, _, _ = command(
        "plan", "--requests", tmp_path / "r.jsonl", "--toolbox", tmp_path / "t.json", "--output", tmp_path / "o.jsonl"
    )
    assert code == 0
    first, second = map(json.loads, (tmp_path / "o.jsonl").read_text().splitlines())
    assert first["id"] == "a"
    assert [n["tool"] for n in first["solutions"][0]["nodes"]] == ["Captioner"]
    assert first["solutions"][0]["nodes"][0]["args"] == {"image": "example.jpg"}
    assert second["solutions"] == []
    assert second["questions"] or second["reasons"]


def test_tools_lists_every_tool_with_its_ports(command):
    code, out, _ = command("tools", "--json")
    listed = json.loads(out)["tools"]
    assert code == 0
    assert {t["id"] for t in listed} == set(TOOLS)
    assert len(listed) >= 30
    assert all(t["outputs"] and t["backends"] for t in listed)
    assert "blur(" in command("tools")[1]


def test_doctor_says_what_works(command):
    _, out, _ = command("doctor")
    for word in ("Python", "Device", "Memory", "Disk", "Display", "Speech", "Tools", "Planner"):
        assert word in out

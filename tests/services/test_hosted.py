"""Services on servers do the work of tools: through a lane and a scripted server; what is sent is what the libraries of
OpenAI and Hugging Face send for the same wish.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PIL import Image

from desktop_app.app import new_session
from desktop_app.core import settings as settings_file
from desktop_app.core.errors import BadReply
from desktop_app.core.settings import ENDPOINTS, HUGGING_FACE, OPENAI, Settings
from desktop_app.graph.workflow import Link, Node, Workflow
from desktop_app.llm import credentials
from desktop_app.run.backends import availability, selection
from desktop_app.run.backends.availability import Connected
from desktop_app.services.hosted import Hosted
from desktop_app.session import consent, fetching
from nodes import load_tools
from nodes.api import NodeError, RunContext
from tests.loopback import listening

TOOLS = load_tools().tools


def png(width: int = 64, height: int = 48, colour=(10, 200, 30)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(buffer, "PNG")
    return buffer.getvalue()


def wave(seconds: float = 0.5, rate: int = 24000) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, np.sin(np.arange(int(seconds * rate)) / 20) * 0.3, rate, format="WAV")
    return buffer.getvalue()


@dataclass
class Sent:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> Any:
        """The body: JSON, the fields of a form, or bytes."""
        kind = self.headers.get("content-type", "")
        if kind.startswith("application/json"):
            return json.loads(self.body)
        if not kind.startswith("multipart/form-data"):
            return self.body
        form = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + self.body)
        return {
            part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in form.walk()
            if not part.is_multipart()
        }


@dataclass
class Script:
    """`answer(sent)` gives status, kind and body."""

    answer: Any
    sent: list[Sent] = field(default_factory=list)


@contextmanager
def serving(answer):
    script = Script(answer)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length")
            if length is not None:
                body = self.rfile.read(int(length))
            else:
                body = b""
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
            sent = Sent(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            script.sent.append(sent)
            status, kind, data = script.answer(sent)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            if 300 <= status < 400:
                self.send_header("Location", "http://elsewhere.example/")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with listening(Handler) as url:
        yield f"{url}/v1", script


def jsoned(values: Any, status: int = 200) -> tuple[int, str, bytes]:
    return status, "application/json", json.dumps(values).encode()


def model(sent: Sent) -> tuple[int, str, bytes]:
    """A server with every service of both protocols."""
    if "/images/" in sent.path:
        return jsoned({"created": 1, "data": [{"b64_json": base64.b64encode(png()).decode()}]})
    if sent.path.endswith("/speech"):
        return 200, "audio/wav", wave()
    if sent.path.endswith("/transcriptions") or sent.headers.get("content-type") == "audio/flac":
        return jsoned({"text": " Hello there. "})
    if sent.path.endswith("/vit"):
        return jsoned([{"label": "cup", "score": 0.2}, {"label": "cat", "score": 0.7}, {"label": 3}])
    if sent.path.endswith("/detr"):
        thing = {"label": "cat", "score": 0.9, "box": {"xmin": 8, "ymin": 4, "xmax": 99, "ymax": 30}}
        return jsoned([thing, {"label": "cup", "score": 0.1, "box": thing["box"]}, {"label": "dog", "score": 0.8}])
    if sent.path.endswith("/tts"):
        return 200, "audio/wav", wave()
    return 200, "image/png", png()


@pytest.fixture(autouse=True)
def disconnected(monkeypatch):
    monkeypatch.setattr(credentials, "kept", lambda url: "")
    yield
    for service in (availability.CHAT, *ENDPOINTS):
        availability.connect(None, service)
    selection.look_again()


def all_at(url: str, protocol: str = OPENAI) -> Settings:
    models = {"images": "flux", "edits": "kontext", "speech": "tts", "transcription": "asr", "classification": "vit",
              "detection": "detr"}  # fmt: skip
    about = {
        name: {"url": url, "model": models[name], "protocol": protocol}
        for name, protocols in ENDPOINTS.items()
        if protocol in protocols
    }
    return Settings(endpoints=about)


class Asking(RunContext):
    """A context whose services are those of the settings, without a lane."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        super().__init__(folder)
        self._hosted = Hosted()
        self._hosted.use(settings)

    def ask(self, service: str, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return asyncio.run(self._hosted.serve("tool", service, json.loads(json.dumps(request))))
        except BadReply as error:
            raise NodeError(error.message, "", error.fix) from error


def run(tool: str, service: str, context: RunContext, **values: Any) -> Any:
    backend = TOOLS[tool].backend(f"hosted-{service}")
    assert backend is not None
    return backend.run(**values, context=context)


@pytest.fixture
def scene() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8)


def test_what_is_sent_for_pictures_is_what_openai_sends(tmp_path, scene):
    import openai

    with serving(model) as (url, script):
        context, client = Asking(tmp_path, all_at(url)), openai.OpenAI(base_url=url, api_key="none")
        made = run("text_to_image", "images", context, prompt="a cat", width=600, height=400)
        assert made.shape == (400, 600, 3) and made[200, 300].tolist() == [10, 200, 30]
        client.images.generate(model="flux", prompt="a cat", n=1, size="1536x1024", response_format="b64_json")
        ours, theirs = script.sent
        assert (ours.path, ours.said) == (theirs.path, theirs.said)
        mask = np.zeros((40, 60), np.uint8)
        mask[10:20, 30:40] = 255
        run("inpaint", "edits", context, image=scene, mask=mask, prompt="a door")
        ours = script.sent[-1]
        shown, clear = (Image.open(io.BytesIO(ours.said[name])) for name in ("image", "mask"))
        client.images.edit(
            model="kontext", prompt="a door", response_format="b64_json",
            image=("image.png", ours.said["image"], "image/png"), mask=("mask.png", ours.said["mask"], "image/png"),
        )  # fmt: skip
        theirs = script.sent[-1]
        assert (ours.path, ours.said) == (theirs.path, theirs.said)
        assert shown.size == clear.size and clear.mode == "RGBA"
        assert shown.size[0] % 16 == 0 and max(shown.size) == 1024


def test_what_is_sent_for_sound_is_what_openai_sends(tmp_path):
    import openai

    with serving(model) as (url, script):
        context, client = Asking(tmp_path, all_at(url)), openai.OpenAI(base_url=url, api_key="none")
        sound = run("text_to_speech", "speech", context, text="Good morning.", speed=330.0)
        client.audio.speech.create(
            model="tts", voice="alloy", input="Good morning.", response_format="wav", speed=2.0
        ).read()
        assert (script.sent[0].path, script.sent[0].said) == (script.sent[1].path, script.sent[1].said)
        assert sound.rate == 24000 and sound.samples.shape == (12000, 1)
        assert run("speech_to_text", "transcription", context, audio=sound, language="german") == "Hello there."
        ours = script.sent[-1]
        client.audio.transcriptions.create(
            model="asr", file=("audio.flac", ours.said["file"], "audio/flac"), language="de", response_format="json"
        )
        assert (ours.path, ours.said) == (script.sent[-1].path, script.sent[-1].said)
        heard, rate = soundfile.read(io.BytesIO(ours.said["file"]))
        assert rate == 16000 and len(heard) == 8000


def test_what_is_sent_to_hugging_face_is_what_its_library_sends(tmp_path, scene, monkeypatch):
    from huggingface_hub import InferenceClient

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)  # other tests set it; the server is here
    with serving(model) as (url, script):
        context = Asking(tmp_path, all_at(url, HUGGING_FACE))

        def same(path: str) -> Sent:
            ours, theirs = script.sent[-2:]
            assert ours.path == theirs.path == f"/v1/models/{path}" and ours.said == theirs.said
            return ours

        def client(name: str) -> InferenceClient:
            return InferenceClient(model=f"{url}/models/{name}", token="hf_none")

        made = run("text_to_image", "images", context, prompt="a cat", negative="rain", width=80, height=64, seed=3)
        assert made.shape == (64, 80, 3)
        client("flux").text_to_image("a cat", negative_prompt="rain", width=80, height=64, seed=3)
        same("flux")
        found = run("classify_image", "classification", context, image=scene, most=5)
        assert [(label.name, label.score) for label in found] == [("cat", 0.7), ("cup", 0.2)]
        client("vit").image_classification(script.sent[-1].body)
        assert same("vit").headers["content-type"] == "image/jpeg"
        boxes = run("detect_objects", "detection", context, image=scene, threshold=0.5)
        assert [tuple(box) for box in boxes] == [(8, 4, 60, 30, "cat", 0.9)]
        recording = script.sent and run("text_to_speech", "speech", context, text="Good morning.")
        client("tts").text_to_speech("Good morning.")
        assert script.sent[-2].said["inputs"] == script.sent[-1].said["inputs"]
        assert run("speech_to_text", "transcription", context, audio=recording) == "Hello there."
        changed = run("edit_by_instruction", "edits", context, image=scene, instruction="make it snow")
        assert changed.shape == scene.shape
        ours = script.sent[-1].said
        client("kontext").image_to_image(base64.b64decode(ours["inputs"]), prompt="make it snow")
        same("kontext")
        with pytest.raises(NodeError, match="whole pictures"):
            run("inpaint", "edits", context, image=scene, mask=np.full((40, 60), 255, np.uint8), prompt="a door")


def test_a_word_that_a_server_does_not_know_is_left_out_and_pixels_away_from_a_mask_stay(tmp_path, scene):
    def strict(sent: Sent):
        if b"response_format" in sent.body:
            return jsoned({"error": {"message": "Unknown parameter: 'response_format'."}}, 400)
        return model(sent)

    mask = np.zeros((40, 60), np.uint8)
    mask[15:20, 10:15] = 255
    with serving(strict) as (url, script):
        found = run("inpaint", "edits", Asking(tmp_path, all_at(url)), image=scene, mask=mask, prompt="a door")
    assert len(script.sent) == 2 and np.array_equal(found[:, 40:], scene[:, 40:])
    assert np.array_equal(found[16:19, 11:14], np.full((3, 3, 3), (10, 200, 30)))


def test_an_instruction_that_is_known_is_sent_nowhere(tmp_path, scene):
    with serving(model) as (url, script):
        context = Asking(tmp_path, all_at(url))
        done = run("edit_by_instruction", "edits", context, image=scene, instruction="flip it horizontally")
    assert not script.sent and np.array_equal(done, scene[:, ::-1])


def test_a_long_text_is_said_in_parts_of_whole_sentences(tmp_path):
    text = " ".join(f"This is sentence number {n} of a rather long text." for n in range(60))
    with serving(model) as (url, script):
        said = run("text_to_speech", "speech", Asking(tmp_path, all_at(url)), text=text)
    parts = [sent.said["input"] for sent in script.sent]
    assert len(parts) == 3 and all(part.endswith(".") and len(part) <= 1000 for part in parts)
    assert " ".join(parts) == text and said.seconds == pytest.approx(1.5, abs=0.01)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda sent: jsoned({"error": {"message": "bad key sk-very-secret"}}, 401), "answered 401: bad key (key)"),
        (lambda sent: jsoned({"error": ["model is loading"]}, 503), "answered 503: model is loading"),
        (lambda sent: (307, "text/plain", b""), "leads to another address"),
        (lambda sent: (200, "application/json", b"<html>"), "cannot be read"),
        (lambda sent: jsoned({"data": [{"url": "http://elsewhere.example/x.png"}]}), "cannot be read"),
        (lambda sent: jsoned({"data": [{"b64_json": base64.b64encode(b"no picture").decode()}]}), "cannot be read"),
    ],
)
def test_a_service_that_fails_is_a_sentence(answer, said, tmp_path, monkeypatch):
    monkeypatch.setattr(credentials, "kept", lambda url: "sk-very-secret")
    with serving(answer) as (url, script), pytest.raises(NodeError) as caught:
        run("text_to_image", "images", Asking(tmp_path, all_at(url)), prompt="a cat")
    assert said in caught.value.message and "secret" not in caught.value.message
    assert script.sent[0].headers["authorization"] == "Bearer sk-very-secret"


def test_nobody_there_is_a_sentence(tmp_path):
    with serving(model) as (url, _):
        pass
    with pytest.raises(NodeError, match="cannot be reached"):
        run("text_to_image", "images", Asking(tmp_path, all_at(url)), prompt="a cat")


@pytest.mark.parametrize("wish", [{"prompt": 3}, {"image": "file:///etc/passwd"}, {"image": "data:image/png;base64,%"}])
def test_what_is_no_request_is_sent_nowhere(wish):
    hosted = Hosted()
    with serving(model) as (url, script):
        hosted.use(all_at(url))
        with pytest.raises(BadReply, match="no request"):
            asyncio.run(hosted.serve("tool", "edits", {"prompt": "x", **wish}))
    assert not script.sent


def test_keys_of_the_environment_go_only_where_they_are_meant_to(monkeypatch):
    monkeypatch.setenv("GRAPHWRIGHT_API_KEY", "sk-model")
    monkeypatch.setenv("HF_TOKEN", "hf-token")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    key = credentials.key_for_service
    assert key("https://api.other.example/v1", "https://llm.example/v1") == ""
    assert key("https://llm.example/images", "https://llm.example/v1") == "sk-model"
    assert key("https://router.huggingface.co/hf-inference", "") == "hf-token"
    assert key("http://router.huggingface.co/hf-inference", "") == ""
    assert key("https://router.huggingface.co.evil.example/", "") == ""


def test_only_services_with_a_protocol_that_knows_them_are_read_from_the_settings(own_home):
    own_home.mkdir(parents=True, exist_ok=True)
    good = {"images": {"url": "https://a.example/v1", "model": "m", "protocol": OPENAI}}
    settings_file.change(endpoints=good)
    assert settings_file.saved().endpoints == good
    for bad in ({"detection": good["images"]}, {"images": {"model": "m", "protocol": OPENAI}}, {"x": good["images"]}):
        (own_home / "settings.json").write_text(json.dumps({"endpoints": bad}))
        assert settings_file.saved().endpoints == {}


def ran(workflow: Workflow, settings: Settings, *attach: Path, yes: bool = False, away: bool = False):
    async def go():
        session = new_session(settings)
        if away:
            for service in ENDPOINTS:
                known = availability.connected(service)
                assert known is not None
                availability.connect(Connected(known.name, "server.example", True, known.use), service)
            selection.look_again()
        try:
            for path in attach:
                session.attach(path)
            session.edit(Workflow(tuple(session.resources.values()), workflow.nodes, workflow.links))
            if yes:
                session.allow(*consent.CONNECTED)
            asked = session.questions()
            await session.start()
            return session.run, asked
        finally:
            await session.close()

    return asyncio.run(go())


PAINT = Workflow(nodes=(Node("paint", "text_to_image", {"prompt": "a cat"}),))
LOOK = Workflow(nodes=(Node("look", "detect_objects"),), links=(Link("s.png", "value", "look", "image"),))


def test_nothing_is_sent_before_it_is_allowed_and_the_node_says_who_does_it(tmp_path):
    Image.fromarray(np.zeros((40, 60, 3), np.uint8)).save(tmp_path / "s.png")
    with serving(model) as (url, script):
        settings = all_at(url, HUGGING_FACE)
        done, asked = ran(LOOK, settings, tmp_path / "s.png", away=True)
        assert not done.id and not script.sent
        assert "would send what it works on to detr at server.example" in asked[0].text
        done, asked = ran(PAINT, settings, away=True)
        assert asked[0].kind == consent.KIND and not script.sent, "words of the user too"
        done, asked = ran(LOOK, settings, tmp_path / "s.png", away=True, yes=True)
        assert not asked and done.outcome == "ok" and done.nodes["look"].backend == "hosted-detection"
        assert "server.example does this: the work leaves this computer" in done.nodes["look"].notice
        assert len(script.sent) == 1


def test_people_order_when_a_service_is_asked():
    with serving(model) as (url, script):
        settings = all_at(url)
        never = Settings(endpoints=settings.endpoints, connected="never")
        done, asked = ran(PAINT, never)
        assert not done.id and asked[0].kind == fetching.KIND and not script.sent
        done, _ = ran(PAINT, settings)
        assert done.outcome == "ok" and done.nodes["paint"].backend == "hosted-images"
        say = Workflow(nodes=(Node("say", "text_to_speech", {"text": "Good morning."}, backend="hosted-speech"),))
        done, _ = ran(say, never)
        assert done.outcome == "ok", "who names it on the node means it"


def test_without_a_service_the_node_says_what_to_do():
    named = Workflow(nodes=(Node("say", "text_to_speech", {"text": "Hi."}, backend="hosted-speech"),))
    done, _ = ran(named, Settings())
    assert done.outcome == "failed" and "needs a service on a server" in done.nodes["say"].message
    assert "settings" in done.nodes["say"].fix

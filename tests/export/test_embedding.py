"""Workflows inside result files: they come back, and the file stays what it was to everyone else."""

import base64
import zlib

import av
import numpy as np
import pytest
import soundfile
from PIL import Image

from desktop_app.core.errors import BadWorkflow
from desktop_app.export.metadata import KEYWORD, embed, embedded
from desktop_app.graph.workflow import Node, Workflow
from nodes._support.files import codecs
from nodes.api import ResourceType

WORKFLOW = Workflow(nodes=tuple(Node(f"blur{n}", "blur", {"radius": n, "text": "Grüße 世界"}) for n in range(3)))
LARGE = Workflow(nodes=tuple(Node(f"n{n}", "blur", {"t": str(np.random.default_rng(n).bytes(60))}) for n in range(900)))


def picture() -> Image.Image:
    return Image.fromarray(np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8))


def video(path):
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for n in range(5):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), n * 40, np.uint8), format="rgb24")
            for packet in stream.encode(frame):
                out.mux(packet)
        for packet in stream.encode():
            out.mux(packet)


def write(path):
    if path.suffix in (".png", ".jpg", ".gif"):
        picture().save(path)
    elif path.suffix == ".wav":
        soundfile.write(path, np.sin(np.arange(4001) / 20).astype(np.float32), 8000, subtype="PCM_16")
    elif path.suffix == ".mp4":
        video(path)
    else:
        path.write_text("<html><body><h1>Hello</h1></body></html>", "utf-8")


def content(path):
    if path.suffix in (".png", ".jpg", ".gif"):
        with Image.open(path) as opened:
            return np.asarray(opened.convert("RGB"))
    if path.suffix == ".wav":
        return soundfile.read(path)[0]
    if path.suffix == ".mp4":
        with av.open(str(path)) as opened:
            return np.stack([frame.to_ndarray(format="rgb24") for frame in opened.decode(video=0)])
    return np.array(path.read_text("utf-8").split("<!--")[0].strip())


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".gif", ".wav", ".mp4", ".html"])
@pytest.mark.parametrize("workflow", [WORKFLOW, LARGE], ids=["small", "large"])
def test_a_workflow_comes_back_and_the_file_is_the_same_to_others(tmp_path, suffix, workflow):
    path = tmp_path / f"result{suffix}"
    write(path)
    before = content(path)
    assert embedded(path) is None
    assert embed(workflow, path)
    assert embedded(path) == workflow
    assert np.array_equal(content(path), before)


def test_sound_with_a_workflow_is_read_by_the_tools(tmp_path):
    path = tmp_path / "tone.wav"
    write(path)
    embed(WORKFLOW, path)
    assert len(codecs.decode(path, ResourceType.AUDIO).samples) == 4001


def test_formats_without_a_place_are_left_alone(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("words", "utf-8")
    assert not embed(WORKFLOW, path) and path.read_text("utf-8") == "words" and embedded(path) is None


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".gif", ".wav", ".mp4"])
@pytest.mark.parametrize("data", [b"", b"x", b"\x89PNG\r\n\x1a\n", b"RIFF\xff\xff\xff\xff", b"\xff\xd8\xff"])
def test_files_that_are_not_what_they_are_called_stay_as_they_are(tmp_path, suffix, data):
    path = tmp_path / f"odd{suffix}"
    path.write_bytes(data)
    assert not embed(WORKFLOW, path) or path.read_bytes() != b""
    assert embedded(path) in (None, WORKFLOW)


def test_a_damaged_workflow_is_said_to_be_damaged(tmp_path):
    path = tmp_path / "page.html"

    path.write_text(f"<p>x</p><!-- {KEYWORD} {base64.b64encode(b'no').decode()} -->", "utf-8")
    with pytest.raises(BadWorkflow, match=r"page\.html"):
        embedded(path)


def test_a_bomb_is_not_unpacked(tmp_path):

    path = tmp_path / "page.html"
    bomb = base64.b64encode(zlib.compress(b"0" * (40 << 20), 9)).decode()
    path.write_text(f"<!-- {KEYWORD} {bomb} -->", "utf-8")
    with pytest.raises(BadWorkflow, match="too large"):
        embedded(path)

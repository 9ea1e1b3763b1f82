"""Videos that are broken, odd or unusual: a clear error that names the port, or a sound result."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
import soundfile

from nodes import load_tools
from nodes._support.media import movies
from nodes.api import NodeError, ResourceType
from tests.nodes.av_media import decoded, gradient, movie, peak_frequency, run, sound_of, stream_facts, tone

EXTRA = {
    "align_sound": (tone(seconds=0.5),),
    "dub_video": (tone(seconds=0.5),),
    "resize_video": (40,),
    "crop_video": ("square",),
    "burn_subtitles": ("Some words",),
    "add_subtitle_track": ("Some words",),
    "watermark_video": (gradient(8, 8),),
}
TOOLS = sorted(
    tool.id
    for tool in load_tools().tools.values()
    if tool.domain == "video" and any(port.type is ResourceType.VIDEO for port in tool.inputs)
    and tool.backends[0].kind == "built-in" and not tool.backends[0].requires
)  # fmt: skip


def call(tool: str, video: Path, folder: Path):
    values = []
    for port in load_tools().tools[tool].inputs:
        if port.type is ResourceType.VIDEO:
            values.append((video,) if port.many else video)
        elif port.type is ResourceType.MASK and port.required:
            values.append(np.full(_size(video), 255, np.uint8))
    return run(tool, *values, *EXTRA.get(tool, ()), folder=folder)


def _size(video: Path) -> tuple[int, int]:
    """Height and width as shown; any for what is no video."""
    try:
        known = movies.facts(video)
    except NodeError:
        return 64, 96
    return known.height, known.width


def broken(kind: str, folder: Path) -> Path:
    path = folder / f"{kind.replace(' ', '_')}.mp4"
    if kind == "empty file":
        path.write_bytes(b"")
    elif kind == "random bytes":
        path.write_bytes(np.random.default_rng(0).integers(0, 256, 50_000, dtype=np.uint8).tobytes())
    elif kind == "cut off":
        path.write_bytes(movie(folder / "whole.mp4", 25).read_bytes()[:900])
    elif kind == "only sound":
        soundfile.write(path.with_suffix(".wav"), tone().samples, 22_050)
        path = path.with_suffix(".wav")
    elif kind == "text":
        path.write_text("This is no video.")
    return path


@pytest.mark.parametrize("kind", ["empty file", "random bytes", "cut off", "only sound", "text", "missing"])
@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_no_video_names_the_port(tool: str, kind: str, tmp_path: Path):
    with pytest.raises(NodeError) as told:
        call(tool, broken(kind, tmp_path), tmp_path)
    assert told.value.port in [port.name for port in load_tools().tools[tool].inputs if port.type is ResourceType.VIDEO]
    assert told.value.fix


def unusual(kind: str, folder: Path) -> Path:
    sound = tone(440, 0.4, 44_100, 2)
    path = folder / "given.mp4"
    if kind == "without sound":
        return movie(path, 10)
    if kind == "one picture":
        return movie(path, 1, sound=sound)
    if kind == "odd size":
        return movie(path, 10, size=(97, 63), pixels="yuv444p", sound=sound)
    if kind == "turned":
        return movie(path, 10, rotation=90, sound=sound)
    if kind == "variable rate":
        return movie(path, 10, times=[0, 0.04, 0.08, 0.2, 0.21, 0.22, 0.3, 0.5, 0.9, 1.0], sound=sound)
    if kind == "webm":
        return movie(folder / "given.webm", 10, codec="libvpx-vp9")
    if kind == "avi":
        return movie(folder / "given.avi", 10, codec="mpeg4")
    if kind == "transport stream":
        return movie(folder / "given.ts", 10, sound=sound)
    if kind == "matroska":
        return movie(folder / "given.mkv", 10, codec="ffv1")
    return movie(path, 3, size=(2, 2))


KINDS = ["without sound", "one picture", "odd size", "turned", "variable rate", "webm", "avi", "transport stream",
         "matroska", "two pixels"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tool", TOOLS)
def test_unusual_video_gives_a_result_or_names_the_port(tool: str, kind: str, tmp_path: Path):
    given = unusual(kind, tmp_path)
    before = given.read_bytes()
    refused: NodeError | None = None
    try:
        result = call(tool, given, tmp_path)
    except NodeError as told:
        refused, result = told, None
    if refused is not None and tool == "split_video":
        assert refused.port == "video" and "no scene cut" in refused.message
    elif refused is not None and tool == "align_sound":
        assert "no sound" in refused.message or "nothing in common" in refused.message
    elif refused is not None:
        assert tool in ("extract_audio", "cut_video_silence") and kind in (
            "without sound",
            "webm",
            "avi",
            "matroska",
            "two pixels",
        )
        assert refused.port == "video" and "no sound" in refused.message
    elif isinstance(result, Path) and result.suffix == ".mp4":
        wide, high = stream_facts(result)["size"]
        copied = tool in ("mute_video", "dub_video", "align_sound", "add_subtitle_track", "video_file")
        assert decoded(result) and (copied or (wide % 2 == 0 and high % 2 == 0))
        assert run("video_facts", result).rows[0][1] > 0
    assert given.read_bytes() == before


def test_rotation_of_the_camera_is_applied(tmp_path: Path):
    given = movie(tmp_path / "given.mp4", 10, rotation=90)
    known = movies.facts(given)
    assert (known.width, known.height, known.rotation) == (64, 96, 90)
    upright = np.rot90(gradient(shift=4))
    assert np.abs(run("video_frame", given, 0.17).astype(int) - upright).mean() < 8
    made = run("video_effect", given, "contrast", 0.0, folder=tmp_path)
    assert np.abs(decoded(made)[4][1].astype(int) - upright).mean() < 8
    with av.open(str(made)) as container:
        assert next(container.decode(video=0)).rotation == 0


def test_rotation_is_kept_where_the_pictures_are_copied(tmp_path: Path):
    made = run("mute_video", movie(tmp_path / "given.mp4", 10, rotation=90, sound=tone()), folder=tmp_path)
    assert movies.facts(made).rotation == 90 and movies.facts(made).width == 64


def test_times_of_a_variable_frame_rate_are_kept(tmp_path: Path):
    times = [0, 0.04, 0.08, 0.2, 0.21, 0.22, 0.3, 0.5, 0.9, 1.0]
    given = movie(tmp_path / "given.mp4", 10, times=times)
    made = run("video_effect", given, folder=tmp_path)
    assert [at for at, _ in decoded(made)] == pytest.approx(times, abs=0.002)
    slow = run("video_speed", given, 0.5, folder=tmp_path)
    assert [at for at, _ in decoded(slow)] == pytest.approx([2 * at for at in times], abs=0.002)


def test_transport_stream_that_begins_late_is_moved_to_zero(tmp_path: Path):
    given = movie(tmp_path / "given.ts", 25, late=5.0, sound=tone(440, 1.0, 44_100))
    with av.open(str(given)) as container:
        assert (container.start_time or 0) > 500_000
    for made in (run("mute_video", given, folder=tmp_path), run("video_effect", given, folder=tmp_path)):
        shown = decoded(made)
        assert len(shown) == 25 and shown[0][0] == pytest.approx(0, abs=0.1)
    heard = run("extract_audio", given, folder=tmp_path)
    assert heard.seconds == pytest.approx(1.0, abs=0.1) and abs(peak_frequency(heard) - 440) < 3


def test_damaged_middle_is_passed_over(tmp_path: Path):
    given = movie(tmp_path / "given.mp4", 50, size=(320, 240))
    data = bytearray(given.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 300] = bytes(300)
    given.write_bytes(bytes(data))
    made = run("video_effect", given, folder=tmp_path)
    assert len(decoded(made)) > 20


def test_sound_that_begins_late_stays_in_time(tmp_path: Path):
    path = tmp_path / "late.mkv"
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=25)
        video.width, video.height, video.pix_fmt = 96, 64, "yuv420p"
        audio = container.add_stream("pcm_s16le", rate=16_000)
        audio.layout = "mono"
        for number in range(50):
            frame = av.VideoFrame.from_ndarray(gradient(shift=number), format="rgb24")
            frame.pts = number
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        samples = (tone(440, 1.0, 16_000).samples.T * 32_000).astype(np.int16)
        sound = av.AudioFrame.from_ndarray(samples, "s16", "mono")
        sound.sample_rate, sound.pts = 16_000, 12_000
        container.mux(audio.encode(sound))
        container.mux(audio.encode(None))
    heard = run("extract_audio", path, folder=tmp_path)
    assert np.flatnonzero(np.abs(heard.samples[:, 0]) > 0.1)[0] / 16_000 == pytest.approx(0.75, abs=0.01)
    made = sound_of(run("resize_video", path, 40, folder=tmp_path))
    assert made is not None
    assert np.flatnonzero(np.abs(made.samples[:, 0]) > 0.1)[0] / made.rate == pytest.approx(0.75, abs=0.02)


def test_oblong_pixels_are_made_square(tmp_path: Path):
    path = tmp_path / "oblong.mp4"
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=25)
        video.width, video.height, video.pix_fmt = 72, 64, "yuv420p"
        video.codec_context.sample_aspect_ratio = 2
        for _ in range(5):
            container.mux(video.encode(av.VideoFrame.from_ndarray(gradient(72, 64), format="rgb24")))
        container.mux(video.encode(None))
    assert (movies.facts(path).width, movies.facts(path).height) == (144, 64)
    assert run("video_frame", path).shape == (64, 144, 3)


def test_joining_no_video_names_the_port(tmp_path: Path):
    with pytest.raises(NodeError) as told:
        run("join_videos", (), folder=tmp_path)
    assert told.value.port == "videos"

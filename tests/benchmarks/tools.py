"""What tools cost: `python -m tests.benchmarks.tools [--long] [NAME ...]`.

For each tool for sound, in a process of its own, the most memory that it held (`VmHWM`, Linux only) and the seconds
for 2 minutes of stereo at 44.1 kHz (10 with `--long`), read from a file and kept as the program does. For some tools
on a picture of 12 megapixels the seconds from file to file in a lane that has run the tool before, beside the same
with OpenCV alone. With `--pictures` the first built-in back end of each tool for one picture of 12 megapixels: the
longest time in which it tells nothing of its progress, which is to stay below 5 s, with its seconds, what of that
time the processor worked for it (which counts where others use it, too), and its memory, which is to stay below 1.5
GB. With `--films` trimming (copied from the beginning, and cut between key frames), dubbing and the facts of a film
of 1080p that lasts 10 minutes, by turns with the ffmpeg program (that of FFMPEG, else of the PATH), and the memory
for 1 and 10 minutes; `pyav` is what the same takes as a plain loop of PyAV in a process of its own. Programs are
measured with their start; a lane has started and loaded PyAV (0.05 s of the processor) before its second film, and
the tool's time holds hashing and keeping the result.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from desktop_app.run.workers import marshalling
from desktop_app.storage.resources import Store
from nodes import load_tools
from nodes.api import NodeError, Port, ResourceType, RunContext, Tool
from tests.benchmarks.figures import figure

RATE = 44_100
SOUNDS = (
    "audio_facts", "audio_to_mono", "change_pitch", "change_speed", "change_volume", "chorus", "clean_audio",
    "cut_silence", "detect_pitch", "detect_speech", "detect_tempo", "echo", "equalise", "fade", "normalise_loudness",
    "remove_vocals", "reverb", "reverse_audio", "spectrogram", "trim_audio", "voice_effect", "waveform",
)  # fmt: skip
PICTURES = ("blur", "edge_map", "resize")
_VALUES = {
    "blur": {"radius": 8.0}, "resize": {"width": 2000}, "add_text": {"text": "a picture"},
    "watermark": {"text": "a picture"}, "edit_by_instruction": {"instruction": "make it brighter and sharper"},
    "rotate": {"angle": 7.0}, "border": {"width": 50}, "crop": {"width": 3000},
    "warp_points": {"points": [[1000, 900, True], [1200, 900, True]]},
    "segment_points": {"points": [[2000, 1500, True]]},
}  # fmt: skip
_SILENT_SECONDS, _MEMORY = 5.0, 1.5e9
_CUT = (300.52, 312.0)  # between two key frames of the film
_FILMS: dict[str, tuple[str, dict[str, float], str]] = {
    "trim_copied": ("trim_video", {"end": 540.0}, "-t 540 -i FILM -c copy"),
    "trim_exact": (
        "trim_video", {"start": _CUT[0], "end": _CUT[1]},
        f"-ss {_CUT[0]} -to {_CUT[1]} -i FILM -c:v libx264 -preset veryfast -crf 19 -bf 0 -c:a aac -b:a 192k",
    ),
    "dub": ("dub_video", {}, "-i FILM -i VOICE -map 0:v -map 1:a -c:v copy -c:a aac -b:a 192k"),
    "probe": ("video_facts", {}, "-i FILM"),
}  # fmt: skip
"""Name -> the tool, its values, and what the ffmpeg program is told."""
_OPEN = """
import sys, av
film, made = sys.argv[1:]
source = av.open(film)
picture, sound = source.streams.video[0], source.streams.audio[0]
"""
_WRITE = """
out = av.open(made, "w", options={"movflags": "+faststart"})
def aac(rate):
    stream = out.add_stream("aac", rate=rate, layout="stereo")
    stream.bit_rate = 192000
    return stream
"""
_PLAIN = {
    "probe": _OPEN + "for frame in source.decode(picture): break",
    "trim_copied": f"""{_OPEN}{_WRITE}
copies = [out.add_stream_from_template(stream) for stream in (picture, sound)]
for packet in source.demux(picture, sound):
    if packet.dts is not None and packet.dts * packet.time_base < 540:
        packet.stream = copies[packet.stream_index]
        out.mux(packet)
out.close()""",
    "dub": f"""{_OPEN}{_WRITE}
copy = out.add_stream_from_template(picture)
voice = av.open(film[:-3] + "wav")
heard = aac(voice.streams.audio[0].rate)
for packet in source.demux(picture):
    if packet.dts is not None:
        packet.stream = copy
        out.mux(packet)
for frame in voice.decode(audio=0):
    out.mux(heard.encode(frame))
out.mux(heard.encode(None))
out.close()""",
    "trim_exact": f"""{_OPEN}{_WRITE}
picture.thread_type = "AUTO"
coded = out.add_stream("libx264", rate=25, options={{"preset": "veryfast", "crf": "19", "bf": "0"}})
coded.width, coded.height, coded.codec_context.thread_type = 1920, 1080, "FRAME"
heard = aac(sound.rate)
source.seek(round({_CUT[0]} * 1e6))
for frame in source.decode(picture, sound):
    if {_CUT[0]} <= frame.time < {_CUT[1]}:
        frame.pts = None
        stream = heard
        if isinstance(frame, av.VideoFrame):
            stream, frame.pict_type = coded, 0
        out.mux(stream.encode(frame))
for stream in (coded, heard):
    out.mux(stream.encode(None))
out.close()""",
}
"""What a plain loop of PyAV does for the same."""


def write_sound(path: Path, seconds: float) -> None:
    """Stereo that no tool refuses: beats of a tone that wanders between the sides, over noise, with pauses."""
    import soundfile

    random = np.random.default_rng(5)
    with soundfile.SoundFile(path, "w", RATE, 2, "PCM_16") as file:
        for second in range(round(seconds)):
            at = np.arange(RATE) / RATE
            beat = 0.4 * np.sin(2 * np.pi * 220 * at) * np.exp(-6 * (at % 0.5)) * (second % 7 > 0)
            side = 0.5 + 0.4 * np.sin(second)
            noise = 0.004 * random.standard_normal((RATE, 2))
            file.write(np.stack((beat * side, beat * (1 - side)), axis=1) + noise)


def write_picture(path: Path) -> None:
    """4000 by 3000 pixels like a photograph: broad forms, an object in another colour, and grain."""
    import cv2

    random = np.random.default_rng(5)
    rows, columns = np.mgrid[0:3000, 0:4000]
    forms = np.stack([128 + 100 * np.sin(columns / 300 + c) * np.cos(rows / 200) for c in range(3)], axis=2)
    grain = cv2.GaussianBlur(random.normal(0, 30, forms.shape).astype(np.float32), (0, 0), 1)
    mask = cv2.ellipse(np.zeros((3000, 4000), np.uint8), (2000, 1500), (400, 300), 0, 0, 360, 255, -1)
    forms[mask > 0] = (30, 240, 250)
    cv2.imwrite(str(path), np.clip(forms + grain, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])
    cv2.imwrite(str(path.with_name("mask.png")), mask)


def write_film(path: Path, minutes: int) -> None:
    """A film of 1080p with sound at 25 pictures a second: 4 s of it, again and again."""
    import av
    import soundfile

    from nodes._support.media import movie_writer, movies
    from nodes.api import Audio

    short, voice = path.with_name("short.mp4"), path.with_suffix(".wav")
    rows, columns = np.mgrid[0:1080, 0:1920]
    forms = np.stack([128 + 100 * np.sin(columns / 150 + c) * np.cos(rows / 100) for c in range(3)], axis=2)
    shown = (
        movies.Picture(n / 25, np.roll(forms.astype(np.uint8), (2 * n, 3 * n), (0, 1))) for n in range(100)
    )  # fmt: skip
    write_sound(voice, 60 * minutes)
    heard = movie_writer.for_writing(Audio(soundfile.read(voice, 4 * RATE, dtype="float32")[0], RATE))
    movie_writer.write_movie(
        short, shown, (1920, 1080), 25, movie_writer.pieces(heard), heard.rate, heard.samples.shape[1], 4.0
    )  # fmt: skip
    with av.open(str(path), "w") as out:
        with av.open(str(short)) as first:
            streams = [
                out.add_stream_from_template(stream) for stream in (first.streams.video[0], first.streams.audio[0])
            ]
        heard_until = 0
        for turn in range(15 * minutes):
            with av.open(str(short)) as again:
                for packet in again.demux():
                    if packet.dts is None or (packet.stream.type == "audio" and packet.dts < 0):
                        continue
                    if packet.stream.type == "video":
                        late = round(4 * turn / packet.time_base)
                        packet.pts, packet.dts, packet.stream = (packet.pts or 0) + late, packet.dts + late, streams[0]
                    else:
                        packet.pts = packet.dts = heard_until
                        heard_until += packet.duration or 0
                        packet.stream = streams[1]
                    out.mux(packet)


def films(cases: list[str], long: bool) -> None:
    """Prints the figures of films, with the ffmpeg program as their rival where there is one."""
    program = os.environ.get("FFMPEG") or shutil.which("ffmpeg")
    if program is None:
        print("No ffmpeg program: name one in FFMPEG to compare with it.", file=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one, ten = folder / "one.mp4", folder / "ten.mp4"
        write_film(one, 1)
        write_film(ten, 10)
        for case in cases or _FILMS:
            id, _, told = _FILMS[case]
            ours, theirs, plain = [], [], []
            for _ in range(5 if long else 3):
                ours.append(measured(f"{id}:{case}", ten))
                plain.append(_timed([sys.executable, "-c", f"{_PLAIN[case]}", str(ten), str(folder / "plain.mp4")]))
                if program is not None:
                    theirs.append(_seconds_of(program, told, ten, folder))
            held = max(run[1] for run in ours)
            short = measured(f"{id}:{case}", one)[1] if case != "trim_exact" else held
            for what, place in (("seconds", 0), ("cpu_seconds", -1)):
                took = statistics.median(run[place] for run in ours)
                rival = ("ffmpeg", statistics.median(run[place] for run in theirs)) if theirs else None
                figure(f"{case}.10_minutes.{what}", took, "s", rival[1] if rival else None, rival,
                       pyav=round(statistics.median(run[place] for run in plain), 2))  # fmt: skip
            figure(f"{case}.memory", held / 2**20, "MiB", short / 2**20 + 30, minute=round(short / 2**20))


def _seconds_of(program: str, told: str, film: Path, folder: Path) -> tuple[float, float]:
    """Its seconds by the clock, and of the processor."""
    command = [{"FILM": str(film), "VOICE": str(film.with_suffix(".wav"))}.get(word, word) for word in told.split()]
    made = [] if told.endswith("FILM") else ["-y", "-movflags", "+faststart", str(folder / "rival.mp4")]
    return _timed([program, "-nostdin", *command, *made], check=bool(made))


def _timed(command: list[str], check: bool = True) -> tuple[float, float]:
    began, before = time.perf_counter(), os.times()
    subprocess.run(command, check=check, stderr=subprocess.DEVNULL)
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - began, busy


class Listening(RunContext):
    """Knows the longest time in which it was told nothing: by the clock, and of the processor."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.last, self.silent, self.busy = (time.perf_counter(), time.process_time()), 0.0, 0.0

    def progress(self, fraction: float, note: str = "", preview: np.ndarray | None = None) -> None:
        now = time.perf_counter(), time.process_time()
        self.silent = max(self.silent, now[0] - self.last[0])
        self.busy = max(self.busy, now[1] - self.last[1])
        self.last = now

    def check(self) -> None:
        """Tells nothing."""


def run_tool(id: str, source: Path, folder: Path) -> tuple[float, ...]:
    """Runs a tool's first back end on a file as a lane does: seconds, the bytes in memory at most, the longest time
    in which it told nothing, by the clock and of the processor, and the seconds of the processor.
    """
    id, _, case = id.partition(":")
    tool: Tool = load_tools().tools[id]
    store = Store(folder / "store")
    values = _FILMS[case][1] if case else _VALUES.get(id, {})
    given = {port.name: _given(port, source) for port in tool.inputs if port.required}
    linked = {
        name: [store.put_file(file), file.suffix, str(port.type), file.name]
        for port in tool.inputs if (name := port.name) in given and (file := given[name]) is not None
    }  # fmt: skip
    run, context = tool.backends[0].run, Listening(folder)
    wants_context = "context" in inspect.signature(run).parameters  # imports it, as a lane has long done
    if case:
        importlib.import_module("av")
    began, busy = time.perf_counter(), time.process_time()
    arguments = marshalling.inputs(
        tool, {"linked": linked, "values": values}, store, marshalling.Memory()
    )  # fmt: skip
    if wants_context:
        arguments["context"] = context
    try:
        made = run(**arguments)
    except NodeError as refused:  # nothing of what it looks for is in this picture: it has looked all the same
        print(f"{id}: {refused}", file=sys.stderr)
        made = None
    context.progress(1.0)
    if made is not None:
        marshalling.outputs(tool, made, store, marshalling.Memory(), folder)
    return (
        time.perf_counter() - began, _most_memory(), context.silent, context.busy, time.process_time() - busy
    )  # fmt: skip


def _given(port: Port, source: Path) -> Path | None:
    """The file for a port; None for what is given as a value."""
    if port.type.is_a(ResourceType.IMAGE) and source.suffix == ".jpg":
        return source.with_name("mask.png") if port.type is not ResourceType.IMAGE else source
    if source.suffix == ".mp4" and port.type is ResourceType.AUDIO:
        return source.with_suffix(".wav")
    return source if port.type in (ResourceType.AUDIO, ResourceType.VIDEO) else None


def of_pictures() -> list[str]:
    """Tools whose first back end is built in, and that need nothing but one picture, a mask of it, and _VALUES."""
    found = []
    for tool in load_tools().tools.values():
        needed = [port for port in tool.inputs if port.required]
        valued = set(_VALUES.get(tool.id, {}))
        known = all(not p.many and (p.type.is_a(ResourceType.IMAGE) or p.name in valued) for p in needed)
        if tool.backends[0].kind == "built-in" and known and any(p.type is ResourceType.IMAGE for p in needed):
            found.append(tool.id)
    return found


def _most_memory() -> float:
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return 1024.0 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def measured(id: str, source: Path) -> tuple[float, ...]:
    """As `run_tool`, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.benchmarks.tools", "--one", id, str(source), folder]
        return tuple(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout))


def _plain(id: str, source: Path, folder: Path) -> float:
    import cv2

    doing: dict[str, Callable[[Any], Any]] = {
        "blur": lambda picture: cv2.GaussianBlur(picture, (0, 0), 8),
        "edge_map": lambda picture: cv2.Canny(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), 80, 160),
        "resize": lambda picture: cv2.resize(picture, (2000, 1500), interpolation=cv2.INTER_AREA),
    }
    began = time.perf_counter()
    cv2.imwrite(str(folder / "plain.png"), doing[id](cv2.imread(str(source))))
    return time.perf_counter() - began


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--pictures", action="store_true", help="each tool for one picture, or those that are named")
    parser.add_argument("--films", action="store_true", help="beside the ffmpeg program")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        if given.one[0] in PICTURES:  # beside OpenCV that has started: a lane has loaded what it needs, too
            with tempfile.TemporaryDirectory() as folder:
                run_tool(given.one[0], Path(given.one[1]), Path(folder))
        print(json.dumps(run_tool(given.one[0], Path(given.one[1]), Path(given.one[2]))))
        return
    if given.films:
        films(given.names, given.long)
        return
    with tempfile.TemporaryDirectory() as name:
        folder, seconds = Path(name), 600 if given.long else 120
        write_picture(folder / "large.jpg")
        if given.pictures:
            for id in given.names or of_pictures():
                took, held, silent, busy, _ = measured(id, folder / "large.jpg")
                met = min(silent, busy) < _SILENT_SECONDS and held < _MEMORY  # others may use the processor
                figure(f"{id}.12_megapixels.silent", silent, "s", _SILENT_SECONDS, seconds=round(took, 2),
                       silent_cpu=round(busy, 2), memory_gb=round(held / 1e9, 2), within=met)  # fmt: skip
            return
        write_sound(folder / "long.wav", seconds)
        for id in given.names or (*SOUNDS, *PICTURES):
            if id in PICTURES:
                took = sorted(run_tool(id, folder / "large.jpg", folder / f"{id}{n}")[0] for n in range(3))[1]
                plain = sorted(_plain(id, folder / "large.jpg", folder) for _ in range(3))[1]
                figure(f"{id}.12_megapixels.seconds", took, "s", 1.5 * plain, ("opencv", plain))
                continue
            took, held, *_ = measured(id, folder / "long.wav")
            figure(f"{id}.memory", held / 2**20, "MiB", 150.0, seconds_of_sound=seconds, seconds=round(took, 2))


if __name__ == "__main__":
    main()

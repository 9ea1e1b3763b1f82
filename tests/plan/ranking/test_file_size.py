"""A file size that is asked for is kept to by a step, or the request is refused."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from desktop_app.llm.chat import ChatModel
from desktop_app.plan.modes.offline import OfflinePlanner
from desktop_app.plan.planner import Planner
from desktop_app.plan.ranking.file_size import is_form, kept_to, limit, refusal
from desktop_app.plan.types import FromNode, FromResource, Plan, Request, Solution, Step
from nodes import load_tools
from tests.plan.worlds import attached, own_planner


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return own_planner()


def first(planner: OfflinePlanner, text: str, name: str = "photo.jpg") -> Solution | None:
    return next(iter(planner.plan(Request(text, attached(name))).solutions), None)


@pytest.mark.parametrize(
    ("text", "kilobytes"),
    [
        ("smaller than 200 kB", 200), ("under 1.5 MB", 1500), ("no more than 200kB", 200), ("80 KB or less", 80),
        ("compress it to 300 kilobytes", 300), ("at most 500000 bytes", 500), ("höchstens 2 MB", 2000),
        ("moins de 200 ko", 200), ("menos de 90 kB", 90), ("小于200kB", 200), ("压缩到 1 MB 以内", 1000),
        ("it must not be over 20 MB", 20_000),
        ("so that it fits into 8 MB", 8000), ("shrink it to about 2 GB", 2_000_000), ("不能超过10MB", 10_000),
    ],
)  # fmt: skip
def test_a_limit_is_read_in_kilobytes(text, kilobytes):
    found = limit(text)
    assert found is not None and found.value == pytest.approx(kilobytes)


@pytest.mark.parametrize("text", ["my 5 MB photo is too dark", "photo.jpg has 300 kB, make it darker", "under 20 px"])
def test_a_size_that_is_only_told_is_no_limit(text):
    assert limit(text) is None


@pytest.mark.parametrize(
    ("text", "format", "kilobytes"),
    [
        ("Save photo.jpg as a jpg smaller than 200 kB", "jpg", 200),
        ("save it as a jpg smaller than 200 kB", "jpg", 200),
        ("compress photo.jpg to under 0.5 MB", "jpg", 500),
        ("make photo.jpg smaller than 200kB", "jpg", 200),
        ("I need photo.jpg under 1 MB", "jpg", 1000),
        ("turn photo.jpg into a webp of at most 90 kB", "webp", 90),
        ("convert photo.jpg to png", "png", None),
        ("speichere photo.jpg als jpg kleiner als 200 kB", "jpg", 200),
        ("enregistre photo.jpg en jpg de moins de 200 ko", "jpg", 200),
        ("把 photo.jpg 压缩到 200kB 以内", "jpg", 200),
    ],
)
def test_a_picture_is_saved_in_the_form_and_size_that_is_asked_for(planner, text, format, kilobytes):
    solution = first(planner, text)
    assert solution is not None
    (step,) = solution.steps
    assert step.tool == "picture_file" and step.arguments["image"] == FromResource("photo.jpg")
    assert step.arguments.get("format", "jpg") == format and step.arguments.get("size_kb") == kilobytes
    assert solution.wanted == ((step.id, "file"),)


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("Make a cartoon of photo.jpg as a png of at most 1 MB", "cartoon"),
        ("Make photo.jpg black and white, at most 300 kB please", "black_and_white"),
        ("resize photo.jpg to 800 pixels wide and save it as jpg below 80 kB", "resize"),
    ],
)
def test_the_size_is_that_of_the_result(planner, text, tool):
    solution = first(planner, text)
    assert solution is not None and [step.tool for step in solution.steps] == [tool, "picture_file"]
    last = solution.steps[1]
    assert isinstance(last.arguments["image"], FromNode) and last.arguments["image"].node == solution.steps[0].id
    assert last.arguments["size_kb"] > 0 and solution.wanted == ((last.id, "file"),)


@pytest.mark.parametrize(
    ("text", "name", "tools", "megabytes"),
    [
        ("make clip.mp4 smaller than 10 MB", "clip.mp4", ["video_file"], 10),
        ("compress clip.mp4 to 800 kB", "clip.mp4", ["video_file"], 0.8),
        ("max 25 MB please", "clip.mp4", ["video_file"], 25),
        ("compress song.wav to 500 kB", "song.wav", ["audio_file"], 0.5),
        ("make song.wav louder, at most 1 MB", "song.wav", ["change_volume", "audio_file"], 1),
        ("reverse clip.mp4, under 2 GB", "clip.mp4", ["reverse_video", "video_file"], 2000),
    ],
)
def test_sizes_of_films_and_sounds_are_told_in_megabytes(planner, text, name, tools, megabytes):
    solution = first(planner, text, name)
    assert solution is not None and [step.tool for step in solution.steps] == tools
    assert solution.steps[-1].arguments["size_mb"] == megabytes


def test_a_size_that_no_tool_keeps_to_is_refused(planner):
    step = Step("only", "video_to_gif", {"video": FromResource("clip.mp4")})
    gif = Solution("Only", "", 0.9, (step,), (("only", "file"),))
    text = "make a gif of clip.mp4 under 2 MB"
    assert kept_to(gif, text, planner.graph) is None and "at most 2 MB" in refusal(text)


def test_a_step_that_can_be_told_the_size_is_told_it(planner):
    step = Step("only", "video_file", {"video": FromResource("clip.mp4"), "format": "webm"})
    solution = Solution("Only", "", 0.9, (step,), (("only", "video"),))
    sized = kept_to(solution, "as a webm. It has to be under 500 kB", planner.graph)
    assert sized is not None and [one.arguments.get("size_mb") for one in sized.steps] == [0.5]


@pytest.mark.parametrize(("text", "said"), [("wav to mp3", True), ("als mp3", True), ("my mp3 is too quiet", False)])
def test_a_form_is_what_something_is_turned_into(planner, text, said):
    assert is_form(planner.graph.tools["audio_file"], text) is said


def test_a_size_in_pixels_or_per_cent_is_still_that(planner):
    for text in ("make photo.jpg half the size", "shrink photo.jpg to 25%", "photo.jpg is 5 MB, make it half the size"):
        solution = first(planner, text)
        assert solution is not None and [step.tool for step in solution.steps] == ["resize"], text


class _Says(Planner):
    """As if a language model had planned."""

    said: Plan

    async def _improved(self, draft, request, chat) -> Plan:
        return self.said


@pytest.mark.parametrize(
    ("name", "tool", "kept"),
    [("photo.jpg", "sepia", True), ("clip.mp4", "reverse_video", True), ("clip.mp4", "video_to_gif", False)],
)
def test_a_plan_of_a_language_model_is_kept_to_it_too(name, tool, kept):
    tools = load_tools().tools
    planner = _Says(lambda: tools, "beam", cast(ChatModel, object()))
    into, out = tools[tool].inputs[0].name, tools[tool].outputs[0].name
    step = Step("only", tool, {into: FromResource(name)})
    planner.said = Plan((Solution("Only", "", 0.9, (step,), (("only", out),)),), mode="llm")
    request = Request("change it, smaller than 200 kB", attached(name))
    plan = asyncio.run(planner.plan(request))
    if kept:
        ((_, last),) = [(s.id, s) for s in plan.solutions[0].steps if s.id != "only"]
        wanted = ("picture_file", 200) if name == "photo.jpg" else ("video_file", 0.2)
        assert (last.tool, last.arguments["size_kb" if name == "photo.jpg" else "size_mb"]) == wanted
    else:
        assert plan.solutions == () and "at most 200 kB" in plan.causes[0]

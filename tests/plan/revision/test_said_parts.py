"""What becomes of a part of a sound or a film that is said by two times."""

from __future__ import annotations

import pytest

from desktop_app.plan.revision.said_parts import with_said_parts
from desktop_app.plan.tools.tool_graph import ToolGraph
from desktop_app.plan.tools.tool_specs import from_tools
from desktop_app.plan.types import FromNode, FromResource, Given, Plan, Request, Solution, Step
from nodes import load_tools

GRAPH = ToolGraph(from_tools(load_tools().tools))
SOUND, FILM = FromResource("a.wav"), FromResource("a.mp4")
GIVEN = {SOUND: Given("a.wav", "audio"), FILM: Given("a.mp4", "video")}


def trimmed(of, start, end):
    tool, port = ("trim_audio", "audio") if of == SOUND else ("trim_video", "video")
    return Step("trim", tool, {port: of, "start": start, "end": end})


def revised(text, of, *steps):
    steps = steps or (trimmed(of, 5, 10),)
    plan = Plan((Solution("", "", 0.9, steps, ((steps[-1].id, ""),)),))
    return with_said_parts(plan, Request(text, (GIVEN[of],)), GRAPH).solutions[0].steps


@pytest.mark.parametrize("of", [SOUND, FILM])
@pytest.mark.parametrize("text", [
    "cut the part from 0:05 to 0:10 out", "cut out seconds 5 to 10", "remove the part between 5 and 10 s",
    "schneide Sekunde 5 bis 10 raus", "entferne den Teil von 0:05 bis 0:10", "enlève la partie de 0:05 à 0:10",
    "coupe le passage entre 0:05 et 0:10", "quita la parte de 0:05 a 0:10", "删掉0:05到0:10的部分",
    "把5秒到10秒剪掉",
])  # fmt: skip
def test_a_part_that_is_cut_out_goes_and_the_rest_is_joined(text, of):
    before, after, joined = revised(text, of)
    assert (before.arguments.get("start"), before.arguments["end"], after.arguments["start"]) == (None, 5, 10)
    assert "end" not in after.arguments and joined.tool in ("join_audio", "join_videos")
    (parts,) = joined.arguments.values()
    assert [one.node for one in parts] == [before.id, after.id]


@pytest.mark.parametrize("text", [
    "keep only 0:05 to 0:10", "trim it to 5 to 10 s", "cut from 0:05 to 0:10", "delete everything except 0:05 to 0:10",
    "behalte nur Sekunde 5 bis 10", "garde les secondes 5 à 10", "conserva del segundo 5 al 10", "保留5秒到10秒",
    "remove the noise between 5 and 10 seconds", "seconds 5 to 10 without sound",
])  # fmt: skip
def test_a_part_that_is_kept_stays(text):
    assert revised(text, SOUND) == (trimmed(SOUND, 5, 10),)


@pytest.mark.parametrize(("text", "gain"), [
    ("make seconds 2 to 5 quieter", -6), ("mach Sekunde 2 bis 5 lauter", 6), ("plus fort entre 2 et 5 secondes", 6),
    ("baja el volumen entre los segundos 2 y 5", -6), ("把第2到5秒的声音调小", -6), ("mute it between 2 and 5 s", -80),
    ("coupe le son entre 2 et 5 secondes", -80), ("2到5秒静音", -80),
])  # fmt: skip
def test_only_the_part_is_louder_quieter_or_silent_and_all_of_it_stays(text, gain):
    part = {"gain": gain, "start": 2, "end": 5}
    (sound,) = revised(text, SOUND, trimmed(SOUND, 2, 5))
    assert (sound.tool, sound.arguments) == ("change_volume", {"audio": SOUND, **part})
    taken, louder, laid = revised(text, FILM, trimmed(FILM, 2, 5))
    assert louder.arguments == {"audio": FromNode(taken.id, "audio"), **part}
    assert laid.arguments == {"video": FILM, "audio": FromNode(louder.id, "audio")}


def test_what_follows_is_done_to_what_is_left():
    gif = Step("gif", "video_to_gif", {"video": FromNode("trim", "video")})
    *_, joined, gif = revised("cut out seconds 5 to 10 and make a GIF of it", FILM, trimmed(FILM, 5, 10), gif)
    assert gif.arguments["video"] == FromNode(joined.id, "video")

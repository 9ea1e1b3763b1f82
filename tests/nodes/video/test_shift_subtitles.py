"""Times of subtitles are moved and stretched, and nothing else of them is changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from desktop_app.storage.resources import Store
from nodes._support.media import captions
from nodes.api import NodeError, ResourceType, RunContext
from nodes.text.shift_subtitles import shift_subtitles

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Good morning</i>

2
00:00:03,000 --> 00:00:05,000
two
lines

3
00:01:00,000 --> 00:01:05,500
42
"""
VTT = """WEBVTT - Interview
Kind: captions

STYLE
::cue { color: red }

intro
00:01.000 --> 00:02.000 align:start line:0
<v Bob>Hi <00:00:01.500>there

NOTE checked by Ana

59:59.000 --> 1:00:02.000
late
"""
ASS = r"""[Script Info]
; 0:00:01.00,0:00:02.00, is no event
ScriptType: v4.00+

[V4+ Styles]
Style: Default,Arial,16,&Hffffff

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 1,0:00:01.00,0:00:02.50,Default,Bob,0,0,0,,{\i1}Good\Nmorning{\i0}, all
Dialogue: 0,0:00:01.00,0:00:05.00,Default,,0,0,0,,{\p1}m 0 0 l 9 9{\p0}
Comment: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,for Ana
Dialogue: 0,9:59:59.99,10:00:01.00,Default,,0,0,0,,{\k100}la {\kf50}la
"""


@pytest.fixture
def context(tmp_path: Path) -> RunContext:
    return RunContext(tmp_path)


def times(text: str) -> list[str]:
    return re.findall(r"[\d:]+[,.]\d{3}", text)


def test_all_times_move_and_the_words_stay(context: RunContext):
    made = shift_subtitles(SRT, 2.25, context=context)
    assert times(made) == [
        "00:00:03,250", "00:00:04,750", "00:00:05,250", "00:00:07,250", "00:01:02,250", "00:01:07,750",
    ]  # fmt: skip
    assert re.sub(r"[\d:]+,\d{3}", "T", made) == re.sub(r"[\d:]+,\d{3}", "T", SRT)
    assert context.told == []
    assert shift_subtitles(made, -2.25, context=context) == SRT


def test_only_those_from_a_time_on_move(context: RunContext):
    assert times(shift_subtitles(SRT, -1.0, 3.0, context=context)) == [
        "00:00:01,000", "00:00:02,500", "00:00:02,000", "00:00:04,000", "00:00:59,000", "00:01:04,500",
    ]  # fmt: skip
    assert context.told == ["Begin now while the one before is still shown: 1 subtitles."]


@pytest.mark.parametrize(
    ("rates", "last"),
    [((25, 23.976), "00:01:08,297"), ((25, 23.98), "00:01:08,297"), ((23.976, 25), "00:01:02,817"),
     ((24, 25), "00:01:02,880"), ((29.97, 30), "00:01:05,435")],
)  # fmt: skip
def test_another_frame_rate_stretches(context: RunContext, rates: tuple[float, float], last: str):
    # 65.5 s are frame 1637.5 of 25 a second, which 24000/1001 a second show at 1637.5 * 1001 / 24000 = 68.2974 s
    assert times(shift_subtitles(SRT, from_rate=rates[0], to_rate=rates[1], context=context))[-1] == last


def test_a_factor_stretches_about_the_time_from_which_it_holds(context: RunContext):
    assert times(shift_subtitles(SRT, factor=2.0, start=3.0, context=context)) == [
        "00:00:01,000", "00:00:02,500", "00:00:03,000", "00:00:07,000", "00:01:57,000", "00:02:08,000",
    ]  # fmt: skip
    assert times(shift_subtitles(SRT, 0.5, factor=2.0, context=context))[:2] == ["00:00:02,500", "00:00:05,500"]


def test_nothing_begins_before_the_film_and_what_is_lost_is_told(context: RunContext):
    made = shift_subtitles(SRT, -4.0, context=context)
    assert made == "1\n00:00:00,000 --> 00:00:01,000\ntwo\nlines\n\n2\n00:00:56,000 --> 00:01:01,500\n42\n"
    assert context.told == [
        "Left out, as they would end before the film begins: 1 subtitles.",
        "Shortened, as they would begin before the film begins: 1 subtitles.",
    ]


def test_webvtt_keeps_its_head_notes_places_and_short_times(context: RunContext):
    made = shift_subtitles(VTT, 1.0, context=context)
    assert "00:02.000 --> 00:03.000 align:start line:0\n<v Bob>Hi <00:00:02.500>there" in made
    assert "01:00:00.000 --> 01:00:03.000\nlate" in made, "an hour more is written where there is one"
    assert made.startswith("WEBVTT - Interview\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nintro\n")
    lost = shift_subtitles(VTT, -2.0, context=context)
    assert "Bob" not in lost and "intro" not in lost
    assert "::cue { color: red }\n\nNOTE checked by Ana\n\n59:57.000 --> 01:00:00.000\nlate" in lost


def test_files_of_windows_and_numbers_alone_as_words_are_read(context: RunContext):
    odd = SRT.replace("\n", "\r\n")
    assert shift_subtitles(odd, 1.0, context=context) == shift_subtitles(SRT, 1.0, context=context)
    assert shift_subtitles("00:00:01.5 --> 00:00:02.5\nno number", 1.0, context=context) == (
        "00:00:02.500 --> 00:00:03.500\nno number\n"
    )


@pytest.mark.parametrize(
    ("text", "given", "port"),
    [
        ("Just some words.", {"seconds": 2.0}, "text"),
        ("", {"seconds": 2.0}, "text"),
        (SRT, {}, "seconds"),
        (SRT, {"from_rate": 25.0, "to_rate": 25.0}, "seconds"),
        (SRT, {"from_rate": 25.0}, "to_rate"),
        (SRT, {"to_rate": 25.0}, "from_rate"),
        (SRT, {"seconds": -66.0}, "seconds"),
        (SRT, {"seconds": 2.0, "start": 61.0}, "start"),
    ],
)
def test_what_cannot_be_done_is_told(context: RunContext, text: str, given: dict[str, float], port: str):
    with pytest.raises(NodeError) as told:
        shift_subtitles(text, context=context, **given)
    assert told.value.port == port and told.value.fix


def test_subtitles_are_kept_as_files_that_players_know(tmp_path: Path):
    store = Store(tmp_path / "store")
    kept = [store.put_value(text, ResourceType.TEXT)[1] for text in (SRT, VTT, "1\nfirst of all", "WEBVTTs are files")]
    assert kept == [".srt", ".vtt", ".txt", ".txt"]


@pytest.mark.parametrize("form", ["v4.00+", "v4.00"])
def test_ass_and_ssa_keep_all_but_their_times(context: RunContext, tmp_path: Path, form: str):
    given = ASS.replace("v4.00+", form)
    made = shift_subtitles(given, 2.25, context=context)
    at = re.compile(r"\b\d+:\d\d:\d\d\.\d\d\b")
    assert at.findall(made)[2:] == [
        "0:00:03.25", "0:00:04.75", "0:00:03.25", "0:00:07.25", "0:00:05.25", "0:00:06.25", "10:00:02.24",
        "10:00:03.25",
    ]  # fmt: skip
    assert at.sub("T", made) == at.sub("T", given) and shift_subtitles(made, -2.25, context=context) == given
    assert Store(tmp_path / "s").put_value(made, ResourceType.TEXT)[1] == (".ass" if form.endswith("+") else ".ssa")
    slow = shift_subtitles(given, factor=2.0, start=9.0, context=context)
    assert r"{\k200}la {\kf100}la" in slow and "0:00:01.00,0:00:02.50" in slow
    lost = shift_subtitles(given, -3.0, context=context)
    assert (
        "Good" not in lost
        and "for Ana" in lost
        and context.told[-2:]
        == [
            "Left out, as they would end before the film begins: 1 subtitles.",
            "Shortened, as they would begin before the film begins: 1 subtitles.",
        ]
    )


def test_ass_is_written_on_films_as_its_words():
    assert captions.read(ASS, 60.0) == [(1.0, 2.5, "Good\nmorning, all"), (35999.99, 36001.0, "la la")]

"""Move the times of subtitles, and stretch them to another frame rate."""

from __future__ import annotations

import re

from nodes._support.language.words import given
from nodes._support.media import caption_times
from nodes.api import NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, tool

_DAY = 86_400.0
_EXACT = (24_000 / 1001, 30_000 / 1001, 48_000 / 1001, 60_000 / 1001, 120_000 / 1001)
"""Rates that people round: 23.976 or 23.98, 29.97, 47.952, 59.94, 119.88."""
_ROUNDED = 0.006
_ENDS = re.compile("\r\n?")


@tool(
    id="shift_subtitles",
    title="Shift subtitles",
    domain="text",
    description="Moves the times of subtitles (SRT, WebVTT, ASS) later or earlier by seconds, so that they fit the"
    " film, or stretches them to another frame rate.",
    inputs=(
        Port("text", ResourceType.TEXT, "the subtitles with times (SRT, WebVTT, ASS)"),
        Port("seconds", ResourceType.NUMBER, "how much later they come; below 0 earlier", default=0.0, minimum=-_DAY,
             maximum=_DAY, unit="s",
             question="By how many seconds should they come later? A number below 0 makes them come earlier."),
        Port("start", ResourceType.NUMBER, "only those from this time on are changed", default=0.0, minimum=0,
             maximum=_DAY, unit="s", question="From which second on?"),
        Port("factor", ResourceType.NUMBER, "by how much their times are stretched; 0.96 = 4 % sooner", default=1.0,
             minimum=0.1, maximum=10, advanced=True, question="By which factor should their times be stretched?"),
        Port("from_rate", ResourceType.NUMBER, "frame rate of the film that they were made for, such as 25",
             default=None, minimum=1, maximum=240, unit="fps", advanced=True,
             question="For which frame rate were the subtitles made?"),
        Port("to_rate", ResourceType.NUMBER, "frame rate of the film that they should fit, such as 23.976",
             default=None, minimum=1, maximum=240, unit="fps", advanced=True,
             question="Which frame rate has the film?"),
    ),
    outputs=(Port("text", ResourceType.TEXT, "the subtitles with their new times"),),
    backend="times",
    backend_title="In place",
    quality=1.0,
    examples=(
        "Shift the subtitles by 2 seconds",
        "The subtitles come 1.5 seconds too early, delay them",
        "Make the subtitles appear 3 seconds earlier",
        "Move all subtitles after minute 10 by 4 seconds",
        "Convert the subtitles from 25 to 23.976 frames per second",
    ),
    words=("subtitles out of sync", "sync the subtitles", "delay subtitles", "subtitle offset", "subtitles too early",
           "subtitles too late", "resync srt", "subtitle timing", "frame rate of the subtitles"),
    any_of=("seconds", "factor", "from_rate", "to_rate"),
    icon="clock",
    result="shifted",
    result_signs=(("seconds", "earlier", "later"),),
)  # fmt: skip
def shift_subtitles(
    text: Text,
    seconds: Number = 0.0,
    start: Number = 0.0,
    factor: Number = 1.0,
    from_rate: Number | None = None,
    to_rate: Number | None = None,
    *,
    context: RunContext,
) -> Text:
    """Only the times are changed: words, marks, places and notes stay. Those that begin at `start` or later are first
    stretched about `start`, by `factor` and by `from_rate / to_rate`, then moved by `seconds`. A subtitle that would
    begin before 0 begins at 0; one that would end before it is left out, the numbers of the others go on from 1, and
    how many these are is told.

    NodeError naming `text` where no times are in it, or none would be left; `to_rate` or `from_rate` where only one of
    the two is given; `seconds` where nothing is to be changed; `start` where all begin before it.
    """
    told = _ENDS.sub("\n", given(text))
    if not caption_times.has_times(told):
        raise NodeError(
            "There are no subtitles with times in the text.", "text", "Give subtitles as SRT, WebVTT or ASS."
        )
    stretch = factor * _by_rates(from_rate, to_rate)
    if not seconds and stretch == 1:
        raise NodeError("Nothing is said of how the times should change.", "seconds", "Say by how many seconds.")
    made = caption_times.changed(told, lambda at: start + (at - start) * stretch + seconds, start)
    if not made.moved:
        fix = "Choose an earlier time."
        raise NodeError(Phrase("No subtitle begins after {seconds} s.", seconds=f"{start:g}"), "start", fix)
    if made.lost == made.count:
        fix = "Move them by fewer seconds."
        raise NodeError("All subtitles would end before the film begins.", "seconds", fix)
    _tell(context, made)
    return made.text if made.text.endswith("\n") else f"{made.text}\n"


def _tell(context: RunContext, made: caption_times.Changed) -> None:
    if made.lost:
        said = "Left out, as they would end before the film begins: {count} subtitles."
        context.tell(Phrase(said, count=made.lost))
    if made.cut:
        said = "Shortened, as they would begin before the film begins: {count} subtitles."
        context.tell(Phrase(said, count=made.cut))
    if made.overlapping:
        said = "Begin now while the one before is still shown: {count} subtitles."
        context.tell(Phrase(said, count=made.overlapping))


def _by_rates(given: float | None, wanted: float | None) -> float:
    if given is None and wanted is None:
        return 1.0
    if given is None or wanted is None:
        port = "to_rate" if wanted is None else "from_rate"
        raise NodeError("Two frame rates are needed, and one is given.", port, "Give both, such as 25 and 23.976.")
    return _exact(given) / _exact(wanted)


def _exact(rate: float) -> float:
    return next((exact for exact in _EXACT if abs(rate - exact) < _ROUNDED and rate != round(rate)), rate)

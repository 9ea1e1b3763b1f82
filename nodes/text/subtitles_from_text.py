"""Make a subtitle file from a text, spread over a given time."""

from __future__ import annotations

from nodes._support.language.sentences import sentences
from nodes._support.language.words import given_words
from nodes._support.media import captions, subtitle_lines
from nodes.api import File, NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, tool


@tool(
    id="subtitles_from_text",
    title="Subtitles from text",
    domain="text",
    description="Makes a subtitle file (SRT) from a text, timed evenly over a number of seconds.",
    inputs=(
        Port("text", ResourceType.TEXT, "the spoken text"),
        Port(
            "seconds",
            ResourceType.NUMBER,
            "how long the speech lasts",
            minimum=0.5,
            maximum=86_400,
            unit="s",
            question="How many seconds does the speech last?",
        ),
    ),
    outputs=(Port("file", ResourceType.FILE, "the subtitles, .srt"),),
    backend="reading-speed",
    backend_title="By length of the text",
    quality=0.5,
    examples=(
        "Make a subtitle file from script.txt for 30 seconds",
        "Turn this speech text into SRT subtitles of 2 minutes",
    ),
    words=("srt", "subtitle file", "caption file", "closed captions"),
    icon="captions",
)
def subtitles_from_text(text: Text, seconds: Number, context: RunContext) -> File:
    """An SRT file in UTF-8: at most two lines of 42 columns at a time (21 Chinese characters), broken at sentences,
    then at commas, then at words. Each subtitle lasts in proportion to its letters.

    Raises NodeError when `seconds` is too short to show each subtitle for 0.7 s.
    """
    text = given_words(text)
    _enough(
        seconds, len(text) / (2 * subtitle_lines.LINE * subtitle_lines.LINES)
    )  # a huge text need not be cut to know that
    cues = [cue for sentence in sentences(text) for cue in subtitle_lines.cues(sentence)]
    _enough(seconds, len(cues))
    path = context.new_file(".srt")
    spans = subtitle_lines.spans([subtitle_lines.columns("".join(cue)) for cue in cues], seconds)
    shown = [captions.Caption(*span, "\n".join(cue)) for cue, span in zip(cues, spans, strict=True)]
    path.write_text(captions.srt(shown), "utf-8")
    return path


def _enough(seconds: float, count: float) -> None:
    if seconds < count * subtitle_lines.LEAST_SECONDS:
        raise NodeError(
            Phrase("{seconds} s are too short for {count} subtitles.", seconds=f"{seconds:g}", count=f"{count:.0f}"),
            "seconds",
            Phrase("Give at least {count} s, or a shorter text.", count=f"{count * subtitle_lines.LEAST_SECONDS:.0f}"),
        )

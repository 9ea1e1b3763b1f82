"""Cut a sound into several."""

from __future__ import annotations

import itertools

from nodes._support.media import parts as parting
from nodes._support.media import sound, voice
from nodes.api import Audio, AudioValue, Integer, NodeError, Number, Phrase, Port, ResourceType, RunContext, tool


@tool(
    id="split_audio",
    title="Split audio",
    domain="audio",
    description="Splits a sound into several: at its pauses, into equal parts, or every so many seconds.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port("every", ResourceType.NUMBER, "length of each part or piece; the last may be shorter", default=None,
             minimum=0.1, maximum=86_400, unit="s", question="How many seconds long should each part be?"),
        Port("parts", ResourceType.NUMBER, "number of equal parts", default=None, minimum=2, maximum=parting.MOST,
             integer=True, question="Into how many parts should it be cut?"),
        Port("pause", ResourceType.NUMBER, "shortest pause at which it is cut, where neither is given", default=0.5,
             minimum=0.05, maximum=60, unit="s", advanced=True),
        Port(
            "threshold", ResourceType.NUMBER, "silent is what lies this far below the loudest part",
            default=-40.0, minimum=-90, maximum=-6, unit="dB", advanced=True,
        ),
    ),
    outputs=(Port("audios", ResourceType.AUDIO, "the parts, in order", many=True),),
    backend_title="Sample-exact cut",
    quality=0.9,
    examples=(
        "Split the recording at its pauses",
        "Split podcast.mp3 into 4 equal parts",
        "Split lecture.wav into pieces of 60 seconds",
    ),
    words=("split the audio", "split a sound", "divide the recording", "equal parts",
           "audio chunks", "pieces of a recording", "split at silence",
           "split an album into tracks"),
    icon="split",
)  # fmt: skip
def split_audio(
    audio: AudioValue,
    every: Number | None = None,
    parts: Integer | None = None,
    pause: Number = 0.5,
    threshold: Number = -40.0,
    *,
    context: RunContext,
) -> tuple[AudioValue, ...]:
    """The parts, which joined again are the sound, sample by sample. Equal ones differ by one sample at most; a rest of
    under 0.1 s stays with the part before. Pauses are found in frames of 20 ms and cut in their middle, those of
    speech in background noise, too; the silence before and after it all makes no part.

    NodeError naming `every` or `parts` where both are given or nothing would be cut, `pause` where there is no such
    pause, `audio` for silence without pauses, and where there would be more than a thousand parts.
    """
    if every is None and parts is None:
        dry = sound.audible(audio, purpose=Phrase("split"))
        places = _pauses(dry, pause, threshold, context)
    else:
        dry = sound.checked(audio)
        places = [round(at * dry.rate) for at in parting.cuts(dry.seconds, every, parts)]
    bounds = itertools.pairwise((0, *places, len(dry.samples)))
    return tuple(Audio(dry.samples[begin:end], dry.rate) for begin, end in bounds)


def _pauses(dry: Audio, pause: float, threshold: float, context: RunContext) -> list[int]:
    """The sample numbers of the middles of its pauses. Raises NodeError."""
    heard = voice.sounding(dry, threshold, context)
    between = [(end, begin) for (_, end), (begin, _) in itertools.pairwise(heard)]
    found = [(end + begin) // 2 for end, begin in between if begin - end >= pause * dry.rate]
    if not found:
        said = Phrase("There is no pause of {pause} s in the sound.", pause=f"{pause:g}")
        raise NodeError(said, "pause", "Choose a shorter pause, a number of parts or their length.")
    if len(found) >= parting.MOST:
        said = Phrase("There would be more than {most} parts.", most=parting.MOST)
        raise NodeError(said, "pause", "Choose a longer pause.")
    return found

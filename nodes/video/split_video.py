"""Cut a video into several."""

from __future__ import annotations

import itertools
from pathlib import Path

from nodes._support.media import cutting, movies
from nodes._support.media import parts as parting
from nodes.api import Integer, NodeError, Number, Phrase, Port, ResourceType, RunContext, Video, tool

_LOOKING = 0.3  # of the time, measured: scenes are looked for in smaller pictures


@tool(
    id="split_video",
    title="Split video",
    domain="video",
    description="Splits a video into several: at its scene cuts, into equal parts, or every so many seconds.",
    inputs=(
        Port("video", ResourceType.VIDEO, "the video"),
        Port("every", ResourceType.NUMBER, "length of each part or piece; the last may be shorter", default=None,
             minimum=0.1, maximum=86_400, unit="s", question="How many seconds long should each part be?"),
        Port("parts", ResourceType.NUMBER, "number of equal parts", default=None, minimum=2, maximum=parting.MOST,
             integer=True, question="Into how many parts should it be cut?"),
    ),
    outputs=(Port("videos", ResourceType.VIDEO, "the parts, in order, MP4", many=True),),
    backend="pyav",
    backend_title="PyAV, exact to the picture",
    quality=0.9,
    examples=(
        "Split the video into 3 equal parts",
        "Split holiday.mp4 into clips of 30 seconds",
        "Split the film at its scene cuts into several files",
    ),
    words=("split the video", "split a film", "divide the video", "equal parts",
           "video segments", "pieces of a video", "a file for each scene",
           "clips of the same length"),
    icon="split",
)  # fmt: skip
def split_video(
    video: Video, every: Number | None = None, parts: Integer | None = None, *, context: RunContext
) -> tuple[Video, ...]:
    """The parts, which joined again have each picture once. A part begins with the picture that is nearest to the cut;
    a rest of under 0.1 s stays with the part before. Pictures and sound are copied bit by bit but for a few at the cuts
    (as in trim_video); a film of which parts cannot be copied is coded anew first. Scenes are those of detect_scenes.

    NodeError naming `every` or `parts` where both are given, nothing would be cut, a part would have no picture or
    there would be more than a thousand; `video` where there is no scene cut.
    """
    known = movies.facts(video)
    begin = 0.0 if every is not None or parts is not None else _LOOKING
    cuts = _scenes(video, parting.Share(context, 0, begin)) if begin else parting.cuts(known.seconds, every, parts)
    film = video
    if not cutting.is_copied(known):
        film = cutting.trimmed(video, known, 0.0, known.seconds, parting.Share(context, begin, 0.9))
        known, begin = movies.facts(film), 0.9
    bounds = (0.0, *_at_pictures(film, known, cuts, "every" if every else "parts"), known.seconds)
    made = []
    for start, end in itertools.pairwise(bounds):
        share = (begin + (1 - begin) * at / known.seconds for at in (start, end))
        made.append(cutting.trimmed(film, known, start, end, parting.Share(context, *share)))
    return tuple(made)


def _scenes(video: Path, context: RunContext) -> list[float]:
    """When each scene begins but the first. Raises NodeError where there is only one."""
    from nodes.video.detect_scenes import detect_scenes

    begins = [row[1] for row in detect_scenes(video, context=context).rows[1:]]
    if not begins:
        fix = "Say how long a part is, or how many there are."
        raise NodeError(Phrase("There is no scene cut in {path}.", path=video.name), "video", fix)
    if len(begins) >= parting.MOST:
        said = Phrase("There would be more than {most} parts.", most=parting.MOST)
        raise NodeError(said, "video", "Say how long a part is, or how many there are.")
    return begins


def _at_pictures(film: Path, known: movies.Facts, cuts: list[float], port: str) -> list[float]:
    """The same times, where pictures appear. Raises NodeError where a part would have none."""
    times = movies.told_times(film)
    found = [parting.nearest(at, times) for at in cuts]
    if sorted({0.0, *found}) != [0.0, *found] or found[-1] >= known.seconds:
        said = Phrase("A part would be shorter than a picture of {path} is shown.", path=film.name)
        raise NodeError(said, port, "Choose fewer and longer parts.")
    return found

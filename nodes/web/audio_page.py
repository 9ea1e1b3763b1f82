"""Put a sound on a web page."""

from __future__ import annotations

import io

import numpy as np

from nodes._support.web import pages
from nodes.api import AudioValue, Html, NodeError, Port, ResourceType, Text, tool

_MOST_BYTES = 20_000_000
_MP3_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)


@tool(
    id="audio_page",
    title="Audio page",
    domain="web",
    description="Puts a sound recording on a web page with a player and a text.",
    inputs=(
        Port("audio", ResourceType.AUDIO, "the sound"),
        Port("text", ResourceType.TEXT, "the text below the player, such as what is said", default=""),
        Port("title", ResourceType.TEXT, "the title of the page", default=""),
    ),
    outputs=(Port("html", ResourceType.HTML, "the page with the sound inside, in one file"),),
    backend="jinja",
    backend_title="Template",
    quality=0.7,
    examples=(
        "Make a web page with the recording talk.wav and its transcript",
        'Put song.mp3 on a web page with the title "Demo"',
    ),
    words=("podcast page", "audio player page", "web page with sound"),
    icon="headphones",
)
def audio_page(audio: AudioValue, text: Text = "", title: Text = "") -> Html:
    """The sound is inside the page: without loss (FLAC, 16 bit) up to 20 MB, else as MP3.

    Raises NodeError for an empty sound, or one that takes more than 20 MB even then.
    """
    if not len(audio.samples):
        raise NodeError("The sound is empty.", "audio", "Choose another one.")
    data, kind = _encoded(np.clip(np.nan_to_num(audio.samples), -1, 1), audio.rate)
    title, body, shown = pages.titled(title, text)
    return pages.page(
        "media.html", title or "Recording", text, shown and bool(title), kind="audio",
        source=pages.data_uri(data, kind), body=pages.prose(body) if body.strip() else "",
    )  # fmt: skip


def _encoded(samples: np.ndarray, rate: int) -> tuple[bytes, str]:
    import soundfile

    if samples.shape[1] <= 8 and rate <= 655_350:
        stream = io.BytesIO()
        soundfile.write(stream, samples, rate, format="FLAC", subtype="PCM_16")
        if stream.tell() <= _MOST_BYTES:
            return stream.getvalue(), "audio/flac"
    mixed = samples if samples.shape[1] <= 2 else samples.mean(axis=1, keepdims=True)
    if rate in _MP3_RATES:
        stream = io.BytesIO()
        soundfile.write(stream, mixed, rate, format="MP3", subtype="MPEG_LAYER_III")
        if stream.tell() <= _MOST_BYTES:
            return stream.getvalue(), "audio/mpeg"
    raise NodeError("The sound takes more than 20 MB.", "audio", "Trim it, or give it a lower sample rate.")

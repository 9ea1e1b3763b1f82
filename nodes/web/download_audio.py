"""Get a sound from a web address."""

from __future__ import annotations

from nodes._support.web import fetching
from nodes.api import AudioValue, Port, ResourceType, RunContext, Url, tool


@tool(
    id="download_audio",
    title="Download sound",
    domain="web",
    description="Gets a sound file from the internet by its web address.",
    inputs=(Port("url", ResourceType.URL, "the web address of the sound itself", question="What is the web address?"),),
    outputs=(Port("audio", ResourceType.AUDIO, "the sound"),),
    backend="http",
    backend_title="HTTP",
    device="network",
    quality=0.9,
    examples=("Download the sound at https://example.com/a.mp3", "Get the sound from this web address"),
    words=("download the sound", "sound from the internet", "sound downloader", "url to audio"),
    side_effects="Contacts the server of the web address, which learns this computer's network address.",
    outside=True,
    icon="headphones",
)
def download_audio(url: Url, context: RunContext) -> AudioValue:
    """At most 500 MB within 10 minutes, from public addresses. NodeError naming `url` for anything but a sound."""
    return fetching.downloaded(url, ResourceType.AUDIO, context)

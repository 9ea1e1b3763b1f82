"""Get a film from a web address."""

from __future__ import annotations

from nodes._support.web import fetching
from nodes.api import Port, ResourceType, RunContext, Url, Video, tool


@tool(
    id="download_video",
    title="Download film",
    domain="web",
    description="Gets a film file from the internet by its web address.",
    inputs=(Port("url", ResourceType.URL, "the web address of the film itself", question="What is the web address?"),),
    outputs=(Port("video", ResourceType.VIDEO, "the film"),),
    backend="http",
    backend_title="HTTP",
    device="network",
    quality=0.9,
    examples=("Download the film at https://example.com/a.mp4", "Get the film from this web address"),
    words=("download the film", "film from the internet", "film downloader", "url to video"),
    side_effects="Contacts the server of the web address, which learns this computer's network address.",
    outside=True,
    icon="film",
)
def download_video(url: Url, context: RunContext) -> Video:
    """At most 500 MB within 10 minutes, from public addresses. NodeError naming `url` for anything but a film."""
    return fetching.downloaded(url, ResourceType.VIDEO, context)

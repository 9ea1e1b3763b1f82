"""Get a picture from a web address."""

from __future__ import annotations

from nodes._support.web import fetching
from nodes.api import Image, Port, ResourceType, RunContext, Url, tool


@tool(
    id="download_image",
    title="Download picture",
    domain="web",
    description="Gets a picture file from the internet by its web address.",
    inputs=(
        Port("url", ResourceType.URL, "the web address of the picture itself", question="What is the web address?"),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    backend="http",
    backend_title="HTTP",
    device="network",
    quality=0.9,
    examples=("Download the picture at https://example.com/a.png", "Get the picture from this web address"),
    words=("download the picture", "picture from the internet", "picture downloader", "url to image"),
    side_effects="Contacts the server of the web address, which learns this computer's network address.",
    outside=True,
    icon="image-down",
)
def download_image(url: Url, context: RunContext) -> Image:
    """At most 500 MB within 10 minutes, from public addresses. NodeError naming `url` for anything but a picture."""
    return fetching.downloaded(url, ResourceType.IMAGE, context)

"""Join overlapping photographs into a panorama."""

from __future__ import annotations

import numpy as np

from nodes._support.imaging.pixels import check_pixels
from nodes._support.vision.seeing import opaque, shrunk
from nodes.api import Flag, Image, NodeError, Phrase, Port, ResourceType, RunContext, tool

_MOST_SIDE = 3000
_WHY = {
    1: "They do not overlap enough, or show too few details.",
    2: "No common viewpoint was found for them.",
    3: "The turn of the camera between them could not be worked out.",
}


@tool(
    id="panorama",
    title="Panorama",
    domain="image",
    description="Joins overlapping photographs of a scene into one wide panorama.",
    inputs=(
        Port("images", ResourceType.IMAGE, "the photographs, each overlapping another by about a third", many=True,
             least=2),
        Port("flat", ResourceType.FLAG, "they are scans or shots of something flat, not turns of the camera",
             default=False, advanced=True),
    ),
    outputs=(Port("image", ResourceType.IMAGE, "the panorama, with black where no photograph reaches"),),
    backend="opencv",
    backend_title="OpenCV stitcher",
    memory_bytes=800_000_000,
    quality=0.8,
    examples=(
        "Make a panorama of these photos",
        "Stitch left.jpg, middle.jpg and right.jpg into a panorama",
        "Merge the overlapping photos into one wide picture",
    ),
    words=("panorama", "stitch together", "overlapping photos", "wide view", "photo stitching", "panoramic"),
    icon="expand",
)  # fmt: skip
def panorama(images: tuple[Image, ...], flat: Flag = False, *, context: RunContext) -> Image:
    """RGB. Photographs with a longer side above 3,000 pixels are made smaller first.

    Features, homographies, bundle adjustment, seams and blending by OpenCV's stitcher. The order does not matter.
    NodeError naming `images` when there is one only, or they cannot be joined.
    """
    import cv2

    if len(images) < 2:
        raise NodeError("A panorama needs two photographs or more.", "images", "Add those that overlap this one.")
    context.progress(0.05)
    shots = [cv2.cvtColor(shrunk(opaque(image), _MOST_SIDE)[0], cv2.COLOR_RGB2BGR) for image in images]
    cv2.setRNGSeed(1)  # the stitcher draws samples: the same photographs give the same panorama
    stitcher = cv2.Stitcher.create(cv2.Stitcher_SCANS if flat else cv2.Stitcher_PANORAMA)
    try:
        state, wide = stitcher.stitch(shots)
    except cv2.error:  # of pictures of a few pixels it makes smaller ones of none
        state, wide = 1, None
    if wide is None or state != cv2.Stitcher_OK:
        raise NodeError(
            Phrase("The photographs cannot be joined: {why}", why=Phrase(_WHY.get(state, _WHY[1]))),
            "images",
            "Use photographs that overlap by a third, taken from one place.",
        )
    used = len(stitcher.component())
    if used < len(images):
        context.tell(Phrase("{n} of {total} photographs could be joined", n=used, total=len(images)))
    check_pixels(wide.shape[1], wide.shape[0], "images")
    return np.ascontiguousarray(cv2.cvtColor(wide, cv2.COLOR_BGR2RGB))

"""Find the faces in a picture."""

from __future__ import annotations

from nodes._support.vision import people
from nodes.api import Boxes, Image, Port, ResourceType, tool


@tool(
    id="detect_faces",
    title="Find faces",
    domain="image",
    description="Finds the faces of people in a picture, seen from the front, tilted or from the side, as boxes.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    outputs=(Port("boxes", ResourceType.BOXES, "one box around each face; none when there is no face"),),
    backend="blazeface",
    backend_title="BlazeFace and OpenCV cascades",
    quality=0.8,
    examples=(
        "Find the faces in this picture",
        "Find every face in group.jpg",
        "Where are the people's faces?",
        "Is there a face in this photo?",
    ),
    words=("face", "faces", "find faces", "people's faces", "face detection", "heads", "portraits"),
    icon="scan-face",
)
def detect_faces(image: Image) -> Boxes:
    """Square boxes labelled "face" with scores 0.35..1, best first, in pixels of the picture; () when none is found.

    MediaPipe's BlazeFace, doubtful faces by Haar cascades (Viola and Jones 2001) as well, see
    `nodes/_support/vision/people.py`. Faces smaller than about 1/100 of the longer side, or 16 pixels, are not found.
    """
    return tuple(people.faces(image))

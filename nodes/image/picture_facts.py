"""Measure a picture: size, brightness, contrast, sharpness, mean colour."""

from __future__ import annotations

import numpy as np

from nodes._support.vision import colours
from nodes._support.vision.seeing import grey, opaque
from nodes.api import Image, Port, ResourceType, Table, TableValue, tool


@tool(
    id="picture_facts",
    title="Picture facts",
    domain="image",
    description="Measures a picture: its size in pixels, shape, brightness, contrast, sharpness and mean colour.",
    inputs=(Port("image", ResourceType.IMAGE, "the picture"),),
    outputs=(Port("table", ResourceType.TABLE, "one fact per row"),),
    backend="opencv",
    backend_title="OpenCV",
    quality=1.0,
    examples=(
        "How large is this picture?",
        "What size is photo.jpg?",
        "Is this photo sharp or blurry?",
        "Is the picture too dark?",
    ),
    words=(
        "dimensions",
        "resolution",
        "width and height",
        "megapixels",
        "how big is the picture",
        "image properties",
        "is it sharp",
    ),
    icon="info",
)
def picture_facts(image: Image) -> TableValue:
    """Rows of (fact, value, unit). Brightness and contrast are the mean and standard deviation of grey, in percent.

    Sharpness is the standard deviation of the Laplacian of grey (0..255): below about 5 a photograph looks blurred.
    """
    import cv2

    height, width = image.shape[:2]
    brightness = grey(image)
    mean = opaque(image).reshape(-1, 3).mean(axis=0, dtype=np.float64)
    red, green, blue = (round(float(value)) for value in mean)
    across, down = _ratio(width, height)
    alpha = image.shape[2] == 4 and int(image[:, :, 3].min()) < 255
    sharpness = float(cv2.Laplacian(brightness, cv2.CV_16S).std()) if min(height, width) > 2 else 0.0
    rows = (
        ("width", width, "px"),
        ("height", height, "px"),
        ("megapixels", round(width * height / 1e6, 2), "MP"),
        ("shape", f"{across}:{down}", ""),
        ("transparency", "yes" if alpha else "no", ""),
        ("mean colour", f"{colours.name_of((red, green, blue))} #{red:02x}{green:02x}{blue:02x}", ""),
        ("brightness", round(float(brightness.mean()) / 2.55, 1), "%"),
        ("contrast", round(float(brightness.std()) / 2.55, 1), "%"),
        ("sharpness", round(sharpness, 1), ""),
    )
    return Table(("fact", "value", "unit"), rows)


def _ratio(width: int, height: int) -> tuple[int, int]:
    """Sides as small whole numbers: 1920 x 1080 is 16:9; one of a usual shape when within half a percent."""
    for across, down in ((1, 1), (4, 3), (3, 2), (16, 9), (16, 10), (21, 9), (5, 4), (2, 1)):
        for a, b in ((across, down), (down, across)):
            if abs(width / height * b / a - 1) < 0.005:
                return a, b
    divisor = int(np.gcd(width, height))
    return width // divisor, height // divisor

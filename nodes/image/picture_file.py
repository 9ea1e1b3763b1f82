"""Make a file of a picture, in a form and of at most a size."""

from __future__ import annotations

from nodes._support.imaging import picture_files
from nodes.api import File, Image, Integer, NodeError, Number, Phrase, Port, ResourceType, RunContext, Text, tool

_ENDINGS = {"jpg": ".jpg", "png": ".png", "webp": ".webp", "tiff": ".tiff"}


@tool(
    id="picture_file",
    title="Picture file",
    domain="image",
    description="Saves a picture as a JPG, PNG, WebP or TIFF file, compressed to a file size in kilobytes when one is"
    " given.",
    inputs=(
        Port("image", ResourceType.IMAGE, "the picture"),
        Port("format", ResourceType.TEXT, "form of the file", default="jpg", choices=tuple(_ENDINGS),
             question="Which kind of file should it be?"),
        Port("size_kb", ResourceType.NUMBER, "largest file size; a small one costs quality, then pixels", default=None,
             minimum=0.1, maximum=1_000_000, unit="kB", question="How large may the file be at most, in kilobytes?"),
        Port("quality", ResourceType.NUMBER, "of JPG and WebP at most", default=picture_files.QUALITY, minimum=1,
             maximum=100, integer=True, question="How good should it look, from 1 to 100?"),
    ),
    outputs=(Port("file", ResourceType.FILE, "the picture as a file"),),
    backend="pillow",
    backend_title="Pillow",
    quality=1.0,
    examples=(
        "Save this picture as a jpg smaller than 200 kB",
        "Convert photo.jpg to png",
        "Compress the picture to under 500 kilobytes",
        "Make a webp file of the photo",
    ),
    words=("save as", "compress", "file size", "kilobytes", "megabytes", "jpg", "jpeg", "png", "webp", "tiff",
           "convert to jpg", "file format", "smaller file"),
    icon="file-image",
    result="",
    does="converts",
)  # fmt: skip
def picture_file(
    image: Image, format: Text = "jpg", size_kb: Number | None = None, quality: Integer = picture_files.QUALITY,
    *, context: RunContext,
) -> File:  # fmt: skip
    """A file of at most `size_kb` thousand bytes: in less quality where it must be, then with fewer pixels.

    See-through parts are white in a JPG. NodeError naming `size_kb` when the size cannot be had (PNG and TIFF keep
    every pixel), or `format` when it cannot hold so large a picture.
    """
    ending = _ENDINGS[format]
    most = None if size_kb is None else int(size_kb * 1000)
    try:
        data = (
            picture_files.encode(image, ending, quality)
            if most is None
            else picture_files.within(image, ending, most, quality)
        )
    except ValueError as error:
        raise NodeError(
            Phrase("The picture cannot be saved as {format}: {error}.", format=format, error=error), "format"
        ) from error
    if data is None:
        raise NodeError(_too_small(format, size_kb or 0, image), "size_kb")
    target = context.new_file(ending)
    target.write_bytes(data)
    return target


def _too_small(format: str, kilobytes: float, image: Image) -> str:
    if picture_files.FORMS[_ENDINGS[format]] in picture_files.LOSSY:
        return Phrase(
            "The picture cannot be made smaller than {kilobytes} kB. Choose a larger file size.",
            kilobytes=f"{kilobytes:g}",
        )
    has = len(picture_files.encode(image, _ENDINGS[format])) / 1000
    return Phrase(
        "As {format} the picture has {has} kB, because that form keeps every pixel; {kilobytes} kB "
        "were wanted. Choose jpg or webp, or make the picture smaller first.",
        format=format,
        has=f"{has:.0f}",
        kilobytes=f"{kilobytes:g}",
    )

"""What the weights of a model take in memory, read from the headers of its files without loading them."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path

from nodes.api import NodeError, Phrase

_HEADER_LIMIT = 100_000_000
_FLOATS = frozenset({"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2"})


def estimated_bytes(folder: Path, float_bytes: int) -> int:
    """What the weights below a folder take with so many bytes for each floating-point number.

    Of a file that is there in 16 bits too only that one counts. Raises NodeError for a damaged safetensors file.
    """
    files = sorted(folder.rglob("*.safetensors"))
    doubles = {file.with_name(file.name.replace(".fp16.", ".")) for file in files if ".fp16." in file.name}
    return sum(_bytes_of(file, float_bytes) for file in files if file not in doubles)


def half_precision(folder: Path) -> str | None:
    """ "fp16" when there are weights of that variant below the folder, as diffusers names it, else None."""
    return "fp16" if any(folder.rglob("*.fp16.safetensors")) else None


def _bytes_of(file: Path, float_bytes: int) -> int:
    try:
        with open(file, "rb") as stream:
            length = struct.unpack("<Q", stream.read(8))[0]
            if length > _HEADER_LIMIT:
                raise ValueError("its header is too long")
            header = json.loads(stream.read(length))
        return sum(_tensor_bytes(tensor, float_bytes) for name, tensor in header.items() if name != "__metadata__")
    except (OSError, struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NodeError(
            Phrase("The model's file {file} is damaged ({error}).", file=file.name, error=error),
            "",
            "Remove the model and download it again.",
        ) from error


def _tensor_bytes(tensor: dict, float_bytes: int) -> int:
    begin, end = tensor["data_offsets"]
    return math.prod(tensor["shape"]) * float_bytes if tensor["dtype"] in _FLOATS else end - begin

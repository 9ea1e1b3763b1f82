"""What the weights of a model take in memory, read from the headers of its files without loading them."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nodes._support.models.placement import Sizes
from nodes.api import NodeError, Phrase

COMPOSITION = "composition.json"
"""Names in a model's folder what it is made of: `base`, another model beside it, with a `checkpoint` whose settings
those are, or with `loras`, each as file and weight.
"""
_ALWAYS = ("vae", "first_stage_model")
"""Parts that each step needs, for its preview."""
_HEADER_LIMIT = 100_000_000
_FLOATS = frozenset({"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2"})


def sizes(folder: Path, float_bytes: int) -> Sizes:
    """What the weights below a folder take with so many bytes for each floating-point number, part by part: folders in
    it, or what the names in a single file begin with.

    Of a file that is there in 16 bits too only that one counts; of a composed model that on which it is based too.
    Networks in ONNX and for CTranslate2 take what their files do.
    Raises NodeError for a damaged safetensors file.
    """
    parts: dict[str, int] = {}
    layer, kinds = 0, set[str]()
    for where in _with_base(folder):
        for file in _counted(where):
            for name, tensor in header(file).items():
                size = _tensor_bytes(tensor, float_bytes)
                part = file.relative_to(where).parts[0] if file.parent != where else name.partition(".")[0]
                parts[part] = parts.get(part, 0) + size
                layer = max(layer, size)
                kinds.add(tensor["dtype"])
        for file in (file for kind in ("onnx", "bin") for file in where.rglob(f"*.{kind}")):
            parts[file.name] = parts.get(file.name, 0) + file.stat().st_size
    always = sum(parts.get(part, 0) for part in _ALWAYS)
    largest = max((size for part, size in parts.items() if part not in _ALWAYS), default=0)
    return Sizes(sum(parts.values()), largest, always, layer, kinds & _FLOATS == {"BF16"})


def _with_base(folder: Path) -> list[Path]:
    base = composition(folder).get("base")
    return [*(_with_base(folder.parent / base) if base else ()), folder]


def _counted(folder: Path) -> list[Path]:
    files = sorted(folder.rglob("*.safetensors"))
    doubles = {file.with_name(file.name.replace(".fp16.", ".")) for file in files if ".fp16." in file.name}
    return [file for file in files if file not in doubles]


def half_precision(folder: Path) -> str | None:
    """ "fp16" when there are weights of that variant below the folder, as diffusers names it, else None."""
    return "fp16" if any(folder.rglob("*.fp16.safetensors")) else None


def is_wide(folder: Path) -> bool:
    """True when the weights of the first file are in bfloat16, whose range is that of 32 bits."""
    first = next(iter(sorted(folder.rglob("*.safetensors"))), None)
    return first is not None and any(tensor["dtype"] == "BF16" for tensor in header(first).values())


def composition(folder: Path) -> dict[str, Any]:
    """What a model is made of, see COMPOSITION; {} for one that is whole."""
    try:
        found = json.loads((folder / COMPOSITION).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def header(file: Path) -> dict[str, Any]:
    """The tensors of a safetensors file by name: `shape`, `dtype`, `data_offsets`. Raises NodeError when damaged."""
    try:
        with open(file, "rb") as stream:
            length = struct.unpack("<Q", stream.read(8))[0]
            if length > _HEADER_LIMIT:
                raise ValueError("its header is too long")
            found = json.loads(stream.read(length))
        tensors = {name: tensor for name, tensor in found.items() if name != "__metadata__"}
        for tensor in tensors.values():
            _tensor_bytes(tensor, 1)
        return tensors
    except (OSError, struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NodeError(
            Phrase("The model's file {file} is damaged ({error}).", file=file.name, error=error),
            "",
            "Remove the model and download it again.",
        ) from error


def _tensor_bytes(tensor: dict[str, Any], float_bytes: int) -> int:
    begin, end = tensor["data_offsets"]
    return math.prod(tensor["shape"]) * float_bytes if tensor["dtype"] in _FLOATS else end - begin


def control_kind(settings: Mapping[str, Any]) -> str:
    """The class of a ControlNet with these settings. The file of a union of several kinds of maps may name the class
    that it was derived from: how many kinds it knows tells it then.
    """
    said = str(settings.get("_class_name", "ControlNetModel"))
    return "ControlNetUnionModel" if said == "ControlNetModel" and settings.get("num_control_type") else said

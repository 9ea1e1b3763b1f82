"""Networks in ONNX files, on the CPU. Knows no model. ONNX Runtime is imported where it is used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nodes.api import NodeError


def options(threads: int = 0) -> Any:
    """0 threads: one for each core. Those with nothing to do sleep: by itself they look for work as fast as they can,
    which, where other programs work too, took reading a page from 4 seconds to 16, and thrice the processor.
    """
    import onnxruntime

    made = onnxruntime.SessionOptions()
    made.log_severity_level = 3
    made.intra_op_num_threads = threads
    made.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return made


def session(network: Path | bytes, threads: int = 0) -> Any:
    """The network of a file or of what is in it. Raises the errors of ONNX Runtime."""
    import onnxruntime

    given = network if isinstance(network, bytes) else str(network)
    return onnxruntime.InferenceSession(given, options(threads), providers=["CPUExecutionProvider"])


def session_in(folder: Path, pattern: str = "*.onnx") -> Any:
    """The network somewhere in a model's folder. Raises NodeError when there is none, else as `session`."""
    path = next(iter(sorted(folder.rglob(pattern))), None)
    if path is None:
        raise NodeError("The model is not complete.", "", "Remove it and download it again.")
    return session(path)
